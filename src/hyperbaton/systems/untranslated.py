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
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.files import cache_folder, write_bytes
from hyperbaton.language.languages import NAMES, base, name
from hyperbaton.systems.codes import match

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
Numbers = NDArray[Any]
Scores = NDArray[np.float32]
_AT_ONCE = 512
"""Texts that walk side by side."""
_FLOOR = np.finfo(np.float32).min
"""The score of every language for a text of which nothing is known."""


def untranslated_answers(
    sources: Sequence[str], outputs: Sequence[str | None], languages: tuple[str, str]
) -> list[str | None]:
    """What is wrong with each answer, as `untranslated` says; None for what is not there."""
    given, wanted = languages
    pairs = list(dict.fromkeys((s, o) for s, o in zip(sources, outputs, strict=True) if o))
    texts = list(dict.fromkeys(output for _, output in pairs))
    verdicts = dict(zip(texts, foreign_languages(texts, given, wanted), strict=True))
    known = {pair: verdicts[pair[1]] for pair in pairs}
    # Case, marks and spaces do not tell a copy from another text.
    copies = [pair for pair in pairs if base(given) != base(wanted) and _same_letters(*pair)]
    known |= {pair: COPIED for pair in copies if known[pair]}
    # What was in the target language already is rightly copied, and so are names.
    changing = [pair for pair in copies if _would_change(pair[0])]
    right = are_rather([output for _, output in changing], wanted, given)
    known |= {pair: COPIED for pair, is_right in zip(changing, right, strict=True) if not is_right}
    return [known[s, o] if o else None for s, o in zip(sources, outputs, strict=True)]


def untranslated(source: str, output: str, languages: tuple[str, str]) -> str | None:
    """`copied`, the code of another language than the target, or None for a translation.

    >>> untranslated("It is raining again.", "it is raining again", ("en", "de"))
    'copied'
    >>> untranslated("New York Times", "New York Times", ("en", "de"))
    >>> untranslated("It is raining again.", "Es regnet schon wieder.", ("en", "de"))
    """
    return untranslated_answers([source], [output], languages)[0]


def untranslated_said(what: str) -> str:
    """What is wrong with an answer, in words.

    >>> untranslated_said("copied"), untranslated_said("fr")
    ('copied', 'in French')
    """
    return what if what == COPIED else f"in {name(what)}"


def untranslated_signature() -> str:
    """What decides: the rule, and who tells languages apart."""
    return f"untranslated: rule {RULE}, {identifier_version() or 'copies only'}"


def _same_letters(one: str, other: str) -> bool:
    return _letters(one) == _letters(other)


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


def foreign_languages(texts: Sequence[str], source: str, target: str) -> list[str | None]:
    """The code of the language that each text is in, where that is clearly not the target.

    Only the source language and large ones are named: a system hardly strays into others.

    >>> foreign_languages(["Nous allons au cinéma ce soir.", "Taxi!"], "en", "fr")
    [None, None]
    """
    found: list[str | None] = [None] * len(texts)
    wanted = _known(target)
    if wanted is None or wanted in _UNSURE:
        return found
    plain = [_DRAWN_OUT.sub(r"\1\1", text) for text in texts]
    long = [at for at, text in enumerate(plain) if _size(text) >= _SHORTEST]
    own, others = _sides(wanted, _known(source) or wanted)
    scores = likelihoods([plain[at] for at in long], own + others)
    strays = scores[:, len(own) :]
    beyond = strays.max(axis=1) - scores[:, : len(own)].max(axis=1) > _MARGIN
    for row in np.flatnonzero(beyond).tolist():
        found[long[row]] = others[int(strays[row].argmax())]
    return found


@lru_cache(maxsize=256)
def _sides(wanted: str, source: str) -> tuple[list[str], list[str]]:
    """The languages that are taken for the target, and the others that may be named."""
    own = _alike(wanted)
    others = {*NAMES, source} - own
    return sorted(own.intersection(identified())), sorted(others.intersection(identified()))


def _size(text: str) -> int:
    """The letters of a text, those that hold a word counted twice."""
    wide = 0 if max(text, default="") < _WIDE else sum(c >= _WIDE and c.isalpha() for c in text)
    return sum(map(str.isalpha, text)) + wide


def are_rather(texts: Sequence[str], language: str, other: str) -> list[bool]:
    """Whether texts are likelier in one language than in another; not where one is unknown."""
    one, two = _known(language), _known(other)
    if one is None or two is None:
        return [False] * len(texts)
    scores = likelihoods(texts, [one, two])
    found: list[bool] = (scores[:, 0] - scores[:, 1] > _RATHER).tolist()
    return found


def _alike(code: str) -> frozenset[str]:
    return next((group for group in _ALIKE if code in group), frozenset({code}))


@lru_cache(maxsize=256)
def _known(language: str) -> str | None:
    """The identifier's own code for a language; None where it has none, or is not installed."""
    labels = identified()
    code = match(language, labels) or match(base(language), labels)
    return code or next((c for c in _alike(base(language)) if c in labels), None)


