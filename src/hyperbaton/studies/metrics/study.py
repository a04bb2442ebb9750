"""Metrics: which one notices which damage is wrong with a translation?

A translation and the same translation damaged are both compared with the reference. No system is
asked: what is studied is the metric. The translations are references, damaged in every way that
the package knows, or those of a folder like DEMETR's, which come with their damage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.randomness import Rng
from hyperbaton.corpus.item import Item
from hyperbaton.language.languages import PAPER_LANGUAGES, listed
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.perturb import Perturbation, needed, parse_all
from hyperbaton.pipeline import Comparison, Corpus, Files, Pair, Parse, Probe, Run, Starter
from hyperbaton.studies.layer.experiment import CommandLine, Demo, Experiment, Score
from hyperbaton.studies.layer.probes import reference_of
from hyperbaton.studies.metrics.damaged import DAMAGED, damaged_corpora, damaged_texts
from hyperbaton.studies.metrics.kinds import ANOTHER, HUB, Damage, family_named, family_of, losses

if TYPE_CHECKING:
    from hyperbaton.report.contents import Contents

EXAMPLES = """\
  hyperbaton metrics -l en-de,en-ja --limit 40 --out runs/metrics
  hyperbaton metrics --demetr demetr -m BLEU -m chrF -m TER --out runs/demetr
  hyperbaton metrics -s news.en -r news.de -l en-de -m chrF -m 'Levenshtein(unit=char)' \\
      --with wordorder --with upper --out runs/orders
  hyperbaton check runs/demetr --min noticed=0.5"""
WITH = "wordorder; NeighbourFlip(p=0.05); NeighbourFlip(p=0.2); FullShuffle; surface; errors"
"""Orders of words, characters, case and marks, learners' errors."""
BESIDE = (ANOTHER, HUB)
"""The columns that hold other sentences of the corpus."""
_SAMPLE = 200
"""Sentences of which the one that is most like all others is chosen."""


@dataclass(frozen=True)
class Metrics(Experiment):
    """How often, and how strongly, does a metric notice each kind of damage?

    >>> print(Metrics(), Metrics(perturbations="reversed; upper"))
    metrics metrics(perturbations="reversed; upper")
    """

    name: ClassVar[str] = "metrics"
    title = "Metrics: which one notices which damage"
    question = "Which metric notices which damage to a translation?"
    asks = False
    more_is_better = ("noticed", "strength", "ranked")
    less_is_better = ("fooled",)
    demo = Demo(
        tuple(f"en-{language}" for language in PAPER_LANGUAGES[1:]),
        systems=(),
        limit=60,
    )
    command = CommandLine(
        EXAMPLES,
        files={"--demetr": "source texts; or a folder of damaged translations, as DEMETR has them"},
        languages=("LIST", "e.g. en-de, or pl,cs of a folder (default: all there are)"),
        needs_files=False,
    )
    columns: ClassVar[Mapping[str, pl.DataType]] = {
        "translation": pl.String(),
        "family": pl.String(),
        "severity": pl.Int8(),
    }
    comparisons = (
        Comparison("whole", "translation", "reference", source="source"),
        Comparison("damaged", "varied", "reference", source="source"),
    )

    perturbations: str = field(
        default=WITH,
        metadata={
            "help": "how references are damaged: a perturbation or a group (default: orders of "
            "words, characters, case, marks, learners' errors)",
            "flag": "--with",
            "metavar": "NAME",
            "repeat": True,
        },
    )
    seed: int = field(default=0, metadata={"help": "of random perturbations", "metavar": "N"})

    def __post_init__(self) -> None:
        _ = self.variants

    @cached_property
    def variants(self) -> tuple[Perturbation, ...]:
        """The perturbations of references."""
        return tuple(parse_all(part.strip() for part in self.perturbations.split(";")))

    @property
    def needs(self) -> Need:
        """What the perturbations must know of a reference."""
        return needed(self.variants)

    @property
    def parses(self) -> tuple[Literal["target"], ...]:
        """The reference, where a perturbation must know its words."""
        return () if self.needs == "text" else ("target",)

    @property
    def metrics(self) -> tuple[str, ...]:
        """All that need neither a model nor data of their own."""
        strings = ("BLEU", "chrF", "chrF++", "TER", "ROUGE-L", "Levenshtein")
        return (*strings, "Levenshtein(unit=char)", "bigramF", "ExactMatch")

    def corpora(
        self, paths: Sequence[str], languages: str | None, limit: int | None = None
    ) -> Sequence[Corpus]:
        """The languages of a folder, the texts of files, or the sentences that are shipped."""
        if len(paths) == 1 and Path(paths[0]).is_dir():
            return [Beside(c) for c in damaged_corpora(Path(paths[0]), languages, limit)]
        if paths:
            if len(paths) == 1 and Path(paths[0]).suffix == ".json":
                raise HyperbatonError(f"{paths[0]} is one file: name the folder of all kinds")
            if not languages:
                if not Path(paths[0]).exists() and ":" not in paths[0]:
                    raise HyperbatonError(f"there is no folder and no file {paths[0]}")
                raise HyperbatonError("-l is missing: name the languages, e.g. -l en-de")
            return (self.corpus(paths, Pair.parse(languages), limit),)
        pairs = [Pair.parse(pair) for pair in listed(languages) or self.demo.pairs]
        return [Beside(Starter(pair, limit)) for pair in pairs]

    def corpus(self, paths: Sequence[str], pair: Pair, limit: int | None = None) -> Corpus:
        """One pair of languages."""
        if len(paths) == 1 and Path(paths[0]).is_dir():
            return Beside(damaged_corpora(Path(paths[0]), str(pair), limit)[0])
        return Beside(Files(pair, tuple(paths), limit))

    def demo_corpus(self, pair: Pair, limit: int | None = None) -> Corpus:
        """The sentences that come with the package."""
        return Beside(Starter(pair, limit or self.demo.limit))

    def probes(self, items: Sequence[Item], pair: Pair, parse: Parse) -> Iterator[Probe]:
        """A translation and all that is wrong with it; damage that changes nothing is left out."""
        undamaged = [item for item in items if DAMAGED not in item.columns]
        texts = [reference_of(item) for item in undamaged]
        if self.needs == "text":
            whole = [
                Sentence.unparsed(t if isinstance(t, str) else t.text, pair.target) for t in texts
            ]
        else:
            whole = parse(texts, [item.id for item in undamaged], pair.target)
        sentences = dict(zip((item.id for item in undamaged), whole, strict=True))
        for item in items:
            if item.id in sentences:
                yield from self._perturbed(item, sentences[item.id], pair)
            else:
                yield from _damaged(item, pair)

    def _perturbed(self, item: Item, reference: Sentence, pair: Pair) -> Iterator[Probe]:
        text = reference.text
        for perturbation in self.variants:
            name = str(perturbation)
            varied = perturbation.vary(reference, Rng(self.seed, item.id, name))
            if varied is not None and varied.changed:
                found = _probe(item, text, text, Damage(name, varied.text, family_of(perturbation)))
                if varied.unit == "word" and varied.order is not None:
                    found = replace(found, words=reference.words, order=varied.order)
                yield found
        yield from _lost(item, text, text, pair)

    def contents(self, runs: Sequence[Run]) -> Contents:
        """The map, the strength of what is noticed, severities, fakes, and all in words."""
        from hyperbaton.studies.metrics.contents import contents

        return contents(self, runs)

    def scores(self, runs: Sequence[Run], metric: str | None = None) -> list[Score]:
        """What each metric notices of each kind of damage, in all pairs and in each."""
        from hyperbaton.studies.metrics.tables import scores

        return scores(runs, metric)


