"""Sentences as CoNLL-U: what a parser found, kept so that it need not be found again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_write
from hyperbaton.language.sentence import Sentence

_BREAKS = str.maketrans("\t\n\r", "   ")


def write_conllu(path: Path, sentences: Iterable[Sentence], parser: str = "") -> int:
    """Write a file whole or not at all; `parser` says on each sentence who parsed it."""
    count = 0
    with atomic_write(path) as file:
        for sentence in sentences:
            file.write(to_conllu(sentence, {"parser": parser} if parser else {}).encode())
            count += 1
    return count


def to_conllu(sentence: Sentence, values: Mapping[str, str] | None = None) -> str:
    """One item as CoNLL-U: a block for each of its sentences, marked as belonging together.

    >>> block = to_conllu(Sentence(("Hi", "!"), (False, False), "en", id="7"))
    >>> block.splitlines()[:3]
    ['# sent_id = 7', '# language = en', '# text = Hi!']
    """
    several = len(sentence.spans) > 1
    if several and not sentence.id:
        raise HyperbatonError("an item of several sentences needs an id to be written as CoNLL-U")
    blocks = []
    for number, (start, end) in enumerate(sentence.spans, 1):
        head: dict[str, str] = {}
        if several:
            head["item_id"] = sentence.id
        if sentence.id:
            head["sent_id"] = f"{sentence.id}-{number}" if several else sentence.id
        head["language"] = sentence.language
        if sentence.scheme:
            head["scheme"] = sentence.scheme
        head |= values or {}
        if sentence.noun_chunks is not None:
            inside = [(a, b) for a, b in sentence.noun_chunks if start <= a < end]
            head["noun_chunks"] = " ".join(f"{a - start + 1}-{b - start}" for a, b in inside)
        head["text"] = _text(sentence, start, end)
        comments = [f"# {key} = {_one_line(value)}".rstrip() for key, value in head.items()]
        blocks.append("\n".join([*comments, *_rows(sentence, start, end)]) + "\n\n")
    return "".join(blocks)


def _text(sentence: Sentence, start: int, end: int) -> str:
    pairs = zip(sentence.words[start:end], sentence.spaces[start:end], strict=True)
    return "".join(word + " " * space for word, space in pairs).rstrip(" ")


def _rows(sentence: Sentence, start: int, end: int) -> Iterator[str]:
    for i in range(start, end):
        word = sentence.words[i]
        if not word.strip() or _one_line(word) != word:
            raise HyperbatonError(
                f"sentence '{sentence.id}': word {i - start + 1} is {word!r}, "
                "which CoNLL-U cannot hold; clean the text first"
            )
        upos = sentence.upos[i] if sentence.upos else "_"
        head, dep = "_", "_"
        if sentence.heads is not None:
            head = "0" if sentence.heads[i] == i else str(sentence.heads[i] - start + 1)
            dep = sentence.deps[i] if sentence.deps else "_"
        # The last word of an item has nothing after it, so nothing is said of it.
        spaced = sentence.spaces[i] or i == len(sentence) - 1
        misc = "_" if spaced else "SpaceAfter=No"
        yield f"{i - start + 1}\t{word}\t_\t{upos or '_'}\t_\t_\t{head}\t{dep or '_'}\t_\t{misc}"


def _one_line(text: str) -> str:
    return text.translate(_BREAKS)
