"""The UDPipe adapter on a real model, trained here on a treebank of two dozen sentences."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.parsing.parser import PARSERS, Parser
from tests.parsing.treebank import texts
from tests.parsing.trees import check, facts

udpipe = pytest.importorskip("ufal.udpipe")

TRAIN = """
import sys
from ufal.udpipe import InputFormat, ProcessingError, Sentence, Sentences, Trainer
from tests.parsing.treebank import conllu
error, data, sentence = ProcessingError(), Sentences(), Sentence()
reader = InputFormat.newInputFormat("conllu")
reader.setText(conllu())
while reader.nextSentence(sentence, error):
    data.append(sentence)
    sentence = Sentence()
model = Trainer.train(
    "morphodita_parsito", data, Sentences(),
    "dimension=16;epochs=2;batch_size=4;segment_size=20;learning_rate=0.02;tokenize_url=0",
    "models=1;templates_1=tagger;iterations_1=5;guesser_suffix_rules_1=6",
    "iterations=5;embedding_upostag=4;embedding_feats=0;embedding_form=8;embedding_deprel=4;"
    "hidden_layer=20;transition_system=projective;transition_oracle=dynamic;use_gold_tags=1",
    error,
)
assert not error.occurred(), error.message
open(sys.argv[1], "wb").write(model)
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Trained in a process of its own, since UDPipe reports on the standard streams."""
    path = tmp_path_factory.mktemp("udpipe") / "french-tiny.udpipe"
    root = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-c", TRAIN, str(path)], check=True, cwd=root, capture_output=True
    )
    return path


@pytest.fixture(scope="module")
def parser(model: Path) -> Parser:
    return PARSERS.parse(f"udpipe:{model}").open("fr")


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
    for text, sentence in zip(lines, parser.parse(lines), strict=True):
        check(sentence, text)
    assert list(parser.parse(lines)) == [next(parser.parse([line])) for line in lines]


def test_several_sentences(parser: Parser) -> None:
    [sentence] = parser.parse([" ".join(texts()[:2])])
    assert sentence.starts == (0, 6)


def test_signature_and_faults(parser: Parser, tmp_path: Path) -> None:
    assert parser.signature.startswith("udpipe:french-tiny.udpipe|hash:")
    wrong = tmp_path / "wrong.udpipe"
    wrong.write_bytes(b"nothing of the kind")
    with pytest.raises(HyperbatonError, match="is not a UDPipe model"):
        list(PARSERS.parse(f"udpipe:{wrong}").open("fr").parse(["a"]))
