"""What translators make of one sentence and its variants, on a terminal."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperbaton.alignment.judging import EMPTY
from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.cli.terminal.differences import compare
from hyperbaton.cli.terminal.show_systems import METRIC, Answer, Answers, Reference, ask
from hyperbaton.cli.terminal.show_text import highlit, print_named, varied_text
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Perturbation, Variant, perturb
from hyperbaton.systems.store.store import working_store
from hyperbaton.systems.untranslated import untranslated_said

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["Asked", "show_translations"]

_OUTCOMES = {
    "repaired": ("repaired", "green"),
    "carried": ("carried over", "yellow"),
    "lost": ("lost", "red"),
    "mixed": ("mixed", "magenta"),
    "untranslated": ("untranslated", "red"),
    "empty": ("empty", "red"),
    "unchanged": ("unchanged", "dim"),
}
_CLEAN = "as it is"


@dataclass(frozen=True)
class Asked:
    """Who is asked what."""

    systems: tuple[str, ...]
    pair: tuple[str, str]
    sentence: Sentence
    perturbations: tuple[Perturbation, ...]
    seed: int = 0
    reference: Sentence | None = None
    cached: bool = True
    written: str | None = None
    """The sentence with the spaces that the user gave it."""


def show_translations(console: Console, asked: Asked) -> int:
    """Print each variant with its translations; the exit status is 1 when one is not there."""
    drawn = [perturb(asked.sentence, one, seed=asked.seed) for one in asked.perturbations]
    changed = [variant for variant in drawn if variant is not None and variant.changed]
    answers = _answers(asked, drawn, changed)
    there = [one for one in answers if not one.fault]
    names = [str(perturbation) for perturbation in asked.perturbations]
    labels = [f"  {one.system}" for one in there] + ["  reference"] * (asked.reference is not None)
    width = max(len(name) for name in (_CLEAN, *names, *labels))
    for one in answers:
        if one.fault:
            print_named(console, f"{printable(one.system)}: ", _plain(printable(one.fault)))
    _print(console, _CLEAN, width, _plain(asked.sentence.text, "bold"))
    if asked.reference is not None:
        _print(console, "  reference", width, _plain(asked.reference.text))
    for one in there:
        _print(console, f"  {one.system}", width, _plain(one.clean))
    number = 0
    for perturbation, variant in zip(asked.perturbations, drawn, strict=True):
        console.print()
        text = varied_text(console, asked.sentence, perturbation, variant)
        _print(console, str(perturbation), width, text)
        if variant is not None and variant.changed:
            for one in there:
                answer = one.answers[number]
                _print(console, f"  {one.system}", width, _answered(console, one, answer, asked))
            number += 1
    _explain(console, asked)
    empty = any(answer.outcome == EMPTY for one in there for answer in one.answers)
    return 1 if empty or len(there) < len(answers) else 0


def _answers(asked: Asked, drawn: list[Variant | None], changed: list[Variant]) -> list[Answers]:
    """What each system says; an error only where none says anything."""
    reference = None
    if asked.reference is not None:
        theirs = [
            perturb(asked.reference, one, seed=asked.seed)
            for one, variant in zip(asked.perturbations, drawn, strict=True)
            if variant is not None and variant.changed
        ]
        reference = Reference(asked.reference, tuple(theirs))
    with working_store(None) if asked.cached else nullcontext() as store:
        found = [
            ask(system, asked.pair, asked.sentence, changed, reference, store, asked.written)
            for system in asked.systems
        ]
    if len(found) == 1 and found[0].fault:
        system, fault = found[0].system, found[0].fault
        raise HyperbatonError(fault if system in fault else f"'{printable(system)}': {fault}")
    return found


def _answered(console: Console, system: Answers, answer: Answer, asked: Asked) -> Text:
    """A translation with what stands elsewhere marked, what became of it, and what is missing."""
    color = not console.no_color
    found = compare(system.clean, answer.text, asked.pair[1])
    text = highlit(answer.text, found.moved, color)
    words, style = _OUTCOMES[answer.outcome]
    text.append("  ")
    reason = f" ({untranslated_said(answer.untranslated)})" if answer.untranslated else ""
    text.append(f"→ {words}{reason}", style=style)
    if answer.outcome == EMPTY:
        return text
    if answer.beta1 is not None:
        text.append(f"  β1 {answer.beta1:.2f}", style="dim")
    if answer.beta2 is not None:
        text.append(f"  β2 {answer.beta2:.2f}", style="dim")
    if found.missing:
        text.append(f"  missing: {', '.join(found.missing)}", style="dim")
    return text


def _explain(console: Console, asked: Asked) -> None:
    """What the marks mean."""
    mark = "[Brackets]" if console.no_color else "Yellow"
    said = f"{mark}: moved; in a translation, elsewhere than in that of the sentence as it is."
    if asked.reference is not None:
        said += (
            f" β1: {METRIC} against the reference, β2: against the reference with its words moved "
            "by the same perturbation (1 is the best)."
        )
    console.print()
    print_named(console, "", _plain(said, "dim"))


def _plain(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _print(console: Console, name: str, width: int, text: Text) -> None:
    print_named(console, f"{name:<{width}}  ", text)
