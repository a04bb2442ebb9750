"""`cmd:COMMAND`, any program that reads and writes lines; `apertium:en-es`, a rule-based one."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import split
from hyperbaton.base.wording import counted
from hyperbaton.language.languages import base, parse_pair
from hyperbaton.systems.codes import three_letters
from hyperbaton.systems.faults import fold
from hyperbaton.systems.programs.pipe import Finished, filter_through
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature

_LARGEST_FOLDER = 1000

_BATCH = 256
_INSTALL = "on Debian: apt-get install apertium apertium-eng-spa"


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
        files = fingerprint(_files(self.command))
        name, version = f"cmd:{self.command}", self.version or None
        signed = signature(name, source, target, files=files, version=version)
        return _LineTranslator(signed, self.command, self.batch, self.timeout)


class _LineTranslator(Translator):
    """A program that answers each line with one; with `gaps`, each blank line with a blank one."""

    def __init__(
        self,
        signature: str,
        command: str | Sequence[str],
        batch: int,
        timeout: float,
        gaps: bool = False,
    ) -> None:
        self.signature = signature
        self.batch_tokens = batch
        self.batch_free = gaps
        self._command = command
        self._timeout = timeout
        self._gaps = gaps

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        data = ("\n\n" if self._gaps else "\n").join(map(fold, texts)) + "\n"
        expected = 2 * len(texts) - 1 if self._gaps else len(texts)
        finished = filter_through(
            self._command, data.encode(), max_lines=expected, timeout=self._timeout
        )
        shown = self._command if isinstance(self._command, str) else shlex.join(self._command)
        lines = _lines(finished, expected, shown)
        if not self._gaps:
            return lines
        if any(line.text for line in lines[1::2]):
            raise BatchFault("mixed up the lines it was given")
        # A dropped pronoun leaves the space that followed it.
        return [
            line if line.text is None else Translation(line.text.strip()) for line in lines[::2]
        ]


def _lines(finished: Finished, expected: int, command: str) -> list[Translation]:
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


@dataclass(frozen=True)
class Apertium(System):
    """Apertium with one installed pair, its marks for unknown words left out: `apertium:en-es`."""

    name: ClassVar[str] = "apertium"
    positional: ClassVar[str | None] = "pair"

    pair: str
    timeout: float = 120.0
    """Seconds without a sign of life after which it is ended."""

    def open(self, source: str, target: str) -> Translator:
        """Find the installed mode of the pair."""
        mine = parse_pair(self.pair)
        if [_code(base(m)) for m in mine] != [_code(base(m)) for m in (source, target)]:
            raise HyperbatonError(f"'{self}' translates {self.pair}, not {source}-{target}")
        program = shutil.which("apertium")
        if program is None:
            raise HyperbatonError(f"'{self}': apertium is not installed; {_INSTALL}")
        mode = self._mode(program)
        parts = fingerprint(_parts(Path(program), mode))
        version = _ask(program, "-V")
        signed = signature(f"apertium:{mode}", source, target, apertium=version, files=parts)
        # Apertium carries context over a line's end, but not over a blank line.
        return _LineTranslator(signed, (program, "-u", mode), _BATCH, self.timeout, gaps=True)

    def _mode(self, program: str) -> str:
        installed = _ask(program, "-l").split()
        source, target = parse_pair(self.pair)
        wanted = [self.pair, f"{_code(source)}-{_code(target)}"]
        for mode in wanted:
            if mode in installed:
                return mode
        package = f"apertium-{wanted[-1]}"
        raise HyperbatonError(
            f"apertium has no pair {self.pair} here (installed: {', '.join(installed) or 'none'}); "
            f"on Debian: apt-get install {package}"
        )


def _code(language: str) -> str:
    """Apertium's code, a region or variant kept: en_US is eng_US."""
    first = base(language)
    return three_letters(first) + language[len(first) :]


def _ask(program: str, option: str) -> str:
    answer = subprocess.run([program, option], capture_output=True, text=True, timeout=60)
    return " ".join(answer.stdout.split())


def _parts(program: Path, mode: str) -> Iterator[Path]:
    """The rules and dictionaries that a mode is made of."""
    file = program.resolve().parent.parent / "share" / "apertium" / "modes" / f"{mode}.mode"
    if file.is_file():
        yield file
        quoted = re.findall(r"'([^']+)'", file.read_text(errors="replace"))
        yield from (Path(name) for name in quoted if Path(name).is_file())
