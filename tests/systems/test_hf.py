"""Each family of transformers against `generate` called by hand."""

from __future__ import annotations

import json
import logging
import shutil
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.prompts import messages
from hyperbaton.systems.hf import HuggingFace
from hyperbaton.systems.hf.translators import ChatTranslator, Seq2SeqTranslator
from hyperbaton.systems.system import SYSTEMS, Translation, Translator
from tests.systems.models import LINES, SEQ2SEQ, TEXTS, built

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

LONGEST = 40
BEFORE = {
    "multilingual": ">>de<< ",
    "trained": ">>de<< ",
    "t5": "translate English to German: ",
}
FORCED = {"m2m100": "__de__", "nllb": "deu_Latn", "mbart50": "de_DE"}
SOURCE = {"m2m100": "en", "nllb": "eng_Latn", "mbart50": "en_XX"}


def opened(name: str, **options: object) -> Translator:
    settings: dict[str, Any] = {"max_length": LONGEST, **options}
    return HuggingFace(str(built(name)), **settings).open("en", "de")


def by_hand(name: str, beam: int) -> list[str]:
    """What the documentation of the family says to type, one text at a time."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name))
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(built(name))
    forced = {}
    if name in FORCED:
        tokenizer.src_lang = SOURCE[name]
        forced["forced_bos_token_id"] = tokenizer.convert_tokens_to_ids(FORCED[name])
    found = []
    for text in TEXTS:
        inputs = tokenizer(BEFORE.get(name, "") + text, return_tensors="pt")
        ids = model.generate(**inputs, num_beams=beam, max_new_tokens=LONGEST, **forced)
        found += tokenizer.batch_decode(ids, skip_special_tokens=True)
    return found


@pytest.mark.parametrize("beam", [1, 4])
@pytest.mark.parametrize("name", SEQ2SEQ)
def test_same_as_generate(name: str, beam: int) -> None:
    found = [answer.text for answer in opened(name, beam=beam).translate(TEXTS)]
    assert found == by_hand(name, beam)
    assert len(set(found)) > 1


@pytest.mark.parametrize("name", [*SEQ2SEQ, "chat"])
def test_batch_size_does_not_matter(name: str) -> None:
    alone = opened(name, batch_tokens=1, max_length=12).translate(TEXTS)
    together = opened(name, batch_tokens=10_000, max_length=12).translate(TEXTS)
    backwards = opened(name, batch_tokens=60, max_length=12).translate(TEXTS[::-1])
    assert alone == together == backwards[::-1]


@pytest.mark.parametrize("name", SEQ2SEQ)
def test_score_is_the_log_probability_of_the_logits(name: str) -> None:
    translator = opened(name)
    assert isinstance(translator, Seq2SeqTranslator)
    targets = [LINES[3], "Hund", LINES[5]]
    scored = translator.score(TEXTS[:3], targets)
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name))
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(built(name))
    if name in FORCED:
        tokenizer.src_lang, tokenizer.tgt_lang = (
            SOURCE[name],
            {"m2m100": "de"}.get(name, FORCED[name]),
        )
    for text, target, found in zip(TEXTS[:3], targets, scored, strict=True):
        inputs = tokenizer(BEFORE.get(name, "") + text, return_tensors="pt")
        labels = tokenizer(text_target=target, return_tensors="pt")["input_ids"]
        start = torch.tensor([[model.config.decoder_start_token_id]])
        logits = model(**inputs, decoder_input_ids=torch.cat([start, labels[:, :-1]], 1)).logits
        wanted = [
            row.log_softmax(-1)[label].item()
            for row, label in zip(logits[0], labels[0], strict=True)
        ][int(name in FORCED) :]
        assert found.log_probs == pytest.approx(wanted, abs=1e-4)
        assert found.pieces[-1] == "</s>"
        assert found.total == pytest.approx(sum(wanted), abs=1e-3)


def test_chat_is_asked_with_the_template() -> None:
    found = [answer.text for answer in opened("chat", max_length=8).translate(TEXTS[:3])]
    tokenizer = transformers.AutoTokenizer.from_pretrained(built("chat"))
    model = transformers.AutoModelForCausalLM.from_pretrained(built("chat"))
    for text, reply in zip(TEXTS[:3], found, strict=True):
        inputs = tokenizer.apply_chat_template(
            messages(text, "en", "de"),
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
        )
        ids = model.generate(**inputs, max_new_tokens=8, do_sample=False, pad_token_id=0)
        read = inputs["input_ids"].shape[1]
        assert reply == tokenizer.decode(ids[0, read:], skip_special_tokens=True).strip()


def test_a_chat_answer_that_was_cut_off_is_a_fault() -> None:
    """As a server says with finish_reason: the first words alone are not a translation."""
    whole = opened("chat", max_length=8).translate(TEXTS[:3])
    assert [answer.text for answer in whole] == ["Die", "Ein", "Wir"]
    cut = opened("chat", max_length=1).translate(TEXTS[:3])
    assert [answer.text for answer in cut] == [None] * 3
    assert {answer.fault for answer in cut} == {"the answer was cut off (max_length=1)"}
    # "Wir" is two tokens and the end, so that a batch holds both kinds.
    mixed = opened("chat", max_length=2, batch_tokens=10_000).translate(TEXTS[:3])
    assert [answer.text for answer in mixed] == ["Die", "Ein", None]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("[THINK]Hm.[/THINK]Hund", Translation("Hund")),
        ("[THINK]Hm.", Translation(None, "the model was still thinking when its answer ended")),
        (
            "<|channel|>analysis<|message|>Hm.<|start|>assistant<|channel|>final<|message|>Hund",
            Translation("Hund"),
        ),
        ("Hund<|other|>", Translation("Hund")),
        ("<think>Hm.</think>Hund", Translation("Hund")),
    ],
)
def test_thoughts_between_special_tokens_are_no_translation(
    reply: str, answer: Translation
) -> None:
    """Decoding drops special tokens, so that thoughts and answer would run into one."""
    translator = opened("chat")
    assert isinstance(translator, ChatTranslator)
    tokenizer = translator._tokenizer
    marks = ["[THINK]", "[/THINK]", "<|start|>", "<|channel|>", "<|message|>", "<|other|>"]
    tokenizer.add_special_tokens({"additional_special_tokens": marks})
    numbers = tokenizer(f"{reply}<|end|><|end|>", return_tensors="pt")["input_ids"]
    assert translator._decode(numbers, 0, TEXTS[:1]) == [answer]


def test_the_mode_changes_what_is_asked_and_signed() -> None:
    plain, faithful = opened("chat", max_length=8), opened("chat", mode="faithful")
    assert plain.signature != faithful.signature
    assert plain.translate(TEXTS[:1]) != opened("chat", mode="robust", max_length=8).translate(
        TEXTS[:1]
    )


def test_a_model_that_is_no_chat_model_has_no_mode() -> None:
    with pytest.raises(HyperbatonError, match="only a chat model can be asked for a mode"):
        opened("marian", mode="robust")


def test_blank_lines_stay_blank_and_order_is_kept() -> None:
    translator = opened("marian")
    found = translator.translate(["", TEXTS[0], " \t", TEXTS[1]])
    assert [found[0].text, found[2].text] == ["", ""]
    assert [found[1], found[3]] == translator.translate(TEXTS[:2])
    assert translator.translate([]) == []


def test_overlong_is_a_fault_or_is_cut() -> None:
    long = "the cat sat on the mat " * 60
    found = opened("marian").translate([long, TEXTS[0]])
    assert found[0].text is None
    assert "pieces are more than" in found[0].fault
    assert found[1].text
    cut = opened("marian", overlong="truncate", max_input=20).translate([long, TEXTS[0]])
    assert cut[0].text
    assert cut[1] == found[1]


def test_signature_names_what_changes_the_output() -> None:
    first = opened("marian").signature
    assert first == opened("marian", batch_tokens=7).signature
    others = [
        opened("marian", beam=2).signature,
        opened("marian", length_penalty=0.5).signature,
        opened("marian", max_length=9).signature,
        opened("trained").signature,
        HuggingFace(str(built("multilingual"))).open("en", "de").signature,
        HuggingFace(str(built("multilingual"))).open("en", "fr").signature,
    ]
    assert len({first, *others}) == 7


def test_spec_prints_and_parses() -> None:
    spec = HuggingFace("Helsinki-NLP/opus-mt-en-de", beam=5, dtype="float16")
    assert SYSTEMS.parse(str(spec)) == spec


def test_model_folder_is_only_read() -> None:
    before = sorted((p.name, p.stat().st_mtime_ns) for p in built("nllb").iterdir())
    opened("nllb").translate(TEXTS[:1])
    assert before == sorted((p.name, p.stat().st_mtime_ns) for p in built("nllb").iterdir())


@pytest.mark.parametrize("name", FORCED)
def test_the_source_language_is_marked(name: str) -> None:
    """These tiny models hardly look at the mark, so that their translations do not show it."""
    translator = opened(name)
    assert isinstance(translator, Seq2SeqTranslator)
    tokenizer = transformers.AutoTokenizer.from_pretrained(built(name), src_lang=SOURCE[name])
    assert translator._encode(TEXTS, None) == tokenizer(TEXTS)["input_ids"]
    first = tokenizer.convert_ids_to_tokens(tokenizer(TEXTS[0])["input_ids"])[0]
    assert first == {"m2m100": "__en__"}.get(name, SOURCE[name])


def test_a_length_that_the_model_names_is_no_reason_for_warnings(tmp_path: Path) -> None:
    """Models of the hub have a max_length of their own; ours holds, and nothing need be said."""
    folder = shutil.copytree(built("marian"), tmp_path / "model")
    settings = folder / "generation_config.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "max_length": 512}))
    said: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    library = logging.getLogger("transformers")
    library.addHandler(handler)
    try:
        HuggingFace(str(folder)).open("en", "de").translate(TEXTS)
    finally:
        library.removeHandler(handler)
    assert said == []
