"""The samples that all systems have: what a difference between systems is taken over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from hyperbaton.studies.cubes import Cube
from hyperbaton.studies.sources import Source

__all__ = ["SharedSamples"]

Known = dict[str, NDArray[np.bool_]]
"""Whether there is a score, by score: items × groups."""
Corpus = tuple[str, str]
"""A language pair and the texts of it."""


@dataclass
class _Corpus:
    items: tuple[str, ...]
    known: Known
    systems: int = 1


@dataclass
class SharedSamples:
    """Which samples of each corpus every system has; one that has none at all is passed over."""

    _corpora: dict[Corpus, _Corpus] = field(default_factory=dict)
    _systems: set[str] = field(default_factory=set)
    _alike: bool = True

    @property
    def is_all(self) -> bool:
        """Whether no system has a sample that another lacks."""
        return self._alike and all(self._of_all(corpus) for corpus in self._corpora.values())

    def _of_all(self, corpus: _Corpus) -> bool:
        return corpus.systems == len(self._systems)

    def add(self, source: Source, cube: Cube) -> None:
        """Leave out what this system does not have."""
        known = {name: ~np.isnan(table) for name, table in cube.scores.items()}
        if not any(table.any() for table in known.values()):
            return
        self._systems.add(source.system)
        corpus = self._corpora.get(_corpus(source))
        if corpus is None:
            self._corpora[_corpus(source)] = _Corpus(cube.items, known)
            return
        corpus.systems += 1
        self._alike &= cube.items == corpus.items
        places = _places(cube.items, corpus.items)
        for name, there in corpus.known.items():
            mine = known[name][places] & (places >= 0)[:, None]
            self._alike &= np.array_equal(mine, there)
            corpus.known[name] = there & mine

    def only(self, source: Source, cube: Cube) -> Cube | None:
        """What a system has of the shared samples; nothing of a corpus that not all have."""
        corpus = self._corpora.get(_corpus(source))
        if corpus is None or not self._of_all(corpus) or not cube.items:
            return None
        places = _places(cube.items, corpus.items)
        there = (places >= 0)[:, None]
        scores = {
            name: np.where(corpus.known[name] & there, table[places], np.nan)
            for name, table in cube.scores.items()
        }
        return replace(cube, items=corpus.items, scores=scores)


def _corpus(source: Source) -> Corpus:
    pair = str(source.pair)
    return pair, source.run.record.corpora.get(pair, source.run.folder.name)


def _places(items: tuple[str, ...], wanted: tuple[str, ...]) -> NDArray[np.intp]:
    """Where each wanted item stands; -1 for one that is not there."""
    known = {item: place for place, item in enumerate(items)}
    return np.array([known.get(item, -1) for item in wanted], dtype=np.intp)
