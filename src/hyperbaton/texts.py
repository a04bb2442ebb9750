"""What is done to texts without a run: perturb them, translate them, score translations.

Each takes one text or many: a list, or a column of a DataFrame (polars or pandas).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.wording import counted, decimal
from hyperbaton.corpus.columns import texts_in
from hyperbaton.language.languages import checked_language, parse_pair
from hyperbaton.systems.programs.function import Given, name_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray


@overload
def perturb(  # type: ignore[overload-overlap]
    texts: str,
    perturbation: str,
    *,
    language: str = "en",
    parser: str | None = None,
    seed: int = 0,
    cached: bool = True,
) -> str | None: ...
@overload
def perturb(
    texts: Iterable[str],
    perturbation: str,
    *,
    language: str = "en",
    parser: str | None = None,
    seed: int = 0,
    cached: bool = True,
) -> list[str | None]: ...
@overload
def perturb(
    texts: str | Iterable[str],
    perturbation: list[str] | tuple[str, ...],
    *,
    language: str = "en",
    parser: str | None = None,
    seed: int = 0,
    cached: bool = True,
) -> pl.DataFrame: ...
def perturb(
    texts: str | Iterable[str],
    perturbation: str | list[str] | tuple[str, ...],
    *,
    language: str = "en",
    parser: str | None = None,
    seed: int = 0,
    cached: bool = True,
) -> str | list[str | None] | pl.DataFrame | None:
    """Perturb a text or several; None stands where a perturbation does not apply.

    A list of perturbations, in which a group such as `wordorder` stands for its members, gives a
    polars DataFrame with a row per text and perturbation.

    >>> perturb("Have you ever seen a car accident?", "upper")
    'HAVE YOU EVER SEEN A CAR ACCIDENT?'
    >>> perturb(["It rains.", "Why not?"], "dropFinalMark")
    ['It rains', 'Why not']
    """
    from hyperbaton.perturb import GROUPS, needed, parse_all, perturb_all
    from hyperbaton.pipeline.stages.probing import Parsers

    one = isinstance(perturbation, str)
    names = _names(perturbation, "perturbation", "hyperbaton ls perturbations")
    if one and names[0].partition("(")[0] in GROUPS:
        raise HyperbatonError(
            f"'{names[0]}' is a group of perturbations: give it in a list, ['{names[0]}'], to get "
            "a DataFrame with a row per perturbation"
        )
    chosen = parse_all(names)
    lines = texts_in(texts, "texts")
    parse = Parsers({"": parser} if parser else {}, cached, needed(chosen))
    kept = [(str(number), text) for number, text in enumerate(lines, 1) if text.strip()]
    ids = [number for number, _ in kept]
    sentences = parse([text for _, text in kept], ids, checked_language(language)) if kept else []
    made = {
        (draw.sentence.id, draw.perturbation): draw.variant
        for draw in perturb_all(sentences, chosen, seed=_whole(seed, "seed"))
    }
    if one:
        variants = [made.get((str(number), chosen[0])) for number in range(1, len(lines) + 1)]
        found = [None if variant is None else variant.text for variant in variants]
        return found[0] if isinstance(texts, str) else found
    import polars as pl

    rows = [
        (number, lines[int(number) - 1], str(p), v and v.text, v and v.changed)
        for (number, p), v in made.items()
    ]
    names = ["item", "source", "variant", "varied", "changed"]
    kinds = (*[pl.String] * 4, pl.Boolean)
    return pl.DataFrame(rows, schema=dict(zip(names, kinds, strict=True)), orient="row")


@overload
def translate(  # type: ignore[overload-overlap]
    texts: str,
    system: Given,
    languages: str,
    *,
    failed: str | None = None,
    retry_failed: bool = False,
    cached: bool = True,
) -> str: ...
@overload
def translate(
    texts: Iterable[str],
    system: Given,
    languages: str,
    *,
    failed: str | None = None,
    retry_failed: bool = False,
    cached: bool = True,
) -> list[str]: ...
def translate(
    texts: str | Iterable[str],
    system: Given,
    languages: str,
    *,
    failed: str | None = None,
    retry_failed: bool = False,
    cached: bool = True,
) -> str | list[str]:
    """Translate a text or several with any system, or with a function of your own.

    What was translated before comes from the store. A text that fails raises HyperbatonError, once
    all others are translated; `failed=""` puts an empty text in its place instead.

    >>> translate("I am hungry.", "copy", "en-de")
    'I am hungry.'
    >>> translate(["one", "two"], lambda texts: [text.upper() for text in texts], "en-de")
    ['ONE', 'TWO']
    """
    from hyperbaton.systems import SYSTEMS
    from hyperbaton.systems.execution import translate_all
    from hyperbaton.systems.store.store import working_store

    chosen, pair = SYSTEMS.parse(name_of(system)), parse_pair(languages)
    lines = texts_in(texts, "texts")
    with chosen.open(*pair) as translator:
        stored = cached and translator.stored
        with working_store() if stored else nullcontext() as store:
            answers = translate_all(translator, lines, store=store, retry_failed=retry_failed)
    faults = [(n, a.fault) for n, a in enumerate(answers, 1) if a.text is None]
    if faults and failed is None:
        number, reason = faults[0]
        kept = "; the others are stored" if stored else ""
        raise HyperbatonError(
            f"{chosen}: {len(faults):,} of {counted(len(lines), 'text')} failed{kept}. Text "
            f"{number:,}: {reason}. With failed='' such texts become empty instead"
        )
    found = [(failed or "") if answer.text is None else answer.text for answer in answers]
    return found[0] if isinstance(texts, str) else found


@dataclass(frozen=True)
class Scored:
    """A corpus score with its 95 % bootstrap interval, the score of each sentence, its signature.

    On the scale on which the field prints it, as `hyperbaton score` does: BLEU from 0 to 100.
    """

    metric: str
    value: float
    low: float
    high: float
    sentences: NDArray[np.float64] = field(repr=False, compare=False)
    signature: str = field(repr=False)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        value, low, high = (decimal(v, ".4g") for v in (self.value, self.low, self.high))
        return f"{self.metric} = {value} [{low}, {high}], n = {len(self.sentences):,}"


def score(
    hypotheses: str | Iterable[str],
    references: str | Iterable[str],
    metric: str = "BLEU",
    *,
    sources: str | Iterable[str] | None = None,
    language: str | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> Scored:
    """Score translations against references, as `hyperbaton score` does.

    `language` is that of the texts, which settles the tokenizer; `sources` are for metrics that
    read them.

    >>> print(score(["The cat sat there."], ["The cat sat here."], "chrF"))
    chrF = 81.76 [n/a, n/a], n = 1
    """
    from hyperbaton.metrics import METRICS
    from hyperbaton.stats import Bootstrap, estimate

    chosen = METRICS.parse(_names(metric, "metric", "hyperbaton ls metrics")[0])
    chosen = chosen.for_language(checked_language(language)) if language else chosen
    if chosen.needs_sources and sources is None:
        raise HyperbatonError(f"{chosen} reads the source texts too: give sources=[…]")
    hyps, refs = texts_in(hypotheses, "hypotheses"), texts_in(references, "references")
    if not hyps:
        raise HyperbatonError("hypotheses are empty: there is nothing to score")
    read = None if sources is None else texts_in(sources, "sources")
    rows, scale = chosen.statistics(hyps, refs, read), 100 if chosen.percent else 1
    bootstrap = Bootstrap(resamples=_whole(resamples, "resamples", 1), seed=_whole(seed, "seed"))
    found = estimate(rows, lambda sums: chosen.from_statistics(sums, "corpus") * scale, bootstrap)
    least, most = (bound * scale for bound in chosen.range)
    return Scored(
        metric=str(chosen),
        value=found.value,
        low=max(found.interval.low, least),
        high=min(found.interval.high, most),
        sentences=chosen.from_statistics(rows, "sentence") * scale,
        signature=chosen.signature("corpus"),
    )


def _names(given: str | Sequence[str], what: str, see: str) -> list[str]:
    names = [given] if isinstance(given, str) else given
    if isinstance(names, list | tuple) and names and all(isinstance(name, str) for name in names):
        return list(names)
    raise HyperbatonError(f"{what} must be a name or a list of names, not {given!r}. See: {see}")


def _whole(value: object, what: str, least: int = 0) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= least:
        return value
    raise HyperbatonError(f"{what} must be a whole number from {least} on, not {value!r}")
