"""The explorer's columns say what the rows said."""

from __future__ import annotations

from itertools import accumulate
from typing import cast

import polars

from hyperbaton.report import Explorer
from hyperbaton.report.page.columns import encode
from hyperbaton.report.page.data import pack, unpack
from tests.report.sample import explorer


def _decoded(encoded: object) -> list[str | None]:
    column = cast(dict[str, list[object]], encoded)
    strings = cast(list[str], column["strings"])
    codes = accumulate(cast(list[int], column["steps"]))
    return [None if code < 0 else strings[code] for code in codes]


def test_every_column_comes_back() -> None:
    shown = explorer(300)
    rows = shown.rows
    data = cast(dict[str, list[dict[str, object]]], unpack(pack(encode(shown))))
    for text, name in zip(data["texts"], shown.texts, strict=True):
        assert _decoded(text) == rows[name].to_list()
    words = [column.split("\x1f") for column in _decoded(data["words"][1]) if column]
    assert words == rows["source_words"].to_list()
    orders = [[int(i) for i in column.split()] for column in _decoded(data["orders"][1]) if column]
    assert orders == rows["source_order"].to_list()
    assert data["scores"][1]["values"] == rows["beta1"].to_list()
    assert _decoded(data["filters"][0]) == rows["language"].to_list()
    assert _decoded(data["filters"][3]) == ["yes" if flip else "no" for flip in rows["flip"]]
    assert data["texts"][1]["words"] == data["texts"][0]["words"] == 1
    assert data["texts"][0]["order"] is None


def test_gaps_and_odd_types() -> None:
    rows = polars.DataFrame(
        {
            "text": [None, "a", None, "a", "b"],
            "words": [None, ["a"], None, ["a"], []],
            "score": [None, float("nan"), 1.23456, -1.0, 2.0],
            "length": [3, None, 3, 10, 3],
            "flip": [None, True, False, True, None],
            "never": polars.Series([None] * 5, dtype=polars.String),
        }
    )
    shown = Explorer(
        rows,
        texts={"text": "text", "never": "never"},
        scores={"score": "score"},
        filters={"length": "length", "flip": "flip"},
        words={"text": "words"},
    )
    data = cast(dict[str, list[dict[str, object]]], unpack(pack(encode(shown))))
    assert _decoded(data["texts"][0]) == [None, "a", None, "a", "b"]
    assert _decoded(data["texts"][1]) == [None] * 5
    assert _decoded(data["filters"][0]) == ["3", None, "3", "10", "3"]
    assert _decoded(data["filters"][1]) == [None, "yes", "no", "yes", None]
    assert data["scores"][0]["values"] == [None, None, 1.2346, -1.0, 2.0]


def test_no_rows() -> None:
    shown = explorer(20)
    data = encode(Explorer(shown.rows.clear(), shown.texts, shown.scores, shown.filters))
    assert data["size"] == 0


def test_a_broken_answer_of_a_system_is_packed() -> None:
    assert unpack(pack({"text": "half \ud800 pair", "x": float("inf")})) == {
        "text": "half ? pair",
        "x": None,
    }
