"""The translator that comes along: every direction, from the package, with the core alone."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.cli.main import main
from hyperbaton.corpus.starter import starter
from hyperbaton.systems.ct2.system import CTranslate2, CTranslate2Translator
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.shipped.bundled import Bundled
from hyperbaton.systems.system import SYSTEMS

OTHERS = ("de", "fr", "es", "it", "ru", "ja", "zh")
PAIRS = [pair for other in OTHERS for pair in (("en", other), (other, "en"))]
SCRIPTS = {"ru": ("CYRILLIC",), "ja": ("HIRAGANA", "KATAKANA", "CJK"), "zh": ("CJK",)}
shipped = pytest.mark.skipif(
    not (Bundled.folder / "model.bin").is_file(), reason="the model is not here"
)


@cache
def opened(source: str, target: str) -> CTranslate2Translator:
    return Bundled().open(source, target)


def translate(text: str, source: str, target: str) -> str:
    (answer,) = opened(source, target).translate([text])
    assert answer.text is not None
    return answer.text


def sources(language: str, count: int) -> list[str]:
    return [item.source_text for item in islice(starter(language, None), count)]


def share_of_script(texts: Iterable[str], language: str) -> float:
    """The share of letters that are of the script of a language."""
    letters = [unicodedata.name(letter, "") for letter in "".join(texts) if letter.isalpha()]
    scripts = SCRIPTS.get(language, ("LATIN",))
    return sum(name.startswith(scripts) for name in letters) / max(1, len(letters))


@shipped
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_direction_answers_in_its_own_script(source: str, target: str) -> None:
    texts = sources(source, 24)
    answers = [answer.text or "" for answer in translate_all(opened(source, target), texts)]
    assert all(answer.strip() for answer in answers)
    assert share_of_script(answers, target) > 0.95
    copied = sum(answer == text for answer, text in zip(answers, texts, strict=True))
    assert copied <= 1
    assert len(set(answers)) > 20


@shipped
@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "de", "I am hungry.", "hunger hungrig"),
        ("en", "fr", "I am hungry.", "faim"),
        ("en", "es", "I am hungry.", "hambre"),
        ("en", "it", "I am hungry.", "fame affamat"),
        ("en", "ru", "I am hungry.", "голод есть"),
        ("en", "ja", "I am hungry.", "腹 なか 空"),
        ("en", "zh", "I am hungry.", "饿"),
        ("de", "en", "Ich habe Hunger.", "hungry"),
        ("fr", "en", "J'ai faim.", "hungry"),
        ("es", "en", "Tengo hambre.", "hungry"),
        ("it", "en", "Ho fame.", "hungry"),
        ("ru", "en", "Я голоден.", "hungry"),
        ("ja", "en", "お腹が空いた。", "hungry"),
        ("zh", "en", "我饿了。", "hungry"),
        ("en", "de", "Where is the train station?", "bahnhof"),
        ("en", "fr", "Where is the train station?", "gare"),
        ("en", "es", "Where is the train station?", "estación"),
        ("en", "it", "Where is the train station?", "stazione"),
        ("en", "ru", "Where is the train station?", "вокзал станция"),
        ("en", "ja", "Where is the train station?", "駅"),
        ("en", "zh", "Where is the train station?", "站"),
    ],
)
def test_easy_sentences(source: str, target: str, text: str, expected: str) -> None:
    answer = translate(text, source, target)
    assert any(word in answer.lower() for word in expected.split()), answer


@shipped
def test_traditional_chinese_is_read_and_simplified_is_written() -> None:
    assert "book" in translate("這本書是我的。", "zh-Hant", "en")
    assert "书" in translate("This book is mine.", "en-US", "zh-Hans")
    assert "书" in translate("This book is mine.", "en", "zh")


@shipped
@pytest.mark.parametrize(("source", "target"), [("en", "de"), ("ja", "en")])
def test_the_size_of_a_batch_changes_nothing(source: str, target: str) -> None:
    texts = sources(source, 64)
    together = opened(source, target).translate(texts)
    alone = [translate(text, source, target) for text in texts]
    assert [answer.text for answer in together] == alone


@shipped
def test_it_scores() -> None:
    translator = opened("de", "en")
    fits, other = translator.score(["Ich habe Hunger."] * 2, ["I am hungry.", "The sky is blue."])
    assert all(map(math.isfinite, (*fits.log_probs, *other.log_probs)))
    assert 0 > fits.mean > other.mean + 1


@shipped
def test_long_and_odd_texts_do_not_break_it() -> None:
    texts = ["A tree. " * 500, "A tree. " * 80, "", "😀 ლოგიკა", "x" * 200, "I am hungry."]
    long, *others = opened("en", "de").translate(texts)
    assert "overlong=truncate" in long.fault
    assert [answer.fault for answer in others] == [""] * 5
    assert opened("en", "de").translate(texts[-1:]) == others[-1:]
    (cut,) = Bundled(overlong="truncate").open("en", "de").translate(texts[:1])
    assert cut.text


@shipped
def test_what_is_scored_is_cut_to_what_the_model_takes() -> None:
    translator = Bundled(overlong="truncate").open("en", "de")
    (scored,) = translator.score(["A tree. " * 500], ["Ein Baum. " * 500])
    assert len(scored.log_probs) == 256  # its places for pieces, the end included
    assert all(map(math.isfinite, scored.log_probs))


@shipped
def test_the_signature_is_that_of_the_model_wherever_it_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = opened("en", "de").signature
    assert here.startswith("bundled|en-de|")
    assert "beam:1" in here
    assert str(Bundled.folder) not in here
    assert Bundled(workers=1, threads=1, batch_tokens=99).open("en", "de").signature == here
    assert Bundled(beam=2).open("en", "de").signature == here.replace("beam:1", "beam:2")
    moved = tmp_path / "elsewhere"
    shutil.copytree(Bundled.folder, moved)
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Bundled.folder", moved)
    assert Bundled().open("en", "de").signature == here
    with (moved / "model.bin").open("ab") as file:
        file.write(b"\0")
    assert Bundled().open("en", "de").signature != here


@shipped
def test_it_is_the_folder_as_ct2_reads_it() -> None:
    texts = sources("en", 8)
    assert opened("en", "fr").translate(texts) == (
        CTranslate2(str(Bundled.folder), beam=1).open("en", "fr").translate(texts)
    )


@shipped
@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_every_kind_of_space_is_a_space_to_it(source: str, target: str) -> None:
    texts = [text for text in sources(source, 40) if " " in text][:4] or ["猫 と 犬 が いる。"]
    plain = [translate(text, source, target) for text in texts]
    for space in ("\u00a0", "\u202f", "\u2009", "\u3000", "\t", "\u2028"):
        spaced = [text.replace(" ", space) for text in texts]
        assert [translate(text, source, target) for text in spaced] == plain
    hidden = [f"\ufeff{text[:2]}\u00ad{text[2:4]}\u200b{text[4:]}\u2060" for text in texts]
    assert [translate(text, source, target) for text in hidden] == plain


@shipped
def test_what_is_scored_is_read_alike() -> None:
    translator = opened("en", "fr")
    plain, spaced = translator.score(["Wait !", "Wait\u202f!"], ["Attends !", "Attends\u202f!"])
    assert plain == spaced


@shipped
def test_nothing_but_the_core_is_needed() -> None:
    code = """
