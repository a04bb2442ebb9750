"""What a run is asked to do, and the record of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline.corpora import Corpus, count_items
from hyperbaton.pipeline.design import Comparison, Design, Pair
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.pipeline.run.layout import OUTPUTS, PROBES
from hyperbaton.pipeline.run.record import Progress, Record, versions
from hyperbaton.pipeline.stages.probing import Parsers


@dataclass(frozen=True)
class Job:
    """A design, its corpora and systems, and how the work is done."""

    design: Design
    corpora: tuple[Corpus, ...]
    systems: tuple[str, ...]
    metrics: tuple[str, ...] = ()
    """Those of the design where none are named."""
    only: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Further systems for single pairs, by `en-es`: not every system knows every pair."""
    options: RunOptions = RunOptions()  # noqa: RUF009 - a frozen value
    """How the work is done."""

    def __post_init__(self) -> None:
        if not self.corpora:
            raise HyperbatonError("no corpus was given: name a source and a reference file")
        pairs = [str(corpus.pair) for corpus in self.corpora]
        for pair in pairs:
            if pairs.count(pair) > 1:
                raise HyperbatonError(f"two corpora in {pair}: a run takes one for each pair")
            if not self.systems_of(pair) and self.design.asks:
                raise HyperbatonError(f"no system for {pair}: name one, see hyperbaton ls systems")
            if self.systems_of(pair) and not self.design.asks:
                raise HyperbatonError(
                    f"{self.design.name} asks no system: leave out {self.systems_of(pair)[0]}"
                )

    def systems_of(self, pair: str) -> tuple[str, ...]:
        """The systems that a pair is put to."""
        return tuple(dict.fromkeys((*self.systems, *self.only.get(pair, ()))))

    @property
    def parse(self) -> Parsers:
        """How texts become sentences."""
        return Parsers(self.options.parsers, self.options.cached, self.design.needs)

    def normalised(self) -> Job:
        """With every name as its value prints it, the design's metrics, and its poles."""
        kind = self.design.registry
        metrics = self._printed(self.metrics or self.design.metrics)
        poles = self.design.poles if self.options.poles else ()
        systems = [str(kind.parse(name)) for name in self.systems]
        only = {p: tuple(str(kind.parse(s)) for s in some) for p, some in self.only.items()}
        every = dict.fromkeys([*systems, *(s for some in only.values() for s in some)])
        named = {str(kind.parse(n)) if n else "": p for n, p in self.options.prices.items()}
        paid = {name: bool(getattr(kind.parse(name), "paid", False)) for name in every}
        return replace(
            self,
            options=replace(self.options, prices=named).priced(paid),
            only=only,
            metrics=metrics,
            systems=tuple(dict.fromkeys((*systems, *poles))),
        )

    def _printed(self, metrics: Iterable[str]) -> tuple[str, ...]:
        parsed = (self.design.metric(METRICS.parse(name)) for name in metrics)
        return tuple(dict.fromkeys(map(str, parsed)))

    @property
    def comparisons(self) -> dict[str, Comparison]:
        """What is compared, by name, with its metrics: its own, or those of the run."""
        return {
            c.name: replace(
                c, metrics=self.metrics if c.metrics is None else self._printed(c.metrics)
            )
            for c in self.design.comparisons
        }


def recorded(job: Job, old: Record | None, folder: Path, parts: int | None = None) -> Record:
    """The record of a job, joined to what is there already; every corpus is read through once.

    `parts` of each system and pair are known where no probes are made.
    """
    _check(job.design)
    comparisons = job.comparisons
    used = {metric: None for c in comparisons.values() for metric in c.metrics or ()}
    ordered = dict.fromkeys([*(m for m in job.metrics if m in used), *used])
    pairs = [str(corpus.pair) for corpus in job.corpora]
    record = Record(
        study=str(job.design),
        part=1 if parts else job.options.part,
        corpora={str(corpus.pair): corpus.identity for corpus in job.corpora},
        parsers=_parsers(job),
        asked={pair: job.systems_of(pair) for pair in pairs},
        systems={system: {} for pair in pairs for system in job.systems_of(pair)},
        metrics={metric: _signatures(metric, job) for metric in ordered},
        comparisons=comparisons,
        whole={pair: job.design.whole_signature(Pair.parse(pair)) for pair in pairs}
        if type(job.design).whole is not Design.whole
        else {},
        by_parts=job.design.by_parts,
        poles=job.design.poles if job.options.poles else (),
        cells=parts is not None,
        command=job.options.command,
        versions=versions(),
    )
    record = record if old is None else old.joined(record, folder)
    if parts is not None:
        sizes = {str(c.pair): Progress(sum(1 for _ in c.items()), parts) for c in job.corpora}
        return replace(record, progress={**record.progress, **sizes})
    new = [corpus for corpus in job.corpora if str(corpus.pair) not in record.progress]
    counted = {str(corpus.pair): _counted(corpus, job.options.part) for corpus in new}
    return replace(record, progress={**record.progress, **counted})


def _check(design: Design) -> None:
    """Refuse what a design cannot ask for, before anything is written."""
    taken = {*PROBES, *OUTPUTS, *(c.name for c in design.comparisons)}
    for name in design.columns:
        if name in taken:
            raise HyperbatonError(f"{design.name} has a column {name}, which every run has: rename")


def _counted(corpus: Corpus, part: int) -> Progress:
    items = count_items(corpus)
    if not items:
        raise HyperbatonError(f"the corpus of {corpus.pair} holds no items: {corpus.identity}")
    return Progress(items, -(-items // part))


def _parsers(job: Job) -> dict[str, str]:
    found = {}
    plain: dict[str, None] = {}
    for corpus in job.corpora:
        first = next(corpus.items(), None)
        if first is None:
            continue
        if made_by := job.design.probes_signature(first, corpus.pair):
            found[f"{corpus.pair} probes"] = made_by
        for side in job.design.parses:
            text = first.source if side == "source" else first.reference
            language = corpus.pair.source if side == "source" else corpus.pair.target
            if text is None:
                raise HyperbatonError(f"the corpus of {corpus.pair} has no references: add -r FILE")
            found[f"{corpus.pair} {side}"] = job.parse.signature(text, first, language)
            if isinstance(text, str):
                plain[language] = None
    for language in plain:
        job.parse.check(language)
    return found


def _signatures(metric: str, job: Job) -> dict[str, str]:
    from hyperbaton.pipeline.stages.scoring import signed

    languages = {
        corpus.pair.source if c.side == "source" else corpus.pair.target: None
        for corpus in job.corpora
        for c in job.comparisons.values()
        if metric in (c.metrics or ())
    }
    return {lang: signed(metric, lang) for lang in languages}
