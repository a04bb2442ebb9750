"""Labelled pairs for training `e5-pair`, in one file.

    python scripts/e5_pair/prepare.py --pawsx DIR --minidata DIR --bitext en-de.tsv.xz --out FILE

Columns: group, first, second, label. Groups: `zh` (the Chinese PAWS-X training set of the package
minidata), `dev-LANG` and `val-LANG` (the development sets, cut by line in all languages at once),
`edit-LANG` and `edit-val-LANG` (reworded sentences of Tatoeba, and minimal changes of meaning),
`test-de` and `test-zh`. Chinese training pairs with a sentence of a test set are left out; between
the development sets and the test sets the cut is PAWS-X's own, and equal pairs are left out. The
project's own pairs (src/hyperbaton/data/paraphrases) are not among them.
"""

from __future__ import annotations

import argparse
import lzma
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from edits import changed, has, names_in, put

Row = tuple[str, str, str, int]
LANGUAGES = ("de", "en", "es", "fr", "ja", "ko", "zh")
VALIDATION = 0.2
REWORDED = 2500
"""Reworded pairs of a language; each comes with one that means something else."""


def main() -> None:
    """Write the file and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("pawsx", "minidata", "bitext", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    given = parser.parse_args()
    rng = random.Random(7)
    chinese = next(given.minidata.rglob("PAWSX.train.data")).parent
    tests = [("test-de", *row) for row in read(given.pawsx / "test-de.labelled.tsv", (1, 2, 3))]
    tests += [("test-zh", *row) for row in read(chinese / "PAWSX.test.data")]
    held = {text for _, first, second, _ in tests for text in (first, second)}
    tested = {frozenset(row[1:3]) for row in tests}
    rows: list[Row] = [
        ("zh", *row)
        for row in read(chinese / "PAWSX.train.data")
        if row[0] not in held and row[1] not in held
    ]
    for language in LANGUAGES:
        lines = read(given.pawsx / f"dev-{language}.tsv", keep_broken=True)
        for number, row in enumerate(lines):
            if row[0]:
                rows.append((f"{'val' if validates(number) else 'dev'}-{language}", *row))
    rows = [row for row in rows if frozenset(row[1:3]) not in tested]
    reworded = rewordings(given.bitext)
    names = common_names(reworded)
    for language, pairs in reworded.items():
        rows += edited(language, pairs, names, rng)
    rows += tests
    with lzma.open(given.out, "wt", encoding="utf-8") as file:
        for group, first, second, label in rows:
            file.write(f"{group}\t{first}\t{second}\t{label}\n")
    counts = Counter((group, label) for group, _, _, label in rows)
    for group in dict.fromkeys(row[0] for row in rows):
        print(f"{group}: {counts[group, 0]} different, {counts[group, 1]} paraphrases")


def read(
    path: Path, columns: tuple[int, int, int] = (0, 1, 2), keep_broken: bool = False
) -> list[tuple[str, str, int]]:
    """Pairs of a PAWS-X file; a line without two sentences keeps its number if asked to."""
    found = []
    for line in path.read_text(encoding="utf-8").split("\n"):
        cells = [cell.strip() for cell in line.split("\t")]
        parts = [cells[at] if at < len(cells) else "" for at in columns]
        if parts[0] and parts[1] and parts[2] in ("0", "1"):
            found.append((parts[0], parts[1], int(parts[2])))
        elif keep_broken:
            found.append(("", "", 0))
    return found


def validates(line: int) -> bool:
    """Whether a line is for validation, in every language."""
    digest = blake2b(f"e5-pair {line}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") / 2**64 < VALIDATION


def rewordings(path: Path) -> dict[str, list[tuple[str, str]]]:
    """Pairs of German, and of English, sentences of Tatoeba that translate the same sentence."""
    german: dict[str, dict[str, None]] = defaultdict(dict)
    english: dict[str, dict[str, None]] = defaultdict(dict)
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            en, de, origin = line.rstrip("\n").split("\t")
            if origin.startswith("tatoeba") and "2hop" not in origin:
                german[en][de] = english[de][en] = None
    return {"de": list(_two_of(german)), "en": list(_two_of(english))}


def _two_of(groups: dict[str, dict[str, None]]) -> Iterator[tuple[str, str]]:
    for group in groups.values():
        long = [text for text in group if 4 <= len(text.split()) <= 16]
        if len(long) > 1 and len(group) <= 6:
            yield long[0], long[-1]


def common_names(reworded: dict[str, list[tuple[str, str]]]) -> tuple[str, ...]:
    """Words that are capitalised within sentences of both languages: names of people and places."""
    counts = [
        Counter(name for pair in pairs for text in pair for name in names_in(text))
        for pairs in reworded.values()
    ]
    both = {name: min(count[name] for count in counts) for name in counts[0]}
    return tuple(sorted(both, key=lambda name: (-both[name], name))[:80])


def edited(
    language: str, pairs: list[tuple[str, str]], names: tuple[str, ...], rng: random.Random
) -> Iterator[Row]:
    """Rewordings, each beside one with a changed word; the same change on both sides is none."""
    rng.shuffle(pairs)
    made = 0
    for first, second in pairs:
        changes = [one for one in changed(second, language, names, rng) if has(first, one[0])]
        if made == REWORDED or not changes:
            continue
        change = rng.choice(changes)
        group = f"edit-{'val-' if made % 10 == 0 else ''}{language}"
        yield group, first, second, 1
        yield group, first, put(second, change), 0
        if made % 3 == 0:
            yield group, first, put(first, change), 0
            yield group, put(first, change), put(second, change), 1
        made += 1


if __name__ == "__main__":
    main()