@lru_cache(maxsize=1)
def identifier_version() -> str:
    """The identifier with its version; nothing where it is not installed."""
    version = installed_version("py3langid")
    return version and f"py3langid {version}"


class _Model(NamedTuple):
    """What the identifier knows, as py3langid loads it; the large parts stay on disk."""

    likelihoods: Numbers
    """A row for each feature, a column for each class."""
    priors: Numbers
    classes: Numbers
    """The language of each class; one with several scripts has several."""
    moves: Numbers
    rows: Numbers
    found: Numbers
    """The automaton: the next state by row and byte, the row and the feature of each state."""


@lru_cache(maxsize=1)
def _model() -> _Model | None:
    """The model; None where the identifier is not installed."""
    if not identifier_version():
        return None
    model = next(filter(None, map(_kept, _folders())), None)
    if model is None:
        from py3langid.langid import MODEL_DIR, MODEL_FILE
        from py3langid.modelio import load_model

        model = _Model(*map(np.asarray, load_model(MODEL_DIR / MODEL_FILE)))
        _keep(model)
    return model


@lru_cache(maxsize=1)
def identified() -> tuple[str, ...]:
    """The codes of the languages that are told apart; none without the identifier."""
    model = _model()
    return () if model is None else tuple(dict.fromkeys(model.classes.tolist()))


def likelihoods(texts: Sequence[str], languages: Sequence[str]) -> Scores:
    """The log-likelihood of each language, but for a constant: a row for each text.

    They are those by which py3langid ranks languages; here many texts walk side by side.
    """
    found = np.full((len(texts), len(languages)), _FLOOR, dtype=np.float32)
    model = _model()
    if model is None:
        return found
    letters = [_bytes(text) for text in texts]
    longest_first = sorted(range(len(texts)), key=lambda at: -len(letters[at]))
    classes = model.classes.tolist()
    columns = [at for at, label in enumerate(classes) if label in languages]
    for some in batched(longest_first, _AT_ONCE):
        scores = _scores(model, [letters[at] for at in some], columns)
        for column, score in zip(columns, scores.T, strict=True):
            # A language with several scripts has the best of their scores.
            best = found[some, place := languages.index(classes[column])]
            found[some, place] = np.maximum(best, score)
    return found


def _bytes(text: str) -> bytes:
    """A text as py3langid reads it."""
    text = unicodedata.normalize("NFC", text.lower() if text.isupper() else text)
    return text.encode(errors="surrogatepass")


def _scores(model: _Model, texts: Sequence[bytes], columns: Sequence[int]) -> Scores:
    """The scores of some classes for texts, of which the longest come first."""
    longest = max(1, len(texts[0]))
    letters = np.frombuffer(b"".join(text.ljust(longest) for text in texts), np.uint8)
    lengths = np.array(list(map(len, texts)))
    features = np.full((longest, len(texts)), -1, dtype=np.int64)
    states = np.zeros(len(texts), dtype=np.int64)
    for at, column in enumerate(letters.reshape(len(texts), longest).T):
        left = int((lengths > at).sum())
        rows = model.rows[states[:left]].astype(np.int64)
        states = model.moves[(rows << 8) + column[:left]]
        features[at, :left] = model.found[states]
    steps, walkers = np.nonzero(features >= 0)
    size = len(model.found)
    visits, counts = np.unique(walkers * size + features[steps, walkers], return_counts=True)
    scores = np.full((len(texts), len(columns)), _FLOOR, dtype=np.float32)
    if len(visits):
        known, rows = np.unique(visits % size, return_inverse=True)
        table = model.likelihoods[known][:, columns].astype(np.float32)
        weights = np.log1p(counts.astype(np.float32))
        some, starts = np.unique(visits // size, return_index=True)
        scores[some] = np.add.reduceat(weights[:, None] * table[rows], starts)
        scores[some] += model.priors[columns]
    return scores


def _folders() -> Iterator[Path]:
    """Where the copy may be: beside what Python compiles, as kernels are, or in the cache."""
    name = identifier_version().replace(" ", "-")
    yield Path(cache_from_source(__file__)).parent / name
    yield cache_folder() / "languages" / name


def _keep(model: _Model) -> None:
    """Write the copy where that can be; where it cannot, nothing is lost but time."""
    for folder in _folders():
        with suppress(OSError, HyperbatonError):
            for name, part in model._asdict().items():
                written = io.BytesIO()
                np.save(written, part, allow_pickle=False)
                write_bytes(folder / f"{name}.npy", written.getvalue())
            return


def _kept(folder: Path) -> _Model | None:
    """The model as it was kept, or None."""
    try:
        files = (folder / f"{name}.npy" for name in _Model._fields)
        # Each piece that is taken of a memmap would be one again.
        model = _Model(*(np.load(file, mmap_mode="r").view(np.ndarray) for file in files))
        fits = (
            model.likelihoods.shape[1:] == model.priors.shape == model.classes.shape
            and len(model.rows) == len(model.found)
            and int(model.rows.max()) * 256 < len(model.moves)
            and int(model.found.max()) < len(model.likelihoods)
        )
    except (OSError, ValueError, EOFError):  # not there, or damaged
        return None
    return model if fits else None
