"""What translators find likely of a translation, beside the clean one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import sub
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.alignment import reading
from hyperbaton.alignment.reading import (
    Back,
    There,
    Translated,
    can_read,
    read_back,
    read_there,
    reading_back,
)
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.metrics.outcomes import SampleTexts
from hyperbaton.systems.ct2.system import CTranslate2Translator
from hyperbaton.systems.shipped.bundled import Steered

shipped = pytest.mark.skipif(
    not (Steered().folder / "model.bin").is_file(), reason="the model is not here"
)
SOURCE, VARIED = "The dog chases the cat.", "The cat chases the dog."
CLEAN = "Der Hund jagt die Katze."
TEXTS = [
    Translated(SOURCE, VARIED, CLEAN, translation)
    for translation in (
        CLEAN,
        "Der Hund verfolgt die Katze.",
        "Die Katze jagt den Hund.",
        "Der Hund schläft.",
        "",
        "🏳️‍🌈 \x00 " * 300,
        "Die Katze",
    )
]


@shipped
def test_what_a_reader_sees_is_in_the_numbers() -> None:
    same, other, turned, short, *_ = read_back(TEXTS, "en", "de")
    assert same[:3] == (0, 0, 0)
    assert other.kept > turned.kept
    assert turned.gained > 0.3
    assert turned.kept < -0.3
    assert turned.told < other.told
    assert turned.risen > other.risen
    assert short.missing < -2
    assert short.gained < 0
    as_clean, alike, moved, *_ = read_there(TEXTS, "en", "de")
    assert as_clean.fitting == 0
    assert moved.fitting < alike.fitting < 0
    assert moved.meant < alike.meant


@shipped
@pytest.mark.parametrize("read", [read_there, read_back])
def test_a_sample_is_read_by_itself(
    read: Callable[[Sequence[Translated], str, str], Sequence[tuple[float, ...]]],
) -> None:
    together = read(TEXTS * 2, "en", "de")
    alone = [read([text], "en", "de")[0] for text in TEXTS] * 2
    # Where the processor has no 8-bit integers, the last digits depend on the batch.
    digits = 0 if reading._reader("de", "en").batch_free else 1e-3
    for one, two in zip(together, alone, strict=True):
        assert one == pytest.approx(two, abs=digits)
    assert np.isfinite(np.array(together)).all()


@shipped
def test_the_numbers_are_those_of_the_log_probabilities() -> None:
    back, there = reading._reader("de", "en"), reading._reader("en", "de")

    def logs(text: str, wanted: str, reader: CTranslate2Translator = back) -> list[float]:
        return list(reader.score([text], [wanted])[0].log_probs)

    for sample in TEXTS[2:4]:
        here = sample.translation
        kept, gained = (
            mean(logs(here, wanted)) - mean(logs(CLEAN, wanted)) for wanted in (SOURCE, VARIED)
        )
        falls = sorted(map(sub, logs(here, SOURCE), logs(CLEAN, SOURCE)))
        rises = sorted(map(sub, logs(here, VARIED), logs(CLEAN, VARIED)))
        wanted = Back(
            kept=kept,
            missing=mean(falls[:3]),
            gained=gained,
            told=mean(logs(here, SOURCE)) - mean(logs(here, VARIED)),
            risen=mean(rises[-3:]),
        )
        assert read_back([sample], "en", "de")[0] == pytest.approx(wanted, abs=1e-4)
        likely = There(
            meant=mean(logs(SOURCE, here, there)) - mean(logs(VARIED, here, there)),
            fitting=mean(logs(SOURCE, here, there)) - mean(logs(SOURCE, CLEAN, there)),
        )
        assert read_there([sample], "en", "de")[0] == pytest.approx(likely, abs=1e-4)


@shipped
@settings(max_examples=20, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40), st.text(max_size=40), st.text(max_size=40))
def test_any_text_can_be_read(source: str, varied: str, clean: str, translation: str) -> None:
    sample = Translated(source, varied, clean, translation)
    same = sample._replace(translation=clean)
    first, second = read_back([sample, same], "en", "ja")
    likely, as_clean = read_there([sample, same], "en", "ja")
    assert np.isfinite([*first, *likely]).all()
    assert second[:3] == (0, 0, 0)
    assert as_clean.fitting == 0


@pytest.mark.parametrize(
    ("source", "target", "known"),
    [
        ("en", "zh", True),
        ("zh", "en", True),
        ("en-GB", "de", True),
        ("en", "zh-TW", False),  # what is shipped writes simplified Chinese only
        ("zh-TW", "en", False),
        ("de", "fr", False),
        ("en", "fi", False),
        ("en", "en", False),
    ],
)
@shipped
def test_languages_that_can_be_read_back(source: str, target: str, known: bool) -> None:
    assert can_read(source, target) is known
    texts = SampleTexts(["a"], ["a"], [None], ["a"], varied=["a"])
    assert (reading_back(["a"], texts, (source, target)) is not None) is known


def test_without_varied_sources_or_without_a_model_nothing_is_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    texts = SampleTexts(["a"], ["a"], [None], ["a"])
    assert reading_back(["a"], texts, ("en", "de")) is None
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Steered.folder", tmp_path)
    assert not can_read("en", "de")


def test_a_damaged_model_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("config.json", "shared_vocabulary.json", "source.spm", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((Steered().folder / name).read_bytes())
    (tmp_path / "model.bin").write_bytes(b"\x06\x00\x00\x00damaged")
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Steered.folder", tmp_path)
    reading._reader.cache_clear()
    with pytest.raises(HyperbatonError, match=r"cannot be read back: .*--no-second-look"):
        read_back(TEXTS[:1], "en", "de")
    reading._reader.cache_clear()
