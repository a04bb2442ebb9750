"""A model in the hub's cache is read from there, whatever its format, and nobody is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.detectors.pair_models import classifier, encoder
from tests.hub.child import opened
from tests.hub.folders import COMMIT, cached, pickled, sharded
from tests.hub.server import hub_server
from tests.systems.models import built


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with models that have no safetensors."""
    place = tmp_path_factory.mktemp("home")
    cached(pickled(built("marian"), place / "marian"), place / "hub", "org/marian")
    cached(sharded(built("marian"), place / "cut"), place / "hub", "org/cut")
    cached(pickled(built("marian"), place / "old", legacy=True), place / "hub", "org/old")
    cached(pickled(encoder("bert"), place / "bert"), place / "hub", "org/bert")
    cached(pickled(classifier("bert"), place / "pairs"), place / "hub", "org/pairs")
    return place


def test_nobody_is_asked_and_the_weights_are_those_of_the_cache(home: Path) -> None:
    folders = [("system", f"hf:{built('marian')}"), ("encoder", f"hf:{encoder('bert')}")]
    folders += [("metric", f"BERTScore(model={encoder('bert')}, layer=2)")]
    folders += [("detector", f"hf-pair:{classifier('bert')}")]
    names = [("system", "hf:org/marian"), ("encoder", "hf:org/bert")]
    names += [("metric", "BERTScore(model=org/bert, layer=2)"), ("detector", "hf-pair:org/pairs")]
    names += [("system", "hf:org/cut"), ("system", "hf:org/old")]
    with hub_server("org/marian", home / "marian", proposed=built("marian")) as hub:
        answers = opened(folders + names, home, hub.url)
    assert hub.asked == []
    assert [calls for _, _, calls in answers] == [[]] * len(answers)
    expected, found = answers[: len(folders)], answers[len(folders) :]
    assert [answer for _, answer, _ in found[:4]] == [answer for _, answer, _ in expected]
    assert [answer for _, answer, _ in found[4:]] == [expected[0][1]] * 2
    for signature, _, _ in found:
        assert COMMIT[:12] in signature
        assert "pytorch_model.bin" in signature


def test_what_is_here_in_part_is_not_called_absent(home: Path) -> None:
    part = home / "part"
    pickled(built("marian"), part)
    (part / "pytorch_model.bin").unlink()
    cached(part, home / "hub", "org/part")
    models = [
        ("system", "hf:org/part"),
        ("system", "hf:org/marian(revision=v2)"),
        ("system", "hf:org/nothing"),
        ("encoder", "hf:org/part"),
        ("metric", "BERTScore(model=org/part, layer=1)"),
    ]
    with hub_server("org/part", part) as hub:
        answers = opened(models, home, hub.url)
    assert hub.asked == []
    said = [message for _, message, _ in answers]
    for message in (said[0], said[3], said[4]):
        assert "org/part is on this machine without its weights" in message
        assert "download=true" in message
        assert "not on this machine" not in message
    assert "revision v2 of org/marian is not on this machine" in said[1]
    assert "it is not on this machine" in said[2]
