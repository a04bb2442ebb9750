"""Which tokens a metric counts: sacreBLEU's tokenizers, each distinct text once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, cast

import numpy as np
import numpy.typing as npt

from hyperbaton.base.errors import HyperbatonError, MissingExtra
from hyperbaton.language.languages import base, writes_spaces

if TYPE_CHECKING:
    from hyperbaton.metrics.kernels.texts import Characters, Sequences

Tokens = Literal[
    "auto",
    "13a",
    "intl",
    "zh",
    "char",
    "none",
    "parsed",
    "ja-mecab",
    "ko-mecab",
    "spm",
    "flores101",
    "flores200",
]
"""`auto` is settled by the language; `parsed` (and `none`) are tokens with white space between."""

Ints = npt.NDArray[np.int64]


def settle(tokens: Tokens, language: str = "") -> Tokens:
    """The tokenizer of a language where none is named: sacreBLEU's choice, if it is installed.

    >>> settle("auto"), settle("auto", "de"), settle("auto", "zh-Hans"), settle("char", "de")
    ('13a', '13a', 'zh', 'char')
    """
    if tokens != "auto":
        return tokens
    code = base(language)
    if code == "zh":
        return "zh"
    if code == "ja" and find_spec("MeCab") and find_spec("ipadic"):
        return "ja-mecab"
    if code == "ko" and find_spec("mecab_ko"):
        return "ko-mecab"
    return "13a" if writes_spaces(language) else "char"


def tokenise(texts: Sequence[str], tokens: Tokens, lowercase: bool = False) -> Sequences:
    """The tokens of each text as integers, equal exactly when the tokens are."""
    from hyperbaton.metrics.kernels.texts import encode
    from hyperbaton.metrics.kernels.tokenise import number

    characters = encode(_prepared(texts, tokens, lowercase))
    return number(characters, *_spans(characters, tokens))


def split(texts: Sequence[str], tokens: Tokens, lowercase: bool = False) -> list[list[str]]:
    """The tokens of each text as strings.

    >>> split(["Nein, 3.5!"], "13a")
    [['Nein', ',', '3.5', '!']]
    """
    from hyperbaton.metrics.kernels.texts import encode

    texts = _prepared(texts, tokens, lowercase)
    whole = "".join(texts)
    starts, ends, firsts = _spans(encode(texts), tokens)
    words = [whole[i:j] for i, j in zip(starts.tolist(), ends.tolist(), strict=True)]
    return [words[i:j] for i, j in pairwise(firsts.tolist())]


def _prepared(texts: Sequence[str], tokens: Tokens, lowercase: bool) -> Sequence[str]:
    """The texts as the automaton reads them: what else a tokenizer does is done here."""
    name = settle(tokens)
    if lowercase:
        texts = [text.lower() for text in texts]
    if name == "13a":
        everything = "".join(texts)  # few texts hold what mteval undoes before it cuts
        marked = any(mark in everything for mark in ("&", "\n", "<skipped>"))
        return [_unescape(text) for text in texts] if marked else texts
    if name in ("none", "parsed", "zh", "intl", "char"):
        return texts
    cut = _sacrebleu(name)
    return [cut(text.rstrip()) for text in texts]


def _spans(characters: Characters, tokens: Tokens) -> tuple[Ints, Ints, Ints]:
    from hyperbaton.metrics.kernels.tokenise import TABLES, spans, table

    name = settle(tokens)
    classes = table(name if name in TABLES else "none")
    return spans(characters.units, characters.offsets, classes, name == "13a", name == "zh")


def _unescape(text: str) -> str:
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, mark)
    return text


@cache
def _sacrebleu(name: str) -> Callable[[str], str]:
    """One of sacreBLEU's own tokenizers."""
    from sacrebleu.metrics.bleu import BLEU

    try:
        return cast(Callable[[str], str], BLEU(tokenize=name).tokenizer)
    except (ImportError, RuntimeError) as error:
        extra = name.split("-")[0] if name.endswith("mecab") else "spm"
        raise MissingExtra(
            f"the tokenizer '{name}' is not installed: pip install 'sacrebleu[{extra}]'"
        ) from error
    except OSError as error:
        raise HyperbatonError(
            f"the tokenizer '{name}' cannot load its model ({error}); choose tokens=13a or char"
        ) from error
