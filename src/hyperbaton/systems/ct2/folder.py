"""What lies in a CTranslate2 model folder: configuration, vocabulary, and how languages are told.

The special tokens of a vocabulary tell its family (Marian, NLLB, …), which decides how a model is
told its two languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from hyperbaton.base.content import read_json, read_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import name
from hyperbaton.systems.codes import is_language, match, require
from hyperbaton.systems.system import MODES, Mode, mode_piece

Settings = dict[str, object]

Manner = Literal["target-first", "both", "prompt", "none"]
_TOKENS: tuple[tuple[Manner, str, re.Pattern[str]], ...] = (
    ("target-first", "Marian", re.compile(r">>(?P<code>[\w@.-]+)<<")),
    ("target-first", "MADLAD", re.compile(r"<2(?P<code>[a-z]{2,3}(?:_[A-Z]\w+)?)>")),
    ("both", "M2M-100", re.compile(r"__(?P<code>[a-z]{2,3})__")),
    ("both", "NLLB", re.compile(r"(?P<code>[a-z]{3}_[A-Z][a-z]{3})")),
    ("both", "mBART", re.compile(r"(?P<code>[a-z]{2}_[A-Z]{2})")),
)
_PROMPT = "translate {source} to {target}: "


@dataclass(frozen=True)
class Folder:
    """A model folder, read but not loaded."""

    path: Path
    settings: Settings
    vocabulary: tuple[str, ...]
    declared: tuple[str, str]
    """Source and target language as the tokenizer's configuration names them, or empty."""

    @property
    def model_files(self) -> list[Path]:
        """What decides the output beside the tokenizer."""
        return sorted(
            path
            for path in self.path.iterdir()
            if path.name in ("config.json", "model.bin") or "vocabulary" in path.name
        )

    @cached_property
    def family(self) -> Family:
        """The kind of model, told by the tokens of its vocabulary."""
        return find_family(self.vocabulary)

    @property
    def unknown(self) -> str:
        """The token that the model writes for a word that it does not know."""
        return str(self.settings.get("unk_token") or "<unk>")

    @cached_property
    def special(self) -> frozenset[str]:
        """Tokens that are no part of a text: unknown, end and the like, languages and modes."""
        named = (str(v) for k, v in self.settings.items() if k.endswith("_token") and v)
        languages = (token for _, token in self.family.tokens)
        sentinels = (token for token in self.vocabulary if token.startswith("<extra_id_"))
        return frozenset(["<pad>", *named, *languages, *map(mode_piece, MODES), *sentinels])


