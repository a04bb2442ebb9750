"""`http:URL`: any server of translations, with a template for its requests and its replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import quote, urlsplit

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.chat.client import Client
from hyperbaton.systems.chat.crew import Crew, Group
from hyperbaton.systems.chat.keys import read_keys
from hyperbaton.systems.system import (
    BatchFault,
    System,
    Translation,
    Translator,
    check_ranges,
    signature,
)
from hyperbaton.systems.web.template import Template, WrongNumber, filled, variables

_RANGES = {
    "batch": (1, 10_000),
    "characters": (1, 1 << 24),
    "concurrency": (1, 1024),
    "rate": (0, 10_000),
    "timeout": (0.001, 86_400),
    "retries": (0, 1000),
    "backoff": (0, 3600),
    "price": (0, 1e6),
}


@dataclass(frozen=True, kw_only=True)
class Server(System):
    """What all servers of translations have in common."""

    paid: ClassVar[bool] = True

    batch: int = 1
    """Texts in one request."""
    characters: int = 20_000
    """Characters in one request of several texts."""
    concurrency: int = 4
    """Requests under way at once."""
    rate: float = 0.0
    """Requests that may begin in a second; 0 for no limit."""
    timeout: float = 120.0
    """Seconds for one request, from the connection to the last byte of the reply."""
    retries: int = 5
    """How often a request is sent again after a passing fault."""
    backoff: float = 1.0
    """Seconds before the first repetition, doubled for each further one."""
    price: float = 0.0
    """Of a million characters, for --dry-run."""

    def __post_init__(self) -> None:
        check_ranges(self, _RANGES)


@dataclass(frozen=True, kw_only=True)
class HTTP(Server):
    """A server of translations that speaks JSON: `http:URL(body={…}, reply=PATH)`."""

    name: ClassVar[str] = "http"
    positional: ClassVar[str | None] = "url"

    url: str
    """The address; `$source` and `$target` in it become the languages."""
    body: str = '{"q": "$text", "source": "$source", "target": "$target"}'
    """The request, as JSON: `$text` is the text, $NAME the environment variable of that name."""
    reply: str = "translatedText"
    """Where the translation stands: names between dots, `[]` for each entry of a list."""
    headers: str = "{}"
    """Further headers, as JSON: {"Authorization": "Bearer $MY_KEY"}."""
    codes: str = "{}"
    """What the server calls a language, as JSON: {"zh": "zh-CN"}."""

    def __post_init__(self) -> None:
        super().__post_init__()
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise HyperbatonError("the address of http: is not a URL: write http:https://HOST/PATH")
        if parts.username or parts.password or parts.fragment or variables(iter([self.url])):
            raise HyperbatonError(
                f"the address of {parts.hostname} holds a password or a key: name its environment "
                'variable in headers={"Authorization": "Bearer $MY_KEY"}, or in body'
            )
        try:
            Template(self.body, self.reply)
        except HyperbatonError as error:
            raise HyperbatonError(f"'{self}': {error}") from None
        _texts(self.headers, f"'{self}': headers")
        _texts(self.codes, f"'{self}': codes")

    def open(self, source: str, target: str) -> Translator:
        """Nothing is sent and no key is needed before the first text."""
        codes = _texts(self.codes, f"'{self}': codes")
        protocol = Protocol(
            self.url,
            Template(self.body, self.reply),
            _texts(self.headers, f"'{self}': headers"),
            codes.get(source, source),
            codes.get(target, target),
        )
        asked = {"body": self.body, "reply": self.reply, "headers": self.headers}
        signed = signature(f"http:{self.url}", source, target, **asked, codes=str(codes))
        return ServerTranslator(self, protocol, signed)


@dataclass(frozen=True)
class Protocol:
    """How one server is asked for one pair of languages."""

    url: str
    template: Template
    headers: Mapping[str, str]
    """With the names of environment variables that hold keys."""
    source: str
    target: str


class ServerTranslator(Crew):
    """Asks a server by its protocol."""

    def __init__(self, system: Server, protocol: Protocol, signature: str) -> None:
        self._system, self._protocol, self.signature = system, protocol, signature
        self.concurrency = system.concurrency
        self._many = system.batch if protocol.template.many else 1
        self.batch_tokens = system.concurrency * self._many

    def groups(self, texts: Sequence[str]) -> Iterator[Group]:
        """As many texts as a request takes, and no more characters."""
        group: Group = []
        size = 0
        for position, text in enumerate(texts):
            full = len(group) == self._many or size + len(text) > self._system.characters
            if group and full:
                yield group
                group, size = [], 0
            group.append((position, text))
            size += len(text)
        if group:
            yield group

    def client(self) -> Client:
        protocol, system = self._protocol, self._system
        names = variables(iter([*protocol.headers.values(), protocol.template.body]))
        self._keys = read_keys(names, protocol.url)
        values = self._values()
        in_url = {name: quote(value, safe="") for name, value in values.items()}
        return Client(
            url=filled(protocol.url, in_url),
            keys=self._keys,
            headers={name: filled(text, values) for name, text in protocol.headers.items()},
            rate=system.rate,
            timeout=system.timeout,
            retries=system.retries,
            backoff=system.backoff,
        )

    def _values(self) -> dict[str, str]:
        named = dict(zip(self._keys.names, self._keys.values, strict=True))
        return {**named, "source": self._protocol.source, "target": self._protocol.target}

    def ask(self, client: Client, texts: Sequence[str]) -> list[Translation]:
        template = self._protocol.template
        try:
            found = client.ask(
                template.request(texts, self._values()),
                lambda data: template.translations(data, len(texts)),
                lambda: self._before(texts),
            )
        except WrongNumber as error:
            # Asked again it would answer the same, and be paid again.
            if len(texts) > 1:
                raise BatchFault(str(error)) from None
            return [Translation(None, str(error))]
        fault = Translation(None, "the reply holds something else than text")
        return [fault if text is None else Translation(text) for text in found]


def _texts(written: str, where: str) -> dict[str, str]:
    """A JSON object of texts."""
    content = parse_json(written, where)
    if not isinstance(content, dict) or not all(isinstance(v, str) for v in content.values()):
        raise HyperbatonError(f'{where}: write a JSON object of texts: {{"name": "value"}}')
    return content
