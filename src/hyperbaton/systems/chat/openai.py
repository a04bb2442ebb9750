"""`openai:MODEL@URL`: any server that speaks the OpenAI protocol (vLLM, Ollama, the paid ones)."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar, Literal
from urllib.parse import urlsplit

from hyperbaton.base.content import parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.client import Client, ParametersRefused
from hyperbaton.systems.chat.crew import Crew
from hyperbaton.systems.chat.keys import read_keys
from hyperbaton.systems.chat.prompts import answer, gemma_messages, messages
from hyperbaton.systems.chat.replies import Reply, ending, read_reply
from hyperbaton.systems.system import (
    Mode,
    OtherTerms,
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
_OWN = ("model", "messages", "stream", "n")
"""What a request says of itself, which `extra` cannot change."""
_YIELDING = frozenset({"temperature", "seed", "max_tokens", "max_completion_tokens"})
"""What is sent though nobody asked for it: a server that refuses it is asked without."""
_THOUGHT = "the model spent them on its thoughts: raise max_tokens, or write effort=none"

Terms = Mapping[str, str | None]
"""Parameters that a server refuses, each with the name that it wants, None for none."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpenAI(System):
    """A chat model behind an OpenAI-compatible server: `openai:MODEL@http://localhost:8000/v1`."""

    name: ClassVar[str] = "openai"
    positional: ClassVar[str | None] = "endpoint"
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
    effort: str = ""
    """How long a thinking model thinks: none, minimal, low, medium, high; empty for its default."""
    extra: str = ""
    """Further parameters of the request, as JSON: extra={"top_p": 0.9}."""
    dialect: Literal["chat", "translategemma"] = "chat"
    """How a text is sent: with an instruction, or as TranslateGemma's own template wants it."""
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
        if clash := {*_OWN} & {*self.further}:
            raise HyperbatonError(f"'{self}': extra cannot hold '{min(clash)}': leave it out")
        if self.dialect != "chat" and self.mode != "plain":
            raise HyperbatonError(f"'{self}': TranslateGemma takes no instruction: leave mode out")

    @property
    def further(self) -> dict[str, object]:
        """The content of `extra`."""
        return parse_object(self.extra, f"'{self}': extra") if self.extra else {}

    def open(self, source: str, target: str) -> Translator:
        """Nothing is sent and no key is needed before the first text."""
        return _OpenAITranslator(self, (source, target))


class _OpenAITranslator(Crew):
    negotiable = True

    def __init__(self, system: OpenAI, pair: tuple[str, str]) -> None:
        self._system = system
        self._pair = pair
        self.model, self.url = _parts(system.endpoint)
        self.concurrency = self.batch_tokens = system.concurrency
        self._terms: Terms = {}
        self._sign()

    def _sign(self) -> None:
        source, target = self._pair
        decoding = self._decoding()
        extra = {name: decoding.pop(name) for name in sorted(self._system.further)}
        self.signature = signature(
            f"openai:{self.model}@{self.url}",
            source,
            target,
            behaviour=self._system.mode,  # answers are stored under this name
            prompt=blake2b(str(self._messages("")).encode(), digest_size=4).hexdigest(),
            extra=json.dumps(extra, ensure_ascii=False) if extra else None,
            **{name: str(value) for name, value in decoding.items()},
        )

    def agree(self, terms: str) -> None:
        self._terms = json.loads(terms)
        self._sign()
        told = [f"{old} as {new}" if new else f"no {old}" for old, new in self._terms.items()]
        _log.warning("hyperbaton: %s is sent %s, as it wants", self.model, " and ".join(told))

    def body(self, text: str) -> dict[str, object]:
        """The request for one text."""
        return {"model": self.model, **self._decoding(), "messages": self._messages(text)}

    def prompt(self, text: str) -> str:
        """What the request for one text says, where all of it is text."""
        return messages(text, *self._pair, self._system.mode)[0]["content"]

    def client(self) -> Client:
        keys = read_keys(_key_names(self._system.key_env, self.url), self.url)
        return Client(
            url=f"{self.url}/chat/completions",
            keys=keys,
            headers={"Authorization": f"Bearer {keys.values[0]}"} if keys.values else {},
            model=self.model,
            optional=frozenset(self._decoding()),
            timeout=self._system.timeout,
            retries=self._system.retries,
            backoff=self._system.backoff,
        )

    def ask(self, client: Client, texts: Sequence[str]) -> list[Translation]:
        (text,) = texts
        sending = lambda: self._before(texts)  # noqa: E731 - nothing is sent before it
        try:
            reply = client.ask(self.body(text), read_reply, sending)
        except ParametersRefused as refusal:
            raise self._give_way(refusal) from None
        return [self.translation(reply, text, client)]

    def translation(self, reply: Reply, text: str, client: Client | None = None) -> Translation:
        """The translation in a reply, or why there is none."""
        reason = f"finish_reason: {reply.finish_reason or 'not given'}"
        details = [client.clean(reason) if client else reason]
        fault = ending(reply.finish_reason)
        if reply.finish_reason == "length":
            details.insert(0, f"max_tokens={self._system.max_tokens}")
            details += [_THOUGHT] if reply.thoughts or not reply.content.strip() else []
        elif not fault and not reply.content.strip():
            fault = "the answer is empty"
            if reply.thoughts:
                details.insert(0, "the model wrote thoughts only")
        if fault:
            return Translation(None, f"{fault} ({'; '.join(details)})")
        return answer(reply.content, text)

    def _messages(self, text: str) -> object:
        if self._system.dialect == "translategemma":
            return gemma_messages(text, *self._pair)
        return messages(text, *self._pair, self._system.mode)

    def _decoding(self) -> dict[str, object]:
        """How the model is to decode, in the words that the server takes."""
        system = self._system
        wanted = {
            "temperature": system.temperature,
            "seed": system.seed,
            "max_tokens": system.max_tokens,
            "reasoning_effort": system.effort or None,
            **system.further,
        }
        named = ((self._terms.get(name, name), value) for name, value in wanted.items())
        further = system.further
        return {n: v for n, v in named if n and (v is not None or n in further)}

    def _give_way(self, refusal: ParametersRefused) -> Exception:
        """What is done about parameters that the server refuses: only those nobody asked for go."""
        known = {new or old: old for old, new in self._terms.items()}
        asked_for = [name for name in refusal.refused if name not in _YIELDING]
        if asked_for or {*refusal.refused} & {*self._system.further}:
            return HyperbatonError(
                f"{self.url} answered {refusal}: change {' and '.join(refusal.refused)} in the "
                "options of the system, or leave it out"
            )
        terms = {**self._terms, **{known.get(n, n): new for n, new in refusal.refused.items()}}
        _log.warning("hyperbaton: %s answered %s", self.url, refusal)
        return OtherTerms(json.dumps(terms, sort_keys=True))


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


def _key_names(named: str, url: str) -> tuple[str, ...]:
    """The variable whose key this server is to see, if any."""
    host = urlsplit(url).hostname or ""
    variable = named or (_KEY if f".{host}".endswith(_OPENAI) else "")
    return (variable,) if variable else ()
