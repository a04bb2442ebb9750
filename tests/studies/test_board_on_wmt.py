"""The board on WMT24's own files: RB, f-BLEU, NR and BLEU are those of sacreBLEU on the texts."""

from __future__ import annotations

import csv
import re
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
import sacrebleu

from tests.cli.command import script

WMT = Path(__file__).parents[3] / "shared" / "data" / "wmt24"
SYSTEMS = ("Aya23", "GPT-4", "IOL-Research", "Phi-3-Medium")
"""One with empty lines, two with none, one that did not translate the suite."""

pytestmark = pytest.mark.skipif(not WMT.exists(), reason="needs ../shared")


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").split("\n")[:-1]


def bleu(texts: list[str], others: list[str]) -> float:
    return float(sacrebleu.corpus_bleu(texts, [others]).score)


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """The rows of the board of some systems, made by one command of the files as they lie there."""
    folder = tmp_path_factory.mktemp("wmt")
    root, here = folder / "wmt24" / "txt-ts", WMT / "txt-ts"
    (root / "system-outputs" / "en-es").mkdir(parents=True)
    for name in ("sources", "documents", "references"):
        (root / name).symlink_to(here / name)
    for name in SYSTEMS:
        of = f"system-outputs/en-es/{name}.txt"
        (root / of).symlink_to(here / of)
    # Types of errors, which take longer than all else, are no matter of these numbers.
    (folder / "untyped.py").write_text(
        "import sys; sys.modules['errant'] = None; from hyperbaton.cli.main import main; "
        "sys.exit(main(sys.argv[1:]))"
    )
    arguments = (
        "board", "--wmt", folder / "wmt24", "-l", "en-es", "--runs-in", folder / "runs",
        "--out", folder / "board.html", "--tables", folder / "tables",
    )  # fmt: skip
    done = subprocess.run(
        script(folder / "untyped.py", *arguments), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Phi-3-Medium is left out: its 3,504 lines of this corpus are empty" in done.stderr
    with (folder / "tables" / "board.csv").open() as rows:
        return {row["system"]: row for row in csv.DictReader(rows)}


def test_the_numbers_are_those_of_sacrebleu(board: dict[str, dict[str, str]]) -> None:
    """Of every pair that has noise and that every system translated."""
    root = WMT / "txt-ts"
    documents: dict[str, list[int]] = {}
    for place, line in enumerate(lines(root / "documents" / "en-es.docs")):
        if found := re.search(r"rocs-mt_([rn]m-\d+)$", line):
            documents.setdefault(found[1], []).append(place)
    sources = lines(root / "sources" / "en-es.txt")
    outputs = {
        name: lines(root / "system-outputs" / "en-es" / f"{name}.txt") for name in SYSTEMS[:-1]
    }
    every = [
        pair
        for name, clean in documents.items()
        if name.startswith("nm")
        for pair in zip(clean, documents[f"rm{name[2:]}"], strict=True)
    ]
    noisy = [pair for pair in every if sources[pair[0]].strip() != sources[pair[1]].strip()]
    assert (len(every), len(noisy)) == (1922, 1752)
    pairs = [p for p in noisy if all(o[place].strip() for o in outputs.values() for place in p)]
    assert len(pairs) == 1749  # three noisy sentences have no translation by Aya23

    def similar(texts: list[str]) -> float:
        return bleu([texts[noise] for _, noise in pairs], [texts[clean] for clean, _ in pairs])

    of_sources = similar(sources)
    for name, texts in outputs.items():
        row = {
            key: float(value) for key, value in board[name].items() if key in ("RB", "f-BLEU", "NR")
        }
        same = sum(texts[clean] == texts[noise] for clean, noise in pairs)
        of_outputs = similar(texts)
        assert row["RB"] == pytest.approx(100 * same / len(pairs))
        assert row["f-BLEU"] == pytest.approx(of_outputs)
        assert row["NR"] == pytest.approx((100 - of_outputs) / (100 - of_sources))
    assert all(
        float(one["NR"]) <= float(two["NR"]) for one, two in pairwise(list(board.values())[:3])
    )


def test_quality_is_bleu_of_the_main_test_set(board: dict[str, dict[str, str]]) -> None:
    root = WMT / "txt-ts"
    references = lines(root / "references" / "en-es.refA.txt")
    main = [
        place
        for place, line in enumerate(lines(root / "documents" / "en-es.docs"))
        if "test-en" in line
    ]
    for name in SYSTEMS:
        texts = lines(root / "system-outputs" / "en-es" / f"{name}.txt")
        score = bleu([texts[place] for place in main], [references[place] for place in main])
        assert float(board[name]["BLEU"]) == pytest.approx(score)
