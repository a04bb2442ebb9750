"""What the page may ask: mistakes are one sentence, and nothing is done with them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hyperbaton.corpus.conllu import read_conllu
from hyperbaton.perturb.groups import WORDORDER
from hyperbaton.play.sentences import LONGEST, surprise
from tests.play.conftest import TOKEN, Serve
from tests.play.test_guard import request

GOOD = {
    "page": "a",
    "number": 1,
    "systems": ["gloss"],
    "pair": "en-de",
    "text": "The old dog sleeps well.",
}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"text": ""}, "There is no sentence"),
        ({"text": 3}, "the sentence is not a text"),
        ({"text": "\ud800"}, "half a character"),
        ({"text": "x" * (LONGEST + 1)}, "5,001 characters"),
        ({"reference": "x" * (LONGEST + 1)}, "The reference has 5,001 characters"),
        ({"pair": "english"}, "is not a language pair"),
        ({"pair": "../x-de"}, "is not a language code"),
        ({"pair": None}, "the languages are missing"),
        ({"page": "A B"}, "the page has no name"),
        ({"number": True}, "number is a whole number"),
        ({"systems": "gloss"}, "systems is a list"),
        ({"systems": ["cmd:touch /tmp/owned"]}, "was not named when the page was started"),
        ({"variant": []}, "a variant is an object"),
        ({"variant": {"order": [0, 0, 1]}}, "its order is not one of 6 words"),
        ({"variant": {"order": ["0"]}}, "an order is a list of whole numbers"),
        ({"variant": {"order": [True, 0]}}, "an order is a list of whole numbers"),
        (
            {"variant": {"name": "FullShuffle(tokenizer=/etc/passwd)"}},
            "the page does not offer: FullShuffle",
        ),
        ({"variant": {"name": "reversed", "draw": -1}}, "a draw is a whole number"),
        ({"variant": {"text": " "}}, "The field is empty"),
        ({"variant": {"text": "x" * (LONGEST + 1)}}, "The variant has 5,001"),
    ],
)
def test_a_mistake_is_one_sentence(serve: Serve, wrong: dict[str, object], said: str) -> None:
    status, _, text = request(serve(), f"/{TOKEN}/api/ask", body={**GOOD, **wrong})
    assert status == 400
    assert said in text
    assert "Traceback" not in text


def test_a_mistake_has_a_key_by_which_the_page_says_it_in_its_language(serve: Serve) -> None:
    served = serve()
    wrong = {**GOOD, "text": "x" * (LONGEST + 1)}
    status, headers, text = request(served, f"/{TOKEN}/api/sentence", body=wrong)
    assert (status, headers["content-type"]) == (400, "application/json")
    said = "The sentence has 5,001 characters and the page takes 5,000: shorten it."
    values = {"size": 5001, "most": 5000}
    assert json.loads(text) == {"said": said, "key": "wrong_long_sentence", "values": values}
    status, _, text = request(served, f"/{TOKEN}/api/sentence", body={**GOOD, "pair": "english"})
    assert set(json.loads(text)) == {"said"}, "other rooms speak English only"


def test_answers_come_as_lines(serve: Serve) -> None:
    asked = {**GOOD, "reference": "Der alte Hund schläft gut.", "variant": {"name": "reversed"}}
    status, headers, text = request(serve(), f"/{TOKEN}/api/ask", body=asked)
    assert (status, headers["content-type"]) == (200, "application/x-ndjson")
    running, answer = map(json.loads, text.splitlines())
    assert running == {"system": "gloss", "state": "running"}
    assert answer["outcome"] == "carried"
    assert answer["source"] == {
        "text": "well sleeps dog old The.",
        "words": ["The", "old", "dog", "sleeps", "well", "."],
        "order": [4, 3, 2, 1, 0, 5],
    }
    scores = answer["scores"]
    assert set(scores) == {"beta1", "beta2", "beta2_projected"}
    assert scores["beta2"] > scores["beta1"]


def test_moved_by_hand_there_is_no_reference_that_moved_alike(serve: Serve) -> None:
    moved = {"reference": "Der alte Hund schläft gut.", "variant": {"order": [2, 0, 1, 3, 4, 5]}}
    text = request(serve(), f"/{TOKEN}/api/ask", body={**GOOD, **moved})[2]
    scores = json.loads(text.splitlines()[-1])["scores"]
    assert scores["beta2"] is None
    assert all(0 < scores[name] < 1 for name in ("beta1", "beta2_projected"))


def test_the_perturbations_of_the_study_and_every_shipped_sentence_are_offered(
    serve: Serve,
) -> None:
    served = serve()
    groups = json.loads(request(served, f"/{TOKEN}/api/start", body={})[2])["groups"]
    assert set(WORDORDER) < set(groups["words"])
    assert len(WORDORDER) == 16
    assert set(groups) == {"words", "characters", "errors", "surface"}
    texts = {surprise("en", "de", number).source_text for number in range(200)}
    assert len(texts) == 200


def test_an_example_is_saved_as_files_that_other_commands_read(
    serve: Serve, tmp_path: Path
) -> None:
    served = serve()
    asked = {
        **GOOD,
        "reference": "Der alte Hund schläft gut.",
        "variant": {"order": [2, 0, 1, 3, 4, 5]},
    }
    texts = {}
    for form in ("conllu", "tsv"):
        status, _, text = request(served, f"/{TOKEN}/api/example", body={**asked, "format": form})
        assert status == 200
        texts[form] = json.loads(text)["text"]
    path = tmp_path / "example.conllu"
    path.write_text(texts["conllu"], encoding="utf-8")
    (item,) = read_conllu(path, "en")
    assert item.source_text == "The old dog sleeps well."
    assert "# varied = dog The old sleeps well." in texts["conllu"]
    head, row = texts["tsv"].splitlines()
    assert head.split("\t") == ["source", "varied", "reference"]
    assert row.split("\t")[1] == "dog The old sleeps well."
    assert request(served, f"/{TOKEN}/api/example", body={**asked, "format": "exe"})[0] == 400


def test_a_surprise_has_its_translation_and_its_tree(serve: Serve) -> None:
    served = serve()
    asked = {"pair": "en-ja", "number": 12}
    found = json.loads(request(served, f"/{TOKEN}/api/surprise", body=asked)[2])
    assert found["reference"]
    body = {"pair": "en-ja", "text": found["text"]}
    sentence = json.loads(request(served, f"/{TOKEN}/api/sentence", body=body)[2])
    assert len(sentence["heads"]) == len(sentence["words"])
    assert sentence["note"] == ""
    assert "reversed" in sentence["variants"]
    assert request(served, f"/{TOKEN}/api/surprise", body={"pair": "en-tlh", "number": 1})[0] == 400