import sys
for optional in ("torch", "transformers", "tokenizers", "spacy", "nltk"):
    sys.modules[optional] = None
from hyperbaton.cli.main import main
sys.exit(main(["translate", "--system", "bundled", "-l", "en-de", "--no-cache"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], input="I am hungry.\n", capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip() == translate("I am hungry.", "en", "de")


@shipped
def test_the_model_is_small_and_has_its_card() -> None:
    assert sum(file.stat().st_size for file in Bundled.folder.iterdir()) < 20_000_000
    card = (Bundled.folder / "MODEL_CARD.md").read_text(encoding="utf-8")
    assert "CC BY 2.0 FR" in card
    assert all(f"en-{other}" in card for other in OTHERS)


@pytest.mark.parametrize(
    ("source", "target"),
    [("de", "fr"), ("en", "pt"), ("pt", "en"), ("en", "en-GB"), ("en", "zh-Hant"), ("en", "zh-TW")],
)
def test_a_direction_that_it_has_not(source: str, target: str) -> None:
    with pytest.raises(HyperbatonError, match=f"does not translate {source}-{target}") as caught:
        Bundled().open(source, target)
    assert "English to and from de, fr, es, it, ru, ja, zh" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_copy_without_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hyperbaton.systems.shipped.bundled.Bundled.folder", tmp_path)
    file = tmp_path / "in.txt"
    file.write_text("A tree.\n")
    arguments = ["translate", "--system", "bundled", "-l", "en-de", str(file)]
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert "holds no model.bin" in error
    assert error.count("\n") == 1


def test_it_is_first_and_its_options_are_read() -> None:
    assert SYSTEMS.names()[0] == "bundled"
    assert SYSTEMS.parse("bundled") == Bundled()
    assert str(SYSTEMS.parse("bundled(beam=4, threads=2)")) == "bundled(beam=4, threads=2)"
