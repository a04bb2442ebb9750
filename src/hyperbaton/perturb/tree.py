"""The tree family: each sentence of the text turned round at the nodes of its dependency tree."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from hyperbaton.base.randomness import Rng
from hyperbaton.language.sentence import Order, Sentence
from hyperbaton.perturb.perturbation import SHORTEST, Reordering

_NONE: list[int] = []


class _Turning(Reordering):
    """What the family shares: every sentence turned, its last token kept last."""

    category = "tree"

    @abstractmethod
    def turn(self, heads: Sequence[int], start: int, end: int) -> list[int]:
        """The words of the sentence from `start` to `end` in another order."""

    def order(self, sentence: Sentence, rng: Rng) -> Order | None:
        heads = sentence.heads
        if heads is None or len(heads) < SHORTEST:
            return None
        order: list[int] = []
        for start, end in sentence.spans:
            turned = self.turn(heads, start, end)
            # A head that is its own ancestor hangs on no root: such a "tree" has no reading order.
            if len(turned) != end - start:
                return None
            turned.remove(end - 1)
            order += turned
            order.append(end - 1)
        return tuple(order)


class _Mirror(_Turning):
    """A walk over the trees of a sentence from its roots, without recursion: trees can be deep."""

    @abstractmethod
    def visit(self, node: int, left: list[int], right: list[int]) -> list[int]:
        """From `~node` and the children left and right of it: what to read, the first one last."""

    def turn(self, heads: Sequence[int], start: int, end: int) -> list[int]:
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
        words = []
        while stack:
            node = stack.pop()
            if node < 0:
                words.append(~node)
            elif node in left or node in right:
                stack += self.visit(~node, left.get(node, _NONE), right.get(node, _NONE))
            else:
                words.append(node)
        return words


@dataclass(frozen=True)
class TreeMirrorPre(_Mirror):
    """Every node, then what stood right of it, then what stood left of it.

    >>> words = "You remind me of Tom .".split()
    >>> sentence = Sentence.from_words(words, heads=(1, 1, 1, 1, 3, 1))
    >>> sentence.arrange(TreeMirrorPre().order(sentence, Rng(0, "1", "treeMirrorPre")))
    'remind me of Tom You .'
    """

    name = "treeMirrorPre"

    def visit(self, node: int, left: list[int], right: list[int]) -> list[int]:
        return [*left, *right, node]


@dataclass(frozen=True)
class TreeMirrorPost(_Mirror):
    """What stood right of a node, then what stood left of it, then the node.

    >>> words = "You remind me of Tom .".split()
    >>> sentence = Sentence.from_words(words, heads=(1, 1, 1, 1, 3, 1))
    >>> sentence.arrange(TreeMirrorPost().order(sentence, Rng(0, "1", "treeMirrorPost")))
    'me Tom of You remind .'
    """

    name = "treeMirrorPost"

    def visit(self, node: int, left: list[int], right: list[int]) -> list[int]:
        return [node, *left, *right]


@dataclass(frozen=True)
class TreeMirrorIn(_Mirror):
    """What stood right of a node, then the node, then what stood left of it.

    >>> words = "You remind me of Tom .".split()
    >>> sentence = Sentence.from_words(words, heads=(1, 1, 1, 1, 3, 1))
    >>> sentence.arrange(TreeMirrorIn().order(sentence, Rng(0, "1", "treeMirrorIn")))
    'me Tom of remind You .'
    """

    name = "treeMirrorIn"

    def visit(self, node: int, left: list[int], right: list[int]) -> list[int]:
        return [*left, node, *right]


@dataclass(frozen=True)
class RotateAroundRoot(_Turning):
    """The words after the root, the root, the words before it.

    >>> words = "You remind me of Tom .".split()
    >>> sentence = Sentence.from_words(words, heads=(1, 1, 1, 1, 3, 1))
    >>> sentence.arrange(RotateAroundRoot().order(sentence, Rng(0, "1", "rotateAroundRoot")))
    'me of Tom remind You .'
    """

    name = "rotateAroundRoot"

    def turn(self, heads: Sequence[int], start: int, end: int) -> list[int]:
        roots = (i for i in range(start, end) if heads[i] == i or not start <= heads[i] < end)
        root = next(roots, None)
        return [] if root is None else [*range(root + 1, end), root, *range(start, root)]
