"""The pages of replications and README's section on the papers are what their numbers make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hyperbaton.studies.layer.register import claims

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="not in a checkout")
if (ROOT / "benchmarks").is_dir():
    from benchmarks.replicate import page, written
    from benchmarks.replication import readme
    from benchmarks.replication.reading import stored
    from benchmarks.replication.text import DOCS, filled

_MADE = re.compile(r"<!-- made: \w+ -->.*?<!-- end -->", re.DOTALL)
_NUMBER = re.compile(r"(?<![\w.])\d*\.\d+")


def prose(name: str) -> str:
    """What somebody wrote of a page: no part that is made, and no code."""
    text = _MADE.sub("", (DOCS / f"replication-{name}.md").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if not line.startswith("    ")]
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", "\n".join(lines))


def test_there_are_pages() -> None:
    assert written()


@pytest.mark.parametrize("name", ["wordorder", "grammar", "isometry"])
def test_a_page_is_what_its_numbers_make(name: str) -> None:
    if name not in written():
        pytest.skip("its numbers are not stored")
    text = (DOCS / f"replication-{name}.md").read_text(encoding="utf-8")
    assert page(name, text) == text, f"run: python -m benchmarks.replicate {name}"


def test_the_section_of_the_readme_is_what_the_numbers_make() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert filled(text, {"papers": readme.section()}) == text, "run: python -m benchmarks.replicate"


def test_every_claim_of_the_register_is_on_its_page() -> None:
    for name in written():
        text = (DOCS / f"replication-{name}.md").read_text(encoding="utf-8")
        for claim in claims(name).values():
            if not claim.shown:
                cells = f"| {claim.id}. {claim.name} | {claim.published or '–'} |"
                assert cells in text, claim.id


def test_no_number_is_typed_by_hand() -> None:
    """A number with a decimal point in what is written is one that the register has."""
    for name in written():
        published = {n for claim in claims(name).values() for n in _NUMBER.findall(claim.published)}
        typed = set(_NUMBER.findall(prose(name)))
        assert typed <= published, name


def test_a_verdict_is_that_of_the_stored_numbers() -> None:
    for name in written():
        for group in stored(name)["groups"].values():
            whole = [one for one in group["findings"] if not one["part_of"]]
            assert {one["id"] for one in whole} == set(claims(name))
            for one in whole:
                sure = one["adjusted"] is not None and one["adjusted"] < 0.05
                assert sure == (one["verdict"] in ("holds", "does not hold")), one["id"]
