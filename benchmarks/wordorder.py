"""The word-order study without translation, against the straightforward reading of the paper.

    python -m benchmarks.wordorder SOURCE REFERENCE en-es [--items 1000]

Both parse, perturb in 16 ways, compute β, β1, β2 and α on both sides (the authors' BLEU and token
distance) for every sample and average them, on the same items in the same run; the system copies
its input, and the means must agree to 9 digits. The loop is what a script after the paper does:
spaCy sentence by sentence through the pipeline as it is loaded by name, nltk's sentence BLEU and
edit distance, Python means. It computes nothing twice (β and the tokens of source and reference
once an item), it is given Hyperbaton's own perturbations and tokens, keeps nothing, and gives no
confidence intervals; Hyperbaton writes its run directory and does. Both are timed from import to
result, models included, in processes of their own: Hyperbaton with empty caches (cold) and once its
parses are there (warm), in one process. The last columns leave the start out: imports and models on
both sides, which are much of the time for 1,000 items. Then the stages of the loop one by one.
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

from benchmarks.paper_script import (
    METRICS,
    Means,
    Stages,
    Timed,
    means,
    measures,
    moved,
    open_readers,
    sentences,
    timed,
)

SCORES = {
    "beta": ("source", "reference"),
    "beta1": ("varied", "reference"),
    "beta2": ("varied", "varied_reference"),
    "alpha": ("source", "varied"),
    "alpha_target": ("reference", "varied_reference"),
}


def main() -> None:
    """Time both, check that they agree, print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("source")
    parser.add_argument("reference")
    parser.add_argument("languages")
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--only", choices=("loop", "study", "steady"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        tasks = {"loop": loop, "study": study, "steady": steady}
        print(json.dumps(tasks[args.only](args)))
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPERBATON_CACHE"] = folder
        cold, warm = this("study"), this("study")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPERBATON_CACHE"] = folder
        after_start = json.loads(this("steady").printed)["seconds"]
    by_hand = this("loop")
    found = json.loads(by_hand.printed)
    compare(found["means"], json.loads(cold.printed)["means"])
    print(f"{args.items} items         clock     processor    processor without start")
    stages = found["seconds"]
    each = stages.pop("loop")
    print(f"loop  {by_hand.wall:13.1f} s {by_hand.processor:11.1f} s {each:16.2f} s")
    for name, row in (("cold", cold), ("warm", warm)):
        rest = after_start[name]
        print(
            f"{name}  {row.wall:7.1f} s {by_hand.wall / row.wall:4.1f}× {row.processor:6.1f} s "
            f"{by_hand.processor / row.processor:4.1f}× {rest:8.2f} s {each / rest:5.1f}×"
        )
    print("loop by stage:", ", ".join(f"{name} {took:.2f} s" for name, took in stages.items()))


def this(only: str) -> Timed:
    """This script with one task."""
    return timed([sys.executable, "-m", "benchmarks.wordorder", *sys.argv[1:], "--only", only])


def compare(loop_means: Means, study_means: Means) -> None:
    """Refuse to speak of speed where the numbers differ."""
    assert loop_means.keys() == study_means.keys()
    for variant, scores in loop_means.items():
        for name, value in scores.items():
            assert abs(value - study_means[variant][name]) < 1e-9, (variant, name)


def study(args: argparse.Namespace) -> dict[str, Means]:
    """The study on the first items."""
    return {"means": means_of(args, args.items)}


def steady(args: argparse.Namespace) -> dict[str, dict[str, float]]:
    """The study once more when libraries and models are loaded, without and with its parses."""
    means_of(args, 20)
    seconds = {}
    for name in ("cold", "warm"):
        began = time.process_time()
        means_of(args, args.items)
        seconds[name] = time.process_time() - began
    return {"seconds": seconds}


def means_of(args: argparse.Namespace, items: int) -> Means:
    """The study as its command runs it, up to the means and their intervals."""
    from hyperbaton.pipeline import IDENTITY, Files, Job, Pair, RunOptions, execute
    from hyperbaton.studies.layer.experiment import ALL
    from hyperbaton.studies.wordorder import WordOrder

    design = WordOrder(convention="paper")
    corpus = Files(Pair.parse(args.languages), (args.source, args.reference), items)
    job = Job(design, (corpus,), ("copy",), METRICS, options=RunOptions(poles=False, workers=0))
    with tempfile.TemporaryDirectory() as folder:
        scores = design.scores([execute(job, Path(folder))])
    found: Means = {}
    for score in scores:
        if score.variant not in (ALL, IDENTITY) and score.name in SCORES and score.n:
            found.setdefault(score.variant, {})[f"{score.metric} {score.name}"] = score.value
    return found


def loop(args: argparse.Namespace) -> dict[str, Means | dict[str, float]]:
    """A script after the paper; its seconds are those of the loop, models loaded."""
    import warnings

    from hyperbaton.metrics.tokens import split
    from hyperbaton.studies.wordorder import WordOrder

    warnings.simplefilter("ignore")
    readers, measured = open_readers(args.languages.split("-")), measures()
    variants = WordOrder(convention="paper").variants
    clock = Stages()
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for sentence, gold in sentences(args, readers):
        clock.end("parse")
        fixed = dict(
            zip(("source", "reference"), split([sentence.text, gold.text], "13a"), strict=True)
        )
        once: dict[str, float] = {}
        for variant in variants:
            texts = moved(sentence, gold, variant)
            clock.end("perturb")
            if texts is None:
                continue
            ours = split(texts, "13a")
            tokens = fixed | dict(zip(("varied", "varied_reference"), ours, strict=True))
            row = scores[str(variant)]
            for name, (translation, reference) in SCORES.items():
                one, two = tokens[translation], tokens[reference]
                for metric, measure in measured:
                    key = f"{metric} {name}"
                    value = once[key] if key in once else measure(one, two)
                    if name == "beta":
                        once[key] = value
                    row[key].append(value)
            clock.end("score")
    found = means(scores)
    clock.end("mean")
    return {"means": found, "seconds": {"loop": sum(clock.took.values()), **clock.took}}


if __name__ == "__main__":
    main()
