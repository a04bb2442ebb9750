"""Structure: vectors at random, or always the same, explain nothing; real losses are explained."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from hyperbaton.pipeline import RunOptions
from hyperbaton.report.contents import Finding
from hyperbaton.stats import Bootstrap
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.registry import load_contents
from hyperbaton.studies.structure.contents import findings, headlines
from hyperbaton.studies.structure.series import Series, grid_samples
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.studies.structure.varying import Variation, vary
from hyperbaton.tasks import TASKS

LANGUAGES = ("deu", "nld", "swe", "fra", "spa", "ita", "por", "rus", "pol", "fin", "tur", "ell")
VARIANTS = ("identity", "FullShuffle", *(f"NeighbourFlip(p=0.{n})" for n in range(1, 10)))
EXAMPLES = 150
CANNOT = "What explains the losses of e cannot be said: "


def _explained(series: Sequence[Series]) -> str:
    """What the first screen says of the reasons; how much is lost stands before it."""
    (headline,) = headlines(series)
    return headline.sentence.partition(" when characters are moved. ")[2]


def _series(language: str, chance: np.ndarray, seed: int = 0) -> Series:
    """An encoder that finds each text with the chance of its perturbation."""
    rng = np.random.default_rng([seed, *map(ord, language)])
    kept = np.array([1.0, 0.1, *np.linspace(0.9, 0.2, len(VARIANTS) - 2)])
    noise = rng.uniform(-0.05, 0.05, len(VARIANTS)) * (kept < 1)
    moved = np.array([0, 0.33, *rng.permutation(np.linspace(0.001, 0.02, len(VARIANTS) - 2))])
    measures = np.stack([kept, moved, kept + noise], axis=1)
    scores = (rng.random((EXAMPLES, len(VARIANTS))) < chance).astype(np.float64)
    named = ("e", "tatoeba", "accuracy", language, f"{language}-eng", True)
    samples = grid_samples(VARIANTS, scores, np.ones_like(scores), Bootstrap(resamples=300))
    return Series(*named, measures, samples)


def _verdicts(findings: Sequence[Finding]) -> set[str]:
    """Those of the claims that were asked."""
    return {str(one.verdict) for one in findings if one.verdict != "not asked"}


@pytest.mark.parametrize("seed", range(5))
def test_an_encoder_at_chance_has_no_losses_to_explain(seed: int) -> None:
    chance = np.full(len(VARIANTS), 1 / 20)
    series = [_series(language, chance, seed) for language in LANGUAGES]
    why = "its score on perturbed text is not certainly lower"
    assert _explained(series).startswith(CANNOT + why)
    assert _verdicts(findings(series)) == {"undecided"}


def test_vectors_that_are_all_the_same_explain_nothing() -> None:
    series = [_series(language, np.ones(len(VARIANTS))) for language in LANGUAGES]
    assert _explained(series).startswith(CANNOT)
    assert "nan" not in _explained(series)
    assert _verdicts(findings(series)) <= {"undecided"}


def test_losses_that_follow_no_measure_are_not_explained() -> None:
    """Every perturbation costs the same, whatever it moves."""
    level = np.array([0.9, *[0.5] * (len(VARIANTS) - 1)])
    series = [_series(language, level) for language in LANGUAGES]
    held = {one.id for one in findings(series) if one.verdict == "holds"}
    assert held <= {"L2"}


def test_losses_that_follow_neighbours_are_explained_by_chrf() -> None:
    kept = np.array([1.0, 0.1, *np.linspace(0.9, 0.2, len(VARIANTS) - 2)])
    series = [_series(language, kept) for language in LANGUAGES]
    assert _explained(series).startswith(("chrF-2 explains", "chrF-2 and Comp explain"))
    told = {one.id: one.verdict for one in findings(series)}
    assert told["L1"] == "holds"


def test_too_few_languages_are_said_to_be_too_few() -> None:
    kept = np.array([1.0, 0.1, *np.linspace(0.9, 0.2, len(VARIANTS) - 2)])
    for count in (1, 5, 7):
        series = [_series(language, kept) for language in LANGUAGES[:count]]
        asked = [one for one in findings(series) if one.verdict != "not asked"]
        found = [one for one in asked if not one.part_of]
        assert {"L1", "L2", "L3"} <= {one.id for one in found} <= {"L1", "L2", "L3", "L7"}
        assert {one.verdict for one in found} == {"undecided"}
        claims = len({one.id for one in found})
        assert all(f"too few to decide one of {claims} claims" in one.detail for one in found)
        for part in asked:
            assert "too few" not in part.detail or part.verdict == "undecided"
        assert f"(Only {count} language{'s' * (count > 1)}: too few" in found[0].detail
        assert _explained(series).startswith(CANNOT) == (count < 6)
    eight = findings([_series(language, kept) for language in LANGUAGES[:8]])
    assert "holds" in {one.verdict for one in eight}


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
def test_a_run_with_vectors_at_random(tmp_path: Path) -> None:
    study = Structure(perturbations="FullShuffle; NeighbourFlip(p=0.1); NeighbourFlip(p=0.5)")
    rng, texts = np.random.default_rng(3), set()
    for language in ("de", "ru"):
        examples = TASKS.parse("starter").examples(Path(), language, 60)
        clean = [text for (text,) in examples.texts]
        cells = [(0, setting) for setting in study.settings]
        made = vary(Variation(examples.ids, clean, cells, None))
        texts |= {*clean, *examples.answers, *made.texts}
    rows = ({"text": text, "vector": rng.normal(size=8).tolist()} for text in sorted(texts))
    (tmp_path / "random.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    system = f"recorded:{tmp_path / 'random.jsonl'}"
    run_study(
        study,
        study.corpora((), "de,ru", 60),
        [system],
        tmp_path / "run",
        options=RunOptions(workers=0),
    )
    contents = load_contents([tmp_path / "run"])
    (said_first,) = contents.headlines
    assert "What explains the losses of recorded cannot be said: " in said_first.sentence
    assert _verdicts(contents.findings) <= {"undecided"}
