"""An answer without end is a fault that is told, and holds no study."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Pair, Run
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import LONGEST, RUNAWAY, TIMES
from hyperbaton.systems.store.store import Store
from tests.systems.test_blank import Mute

SYSTEMS = """
def endless(texts):
    many = " ".join(f"wort{i}" for i in range(300_000))
    return [many if "7" in text or "VII" in text else f"Satz {text.upper()}" for text in texts]
"""
EN_DE = Pair("en", "de")


def test_what_is_far_too_long_is_a_fault() -> None:
    long = "x" * (LONGEST // TIMES)
    texts = ["", "A.", long, long + "x"]
    found = [answer.text is None for answer in translate_all(Mute("y" * (LONGEST + 1)), texts)]
    assert found == [False, True, True, False]
    assert all(a.text for a in translate_all(Mute("y" * LONGEST), texts[1:]))


def test_nobody_is_asked_again(tmp_path: Path) -> None:
    system = Mute("y" * (LONGEST + 1))
    with Store(tmp_path / "store.sqlite") as store:
        for _ in range(2):
            (answer,) = translate_all(system, ["A."], store=store, retry_failed=True)
            assert (answer.text, answer.fault) == (None, RUNAWAY)
    assert system.asked == ["A."]


@pytest.mark.parametrize("study", ["wordorder", "surface"])
def test_a_study_tells_it_and_scores_the_rest(
    study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "loop.py").write_text(SYSTEMS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "loop", raising=False)
    Path("a.en").write_text("".join(f"the old cat number {n} sleeps here .\n" for n in range(9)))
    Path("a.de").write_text("".join(f"die alte Katze Nummer {n} schläft .\n" for n in range(9)))
    how = ["--workers", "0", "--no-report", "--no-cache", "--out", "run", "-m", "chrF"]
    how += ["--with", "reversed" if study == "wordorder" else "upper"]
    assert (
        main([study, "a.en", "a.de", "-l", "en-de", "--system", "python:loop:endless", *how]) == 1
    )
    said = capfd.readouterr().err
    assert "failed on" in said
    assert RUNAWAY in said
    rows = Run(tmp_path / "run").table(EN_DE, "python:loop:endless")
    failed = rows.filter(rows["fault"].is_not_null())
    assert set(failed["item"]) == {"8"}
    assert set(failed["fault"]) == {RUNAWAY}
    assert rows["output"].str.len_chars().max() < 100  # type: ignore[operator]
