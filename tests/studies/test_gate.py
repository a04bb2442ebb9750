"""The gate: a planted loss is found, noise is not, and what cannot be told is not passed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from hyperbaton.cli.main import main
from hyperbaton.pipeline import Items, Pair, Run, RunOptions
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import Score
from hyperbaton.studies.layer.gate.runs import compare_runs
from hyperbaton.studies.layer.gate.scores import Change, Limits
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.registry import STUDIES
from hyperbaton.studies.surface import Surface

SYSTEM = "python:gated:translate"
MODULE = """
import random

DROP, SEED, FAILS = 0.0, 0, ()

def translate(texts):
    return [_one(text) for text in texts]

def _one(text):
    if text.split()[0].lower() in FAILS:
        return ""
    drawn = random.Random(f"{SEED} {text}")
    return " ".join(w for w in text.lower().split() if drawn.random() >= DROP) or text
"""
WORDS = "anna reads many old books in the quiet house near a lake while rain falls on trees"
STUDY = Surface(perturbations="upper; whitespace")
Make = Callable[..., Path]


@pytest.fixture(scope="module")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Makes a run of a system that drops words, by what it drops and how many sentences."""
    folder = tmp_path_factory.mktemp("gate")
    (folder / "gated.py").write_text(MODULE)
    known: dict[str, Path] = {}

    def made(items: int = 60, first: str = "s", **how: Any) -> Path:
        with pytest.MonkeyPatch.context() as patch:
            patch.syspath_prepend(str(folder))
            import gated  # type: ignore[import-not-found]

            for name, value in ({"DROP": 0.0, "SEED": 0, "FAILS": ()} | how).items():
                patch.setattr(gated, name, value)
            key = f"{items}{first}{sorted(how.items())}"
            texts = _sentences(items, first)
            if key not in known:
                known[key] = folder / f"run{len(known)}"
                run_study(
                    STUDY,
                    [Items.of(Pair("en", "de"), texts, texts)],
                    [SYSTEM],
                    known[key],
                    metrics=("chrF",),
                    options=RunOptions(workers=0, cached=False),
                )
        return known[key]

    return made


def _sentences(count: int, first: str) -> list[str]:
    drawn = random.Random(7)
    return [
        " ".join([f"{first}{number}", *drawn.choices(WORDS.split(), k=drawn.randint(5, 15))])
        for number in range(count)
    ]


def _verdicts(new: Path, old: Path, **how: Any) -> dict[str, str]:
    changes = compare_runs(STUDY, Run(new), Run(old), **how)
    return {change.new.name: change.verdict for change in changes}


