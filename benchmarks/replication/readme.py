"""README's section on the papers: each as it is cited, and what became of its claims here."""

from __future__ import annotations

from pathlib import Path

from benchmarks.replication import reading
from benchmarks.replication.text import filled
from hyperbaton.studies.layer.register import papers

README = Path(__file__).parents[2] / "README.md"
NAMES = {
    "wordorder": "Word order",
    "structure": "Structure",
    "grammar": "Grammar",
    "isometry": "Isometry",
}
NOTES = {"published predictions, Legacy": ", the author's own counted again"}
"""What is not of translations made here."""


def write() -> None:
    """Write the section anew."""
    text = README.read_text(encoding="utf-8")
    README.write_text(filled(text, {"papers": section()}), encoding="utf-8")


def section() -> str:
    """A line for each paper, and how many of its claims hold where numbers of it are stored."""
    lines = []
    for study, name in NAMES.items():
        line = f"- {name}: {papers()[study]} [Replicated](docs/replication-{study}.md)"
        if (reading.HERE / f"{study}.json").is_file():
            groups = reading.stored(study)["groups"]
            lines.append(f"{line}.")
            lines += [
                f"  - {title}{NOTES.get(title, '')}: {group['summary']}"
                for title, group in groups.items()
            ]
        else:
            lines.append(f"{line}.")
    return "\n".join(lines)
