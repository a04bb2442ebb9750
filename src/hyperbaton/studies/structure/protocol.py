"""How often it is drawn and trained: the defaults, and the paper's protocol (its appendix A)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from hyperbaton.tasks.tuned import Tuned

if TYPE_CHECKING:
    from hyperbaton.studies.structure.study import Structure

Validation = Literal["target", "english"]
"""The language of the texts that a checkpoint is chosen on."""


@dataclass(frozen=True)
class Protocol:
    """What the options of a run that are not named stand for."""

    seeds: int = 1
    trainings: int = 1
    epochs: int = 10
    rate: float = 2e-5
    validation: Validation = "target"


PROTOCOLS = {"default": Protocol(), "paper": Protocol(seeds=5, trainings=5)}


def protocol_notes(studies: Iterable[Structure]) -> list[str]:
    """How each study was drawn and trained, and where it leaves the paper's protocol."""
    return [_told(study) for study in dict.fromkeys(studies)]


def _told(study: Structure) -> str:
    """One sentence for the reader of the report."""
    way, task = study.way, study.chosen_task
    said = f"{way.seeds} draw{'s' * (way.seeds != 1)} of each perturbation"
    if isinstance(task, Tuned):
        language = "the target language" if way.validation == "target" else "English"
        said += (
            f", {way.trainings} training{'s' * (way.trainings != 1)} of {way.epochs} "
            f"epoch{'s' * (way.epochs != 1)} at a rate of {way.rate:g}, each perturbation with the "
            f"checkpoint that is best on validation data in {language} perturbed alike"
        )
    if study.protocol != "paper":
        return f"{task}: {said}."
    paper = PROTOCOLS["paper"]
    other = [f.name for f in fields(way) if getattr(way, f.name) != getattr(paper, f.name)]
    other += [] if task == study.task_of_paper else ["task"]
    left = f", but for what was said otherwise ({', '.join(other)})" if other else ""
    return f"{task}, by the paper's protocol{left}: {said}."
