"""A key goes to the server it is for, and over a line that nobody reads, or nowhere."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.keys import Keys, read_keys
from hyperbaton.systems.chat.openai import OpenAI, _key_names
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import SYSTEMS, Translation
from tests.systems.chat_server import ChatServer, chat_server

KEY = "sk-a-very-secret-key"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A server, with a key for OpenAI's own in the environment."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("no_proxy", raising=False)
    with chat_server() as state:
        yield state


def _translate(url: str, **options: object) -> list[Translation]:
    system = OpenAI(f"m@{url}", retries=0, **options)  # type: ignore[arg-type]
    return translate_all(system.open("en", "de"), ["a"])


@pytest.mark.parametrize(
    "url",
    [
        "https://api.openai.com/v1",
        "https://API.OpenAI.com/v1",
        "https://api.openai.com:443/v1",
        "https://eu.api.openai.com/v1",
    ],
)
def test_openai_gets_its_key_without_a_word(server: ChatServer, url: str) -> None:
    assert read_keys(_key_names("", url), url) == Keys(("OPENAI_API_KEY",), (KEY,))


@pytest.mark.parametrize(
    "url",
    [
        "https://openrouter.ai/api/v1",
        "https://api.openai.com.example/v1",
        "https://notapi.openai.com/v1",
        "https://example.com/api.openai.com/v1",
        "https://openai.com/v1",
        "https://models.openai.azure.com/v1",
        "http://localhost:8000/v1",
        "http://models.example:8000/v1",
    ],
)
def test_no_other_server_does(server: ChatServer, url: str) -> None:
    assert _key_names("", url) == ()


def test_a_server_of_ones_own_sees_the_key_only_where_the_spec_names_it(
    server: ChatServer,
) -> None:
    _translate(server.url)
    _translate(server.url.replace("127.0.0.1", "localhost"))
    assert [seen.key for seen in server.seen] == [None, None]
    _translate(server.url, key_env="OPENAI_API_KEY")
    assert server.seen[-1].key == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("url", "options"),
    [
        ("http://models.example/v1", {"key_env": "OPENAI_API_KEY"}),
        ("http://127.0.0.1.example/v1", {"key_env": "OPENAI_API_KEY"}),
        ("http://192.168.1.7:8000/v1", {"key_env": "OPENAI_API_KEY"}),
        ("http://0.0.0.0:8000/v1", {"key_env": "OPENAI_API_KEY"}),
        ("http://api.openai.com/v1", {}),
    ],
)
def test_no_key_goes_unencrypted_to_another_machine(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch, url: str, options: dict[str, str]
) -> None:
    monkeypatch.setenv("http_proxy", server.url)  # which would see whatever is sent
    with pytest.raises(HyperbatonError, match="not sent over plain http: write https://") as caught:
        _translate(url, **options)
    assert KEY not in str(caught.value)
    assert not server.seen


def test_without_a_key_plain_http_may_go_anywhere(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", server.url.removesuffix("/v1"))
    assert _translate("http://models.example/v1") == [Translation("A")]
    assert server.seen[0].key is None


def test_a_key_for_this_machine_does_not_go_through_a_proxy(
    server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chat_server() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1"))
        for host in ("127.0.0.1", "localhost"):
            url = server.url.replace("127.0.0.1", host)
            assert _translate(url, key_env="OPENAI_API_KEY") == [Translation("A")]
        _translate("http://127.9.9.9:9/v1", key_env="OPENAI_API_KEY")
        assert not proxy.seen


def test_a_server_that_asks_for_a_key_gets_a_sentence_and_no_key(server: ChatServer) -> None:
    server.faults["a"] = ["401"]
    with pytest.raises(HyperbatonError, match=r"401: not now; no key was sent: .*key_env=NAME"):
        _translate(server.url)
    assert server.seen[0].key is None


@pytest.mark.parametrize(
    "endpoint",
    [
        "m@https://api.openai.com@models.example/v1",
        "m@https://api.openai.com\\@models.example/v1",
        "m@https://models.example\\.api.openai.com/v1",
        "m@https://models.example\t.api.openai.com/v1",
        "m@https://models.example /.api.openai.com/v1",
        "m@https:///v1",
    ],
)
def test_addresses_that_two_readers_could_read_differently_are_refused(endpoint: str) -> None:
    with pytest.raises(HyperbatonError, match="the address of m"):
        OpenAI(endpoint)


def test_a_named_key_is_printed_with_the_spec() -> None:
    text = "openai:m@https://h/v1(key_env=OPENAI_API_KEY)"
    assert str(SYSTEMS.parse(text)) == text
    assert str(SYSTEMS.parse("openai:gpt-4o")) == "openai:gpt-4o"
