"""TSV and JSON Lines: columns by name or number, and errors with file and line."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.corpus.tables import Columns

DATA = Path(__file__).parents[3] / "shared/data"


def read(tmp_path: Path, name: str, text: str, columns: Columns | None = None) -> list[Item]:
    path = tmp_path / name
    path.write_text(text)
    return list(open_corpus(path, columns=columns or Columns()))


def test_tsv_by_header_by_number_and_as_usual(tmp_path: Path) -> None:
    table = "id\tsentence1\tsentence2\tlabel\n7\teins\tzwei\t1\n"
    (item,) = read(tmp_path, "a.tsv", table, Columns("sentence1", "sentence2", "id"))
    assert item == Item("7", "eins", "zwei", {"label": "1"})
    (item,) = read(tmp_path, "a.tsv", 'say "hi\tGruß\tTatoeba\n')
    assert item == Item("1", 'say "hi', "Gruß", {"3": "Tatoeba"})
    (item,) = read(tmp_path, "a.tsv", "x\tb\ta\n", Columns(3, 2))
    assert item == Item("1", "a", "b", {"1": "x"})
    (item,) = read(tmp_path, "a.tsv", "reference\tsource\nR\tS\n")
    assert item == Item("1", "S", "R", {})
    (item,) = read(tmp_path, "a.tsv", "only\n")
    assert item == Item("1", "only")


def test_a_header_may_name_the_languages(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("id\tde\ten-GB\n7\tRot\tRed\n")
    assert list(open_corpus(path, languages=["en", "de"])) == [Item("7", "Red", "Rot", {})]
    path.write_text("No\tHello\n")
    assert list(open_corpus(path, languages=["no"])) == [Item("1", "No", "Hello", {})]


def test_a_header_is_not_taken_for_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("id\ten\tde\n7\tRed\tRot\n")
    with pytest.raises(HyperbatonError, match=r"looks like a header.*\(columns: id, en, de\)"):
        list(open_corpus(path, languages=["en", "fr"]))


def test_jsonl(tmp_path: Path) -> None:
    text = '{"id": 3, "source": "a", "reference": "b", "k": [1, "ü"]}\n\n{"source": "c"}\n'
    assert read(tmp_path, "a.jsonl", text) == [
        Item("3", "a", "b", {"k": '[1, "ü"]'}),
        Item("2", "c"),
    ]
    assert read(tmp_path, "a.ndjson", '{"s1": "x", "s2": "y"}', Columns("s1", "s2")) == [
        Item("1", "x", "y")
    ]


def test_null_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"line 1: 'source' is not text but null"):
        read(tmp_path, "a.jsonl", '{"source": null}\n')
    assert read(tmp_path, "a.jsonl", '{"source": "a", "reference": null}\n') == [Item("1", "a")]


def test_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [{"source": f"s{n}", "reference": f"r{n}", "n": n, "raw": b"x"} for n in range(10_001)]
    pl.DataFrame(rows).write_parquet(path)
    items = list(open_corpus(path))
    assert len(items) == 10_001
    assert items[10_000] == Item("10001", "s10000", "r10000", {"n": "10000"})
    (item, *_) = open_corpus(path, columns=Columns("reference", "source"))
    assert (item.source, item.reference) == ("r0", "s0")
    pl.DataFrame({"id": [7, 8], "translation": [{"en": "dog", "de": "Hund"}] * 2}).write_parquet(
        path
    )
    assert list(open_corpus(path, languages=["de", "en"])) == [
        Item("7", "Hund", "dog"),
        Item("8", "Hund", "dog"),
    ]
    assert [i.source for i in open_corpus(path, languages=["en"])] == ["dog", "dog"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"text": ["a"]}, r"row 1: no column 'source' \(columns: text\)"),
        ({"source": [3]}, "row 1: 'source' is not text but a number"),
        ({"source": ["a", None]}, "row 2: 'source' is not text but null"),
        ({"source": pl.Series([], dtype=pl.String)}, "holds no rows"),
        ({"translation": [{"en": "a"}]}, r"row 1: 'translation' has no text in de \(it has: en\)"),
        ({"translation": [{"en": "a", "de": None}]}, "row 1: 'translation' has no text in de"),
        ({"raw": [b"x"]}, "has no column of texts"),
        (None, "cannot be read as Parquet"),
    ],
)
def test_parquet_that_will_not_do(
    data: dict[str, object] | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.parquet"
    if data is None:
        path.write_bytes(b"PAR1 and something else")
    else:
        pl.DataFrame(data).write_parquet(path)
    with pytest.raises(HyperbatonError, match=message):
        list(open_corpus(path, languages=["en", "de"]))


def test_parquet_is_a_file(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"none\.parquet: no such file"):
        list(open_corpus(tmp_path / "none.parquet"))
    with pytest.raises(HyperbatonError, match="not read from standard input"):
        list(open_corpus("-", format="parquet"))


def test_rows_of_hugging_faces_datasets(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": "9", "translation": {"de": "Hund", "en": "dog", "fr": null}, "k": 1}\n'
        '{"translation": {"en_US": "cat", "de": "Katze"}}\n'
    )
    assert list(open_corpus(path, languages=["en", "de"])) == [
        Item("9", "dog", "Hund", {"k": "1"}),
        Item("2", "cat", "Katze"),
    ]
    assert [item.source for item in open_corpus(path, languages=["de"])] == ["Hund", "Katze"]
    assert next(open_corpus(path)) == Item("9", "Hund", "dog", {"k": "1"})
    with pytest.raises(HyperbatonError, match=r"line 1: 'translation' has no text in fr \(it has"):
        list(open_corpus(path, languages=["en", "fr"]))


@pytest.mark.parametrize(
    ("name", "text", "columns", "message"),
    [
        ("a.tsv", "a\tb\n", Columns(3), "line 1: no column 3, the line has 2"),
        ("a.tsv", "a\tb\nc\n", Columns(1, 2), "line 2: no column 2, the line has 1"),
        ("a.tsv", "src\tb\nc\td\n", Columns("sr"), "no column 'sr' .*Did you mean 'src'"),
        ("a.tsv", "source\tb\nc\n", None, "line 2: 1 column where the header has 2"),
        ("a.tsv", "source\tb\n", None, "has a header and nothing below it"),
        ("a.tsv", "source\tsource\nc\td\n", None, "line 1: two columns are called 'source'"),
        ("a.jsonl", '{"source": "a"}\n{"source": \n', None, "line 2, column 12: not JSON"),
        ("a.jsonl", "[1]\n", None, "line 1: not an object but a list"),
        ("a.jsonl", '{"source": 3}\n', None, "line 1: 'source' is not text but a number"),
        ("a.jsonl", '{"src": "x"}\n', None, r"line 1: no column 'source' \(columns: src\)"),
        ("a.jsonl", '{"src": "x"}\n', Columns(1), "have names, not numbers"),
        ("a.csv", "a,b\n", None, "CSV is not read"),
        ("a.json", "{}", None, "one object per line"),
    ],
)
def test_errors(
    name: str, text: str, columns: Columns | None, message: str, tmp_path: Path
) -> None:
    with pytest.raises(HyperbatonError, match=message) as caught:
        read(tmp_path, name, text, columns)
    assert name in str(caught.value)


def test_a_table_comes_alone(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"give it alone: a\.tsv and b\.txt"):
        open_corpus("a.tsv", "b.txt")
    with pytest.raises(HyperbatonError, match="no file was given"):
        open_corpus()


@pytest.mark.skipif(not DATA.is_dir(), reason="the data are not here")
def test_real_tables() -> None:
    bitext = open_corpus(DATA / "bitext/en-de.tsv.xz")
    assert next(bitext) == Item("1", "Hi.", "Hallo!", {"3": "tatoeba-anki"})
    pairs = list(open_corpus(DATA / "pawsx/dev-de.tsv"))
    assert {item.columns["3"] for item in pairs} == {"0", "1"}
