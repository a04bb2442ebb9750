"""What systems answered with: how many rows failed, and how many answers are no translations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from hyperbaton.base.wording import counted
from hyperbaton.language.languages import name
from hyperbaton.metrics import METRICS
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.pipeline.run.completeness import Failures
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.stats import Bootstrap, mean, ratios, spearman
from hyperbaton.studies.layer.aggregate import NOTHING, Floats, of_sums
from hyperbaton.studies.layer.experiment import ALL, Score
from hyperbaton.studies.layer.sources import Source, sources
from hyperbaton.systems.untranslated import COPIED

LIMIT = 0.03
"""The share of untranslated rows from which a reader is told first."""
_FEWEST = 3
"""Rows that must be untranslated for that."""
_METRIC = "answers"
"""What stands for the metric of a share that needs none."""


@dataclass(frozen=True)
class Answered:
    """The rows of one system in one language pair."""

    system: str
    pair: str
    rows: int
    failures: Failures | None
    copied: int
    """Answers that are the source."""
    languages: Mapping[str, int]
    """Answers in another language than asked for, by its code, the most frequent first."""
    control: bool = False

    @property
    def is_notable(self) -> bool:
        """Whether so many are no translations that a reader must know; a control is meant so."""
        answers = self.rows - (self.failures.failed if self.failures else 0)
        untranslated = self.copied + sum(self.languages.values())
        return not self.control and untranslated >= max(_FEWEST, LIMIT * answers)

    def sentence(self) -> str:
        """How many are no translations, and what they are."""
        foreign = sum(self.languages.values())
        of = f"{self.copied + foreign:,} of {counted(self.rows, 'row')}"
        head = f"{self.system} left {of} untranslated in {self.pair}"
        named = ", ".join(f"{name(code)} {count:,}" for code, count in self.languages.items())
        if not foreign:
            return f"{head}: they are copies of the source."
        if not self.copied:
            return f"{head}: they are in another language ({named})."
        other = f"{foreign:,} are in another language ({named})"
        return f"{head}: {self.copied:,} are copies of the source, {other}."

    def row(self) -> dict[str, object]:
        """The counts as JSON holds them."""
        return {
            "system": self.system,
            "pair": self.pair,
            "rows": self.rows,
            "failed": self.failures.failed if self.failures else 0,
            "reasons": dict(self.failures.reasons) if self.failures else {},
            "copied": self.copied,
            "other_language": dict(self.languages),
        }


def answered(runs: Sequence[Run]) -> list[Answered]:
    """Every system in every pair, without the poles; nothing of designs that do not translate."""
    failures = {run.folder: run.failures() for run in runs}
    found = []
    for source in sources(runs):
        if source.pole:
            continue
        rows, untranslated = _rows(source)
        copied = untranslated.pop(COPIED, 0)
        failed = failures[source.run.folder].get((source.name, source.pair))
        languages = dict(untranslated.most_common())
        about = (source.system, str(source.pair), rows, failed)
        found.append(Answered(*about, copied, languages, source.control))
    return found


def _rows(source: Source) -> tuple[int, Counter[str]]:
    """How many rows there are, and how many have each kind of answer that is no translation."""
    kinds: Counter[str] = Counter()
    rows = 0
    if source.run.record.cells:
        for frame in source.run.grid(source.pair, source.name):
            rows += frame["scores"].explode().len()
            if UNTRANSLATED in frame.columns:
                kinds.update(what for some in frame[UNTRANSLATED].to_list() for what in some)
    else:
        columns = ("item", UNTRANSLATED)
        for part in source.run.parts(source.pair, source.name, columns=columns):
            rows += part.height
            kinds.update(part[UNTRANSLATED].drop_nulls().to_list())
    return rows, kinds


def cautions(runs: Sequence[Run]) -> list[str]:
    """What a reader must know before any number: rows that failed, answers that are none."""
    found = answered(runs)
    failed = [
        f"{one.system} {one.failures.said(one.pair)}. No number includes these rows."
        for one in found
        if one.failures is not None
    ]
    return failed + [one.sentence() for one in found if one.is_notable]


def with_untranslated(scores: Sequence[Score], runs: Sequence[Run]) -> list[Score]:
    """Scores with the share of untranslated rows, where a study does not count them by itself."""
    if not scores or any(score.name == UNTRANSLATED for score in scores):
        return list(scores)
    translators = (s for s in sources(runs) if not (s.pole or s.run.record.cells))
    return [*scores, *map(_share, translators)]


def _share(source: Source) -> Score:
    """The share of its answers that are no translations, with an interval over items."""
    columns = ("item", "varied_output", UNTRANSLATED)
    parts = source.run.parts(source.pair, source.name, columns=columns)
    there = pl.concat(part.filter(pl.col("varied_output").is_not_null()) for part in parts)
    items = there.group_by("item", maintain_order=True).agg(
        pl.col(UNTRANSLATED).count().alias("untranslated"), pl.len().alias("answers")
    )
    table = items.select("untranslated", "answers").to_numpy().astype(np.float64)
    found = of_sums(table, ratios, Bootstrap()).as_share() if len(table) else NOTHING
    key = (source.system, str(source.pair), ALL, _METRIC, UNTRANSLATED)
    return Score.of(key, found, there.height)


MOST = 1000
"""Sentences that are looked at; of more, an even choice."""
FEWEST = 6
"""Of fewer sentences no test can decide anything, so there is nothing to be kept from saying."""
_LIKENESS = "chrF"
"""Needs no words, so that it serves every language."""


class Answers(NamedTuple):
    """What a system made of some sentences, and what each answer should be like."""

    sources: Sequence[str]
    outputs: Sequence[str]
    wanted: Sequence[str]
    """The reference of each; without references the system's own answer to a variant of it."""
    references: bool = True


