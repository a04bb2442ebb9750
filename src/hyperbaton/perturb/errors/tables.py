"""Which small words of a language are confused, and which endings; from its grammar, not learnt.

A group holds words that a learner takes for one another. `articles` may also be left out or added.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Table(NamedTuple):
    """What is confused in one language."""

    articles: tuple[str, ...] = ()
    """Groups of articles, words with spaces between them."""
    prepositions: tuple[str, ...] = ()
    nouns: tuple[tuple[str, str], ...] = ()
    """Endings of nouns that are taken for one another, the longer ones first."""
    verbs: tuple[tuple[str, str], ...] = ()
    adjectives: tuple[tuple[str, str], ...] = ()
    sounds: tuple[tuple[str, str], ...] = ()
    """Letters that sound alike."""


TABLES: Mapping[str, Table] = {
    "en": Table(
        articles=("a an the", "this these", "that those", "much many", "some any"),
        prepositions=("in on at", "to at for", "for since", "of from", "by with", "about of"),
        sounds=(
            ("ie", "ei"),
            ("ei", "ie"),
            ("ou", "u"),
            ("ph", "f"),
            ("ck", "k"),
            ("ll", "l"),
            ("ss", "s"),
            ("tt", "t"),
            ("ea", "ee"),
            ("wh", "w"),
            ("gh", ""),
            ("au", "o"),
            ("ai", "ay"),
            ("c", "s"),
        ),
    ),
    "de": Table(
        articles=("der die das", "den dem", "ein eine", "einen einem", "mein meine", "kein keine"),
        prepositions=("in auf an", "zu nach", "mit bei", "von aus", "für um", "seit vor"),
        nouns=(("en", "e"), ("er", "e"), ("n", ""), ("e", "en"), ("s", "")),
        verbs=(("st", "t"), ("en", "t"), ("te", "t"), ("t", "en"), ("e", "t")),
        adjectives=(("en", "e"), ("er", "e"), ("es", "e"), ("em", "en"), ("e", "en")),
        sounds=(
            ("ß", "s"),
            ("ss", "s"),
            ("ie", "i"),
            ("ei", "ie"),
            ("ä", "e"),
            ("tz", "z"),
            ("ck", "k"),
            ("v", "f"),
            ("eu", "oi"),
            ("h", ""),
        ),
    ),
    "fr": Table(
        articles=("le la", "un une", "du de", "ce cette", "mon ma", "au à"),
        prepositions=("à en dans", "de par", "pour de", "sur dans", "depuis pendant"),
        nouns=(("aux", "als"), ("s", ""), ("e", "es"), ("", "s")),
        verbs=(("ez", "er"), ("er", "é"), ("é", "er"), ("ent", "e"), ("ons", "ont"), ("e", "es")),
        adjectives=(("es", "e"), ("e", ""), ("s", ""), ("", "e")),
        sounds=(
            ("é", "er"),
            ("eau", "o"),
            ("au", "o"),
            ("ç", "s"),
            ("ss", "s"),
            ("è", "é"),
            ("ai", "é"),
            ("ph", "f"),
            ("qu", "k"),
        ),
    ),
    "es": Table(
        articles=("el la", "los las", "un una", "este esta", "ese esa"),
        prepositions=("en a", "por para", "de desde", "con de"),
        nouns=(("ones", "ons"), ("es", "s"), ("s", ""), ("", "s")),
        verbs=(("an", "a"), ("en", "e"), ("o", "a"), ("amos", "emos"), ("a", "an"), ("e", "en")),
        adjectives=(("os", "o"), ("as", "a"), ("o", "a"), ("a", "o")),
        sounds=(
            ("b", "v"),
            ("v", "b"),
            ("h", ""),
            ("ll", "y"),
            ("z", "s"),
            ("c", "s"),
            ("ó", "o"),
            ("á", "a"),
            ("í", "i"),
            ("g", "j"),
        ),
    ),
    "it": Table(
        articles=("il lo", "la le", "i gli", "un uno", "questo questa"),
        prepositions=("a in", "di da", "per a", "con di", "su in"),
        nouns=(("i", "o"), ("e", "a"), ("o", "i"), ("a", "e")),
        verbs=(("ono", "e"), ("ano", "a"), ("a", "ano"), ("e", "ono"), ("o", "a")),
        adjectives=(("i", "o"), ("e", "a"), ("o", "a"), ("a", "o")),
        sounds=(
            ("tt", "t"),
            ("ll", "l"),
            ("cc", "c"),
            ("zz", "z"),
            ("ss", "s"),
            ("nn", "n"),
            ("qu", "cu"),
            ("h", ""),
            ("gl", "l"),
            ("è", "e"),
            ("à", "a"),
        ),
    ),
    "ru": Table(
        prepositions=("в на", "с из", "к в", "о про", "за для", "от с"),
        nouns=(
            ("ами", "ы"),
            ("ов", "ы"),
            ("ой", "а"),
            ("у", "а"),
            ("ы", "а"),
            ("а", "у"),
            ("и", "ь"),
        ),
        verbs=(
            ("ться", "тся"),
            ("тся", "ться"),
            ("ет", "ут"),
            ("ит", "ят"),
            ("ла", "л"),
            ("ли", "л"),
        ),
        adjectives=(("ого", "ый"), ("ая", "ое"), ("ый", "ая"), ("ые", "ый"), ("ой", "ая")),
        sounds=(
            ("о", "а"),
            ("е", "и"),
            ("я", "е"),
            ("нн", "н"),
            ("ь", ""),
            ("тс", "ц"),
            ("сс", "с"),
            ("г", "в"),
        ),
    ),
    "ja": Table(prepositions=("は が", "に で へ", "を が", "と に", "から まで", "も は")),
    "zh": Table(prepositions=("在 从", "对 给", "把 被", "跟 对", "的 得 地", "了 过")),
}
