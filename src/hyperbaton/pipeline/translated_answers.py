"""A translator put to the task of translating perturbed texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hyperbaton.encoders.encoder import Read
from hyperbaton.errors import HyperbatonError
from hyperbaton.pipeline.answerers import Answerer, Cell
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store import Store
from hyperbaton.systems.system import Translator
from hyperbaton.systems.watching import watched
from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.translation import Translation

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
    ) -> list[str]:
        """The translations; a text that cannot be translated is named."""
        translator = watched(self._translator(examples.language), lambda _: self.check())
        found = translate_all(translator, texts, store=self._store)
        failed = sum(answer.text is None for answer in found)
        if failed:
            raise HyperbatonError(
                f"{failed:,} of {len(found):,} texts in {examples.language} were not translated: "
                "run the same command again, which resumes the run"
            )
        return [answer.text or "" for answer in found]

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
