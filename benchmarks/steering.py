"""How well translators can be steered, and what it costs: every language, every perturbation.

    python benchmarks/steering.py FOLDER --out runs/steering --lines 200 --beam 1
    python benchmarks/steering.py FOLDER --out runs/mine --system 'ct2:models/mine(mode=robust)' \
        --system 'ct2:models/mine(mode=faithful)'

FOLDER holds pairs of files `en-XX.en` and `en-XX.XX`, sentence by sentence. All of it is one run of
`hyperbaton wordorder` and one of `hyperbaton repairs` under --out, so the same command again
resumes, and `hyperbaton report` shows what lies behind each number. Kept is β1 / β: the share of
the quality that is left when the words are out of order, apart for perturbations that need no
parser, which the steered model was trained on, and for the others, which it never saw (--trained
names other ones). BLEU is that of the corpus, β and its like are means over sentences; [ ]: 95 %
intervals.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from hyperbaton.pipeline import IDENTITY, Files, Pair, Run, RunOptions
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.experiment import ALL
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.layer.summary import Summary, summarise
from hyperbaton.studies.repairs import Repairs
from hyperbaton.studies.wordorder import WordOrder
from hyperbaton.studies.wordorder.headlines import steerability_tables
from hyperbaton.studies.wordorder.measures import KEPT, MEASURES, RATIOS
from hyperbaton.studies.wordorder.outcomes import PROJECTED
from hyperbaton.systems.shipped.bundled import Steered
from hyperbaton.systems.system import MODES
from hyperbaton.train.steering import ORDERS

OTHERS = ("de", "fr", "es", "it", "ru", "ja", "zh")
METRIC = "BLEU"
CARRIED = "carried"
SHOWN = {**MEASURES, CARRIED: pl.col(PROJECTED) - pl.col("beta1")}


def main() -> None:
    """Run both studies and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder of the two runs")
    parser.add_argument("--lines", type=int, default=200, help="of each language (default: 200)")
    parser.add_argument("--beam", type=int, default=4, help="of bundled and steered (default: 4)")
    parser.add_argument("--languages", default=",".join(OTHERS), help="default: all seven")
    parser.add_argument("--system", action="append", help="instead of those of the package")
    parser.add_argument("--align", default="gloss", help="what links words (default: gloss)")
    parser.add_argument("--trained", action="append", help="perturbations that were trained on")
    parser.add_argument("--workers", type=int, help="processes for parsing and scoring")
    args = parser.parse_args()
    languages = args.languages.split(",")
    systems = args.system or packaged(args.beam)
    study = WordOrder(align=args.align)
    corpora = [
        Files(Pair("en", code), tuple(files(args.folder, code)), args.lines) for code in languages
    ]
    session = run_study(
        study,
        corpora,
        systems,
        args.out / "wordorder",
        metrics=[METRIC],
        only=apertium(languages, both=False),
        options=RunOptions(workers=args.workers),
    )
    pairs = ",".join(f"en-{code},{code}-en" for code in languages)
    sound = run_study(
        Repairs(),
        Repairs().corpora([], pairs),
        systems,
        args.out / "repairs",
        only=apertium(languages, both=True),
        options=RunOptions(workers=args.workers),
    )
    trained = args.trained or [str(p) for p in study.variants if str(p) in ORDERS]
    summary = summarise([session.run], SHOWN, tuple(map(str, study.variants)), ratios=RATIOS)
    print(f"{args.lines} sentences of each language, {len(summary.variants)} perturbations\n")
    repaired = shares(sound.run)
    print(by_system(summary, trained, repaired))
    print(by_language(summary, session.run, repaired))
    for table in steerability_tables(summary):
        print(grid(table.data.columns, table.data.rows()))


def packaged(beam: int) -> list[str]:
    """The translators of the package, the steered one in each of its modes."""
    if not (Steered.folder / "model.bin").is_file():
        print("steered is not in this copy of hyperbaton: it is left out\n")
        return [f"bundled(beam={beam})"]
    return [f"bundled(beam={beam})", *(f"steered(beam={beam}, mode={mode})" for mode in MODES)]


def apertium(languages: Sequence[str], both: bool) -> dict[str, tuple[str, ...]]:
    """Apertium for Spanish, where it is installed: it has no other of these pairs here."""
    if "es" not in languages or shutil.which("apertium") is None:
        return {}
    pairs = ("en-es", "es-en") if both else ("en-es",)
    return {pair: (f"apertium:{pair}",) for pair in pairs}


def files(folder: Path, code: str) -> Iterable[str]:
    """Source and reference."""
    return (str(folder / f"en-{code}.{side}") for side in ("en", code))


def shares(run: Run) -> dict[tuple[str, str], str]:
    """The share of false repairs by system and pair; under `all`, that of all pairs together."""
    table = Repairs().contents([run]).tables[0].data
    return {
        (row["system"], row["pair"]): f"{shown(row['false repairs'])} "
        f"[{shown(row['false repairs low'])}, {shown(row['false repairs high'])}]"
        for row in table.iter_rows(named=True)
    }


def by_system(
    summary: Summary, trained: Sequence[str], repaired: dict[tuple[str, str], str]
) -> str:
    """Each system over all its languages; the perturbations trained on and held out apart."""
    held = [name for name in summary.variants if name not in trained]
    rows = []
    for system in summary.named:
        means = summary.lead
        rows.append(
            (
                system,
                spread(means.mean("beta", system=system, variant=IDENTITY)),
                *(
                    spread(means.mean(KEPT, system=system, variant=some))
                    for some in (trained, held)
                ),
                *(spread(means.mean(name, system=system)) for name in ("beta1", "beta2")),
                spread(means.mean(PROJECTED, system=system)),
                spread(means.mean(CARRIED, system=system, variant=held)),
                repaired.get((system, ALL), ""),
            )
        )
    head = ("system", "β", "kept, trained on", "kept, held out", "β1", "β2", "β2 projected")
    return grid((*head, "β2 projected − β1, held out", "false repairs"), rows)


def by_language(summary: Summary, run: Run, repaired: dict[tuple[str, str], str]) -> str:
    """Each system in each language."""
    rows = []
    for source in summary.tested:
        where = {"system": source.system, "pair": str(source.pair)}
        clean = run.corpus_score(
            source.pair, source.name, METRIC, "beta", pl.col("variant") == IDENTITY
        )
        rows.append(
            (
                *where.values(),
                f"{100 * clean.value:.1f}",
                spread(summary.lead.mean(KEPT, **where)),
                *(shown(summary.lead.mean(name, **where).value) for name in ("beta1", "beta2")),
                shown(summary.lead.mean(PROJECTED, **where).value),
                spread(summary.lead.mean(CARRIED, **where)),
                repaired.get((source.system, str(source.pair)), ""),
            )
        )
    head = ("system", "pair", "BLEU of clean text", "kept", "β1", "β2", "β2 projected")
    return grid((*head, "β2 projected − β1", "false repairs"), rows)


def spread(found: Aggregate) -> str:
    """A number and its interval."""
    return f"{shown(found.value)} [{shown(found.low)}, {shown(found.high)}]"


def shown(value: object) -> str:
    """A number as papers print it."""
    return re.sub(r"\b0\.", ".", f"{value:.3f}") if isinstance(value, float) else str(value)


def grid(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *(map(shown, row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    main()
