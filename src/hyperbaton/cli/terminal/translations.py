"""`hyperbaton show --system`: one sentence and its variants through translators, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from hyperbaton.alignment.variant_outcomes import (
    EMPTY,
    KnownReference,
    VariantOutcome,
    variant_outcomes,
)
from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.cli.terminal.marking import (
    mark_spans,
    moved_and_missing,
    print_named,
    varied_text,
)
from hyperbaton.language.sentence import Sentence
from hyperbaton.metrics import METRICS
from hyperbaton.perturb import Perturbation, Variant, perturb
from hyperbaton.systems.execution import WATCHED, translate_all
from hyperbaton.systems.faults import EMPTY as BLANK
from hyperbaton.systems.store.store import Store, working_store
from hyperbaton.systems.system import SYSTEMS
from hyperbaton.systems.untranslated import untranslated_said

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

METRIC = "BLEU"
"""What β1 and β2 are measured with, as in the word-order study."""
_OUTCOMES = {
    "repaired": ("repaired", "green"),
    "carried": ("carried over", "yellow"),
    "lost": ("lost", "red"),
    "mixed": ("mixed", "magenta"),
    "untranslated": ("untranslated", "red"),
    "empty": ("empty", "red"),
    "unchanged": ("unchanged", "dim"),
}
_CLEAN = "unchanged"


@dataclass(frozen=True)
class Comparison:
    """Which systems translate a sentence and what perturbations make of it."""

    systems: tuple[str, ...]
    pair: tuple[str, str]
    sentence: Sentence
    perturbations: tuple[Perturbation, ...]
    seed: int = 0
    reference: Sentence | None = None
    cached: bool = True
    written: str | None = None
    """The sentence with the spaces that the user gave it."""


class _Answers(NamedTuple):
    """What a system made of the sentence and its changed variants, or why it made nothing."""

    system: str
    clean: str = ""
    texts: Sequence[str] = ()
    outcomes: Sequence[VariantOutcome] = ()
    fault: str = ""


def show_translations(console: Console, asked: Comparison) -> int:
    """Print each variant with its translations; the exit status is 1 when one is missing."""
    drawn = [perturb(asked.sentence, one, seed=asked.seed) for one in asked.perturbations]
    known = _known(asked, drawn)
    answers = _answers(asked, [v for v in drawn if v is not None and v.changed], known)
    there = [one for one in answers if not one.fault]
    names = [str(perturbation) for perturbation in asked.perturbations]
    labels = [f"  {one.system}" for one in there] + ["  reference"] * (known is not None)
    width = max(len(name) for name in (_CLEAN, *names, *labels))

    def show(name: str, text: Text) -> None:
        print_named(console, f"{name:<{width}}  ", text)

    for one in answers:
        if one.fault:
            print_named(console, f"{printable(one.system)}: ", _plain(printable(one.fault)))
    show(_CLEAN, _plain(asked.sentence.text, "bold"))
    if known is not None:
        show("  reference", _plain(known.sentence.text))
    for one in there:
        show(f"  {one.system}", _plain(one.clean))
    number = 0
    for perturbation, variant in zip(asked.perturbations, drawn, strict=True):
        console.print()
        show(str(perturbation), varied_text(console, asked.sentence, perturbation, variant))
        if variant is not None and variant.changed:
            for one in there:
                text = _answered(one, number, known, asked.pair[1], color=not console.no_color)
                show(f"  {one.system}", text)
            number += 1
    console.print()
    print_named(console, "", _plain(_legend(console, known), "dim"))
    empty = any(outcome.outcome == EMPTY for one in there for outcome in one.outcomes)
    return 1 if empty or len(there) < len(answers) else 0


def _known(asked: Comparison, drawn: Sequence[Variant | None]) -> KnownReference | None:
    """The translation by hand, and what the perturbations that changed the sentence make of it."""
    if asked.reference is None:
        return None
    theirs = [
        perturb(asked.reference, one, seed=asked.seed)
        for one, variant in zip(asked.perturbations, drawn, strict=True)
        if variant is not None and variant.changed
    ]
    return KnownReference(
        asked.reference, tuple(None if one is None else one.text for one in theirs)
    )


def _answers(
    asked: Comparison, variants: Sequence[Variant], known: KnownReference | None
) -> list[_Answers]:
    """What each system says; an error only where none says anything."""
    with working_store(None) if asked.cached else nullcontext() as store:
        answers = [_asked(system, asked, variants, known, store) for system in asked.systems]
    if len(answers) == 1 and answers[0].fault:
        system, fault = answers[0].system, answers[0].fault
        raise HyperbatonError(fault if system in fault else f"'{printable(system)}': {fault}")
    return answers


def _asked(
    system: str,
    asked: Comparison,
    variants: Sequence[Variant],
    known: KnownReference | None,
    store: Store | None,
) -> _Answers:
    """Translate the sentence and its variants; a system that cannot says why in one sentence."""
    texts = [asked.written or asked.sentence.text, *(variant.text for variant in variants)]
    try:
        with SYSTEMS.parse(system).open(*asked.pair) as translator:
            found = translate_all(translator, texts, store=store, longest_wait=WATCHED)
    except HyperbatonError as error:
        return _Answers(system, fault=str(error))
    # A variant may come back empty, which is its outcome; the sentence itself may not.
    failed = [a for a in found if a.text is None and (a.fault != BLANK or a is found[0])]
    if failed:
        return _Answers(system, fault=failed[0].fault or "no translation")
    clean, *varied = [answer.text or "" for answer in found]
    outcomes = variant_outcomes(asked.pair, asked.sentence, variants, clean, varied, known)
    return _Answers(system, clean, varied, outcomes)


def _answered(
    answers: _Answers, number: int, known: KnownReference | None, language: str, color: bool
) -> Text:
    """A translation with what stands elsewhere marked, what became of it, and what is missing."""
    answer, outcome = answers.texts[number], answers.outcomes[number]
    moved, missing = moved_and_missing(answers.clean, answer, language)
    text = mark_spans(answer, moved, color)
    words, style = _OUTCOMES[outcome.outcome]
    reason = f" ({untranslated_said(outcome.untranslated)})" if outcome.untranslated else ""
    text.append("  ")
    text.append(f"→ {words}{reason}", style=style)
    if outcome.outcome == EMPTY:
        return text
    if known is not None:
        metric = METRICS.parse(METRIC).for_language(language)
        for name, right in (("β1", known.sentence.text), ("β2", known.varied[number])):
            if right is not None:
                score = float(metric.sentence_scores([answer], [right])[0])
                text.append(f"  {name} {score:.2f}", style="dim")
    if missing:
        text.append(f"  missing: {', '.join(missing)}", style="dim")
    return text


def _legend(console: Console, known: KnownReference | None) -> str:
    """What the marks mean."""
    mark = "[Brackets]" if console.no_color else "Yellow"
    meaning = f"{mark}: moved; in a translation, compared with that of the unchanged sentence."
    if known is not None:
        meaning += (
            f" β1: {METRIC} against the reference, β2: against the reference with its words moved "
            "by the same perturbation (1 is the best)."
        )
    return meaning


def _plain(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(text, style=style)
