"""How `hyperbaton check` prints its verdicts: for people, JSON, JUnit XML, Markdown."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

from hyperbaton.base.errors import printable
from hyperbaton.base.wording import counted

Status = Literal["ok", "failed", "undecided"]
_MARKS: Mapping[Status, str] = {"ok": "ok  ", "failed": "FAIL", "undecided": "?   "}
_ORDER: Sequence[Status] = ("failed", "undecided", "ok")
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Verdict:
    """One thing that was looked at, and whether it is as it should be."""

    status: Status
    group: str
    """What is looked at, such as a system in a language pair."""
    name: str
    """What of it, such as a score of a variant."""
    sentence: str
    """What is said of it, as it follows the name."""
    example: Sequence[str] = ()
    """Lines that show a sentence for which it is so."""
    row: Mapping[str, object] = field(default_factory=dict)
    """The numbers, for programs."""
    quiet: bool = False
    """Whether a reader need not see it where all is well: it is one of many."""

    @property
    def line(self) -> str:
        """All but the example."""
        return printable(f"{_MARKS[self.status]} {self.group}: {self.name} {self.sentence}")


def exit_status(verdicts: Sequence[Verdict]) -> int:
    """1 where something failed, 2 where something is undecided, else 0.

    >>> exit_status([]), exit_status([Verdict("undecided", "a en-de", "beta", "")])
    (0, 2)
    """
    known = {verdict.status for verdict in verdicts}
    return 1 if "failed" in known else 2 if "undecided" in known else 0


def summary_line(verdicts: Sequence[Verdict]) -> str:
    """How many of each there are.

    >>> summary_line([Verdict("ok", "a", "x", ""), Verdict("failed", "a", "y", "")])
    '1 of 2 checks failed'
    """
    counts, every = Counter(v.status for v in verdicts), counted(len(verdicts), "check")
    parts = [f"{counts['failed']} of {every} failed"] if counts["failed"] else []
    if counts["undecided"]:
        parts.append(f"{counts['undecided']} of {every} cannot be decided")
    return ", ".join(parts) or f"{every} passed"


def _for_readers(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those that a reader looks at; of the others, how many there are."""
    shown = [verdict for verdict in verdicts if not (verdict.quiet and verdict.status == "ok")]
    held = Counter(v.group for v in verdicts if v.quiet and v.status == "ok")
    every = Counter(v.group for v in verdicts if v.quiet)
    return shown + [
        Verdict(
            "ok",
            group,
            f"{count:,} of {counted(every[group], 'case')}",
            "holds" if count == 1 else "hold",
        )
        for group, count in held.items()
    ]


def _as_text(verdicts: Sequence[Verdict], title: str) -> str:
    return "\n".join(
        line
        for verdict in _for_readers(verdicts)
        for line in (verdict.line, *(f"       {printable(text)}" for text in verdict.example))
    )


def _as_json(verdicts: Sequence[Verdict], title: str) -> str:
    checks = [
        {
            "status": verdict.status,
            "group": verdict.group,
            "name": verdict.name,
            "sentence": verdict.sentence,
            **verdict.row,
            "example": list(verdict.example),
        }
        for verdict in verdicts
    ]
    found = {"title": title, "status": exit_status(verdicts), "checks": checks}
    return json.dumps(found, ensure_ascii=False, indent=1)


def _as_junit(verdicts: Sequence[Verdict], title: str) -> str:
    """The form of JUnit that GitLab, Jenkins and others show: undecided is an error."""
    counts = Counter(verdict.status for verdict in verdicts)
    numbers = {
        "tests": str(len(verdicts)),
        "failures": str(counts["failed"]),
        "errors": str(counts["undecided"]),
    }
    root = ElementTree.Element("testsuites", numbers)
    suite = ElementTree.SubElement(root, "testsuite", {"name": _xml_text(title), **numbers})
    kinds: Mapping[Status, str] = {"failed": "failure", "undecided": "error"}
    for verdict in verdicts:
        about = {"classname": _xml_text(verdict.group), "name": _xml_text(verdict.name)}
        case = ElementTree.SubElement(suite, "testcase", about)
        line, lines = _xml_text(verdict.line), "\n".join([verdict.line, *verdict.example])
        if verdict.status == "ok":
            ElementTree.SubElement(case, "system-out").text = line
        else:
            found = ElementTree.SubElement(case, kinds[verdict.status], {"message": line})
            found.text = _xml_text(lines)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, "unicode")


def _xml_text(text: str) -> str:
    """Text without what XML 1.0 cannot hold."""
    return _NO_XML.sub("\ufffd", text)


def _as_markdown(verdicts: Sequence[Verdict], title: str) -> str:
    from hyperbaton.report.files.tables import markdown_text

    marks: Mapping[Status, str] = {"ok": "✅", "failed": "❌", "undecided": "❔"}
    lines = [f"### {markdown_text(title)}: {summary_line(verdicts)}", ""]
    lines += ["| | system | score | |", "|---|---|---|---|"]
    worst = sorted(_for_readers(verdicts), key=lambda verdict: _ORDER.index(verdict.status))
    for verdict in worst:
        cells = map(markdown_text, (verdict.group, verdict.name, verdict.sentence))
        lines.append(f"| {marks[verdict.status]} | {' | '.join(cells)} |")
    for verdict in worst:
        if verdict.example:
            head, *texts = map(markdown_text, verdict.example)
            named = markdown_text(f"{verdict.group}: {verdict.name}")
            lines += ["", f"**{named}**, {head}", "", *(f"- {text}" for text in texts)]
    return "\n".join(lines)


FORMATS: Mapping[str, Callable[[Sequence[Verdict], str], str]] = {
    "text": _as_text,
    "json": _as_json,
    "junit": _as_junit,
    "markdown": _as_markdown,
}
"""Each format with what writes verdicts under a title."""
