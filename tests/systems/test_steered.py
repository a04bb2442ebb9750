"""The translator with modes: the piece of the mode reaches the model, and nothing else changes."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.language.languages import PAPER_LANGUAGES
from hyperbaton.systems.ct2.system import CTranslate2
from hyperbaton.systems.shipped.bundled import Steered
from hyperbaton.systems.system import MODES, SYSTEMS, Mode

from .models import LINES, TEXTS, converted, torch

from hyperbaton.systems.ct2.convert import to_ctranslate2  # isort: skip
from hyperbaton.train.model import build_model, export_model  # isort: skip
from hyperbaton.train.recipe import Recipe  # isort: skip
from hyperbaton.train.vocabulary import EOS, PAD, train_vocabulary  # isort: skip

FOLDER = Steered.folder

_HOME = TemporaryDirectory(prefix="hyperbaton-steered-")
_RECIPE = Recipe(d_model=16, heads=2, ffn=32, encoder_layers=1, decoder_layers=1, dropout=0.0)


@cache
def random_folder() -> Path:
    """A model with random weights in the layout of the real one, in full precision."""
    torch.set_num_threads(1)
    vocabulary = train_vocabulary(LINES * 4, 400, [*sorted(PAPER_LANGUAGES), "robust", "faithful"])
    folder = Path(_HOME.name) / "model"
    export_model(build_model(_RECIPE, len(vocabulary)), vocabulary, _RECIPE, folder)
    return to_ctranslate2(folder, Path(_HOME.name) / "steered", "float32")


def _one_piece() -> str:
    """A word that the vocabulary has whole; which ones depends on the version that trained it."""
    import sentencepiece

    pieces = sentencepiece.SentencePieceProcessor(model_file=str(random_folder() / "source.spm"))
    words = (word for line in LINES for word in line.split())
    return next(word for word in words if len(pieces.encode(word)) == 1)


@pytest.fixture(autouse=True)
def _steered_is_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Steered.folder", random_folder())


def _expected(text: str, target: str, mode: Mode) -> list[float]:
    """The log-probabilities of a translation by transformers, with the pieces put in by hand."""
    import sentencepiece
    from transformers import MarianMTModel

    folder = Path(_HOME.name) / "model"
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    marks = [">>de<<", *([] if mode == "plain" else [f">>{mode}<<"])]
    source = [*map(pieces.piece_to_id, marks), *pieces.encode(text), EOS]
    labels = [*pieces.encode(target), EOS]
    model = MarianMTModel.from_pretrained(folder)
    logits = model(
        input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([[PAD, *labels[:-1]]])
    ).logits[0]
    logits[:, PAD] = -1e4  # it and rows without a piece are never written
    logits[:, len(pieces) :] = -1e4
    return [row.log_softmax(-1)[at].item() for row, at in zip(logits, labels, strict=True)]


@pytest.mark.parametrize("mode", MODES)
def test_the_model_reads_language_then_mode_then_text(mode: Mode) -> None:
    steered = Steered(mode=mode, compute="float32").open("en", "de")
    (scored,) = steered.score(TEXTS[:1], LINES[3:4])
    assert scored.log_probs == pytest.approx(_expected(TEXTS[0], LINES[3], mode), abs=1e-3)


def test_modes_differ_in_what_they_say_and_in_the_signature() -> None:
    opened = [Steered(mode=mode).open("en", "de") for mode in MODES]
    scores = {one.score(TEXTS[:1], LINES[3:4])[0].log_probs for one in opened}
    assert len(scores) == len({one.signature for one in opened}) == 3
    assert opened[0].signature.startswith("steered|en-de|")
    assert "|mode:" not in opened[0].signature
    assert "|mode:robust|" in opened[1].signature


def test_no_mark_is_written_and_batches_change_nothing() -> None:
    translator = Steered(mode="faithful", beam=1).open("en", "de")
    together = translator.translate(TEXTS)
    assert [translator.translate([text])[0] for text in TEXTS] == together
    assert not any(">>" in (answer.text or "") for answer in together)


def test_the_mode_takes_one_place_of_the_source() -> None:
    word = _one_piece()
    text = " ".join([word] * 253)  # pieces: with a language and an end 255, with a mode 256
    plain, robust = (Steered(beam=1, mode=mode).open("en", "de") for mode in MODES[:2])
    assert not plain.translate([text])[0].fault
    longer = f"{text} {word}"
    assert not plain.translate([longer])[0].fault
    assert "more than the 253" in robust.translate([longer])[0].fault


def test_it_is_the_folder_as_ct2_reads_it() -> None:
    of_folder = CTranslate2(str(random_folder()), beam=1, mode="robust").open("en", "de")
    found = Steered(beam=1, mode="robust").open("en", "de").translate(TEXTS)
    assert of_folder.translate(TEXTS) == found


def test_modes_are_no_languages() -> None:
    with pytest.raises(HyperbatonError, match="it knows: de, en, es, fr, it, ja, ru, zh"):
        CTranslate2(str(random_folder())).open("en", "robust")


def test_a_model_without_modes_says_so() -> None:
    with pytest.raises(HyperbatonError, match="has no mode 'faithful'") as caught:
        CTranslate2(str(converted("multilingual")), mode="faithful").open("en", "de")
    assert "trained with modes" in str(caught.value)


def test_a_copy_without_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Steered.folder", tmp_path)
    file = tmp_path / "in.txt"
    file.write_text("A tree.\n")
    assert main(["translate", "--system", "steered(mode=robust)", "-l", "en-de", str(file)]) == 2
    error = capsys.readouterr().err
    assert "'steered(mode=robust)' is not in this copy of hyperbaton" in error
    assert error.count("\n") == 1


def test_it_is_listed_and_its_options_are_read() -> None:
    assert "steered" in SYSTEMS.names()
    assert SYSTEMS.parse("steered(mode=faithful)") == Steered(mode="faithful")
    assert str(Steered(beam=4, mode="robust")) == "steered(beam=4, mode=robust)"
    with pytest.raises(HyperbatonError, match="plain, robust, faithful"):
        SYSTEMS.parse("steered(mode=odd)")


@pytest.mark.skipif(not (FOLDER / "model.bin").is_file(), reason="the model is not here")
def test_the_shipped_model_has_every_mode_and_its_card(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Steered.folder", FOLDER)
    tangled = "milk drinks cat The ."
    answers = [Steered(mode=mode).open("en", "de").translate([tangled])[0].text for mode in MODES]
    assert len(set(answers)) > 1
    assert "CC BY 2.0 FR" in (FOLDER / "MODEL_CARD.md").read_text(encoding="utf-8")