def test_a_run_is_as_good_as_itself(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    run = make()
    assert set(_verdicts(run, run).values()) == {"same"}
    assert main(["check", str(run), "--baseline", str(run)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ", 1)[1].split("@")[0] for line in lines] == [
        "same_words",
        "same",
        "similarity",
        "quality",
        "untranslated",
    ]
    assert all(line.startswith("ok ") and "180 answers as before" in line for line in lines)


def test_a_planted_loss_is_found_and_shown(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = make(), make(DROP=0.05)
    found = _verdicts(new, old)
    assert found["same"] == found["quality"] == "worse"
    assert main(["check", str(new), "--baseline", str(old), "--score", "quality"]) == 1
    line, where, source, before, now = capsys.readouterr().out.splitlines()
    assert re.match(r"FAIL python:gated:translate en-de chrF: quality@all fell from 1.000 ", line)
    assert re.fullmatch(r" +item \d+, (upper|whitespace)", where)
    texts = [text.strip().split(": ", 1)[1] for text in (source, before, now)]
    assert texts[0].lower() == texts[1]
    lost = [len(text.split()) for text in texts]
    assert lost[2] < lost[1]
    # The other way round it is an improvement, and told.
    assert set(_verdicts(old, new).values()) == {"better", "no worse"}
    assert main(["check", str(old), "--baseline", str(new)]) == 0
    assert "quality@all rose from" in capsys.readouterr().out


def test_a_tolerance_accepts_a_loss(make: Make) -> None:
    old, new = make(), make(DROP=0.05)
    loss = next(c for c in compare_runs(STUDY, Run(new), Run(old)) if c.new.name == "quality")
    assert loss.difference.high < 0
    certain, accepted = -loss.difference.high / 2, -2 * loss.difference.low
    names = {"names": ()}
    assert _verdicts(new, old, limits=Limits(certain), **names)["quality"] == "worse"
    assert _verdicts(new, old, limits=Limits(accepted), **names)["quality"] == "no worse"
    # On the edge nothing is certain, and with no room left nothing can be told.
    edge = Limits(-loss.difference.value, 0.0)
    assert _verdicts(new, old, limits=edge, **names)["quality"] == "undecided"


def test_noise_is_no_loss(make: Make) -> None:
    """Of two systems that drop words at the same rate none is worse but by chance."""
    runs = [Run(make(DROP=0.03, SEED=seed)) for seed in range(6)]
    pairs = [(new, old) for new in runs for old in runs if new is not old]
    found = [{change.verdict for change in compare_runs(STUDY, new, old)} for new, old in pairs]
    assert sum("worse" in verdicts for verdicts in found) <= 2  # of 30
    assert all("same" not in verdicts for verdicts in found)


def test_too_few_sentences_are_told(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    old, new = make(8, DROP=0.1), make(8, DROP=0.1, SEED=1)
    assert main(["check", str(new), "--baseline", str(old)]) == 2
    streams = capsys.readouterr()
    assert re.search(
        r"^\? .* quality@all .*: 8 items cannot show a loss of 0.05; it takes about \d+$",
        streams.out,
        re.MULTILINE,
    )
    assert re.search(r"(?m)^hyperbaton: \d of 5 checks cannot be decided", streams.err)
    assert main(["check", str(new), "--baseline", str(old), "--resolution", "1"]) == 0


def test_only_like_is_compared_with_like(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    run, others, fails = make(), make(first="t"), make(FAILS=("s3",))
    assert main(["check", str(run), "--baseline", str(others)]) == 2
    assert "cannot be compared: en-de is" in capsys.readouterr().err
    assert main(["check", str(run), "--baseline", str(fails)]) == 2
    assert "--max-failed" in capsys.readouterr().err
    assert main(["check", str(run), "--baseline", str(fails), "--max-failed", "9"]) == 2
    assert "failed on other rows" in capsys.readouterr().err
    assert main(["check", str(fails), "--baseline", str(fails), "--max-failed", "9"]) == 0
    assert main(["check", str(run), "--baseline", str(run), "--score", "loss"]) == 2
    assert "neither more nor less of loss is better" in capsys.readouterr().err
    assert main(["check", str(run), "--baseline", str(run), "--system", "python:gatd"]) == 2
    assert f"Did you mean '{SYSTEM}'?" in capsys.readouterr().err


def test_every_format_says_the_same(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", str(make(DROP=0.05)), "--baseline", str(make()), "--min", "quality=0.1"]

    def printed(form: str) -> str:
        assert main([*arguments, "--format", form]) == 1
        return capsys.readouterr().out

    found = json.loads(printed("json"))
    assert found["status"] == 1
    checks = {f"{check['name']}@{check['variant']}": check for check in found["checks"]}
    failed = [name for name, check in checks.items() if check["status"] == "failed"]
    names = ("same_words@all", "same@all", "similarity@all", "quality@all")
    order = [name for name in names if name in failed]
    assert {"same@all", "quality@all"} <= set(order)
    assert all(check["example"] for check in found["checks"] if check["status"] == "failed")
    quality = checks["quality@all"]  # the last one, against the baseline
    assert quality["difference_low"] < quality["difference"] < quality["difference_high"] < 0
    assert quality["value"] - quality["baseline"] == pytest.approx(quality["difference"])
    suites = ElementTree.fromstring(printed("junit"))
    cases = suites.findall("./testsuite/testcase")
    assert suites.get("failures") == str(len(failed))
    assert [case.get("name") for case in cases if case.find("failure") is not None] == order
    assert all("before: " in str(case.findtext("failure")) for case in cases if len(case) and
               case.find("failure") is not None)  # fmt: skip
    page = printed("markdown").splitlines()
    assert page[0].endswith(f"{len(failed)} of 6 checks failed")
    shown = [line.split(" | ")[2] for line in page if line.startswith("| ❌")]
    assert [name.replace("\\_", "_") for name in shown] == order


def test_a_table_of_toml_says_the_same(
    make: Make, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = make(), make(DROP=0.05)
    config = tmp_path / "gate.toml"
    config.write_text(
        f'[check]\nbaseline = "{old}"\nscores = ["quality"]\ntolerance = 0.5\n'
        "min = { quality = 0.1 }\nmax = { untranslated = 1 }\n"
    )
    assert main(["check", str(new), "--config", str(config)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["check", str(new), "--config", str(config), "--tolerance", "0"]) == 1
    capsys.readouterr()
    for wrong, said in {
        "min = 0.4": "write min as scores and numbers",
        "min = { quality = nan }": "write min as scores and numbers",
        'max = { "@all" = 0.4 }': "write max as scores and numbers",
        "tolerence = 1": "Did you mean 'tolerance'?",
        "tolerance = -1": "a loss of at least 0",
        "interval = 1": "interval = 1 is not what it takes",
        "": "nothing to check",
    }.items():
        config.write_text(f"[check]\n{wrong}\n")
        assert main(["check", str(new), "--config", str(config)]) == 2
        assert said in capsys.readouterr().err
    config.write_text("min = 1\n")
    assert main(["check", str(new), "--config", str(config)]) == 2
    assert "has no table [check]" in capsys.readouterr().err


def test_a_score_without_resamples_says_so(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = Surface.scores
    monkeypatch.setattr(
        Surface, "scores", lambda *given: [replace(s, made=None) for s in scores(*given)]
    )
    with pytest.raises(Exception, match=r"make the score with Score\.of"):
        _verdicts(make(DROP=0.05), make())


def test_percents_are_points_of_a_hundred() -> None:
    """A loss of 3 of 100 percent is one of 0.03."""
    drawn = np.random.default_rng(1).normal(-3, 0.2, 1000)
    apart = Aggregate.of(-3.0, drawn, 500, scale=100.0)
    score = Score.of(("a", "en-de", "all", "m", "RB"), apart, 500)
    found = [
        Change(score, score, apart, 1, Limits(tolerance, 0.01), 9, 9, p=0.001).verdict
        for tolerance in (0.0, 0.02, 0.025, 0.04)
    ]
    assert found == ["worse", "worse", "worse", "no worse"]


def test_scores_of_something_else_than_a_system_are_compared(tmp_path: Path) -> None:
    """Those of the study of metrics are of metrics."""
    study = STUDIES.parse("metrics")
    for name in ("a", "b"):
        run_study(
            study,
            [study.demo_corpus(Pair("en", "de"), 3)],
            study.demo.systems,
            tmp_path / name,
            metrics=("chrF",),
            options=RunOptions(workers=0, cached=False),
        )
    changes = compare_runs(study, Run(tmp_path / "a"), Run(tmp_path / "b"))
    assert {change.verdict for change in changes} == {"same"}


def test_every_shipped_study_says_what_is_better() -> None:
    from hyperbaton.studies import SHIPPED_STUDIES

    for name in SHIPPED_STUDIES:
        study = STUDIES.get(name)
        assert study.more_is_better or study.less_is_better, name
