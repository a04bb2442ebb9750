"""`hyperbaton train detector`: fine-tune or calibrate a paraphrase detector."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.base.options import share
from hyperbaton.base.wording import counted
from hyperbaton.cli.terminal.streams import say_lines

if TYPE_CHECKING:
    from hyperbaton.train.detector.data import Splits

EPILOG = """\
examples:
  hyperbaton train detector --base xlm-roberta-base --data de=train-de.tsv --data en=train-en.tsv \\
      --validation de=dev-de.tsv --test de=test-de.tsv --out detectors/xlm-r
  hyperbaton train detector --base models/xlm-r-large --preset large --data en=train-en.tsv \\
      --out detectors/large
  hyperbaton train detector --calibrate likelihood:ct2:models/small --data de=dev-de.tsv \\
      --out detectors/likelihood

A file is tab-separated: sentence, sentence, label (1 paraphrase, 0 not), as in PAWS-X.
"""


def add_job(jobs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The job among those of `hyperbaton train`."""
    parser = jobs.add_parser(
        "detector",
        help="train a paraphrase detector on labelled pairs",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = parser.add_mutually_exclusive_group(required=True)
    kinds.add_argument("--base", help="fine-tune a pretrained model: a folder or a hub's name")
    kinds.add_argument(
        "--calibrate", metavar="DETECTOR", help="fit a curve for cosine: or likelihood:"
    )
    files: dict[str, Any] = {"action": "append", "default": [], "metavar": "LANG=FILE"}
    parser.add_argument("--data", help="labelled pairs of a language (repeat for more)", **files)
    parser.add_argument(
        "--validation", help="validate on these pairs, not on a share of the data (repeat)", **files
    )
    parser.add_argument("--test", help="test on these pairs (repeat)", **files)
    parser.add_argument(
        "--held-out", type=share, default=0.1, help="share kept for validation (default: 0.1)"
    )
    parser.add_argument(
        "--test-share", type=share, default=0.0, help="share kept for the test (default: 0)"
    )
    parser.add_argument("--preset", default="base", help="base or large (default: base)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a number of the recipe (repeat)",
    )
    parser.add_argument("--download", action="store_true", help="fetch --base from the hub")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--out", type=Path, required=True, help="folder of the result")


def run(args: argparse.Namespace) -> int:
    """Train, then measure on the pairs kept for the test."""
    from hyperbaton.train.detector.data import read_splits
    from hyperbaton.train.recipe import settings_of

    splits = read_splits(
        _files(args.data),
        _files(args.validation),
        _files(args.test),
        (args.held_out, args.test_share),
        _seed(settings_of(args.set).get("seed", "1")),
    )
    spec = _calibrate(args, splits) if args.calibrate else _trained(args, splits)
    _measure(spec, splits, args.out)
    print(spec)
    return 0


def _files(texts: Sequence[str]) -> dict[str, Path]:
    found = {}
    for text in texts:
        language, equals, path = text.partition("=")
        if not (equals and language and path):
            raise HyperbatonError(f"'{text}': write it as LANG=FILE, e.g. de=dev-de.tsv")
        found[language] = Path(path)
    return found


def _trained(args: argparse.Namespace, splits: Splits) -> str:
    from hyperbaton.base.errors import installed
    from hyperbaton.train.detector.data import DETECTOR_PRESETS
    from hyperbaton.train.recipe import preset, settings_of

    installed("torch", extra="hf")
    installed("transformers", extra="hf")
    recipe = preset(args.preset, DETECTOR_PRESETS).with_options(settings_of(args.set))
    from hyperbaton.detectors.classifier import PairClassifier
    from hyperbaton.hub import Source, device_of
    from hyperbaton.train.detector.data import with_unrelated
    from hyperbaton.train.detector.training import load_pretrained, train_detector

    device = device_of(args.device)
    taught = with_unrelated(splits.train, recipe.unrelated, recipe.seed)
    classifier = load_pretrained(Source(args.base, None, args.download), recipe, device)
    train_detector(classifier, taught, splits.validation, recipe, args.out, say_lines)
    return str(PairClassifier(str(args.out)))


def _seed(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,15}", text):
        raise HyperbatonError(f"--set seed={text}: a whole number is needed, e.g. seed=1")
    return int(text)


def _calibrate(args: argparse.Namespace, splits: Splits) -> str:
    from hyperbaton.detectors import DETECTORS
    from hyperbaton.detectors.calibration import fit_curves, to_json
    from hyperbaton.detectors.likelihood import Likelihood
    from hyperbaton.detectors.similarity import SimilarityDetector

    detector = DETECTORS.parse(args.calibrate)
    if not isinstance(detector, SimilarityDetector):
        raise HyperbatonError(
            f"'{detector}' already gives probabilities: "
            "only cosine: and likelihood: can be calibrated"
        )
    curves = fit_curves(detector.similarities, splits.train)
    language = next(iter(splits.train))
    shipped = detector.shipped_name(language) if isinstance(detector, Likelihood) else ""
    path = args.out / (shipped or "calibration.json")
    write_text(path, to_json(str(detector), curves) + "\n")
    return str(detector.calibrated(path))


def _measure(spec: str, splits: Splits, out: Path) -> None:
    from hyperbaton.detectors import DETECTORS
    from hyperbaton.train.detector.data import measured

    test = splits.test or splits.validation
    if not test:
        return
    found = measured(DETECTORS.parse(spec), test)
    kind = "test" if splits.test else "validation"
    table = {language: asdict(result) for language, result in found.items()}
    write_text(out / "quality.json", json.dumps({"detector": spec, kind: table}, indent=2) + "\n")
    for language, result in found.items():
        say_lines(
            f"{kind} {language}: macro-F1 {result.macro_f1:.4f}, accuracy {result.accuracy:.4f}, "
            f"{counted(result.pairs, 'pair')}"
        )
