"""What is wrong with answers stands beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.pipeline import Pair, execute
from tests.pipeline.small import job, on_desk

SYSTEM = "python:fake:translate(batch=20)"
EN_DE = Pair("en", "de")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    (tmp_path / "fake.py").write_text(
        "import os\n"
        "def translate(texts):\n"
        "    with open(os.environ['LOG'], 'a') as log:\n"
        "        log.write(''.join(text + chr(10) for text in texts))\n"
        "    return [_answer(text) for text in texts]\n"
        "def _answer(text):\n"
        "    if 'cat7 ' in text: return text\n"
        "    if 'cat8 ' in text: return ''\n"
        "    return 'Das ist ein Satz mit ' + str(len(text)) + ' Zeichen'\n"
    )
    return tmp_path


def test_copies_are_told_row_by_row(desk: Path) -> None:
    run = execute(job(desk), desk / "run")
    rows = run.table(EN_DE, SYSTEM)
    copied = rows["untranslated"] == "copied"
    assert set(rows.filter(copied)["item"]) == {"i7"}
    assert rows.filter(~copied.fill_null(False))["untranslated"].null_count() == (
        rows.height - copied.sum()
    )
    assert rows.filter(copied)["fault"].null_count() == copied.sum()
    # Its references are English, as an identifier may say.
    assert "copied" not in set(run.table(EN_DE, "oracle")["untranslated"])
