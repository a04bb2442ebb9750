"""The systems of a run, ready for its task: an encoder, a fine-tuned one, or a translator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import split
from hyperbaton.encoders.encoder import ENCODERS
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.pipeline import Job
from hyperbaton.pipeline.engine.engines import Local
from hyperbaton.pipeline.run.layout import slug
from hyperbaton.pipeline.stages.answerers import Answerer, Retriever
from hyperbaton.pipeline.stages.task_corpora import TaskCorpus
from hyperbaton.tasks import Retrieval, Task
from hyperbaton.tasks.translation import Translation
from hyperbaton.tasks.tuned import Tuned

if TYPE_CHECKING:
    from hyperbaton.encoders.e5.finetuning import Checkpoint

__all__ = ["Training", "opener"]


@dataclass(frozen=True)
class Training:
    """How a model is fine-tuned, and what its checkpoints are chosen on."""

    settings: tuple[Perturbation, ...]
    seeds: int
    epochs: int
    rate: float


def opener(task: Task, job: Job, folder: Path, training: Training) -> Callable[[str], Answerer]:
    """What opens a system by its name; trained models are kept in the run's folder."""
    data = next(corpus.folder for corpus in job.corpora if isinstance(corpus, TaskCorpus))

    def open_(system: str) -> Answerer:
        if isinstance(task, Retrieval):
            return Retriever(ENCODERS.parse(system).open(), task)
        if isinstance(task, Tuned):
            return _tuned(training, task, system, data, folder / "training" / slug(system))
        if isinstance(task, Translation):
            return _translator(task, system, job)
        raise HyperbatonError(f"no system can be put to the task {task}")

    return open_


def _tuned(how: Training, task: Tuned, system: str, data: Path, folder: Path) -> Answerer:
    from hyperbaton.encoders.e5.finetuning import fine_tune
    from hyperbaton.pipeline.stages.tuned_answers import TunedModel

    examples = task.training(data)
    encoder = ENCODERS.parse(system).open()
    tokenizer, signature = encoder.tokenizer, encoder.signature
    encoder.close()

    def train(number: int) -> Sequence[Checkpoint]:
        return fine_tune(
            split(system).name,  # where and how precisely it computes is not what is trained
            task.kind,
            len(task.labels),
            examples.texts,
            examples.gold,
            folder,
            seed=number,
            epochs=how.epochs,
            rate=how.rate,
        )

    return TunedModel(
        task,
        task.validation(data),
        how.settings,
        how.seeds,
        train,
        f"{signature}|trained:{examples.digest}|epochs:{how.epochs}|rate:{how.rate:g}",
        None if tokenizer is None else str(tokenizer),
    )


def _translator(task: Translation, system: str, job: Job) -> Answerer:
    from hyperbaton.pipeline.stages.translated_answers import TranslatingSystem
    from hyperbaton.systems.store.store import working_store
    from hyperbaton.systems.system import SYSTEMS

    named = SYSTEMS.parse(system)
    # On a cluster, the file of translations may lie on a disk that nodes share.
    here = isinstance(job.options.engine, Local)
    store = working_store(job.options.cache) if job.options.cached and here else None
    return TranslatingSystem(task, named.open, store)
