"""The atlas of metrics made anew: its numbers from DEMETR and Tatoeba, its page from the numbers.

    python -m benchmarks.atlas DEMETR TATOEBA
    python -m benchmarks.atlas DEMETR TATOEBA --models
    python -m benchmarks.atlas

DEMETR is the folder of its 35 files, TATOEBA a folder with files en-de.en, en-de.de and so on. What
metrics of strings notice there is stored in src/hyperbaton/data/atlas, where the studies read it;
with --models that of metrics that read with a model, on fewer sentences. Without a folder only
docs/metrics-atlas.md is written, from the numbers that are stored.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.replication.atlas import PAGE, parts, store
from benchmarks.replication.e5_folder import e5_folder
from benchmarks.replication.text import filled
from hyperbaton.pipeline import Corpus, Pair, RunOptions
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.metrics.study import Metrics

LANGUAGES = ("de", "es", "fr", "it", "ja", "ru", "zh")
STRINGS = (*Metrics().metrics, "METEOR", "LevenshteinDistance", "BLEU(convention=paper)")
MODELS = (
    "BLEU",
    "Cosine(encoder=e5)",
    "TranslatedCosine(encoder=e5)",
    "Paraphrase:likelihood:bundled",
)
SIZES: dict[str, dict[str, int | None]] = {
    "strings": {"demetr": None, "tatoeba": 500},
    "models": {"demetr": 3, "tatoeba": 5},
}
"""How many items of each language pair are read at most."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    parser.add_argument("--models", action="store_true", help="metrics that read with a model")
    args = parser.parse_args()
    if args.folders:
        demetr, tatoeba = args.folders
        kind = "models" if args.models else "strings"
        sizes = SIZES[kind]
        corpora: dict[str, Sequence[Corpus]] = {
            "demetr": Metrics().corpora([str(demetr)], None, sizes["demetr"]),
            "tatoeba": list(references(tatoeba, sizes["tatoeba"])),
        }
        with TemporaryDirectory() as made:
            metrics = list(STRINGS)
            if args.models:
                metrics = [*MODELS, f"BERTScore(model={e5_folder(Path(made))})"]
            for name, some in corpora.items():
                measure(name, kind, some, metrics, made)
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(text, parts()), encoding="utf-8")


def references(folder: Path, limit: int | None) -> Iterator[Corpus]:
    """English with the references of each language."""
    for language in LANGUAGES:
        pair = Pair("en", language)
        paths = [str(folder / f"{pair}.{side}") for side in ("en", language)]
        yield Metrics().corpus(paths, pair, limit)


def measure(
    name: str, kind: str, corpora: Sequence[Corpus], metrics: Sequence[str], made: str
) -> None:
    """Run the study in one process, and store what came out with the time that it took."""
    began, clock = _processor_seconds(), time.monotonic()
    options = RunOptions(workers=0, cached=False)
    with TemporaryDirectory() as folder:
        run_folder = Path(folder) / "run"
        session = run_study(Metrics(), corpora, (), run_folder, metrics=metrics, options=options)
        store(name, kind, session, lambda: _processor_seconds() - began, f"{made}/")
    took = f"{_processor_seconds() - began:.0f} s of processor, {time.monotonic() - clock:.0f} s"
    print(f"{name}, {kind}: {took}")


def _processor_seconds() -> float:
    """What this process and those that it started have computed."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


if __name__ == "__main__":
    main()
