"""CTranslate2 on converted models against the same weights in transformers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperbaton.systems.ct2.convert import STEPS, to_ctranslate2
from hyperbaton.systems.ct2.pieces import TransformersFolder, load_pieces
from hyperbaton.systems.ct2.system import (
    Attended,
    Attends,
    CTranslate2,
    CTranslate2Translator,
    Scores,
)
from hyperbaton.systems.hf import HuggingFace
from hyperbaton.systems.hf.translators import Seq2SeqTranslator
from hyperbaton.systems.system import SYSTEMS
from tests.systems.models import LINES, SEQ2SEQ, TEXTS, built, converted

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from hyperbaton.base.model_bin import read_variables  # noqa: E402

LONGEST = 40
BIN = "model.bin"


def opened(name: str, **options: object) -> CTranslate2Translator:
    settings: dict[str, Any] = {"max_length": LONGEST, "compute": "float32", **options}
    return CTranslate2(str(converted(name)), **settings).open("en", "de")


def in_transformers(name: str, beam: int) -> Seq2SeqTranslator:
    system = HuggingFace(str(built(name)), max_length=LONGEST, beam=beam)
    translator = system.open("en", "de")
    assert isinstance(translator, Seq2SeqTranslator)
    return translator


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_same_as_transformers(name: str) -> None:
    greedy = opened(name, beam=1).translate(TEXTS)
    assert greedy == in_transformers(name, beam=1).translate(TEXTS)
    # The two end a beam search by different rules, so that a weak model may differ here and there.
    beam = opened(name, beam=4).translate(TEXTS)
    wanted = in_transformers(name, beam=4).translate(TEXTS)
    assert sum(a == b for a, b in zip(beam, wanted, strict=True)) > len(TEXTS) / 2


def by_hand(name: str, source: list[str], target: list[str]) -> Any:
    """The model's own outputs for a source and a target, in tokens."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name))
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
        built(name), attn_implementation="eager"
    )
    start = model.config.decoder_start_token_id
    read = torch.tensor([tokenizer.convert_tokens_to_ids(source)])
    written = torch.tensor([[start, *tokenizer.convert_tokens_to_ids(target)]])
    found = model(input_ids=read, decoder_input_ids=written, output_attentions=True)
    if "MarianMTModel" in model.config.architectures:
        # What is never written takes no part in the conversion: padding, rows without a token.
        found.logits[..., start] = float("-inf")
        found.logits[..., len(tokenizer.get_vocab()) :] = float("-inf")
    return found


def attended(
    translator: CTranslate2Translator, texts: list[str], targets: list[str]
) -> list[Attended]:
    """The attention for these translations, of which none is left out."""
    found = translator.attend_to(texts, targets)
    return [one for one in found if one is not None]


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_score_is_the_log_probability_of_the_logits(name: str) -> None:
    targets = [LINES[3], "Hund", LINES[5]]
    translator = opened(name)
    marks = {"m2m100": ["__de__"], "nllb": ["deu_Latn"], "mbart50": ["de_DE"]}.get(name, [])
    sources = [found.source for found in attended(translator, TEXTS[:3], targets)]
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name))
    for source, found in zip(sources, translator.score(TEXTS[:3], targets), strict=True):
        assert found.pieces[-1] == "</s>"
        written = [*marks, *found.pieces]
        logits = by_hand(name, list(source), written[:-1]).logits[0].log_softmax(-1)
        numbers = tokenizer.convert_tokens_to_ids(written)
        wanted = [row[number].item() for row, number in zip(logits, numbers, strict=True)]
        assert found.log_probs == pytest.approx(wanted[len(marks) :], abs=1e-4)


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_attention_is_the_mean_of_the_last_layer(name: str) -> None:
    marks = {"m2m100": ["__de__"], "nllb": ["deu_Latn"], "mbart50": ["de_DE"]}.get(name, [])
    for found in attended(opened(name), TEXTS[:3], [LINES[3], "Hund", LINES[5]]):
        assert found.attention.shape == (len(found.target), len(found.source))
        outputs = by_hand(name, list(found.source), [*marks, *found.target])
        wanted = outputs.cross_attentions[-1][0].mean(0).detach().numpy()[len(marks) : -1]
        assert np.allclose(found.attention, wanted, atol=1e-4)


@pytest.mark.parametrize("name", ["multilingual", "nllb"])
def test_batch_size_does_not_matter(name: str) -> None:
    alone = opened(name, batch_tokens=1).translate(TEXTS)
    together = opened(name, batch_tokens=10_000).translate(TEXTS)
    backwards = opened(name, batch_tokens=60, workers=2).translate(TEXTS[::-1])
    assert alone == together == backwards[::-1]


def test_stream_gives_every_position_once() -> None:
    translator = opened("marian", batch_tokens=30)
    found = dict(translator.stream([*TEXTS, "", *TEXTS]))
    assert sorted(found) == list(range(2 * len(TEXTS) + 1))
    assert [found[at] for at in range(len(TEXTS))] == translator.translate(TEXTS)


def test_blank_lines_do_not_reach_the_model() -> None:
    translator = opened("marian")
    translator.close()  # from here on the engine would fail
    assert [t.text for t in translator.translate(["", " ", "\t \u3000"])] == ["", "", ""]


def test_overlong_is_a_fault_or_is_cut() -> None:
    long = "the cat sat on the mat " * 60
    found = opened("marian").translate([long, TEXTS[0]])
    assert found[0].text is None
    assert "pieces are more than" in found[0].fault
    assert found[1].text
    cut = opened("marian", overlong="truncate", max_input=20).translate([long, TEXTS[0]])
    assert cut[0].text
    assert cut[1] == found[1]


