"""Folders of damaged translations, as DEMETR has them: a file for each kind of damage."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from hyperbaton.base.content import fingerprint, read_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import NAMES, base, listed
from hyperbaton.language.sentence import Sentence
from hyperbaton.pipeline import Corpus, Pair
from hyperbaton.pipeline.corpora import identity_of
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.metrics.kinds import EXPLAINED

DAMAGED = "damaged"
"""The column of an item that holds its damaged translations."""
_TARGET = "en"
_KEYS = ("id", "src_sent", "eng_sent", "mt_sent", "pert_sent", "pert_name", "lang_tag")
_SEVERITIES = {"minor": 1, "major": 2, "critical": 3}
_UNRANKED = "base"
"""The severity of what is no damage among others, but something to compare with."""
_TAKEN = {ALL, *EXPLAINED}


class DamagedText(NamedTuple):
    """A translation and what it is damaged to, as a file has them."""

    variant: str
    severity: int | None
    reference: str
    translation: str
    damaged: str


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
        files = _files(self.folder)
        return identity_of(
            f"{len(files)} kinds of {self.folder.name}", self.limit, fingerprint(files)
        )


def damaged_corpora(
    folder: Path, languages: str | None, limit: int | None = None
) -> Sequence[Damaged]:
    """The languages of a folder of damaged translations, all or those that are named."""
    known = _read(folder, fingerprint(_files(folder)))
    named = listed(languages)
    for name in named:
        source, _, target = name.partition("-")
        if source not in known or (target or _TARGET) != _TARGET:
            offered = ", ".join(f"{code}-{_TARGET}" for code in known)
            raise HyperbatonError(
                f"{folder} has no damaged translations of '{name}': it has {offered}"
            )
    codes = [name.partition("-")[0] for name in named] or list(known)
    return [Damaged(Pair(code, _TARGET), folder, limit) for code in dict.fromkeys(codes)]


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
    """The items of each language; damage that does not apply, or changes nothing, is left out."""
    texts: dict[tuple[str, str], list[DamagedText]] = {}
    sources: dict[tuple[str, str], str] = {}
    read: dict[tuple[str, str, str], str] = {}
    for path in _files(folder):
        for number, row in enumerate(_rows(path), 1):
            place = f"{path}, item {number}"
            key, applies, text = _checked(row, place)
            first = read.setdefault((*key, text.variant), place)
            if first != place:
                raise HyperbatonError(
                    f"{place}: {text.variant} of {row['lang_tag']} {row['id']} is there already, "
                    f"in {first}"
                )
            sources.setdefault(key, row["src_sent"])
            changes = applies and text.damaged != text.translation
            texts.setdefault(key, []).extend([text] if changes else [])
    found: dict[str, list[Item]] = {}
    for (language, name), some in texts.items():
        if some:
            found.setdefault(language, []).append(_item(name, sources[language, name], some))
    if not found:
        raise HyperbatonError(
            f"{folder} holds no damage that applies: pert_check is false, or pert_sent is mt_sent"
        )
    return found


def _rows(path: Path) -> Sequence[dict[str, Any]]:
    """The items of a file, which is one list."""
    try:
        rows = read_json(path)
    except HyperbatonError as error:
        if path.is_file() and not path.read_bytes().strip():
            raise HyperbatonError(f"{path} is empty") from None
        more = "; a file of DEMETR is one JSON list of objects" * ("not JSON" in str(error))
        raise HyperbatonError(f"{error}{more}") from None
    if not isinstance(rows, list) or not rows:
        raise HyperbatonError(f"{path} holds no list of translations, as a file of DEMETR does")
    return rows


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
        if not row[key].strip() and key != "pert_sent":
            raise HyperbatonError(f"{place}: the text '{key}' is empty")
    name = row.get("id")
    if not isinstance(name, str | int) or isinstance(name, bool) or not str(name).strip():
        raise HyperbatonError(f"{place} has no 'id'")
    if row["pert_name"] in _TAKEN:
        raise HyperbatonError(
            f"{place}: pert_name is '{row['pert_name']}', which is a name of the study itself"
        )
    applies = row.get("pert_check", True)
    if not isinstance(applies, bool):
        raise HyperbatonError(f"{place}: pert_check is true or false, not {applies!r}")
    severity = row.get("severity", _UNRANKED)
    if not isinstance(severity, str) or severity not in {*_SEVERITIES, _UNRANKED}:
        named = ", ".join(_SEVERITIES)
        raise HyperbatonError(f"{place}: severity is {named} or {_UNRANKED}, not {severity!r}")
    texts = (row["eng_sent"], row["mt_sent"], row["pert_sent"])
    return (
        (_code(row["lang_tag"], place), str(name)),
        applies,
        DamagedText(row["pert_name"], _SEVERITIES.get(severity), *texts),
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
