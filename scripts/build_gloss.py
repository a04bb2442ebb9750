"""Learn the dictionaries of the system `gloss` from parallel text.

    python scripts/build_gloss.py BITEXT_FOLDER [LANGUAGE …]

BITEXT_FOLDER holds en-XX.tsv.xz (English, other language, source tag). Only rows from Tatoeba are
read, so that its licence (CC BY 2.0 FR) is the only one. For each language: cut both sides into
words, align them in both directions, count which word stands for which, keep for each word the
most frequent one that goes with it. The same rows give the same dictionary. Needs: pip install
systran-align jieba opencc-python-reimplemented sudachipy sudachidict-core
"""

from __future__ import annotations

import lzma
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from hyperbaton.base.files import write_bytes
from hyperbaton.language.dictionary import FOLDER
from hyperbaton.language.languages import has_case
from hyperbaton.systems.faults import has_words
from hyperbaton.systems.shipped.gloss import normal, tokens

LANGUAGES = ("de", "fr", "es", "it", "ru", "ja", "zh")
SEEN = 3
"""How often a word must occur, and twice with the word that stands for it."""
ODDS = 2.0
"""How much the odds of the target word rise in sentences that have the source word."""
FREQUENT, SHARE = 50, 0.05
"""A frequent word is left out when less than this share of it has such a counterpart."""
CANDIDATES = 5
FULL = {"n't": "not", "'m": "am", "'re": "are", "'ll": "will", "'ve": "have", "'d": "would"}
"""Contracted English counts as the full words, which can stand anywhere."""
ELIDED = {
    "fr": {"c'": "ce", "d'": "de", "j'": "je", "l'": "le", "m'": "me", "n'": "ne", "s'": "se"}
    | {"t'": "te", "qu'": "que", "jusqu'": "jusque", "lorsqu'": "lorsque", "puisqu'": "puisque"},
    "it": {"c'": "ci", "d'": "di", "l'": "lo", "un'": "una", "m'": "mi", "n'": "ne", "s'": "si"}
    | {"t'": "ti", "v'": "vi", "all'": "alla", "dall'": "dalla", "dell'": "della"}
    | {"nell'": "nella", "sull'": "sulla", "quell'": "quella", "quest'": "questa"},
}
"""The same for what English is translated into: what comes next is not known."""
CERTAIN = 0.9
"""The share of capitals inside sentences that makes a capital at the start part of the word."""
BATCH = 1000

Words = list[str]
Segmenter = Callable[[str], Words]
Links = list[tuple[int, int]]
Entries = dict[str, tuple[int, str]]
"""How often each word occurs, and what stands for it."""


def read_rows(path: Path) -> list[tuple[str, str]]:
    """The distinct sentence pairs from Tatoeba."""
    rows: dict[tuple[str, str], None] = {}
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            english, other, tag = line.rstrip("\n").split("\t")
            if tag.startswith("tatoeba") or tag == "tanaka":
                rows[normal(english), normal(other)] = None
    return list(rows)


@cache
def simplifier() -> Callable[[str], str]:
    """Traditional characters to simplified ones."""
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


def chinese(text: str) -> Words:
    """The words of a text in simplified script, white space among them."""
    import jieba

    jieba.setLogLevel(60)
    words: Words = jieba.lcut(text)
    return words


@cache
def japanese(merged: bool) -> Segmenter:
    """Cut into words, a verb or adjective one word with its endings where they are merged."""
    from sudachipy import Dictionary, SplitMode

    tokenizer = Dictionary().create(mode=SplitMode.C)

    def cut(text: str) -> Words:
        words: Words = []
        inflected = False
        for morpheme in tokenizer.tokenize(text):
            word, tags = morpheme.surface(), morpheme.part_of_speech()
            verbal = tags[0] in ("動詞", "形容詞")
            ending = (
                tags[0] == "助動詞"
                or (tags[1] == "接続助詞" and word in ("て", "で", "ちゃ", "じゃ"))
                or (verbal and tags[1] == "非自立可能")
                or (tags[0] == "接尾辞" and tags[1] != "名詞的")
            )
            if merged and inflected and ending:
                words[-1] += word
            else:
                words.append(word)
                inflected = verbal
        return words

    return cut


