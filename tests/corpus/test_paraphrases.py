"""The shipped pairs, and labelled pairs in the form of PAWS-X."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.paraphrases import LabelledPair, paraphrases, read_labelled_pairs

SHARED = Path(__file__).parents[3] / "shared" / "data"


def test_the_shipped_pairs_are_whole() -> None:
    items = paraphrases("de", "en")
    assert len(items) == 120
    assert len({item.id for item in items}) == 120
    assert Counter(item.columns["label"] for item in items) == {"1": 80, "0": 40}
    sentences = Counter(
        text for item in items for text in (item.source_text, item.columns["varied"])
    )
    assert max(sentences.values()) == 1
    english = {item.id: item for item in paraphrases("en", None)}
    for item in items:
        assert item.reference_text == english[item.id].source_text
        assert item.columns["varied_reference"] == english[item.id].columns["varied"]
        assert english[item.id].reference is None
        for text in (item.source_text, item.columns["varied"], item.reference_text or ""):
            assert text == text.strip()
            assert text[-1] in ".!?“”"


def test_a_tag_has_one_label_and_at_least_seven_pairs() -> None:
    tags: dict[str, Counter[str]] = {}
    for item in paraphrases():
        tags.setdefault(item.columns["tag"], Counter())[item.columns["label"]] += 1
    assert all(len(labels) == 1 and labels.total() >= 7 for labels in tags.values())
    lookalikes = {tag for tag, labels in tags.items() if "0" in labels}
    assert lookalikes == {"role-swap", "negation", "quantity", "detail"}


def test_no_sentence_is_one_of_the_test_sets() -> None:
    found = list((SHARED / "wmt19-paraphrased").glob("*.ref"))
    found += list((SHARED / "pawsx").glob("*-[de][en]*.tsv"))
    if not found:
        pytest.skip("needs ../shared")
    known = {
        cell.strip().casefold()
        for path in found
        for line in path.read_text(encoding="utf-8").splitlines()
        for cell in line.split("\t")
    }
    for language in ("de", "en"):
        for item in paraphrases(language, None):
            assert item.source_text.casefold() not in known
            assert item.columns["varied"].casefold() not in known


def test_other_languages_are_refused() -> None:
    with pytest.raises(HyperbatonError, match="in de and en, not in 'fr'"):
        paraphrases("fr", "en")
    assert paraphrases("de-AT", None)[0] == paraphrases("de", None)[0]


def test_labelled_pairs_with_and_without_header(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("id\tsentence1\tsentence2\tlabel\n7\tone\ttwo\t1\n8\tNS\tNS\t0\n9\tx\ty\t0\n")
    assert read_labelled_pairs(path) == [
        LabelledPair("one", "two", 1, 2),
        LabelledPair("x", "y", 0, 4),
    ]
    path.write_text('say "hello"\tit\'s\t1\n')
    assert read_labelled_pairs(path) == [LabelledPair('say "hello"', "it's", 1, 1)]
    path.write_text("one\ttwo\tyes\n")
    with pytest.raises(HyperbatonError, match="line 1: write two sentences and a label"):
        read_labelled_pairs(path)
    path.write_text("NS\tNS\t1\n")
    with pytest.raises(HyperbatonError, match="holds no labelled pair"):
        read_labelled_pairs(path)


@pytest.mark.parametrize(("file", "pairs"), [("dev-de.tsv", 1932), ("test-de.labelled.tsv", 1968)])
def test_pawsx_is_read(file: str, pairs: int) -> None:
    path = SHARED / "pawsx" / file
    if not path.exists():
        pytest.skip("needs ../shared")
    assert len(read_labelled_pairs(path)) == pairs
