"""`python:module:function`: a translator that is a Python function."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature


@dataclass(frozen=True)
class Function(System):
    """A Python function from a list of texts to a list of texts: `python:mymodel:translate`."""

    name: ClassVar[str] = "python"
    positional: ClassVar[str | None] = "function"

    function: str
    batch: int = 64
    """Texts in one call."""
    version: str = ""
    """Anything that names what the module's file does not show, such as the weights it loads."""

    def open(self, source: str, target: str) -> Translator:
        """Import the function; the content of its file enters the signature."""
        if self.batch < 1:
            raise HyperbatonError(f"'{self}': batch must be above 0")
        call = self._load()
        languages = {"source": source, "target": target}
        wanted = inspect.signature(call).parameters
        path = inspect.getsourcefile(inspect.unwrap(call)) if inspect.isfunction(call) else None
        path = path or getattr(sys.modules[self.function.partition(":")[0]], "__file__", None)
        return _FunctionTranslator(
            call,
            {name: code for name, code in languages.items() if name in wanted},
            signature(
                f"python:{self.function}",
                source,
                target,
                file=fingerprint([Path(path)]) if path else None,
                version=self.version or None,
            ),
            self.batch,
        )

    def _load(self) -> Callable[..., object]:
        module_name, colon, function_name = self.function.partition(":")
        if not (module_name and colon and function_name):
            raise HyperbatonError(f"'{self}': write it as python:module:function")
        if "" not in sys.path and (here := str(Path.cwd())) not in sys.path:
            sys.path.insert(0, here)
        try:
            module = importlib.import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
                raise
            raise HyperbatonError(
                f"'{self}': there is no module '{module_name}' here or in PYTHONPATH"
            ) from None
        function = getattr(module, function_name, None)
        if not callable(function):
            names = [name for name in vars(module) if not name.startswith("_")]
            raise HyperbatonError(
                f"'{self}': {module_name} has no function '{function_name}'."
                f"{did_you_mean(function_name, names)}"
            )
        return function  # type: ignore[no-any-return]


class _FunctionTranslator(Translator):
    def __init__(
        self,
        function: Callable[..., object],
        languages: dict[str, str],
        signature: str,
        batch: int,
    ) -> None:
        self.signature = signature
        self.batch_tokens = batch
        self._function = function
        self._languages = languages

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        answers = self._function(list(texts), **self._languages)
        if isinstance(answers, str) or not isinstance(answers, Sequence):
            raise BatchFault(f"returned {type(answers).__name__} instead of a list of texts")
        return [_checked(answer) for answer in answers]


def _checked(answer: object) -> Translation:
    if isinstance(answer, str):
        return Translation(answer)
    return Translation(None, f"returned {type(answer).__name__} instead of text")
