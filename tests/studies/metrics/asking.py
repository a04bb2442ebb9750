"""Asks the study, and reads its scores."""

from __future__ import annotations

from pathlib import Path

from hyperbaton.pipeline import Pair, RunOptions
from hyperbaton.studies.layer.experiment import Score
from hyperbaton.studies.layer.running import run_study
from hyperbaton.studies.layer.session import Session
from hyperbaton.studies.metrics.study import Metrics

NOW = RunOptions(workers=0, cached=False)
EN_DE = Pair("en", "de")


def on_references(
    folder: Path, metrics: list[str], spec: str = "wordorder; lower", n: int = 60
) -> Session:
    """Some metrics on the sentences that are shipped."""
    study = Metrics(perturbations=spec)
    return run_study(study, [study.demo_corpus(EN_DE, n)], (), folder, metrics=metrics, options=NOW)


def on_damaged(data: Path, folder: Path, metrics: list[str]) -> Session:
    """Some metrics on a folder like DEMETR's."""
    study = Metrics()
    corpora = study.corpora([str(data)], None)
    return run_study(study, corpora, (), folder, metrics=metrics, options=NOW)


def by_name(session: Session, pair: str = "en-de") -> dict[tuple[str, str, str], Score]:
    """The scores of a pair by metric, damage and name."""
    scores = session.study.scores([session.run])
    return {(s.metric, s.variant, s.name): s for s in scores if s.pair == pair}


def planted(sees: str) -> str:
    """A metric of which it is known what it sees."""
    return f"Planted(sees={sees})"