def segmenters(language: str) -> list[Segmenter]:
    """How a language is cut; what only a later way finds fills gaps of the dictionary."""
    if language == "ja":
        return [japanese(merged=True), japanese(merged=False)]
    if language == "zh":
        return [lambda text: chinese(simplifier()(text))]
    return [lambda text: [token.text for token in tokens(text, language)]]


def segment(texts: Iterable[str], segmenter: Segmenter, language: str) -> list[Words]:
    """The words of each text, in the case they have inside a sentence."""
    sentences = [[word for word in segmenter(text) if word.strip()] for text in texts]
    return truecase(sentences) if has_case(language) else sentences


def truecase(sentences: Sequence[Words]) -> list[Words]:
    """First words in small letters, unless they have capitals elsewhere too."""
    cases: dict[str, Counter[str]] = defaultdict(Counter)
    for words in sentences:
        for word, first in zip(words, starts(words), strict=True):
            if not first:
                cases[word.lower()][word] += 1
    usual = {}
    for lower, found in cases.items():
        best = max(found, key=lambda word: (found[word], word))
        usual[lower] = best if found[best] >= CERTAIN * found.total() else lower
    return [
        [
            usual.get(word.lower(), word.lower()) if first else word
            for word, first in zip(words, starts(words), strict=True)
        ]
        for words in sentences
    ]


def starts(words: Words) -> Iterator[bool]:
    """Whether each word is the first of a sentence or quotation."""
    start = True
    for word in words:
        yield start and has_words(word)
        start = word in '.?!:"„«“' or (start and not has_words(word))


def align(sources: Sequence[Words], targets: Sequence[Words]) -> list[Links]:
    """The links of fast_align in both directions, thinned to one for each word."""
    lower = [[[word.lower() for word in words] for words in side] for side in (sources, targets)]
    links = list(learnt_links(lower[0], lower[1]))
    return one_to_one(lower[0], lower[1], links)


def learnt_links(sources: Sequence[Words], targets: Sequence[Words]) -> Iterator[Links]:
    """The links of fast_align in both directions, learnt from these very pairs."""
    import systran_align

    with tempfile.TemporaryDirectory() as folder:
        text, forward, backward = (f"{folder}/{name}" for name in ("text", "forward", "backward"))
        pairs = zip(sources, targets, strict=True)
        lines = (f"{' '.join(s)} ||| {' '.join(t)}\n" for s, t in pairs if s and t)
        Path(text).write_text("".join(lines), encoding="utf-8")
        systran_align.generate_alignment_probabilities(
            text,
            forward,
            backward,
            favor_diagonal=True,
            optimize_tension=True,
            variational_bayes=True,
        )
        aligner = systran_align.Aligner(forward, backward)
        for at in range(0, len(sources), BATCH):
            for result in aligner.align_batch(sources[at : at + BATCH], targets[at : at + BATCH]):
                yield sorted({(i, j) for i, j in result["alignments"]})


def one_to_one(
    sources: Sequence[Words], targets: Sequence[Words], links: Sequence[Links]
) -> list[Links]:
    """Of competing links those whose words are most often linked (Dice), each word used once."""
    left = Counter(word for words in sources for word in words)
    right = Counter(word for words in targets for word in words)
    both: Counter[tuple[str, str]] = Counter()
    for s, t, pairs in zip(sources, targets, links, strict=True):
        both.update((s[i], t[j]) for i, j in pairs)
    result = []
    for s, t, pairs in zip(sources, targets, links, strict=True):
        dice = {(i, j): both[s[i], t[j]] / (left[s[i]] + right[t[j]]) for i, j in pairs}
        kept: dict[int, int] = {}
        for i, j in sorted(pairs, key=lambda link: (-dice[link], abs(link[0] - link[1]), link)):
            if i not in kept and j not in kept.values():
                kept[i] = j
        result.append(list(kept.items()))
    return result


