"""CoNLL-U comes in as it was written, goes out and comes back, and says where it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.conllu import join, read_blocks, read_conllu
from hyperbaton.corpus.conllu_writer import to_conllu, write_conllu
from hyperbaton.corpus.item import Item
from hyperbaton.language.dependency_trees import cycle
from hyperbaton.language.sentence import Sentence

PUD = Path(__file__).parents[3] / "shared/data/ud-pud"
LANGUAGES = ("en", "de", "fr", "es", "it", "ru", "ja", "zh")

FRENCH = """\
# sent_id = fr-1
# text = Il va aux bois.
# a remark
1	Il	il	PRON	_	_	2	nsubj	_	_
2	va	aller	VERB	_	_	0	root	_	_
2.1	va	aller	VERB	_	_	_	_	2:conj	_
3-4	aux	_	_	_	_	_	_	_	_
3	à	à	ADP	_	_	5	case	_	_
4	les	le	DET	_	_	5	det	_	_
5	bois	bois	NOUN	_	_	2	obl	_	SpaceAfter=No
6	.	.	PUNCT	_	_	2	punct	_	_

"""


def one(tmp_path: Path, text: str) -> Sentence:
    (item,) = items(tmp_path, text)
    assert isinstance(item.source, Sentence)
    return item.source


def items(tmp_path: Path, text: str) -> list[Item]:
    path = tmp_path / "x.conllu"
    path.write_text(text)
    return list(read_conllu(path, "fr"))


def test_contractions_empty_nodes_and_comments(tmp_path: Path) -> None:
    (item,) = items(tmp_path, FRENCH)
    sentence = item.source
    assert isinstance(sentence, Sentence)
    assert sentence.words == ("Il", "va", "aux", "bois", ".")
    assert sentence.upos == ("PRON", "VERB", "ADP", "NOUN", "PUNCT")
    assert sentence.heads == (1, 1, 3, 1, 1)
    assert sentence.deps == ("nsubj", "root", "case", "obl", "punct")
    assert sentence.text == "Il va aux bois."
    assert (item.id, sentence.id, sentence.language) == ("fr-1", "fr-1", "fr")
    assert item.columns["a remark"] == ""
    (block,) = read_blocks(tmp_path / "x.conllu")
    assert block.comments[2] == "# a remark"


def test_parts_that_spell_the_contraction_stay_words(tmp_path: Path) -> None:
    text = "1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    text += "1\tdo\tdo\tAUX\t_\t_\t0\troot\t_\t_\n2\tn't\tnot\tPART\t_\t_\t1\tadvmod\t_\t_\n"
    text += "3\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_\n"
    sentence = one(tmp_path, text)
    assert sentence.words == ("Do", "n't", "!")
    assert sentence.text == "Don't!"


def test_the_part_nearest_to_the_root_stands_for_a_contraction(tmp_path: Path) -> None:
    # dammelo = da + me + lo: a verb with two pronouns, the verb below a word to its right
    text = (
        "1-3\tdammelo\t_\t_\t_\t_\t_\t_\t_\t_\n1\tda\t_\tVERB\t_\t_\t4\tccomp\t_\t_\n"
        "2\tme\t_\tPRON\t_\t_\t1\tiobj\t_\t_\n3\tlo\t_\tPRON\t_\t_\t1\tobj\t_\t_\n"
        "4\tdisse\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    )
    sentence = one(tmp_path, text)
    assert sentence.words == ("dammelo", "disse")
    assert (sentence.upos, sentence.heads) == (("VERB", "VERB"), (1, 1))


def test_text_gives_the_spaces_where_none_are_marked(tmp_path: Path) -> None:
    rows = "".join(f"{i}\t{w}\t_\t_\t_\t_\t_\t_\t_\t_\n" for i, w in enumerate("ab-c", 1))
    sentence = one(tmp_path, f"# text = ab -c\n{rows}")
    assert sentence.text == "ab -c"
    assert (sentence.upos, sentence.heads, sentence.deps) == (None, None, None)


@pytest.mark.skipif(not PUD.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize("language", LANGUAGES)
def test_real_treebanks_keep_their_text_and_stay_trees(language: str, tmp_path: Path) -> None:
    path = PUD / f"{language}_pud.conllu"
    bare = tmp_path / "bare.conllu"
    lines = path.read_text().splitlines(keepends=True)
    bare.write_text("".join(line for line in lines if not line.startswith("# text =")))
    texts = [block.values["text"] for block in read_blocks(path, language)]
    sentences = [block.sentence for block in read_blocks(bare, language)]
    assert [sentence.text for sentence in sentences] == texts
    for sentence in sentences:
        assert sentence.heads is not None
        assert not cycle(sentence.heads)
        assert sum(head == i for i, head in enumerate(sentence.heads)) == 1


@pytest.mark.skipif(not PUD.is_dir(), reason="needs ../shared")
@pytest.mark.parametrize("language", ["it", "ja"])
def test_what_is_written_comes_back(language: str, tmp_path: Path) -> None:
    path = PUD / f"{language}_pud.conllu"
    items = read_conllu(path, language)
    singles = [item.source for item in items if isinstance(item.source, Sentence)]
    for size in (1, 3):
        starts = range(0, len(singles), size)
        sentences = [join(singles[at : at + size], f"item {at}") for at in starts]
        count = write_conllu(tmp_path / "out.conllu", sentences, parser="gold")
        back = list(read_conllu(tmp_path / "out.conllu"))
        assert count == len(back) == len(sentences)
        assert [item.source for item in back] == sentences
        assert [item.id for item in back] == [sentence.id for sentence in sentences]
        assert {item.columns["parser"] for item in back} == {"gold"}


WORD = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zs", "Zl", "Zp")), min_size=1, max_size=4
)


@st.composite
def parsed(draw: st.DrawFn) -> Sentence:
    """Items of one to three sentences with random trees, spaces and noun chunks."""
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    heads: list[int] = []
    starts: list[int] = []
    for size in sizes:
        start = len(heads)
        starts.append(start)
        heads += [start + (draw(st.integers(0, i - 1)) if i else 0) for i in range(size)]
    size = len(heads)
    words = draw(st.lists(WORD, min_size=size, max_size=size))
    spaces = draw(st.lists(st.booleans(), min_size=size, max_size=size))
    chunk = ((starts[-1], size),) if draw(st.booleans()) else ()
    return Sentence(
        tuple(words),
        (*spaces[:-1], False),
        "de",
        tuple(draw(st.sampled_from(["NOUN", "VERB"])) for _ in words),
        tuple(heads),
        tuple("root" if head == i else "dep" for i, head in enumerate(heads)),
        draw(st.sampled_from([None, chunk])),
        tuple(starts),
        draw(st.sampled_from(["ud", "clear"])),
        "an id",
    )


@given(parsed())
def test_any_parse_comes_back(tmp_path_factory: pytest.TempPathFactory, sentence: Sentence) -> None:
    path = tmp_path_factory.mktemp("conllu") / "x.conllu"
    write_conllu(path, [sentence, sentence.__class__(("x",), (False,), id="b")])
    first, second = read_conllu(path)
    assert first.source == sentence
    assert (first.id, second.id) == ("an id", "b")


def test_the_label_scheme_is_recognised_from_the_file(tmp_path: Path) -> None:
    row = "1\tw\t_\tX\t_\t_\t0\t{}\t_\t_\n\n"
    path = tmp_path / "x.conllu"
    for labels, scheme in ((("ROOT", "dobj", "pobj"), "clear"), (("root", "obj", "case"), "ud")):
        path.write_text("".join(row.format(label) for label in labels))
        assert {block.sentence.scheme for block in read_blocks(path)} == {scheme}
    path.write_text("# scheme = mine\n" + row.format("nsubj"))
    assert [block.sentence.scheme for block in read_blocks(path)] == ["mine"]


def rows(*heads: str) -> str:
    return "".join(f"{i}\tw\t_\tX\t_\t_\t{h}\tdep\t_\t_\n" for i, h in enumerate(heads, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\tw\tX\n", "line 1: 3 columns where CoNLL-U has 10"),
        (rows("0").replace("\t", "  "), "line 1: 1 column .* are the tabs now spaces"),
        (rows("0", "3"), "line 2: the head is 3, but the sentence has 2 words"),
        (rows("0", "x"), "line 2: the head 'x' is not a number"),
        (rows("0", "2"), "line 2: the word is its own head"),
        (rows("2", "1"), "line 1: no word of the sentence has head 0"),
        (
            "# c\n\n" + rows("0") + "\n" + rows("0", "3", "2"),
            "line [67]: the heads run in a circle",
        ),
        (rows("0", "1").replace("2\tw", "3\tw"), "line 2: word 3 where word 2 should be"),
        ("a\tw\t_\t_\t_\t_\t_\t_\t_\t_\n", "line 1: 'a' is not a word number"),
        ("1-3\tw\t_\t_\t_\t_\t_\t_\t_\t_\n" + rows("0"), "line 1: the range goes past"),
        ("2-3\tw\t_\t_\t_\t_\t_\t_\t_\t_\n" + rows("0"), "line 1: the range '2-3' should begin"),
        ("1.1\tw\t_\t_\t_\t_\t_\t_\t_\t_\n", "line 1: a sentence without words"),
        ("# noun_chunks = 1-2\n" + rows("0"), "the noun chunk '1-2' is out of range"),
    ],
)
def test_broken_files_are_named_with_their_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(
        HyperbatonError, match=rf"x\.conllu, {message}" if "line" in message else message
    ):
        items(tmp_path, text)


def test_words_that_conllu_cannot_hold_are_refused() -> None:
    with pytest.raises(HyperbatonError, match="word 2 is 'a\\\\tb'"):
        to_conllu(Sentence(("x", "a\tb"), (True, False), id="s"))
    with pytest.raises(HyperbatonError, match="needs an id"):
        to_conllu(Sentence(("x", "y"), (True, False), starts=(0, 1)))
