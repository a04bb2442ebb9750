"""Templates of requests and replies: JSON with `$text`, and the path to the translations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.replies import Unreadable, parsed

_TEXT = "$text"
_PLACE = re.compile(r"\$(?:(source|target)\b|([A-Z][A-Z0-9_]*))")
_STEP = re.compile(r"\.?([^.\[\]]+)|\[(\d*)\]")


class WrongNumber(Exception):
    """A reply that holds more translations than were asked for, or fewer."""


@dataclass(frozen=True)
class Template:
    """What is sent, and where the translations stand in what comes back.

    >>> deepl = Template('{"text": ["$text"], "target_lang": "$target"}', "translations[].text")
    >>> deepl.request(["a", "b"], {"target": "DE"})
    {'text': ['a', 'b'], 'target_lang': 'DE'}
    >>> deepl.translations(b'{"translations": [{"text": "A"}, {"text": "B"}]}', 2)
    ['A', 'B']
    """

    body: str
    """JSON; a list that holds "$text" alone, or an object with it, has an entry for each text."""
    reply: str
    """The path: names between dots, `[]` for each entry of a list, `[0]` for the first one."""

    def __post_init__(self) -> None:
        content = parse_json(self.body, "body")
        if not isinstance(content, dict | list):
            raise HyperbatonError("write body as a JSON object or list")
        found = sum(part == _TEXT for part in _parts(content))
        if found != 1:
            raise HyperbatonError(f'body must hold "{_TEXT}" once, not {found} times')
        if not self.reply or "".join(m[0] for m in _STEP.finditer(self.reply)) != self.reply:
            raise HyperbatonError(f"reply '{self.reply}' is no path: write it as data.items[].text")

    @property
    def many(self) -> bool:
        """Whether a request takes several texts."""
        return self.request(["a", "b"], {}) != self.request(["a"], {})

    def request(self, texts: Sequence[str], values: Mapping[str, str]) -> object:
        """The content of a request for these texts."""
        return _filled(parse_json(self.body, "body"), texts, values)

    def translations(self, data: bytes, number: int) -> list[str | None]:
        """The translations in a reply; None stands for one that is no text."""
        found = list(_followed(parsed(data), self.reply))
        if len(found) != number:
            raise WrongNumber(f"the reply holds {len(found)} translations for {number} texts")
        return [value if isinstance(value, str) else None for value in found]


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with `$source`, `$target` and the variables that it names.

    >>> filled("Key $MY_KEY for $source", {"MY_KEY": "x", "source": "en"})
    'Key x for en'
    """
    return _PLACE.sub(lambda match: values.get(match[1] or match[2], match[0]), text)


def variables(texts: Iterator[str]) -> tuple[str, ...]:
    """The variables of the environment that texts name."""
    return tuple(dict.fromkeys(m[2] for text in texts for m in _PLACE.finditer(text) if m[2]))


def _parts(content: object) -> Iterator[str]:
    """All strings in some JSON."""
    if isinstance(content, str):
        yield content
    for part in content.values() if isinstance(content, dict) else []:
        yield from _parts(part)
    for part in content if isinstance(content, list) else []:
        yield from _parts(part)


def _filled(content: object, texts: Sequence[str], values: Mapping[str, str]) -> object:
    if content == _TEXT:
        return texts[0]
    if isinstance(content, str):
        return filled(content, values)
    if isinstance(content, dict):
        return {name: _filled(part, texts, values) for name, part in content.items()}
    if isinstance(content, list):
        each = len(content) == 1 and any(part == _TEXT for part in _parts(content))
        rounds = [[text] for text in texts] if each else [texts]
        return [_filled(part, some, values) for part in content for some in rounds]
    return content


def _followed(content: object, path: str) -> Iterator[object]:
    """What stands at the end of a path; an empty path is the content itself."""
    step = _STEP.match(path)
    if step is None:
        yield content
        return
    rest, (name, index) = path[step.end() :], step.groups()
    if name is not None:
        parts = [content[name]] if isinstance(content, dict) and name in content else None
    elif not isinstance(content, list):
        parts = None
    else:
        parts = content if index == "" else content[int(index) : int(index) + 1] or None
    if parts is None:
        raise Unreadable(f"the reply holds no '{step[0].lstrip('.')}': {str(content)[:200]}")
    for part in parts:
        yield from _followed(part, rest)
