"""`hf:` and `ct2:` on folders with random weights: BERT, XLM-R, CANINE and a translation model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.encoders import ENCODERS

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["ab ba", "a", "", "abab " * 30]
SMALL = {
    "hidden_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
PLACES = {"position_embedding_type": "absolute"}
"""What CTranslate2's converter reads, and recent transformers no longer write."""


def _save(model: object, folder: Path) -> Path:
    model.save_pretrained(folder)  # type: ignore[attr-defined]
    return folder


def _words(folder: Path, marks: tuple[str, str, str, str]) -> None:
    """A tokenizer of three words, with its marks of start and end."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    start, padding, end, unknown = marks
    vocabulary = {mark: at for at, mark in enumerate(marks)} | {"ab": 4, "ba": 5, "a": 6}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=unknown))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{start} $A {end}", special_tokens=[(start, 0), (end, 2)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=padding,
        unk_token=unknown,
        cls_token=start,
        sep_token=end,
        model_max_length=24,
    ).save_pretrained(folder)


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    torch.manual_seed(1)
    config = transformers.BertConfig(vocab_size=7, max_position_embeddings=24, **SMALL, **PLACES)
    folder = _save(transformers.BertModel(config), tmp_path / "bert")
    _words(folder, ("[CLS]", "[PAD]", "[SEP]", "[UNK]"))
    return folder


@pytest.fixture
def roberta(tmp_path: Path) -> Path:
    torch.manual_seed(2)
    config = transformers.XLMRobertaConfig(
        vocab_size=7,
        max_position_embeddings=20,
        pad_token_id=1,
        type_vocab_size=1,
        **SMALL,
        **PLACES,
    )
    folder = _save(transformers.XLMRobertaModel(config), tmp_path / "xlm-r")
    _words(folder, ("<s>", "<pad>", "</s>", "<unk>"))
    return folder


def _canine(folder: Path) -> Path:
    torch.manual_seed(3)
    config = transformers.CanineConfig(
        num_hash_buckets=512, num_hash_functions=4, max_position_embeddings=512, **SMALL
    )
    _save(transformers.CanineModel(config), folder)
    transformers.CanineTokenizer().save_pretrained(folder)
    return folder


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_the_mean_of_the_final_states(kind: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(kind)
    opened = ENCODERS.parse(f"hf:{folder}(device=cpu)").open()
    found = opened.encode(TEXTS)
    model = transformers.AutoModel.from_pretrained(folder).train(False)
    with torch.no_grad():
        expected = model(torch.tensor([[0, 4, 5, 2]])).last_hidden_state.mean(dim=1).numpy()[0]
    assert np.allclose(found[0], expected, atol=1e-5)
    alone = np.concatenate([opened.encode([text]) for text in TEXTS])
    assert np.allclose(found, alone, atol=1e-5)
    assert opened.encode([]).shape == (0, 16)
    assert opened.tokenizer == folder / "tokenizer.json"


def test_canine_reads_characters(tmp_path: Path) -> None:
    opened = ENCODERS.parse(f"hf:{_canine(tmp_path / 'canine')}(device=cpu)").open()
    found = opened.encode(TEXTS)
    assert found.shape == (4, 16)
    assert np.isfinite(found).all()
    assert np.allclose(found[1], opened.encode(["a"])[0], atol=1e-5)


def test_the_encoder_of_a_translation_model(tmp_path: Path) -> None:
    torch.manual_seed(4)
    config = transformers.BartConfig(
        vocab_size=7,
        d_model=16,
        max_position_embeddings=24,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
    )
    folder = _save(transformers.BartModel(config), tmp_path / "translator")
    _words(folder, ("<s>", "<pad>", "</s>", "<unk>"))
    found = ENCODERS.parse(f"hf:{folder}(device=cpu)").open().encode(["ab ba"])
    model = transformers.BartModel.from_pretrained(folder).train(False)
    with torch.no_grad():
        states = model.get_encoder()(torch.tensor([[0, 4, 5, 2]])).last_hidden_state
    assert np.allclose(found, states.mean(dim=1).numpy(), atol=1e-5)


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_ctranslate2_gives_the_same(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from ctranslate2.converters import TransformersConverter

    folder = request.getfixturevalue(kind)
    there = tmp_path / "converted"
    TransformersConverter(str(folder), copy_files=["tokenizer.json"]).convert(str(there))
    plain = ENCODERS.parse(f"hf:{folder}(device=cpu)").open()
    longest = 24 if kind == "bert" else 18
    opened = ENCODERS.parse(f"ct2:{there}(threads=1, longest={longest})").open()
    assert np.allclose(opened.encode(TEXTS), plain.encode(TEXTS), atol=1e-4)
    assert opened.encode([]).shape == (0, 16)
    (there / "tokenizer.json").unlink()
    with pytest.raises(HyperbatonError, match=r"no tokenizer\.json"):
        ENCODERS.parse(f"ct2:{there}").open()
    (there / "model.bin").write_bytes(b"not a model")
    (there / "tokenizer.json").write_text("{}")
    with pytest.raises(HyperbatonError, match="cannot be loaded"):
        ENCODERS.parse(f"ct2:{there}").open()


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("hf:no/such-model", r"not on this machine; fetch it once with hf:no/such-model\("),
        ("ct2:nowhere", r"no model\.bin"),
        ("ct2:nowhere(threads=-1)", "threads must be 0 or more"),
    ],
)
def test_what_is_not_there(spec: str, said: str) -> None:
    with pytest.raises(HyperbatonError, match=said):
        ENCODERS.parse(spec).open()


def test_a_file_without_weights_is_refused(bert: Path) -> None:
    for file in bert.glob("*.safetensors"):
        file.unlink()
    torch.save({}, bert / "pytorch_model.bin")
    with pytest.raises(HyperbatonError, match="its files lack"):
        ENCODERS.parse(f"hf:{bert}").open()
