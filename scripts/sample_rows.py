"""Keep a part of the training text, where the time on a GPU is short.

    python scripts/sample_rows.py ROWS TEXT OUT

ROWS holds what `hyperbaton train steering` wrote, of which a fifth is kept; TEXT what
`prepare_bitext.py` wrote, of which half the rows without GNOME's user guides are kept, as
plain.en-XX.tsv. The same files give the same sample.
"""

from __future__ import annotations

import lzma
import random
import sys
from pathlib import Path

STEERED, PLAIN, SEED = 0.2, 0.5, 5


def main(rows: Path, text: Path, out: Path) -> None:
    """Draw line by line, file after file in the order of their names."""
    generator = random.Random(SEED)
    out.mkdir(parents=True, exist_ok=True)
    for path in sorted(rows.glob("*.tsv")):
        with path.open(encoding="utf-8") as file:
            kept = [line for line in file if generator.random() < STEERED]
        (out / path.name).write_text("".join(kept), encoding="utf-8")
    for path in sorted(text.glob("*.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as stream:
            lines = (line for line in stream if "gnome-help" not in line.rpartition("\t")[2])
            kept = [line for line in lines if generator.random() < PLAIN]
        (out / f"plain.{path.stem}").write_text("".join(kept), encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