@dataclass(frozen=True)
class Frame:
    """The tokens around the pieces of every source and before those of every target."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    prefix: tuple[str, ...]
    prompt: str

    def source(self, pieces: Sequence[str]) -> list[str]:
        """A whole source, as the model wants it."""
        return [*self.before, *pieces, *self.after]

    def target(self, pieces: Sequence[str]) -> list[str]:
        """A whole target, as the model wants it."""
        return [*self.prefix, *pieces]

    def __len__(self) -> int:
        return len(self.before) + len(self.after)


def read_folder(path: Path) -> Folder:
    """Read a model folder, or say what it lacks."""
    if not path.is_dir():
        raise HyperbatonError(f"there is no model folder {path}")
    if not (path / "model.bin").is_file():
        from hyperbaton.hub import weight_files

        hint = (
            f"it looks like a transformers model: use hf:{path}"
            if weight_files(path) is not None
            else "name the folder that a CTranslate2 converter wrote"
        )
        raise HyperbatonError(f"{path} holds no CTranslate2 model (no model.bin); {hint}")
    tokenizer = read_settings(path / "tokenizer_config.json")
    declared = (str(tokenizer.get("source_lang") or ""), str(tokenizer.get("target_lang") or ""))
    return Folder(path, read_settings(path / "config.json"), _vocabulary(path), declared)


def read_settings(path: Path) -> Settings:
    """The JSON object in a file; an empty one where there is no file."""
    if not path.is_file():
        return {}
    return read_object(path)


def frame(folder: Folder, source: str, target: str, mode: Mode = "plain") -> Frame:
    """The marks of one direction and mode, or an error that lists what the model knows."""
    mode_token = mode_piece(mode)  # which stands between the language and the text
    if mode_token and mode_token not in folder.vocabulary:
        raise HyperbatonError(
            f"{folder.path} has no mode '{mode}' (no piece {mode_token} in its vocabulary): "
            "leave mode= out, or name a model that was trained with modes, such as steered"
        )
    marks = folder.family.marks(source, target, str(folder.path))
    if folder.family.manner == "none":
        check_declared(folder.declared, source, target, str(folder.path))
    # Some converters have the engine add the end; OpenNMT-py (`<blank>`) trains without one.
    no_end = folder.settings.get("add_source_eos") or "<blank>" in folder.vocabulary
    end = () if no_end else (str(folder.settings.get("eos_token") or "</s>"),)
    if folder.family.label == "mBART" and folder.settings.get("decoder_start_token", "") is None:
        # mBART-25 closes the source with the language and starts the decoder with it.
        return Frame((), (*end, marks.source), (marks.target,), "")
    before = tuple(token for token in (marks.source, mode_token) if token)
    return Frame(before, end, (marks.target,) if marks.target else (), marks.prompt)


def _vocabulary(folder: Path) -> tuple[str, ...]:
    for stem in ("shared_vocabulary", "source_vocabulary", "vocabulary"):
        listed, plain = folder / f"{stem}.json", folder / f"{stem}.txt"
        if listed.is_file():
            words = read_json(listed)
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                raise HyperbatonError(f"{listed} is not a list of words")
            return tuple(words)
        if plain.is_file():
            return tuple(plain.read_text("utf-8", "replace").split("\n"))
    raise HyperbatonError(f"{folder} holds no vocabulary (shared_vocabulary.json or .txt)")


@dataclass(frozen=True)
class Marks:
    """What goes with every text of one direction: language tokens, and words before the text."""

    source: str = ""
    """First token of the source, empty where the model wants none."""
    target: str = ""
    """Token that the translation is made to begin with, empty where the model wants none."""
    prompt: str = ""


@dataclass(frozen=True)
class Family:
    """A kind of model: the manner in which it takes languages, and its tokens by language code."""

    label: str
    manner: Manner
    tokens: tuple[tuple[str, str], ...] = ()

    def marks(self, source: str, target: str, model: str) -> Marks:
        """The marks of one direction, or an error that lists the languages of the model."""
        tokens = dict(self.tokens)
        if self.manner == "target-first":
            return Marks(source=tokens[require(target, tokens, model, "target")])
        if self.manner == "both":
            first = tokens[require(source, tokens, model, "source")]
            return Marks(source=first, target=tokens[require(target, tokens, model, "target")])
        if self.manner == "prompt":
            return Marks(prompt=_PROMPT.format(source=name(source), target=name(target)))
        return Marks()


def find_family(vocabulary: Iterable[str]) -> Family:
    """The family whose language tokens the vocabulary holds.

    >>> find_family(["▁the", ">>de<<", ">>fr<<"])
    Family(label='Marian', manner='target-first', tokens=(('de', '>>de<<'), ('fr', '>>fr<<')))
    >>> find_family(["▁the", "eng_Latn", "deu_Latn"]).marks("en", "de", "nllb")
    Marks(source='eng_Latn', target='deu_Latn', prompt='')
    """
    words = [token for token in vocabulary if not token.isalpha()]
    for manner, label, pattern in _TOKENS:
        hits = [(hit["code"], token) for token in words if (hit := pattern.fullmatch(token))]
        languages = [(code, token) for code, token in hits if code not in MODES]
        if languages:
            return Family(label, manner, tuple(languages))
    if "<extra_id_0>" in words:
        return Family("T5", "prompt")
    return Family("bilingual", "none")


def check_declared(declared: tuple[str, str], source: str, target: str, model: str) -> None:
    """Refuse a direction that a bilingual model says it was not made for."""
    for said, asked in zip(declared, (source, target), strict=True):
        if is_language(said) and match(asked, [said]) is None:
            raise HyperbatonError(
                f"{model} does not translate {source}-{target}; it knows: {'-'.join(declared)}"
            )
