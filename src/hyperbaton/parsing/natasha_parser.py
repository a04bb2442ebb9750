"""natasha for Russian: razdel cuts, slovnet tags and parses; heads are decoded into real trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from hyperbaton.base.batches import batched
from hyperbaton.base.errors import HyperbatonError, installed_version, need
from hyperbaton.language.dependency_trees import cycle
from hyperbaton.language.languages import base
from hyperbaton.language.sentence import Sentence
from hyperbaton.parsing.assemble import Analysis, assemble
from hyperbaton.parsing.parser import Parser, ParserSpec, normalise, numbered, signature

if TYPE_CHECKING:
    from natasha import NewsMorphTagger, NewsSyntaxParser

BATCH = 512
"""Texts that are sorted by length together, so that little of a batch is padding."""
PADDED = 64
"""Sentences that go through the network at once."""


@dataclass(frozen=True)
class Natasha(ParserSpec):
    """The Russian parser that PyPI carries."""

    name: ClassVar[str] = "natasha"

    def open(self, language: str) -> NatashaParser:
        if base(language) != "ru":
            raise HyperbatonError(
                f"natasha parses Russian, not '{language}': see hyperbaton parsers -l {language}"
            )
        return NatashaParser(language)


@dataclass(frozen=True)
class _Piece:
    """One sentence of a text: offsets of its words in the text."""

    words: list[str]
    offsets: list[tuple[int, int]]


@dataclass(frozen=True)
class _Tree:
    upos: list[str]
    heads: list[int]
    deps: list[str]


class NatashaParser(Parser):
    """natasha's news models, whose labels are those of Universal Dependencies."""

    def __init__(self, language: str) -> None:
        if not installed_version("natasha"):
            need("natasha", "ru", "natasha")
        self.language = language
        self.signature = signature(
            "natasha",
            version=installed_version("natasha"),
            slovnet=installed_version("slovnet"),
            navec=installed_version("navec"),
            razdel=installed_version("razdel"),
            labels="ud",
        )

    @cached_property
    def _models(self) -> tuple[NewsMorphTagger, NewsSyntaxParser]:
        from natasha import NewsEmbedding, NewsMorphTagger, NewsSyntaxParser

        embedding = NewsEmbedding()
        models = NewsMorphTagger(embedding), NewsSyntaxParser(embedding)
        for model in models:
            model.batch_size = model.infer.encoder.batch_size = PADDED
        return models

    def parse(self, texts: Iterable[str], ids: Iterable[str] | None = None) -> Iterator[Sentence]:
        names = numbered(ids)
        for batch in batched(map(normalise, texts), BATCH):
            cut = [_cut(text) for text in batch]
            with _one_thread():
                trees = iter(self._trees([piece.words for pieces in cut for piece in pieces]))
            for text, pieces in zip(batch, cut, strict=True):
                analysis = _join(pieces, [next(trees) for _ in pieces])
                yield assemble(text, analysis, self.language, "ud", next(names))

    def _trees(self, sentences: Sequence[list[str]]) -> list[_Tree]:
        order = sorted(range(len(sentences)), key=lambda i: len(sentences[i]))
        arranged = [sentences[i] for i in order]
        morph, _ = self._models
        tags = ([token.pos for token in markup.tokens] for markup in morph.map(arranged))
        trees: list[_Tree | None] = [None] * len(sentences)
        for i, upos, (heads, deps) in zip(order, tags, self._arcs(arranged), strict=True):
            trees[i] = _Tree(upos, heads, deps)
        return [tree for tree in trees if tree is not None]

    def _arcs(self, sentences: Sequence[list[str]]) -> Iterator[tuple[list[int], list[str]]]:
        """Heads (-1 = root) and labels. slovnet itself takes every word's best head by itself,
        which gives no tree in about one sentence of eleven; here the best tree is sought, and the
        labels are those of its arcs."""
        _, syntax = self._models
        infer = syntax.infer
        model, relations = infer.model, infer.decoder.rels_vocab
        for batch in infer.encoder(sentences):
            hidden = model.encoder(model.emb(batch.word_id, batch.shape_id), batch.pad_mask)
            scores = model.head(hidden)
            sizes = (~batch.pad_mask).sum(-1).tolist()
            heads = [best_tree(scores[i, :n, : n + 1]) for i, n in enumerate(sizes)]
            targets = scores.argmax(-1) * 0
            for i, row in enumerate(heads):
                targets[i, : len(row)] = [head + 1 for head in row]
            codes = model.rel(hidden, targets).argmax(-1)
            for i, row in enumerate(heads):
                labels = [relations.decode(code) for code in codes[i, : len(row)]]
                yield row, labels


