"""The smallest changes of a sentence, kind by kind, those first that are likeliest to break.

None changes what a reader would understand: no letter, capital or space that makes another word
(polish, Polish; a way, away), no digit and no two numbers in one or in another order, no question
mark that becomes a full stop, no word left out that says something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import zip_longest

from hyperbaton.base.randomness import Rng
from hyperbaton.language.languages import base, has_case, writes_spaces
from hyperbaton.language.sentence import Sentence
from hyperbaton.search.changes import Change, Edit, swapped
from hyperbaton.search.words import Words, cut, token_spans

_SPELT = 4
"""The fewest letters of a word that is misspelt."""
_A_WORD = 8
"""Misspellings of one word that are tried."""
_SPLIT = 6
"""The fewest letters of a word that is written as two."""
_SLIPS = ("verbForm", "agreement", "article", "sound")
"""Kinds of learners' errors that leave the meaning as it is."""
_TENSE = "R:VERB:TENSE"
"""One of them that says something else: I hear, I heard."""
_LOOSE = {"acl", "advcl", "advmod", "appos", "cc", "conj", "discourse", "intj", "nmod"} | {
    *("npadvmod", "obl", "parataxis", "prep", "relcl", "vocative")
}
"""What a sentence can do without, by its relation to its head."""
_CLAUSE = re.compile("[,;:.!?–—…，、。；]")
_FINAL = re.compile(r"[.!?…。！？]+")
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', '"': "”"})


@dataclass(frozen=True)
class Material:
    """A sentence to break: its text, its tokens, and the words that its language has."""

    sentence: Sentence
    vocabulary: frozenset[str] = frozenset()
    seed: int = 0

    @cached_property
    def words(self) -> Words:
        """The pieces of its text."""
        return cut(self.sentence.text, self.sentence.language, self.sentence)

    def knows(self, word: str) -> bool:
        """Whether it is a word of the language, in whatever case."""
        return not self.vocabulary.isdisjoint((word, word.lower(), word.capitalize()))

    def is_whole(self, start: int, end: int) -> bool:
        """Whether the words from `start` to `end` still make a sentence, by tree or by its commas.

        >>> tree = {"upos": None, "heads": (1, 1, 1, 2), "deps": ("nsubj", "root", "prep", "pobj")}
        >>> walks = Sentence(tuple("I walk with Tom".split()), (True,) * 3 + (False,), "en", **tree)
        >>> [Material(walks).is_whole(0, end) for end in (1, 2, 3)]
        [False, True, False]
        """
        edges = [0]
        for piece in self.words.pieces:
            edges.append(edges[-1] + len(piece))
        heads, deps = self.sentence.heads, self.sentence.deps
        if heads is None or deps is None:
            gaps = (self.words.pieces[2 * i] for i in (start, end) if 0 < i < len(self.words.words))
            return all(_CLAUSE.search(gap) for gap in gaps)
        low, high = edges[2 * start + 1], edges[2 * end]
        spans = token_spans(self.sentence)
        kept = [low <= first and last <= high for first, last in spans]
        for i, word in enumerate(self.sentence.words):
            parted = any(map(str.isalnum, word)) and kept[i] != kept[heads[i]]
            copula = self.sentence.upos is not None and self.sentence.upos[heads[i]] == "AUX"
            if parted and (kept[i] or copula or deps[i].partition(":")[0] not in _LOOSE):
                return False
        return True

    def rng(self, kind: str) -> Rng:
        """The generator of draws of one kind."""
        return Rng(self.seed, self.sentence.id, f"break {kind}")


@lru_cache(maxsize=4)
def known_words(language: str) -> frozenset[str]:
    """The words of a dictionary that is shipped, as they are written; none for most languages."""
    from hyperbaton.language.dictionary import FOLDER, read_rows

    files = sorted(FOLDER.glob(f"{base(language)}-*.tsv.xz"))
    return frozenset(read_rows(files[0])) if files else frozenset()


