"""What a run is asked to do, and the record of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline.corpora import Corpus
from hyperbaton.pipeline.design import Design
from hyperbaton.pipeline.parses import Parsers
from hyperbaton.pipeline.record import Progress, Record, read_record, versions
from hyperbaton.systems.system import SYSTEMS

__all__ = ["Job", "recorded"]

PART = 256
"""Items in a part: some thousands of probes, enough to fill a translator's batches."""
_PARTS_FOR_A_WORKER = 8


@dataclass(frozen=True)
class Job:
    """A design, the corpora and systems it is put to, and how the work is done."""

    design: Design
    corpora: tuple[Corpus, ...]
    systems: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    """Those of the design where none are named."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further systems for single pairs, by `en-es`: not every system knows every pair."""
    parsers: Mapping[str, str] = field(default_factory=dict)
    """The parser of a language, where it is not to be the best one installed."""
    poles: bool = True
    part: int = PART
    workers: int | None = None
    """Processes beside the translator; unless a number is given, as many as are worth starting."""
    cache: Path | None = None
    """The folder of the store of translations."""
    cached: bool = True
    """Whether parses and translations are kept for other runs."""
    retry_failed: bool = False
    command: str = ""

    def __post_init__(self) -> None:
        if not self.corpora:
            raise HyperbatonError("no corpus was given: name a source and a reference file")
        pairs = [str(corpus.pair) for corpus in self.corpora]
        for pair in pairs:
            if pairs.count(pair) > 1:
                raise HyperbatonError(f"two corpora in {pair}: a run takes one for each pair")
            if not self.systems_of(pair):
                raise HyperbatonError(f"no system for {pair}: name one, see hyperbaton ls systems")
        if self.part < 1 or (self.workers or 0) < 0:
            raise HyperbatonError("a part needs at least 1 item, and workers cannot be negative")

    def systems_of(self, pair: str) -> tuple[str, ...]:
        """The systems that a pair is put to."""
        return tuple(dict.fromkeys((*self.systems, *self.only.get(pair, ()))))

    def workers_for(self, parts: int) -> int:
        """The number of processes for so many parts.

        A process takes seconds to load its libraries and parsers, a part takes less than one.
        """
        if self.workers is not None:
            return self.workers
        return min(os.cpu_count() or 1, parts // _PARTS_FOR_A_WORKER)

    @property
    def parse(self) -> Parsers:
        """How texts become sentences."""
        return Parsers(self.parsers, self.cached)

    def normalised(self) -> Job:
        """With every name as its value prints it, the design's metrics, and its poles."""
        metrics = [METRICS.parse(name) for name in self.metrics or self.design.metrics]
        poles = self.design.poles if self.poles else ()
        systems = [str(SYSTEMS.parse(name)) for name in self.systems]
        only = {p: tuple(str(SYSTEMS.parse(s)) for s in some) for p, some in self.only.items()}
        return replace(
            self,
            only=only,
            metrics=tuple(dict.fromkeys(str(self.design.metric(metric)) for metric in metrics)),
            systems=tuple(dict.fromkeys((*systems, *poles))),
        )


def recorded(job: Job, path: Path) -> Record:
    """The record of a job, joined to what is there already; every corpus is read through once."""
    old = read_record(path) if path.exists() else None
    record = Record(
        study=str(job.design),
        part=job.part,
        corpora={str(corpus.pair): corpus.identity for corpus in job.corpora},
        parsers=_parsers(job),
        systems={s: {} for corpus in job.corpora for s in job.systems_of(str(corpus.pair))},
        metrics={metric: _signatures(metric, job) for metric in job.metrics},
        poles=job.design.poles if job.poles else (),
        command=job.command,
        versions=versions(),
    )
    record = record if old is None else old.joined(record, path.parent)
    counted = dict(record.progress)
    for corpus in job.corpora:
        if str(corpus.pair) not in counted:
            counted[str(corpus.pair)] = _counted(corpus, job.part)
    return replace(record, progress=counted)


def _counted(corpus: Corpus, part: int) -> Progress:
    items = sum(1 for _ in corpus.items())
    if not items:
        raise HyperbatonError(f"the corpus of {corpus.pair} holds no items: {corpus.identity}")
    return Progress(items, -(-items // part))


def _parsers(job: Job) -> dict[str, str]:
    found = {}
    for corpus in job.corpora:
        first = next(corpus.items(), None)
        if first is None:
            continue
        for side in job.design.parses:
            text = first.source if side == "source" else first.reference
            language = corpus.pair.source if side == "source" else corpus.pair.target
            if text is None:
                raise HyperbatonError(f"the corpus of {corpus.pair} has no references: add -r FILE")
            found[f"{corpus.pair} {side}"] = job.parse.signature(text, first, language)
    return found


def _signatures(metric: str, job: Job) -> dict[str, str]:
    from hyperbaton.pipeline.scoring import settled

    languages = {
        corpus.pair.source if c.side == "source" else corpus.pair.target: None
        for corpus in job.corpora
        for c in job.design.comparisons
    }
    return {lang: settled(metric, lang).signature("sentence") for lang in languages}
