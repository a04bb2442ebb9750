"""The key stays in memory: no stream, folder or store holds it, whatever a server replies."""

from __future__ import annotations

import base64
import os
import subprocess
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.keys import Mask
from hyperbaton.systems.chat.openai import OpenAI
from hyperbaton.systems.system import SYSTEMS
from tests.cli.command import command
from tests.systems.chat_server import chat_server
from tests.systems.hostile import HOSTILE

KEY = "sk-Zq83HfmW0pXcT5vbLr29"
PARTS = [KEY[at : at + 8].lower() for at in range(len(KEY) - 7)]


def leaks(data: bytes) -> list[str]:
    """The parts of the key, of eight characters, that stand in some bytes."""
    low = data.decode(errors="replace").lower()
    return [part for part in PARTS if part in low]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_search_for_the_key_finds_nothing(
    tmp_path: Path,
    name: str,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from hyperbaton.cli.main import main

    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    (tmp_path / "in.txt").write_text("a text\nanother\n")
    with chat_server() as server:
        server.faults["another"] = [f"hostile {name}!"]
        spec = f"openai:m@{server.url}(retries=1, backoff=0.01, timeout=10, key_env=OPENAI_API_KEY)"
        code = main(
            [
                *("translate", "--system", spec, "-l", "en-de", "--format", "jsonl"),
                *("--cache", str(tmp_path / "store"), "-o", str(tmp_path / "out.jsonl")),
                str(tmp_path / "in.txt"),
            ]
        )
    streams = capfd.readouterr()
    assert code in (1, 2)
    assert "Traceback" not in streams.err
    assert "\x1b" not in streams.err
    found = {"streams": (streams.out + streams.err).encode(), **everything(tmp_path)}
    assert {place: parts for place, data in found.items() if (parts := leaks(data))} == {}
    assert server.seen[0].key == f"Bearer {KEY}"


def test_a_study_keeps_the_key_out_of_its_parts(tmp_path: Path) -> None:
    with chat_server() as server:
        server.faults["*"] = ["hostile no-choices!"]
        spec = f"openai:m@{server.url}(retries=0, backoff=0.01, key_env=OPENAI_API_KEY)"
        (tmp_path / "s.en").write_text("A red house.\nTwo small cats.\n")
        (tmp_path / "r.de").write_text("Ein rotes Haus.\nZwei kleine Katzen.\n")
        done = subprocess.run(
            command(
                *("wordorder", "-s", "s.en", "-r", "r.de", "-l", "en-de", "--system", spec),
                *("--out", "run", "--with", "wordShuffle"),
                *("--parser", "en=plain", "--parser", "de=plain", "--workers", "0"),
            ),
            cwd=tmp_path,
            env={**os.environ, "OPENAI_API_KEY": KEY, "HYPERBATON_CACHE": str(tmp_path / "cache")},
            capture_output=True,
        )
    assert b"Traceback" not in done.stderr
    assert (tmp_path / "run").is_dir(), done.stderr
    found = {"streams": done.stdout + done.stderr, **everything(tmp_path)}
    assert {place: parts for place, data in found.items() if (parts := leaks(data))} == {}


@pytest.mark.parametrize(
    "address",
    [
        f"http://localhost:1/v1?api_key={KEY}",
        f"http://localhost:1/v1?api-version=2&key={KEY}",
        f"http://localhost:1/v1#{KEY}",
        f"http://user:{KEY}@localhost:1/v1",
        f"http://{KEY}@localhost:1/v1",
        f"http://localhost:{KEY}/v1",
        f"http://[{KEY}/v1",
    ],
)
def test_keys_in_addresses_are_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(HyperbatonError) as caught:
        SYSTEMS.parse(f"openai:m@{address}")
    assert leaks(str(caught.value).encode()) == []


def test_the_key_as_a_part_of_the_path_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    spec = OpenAI(f"m@http://localhost:1/{KEY}/v1", key_env="OPENAI_API_KEY")
    translator = spec.open("en", "de")
    with pytest.raises(HyperbatonError, match="the address contains the key") as caught:
        translator.translate(["a"])
    assert leaks(str(caught.value).encode()) == []


def test_a_key_in_place_of_the_name_of_its_variable() -> None:
    with pytest.raises(HyperbatonError, match="not the key itself") as caught:
        OpenAI("m@http://localhost:1/v1", key_env=KEY)
    assert leaks(str(caught.value).encode()) == []


@pytest.mark.parametrize("key", ["", "x", "abc"])
def test_a_placeholder_hides_nothing(key: str) -> None:
    assert Mask(key).hide("abc, an example") == "abc, an example"


def test_a_mask_hides_parts_in_any_case_and_nothing_else() -> None:
    assert Mask(KEY).hide(f"İ {KEY.upper()} and {KEY[3:11]}, not sk-Zq") == "İ … and …, not sk-Zq"
    plain = base64.b64encode(os.urandom(30)).decode()
    assert Mask(KEY).hide(f"no key here: {plain}") == f"no key here: {plain}"
    assert not Mask("dummy").is_in("a dummy in the window")


def test_a_mask_finds_the_key_in_megabytes_at_once() -> None:
    large = "ab İ" * 2_000_000
    assert not Mask(KEY).is_in(large)
    assert Mask(KEY).is_in(large + KEY[4:16].upper())
    assert not Mask(KEY).is_in(large + KEY[4:15])