def letters(material: Material) -> Iterator[Change]:
    """Two letters that change places, one that is missing, doubled, or beside it on the keys."""
    from hyperbaton.perturb.errors.slips import by_keyboard

    rng = material.rng("letter")
    by_word: list[list[Change]] = []
    for place, word in _plain_words(material):
        exchanged = [word[1] + word[0].lower() + word[2:]] if word[0] != word[1] else []
        spelt = [*exchanged, *rng.shuffled(list(by_keyboard(word, material.sentence.language)))]
        if word[0].isupper():
            spelt = [other[:1].upper() + other[1:] for other in spelt]
        wrong = (other for other in dict.fromkeys(spelt) if not material.knows(other))
        by_word.append([_edit(place, other, "letter") for other in wrong][:_A_WORD])
    by_word.sort(key=lambda changes: -len(changes[0].edits[0].new) if changes else 0)
    yield from _in_turn(by_word)


def _plain_words(material: Material) -> Iterator[tuple[int, str]]:
    """The words that may be misspelt, with their places: no names, abbreviations or numbers."""
    for i, word in enumerate(material.words.words):
        named = word[0].isupper() and i > 0 and base(material.sentence.language) != "de"
        if len(word) >= _SPELT and word.isalpha() and word[1:].islower() and not named:
            yield 2 * i + 1, word


def cases(material: Material) -> Iterator[Change]:
    """The first word small, a name small, a word in capitals; then all words in one case."""
    if not has_case(material.sentence.language):
        return
    words = material.words.words
    places = [(2 * i + 1, word) for i, word in enumerate(words) if word.lower() != word.upper()]
    for place, word in places:
        if word != word.lower() and (place == 1 or word.lower() not in material.vocabulary):
            yield _edit(place, word.lower(), "case")
    longest = sorted((p for p in places if len(p[1]) >= _SPELT), key=lambda pair: -len(pair[1]))
    yield from (_edit(place, w.upper(), "case") for place, w in longest if w != w.upper())
    for place, word in longest:
        if word.islower() and word.capitalize() not in material.vocabulary:
            yield _edit(place, word.capitalize(), "case")
    for how in (str.upper, str.lower, str.capitalize):
        edits = [Edit(place, how(word), "case") for place, word in places if how(word) != word]
        if len(edits) > 1:
            yield Change(tuple(edits))


def final_marks(material: Material) -> Iterator[Change]:
    """The mark at the end is missing, doubled, or a full stop in place of an exclamation mark."""
    *_, last = material.words.pieces
    place = len(material.words.pieces) - 1
    marks = _FINAL.search(last)
    if marks is None:
        yield _edit(place, f"{last}.", "final-mark")
        return
    exchanged = {".": "!", "!": ".", "…": "...", "...": "…"}.get(marks[0])
    for other in ("", exchanged, marks[0][-1] * 2 if len(marks[0]) == 1 else None):
        if other is not None:
            yield _edit(place, last[: marks.start()] + other + last[marks.end() :], "final-mark")


def marks(material: Material) -> Iterator[Change]:
    """A comma is missing; apostrophes, hyphens and quotation marks are written in another way."""
    pieces = material.words.pieces
    last = len(pieces) - 1
    for place, piece in enumerate(pieces):
        found: list[str] = []
        if place % 2:
            found += [_APOSTROPHES.sub(other, piece) for other in ("’", "'", "", "`")]
            found += [piece.replace("-", other) for other in (" ", "")]
        else:
            found += [re.sub("[,;、，]", "", piece), re.sub("[;:]", ",", piece)]
            found += [piece.translate(_QUOTES), re.sub('["“”„«»]', "", piece)]
            found += [re.sub(r"\s*[-–—]\s*", other, piece) for other in (" - ", " – ", ", ")]
        different = dict.fromkeys(other for other in found if other != piece)
        alone = (o for o in different if place in (0, last) or o or not piece.strip())
        yield from (_edit(place, other, "mark") for other in alone)


