"""Links of many pairs at once, and what they say of the order of words, in machine code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hyperbaton.base.compiled import compiled

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@compiled
def link(
    sources: Ints,
    source_starts: Ints,
    targets: Ints,
    target_starts: Ints,
    rows: Ints,
    others: Ints,
    strengths: Floats,
    far: float,
) -> Ints:
    """For each source word the place of the word that it is linked with, or -1.

    Words are numbers, pairs lie end to end; `others` and `strengths` have what stands for a word
    from `rows[word]` on. Competitive linking (Melamed 2000): the surest link first, then what it
    leaves free; of equals the first. A link costs more the farther its words stand apart.
    """
    links = np.full(len(sources), -1, np.int64)
    first = np.full(len(rows), -1, np.int64)
    following = np.empty(len(targets), np.int64)
    for pair in range(len(source_starts) - 1):
        start, stop = source_starts[pair], source_starts[pair + 1]
        begin, end = target_starts[pair], target_starts[pair + 1]
        for j in range(end - 1, begin - 1, -1):
            following[j] = first[targets[j]]
            first[targets[j]] = j
        size = 0
        for i in range(start, stop):
            for at in range(rows[sources[i]], rows[sources[i] + 1]):
                j = first[others[at]]
                while j >= 0:
                    size += 1
                    j = following[j]
        costs = np.empty(size, np.float64)
        ends = np.empty((2, size), np.int64)
        size = 0
        for i in range(start, stop):
            place = (i - start + 0.5) / (stop - start)
            for at in range(rows[sources[i]], rows[sources[i] + 1]):
                j = first[others[at]]
                while j >= 0:
                    apart = abs(place - (j - begin + 0.5) / (end - begin))
                    costs[size] = apart * far - strengths[at]
                    ends[0, size] = i
                    ends[1, size] = j
                    size += 1
                    j = following[j]
        while size:
            best = 0
            for at in range(1, size):
                less = costs[at] < costs[best]
                if costs[at] == costs[best]:
                    same = ends[0, at] == ends[0, best]
                    less = ends[1, at] < ends[1, best] if same else ends[0, at] < ends[0, best]
                best = at if less else best
            i, j = ends[0, best], ends[1, best]
            links[i] = j - begin
            left = 0
            for at in range(size):
                if ends[0, at] != i and ends[1, at] != j:
                    costs[left] = costs[at]
                    ends[0, left] = ends[0, at]
                    ends[1, left] = ends[1, at]
                    left += 1
            size = left
        for j in range(begin, end):
            first[targets[j]] = -1
    return links


@compiled
def turn(
    links: Ints,
    copied: npt.NDArray[np.bool_],
    orders: Ints,
    starts: Ints,
    sentences: Ints,
    sentence_starts: Ints,
    letters: Ints,
    clean: Ints,
) -> Floats:
    """Of each varied translation: the pairs that stand turned round, all pairs, what is translated.

    `links` and `copied` are of source words in their new order; `letters` says how many letters
    each word of a sentence has, `clean` has a row of links for each clean translation of it.
    """
    found = np.zeros((len(sentences), 3))
    longest = 0
    for row in range(len(sentences)):
        longest = max(longest, starts[row + 1] - starts[row])
    here, now = np.empty(longest, np.int64), np.empty(longest, np.int64)
    for row in range(len(sentences)):
        start, first = starts[row], sentence_starts[sentences[row]]
        size = starts[row + 1] - start
        known = total = 0
        for place in range(size):
            word = orders[start + place]
            now[word] = place
            here[word] = links[start + place] if letters[first + word] else -1
            total += letters[first + word]
            if links[start + place] >= 0 and not copied[start + place]:
                known += letters[first + word]
        for translation in range(len(clean)):
            once = clean[translation, first : first + size]
            for one in range(size):
                if here[one] < 0 or once[one] < 0:
                    continue
                for two in range(one + 1, size):
                    if here[two] >= 0 and once[two] >= 0 and now[two] < now[one]:
                        found[row, 1] += 1
                        found[row, 0] += (here[one] < here[two]) != (once[one] < once[two])
        found[row, 2] = known / max(total, 1)
    return found
