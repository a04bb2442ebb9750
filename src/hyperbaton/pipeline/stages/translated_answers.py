"""A translator put to the task of translating perturbed texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.encoders.encoder import Read
from hyperbaton.pipeline.stages.answerers import Answerer, Cell
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.faults import NO_TRANSLATION
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translator
from hyperbaton.systems.untranslated import untranslated_answers
from hyperbaton.tasks.language_groups import two_letters
from hyperbaton.tasks.task import Examples, Judged
from hyperbaton.tasks.translation import Translation

__all__ = ["TranslatingSystem"]


class _Translated(NamedTuple):
    texts: list[str | None]
    doubts: list[str | None]
    """What is wrong with each."""
    faults: list[str]
    """Why it is not there, empty where it is."""


class TranslatingSystem(Answerer):
    """A translator, opened for each language in turn."""

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
        return self._opened[language]

    def _pair(self, language: str) -> tuple[str, str]:
        return two_letters(language), two_letters(self._task.known)

    def answer(
        self, examples: Examples, texts: Sequence[str], read: Read | None, cells: Sequence[Cell]
    ) -> _Translated:
        """The translations, None where one is none at all; other faults end a run for a while."""
        found = translate_all(
            self._translator(examples.language),
            texts,
            store=self._store,
            retry_failed=True,
            before=lambda _: self.check(),
        )
        faults = Counter(a.fault for a in found if a.text is None and a.fault not in NO_TRANSLATION)
        if faults:
            reason, times = faults.most_common(1)[0]
            raise HyperbatonError(
                f"{faults.total():,} of {counted(len(found), 'text')} in {examples.language} were "
                f"not translated; {counted(times, 'time')}: {reason}; run the same command again, "
                "which resumes the run"
            )
        answers = [answer.text for answer in found]
        doubts = untranslated_answers(texts, answers, self._pair(examples.language))
        return _Translated(answers, doubts, [answer.fault for answer in found])

    def judge(self, examples: Examples, answers: object, cells: Sequence[Cell]) -> list[Judged]:
        if not isinstance(answers, _Translated):
            raise TypeError("translations are judged by their own system")
        size = len(examples.ids)
        found = []
        for at in range(len(cells)):
            here = slice(at * size, (at + 1) * size)
            judged = self._task.judge(examples, answers.texts[here])
            told = tuple(doubt for doubt in answers.doubts[here] if doubt is not None)
            faults = tuple(filter(None, answers.faults[here]))
            found.append(judged._replace(faults=faults, untranslated=told))
        return found

    def close(self) -> None:
        for translator in self._opened.values():
            translator.close()
