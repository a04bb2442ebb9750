"""Perturbed sentences a second on one core, by family, against the nearest equivalent in nlpaug.

    python benchmarks/perturb.py                   sentences that this script makes up
    python benchmarks/perturb.py FILE.conllu de    sentences of a treebank

Rates count the variants made, order and text. "fresh" perturbs sentences that nothing has touched
yet, so that what is worked out once for a sentence is paid for; "again" is every further round of
the same sentences, as in a study with several draws. A sentence to which a perturbation does not
apply takes its time but is not counted. Each small batch counts at its fastest of all rounds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, parse_all, perturb_all

ROUNDS = 25
BATCH = 100
"""Sentences timed together: a short stretch is seldom disturbed by what else the machine does."""
PIECES = "src/hyperbaton/data/bundled/source.spm"

_NOUNS = ["dog", "letter", "teacher", "river", "garden", "answer", "city", "friend"]
_ADJECTIVES = ["old", "green", "quiet", "famous", "small"]
_VERBS = ["saw", "found", "reached", "described", "wanted"]
_ADVERBS = ["often", "never", "quickly", "finally"]
_PREPOSITIONS = ["near", "behind", "with", "without"]


def made_up(count: int) -> list[Sentence]:
    """Sentences of 8 to 12 words with tags, a tree and noun chunks, as a parser would give them."""
    draw = random.Random(1)
    return [_one(draw, str(i)) for i in range(count)]


def _one(draw: random.Random, name: str) -> Sentence:
    rows: list[tuple[str, str, int, str]] = []  # word, tag, head, relation
    chunks: list[tuple[int, int]] = []

    def noun_phrase(head: int, relation: str) -> None:
        start = len(rows)
        adjectives = draw.sample(_ADJECTIVES, draw.randint(0, 1))
        noun = start + 1 + len(adjectives)
        rows.append(("the", "DET", noun, "det"))
        rows.extend((adjective, "ADJ", noun, "amod") for adjective in adjectives)
        rows.append((draw.choice(_NOUNS), "NOUN", head, relation))
        chunks.append((start, noun + 1))

    noun_phrase(-1, "nsubj")
    adverb = draw.random() < 0.7
    verb = len(rows) + adverb
    if adverb:
        rows.append((draw.choice(_ADVERBS), "ADV", verb, "advmod"))
    rows.append((draw.choice(_VERBS), "VERB", verb, "root"))
    noun_phrase(verb, "obj")
    preposition = len(rows)
    rows.append((draw.choice(_PREPOSITIONS), "ADP", -2, "case"))
    noun_phrase(verb, "obl")
    noun = len(rows) - 1
    if draw.random() < 0.5:
        rows.append(("and", "CCONJ", len(rows) + 1, "cc"))
        rows.append(("left", "VERB", verb, "conj"))
    rows.append((".", "PUNCT", verb, "punct"))
    heads = [verb if head == -1 else noun if i == preposition else head
             for i, (_, _, head, _) in enumerate(rows)]  # fmt: skip
    return Sentence(
        tuple(word for word, *_ in rows),
        (True,) * (len(rows) - 2) + (False, False),
        "en",
        upos=tuple(tag for _, tag, *_ in rows),
        heads=tuple(heads),
        deps=tuple(relation for *_, relation in rows),
        noun_chunks=tuple(chunks),
        scheme="ud",
        id=name,
    )


def treebank(path: Path, language: str) -> list[Sentence]:
    """The sentences of a CoNLL-U file."""
    from hyperbaton.corpus.conllu import read_conllu

    items = read_conllu(path, language)
    return [item.source for item in items if isinstance(item.source, Sentence)]


def best(
    work: Callable[[Sequence[Sentence]], int], sentences: Sequence[Sentence], fresh: bool = True
) -> float:
    """Results a second, each batch at its fastest of all rounds."""
    made, seconds = 0, 0.0
    for at in range(0, len(sentences), BATCH):
        batch = sentences[at : at + BATCH]
        times = []
        for _ in range(ROUNDS):
            if fresh:
                batch = [replace(sentence) for sentence in batch]
            began = time.perf_counter()
            results = work(batch)
            times.append(time.perf_counter() - began)
        made += results
        seconds += min(times)
    return made / seconds


def ours(perturbations: Sequence[Perturbation]) -> Callable[[Sequence[Sentence]], int]:
    """Every perturbation of every sentence of a batch."""

    def work(sentences: Sequence[Sentence]) -> int:
        return sum(draw.variant is not None for draw in perturb_all(sentences, perturbations))

    return work


def theirs(augmenter: str) -> Callable[[Sequence[Sentence]], int] | None:
    """One augmentation of every sentence's text by nlpaug; None where it is not installed."""
    try:
        import nlpaug.augmenter.char as characters
        import nlpaug.augmenter.word as words
    except ImportError:
        return None
    aug = (
        words.RandomWordAug(action="swap", aug_p=0.5, aug_max=None)
        if augmenter == "word swap"
        else characters.RandomCharAug(
            action="swap", aug_char_p=0.3, aug_word_p=1, aug_word_max=None
        )
    )

    def work(sentences: Sequence[Sentence]) -> int:
        return len([aug.augment(sentence.text) for sentence in sentences])

    return work


