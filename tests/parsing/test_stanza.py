"""The Stanza adapter on real models, trained here on a treebank of two dozen sentences."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.parser import PARSERS, Parser
from tests.parsing.treebank import texts
from tests.parsing.trees import check, facts

if find_spec("stanza") is None:
    pytest.skip("Stanza is not installed", allow_module_level=True)

TRAIN = """
import pathlib, sys
from tests.parsing.stanza_models import train
train(pathlib.Path(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained in a process of its own, since Stanza's trainers change the logging of all."""
    path = tmp_path_factory.mktemp("stanza") / "models"
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-c", TRAIN, str(path)], check=True, cwd=root, capture_output=True
    )
    return path


@pytest.fixture(scope="module")
def parser(folder: Path) -> Parser:
    import torch

    torch.set_num_threads(1)
    return PARSERS.parse(f"stanza:fr(folder={folder})").open("fr")


def test_trees_and_contractions(parser: Parser) -> None:
    [sentence] = parser.parse(["Le garçon court au marché."], ids=["7"])
    assert sentence.words == ("Le", "garçon", "court", "au", "marché", ".")
    assert sentence.upos == ("DET", "NOUN", "VERB", "ADP", "NOUN", "PUNCT")
    assert facts(sentence) == ("court", {"nsubj": "garçon", "obl": "marché", "punct": "."})
    assert (sentence.scheme, sentence.id, sentence.language) == ("ud", "7", "fr")


def test_every_text_is_spelled(parser: Parser) -> None:
    lines = [
        *texts(),
        " ".join(texts()[:3]),
        "",
        "  Le  chat\u00a0va au parc. ",
        "😀 Le chat .",
        "?!",
    ]
    batch = list(parser.parse(lines))
    for text, sentence in zip(lines, batch, strict=True):
        check(sentence, text)
    assert batch == [next(parser.parse([line])) for line in lines]


def test_several_sentences(parser: Parser) -> None:
    [sentence] = parser.parse([" ".join(texts()[:2])])
    assert sentence.starts == (0, 6)


def test_the_environment_names_the_folder(
    folder: Path, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(folder))
    assert PARSERS.parse("stanza:fr").open("fr").signature == parser.signature
    assert parser.signature.startswith("stanza:fr|package:default|hash:")


def test_a_language_that_stanza_keeps_under_another_code(folder: Path, parser: Parser) -> None:
    other = PARSERS.parse(f"stanza:no(folder={folder})").open("no")
    assert other.signature == parser.signature.replace("stanza:fr", "stanza:no")
    [expected], [found] = parser.parse(["Le garçon court."]), other.parse(["Le garçon court."])
    assert (found.words, found.heads) == (expected.words, expected.heads)


def test_what_is_not_on_disk_is_not_fetched(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(
        HyperbatonError, match=r"there is no Stanza parser of 'de' .*download\('de'\)"
    ):
        PARSERS.parse(f"stanza:de(folder={tmp_path})").open("de")
    (tmp_path / "fr" / "depparse").mkdir(parents=True)
    with pytest.raises(HyperbatonError, match="stanza:fr does not load"):
        list(PARSERS.parse(f"stanza:fr(folder={tmp_path})").open("fr").parse(["a"]))
