"""XLIFF of both generations: source and target of each unit, without codes and suggestions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import open_corpus

FIRST = """<?xml version="1.0" encoding="utf-8"?>
<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"
    xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0">
  <file original="a.html" datatype="html" source-language="en-US" target-language="de">
    <header><skl><internal-file form="base64">PGh0bWw+</internal-file></skl>
      <note>not a text</note></header>
    <body><group id="g1">
      <trans-unit id="1" xml:space="preserve">
        <source>Hello <g id="1">big <x id="2"/>world</g><x id="3" ctype="lb"/>!</source>
        <seg-source><mrk mtype="seg" mid="1">Hello big world!</mrk></seg-source>
        <target state="translated"><mrk mtype="seg" mid="1">Hallo <bpt id="1">&lt;b></bpt>große
          Welt<ept id="1">&lt;/b></ept>!</mrk></target>
        <alt-trans match-quality="80"><source>Hi</source><target>Servus</target></alt-trans>
        <note>nor this</note>
      </trans-unit>
      <trans-unit id="2"><source>New.</source><target state="needs-translation">New.</target>
      </trans-unit>
      <trans-unit id="3" translate="no"><source>v1.2</source><target>v1.2</target></trans-unit>
      <trans-unit id="4"><source>Bye.</source><target>Tschüss.</target></trans-unit>
    </group></body>
  </file>
</xliff>
"""
SECOND = """<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.1" srcLang="en"
    trgLang="de" xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0">
  <file id="f1"><group id="g"><unit id="u1">
    <mtc:matches><mtc:match ref="#1"><source>Hi</source><target>Servus</target></mtc:match>
    </mtc:matches>
    <originalData><data id="d1">&lt;b&gt;</data></originalData>
    <notes><note>not a text</note></notes>
    <segment id="1"><source>Hello <pc id="1" dataRefStart="d1">big <mrk id="m" type="term">world\
</mrk></pc><ph id="2" equiv="br"/>!</source>
      <target>Hallo große Welt<sc id="3"/>!<ec startRef="3"/></target></segment>
    <ignorable><source> </source></ignorable>
    <segment id="2" state="initial"><source>Bye.<ph id="5" type="fmt" subType="xlf:lb"/>Now.\
</source></segment>
  </unit>
  <unit id="u2" translate="no"><segment><source>v1.2</source></segment></unit>
  </group></file>
</xliff>
"""


def read(tmp_path: Path, name: str, text: str, *languages: str) -> list[Item]:
    path = tmp_path / name
    path.write_text(text)
    return list(open_corpus(path, languages=languages))


@pytest.mark.parametrize("name", ["a.xlf", "a.xliff", "a.sdlxliff", "a.xml", "a.txt"])
def test_the_first_generation(name: str, tmp_path: Path) -> None:
    assert read(tmp_path, name, FIRST, "en", "de") == [
        Item("1", "Hello big world !", "Hallo große Welt!", {"unit": "1"}),
        Item("3", "Bye.", "Tschüss.", {"unit": "4"}),
    ]
    sources = [item.source for item in read(tmp_path, name, FIRST, "en")]
    assert sources == ["Hello big world !", "New.", "Bye."]


def test_the_second_generation(tmp_path: Path) -> None:
    assert read(tmp_path, "a.xlf", SECOND, "en", "de") == [
        Item("1", "Hello big world!", "Hallo große Welt!", {"unit": "u1/1"})
    ]
    assert [item.source for item in read(tmp_path, "a.xlf", SECOND, "en")] == [
        "Hello big world!",
        "Bye. Now.",
    ]


def test_a_document_without_a_target_language(tmp_path: Path) -> None:
    text = FIRST.replace(' target-language="de"', "")
    with pytest.raises(HyperbatonError, match=r"line 11: the language of the target is not given"):
        read(tmp_path, "a.xlf", text, "en", "de")
    empty = '<xliff><file source-language="en"><body><trans-unit id="1"><source>a</source><target/>'
    empty += "</trans-unit></body></file></xliff>"
    assert read(tmp_path, "a.xlf", empty, "en") == [Item("1", "a", None, {"unit": "1"})]
    with pytest.raises(HyperbatonError, match=r"has no text in en and de \(it has: en\)"):
        read(tmp_path, "a.xlf", empty, "en", "de")
