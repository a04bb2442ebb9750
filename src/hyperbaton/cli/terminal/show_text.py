"""Sentences on a terminal: what was moved in colour, or in brackets where nobody looks on."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hyperbaton.cli.terminal.moved_units import Span, moved_units, runs_of, spans_of
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, Reordering, Variant

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["console_for", "highlit", "print_named", "varied_text"]


def console_for(color: str) -> Console:
    """The terminal, or plain text without a line's end anywhere."""
    from rich.console import Console

    class Piped(Console):
        def on_broken_pipe(self) -> None:
            """Tell it as every command does; rich would end the process with status 1."""
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))

    forced = {"always": True, "never": False}.get(color)
    wished = sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    terminal = wished if forced is None else forced
    # Nothing is wrapped where nobody looks on; rich would cut at 80 columns.
    width = None if sys.stdout.isatty() else 1_000_000
    return Piped(
        force_terminal=terminal, no_color=not terminal, width=width, highlight=False, emoji=False
    )


def print_named(console: Console, name: str, text: Text) -> None:
    """A name and its text, which is wrapped beside it."""
    from rich.text import Text

    room = max(console.width - len(name), 20)
    for number, line in enumerate(text.wrap(console, room)):
        line.rstrip()
        start = Text(name, style="cyan") if number == 0 else " " * len(name)
        console.print(Text.assemble(start, line), soft_wrap=True)


def varied_text(
    console: Console, sentence: Sentence, perturbation: Perturbation, variant: Variant | None
) -> Text:
    """A variant with what it moved marked, or why there is none."""
    from rich.text import Text

    if variant is None:
        return Text("does not apply", style="dim")
    if not variant.changed:
        return Text.assemble(variant.text, ("  (unchanged)", "dim"))
    return _marked(sentence, perturbation, variant, color=not console.no_color)


def _marked(sentence: Sentence, perturbation: Perturbation, variant: Variant, color: bool) -> Text:
    """The variant with what was moved in colour, or moved words in brackets."""
    from rich.text import Text

    if variant.order is None or not isinstance(perturbation, Reordering):
        return Text(variant.text)
    units = perturbation.units(sentence)
    spans = spans_of([units[i] for i in variant.order], variant.text)
    runs = list(runs_of(moved_units(variant.order), spans))
    return highlit(variant.text, runs if color or variant.unit == "word" else (), color)


def highlit(plain: str, runs: Sequence[Span], color: bool) -> Text:
    """A text with parts of it in colour or in brackets."""
    from rich.text import Text

    if color:
        text = Text(plain)
        for start, end in runs:
            text.stylize("bold yellow", start, end)
        return text
    for start, end in reversed(runs):
        plain = f"{plain[:start]}[{plain[start:end]}]{plain[end:]}"
    return Text(plain)
