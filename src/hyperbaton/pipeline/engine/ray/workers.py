"""What workers of a cluster do: each makes a part and sends back a receipt, never a text."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline.design import Design, Pair
from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.ray.library import RemoteStore, warnings_heard
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.pipeline.run.layout import UNTRANSLATED
from hyperbaton.pipeline.run.locking import one_sentence
from hyperbaton.pipeline.run.parts import become_helper, column_names, sound
from hyperbaton.pipeline.stages.parsing import Parsers
from hyperbaton.pipeline.stages.probing import make_probes
from hyperbaton.pipeline.stages.scoring import (
    Judging,
    Scoring,
    judge,
    lacking,
    score_part,
    unjudged,
)
from hyperbaton.pipeline.stages.translating import Desk

if TYPE_CHECKING:
    from ray.actor import ActorHandle

__all__ = ["Outputs", "Receipt", "Site", "TranslatorActor", "work"]

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Site:
    """Where the command was given, so that workers find what it names, and what each may take."""

    folder: str
    options: RunOptions


@dataclass(frozen=True)
class Receipt(Generic[T]):
    """What came of a job: a value, or the sentence that refuses it; and what was warned of."""

    value: T | None
    refusal: str | None = None
    warnings: tuple[str, ...] = ()
    spent: bool = False
    """Whether it was refused since a limit is reached."""


def work(site: Site, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Receipt[T]:
    """Do a job in the folder of the command; a user's mistake comes back as its sentence."""
    become_helper()
    with warnings_heard() as heard:
        try:
            if os.path.isdir(site.folder):
                os.chdir(site.folder)
            Watch(replace(site.options, time_limit=None)).check()
            with one_sentence():
                return Receipt(job(*args, **kwargs), None, tuple(heard))
        except HyperbatonError as error:
            return Receipt(None, str(error), tuple(heard), isinstance(error, OutOfBudget))


def ensure_probes(
    path: Path,
    configuration: str,
    design: Design,
    items: Sequence[Item],
    pair: Pair,
    parse: Parsers,
    signatures: Mapping[str, str],
    home: str,
) -> None:
    """Write the probes of a part, if they are not there; by the parsers that began the run."""
    if sound(path, configuration) is not None:
        return
    here = platform.node()
    if here != home:
        # The file of parses may lie on a disk that nodes share, and SQLite serves one machine.
        parse = replace(parse, cached=False)
    known, now = signatures.get(f"{pair} probes", ""), design.probes_signature(items[0], pair)
    if known != now:
        raise HyperbatonError(
            f"probes are made by {now or 'nothing more'} on {here}, and by {known} where the run "
            "was begun: install the same versions on every node"
        )
    for side in design.parses:
        text = items[0].source if side == "source" else items[0].reference
        language = pair.source if side == "source" else pair.target
        if text is None:
            continue
        known, now = signatures[f"{pair} {side}"], parse.signature(text, items[0], language)
        if known != now:
            raise HyperbatonError(
                f"the parser of {language} is {now} on {here}, and {known} where "
                "the run was begun: install the same versions on every node"
            )
    make_probes(path, configuration, design, items, pair, parse)


def ensure_scores(job: Scoring) -> None:
    """Score what is not scored yet."""
    left = lacking(job)
    if left is not None:
        score_part(left)


def ensure_judged(job: Judging) -> None:
    """Run the stage over a whole corpus or a part of it, if that was not done."""
    if unjudged(job) is not None:
        judge(job)


def look(path: Path, configuration: str) -> int | None:
    """How many rows failed in a part of outputs; None where it must be made or completed."""
    stamp = sound(path, configuration)
    outdated = stamp is not None and UNTRANSLATED not in column_names(path)
    return None if stamp is None or outdated else stamp.failed


@dataclass(frozen=True)
class Outputs:
    """A part of outputs: what it is made of, and what must go before it changes."""

    probes: Path
    path: Path
    configuration: str
    made_of_it: tuple[Path, ...]

    def ensure(self, desk: Desk) -> None:
        """Make the part, or ask again for what failed in it."""
        stamp = sound(self.path, self.configuration)
        current = stamp is not None and desk.is_current(self.path)
        if stamp is None or not (current or desk.may_recover):
            self._drop()
            desk.translate(self.probes, self.path, self.configuration, _unseen)
        elif not current or (stamp.failed and desk.may_recover):
            desk.fill(self.probes, self.path, self.configuration, _unseen, self._drop)

    def _drop(self) -> None:
        for path in self.made_of_it:
            path.unlink(missing_ok=True)


def _unseen(rows: int) -> Callable[..., None]:
    return lambda steps=1: None


def answer(outputs: Outputs, system: str, pair: Pair) -> None:
    """Make a part of outputs by a control, which needs no model."""
    with Desk(system, pair, None, False) as desk:
        outputs.ensure(desk)


class TranslatorActor:
    """A translator that stays loaded; made and loaded in its own process."""

    def __init__(
        self,
        site: Site,
        system: str,
        pair: Pair,
        store: RemoteStore | None,
        retry: bool,
        purse: ActorHandle | None,
    ) -> None:
        self._site = site
        self._watch = Watch(site.options)
        self._system, self._purse = system, purse
        self._desk = Desk(system, pair, store, retry, self._before)

    def _before(self, texts: Sequence[str]) -> None:
        """Raise OutOfBudget unless these texts may be sent, or work may go on."""
        self._watch.check()
        if texts and self._purse is not None and self._system in self._site.options.prices:
            import ray

            asked = self._purse.pay.remote(self._system, len(texts), sum(map(len, texts)))
            complaint = ray.get(asked)
            if complaint is not None:
                raise OutOfBudget(complaint)

    def sign(self) -> Receipt[tuple[str, bool]]:
        """Load it; its signature, and whether its answers do not depend on their batch."""
        return work(self._site, lambda: (self._desk.signature, self._desk.batch_free))

    def make(self, outputs: Outputs) -> Receipt[None]:
        """Make a part of outputs."""
        return work(self._site, outputs.ensure, self._desk)

    def close(self) -> None:
        """Give the model back."""
        self._desk.close()
