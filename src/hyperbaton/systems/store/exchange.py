"""Export texts that are translated elsewhere, and read their translations."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path

from hyperbaton.base.content import MARKUP, markup_of, parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.language.languages import base, text_in
from hyperbaton.systems.store.store import text_id

_SOURCE = ("source", "text", "src", "src_text")
_ANSWER = ("translation", "output", "hypothesis", "target", "hyp")
_ID = re.compile(r"[0-9a-f]{32}")


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 file, without their ends."""
    data = _content(path)
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    return [_decoded(line, path, number) for number, line in enumerate(lines, 1)]


def _content(path: Path) -> bytes:
    """The bytes of a file of lines; one with markup is refused."""
    try:
        data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    except OSError as error:
        raise HyperbatonError(f"{path} cannot be read: {error.strerror}") from None
    if form := markup_of(data):
        raise HyperbatonError(
            f"{path} is {MARKUP[form]}, not one text per line: read it into the store with "
            "hyperbaton import, and use it as recorded:NAME"
        )
    return data


def _decoded(line: bytes, path: Path, number: int) -> str:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError:
        raise HyperbatonError(f"{path}, line {number}: not UTF-8; convert it with iconv") from None


def written(texts: Iterable[str], form: str) -> Iterator[str]:
    """The lines of an export: JSONL and TSV carry an id for each text, text does not."""
    for number, text in enumerate(texts, 1):
        if form == "jsonl":
            yield json.dumps({"id": text_id(text), "text": text}, ensure_ascii=False)
            continue
        if len(text.splitlines()) > 1 or (form == "tsv" and "\t" in text):
            raise HyperbatonError(
                f"text {number} holds a line break or a tab, which {form} cannot: use jsonl"
            )
        yield f"{text_id(text)}\t{text}" if form == "tsv" else text


def read_sources(path: Path) -> dict[str, str]:
    """The texts of an export or of any text file, by id, in their order."""
    texts: dict[str, str] = {}
    for number, line in enumerate(read_lines(path), 1):
        if path.suffix == ".jsonl":
            text = _first(parse_object(line, f"{path}, line {number}"), _SOURCE)
            if text is None:
                raise HyperbatonError(f"{path}, line {number}: there is no field 'text'")
        elif path.suffix == ".tsv":
            first, tab, rest = line.partition("\t")
            text = rest if tab and _ID.fullmatch(first) else first
        else:
            text = line
        texts[text_id(text)] = text
    return texts


def read_answers(
    path: Path, sources: Path | None = None, languages: tuple[str, str] = ("", "")
) -> dict[str, str]:
    """Translations by the id of their source; the first counts where a source occurs twice."""
    answers: dict[str, str] = {}
    for key, answer in read_pairs(path, sources, languages):
        answers.setdefault(key, answer)
    return answers


def read_pairs(
    path: Path, sources: Path | None = None, languages: tuple[str, str] = ("", "")
) -> list[tuple[str, str]]:
    """The id of each source and its translation, from JSONL, TSV, or text with its sources.

    A JSONL line without a translation is passed over, as is one into another language (`tgt_lang`).
    One without a source finds it by `doc_id` in the sources, as WMT has it since 2025.
    """
    pairs: Iterable[tuple[str, str] | None]
    read: Callable[[str, Path, int], tuple[str, str] | None]
    if path.suffix in (".jsonl", ".tsv"):
        known = _documents(sources) if sources is not None and sources.suffix == ".jsonl" else {}
        from_json = partial(_from_json, languages=languages, documents=known)
        read = from_json if path.suffix == ".jsonl" else _from_tsv
        pairs = (read(line, path, n) for n, line in enumerate(read_lines(path), 1) if line.strip())
    elif sources is None:
        _content(path)
        raise HyperbatonError(
            f"{path} is plain text: name the file of its sources too, line for line "
            "(or use .jsonl or .tsv)"
        )
    else:
        pairs = _aligned(path, sources)
    return [pair for pair in pairs if pair is not None]


def _documents(path: Path) -> dict[str, str]:
    """The texts of a JSONL file by their `doc_id`, those that have one."""
    records = [
        parse_object(line, f"{path}, line {n}")
        for n, line in enumerate(read_lines(path), 1)
        if line.strip()
    ]
    found = ((record.get("doc_id"), _first(record, _SOURCE)) for record in records)
    return {str(name): text for name, text in found if name is not None and text is not None}


def _aligned(path: Path, sources: Path) -> list[tuple[str, str]]:
    answers, texts = read_lines(path), _source_lines(sources)
    if len(answers) != len(texts):
        raise HyperbatonError(
            f"{path} has {counted(len(answers), 'line')} but {sources} has {len(texts):,}: "
            "each line needs one"
        )
    return [(text_id(text), answer) for text, answer in zip(texts, answers, strict=True)]


def _source_lines(path: Path) -> list[str]:
    """Every line of the sources, those that occur twice too."""
    if path.suffix in (".jsonl", ".tsv"):
        return list(read_sources(path).values())
    return read_lines(path)


def _from_tsv(line: str, path: Path, number: int) -> tuple[str, str] | None:
    cells = line.split("\t")
    if len(cells) < 2:
        raise HyperbatonError(f"{path}, line {number}: no tab between source and translation")
    if number == 1 and cells[0] in (*_SOURCE, "id") and cells[-1] in _ANSWER:
        return None
    first = cells[0]
    # An export with a column of translations added has three: id, text, translation.
    return (first if _ID.fullmatch(first) else text_id(first)), cells[-1]


def _from_json(
    line: str,
    path: Path,
    number: int,
    languages: tuple[str, str],
    documents: Mapping[str, str],
) -> tuple[str, str] | None:
    record = parse_object(line, f"{path}, line {number}")
    if isinstance(texts := record.get("translation"), dict) and all(languages):
        # As Hugging Face's datasets have it: {"translation": {"en": …, "de": …}}.
        known = {code: text for code, text in texts.items() if isinstance(text, str)}
        pair = [text_in(language, known, f"{path}, line {number}") for language in languages]
        if pair[0] is None or pair[1] is None:
            return None
        return text_id(pair[0]), pair[1]
    answer, target = _first(record, _ANSWER), record.get("tgt_lang")
    source = _first(record, _SOURCE)
    source = documents.get(str(record.get("doc_id"))) if source is None else source
    key = record.get("id")
    other = languages[1] and isinstance(target, str) and base(target) != base(languages[1])
    if answer is None or other:
        return None
    if source is not None:
        return text_id(source), answer
    if isinstance(key, str) and _ID.fullmatch(key):
        return key, answer
    raise HyperbatonError(
        f"{path}, line {number}: there is neither a field 'source' nor an id from hyperbaton "
        "export (nor a doc_id of the sources)"
    )


def _first(record: Mapping[str, object], names: Iterable[str]) -> str | None:
    for name in names:
        value = record.get(name)
        if isinstance(value, str):
            return value
    return None
