"""The word-order study without translation, against the straightforward reading of the paper.

    python benchmarks/wordorder.py SOURCE REFERENCE en-es [--items 1000]

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
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:  # imports are part of what is timed
    from spacy.language import Language

    from hyperbaton.sentence import Sentence

SCORES = {
    "beta": ("source", "reference"),
    "beta1": ("varied", "reference"),
    "beta2": ("varied", "varied_reference"),
    "alpha": ("source", "varied"),
    "alpha_target": ("reference", "varied_reference"),
}
METRICS = ("BLEU(convention=paper)", "LevenshteinDistance")
Means = dict[str, dict[str, float]]


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
        cold, warm = timed("study"), timed("study")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HYPERBATON_CACHE"] = folder
        after_start = timed("steady").result["seconds"]
    by_hand = timed("loop")
    compare(by_hand.result["means"], cold.result["means"])
    print(f"{args.items} items         clock     processor    processor without start")
    stages = by_hand.result["seconds"]
    each = stages.pop("loop")
    print(f"loop  {by_hand.wall:13.1f} s {by_hand.processor:11.1f} s {each:16.2f} s")
    for name, row in (("cold", cold), ("warm", warm)):
        rest = after_start[name]
        print(
            f"{name}  {row.wall:7.1f} s {by_hand.wall / row.wall:4.1f}× {row.processor:6.1f} s "
            f"{by_hand.processor / row.processor:4.1f}× {rest:8.2f} s {each / rest:5.1f}×"
        )
    print("loop by stage:", ", ".join(f"{name} {took:.2f} s" for name, took in stages.items()))


class Timed(NamedTuple):
    """Seconds by the clock, seconds of processor time, and what came out."""

    wall: float
    processor: float
    result: dict[str, dict[str, Any]]


def timed(only: str) -> Timed:
    """This script with one task, in a process of its own."""
    before = os.times()
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, __file__, *sys.argv[1:], "--only", only],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    wall = time.monotonic() - began
    after = os.times()
    used = after.children_user + after.children_system
    used -= before.children_user + before.children_system
    return Timed(wall, used, json.loads(done.stdout))


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
    from hyperbaton.pipeline import IDENTITY, Files, Job, Pair, execute
    from hyperbaton.studies.study import ALL
    from hyperbaton.studies.wordorder import WordOrder

    design = WordOrder(convention="paper")
    corpus = Files(Pair.parse(args.languages), (args.source, args.reference), items)
    job = Job(design, (corpus,), ("copy",), METRICS, poles=False, workers=0)
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

    import spacy
    from nltk.metrics.distance import edit_distance
    from nltk.translate.bleu_score import sentence_bleu

    from hyperbaton.metrics.tokens import split
    from hyperbaton.parsing import best_parser
    from hyperbaton.perturb import perturb
    from hyperbaton.perturb.paper import with_final_mark
    from hyperbaton.randomness import Rng
    from hyperbaton.studies.wordorder import WordOrder

    def bleu(translation: list[str], gold: list[str]) -> float:
        # The authors' order of arguments.
        return float(sentence_bleu([translation], gold))

    warnings.simplefilter("ignore")
    source, target = args.languages.split("-")
    readers = []
    for language in (source, target):
        spec = best_parser(language)
        nlp = spacy.load(str(spec).partition(":")[2])
        readers.append(reader(nlp, spec.open(language).signature, language))

    variants = WordOrder(convention="paper").variants
    clock = Stages()
    scores: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number, (text, gold_text) in enumerate(islice(lines(args), args.items), 1):
        sentence = with_final_mark(readers[0](text, str(number)))
        gold = with_final_mark(readers[1](gold_text, str(number)))
        clock.end("parse")
        fixed = dict(
            zip(("source", "reference"), split([sentence.text, gold.text], "13a"), strict=True)
        )
        once: dict[str, float] = {}
        for variant in variants:
            # The paper draws the reference apart from the source.
            apart = Rng(0, gold.id, f"{variant} of the reference")
            varied, other = perturb(sentence, variant), variant.vary(gold, apart)
            clock.end("perturb")
            if varied is None or other is None:
                continue
            ours = split([varied.text, other.text], "13a")
            tokens = fixed | dict(zip(("varied", "varied_reference"), ours, strict=True))
            row = scores[str(variant)]
            for name, (translation, reference) in SCORES.items():
                one, two = tokens[translation], tokens[reference]
                for metric, measure in ((METRICS[0], bleu), (METRICS[1], edit_distance)):
                    key = f"{metric} {name}"
                    value = once[key] if key in once else float(measure(one, two))
                    if name == "beta":
                        once[key] = value
                    row[key].append(value)
            clock.end("score")
    means = {
        variant: {name: sum(values) / len(values) for name, values in row.items()}
        for variant, row in scores.items()
    }
    clock.end("mean")
    return {"means": means, "seconds": {"loop": sum(clock.took.values()), **clock.took}}


class Stages:
    """Processor time by stage."""

    def __init__(self) -> None:
        self.took: dict[str, float] = defaultdict(float)
        self._last = time.process_time()

    def end(self, stage: str) -> None:
        """All since the last call went into this stage."""
        now = time.process_time()
        self.took[stage] += now - self._last
        self._last = now


def lines(args: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """The texts as they come from the files, with single spaces."""
    with open(args.source, encoding="utf-8") as one, open(args.reference, encoding="utf-8") as two:
        for text, gold in zip(one, two, strict=True):
            yield " ".join(text.split()), " ".join(gold.split())


def reader(nlp: Language, signature: str, language: str) -> Callable[[str, str], Sentence]:
    """One sentence at a time through the whole pipeline."""
    from hyperbaton.sentence import Sentence

    scheme = signature.rpartition("labels:")[2]
    root = "root" if scheme == "ud" else "ROOT"

    def read(text: str, item: str) -> Sentence:
        doc = nlp(text)
        # spaCy's own rule where the labels are spaCy's own, as the study has it.
        chunks = None
        if scheme != "ud":
            chunks = tuple((chunk.start, chunk.end) for chunk in doc.noun_chunks)
        return Sentence(
            words=tuple(token.text for token in doc),
            spaces=tuple(bool(token.whitespace_) for token in doc),
            language=language,
            upos=tuple(token.pos_ for token in doc),
            heads=tuple(token.head.i for token in doc),
            deps=tuple(token.dep_.replace("ROOT", root) for token in doc),
            noun_chunks=chunks,
            starts=tuple(sentence.start for sentence in doc.sents),
            scheme=scheme,
            id=item,
        )

    return read


if __name__ == "__main__":
    main()
