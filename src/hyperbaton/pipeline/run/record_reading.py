"""Reading run.json: whatever is wrong with it is one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.design import Comparison, Pair
from hyperbaton.pipeline.run.record import FORMAT, Progress, Record, checksum

_MOST = 1 << 40
"""Items or parts: more than any corpus has."""


def read_record(path: Path) -> Record:
    """Read run.json, or say that there is no run here."""
    if not path.is_file():
        raise HyperbatonError(f"{path.parent} holds no run of hyperbaton (no {path.name})")
    try:
        content = parse_json(path.read_text(encoding="utf-8"), path.name)
        if not isinstance(content, dict):
            raise TypeError("it is not a JSON object")
        _check_origin(path, content)
        return _record(content)
    except OSError as error:
        raise HyperbatonError(f"{path} cannot be read: {error.strerror or error}") from None
    except _Refused:
        raise
    except (HyperbatonError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise HyperbatonError(
            f"{path} is damaged ({error}): choose another folder with --out; "
            "stored translations are reused"
        ) from None


class _Refused(HyperbatonError):
    """A whole file, but not one to go on with."""


def _check_origin(path: Path, content: dict[str, object]) -> None:
    """Take format and checksum out of what was read, and refuse those that are not right."""
    if content.pop("format") != FORMAT:
        raise _Refused(
            f"{path} was written by another version of hyperbaton: use that one, "
            "or choose another folder with --out"
        )
    written = content.pop("checksum", None)  # removed by who has changed the file
    if written is not None and written != checksum({"format": FORMAT, **content}):
        raise _Refused(
            f"{path} was changed since hyperbaton wrote it: put the old file back, or choose "
            "another folder with --out; stored translations are reused (if you meant to "
            'change it, remove "checksum" from it)'
        )


def _record(content: dict[str, object]) -> Record:
    """The record of a parsed file; KeyError, TypeError and ValueError where it is not one."""
    record = Record(**content)  # type: ignore[arg-type]
    if not all(type(value) is str for value in (record.study, record.command)):
        raise TypeError("study or command is not a text")
    if type(record.part) is not int or record.part < 1:
        raise TypeError("part is not a whole number above 0")
    if not all(type(value) is bool for value in (record.by_parts, record.cells)):
        raise TypeError("by_parts or cells is neither true nor false")
    return _consistent(
        replace(
            record,
            corpora=_texts(record.corpora),
            parsers=_texts(record.parsers),
            asked={str(Pair.parse(k)): _list(v) for k, v in record.asked.items()},
            systems={k: _texts(v) for k, v in record.systems.items()},
            metrics={k: _texts(v) for k, v in record.metrics.items()},
            comparisons={k: _comparison(v) for k, v in record.comparisons.items()},
            whole=_texts(record.whole),
            poles=_list(record.poles),
            batch_bound={k: _list(v) for k, v in record.batch_bound.items()},
            progress={k: Progress(**_numbers(v)) for k, v in record.progress.items()},
            versions=_texts(record.versions),
        )
    )


def _consistent(record: Record) -> Record:
    """The same, or ValueError where one entry lacks what another one names."""
    pairs = {*record.corpora}
    about = {"asked": record.asked, "progress": record.progress}
    for name, there in {**about, **({"whole": record.whole} if record.whole else {})}.items():
        if {*there} != pairs:
            raise ValueError(f"{name} is not about the pairs of corpora")
    named = chain(*record.asked.values(), record.poles, record.batch_bound)
    if not {*record.systems}.issuperset(named):
        raise ValueError("a system that is named is not among the systems")
    for name, comparison in record.comparisons.items():
        if comparison.name != name or not {*record.metrics}.issuperset(comparison.metrics or ()):
            raise ValueError(f"the comparison {name} does not fit its name or the metrics")
    for progress in record.progress.values():
        if not record.cells and progress.parts != -(-progress.items // record.part):
            raise ValueError(f"{progress.items} items do not make {progress.parts} parts")
    return record


def _comparison(content: object) -> Comparison:
    if not isinstance(content, dict):
        raise TypeError("a comparison is not an object")
    found = Comparison(**{**content, "metrics": _list(content["metrics"])})
    texts = (found.name, found.hypothesis, found.reference, found.side, found.source or "")
    if not all(type(text) is str for text in texts) or type(found.identity) is not bool:
        raise TypeError("a value of a comparison has the wrong type")
    return found


def _numbers(content: object) -> dict[str, int]:
    if not isinstance(content, dict) or not all(type(v) is int for v in content.values()):
        raise TypeError("a value is not a whole number")
    if not all(0 <= value < _MOST for value in content.values()):
        raise ValueError("a number of items or parts is out of bounds")
    return content


def _list(content: object) -> tuple[str, ...]:
    if not isinstance(content, list | tuple) or not all(type(text) is str for text in content):
        raise TypeError("a list of texts is something else")
    return tuple(content)


def _texts(content: Mapping[str, str]) -> dict[str, str]:
    if not all(type(value) is str for value in content.values()):
        raise TypeError("a value is not a text")
    return dict(content)
