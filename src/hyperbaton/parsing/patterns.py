"""Regular expressions that name the same long classes of characters again and again, compiled fast.

spaCy's French has one with 200 classes of a thousand letters each, which takes Python 2 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from typing import Any

_LONG = 20_000
"""Characters from which an expression is worth the trouble."""
_CLASS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)
_STANDS_FOR = 0xF0000
"""The first of the characters for private use that stand for classes."""
_one_at_a_time = Lock()


@contextmanager
def classes_read_once() -> Iterator[None]:
    """Have `re.compile` read and prepare equal classes of a long expression only once.

    What it makes is the same. It reaches into `re`: one that is built otherwise is left alone.
    """
    parser: Any = getattr(re, "_parser", None)
    compiler: Any = getattr(re, "_compiler", None)
    if not hasattr(parser, "parse") or not hasattr(compiler, "_optimize_charset"):
        yield
        return
    prepared: dict[object, Any] = {}

    def parse_once(pattern: Any, flags: int = 0, *state: Any) -> Any:
        if not isinstance(pattern, str) or len(pattern) < _LONG or flags & re.VERBOSE or state:
            return parse(pattern, flags, *state)
        names: dict[str, str] = {}

        def named(found: re.Match[str]) -> str:
            if found[0][0] == "\\" or len(found[0]) < _LONG // 100:
                return found[0]
            return names.setdefault(found[0], chr(_STANDS_FOR + len(names)))

        tree = parse(_CLASS.sub(named, pattern), flags)
        known = {
            ord(name): parse(text, flags | tree.state.flags)[0] for text, name in names.items()
        }
        _replace(tree, known)
        return tree

    def optimize_once(charset: list[Any], *how: Any) -> Any:
        key = tuple(charset), *(one if callable(one) else bool(one) for one in how)
        if key not in prepared:
            prepared[key] = optimize(charset, *how)
        found, cased = prepared[key]
        return list(found), cased

    with _one_at_a_time:
        parse, optimize = parser.parse, compiler._optimize_charset
        parser.parse, compiler._optimize_charset = parse_once, optimize_once
        try:
            yield
        finally:
            parser.parse, compiler._optimize_charset = parse, optimize


def _replace(tree: Any, known: Mapping[int, Any]) -> None:
    """Put classes where the characters are that stand for them."""
    for at, (_, value) in enumerate(tree.data):
        if isinstance(value, int) and value in known:
            tree.data[at] = known[value]
        else:
            _inside(value, known)


def _inside(value: Any, known: Mapping[int, Any]) -> None:
    if hasattr(value, "data"):
        _replace(value, known)
    elif isinstance(value, tuple | list):
        for one in value:
            _inside(one, known)
