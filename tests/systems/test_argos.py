"""Packages of Argos Translate: read as they are, unpacked with care, joined by rule."""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections import Counter
from pathlib import Path

import ctranslate2
import pytest
import sentencepiece

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.ct2 import argos
from hyperbaton.systems.ct2.argos import Argos, BytePairs, unpacked
from hyperbaton.systems.ct2.pieces import SentencePieces
from hyperbaton.systems.ct2.system import CTranslate2
from hyperbaton.systems.shipped.bundled import Bundled
from tests.systems.models import converted

TOP = "translate-en_de-1_0"
ABOUT = {"from_code": "en", "to_code": "de", "package_version": "1.0"}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("HYPERBATON_CACHE", str(folder))
    return folder


def pack(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in files.items():
            package.writestr(name, content)
    return path


def minimal(**more: bytes) -> dict[str, bytes]:
    return {
        f"{TOP}/metadata.json": json.dumps(ABOUT).encode(),
        f"{TOP}/model/model.bin": b"no model",
        **more,
    }


def whole(path: Path) -> Path:
    """A package of the usual form, with a tiny model in it."""
    model = converted("marian")
    inside = {
        f"{TOP}/model/{file.name}": file.read_bytes()
        for file in model.iterdir()
        if file.suffix in (".json", ".bin") and "tokenizer" not in file.name
    }
    tokenizer = {f"{TOP}/sentencepiece.model": (model / "source.spm").read_bytes()}
    return pack(path, minimal() | inside | tokenizer)


TEXTS = ["the cat sat", "a dog", "the dog sat on the mat", "We read about the old house."]


def as_argos_does(folder: Path, texts: list[str]) -> list[str]:
    """What Argos Translate 1.11 makes of each text, taken as one sentence."""
    tokenizer = sentencepiece.SentencePieceProcessor(str(folder / "sentencepiece.model"))
    engine = ctranslate2.Translator(str(folder / "model"), device="cpu", compute_type="int8")
    found = []
    for text in texts:
        [answer] = engine.translate_batch(
            [tokenizer.encode(text, out_type=str)],
            replace_unknowns=True,
            max_batch_size=32,
            batch_type="tokens",
            beam_size=4,
            length_penalty=0.2,
        )
        words = tokenizer.decode_pieces(answer.hypotheses[0]).replace("▁", " ").replace("_", " ")
        found.append(words.removeprefix(" "))
    return found


def test_a_package_translates_as_argos_does(tmp_path: Path, cache: Path) -> None:
    package = whole(tmp_path / "en_de.argosmodel")
    with Argos(str(package)).open("en", "de") as translator:
        found = translator.translate(TEXTS)
        assert translator.signature.startswith("argos|en-de|")
        assert "|length_penalty:0.2|" in translator.signature
        assert "|sentences:whole|" in translator.signature
        assert "|unknown:replaced|" in translator.signature
        assert str(tmp_path) not in translator.signature
    (folder,) = (cache / "argos").iterdir()
    assert [answer.text for answer in found] == as_argos_does(folder, TEXTS)
    assert stat.S_IMODE((cache / "argos").stat().st_mode) == 0o700
    with Argos(str(folder)).open("en", "de") as again:
        assert again.translate(TEXTS) == found
    with Argos(str(package), length_penalty=1.0).open("en", "de") as other:
        assert "|length_penalty:1.0|" in other.signature
    with pytest.raises(HyperbatonError, match="does not translate en-fr"):
        Argos(str(package)).open("en", "fr")


def test_an_unknown_word_is_that_of_the_source_in_every_batch(tmp_path: Path, cache: Path) -> None:
    with Argos(str(whole(tmp_path / "en_de.argosmodel"))).open("en", "de") as translator:
        often = translator.translate(TEXTS)
    (folder,) = (cache / "argos").iterdir()
    vocabulary = folder / "model" / "shared_vocabulary.json"
    # What the model writes most is from now on the word that it does not know.
    pieces = sentencepiece.SentencePieceProcessor(str(folder / "sentencepiece.model"))
    seen = Counter(p for t in often for p in pieces.encode(str(t.text), out_type=str))
    words = json.loads(vocabulary.read_text())
    piece = next(p for p, _ in seen.most_common() if p in words)
    words[words.index("<unk>")], words[words.index(piece)] = "<never>", "<unk>"
    vocabulary.write_text(json.dumps(words))
    expected = as_argos_does(folder, TEXTS)
    with Argos(str(folder)).open("en", "de") as translator:
        together = [answer.text for answer in translator.translate(TEXTS)]
        alone = [translator.translate([text])[0].text for text in TEXTS]
    plain = CTranslate2(str(folder / "model"), tokenizer=str(folder / "sentencepiece.model"))
    assert together == alone == expected
    assert together != [answer.text for answer in plain.open("en", "de").translate(TEXTS)]


def test_only_what_is_needed_is_unpacked_and_nothing_leads_elsewhere(
    tmp_path: Path, cache: Path
) -> None:
    names = [
        "../escaped.txt",
        "/absolute.txt",
        f"{TOP}/../../escaped/model.bin",
        f"{TOP}/model/../../../escaped.bin",
        f"{TOP}/stanza/en/tokenize.pt",
        f"{TOP}/model/evil.py",
        f"{TOP}/model\\..\\..\\model.bin",
    ]
    package = pack(tmp_path / "p.argosmodel", minimal(**dict.fromkeys(names, b"x")))
    folder = unpacked(package)
    files = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    inside = folder.relative_to(tmp_path)
    assert files == {
        "p.argosmodel",
        f"{inside}/metadata.json",
        f"{inside}/model/model.bin",
    }
    assert unpacked(package) == folder


def test_a_package_that_would_fill_the_disk_is_refused(
    tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(argos, "_LARGEST", 1 << 20)
    files = minimal() | {f"{TOP}/model/model.bin": bytes(2 << 20)}
    with pytest.raises(HyperbatonError, match="GiB unpacked"):
        unpacked(pack(tmp_path / "bomb.argosmodel", files))
    monkeypatch.setattr(argos, "_MOST_ENTRIES", 1)
    with pytest.raises(HyperbatonError, match="holds 2 files"):
        unpacked(pack(tmp_path / "many.argosmodel", minimal()))
    assert not cache.exists()


def _cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _spoilt(data: bytes) -> bytes:
    at = data.index(b"model.bin") + 12
    return data[:at] + b"\xff\xff\xff" + data[at + 3 :]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "cannot unpack"),
        (b"not a zip", "cannot unpack"),
        ("cut", "cannot unpack"),
        ("spoilt", "cannot unpack"),
        ("empty", "is not an Argos package"),
    ],
)
def test_what_is_no_package(tmp_path: Path, cache: Path, content: bytes | str, reason: str) -> None:
    path = tmp_path / "p.argosmodel"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        whole_zip = io.BytesIO()
        with zipfile.ZipFile(whole_zip, "w") as package:
            for name, data in ({} if content == "empty" else minimal()).items():
                package.writestr(name, data)
        change = {"cut": _cut, "spoilt": _spoilt}.get(content, bytes)
        path.write_bytes(change(whole_zip.getvalue()))
    with pytest.raises(HyperbatonError, match=reason) as caught:
        unpacked(path)
    assert "\n" not in str(caught.value)
    assert not [file for file in cache.rglob("*") if file.is_file()]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="no such file"):
        Argos(str(tmp_path / "nowhere.argosmodel")).open("en", "de")
    with pytest.raises(HyperbatonError, match=r"no metadata\.json"):
        Argos(str(tmp_path)).open("en", "de")


