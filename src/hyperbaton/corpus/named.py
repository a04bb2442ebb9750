"""Corpora that have a name: they stand where a file could, and other packages can add some."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.corpus.item import Item


class NamedCorpus(Spec, ABC):
    """Items in a pair of languages, such as a suite in a folder: `wmt:FOLDER(suite=rocs-mt)`."""

    @property
    def label(self) -> str:
        """What it is called wherever it lies."""
        return str(self)

    @abstractmethod
    def items(self, source: str, target: str) -> Iterator[Item]:
        """The items in their order."""

    @abstractmethod
    def files(self, source: str, target: str) -> Sequence[Path]:
        """The files that they are made of, to tell whether they have changed."""

    def twins(self, source: str, target: str) -> Iterator[tuple[Item, Item | None]]:
        """Clean sentences with their noisy versions, where a corpus has both."""
        raise HyperbatonError(f"{self} has no clean and noisy versions of its sentences")

    def recordings(self, source: str, target: str) -> tuple[Path, dict[str, Path]] | None:
        """A file of texts, and by name the files of their translations, line by line."""
        return None


CORPORA: Registry[NamedCorpus] = Registry(
    "corpus", {"wmt": "hyperbaton.corpus.wmt:Wmt"}, plural="corpora"
)


def named_corpus(text: str) -> NamedCorpus | None:
    """The corpus of a name; None for the name of a file.

    >>> print(named_corpus("wmt:../wmt24(suite=pia)"), named_corpus("news.en"))
    wmt:../wmt24(suite=pia) None
    """
    scheme, colon, _ = text.partition(":")
    if not colon or scheme not in CORPORA.names() or Path(text).exists():
        return None
    return CORPORA.parse(text)
