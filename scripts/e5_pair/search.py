"""Train `e5-pair` with several recipes at once, choose one on validation, train it on all data.

    python scripts/e5_pair/search.py --pairs pairs.tsv.xz --out runs/e5-pair --minutes 8

First four recipes side by side, without the validation lines; the best macro-F1 there (half
German, half all languages) decides, and a recipe with edits is taken if it is at most .005 behind.
Then that recipe on all lines with three seeds. `report.json` has every figure: each run, and the
mean of the probabilities of runs of one stage. What is shipped is the mean of the three seeds, or
the first of them; that was settled before the test sets were looked at.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

from hyperbaton.detectors.scoring import quality

RECIPES = {
    # 1e-3 with rank 32 ended at one class for all pairs, so 7e-4 is the rate of all.
    "r32": ["--rank", "32", "--rate", "7e-4"],
    "r64": ["--rank", "64", "--rate", "7e-4"],
    "r32-edits": ["--rank", "32", "--rate", "7e-4", "--edits"],
    "r64-edits": ["--rank", "64", "--rate", "7e-4", "--edits"],
}
SEEDS = (1, 2, 3)
PREFERRED = 0.005
"""How much worse a recipe with edits may be on PAWS-X and still be taken."""


def main() -> None:
    """Both stages and the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("more", nargs="*", help="options for every training, after --")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    # Loading and measuring take about 20 seconds a stage.
    budget = given.minutes * 60 - 40
    _run(
        given, {name: ["--seed", "61", *recipe] for name, recipe in RECIPES.items()}, budget * 0.55
    )
    scores = {name: _validation(given.out / f"{name}.json") for name in RECIPES}
    best = max(scores, key=lambda name: scores[name] + PREFERRED * name.endswith("edits"))
    print("validation", scores, "chosen", best, flush=True)
    finals = {f"final-{seed}": ["--seed", str(seed), "--all", *RECIPES[best]] for seed in SEEDS}
    _run(given, finals, budget * 0.45)
    report = {"validation": scores, "chosen": best, "runs": {}}
    for name in [*RECIPES, *finals]:
        report["runs"][name] = json.loads((given.out / f"{name}.json").read_text())
    report["mean of the recipes"] = _together(given.out, list(RECIPES), ("val", "test", "edit"))
    report["mean of the seeds"] = _together(given.out, list(finals), ("test", "edit"))
    (given.out / "report.json").write_text(json.dumps(report, indent=1))
    print("mean of the seeds", report["mean of the seeds"])


def _run(given: argparse.Namespace, runs: dict[str, list[str]], seconds: float) -> None:
    """All runs at once on one device."""
    script = Path(__file__).with_name("train.py")
    fixed = ["--pairs", str(given.pairs), "--out", str(given.out), "--seconds", str(seconds)]
    jobs = [
        subprocess.Popen(
            [sys.executable, str(script), *fixed, "--name", name, *options, *given.more]
        )
        for name, options in runs.items()
    ]
    ends = [job.wait() for job in jobs]
    if any(ends):
        raise SystemExit("a training failed")


def _validation(path: Path) -> float:
    found = json.loads(path.read_text())["macro-f1"]
    every = [score for group, score in found.items() if group.startswith("val-")]
    return round((found["val-de"] + float(np.mean(every))) / 2, 4)


def _together(out: Path, names: list[str], starts: tuple[str, ...]) -> dict[str, float]:
    """Macro-F1 of the mean of the runs' probabilities."""
    files = [np.load(out / f"{name}.probabilities.npz") for name in names]
    groups = [group for group in files[0].files if group.startswith(starts)]
    return {
        group: round(
            quality(
                np.mean([file[group] for file in files], axis=0), files[0][f"labels:{group}"]
            ).macro_f1,
            4,
        )
        for group in groups
    }


if __name__ == "__main__":
    main()
