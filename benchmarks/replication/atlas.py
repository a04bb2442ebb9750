"""The page on which metric notices what: the map, what fools a metric, and all in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from benchmarks.replication.reading import plain
from benchmarks.replication.text import DOCS, Row, percent, table
from hyperbaton import __version__
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.session import Session
from hyperbaton.studies.metrics.advice import is_graded
from hyperbaton.studies.metrics.kinds import DAMAGES, EXPLAINED, NONE
from hyperbaton.studies.metrics.noticing import Noticed, Reading, pair_names, read_atlas
from hyperbaton.studies.metrics.stored import FOLDER

PAGE = DOCS / "metrics-atlas.md"
GROUPS = ("demetr-strings", "tatoeba-strings", "demetr-models", "tatoeba-models")
_NUMBERS = ("noticed", "tied", "strength")
_DIGITS = 4


def store(
    name: str, kind: str, session: Session, seconds: Callable[[], float], folder: str
) -> None:
    """Keep what the metrics of a run notice, with how it was made; models of a folder by name."""
    atlas, contents = read_atlas(session.runs), session.contents
    groups = atlas.groups()
    record = {
        "version": __version__,
        "items": atlas.items(),
        "pairs": list(pair_names(atlas.pairs).values()),
        "families": dict(atlas.families),
        "graded": [metric for metric, one in atlas.readings.items() if is_graded(one)],
        "damage": _cells(atlas.readings, {name: [name] for name in atlas.families}),
        "groups": _cells(atlas.readings, groups),
        "languages": {
            name: _cells(atlas.by_pair[pair], groups)
            for pair, name in pair_names(atlas.pairs).items()
        },
        "fooled": {m: _spans(one.fakes) for m, one in atlas.readings.items()},
        "ranked": {m: _spans(one.severities) for m, one in atlas.readings.items()},
        "advice": {one.name: one.sentence for one in contents.headlines},
        "contests": [one.sentence for one in contents.contests],
        "claims": [
            {"id": one.id, "verdict": one.verdict, "said": one.statistic, "detail": one.detail,
             "value": [one.value, one.low, one.high]}
            for one in contents.findings
        ],
        "signatures": list(contents.signatures),
        "seconds": round(seconds()),
    }  # fmt: skip
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(plain(record, _DIGITS), ensure_ascii=False, separators=(",", ":"))
    lines = text.replace('},"', '},\n"')  # a line for each kind of damage: changes can be read
    lines = lines.replace(folder, "")
    (FOLDER / f"{name}-{kind}.json").write_text(f"{lines}\n", encoding="utf-8")


def _cells(readings: Mapping[str, Reading], groups: Mapping[str, Sequence[str]]) -> Any:
    """For each group of kinds and each metric: N, and the three numbers with their intervals."""
    found: dict[str, dict[str, list[object]]] = {}
    for group, kinds in groups.items():
        means = {metric: one.mean(kinds) for metric, one in readings.items()}
        found[group] = {m: _cell(cell) for m, cell in means.items() if cell.noticed.n}
    return {group: cells for group, cells in found.items() if cells}


def _cell(cell: Noticed) -> list[object]:
    return [cell.noticed.n, *(getattr(cell, name).span for name in _NUMBERS)]


def _spans(found: Mapping[str, Aggregate]) -> dict[str, object]:
    return {name: one.span for name, one in found.items()}


def parts() -> dict[str, str]:
    """What stands between the marks of the page."""
    known = {name: json.loads(path.read_text(encoding="utf-8"))
             for name in GROUPS if (path := FOLDER / f"{name}.json").is_file()}  # fmt: skip
    demetr, tatoeba = known["demetr-strings"], known["tatoeba-strings"]
    models = [known[name] for name in GROUPS[2:] if name in known]
    return {
        "advice": _advice(demetr),
        "advice_references": _advice(tatoeba),
        "demetr": _map(demetr, _noticed),
        "tatoeba": _map(tatoeba, _punished),
        "families": _groups(demetr, _noticed_surely),
        "strengths": _groups(tatoeba, _punished_surely),
        "languages": _languages(tatoeba),
        "fooled": _fooled(demetr),
        "fooled_references": _fooled(tatoeba),
        "ranked": _ranked(demetr),
        "contests": "\n".join(f"- {one}" for one in demetr["contests"]),
        "models": "\n\n".join(_groups(one, write, head) for one, write, head in zip(
            models, (_noticed, _punished), ("DEMETR", "references"), strict=False)),
        "claim": _claim(models),
        "made": _made(known),
        "signatures": _signatures(known),
    }  # fmt: skip


Cell = Sequence[Any]
"""N; noticed, tied and strength, each with both ends of its interval, or null."""
Write = Callable[[Cell], str]


def _advice(record: Row) -> str:
    """What to take for what, a line for each family."""
    return "\n".join(f"- {record['advice'][name]}" for name in DAMAGES if name in record["advice"])


def _whole(share: float | None) -> str:
    """A share in whole percent; none that is not all, or nothing, looks so.

    >>> [_whole(share) for share in (0.9996, 1.0, 0.0004, 0.25)]
    ['>99', '100', '<1', '25']
    """
    if share is None:
        return "–"
    if 0.995 <= share < 1:
        return ">99"
    return "<1" if 0 < share < 0.005 else f"{100 * share:.0f}"


def _noticed(cell: Cell) -> str:
    """How many are scored lower; in brackets how many alike, where it is a twentieth or more."""
    _, (noticed, *_), (tied, *_), _ = cell
    return _whole(noticed) + (f" ({_whole(tied)})" if tied >= _TOLD else "")


def _punished(cell: Cell) -> str:
    """What it takes off, over what a wrong sentence costs; in brackets how many are tied."""
    _, _, (tied, *_), (strength, *_) = cell
    return _whole(strength) + (f" ({_whole(tied)})" if tied >= _TOLD else "")


_TOLD = 0.05


def _noticed_surely(cell: Cell) -> str:
    return percent(*cell[1])


def _punished_surely(cell: Cell) -> str:
    return percent(*cell[3])


def _metrics(record: Row) -> list[str]:
    return list(record["fooled"])


def _map(record: Row, write: Write) -> str:
    """Kinds of damage × metrics."""
    metrics = _metrics(record)
    rows = []
    for damage, family in record["families"].items():
        cells = record["damage"].get(damage, {})
        if cells:
            n = max(cell[0] for cell in cells.values())
            values = (write(cells[metric]) if metric in cells else "–" for metric in metrics)
            rows.append([family, f"`{damage}`", f"{n:,}", *values])
    return table(["family", "damage", "N", *(f"`{metric}`" for metric in metrics)], rows)


def _groups(record: Row, write: Write, head: str = "metric") -> str:
    """Metrics × families of damage."""
    groups = {name: cells for name, cells in record["groups"].items() if name != NONE}
    rows = [
        [f"`{metric}`"]
        + [write(cells[metric]) if metric in cells else "–" for cells in groups.values()]
        for metric in _metrics(record)
    ]
    return table([head, *groups], rows)


def _languages(record: Row) -> str:
    """What a family of damage costs under each metric in each language."""
    rows = []
    for family in DAMAGES:
        for metric in _metrics(record):
            cells = [by.get(family, {}).get(metric) for by in record["languages"].values()]
            if any(cells) and metric in record["graded"]:
                values = (_punished(cell) if cell else "–" for cell in cells)
                rows.append([family, f"`{metric}`", *values])
    return table(["family", "metric", *record["languages"]], rows)


def _fooled(record: Row) -> str:
    """How often a text that says nothing is scored no lower than half the translation."""
    names = list(next(iter(record["fooled"].values())))
    rows = [
        [f"`{metric}`", *(percent(*found[name]) for name in names)]
        for metric, found in record["fooled"].items()
    ]
    return table(["metric", *(EXPLAINED.get(name, f"`{name}`") for name in names)], rows)


def _ranked(record: Row) -> str:
    """How often the more severe of two damages costs more."""
    scales = {"severity": "as DEMETR judges severity", "cut": "by how much is cut off"}
    rows = [
        [f"`{metric}`", *(percent(*found[scale]) for scale in scales)]
        for metric, found in record["ranked"].items()
    ]
    return table(["metric", *scales.values()], rows)


def _claim(records: Iterable[Row]) -> str:
    """What the two corpora say of claim W17."""
    lines = [
        f"- {name}: {claim['verdict']}. {claim['said'].capitalize()} under BLEU than under "
        f"BERTScore: {percent(*claim['value'])}. {claim['detail'].rstrip('.')}."
        for name, record in zip(("DEMETR", "references"), records, strict=False)
        for claim in record["claims"]
    ]
    return "\n".join(lines) or "Not asked: it needs BERTScore or BLEURT."


def _made(known: Mapping[str, Row]) -> str:
    """What each part was made of, when, and how long it took."""
    lines = [
        f"- {name}: {record['items']:,} translations in {len(record['pairs'])} languages "
        f"({', '.join(record['pairs'])}), {record['seconds']} s of processor"
        for name, record in known.items()
    ]
    return "\n".join(lines)


def _signatures(known: Mapping[str, Row]) -> str:
    lines = dict.fromkeys(line for record in known.values() for line in record["signatures"])
    return "\n".join(f"    {line}" for line in lines)
