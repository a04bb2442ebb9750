"""Reading translations back: what is kept, missing and gained, beside clean translations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.alignment import reading
from hyperbaton.alignment.reading import Reading, Translated, can_read, reading_back, readings
from hyperbaton.errors import HyperbatonError
from hyperbaton.metrics.outcomes import Samples
from hyperbaton.systems.steered import Steered

shipped = pytest.mark.skipif(
    not (Steered().folder / "model.bin").is_file(), reason="the model is not here"
)
SOURCE, VARIED = "The dog chases the cat.", "The cat chases the dog."
CLEAN = ("Der Hund jagt die Katze.", "Der Hund verfolgt die Katze.")
TEXTS = [
    Translated(SOURCE, VARIED, CLEAN, translation)
    for translation in (
        *CLEAN,
        "Die Katze jagt den Hund.",
        "Der Hund schläft.",
        "",
        "🏳️‍🌈 \x00 " * 300,
        "Die Katze",
    )
]


@shipped
def test_what_a_reader_sees_is_in_the_numbers() -> None:
    same, other, turned, short, *_ = readings(TEXTS, "en", "de")
    assert min(same.kept, other.kept) >= 0
    assert turned.gained > 0.3 > same.gained
    assert turned.kept < -0.3
    assert short.missing < -2
    assert short.gained < 0


@shipped
def test_a_sample_is_read_by_itself() -> None:
    together = readings(TEXTS * 2, "en", "de")
    alone = [readings([text], "en", "de")[0] for text in TEXTS] * 2
    # Where the processor has no 8-bit integers, the last digits depend on the batch.
    digits = 0 if reading._reader("en", "de").batch_free else 1e-3
    for one, two in zip(together, alone, strict=True):
        assert one == pytest.approx(two, abs=digits)
    assert np.isfinite(together).all()


@shipped
def test_the_numbers_are_those_of_the_log_probabilities() -> None:
    back = Steered(mode="faithful", device="cpu").open("de", "en")

    def logs(text: str, wanted: str) -> list[float]:
        return list(back.score([text], [wanted])[0].log_probs)

    for sample in TEXTS[2:4]:
        kept, gained = (
            max(
                sum(logs(sample.translation, wanted)) / len(logs(text, wanted))
                - sum(logs(text, wanted)) / len(logs(text, wanted))
                for text in CLEAN
            )
            for wanted in (SOURCE, VARIED)
        )
        best = map(max, *(logs(text, SOURCE) for text in CLEAN))
        here = logs(sample.translation, SOURCE)
        falls = sorted(one - two for one, two in zip(here, best, strict=True))
        wanted = Reading(kept, sum(falls[:3]) / 3, gained)
        assert readings([sample], "en", "de")[0] == pytest.approx(wanted, abs=1e-4)


@shipped
@settings(max_examples=20, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_read(source: str, varied: str, clean: str, translation: str) -> None:
    sample = Translated(source, varied, (clean, clean), translation)
    same = sample._replace(translation=clean)
    first, second = readings([sample, same], "en", "ja")
    assert np.isfinite(first).all()
    assert second == (0, 0, 0)


@pytest.mark.parametrize(
    ("source", "target", "known"),
    [
        ("en", "zh", True),
        ("zh", "en", True),
        ("en-GB", "de", True),
        ("en", "zh-TW", True),
        ("zh-TW", "en", False),
        ("de", "fr", False),
        ("en", "fi", False),
        ("en", "en", False),
    ],
)
@shipped
def test_languages_that_can_be_read_back(source: str, target: str, known: bool) -> None:
    assert can_read(source, target) is known
    texts = Samples(["a"], ["a"], [None], ["a"], varied=["a"])
    assert (reading_back(["a"], texts, (source, target)) is not None) is known


def test_without_varied_sources_or_without_a_model_nothing_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = Samples(["a"], ["a"], [None], ["a"])
    assert reading_back(["a"], texts, ("en", "de")) is None
    monkeypatch.setattr("hyperbaton.systems.steered.FOLDER", tmp_path)
    assert not can_read("en", "de")


def test_a_damaged_model_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("config.json", "shared_vocabulary.json", "source.spm", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((Steered().folder / name).read_bytes())
    (tmp_path / "model.bin").write_bytes(b"\x06\x00\x00\x00damaged")
    monkeypatch.setattr("hyperbaton.systems.steered.FOLDER", tmp_path)
    reading._reader.cache_clear()
    with pytest.raises(HyperbatonError, match=r"cannot be read back: .*--no-second-look"):
        readings(TEXTS[:1], "en", "de")
    reading._reader.cache_clear()
