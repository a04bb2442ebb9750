"""Translators that come with hyperbaton: small models, English to and from seven languages."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from hyperbaton.errors import HyperbatonError
from hyperbaton.languages import PAPER_LANGUAGES
from hyperbaton.systems.codes import match
from hyperbaton.systems.ct2 import RANGES, CTranslate2, CTranslate2Translator
from hyperbaton.systems.ct2_engine import Compute, Device
from hyperbaton.systems.ranges import check_ranges
from hyperbaton.systems.system import System

__all__ = ["MODELS", "Packaged"]

MODELS = Path(__file__).parents[1] / "data"
_POSITIONS = 256
"""Pieces that the models can tell apart by their place; they have none beyond."""
_SOURCES = PAPER_LANGUAGES
_TARGETS = tuple({"zh": "zh-Hans"}.get(code, code) for code in PAPER_LANGUAGES)
"""Chinese is read in both scripts and written in the simplified one."""


@dataclass(frozen=True)
class Packaged(System):
    """A model in the package, for 14 directions; its options are those of `ct2:`."""

    beam: int = 1
    length_penalty: float = 1.0
    overlong: Literal["fault", "truncate"] = "fault"
    device: Device = "auto"
    compute: Compute = "auto"
    batch_tokens: int = 0
    workers: int = 0
    threads: int = 0

    @property
    @abstractmethod
    def folder(self) -> Path:
        """Where the model lies."""

    def open(self, source: str, target: str) -> CTranslate2Translator:
        """Load the model from the package, for one of its directions."""
        check_ranges(self, RANGES)
        if not translates(source, target):
            raise HyperbatonError(
                f"'{self}' does not translate {source}-{target}: it has English to and from "
                f"{', '.join(PAPER_LANGUAGES[1:])}, and writes simplified Chinese"
            )
        if not (self.folder / "model.bin").is_file():
            raise HyperbatonError(
                f"'{self}' is not in this copy of hyperbaton ({self.folder} holds no model.bin): "
                "install the package, or name another system, see hyperbaton ls systems"
            )
        model = CTranslate2(
            str(self.folder), max_length=_POSITIONS, max_input=_POSITIONS, **asdict(self)
        )
        translator = model.open(source, target)
        # The hash in it stands for the model; the name stands for what the user chose.
        translator.signature = self.name + translator.signature.removeprefix(model.name)
        return translator


def translates(source: str, target: str) -> bool:
    """Whether the models have a direction.

    >>> translates("en-US", "zh"), translates("zh-TW", "en"), translates("de", "fr")
    (True, True, False)
    >>> translates("en", "zh-TW"), translates("en", "en")
    (False, False)
    """
    pair = (match(source, _SOURCES), match(target, _TARGETS))
    return None not in pair and pair.count("en") == 1
