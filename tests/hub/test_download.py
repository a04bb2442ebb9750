"""`download=true`: what is fetched is what is read, and the signature names its commit."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from hyperbaton.systems.hf import HuggingFace
from tests.hub.child import SENTENCE, opened
from tests.hub.folders import COMMIT, OTHER, cached, pickled, sharded
from tests.hub.server import hub_server
from tests.systems.models import built

safetensors = pytest.importorskip("safetensors.torch")
FETCH = ("system", "hf:org/marian(download=true)")
LOOK = ("system", "hf:org/marian")


def _other_formats(folder: Path) -> Path:
    for name in ("tf_model.h5", "flax_model.msgpack", "rust_model.ot", "model.fp16.safetensors"):
        (folder / name).write_bytes(b"never fetched")
    return folder


def test_weights_of_main_are_read_though_a_pull_request_offers_others(tmp_path: Path) -> None:
    main = _other_formats(pickled(built("marian"), tmp_path / "main"))
    others = shutil.copytree(built("marian"), tmp_path / "others")
    weights = safetensors.load_file(others / "model.safetensors")
    reversed_rows = {name: value.flip(0).clone() for name, value in weights.items()}
    safetensors.save_file(reversed_rows, others / "model.safetensors", {"format": "pt"})
    with hub_server("org/marian", main, proposed=others) as hub:
        fetched, again = opened([FETCH, LOOK], tmp_path / "home", hub.url)
    translator = HuggingFace(str(built("marian")), device="cpu").open("en", "de")
    expected = [done.text for done in translator.translate([SENTENCE])]
    assert fetched[1] == again[1] == expected
    assert fetched[0] == again[0]
    assert f"model:org/marian@{COMMIT}/pytorch_model.bin" in fetched[0]
    assert again[2] == []
    assert not any("pr/1" in line or "discussions" in line for line in hub.asked)
    sent = {line.rpartition("/")[2] for line in hub.fetched()}
    assert {"config.json", "pytorch_model.bin", "source.spm", "vocab.json"} <= sent
    assert not sent & {path.name for path in main.iterdir() if b"never" in path.read_bytes()}


def test_safetensors_are_fetched_where_there_are_any(tmp_path: Path) -> None:
    main = _other_formats(shutil.copytree(built("marian"), tmp_path / "main"))
    (main / "pytorch_model.bin").write_bytes(b"never fetched")
    with hub_server("org/marian", main) as hub:
        [fetched] = opened([FETCH], tmp_path / "home", hub.url)
    assert f"model:org/marian@{COMMIT}|" in fetched[0]
    sent = {line.rpartition("/")[2] for line in hub.fetched()}
    assert "model.safetensors" in sent
    assert not sent & {path.name for path in main.iterdir() if b"never" in path.read_bytes()}


def test_a_revision_that_is_named_is_the_one_that_is_read(tmp_path: Path) -> None:
    named = ("system", "hf:org/marian(download=true, revision=refs/pr/1)")
    main = pickled(built("trained"), tmp_path / "main")
    with hub_server("org/marian", main, proposed=built("marian")) as hub:
        fetched, main_one = opened([named, LOOK], tmp_path / "home", hub.url)
    assert f"model:org/marian@{OTHER}|" in fetched[0]
    assert main_one[0] == "error"
    assert "revision main of org/marian is not on this machine" in main_one[1]


def test_weights_in_parts_are_fetched_whole(tmp_path: Path) -> None:
    with hub_server("org/marian", sharded(built("marian"), tmp_path / "main")) as hub:
        [fetched] = opened([FETCH], tmp_path / "home", hub.url)
    assert f"model:org/marian@{COMMIT}/pytorch_model.bin" in fetched[0]


def test_a_hub_that_does_not_answer_leaves_what_is_here(tmp_path: Path) -> None:
    home = tmp_path / "home"
    folder = pickled(built("marian"), tmp_path / "main")
    cached(folder, home / "hub", "org/marian")
    (folder / "pytorch_model.bin").unlink()
    cached(folder, home / "hub", "org/part")
    part = ("system", "hf:org/part(download=true)")
    absent = ("system", "hf:org/absent(download=true)")
    with hub_server("org/marian", folder) as hub:
        hub.broken = True
        kept, partly, nothing = opened([FETCH, part, absent], home, hub.url)
        (offline,) = opened([part], home, hub.url, HF_HUB_OFFLINE="1")
    assert f"model:org/marian@{COMMIT}/pytorch_model.bin" in kept[0]
    assert "org/part cannot be loaded: it could not be downloaded" in partly[1]
    assert "org/absent cannot be loaded: it could not be downloaded" in nothing[1]
    assert "it is on this machine without its weights" in offline[1]
    assert "HF_HUB_OFFLINE" in offline[1]


def test_what_the_hub_has_not(tmp_path: Path) -> None:
    folder = tmp_path / "main"
    folder.mkdir()
    (folder / "README.md").write_text("nothing else")
    (folder / "config.json").write_text("{}")
    (folder / "tf_model.h5").write_text("no weights for torch")
    names = ["org/other(download=true)", "org/marian(download=true, revision=v9)"]
    with hub_server("org/marian", folder) as hub:
        models = [("system", f"hf:{name}") for name in names] + [FETCH]
        other, revision, weights = opened(models, tmp_path / "home", hub.url)
        (folder / "config.json").unlink()
        (nothing,) = opened([FETCH], tmp_path / "home", hub.url)
    assert "the hub has no model org/other" in other[1]
    assert "the hub has no revision v9 of org/marian" in revision[1]
    assert "the hub has no weights of org/marian that can be read" in weights[1]
    assert "tf_model.h5" in weights[1]
    assert "the hub has no model under org/marian" in nothing[1]
    assert hub.fetched() == set()


def test_code_is_fetched_and_run_only_where_it_is_trusted(tmp_path: Path) -> None:
    main, trace = pickled(built("marian"), tmp_path / "main"), tmp_path / "ran"
    settings = json.loads((main / "config.json").read_text())
    settings["auto_map"] = {"AutoModelForSeq2SeqLM": "own.OwnModel"}
    (main / "config.json").write_text(json.dumps(settings))
    (main / "own.py").write_text(
        "from transformers import MarianMTModel\n"
        f"open({str(trace)!r}, 'w').close()\n"
        "class OwnModel(MarianMTModel):\n    pass\n"
    )
    with hub_server("org/marian", main) as hub:
        [fetched] = opened([FETCH], tmp_path / "home", hub.url)
        assert not any("own.py" in line for line in hub.asked)
        assert not trace.exists()
        trusted = ("system", "hf:org/marian(download=true, remote_code=true)")
        known = ("system", "hf:org/marian(remote_code=true)")
        ran, again = opened([trusted, known], tmp_path / "home", hub.url)
    assert trace.exists()
    assert ran[1] == again[1] == fetched[1]
    assert again[2] == []