def neighbours(texts: Sequence[str]) -> NDArray[np.intp]:
    """For each text the place of another, which is about as long.

    Whatever depends on length alone is then the same for both.

    >>> neighbours(["aaa", "b", "cc"])
    array([2, 0, 1])
    """
    order = np.argsort([len(text) for text in texts], kind="stable")
    found = np.empty(len(texts), dtype=np.intp)
    found[order] = np.roll(order, 1)
    return found


def needs_no_model(metric: str) -> bool:
    """Whether a metric is quick enough to score answers anew while a report is made."""
    return type(METRICS.parse(metric)).__module__.rpartition(".")[0] == "hyperbaton.metrics"


def unrelated(answers: Iterable[Answers]) -> str:
    """Why nothing can be said of a system on its corpora; empty where its answers belong to them.

    >>> texts = ["Ein Hund.", "Wir essen.", "Es regnet.", "Du bist alt.", "Komm her!", "Nein."]
    >>> unrelated([Answers(["a"] * 6, texts, texts)])
    ''
    >>> unrelated([Answers(["a"] * 6, ["Ja."] * 6, texts)])
    'its answers are no more like the translations of their own sentences than of other ones'
    """
    found = [one for one in answers if len(one.outputs)]
    if sum(len(one.outputs) for one in found) < FEWEST:
        return ""
    if np.mean([copied for one in found for copied in _copied(one)]) > 0.5:
        return "most of its answers are their sources"
    leads = zip(*map(_own_minus_other, found), strict=True)
    if not all(mean(np.concatenate(lead), Bootstrap()).interval.low > 0 for lead in leads):
        return (
            "its answers are no more like the translations of their own sentences than of other "
            "ones"
        )
    if all(one.references or _follows_length(one) for one in found):
        return ""
    return "long sentences do not get longer answers than short ones"


def _copied(answers: Answers) -> Iterator[bool]:
    """Which answers are their sources; where the reference is the source too, that is right."""
    for source, output, wanted in zip(*answers[:3], strict=True):
        right = answers.references and wanted.strip() == source.strip()
        yield output.strip() == source.strip() and not right


def _own_minus_other(answers: Answers) -> Iterator[Floats]:
    """How much more answers are like what is wanted of them: than of others as long, or beside."""
    metric, wanted = METRICS.parse(_LIKENESS), np.array(answers.wanted, dtype=object)
    own = metric.sentence_scores(answers.outputs, answers.wanted)
    places = np.arange(len(wanted))
    # Sentences that follow one another are alike, and files slip by a line.
    for others in (neighbours(answers.wanted), np.roll(places, 1), np.roll(places, -1)):
        yield np.asarray(own - metric.sentence_scores(answers.outputs, wanted[others].tolist()))


def _follows_length(answers: Answers) -> bool:
    """Whether answers are longer where sentences are: without a reference, all that is known."""
    if len(answers.outputs) < 4:
        return False
    long, longer = ([len(text) for text in texts] for texts in answers[:2])
    return spearman(long, longer).interval.low > 0


def read_answers(source: Source) -> Answers:
    """The sentences of a run beside their references, or beside the varied ones without any."""
    columns = ("item", "variant", "source", "varied", "reference", "output", "varied_output")
    items = source.run.record.progress[str(source.pair)].items
    is_clean, step = pl.col("variant") == IDENTITY, max(1, -(-items // MOST))
    clean, varied = [], []
    for part in source.run.parts(source.pair, source.name, columns=columns):
        rows = part.drop_nulls(["source", "output", "varied_output"])
        clean.append(rows.filter(is_clean).drop_nulls("reference").gather_every(step))
        varied.append(rows.filter(~is_clean).gather_every(step))
    if not any(part.height for part in clean):
        clean = [part.drop_nulls("reference") for part in varied]
    has_references = any(part.height for part in clean)
    rows = pl.concat(clean if has_references else varied)
    # Variants of one sentence, and several corrections of it, are alike: one of them is enough.
    for column in ("source", "varied"):
        rows = rows.unique(column, keep="first", maintain_order=True)
    rows = rows.gather_every(max(1, -(-rows.height // MOST)))
    wanted = "reference" if has_references else "varied_output"
    texts, outputs, others = (rows[name].to_list() for name in ("source", "output", wanted))
    return Answers(texts, outputs, others, has_references)


def unrelated_systems(sources: Iterable[Source]) -> dict[str, str]:
    """The systems of which nothing can be said, over all their pairs, with the reason."""
    asked = sorted((source for source in sources if not source.pole), key=lambda one: one.system)
    found = {
        system: unrelated(map(read_answers, mine))
        for system, mine in groupby(asked, lambda one: one.system)
    }
    return {system: reason for system, reason in found.items() if reason}


def left_out(systems: Mapping[str, str]) -> list[str]:
    """The same in sentences, for the first screen."""
    return [
        f"{system} is left out of every finding and ranking: {reason}."
        for system, reason in systems.items()
    ]


def untested(systems: Iterable[str], unrelated: Mapping[str, str]) -> str:
    """Why no claim can be tested on these systems; empty where one of them translates.

    >>> untested(["a", "b"], {"b": "it has no answers"}), untested(["b"], {"b": "it is a copy"})
    ('', 'Not tested: of b, it is a copy.')
    """
    asked = list(systems)
    if not asked or not all(system in unrelated for system in asked):
        return ""
    return "Not tested: " + "; ".join(f"of {name}, {unrelated[name]}" for name in asked) + "."
