"""Every item has an id of its own: a corpus in which one comes again is refused."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Corpus, Files, Items, Pair, execute
from hyperbaton.pipeline.corpora import count_items
from hyperbaton.studies.isometry.study import PairedFiles
from hyperbaton.studies.repairs import Sentences

from .small import corpus, job, logged, on_desk

PAIR = Pair("en", "de")
FAR = 300
"""More items than a part has."""
TREE = """# sent_id = {id}
1\tTom\t_\tPROPN\t_\t_\t2\tnsubj\t_\t_
2\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


def _tsv(folder: Path) -> Corpus:
    """Two files in one, as `cat` makes them."""
    rows = [f"s{n}\tLine {n} of {part}.\tZeile.\n" for part in "ab" for n in range(FAR)]
    (folder / "x.tsv").write_text("id\tsource\treference\n" + "".join(rows))
    return Files(PAIR, (str(folder / "x.tsv"),))


def _jsonl(folder: Path) -> Corpus:
    rows = [{"id": n % FAR, "source": f"Line {n}.", "reference": "Zeile."} for n in range(FAR + 1)]
    (folder / "x.jsonl").write_text("\n\n".join(map(json.dumps, rows)))
    return Files(PAIR, (str(folder / "x.jsonl"),))


def _conllu(folder: Path) -> Corpus:
    ids = ["a", "b", "c", "b"]
    (folder / "x.conllu").write_text("".join(TREE.format(id=name) for name in ids))
    return Files(PAIR, (str(folder / "x.conllu"),))


def _aligned(folder: Path) -> Corpus:
    _conllu(folder)
    (folder / "x.de").write_text("Tom schläft\n" * 4)
    return Files(PAIR, (str(folder / "x.de"), str(folder / "x.conllu")))


def _repairs(folder: Path) -> Corpus:
    rows = [f"r{n % 2}\tkind\t{lang}\tboth\ta {n}\tb\n" for n in range(3) for lang in ("en", "de")]
    (folder / "x.tsv").write_text("".join(rows))
    return Sentences(PAIR, folder / "x.tsv")


def _python(folder: Path) -> Corpus:
    return Items(PAIR, [Item("7", "a", "b"), Item("8", "a", "b"), Item("7", "c", "d")])


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_tsv, "x.tsv, line 302: the id 's0' of {}x.tsv, line 2 comes again (and 299 other ids)"),
        (_jsonl, "x.jsonl, line 601: the id '0' of {}x.jsonl, line 1 comes again;"),
        (_conllu, "x.conllu, line 13: the id 'b' of {}x.conllu, line 5 comes again;"),
        (_aligned, "x.conllu, line 13: the id 'b' of {}x.conllu, line 5 comes again;"),
        (_repairs, "x.tsv, line 5: the id 'r0' of {}x.tsv, line 1 comes again;"),
        (_python, "item 3 of en-de: the id '7' of item 1 of en-de comes again;"),
    ],
    ids=["TSV", "JSONL", "CoNLL-U", "aligned CoNLL-U", "minimal pairs", "Python"],
)
def test_both_places_are_named(make: object, said: str, tmp_path: Path) -> None:
    assert callable(make)
    with pytest.raises(HyperbatonError) as error:
        count_items(make(tmp_path))
    folder = "" if make is _python else f"{tmp_path}/"
    assert str(error.value).startswith(folder + said.format(folder))
    assert "give every item an id of its own" in str(error.value)


def test_items_without_ids_are_numbered(tmp_path: Path) -> None:
    """So the same line may come again, in whatever format."""
    (tmp_path / "x.en").write_text("A.\nB.\n" * FAR)
    (tmp_path / "x.tsv").write_text("A.\tB.\t1\n" * FAR)
    assert count_items(Files(PAIR, (str(tmp_path / "x.en"), str(tmp_path / "x.en")))) == 2 * FAR
    assert count_items(Files(PAIR, (str(tmp_path / "x.tsv"),))) == FAR
    assert count_items(PairedFiles(PAIR, (tmp_path / "x.tsv",))) == FAR


def test_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_desk(tmp_path, monkeypatch)
    items = corpus().sequence
    twice = Items(PAIR, [*items, replace(items[-1], id=items[0].id)])
    with pytest.raises(HyperbatonError, match="item 41 of en-de: the id 'i0'"):
        execute(job(tmp_path, corpora=(twice,)), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert logged(tmp_path) == []


class _Clash(str):
    """A text whose hash is that of every other one."""

    __slots__ = ()

    def __hash__(self) -> int:
        return 7


def test_hashes_that_clash_are_no_repeated_ids() -> None:
    names = ["a", "b", "c", "d"]
    assert count_items(Items(PAIR, [Item(_Clash(n), "x") for n in names])) == 4
    with pytest.raises(HyperbatonError, match=r"item 5 .*'c' of item 3"):
        count_items(Items(PAIR, [Item(_Clash(n), "x") for n in [*names, "c"]]))


class _Long(Corpus):
    pair = PAIR

    def items(self) -> Iterator[Item]:
        return (Item(f"sentence-{n}", "x") for n in range(200_000))

    @property
    def identity(self) -> str:
        return "long"


def test_some_bytes_an_id() -> None:
    tracemalloc.start()
    assert count_items(_Long()) == 200_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20 * 200_000
