"""The systems of a grid, open and ready for its task: encoders, fine-tuned ones, translators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.encoders.encoder import ENCODERS, Encoder, OpenEncoder, Read, Reader, Vectors
from hyperbaton.perturb.perturbation import Perturbation
from hyperbaton.pipeline.run.layout import slug
from hyperbaton.studies.structure.languages import two_letters
from hyperbaton.studies.structure.protocol import Validation
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import NO_TRANSLATION
from hyperbaton.systems.store.store import Store, recall_terms
from hyperbaton.systems.system import SYSTEMS, Before, OtherTerms, Translator
from hyperbaton.systems.untranslated import untranslated_answers
from hyperbaton.tasks.task import Examples, Judged, Retrieval, Task
from hyperbaton.tasks.translation import Translation
from hyperbaton.tasks.tuned import Tuned

if TYPE_CHECKING:
    from hyperbaton.encoders.tuning.finetuning import Checkpoint

Cell = tuple[int, int]
"""The number of a part and of a perturbation."""


class OpenSystem(ABC):
    """A system that is open for a task."""

    before: Before = staticmethod(lambda texts: None)
    """Called before texts are sent by systems that take long; what it raises ends the run."""
    tokenizer: str | None = None
    """The model's own tokenizer, as `hyperbaton.perturb.units` opens it."""
    subwords: str | None = None
    """What cuts texts into subwords: its own tokenizer, or one that is lent to it."""

    def reader(self) -> Reader | None:
        """How texts are read in other processes; None where the system takes texts."""
        return None

    @abstractmethod
    def signed(self, language: str) -> str:
        """Everything that changes its answers in a language."""

    @abstractmethod
    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[Judged]:
        """How good the answers to the varied examples are, cell after cell."""

    @abstractmethod
    def close(self) -> None:
        """Give the resources back."""


class Retriever(OpenSystem):
    """An encoder that finds the answer nearest to a varied text."""

    def __init__(self, encoder: OpenEncoder, task: Retrieval) -> None:
        self._encoder = encoder
        self._task = task
        self.tokenizer = None if encoder.tokenizer is None else str(encoder.tokenizer)
        self._clean: tuple[tuple[str, ...], Vectors] | None = None

    def signed(self, language: str) -> str:
        return self._encoder.signature

    def reader(self) -> Reader | None:
        return self._encoder.reader()

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[Judged]:
        # The vectors of the answers are made once for all perturbations of a language.
        if self._clean is None or self._clean[0] != examples.answers:
            self._clean = examples.answers, self._encoder.encode(examples.answers)
        encoder, answers, size = self._encoder, self._clean[1], len(examples.ids)
        vectors = encoder.encode(texts) if read is None else encoder.encode_read(read)
        return [
            self._task.judge(examples, vectors[at * size : (at + 1) * size], answers)
            for at in range(len(cells))
        ]

    def close(self) -> None:
        self._encoder.close()


class TranslatingSystem(OpenSystem):
    """A translator of perturbed texts, opened for each language in turn."""

    def __init__(
        self,
        task: Translation,
        open_: Callable[[str, str], Translator],
        store: Store | None,
    ) -> None:
        self._task, self._open, self._store = task, open_, store
        self._opened: dict[str, Translator] = {}

    def signed(self, language: str) -> str:
        return f"{self._translator(language).signature}|{self._task.metric}"

    def _translator(self, language: str) -> Translator:
        if language not in self._opened:
            self._opened[language] = self._open(*self._pair(language))
            recall_terms(self._opened[language], self._store)
        return self._opened[language]

    def _pair(self, language: str) -> tuple[str, str]:
        return two_letters(language), two_letters(self._task.known)

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[Judged]:
        """A text may have no translation at all; other faults end a run for a while."""
        translator = self._translator(examples.language)
        try:
            translations = translate_all(
                translator,
                texts,
                store=self._store,
                retry_failed=True,
                before=self.before,
                signed=True,
            )
        except OtherTerms as other:
            raise other.told(translator.signature.split("|")[0]) from None
        faults = Counter(
            a.fault for a in translations if a.text is None and a.fault not in NO_TRANSLATION
        )
        if faults:
            reason, times = faults.most_common(1)[0]
            raise HyperbatonError(
                f"{faults.total():,} of {counted(len(texts), 'text')} in {examples.language} were "
                f"not translated; {counted(times, 'time')}: {reason}; run the same command again, "
                "which resumes the run"
            )
        answers = [answer.text for answer in translations]
        doubts = untranslated_answers(texts, answers, self._pair(examples.language))
        size, judged = len(examples.ids), []
        for at in range(len(cells)):
            here = slice(at * size, (at + 1) * size)
            judged.append(
                self._task.judge(examples, answers[here])._replace(
                    faults=tuple(answer.fault for answer in translations[here] if answer.fault),
                    untranslated=tuple(doubt for doubt in doubts[here] if doubt is not None),
                )
            )
        return judged

    def close(self) -> None:
        for translator in self._opened.values():
            translator.close()


@dataclass(frozen=True)
class Training:
    """How a model is fine-tuned, and in which language its checkpoints are chosen."""

    settings: tuple[Perturbation, ...]
    seeds: int
    epochs: int
    rate: float
    validation: Validation = "target"
    languages: tuple[str, ...] = ()
    """The languages of the run."""


def opener(
    task: Task, data: Path, folder: Path, training: Training
) -> Callable[[str, Store | None], OpenSystem]:
    """What opens a system by its name; trained models are kept in the run's folder."""

    def open_(system: str, store: Store | None) -> OpenSystem:
        if isinstance(task, Retrieval):
            return Retriever(ENCODERS.parse(system).open(), task)
        if isinstance(task, Tuned):
            return _tuned(training, task, system, data, folder / "training" / slug(system))
        if isinstance(task, Translation):
            return TranslatingSystem(task, SYSTEMS.parse(system).open, store)
        raise HyperbatonError(f"task {task} must derive from Retrieval, Tuned or Translation")

    return open_


def _tuned(how: Training, task: Tuned, system: str, data: Path, folder: Path) -> OpenSystem:
    from hyperbaton.encoders.tuning.finetuning import FineTuning, fine_tune
    from hyperbaton.studies.structure.tuned import TunedModel

    spec = ENCODERS.parse(system)
    if type(spec).classifier is Encoder.classifier:
        raise HyperbatonError(f"'{system}' cannot be fine-tuned for {task}: name e5 or hf:MODEL")
    examples, held = task.training(data), _held(how, task, data)
    encoder = spec.open()
    tokenizer, signature = encoder.tokenizer, encoder.signature
    encoder.close()

    def train(number: int) -> Sequence[Checkpoint]:
        name, labels = str(spec.trained), len(task.labels)
        job = FineTuning(name, task.kind, labels, number, how.epochs, how.rate)
        return fine_tune(job, examples.texts, examples.gold, folder, spec.training_device)

    signature += f"|trained:{examples.digest}|epochs:{how.epochs}|rate:{how.rate:g}"
    own = None if tokenizer is None else str(tokenizer)
    return TunedModel(task, held, how.settings, how.seeds, train, signature, own)


def _held(how: Training, task: Tuned, data: Path) -> Mapping[str, Examples]:
    """What checkpoints are chosen on for each language of the run."""
    if how.validation == "english":
        return dict.fromkeys(how.languages, task.validation(data, task.known))
    try:
        return {code: task.validation(data, code) for code in how.languages}
    except HyperbatonError as error:
        raise HyperbatonError(
            f"{error}; checkpoints are chosen on validation data of each language: add them, or "
            "choose on English with --validation english"
        ) from None
