"""`timeout` is a limit on the whole exchange with a server, whatever the server does."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
from itertools import repeat
from pathlib import Path

import pytest

from hyperbaton.systems.chat.http import _certificates
from hyperbaton.systems.chat.openai import OpenAI
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.system import Translation
from tests.systems.chat_server import chat_server
from tests.systems.dribbling import SLOW, Slow, slow_server

BOUND = 300.0
"""Seconds that prove nothing but that there is an end."""
TIMEOUT = 0.4


def translated(url: str, text: str = "a red house", timeout: float = TIMEOUT) -> Translation:
    """What comes of one text, sent once."""
    found: list[Translation] = []
    translator = OpenAI(f"m@{url}", timeout=timeout, retries=0).open("en", "de")
    thread = threading.Thread(
        target=lambda: found.extend(translate_all(translator, [text])), daemon=True
    )
    thread.start()
    thread.join(BOUND)
    assert found, f"no end after {BOUND:g} s"
    return found[0]


@pytest.mark.parametrize("name", SLOW)
def test_no_place_of_a_reply_can_keep_a_request_waiting(name: str) -> None:
    slow = SLOW[name]
    text = "a red house" if slow.reads else "house " * 3_000_000
    with slow_server(slow) as server:
        answer = translated(server.url, text)
    assert answer.text is None
    # On a machine that is busy, time may be up before the status has come.
    assert slow.fault in answer.fault or f"answer within {TIMEOUT} s" in answer.fault


def test_encryption_and_a_proxy_cannot_either(monkeypatch: pytest.MonkeyPatch) -> None:
    with slow_server(Slow(lambda: repeat(b""), reads=False)) as server:
        encrypted = server.url.replace("http:", "https:")
        assert f"no answer within {TIMEOUT} s" in translated(encrypted).fault
    with slow_server(Slow(SLOW["header"].pieces)) as server:
        monkeypatch.setenv("https_proxy", server.url.removesuffix("/v1"))
        monkeypatch.delenv("no_proxy", raising=False)
        assert f"no answer within {TIMEOUT} s" in translated("https://models.example/v1").fault
        assert server.connections == 1


@pytest.mark.parametrize(("secret", "key"), [("", None), ("me:a%20word@", "Basic bWU6YSB3b3Jk")])
def test_a_proxy_of_the_environment_is_used_but_not_for_this_machine(
    monkeypatch: pytest.MonkeyPatch, secret: str, key: str | None
) -> None:
    with chat_server() as proxy, chat_server() as here:
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.setenv(
            "http_proxy", proxy.url.replace("127", f"{secret}127").removesuffix("/v1")
        )
        assert translated("http://models.example:8000/v1", timeout=30) == Translation("A RED HOUSE")
        (seen,) = proxy.seen
        assert seen.proxy_key == key
        assert seen.path == "http://models.example:8000/v1/chat/completions"
        for url in (here.url, here.url.replace("127.0.0.1", "localhost")):
            assert translated(url, timeout=30) == Translation("A RED HOUSE")
        assert (len(proxy.seen), len(here.seen)) == (1, 2)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl")
def test_an_encrypted_answer_and_a_certificate_that_nobody_signed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = (
        "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=x -addext subjectAltName=IP:127.0.0.1"
    )
    files = ["-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "certificate")]
    subprocess.run(["openssl", *request.split(), *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "certificate", tmp_path / "key")
    with chat_server(context) as server:
        assert "CERTIFICATE_VERIFY_FAILED" in translated(server.url, timeout=30).fault
        assert not server.seen
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "certificate"))
        _certificates.cache_clear()
        assert translated(server.url, timeout=30) == Translation("A RED HOUSE")
    _certificates.cache_clear()
