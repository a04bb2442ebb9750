"""Contractions keep the text and the tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.language.contractions import Contraction, as_written
from hyperbaton.language.dependency_trees import cycle
from hyperbaton.language.sentence import Sentence


@given(st.data())
def test_a_tree_stays_a_tree_and_the_text_is_the_written_one(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 10))
    places = data.draw(st.permutations(range(size)))
    heads = [0] * size
    for i, place in enumerate(places):
        heads[place] = places[data.draw(st.integers(0, i - 1))] if i else place
    words = tuple(f"w{i}" for i in range(size))
    spaces = (True,) * (size - 1) + (False,)
    sentence = Sentence(words, spaces, "xx", words, tuple(heads), words)

    contractions, forms, at = [], [], 0
    while at < size:
        end = data.draw(st.integers(at + 1, size))
        whole = data.draw(st.booleans())
        if end - at > 1:
            form = "".join(words[at:end]).upper() if whole else f"c{at}"
            contractions.append(Contraction(at, end, form))
            forms.append(form)
        else:
            forms.append(words[at])
        at = end
    written = as_written(sentence, contractions)
    assert written.text == " ".join(forms)
    assert written.heads is not None
    assert not cycle(written.heads)
    assert sum(head == i for i, head in enumerate(written.heads)) == 1
    # The root's word, or the contraction that holds it, is still the root.
    root = next(i for i, head in enumerate(written.heads) if head == i)
    assert written.upos is not None
    assert written.upos[root] == f"w{places[0]}"
