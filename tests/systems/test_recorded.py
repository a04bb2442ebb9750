"""Translations from files, from functions, and from the probes themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.opening import open_corpus
from hyperbaton.systems.controls import Control, Copy, Literal, Oracle
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store, text_id
from hyperbaton.systems.system import SYSTEMS, Translation

PAIRS = {"A house.": "Ein Haus.", "A tab\there": "Ein Tab", "": "", "Two\nlines": "Zwei"}


def _outputs(spec: str, texts: list[str]) -> list[str | None]:
    with SYSTEMS.parse(spec).open("en", "de") as translator:
        return [answer.text for answer in translate_all(translator, texts)]


def _jsonl(path: Path, rows: list[dict[str, object]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize("source", ["source", "text", "src"])
@pytest.mark.parametrize("answer", ["translation", "output", "hypothesis", "target"])
def test_jsonl_with_sources(tmp_path: Path, source: str, answer: str) -> None:
    rows: list[dict[str, object]] = [{source: s, answer: t, "more": 1} for s, t in PAIRS.items()]
    path = _jsonl(tmp_path / "a.jsonl", rows)
    texts = ["Two\nlines", "A house.", " A house. ", "Another."]
    assert _outputs(f"file:{path}", texts) == ["Zwei", "Ein Haus.", "Ein Haus.", None]


def test_wmt_names_documents(tmp_path: Path) -> None:
    """As the submissions of WMT25 do: a line for each document and language, without its source."""
    documents: list[dict[str, object]] = [
        {"doc_id": f"d{n}", "src_lang": "en", "tgt_lang": "de_DE", "src_text": text}
        for n, text in enumerate(["A house.", "A dog.\n\nIt sleeps."])
    ]
    documents.append({"doc_id": "d2", "src_lang": "en", "tgt_lang": "cs_CZ", "src_text": "A cat."})
    answers: list[dict[str, object]] = [
        {"doc_id": "d1", "tgt_lang": "cs_CZ", "hypothesis": "Pes."},
        {"doc_id": "d1", "tgt_lang": "de_DE", "hypothesis": "Ein Hund.\n\nEr schläft."},
        {"doc_id": "d0", "tgt_lang": "de_DE", "hypothesis": "Ein Haus."},
    ]
    sources, path = _jsonl(tmp_path / "s.jsonl", documents), _jsonl(tmp_path / "a.jsonl", answers)
    items = list(open_corpus(sources, languages=("en", "de")))
    assert [(item.id, item.source) for item in items] == [
        ("d0", "A house."), ("d1", "A dog.\n\nIt sleeps.")
    ]  # fmt: skip
    outputs = _outputs(f"file:{path}(sources={sources})", [item.source_text for item in items])
    assert outputs == ["Ein Haus.", "Ein Hund. Er schläft."]


def test_jsonl_with_ids_and_gaps(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"id": text_id("a"), "translation": "A"},
        {"id": text_id("b"), "text": "b", "translation": None},
    ]
    path = _jsonl(tmp_path / "a.jsonl", rows)
    assert _outputs(f"file:{path}", ["a", "b"]) == ["A", None]


@pytest.mark.parametrize("header", ["", "source\ttranslation\n", "id\ttext\ttranslation\n"])
def test_tsv(tmp_path: Path, header: str) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(f"{header}one\teins\n{text_id('two')}\ttwo\tzwei\none\tuno\n")
    assert _outputs(f"file:{path}", ["one", "two"]) == ["eins", "zwei"]


def test_aligned_text(tmp_path: Path) -> None:
    (tmp_path / "in.en").write_text("one\r\ntwo\r\n\r\nthree", newline="")
    (tmp_path / "out.de").write_bytes(b"\xef\xbb\xbfeins\nzwei\n\ndrei\n")
    spec = f"file:{tmp_path}/out.de(sources={tmp_path}/in.en)"
    assert _outputs(spec, ["three", "one", "two"]) == ["drei", "eins", "zwei"]
    assert str(SYSTEMS.parse(spec)) == spec


def test_many_gaps_in_a_row_hide_no_answer(tmp_path: Path) -> None:
    path = _jsonl(tmp_path / "a.jsonl", [{"source": "x", "translation": "y"}])
    texts = [f"gap {n}" for n in range(500)] + ["x"]
    assert _outputs(f"file:{path}", texts) == [None] * 500 + ["y"]


def test_another_content_is_another_system(tmp_path: Path) -> None:
    path = _jsonl(tmp_path / "a.jsonl", [{"source": "x", "translation": "y"}])
    first = SYSTEMS.parse(f"file:{path}").open("en", "de").signature
    _jsonl(path, [{"source": "x", "translation": "z"}])
    assert SYSTEMS.parse(f"file:{path}").open("en", "de").signature != first


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("a.jsonl", b'{"source": "x"\n', "a.jsonl, line 1, column 15: not JSON"),
        ("a.jsonl", b"[1]\n", "a.jsonl, line 1: not a JSON object"),
        (
            "a.jsonl",
            b'{"translation": "x"}\n',
            "line 1: there is neither a field 'source' nor an id",
        ),
        ("a.jsonl", b'{"source": "x"}\n', "holds no translation"),
        ("a.tsv", b"a\tb\nc\n", "a.tsv, line 2: no tab"),
        ("a.tsv", b"a\tb\nc\t\xff\n", "a.tsv, line 2: not UTF-8"),
        ("a.txt", b"x\n", "is plain text: name the file of its sources too"),
    ],
)
def test_files_that_cannot_be_read(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(HyperbatonError, match=sentence):
        SYSTEMS.parse(f"file:{tmp_path / name}").open("en", "de")


def test_line_counts_that_differ_are_named(tmp_path: Path) -> None:
    (tmp_path / "in").write_text("a\nb\n")
    (tmp_path / "out").write_text("A\n")
    with pytest.raises(HyperbatonError, match=r"out has 1 line but .*in has 2"):
        SYSTEMS.parse(f"file:{tmp_path}/out(sources={tmp_path}/in)").open("en", "de")


def test_recorded_answers_come_from_the_store(tmp_path: Path) -> None:
    translator = SYSTEMS.parse("recorded:deepl").open("en", "de")
    with Store(tmp_path) as store:
        store.save(translator.signature, {"x": Translation("y")})
        answers = translate_all(translator, ["x", "z"], store=store)
        assert [a.text for a in answers] == ["y", None]
        assert "hyperbaton import" in answers[1].fault
        store.save(translator.signature, {"z": Translation("w")})
        assert translate_all(translator, ["z"], store=store) == [Translation("w")]


FUNCTIONS = """
def shout(texts):
    return [text.upper() for text in texts]

