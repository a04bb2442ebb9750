"""Answers left untranslated: the source copied, or a text in another language than asked.

py3langid (byte n-grams, 140 languages) says how likely a text is in each language. Which limits
accuse how many right translations is measured by `python -m benchmarks.untranslated`. Its model is
unpacked once, since that takes .3 s; the copy (68 MB) is mapped, not read, and all processes share
it.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import cache_folder, write_bytes
from hyperbaton.language.languages import NAMES, base, name
from hyperbaton.systems.codes import match

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_Places = NDArray[np.int64]
_SHORTEST = 16
"""Letters that a text needs, where one of Chinese, Japanese or Korean counts as two."""
_MARGIN = 10.0
"""How much likelier another language must be: a difference of logarithms."""
_RATHER = 5.0
"""The same between two languages alone, of a text of any length."""
_DRAWN_OUT = re.compile(r"(.)\1{2,}")
"""A letter that is held, as in "Nooooo", says nothing of the language."""
_WIDE = "\u2e80"
"""From here on a character holds a syllable or a word."""

_ALIKE = (
    frozenset({"zh", "yue", "wuu"}),
    frozenset({"hr", "bs", "sr"}),
    frozenset({"id", "ms"}),
    frozenset({"no", "nb", "nn", "da"}),
    frozenset({"cs", "sk"}),
    frozenset({"ar", "arz", "ary"}),
)
"""Languages that are not told from one another."""
_UNSURE = frozenset({"be", "ku", "tt", "ug"})
"""Languages that are also written in a script in which the identifier does not know them."""

COPIED = "copied"
RULE = 1
"""Raised when the same answers would be judged otherwise."""

_LETTERS = re.compile(r"[^\W_]+")
_WORDS, _PLAIN, _CAPITALS = 3, 2, 5
"""Words without which a copy may well be right, since names stay as they are: in all, without a
capital, and in a text of capitals alone."""
_UNSPACED = 6
"""The same in letters, where words are not written apart."""
_CHARACTERS = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_PARTS = ("likelihoods", "priors", "classes", "moves", "rows", "found")


def untranslated_answers(
    sources: Sequence[str], outputs: Sequence[str | None], languages: tuple[str, str]
) -> list[str | None]:
    """What is wrong with each answer, as `untranslated` says; None for what is not there."""
    known: dict[tuple[str, str], str | None] = {}
    verdicts: list[str | None] = []
    for source, output in zip(sources, outputs, strict=True):
        key = (source, output or "")
        if key not in known:
            known[key] = untranslated(*key, languages) if output else None
        verdicts.append(known[key])
    return verdicts


def untranslated(source: str, output: str, languages: tuple[str, str]) -> str | None:
    """`copied`, the code of another language than the target, or None for a translation.

    >>> untranslated("It is raining again.", "it is raining again", ("en", "de"))
    'copied'
    >>> untranslated("New York Times", "New York Times", ("en", "de"))
    >>> untranslated("It is raining again.", "Es regnet schon wieder.", ("en", "de"))
    """
    given, wanted = languages
    # Case, marks and spaces do not tell a copy from another text.
    is_copy = base(given) != base(wanted) and _letters(source) == _letters(output)
    # What was in the target language already is rightly copied, and so are names.
    if is_copy and _would_change(source) and not is_rather(output, wanted, given):
        return COPIED
    foreign = foreign_language(output, given, wanted)
    return COPIED if is_copy and foreign else foreign


def untranslated_said(what: str) -> str:
    """What is wrong with an answer, in words.

    >>> untranslated_said("copied"), untranslated_said("fr")
    ('copied', 'in French')
    """
    return what if what == COPIED else f"in {name(what)}"


def untranslated_signature() -> str:
    """What decides: the rule, and who tells languages apart."""
    return f"untranslated: rule {RULE}, {identifier_version() or 'copies only'}"


def _letters(text: str) -> list[str]:
    return _LETTERS.findall(unicodedata.normalize("NFKC", text).casefold())


def _would_change(text: str) -> bool:
    """Whether a translation of the text would surely be another text: not so of a few names."""
    if len(_CHARACTERS.findall(text)) >= _UNSPACED:
        return True
    words = [word for word in map(_stripped, text.split()) if word.replace("'", "").isalpha()]
    plain = sum(not word[0].isupper() for word in words)
    shouted = text.isupper() and len(words) >= _CAPITALS
    return len(words) >= _WORDS and (plain >= _PLAIN or shouted)


def _stripped(word: str) -> str:
    """A word without the marks around it, its own marks as plain ones."""
    if word.isalnum():
        return word
    inner = word.replace("’", "'").replace("-", "")
    return re.sub(r"^\W+|\W+$", "", inner)


def foreign_language(text: str, source: str, target: str) -> str | None:
    """The code of the language that a text is in, where that is clearly not the target.

    Only the source language and large ones are named: a system hardly strays into others.

    >>> foreign_language("Nous allons au cinéma ce soir.", "en", "fr")
    >>> foreign_language("Taxi!", "en", "fr")
    """
    text = _DRAWN_OUT.sub(r"\1\1", text)
    if _size(text) < _SHORTEST:
        return None
    wanted = _known(target)
    if wanted is None or wanted in _UNSURE:
        return None
    scores = likelihoods(text)
    own, others = _sides(wanted, _known(source) or wanted)
    codes, places = others
    likelihood = scores[places]
    likeliest = int(likelihood.argmax())
    return codes[likeliest] if likelihood[likeliest] - scores[own].max() > _MARGIN else None


@lru_cache(maxsize=256)
def _sides(wanted: str, source: str) -> tuple[_Places, tuple[Sequence[str], _Places]]:
    """Where the scores of the target stand, and what other languages may be named, with theirs."""
    own, places = _alike(wanted), label_places()
    others = [code for code in sorted({*NAMES, source} - own) if code in places]
    return (
        np.array([places[code] for code in own if code in places]),
        (others, np.array([places[code] for code in others])),
    )


def _size(text: str) -> int:
    """The letters of a text, those that hold a word counted twice."""
    wide = 0 if max(text, default="") < _WIDE else sum(c >= _WIDE and c.isalpha() for c in text)
    return sum(map(str.isalpha, text)) + wide


def is_rather(text: str, language: str, other: str) -> bool:
    """Whether a text is likelier in one language than in another; not where one is unknown."""
    one, two = _known(language), _known(other)
    if one is None or two is None:
        return False
    scores, places = likelihoods(text), label_places()
    return bool(scores[places[one]] - scores[places[two]] > _RATHER)


def _alike(code: str) -> frozenset[str]:
    return next((group for group in _ALIKE if code in group), frozenset({code}))


@lru_cache(maxsize=256)
def _known(language: str) -> str | None:
    """The identifier's own code for a language; None where it has none, or is not installed."""
    labels = list(label_places())
    code = match(language, labels) or match(base(language), labels)
    return code or next((c for c in _alike(base(language)) if c in labels), None)