def spaces(material: Material) -> Iterator[Change]:
    """Two words in one, a word in two; spaces doubled, of another kind, or at the ends."""
    pieces = material.words.pieces
    last = len(pieces) - 1
    inner = [place for place in range(2, last, 2) if pieces[place] == " "]
    chosen = material.rng("space").shuffled(inner)
    words = [(2 * i + 1, w) for i, w in enumerate(material.words.words)]
    long = [(p, w) for p, w in words if len(w) >= _SPLIT and not any(map(str.isdigit, w))]
    apart = [(p, w[: len(w) // 2], w[len(w) // 2 :]) for p, w in long]
    apart = [row for row in apart if not (material.knows(row[1]) and material.knows(row[2]))]
    numbers = {p for p in chosen if pieces[p - 1][-1:].isdigit() and pieces[p + 1][:1].isdigit()}
    joined = [
        p for p in chosen if p not in numbers and not material.knows(pieces[p - 1] + pieces[p + 1])
    ]
    yield from _in_turn(
        [
            [_edit(place, "", "space") for place in joined],
            [_edit(place, f"{left} {right}", "space") for place, left, right in apart],
            [_edit(last, f" {pieces[last]}", "space")] if pieces[last] else [],
            [_edit(0, f" {pieces[0]}", "space"), _edit(last, f"{pieces[last]} ", "space")],
            [_edit(place, other, "space") for other in ("  ", "\u00a0", "\t") for place in chosen],
        ]
    )


def doubled_words(material: Material) -> Iterator[Change]:
    """A word stands twice: a short one first, as it happens when one types."""
    words = [(2 * i + 1, word) for i, word in enumerate(material.words.words) if word.isalpha()]
    gap = " " if writes_spaces(material.sentence.language) else ""
    for place, word in sorted(words, key=lambda pair: len(pair[1])):
        second = word.lower() if place == 1 and not word.isupper() else word
        yield _edit(place, f"{word}{gap}{second}", "word")


def orders(material: Material) -> Iterator[Change]:
    """Two neighbours of one sentence change places."""
    words, gaps = material.words.words, material.words.pieces[2::2]
    count = len(words)
    numbers = [any(map(str.isdigit, word)) for word in words]
    firsts = [
        i
        for i in range(count - 1)
        if words[i] != words[i + 1]
        and not (numbers[i] and numbers[i + 1])
        and not _FINAL.search(gaps[i])
    ]
    for i in material.rng("order").shuffled(firsts):
        yield Change((), swapped(count, i, i + 1))


def learners(material: Material) -> Iterator[Change]:
    """What learners write: a wrong form, another article or none, a spelling by ear."""
    from hyperbaton.perturb.errors.slips import slips

    spans = [*token_spans(material.sentence), (len(material.words.text),) * 2]
    rng = material.rng("learner")
    by_kind: list[list[Change]] = []
    for kind in _SLIPS:
        found = []
        for slip in (s for s in slips(material.sentence, kind) if s.type != _TENSE):
            start = spans[slip.start][0]
            end = spans[slip.end - 1][1] if slip.end > slip.start else start
            new = " ".join(slip.words) + (" " if slip.end == slip.start else "")
            change = _edit_at(material.words, start, end, new, "learner")
            if change and (kind != "sound" or not material.knows(new)):
                found.append(change)
        by_kind.append(rng.shuffled(found))
    yield from _in_turn(by_kind)


def _edit_at(words: Words, start: int, end: int, new: str, kind: str) -> Change | None:
    """Characters of the text replaced, where they lie in one word."""
    at = 0
    for place, piece in enumerate(words.pieces):
        if place % 2 and at <= start and end <= at + len(piece) and start < at + len(piece):
            return _edit(place, piece[: start - at] + new + piece[end - at :], kind)
        at += len(piece)
    return None


def _edit(place: int, new: str, kind: str) -> Change:
    return Change((Edit(place, new, kind),))


def _in_turn(lists: Iterable[list[Change]]) -> Iterator[Change]:
    """The first of each list, then the second of each, …"""
    for row in zip_longest(*lists):
        yield from (change for change in row if change is not None)


KINDS: dict[str, Callable[[Material], Iterator[Change]]] = {
    "final-mark": final_marks,
    "case": cases,
    "space": spaces,
    "mark": marks,
    "letter": letters,
    "word": doubled_words,
    "learner": learners,
    "order": orders,
}
"""Every kind of small change, those first that a reader hardly sees."""


def candidates(material: Material, kinds: Iterable[str]) -> dict[str, list[Change]]:
    """The changes of each kind that change the text, each once."""
    seen = {material.words.text}
    found: dict[str, list[Change]] = {}
    for kind in kinds:
        found[kind] = []
        for change in KINDS[kind](material):
            text = change.text(material.words)
            if text not in seen and text.strip():
                seen.add(text)
                found[kind].append(change)
    return found
