"""The board of some runs: every ranking of their studies side by side, with quality beside them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted, decimal
from hyperbaton.pipeline import IDENTITY, Run
from hyperbaton.report.board import Board, Cell, Column, board_table
from hyperbaton.report.charts.points import labelled_points
from hyperbaton.report.contents import Contents, Contest, Explorer, Figure
from hyperbaton.report.page.markup import sentences_link
from hyperbaton.report.runs import side_by_side
from hyperbaton.stats import Bootstrap, spearman
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.contents import signed
from hyperbaton.studies.layer.experiment import Experiment, ProbeStudy, Stability
from hyperbaton.studies.layer.own_noise import again, own_noise_sentences
from hyperbaton.studies.layer.sentences import TEXTS, explorer
from hyperbaton.studies.layer.sources import sources
from hyperbaton.studies.registry import by_study, with_cautions

QUESTION = "Which of these translators can I trust with messy input?"
QUALITY, CONTROL = "quality", "control"
ROWS = 30_000
"""Sentences of a study that a board has at most."""
OWN = 0.1
"""The part of a number that may be there without a change, for the number to say something."""
_NAMED = 5
_FEWEST = 5
"""Systems under which nothing is said of how two measures go together."""
_NOTE = (
    "Rank: 1 and the number of systems that are certainly ahead (p corrected after Holm), so that "
    "ties share it; low, high: 95 % interval; own: the same of a sentence that did not change; †: "
    "the numbers hold noise of the system's own."
)


def board_of(runs: Sequence[Run], quality: Sequence[Contest] = ()) -> Contents:
    """The board of finished runs, of one study or several, and of rankings by quality."""
    if not runs:
        raise HyperbatonError("no run was given: name folders that --out wrote, or --wmt DIR")
    groups = by_study(runs)
    briefs: dict[str, Contents] = {}
    columns: list[Column] = []
    marks: dict[str, str] = {}
    repeated: dict[str, Aggregate] = {}
    lead: tuple[Stability, Column] | None = None
    for name, (study, own) in groups.items():
        shown = _explorer(study, own)
        brief = with_cautions(study.brief(own), study, own)
        briefs[name] = replace(brief, explorer=shown)
        rested = study.own_noise(own)
        several = len(groups) > 1
        made = [
            _column(contest, name, study, shown, several, rested.get(contest.score, {}))
            for contest in briefs[name].contests
        ]
        columns += made
        if lead is None and study.stability is not None:
            stable = study.stability
            lead = next(((stable, c) for c in made if c.label == stable.score), None)
        repeated |= {s: found for s, found in again(own).items() if s not in repeated}
        marks |= own_noise_sentences(own)
    if not columns:
        raise HyperbatonError("a board compares systems: give runs with two or more of them")
    columns += [_column(contest, QUALITY, None, None, False, {}) for contest in quality]
    if repeated:
        columns.append(_control(repeated, bool(next(iter(briefs.values())).explorer)))
    stability, first = lead or (None, columns[0])
    systems = _ordered(first, columns)
    board = Board(
        QUESTION,
        list(_answers(first, stability, columns, marks)),
        columns,
        systems,
        {system: marks[system] for system in systems if system in marks},
    )
    return _contents(board, first, briefs, runs, quality)


def _contents(
    board: Board,
    first: Column,
    briefs: Mapping[str, Contents],
    runs: Sequence[Run],
    quality: Sequence[Contest],
) -> Contents:
    """The page of a board: the rankings in full, the picture, the sentences."""
    joined = side_by_side(dict(briefs))
    last = [column for column in board.columns if column.kind == QUALITY][-1:]
    contents = Contents(
        title="Board: systems by what they do with messy input",
        tables=[board_table(board, _NOTE)],
        figures=[_picture(column, first, board) for column in last],
        explorer=joined.explorer,
        contests=[*joined.contests, *(replace(contest, run=QUALITY) for contest in quality)],
        cautions=joined.cautions,
        glossary={term: said for one in briefs.values() for term, said in one.glossary.items()},
        board=board,
    )
    return signed(contents, runs, Bootstrap())


def _explorer(study: Experiment, runs: Sequence[Run]) -> Explorer | None:
    """The sentences of a study of probes, by its leading metric."""
    if not isinstance(study, ProbeStudy):
        return None
    labels = {name: study.shown[name].label if name in study.shown else name
              for name in study.measures}  # fmt: skip
    asked = [source for source in sources(runs) if not source.pole]
    return explorer(asked, runs[0].metrics[0], labels, study.measures, texts=TEXTS, most=ROWS)


def _column(
    contest: Contest,
    kind: str,
    study: Experiment | None,
    shown: Explorer | None,
    several: bool,
    own: Mapping[str, Aggregate],
) -> Column:
    """A ranking as a column, each value with the way to its sentences."""

    def link(system: str) -> str:
        if shown is None:
            return ""
        sort = contest.column if contest.column in shown.scores else next(iter(shown.scores), "")
        where = {"run": kind} if several else {}
        return sentences_link({**where, shown.rivals: system}, sort=sort, order="up")

    cells = {
        system: Cell(span, rank, link(system), own[system].span if system in own else None)
        for system, (rank, span) in contest.ranks.items()
    }
    plain = study.plain.get(contest.score, "") if study else ""
    return Column(contest.score, plain, kind, contest.lower, cells, contest.share)


def _control(repeated: Mapping[str, Aggregate], shown: bool) -> Column:
    """How often each system gives a sentence the same translation when it comes again."""
    order = sorted(repeated, key=lambda system: -repeated[system].value)
    cells = {
        system: Cell(
            repeated[system].times(100).span,
            1 + sum(repeated[other].low > repeated[system].high for other in order),
            sentences_link({"system": system, "variant": IDENTITY}) if shown else "",
        )
        for system in order
    }
    plain = "of 100 sentences that come again unchanged, how many have the same translation"
    return Column("same again", plain, CONTROL, False, cells)


def _ordered(first: Column, columns: Sequence[Column]) -> list[str]:
    """All systems by the column that leads; those that it has not come last."""
    every = dict.fromkeys(system for column in columns for system in column.cells)
    return [*first.cells, *(system for system in every if system not in first.cells)]


def _answers(
    first: Column, stability: Stability | None, columns: Sequence[Column], marks: Mapping[str, str]
) -> Iterator[str]:
    """What the board says to somebody who knows none of the measures."""
    steady = [system for system in first.cells if _is_steady(first, system, marks)]
    what = first.plain or first.label
    if steady:
        named = ", ".join(_valued(first, system) for system in steady[:_NAMED])
        yield f"Least moved by messy input: {named}. {first.label} says {what}."
    quality = [column for column in columns if column.kind == QUALITY]
    if quality and steady:
        best = [system for system in quality[-1].cells if system in first.cells]
        half = best[: len(best) // 2]
        both = [system for system in steady if system in half]
        if both:
            yield (
                f"Good and steady: of the {len(half)} best by {quality[-1].label}, "
                f"these are moved least, in this order: {', '.join(both[:_NAMED])}."
            )
    if stability is not None and stability.limit is not None:
        beyond = [system for system in steady if _beyond(first, system, stability.limit)]
        if beyond:
            named = ", ".join(_valued(first, system) for system in beyond)
            yield f"Be careful with {named}: {stability.beyond}."
    changed = [system for system in first.cells if system not in steady]
    if changed:
        named = ", ".join(_with_own(first, system) for system in changed)
        yield (
            f"Not to be told from these translations: {named}. They translate even the same "
            "sentence in another way when it comes again, or nobody could see whether they do."
        )
    yield from (_together(first, column) for column in quality[-1:])


def _is_steady(column: Column, system: str, marks: Mapping[str, str]) -> bool:
    """Whether little of a number is there without a change of the source."""
    own, value = column.cells[system].own, column.cells[system].value[0]
    return system not in marks if own is None else own[0] <= OWN * value


def _with_own(column: Column, system: str) -> str:
    own = column.cells[system].own
    if own is None:
        return _valued(column, system)
    value = column.cells[system].value[0]
    return f"{system} ({decimal(value, '.2f')}, and {decimal(own[0], '.2f')} where nothing changed)"


def _valued(column: Column, system: str) -> str:
    return f"{system} ({decimal(column.cells[system].value[0], '.2f')})"


def _beyond(column: Column, system: str, limit: float) -> bool:
    """Whether a value is certainly on the wrong side of a limit."""
    _, low, high = column.cells[system].value
    return low > limit if column.lower else high < limit


def _together(first: Column, quality: Column) -> str:
    """Whether good systems are stable ones, with the number of systems that say so."""
    both = [system for system in first.cells if system in quality.cells]
    if len(both) < _FEWEST:
        return f"Does quality go with stability? {counted(len(both), 'system')} cannot tell."
    signs = [-1 if column.lower else 1 for column in (first, quality)]
    x, y = (
        np.array([sign * column.cells[system].value[0] for system in both])
        for sign, column in zip(signs, (first, quality), strict=True)
    )
    half = np.argsort(-y, kind="stable")[: max(_FEWEST, len(both) // 2)]
    every, top = spearman(x, y, "two-sided"), spearman(x[half], y[half], "two-sided")
    return (
        f"Does quality ({quality.label}) go with stability? Over all {len(both)} systems "
        f"ρ = {decimal(every.r, '.2f')} (p = {decimal(every.p, '.3f')}), over the better half "
        f"{decimal(top.r, '.2f')} (n = {len(half)}, p = {decimal(top.p, '.3f')})."
    )


def _picture(quality: Column, first: Column, board: Board) -> Figure:
    rows = [
        {
            "system": system,
            "quality": quality.cells[system].value[0],
            "stability": first.cells[system].value[0],
            "low": first.cells[system].value[1],
            "high": first.cells[system].value[2],
            "noise of its own": "†" if system in board.marks else "steady",
        }
        for system in first.cells
        if system in quality.cells
    ]
    labels = {
        "quality": f"quality: {quality.label}",
        "stability": f"stability: {first.label}",
    }
    lower = {"quality": quality.lower, "stability": first.lower}
    chart = labelled_points(rows, labels, lower, "noise of its own")
    note = "Both axes are turned so that the better end is to the right and above."
    return Figure("board", "Quality against stability", chart, note)
