"""Aligners: the same pairs give the same links, and those agree with links set by hand."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.alignment import ALIGNERS, Links
from hyperbaton.alignment.aligner import Symmetry, symmetrise
from hyperbaton.alignment.fast_align import FastAlign, best, read_table
from hyperbaton.alignment.gloss import Gloss, key, lexical
from hyperbaton.base.errors import HyperbatonError, MissingExtra
from tests.alignment.checked import LANGUAGES, agreement, checked, words

LINKS = st.frozensets(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12)
# Precision and recall as measured (docs/alignment.md), less a little.
MEASURED = {
    "gloss": {"de": (0.99, 0.87), "fr": (0.98, 0.83), "ru": (0.96, 0.84), "ja": (0.89, 0.69)},
    "fast_align": {"de": (0.97, 0.89), "fr": (0.96, 0.88), "ru": (0.95, 0.88), "ja": (0.76, 0.70)},
}


def _aligned(name: str, language: str) -> dict[str, Links]:
    sources, targets = words("en"), words(language)
    pairs = [(sources[item], targets[item]) for item in sources]
    return dict(zip(sources, ALIGNERS.parse(name).align(pairs, "en", language), strict=True))


def test_names_are_printed_as_they_are_parsed() -> None:
    for text in ("gloss", "fast_align", "fast_align(symmetry=grow-diag-final-and, text=more.txt)"):
        assert str(ALIGNERS.parse(text)) == text
    with pytest.raises(HyperbatonError, match="Did you mean 'fast_align'"):
        ALIGNERS.parse("fastalign")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_checked_links_are_links_of_words(language: str) -> None:
    sources, targets = words("en"), words(language)
    links = checked(language)
    assert len(links) == 25
    for item, (_, possible) in links.items():
        assert max(i for i, _ in possible) < len(sources[item])
        assert max(j for _, j in possible) < len(targets[item])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", list(MEASURED))
def test_agreement_with_links_set_by_hand(name: str, language: str) -> None:
    if name == "fast_align":
        pytest.importorskip("systran_align")
    right, found, sure, all_sure = agreement(language, _aligned(name, language))
    precision, recall = MEASURED[name][language]
    assert right / found >= precision
    assert sure / all_sure >= recall


@given(LINKS, LINKS)
def test_growing_lies_between_intersection_and_union(
    forward: frozenset[tuple[int, int]], backward: frozenset[tuple[int, int]]
) -> None:
    grown = set(symmetrise(forward, backward, "grow-diag-final-and"))
    assert set(symmetrise(forward, backward, "intersection")) <= grown
    assert grown <= set(symmetrise(forward, backward, "union"))
    free = {(i, j) for i, j in forward | backward if not {i} & {a for a, _ in grown}}
    assert not {(i, j) for i, j in free if not {j} & {b for _, b in grown}}


def test_fast_align_agrees_with_the_library_that_learns_for_it(tmp_path: Path) -> None:
    library = pytest.importorskip("systran_align")
    sources, targets = words("en"), words("de")
    pairs = [([key(w) for w in sources[i]], [key(w) for w in targets[i]]) for i in sources]
    text, one, two = (str(tmp_path / name) for name in ("text", "one", "two"))
    Path(text).write_text("".join(f"{' '.join(a)} ||| {' '.join(b)}\n" for a, b in pairs))
    library.generate_alignment_probabilities(
        text, one, two, favor_diagonal=True, optimize_tension=True, variational_bayes=True
    )
    forward, backward = read_table(Path(one)), read_table(Path(two))
    theirs = library.Aligner(one, two).align_batch([a for a, _ in pairs], [b for _, b in pairs])

    def ours(how: Symmetry) -> list[set[tuple[int, int]]]:
        ways = [(best(a, b, forward), {(i, j) for j, i in best(b, a, backward)}) for a, b in pairs]
        return [set(symmetrise(*way, how)) for way in ways]

    grown = ours("grow-diag-final-and")
    total = shared = 0
    for row, sure, own in zip(theirs, ours("intersection"), grown, strict=True):
        links = {(int(i), int(j)) for i, j in row["alignments"]}
        assert sure <= links
        total += len(links)
        shared += len(links & own)
    # It grows in another order, so that a few links of a hundred differ.
    assert shared / total > 0.98


def test_the_same_pairs_give_the_same_links() -> None:
    pytest.importorskip("systran_align")
    assert _aligned("fast_align", "de") == _aligned("fast_align", "de")


def test_nothing_to_align() -> None:
    for aligner in (Gloss(), FastAlign()):
        assert aligner.align([], "en", "de") == []
        assert aligner.align([([], []), ([], ["a"])], "en", "de") == [(), ()]


def test_further_text_teaches(tmp_path: Path) -> None:
    pytest.importorskip("systran_align")
    more = tmp_path / "more.txt"
    more.write_text("uno ||| one\ndos ||| two\n" * 20)
    pairs = [(["uno", "dos"], ["two", "one"])]
    assert FastAlign(text=str(more)).align(pairs) == [((0, 1), (1, 0))]
    more.write_text("uno ||| one\ndos\n")
    with pytest.raises(HyperbatonError, match=r"more\.txt', line 2: no ' \|\|\| '"):
        FastAlign(text=str(more)).align(pairs)
    for use in (
        FastAlign(text="nowhere").signature,
        lambda: FastAlign(text="nowhere").align(pairs),
    ):
        with pytest.raises(HyperbatonError, match="there is no file 'nowhere'"):
            use()


@pytest.mark.parametrize(
    ("version", "advice"),
    [((3, 11), r"pip install 'hyperbaton\[align\]'"), ((3, 13), "use Python 3.11, or link words")],
)
def test_without_the_library_one_sentence(
    version: tuple[int, int], advice: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "systran_align", None)
    monkeypatch.setattr(sys, "version_info", version)
    for use in (FastAlign().signature, lambda: FastAlign().align([(["a"], ["b"])])):
        with pytest.raises(MissingExtra, match=f"systran-align is not installed.*{advice}"):
            use()


def test_a_table_of_another_release_is_refused(tmp_path: Path) -> None:
    (tmp_path / "table").write_bytes((3).to_bytes(4, "little") + bytes(4))
    with pytest.raises(HyperbatonError, match="tables of version 3, not 2"):
        read_table(tmp_path / "table")


def test_languages_without_a_dictionary_have_names_and_marks() -> None:
    found = lexical({"anna", "jest", "."}, {"anna", "är", "."}, ("pl", "sv"))
    assert sorted(found) == [(".", "."), ("anna", "anna")]
    assert Gloss().align([(["Anna", "jest", "."], ["Anna", "är", "。"])], "pl", "sv") == [
        ((0, 0), (2, 2))
    ]


def test_signatures_name_what_changes_the_links() -> None:
    assert Gloss().signature("en", "de") != Gloss().signature("en", "fr")
    pytest.importorskip("systran_align")
    plain = FastAlign(dictionary=False)
    assert plain.signature("en", "de") == plain.signature("en", "fr")
    with tempfile.NamedTemporaryFile("w") as more:
        assert FastAlign(text=more.name).signature("en", "de") != FastAlign().signature("en", "de")
