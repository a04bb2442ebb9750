"""Translation memories are read as texts in two languages, whatever stands around them."""

from __future__ import annotations

import gzip
import logging
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import open_corpus

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
MEMORY = """<tmx version="1.4">
  <header creationtool="x" segtype="sentence" o-tmf="y" adminlang="en" srclang="en-US"
      datatype="plaintext"><prop type="client">nobody</prop></header>
  <body>
    <tu tuid="home-1"><note>not a text</note><prop type="domain">nor this</prop>
      <tuv xml:lang="EN-US"><seg>Click <bpt i="1" x="1">&lt;b&gt;</bpt>here<ept i="1">&lt;/b&gt;\
</ept> &amp; wait<ph x="2" type="lb">&lt;br/&gt;</ph>a <hi type="term">little while</hi>.</seg>
      </tuv>
      <tuv xml:lang="de-DE"><seg>Klicken Sie <it pos="begin">{\\b <sub>alt</sub></it>hier
        und warten Sie.</seg></tuv>
    </tu>
    <tu><tuv lang="en"><seg>Only in English.</seg></tuv></tu>
    <tu><tuv xml:lang="fr"><seg>Deux.</seg></tuv><tuv xml:lang="de"><seg>Zwei.</seg></tuv>
      <tuv xml:lang="en"><seg>Two.</seg></tuv><tuv xml:lang="en"><seg>A pair.</seg></tuv></tu>
    <tu><tuv xml:lang="en"><seg>Three.</seg></tuv><tuv xml:lang="de"><seg> </seg></tuv></tu>
  </body>
</tmx>
"""
PAIRS = [
    Item(
        "1",
        "Click here & wait a little while.",
        "Klicken Sie hier und warten Sie.",
        {"tuid": "home-1"},
    ),
    Item("3", "Two.", "Zwei."),
]


def tmx(*units: str) -> str:
    return f'<tmx version="1.4"><header/><body>{"".join(units)}</body></tmx>'


def read(path: Path, text: str | bytes, *languages: str) -> list[Item]:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(open_corpus(path, languages=languages))


def test_a_pair_of_languages(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert read(tmp_path / "a.tmx", HEAD + MEMORY, "en", "de") == PAIRS
    assert [record.getMessage() for record in caplog.records] == [
        f"hyperbaton: {tmp_path / 'a.tmx'}: left out 2 of 4 units without a text in en and de"
    ]
    caplog.clear()
    list(open_corpus(tmp_path / "a.tmx", languages=["en", "de"]))
    assert not caplog.records, "a study reads its corpus several times"


def test_one_language_or_none_named(tmp_path: Path) -> None:
    path = tmp_path / "a.tmx"
    german = read(path, HEAD + MEMORY, "de")
    assert [item.source for item in german] == ["Klicken Sie hier und warten Sie.", "Zwei."]
    assert [item.reference for item in german] == [None, None]
    assert list(open_corpus(path)) == PAIRS, "the two languages that come first"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("utf-16 as Windows has it", (HEAD.replace("UTF-8", "UTF-16") + MEMORY).encode("utf-16")),
        ("utf-16 that calls itself UTF-8", (HEAD + MEMORY).encode("utf-16")),
        ("utf-16 without a mark", (HEAD + MEMORY).encode("utf-16-be")),
        ("utf-8 that calls itself UTF-16", (HEAD.replace("UTF-8", "UTF-16") + MEMORY).encode()),
        ("a mark", b"\xef\xbb\xbf" + (HEAD + MEMORY).encode()),
        ("no declaration", MEMORY.encode()),
        ("packed", gzip.compress((HEAD + MEMORY).encode())),
    ],
)
def test_encodings(name: str, data: bytes, tmp_path: Path) -> None:
    assert read(tmp_path / "a.tmx", data, "en", "de") == PAIRS


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "shift_jis", "gb18030"])
def test_declared_encodings(encoding: str, tmp_path: Path) -> None:
    text = {"iso-8859-1": "Café", "windows-1252": "“Café” €"}.get(encoding, "日本 語")
    unit = f'<tu><tuv xml:lang="x"><seg>{text}</seg></tuv></tu>'
    head = f'<?xml version="1.0" encoding="{encoding}"?>'
    assert read(tmp_path / "a.tmx", (head + tmx(unit)).encode(encoding)) == [Item("1", text)]


