"""Every slip that a learner could make in a sentence, by kind: of grammar, finger and ear."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb.errors.forms import agreeing, base_form, gerund, number, overregular, past
from hyperbaton.perturb.errors.tables import TABLES, Table


class Slip(NamedTuple):
    """What a learner writes in place of the words [start, end) of a sentence."""

    start: int
    end: int
    words: tuple[str, ...]
    type: str
    """The ERRANT type of its correction: `M:DET` where the learner left an article out."""


_SHORTEST = 4
"""Shorter words are not misspelt."""
_SUBJECTS = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "sb", "expl"})
_HELPERS = frozenset({"aux", "aux:pass", "auxpass", "oc", "cop"})
_PARTICLES = frozenset({"prt", "compound:prt", "svp"})
_FINITE = frozenset({"ROOT", "root", "ccomp", "relcl", "acl:relcl"})
"""What a verb that has neither subject nor helper may be and still be finite."""
_MARKS = {",": "", ";": ",", ":": ",", "、": "", "，": ""}
"""What a learner writes in place of a mark, or nothing."""
_COMMAS = {"ja": "、", "zh": "，"}


def slips(sentence: Sentence, kind: str) -> list[Slip]:
    """The slips of one kind that the sentence has room for, from left to right.

    >>> words = Sentence.from_words("She waited for a bus .".split(), "en")
    >>> [" ".join(slip.words) or slip.type for slip in slips(words, "article")]
    ['the', 'M:DET']
    """
    return list(KINDS[kind](sentence, TABLES.get(base(sentence.language), Table())))


def _alternatives(word: str, groups: Sequence[str]) -> Iterator[str]:
    """What stands in one group with a word, capital where it is."""
    small = word.lower()
    for group in groups:
        members = group.split()
        if small in members:
            for other in members:
                if other != small:
                    yield other.capitalize() if word[0].isupper() else other


def _tags(sentence: Sentence, *tags: str) -> Iterator[int]:
    """The words of these parts of speech, without the last token."""
    return iter(sorted(i for tag in tags for i in sentence.movable.get(tag, ())))


def _replaced(at: int, word: str, kind: str) -> Slip:
    return Slip(at, at + 1, (word,), kind)


def _articles(sentence: Sentence, table: Table) -> Iterator[Slip]:
    for i, word in enumerate(sentence.words):
        kind = _determiner(sentence, i)
        others = list(_alternatives(word, table.articles)) if kind else []
        after = sentence.words[i + 1] if i + 1 < len(sentence.words) else ""
        yield from (_replaced(i, other, f"R:{kind}") for other in others if _fits(other, after))
        if others and i:
            yield Slip(i, i + 1, (), f"M:{kind}")
    if table.articles:
        # An article before a bare noun is one too many.
        article = table.articles[0].split()[-1]
        for i in _tags(sentence, "NOUN"):
            if i and _takes_article(sentence, i - 1, table):
                yield Slip(i, i, (article,), "U:DET")


def _determiner(sentence: Sentence, at: int) -> str:
    """What ERRANT calls it; nothing for what is none, as English that after a verb."""
    if sentence.upos is None or base(sentence.language) != "en":
        return "DET"
    return {"DET": "DET", "PRON": "DET", "ADJ": "ADJ"}.get(sentence.upos[at], "")


def _takes_article(sentence: Sentence, before: int, table: Table) -> bool:
    """Whether an article could follow; not where the preposition holds one, as German im does."""
    tag = sentence.upos[before] if sentence.upos else ""
    known = {word for group in table.prepositions for word in group.split()}
    return tag in ("VERB", "AUX") or (tag == "ADP" and sentence.words[before].lower() in known)


def _fits(article: str, after: str) -> bool:
    """Whether a or an goes with the sound of what follows, as far as its letter tells."""
    vowel = after[:1].lower() in tuple("aeiou")
    return {"a": not vowel, "an": vowel}.get(article.lower(), True)


def _prepositions(sentence: Sentence, table: Table) -> Iterator[Slip]:
    for i, word in enumerate(sentence.words):
        others = list(_alternatives(word, table.prepositions))
        tag = sentence.upos[i] if sentence.upos else "ADP"
        if not others or tag not in ("ADP", "SCONJ", "PART", "X", "_"):
            continue
        if tag == "PART" and base(sentence.language) == "en":
            # The to of an infinitive is left out, a part of the verb's form, and never another.
            if i:
                yield Slip(i, i + 1, (), "M:VERB:FORM")
            continue
        particle = sentence.deps is not None and sentence.deps[i] in _PARTICLES
        kind = "PART" if particle or tag == "PART" else "PREP"
        yield from (_replaced(i, other, f"R:{kind}") for other in others)
        if i:
            yield Slip(i, i + 1, (), f"M:{kind}")


def _endings(word: str, endings: Sequence[tuple[str, str]]) -> str | None:
    """The word with another ending, None where it has none of these."""
    for right, wrong in endings:
        if word.endswith(right) and len(word) > len(right) + 2:
            return word.removesuffix(right) + wrong if right else word + wrong
    return None


def _numbers(sentence: Sentence, table: Table) -> Iterator[Slip]:
    english = base(sentence.language) == "en"
    for i in _tags(sentence, "NOUN"):
        word = sentence.words[i]
        if english and not (word.isalpha() and word.islower()):
            continue  # a name, or letters that have no number
        other = number(word) if english else _endings(word, table.nouns)
        if other and other != word:
            # Another word to ERRANT, since each is its own lemma.
            kind = "R:NOUN" if {word, other} == {"person", "people"} else "R:NOUN:NUM"
            yield _replaced(i, other, kind)


def _has(sentence: Sentence, verb: int, labels: frozenset[str]) -> bool:
    if sentence.heads is None or sentence.deps is None:
        return False
    pairs = enumerate(zip(sentence.heads, sentence.deps, strict=True))
    return any(head == verb and dep in labels for i, (head, dep) in pairs if i != verb)


def _is_finite(sentence: Sentence, verb: int) -> bool:
    """Whether a past form is a past tense rather than a participle, as far as the tree tells."""
    if sentence.heads is None or sentence.deps is None:
        return True
    for _ in sentence.words:
        if _has(sentence, verb, _HELPERS):
            return False
        if _has(sentence, verb, _SUBJECTS):
            return True
        if sentence.deps[verb] != "conj":
            break
        verb = sentence.heads[verb]  # "came and saw": as the first of them
    return sentence.deps[verb] in _FINITE


def _agreement(sentence: Sentence, table: Table) -> Iterator[Slip]:
    english = base(sentence.language) == "en"
    for i in _tags(sentence, "VERB", "AUX"):
        word = sentence.words[i]
        finite = word.lower() in ("is", "are", "was", "were", "has", "does") or (
            _has(sentence, i, _SUBJECTS) and not _has(sentence, i, _HELPERS)
        )
        if not finite:
            continue
        other = agreeing(word) if english else _endings(word, table.verbs)
        if other and other != word:
            yield _replaced(i, other, "R:VERB:SVA")
    for i in _tags(sentence, "ADJ"):
        other = _endings(sentence.words[i], table.adjectives)
        if other:
            yield _replaced(i, other, "R:ADJ:FORM" if english else "R:ADJ")


def _verb_forms(sentence: Sentence, table: Table) -> Iterator[Slip]:
    if base(sentence.language) != "en":
        for i in _tags(sentence, "VERB"):
            other = _endings(sentence.words[i], table.verbs)
            if other and _has(sentence, i, _HELPERS):
                yield _replaced(i, other, "R:VERB:FORM")
        return
    for i in _tags(sentence, "VERB"):
        word = sentence.words[i]
        stem = base_form(word)
        if stem is None:
            if i and sentence.words[i - 1].lower() == "to":
                yield _replaced(i, gerund(word), "R:VERB:FORM")
                yield Slip(i - 1, i, (), "M:VERB:FORM")
            continue
        tense = not word.endswith("ing") and _is_finite(sentence, i)
        yield _replaced(i, stem, "R:VERB:TENSE" if tense else "R:VERB:FORM")
        for other in (overregular(word), past(stem) if word.endswith("n") else None):
            if other and other != word:
                kind = "R:VERB:INFL" if other == overregular(word) else "R:VERB:FORM"
                yield _replaced(i, other, kind)


def _words_to_misspell(sentence: Sentence) -> Iterator[tuple[int, str]]:
    for i, word in enumerate(sentence.words):
        name = sentence.upos is not None and sentence.upos[i] == "PROPN"
        if len(word) >= _SHORTEST and word.isalpha() and not name:
            yield i, word


def _by_keyboard(sentence: Sentence, table: Table) -> Iterator[Slip]:
    for i, word in _words_to_misspell(sentence):
        for other in by_keyboard(word, sentence.language):
            yield _replaced(i, other, "R:SPELL")


def _by_sound(sentence: Sentence, table: Table) -> Iterator[Slip]:
    for i, word in _words_to_misspell(sentence):
        for other in by_sound(word, table.sounds):
            yield _replaced(i, other, "R:SPELL")


_ROWS = {
    "en": ("qwertyuiop", "asdfghjkl", "zxcvbnm"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm"),
    "fr": ("azertyuiop", "qsdfghjklm", "wxcvbn"),
    "es": ("qwertyuiop", "asdfghjklñ", "zxcvbnm"),
    "it": ("qwertyuiopè", "asdfghjklòà", "zxcvbnm"),
    "ru": ("йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"),
}


def _beside(letter: str, language: str) -> str:
    """The keys to the left and right of a letter, and above and below it."""
    rows = _ROWS.get(base(language), _ROWS["en"])
    for place, row in enumerate(rows):
        at = row.find(letter)
        if at >= 0:
            near = row[max(0, at - 1) : at] + row[at + 1 : at + 2]
            for other in rows[max(0, place - 1) : place] + rows[place + 1 : place + 2]:
                near += other[at : at + 1]
            return near
    return ""


def by_keyboard(word: str, language: str) -> Iterator[str]:
    """The word with one wrong, missing, doubled or exchanged letter; its first letter stays.

    >>> list(by_keyboard("cat", "en"))[:4]
    ['cst', 'cqt', 'czt', 'ct']
    """
    for i in range(1, len(word)):
        letter = word[i]
        if not letter.isalpha() or letter.isupper():
            continue
        for key in _beside(letter, language):
            yield word[:i] + key + word[i + 1 :]
        yield word[:i] + word[i + 1 :]
        yield word[:i] + letter + word[i:]
        if i + 1 < len(word) and word[i + 1].isalpha() and word[i + 1] != letter:
            yield word[:i] + word[i + 1] + letter + word[i + 2 :]


def by_sound(word: str, sounds: tuple[tuple[str, str], ...]) -> Iterator[str]:
    """The word with letters in place of others that sound alike; its first letter stays.

    >>> list(by_sound("believe", (("ie", "ei"), ("v", "f"))))
    ['beleive', 'beliefe']
    """
    for right, wrong in sounds:
        at = word.find(right, 1)
        if at > 0:
            yield word[:at] + wrong + word[at + len(right) :]


def _word_order(sentence: Sentence, table: Table) -> Iterator[Slip]:
    """Two neighbours change places; capitals stay at the front."""
    words = sentence.words
    for i in range(1, len(words) - 2):
        left, right = words[i], words[i + 1]
        if left.isalpha() and right.isalpha() and left != right:
            yield Slip(i, i + 2, (right, left), "R:WO")


def _punctuation(sentence: Sentence, table: Table) -> Iterator[Slip]:
    for i, word in enumerate(sentence.words):
        if i and word in _MARKS:
            other = _MARKS[word]
            yield Slip(i, i + 1, (other,) if other else (), "R:PUNCT" if other else "M:PUNCT")
        if i and i == len(sentence.words) - 1 and word in (".", "?", "!", "。", "？"):
            yield Slip(i, i + 1, (), "M:PUNCT")
    for i in _tags(sentence, "SCONJ", "CCONJ"):
        if i and sentence.words[i - 1].isalpha():
            yield Slip(i, i, (_COMMAS.get(base(sentence.language), ","),), "U:PUNCT")


KINDS: Mapping[str, Callable[[Sentence, Table], Iterator[Slip]]] = {
    "article": _articles,
    "preposition": _prepositions,
    "number": _numbers,
    "agreement": _agreement,
    "verbForm": _verb_forms,
    "keyboard": _by_keyboard,
    "sound": _by_sound,
    "wordOrder": _word_order,
    "punctuation": _punctuation,
}
"""What a learner may get wrong, by a short name."""
