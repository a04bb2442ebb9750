"""Models, weights and settings that are damaged: one sentence that names the file."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.tokenizing import load_json, load_sentencepiece, read_characters

sentencepiece = pytest.importorskip("sentencepiece")
TEXTS = ["Tom saw the old dog of the house.", "a red house and an old tree"]


def _pieces() -> bytes:
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(TEXTS * 9),
        model_writer=model,
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    return model.getvalue()


def test_a_piece_that_is_no_text(tmp_path: Path) -> None:
    """It was found by the first text that held it, in the middle of a run."""
    path = tmp_path / "x.spm"
    model = _pieces()
    path.write_bytes(model)
    processor = load_sentencepiece(path)
    piece = next(p for p in processor.id_to_piece(list(range(len(processor)))) if p.isascii())
    assert piece.encode() in model
    path.write_bytes(model.replace("\u2581".encode(), b"\xff\x96\x81"))
    with pytest.raises(HyperbatonError, match=r"x\.spm is not a SentencePiece model, or is damag"):
        load_sentencepiece(path)


def test_a_character_that_becomes_no_text(tmp_path: Path) -> None:
    """The model's map of characters, which every text goes through, is not UTF-8 any more."""
    from hyperbaton.systems.ct2.pieces import SentencePieces

    path, model = tmp_path / "x.spm", _pieces()
    assert b"\0ffi\0ffl\0" in model
    path.write_bytes(model.replace(b"\0ffi\0ffl\0", b"\0f\xffi\0f\xffl\0"))
    pieces = SentencePieces(path)
    assert pieces.encode(["Tom"])
    with pytest.raises(HyperbatonError, match=r"x\.spm is not a SentencePiece model, or is damag"):
        pieces.encode(["Tom", "a ﬃ b"])


def test_damaged_pieces_work_or_are_refused(tmp_path: Path) -> None:
    path, model, rng = tmp_path / "x.spm", _pieces(), random.Random(0)
    refused = 0
    for _ in range(150):
        data = bytearray(model)
        for _ in range(rng.choice((1, 1, 3))):
            data[rng.randrange(len(data))] = rng.choice((0, 127, 255, rng.randrange(256)))
        path.write_bytes(data[: rng.choice((len(data), rng.randrange(len(data))))])
        try:
            processor = load_sentencepiece(path)
        except HyperbatonError:
            refused += 1
            continue
        for text in (*TEXTS, "é 犬 ﬁ ＡＢ"):
            processor.decode(processor.encode(text))
            processor.encode(text, out_type=str)
    assert 0 < refused < 150


@pytest.mark.parametrize("text", ["[]", '{"x": "a"}', '{"99999999999": "a"}', '{"-1": ""}', "{"])
def test_maps_of_characters(text: str, tmp_path: Path) -> None:
    path = tmp_path / "characters.json"
    path.write_text(text)
    with pytest.raises(HyperbatonError, match=r"characters\.json"):
        read_characters(path)


