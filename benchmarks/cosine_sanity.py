"""Does an encoder's cosine tell a translation from a copy of the source?

    python benchmarks/cosine_sanity.py [--encoder e5] [--pairs de-en,en-de,es-en,zh-en]

On the 200 sentences of the starter corpus, mean scores of what a system might answer: the
reference, the bundled translation, the source as it is, the source with its words shuffled, and
the reference of another sentence. Under the table: translations of `bundled` that count as copies.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import hyperbaton
from hyperbaton.metrics import METRICS
from hyperbaton.systems.system import SYSTEMS

STARTER = Path(hyperbaton.__file__).parent / "data" / "starter" / "starter.tsv"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--encoder", default="e5")
    parser.add_argument("--pairs", default="de-en,en-de,es-en,zh-en")
    given = parser.parse_args()
    header, *lines = STARTER.read_text(encoding="utf-8").splitlines()
    names = header.split("\t")
    columns = dict(zip(names, zip(*(line.split("\t") for line in lines), strict=True), strict=True))
    metrics = [METRICS.parse(f'{name}(encoder="{given.encoder}")') for name in _COSINES]
    metrics.append(METRICS.parse("chrF"))
    print("| pair | answer | " + " | ".join(f"`{metric}`" for metric in metrics) + " |")
    print("|---" * (len(metrics) + 2) + "|")
    flagged = total = 0
    for pair in given.pairs.split(","):
        source, target = pair.split("-")
        sources, references = list(columns[source]), list(columns[target])
        for answer, texts in _answers(sources, references, source, target).items():
            scores = [metric.sentence_scores(texts, references, sources) for metric in metrics]
            cells = [f"{score.mean():.3f}" for score in scores]
            print(f"| {pair} | {answer} | {' | '.join(cells)} |", flush=True)
            if answer == "bundled":
                flagged += int(((scores[1] == 0) & (scores[0] != 0)).sum())
                total += len(texts)
    print(f"\n{flagged} of {total} translations of `bundled` count as copies.")


_COSINES = ("Cosine", "TranslatedCosine")


def _answers(
    sources: list[str], references: list[str], source: str, target: str
) -> dict[str, list[str]]:
    rng = np.random.default_rng(1)
    translator = SYSTEMS.parse("bundled(beam=2)").open(source, target)
    shuffled = [
        " ".join(rng.permutation(text.split(" ")).tolist()) if " " in text else text[::-1]
        for text in sources
    ]
    return {
        "reference": references,
        "bundled": [str(found.text) for found in translator.translate(sources)],
        "copy of the source": sources,
        "source, words shuffled": shuffled,
        "another reference": references[1:] + references[:1],
    }


if __name__ == "__main__":
    main()
