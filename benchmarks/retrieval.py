"""Exact nearest neighbours of many vectors beside faiss or scikit-learn, in the same run.

    python benchmarks/retrieval.py --size 100000 --peer faiss

Prints seconds, the largest memory above the two sets of vectors, and how often both agree. The peer
is `faiss` (faiss-cpu, IndexFlatIP) or `sklearn` (brute force). Each is timed in a process of its
own, so that the memory of one is not counted for the other.
"""

from __future__ import annotations

import argparse
import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from numpy.typing import NDArray

from hyperbaton.tasks.nearest import nearest, unit

Places = NDArray[np.intp]


def main() -> None:
    """Print a row for us and one for the peer."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--queries", type=int, help="only so many queries (default: as --size)")
    parser.add_argument("--width", type=int, default=384)
    parser.add_argument("--peer", choices=("faiss", "sklearn", "none"), default="faiss")
    given = parser.parse_args()
    found: dict[str, Places] = {}
    for name in dict.fromkeys(("hyperbaton", given.peer)):
        if name == "none":
            continue
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            places, seconds, memory = pool.submit(_timed, name, given).result()
        found[name] = places
        print(f"{name}: {seconds:.1f} s, {memory / 2**30:.2f} GiB at the peak", flush=True)
    if len(found) == 2:
        ours, theirs = found.values()
        print(f"the same answer for {np.mean(ours == theirs):.4%} of {len(ours):,} queries")


def _timed(name: str, given: argparse.Namespace) -> tuple[Places, float, int]:
    rng = np.random.default_rng(0)
    size, width = given.size, given.width
    answers = rng.standard_normal((size, width), np.float32)
    queries = answers[rng.permutation(size)] + rng.standard_normal((size, width), np.float32)
    queries = queries[: given.queries]
    start = time.perf_counter()
    places = {"hyperbaton": _ours, "faiss": _faiss, "sklearn": _sklearn}[name](queries, answers)
    seconds = time.perf_counter() - start
    return places, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _ours(queries: NDArray[np.float32], answers: NDArray[np.float32]) -> Places:
    return nearest(queries, answers)[0]


def _faiss(queries: NDArray[np.float32], answers: NDArray[np.float32]) -> Places:
    import faiss

    index = faiss.IndexFlatIP(answers.shape[1])
    index.add(unit(answers))
    return np.asarray(index.search(unit(queries), 1)[1][:, 0], np.intp)


def _sklearn(queries: NDArray[np.float32], answers: NDArray[np.float32]) -> Places:
    from sklearn.neighbors import NearestNeighbors

    fitted = NearestNeighbors(n_neighbors=1, algorithm="brute", metric="cosine").fit(answers)
    return np.asarray(fitted.kneighbors(queries, return_distance=False)[:, 0], np.intp)


if __name__ == "__main__":
    main()
