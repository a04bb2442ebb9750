"""Make the bundled translator's training text: rows fit for shipping, Chinese in simplified script.

    python scripts/prepare_bitext.py BITEXT_FOLDER OUT_FOLDER

BITEXT_FOLDER holds en-XX.tsv.xz (English, other language, source tag). Chinese targets are written
in simplified script only; rows in traditional script also stay as sources for Chinese to English
(zh-en.tsv.xz), so that the translator reads both. Needs: pip install opencc-python-reimplemented
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

LANGUAGES = ("de", "fr", "es", "it", "ru", "ja", "zh")
TAGS = (
    "tatoeba-anki",
    "tatoeba-tc-dev",
    "tatoeba-tc-newtest",
    "tatoeba-pivot1",
    "tatoeba-pivot2",
    "tatoeba-pivot-2hop",
    "tanaka",
    "gnome-help",
)


def read(path: Path) -> Iterable[tuple[str, str, str]]:
    """The rows with a tag that is fit for shipping."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            english, other, tag = line.rstrip("\n").split("\t")
            if tag in TAGS:
                yield english, other, tag


def write(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    """Compressed tab-separated text."""
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


def main(bitext: Path, out: Path) -> None:
    """Write en-XX.tsv.xz for every language and zh-en.tsv.xz; print the counts per tag."""
    from opencc import OpenCC

    simplify = OpenCC("t2s").convert
    out.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        rows = list(read(bitext / f"en-{language}.tsv.xz"))
        if language == "zh":
            traditional = [(o, e) for e, o, _ in rows if simplify(o) != o]
            write(out / "zh-en.tsv.xz", traditional)
            rows = list(dict.fromkeys((e, simplify(o), t) for e, o, t in rows))
            print("zh-en", len(traditional), "rows in traditional script, as sources only")
        write(out / f"en-{language}.tsv.xz", rows)
        counts = Counter(tag for _, _, tag in rows)
        print(f"en-{language}", len(rows), dict(counts))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
