"""Corpora that have a name: they stand where a file could, and other packages can add some."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.spec import Registry, Spec
from hyperbaton.corpus.aligned import Side, read_aligned
from hyperbaton.corpus.item import Item

if TYPE_CHECKING:
    from sacrebleu.dataset.base import Dataset


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


def read_testset(name: str) -> Iterator[Item]:
    """The items of a test set such as `wmt19/en-de`; second references are columns."""
    from sacrebleu.dataset import DATASETS

    test_set, _, pair = name.rpartition("/")
    if pair in DATASETS:
        first = min(DATASETS[pair].langpairs)
        raise HyperbatonError(f"write the pair too: sacrebleu:{pair}/{first}")
    if test_set not in DATASETS:
        raise HyperbatonError(
            f"sacreBLEU has no test set '{test_set or pair}'."
            f"{did_you_mean(test_set or pair, DATASETS)} Write sacrebleu:wmt19/en-de; "
            "sacrebleu --list names them all"
        )
    dataset: Dataset = DATASETS[test_set]
    if pair not in dataset.langpairs:
        known = ", ".join(sorted(dataset.langpairs))
        raise HyperbatonError(f"{test_set} has no pair '{pair}' (it has: {known})")
    return read_aligned([Side(path) for path in _files(dataset, pair)])


def _files(dataset: Dataset, pair: str) -> list[Path]:
    """The source and the references that sacreBLEU would use, if they are on disk.

    Its own functions would fetch what is missing, so the names are put together here.
    """
    from sacrebleu.utils import SACREBLEU_DIR

    stem = f"{dataset.name.replace('/', '_')}.{pair}"
    folder = Path(SACREBLEU_DIR) / dataset.name
    described = dataset.langpairs[pair]
    labels = dataset.kwargs.get("refs", [])
    if isinstance(described, dict):
        labels = described.get("refs", labels)
    if labels:
        references = [folder / f"{stem}.ref{'-' * bool(label)}{label}" for label in labels]
    else:
        references = sorted(folder.glob(f"{stem}.ref*"))
    files = [folder / f"{stem}.src", *references]
    if not references or not all(file.is_file() for file in files):
        raise HyperbatonError(
            f"{dataset.name} {pair} is not on this machine ({folder}); "
            f"fetch it: sacrebleu --download {dataset.name} -l {pair}"
        )
    return files
