"""`openai:MODEL@URL`: any server that speaks the OpenAI protocol (vLLM, Ollama, the paid ones)."""

from __future__ import annotations

import os
import re
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from hashlib import blake2b
from queue import Empty, SimpleQueue
from typing import ClassVar
from urllib.parse import urlsplit

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.client import ChatClient, Refused, Stopped
from hyperbaton.systems.chat.http import is_loopback
from hyperbaton.systems.chat.prompts import answer, messages
from hyperbaton.systems.chat.replies import ending
from hyperbaton.systems.system import (
    Before,
    Mode,
    System,
    Translation,
    Translator,
    check_ranges,
    signature,
)

_PAID = "https://api.openai.com/v1"
_KEY = "OPENAI_API_KEY"
_OPENAI = ".api.openai.com"
_RANGES = {
    "concurrency": (1, 1024),
    "timeout": (0.001, 86_400),
    "retries": (0, 1000),
    "backoff": (0, 3600),
    "max_tokens": (1, 1 << 24),
}
_ROUNDS = 16
"""Texts handed over at once, for each connection."""
LAST = 30.0
"""Seconds that requests under way have once the job is to end: they may have been paid for."""
_GLANCE = 0.5
"""Seconds without an answer after which it is asked whether to go on."""

Waiting = SimpleQueue[tuple[int, str]]
Done = SimpleQueue[tuple[int, Translation] | Exception | None]
"""Answers with their positions, what ends the job, and None for each connection that is through."""


@dataclass(frozen=True)
class OpenAI(System):
    """A chat model behind an OpenAI-compatible server: `openai:MODEL@http://localhost:8000/v1`."""

    name: ClassVar[str] = "openai"
    positional: ClassVar[str | None] = "endpoint"
    renamed: ClassVar[Mapping[str, str]] = {"behaviour": "mode"}
    paid: ClassVar[bool] = True

    endpoint: str
    """MODEL@URL; a model alone is one of OpenAI's own."""
    mode: Mode = "plain"
    concurrency: int = 8
    """Requests under way at once."""
    timeout: float = 120.0
    """Seconds for one request, from the connection to the last byte of the reply."""
    retries: int = 5
    """How often a text is sent again after a passing fault."""
    backoff: float = 1.0
    """Seconds before the first repetition, doubled for each further one."""
    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int | None = 1024
    key_env: str = ""
    """The environment variable that holds the key; OPENAI_API_KEY for OpenAI's own servers, and for
    others none unless it is named."""

    def __post_init__(self) -> None:
        # First of all, so that an address with a key in it is never printed.
        _parts(self.endpoint)
        if not re.fullmatch(r"([A-Za-z_]\w*)?", self.key_env, re.ASCII):
            raise HyperbatonError(
                "key_env must be the name of an environment variable that holds the key, "
                "not the key itself"
            )
        check_ranges(self, _RANGES)

    def open(self, source: str, target: str) -> Translator:
        """Nothing is sent and no key is needed before the first text."""
        return _OpenAITranslator(self, (source, target))