@lru_cache(maxsize=1)
def identifier_version() -> str:
    """The identifier with its version; nothing where it is not installed."""
    version = installed_version("py3langid")
    return version and f"py3langid {version}"


@lru_cache(maxsize=1)
def identifier() -> LanguageIdentifier | None:
    """The identifier with all that it knows; None where it is not installed."""
    if not identifier_version():
        return None
    from py3langid.langid import MODEL_DIR, MODEL_FILE, LanguageIdentifier

    model = next(filter(None, map(_kept, _folders())), None)
    if model is None:
        from py3langid.modelio import load_model

        model = load_model(MODEL_DIR / MODEL_FILE)
        _keep(model)
    likelihoods, priors, classes, moves, rows, found = model
    return LanguageIdentifier(likelihoods, priors, classes, moves, found, tk_row=rows)


@lru_cache(maxsize=1)
def label_places() -> Mapping[str, int]:
    """Each language by its code, and where its score stands; none without the identifier."""
    engine = identifier()
    return {} if engine is None else {label: at for at, label in enumerate(engine.labels)}


@lru_cache(maxsize=1024)
def likelihoods(text: str) -> NDArray[np.float64]:
    """The log-likelihood of each language, but for a constant, in the order of `label_places`."""
    engine = identifier()
    if engine is None:
        return np.empty(0)
    # `rank` says the same, sorted, which takes longer than to find it.
    scores: NDArray[np.float64] = engine._decide(text).astype(np.float64)
    return scores[_first_places(tuple(engine.nb_classes))]


@lru_cache(maxsize=1)
def _first_places(classes: tuple[str, ...]) -> list[int]:
    """Where each label comes first: one with several scripts has its score there."""
    return [at for at, label in enumerate(classes) if label not in classes[:at]]


def _folders() -> Iterator[Path]:
    """Where the copy may be: beside what Python compiles, as kernels are, or in the cache."""
    name = identifier_version().replace(" ", "-")
    yield Path(cache_from_source(__file__)).parent / name
    yield cache_folder() / "languages" / name


def _keep(model: Sequence[Any]) -> None:
    """Write the copy where that can be; where it cannot, nothing is lost but time."""
    for folder in _folders():
        with suppress(OSError, HyperbatonError):
            for name, part in zip(_PARTS, model, strict=True):
                written = io.BytesIO()
                np.save(written, np.asarray(part), allow_pickle=False)
                write_bytes(folder / f"{name}.npy", written.getvalue())
            return


def _kept(folder: Path) -> tuple[Any, ...] | None:
    """The six parts of the model as py3langid loads them, or None; the large ones stay on disk."""
    try:
        loaded = [np.load(folder / f"{name}.npy", mmap_mode="r") for name in _PARTS]
        likelihoods, priors, classes, moves, rows, found = loaded
        fits = (
            likelihoods.shape[1:] == priors.shape == classes.shape
            and len(rows) == len(found)
            and int(rows.max()) * 256 < len(moves)
            and int(found.max()) < len(likelihoods)
        )
    except (OSError, ValueError, EOFError):  # not there, or damaged
        return None
    if not fits:
        return None
    # Single numbers are read faster through a view than from an array.
    return likelihoods, priors, classes.tolist(), memoryview(moves), rows.tolist(), found.tolist()
