"""Predictions in the published JSON form, made up so that every count is known."""

from __future__ import annotations

import json
import random
from pathlib import Path

SHARED = Path(__file__).parents[3] / "shared" / "data"
DETECTORS = ("large.pawsx.1", "base.pawsx.2", "small.pawsx.3")
# (source probabilities of the three, target probabilities of the three, M)
CASES = (
    ((0.9, 0.9, 0.9), (0.8, 0.8, 0.8), "[1,1]"),
    ((0.5, 0.5, 0.1), (0.5, 0.9, 0.1), "[1,1]"),
    ((0.1, 0.2, 0.3), (0.1, 0.2, 0.3), "[0,0]"),
    ((0.1, 0.2, 0.9), (0.9, 0.8, 0.9), "[0,1]"),
    ((0.9, 0.1, 0.9), (0.1, 0.1, 0.49), "[1,0]"),
    # Each side has a majority (1 and 1), the pair has none.
    ((0.9, 0.9, 0.1), (0.9, 0.1, 0.9), "∅"),
)
TEXTS = (
    ("Er lief schnell nach Hause.", "Schnell lief er nach Hause."),
    ("Das Haus ist alt.", "Alt ist das Haus."),
    ("Sie trank Tee mit Milch.", "Heute regnet es überall stark."),
    ("Der Zug kam spät an.", "Mit Verspätung traf der Zug ein."),
    ("Ich habe kein Geld bei mir.", "Geld habe ich keines bei mir."),
    ("Wir gehen morgen ins Kino.", "Morgen gehen wir ins Kino."),
)


def write_predictions(path: Path, similarities: bool = True) -> Path:
    """One prediction for each case."""
    rows = {}
    for number, ((source, target, _), (one, two)) in enumerate(zip(CASES, TEXTS, strict=True)):
        row: dict[str, object] = {
            "sentence_original": {"source": one, "target": one.upper()},
            "sentence_paraphrase": {"source": two, "target": two.upper()},
            "gold_label": 1,
        }
        if similarities:
            for place, side in enumerate(("source", "target")):
                row[f"chrf_bar_{side}"] = number / 10 + place / 100
                row[f"bleu_bar_{side}"] = number * 10.0 + place
        for name, s, t in zip(DETECTORS, source, target, strict=True):
            row |= {f"{name}_source": s, f"{name}_target": t}
        rows[str(number)] = row
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path


def write_random_predictions(path: Path, pairs: int = 40) -> Path:
    """Predictions drawn at random, the same for the same name of a file."""
    rng = random.Random(path.name)
    rows = {}
    for number in range(pairs):
        one, two = rng.choice(TEXTS)
        row: dict[str, object] = {
            "sentence_original": {"source": one, "target": one.upper()},
            "sentence_paraphrase": {"source": two, "target": two.upper()},
            "gold_label": rng.randrange(2),
        }
        likeness = rng.random()
        for side in ("source", "target"):
            row[f"chrf_bar_{side}"] = 0.2 + 0.6 * likeness + 0.2 * rng.random()
            row[f"bleu_bar_{side}"] = 100 * likeness * rng.random()
            for name in DETECTORS:
                row[f"{name}_{side}"] = min(1.0, 0.4 * likeness + 0.7 * rng.random())
        rows[str(number)] = row
    path.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    return path
