"""A system that is held open while tests run, and anything else that translates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Literal, overload

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.language.languages import parse_pair
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.programs.function import Given, name_of
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import SYSTEMS, Translation, Translator

Scope = Literal["session", "package", "module", "class", "function"]


@dataclass(frozen=True)
class OpenSystem:
    """A system that is ready to translate: call it with a text, or with a list of texts."""

    name: str
    languages: tuple[str, str]
    translator: Translator
    store: Store | None = None

    @overload
    def __call__(self, texts: str) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, texts: Sequence[str]) -> list[str]: ...
    def __call__(self, texts: str | Sequence[str]) -> str | list[str]:
        """The translations; one that fails is an error."""
        lines = [texts] if isinstance(texts, str) else list(texts)
        found = []
        for text, answer in zip(lines, self.answers(lines), strict=True):
            if answer.text is None:
                raise HyperbatonError(f"{self.name} has no translation of '{text}': {answer.fault}")
            found.append(answer.text)
        return found[0] if isinstance(texts, str) else found

    def answers(self, texts: Sequence[str]) -> list[Translation]:
        """The translations, or why there are none."""
        return translate_all(self.translator, texts, store=self.store, advance=lambda steps=1: None)


@contextmanager
def open_system(system: Given, languages: str, cached: bool = True) -> Iterator[OpenSystem]:
    """Open a system, or a function that translates, in a language pair.

    A function takes a list of texts or one text, and is never stored.

    >>> with open_system(str.upper, "en-de") as translate:
    ...     translate("Go!"), translate(["Go!", "Come!"])
    ('GO!', ['GO!', 'COME!'])
    """
    pair = parse_pair(languages)
    if not isinstance(system, str) and callable(system):
        system, cached = _of_lists(system), False
    name = name_of(system)
    with ExitStack() as stack:
        translator = stack.enter_context(SYSTEMS.parse(name).open(*pair))
        stored = cached and translator.stored and translator.repeatable
        store = stack.enter_context(working_store()) if stored else None
        yield OpenSystem(name, pair, translator, store)


def system_fixture(
    system: Given, languages: str, *, scope: Scope = "session", cached: bool = True
) -> Callable[..., Any]:
    """A fixture of pytest that opens a system once and holds it open."""
    pytest = need("pytest", extra="test")

    @pytest.fixture(scope=scope)  # type: ignore[untyped-decorator]
    def opened() -> Iterator[OpenSystem]:
        with open_system(system, languages, cached) as ready:
            yield ready

    return opened  # type: ignore[no-any-return]


class _of_lists:
    """A function of a list of texts, made of one that takes such a list, or a single text."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.__qualname__ = getattr(function, "__qualname__", type(function).__qualname__)
        self.__module__ = getattr(function, "__module__", None) or "builtins"
        self._takes_lists: bool | None = None

    def __call__(self, texts: list[str]) -> list[object]:
        if self._takes_lists is None:
            self._takes_lists = self._has_taken(texts)
        if self._takes_lists:
            return list(self._function(texts))
        return [self._function(text) for text in texts]

    def _has_taken(self, texts: list[str]) -> bool:
        """Whether a list of one text comes back as a list of one."""
        try:
            answer = self._function(texts[:1])
        except (TypeError, AttributeError, ValueError):
            return False
        return not isinstance(answer, str) and hasattr(answer, "__len__") and len(answer) == 1