def lexicon(sources: Sequence[Words], targets: Sequence[Words], links: Iterable[Links]) -> Entries:
    """What stands for each word that is frequent enough."""
    seen = Counter(word for words in sources for word in words)
    linked: dict[str, Counter[str]] = defaultdict(Counter)
    for s, t, pairs in zip(sources, targets, links, strict=True):
        for i, j in pairs:
            if any(map(str.isalpha, s[i])) and has_words(t[j]):
                linked[s[i]][t[j]] += 1
    best = {
        word: sorted(found, key=lambda t: (-found[t], t))[:CANDIDATES]
        for word, found in linked.items()
    }
    odds = odds_ratios(sources, targets, best)
    entries: Entries = {}
    for word, found in linked.items():
        good = [other for other in best[word] if odds[word, other] >= ODDS]
        if seen[word] >= FREQUENT and sum(found[t] for t in good) < SHARE * seen[word]:
            entries[word] = seen[word], ""
        elif seen[word] >= SEEN and good and found[good[0]] > 1:
            entries[word] = seen[word], good[0]
    return entries


def odds_ratios(
    sources: Sequence[Words], targets: Sequence[Words], candidates: Mapping[str, Words]
) -> dict[tuple[str, str], float]:
    """How much more likely a target word is where the source word is in the sentence."""
    left: Counter[str] = Counter()
    right: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for source, target in zip(sources, targets, strict=True):
        s, t = set(source), set(target)
        left.update(s)
        right.update(t)
        both.update((word, other) for word in s for other in candidates.get(word, ()) if other in t)
    ratios = {}
    for word, others in candidates.items():
        for other in others:
            n = both[word, other]
            a, b, c = n + 0.5, left[word] - n + 0.5, right[other] - n + 0.5
            ratios[word, other] = a * (len(sources) - left[word] - right[other] + n + 0.5) / (b * c)
    return ratios


def traditional(texts: Iterable[str], entries: Entries) -> Entries:
    """The words of a Chinese dictionary as texts in traditional script write them."""
    found: Entries = {}
    for text in texts:
        simple = simplifier()(text)
        if simple == text or len(simple) != len(text):
            continue
        at = 0
        for word in chinese(simple):
            form = text[at : at + len(word)]
            at += len(word)
            if form != word and word in entries and form not in entries:
                found[form] = entries[word]
    return found


def write(name: str, entries: Entries) -> None:
    """Write one dictionary, the most frequent word first, and say how large it is."""
    words = sorted(entries, key=lambda word: (-entries[word][0], word))
    text = "".join(f"{word}\t{entries[word][1]}\n" for word in words)
    data = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    write_bytes(FOLDER / f"{name}.tsv.xz", data)
    print(f"{name}: {len(entries)} words, {len(data)} bytes", flush=True)


def main(bitext: Path, languages: Sequence[str]) -> None:
    """Write the dictionaries of these languages with English, in both directions."""
    for language in languages or LANGUAGES:
        rows = read_rows(bitext / f"en-{language}.tsv.xz")
        print(f"{language}: {len(rows)} sentence pairs", flush=True)
        english = [
            [FULL.get(word, word) for word in words]
            for words in segment((row[0] for row in rows), segmenters("en")[0], "en")
        ]
        from_english: Entries = {}
        to_english: Entries = {}
        for segmenter in segmenters(language):
            other = segment((row[1] for row in rows), segmenter, language)
            links = align(english, other)
            back = [[(j, i) for i, j in pairs] for pairs in links]
            elided = ELIDED.get(language, {})
            whole = [[elided.get(word, word) for word in words] for words in other]
            from_english = from_english or lexicon(english, whole, links)
            to_english = lexicon(other, english, back) | to_english
        from_english |= {s: from_english[full] for s, full in FULL.items() if full in from_english}
        if language == "zh":
            to_english |= traditional((row[1] for row in rows), to_english)
        write(f"en-{language}", from_english)
        write(f"{language}-en", to_english)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
