"""Subwords of real tokenizers: trained here, lossless on any text, moved as units."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence, is_permutation
from hyperbaton.perturb import Reordering, parse_all, perturb
from hyperbaton.perturb.subwords import subwords
from hyperbaton.perturb.units import FullShuffle, NeighbourFlip, PhraseShuffle

LINES = [
    "The scholar is typesetting the longest words of the book.",
    "Der Gelehrte setzt die längsten Wörter des Buches.",
    "学者は本の一番長い言葉を組んでいる。",
    "Le savant compose les mots les plus longs du livre.",
]


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tokenizers")


@pytest.fixture(scope="session")
def tokenizers(folder: Path) -> dict[str, str]:
    """A SentencePiece model, a byte-level BPE, a WordPiece and a folder of transformers."""
    library = pytest.importorskip("tokenizers")
    import sentencepiece

    corpus = folder / "corpus.txt"
    corpus.write_text("\n".join(LINES * 20), encoding="utf-8")
    # How many pieces there can be at most depends on the version.
    sentencepiece.SentencePieceTrainer.Train(
        input=str(corpus),
        model_prefix=str(folder / "pieces"),
        vocab_size=73,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    byte_level = library.ByteLevelBPETokenizer()
    byte_level.train_from_iterator(LINES, vocab_size=400, show_progress=False)
    byte_level.save(str(folder / "bytes.json"))
    word_piece = library.BertWordPieceTokenizer(lowercase=False)
    word_piece.train_from_iterator(LINES, vocab_size=150, show_progress=False)
    word_piece.save(str(folder / "wordpiece.json"))
    model = folder / "model"
    model.mkdir()
    byte_level.save(str(model / "tokenizer.json"))
    return {
        "sentencepiece": str(folder / "pieces.model"),
        "bytes": str(folder / "bytes.json"),
        "wordpiece": str(folder / "wordpiece.json"),
        "folder": str(model),
    }


KINDS = ("sentencepiece", "bytes", "wordpiece", "folder")
TEXTS = (
    st.sampled_from(
        [*LINES, "  two  spaces ", "ﬁance\u0301 № ½", "ɔ\u0301n ɛ\u0300", "𝔘nseen 😀🏳️‍🌈 text"]
    )
    | st.text()
)


@pytest.mark.parametrize("kind", KINDS)
@given(text=TEXTS)
@settings(max_examples=60, deadline=None)
def test_pieces_join_to_the_text(tokenizers: dict[str, str], kind: str, text: str) -> None:
    pieces = subwords(text, tokenizers[kind])
    assert "".join(pieces) == text
    assert all(pieces)
    assert not any(unicodedata.category(piece[0]).startswith("M") for piece in pieces[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_pieces_are_those_of_the_tokenizer(tokenizers: dict[str, str], kind: str) -> None:
    """White space leads a piece, and frequent strings are longer than a character."""
    pieces = subwords(LINES[0], tokenizers[kind])
    assert 1 < len(pieces) < len(LINES[0])
    assert not any(piece.strip() and piece.endswith(" ") for piece in pieces)
    assert max(map(len, pieces)) > 1


def test_sentencepiece_pieces_are_its_own(tokenizers: dict[str, str]) -> None:
    import sentencepiece

    processor = sentencepiece.SentencePieceProcessor(model_file=tokenizers["sentencepiece"])
    own = [piece.replace("▁", " ") for piece in processor.encode(LINES[0], out_type=str)]
    ours = subwords(LINES[0], tokenizers["sentencepiece"])
    assert "".join(own).strip() == "".join(ours)
    assert abs(len(own) - len(ours)) <= 1  # its dummy prefix may stand alone


def test_transformers_folder(folder: Path, tokenizers: dict[str, str]) -> None:
    """A folder without tokenizer.json is read by transformers."""
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_file=tokenizers["wordpiece"])
    assert fast.is_fast
    saved = folder / "saved"
    fast.save_pretrained(saved)
    assert subwords(LINES[0], str(saved)) == subwords(LINES[0], tokenizers["wordpiece"])


@pytest.mark.parametrize("kind", KINDS)
def test_orders_move_pieces(tokenizers: dict[str, str], kind: str) -> None:
    path = tokenizers[kind]
    sentence = Sentence((LINES[1],), (False,), "de", id="7")
    perturbations: list[Reordering] = [
        FullShuffle("subword", path),
        PhraseShuffle(0.5, "subword", path),
        NeighbourFlip(0.5, "subword", path),
    ]
    for perturbation in perturbations:
        variant = perturb(sentence, perturbation)
        assert variant is not None
        assert variant.unit == "subword"
        pieces = perturbation.units(sentence)
        order = variant.order
        assert order is not None
        assert is_permutation(order, len(pieces))
        assert variant.text == "".join(pieces[i] for i in order)
        assert parse_all([str(perturbation)]) == [perturbation]


def test_tokenizers_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.json").write_text("{}")
    (tmp_path / "bad.model").write_text("no model")
    pytest.importorskip("transformers")
    for name, message in [
        ("nowhere.model", "no tokenizer at"),
        ("bad.json", r"not a tokenizer\.json"),
        ("bad.model", "not a SentencePiece model"),
        ("empty", "the tokenizer in .* cannot be read"),
    ]:
        with pytest.raises(HyperbatonError, match=message):
            subwords("text", str(tmp_path / name))
