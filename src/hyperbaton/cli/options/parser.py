"""The parser of a command's options: a mistake in them is one sentence, as everywhere else."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

from hyperbaton.base.errors import HyperbatonError, did_you_mean

_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.DOTALL)


class _Store(argparse.Action):
    """Stores a value. The last one counts, as everywhere, but languages are given once: who names
    two pairs wants both, and would not hear that one was dropped."""

    _filled: argparse.Namespace | None = None

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if self.dest in ("language", "languages") and self._filled is namespace:
            raise argparse.ArgumentError(self, "given twice, but it takes one value")
        self._filled = namespace
        setattr(namespace, self.dest, values)


class AddEntry(argparse.Action):
    """Collects entries in a dictionary, in which each key has one value."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        key, value = values
        entries = dict(getattr(namespace, self.dest) or {})
        if entries.setdefault(key, value) != value:
            of = f"'{key}'" if key else "everything"
            raise argparse.ArgumentError(self, f"two values for {of}: keep one")
        setattr(namespace, self.dest, entries)


class Parser(argparse.ArgumentParser):
    """Raises its errors instead of printing the usage and leaving the process."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for action in (None, "store"):
            self.register("action", action, _Store)

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except HyperbatonError as error:
            raise argparse.ArgumentError(action, str(error)) from None

    def error(self, message: str) -> NoReturn:
        """What is wrong, what may be meant, and where to look."""
        text = message.removeprefix("argument ")
        if unknown := _UNKNOWN.search(text):
            known = [flag for action in self._actions for flag in action.option_strings]
            text = f"unknown option or argument '{unknown[1]}'.{did_you_mean(unknown[1], known)}"
        elif choice := _CHOICE.search(text):
            known = [name.strip("'\" ") for name in choice[2].split(",")]
            head = text[: choice.start()]
            hint = did_you_mean(choice[1], known)
            text = f"{head}'{choice[1]}' is not one of {', '.join(known)}.{hint}"
        raise HyperbatonError(f"{text.rstrip('.')}. See: {self.prog} --help".replace("?.", "?"))
