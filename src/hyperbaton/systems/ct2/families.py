"""How a model is told its two languages, read off the special tokens of its vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import name
from hyperbaton.systems.codes import is_language, match, require
from hyperbaton.systems.modes import MODES

__all__ = ["Family", "Marks", "check_declared", "find_family"]

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
        found = [(code, token) for code, token in hits if code not in MODES]
        if found:
            return Family(label, manner, tuple(found))
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
