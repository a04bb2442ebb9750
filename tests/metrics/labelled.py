"""Samples whose outcome was labelled by readers, and how far the rule agrees with the labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from zlib import crc32

from hyperbaton.alignment.gloss import Gloss
from hyperbaton.alignment.reading import reading_back
from hyperbaton.alignment.word_order import Floats, Varied, turnings
from hyperbaton.alignment.words import cut
from hyperbaton.language.detokenise import detokenised
from hyperbaton.metrics.outcomes import OUTCOMES, Judgement, Look, Looks, SampleTexts, judge

__all__ = [
    "LANGUAGES",
    "Row",
    "agreement",
    "asked",
    "by_pair",
    "judged",
    "judgement",
    "labelled",
    "languages",
    "reading",
    "samples",
    "unused",
]

LANGUAGES = ("de", "fr", "es", "it", "ru", "ja", "zh")
Row = dict[str, str]
_FILE = Path(__file__).parent / "labelled-outcomes.tsv"


@cache
def labelled() -> tuple[Row, ...]:
    """Every labelled sample, in sets 1 to 14 by the time of labelling.

    `readers` has the first letter of each reader's label: one reader up to set 8 and in set 12,
    else three, and the label is what two of them say.
    """
    head, *lines = (line.split("\t") for line in _FILE.read_text("utf-8").splitlines())
    return tuple(dict(zip(head, line, strict=True)) for line in lines)


def languages(row: Row) -> tuple[str, str]:
    """Source and target language of a sample."""
    source, _, target = row["id"].split("/")[1].partition("-")
    return source, target


def unused(row: Row) -> bool:
    """Whether a sample is of the half of the sources that nothing was learnt from."""
    return crc32(row["id"].split("/")[0].encode()) % 2 == 1


def by_pair(rows: Sequence[Row]) -> list[list[Row]]:
    """The samples of each pair of languages."""
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault(languages(row), []).append(row)
    return list(found.values())


def samples(rows: Sequence[Row], aligned: bool = True) -> SampleTexts:
    """The texts of samples of one pair, with what alignments say of outputs or without."""

    def column(name: str) -> list[str]:
        return [row[name] for row in rows]

    return SampleTexts(
        references=column("reference"),
        outputs=column("output"),
        varied_references=column("varied_reference"),
        varied_outputs=column("varied_output"),
        projected_references=column("projected_reference"),
        projected_outputs=column("projected_output") if aligned else None,
        varied=column("varied"),
        turning=_turning(rows) if aligned else None,
    )


def _turning(rows: Sequence[Row]) -> Floats:
    """What became of the words of each source, as a study counts them."""
    pair = languages(rows[0])
    words = [_words(row) for row in rows]
    orders = [[int(number) for number in row["order"].split()] for row in rows]
    clean = [
        Gloss().align(
            [(own, cut(row[name], pair[1])) for own, row in zip(words, rows, strict=True)], *pair
        )
        for name in ("reference", "output")
    ]
    texts = [cut(row["varied_output"], pair[1]) for row in rows]
    return turnings(list(map(Varied, words, orders, zip(*clean, strict=True), texts)), pair)


def _words(row: Row) -> list[str]:
    """The words of the source; older samples have them instead of its text."""
    return row.get("words", row["source"]).split()


def reading(rows: Sequence[Row], texts: SampleTexts) -> Looks:
    """The further looks at samples of one pair."""
    pair = languages(rows[0])
    sources = [
        row["source"] if "words" in row else detokenised(_words(row), pair[0]) for row in rows
    ]
    read = reading_back(sources, texts, pair)
    assert read is not None
    return read


def judgement(rows: Sequence[Row], aligned: bool = True, read: bool = True) -> Judgement:
    """What the rule says of samples of one pair, with further looks or without."""
    texts = samples(rows, aligned)
    return judge(texts, languages(rows[0])[1], reading(rows, texts) if read else None)


def asked(rows: Sequence[Row]) -> tuple[int, int]:
    """How many samples of one pair get a second look, and how many a third."""
    texts = samples(rows)
    read = reading(rows, texts)
    counts = [0, 0]

    def counting(number: int, look: Look) -> Look:
        def noted(places: Sequence[int]) -> Sequence[Sequence[float]]:
            counts[number] += len(places)
            return look(places)

        return noted

    judge(texts, languages(rows[0])[1], Looks(*(counting(*one) for one in enumerate(read))))
    return counts[0], counts[1]


def judged(rows: Sequence[Row], aligned: bool = True, read: bool = True) -> list[tuple[str, str]]:
    """The label by readers and the label by rule of each sample, pair by pair."""
    return [
        (row["label"], label)
        for part in by_pair(rows)
        for row, label in zip(part, judgement(part, aligned, read).outcomes.tolist(), strict=True)
    ]


def agreement(pairs: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """The share of equal labels, and Cohen's kappa."""
    same = sum(hand == rule for hand, rule in pairs) / len(pairs)
    hands, rules = (Counter(column) for column in zip(*pairs, strict=True))
    chance = sum(hands[name] * rules[name] for name in OUTCOMES) / len(pairs) ** 2
    return same, (same - chance) / (1 - chance) if chance < 1 else 1.0
