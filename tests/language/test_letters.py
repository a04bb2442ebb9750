"""Letters and their marks: composed as SentencePiece composes them, and kept together."""

from __future__ import annotations

import lzma
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperbaton.language.letters import composed, letters, starts_of_letters
from hyperbaton.language.sentence import Sentence
from hyperbaton.language.tokenizing import Characters
from hyperbaton.perturb import perturb
from hyperbaton.perturb.units import FullShuffle, NeighbourFlip, PhraseShuffle, Units

SIB = Path(__file__).parents[3] / "shared" / "data" / "sib200"
MARKS = "\u0300\u0301\u0302\u0303\u0304\u0308\u030c\u0323\u0327\u0331\u3099"
TEXTS = st.text("aeiouyAEOcnszɔɛọẹêかはᄀ각" + MARKS, max_size=12)


def _by_sentencepiece(text: str) -> str:
    library = pytest.importorskip("sentencepiece")
    normaliser = library.SentencePieceNormalizer(
        rule_name="nmt_nfkc",  # what else it does by itself changed with 0.2.3
        add_dummy_prefix=False,
        escape_whitespaces=False,
        remove_extra_whitespaces=True,
    )
    return str(normaliser.normalize(text))


@given(text=TEXTS)
@settings(deadline=None)
def test_letters_are_composed_as_sentencepiece_does(text: str) -> None:
    found = list(composed(f"q{text}"))
    assert "".join(letter for letter, _ in found) == _by_sentencepiece(f"q{text}")
    ends = [end for _, end in found]
    assert ends == sorted(set(ends))
    assert ends[-1] == len(text) + 1


@pytest.mark.parametrize("language", ["fon_Latn", "kas_Arab", "ewe_Latn", "taq_Latn", "arb_Arab"])
@pytest.mark.parametrize("form", ["as it is", "NFD"])
def test_real_texts_are_read_as_sentencepiece_does(language: str, form: str) -> None:
    file = SIB / f"{language}.tsv.xz"
    if not file.is_file():
        pytest.skip("needs ../shared")
    lines = lzma.decompress(file.read_bytes()).decode().splitlines()[1:301]
    characters = Characters({ord("…"): "...", ord("\u00a0"): " ", 0x200B: " ", 0xFEFF: " "})
    for line in lines:
        text = max(line.split("\t"), key=len)
        text = unicodedata.normalize("NFD", text) if form == "NFD" else text
        if unicodedata.is_normalized("NFKC", unicodedata.normalize("NFC", text)):
            assert characters.read(text).strip() == _by_sentencepiece(text)


@given(text=st.text("ab é" + MARKS))
def test_letters_join_to_the_text_and_none_starts_with_a_mark(text: str) -> None:
    found = letters(text)
    assert "".join(found) == text
    assert not any(unicodedata.category(one[0]) == "Mn" for one in found[1:])
    assert len(starts_of_letters(text)) == len(found)


@pytest.mark.parametrize(
    "shuffle", [FullShuffle(), PhraseShuffle(0.5), NeighbourFlip(0.5)], ids=str
)
@given(text=TEXTS, seed=st.integers(0, 3))
def test_no_shuffle_moves_a_mark_to_another_letter(shuffle: Units, text: str, seed: int) -> None:
    sentence = Sentence((f"q{text}",), (False,), id="1")
    varied = perturb(sentence, shuffle, seed=seed)
    if varied is not None:
        assert sorted(letters(varied.text)) == sorted(letters(sentence.text))
