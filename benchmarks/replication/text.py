"""Numbers as the tables of a page, and the places of a page where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hyperbaton.base.wording import precision, show
from hyperbaton.studies.layer.register import claims

Row = Mapping[str, Any]
DOCS = Path(__file__).parents[2] / "docs"
_PART = re.compile(r"(<!-- made: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)
_VERDICTS = {"does not hold": "**does not hold**"}


def filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with every part that is made put between its marks.

    >>> print(filled("a\\n<!-- made: t -->\\nold\\n<!-- end -->", {"t": "new"}))
    a
    <!-- made: t -->
    new
    <!-- end -->
    """
    named = [name for _, name, _ in _PART.findall(page)]
    if sorted(named) != sorted(parts):
        raise ValueError(f"the page has places for {named}, and there is text for {list(parts)}")
    return _PART.sub(lambda found: f"{found[1]}{parts[found[2]]}\n{found[3]}", page)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown.

    >>> print(table(["number"], [["|β1 − β2|"]]).splitlines()[-1])
    | \\|β1 − β2\\| |
    """
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", r"\|") for cell in line] for line in lines)
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def span(
    value: float | None, low: float | None = None, high: float | None = None, sign: bool = False
) -> str:
    """A number with its interval.

    >>> span(0.0541, 0.0512, 0.058, sign=True), span(None)
    ('+0.054 [0.051, 0.058]', '–')
    """
    if value is None:
        return "–"
    digits = precision(*(one for one in (value, low, high) if one is not None))
    text = "+" * (sign and value > 0) + show(value, digits)
    return text if low is None or high is None else f"{text} {_ends(low, high, digits)}"


def percent(value: float | None, low: float | None = None, high: float | None = None) -> str:
    """A share in percent with its interval.

    >>> percent(0.0123, 0.01, 0.02)
    '1.2 % [1.0, 2.0]'
    """
    if value is None:
        return "–"
    text = f"{show(100 * value, 1)} %"
    return text if low is None or high is None else f"{text} {_ends(100 * low, 100 * high, 1)}"


def _ends(low: float, high: float, digits: int) -> str:
    return f"[{show(low, digits)}, {show(high, digits)}]"


Span = tuple[float | None, float | None, float | None]
"""A number with both ends of its interval, as far as they are known."""


def of(row: Row, name: str, turned: bool = False) -> Span:
    """A number of a table with both ends of its interval, or the same with the other sign."""
    value, low, high = (row.get(f"{name}{end}") for end in ("", " low", " high"))
    if not turned or value is None:
        return value, low, high
    return -value, None if high is None else -high, None if low is None else -low


def only(rows: Iterable[Row], **where: Any) -> list[Row]:
    """The rows of a table with these values."""
    return [row for row in rows if all(row[name] == value for name, value in where.items())]


def claims_table(study: str, groups: Mapping[str, Any]) -> str:
    """Every claim of the register: what the paper prints, and the verdict in each group of runs."""
    rows = []
    for claim in claims(study).values():
        if not claim.shown:
            found = [_verdicts(group["findings"], claim.id) for group in groups.values()]
            rows.append([f"{claim.id}. {claim.name}", claim.published or "–", *found])
    return table(["claim", "published", *groups], rows)


def _verdicts(findings: Sequence[Row], name: str) -> str:
    """The verdict on a claim with its number, for each data set that it was put to."""
    whole = [one for one in findings if one["id"] == name and not one["part_of"]]
    return "; ".join(
        f"{_VERDICTS.get(one['verdict'], one['verdict'])}, "
        f"{span(one['value'], one['low'], one['high'], sign=True)}"
        if one["verdict"] != "not asked"
        else "cannot be asked"
        for one in whole
    )


def measured(study: str, groups: Mapping[str, Any]) -> str:
    """What the number of each claim is, and when the claim holds."""
    rows = []
    for claim in claims(study).values():
        said = {
            one["statistic"]
            for group in groups.values()
            for one in group["findings"]
            if one["id"] == claim.id and not one["part_of"] and one["statistic"]
        }
        if not claim.shown:
            rows.append([claim.id, "; ".join(sorted(said)) or "–", claim.decides])
    return table(["claim", "the number", "it holds where"], rows)


def reasons(study: str, groups: Mapping[str, Any]) -> str:
    """Why claims cannot be asked."""
    found: dict[str, dict[str, list[str]]] = {}
    for title, group in groups.items():
        for one in group["findings"]:
            if one["verdict"] == "not asked" and not claims(study)[one["id"]].shown:
                found.setdefault(one["why"], {}).setdefault(title, []).append(one["id"])
    lines = []
    for why, where in found.items():
        said = "; ".join(f"{title}: {', '.join(ids)}" for title, ids in where.items())
        lines.append(f"- {said}: {why}")
    return "\n".join(lines) or "Every claim could be asked."


def by_system(study: str, group: Row, systems: Sequence[str]) -> str:
    """The verdict on each claim that was put to single systems."""
    rows = []
    for claim in claims(study).values():
        parts = {one["claim"]: one for one in group["findings"] if one["id"] == claim.id}
        found = [parts.get(f"{claim.name}: {system}") for system in systems]
        if any(found):
            cells = ["–" if one is None else _verdicts([{**one, "part_of": ""}], claim.id)
                     for one in found]  # fmt: skip
            rows.append([f"{claim.id}. {claim.name}", *cells])
    return table(["claim", *(f"`{system}`" for system in systems)], rows)


def single_numbers(groups: Mapping[str, Any], ids: Sequence[str], systems: Sequence[str]) -> str:
    """Every number behind some claims that is not that of one system, and its verdict alone."""
    rows = []
    for title, group in groups.items():
        for one in group["findings"]:
            name, _, label = one["claim"].partition(": ")
            if one["id"] in ids and one["part_of"] and label not in systems:
                verdict = _verdicts([{**one, "part_of": ""}], one["id"])
                rows.append([title, f"{one['id']}. {name}", label, verdict])
    return table(["runs", "claim", "number", "alone"], rows)


def tallies(groups: Mapping[str, Any]) -> str:
    """How many claims could be asked in each group of runs, and how many hold."""
    return "\n".join(f"- {title}: {group['summary']}" for title, group in groups.items())


def made(record: Row) -> str:
    """When, with what and by which commands the numbers were made."""
    lines = [f"Tables drawn with commit {record['commit']}."]
    for title, group in record["groups"].items():
        facts = {name: v for name, v in group["facts"].items() if "input" not in name}
        said = "; ".join(f"{name} {value}" for name, value in facts.items())
        lines += [f"\n{title}{f' ({said})' if said else ''}:\n"]
        lines += [f"    {command}" for command in group["commands"]]
    return "\n".join(lines)


def signatures(record: Row) -> str:
    """The signatures of all runs, each once."""
    lines = dict.fromkeys(line for group in record["groups"].values()
                          for line in group["signatures"])  # fmt: skip
    return "\n".join(f"    {line}" for line in lines)