FAMILIES = {
    "random": ("word swap", ["wordShuffle", "reversed", "shuffleHalvesFirst", "shuffleHalvesLast"]),
    "PoS": (
        "word swap",
        [
            "nounSwaps",
            "verbSwaps",
            "nounVerbSwap",
            "nounVerbMismatched",
            "adverbVerbSwap",
            "nounAdjSwap",
            "functionalShuffle",
            "verbAtBeginning",
        ],
    ),
    "tree": (
        "word swap",
        ["treeMirrorPre", "treeMirrorPost", "treeMirrorIn", "rotateAroundRoot"],
    ),
    "character": (
        "character swap",
        ["FullShuffle", "PhraseShuffle(p=0.3)", "NeighbourFlip(p=0.3)"],
    ),
    "subword": (
        None,
        [
            f"FullShuffle(unit=subword, tokenizer={PIECES})",
            f"PhraseShuffle(p=0.3, unit=subword, tokenizer={PIECES})",
            f"NeighbourFlip(p=0.3, unit=subword, tokenizer={PIECES})",
        ],
    ),
    "surface": (None, ["surface"]),
}


def main() -> None:
    """Print one line for each family."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("conllu", nargs="?", type=Path)
    parser.add_argument("language", nargs="?", default="en")
    args = parser.parse_args()
    sentences = treebank(args.conllu, args.language) if args.conllu else made_up(500)
    length = sum(map(len, sentences)) / len(sentences)
    print(f"{len(sentences)} sentences of {length:.1f} tokens, one core, best of {ROUNDS} rounds")
    rates: dict[str, float] = {}
    for name in ("word swap", "character swap"):
        augment = theirs(name)
        if augment is None:
            print(
                "nlpaug is not installed, so there is nothing to compare with: pip install nlpaug"
            )
            break
        rates[name] = best(augment, sentences[:100])
    print(
        f"{'family':<9} {'fresh/s':>9} {'again/s':>9} {'nlpaug/s':>9} {'ratio':>6}  nearest there"
    )
    fresh: dict[str, float] = {}
    for family, (nearest, names) in FAMILIES.items():
        work = ours(parse_all(names))
        rate, again = best(work, sentences), best(work, sentences, fresh=False)
        other = rates.get(nearest or "")
        compared = f"{other:>9,.0f} {rate / other:>5,.0f}×" if other else f"{'-':>9} {'-':>6}"
        print(f"{family:<9} {rate:>9,.0f} {again:>9,.0f} {compared}  {nearest or 'none'}")
        fresh[family] = rate
    words = [fresh[family] for family in ("random", "PoS", "tree")]
    for family in ("character", "subword"):
        print(
            f"{family}: × {fresh[family] / min(words):.2f} of the slowest word family, "
            f"× {fresh[family] / max(words):.2f} of the fastest"
        )


if __name__ == "__main__":
    main()
