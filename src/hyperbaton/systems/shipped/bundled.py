"""`bundled` and `steered`: small models in the package, English to and from seven languages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Literal

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.language.dictionary import FOLDER, read_lexicon
from hyperbaton.language.languages import PAPER_LANGUAGES, base, has_case
from hyperbaton.systems.codes import match
from hyperbaton.systems.ct2.engine import Compute, Device
from hyperbaton.systems.ct2.folder import frame, read_folder
from hyperbaton.systems.ct2.pieces import load_pieces
from hyperbaton.systems.ct2.system import (
    RANGES,
    Attended,
    CTranslate2,
    CTranslate2Translator,
    Scored,
)
from hyperbaton.systems.shipped.truecasing import RULES, Calmed, Truecaser
from hyperbaton.systems.system import Mode, System, Translation, check_ranges

_SPACE = re.compile(r"[^\S ]")
_HIDDEN = re.compile("[\u00ad\u200b\u2060\ufeff]")
"""A soft hyphen, a space and a joiner without width, a byte order mark."""
_SPACES = 1
"""Raised when other spaces are read as one, or other characters are passed over."""
_POSITIONS = 256
"""Pieces that the models can tell apart by their place; they have none beyond."""
_SOURCES = PAPER_LANGUAGES
_TARGETS = tuple({"zh": "zh-Hans"}.get(code, code) for code in PAPER_LANGUAGES)
"""Chinese is read in both scripts and written in the simplified one."""


@dataclass(frozen=True)
class Packaged(System):
    """A model in the package, for 14 directions; its options are those of `ct2:`."""

    folder: ClassVar[Path]

    beam: int = 1
    length_penalty: float = 1.0
    overlong: Literal["fault", "truncate"] = "fault"
    device: Device = "auto"
    compute: Compute = "auto"
    batch_tokens: int = 0
    workers: int = 0
    threads: int = 0

    def open(self, source: str, target: str) -> PackagedTranslator:
        """Load the model from the package, for one of its directions."""
        return self.open_without(source, target, frozenset())

    def open_without(self, source: str, target: str, scripts: frozenset[str]) -> PackagedTranslator:
        """The same, but it cannot write these scripts."""
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
        folder = read_folder(self.folder)
        pair = base(source), base(target)
        # The hash of the files stands for the model; the name stands for what the user chose.
        return PackagedTranslator(
            model,
            folder,
            frame(folder, source, target, model.mode),
            load_pieces(self.folder),
            (source, target),
            self.name,
            scripts,
            # What decides how capitals are read: the rules, and the words of both languages.
            capitals=f"{RULES}-{fingerprint([_dictionary(*pair), _dictionary(*reversed(pair))])}",
            spaces=str(_SPACES),
        )


@dataclass(frozen=True)
class Bundled(Packaged):
    """The translator in the package, English to and from de fr es it ru ja zh; no download."""

    name: ClassVar[str] = "bundled"
    folder: ClassVar[Path] = DATA / "bundled"


@dataclass(frozen=True)
class Steered(Packaged):
    """A translator in the package that repairs a source out of order, or keeps its order, as told.

    English to and from de fr es it ru ja zh, as `bundled`.
    """

    name: ClassVar[str] = "steered"
    folder: ClassVar[Path] = DATA / "steered"

    mode: Mode = "plain"


class PackagedTranslator(CTranslate2Translator):
    """A loaded model that reads shouting and headlines in ordinary case, and shouts back.

    Every kind of space is one space to it, and what nobody sees is not there: the model was taught
    no others, and cuts the words beside them in other pieces.
    """

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """Translate any number of texts, each given as soon as its batch is done."""
        calm = self._calmed(texts, *self.languages)
        for at, answer in super().stream([one.text for one in calm]):
            if answer.text is not None and has_case(self.languages[1]):
                answer = Translation(calm[at].shout(answer.text))
            yield at, answer

    def attend_to(self, sources: Sequence[str], targets: Sequence[str]) -> list[Attended | None]:
        """The attention for given translations, both sides in ordinary case."""
        return super().attend_to(*self._both(sources, targets))

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]:
        """The log-probabilities of given translations, both sides in ordinary case."""
        return super().score(*self._both(sources, targets))

    def _both(self, sources: Sequence[str], targets: Sequence[str]) -> tuple[list[str], list[str]]:
        source, target = self.languages
        left = self._calmed(sources, source, target)
        right = self._calmed(targets, target, source)
        return [one.text for one in left], [one.text for one in right]

    def _calmed(self, texts: Sequence[str], language: str, other: str) -> list[Calmed]:
        texts = [_HIDDEN.sub("", _SPACE.sub(" ", text)) for text in texts]
        if not has_case(language):
            return [Calmed(text) for text in texts]
        case = _truecaser(base(language), base(other))
        calm = {text: case.calm(text) for text in dict.fromkeys(texts)}
        return [calm[text] for text in texts]


def _dictionary(language: str, other: str) -> Path:
    return FOLDER / f"{language}-{other}.tsv.xz"


@lru_cache(maxsize=16)
def _truecaser(language: str, other: str) -> Truecaser:
    return Truecaser(read_lexicon(_dictionary(language, other)).entries, language == "de")


def translates(source: str, target: str) -> bool:
    """Whether the models have a direction.

    >>> translates("en-US", "zh"), translates("zh-TW", "en"), translates("de", "fr")
    (True, True, False)
    >>> translates("en", "zh-TW"), translates("en", "en")
    (False, False)
    """
    pair = (match(source, _SOURCES), match(target, _TARGETS))
    return None not in pair and pair.count("en") == 1
