"""Commercial translators by name: DeepL, LibreTranslate, Google and Azure, each by its protocol."""

from __future__ import annotations

import json
import os
import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import ClassVar
from urllib.parse import urlsplit

from hyperbaton.base.content import parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.systems.system import Translator, signature
from hyperbaton.systems.web.server import Protocol, Server, ServerTranslator
from hyperbaton.systems.web.template import Template

_HANT = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")
_HANS = ("zh", "zh-hans", "zh-cn", "zh-sg")


@dataclass(frozen=True, kw_only=True)
class Service(Server):
    """A service with a protocol of its own, at its usual address or another one."""

    positional: ClassVar[str | None] = "url"
    url: str
    key_env: str = ""
    """The environment variable that holds the key."""
    extra: str = ""
    """Further fields of the request, as JSON."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not re.fullmatch(r"([A-Z][A-Z0-9_]*)?", self.key_env):
            raise HyperbatonError(
                "key_env must be the name of an environment variable in capitals, "
                "not the key itself"
            )
        address = urlsplit(self.address or "https://localhost")
        if address.scheme not in ("http", "https") or not address.hostname or address.username:
            raise HyperbatonError(f"the address of {self.name} is not a URL: write https://HOST")
        self.further  # noqa: B018 - reading it is what checks it

    @property
    def address(self) -> str:
        """Where the server is, as given; empty where its key decides."""
        return self.url.rstrip("/")

    @property
    def further(self) -> dict[str, object]:
        """The content of `extra`."""
        return parse_object(self.extra, f"'{self}': extra") if self.extra else {}

    @abstractmethod
    def protocol(self, source: str, target: str) -> Protocol:
        """How it is asked for a pair."""

    def open(self, source: str, target: str) -> Translator:
        """Nothing is sent and no key is needed before the first text."""
        protocol = self.protocol(source, target)
        # The request without the name of its key, which changes nothing.
        request = (
            protocol.template.body.replace(f"${self.key_env}", "") + urlsplit(protocol.url).query
        )
        digest = blake2b(request.encode(), digest_size=4).hexdigest()
        signed = signature(
            f"{self.name}:{self.address}", source, target, request=digest, extra=self.extra or None
        )
        return ServerTranslator(self, protocol, signed)

    def _template(self, body: Mapping[str, object], reply: str) -> Template:
        return Template(json.dumps({**body, **self.further}), reply)


@dataclass(frozen=True, kw_only=True)
class DeepL(Service):
    """DeepL: `deepl`, with a key in DEEPL_API_KEY."""

    name: ClassVar[str] = "deepl"

    url: str = ""
    """Another address; a free key goes to the free one by itself."""
    batch: int = 50
    key_env: str = "DEEPL_API_KEY"

    def protocol(self, source: str, target: str) -> Protocol:
        """`/v2/translate`."""
        free = os.environ.get(self.key_env, "").strip().endswith(":fx")
        usual = "https://api-free.deepl.com" if free else "https://api.deepl.com"
        body = {"text": ["$text"], "source_lang": "$source", "target_lang": "$target"}
        return Protocol(
            f"{self.address or usual}/v2/translate",
            self._template(body, "translations[].text"),
            {"Authorization": f"DeepL-Auth-Key ${self.key_env}"},
            source.replace("_", "-").split("-")[0].upper(),
            _chinese(target, "ZH-HANS", "ZH-HANT").upper(),
        )


@dataclass(frozen=True, kw_only=True)
class LibreTranslate(Service):
    """LibreTranslate on a server: `libretranslate:http://localhost:5000`."""

    name: ClassVar[str] = "libretranslate"

    batch: int = 32

    @property
    def address(self) -> str:
        """As given."""
        return self.url.rstrip("/").removesuffix("/translate")

    def protocol(self, source: str, target: str) -> Protocol:
        """`/translate`."""
        body = {"q": ["$text"], "source": "$source", "target": "$target", "format": "text"}
        key = {"api_key": f"${self.key_env}"} if self.key_env else {}
        template = self._template({**body, **key}, "translatedText[]")
        return Protocol(f"{self.address}/translate", template, {}, source, target)


@dataclass(frozen=True, kw_only=True)
class Google(Service):
    """Google Cloud Translation: `google`, with a key in GOOGLE_API_KEY."""

    name: ClassVar[str] = "google"

    url: str = "https://translation.googleapis.com"
    batch: int = 100
    characters: int = 5_000
    key_env: str = "GOOGLE_API_KEY"

    def protocol(self, source: str, target: str) -> Protocol:
        """`/language/translate/v2`; as text, or it answers in HTML's characters."""
        body = {"q": ["$text"], "source": "$source", "target": "$target", "format": "text"}
        return Protocol(
            f"{self.address}/language/translate/v2",
            self._template(body, "data.translations[].translatedText"),
            {"X-goog-api-key": f"${self.key_env}"},
            _chinese(source, "zh-CN", "zh-TW"),
            _chinese(target, "zh-CN", "zh-TW"),
        )


@dataclass(frozen=True, kw_only=True)
class Azure(Service):
    """Azure Translator: `azure(region=westeurope)`, with a key in AZURE_TRANSLATOR_KEY."""

    name: ClassVar[str] = "azure"

    url: str = "https://api.cognitive.microsofttranslator.com"
    batch: int = 100
    characters: int = 10_000
    key_env: str = "AZURE_TRANSLATOR_KEY"
    region: str = ""
    """That of the resource, unless it is a global one."""
    category: str = ""
    """A custom translator."""

    def protocol(self, source: str, target: str) -> Protocol:
        """`/translate` of version 3.0; its fields go into the address."""
        category = f"&category={self.category}" if self.category else ""
        headers = {"Ocp-Apim-Subscription-Key": f"${self.key_env}"}
        region = {"Ocp-Apim-Subscription-Region": self.region} if self.region else {}
        return Protocol(
            f"{self.address}/translate?api-version=3.0&from=$source&to=$target{category}",
            Template(json.dumps([{"Text": "$text", **self.further}]), "[].translations[0].text"),
            {**headers, **region},
            _chinese(source, "zh-Hans", "zh-Hant"),
            _chinese(target, "zh-Hans", "zh-Hant"),
        )


def _chinese(language: str, simplified: str, traditional: str) -> str:
    """A code with that of Chinese as the service has it.

    >>> _chinese("zh_TW", "zh-CN", "zh-TW"), _chinese("pt_BR", "zh-CN", "zh-TW")
    ('zh-TW', 'pt-BR')
    """
    code = language.replace("_", "-")
    low = code.lower()
    return traditional if low in _HANT else simplified if low in _HANS else code
