"""Is a translation that an error changed another way to say the same? A detector is asked.

    python -m benchmarks.meaning RUNS

RUNS is the folder of the runs behind docs/replication-grammar.md; what comes out is written to
RUNS/meaning.json. Of the changed translations of each system on JFLEG at most 300 are drawn, and
`e5-pair(trained=edits)` says whether y and ỹ mean the same. How often it is right is measured on
the project's own 430 labelled pairs, which it was not trained on: hits among paraphrases, and
false alarms among pairs that look alike and mean something else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import polars as pl

from benchmarks.detectors import labelled
from benchmarks.replication.reading import plain
from hyperbaton.detectors import DETECTORS
from hyperbaton.detectors.detector import Detector
from hyperbaton.pipeline import Run
from hyperbaton.studies.grammar.samples import LearnerSamples, learner_samples
from hyperbaton.studies.layer.aggregate import Aggregate
from hyperbaton.studies.layer.samples import Samples

DETECTOR = "e5-pair(trained=edits)"
MOST = 300
"""Changed translations of a system that are judged."""
ELSEWHERE = 100
"""Of these, how many are judged beside the translation of another sentence."""
CHECKED = ("de", "en")
"""The languages of the labelled pairs."""


def said_same(detector: Detector, pairs: pl.DataFrame, language: str) -> Samples:
    """Of which pairs the detector says that they mean the same."""
    first, second, sentence = (pairs[name].to_list() for name in ("one", "other", "sentence"))
    same = detector.probabilities(first, second, language) >= 0.5
    return Samples(first, clusters=sentence, frame=pl.DataFrame({"same": same}))


def rates(detector: Detector) -> dict[str, tuple[Aggregate, Aggregate]]:
    """Hits and false alarms on the labelled pairs of each language."""
    found = {}
    for language in CHECKED:
        pairs, labels = labelled(language)
        table = pl.DataFrame(pairs, schema=["one", "other"], orient="row").with_row_index(
            "sentence"
        )
        judged = [
            said_same(detector, table.filter(pl.Series(labels == label)), language).share("same")
            for label in (1, 0)
        ]
        found[language] = (judged[0], judged[1])
    return found


def changed(samples: LearnerSamples) -> pl.DataFrame:
    """Some of the pairs ỹ, y that differ."""
    some = samples.frame.filter(~pl.col("same"))
    drawn = np.random.default_rng(0).permutation(some.height)[:MOST]
    before = pl.col("sentence").shift(1)
    elsewhere = pl.when(pl.col("sentence") != before).then(pl.col("output").shift(1))
    chosen: pl.DataFrame = some[np.sort(drawn).tolist()]
    return chosen.select("sentence", one="output", other="varied_output", elsewhere=elsewhere)


def row(samples: LearnerSamples, detector: Detector) -> dict[str, object]:
    """One system: unchanged, the same by the detector, and what chance gives."""
    language = samples.source.pair.target
    pairs = changed(samples)
    share = said_same(detector, pairs, language).share("same")
    others = pairs.drop_nulls("elsewhere").with_columns(one="elsewhere")[:ELSEWHERE]
    return {
        "system": samples.source.system,
        "language": language,
        "pairs": len(samples),
        "judged": pairs.height,
        "RB": samples.share("same").span,
        "same": share.span,
        "chance": said_same(detector, others, language).share("same").span,
    }


def main(folder: Path) -> None:
    """Write the numbers of every system of the run."""
    detector = DETECTORS.parse(DETECTOR)
    right = rates(detector)
    systems, _ = learner_samples([Run(folder / "grammar-jfleg")])
    rows = [row(one, detector) for one in systems]
    record = {
        "detector": [
            detector.signature(one) for one in sorted({str(row["language"]) for row in rows})
        ],
        "rates": [
            {"language": name, "hits": hits.span, "false alarms": alarms.span}
            for name, (hits, alarms) in right.items()
        ],
        "rows": rows,
    }
    text = json.dumps(plain(record), ensure_ascii=False, indent=1)
    (folder / "meaning.json").write_text(f"{text}\n", encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
