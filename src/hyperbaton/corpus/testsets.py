"""The test sets that sacreBLEU knows, read from its folder; nothing is downloaded unasked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.corpus.aligned import Side, read_aligned
from hyperbaton.corpus.item import Item

if TYPE_CHECKING:
    from sacrebleu.dataset.base import Dataset


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
