"""Pairs of PAWS-X that the detector `e5-pair(trained=edits)` was not trained on, and translations.

    python -m benchmarks.held_out_paraphrases PAWSX en fr es pairs

writes one.en, two.en, one.fr, two.fr, … into the folder `pairs`: both sentences of a pair in each
language, line by line. PAWSX is the folder with dev-en.tsv and so on, whose lines are the same
pairs in every language; a fifth of the lines was kept from training in all of them at once.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hyperbaton.corpus.paraphrases import LabelledPair, read_labelled_pairs

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts" / "e5_pair"))
from prepare import validates  # type: ignore[import-not-found]


def held_out(folder: Path, languages: Sequence[str]) -> Mapping[str, list[LabelledPair]]:
    """The pairs that were kept from training and that all languages have, in the same order."""
    known = {
        code: {pair.row: pair for pair in read_labelled_pairs(folder / f"dev-{code}.tsv")}
        for code in languages
    }
    shared = sorted(set.intersection(*map(set, known.values())))
    rows = [row for row in shared if validates(row - 1)]
    return {code: [pairs[row] for row in rows] for code, pairs in known.items()}


def main(folder: Path, languages: Sequence[str], out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for code, pairs in held_out(folder, languages).items():
        for name, side in (("one", "first"), ("two", "second")):
            text = "".join(f"{getattr(pair, side)}\n" for pair in pairs)
            (out / f"{name}.{code}").write_text(text, encoding="utf-8")
        print(f"{code}: {len(pairs):,} pairs")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:-1], Path(sys.argv[-1]))