@pytest.mark.skipif(not (Bundled.folder / "source.spm").is_file(), reason="the model is not here")
def test_pieces_that_the_tokenizer_does_not_know_are_joined_by_rule() -> None:
    pieces = SentencePieces(Bundled.folder / "source.spm")
    strange = ["▁I", "▁should", "▁zqxjkvw", "ish", "ness", "."]
    assert pieces.decode([strange]) == ["I should zqxjkvwishness."]
    known = pieces.encode(["I should go to bed."])
    assert pieces.decode(known) == ["I should go to bed."]


def test_byte_pairs_are_cut_by_the_earliest_merge_and_joined(tmp_path: Path) -> None:
    pytest.importorskip("sacremoses")
    codes = tmp_path / "bpe.model"
    codes.write_text("#version: 0.2\nl o\nlo w</w>\ne r</w>\nn e\n", encoding="utf-8")
    pieces = BytePairs(codes, "en", "en")
    (cut,) = pieces.encode(["low newer, lows."])
    assert cut == ["low", "ne@@", "w@@", "er", ",", "lo@@", "w@@", "s", "."]
    assert pieces.decode([cut]) == ["low newer, lows."]
    (cut,) = pieces.encode(["It\u2019s “low” & new…"])
    assert "&apos;" in "".join(cut).replace("@@", "")
    assert "&quot;" in "".join(cut).replace("@@", "")
    assert pieces.decode([cut]) == ['It\'s "low" & new...']
    assert pieces.decode([["a", "▁", "lo@@", "w"]]) == ["a ▁ low"]
    codes.write_text("one\n")
    with pytest.raises(HyperbatonError, match="not a list of merges"):
        BytePairs(codes, "en", "en")
