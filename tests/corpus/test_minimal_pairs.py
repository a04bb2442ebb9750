"""The minimal pairs that are shipped: one paraphrase and one change of meaning to each sentence."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import hyperbaton

FILE = Path(hyperbaton.__file__).parent / "data" / "paraphrases" / "minimal.tsv"


def test_each_sentence_has_one_of_each() -> None:
    header, *rows = [line.split("\t") for line in FILE.read_text(encoding="utf-8").splitlines()]
    assert header == ["id", "tag", "de1", "de2", "en1", "en2", "label"]
    assert [row[0] for row in rows] == [f"m{n:03}" for n in range(1, 311)]
    assert all(len(row) == 7 and all(cell == cell.strip() != "" for cell in row) for row in rows)
    labels = Counter((row[2], row[4], row[6]) for row in rows)
    assert set(labels.values()) == {1}
    assert Counter(row[6] for row in rows) == {"0": 155, "1": 155}
    assert all(row[2] != row[3] and row[4] != row[5] for row in rows)
