"""`python -m benchmarks.outcomes FILE.tsv` judges samples that anybody labelled."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.outcomes import agreement, kappa, read, wilson
from benchmarks.word_orders import Words, found_order
from hyperbaton.base.errors import HyperbatonError

ROOT = Path(__file__).parents[1]
HEAD = ["pair", "source", "varied", "reference", "output", "varied_output", "reading", "system"]
SOURCE, VARIED = "The dog chases the cat.", "cat the chases dog The."
CLEAN = "Der Hund jagt die Katze."
ROWS = [
    [CLEAN, "repaired", "one"],
    ["Katze die jagt Hund Der.", "carried", "one"],
    ["Ein ganz anderer Satz über Berge.", "lost", "two"],
    [CLEAN, "mixed", "two"],
]


def _file(path: Path, head: list[str] = HEAD, readings: tuple[str, ...] = ()) -> Path:
    lines = ["\t".join(head)]
    for place, (output, reading, system) in enumerate(ROWS):
        said = readings[place] if readings else reading
        lines.append("\t".join(["en-de", SOURCE, VARIED, CLEAN, CLEAN, output, said, system]))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def test_agreement_confusion_and_shares_are_printed(tmp_path: Path) -> None:
    path = _file(tmp_path / "samples.tsv")
    # What is not part of hyperbaton[en] may not be there.
    code = (
        "import sys, runpy; sys.modules['sklearn'] = None; "
        f"sys.argv = ['outcomes', {str(path)!r}]; runpy.run_module('benchmarks.outcomes', "
        "run_name='__main__')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    assert lines[0] == "agreement 75.0 % [30.1, 95.4] of 4, kappa 0.67"
    assert [line.split() for line in lines[2:6]] == [
        ["repaired", "1", "0", "0", "0"],
        ["carried", "0", "1", "0", "0"],
        ["lost", "0", "0", "1", "0"],
        ["mixed", "1", "0", "0", "0"],
    ]
    shares = "repaired 25 and 50 %, carried 25 and 25 %, lost 25 and 25 %, mixed 25 and 0 %"
    assert lines[6] == f"by reading and by rule: {shares}"
    assert lines[7].startswith("one: agreement 100.0 %")
    assert lines[9].startswith("two: agreement 50.0 %")


def test_what_is_wrong_with_a_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="no column reading in the first line"):
        read(_file(tmp_path / "a.tsv", [*HEAD[:6], "label", "system"]))
    with pytest.raises(HyperbatonError, match="line 3: reading is 'good', not one of repaired"):
        read(_file(tmp_path / "b.tsv", readings=("mixed", "good", "lost", "lost")))
    (tmp_path / "c.tsv").write_text("\t".join(HEAD) + "\n")
    with pytest.raises(HyperbatonError, match="holds no samples"):
        read(tmp_path / "c.tsv")
    with pytest.raises(HyperbatonError, match="cannot be read"):
        read(tmp_path / "none.tsv")


@pytest.mark.parametrize(
    ("source", "varied", "order"),
    [
        (SOURCE, VARIED, (4, 3, 2, 1, 0, 5)),
        ("A dog and a dog.", "and a dog A dog.", (2, 3, 4, 0, 1, 5)),
        ("It's late, Tom.", "late It's, Tom.", None),
        (SOURCE, "The dog chased the cat.", None),
    ],
)
def test_the_order_is_found_from_both_texts(
    source: str, varied: str, order: tuple[int, ...] | None
) -> None:
    sentence, found = found_order(source, varied, Words("en"))
    if order is not None:
        assert found == order
    if found is None:
        assert source == SOURCE
    else:
        moved = "".join(sentence.words[place] for place in found)
        assert moved == "".join(varied.split())


def test_many_equal_words_take_no_longer() -> None:
    source = "a " * 60 + "b."
    assert found_order(source, "b " + "a " * 60 + ".", Words("en"))[1] is not None


def test_known_numbers() -> None:
    assert wilson(84, 100) == pytest.approx((0.7558, 0.8990), abs=1e-4)
    labels = [("mixed", "mixed")] * 20 + [("mixed", "lost")] * 5
    labels += [("lost", "mixed")] * 10 + [("lost", "lost")] * 15
    assert kappa(labels) == pytest.approx(0.4)
    assert agreement(labels).startswith("agreement 70.0 % [56.2, 80.9] of 50, kappa 0.40")
