"""Structure: does an encoder rely on what is near, or on where things stand? (Clouatre 2022)

Characters and subwords of a text are moved in 41 ways. How well a task is still done is compared
with what the moves did to neighbours (chrF-2), to places (IDC) and to the vocabulary (Comp).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.base.spec import Registry, split
from hyperbaton.encoders.encoder import ENCODERS, Encoder
from hyperbaton.language.languages import listed
from hyperbaton.perturb import Perturbation, parse_all
from hyperbaton.perturb.units import Identity
from hyperbaton.pipeline import Corpus, Job, Pair, Run
from hyperbaton.studies.layer.experiment import CommandLine, Demo, Experiment, Score
from hyperbaton.studies.structure.grid import Grid, TaskCorpus, execute_grid
from hyperbaton.studies.structure.protocol import PROTOCOLS, Protocol, Validation
from hyperbaton.studies.structure.systems import Training, opener
from hyperbaton.studies.structure.varying import checked_settings
from hyperbaton.systems.system import SYSTEMS, System
from hyperbaton.tasks import TASKS, Task, as_in_paper
from hyperbaton.tasks.tuned import Tuned

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

EXAMPLES = """\
  hyperbaton structure --encoder chars -l zh --limit 5 --seeds 1 --out runs/starter
  hyperbaton structure --task tatoeba --data tatoeba/v1 --encoder e5 --encoder chars \\
      -l deu,rus,cmn --seeds 5 --out runs/tatoeba
  hyperbaton structure --task sib200 --data sib200 --encoder e5 -l rus_Cyrl,hin_Deva \\
      --with char-grid --limit 100 --out runs/sib"""
PIECES = DATA / "bundled" / "source.spm"
"""The pieces of the bundled translator, where no encoder of a run has a vocabulary."""

_MOST = 1000
"""Seeds, trainings and epochs."""


@dataclass(frozen=True)
class Structure(Experiment):
    """The study of the structure paper, on any task.

    >>> print(Structure(), Structure(task="sib200(splits=all)", seeds=5))
    structure structure(task="sib200(splits=all)", seeds=5)
    """

    name: ClassVar[str] = "structure"
    title = "Structure: local or global?"
    question = "Does an encoder rely on which characters are neighbours, or on their positions?"
    demo = Demo(("de-en", "ru-en", "zh-en"), ("chars",), limit=60)
    """`chars` takes a second for about 70 texts."""
    of_lines = False
    more_is_better = ("accuracy", "F1", "nDCG", "quality")
    command = CommandLine(
        EXAMPLES,
        printed=("F3",),
        files={"--data": "the folder of the data set"},
        takes=(),
        systems=("--encoder", "--system"),
        languages=("LIST", "as the data set names them, e.g. rus_Cyrl,hin_Deva (default: all)"),
        needs_files=False,
    )

    task: str = field(
        default="starter", metadata={"help": "see: hyperbaton ls tasks", "metavar": "NAME"}
    )
    perturbations: str = field(
        default="structure-grid",
        metadata={
            "help": "perturbation of characters or subwords, or a group (default: structure-grid)",
            "flag": "--with",
            "metavar": "NAME",
            "repeat": True,
        },
    )
    protocol: Literal["default", "paper"] = field(
        default="default",
        metadata={
            "help": "paper: 5 trainings, 5 draws, retrieval by F1, BUCC by nearest neighbour; "
            "another option takes precedence"
        },
    )
    seeds: int | None = field(
        default=None,
        metadata={
            "help": "draws of each perturbation (default: 1; the paper: 5)",
            "metavar": "N",
        },
    )
    tokenizer: str = field(
        default="",
        metadata={
            "help": "subwords and tokens for encoders that have no vocabulary, where no encoder "
            "of the run has one (default: the pieces of the bundled translator)",
            "metavar": "PATH",
        },
    )

    trainings: int | None = field(
        default=None,
        metadata={
            "help": "models that are fine-tuned, for tasks that need it (default: 1; the paper: 5)",
            "metavar": "N",
        },
    )
    epochs: int | None = field(
        default=None,
        metadata={
            "help": "of fine-tuning, a checkpoint each (default and the paper: 10)",
            "metavar": "N",
        },
    )
    rate: float | None = field(
        default=None,
        metadata={
            "help": "learning rate of fine-tuning (default and the paper: 2e-5); 1e-4 suits e5 "
            "better",
            "metavar": "RATE",
        },
    )
    validation: Validation | None = field(
        default=None,
        metadata={
            "help": "language of the perturbed texts that a checkpoint is chosen on (default and "
            "the paper: target)"
        },
    )

    def __post_init__(self) -> None:
        for name in ("seeds", "trainings", "epochs"):
            if not 1 <= getattr(self.way, name) <= _MOST:
                raise HyperbatonError(f"{name} must be 1 to {_MOST}, not {getattr(self, name)}")
        checked_settings(self.settings)
        TASKS.parse(self.task)

    @cached_property
    def way(self) -> Protocol:
        """How it is drawn and trained: as was said, otherwise by the protocol."""
        names = ("seeds", "trainings", "epochs", "rate", "validation")
        said = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        return replace(PROTOCOLS[self.protocol], **said)

    @property
    def registry(self) -> Registry[System] | Registry[Encoder]:
        """Encoders, or translators where translation is the task."""
        return SYSTEMS if self.chosen_task.name == "translation" else ENCODERS

    @cached_property
    def settings(self) -> tuple[Perturbation, ...]:
        """The clean text first, then the perturbations as they were named."""
        named = parse_all(_of_the_model(part) for part in self.perturbations.split(";"))
        return tuple(dict.fromkeys((Identity(), *named)))

    @property
    def chosen_task(self) -> Task:
        """The task with its options."""
        return self.task_of_paper if self.protocol == "paper" else TASKS.parse(self.task)

    @property
    def task_of_paper(self) -> Task:
        """The same, scored as in the paper unless its options say otherwise."""
        return TASKS.parse(as_in_paper(self.task))

    def chosen(self, metrics: Sequence[str]) -> tuple[str, ...]:
        """No others."""
        if metrics:
            raise HyperbatonError(f"{self.name} scores by its task: leave out -m {metrics[0]}")
        return ()

    def corpora(
        self, paths: Sequence[str], languages: str | None, limit: int | None = None
    ) -> Sequence[Corpus]:
        """The languages that are named, or all that the task takes."""
        task, folder = self.chosen_task, self._folder(paths)
        codes = tuple(dict.fromkeys(listed(languages))) or task.languages(folder)
        return [TaskCorpus(task, folder, code, limit) for code in codes]

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """One language."""
        return TaskCorpus(self.chosen_task, self._folder(paths), pair.source, limit)

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The sentences that come with the package; the first of them, unless told otherwise."""
        return TaskCorpus(TASKS.parse("starter"), Path(), pair.source, limit or self.demo.limit)

    def _folder(self, paths: Sequence[str]) -> Path:
        if not paths and self.chosen_task.shipped:
            return Path()
        if len(paths) != 1:
            raise HyperbatonError(f"the task {self.task} needs the folder of its data: --data DIR")
        folder = Path(paths[0])
        if not folder.is_dir():
            raise HyperbatonError(f"{folder} is no folder: name that of the data set with --data")
        return folder

    def execute(self, job: Job, folder: Path) -> Run:
        """Run the grid, or resume it."""
        task, way = self.chosen_task, self.way
        corpora = [corpus for corpus in job.corpora if isinstance(corpus, TaskCorpus)]
        languages = tuple(corpus.language for corpus in corpora)
        how = Training(self.settings, way.seeds, way.epochs, way.rate, way.validation, languages)
        tokenizer = self.tokenizer or str(PIECES)
        trains = isinstance(task, Tuned)
        trainings = way.trainings if trains else 1
        systems = opener(task, corpora[0].folder, folder, how)
        grid = Grid(self.settings, way.seeds, tokenizer, systems, trainings, trains)
        return execute_grid(job, grid, folder)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """Findings, tables, figures and single sentences."""
        from hyperbaton.studies.structure.contents import contents

        return contents(self.title, runs)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """The score of each encoder, language and perturbation, and what explains its loss."""
        from hyperbaton.studies.structure.tables import scores

        return scores(runs)


def _of_the_model(text: str) -> str:
    """A perturbation of subwords without a tokenizer moves those of the model."""
    parsed = split(text)
    subwords = parsed.name == "structure-grid" or parsed.options.get("unit") == "subword"
    if not subwords or "tokenizer" in parsed.options:
        return text
    options = {**parsed.options, "tokenizer": "model"}
    return f"{parsed.name}({', '.join(f'{key}={value}' for key, value in options.items())})"
