"""`hyperbaton score` against the sacrebleu command, and its answers to mistakes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import sacrebleu.metrics.bleu as oracle

from hyperbaton.cli.main import main

HYPOTHESES = [
    "The cat sat on a mat.",
    "Prices rose by 3.5 % in 2019 - again &quot;too fast&quot;.",
    "",
    "My hovercraft is full of eels!",
    "我 爱 你 。",
]
REFERENCES = [
    "The cat sat on the mat.",
    "Prices rose 3.5% in 2019, again too fast.",
    "Nothing came out.",
    "My hovercraft is full of eels!  ",
    "我爱你。",
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    paths = tmp_path / "hyp.txt", tmp_path / "ref.txt"
    for path, lines in zip(paths, (HYPOTHESES, REFERENCES), strict=True):
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(paths[0]), str(paths[1])


def test_empty_hypotheses_are_counted_aloud(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for more in ((), ("--sentences",), ("--format", "json")):
        assert main(["score", "-m", "chrF", *more, *files]) == 0
        said = capsys.readouterr().err
        assert "hyp.txt: 1 of 5 hypotheses empty; they are scored as empty, as in sacreBLEU" in said
    assert main(["score", "-m", "chrF", files[1], files[1]]) == 0
    assert capsys.readouterr().err == ""


def _sacrebleu(hyp: str, ref: str, *options: str) -> str:
    command = [sys.executable, "-m", "sacrebleu", ref, "-i", hyp, *options]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_equal_to_the_sacrebleu_command(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = json.loads(_sacrebleu(*files, "-m", "bleu", "chrf", "ter", "-w", "4"))
    metrics = ["-m", "BLEU", "-m", "chrF", "-m", "TER"]
    assert main(["score", *metrics, "--digits", "4", "--format", "json", *files]) == 0
    found = json.loads(capsys.readouterr().out)
    for mine, theirs in zip(found, expected, strict=True):
        assert mine["score"] == theirs["score"]
        assert theirs["signature"] in mine["signature"]
        for key in theirs["signature"].split("|"):
            name, _, value = key.partition(":")
            assert mine[name] == theirs[name] == value
    assert main(["score", *metrics, "--digits", "4", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [float(line.rpartition(" = ")[2]) for line in lines] == [e["score"] for e in expected]


def test_the_language_chooses_the_tokenizer(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = json.loads(_sacrebleu(*files, "-m", "bleu", "-tok", "zh", "-w", "4"))
    assert main(["score", "-m", "BLEU", "-l", "zh", "--digits", "4", *files]) == 0
    out = capsys.readouterr().out
    assert "|tok:zh|" in out
    assert float(out.rpartition(" = ")[2]) == expected["score"]


def test_sentences(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    other = oracle.BLEU(effective_order=True)
    expected = [
        f"{other.sentence_score(h, [r]).score:.4f}"
        for h, r in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    assert main(["score", "-m", "BLEU", "--sentences", "--digits", "4", *files]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == expected
    assert "level:sentence|nrefs:1|case:mixed|eff:yes" in printed.err
    assert main(["score", "--sentences", "--format", "json", "-m", "BLEU", *files]) == 0
    entry = json.loads(capsys.readouterr().out)
    np.testing.assert_allclose(entry["scores"], [float(x) for x in expected], atol=1e-4)
    assert main(["score", "--sentences", "--scale", "1", *files]) == 0
    assert capsys.readouterr().out.splitlines()[3] == "1.000\t1.000"


def test_confidence_and_comparison(
    tmp_path: Path, files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["-m", "BLEU", "--confidence", "--resamples", "200", "--format", "json"]
    assert main(["score", *options, files[0], files[1], files[1]]) == 0
    first, second = json.loads(capsys.readouterr().out)
    assert first["confidence_low"] <= first["score"] <= first["confidence_high"]
    assert "p_value" not in first
    assert second["score"] == pytest.approx(100)
    assert 0 < second["p_value"] <= 1
    assert "|bs:200|rs:12345" in second["signature"]


def test_latex(files: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", "-m", "ExactMatch", "--format", "latex", *files]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("% ExactMatch|level:corpus")
    assert r"\begin{tabular}{lr}" in lines
    assert any(line.endswith(r"& 20.0 \\") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hyp.txt"], "give hypotheses and references"),
        (["hyp.txt", "none.txt"], "none.txt: no such file"),
        (["hyp.txt", "short.txt"], "hyp.txt has 5 lines but short.txt has 1"),
        (["hyp.txt", "empty.txt"], "empty.txt is empty"),
        (["hyp.txt", "latin.txt"], "latin.txt: line 1, byte 2: not UTF-8"),
        (["-m", "BLUE", "hyp.txt", "ref.txt"], "unknown metric 'BLUE'. Did you mean 'BLEU'?"),
        (["-m", "BLEU(oder=2)", "hyp.txt", "ref.txt"], "no parameter 'oder'"),
        (["--sentences", "--confidence", "hyp.txt", "ref.txt"], "--sentences prints plain scores"),
        (["-", "-"], "standard input (-) can be only one"),
    ],
)
def test_mistakes_get_one_sentence(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    files: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "short.txt").write_text("one\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "latin.txt").write_bytes("Gr\u00fc\u00dfe\n".encode("latin-1")[1:])
    monkeypatch.chdir(tmp_path)
    assert main(["score", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert printed.err.count("\n") == 1


def test_a_metric_that_is_not_installed(
    files: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "nltk", None)
    monkeypatch.setitem(sys.modules, "nltk.translate.meteor_score", None)
    assert main(["score", "-m", "METEOR", *files]) == 2
    assert "nltk is not installed: pip install 'hyperbaton[nltk]'" in capsys.readouterr().err


def test_one_line_has_no_interval_and_json_has_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.txt").write_text("Tom went home .\n", encoding="utf-8")
    same = [str(tmp_path / "one.txt")] * 2
    assert main(["score", "-m", "chrF", "--confidence", "--format", "json", *same]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found["confidence_low"] is found["confidence_high"] is None
    assert main(["score", "-m", "chrF", "--confidence", *same]) == 0
    assert "(no interval)" in capsys.readouterr().out
