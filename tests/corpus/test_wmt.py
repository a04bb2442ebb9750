"""Folders in WMT's layout: suites, their twins, and the systems beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.named import CORPORA
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.corpus.wmt import Wmt
from tests.corpus.wmt_folder import CLEAN, MAIN, NOISY, write_wmt


@pytest.mark.parametrize("within", ["txt-ts", "txt", "."])
def test_the_layout_is_found(tmp_path: Path, within: str) -> None:
    folder = Wmt(str(write_wmt(tmp_path, within))).folder("en", "es")
    assert {name: len(items) for name, items in folder.suites.items()} == {"test": 2, "rocs-mt": 12}
    assert list(folder.systems) == ["A", "B", "C"]  # refA is a reference


def test_items_hold_references_documents_and_their_lines(tmp_path: Path) -> None:
    main = list(open_corpus(f"wmt:{write_wmt(tmp_path)}", languages=["en", "es"]))
    assert [(item.source, item.reference) for item in main] == MAIN
    assert [item.id for item in main] == ["2", "3"]
    suite = list(Wmt(str(tmp_path), "rocs-mt").items("en", "es"))
    assert {item.reference for item in suite} == {None}
    assert [item.columns["document"] for item in suite[:3]] == ["nm-0", "nm-0", "nm-1"]


def test_twins_are_lines_of_documents_of_one_number(tmp_path: Path) -> None:
    twins = Wmt(str(write_wmt(tmp_path)), "rocs-mt").twins("en", "es")
    assert [(clean.source, noisy and noisy.source) for clean, noisy in twins] == [
        pair for two in zip(CLEAN, NOISY, strict=True) for pair in zip(*two, strict=True)
    ]


def test_documents_of_other_lengths_have_no_twins(tmp_path: Path) -> None:
    write_wmt(tmp_path)
    names = tmp_path / "txt-ts" / "documents" / "en-es.docs"
    lines = names.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if line.endswith("rm-0\n"))
    lines[at] = lines[at].replace("rm-0", "rm-9")
    names.write_text("".join(lines))
    twins = list(Wmt(str(tmp_path), "rocs-mt").twins("en", "es"))
    assert [noisy is None for _, noisy in twins] == [True, True, False, False]


def test_names_print_as_they_parse() -> None:
    for corpus in (Wmt("a"), Wmt("a b/(c)", "x-y")):
        assert CORPORA.parse(str(corpus)) == corpus


@pytest.mark.parametrize(
    ("suite", "pair", "sentence"),
    [
        ("rocs", "en-es", r"no suite 'rocs' in en-es; it has: test, rocs-mt. Did you mean"),
        ("test", "en-de", "has no en-de; it has en-es"),
    ],
)
def test_what_is_not_there_is_said(tmp_path: Path, suite: str, pair: str, sentence: str) -> None:
    with pytest.raises(HyperbatonError, match=sentence):
        list(Wmt(str(write_wmt(tmp_path)), suite).items(*pair.split("-")))


def test_other_folders_and_uneven_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="not in WMT's layout"):
        list(Wmt(str(tmp_path)).items("en", "es"))
    with pytest.raises(HyperbatonError, match="no such folder"):
        list(Wmt(str(tmp_path / "no")).items("en", "es"))
    with pytest.raises(HyperbatonError, match="no clean and noisy versions"):
        list(Wmt(str(write_wmt(tmp_path))).twins("en", "es"))
    (tmp_path / "txt-ts" / "documents" / "en-es.docs").write_text("news\tone\n")
    with pytest.raises(HyperbatonError, match="has 1 line but"):
        list(Wmt(str(tmp_path)).items("en", "es"))
