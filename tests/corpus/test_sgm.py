"""The test sets of WMT: SGM as sacreBLEU reads it, but for its entities, and XML from 2021 on."""

from __future__ import annotations

import html
import io
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import open_corpus

SOURCE = """<srcset setid="newstest2019" srclang="any">
<doc sysid="ref" docid="bbc.381790" genre="news" origlang="en">
<p>
<seg id="1">AT&amp;T &quot;buys&quot; R&D for £3 &lt; £4</seg>
<seg id="2">Welsh AMs worried</seg>
</p>
</doc>
<doc docid="b" genre="news" origlang="en">
<hl>
<seg id="1">A title </seg>
</hl>
</doc>
</srcset>
"""
REFERENCE = """<refset setid="newstest2019" srclang="any" trglang="de">
<doc sysid="ref" docid="BBC.381790" genre="news" origlang="en">
<p>
<seg id="1">eins</seg>
<seg id="2">zwei</seg>
</p>
</doc>
<DOC sysid=ref docid=b>
<hl>
<SEG id=1>drei</SEG>
</hl>
</DOC>
</refset>
"""


def put(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_source_and_reference(tmp_path: Path) -> None:
    source, reference = put(tmp_path, "s.sgm", SOURCE), put(tmp_path, "r.txt", REFERENCE)
    assert list(open_corpus(source, reference, languages=["en", "de"])) == [
        Item("1", 'AT&T "buys" R&D for £3 < £4', "eins", {"doc": "bbc.381790", "seg": "1"}),
        Item("2", "Welsh AMs worried", "zwei", {"doc": "bbc.381790", "seg": "2"}),
        Item("3", "A title", "drei", {"doc": "b", "seg": "1"}),
    ]
    plain = put(tmp_path, "r.de", "eins\nzwei\ndrei\n")
    assert [item.reference for item in open_corpus(source, plain)] == ["eins", "zwei", "drei"]


def test_the_same_segments_as_sacrebleu(tmp_path: Path) -> None:
    from sacrebleu.dataset.fake_sgml import FakeSGMLDataset

    source, theirs = put(tmp_path, "s.sgm", SOURCE), tmp_path / "s.txt"
    dataset = FakeSGMLDataset("x", langpairs={})
    dataset._convert_format(str(source), str(theirs))  # type: ignore[no-untyped-call]
    lines = [html.unescape(line.strip()) for line in theirs.read_text().splitlines()]
    assert [item.source for item in open_corpus(source)] == lines


TWO_SETS = SOURCE + REFERENCE
TWICE = SOURCE.replace("</srcset>", '<doc sysid="B" docid="b"><seg id="1">x</seg></doc></srcset>')


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (SOURCE.replace("A title </seg>", "A title"), r"line 12: </doc> inside of the segment of"),
        (SOURCE[: SOURCE.index("title")], r"line 10: the segment is not closed; is the file"),
        (TWO_SETS, r"line 14: the file holds a srcset and a refset; give a file for each"),
        (TWICE, r"line 13: the document 'b' is there twice, of two systems or translators"),
        ("<srcset></srcset>", "has no segments"),
    ],
)
def test_what_is_wrong_is_one_sentence(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=message):
        list(open_corpus(put(tmp_path, "s.sgm", text)))


def test_sides_that_do_not_belong_together(tmp_path: Path) -> None:
    source = put(tmp_path, "s.sgm", SOURCE)
    short = put(tmp_path, "r.sgm", REFERENCE.replace("<SEG id=1>drei</SEG>", ""))
    with pytest.raises(HyperbatonError, match=r"s\.sgm has 3 segments but .*r\.sgm has 2 segments"):
        list(open_corpus(source, short))
    other = put(tmp_path, "r.sgm", REFERENCE.replace('"2"', '"5"'))
    with pytest.raises(HyperbatonError, match=r"item 2 is 'bbc.381790 2' in .* but 'bbc.381790 5'"):
        list(open_corpus(source, other))


WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="newstest2021.en-de">
  <collection id="general">
  <doc origlang="en" id="a" domain="news">
    <src lang="en"><p><seg id="1">One &amp; two</seg><seg id="2">Three</seg></p>
      <p><seg id="3">Four</seg></p></src>
    <ref lang="de" translator="A"><p><seg id="1">Eins &amp; zwei</seg><seg id="2">Drei</seg></p>
      <p><seg id="3">Vier</seg></p></ref>
    <ref lang="de" translator="B"><p><seg id="1">Ein &amp; zwei</seg><seg id="2">DREI</seg></p>
      <p><seg id="3">VIER</seg></p></ref>
    <hyp system="X" language="de"><p><seg id="1">x</seg><seg id="2">y</seg></p>
      <p><seg id="3">z</seg></p></hyp>
  </doc>
  </collection>
  <doc origlang="en" id="suite" testsuite="mine">
    <src lang="en"><p><seg id="1">Not judged</seg></p></src>
  </doc>
</dataset>
"""


def test_xml_as_sacrebleu_reads_it(tmp_path: Path) -> None:
    pytest.importorskip("lxml")
    from sacrebleu.dataset.wmt_xml import WMTXMLDataset

    theirs = WMTXMLDataset._unwrap_wmt21_or_later(io.BytesIO(WMT.encode()))  # type: ignore[no-untyped-call]
    path = put(tmp_path, "a.xml", WMT)
    items = list(open_corpus(path, languages=["en", "de"]))
    assert [item.source for item in items] == theirs["src"] == ["One & two", "Three", "Four"]
    assert [item.reference for item in items] == theirs["ref:A"]
    assert [item.columns["doc"] for item in items] == theirs["docid"]
    assert [item.source for item in open_corpus(path, languages=["en"])][-1] == "Not judged"


def test_other_xml_is_not_read(tmp_path: Path) -> None:
    for name, text, kind in (
        ("a.xml", "<corpus><s>a</s></corpus>", "XML"),
        ("a.txt", '<?xml version="1.0"?><corpus/>', "XML"),
        ("a.html", "<p>text</p>", "XML"),
        ("a.txt", "\n<!DOCTYPE html>\n<title>x</title>", "HTML"),
    ):
        with pytest.raises(HyperbatonError, match=f"{name} is {kind}, which is not read: save it"):
            list(open_corpus(put(tmp_path, name, text)))
