"""Items to a part of probes, with the parsers that each process opens once."""

from __future__ import annotations

import logging
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item, Text
from hyperbaton.language.sentence import Need, Sentence
from hyperbaton.pipeline.design import Design, Pair
from hyperbaton.pipeline.run.layout import PROBES
from hyperbaton.pipeline.run.parts import Stamp, sound, write_part

if TYPE_CHECKING:
    from hyperbaton.parsing.parser import Parser


def ensure_probes(
    path: Path,
    configuration: str,
    design: Design,
    items: Sequence[Item],
    pair: Pair,
    parse: Parsers,
    signatures: Mapping[str, str],
    home: str,
) -> None:
    """Write the probes of some items, if they are not there; by the parsers that began the run."""
    if sound(path, configuration) is not None:
        return
    here = platform.node()
    if here != home:
        # The file of parses may lie on a disk that nodes share, and SQLite serves one machine.
        parse = replace(parse, cached=False)
    known, now = signatures.get(f"{pair} probes", ""), design.probes_signature(items[0], pair)
    if known != now:
        raise HyperbatonError(
            f"probes are made by {now or 'nothing more'} on {here}, and by {known} where the run "
            "was begun: install the same versions on every node"
        )
    for side in design.parses:
        text = items[0].source if side == "source" else items[0].reference
        language = pair.source if side == "source" else pair.target
        if text is None:
            continue
        known, now = signatures[f"{pair} {side}"], parse.signature(text, items[0], language)
        if known != now:
            raise HyperbatonError(
                f"the parser of {language} is {now} on {here}, and {known} where "
                "the run was started: install the same versions on every node"
            )
    frame = make_probes(design, items, pair, parse)
    write_part(path, frame, Stamp(configuration))


def make_probes(design: Design, items: Sequence[Item], pair: Pair, parse: Parsers) -> pl.DataFrame:
    """The probes of some items as a table."""
    rows = list(design.probes(items, pair, parse))
    columns = []
    for name, kind in PROBES.items():
        values = [getattr(probe, name) for probe in rows]
        if isinstance(kind, pl.List):
            columns.append(_lists(name, values, kind))
        else:
            columns.append(pl.Series(name, values, dtype=kind))
    for name, kind in design.columns.items():
        own = [(probe.columns or {}).get(name) for probe in rows]
        columns.append(_typed(design, name, own, kind))
    return pl.DataFrame(columns)


def _typed(design: Design, name: str, values: Sequence[object], kind: pl.DataType) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=kind)
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        raise HyperbatonError(
            f"the column {name} of {design.name} holds values that are not {kind}: {error}"
        ) from None


def _lists(name: str, values: Sequence[Sequence[object] | None], kind: pl.List) -> pl.Series:
    """A column of lists, made of one long column: row by row it takes four times as long.

    A row without a list, or with an empty one, is null.
    """
    sizes = pl.Series([len(value or ()) for value in values], dtype=pl.UInt32)
    rows = pl.int_range(len(values), dtype=pl.UInt32, eager=True)
    flat = pl.Series(name, list(chain.from_iterable(value or () for value in values)), kind.inner)
    owners = rows.repeat_by(sizes).explode().drop_nulls()
    grouped = pl.DataFrame({"row": owners, name: flat}).group_by("row", maintain_order=True).all()
    there = pl.DataFrame({"row": rows}).join(grouped, on="row", how="left", maintain_order="left")
    return there[name]


_log = logging.getLogger(__name__)
_UNPARSED = "none"
"""The parser of texts that nobody needs the words of, as `hyperbaton perturb` calls it."""


@cache
def _own(language: str, spec: str | None, cached: bool, need: Need) -> Parser:
    """The parser of this process."""
    from hyperbaton.parsing.opening import open_parser

    return open_parser(language, spec, cache=cached, need=need)


def _tell(sentence: str) -> None:
    _log.warning("hyperbaton: %s", sentence)


@dataclass(frozen=True)
class Parsers:
    """Which parser reads which language; those not named are the best that are installed."""

    named: Mapping[str, str] = field(default_factory=dict)
    """By language; '' for every language."""
    cached: bool = True
    need: Need = "parse"
    """What must be known of a text: words can be cut without a parser."""

    def __call__(self, texts: Sequence[Text], ids: Sequence[str], language: str) -> list[Sentence]:
        """The sentences of texts, of which some may be parsed already."""
        plain = {i: text for i, text in enumerate(texts) if isinstance(text, str)}
        found = dict.fromkeys(range(len(texts)), Sentence((), ()))
        if plain and self._as_it_is(language):
            found.update(
                (i, Sentence.unparsed(text, language, ids[i])) for i, text in plain.items()
            )
        elif plain:
            sentences = self._parser(language).parse(plain.values(), (ids[i] for i in plain))
            found.update(zip(plain, sentences, strict=True))
        for i, text in enumerate(texts):
            if isinstance(text, Sentence):
                found[i] = text if text.id == ids[i] else replace(text, id=ids[i])
        return list(found.values())

    def signature(self, side: Text | None, item: Item, language: str) -> str:
        """Where the trees of one side come from, told by its first item."""
        if isinstance(side, Sentence):
            given = f"{language} trees of the file|labels:{side.scheme}"
            return item.columns.get("parser", given)
        return _UNPARSED if self._as_it_is(language) else self._parser(language).signature

    def check(self, language: str) -> None:
        """Say that words are cut without a parser, where one would have been used."""
        if self.need == "words" and self._named(language) is None:
            from hyperbaton.parsing.opening import open_parser

            open_parser(language, cache=False, need=self.need, note=_tell)

    def _as_it_is(self, language: str) -> bool:
        return self.need == "text" and self._named(language) is None

    def _parser(self, language: str) -> Parser:
        return _own(language, self._named(language), self.cached, self.need)

    def _named(self, language: str) -> str | None:
        return self.named.get(language, self.named.get(""))
