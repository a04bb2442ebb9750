"""Parameters that a server refuses, read from what it says; every house says it in its own way."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

_REFUSAL = re.compile(
    r"unsupported|unrecogni[sz]ed|unexpected|unknown|deprecated|extra_forbidden|extra inputs|"
    r"not (?:\w+ )?(?:support|permitted|allowed|recogni[sz]ed|accepted|available)|"
    r"n['o]t support|cannot (?:both )?be|can only be|may only be|only the default|"
    r"additional propert|removed",
    re.IGNORECASE,
)
_ABOUT_THE_TEXT = re.compile(
    r"too (?:large|long|many)|context (?:length|window)|exceed", re.IGNORECASE
)
_WHAT_IS_TAKEN = re.compile(
    r"(?:supported|allowed|valid|accepted|known|available)(?: \w+)? (?:are|is|include)\b|"
    r"(?<!un)(?:supported|allowed|valid|accepted):|\binstead of\b|\bexpected\b",
    re.IGNORECASE,
)
_USE = re.compile(r"\buse[\s:'\"`]+(\w+)", re.IGNORECASE)
_LONGEST = 20_000


def refused_parameters(text: str, optional: Iterable[str]) -> dict[str, str | None]:
    """The parameters that an error reply refuses, each with the name that it wants for it.

    >>> refused_parameters("Unsupported parameter: 'max_tokens' is not supported with this model. "
    ...     "Use 'max_completion_tokens' instead.", ["max_tokens", "seed"])
    {'max_tokens': 'max_completion_tokens'}
    >>> refused_parameters("`temperature` is deprecated for this model.", ["temperature"])
    {'temperature': None}
    >>> refused_parameters("max_tokens is too large: the context length is 512", ["max_tokens"])
    {}
    """
    names = sorted(optional)
    # A server behind another one is quoted by it, with its quotes escaped.
    plain = re.sub(r"\\+([\"'nt/])", lambda m: "\n" if m[1] == "n" else m[1], text[:_LONGEST])
    found = dict.fromkeys(_named_apart(text, names)) or dict.fromkeys(_named_in_words(plain, names))
    return {name: _wanted(plain, name, names) for name in found}


def _named_apart(text: str, names: list[str]) -> Iterator[str]:
    """Parameters in a field of their own: OpenAI's `param`, and `loc` of pydantic's details."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        return
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            said = " ".join(str(part.get(key, "")) for key in ("message", "msg", "type", "code"))
            place = part.get("loc")
            name = place[-1] if isinstance(place, list) and place else part.get("param")
            if name in names and _refuses(said.replace("_", " ") + said):
                yield str(name)
            waiting += [value for value in part.values() if isinstance(value, dict | list)]


def _named_in_words(text: str, names: list[str]) -> Iterator[str]:
    """Parameters in a sentence that refuses something, before it says what is taken."""
    for sentence in re.split(r"[.;!]\s|\n", text):
        if _refuses(sentence):
            taken = _WHAT_IS_TAKEN.search(sentence)
            use = _USE.search(sentence)
            cut = min(m.start() for m in (taken, use) if m) if taken or use else len(sentence)
            for name in names:
                if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence[:cut]):
                    yield name


def _refuses(sentence: str) -> bool:
    return bool(_REFUSAL.search(sentence)) and not _ABOUT_THE_TEXT.search(sentence)


def _wanted(text: str, name: str, names: list[str]) -> str | None:
    """The name that is to be used for a parameter, where the reply says one that is alike."""
    for match in _USE.finditer(text):
        other = match[1]
        if other not in names and other.split("_")[-1] == name.split("_")[-1]:
            return other
    return None
