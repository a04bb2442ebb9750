"""What workers of a cluster do: each makes a part and sends back a receipt, never a text."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar

from hyperbaton.base.errors import HyperbatonError, OutOfBudget
from hyperbaton.pipeline.engine.budgets import Watch
from hyperbaton.pipeline.engine.ray.library import RemoteStore, warnings_heard
from hyperbaton.pipeline.engine.stages import Resident
from hyperbaton.pipeline.options import RunOptions
from hyperbaton.pipeline.run.locking import one_sentence
from hyperbaton.pipeline.run.parts import become_helper
from hyperbaton.systems.system import OtherTerms

if TYPE_CHECKING:
    from ray.actor import ActorHandle

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


class Actor:
    """A system that stays open; opened in its own process."""

    def __init__(
        self,
        site: Site,
        system: str,
        resident: Resident,
        store: RemoteStore | None,
        purse: ActorHandle | None,
    ) -> None:
        self._site, self._system, self._resident = site, system, resident
        self._store, self._purse = store, purse
        self._watch = Watch(site.options)

    def _before(self, texts: Sequence[str]) -> None:
        """Raise OutOfBudget unless these texts may be sent, or work may go on."""
        self._watch.check()
        if texts and self._purse is not None and self._system in self._site.options.prices:
            import ray

            asked = self._purse.pay.remote(self._system, len(texts), sum(map(len, texts)))
            complaint = ray.get(asked)
            if complaint is not None:
                raise OutOfBudget(complaint)

    def sign(self) -> Receipt[object]:
        """Open it; what it says of itself."""
        return work(self._site, self._resident.sign, self._store, self._before)

    def make(self, part: object) -> Receipt[None]:
        """Make a part."""
        return work(self._site, self._made, part)

    def _made(self, part: object) -> None:
        try:
            self._resident.make(part, lambda texts: lambda steps=1: None)
        except OtherTerms as other:
            raise other.told(self._system) from None

    def close(self) -> None:
        """Give the model back."""
        self._resident.close()
