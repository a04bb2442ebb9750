"""The pages docs/replication-*.md made anew: their numbers from runs, their text from the numbers.

    python -m benchmarks.replicate wordorder RUNS
    python -m benchmarks.replicate grammar RUNS
    python -m benchmarks.replicate structure RUNS
    python -m benchmarks.replicate isometry RUNS
    python -m benchmarks.replicate

RUNS is a folder with the runs that the page lists, under the names that its commands give them;
for isometry the published predictions lie there too. What is drawn from them is stored in
benchmarks/replication/NAME.json. All that stands between marks on a page, and README's sentence
on it, is written from that file and from the register of claims. Without a name, every page
that there are numbers of is written.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.replication import grammar, isometry, readme, structure, wordorder
from benchmarks.replication.reading import HERE
from benchmarks.replication.text import DOCS, filled

PAGES = {
    "wordorder": wordorder,
    "structure": structure,
    "grammar": grammar,
    "isometry": isometry,
}


def main() -> None:
    named = sys.argv[1:2]
    if len(sys.argv) > 2:
        PAGES[named[0]].read(Path(sys.argv[2]))
    for name in named or written():
        path = DOCS / f"replication-{name}.md"
        path.write_text(page(name, path.read_text(encoding="utf-8")), encoding="utf-8")
    readme.write()


def written() -> list[str]:
    """The pages that there are numbers of."""
    return [name for name in PAGES if (HERE / f"{name}.json").is_file()]


def page(name: str, text: str) -> str:
    """The page of a study with all that is made."""
    return filled(text, PAGES[name].parts())


if __name__ == "__main__":
    main()
