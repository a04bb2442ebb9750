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
from hyperbaton.systems.faults import fold
from hyperbaton.systems.programs.pipe import Finished, filter_through
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature

__all__ = ["Apertium", "Command", "answers_of"]


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


_CODES = {
    **{"af": "afr", "an": "arg", "ar": "ara", "be": "bel", "bg": "bul", "br": "bre", "ca": "cat"},
    **{"cs": "ces", "cy": "cym", "da": "dan", "de": "deu", "en": "eng", "eo": "epo", "es": "spa"},
    **{"eu": "eus", "fi": "fin", "fr": "fra", "ga": "gle", "gl": "glg", "hi": "hin", "id": "ind"},
    **{"is": "isl", "it": "ita", "kk": "kaz", "mk": "mkd", "ms": "msa", "mt": "mlt", "nb": "nob"},
    **{"nl": "nld", "nn": "nno", "oc": "oci", "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus"},
    **{"sc": "srd", "se": "sme", "sh": "hbs", "sk": "slk", "sl": "slv", "sr": "srp", "sv": "swe"},
    **{"tr": "tur", "tt": "tat", "uk": "ukr", "ur": "urd", "uz": "uzb", "zh": "zho"},
}
"""Apertium names its languages by three letters."""

_INSTALL = "on Debian: apt-get install apertium apertium-eng-spa"


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
        return _ApertiumTranslator(
            (program, "-u", mode),
            signature(f"apertium:{mode}", source, target, apertium=version, files=parts),
            self.timeout,
        )

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


class _ApertiumTranslator(Translator):
    batch_free = True

    def __init__(self, command: Sequence[str], signature: str, timeout: float) -> None:
        self.signature = signature
        self.batch_tokens = 256
        self._command = command
        self._timeout = timeout

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        # Apertium carries context over a line's end, but not over a blank line.
        data = "\n\n".join(map(fold, texts)) + "\n"
        expected = 2 * len(texts) - 1
        finished = filter_through(
            self._command, data.encode(), max_lines=expected, timeout=self._timeout
        )
        answers = answers_of(finished, expected, self._command[-1])
        if any(answer.text for answer in answers[1::2]):
            raise BatchFault("mixed up the lines it was given")
        return [_stripped(answer) for answer in answers[::2]]


def _stripped(answer: Translation) -> Translation:
    # A dropped pronoun leaves the space that followed it.
    return answer if answer.text is None else Translation(answer.text.strip())


def _code(language: str) -> str:
    """Apertium's code, a region or variant kept: en_US is eng_US."""
    first = base(language)
    return _CODES.get(first, first) + language[len(first) :]


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