def test_a_failing_batch_costs_no_other() -> None:
    # 128 positions is what this model has; 300 pieces pass max_input and fail in the engine.
    translator = opened("marian", batch_tokens=20)
    got = {}

    def collect() -> None:
        for place, found in translator.stream(["the cat " * 60, *TEXTS]):
            got[place] = found

    with pytest.raises(RuntimeError, match="position"):
        collect()
    assert [got[at + 1] for at in range(len(TEXTS))] == translator.translate(TEXTS)


def test_signature_names_what_changes_the_output(tmp_path: Path) -> None:
    first = opened("multilingual").signature
    same = shutil.copytree(converted("multilingual"), tmp_path / "elsewhere")
    moved = CTranslate2(str(same), max_length=LONGEST, compute="float32", workers=1, batch_tokens=9)
    assert moved.open("en", "de").signature == first
    others = [
        opened("multilingual", beam=2).signature,
        opened("multilingual", compute="int8").signature,
        opened("multilingual", allow_unk=False).signature,
        moved.open("en", "fr").signature,
        opened("trained").signature,
    ]
    config = json.loads((same / "config.json").read_text())
    (same / "config.json").write_text(json.dumps(config | {"layer_norm_epsilon": 0.1}))
    assert len({first, *others, moved.open("en", "de").signature}) == 7


def test_unknown_pieces_can_be_forbidden() -> None:
    allowed = opened("marian", allow_unk=False).translate(TEXTS)
    assert all("⁇" not in (found.text or "") for found in allowed)


def test_spec_prints_and_parses() -> None:
    spec = CTranslate2("models/tiny", beam=2, device="cpu", overlong="truncate")
    assert str(spec) == "ct2:models/tiny(beam=2, overlong=truncate, device=cpu)"
    assert SYSTEMS.parse(str(spec)) == spec


def test_shows_what_it_can_do() -> None:
    assert isinstance(opened("marian"), Attends)
    assert isinstance(opened("marian"), Scores)


def test_tokenizer_file_gives_the_same(tmp_path: Path) -> None:
    folder = shutil.copytree(converted("nllb"), tmp_path / "model")
    (folder / "sentencepiece.bpe.model").unlink()
    system = CTranslate2(str(folder), max_length=LONGEST, compute="float32")
    assert system.open("en", "de").translate(TEXTS) == opened("nllb").translate(TEXTS)


def test_tokenizer_elsewhere_gives_the_same(tmp_path: Path) -> None:
    folder = shutil.copytree(converted("m2m100"), tmp_path / "model")
    (folder / "sentencepiece.bpe.model").rename(tmp_path / "own.model")
    elsewhere = str(tmp_path / "own.model")
    system = CTranslate2(str(folder), tokenizer=elsewhere, max_length=LONGEST, compute="float32")
    assert system.open("en", "de").translate(TEXTS) == opened("m2m100").translate(TEXTS)


@pytest.mark.parametrize("name", ["marian", "m2m100"])
def test_tokenizer_of_transformers_gives_the_same(name: str) -> None:
    own, other = load_pieces(built(name)), TransformersFolder(built(name))
    known = json.loads((converted(name) / "shared_vocabulary.json").read_text())
    for target in (False, True):
        found = other.encode(LINES, target=target)
        assert found == [
            [piece if piece in known else "<unk>" for piece in line]
            for line in own.encode(LINES, target=target)
        ]
    target_pieces = own.encode(LINES[3:6], target=True)
    assert own.decode(target_pieces) == LINES[3:6]
    assert other.decode(target_pieces) == LINES[3:6]


def test_int8_conversion_is_smaller_and_loads(tmp_path: Path) -> None:
    folder = to_ctranslate2(built("trained"), tmp_path / "int8")
    assert (folder / "model.bin").stat().st_size < (
        converted("trained") / "model.bin"
    ).stat().st_size
    found = CTranslate2(str(folder), max_length=LONGEST).open("en", "de")
    assert "int8" in found.signature
    assert all(answer.text for answer in found.translate(TEXTS))


def test_int8_weights_cannot_overflow_on_any_processor(tmp_path: Path) -> None:
    """Products of an activation (up to 255) and two weights must fit 16 bits: |weight| ≤ 64."""
    full = {
        name: value.astype(np.float32)
        for name, value in read_variables(converted("trained") / BIN)[0].items()
    }
    stored = read_variables(to_ctranslate2(built("trained"), tmp_path / "int8") / BIN)[0]
    rounded = [name for name in stored if f"{name}_scale" in stored]
    assert rounded
    for name in rounded:
        steps = stored[name].astype(np.int64)
        scale = stored[f"{name}_scale"].astype(np.float32)
        assert stored[name].dtype == np.int8
        assert np.abs(steps).max() == STEPS
        assert np.allclose(steps / scale[:, None], full[name], atol=0.51 / scale.min())
    assert set(stored) - set(full) == {f"{name}_scale" for name in rounded}


def test_loading_leaves_torch_its_threads() -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        opened("marian", workers=1, threads=1).translate(TEXTS[:1])
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("multilingual", ">>de<<"),
        ("m2m100", "__en__"),
        ("nllb", "eng_Latn"),
        ("mbart50", "en_XX"),
    ],
)
def test_the_source_begins_with_its_mark(name: str, first: str) -> None:
    """These tiny models hardly look at the mark, so that their translations do not show it."""
    [found] = attended(opened(name), TEXTS[:1], ["Hund"])
    assert found.source[0] == first
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name))
    if name == "multilingual":
        wanted = tokenizer.tokenize(f">>de<< {TEXTS[0]}")
    else:
        wanted = [first, *tokenizer.tokenize(TEXTS[0])]
    assert list(found.source) == [*wanted, "</s>"]
