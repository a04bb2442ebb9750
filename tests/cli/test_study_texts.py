"""What a study's command says that its files hold."""

from __future__ import annotations

import pytest

from hyperbaton.cli.main import main


def _help(study: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([study, "--help"]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("study", "source", "reference"),
    [
        ("wordorder", "source texts: plain text,", "their reference translations"),
        ("isometry", "or a table of pairs and labels", "their paraphrases in the same language"),
        ("grammar", "the sentences as written", "the same sentences corrected"),
        ("obedience", "TSV: id, form, language, question, text", None),
        ("repairs", "TSV: id, kind, language, role, sentence, usual", None),
        ("structure", "the folder of the data set", None),
    ],
)
def test_help_says_what_the_files_of_a_study_hold(
    study: str, source: str, reference: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    text = _help(study, capsys)
    assert source in text
    if reference is None:
        assert "-r FILE" not in text
    else:
        assert reference in text
