"""WMT's folders of translations: sources, documents, references and the outputs of all systems.

The layout is that of the repositories `wmtNN-news-systems` (`txt-ts`, with the test suites, or
`txt`) and of mt-metrics-eval: `sources/en-es.txt`, `documents/en-es.docs`,
`references/en-es.refA.txt` and `system-outputs/en-es/SYSTEM.txt`, line by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.wording import counted
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.lines import read_lines
from hyperbaton.corpus.named import NamedCorpus

MAIN = "test"
"""The main test set, beside which there may be suites."""
VERSIONS = {"rocs-mt": ("nm", "rm")}
"""Suites that hold sentences twice, clean and noisy: how the documents of each begin (`nm-7`)."""
_WITHIN = (".", "txt-ts", "txt")
_SUITE = re.compile(r"t(?:est)?suite_[a-z]{2,3}-[a-z]{2,3}_([^_]+)_")
_UNTRANSLATED = "NO TRANSLATION AVAILABLE"
_CANARY = "canary"


@dataclass(frozen=True)
class Wmt(NamedCorpus):
    """A suite of a folder in WMT's layout, or its main test set.

    >>> print(Wmt("../wmt24-news-systems", "rocs-mt"), Wmt("../wmt24-news-systems"))
    wmt:../wmt24-news-systems(suite=rocs-mt) wmt:../wmt24-news-systems
    """

    name: ClassVar[str] = "wmt"
    positional: ClassVar[str | None] = "path"

    path: str
    suite: str = MAIN

    @property
    def label(self) -> str:
        """The name without the folders above the folder."""
        return str(replace(self, path=Path(self.path).expanduser().resolve().name))

    def items(self, source: str, target: str) -> Iterator[Item]:
        """A line each, its number in the files as the id; documents of the suite are columns."""
        return iter(self.folder(source, target).items(self.suite))

    def twins(self, source: str, target: str) -> Iterator[tuple[Item, Item | None]]:
        """Each clean sentence with its noisy version; None where its document has another length.

        The k-th line of document `nm-7` and the k-th of `rm-7` are the same sentence.
        """
        if self.suite not in VERSIONS:
            raise HyperbatonError(
                f"the suite {self.suite} has no clean and noisy versions of its sentences: "
                f"give --suite {' or '.join(VERSIONS)}"
            )
        documents: dict[str, list[Item]] = {}
        for item in self.items(source, target):
            documents.setdefault(item.columns["document"], []).append(item)
        clean, noisy = VERSIONS[self.suite]
        for document, lines in documents.items():
            kind, _, number = document.partition("-")
            if kind == clean:
                others = documents.get(f"{noisy}-{number}", [])
                same = len(others) == len(lines)
                yield from zip(lines, others if same else [None] * len(lines), strict=True)

    def files(self, source: str, target: str) -> Sequence[Path]:
        """The sources and the documents, which decide what the items are."""
        folder = self.folder(source, target)
        return [folder.sources, *folder.references, *([folder.documents] if folder.named else [])]

    def recordings(self, source: str, target: str) -> tuple[Path, dict[str, Path]]:
        """What every system of the folder made of it."""
        folder = self.folder(source, target)
        return folder.sources, folder.systems

    def folder(self, source: str, target: str) -> WmtFolder:
        """The files of a language pair."""
        return WmtFolder.find(Path(self.path).expanduser(), f"{source}-{target}")


@dataclass(frozen=True)
class WmtFolder:
    """The files of one language pair."""

    root: Path
    """The folder that holds `sources` and the others."""
    pair: str

    @classmethod
    def find(cls, path: Path, pair: str) -> WmtFolder:
        """The folder itself, or the one in it that has the suites, or else the one without."""
        if not path.is_dir():
            raise HyperbatonError(f"{path}: no such folder; give a checkout of WMT's repository")
        for name in _WITHIN:
            if (path / name / "sources" / f"{pair}.txt").is_file():
                return cls(path / name if name != "." else path, pair)
        there = {file.stem for name in _WITHIN for file in (path / name / "sources").glob("*.txt")}
        if there:
            raise HyperbatonError(f"{path} has no {pair}; it has {', '.join(sorted(there))}")
        raise HyperbatonError(
            f"{path} is not in WMT's layout: there is no sources/{pair}.txt in it, in txt-ts or "
            "in txt"
        )

    @property
    def sources(self) -> Path:
        """The texts that all systems translated, line by line."""
        return self.root / "sources" / f"{self.pair}.txt"

    @property
    def documents(self) -> Path:
        """What document each line belongs to: domain, tab, name."""
        return self.root / "documents" / f"{self.pair}.docs"

    @property
    def named(self) -> bool:
        """Whether documents are named; otherwise everything is the main test set."""
        return self.documents.is_file()

    @property
    def references(self) -> Sequence[Path]:
        """The references, the first of which is the one that is used."""
        return sorted((self.root / "references").glob(f"{self.pair}.*.txt"))

    @property
    def systems(self) -> dict[str, Path]:
        """The outputs by the names of the systems; mt-metrics-eval keeps references there too."""
        files = (self.root / "system-outputs" / self.pair).glob("*.txt")
        references = {path.name.split(".")[1] for path in self.references}
        named = sorted((path.stem, path) for path in files if path.stem not in references)
        return dict(sorted(named, key=lambda one: one[0].lower()))

    def items(self, suite: str) -> list[Item]:
        """The lines of a suite."""
        if suite not in self.suites:
            known = ", ".join(self.suites)
            raise HyperbatonError(
                f"{self.root} has no suite '{suite}' in {self.pair}; it has: {known}."
                f"{did_you_mean(suite, self.suites)}"
            )
        return self.suites[suite]

    @cached_property
    def suites(self) -> dict[str, list[Item]]:
        """The lines of every suite and of the main test set, without blank ones."""
        sources = [line.text for line in read_lines(self.sources)]
        documents = self._aligned(self.documents, len(sources)) if self.named else []
        references = self._aligned(self.references[0], len(sources)) if self.references else []
        suites: dict[str, list[Item]] = {}
        file = str(self.sources)
        for place, source in enumerate(sources):
            domain, _, document = documents[place].partition("\t") if documents else ("", "", MAIN)
            suite, short = _suite_of(document)
            if document == _CANARY or not source.strip():
                continue
            reference = references[place] if references else ""
            known = reference if reference.strip() not in ("", _UNTRANSLATED) else None
            columns = {"document": short, "domain": domain}
            where = f"{file}, line {place + 1}"
            item = Item(str(place + 1), source, known, columns, where)
            suites.setdefault(suite, []).append(item)
        return suites

    def _aligned(self, path: Path, lines: int) -> list[str]:
        found = [line.text for line in read_lines(path)]
        if len(found) != lines:
            raise HyperbatonError(
                f"{path} has {counted(len(found), 'line')} but {self.sources} has {lines:,}: "
                "each line needs one"
            )
        return found


def _suite_of(document: str) -> tuple[str, str]:
    """The suite of a document, and what the document is called there.

    >>> _suite_of("tsuite_en-es_rocs-mt_tsuite_en-es_rocs-mt_rm-10"), _suite_of("news.3585")
    (('rocs-mt', 'rm-10'), ('test', 'news.3585'))
    """
    suite, rest = MAIN, document
    while found := _SUITE.match(rest):
        suite, rest = found[1], rest[found.end() :]
    return suite, rest
