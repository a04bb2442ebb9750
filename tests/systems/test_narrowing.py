"""A decoder without the pieces of some scripts finds the same texts likely, and costs less."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2.engine import load_engine
from hyperbaton.systems.ct2.narrowing import narrowed
from hyperbaton.systems.shipped.bundled import Steered

pytestmark = pytest.mark.skipif(
    not (Steered().folder / "model.bin").is_file(), reason="the model is not here"
)
OTHERS = frozenset({"CJK", "HIRAGANA", "KATAKANA", "CYRILLIC"})
SOURCES = ["Der Hund jagt die Katze.", "Es gibt ein 池 im Park.", "Die Katze jagt der Hund."]
TARGETS = ["The dog chases the cat.", "There is a pond in the park.", "The cat chases the dog."]


def test_a_narrowed_model_finds_likely_what_the_whole_one_does() -> None:
    steered = Steered(mode="faithful", device="cpu")
    whole, narrow = (steered.open_without("de", "en", out) for out in (frozenset(), OTHERS))
    for one, other in zip(
        whole.score(SOURCES, TARGETS), narrow.score(SOURCES, TARGETS), strict=True
    ):
        assert other.pieces == one.pieces
        # What was left out had a little of the likelihood.
        assert other.log_probs == pytest.approx(one.log_probs, abs=0.5)
        assert other.mean == pytest.approx(one.mean, abs=0.15)
    assert whole.signature != narrow.signature
    assert "left_out:CJK+CYRILLIC+HIRAGANA+KATAKANA" in narrow.signature
    assert "left_out" not in whole.signature


def test_what_is_left_out_cannot_be_written() -> None:
    steered = Steered(device="cpu")
    text = "Good morning, everybody."
    [answer] = steered.open_without("en", "ru", frozenset({"CYRILLIC"})).translate([text])
    assert answer.text is not None
    assert not any("а" <= letter <= "я" for letter in answer.text.lower())
    [whole] = steered.open("en", "ru").translate([text])
    assert any("а" <= letter <= "я" for letter in (whole.text or "").lower())


def test_the_decoder_keeps_half_of_its_pieces_and_the_encoder_all() -> None:
    folder = Steered().folder
    files = narrowed(folder, OTHERS)
    whole = (folder / "shared_vocabulary.json").read_bytes()
    assert len(files["source_vocabulary.json"]) > 0.8 * len(whole)
    assert files["target_vocabulary.json"].count(b",") < 0.6 * whole.count(b",")
    again = narrowed(folder, frozenset())
    assert again["source_vocabulary.json"] == again["target_vocabulary.json"]


@pytest.mark.parametrize("damage", [b"", b"\6\0\0\0damaged", b"\5\0\0\0" + bytes(400)])
def test_a_damaged_model_is_one_sentence(tmp_path: Path, damage: bytes) -> None:
    for name in ("config.json", "shared_vocabulary.json"):
        (tmp_path / name).write_bytes((Steered().folder / name).read_bytes())
    (tmp_path / "model.bin").write_bytes(damage)
    with pytest.raises(HyperbatonError, match="cannot be loaded"):
        load_engine(tmp_path, "", "cpu", "int8", 1, 1, OTHERS)