def _one_thread() -> AbstractContextManager[object]:
    """Keep NumPy to one thread: on products as small as these, more threads halve the speed."""
    try:
        from threadpoolctl import threadpool_limits
    except ModuleNotFoundError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1)
    return limits


def _cut(text: str) -> list[_Piece]:
    from razdel import sentenize, tokenize

    pieces = []
    for sentence in sentenize(text):
        tokens = list(tokenize(sentence.text))
        if tokens:
            begin = sentence.start
            offsets = [(begin + token.start, begin + token.stop) for token in tokens]
            pieces.append(_Piece([token.text for token in tokens], offsets))
    return pieces


def _join(pieces: Sequence[_Piece], trees: Sequence[_Tree]) -> Analysis:
    """The sentences of one text behind one another."""
    offsets: list[tuple[int, int]] = []
    upos: list[str] = []
    heads: list[int] = []
    deps: list[str] = []
    starts: list[int] = []
    for piece, tree in zip(pieces, trees, strict=True):
        start = len(offsets)
        starts.append(start)
        for word, (head, dep) in enumerate(zip(tree.heads, tree.deps, strict=True)):
            heads.append(start + (word if head < 0 else head))
            deps.append("root" if head < 0 else dep)
        offsets += piece.offsets
        upos += tree.upos
    return Analysis(offsets, upos, heads, deps, starts)


Scores = NDArray[np.floating]


def is_tree(heads: Sequence[int]) -> bool:
    """Whether heads (-1 for the root) form one tree with one root.

    >>> is_tree([1, -1, 1]), is_tree([1, 0, -1]), is_tree([-1, -1])
    (True, False, False)
    """
    if heads.count(-1) != 1 or any(head == word for word, head in enumerate(heads)):
        return False
    return not cycle([word if head == -1 else head for word, head in enumerate(heads)])


def best_tree(scores: Scores) -> list[int]:
    """The heads (-1 for the root) of the tree with the highest sum of scores.

    `scores[word, 0]` is the score of the word as root, `scores[word, 1 + head]` that of a head.

    >>> import numpy as np
    >>> best_tree(np.array([[1.0, 0.0, 9.0], [2.0, 8.0, 0.0]]))
    [1, -1]
    """
    size = len(scores)
    table = np.full((size + 1, size + 1), -np.inf)
    table[1:, :] = scores
    np.fill_diagonal(table, -np.inf)
    greedy = [int(head) - 1 for head in table[1:].argmax(axis=1)] if size else []
    if not size or is_tree(greedy):
        return greedy
    # A root arc that costs more than any gain of a second root makes the optimum single-rooted.
    finite = table[np.isfinite(table)]
    penalty = (finite.max() - finite.min() + 1) * (size + 1)
    table[1:, 0] -= penalty
    return [head - 1 for head in _edmonds(table)[1:]]


def _edmonds(table: Scores) -> list[int]:
    """Heads of the maximum arborescence from node 0; `table[node, head]` are the scores."""
    size = len(table)
    heads = [0, *(int(head) for head in table[1:].argmax(axis=1))]
    circle = cycle(heads)
    if not circle:
        return heads
    members = set(circle)
    rest = [node for node in range(size) if node not in members]
    # The cycle becomes the last node of a smaller table; an arc into it replaces one of its own.
    small = np.full((len(rest) + 1, len(rest) + 1), -np.inf)
    small[:-1, :-1] = table[np.ix_(rest, rest)]
    kept = np.array([table[node, heads[node]] for node in circle])
    entering = table[np.ix_(circle, rest)] - kept[:, None]
    small[-1, :-1] = entering.max(axis=0)
    leaving = table[np.ix_(rest, circle)]
    small[:-1, -1] = leaving.max(axis=1)
    inner = _edmonds(small)
    result = list(heads)
    for position, node in enumerate(rest[1:], start=1):
        head = inner[position]
        result[node] = circle[int(leaving[position].argmax())] if head == len(rest) else rest[head]
    source = inner[-1]
    result[circle[int(entering[:, source].argmax())]] = rest[source]
    return result
