"""Does a reader agree that what `hyperbaton break` finds is broken, and what does a search cost?

    python -m benchmarks.breaks draw RUN SHEET [CASES [NEAR [SEED]]]
    python -m benchmarks.breaks count SHEET
    python -m benchmarks.breaks speed FILE [SENTENCES [TIMES]]

`draw` writes SHEET, a table to be read: cases of the folder RUN, each of another sentence, and as
many changes as NEAR says that were less similar than 0.6 but no cases, in a drawn order and without
a score. SHEET.key keeps what they are. The reader puts a letter in front of each row: y, the
translations do not say the same; n, they do; m, the sentences do not, so that they need not.
`count` says how often the reader agrees, kind by kind and for lower limits. `speed` searches
English sentences with `bundled`, after a few to warm up, and translates the same texts without a
search, in turn and so many times: seconds of the clock and of the processors.
"""

from __future__ import annotations

import csv
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hyperbaton.language.languages import parse_pair
from hyperbaton.search import searching
from hyperbaton.search.breaks import BREAKS, Pairs, Similarity
from hyperbaton.search.candidates import KINDS, candidates
from hyperbaton.search.cases import Case, read_cases
from hyperbaton.search.changes import kind_text
from hyperbaton.search.hunt import Trial
from hyperbaton.search.searching import Search, tried
from hyperbaton.search.summary import share
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import SYSTEMS, Translation, Translator
from hyperbaton.testing.variants import material_of

HIGHEST = 0.6
WARM = 5
TRIED = 30
"""Changes of a sentence among which one is looked for that is nearly a break."""
Row = tuple[str, str, float, str, str, str, str]
"""What it is, kind, similarity, and the four texts."""


def search_of(folder: Path) -> tuple[Search, str]:
    """What was searched for in a folder, and with which system."""
    known = json.loads((folder / "search.json").read_bytes())
    pair = parse_pair(known["pair"])
    search = Search(pair, tuple(map(BREAKS.parse, known["breaks"])), tuple(known["kinds"]))
    return search, next(iter(known["systems"]))


def similarity(search: Search, texts: Sequence[str]) -> float:
    """How alike the translations of a case are."""
    source, varied, output, other = ([text] for text in texts)
    return Similarity().scores(Pairs(source, varied, output, other, search.languages))[0]


def found(folder: Path, search: Search, rng: random.Random, most: int) -> Iterator[Row]:
    """Cases, one a sentence."""
    by_item: dict[str, list[Case]] = {}
    for case in read_cases(folder / "cases.jsonl"):
        by_item.setdefault(case.item, []).append(case)
    for item in rng.sample(sorted(by_item), min(most, len(by_item))):
        case = rng.choice(by_item[item])
        texts = (case.source, case.varied, case.output, case.varied_output)
        yield "case", case.kind, similarity(search, texts), *texts


def nearly(
    folder: Path, search: Search, system: str, rng: random.Random, most: int
) -> Iterator[Row]:
    """Changes that are no breaks, though the translations are not alike, one a sentence."""
    lines = (folder / "searched.jsonl").read_text(encoding="utf-8").splitlines()
    sentences = [json.loads(line)["sentence"] for line in lines]
    with SYSTEMS.parse(system).open(*search.languages) as translator:
        for sentence in rng.sample(sentences, len(sentences)):
            if not most:
                return
            material = material_of(sentence, search.languages[0])
            kinds = candidates(material, KINDS)
            all_of_it = [(kind, change) for kind in kinds for change in kinds[kind]]
            drawn = rng.sample(all_of_it, min(TRIED, len(all_of_it)))
            trials = [Trial(sentence, change.text(material.words)) for _, change in drawn]
            told = tried(trials, translator, search)
            near = [
                (
                    "near",
                    kind_text(kind),
                    one.similarity,
                    *trial.texts,
                    one.output,
                    one.varied_output,
                )
                for (kind, _), trial, one in zip(drawn, trials, told, strict=True)
                if one is not None and not one.why and one.similarity < HIGHEST
            ]
            if near:
                most -= 1
                yield rng.choice(near)


def draw(folder: Path, sheet: Path, cases: int = 50, near: int = 25, seed: int = 1) -> None:
    """Write the table to be read, and its key."""
    rng = random.Random(seed)
    search, system = search_of(folder)
    rows = [*found(folder, search, rng, cases), *nearly(folder, search, system, rng, near)]
    rng.shuffle(rows)
    _write(sheet, [("", *row[3:]) for row in rows])
    _write(sheet.with_suffix(".key"), [row[:3] for row in rows])


def count(sheet: Path) -> None:
    """Print how often the reader agrees."""
    letters = [row[0] for row in _read(sheet)]
    key = [(what, kind, float(score)) for what, kind, score in _read(sheet.with_suffix(".key"))]
    rows = [(letter == "y", *one) for letter, one in zip(letters, key, strict=True)]
    print("letters:", {letter: letters.count(letter) for letter in sorted(set(letters))})
    for what in ("case", "near"):
        print(f"{what}: broken", share([real for real, which, *_ in rows if which == what]))
        for kind in (*map(kind_text, KINDS), "mixed"):
            some = [real for real, which, one, _ in rows if (which, one) == (what, kind)]
            if some:
                print(f"  {kind}: {share(some)}")
    for below in (0.6, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2):
        print(f"similarity < {below}: broken", share([r for r, _, _, s in rows if s < below]))


def speed(file: Path, sentences: int = 100, times: int = 3) -> None:
    """Print what a search takes beside the plain translation of all that it asked for."""
    lines = file.read_text(encoding="utf-8").splitlines()[: sentences + WARM]
    materials = [material_of(line, "en", number) for number, line in enumerate(lines)]
    search, asked = Search(("en", "de")), list[str]()

    def noted(translator: Translator, texts: Sequence[str], **how: Any) -> list[Translation]:
        asked.extend(texts)
        return translate_all(translator, texts, **how)

    searching.translate_all = noted  # type: ignore[attr-defined]
    rows: list[tuple[float, ...]] = []
    with SYSTEMS.parse("bundled").open("en", "de") as translator:
        list(searching.search_all(materials[sentences:], translator, search))
        for _ in range(times):
            asked.clear()
            begun = _clocks()
            list(searching.search_all(materials[:sentences], translator, search))
            between = _clocks()
            translate_all(translator, list(dict.fromkeys(asked)), advance=lambda steps=1: None)
            ended = _clocks()
            rows.append(tuple(np.subtract([*between, *ended], [*begun, *between])))
            _say_speed(rows[-1])
    print(f"{len(asked):,} translations; all times together:")
    _say_speed(np.sum(rows, axis=0).tolist())


def _say_speed(row: Sequence[float]) -> None:
    for name, search, plain in zip(("clock", "processors"), row[:2], row[2:], strict=True):
        print(f"{name}: search {search:.1f} s, plain {plain:.1f} s, ratio {search / plain:.3f}")


def _clocks() -> tuple[float, float]:
    return time.perf_counter(), time.process_time()


def _write(path: Path, rows: Sequence[tuple[object, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", lineterminator="\n").writerows(rows)


def _read(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t"))


if __name__ == "__main__":
    if sys.argv[1] == "draw":
        draw(Path(sys.argv[2]), Path(sys.argv[3]), *map(int, sys.argv[4:]))
    elif sys.argv[1] == "speed":
        speed(Path(sys.argv[2]), *map(int, sys.argv[3:]))
    else:
        count(Path(sys.argv[2]))
