"""The tree family: each sentence of the text turned round at the nodes of its dependency tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import Reordering
from hyperbaton.perturb.slots import SHORTEST

__all__ = ["RotateAroundRoot", "TreeMirrorIn", "TreeMirrorPost", "TreeMirrorPre"]

Turn = Callable[[Sequence[int], int, int], list[int]]
"""From heads and the span of a sentence: its words in another order."""
Visit = Callable[[int, list[int], list[int]], list[int]]
"""From `~node` and the children left and right of it: what to read, the first one last."""
_NONE: list[int] = []


def _by_sentence(sentence: Sentence, turn: Turn) -> Order | None:
    """Every sentence turned, its last token kept last; None without a whole tree."""
    heads = sentence.heads
    if heads is None or len(heads) < SHORTEST:
        return None
    order: list[int] = []
    for start, end in sentence.spans:
        turned = turn(heads, start, end)
        # A head that is its own ancestor hangs on no root: such a "tree" has no reading order.
        if len(turned) != end - start:
            return None
        turned.remove(end - 1)
        order += turned
        order.append(end - 1)
    return tuple(order)


def _walk(visit: Visit) -> Turn:
    """A walk over the trees of a sentence from its roots, without recursion: trees can be deep."""

    def turn(heads: Sequence[int], start: int, end: int) -> list[int]:
        left: dict[int, list[int]] = {}
        right: dict[int, list[int]] = {}
        stack = []
        # From right to left, since what is laid on a stack first is taken from it last.
        for i in range(end - 1, start - 1, -1):
            head = heads[i]
            if head == i or not start <= head < end:
                stack.append(i)
            else:
                (left if i < head else right).setdefault(head, []).append(i)
        found = []
        while stack:
            node = stack.pop()
            if node < 0:
                found.append(~node)
            elif node in left or node in right:
                stack += visit(~node, left.get(node, _NONE), right.get(node, _NONE))
            else:
                found.append(node)
        return found

    return turn


_PRE = _walk(lambda node, left, right: [*left, *right, node])
_POST = _walk(lambda node, left, right: [node, *left, *right])
_IN = _walk(lambda node, left, right: [*left, node, *right])


@dataclass(frozen=True)
class TreeMirrorPre(Reordering):
    """Every node, then what stood right of it, then what stood left of it.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("You remind me of Tom .".split()), heads=(1, 1, 1, 1, 3, 1)
    ... )
    >>> sentence.arrange(TreeMirrorPre().order(sentence, Rng(0, "1", "treeMirrorPre")))
    'remind me of Tom You .'
    """

    name = "treeMirrorPre"
    category = "tree"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return _by_sentence(sentence, _PRE)


@dataclass(frozen=True)
class TreeMirrorPost(Reordering):
    """What stood right of a node, then what stood left of it, then the node.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("You remind me of Tom .".split()), heads=(1, 1, 1, 1, 3, 1)
    ... )
    >>> sentence.arrange(TreeMirrorPost().order(sentence, Rng(0, "1", "treeMirrorPost")))
    'me Tom of You remind .'
    """

    name = "treeMirrorPost"
    category = "tree"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return _by_sentence(sentence, _POST)


@dataclass(frozen=True)
class TreeMirrorIn(Reordering):
    """What stood right of a node, then the node, then what stood left of it.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("You remind me of Tom .".split()), heads=(1, 1, 1, 1, 3, 1)
    ... )
    >>> sentence.arrange(TreeMirrorIn().order(sentence, Rng(0, "1", "treeMirrorIn")))
    'me Tom of remind You .'
    """

    name = "treeMirrorIn"
    category = "tree"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return _by_sentence(sentence, _IN)


def _rotate(heads: Sequence[int], start: int, end: int) -> list[int]:
    roots = (i for i in range(start, end) if heads[i] == i or not start <= heads[i] < end)
    root = next(roots, None)
    return [] if root is None else [*range(root + 1, end), root, *range(start, root)]


@dataclass(frozen=True)
class RotateAroundRoot(Reordering):
    """The words after the root, the root, the words before it.

    >>> from dataclasses import replace
    >>> sentence = replace(
    ...     Sentence.from_words("You remind me of Tom .".split()), heads=(1, 1, 1, 1, 3, 1)
    ... )
    >>> sentence.arrange(RotateAroundRoot().order(sentence, Rng(0, "1", "rotateAroundRoot")))
    'me of Tom remind You .'
    """

    name = "rotateAroundRoot"
    category = "tree"

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        return _by_sentence(sentence, _rotate)
