"""Sentence scores a second: Hyperbaton against sacreBLEU, nltk and fastchrf on the same pairs.

    python -m benchmarks.metrics --pairs FILE.de … REFERENCES.de  # translations, a reference each
    python -m benchmarks.metrics                       # 16 variants of a reference; techniques
    python -m benchmarks.metrics --text news.de        # the same of your own sentences
    python -m benchmarks.metrics --growth 10000000     # time and memory from 10^4 to 10^7 pairs
    python -m benchmarks.metrics --shuffled news.en --items 200  # TER, against a jumble of words

Times are processor time of one thread, the best of three; every contestant gets the same pairs as
strings. Equality is checked before anything is timed. With `--pairs`, `hyperbaton score` and
`sacrebleu` come last: whole processes in turns, start included, the median of three; where there
are several files of translations, both compare the others with the first (`--paired-bs`).
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.paper_script import timed
from hyperbaton.metrics import METRICS
from hyperbaton.metrics.kernels.ngrams import matches
from hyperbaton.metrics.kernels.texts import Sequences, encode, intern, without_white
from hyperbaton.metrics.metric import Segments

VARIANTS = 16
Texts = list[str]


def sentences(path: Path | None, count: int) -> Texts:
    """Lines of a file, or made-up ones: words by Zipf's law, 8 to 35 of them, then a full stop."""
    if path:
        lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return (lines * (count // len(lines) + 1))[:count]
    draw = random.Random(0)
    letters = "eeeeetttaaaooiinnsshhrrdlcumwfgypbvk"
    words = ["".join(draw.choices(letters, k=draw.randrange(1, 11))) for _ in range(20_000)]
    weights = [1 / (rank + 1) for rank in range(len(words))]
    return [
        " ".join(draw.choices(words, weights, k=draw.randrange(8, 36))) + "." for _ in range(count)
    ]


def variants(references: Sequence[str]) -> tuple[Texts, Texts]:
    """Each reference 16 times, with a longer and longer stretch of its words shuffled."""
    draw = random.Random(1)
    hypotheses, repeated = [], []
    for reference in references:
        for number in range(VARIANTS):
            words = reference.split()
            start = draw.randrange(len(words))
            stretch = words[start : start + 2 + number]
            draw.shuffle(stretch)
            words[start : start + 2 + number] = stretch
            hypotheses.append(" ".join(words))
            repeated.append(reference)
    return hypotheses, repeated


def fastest(call: Callable[[], object], repeats: int = 3) -> float:
    """Processor seconds."""
    times = []
    for _ in range(repeats):
        began = time.process_time()
        call()
        times.append(time.process_time() - began)
    return min(times)


Scorer = Callable[[Texts, Texts], Sequence[float]]


def sacrebleu_bleu(tokens: str) -> Scorer:
    from sacrebleu.metrics.bleu import BLEU

    def score(hypotheses: Texts, references: Texts) -> list[float]:
        # A new object each time: its tokenizer remembers the lines that it has seen.
        metric = BLEU(effective_order=True, tokenize=tokens)
        pairs = zip(hypotheses, references, strict=True)
        return [metric.sentence_score(h, [r]).score / 100 for h, r in pairs]

    return score


def sacrebleu_chrf(words: int) -> Scorer:
    from sacrebleu.metrics.chrf import CHRF

    metric = CHRF(word_order=words)

    def score(hypotheses: Texts, references: Texts) -> list[float]:
        pairs = zip(hypotheses, references, strict=True)
        return [metric.sentence_score(h, [r]).score / 100 for h, r in pairs]

    return score


def sacrebleu_ter(hypotheses: Texts, references: Texts) -> list[float]:
    from sacrebleu.metrics.ter import TER

    metric = TER()
    pairs = zip(hypotheses, references, strict=True)
    return [metric.sentence_score(h, [r]).score / 100 for h, r in pairs]


def nltk_bleu(hypotheses: Texts, references: Texts) -> list[float]:
    from nltk.translate.bleu_score import sentence_bleu

    pairs = zip(hypotheses, references, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [float(sentence_bleu([h.split()], r.split())) for h, r in pairs]


def fastchrf_chrf(hypotheses: Texts, references: Texts) -> list[float]:
    import fastchrf

    starts = [i for i, one in enumerate(references) if not i or one != references[i - 1]]
    ends = [*starts[1:], len(hypotheses)]
    grouped = [hypotheses[i:j] for i, j in zip(starts, ends, strict=True)]
    scores = fastchrf.pairwise_chrf(grouped, [[references[i]] for i in starts])
    return [float(score[0]) / 100 for group in scores for score in group]


def counted_bigrams(hypotheses: Texts, references: Texts) -> list[float]:
    scores = []
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        left, right = Counter(pairwise(hypothesis)), Counter(pairwise(reference))
        scores.append(2 * (left & right).total() / (left.total() + right.total()))
    return scores


CONTESTS: list[tuple[str, str, Callable[[], Scorer]]] = [
    ("BLEU(tokens=13a)", "sacreBLEU", lambda: sacrebleu_bleu("13a")),
    ("BLEU(tokens=none)", "sacreBLEU", lambda: sacrebleu_bleu("none")),
    ("BLEU(convention=paper, tokens=parsed)", "nltk", lambda: nltk_bleu),
    ("chrF", "sacreBLEU", lambda: sacrebleu_chrf(0)),
    ("chrF++", "sacreBLEU", lambda: sacrebleu_chrf(2)),
    ("chrF", "fastchrf", lambda: fastchrf_chrf),
    ("bigramF", "Counter", lambda: counted_bigrams),
]


def contest(hypotheses: Texts, references: Texts, sample: int) -> None:
    """Ours on all pairs, the others on a sample of them: the time of a pair is what counts."""
    few = sample // VARIANTS * VARIANTS
    print(f"\n{'metric':<40}{'ours µs':>9}  {'other':<10}{'µs':>9}{'ratio':>8}")
    for spec, name, make in CONTESTS:
        metric = METRICS.parse(spec)
        try:
            other = make()
            theirs = other(hypotheses[:few], references[:few])
        except ModuleNotFoundError as error:
            print(f"{spec:<40}{'':>9}  {name}: {error}")
            continue
        ours = metric.sentence_scores(hypotheses[:few], references[:few])
        # fastchrf computes in single precision
        np.testing.assert_allclose(ours, theirs, atol=1e-5 if name == "fastchrf" else 1e-9)
        a = fastest(lambda m=metric: m.sentence_scores(hypotheses, references))  # type: ignore[misc]
        b = fastest(lambda o=other: o(hypotheses[:few], references[:few]))  # type: ignore[misc]
        a, b = a / len(hypotheses) * 1e6, b / few * 1e6
        print(f"{spec:<40}{a:9.2f}  {name:<10}{b:9.2f}{b / a:7.1f}×")


def sorted_matches(
    sequences: Sequences, hypotheses: npt.NDArray[np.int64], references: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The same counts by NumPy alone: n-grams packed, sorted and counted in both texts of a pair.

    Exact only while six characters fit 63 bits, that is for batches of at most 1448 characters.
    """
    alphabet, units = np.unique(sequences.units, return_inverse=True)
    size = np.int64(len(alphabet))
    found = np.zeros((len(hypotheses), 6), np.int64)
    keys = np.zeros(len(units), np.int64)
    starts, lengths = sequences.offsets[:-1], sequences.lengths
    for order in range(1, 7):
        keys = keys[: len(units) - order + 1] * size + units[order - 1 :]
        _, numbers = np.unique(keys, return_inverse=True)
        counts = []
        for texts in (hypotheses, references):
            sizes = np.maximum(lengths[texts] - order + 1, 0)
            pair = np.repeat(np.arange(len(texts)), sizes)
            within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            grams = numbers[np.repeat(starts[texts], sizes) + within]
            counts.append(np.unique(pair * np.int64(len(keys)) + grams, return_counts=True))
        (left, many), (right, others) = counts
        both, i, j = np.intersect1d(left, right, assume_unique=True, return_indices=True)
        clipped = np.minimum(many[i], others[j])
        found[:, order - 1] = np.bincount(both // len(keys), clipped, len(hypotheses))
    return found


def counter_matches(hypotheses: Texts, references: Texts) -> npt.NDArray[np.int64]:
    """The same counts by dictionaries of strings, each distinct text once."""

    def grams(text: str) -> list[Counter[str]]:
        text = "".join(text.split())
        orders = range(1, 7)
        return [Counter(text[i : i + n] for i in range(len(text) - n + 1)) for n in orders]

    known = {text: grams(text) for text in {*hypotheses, *references}}
    return np.array(
        [
            [(a & b).total() for a, b in zip(known[h], known[r], strict=True)]
            for h, r in zip(hypotheses, references, strict=True)
        ]
    )


def techniques(hypotheses: Texts, references: Texts) -> None:
    """Why the kernel is what it is: the n-gram matches of chrF by three techniques."""
    pairs = intern(Segments(hypotheses, references))
    texts = without_white(encode(pairs.texts))
    ways: dict[str, Callable[[], npt.NDArray[np.int64]]] = {
        "trie, machine code": lambda: matches(texts, pairs.hypotheses, pairs.references, 6),
        "sorted keys, NumPy": lambda: sorted_matches(texts, pairs.hypotheses, pairs.references),
        "dictionaries, Python": lambda: counter_matches(hypotheses, references),
    }
    expected = ways["trie, machine code"]()
    best = 0.0
    print(f"\nn-gram matches of chrF, {len(hypotheses):,} pairs")
    for name, call in ways.items():
        np.testing.assert_array_equal(call(), expected)
        each = fastest(call) / len(hypotheses) * 1e6
        best = best or each
        print(f"  {name:<24}{each:9.2f} µs a pair{each / best:7.1f}×")


def growth(hypotheses: Texts, references: Texts, largest: int) -> None:
    """Time a pair and peak memory while the number of pairs grows tenfold and tenfold."""
    print(
        f"\n{'pairs':>12}{'BLEU µs':>10}{'chrF µs':>10}{'peak MiB':>10}{'lists and scores MiB':>22}"
    )
    for spec in ("BLEU", "chrF"):
        METRICS.parse(spec).sentence_scores(hypotheses[:1], references[:1])  # loads the kernels
    size = 10_000
    while size <= largest:
        many = size // len(hypotheses) + 1
        left, right = (hypotheses * many)[:size], (references * many)[:size]
        lists = size * 4 * 8 / 2**20  # two lists of pointers, two arrays of scores
        times = []
        for spec in ("BLEU", "chrF"):
            metric = METRICS.parse(spec)
            began = time.process_time()
            metric.sentence_scores(left, right)
            times.append((time.process_time() - began) / size * 1e6)
        memory = f"{_peak():>10.0f}{lists:>22.0f}"
        print(f"{size:>12,}{times[0]:>10.2f}{times[1]:>10.2f}{memory}", flush=True)
        size *= 10


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def shuffled(references: Texts) -> None:
    """TER of each sentence with all its words in another order, then with two words exchanged."""
    metric, draw = METRICS.parse("TER"), random.Random(2)
    metric.sentence_scores(["a"], ["a"])  # loads the kernel
    texts: dict[str, Texts] = {"all words shuffled": [], "two words exchanged": []}
    for reference in references:
        words = reference.split()
        texts["all words shuffled"].append(" ".join(draw.sample(words, len(words))))
        one, two = draw.randrange(len(words)), draw.randrange(len(words))
        words[one], words[two] = words[two], words[one]
        texts["two words exchanged"].append(" ".join(words))
    for what, hypotheses in texts.items():
        began = time.process_time()
        theirs = sacrebleu_ter(hypotheses, references)
        b = (time.process_time() - began) / len(references) * 1e3
        ours = metric.sentence_scores(hypotheses, references)
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)  # theirs are divided by 100 again
        a = fastest(lambda h=hypotheses: metric.sentence_scores(h, references))  # type: ignore[misc]
        a = a / len(references) * 1e3
        print(f"TER, {what}: {a:.3f} ms a pair, sacreBLEU {b:.2f} ms, {b / a:.0f}×", flush=True)


COMMANDS: dict[str, tuple[list[str], list[str]]] = {
    "BLEU and chrF of a corpus": (["-m", "BLEU", "-m", "chrF"], ["-m", "bleu", "chrf"]),
    "the same with 1,000 resamples": (
        ["-m", "BLEU", "-m", "chrF", "--confidence"],
        ["-m", "bleu", "chrf", "--confidence"],
    ),
    "sentence BLEU": (["-m", "BLEU", "--sentences"], ["-m", "bleu", "--sentence-level"]),
}
"""What two commands are asked for: options of `hyperbaton score`, options of `sacrebleu`."""


COMPARISON = {
    "systems against the first, 1,000 resamples": (
        ["-m", "BLEU", "-m", "chrF", "--confidence"],
        ["-m", "bleu", "chrf", "--paired-bs", "-f", "text"],
    ),
}


def commands(systems: Sequence[Path], references: Path, rounds: int = 3) -> None:
    """Processor time of whole commands, in turns."""
    asked = COMPARISON if len(systems) > 1 else COMMANDS
    hypotheses = [str(path) for path in systems]
    print(f"\n{'command, start included':<44}{'ours s':>9}  {'sacreBLEU s':>12}{'ratio':>8}")
    python = [sys.executable, "-m"]
    for what, (ours, theirs) in asked.items():
        mine = [*python, "hyperbaton", "score", *ours, *hypotheses, str(references)]
        peer = [*python, "sacrebleu", str(references), "-i", *hypotheses, *theirs]
        took = [(timed(mine).processor, timed(peer).processor) for _ in range(rounds)]
        a, b = (statistics.median(times) for times in zip(*took, strict=True))
        print(f"{what:<44}{a:9.2f}  {b:12.2f}{b / a:7.1f}×", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--pairs", type=Path, nargs="+", metavar="FILE", help="translations …, then references"
    )
    parser.add_argument("--text", type=Path, help="sentences, a line each")
    parser.add_argument("--shuffled", type=Path, help="sentences, a line each, for TER alone")
    parser.add_argument("--items", type=int, default=2000, help="references, of 16 variants each")
    parser.add_argument("--sample", type=int, default=4000, help="pairs for the slower contestants")
    parser.add_argument("--growth", type=int, default=0, metavar="PAIRS", help="measure up to this")
    args = parser.parse_args()
    if args.pairs:
        *systems, references = args.pairs
        texts = [path.read_text("utf-8").splitlines() for path in (systems[0], references)]
        print(f"{len(texts[0]):,} pairs, one reference each")
        if len(systems) == 1:
            some = [lines[: args.items] for lines in texts]
            contest(some[0], some[1], len(some[0]) // VARIANTS * VARIANTS)
        commands(systems, references)
        return
    if args.shuffled:
        shuffled(sentences(args.shuffled, args.items))
        return
    hypotheses, references = variants(sentences(args.text, args.items))
    mean = sum(map(len, hypotheses)) / len(hypotheses)
    print(f"{len(hypotheses):,} pairs, {VARIANTS} variants a reference, {mean:.0f} characters each")
    if args.growth:
        growth(hypotheses, references, args.growth)  # first, while no other has used memory
    contest(hypotheses, references, args.sample)
    techniques(hypotheses[:8000], references[:8000])


if __name__ == "__main__":
    main()
