"""`python:module:function`: a translator that is a Python function, named or given as it is."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.given import plain, told
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature

Given = str | System | Callable[..., object]
"""A system by its name, as a value, or a function that translates."""
Systems = (
    Given | Sequence[str] | Sequence[System] | Sequence[Callable[..., object]] | Sequence[Given]
)
"""One system, or several."""
_GIVEN: dict[str, Callable[..., object]] = {}
"""The functions that were given as they are, by name: they live as long as this process."""


def name_of(system: Given, taken: Iterable[str] = ()) -> str:
    """The name of a system, by which this process also finds a function that was given as it is.

    >>> name_of("copy"), name_of(str.upper)
    ('copy', 'python:builtins:str.upper')
    """
    if isinstance(system, str):
        return system
    if isinstance(system, System):
        return str(system)
    if not callable(system) or isinstance(system, type):
        raise HyperbatonError(
            f"a system must be a name such as 'bundled', or a function, not {told(system)}"
        )
    of = system if hasattr(system, "__qualname__") else type(system)
    place = f"{getattr(of, '__module__', None) or 'builtins'}:{of.__qualname__}"
    place = place.replace("<locals>.", "").replace("<lambda>", "lambda")
    names = {name.removeprefix("python:") for name in taken}
    name, number = place, 1
    while name in names and _GIVEN.get(name) != system:
        number += 1
        name = f"{place}-{number}"
    _GIVEN[name] = system
    return f"python:{name}"


def names_of(systems: Systems) -> list[str]:
    """The names of one system or several; two functions never share one."""
    names: list[str] = []
    systems = plain(systems)  # type: ignore[assignment]
    one = callable(systems) or isinstance(systems, str | System | bytes | Mapping)
    for system in (systems,) if one or not isinstance(systems, Iterable) else systems:
        names.append(name_of(system, names))  # type: ignore[arg-type]
    return names


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
        given = _GIVEN.get(self.function)
        call = given or self._load()
        languages = {"source": source, "target": target}
        version = self.version or None
        if given is not None:
            version = version or getattr(given, "version", None)
            parts = {"code": _code(given), "version": None if version is None else str(version)}
        else:
            path = inspect.getsourcefile(inspect.unwrap(call)) if inspect.isfunction(call) else None
            path = path or getattr(sys.modules[self.function.partition(":")[0]], "__file__", None)
            parts = {"file": fingerprint([Path(path)]) if path else None, "version": version}
        wanted = _parameters(call)
        translator = _FunctionTranslator(
            partial(_each, call) if _takes_one(wanted) else call,
            {name: code for name, code in languages.items() if name in wanted},
            signature(f"python:{self.function}", source, target, **parts),
            self.batch,
        )
        # Nobody knows what a function in memory depends on, unless it says so.
        translator.stored = given is None or version is not None
        return translator

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
        # A set has lost the order of the texts.
        unfit = isinstance(answers, str | bytes | Mapping | set | frozenset)
        if unfit or not isinstance(answers, Iterable):
            raise BatchFault(
                f"returned {type(answers).__name__} instead of a list of texts; a function of one "
                "text says so: def translate(text: str)"
            )
        return [_checked(answer) for answer in answers]


def _each(function: Callable[..., object], texts: Sequence[str], **languages: str) -> list[object]:
    """The answers of a function that takes one text."""
    return [function(text, **languages) for text in texts]


def _parameters(call: Callable[..., object]) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(call).parameters
    except (TypeError, ValueError):  # some that are written in C do not tell
        return {}


def _takes_one(parameters: Mapping[str, inspect.Parameter]) -> bool:
    """Whether the first parameter is said to be one text."""
    first = next(iter(parameters.values()), None)
    return first is not None and first.annotation in (str, "str")


def _code(call: Callable[..., object]) -> str:
    """A hash of what can be seen of a function: its source, or its compiled code."""
    inner = call.func if isinstance(call, partial) else call
    if not (inspect.isroutine(inner) or inspect.isclass(inner)):
        inner = type(inner)
    try:
        text = inspect.getsource(inner)
    except (OSError, TypeError):
        code = getattr(inner, "__code__", None)
        text = repr((code.co_code, code.co_names)) if code else ""
    return blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _checked(answer: object) -> Translation:
    if isinstance(answer, Mapping):  # what pipelines of transformers return
        answer = answer.get("translation_text", answer)
    if isinstance(answer, str):
        return Translation(str.__str__(answer))  # NumPy's texts too
    return Translation(None, f"returned {type(answer).__name__} instead of text")
