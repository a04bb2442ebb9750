"""`apertium:en-es`: the rule-based translator Apertium, a pair that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.fingerprint import fingerprint
from hyperbaton.language.languages import base, parse_pair
from hyperbaton.systems.faults.soundness import fold
from hyperbaton.systems.programs.command import answers_of
from hyperbaton.systems.programs.pipe import filter_through
from hyperbaton.systems.system import BatchFault, System, Translation, Translator, signature

__all__ = ["Apertium"]

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
