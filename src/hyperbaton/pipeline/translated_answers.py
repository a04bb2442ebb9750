"""A translator put to the task of translating perturbed texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from hyperbaton.encoders.encoder import Read
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.answerers import Answerer, Cell
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.runaway import NO_TRANSLATION
from hyperbaton.systems.store import Store
from hyperbaton.systems.system import Translator
from hyperbaton.systems.watching import watched
from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.translation import Translation
from hyperbaton.wording import counted

__all__ = ["TranslatingSystem"]


class TranslatingSystem(Answerer):
    """A translator, opened for each language in turn."""

    def __init__(
        self, task: Translation, open_: Callable[[str], Translator], store: Store | None
    ) -> None:
        self._task, self._open, self._store = task, open_, store
        self._opened: dict[str, Translator] = {}

    def signed(self, language: str) -> str:
        return f"{self._translator(language).signature}|{self._task.metric}"

    def _translator(self, language: str) -> Translator:
        if language not in self._opened:
            self._opened[language] = self._open(language)
        return self._opened[language]

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> list[str | None]:
        """The translations, None where one is none at all; other faults end a run for a while."""
        translator = watched(self._translator(examples.language), lambda _: self.check())
        found = translate_all(translator, texts, store=self._store, retry_failed=True)
        faults = Counter(a.fault for a in found if a.text is None and a.fault not in NO_TRANSLATION)
        if faults:
            reason, times = faults.most_common(1)[0]
            raise HyperbatonError(
                f"{faults.total():,} of {counted(len(found), 'text')} in {examples.language} were "
                f"not translated; {counted(times, 'time')}: {reason}; run the same command again, "
                "which resumes the run"
            )
        return [answer.text for answer in found]

    def judge(self, examples: Examples, answers: object, cells: Sequence[Cell]) -> list[Judged]:
        if not isinstance(answers, list):
            raise TypeError("translations are judged by their own system")
        size = len(examples.ids)
        return [
            self._task.judge(examples, answers[at * size : (at + 1) * size])
            for at in range(len(cells))
        ]

    def close(self) -> None:
        for translator in self._opened.values():
            translator.close()