@pytest.mark.parametrize("name", ["a.txt", "a", "a.de", "a.xml", "a.txt.gz"])
def test_the_first_bytes_tell_where_the_name_does_not(name: str, tmp_path: Path) -> None:
    data = (HEAD + "<!-- a comment -->\n" + MEMORY).encode()
    data = gzip.compress(data) if name.endswith("gz") else data
    assert read(tmp_path / name, data, "en", "de") == PAIRS


def test_text_may_look_like_markup_if_it_is_called_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("<tmx> is an element.\nSo is <seg>.\n")
    items = list(open_corpus(path, format="text", languages=["en"]))
    assert [item.source for item in items] == ["<tmx> is an element.", "So is <seg>."]


def test_variants_of_a_language(tmp_path: Path) -> None:
    both = tmx(
        '<tu><tuv xml:lang="en"><seg>train</seg></tuv>'
        '<tuv xml:lang="pt-PT"><seg>comboio</seg></tuv>'
        '<tuv xml:lang="pt-BR"><seg>trem</seg></tuv></tu>'
    )
    path = tmp_path / "a.tmx"
    assert read(path, both, "en", "pt_br") == [Item("1", "train", "trem")]
    assert read(path, both, "en-GB", "pt-PT") == [Item("1", "train", "comboio")]
    with pytest.raises(HyperbatonError, match=r"unit 1 has text in pt-PT and pt-BR: name one"):
        read(path, both, "en", "pt")
    with pytest.raises(HyperbatonError, match=r"no text in en and pt-AO \(it has: en, pt-PT, pt"):
        read(path, both, "en", "pt-AO")


NO_LANGUAGE = tmx("<tu>\n<tuv><seg>a</seg></tuv></tu>")
LAUGHS = '<!DOCTYPE tmx [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE tmx [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
ATTRIBUTE = f'<!DOCTYPE tmx [<!ATTLIST seg x CDATA "{"ha" * 1000}">]>'
UNIT = '<tu><tuv lang="en"><seg>{}</seg></tuv></tu>'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (NO_LANGUAGE, r"a\.tmx, line 2: a text without its language; add xml:lang"),
        (tmx(), r"a\.tmx holds no text"),
        ((HEAD + MEMORY)[:900], r"a\.tmx, line \d+: not sound XML .*is the file complete\?"),
        ("", r"a\.tmx, line 1: not sound XML \(no element found\)"),
        ("no XML at all", r"a\.tmx, line 1: not sound XML"),
        (LAUGHS + tmx(UNIT.format("&b;")), r"the entity &a; of the file's own is not read"),
        (OUTSIDE + tmx(UNIT.format("&a;")), r"the entity &a; of the file's own is not read"),
        (HEAD + tmx(UNIT.format("a&nbsp;b")), r"line 3: the entity &nbsp; .* write the character"),
        (tmx(UNIT.format("a&nbsp;b")), r"line 1: not sound XML \(undefined entity\)"),
        (
            ATTRIBUTE + tmx(UNIT.format("a")),
            "an attribute with a default in the file's own DOCTYPE",
        ),
        (tmx("<a>" * 300 + "</a>" * 300), "nested too deeply"),
        ("<tmx><!-- " + "x" * (1 << 24), "a tag or comment that is longer than 8 MiB"),
        (b"<tmx><body>caf\xe9</body></tmx>", r"line 1 or below: not UTF-8 \(0xe9\); save the file"),
        (
            HEAD + MEMORY.replace("en", "nl").replace("EN", "NL"),
            r"no text in en and de \(it has: N",
        ),
    ],
    ids=lambda part: "" if len(part) > 100 else None,
)
def test_what_is_wrong_is_one_sentence(text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=message):
        read(tmp_path / "a.tmx", text, "en", "de")


def test_a_packed_memory_that_is_cut(tmp_path: Path) -> None:
    data = gzip.compress((HEAD + MEMORY).encode())
    with pytest.raises(HyperbatonError, match=r"a\.tmx\.gz, line \d+: cannot read past this line"):
        read(tmp_path / "a.tmx.gz", data[:-200], "en")


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    import tracemalloc

    unit = f'<tu><tuv lang="en"><seg>{"Tom said something. " * 500}</seg></tuv></tu>\n'
    path = tmp_path / "large.tmx.gz"
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write("<tmx><header/><body>")
        for _ in range(40):
            file.write(unit * 100)
        file.write("</body></tmx>")
    logging.disable()
    tracemalloc.start()
    count = sum(1 for _ in open_corpus(path, languages=["en"]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    logging.disable(logging.NOTSET)
    assert count == 4000
    assert len(unit) * count > 40_000_000
    assert peak < 6_000_000
