"""Where damage lies: what decides the claims of the grammar paper about single errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from hyperbaton.base.wording import decimal
from hyperbaton.studies.grammar.damage import target_words
from hyperbaton.studies.grammar.samples import LearnerSamples
from hyperbaton.studies.layer.aggregate import Aggregate, Floats, average, gap
from hyperbaton.studies.layer.evidence import Evidence

Number = Callable[[LearnerSamples], Aggregate]
LEFT, RIGHT = ("R:ORTH", "M:VERB:FORM", "U:ADJ"), ("U:CONTR", "R:WO", "U:CONJ")
"""Types whose damage lies to the left and to the right in the paper's Figure 4."""
_PLACE = pl.col("place") / pl.col("length")


class Asked(NamedTuple):
    """Whom claims are put to."""

    systems: Sequence[LearnerSamples]
    metric: str

    def over(self, of: Number, some: Sequence[LearnerSamples] | None = None) -> Aggregate:
        """The mean over systems and corpora, each with the same weight."""
        return average(map(of, self.systems if some is None else some))

    def each(self, of: Number, form: str = ".0%") -> str:
        """A number of every system and corpus, in words."""
        numbers = (f"{samples} {decimal(of(samples).value, form)}" for samples in self.systems)
        return ", ".join(numbers).replace("%", " %")

    def changed(self, samples: LearnerSamples, metric: str = "") -> Aggregate:
        """f-BLEU of the changed sentences, as the paper prints it."""
        part = samples.where(~pl.col("same"))
        return part.corpus_score(metric or self.metric, "translations")

    def linked(self, chosen: pl.Expr | None = None) -> Sequence[LearnerSamples]:
        """The single errors whose damage has a place, or some of them."""
        known = pl.col("figure").is_not_null() & (True if chosen is None else chosen)
        there = [one.single for one in self.systems if "figure" in one.frame.columns]
        found = [one.where(known) for one in there]
        return [one for one in found if len(one)]


def near(asked: Asked) -> Evidence | str:
    """Damage against words of the same sentences, taken at random."""

    def apart(samples: LearnerSamples) -> Aggregate:
        table = np.zeros((len(samples), 2))
        lengths = map(len, target_words(samples, "output"))
        pivots, places = (samples.frame[name].to_list() for name in ("pivot", "figure"))
        for row, length, pivot, damage in zip(table, lengths, pivots, places, strict=True):
            far = np.abs(np.arange(length) - pivot).mean() if length else 0.0
            row[:] = (far - np.abs(damage)).sum() if damage else 0.0, len(damage)
        return samples.of(table, lambda sums: sums[:, 0] / sums[:, 1])

    if not asked.linked():
        return "needs single errors that an aligned word stands for"
    return Evidence(
        "words that damage is nearer than chance", {"": asked.over(apart, asked.linked())}
    )


def leaning(asked: Asked) -> Evidence | str:
    def lean(samples: LearnerSamples, kinds: Sequence[str]) -> Aggregate:
        some = samples.where(pl.col("variant").is_in(kinds))
        places = some.frame["figure"].list
        return some.ratio(places.sum(), places.len())

    usable = [s for s in asked.linked() if min(lean(s, LEFT).n, lean(s, RIGHT).n) > 1]
    if not usable:
        return "needs aligned single errors of both kinds"
    apart = asked.over(lambda s: gap(lean(s, RIGHT), lean(s, LEFT)), usable)
    return Evidence(f"µ of {', '.join(RIGHT)} minus µ of {', '.join(LEFT)}", {"": apart})


def sides(asked: Asked) -> Evidence | str:
    numbers, said = {}, []
    for claim, chosen, sign in (
        ("early errors, to the right", _PLACE < 0.25, 1),
        ("late errors, to the left", _PLACE >= 0.75, -1),
    ):
        usable = asked.linked(chosen)

        def far(part: LearnerSamples, sign: int = sign) -> Aggregate:
            places = part.frame["figure"].list
            return part.ratio(sign * places.sum(), places.len())

        def lean(part: LearnerSamples, sign: int = sign) -> Aggregate:
            sides = _both_sides(part)
            return part.ratio(sign * sides[:, 0], sides[:, 1])

        numbers[claim] = asked.over(lean, usable)
        said.append(f"{claim}, {decimal(asked.over(far, usable).value, '.1f')} words on average")
    if not all(np.isfinite(one.value) for one in numbers.values()):
        return "needs aligned single errors in the first and in the last quarter"
    detail = (
        f"{'; '.join(said)}, which is mostly that there are more words on that side: so words "
        "count as far as the sentence reaches to both sides"
    )
    return Evidence(
        "damaged words to one side of the error minus the other, over both", numbers, detail
    )


def _both_sides(samples: LearnerSamples) -> Floats:
    """Damaged words to the right minus to the left, and their number, of each sentence.

    Those without a counterpart as far on the other side are left out: near the beginning of a
    sentence nearly everything lies to the right.
    """
    sides = np.zeros((len(samples), 2))
    lengths = map(len, target_words(samples, "output"))
    pivots, places = (samples.frame[name].to_list() for name in ("pivot", "figure"))
    for row, length, pivot, damage in zip(sides, lengths, pivots, places, strict=True):
        reach = min(pivot, length - 1 - pivot)
        near = np.array([place for place in damage if 0 < abs(place) <= reach])
        row[:] = np.sign(near).sum(), len(near)
    return sides


def spread_by_quarter(asked: Asked) -> Evidence | str:
    def sigma(samples: LearnerSamples) -> Aggregate:
        rows = [np.array(some, dtype=np.float64) for some in samples.frame["figure"].to_list()]
        table = np.array([(x.sum(), (x * x).sum(), len(x)) for x in rows]).reshape(-1, 3)

        def of(sums: Floats) -> Floats:
            mean = sums[:, 0] / sums[:, 2]
            return np.asarray(np.sqrt(np.maximum(sums[:, 1] / sums[:, 2] - mean * mean, 0)))

        return samples.of(table, of)

    ends = ((n / 4, (n + 1) / 4) for n in range(4))
    quarters = [asked.linked(_PLACE.is_between(*some, closed="left")) for some in ends]
    if not all(quarters):
        return "needs aligned single errors in all quarters"
    first, second, third, last = (asked.over(sigma, some) for some in quarters)
    apart = average([first, last]) - average([second, third])
    said = ", ".join(decimal(one.value, ".1f") for one in (first, second, third, last))
    return Evidence("σ in the outer quarters minus σ in the inner ones", {"": apart}, f"σ: {said}")
