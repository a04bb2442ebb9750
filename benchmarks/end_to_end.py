"""The word-order study from start to end against the way of its authors: same weights, same items.

    python -m benchmarks.end_to_end SOURCE REFERENCE en-es [--items 300]

The authors' way is one script: spaCy one sentence at a time, every text through transformers'
`generate` in batches of 32 in the order of the items, nltk's sentence BLEU and edit distance. It is
given Hyperbaton's own perturbations and computes nothing twice. Against it stands the command
`hyperbaton wordorder` with empty caches. Both are started as new processes and end with the means
of the same scores; the model is a Marian one with random weights (it never ends a sentence, so each
text costs `--max-length` steps in both), or the one named with --hf and --ct2. Both have all cores
and the same beam. The last lines say where the time goes: in the script by stage, in the command
by stage of a further run in one process. Outputs differ in a few texts, since one computes with
8-bit integers and the other with floats; the scores that need no translation must be equal.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from benchmarks.paper_script import (
    METRICS,
    Means,
    Stages,
    means,
    measures,
    moved,
    open_readers,
    sentences,
    timed,
)
from benchmarks.systems import random_marian, transformers_loop

AIM = 15.0
PROBES_ONLY = ("alpha", "alpha_target")
OUTPUTS = ("beta", "beta1", "beta2")


def main() -> None:
    """Time both, check what must be equal, print the ratio."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source")
    parser.add_argument("reference")
    parser.add_argument("languages")
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--max-length", type=int, default=32)
    parser.add_argument("--hf", type=Path, help="a Marian model of transformers")
    parser.add_argument("--ct2", type=Path, help="the same model for CTranslate2")
    parser.add_argument("--only", choices=("loop", "stages"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        print(json.dumps({"loop": loop, "stages": stages}[args.only](args)))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HYPERBATON_CACHE"] = str(folder / "cache")
        if args.hf is None:
            from hyperbaton.systems.ct2.convert import to_ctranslate2

            args.hf = random_marian(folder / "hf")
            args.ct2 = to_ctranslate2(args.hf, folder / "ct2")
        ours = timed(command(args, folder / "run"))
        theirs = timed(again(args, "loop"))
        found = json.loads(theirs.printed)
        compare(found["means"], json.loads(ours.printed))
        print(f"{args.items} items, {found['texts']:,} texts, {os.cpu_count()} processors")
        for title, took in (("the authors' way", theirs), ("hyperbaton wordorder", ours)):
            print(f"{title:<22} {took.wall:8.1f} s, processor {took.processor:8.1f} s")
        ratio = theirs.wall / ours.wall
        print(f"ratio × {ratio:.1f} (aim ≥ {AIM:g}: {'yes' if ratio >= AIM else 'NO'})")
        print("the authors' way:", told(found["seconds"]))
        os.environ["HYPERBATON_CACHE"] = str(folder / "another cache")
        inside = json.loads(timed(again(args, "stages")).printed)
        print("hyperbaton, in one process:", told(inside))


def told(seconds: dict[str, float]) -> str:
    """Seconds by stage."""
    return ", ".join(f"{name} {took:.1f} s" for name, took in seconds.items())


def system(args: argparse.Namespace) -> str:
    """The translator as the command names it."""
    return f"ct2:{args.ct2}(beam={args.beam}, max_length={args.max_length})"


def command(args: argparse.Namespace, out: Path) -> list[str]:
    """The study, with nothing cached and no page."""
    metrics = [part for metric in METRICS for part in ("-m", metric)]
    return [
        *(sys.executable, "-m", "hyperbaton", "wordorder", args.source, args.reference),
        *("-l", args.languages, "--limit", str(args.items), "--system", system(args)),
        *("--convention", "paper", *metrics, "--no-poles", "--no-report", "--format", "json"),
        *("--out", str(out)),
    ]


def again(args: argparse.Namespace, only: str) -> list[str]:
    """This script with one task."""
    return [
        *(sys.executable, "-m", "benchmarks.end_to_end", args.source, args.reference),
        *(args.languages, "--items", str(args.items), "--beam", str(args.beam)),
        *("--max-length", str(args.max_length), "--hf", str(args.hf), "--ct2", str(args.ct2)),
        *("--only", only),
    ]


def compare(theirs: Means, printed: dict[str, Any]) -> None:
    """Refuse to speak of speed where scores differ that need no translation."""
    ours = {
        (score["variant"], f"{score['metric']} {score['name']}"): score["value"]
        for score in printed["scores"]
    }
    apart = 0.0
    for variant, scores in theirs.items():
        for name, value in scores.items():
            distance = abs(value - ours[variant, name])
            if name.split()[-1] in PROBES_ONLY:
                assert distance < 1e-9, (variant, name)
            apart = max(apart, distance)
    print(f"scores of the probes are equal; those of outputs are within {apart:.3g}")


def loop(args: argparse.Namespace) -> dict[str, Any]:
    """The script after the paper."""
    clock = Stages()
    from hyperbaton.metrics.tokens import split
    from hyperbaton.studies.wordorder import WordOrder

    args.device, args.pair = "cpu", args.languages.split("-")
    translate = transformers_loop(args)
    readers, measured = open_readers(args.pair), measures()
    clock.end("start")
    variants = WordOrder(convention="paper").variants
    rows, texts = [], {}
    for sentence, gold in sentences(args, readers):
        clock.end("parse")
        texts[sentence.text] = ""
        for variant in variants:
            varied = moved(sentence, gold, variant)
            if varied is not None:
                rows.append((str(variant), sentence.text, gold.text, *varied))
                texts[varied[0]] = ""
        clock.end("perturb")
    texts = dict(zip(texts, translate(list(texts)), strict=True))
    clock.end("translate")
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for variant_name, source, gold_one, varied_one, other_one in rows:
        made = [texts[source], texts[varied_one], gold_one, other_one, source, varied_one]
        output, second, right, turned, before, after = split(made, "13a")
        compared = {
            "beta": (output, right),
            "beta1": (second, right),
            "beta2": (second, turned),
            "alpha": (before, after),
            "alpha_target": (right, turned),
        }
        for metric, measure in measured:
            for name, (one, two) in compared.items():
                scores[variant_name][f"{metric} {name}"].append(measure(one, two))
    clock.end("score")
    return {"means": means(scores), "seconds": clock.took, "texts": len(texts)}


def stages(args: argparse.Namespace) -> dict[str, float]:
    """The study in this process, its time by stage."""
    began = time.perf_counter()
    from hyperbaton.pipeline import Files, Pair, RunOptions
    from hyperbaton.pipeline.stages import probing, scoring
    from hyperbaton.pipeline.stages.translating import Desk
    from hyperbaton.studies.layer.running import run_study
    from hyperbaton.studies.wordorder import WordOrder

    took = {"start": time.perf_counter() - began}

    def watched(name: str, work: Any) -> Any:
        def timed_work(*arguments: Any) -> Any:
            start = time.perf_counter()
            value = work(*arguments)
            took[name] = took.get(name, 0.0) + time.perf_counter() - start
            return value

        return timed_work

    setattr(probing, "make_probes", watched("parse and perturb", vars(probing)["make_probes"]))  # noqa: B010
    setattr(scoring, "score_part", watched("score", vars(scoring)["score_part"]))  # noqa: B010
    setattr(scoring, "judge", watched("outcomes", vars(scoring)["judge"]))  # noqa: B010
    setattr(Desk, "make", watched("translate", Desk.make))  # noqa: B010
    corpus = Files(Pair.parse(args.languages), (args.source, args.reference), args.items)
    design = WordOrder(convention="paper")
    options = RunOptions(poles=False, workers=0)
    session = run_study(design, [corpus], [system(args)], metrics=METRICS, options=options)
    start = time.perf_counter()
    design.scores([session.run])
    took["means and intervals"] = time.perf_counter() - start
    took["all"] = time.perf_counter() - began
    return took


if __name__ == "__main__":
    main()
