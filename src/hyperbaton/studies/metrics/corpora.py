"""What metrics are tried on: references of any corpus, and folders of damaged translations."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from hyperbaton.base.content import fingerprint, read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import NAMES, base
from hyperbaton.language.sentence import Sentence
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.studies.metrics.kinds import ANOTHER, HUB

DAMAGED = "damaged"
"""The column of an item that holds its damaged translations."""
BESIDE = (ANOTHER, HUB)
"""The columns that hold other sentences of the corpus."""
_SAMPLE = 200
"""Sentences of which the one that is most like all others is chosen."""
_TARGET = "en"
_KEYS = ("id", "src_sent", "eng_sent", "mt_sent", "pert_sent", "pert_name", "lang_tag")
_SEVERITIES = {"minor": 1, "major": 2, "critical": 3}


class DamagedText(NamedTuple):
    """A translation and what it is damaged to, as a file has them."""

    variant: str
    severity: int | None
    reference: str
    translation: str
    damaged: str


@dataclass(frozen=True)
class Beside(Corpus):
    """A corpus whose items know the next one's text, and the sentence that is most like all."""

    corpus: Corpus

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """That of the corpus."""
        return self.corpus.pair

    @property
    def identity(self) -> str:
        return self.corpus.identity

    def items(self) -> Iterator[Item]:
        """The items, each with other sentences of the corpus in further columns."""
        hub = _hub([_text(item) for item in islice(self.corpus.items(), _SAMPLE)])
        first = last = None
        for item in self.corpus.items():
            if last is not None:
                yield _with(last, _text(item), hub)
            first, last = first or item, item
        if first is not None and last is not None:
            yield _with(last, _text(first), hub)


def _text(item: Item) -> str:
    """The translation of an item: its own, or the reference."""
    if DAMAGED in item.columns:
        return damaged_texts(item)[0].translation
    if item.reference_text is None:
        raise HyperbatonError(f"item '{item.id}' has no reference, which the study needs: add -r")
    return item.reference_text


def _with(item: Item, another: str, hub: str) -> Item:
    return replace(item, columns={**item.columns, ANOTHER: another, HUB: hub})


def _hub(texts: Sequence[str]) -> str:
    """The text whose pairs of letters are most like those of all others, by Dice's coefficient.

    >>> _hub(["the cat sat", "the cat ran", "dogs bark"])
    'the cat sat'
    """
    pairs = {text: {text[at : at + 2] for at in range(len(text) - 1)} for text in texts}
    likeness = {
        text: sum(2 * len(own & other) / ((len(own) + len(other)) or 1) for other in pairs.values())
        for text, own in pairs.items()
    }
    return max(likeness, key=lambda text: likeness[text], default="")


def damaged_texts(item: Item) -> list[DamagedText]:
    """The damaged translations of an item."""
    return [DamagedText(*row) for row in json.loads(item.columns[DAMAGED])]


@dataclass(frozen=True)
class Damaged(Corpus):
    """The damaged translations of a folder like DEMETR's, from one language into English."""

    pair: Pair
    folder: Path
    limit: int | None = None

    def items(self) -> Iterator[Item]:
        """A sentence with all damage that applies to its translation."""
        found = _read(self.folder, fingerprint(_files(self.folder)))[self.pair.source]
        return islice(iter(found), self.limit)

    @property
    def identity(self) -> str:
        some = "" if self.limit is None else f", the first {self.limit}"
        files = _files(self.folder)
        return f"{len(files)} kinds of {self.folder.name}{some} ({fingerprint(files)})"


def damaged_corpora(
    folder: Path, languages: str | None, limit: int | None = None
) -> Sequence[Corpus]:
    """The languages of a folder of damaged translations, all or those that are named."""
    known = _read(folder, fingerprint(_files(folder)))
    named = [part.strip() for part in (languages or "").split(",") if part.strip()]
    for name in named:
        source, _, target = name.partition("-")
        if source not in known or (target or _TARGET) != _TARGET:
            offered = ", ".join(f"{code}-{_TARGET}" for code in known)
            raise HyperbatonError(
                f"{folder} has no damaged translations of '{name}': it has {offered}"
            )
    codes = [name.partition("-")[0] for name in named] or list(known)
    return [Beside(Damaged(Pair(code, _TARGET), folder, limit)) for code in dict.fromkeys(codes)]


def _files(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.json"))
    if not files:
        raise HyperbatonError(
            f"{folder} holds no *.json files: name a folder like DEMETR's, a file for each kind of "
            "damage"
        )
    return files


@lru_cache(maxsize=2)
def _read(folder: Path, digest: str) -> Mapping[str, Sequence[Item]]:
    """The items of each language; the damage that does not apply is left out."""
    texts: dict[tuple[str, str], list[DamagedText]] = {}
    sources: dict[tuple[str, str], str] = {}
    for path in _files(folder):
        rows = read_json(path)
        if not isinstance(rows, list):
            raise HyperbatonError(f"{path} holds no list of translations, as a file of DEMETR does")
        for number, row in enumerate(rows, 1):
            key, applies, text = _checked(row, f"{path}, item {number}")
            sources.setdefault(key, row["src_sent"])
            texts.setdefault(key, []).extend([text] if applies else [])
    found: dict[str, list[Item]] = {}
    for (language, name), some in texts.items():
        if some:
            found.setdefault(language, []).append(_item(name, sources[language, name], some))
    if not found:
        raise HyperbatonError(f"{folder} holds no damage that applies (pert_check is false)")
    return found


def _item(name: str, source: str, texts: Sequence[DamagedText]) -> Item:
    """A few items have two translations: what most damage was done to comes first."""
    usual = Counter((text.reference, text.translation) for text in texts).most_common(1)[0][0]
    ordered = sorted(texts, key=lambda text: (text.reference, text.translation) != usual)
    columns = {DAMAGED: json.dumps(ordered, ensure_ascii=False), "parser": "none"}
    # A sentence that is not parsed, since nothing of it is: English need not have a parser here.
    return Item(name, source, Sentence.unparsed(usual[0], _TARGET, name), columns)


def _checked(row: object, place: str) -> tuple[tuple[str, str], bool, DamagedText]:
    if not isinstance(row, dict):
        raise HyperbatonError(f"{place} is no object with {', '.join(_KEYS)}")
    for key in _KEYS[1:]:
        if not isinstance(row.get(key), str):
            raise HyperbatonError(f"{place} has no text '{key}', which every item of DEMETR has")
    if not isinstance(row.get("id"), str | int):
        raise HyperbatonError(f"{place} has no 'id'")
    applies = row.get("pert_check", row["pert_sent"] != row["mt_sent"])
    if not isinstance(applies, bool):
        raise HyperbatonError(f"{place}: pert_check is true or false, not {applies!r}")
    severity = _SEVERITIES.get(str(row.get("severity")))
    texts = (row["eng_sent"], row["mt_sent"], row["pert_sent"])
    return (
        (_code(row["lang_tag"], place), str(row["id"])),
        applies,
        DamagedText(row["pert_name"], severity, *texts),
    )


def _code(tag: str, place: str) -> str:
    """The code of a language by its English name, as `chinese_simple`; a code is its own."""
    name = tag.replace("-", "_").split("_")[0].lower()
    codes = {english.lower(): code for code, english in NAMES.items()}
    code = codes.get(name, name if base(name) in NAMES else None)
    if code is None:
        raise HyperbatonError(
            f"{place}: '{tag}' is no language: write its English name or its code"
        )
    return code
