"""`translator:FOLDER`: the encoder of a translation model of CTranslate2, `bundled` among them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import ClassVar

from hyperbaton.base.content import fingerprint, read_json, read_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import DATA
from hyperbaton.base.model_bin import VOCABULARY, model_bytes, read_variables
from hyperbaton.encoders.ct2 import MeanStates, made_once
from hyperbaton.encoders.encoder import Encoder, OpenEncoder, Vectors, signature
from hyperbaton.language.tokenizing import load_sentencepiece, pieces_of

_BUNDLED = DATA / "bundled"
_PIECES = "source.spm"
_FILES = ("model.bin", _PIECES, VOCABULARY)
_SETTINGS = "config.json"
_LONGEST = 254
_END = "</s>"
_ENCODER, _REVISION = "TransformerEncoderSpec", 1
_PART = "encoder/"


@dataclass(frozen=True)
class Translator(Encoder):
    """A folder with `model.bin`, `source.spm` and a shared vocabulary, or `bundled`."""

    name: ClassVar[str] = "translator"
    positional: ClassVar[str | None] = "folder"

    folder: str
    mark: str = ""
    """A token before every text; for `bundled` the language to translate into (`>>en<<`)."""
    threads: int = 0

    def open(self) -> OpenEncoder:
        """Cut the encoder out of the model, once, into the cache; then load it."""
        if self.threads < 0:
            raise HyperbatonError(f"'{self}': threads must be 0 (all) or more")
        folder = _BUNDLED if self.folder == "bundled" else Path(self.folder).expanduser()
        for name in _FILES:
            if not (folder / name).is_file():
                raise HyperbatonError(f"'{self}': {folder} holds no {name}")
        mark = self.mark or (">>en<<" if folder == _BUNDLED else "")
        return _OpenTranslator(folder, mark, self)


class _OpenTranslator(OpenEncoder):
    def __init__(self, folder: Path, mark: str, spec: Translator) -> None:
        files = [folder / name for name in (*_FILES, _SETTINGS)]
        key = fingerprint([path for path in files if path.is_file()])
        cut = made_once("translator", key, lambda new: write_encoder(folder, new))
        self._model = MeanStates(cut, str(spec), "int8", spec.threads)
        self.size = self._model.size
        words = read_json(folder / VOCABULARY)
        if not isinstance(words, list):
            raise HyperbatonError(f"{folder / VOCABULARY} is not a list of words")
        self._numbers = {str(word): number for number, word in enumerate(words)}
        if mark and mark not in self._numbers:
            raise HyperbatonError(f"'{spec}': the vocabulary has no '{mark}'")
        self._mark = [mark] if mark else []
        self.tokenizer = self._pieces_file = folder / _PIECES
        self._pieces = load_sentencepiece(self._pieces_file)
        self.signature = signature(
            f"translator:{folder.name}",
            weights=key,
            mark=mark,
            pooling="mean",
            compute="int8",
            ctranslate2=version("ctranslate2"),
        )

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The mean of the final states over all tokens."""
        # Half a surrogate pair, which JSON may spell, is no character: it becomes '?'.
        readable = [text.encode(errors="replace").decode() for text in texts]
        with pieces_of(self._pieces_file):
            cut: list[list[str]] = self._pieces.encode(readable, out_type=str)
        unknown = self._numbers.get("<unk>", 0)
        return self._model.means(
            [
                [self._numbers.get(t, unknown) for t in (*self._mark, *pieces[:_LONGEST], _END)]
                for pieces in cut
            ]
        )

    def close(self) -> None:
        """Give the memory back."""
        self._model.close()


def write_encoder(folder: Path, new: Path) -> None:
    """Write what `ctranslate2.Encoder` loads into a new folder.

    The encoder's variables are kept as they are; those that it shares with the decoder get the
    encoder's names.
    """
    variables, names, _ = read_variables(folder / "model.bin")
    kept = {name: array for name, array in variables.items() if name.startswith(_PART)}
    for name, other in names.items():
        if name.startswith(_PART):
            # A weight in 8 bits has its scale beside it.
            for end in ("", "_scale"):
                if other + end in variables:
                    kept[name + end] = variables[other + end]
    ordered = {name: kept[name] for name in sorted(kept)}
    (new / "model.bin").write_bytes(model_bytes(_ENCODER, _REVISION, ordered, {}))
    known = read_object(folder / _SETTINGS) if (folder / _SETTINGS).is_file() else {}
    wanted = ("bos_token", "eos_token", "unk_token", "layer_norm_epsilon", "multi_query_attention")
    config = {name: known[name] for name in wanted if name in known}
    (new / _SETTINGS).write_text(json.dumps(config), encoding="utf-8")
    (new / "vocabulary.json").write_bytes((folder / VOCABULARY).read_bytes())