def pair(texts, *, source, target):
    return [f"{source}>{target} {text}" for text in texts]

def short(texts):
    return texts[1:]

def odd(texts):
    return [None if text == "b" else text for text in texts]

def text(texts):
    return "one string"

def broken(texts):
    if "b" in texts:
        raise ZeroDivisionError("by zero")
    return texts

number = 3
"""


@pytest.fixture
def functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"functions_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(FUNCTIONS)
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


@pytest.mark.parametrize(
    ("function", "outputs"),
    [
        ("shout", ["A", "B", "C"]),
        ("pair", ["en>de a", "en>de b", "en>de c"]),
        ("short", [None, None, None]),
        ("odd", ["a", None, "c"]),
        ("text", [None, None, None]),
        ("broken", ["a", None, "c"]),
    ],
)
def test_functions(functions: str, function: str, outputs: list[str | None]) -> None:
    assert _outputs(f"python:{functions}:{function}", ["a", "b", "c"]) == outputs


def test_functions_that_are_not_there(functions: str) -> None:
    with pytest.raises(HyperbatonError, match=r"no function 'shuot'. Did you mean 'shout'\?"):
        SYSTEMS.parse(f"python:{functions}:shuot").open("en", "de")
    with pytest.raises(HyperbatonError, match="no function 'number'"):
        SYSTEMS.parse(f"python:{functions}:number").open("en", "de")
    with pytest.raises(HyperbatonError, match="there is no module 'nowhere'"):
        SYSTEMS.parse("python:nowhere:f").open("en", "de")
    with pytest.raises(HyperbatonError, match="python:module:function"):
        SYSTEMS.parse(f"python:{functions}").open("en", "de")


def test_a_changed_function_is_another_system(functions: str, tmp_path: Path) -> None:
    spec = f"python:{functions}:shout"
    first = SYSTEMS.parse(spec).open("en", "de").signature
    assert SYSTEMS.parse(f"{spec}(batch=3)").open("en", "de").signature == first
    assert SYSTEMS.parse(f"{spec}(version=3)").open("en", "de").signature != first
    (tmp_path / f"{functions}.py").write_text(FUNCTIONS + "\n")
    assert SYSTEMS.parse(spec).open("en", "de").signature != first


PROBE = {"source": "s", "varied": "v", "reference": "r", "varied_reference": "vr"}


@pytest.mark.parametrize(
    ("control", "outputs"), [(Oracle(), ("r", "r")), (Literal(), ("r", "vr")), (Copy(), ("s", "v"))]
)
def test_controls_answer_from_the_probe(control: Control, outputs: tuple[str, str]) -> None:
    assert SYSTEMS.parse(str(control)) == control
    assert tuple(answer.text for answer in control.answer(PROBE)) == outputs


def test_controls_without_references_say_so() -> None:
    output, varied = Literal().answer({"source": "s", "reference": "r", "varied_reference": None})
    assert output.text == "r"
    assert varied.fault == "the probe has no varied_reference, which 'literal' answers with"
    for control in (Oracle(), Literal()):
        with pytest.raises(HyperbatonError, match="answers with references"):
            control.open("en", "de")
    assert _outputs("copy", ["a", "b"]) == ["a", "b"]


def test_an_unknown_backend_gets_a_hint() -> None:
    with pytest.raises(HyperbatonError, match=r"unknown system 'opnai'. Did you mean 'openai'\?"):
        SYSTEMS.parse("opnai:gpt")
