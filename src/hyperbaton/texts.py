"""What is done to texts without a run: perturb them, translate them, score translations.

Each takes one text or many: a list, or a column of a DataFrame (polars or pandas).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.given import name_in, plain, several, told, whole_number, yes_or_no
from hyperbaton.base.spec import Spec, split
from hyperbaton.base.wording import counted, decimal
from hyperbaton.corpus.columns import texts_in
from hyperbaton.language.languages import checked_language, parse_pair
from hyperbaton.systems.programs.function import Given, name_of

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from hyperbaton.metrics import Metric
    from hyperbaton.parsing.parser import ParserSpec
    from hyperbaton.perturb import Perturbation
    from hyperbaton.stats import Bootstrap

    Columns = tuple[list[str], list[str], list[str] | None]


@overload
def perturb(  # type: ignore[overload-overlap]
    texts: str,
    perturbation: str | Perturbation,
    *,
    language: str = "en",
    parser: str | ParserSpec | None = None,
    seed: int = 0,
    cached: bool = True,
) -> str | None: ...
@overload
def perturb(  # type: ignore[overload-overlap]
    texts: Iterable[str],
    perturbation: str | Perturbation,
    *,
    language: str = "en",
    parser: str | ParserSpec | None = None,
    seed: int = 0,
    cached: bool = True,
) -> list[str | None]: ...
@overload
def perturb(
    texts: str | Iterable[str],
    perturbation: Sequence[str | Perturbation],
    *,
    language: str = "en",
    parser: str | ParserSpec | None = None,
    seed: int = 0,
    cached: bool = True,
) -> pl.DataFrame: ...
def perturb(
    texts: str | Iterable[str],
    perturbation: str | Perturbation | Sequence[str | Perturbation],
    *,
    language: str = "en",
    parser: str | ParserSpec | None = None,
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
    from hyperbaton.perturb import GROUPS, Perturbation, needed, parse_all, perturb_all
    from hyperbaton.pipeline.stages.probing import Parsers

    given = several(perturbation, "perturbation")
    one = isinstance(plain(perturbation), str | Spec)
    if one and split(str(given[0])).name in GROUPS:
        raise HyperbatonError(
            f"'{given[0]}' is a group of perturbations: give it in a list, ['{given[0]}'], to get "
            "a DataFrame with a row per perturbation"
        )
    chosen = parse_all(p if isinstance(p, Perturbation) else str(p) for p in given)
    if not chosen:
        raise HyperbatonError("perturbation is an empty list. See: hyperbaton ls perturbations")
    lines = texts_in(texts, "texts")
    parsers = {} if parser is None else {"": name_in(parser, "parser")}
    parse = Parsers(parsers, yes_or_no(cached, "cached"), needed(chosen))
    kept = [(str(number), text) for number, text in enumerate(lines, 1) if text.strip()]
    ids = [number for number, _ in kept]
    sentences = parse([text for _, text in kept], ids, checked_language(language)) if kept else []
    made = {
        (draw.sentence.id, draw.perturbation): draw.variant
        for draw in perturb_all(sentences, chosen, seed=whole_number(seed, "seed"))
    }
    if one:
        variants = [made.get((str(number), chosen[0])) for number in range(1, len(lines) + 1)]
        found = [None if variant is None else variant.text for variant in variants]
        return found[0] if isinstance(texts, str) else found
    import polars as pl

    rows = [
        (number, text, str(p), v and v.text, v and v.changed)
        for number, text in zip(map(str, range(1, len(lines) + 1)), lines, strict=True)
        for p in chosen
        for v in (made.get((number, p)),)
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
    if not isinstance(failed, str | None):
        raise HyperbatonError(f"failed must be a text, such as '', or None, not {told(failed)}")
    cached, retry_failed = yes_or_no(cached, "cached"), yes_or_no(retry_failed, "retry_failed")
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


@overload
def score(  # type: ignore[overload-overlap]
    hypotheses: str | Iterable[str],
    references: str | Iterable[str],
    metric: str | Metric = "BLEU",
    *,
    sources: str | Iterable[str] | None = None,
    language: str | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> Scored: ...
@overload
def score(
    hypotheses: str | Iterable[str],
    references: str | Iterable[str],
    metric: Sequence[str | Metric],
    *,
    sources: str | Iterable[str] | None = None,
    language: str | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> list[Scored]: ...
def score(
    hypotheses: str | Iterable[str],
    references: str | Iterable[str],
    metric: str | Metric | Sequence[str | Metric] = "BLEU",
    *,
    sources: str | Iterable[str] | None = None,
    language: str | None = None,
    resamples: int = 1000,
    seed: int = 12345,
) -> Scored | list[Scored]:
    """Score translations against references, as `hyperbaton score` does; a list of metrics gives a
    list of scores.

    `language` is that of the texts, which settles the tokenizer; `sources` are for metrics that
    read them.

    >>> print(score(["The cat sat there."], ["The cat sat here."], "chrF"))
    chrF = 81.76 [n/a, n/a], n = 1
    """
    from hyperbaton.metrics import METRICS, Metric
    from hyperbaton.stats import Bootstrap

    given = several(metric, "metric")
    chosen = [m if isinstance(m, Metric) else METRICS.parse(str(m)) for m in given]
    if not chosen:
        raise HyperbatonError("metric is an empty list. See: hyperbaton ls metrics")
    if language is not None:
        chosen = [one.for_language(checked_language(language)) for one in chosen]
    for one in chosen:
        if one.needs_sources and sources is None:
            raise HyperbatonError(f"{one} reads the source texts too: give sources=[…]")
    columns = (
        texts_in(hypotheses, "hypotheses"),
        texts_in(references, "references"),
        None if sources is None else texts_in(sources, "sources"),
    )
    if not columns[0]:
        raise HyperbatonError("hypotheses are empty: there is nothing to score")
    draws = whole_number(resamples, "resamples", 1, 1_000_000)
    bootstrap = Bootstrap(resamples=draws, seed=whole_number(seed, "seed"))
    found = [_scored(one, columns, bootstrap) for one in chosen]
    return found[0] if isinstance(plain(metric), str | Spec) else found


def _scored(metric: Metric, columns: Columns, bootstrap: Bootstrap) -> Scored:
    from hyperbaton.stats import estimate

    rows, scale = metric.statistics(*columns), 100 if metric.percent else 1
    found = estimate(rows, lambda sums: metric.from_statistics(sums, "corpus") * scale, bootstrap)
    least, most = (bound * scale for bound in metric.range)
    return Scored(
        metric=str(metric),
        value=found.value,
        low=max(found.interval.low, least),
        high=min(found.interval.high, most),
        sentences=metric.from_statistics(rows, "sentence") * scale,
        signature=metric.signature("corpus"),
    )
