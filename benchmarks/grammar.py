"""The tables of docs/replication-grammar.md, made from the runs that the page lists.

Run from the repository: python -m benchmarks.grammar RUNS
RUNS is a folder with the runs jfleg-de, jfleg-fr, … cweb-S-ru and made.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.grammar_made import made_up
from benchmarks.grammar_runs import (
    ALONE,
    CORPORA,
    FEWEST,
    KIND,
    LANGUAGES,
    METRIC,
    SYSTEMS,
    Cell,
    Systems,
    all_of,
    cell,
    grouped,
    like,
    noise,
    read,
    robust,
    table,
)
from hyperbaton.metrics.tokens import settle, split
from hyperbaton.pipeline import Run
from hyperbaton.report.numbers import show
from hyperbaton.studies.grammar.damage import moments
from hyperbaton.studies.grammar.findings import findings
from hyperbaton.studies.grammar.samples import LearnerSamples
from hyperbaton.studies.grammar.tables import (
    BY_LENGTH,
    BY_QUARTER,
    PUBLISHED,
    by_noise,
    correlations,
)

TYPES = {
    "VERB:INFL": "22", "VERB:SVA": "22", "ORTH": "19", "VERB:FORM": "17", "WO": "17",
    "VERB": "7", "ADV": "7", "NOUN": "6", "OTHER": "5", "CONJ": "3",
}  # fmt: skip
"""RB in the paper, of the types that it names."""
ROBUST = {"1": "32", "2": "13", "3": "6"}
LIKE = {"1": "59", "10 or more": "28"}
"""RB and f-BLEU in the paper, by number of errors."""
PLACES = {
    "all": ".7 / 5.1 / .8",
    "error in quarter 1": "3.8 / 5.6 / 3.3",
    "error in quarter 2": "1.6 / 4.1 / 1.2",
    "error in quarter 3": "−.2 / 3.6 / −1.1",
    "error in quarter 4": "−2.9 / 4.8 / −2.5",
}
"""µ, σ and γ1 in the paper."""
HEADS = [f"{corpus}, `{system}`" for corpus in CORPORA.values() for system in SYSTEMS]
MEASURES = {
    "RB": robust,
    "f-BLEU": like("BLEU"),
    "f-BLEU, changed": like("BLEU", changed=True),
    "f-METEOR": like("METEOR"),
    "f-METEOR, changed": like("METEOR", changed=True),
}


def corpora(found: Systems) -> None:
    """What each corpus is made of, and the pairs that a system did not translate."""
    rows = []
    for corpus, name in CORPORA.items():
        samples = max((samples for key, samples in found.items() if key[0] == corpus), key=len)
        [said] = samples.source.run.record.corpora.values()
        errors = samples.frame["errors"].to_numpy()
        source = samples.corpus_score(METRIC, "sources").times(100)
        counts: list[Cell] = [len(samples), samples.frame["sentence"].n_unique()]
        rows.append([name, *counts, f"{errors.mean():.2f}", cell(source), said])
    table("Corpora", ("", "pairs", "sentences", "corrections", "BLEU of the source", ""), rows)
    for (corpus, language, system), samples in found.items():
        missing = samples.source.run.record.progress[f"en-{language}"].items - len(samples)
        if missing:
            print(f"{corpus} into {language}, {system}: {missing} pairs were not translated")


def scores(found: Systems) -> None:
    """Table 1: RB and f-scores of every run, NR of three kinds, correlations."""
    for corpus, name in CORPORA.items():
        rows = [
            [
                f"{LANGUAGES[language]}, `{system}`",
                *(cell(of([samples])) for of in MEASURES.values()),
            ]
            for (which, language, system), samples in found.items()
            if which == corpus
        ]
        table(f"{name}: RB and f-scores", ("into", *MEASURES), rows)
    table(
        "NR of three kinds",
        ("", "NR", "mean of sentences", "length-discounted", "undefined"),
        [[f"{CORPORA[c]}, {LANGUAGES[to]}, `{s}`", *_ratios(p)] for (c, to, s), p in found.items()],
    )
    paper = correlations(PUBLISHED, ["RB", "f-BLEU", "f-METEOR", "NR"])
    ours = correlations(pl.DataFrame([_point(samples) for samples in found.values()]), [*paper])
    rows = [[n, show(r, 3), show(ours[n], 3)] for n, r in paper.items()]
    table("Correlation with corrections per sentence", ("", "paper", "here"), rows)


def _ratios(samples: LearnerSamples) -> list[Cell]:
    each = samples.noise_ratios(METRIC)
    kinds = (
        samples.noise_ratio(METRIC),
        samples.mean(each),
        samples.noise_ratio(METRIC, discount=True),
    )
    return [*(cell(kind, 2) for kind in kinds), int(np.isnan(each).sum())]


def _point(samples: LearnerSamples) -> dict[str, float]:
    kept = {"f-BLEU": "f-BLEU, changed", "f-METEOR": "f-METEOR, changed", "RB": "RB"}
    found = {name: MEASURES[kind]([samples]).value for name, kind in kept.items()}
    corrections = float(samples.frame["errors"].to_numpy().mean())
    return found | {"NR": noise([samples]).value, "corrections": corrections}


def parts(found: Systems) -> None:
    """By number of errors, length, type of error and noise of the source."""
    counts = {str(n): pl.col("errors") == n for n in range(1, 10)}
    counts["10 or more"] = pl.col("errors") > 9
    grouped(found, "RB by number of errors", lambda samples: counts, robust, ROBUST)
    grouped(found, "f-BLEU by number of errors", lambda samples: counts, like(METRIC), LIKE)
    lengths = {words: ALONE & chosen for words, chosen in BY_LENGTH.items()}
    grouped(found, "RB by words of the sentence, one error", lambda samples: lengths, robust)
    kinds = {kind: ALONE & KIND.eq(kind) for kind in _kinds(found)}
    grouped(found, "RB by type of error", lambda samples: kinds, robust, TYPES)
    for corpus, system in product(CORPORA, SYSTEMS):
        every = all_of(found, corpus, system)
        some = {kind: [samples.where(e) for samples in every] for kind, e in kinds.items()}
        marked = _marked({k: robust(p).value for k, p in some.items() if len(p[0]) >= FEWEST})
        print(f"{corpus} {system}: {marked}")
    bins = "NR by BLEU of the source"
    grouped(found, bins, lambda samples: by_noise(samples, METRIC), noise, digits=2)


def _kinds(found: Systems) -> list[str]:
    """Those that the paper names, then those that enough pairs of a corpus have alone."""
    kinds = [samples.frame.filter(ALONE).select(kind=KIND)["kind"] for samples in found.values()]
    enough = {k for kind in kinds for k, n in kind.value_counts().iter_rows() if n >= FEWEST}
    return [*TYPES, *sorted(enough - TYPES.keys())]


def _marked(shares: dict[str, float]) -> str:
    values = np.array([*shares.values()])
    middle, far = values.mean(), 2 * values.std()
    high, low = ([k for k, v in shares.items() if s * (v - middle) > far] for s in (1, -1))
    return f"mean over types {middle:.1f}, 2σ {far:.1f}; above {high}, below {low}"


def damage(found: Systems) -> None:
    """µ, σ and γ1 of where the damage lies, the four languages together."""
    columns = [*product(CORPORA, SYSTEMS)]
    quarters = {"all": pl.lit(True), **BY_QUARTER}
    for convention in ("figure", "formula"):
        rows = [
            [name, PLACES[name]]
            + [_spread(all_of(found, *column), e, convention) for column in columns]
            for name, e in quarters.items()
        ]
        table(f"Where the damage lies, {convention}", ("error in", "paper", *HEADS), rows)
    rows = [
        [name, *(_anywhere(all_of(found, *column), e) for column in columns)]
        for name, e in quarters.items()
    ]
    table("If the damage could be anywhere in the sentence: µ", ("error in", *HEADS), rows)
    rows = [
        [kind, *(_spread(all_of(found, *column), KIND.eq(kind), "figure") for column in columns)]
        for kind in _kinds(found)
    ]
    table("Where the damage lies, by type of error", ("", *HEADS), rows)
    for column in columns:
        for samples in all_of(found, *column):
            ones = samples.frame.filter(ALONE)
            print(
                *column, f"{samples.source.pair}: {ones['pivot'].count()} of {ones.height} linked"
            )


def _spread(every: Sequence[LearnerSamples], chosen: pl.Expr, convention: str) -> str:
    lists = pl.concat(
        [samples.where(ALONE & chosen).frame[convention].drop_nulls() for samples in every]
    )
    places = lists.explode().drop_nulls().to_numpy()
    if len(lists) < FEWEST or len(places) < FEWEST:
        return "–"
    m = moments(places)
    return " / ".join(show(v, 1) for v in (m.mean, m.deviation, m.skewness)) + f" ({len(places):,})"


def _anywhere(every: Sequence[LearnerSamples], chosen: pl.Expr) -> str:
    """The mean distance of as many words of each translation, drawn at random."""
    total = words = 0.0
    for samples in every:
        rows = samples.where(ALONE & chosen & (pl.col("figure").list.len() > 0)).frame
        tokens = split(rows["output"].to_list(), settle("auto", samples.source.pair.target))
        middle = (np.array([len(each) for each in tokens]) - 1) / 2 - rows["pivot"].to_numpy()
        damaged = rows["figure"].list.len().to_numpy()
        total, words = total + float(middle @ damaged), words + float(damaged.sum())
    return show(total / words, 1) if words else "–"


def claims(found: Systems) -> None:
    """The claims on each corpus, all its runs together and how many of them agree alone."""
    rows: dict[str, list[Cell]] = {}
    for corpus in CORPORA:
        some = {key: samples for key, samples in found.items() if key[0] == corpus}
        alone = {
            (one.claim, *key[1:]): one.verdict
            for key, samples in some.items()
            for one in findings([samples], METRIC)
        }
        for one in findings([*some.values()], METRIC):
            told = Counter(verdict for key, verdict in alone.items() if key[0] == one.claim)
            for key, verdict in alone.items():
                if key[0] == one.claim and verdict != "holds":
                    print(corpus, *key, verdict)
            value = f"{show(one.value, 2)} [{show(one.low, 2)}, {show(one.high, 2)}]"
            row = rows.setdefault(one.claim, [one.claim, one.statistic])
            row.append(f"{value}, {one.verdict}; {told['holds']} of {len(some)}")
    table("Claims", ("claim", "measured", *CORPORA.values()), rows.values())


def main(folder: Path) -> None:
    """All tables."""
    found = read(folder)
    for tell in (corpora, scores, parts, damage, claims):
        tell(found)
    if (folder / "made").is_dir():
        made_up(found["jfleg", "de", "bundled"], Run(folder / "made"))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
