"""How far the outcome rule agrees with whoever read and labelled samples.

Run from the repository: python -m benchmarks.outcomes FILE.tsv. Its first line names the columns:
pair (en-de), source, varied (the source with its words moved), reference, output and varied_output
(of source and varied), reading (repaired, carried, lost or mixed); system, too, where there are
several. Nothing is needed beyond hyperbaton[en].
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from benchmarks.word_orders import Words, found_order
from hyperbaton.alignment.variant_outcomes import KnownReference, variant_outcomes
from hyperbaton.alignment.words import cut, spaced
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import parse_pair
from hyperbaton.perturb import Variant

COLUMNS = ("pair", "source", "varied", "reference", "output", "varied_output", "reading")
READINGS = ("repaired", "carried", "lost", "mixed")
NORMAL = 1.959964
Row = dict[str, str]
Labels = Sequence[tuple[str, str]]
"""The label by reading and the label by rule of each sample."""


def read(path: Path) -> list[Row]:
    """The samples of a file, one on each line after the names of the columns."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise HyperbatonError(f"{path} cannot be read: {error}") from None
    head, *lines = (line.split("\t") for line in text.rstrip("\n").split("\n"))
    lacking = [name for name in COLUMNS if name not in head]
    if lacking:
        raise HyperbatonError(f"{path}: no column {', '.join(lacking)} in the first line")
    rows = []
    for number, line in enumerate(lines, 2):
        if len(line) != len(head):
            raise HyperbatonError(f"{path}, line {number}: {len(line)} columns, not {len(head)}")
        row = dict(zip(head, line, strict=True))
        if row["reading"] not in READINGS:
            raise HyperbatonError(
                f"{path}, line {number}: reading is {row['reading']!r}, not one of "
                f"{', '.join(READINGS)}"
            )
        rows.append(row)
    if not rows:
        raise HyperbatonError(f"{path} holds no samples")
    return rows


def ruled(row: Row, words: Words) -> str:
    """What the rule says of a sample."""
    pair = parse_pair(row["pair"])
    sentence, order = found_order(row["source"], row["varied"], words)
    unit: Literal["word"] | None = None if order is None else "word"
    variant = Variant(row["varied"], order, unit, row["source"] != row["varied"])
    target = row["reference"]
    reference = KnownReference(spaced(target, cut(target, pair[1]), pair[1]), (None,))
    varied = [row["varied_output"]]
    return variant_outcomes(pair, sentence, [variant], row["output"], varied, reference)[0].outcome


def wilson(same: int, size: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson 1927)."""
    share, square = same / size, NORMAL**2
    middle = (share + square / (2 * size)) / (1 + square / size)
    spread = (share * (1 - share) / size + square / (4 * size**2)) ** 0.5 / (1 + square / size)
    return middle - NORMAL * spread, middle + NORMAL * spread


def kappa(labels: Labels) -> float:
    """Cohen's kappa."""
    size = len(labels)
    same = sum(one == two for one, two in labels) / size
    left, right = (Counter(column) for column in zip(*labels, strict=True))
    chance = sum(left[name] * right[name] for name in left) / size**2
    return (same - chance) / (1 - chance) if chance < 1 else 1.0


def agreement(labels: Labels) -> str:
    """The share of equal labels with its interval, and kappa."""
    same, size = sum(one == two for one, two in labels), len(labels)
    low, high = wilson(same, size)
    share = f"agreement {100 * same / size:.1f} % [{100 * low:.1f}, {100 * high:.1f}] of {size:,}"
    return f"{share}, kappa {kappa(labels):.2f}"


def shares(labels: Labels) -> str:
    """How often each label was given by reading and by rule."""
    said = []
    for name in READINGS:
        hand, rule = (
            100 * column.count(name) / len(labels) for column in zip(*labels, strict=True)
        )
        said.append(f"{name} {hand:.0f} and {rule:.0f} %")
    return f"by reading and by rule: {', '.join(said)}"


def table(labels: Labels) -> list[str]:
    """Rows by reading, columns by rule."""
    counts = Counter(labels)
    columns = [*READINGS, *sorted({rule for _, rule in labels} - {*READINGS})]
    lines = ["reading \\ rule".ljust(14) + "".join(name.rjust(11) for name in columns)]
    for hand in READINGS:
        cells = "".join(f"{counts[hand, rule]:11,}" for rule in columns)
        lines.append(hand.ljust(14) + cells)
    return lines


def main(path: Path) -> None:
    """Judge the samples of a file and compare."""
    rows = read(path)
    words = {pair: Words(parse_pair(pair)[0]) for pair in sorted({row["pair"] for row in rows})}
    labels = [(row["reading"], ruled(row, words[row["pair"]])) for row in rows]
    print(agreement(labels))
    print("\n".join(table(labels)))
    print(shares(labels))
    systems = [row.get("system", "") for row in rows]
    for system in sorted({*systems} - {""}):
        own = [label for label, name in zip(labels, systems, strict=True) if name == system]
        print(f"{system}: {agreement(own)}\n  {shares(own)}")
    moved = [found_order(row["source"], row["varied"], words[row["pair"]])[1] for row in rows]
    if None in moved:
        print(f"{moved.count(None):,} varied sources are no new order of the source's words")


if __name__ == "__main__":
    try:
        if len(sys.argv) != 2:
            raise HyperbatonError("name a file of labelled samples: benchmarks.outcomes FILE.tsv")
        main(Path(sys.argv[1]))
    except HyperbatonError as error:
        sys.exit(f"benchmarks.outcomes: {error}")
