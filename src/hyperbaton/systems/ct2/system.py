"""`ct2:PATH`: a CTranslate2 model folder, on the processor or a GPU; its attention and scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted
from hyperbaton.systems.ct2.engine import Compute, Device, backend, load_engine
from hyperbaton.systems.ct2.folder import Folder, Frame, frame, read_folder
from hyperbaton.systems.ct2.pieces import Pieces, load_pieces, rough_count
from hyperbaton.systems.system import (
    Mode,
    System,
    Translation,
    Translator,
    check_ranges,
    signature,
    versions,
)

RANGES = {
    "beam": (1, 1024),
    "length_penalty": (-100, 100),
    "repetition_penalty": (0.01, 100),
    "no_repeat_ngram": (0, 1024),
    "max_length": (1, 1 << 20),
    "max_input": (8, 1 << 20),
    "batch_tokens": (0, 1 << 24),
    "workers": (0, 256),
    "threads": (0, 1024),
}
_SILENT = ("path", "tokenizer", "mode", "device", "compute", "batch_tokens", "workers", "threads")
"""Options that do not change a translation, or stand in the signature in another form."""


@dataclass(frozen=True)
class Attended:
    """A translation with what the decoder looks at for it: one row per target piece, one column per
    source piece, language marks and the end of sentence included.

    What is shown is the last layer: the mean of its heads in what `to_ctranslate2` converted, the
    first head in what other tools did."""

    text: str
    source: tuple[str, ...]
    target: tuple[str, ...]
    attention: NDArray[np.float32]


@dataclass(frozen=True)
class Scored:
    """The log-probability of each piece of a given translation, the end of sentence last."""

    pieces: tuple[str, ...]
    log_probs: tuple[float, ...]

    @property
    def total(self) -> float:
        """The log-probability of the whole translation."""
        return sum(self.log_probs)

    @property
    def mean(self) -> float:
        """The log-probability per piece, for comparing translations of different lengths."""
        return self.total / len(self.log_probs)


@runtime_checkable
class Attends(Protocol):
    """A translator that can show its attention."""

    def attend_to(
        self, sources: Sequence[str], targets: Sequence[str]
    ) -> list[Attended | None]: ...


@runtime_checkable
class Scores(Protocol):
    """A translator that can say how likely it finds a given translation."""

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]: ...


@dataclass(frozen=True)
class CTranslate2(System):
    """A CTranslate2 model folder: int8 on the processor, float16 on a GPU, unless told otherwise.

    A text of more than `max_input` pieces is a fault, or is cut with `overlong=truncate`. A `mode`
    other than `plain` needs a model that was trained for it.
    """

    name: ClassVar[str] = "ct2"
    positional: ClassVar[str | None] = "path"

    path: str
    beam: int = 4
    length_penalty: float = 1.0
    repetition_penalty: float = 1.0
    no_repeat_ngram: int = 0
    max_length: int = 256
    max_input: int = 512
    overlong: Literal["fault", "truncate"] = "fault"
    allow_unk: bool = True
    tokenizer: str = ""
    mode: Mode = "plain"
    device: Device = "auto"
    compute: Compute = "auto"
    batch_tokens: int = 0
    workers: int = 0
    threads: int = 0

    def open(self, source: str, target: str) -> CTranslate2Translator:
        """Load the model for one direction."""
        check_ranges(self, RANGES)
        folder = read_folder(Path(self.path))
        around = frame(folder, source, target, self.mode)
        pieces = load_pieces(Path(self.tokenizer) if self.tokenizer else folder.path)
        return CTranslate2Translator(self, folder, around, pieces, (source, target))


class CTranslate2Translator(Translator):
    """A loaded model, for one direction."""

    def __init__(
        self,
        system: CTranslate2,
        folder: Folder,
        around: Frame,
        pieces: Pieces,
        languages: tuple[str, str],
        label: str = CTranslate2.name,
        left_out: frozenset[str] = frozenset(),
        **signed: str,
    ) -> None:
        """Load a model; `label`, `signed` and the scripts left out stand in the signature."""
        content = fingerprint(folder.model_files)
        engine = load_engine(
            folder.path,
            content,
            system.device,
            system.compute,
            system.workers,
            system.threads,
            left_out,
        )
        options = {f.name: getattr(system, f.name) for f in fields(system)}
        self.signature = signature(
            label,
            languages[0],
            languages[1],
            model=content,
            tokenizer=fingerprint(pieces.files),
            compute=engine.compute_type,
            backend=backend(engine.device),
            versions=versions("ctranslate2", pieces.package),
            mode=None if system.mode == "plain" else system.mode,
            left_out="+".join(sorted(left_out)) or None,
            **{name: value for name, value in options.items() if name not in _SILENT},
            **signed,
        )
        self.languages = languages
        self.batch_tokens = system.batch_tokens or engine.batch_tokens
        greedy = engine.greedy_tokens if system.beam == 1 else engine.batch_tokens
        self._at_once = system.batch_tokens or greedy
        self.chunk = engine.chunk
        self.batch_free = engine.batch_free
        self._system = system
        self._folder = folder
        self._around = around
        self._pieces = pieces
        self._engine = engine
        self._decoding = {
            "beam_size": system.beam,
            "length_penalty": system.length_penalty,
            "repetition_penalty": system.repetition_penalty,
            "no_repeat_ngram_size": system.no_repeat_ngram,
            "max_decoding_length": system.max_length,
            "disable_unk": not system.allow_unk,
        }

    def cost(self, text: str) -> int:
        """About the number of pieces; the engine counts them exactly when it cuts batches."""
        return rough_count(text)

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Translate any number of texts, in order."""
        return [answer for _, answer in sorted(self.stream(texts), key=lambda pair: pair[0])]

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """Translate any number of texts, each given as soon as its batch is done."""
        running: list[int] = []
        sources: list[list[str]] = []
        for place, source in enumerate(self._encode(texts)):
            if isinstance(source, Translation):
                yield place, source
            else:
                running.append(place)
                sources.append(source)
        if not sources:
            return
        for at, hypothesis in self._engine.translate(
            sources, self._around.prefix, self._at_once, **self._decoding
        ):
            yield running[at], Translation(self._text(sources[at], hypothesis))

    def attend_to(self, sources: Sequence[str], targets: Sequence[str]) -> list[Attended | None]:
        """Which source pieces are looked at when the given translations are written.

        None for a pair of which one side is empty or longer than the model takes.
        """
        left = list(self._encode(sources))
        right = [self._around.target(one) for one in self._pieces.encode(targets, target=True)]
        skip = len(self._around.prefix)
        fitting = [
            at
            for at, (one, two) in enumerate(zip(left, right, strict=True))
            if isinstance(one, list) and skip < len(two) < self._system.max_length
        ]
        pieces = [source for at in fitting if isinstance(source := left[at], list)]
        attended: list[Attended | None] = [None] * len(sources)
        rows = self._engine.attend_to(pieces, [right[at] for at in fitting], self.batch_tokens)
        for at, source, weights in zip(fitting, pieces, rows, strict=True):
            target = right[at][skip:]
            matrix = np.asarray(weights[skip:], dtype=np.float32).reshape(len(target), len(source))
            attended[at] = Attended(targets[at], tuple(source), tuple(target), matrix)
        return attended

    def score(self, sources: Sequence[str], targets: Sequence[str]) -> list[Scored]:
        """The log-probability of each piece of each given translation.

        With `overlong=truncate` both sides are cut to what the model takes.
        """
        if len(sources) != len(targets):
            raise HyperbatonError(
                f"{counted(len(sources), 'source')} but {counted(len(targets), 'target')} to score"
            )
        left: list[list[str]] = []
        for source in self._encode(sources):
            if isinstance(source, list):
                left.append(source)
            elif source.fault:
                raise HyperbatonError(source.fault)
            else:
                left.append(self._around.source([]))
        # The start token takes one of the decoder's places.
        room = self._system.max_length - 1 - len(self._around.prefix)
        cut = room if self._system.overlong == "truncate" else None
        written = self._pieces.encode(targets, target=True)
        right = [self._around.target(line[:cut]) for line in written]
        offset = len(self._around.prefix)
        scored = self._engine.score(left, right, self.batch_tokens, offset)
        return [Scored(tuple(pieces), tuple(log_probs)) for pieces, log_probs in scored]

    def close(self) -> None:
        """Give the memory of the model back."""
        if hasattr(self, "_engine"):
            del self._engine

    def _encode(self, texts: Sequence[str]) -> Iterator[list[str] | Translation]:
        """A source for each text, or what stands for its translation where there is none."""
        prompt = self._around.prompt
        room = self._system.max_input - len(self._around)
        for text, pieces in zip(
            texts, self._pieces.encode([prompt + text for text in texts]), strict=True
        ):
            if not text.strip():
                yield Translation("")
            elif len(pieces) <= room:
                yield self._around.source(pieces)
            elif self._system.overlong == "truncate":
                yield self._around.source(pieces[:room])
            else:
                yield Translation(
                    None,
                    f"{len(pieces)} pieces are more than the {room} that the model takes; "
                    "overlong=truncate cuts them",
                )

    def _text(self, source: list[str], hypothesis: list[str]) -> str:
        """The translation of a source of which the model wrote these pieces."""
        special = self._folder.special
        return self._pieces.decode([[piece for piece in hypothesis if piece not in special]])[0]
