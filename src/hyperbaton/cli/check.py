"""`hyperbaton check`: whether a run meets thresholds, as an exit code for pipelines."""

from __future__ import annotations

import argparse
from pathlib import Path

from hyperbaton.errors import HyperbatonError

__all__ = ["DESCRIPTION", "EXAMPLES", "add_arguments", "run"]

DESCRIPTION = """\
Compare the scores of a word-order run with thresholds. The exit code is 0 when all are met, 1 when
one is not, 2 when there is nothing to compare."""
EXAMPLES = """\
  hyperbaton check runs/news --min-beta1 0.4
  hyperbaton check runs/news --metric chrF --min-beta 0.5 --min-beta1 0.4 --max-beta2 0.3

Every system must meet them in every language pair, oracle and literal apart; β1 and β2 are means
over perturbations, of equal weight. The interval that is printed does not decide, the mean does."""

_BOUNDS = {
    "min_beta": ("beta", 1, "β"),
    "min_beta1": ("beta1", 1, "β1"),
    "min_beta2": ("beta2", 1, "β2"),
    "max_beta2": ("beta2", -1, "β2"),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The run and what it has to reach."""
    parser.add_argument("run_folder", type=Path, metavar="RUN", help="a run directory")
    parser.add_argument("--min-beta", type=float, metavar="X", help="least quality β")
    parser.add_argument("--min-beta1", type=float, metavar="X", help="least robustness β1")
    parser.add_argument("--min-beta2", type=float, metavar="X", help="least faithfulness β2")
    parser.add_argument("--max-beta2", type=float, metavar="X", help="most faithfulness β2")
    parser.add_argument("-m", "--metric", help="default: the leading one of the run")


def run(args: argparse.Namespace) -> int:
    """Print each comparison; 1 when one of them fails."""
    from hyperbaton.pipeline import IDENTITY, Run
    from hyperbaton.studies.study import ALL, STUDIES
    from hyperbaton.studies.summary import leading

    bounds = {name: getattr(args, name) for name in _BOUNDS if getattr(args, name) is not None}
    if not bounds:
        raise HyperbatonError("nothing to check: give a threshold, as --min-beta1 0.4")
    opened = Run(args.run_folder)
    study = STUDIES.parse(opened.record.study)
    if study.name != "wordorder":
        raise HyperbatonError(f"{args.run_folder} is a run of {study}, which has no β1 and β2")
    metric = args.metric or leading(opened.metrics)
    scores = {
        (score.system, score.pair, score.name): score
        for score in study.scores([opened], metric)
        if score.variant == (IDENTITY if score.name == "beta" else ALL)
    }
    failed = False
    for system, pair in dict.fromkeys(key[:2] for key in scores):
        for name, bound in bounds.items():
            score, sign, label = _BOUNDS[name]
            found = scores[system, pair, score]
            met = sign * (found.value - bound) >= 0
            failed = failed or not met
            relation = "≥" if sign > 0 else "≤"
            interval = f"[{found.low:.4f}, {found.high:.4f}]"
            print(
                f"{'ok  ' if met else 'FAIL'} {system} {pair} {metric}: {label} = "
                f"{found.value:.4f} {interval}, wanted {relation} {bound:g}"
            )
    return 1 if failed else 0
