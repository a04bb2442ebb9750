"""Samples whose outcome was labelled by hand, and how far the rule agrees with the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.turning import Turning, turning, varied_links
from hyperbaton.alignment.words import cut
from hyperbaton.metrics.outcomes import OUTCOMES, Samples, judge

__all__ = ["LANGUAGES", "Row", "agreement", "judged", "labelled", "language", "samples"]

LANGUAGES = ("de", "fr", "es", "it", "ru", "ja", "zh")
Row = dict[str, str]
_FILE = Path(__file__).parent / "labelled-outcomes.tsv"


@cache
def labelled() -> tuple[Row, ...]:
    """Every labelled sample, in sets 1 to 11 by the time of labelling.

    `readers` has the first letter of each reader's label: one reader up to set 8, then three, and
    the label is what two of them say.
    """
    head, *lines = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return tuple(dict(zip(head, line, strict=True)) for line in lines)


def language(row: Row) -> str:
    """The target language of a sample."""
    return row["id"].split("/")[1].removeprefix("en-")


def samples(rows: Sequence[Row], aligned: bool = True) -> Samples:
    """The texts of samples of one language, with what alignments say of outputs or without."""

    def column(name: str) -> list[str]:
        return [row[name] for row in rows]

    return Samples(
        references=column("reference"),
        outputs=column("output"),
        varied_references=column("varied_reference"),
        varied_outputs=column("varied_output"),
        projected_references=column("projected_reference"),
        projected_outputs=column("projected_output") if aligned else None,
        varied=column("varied"),
        turning=_turning(rows) if aligned else None,
    )


def _turning(rows: Sequence[Row]) -> list[Turning]:
    """What became of the words of each source, as a study counts them."""
    if not rows:
        return []
    code = language(rows[0])
    words = [row["source"].split() for row in rows]
    orders = [[int(number) for number in row["order"].split()] for row in rows]
    clean = [
        Gloss().align(
            [(own, cut(row[name], code)) for own, row in zip(words, rows, strict=True)], "en", code
        )
        for name in ("reference", "output")
    ]
    texts = [cut(row["varied_output"], code) for row in rows]
    varied = varied_links(Gloss(), list(zip(words, orders, texts, strict=True)), ("en", code))
    return list(map(turning, words, orders, zip(*clean, strict=True), varied, texts))


def judged(rows: Sequence[Row], aligned: bool = True) -> list[tuple[str, str]]:
    """The label by hand and the label by rule of each sample."""
    pairs: list[tuple[str, str]] = []
    for code in LANGUAGES:
        part = [row for row in rows if language(row) == code]
        labels = judge(samples(part, aligned), code).outcomes.tolist()
        pairs += zip([row["label"] for row in part], labels, strict=True)
    return pairs


def agreement(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """The share of equal labels, and Cohen's kappa."""
    same = sum(hand == rule for hand, rule in pairs) / len(pairs)
    hands, rules = (Counter(column) for column in zip(*pairs, strict=True))
    chance = sum(hands[name] * rules[name] for name in OUTCOMES) / len(pairs) ** 2
    return same, (same - chance) / (1 - chance) if chance < 1 else 1.0
