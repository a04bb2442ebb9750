"""`cmd:COMMAND`: any program that reads a line and writes a line."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.fingerprint import fingerprint
from hyperbaton.base.spec import split
from hyperbaton.base.wording import counted
from hyperbaton.systems.faults.soundness import fold
from hyperbaton.systems.programs.pipe import Finished, filter_through
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature

__all__ = ["Command", "answers_of"]

_LARGEST_FOLDER = 1000


@dataclass(frozen=True)
class Command(System):
    """A shell command, one line in, one line out: `cmd:sed s/house/Haus/`."""

    name: ClassVar[str] = "cmd"
    positional: ClassVar[str | None] = "command"

    command: str
    batch: int = 256
    """Lines given to one start of the command."""
    timeout: float = 120.0
    """Seconds without a sign of life after which it is ended."""
    version: str = ""
    """Anything that names what the command cannot show: it becomes part of the signature."""

    def __post_init__(self) -> None:
        if split(f"cmd:{self.command}").argument != self.command.strip():
            raise HyperbatonError(
                f"the end of the command '{self.command}' looks like options: put it in a script"
            )
        if self.batch < 1 or self.timeout <= 0:
            raise HyperbatonError(f"'{self}': batch and timeout must be above 0")

    def open(self, source: str, target: str) -> Translator:
        """Nothing is started yet; the files that the command names enter the signature."""
        return _CommandTranslator(
            self,
            signature(
                f"cmd:{self.command}",
                source,
                target,
                files=fingerprint(_files(self.command)),
                version=self.version or None,
            ),
        )


class _CommandTranslator(Translator):
    def __init__(self, system: Command, signature: str) -> None:
        self.signature = signature
        self.batch_tokens = system.batch
        self._system = system

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        data = "".join(fold(text) + "\n" for text in texts).encode()
        finished = filter_through(
            self._system.command, data, max_lines=len(texts), timeout=self._system.timeout
        )
        return answers_of(finished, len(texts), self._system.command)


def answers_of(finished: Finished, expected: int, command: str) -> list[Translation]:
    """The lines that came back, each decoded by itself, if there are as many as there must be."""
    lines = finished.output.removesuffix(b"\n").split(b"\n") if finished.output else []
    if not lines and finished.code in (126, 127):
        raise HyperbatonError(f"the command '{command}' cannot be run: {finished.complaint}")
    if len(lines) != expected:
        returned = f"returned {counted(len(lines), 'line')} for {expected}"
        raise BatchFault(f"{returned} ({finished.end})" if finished.code else returned)
    if finished.code:
        raise BatchFault(f"failed after its last line ({finished.end})")
    if not finished.output.endswith(b"\n"):
        raise BatchFault("its last line has no line break, so it may have been cut off")
    return [_decoded(line.removesuffix(b"\r")) for line in lines]


def _decoded(line: bytes) -> Translation:
    try:
        return Translation(line.decode())
    except UnicodeDecodeError:
        return Translation(None, f"returned bytes that are not UTF-8: {line[:40]!r}")


def _files(command: str) -> Iterator[Path]:
    """The programs, scripts and models that a command names; not the files it writes to."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = command.split()
    for before, word in zip(["", *words], words, strict=False):
        path = Path(word.rpartition("=")[2]).expanduser()
        program = shutil.which(word)
        if before.endswith(">"):
            continue
        if path.is_file() or (path.is_dir() and _is_small(path)):
            yield path
        elif program is not None:
            yield Path(program)


def _is_small(folder: Path) -> bool:
    return all(count < _LARGEST_FOLDER for count, _ in enumerate(folder.rglob("*")))
