r"""Pack a trained run for shipping: 8 bits, and a temperature from pairs it was not trained on.

    python scripts/e5_pair/ship.py --weights A.npz --probabilities A.probabilities.npz \
        --groups test-zh --out e5-pair.npz

The temperature (Guo et al. 2017) is the one with the greatest likelihood on the groups whose names
begin so. A probability there is the mean of two orders, so it is fitted on the log-odds of that.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit, logit

from hyperbaton.detectors.e5_pair import Changes, read_changes


def main() -> None:
    """Write the file that `e5-pair` reads."""
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("weights", "probabilities", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--groups", required=True, help="how the names of the groups begin")
    given = parser.parse_args()
    temperature = fitted(given.probabilities, given.groups)
    print(f"temperature {temperature:.2f}")
    rounded = np.array(round(temperature, 2), np.float32)
    changes = {**read_changes(given.weights), "temperature": rounded}
    np.savez_compressed(given.out, allow_pickle=False, **packed(changes))


def packed(changes: Changes) -> dict[str, NDArray[np.generic]]:
    """The tensors as they are shipped: thin matrices in 8 bits, the rest in half floats."""
    found: dict[str, NDArray[np.generic]] = {}
    for name, values in changes.items():
        if name.endswith((".A", ".B")):
            scale = np.abs(values).max(axis=1) / 127
            scale = np.where(scale == 0, 1, scale).astype(np.float32)
            found[f"q:{name}"] = np.round(values / scale[:, None]).astype(np.int8)
            found[f"s:{name}"] = scale
        else:
            found[name] = values.astype(np.float16)
    return found


def fitted(path: Path, start: str) -> float:
    """The temperature of the greatest likelihood on these groups."""
    with np.load(path) as file:
        groups = [name for name in file.files if name.startswith(start)]
        chances = np.concatenate([file[name] for name in groups]).astype(np.float64)
        labels = np.concatenate([file[f"labels:{name}"] for name in groups])
    odds = logit(np.clip(chances, 1e-6, 1 - 1e-6))

    def loss(temperature: float) -> float:
        right = np.where(labels == 1, expit(odds / temperature), expit(-odds / temperature))
        return float(-np.log(np.maximum(right, 1e-12)).mean())

    return float(minimize_scalar(loss, bounds=(0.3, 10), method="bounded").x)


if __name__ == "__main__":
    main()