def _tokenizer(kind: str) -> dict[str, object]:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(getattr(tokenizers.models, kind)(unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    trainer = tokenizers.trainers.BpeTrainer if kind == "BPE" else None
    trainer = trainer or tokenizers.trainers.WordPieceTrainer
    made.train_from_iterator(TEXTS * 5, trainer(vocab_size=60, special_tokens=["[UNK]"]))
    found: dict[str, object] = json.loads(made.to_str())
    return found


def test_a_tokenizer_without_its_piece_for_unknown_letters(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    content = json.dumps(_tokenizer("WordPiece"))
    path.write_text(content)
    assert load_json(path).encode("Tom").ids
    path.write_text(content.replace('"[UNK]": 0', '"UNK": 0'))
    with pytest.raises(HyperbatonError, match=r"tokenizer\.json is not a tokenizer\.json"):
        load_json(path)


def test_a_panic_is_a_sentence(tmp_path: Path) -> None:
    """A prefix that no piece has makes the library panic, which is no Exception."""
    path = tmp_path / "tokenizer.json"
    content = json.dumps(_tokenizer("BPE"))
    path.write_text(content)
    assert load_json(path).encode("Tom").ids
    missing = '"continuing_subword_prefix": null'
    assert missing in content
    path.write_text(content.replace(missing, '"continuing_subword_prefix": "[a-"'))
    with pytest.raises(HyperbatonError, match=r"tokenizer\.json is not a tokenizer\.json"):
        load_json(path)


def _package() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("x/metadata.json", '{"from_code": "en", "to_code": "de"}')
        package.writestr("x/model/model.bin", bytes(range(256)) * 20)
        package.writestr("x/sentencepiece.model", b"pieces" * 50)
    return buffer.getvalue()


def test_damaged_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hyperbaton.systems.ct2.argos import unpacked

    data, rng = _package(), random.Random(1)
    path = tmp_path / "x.argosmodel"
    for number in range(400):
        monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / str(number)))
        damaged = bytearray(data)
        for _ in range(rng.choice((1, 1, 2))):
            damaged[rng.randrange(len(data))] = rng.choice((0, 255, rng.randrange(256)))
        path.write_bytes(damaged)
        try:
            folder = unpacked(path)
        except HyperbatonError as error:
            assert "x.argosmodel" in str(error)  # noqa: PT017
        else:
            assert (folder / "model" / "model.bin").read_bytes() == bytes(range(256)) * 20


@pytest.mark.parametrize(
    "line",
    [
        '{"text": "a", "vector": [1' + "0" * 400 + "]}",
        '{"text": "a", "vector": [NaN]}',
        '{"text": "a", "vector": [[1], [1, 2]]}',
        '{"text": 3, "vector": [1]}',
        "[" * 100_000,
        "[1]",
        "\xff",
    ],
)
def test_recorded_vectors(line: str, tmp_path: Path) -> None:
    from hyperbaton.encoders import ENCODERS

    path = tmp_path / "x.jsonl"
    path.write_bytes(b'{"text": "b", "vector": [0.5]}\n' + line.encode("latin-1"))
    with pytest.raises(HyperbatonError, match=r"x\.jsonl, line 2: write"):
        ENCODERS.parse(f"recorded:{path}").open()


SPENT = ['{"x": NaN}', '{"x": -5}', '{"x": Infinity}', '{"x": 1' + "0" * 400 + "}", '{"x": null}']


@pytest.mark.parametrize("text", [*SPENT, "[" * 100_000, "[]", '{"x": ' + "9" * 5000 + "}"])
def test_what_was_spent_is_a_sum(text: str, tmp_path: Path) -> None:
    """NaN is never above a limit: it was a run without one."""
    from hyperbaton.pipeline import RunOptions
    from hyperbaton.pipeline.engine.budgets import Purse

    path = tmp_path / "costs.json"
    path.write_text(text)
    with pytest.raises(HyperbatonError, match=r"costs\.json is damaged"):
        Purse(path, RunOptions(max_cost=1.0, prices={"x": 1.0}))


def test_checkpoints(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from hyperbaton.train.checkpoint import average, load_state, save_state

    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.AdamW(model.parameters())
    save_state(
        tmp_path, 3, dict(model.named_parameters()), optimizer, {"best_step": 0, "best_loss": 1.5}
    )
    path = tmp_path / "step-00000003.safetensors"
    data = path.read_bytes()
    assert load_state(tmp_path, 3, model, optimizer) == {"best_step": 0, "best_loss": 1.5}
    read: list[Callable[[], object]] = [
        lambda: load_state(tmp_path, 3, model, optimizer),
        lambda: average(tmp_path, [3]),
    ]
    for damaged in (data[:50], b"", b"\xff" * 40):
        path.write_bytes(damaged)
        for act in read:
            with pytest.raises(HyperbatonError, match=r"is damaged .*: delete it, and training"):
                act()
    for old, new in ((b"best_loss", b"best_lass"), (b"1.5", b"x.5"), (b"notes", b"nodes")):
        path.write_bytes(data.replace(old, new))
        with pytest.raises(HyperbatonError, match=r"is damaged .*: delete it, and training"):
            load_state(tmp_path, 3, model, optimizer)
