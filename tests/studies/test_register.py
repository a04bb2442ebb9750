"""The register of claims: it has every claim of the papers once, and says no more than they do."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.studies.grammar.claims import TESTS as GRAMMAR
from hyperbaton.studies.grammar.tables import PUBLISHED as CORPORA
from hyperbaton.studies.isometry.claims import TESTS as ISOMETRY
from hyperbaton.studies.layer.register import claims, claims_named, papers
from hyperbaton.studies.structure.claims import TESTS as STRUCTURE
from hyperbaton.studies.structure.tables import PUBLISHED as FAMILIES
from hyperbaton.studies.wordorder.claims import TESTS as WORDORDER

SPEC = Path(__file__).parents[3] / "shared" / "spec" / "claims.md"
TESTS = {"wordorder": WORDORDER, "structure": STRUCTURE, "grammar": GRAMMAR, "isometry": ISOMETRY}
_ROW = re.compile(r"^\| ([A-Z]\d*)\*? +\|", re.MULTILINE)


@pytest.mark.skipif(not SPEC.exists(), reason="needs the list of claims")
def test_every_claim_of_the_list_is_registered() -> None:
    listed = []
    for part in SPEC.read_text(encoding="utf-8").split("\n## ")[1:5]:
        paper = part[0]
        ids = _ROW.findall(part)
        assert ids, paper
        listed += [
            name if name.startswith(paper) and len(name) > 1 else paper + name for name in ids
        ]
    assert sorted(listed) == sorted(claims())


def test_every_claim_has_a_test_unless_it_is_only_shown() -> None:
    for study, tests in TESTS.items():
        assert set(tests) == {name for name, claim in claims(study).items() if not claim.shown}
    assert set(papers()) == set(TESTS)


def test_claims_say_what_they_measure_and_need() -> None:
    for claim in claims().values():
        for text in (claim.name, claim.statement, claim.place, claim.quantity, claim.needs):
            assert text, claim.id
            assert text == text.strip(), claim.id
            assert not text.endswith("."), claim.id
    names = [claim.name for claim in claims().values() if not claim.shown]
    assert len(names) == len(set(names))


def test_no_number_has_more_digits_than_the_paper_prints() -> None:
    """Shares of correlations are printed with two digits, or three where the table has them."""
    for name in ("G1", "L1", "L2", "L3", "L7"):
        assert not re.search(r"\.\d{3}", claims()[name].published), name
    assert claims()["I6"].published.startswith(".269, .243, .269, .231")


_NUMBER = re.compile(r"\d*\.\d+|\d+")


@pytest.mark.skipif(not SPEC.exists(), reason="needs the papers' numbers")
@pytest.mark.parametrize("study", TESTS)
def test_a_published_number_is_one_that_the_paper_prints(study: str) -> None:
    part = SPEC.read_text(encoding="utf-8").split("\n## ")[1 + list(TESTS).index(study)]
    printed = set(_NUMBER.findall(part + (SPEC.parent / f"{study}.md").read_text(encoding="utf-8")))
    told = {
        number for claim in claims(study).values() for number in _NUMBER.findall(claim.published)
    }
    assert told <= printed, told - printed


@pytest.mark.skipif(not SPEC.exists(), reason="needs the papers' numbers")
def test_tables_of_the_papers_are_as_printed() -> None:
    text = (SPEC.parent / "structure.md").read_text(encoding="utf-8")
    names, idc, comp, chrf = re.findall(
        r"Published F6 \((.*?)\): IDC (.*?); Comp (.*?); chrF (.*?)\.\n", text
    )[0]
    columns = (map(float, column.split()) for column in (chrf, comp, idc))
    assert dict(zip(names.split(", "), zip(*columns, strict=True), strict=True)) == FAMILIES
    text = (SPEC.parent / "grammar.md").read_text(encoding="utf-8")
    rows = re.search(r"Published T1 \(.*?\): (.*?)\. Pearson", text)
    assert rows
    printed = [list(map(float, row.split()[-5:])) for row in rows[1].split("; ")]
    assert [list(row[1:]) for row in CORPORA.rows()] == printed


def test_the_list_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "claims"]) == 0
    told = capsys.readouterr().out
    assert "doi 10.18653/v1/2021.findings-emnlp.275" in told
    for claim in claims().values():
        assert f"  {claim.id:<4}{claim.name} (" in told
    assert main(["ls", "claims", "--format", "json"]) == 0
    assert {row["id"] for row in json.loads(capsys.readouterr().out)} == set(claims())


@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("G1", "G1 is a claim about grammar; wordorder has W1, W2"),
        ("W99", "W99 is no claim; .* Did you mean 'W9'?"),
    ],
)
def test_claims_of_other_studies_are_refused_before_anything_runs(
    named: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(HyperbatonError, match=told.replace("?", r"\?")):
        claims_named([named], "wordorder")
    words = ["wordorder", "--shipped", "-l", "en-de", "--system", "copy", "--claims", named]
    assert main([*words, "--out", str(tmp_path / "run")]) == 2
    assert f"--claims {named}" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
    with pytest.raises(HyperbatonError, match="surface has no claims of a paper"):
        claims_named(["W1"], "surface")


def test_a_run_answers_the_claims_that_were_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["wordorder", "--shipped", "-l", "en-de", "--limit", "8", "--system", "gloss"]
    words += ["--with", "nounSwaps", "--with", "reversed", "--no-report", "--format", "json"]
    assert (
        main([*words, "--claims", "w12,W13", "--claims", "W3", "--out", str(tmp_path / "a")]) == 0
    )
    found = json.loads(capsys.readouterr().out)["findings"]
    assert {one["id"] for one in found} == {"W3", "W12", "W13"}
    [ja] = [one for one in found if one["id"] == "W13"]
    assert (ja["verdict"], ja["value"]) == ("not asked", None)
    assert ja["detail"].startswith("needs Japanese")