class _OpenAITranslator(Translator):
    chunk = _ROUNDS

    def __init__(self, system: OpenAI, pair: tuple[str, str]) -> None:
        self._system = system
        self._pair = pair
        self._model, self._url = _parts(system.endpoint)
        self._decoding = {
            "temperature": system.temperature,
            "seed": system.seed,
            "max_tokens": system.max_tokens,
        }
        source, target = pair
        prompt = str(messages("", source, target, system.mode))
        self.signature = signature(
            f"openai:{self._model}@{self._url}",
            source,
            target,
            behaviour=system.mode,  # its old name, under which answers are stored
            prompt=blake2b(prompt.encode(), digest_size=4).hexdigest(),
            **self._decoding,
        )
        self.batch_tokens = system.concurrency
        self._before: Before = lambda texts: None

    def asking(self, before: Before) -> Translator:
        made = copy(self)
        made._before = before
        return made

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        answers = dict(self.stream(texts))
        return [answers[position] for position in range(len(texts))]

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """The answers as they arrive, of as many requests at once as the user allows."""
        client = self._client()
        waiting: Waiting = SimpleQueue()
        done: Done = SimpleQueue()
        for task in enumerate(texts):
            waiting.put(task)
        running = min(self._system.concurrency, len(texts))
        for _ in range(running):
            # A thread that waits for a server must not keep the program from ending.
            threading.Thread(target=self._serve, args=(client, waiting, done), daemon=True).start()
        end: Exception | None = None
        until = float("inf")
        try:
            while running and time.monotonic() < until:
                try:
                    result = done.get(timeout=_GLANCE)
                except Empty:
                    try:
                        self._before(())
                    except Exception as error:
                        result = error
                    else:
                        continue
                if isinstance(result, tuple):
                    yield result
                elif result is None:
                    running -= 1
                elif end is None:
                    end, until = result, time.monotonic() + LAST
                    client.stop.set()
            if end is not None:
                raise end
        finally:
            client.stop.set()

    def _serve(self, client: ChatClient, waiting: Waiting, done: Done) -> None:
        """Ask for one text after the other, until there is none or the job ends."""
        try:
            while not client.stop.is_set():
                position, text = waiting.get_nowait()
                done.put((position, self._ask(client, text)))
        except (Empty, Stopped):
            pass
        except Exception as error:
            done.put(error)
        finally:
            done.put(None)

    def _ask(self, client: ChatClient, text: str) -> Translation:
        try:
            asked = messages(text, *self._pair, self._system.mode)
            reply = client.ask(asked, sending=lambda: self._before([text]))
        except Refused as refusal:
            return Translation(None, str(refusal))
        if client.mask.is_in(reply.content):
            return Translation(None, "the answer repeats the key, so it is not stored")
        details = [client.clean(f"finish_reason: {reply.finish_reason or 'not given'}")]
        fault = ending(reply.finish_reason)
        if reply.finish_reason == "length":
            details.insert(0, f"max_tokens={self._system.max_tokens}")
        elif not fault and not reply.content.strip():
            fault = "the answer is empty"
            if reply.thoughts:
                details.insert(0, "the model wrote thoughts only")
        if fault:
            return Translation(None, f"{fault} ({'; '.join(details)})")
        return answer(reply.content, text)

    def _client(self) -> ChatClient:
        asked = {"model": self._model, **self._decoding}
        variable, key = _key(self._system.key_env, self._url)
        return ChatClient(
            url=f"{self._url}/chat/completions",
            body={name: value for name, value in asked.items() if value is not None},
            key=key,
            key_env=variable,
            timeout=self._system.timeout,
            retries=self._system.retries,
            backoff=self._system.backoff,
        )


def _parts(endpoint: str) -> tuple[str, str]:
    """The model and the address of `MODEL@URL`, as far as `/v1`.

    >>> _parts("qwen3:8b@http://localhost:11434")
    ('qwen3:8b', 'http://localhost:11434/v1')
    """
    match = re.fullmatch(r"(?P<model>.+?)@(?P<url>https?://.+)", endpoint)
    if match is None:
        tail = endpoint.rpartition("@")[2]
        if "@" in endpoint and (":" in tail or "localhost" in tail or "://" in endpoint):
            raise HyperbatonError(
                f"'openai:{endpoint}': write it as openai:MODEL@http://HOST:PORT/v1"
            )
        return endpoint, _PAID
    url = match["url"].rstrip("/").removesuffix("/chat/completions")
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - reading it is what checks it
    except ValueError:
        raise HyperbatonError(f"the address of {match['model']} is not a URL") from None
    if not parts.hostname or re.search(r"[\s\\]|[^\x20-\U0010ffff]", url):
        raise HyperbatonError(f"the address of {match['model']} is not a URL")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise HyperbatonError(
            f"the address of {match['model']} holds a password or something after '?' or '#': "
            f"write http://HOST:PORT/v1, and name the variable that holds the key with key_env"
        )
    return match["model"], url if parts.path else f"{url}/v1"


def _key(named: str, url: str) -> tuple[str, str]:
    """The variable and the key in it that this server is to see; both empty for no key."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    variable = named or (_KEY if f".{host}".endswith(_OPENAI) else "")
    if not variable:
        return "", ""
    if parts.scheme == "http" and not is_loopback(host):
        raise HyperbatonError(
            f"{url}: the key in {variable} is not sent over plain http: write https://, or leave "
            "key_env out where the server needs no key"
        )
    key = os.environ.get(variable, "").strip()
    if not key:
        raise HyperbatonError(f"the key for {url} is missing: put it into the variable {variable}")
    if not key.isascii() or not key.isprintable():
        raise HyperbatonError(f"the key in {variable} contains characters that no key has")
    if len(key) >= 8 and key in url:
        raise HyperbatonError(f"the address contains the key in {variable}: remove it")
    return variable, key
