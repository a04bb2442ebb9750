"""Surface variants, script by script."""

from __future__ import annotations

import pytest

from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import PERTURBATIONS, perturb
from hyperbaton.studies.wordorder.paper import with_final_mark

CASES = [
    ("upper", "en", "Don't panic.", "DON'T PANIC."),
    ("upper", "de", "Die Straße", "DIE STRASSE"),
    ("upper", "tr", "izin ışık", "İZİN IŞIK"),
    ("upper", "ja", "NHKで見た。", None),
    ("upper", "zh", "我爱你。", None),
    ("upper", "en", "1984!", None),
    ("lower", "el", "ΟΔΟΣ ΜΟΥ", "οδος μου"),
    ("lower", "tr", "IŞIK İZİN", "ışık izin"),
    ("lower", "ru", "Москва", "москва"),
    ("lower", "en", "all small", None),
    ("title", "en", "they're “good” e-mails, 2nd to none", "They're “Good” E-mails, 2nd To None"),
    ("title", "fr", "l'été d'après", "L'été D'après"),
    ("firstUpper", "es", "¿qué?", "¿Qué?"),
    ("firstLower", "de", "„Ach“, sagte er.", "„ach“, sagte er."),
    ("firstLower", "en", "42", None),
    ("addFinalMark", "en", "No mark", "No mark."),
    ("addFinalMark", "ja", "そうです", "そうです。"),
    ("addFinalMark", "hi", "नमस्ते", "नमस्ते।"),
    ("addFinalMark", "en", "He said “No.”", None),
    ("addFinalMark", "zh", "好！", None),
    ("addFinalMark", "th", "สวัสดี", None),
    ("dropFinalMark", "en", "Really?!", "Really"),
    ("dropFinalMark", "fr", "Vraiment ?", "Vraiment"),
    ("dropFinalMark", "fr", "Vraiment\u00a0?", "Vraiment"),
    ("dropFinalMark", "zh", "好。", "好"),
    ("dropFinalMark", "en", "none", None),
    ("dropFinalMark", "en", "...", None),
    ("apostrophe", "en", "It's the dogs' 'toy'.", "It’s the dogs' 'toy'."),
    ("apostrophe(style=straight)", "fr", "L’été d’hier", "L'été d'hier"),
    ("apostrophe(style=missing)", "en", "I don’t", "I dont"),
    ("apostrophe(style=modifier)", "uk", "п'ять", "пʼять"),
    ("apostrophe", "ja", "「はい」", None),
    ("quotes", "en", 'A "b" and "c".', "A “b” and “c”."),
    ("quotes", "en", 'A 5" pipe.', None),
    ("quotes(style=straight)", "fr", "Il dit « oui » ici.", 'Il dit "oui" ici.'),
    ("quotes(style=guillemets)", "fr", 'Il dit "oui".', "Il dit «\u00a0oui\u00a0»."),
    ("quotes(style=guillemets)", "ru", 'Он: "да".', "Он: «да»."),
    ("quotes(style=low)", "de", 'Er: "Ja".', "Er: „Ja“."),
    ("quotes(style=corner)", "zh", "他说“好”。", "他说「好」。"),
    ("quotes", "ja", "「はい」と『本』", "“はい”と“本”"),
    ("whitespace", "en", "a b c", "a  b  c"),
    ("whitespace(kind=nobreak)", "en", "a b", "a\u00a0b"),
    ("whitespace(kind=tab)", "en", "a b", "a\tb"),
    ("whitespace(kind=thin)", "en", "a b", "a\u2009b"),
    ("whitespace(kind=missing)", "en", "a b c", "abc"),
    ("whitespace(kind=ends)", "zh", "好", " 好 "),
    ("whitespace", "zh", "我爱你。", None),
]


@pytest.mark.parametrize(("name", "language", "text", "expected"), CASES)
def test_surface(name: str, language: str, text: str, expected: str | None) -> None:
    variant = perturb(Sentence((text,), (False,), language), PERTURBATIONS.parse(name))
    assert (variant and variant.text) == expected
    assert variant is None or (variant.order is None and variant.unit is None)


def test_some_spaces_change_and_one_at_least() -> None:
    noise = PERTURBATIONS.parse("whitespace(kind=missing, p=0.2)")
    assert noise.random
    gone = []
    for i in range(300):
        variant = perturb(Sentence.from_words("abcdef", "en"), noise, draw=i)
        assert variant is not None
        gone.append(5 - variant.text.count(" "))
    assert min(gone) == 1
    assert 1.2 < sum(gone) / 300 < 1.5  # five at 0.2 each, and one where there were none


def test_the_papers_full_stop() -> None:
    """Added under the paper's convention only, after anything that is not a mark."""
    tree = Sentence(
        ("Hi", ".", "Go", "on"), (False, True, True, False), "en",
        upos=("INTJ", "PUNCT", "VERB", "ADV"), heads=(0, 0, 2, 2),
        deps=("root", "punct", "root", "advmod"), starts=(0, 2), id="x",
    )  # fmt: skip
    ended = with_final_mark(tree)
    assert ended.text == "Hi. Go on ."
    assert ended.upos == (*(tree.upos or ()), "PUNCT")
    assert ended.heads == (0, 0, 2, 2, 2)
    assert ended.deps == (*(tree.deps or ()), "punct")
    assert ended.id == "x"
    assert with_final_mark(ended) is ended
    for word in ("。", "！", "？", "…", "»", "?!"):
        marked = Sentence.from_words(["a", word])
        assert with_final_mark(marked) is marked
    empty = Sentence.from_words([])
    assert with_final_mark(empty) is empty