def _probe(item: Item, reference: str, translation: str, damage: Damage) -> Probe:
    columns = {
        "translation": translation,
        "family": damage.family,
        "severity": damage.severity,
    }
    return Probe(item.id, damage.variant, item.source_text, damage.text, reference, columns=columns)


def _lost(item: Item, reference: str, translation: str, pair: Pair) -> Iterator[Probe]:
    """The translation with parts of it lost, or something else in its place."""
    beside = {name: item.columns[name] for name in BESIDE if name in item.columns}
    for damage in losses(translation, pair.target, item.source_text, beside):
        yield _probe(item, reference, translation, damage)


def _damaged(item: Item, pair: Pair) -> Iterator[Probe]:
    """What a data set damaged, and the losses that show what that costs."""
    texts = damaged_texts(item)
    for text in texts:
        damage = Damage(text.variant, text.damaged, family_named(text.variant), text.severity)
        yield _probe(item, text.reference, text.translation, damage)
    yield from _lost(item, texts[0].reference, texts[0].translation, pair)


@dataclass(frozen=True)
class Beside(Corpus):
    """A corpus whose items know the next one's text, and the sentence that is most like all."""

    corpus: Corpus

    @property
    def pair(self) -> Pair:  # type: ignore[override]
        """That of the corpus."""
        return self.corpus.pair

    @property
    def identity(self) -> str:
        return self.corpus.identity

    def items(self) -> Iterator[Item]:
        """The items, each with other sentences of the corpus in further columns."""
        hub = _hub([_text(item) for item in islice(self.corpus.items(), _SAMPLE)])
        first = last = None
        for item in self.corpus.items():
            if last is not None:
                yield _with(last, _text(item), hub)
            first, last = first or item, item
        if first is not None and last is not None:
            yield _with(last, _text(first), hub)


def _text(item: Item) -> str:
    """The translation of an item: its own, or the reference."""
    if DAMAGED in item.columns:
        return damaged_texts(item)[0].translation
    if item.reference_text is None:
        raise HyperbatonError(f"item '{item.id}' has no reference, which the study needs: add -r")
    return item.reference_text


def _with(item: Item, another: str, hub: str) -> Item:
    return replace(item, columns={**item.columns, ANOTHER: another, HUB: hub})


def _hub(texts: Sequence[str]) -> str:
    """The text whose pairs of letters are most like those of all others, by Dice's coefficient.

    >>> _hub(["the cat sat", "the cat ran", "dogs bark"])
    'the cat sat'
    """
    pairs = {text: {text[at : at + 2] for at in range(len(text) - 1)} for text in texts}
    likeness = {
        text: sum(2 * len(own & other) / ((len(own) + len(other)) or 1) for other in pairs.values())
        for text, own in pairs.items()
    }
    return max(likeness, key=lambda text: likeness[text], default="")
