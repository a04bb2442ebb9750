"""Do answers belong to their sentences? Tested on permuted and slipped lines, copies, constants."""

from __future__ import annotations

import random

import pytest

from hyperbaton.studies.layer.answers import FEWEST, Answers, neighbours, unrelated, untested

WORDS = [f"{a}{b}" for a in "kmprst" for b in ("a", "el", "in", "ost", "ur")]


def _texts(rng: random.Random, count: int) -> list[str]:
    return [" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for _ in range(count)]


def test_few_permuted_answers_rarely_pass_for_translations() -> None:
    """Each of 200 small files is permuted; at the level of .05 at most ten may pass."""
    rng = random.Random(1)
    passed = 0
    for _ in range(200):
        texts = _texts(rng, FEWEST + 14)
        others = rng.sample(texts, len(texts))
        passed += not unrelated([Answers(["?"] * len(texts), others, texts)])
        assert not unrelated([Answers(["?"] * len(texts), texts, texts)])
    assert passed <= 10


def test_a_file_that_slipped_by_a_line_is_noticed_though_lines_in_a_row_are_alike() -> None:
    rng = random.Random(2)
    texts: list[str] = []
    for story in _texts(rng, 20):
        texts += [f"{story} {sentence}" for sentence in _texts(rng, 5)]
    slipped = [*texts[1:], texts[0]]
    assert unrelated([Answers(["?"] * 100, slipped, texts)])
    assert not unrelated([Answers(["?"] * 100, texts, texts)])


def test_without_references_two_answers_to_one_sentence_and_lengths_are_all_there_is() -> None:
    rng = random.Random(3)
    sources = _texts(rng, 40)
    answers = [text.replace("o", "u") for text in sources]
    again = [f"{text} {rng.choice(WORDS)}" for text in answers]
    assert not unrelated([Answers(sources, answers, again, references=False)])
    order = rng.sample(range(40), 40)
    for outputs, others in (
        (answers, [again[n] for n in order]),  # each by itself
        ([answers[n] for n in order], [again[n] for n in order]),  # both together
        (["So."] * 40, ["So."] * 40),
        (sources, sources),
    ):
        assert unrelated([Answers(sources, outputs, others, references=False)])


def test_a_copy_is_no_translation_unless_the_reference_is_one_too() -> None:
    rng = random.Random(4)
    sources = _texts(rng, 40)
    alike = [f"{text} {rng.choice(WORDS)}" for text in sources]
    assert unrelated([Answers(sources, sources, alike)]) == "most of its answers are their sources"
    assert not unrelated([Answers(sources, sources, sources)])


@pytest.mark.parametrize("count", [0, FEWEST - 1])
def test_of_too_few_sentences_nothing_is_said_either_way(count: int) -> None:
    assert not unrelated([Answers(["a"] * count, ["b"] * count, ["c"] * count)])


def test_the_other_text_is_about_as_long() -> None:
    texts = ["a" * n for n in (9, 1, 5, 3, 7)]
    others = neighbours(texts)
    assert sorted(others) == [0, 1, 2, 3, 4]
    assert sum(abs(len(texts[i]) - len(texts[j])) <= 2 for i, j in enumerate(others)) == 4


def test_claims_are_tested_where_one_system_translates() -> None:
    assert not untested(["a", "b"], {"a": "it is a copy"})
    assert untested(["a"], {"a": "it is a copy"}) == "Not tested: of a, it is a copy."
