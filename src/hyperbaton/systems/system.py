"""The interface of translation systems: a `System` opens a `Translator` for one language pair."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.base.spec import Registry, Spec, Value
from hyperbaton.base.wording import counted

Before = Callable[[Sequence[str]], None]
"""Called with texts before they are sent, and without any in between; what it raises ends the
job. Translators with several requests under way call it from several threads."""
Mode = Literal["plain", "robust", "faithful"]
"""Translate; translate what was meant; carry the order and the mistakes over."""
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True)
class Translation:
    """What came back for one text: the translation, or the fault that prevented it."""

    text: str | None
    fault: str = ""


class BatchFault(Exception):
    """A batch failed as a whole and nobody knows which text is to blame; smaller ones are tried."""


class OtherTerms(Exception):
    """A server refuses parameters: it has to be asked on these terms, as another system.

    Raised by a translator that is `negotiable`; `agree` is called with the terms.
    """

    def __init__(self, terms: str) -> None:
        super().__init__(terms)
        self.terms = terms

    def told(self, system: str) -> HyperbatonError:
        """What is said where the signature cannot be changed any more."""
        return HyperbatonError(
            f"the server of {system} refused the form of the request; the form that it "
            "accepts is stored now: run the same command again"
        )


class Translator(ABC):
    """An open system: holds the model or connection, translates batches."""

    signature: str
    """Everything that changes the output: see the function `signature`."""
    batch_tokens: int = 4096
    """How large a batch may be, in the unit of `cost`; lowered while memory is short."""
    chunk: int = 1
    """How many batches are handed over at once, for a translator that batches by itself."""
    batch_free: bool = False
    """Whether a translation is known not to depend on the other texts of its batch; where it is
    not, only translating again in another batch tells how large the noise is."""
    repeatable: bool = True
    """Whether a text can be translated once more; not where the answers were recorded."""
    negotiable: bool = False
    """Whether a server may refuse how it is asked; only its answer settles the signature then."""
    recorded: bool = False
    """Whether `recall` knows the answers to the items of a corpus, and is called for them."""
    stored: bool = True
    """Whether translations are worth storing; not where looking them up costs as much."""

    @abstractmethod
    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Translate one batch, in order; a text that failed says so and costs no other.

        What is raised: HyperbatonError when going on is no use, an out-of-memory error for a
        smaller batch, anything else (BatchFault is the plain one) to have the batch cut until the
        text to blame is found. The texts are distinct, never blank, the longest first.
        """

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """Translate a chunk and give each result with its position as soon as it is there.

        A generator is closed before its end when the system seems to be dead.
        """
        answers = self.translate(texts)
        if len(answers) != len(texts):
            raise BatchFault(
                f"returned {counted(len(answers), 'translation')} for {counted(len(texts), 'text')}"
            )
        return iter(enumerate(answers))

    def cost(self, text: str) -> int:
        """The share of a batch that a text takes, in tokens or the like."""
        return len(text)

    def asking(self, before: Before) -> Translator | None:
        """The same translator, which calls `before` with the texts of every request that it sends.

        None for those that send a whole batch at once: for them it is called with that.
        """
        return None

    def agree(self, terms: str) -> None:  # noqa: B027 - most systems have none
        """Ask on these terms from now on, of which the signature speaks."""

    def recall(self, text: str, item: str, varied: bool, again: bool) -> Translation:
        """The answer to the text of an item, or to its varied one; `again` asks for another one."""
        raise NotImplementedError

    def close(self) -> None:  # noqa: B027 - most systems hold nothing to give back
        """Give the resources back."""

    def __enter__(self) -> Translator:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


class System(Spec, ABC):
    """A translation system as the user names it; opening it is what loads or connects."""

    paid: ClassVar[bool] = False
    """Whether somebody may charge for every text."""

    @abstractmethod
    def open(self, source: str, target: str) -> Translator:
        """Make ready for one direction, or say in one sentence why that cannot be."""

    def remedy(self, command: str) -> str:
        """What helps where it failed on texts; `command` is what made it translate them."""
        return f"run {command} again to translate them"


def signature(name: str, source: str, target: str, **parts: Value) -> str:
    """The name under which translations are stored: it changes with whatever changes the output.

    >>> signature("ct2:tiny", "en", "de", model="3f2a", beam=4)
    'ct2:tiny|en-de|beam:4|model:3f2a'
    """
    options = (f"{key}:{parts[key]}" for key in sorted(parts) if parts[key] is not None)
    return "|".join((name, f"{source}-{target}", *options))


SYSTEMS: Registry[System] = Registry(
    "system",
    {
        "bundled": "hyperbaton.systems.shipped.bundled:Bundled",
        "steered": "hyperbaton.systems.shipped.bundled:Steered",
        "ct2": "hyperbaton.systems.ct2.system:CTranslate2",
        "argos": "hyperbaton.systems.ct2.argos:Argos",
        "hf": "hyperbaton.systems.hf:HuggingFace",
        "openai": "hyperbaton.systems.chat.openai:OpenAI",
        "http": "hyperbaton.systems.web.server:HTTP",
        "deepl": "hyperbaton.systems.web.services:DeepL",
        "google": "hyperbaton.systems.web.services:Google",
        "azure": "hyperbaton.systems.web.services:Azure",
        "libretranslate": "hyperbaton.systems.web.services:LibreTranslate",
        "cmd": "hyperbaton.systems.programs.command:Command",
        "apertium": "hyperbaton.systems.programs.command:Apertium",
        "python": "hyperbaton.systems.programs.function:Function",
        "file": "hyperbaton.systems.recorded:File",
        "recorded": "hyperbaton.systems.recorded:Recorded",
        "oracle": "hyperbaton.systems.controls:Oracle",
        "literal": "hyperbaton.systems.controls:Literal",
        "projected": "hyperbaton.alignment.projected:Projected",
        "copy": "hyperbaton.systems.controls:Copy",
        "gloss": "hyperbaton.systems.shipped.gloss:Gloss",
    },
)


def mode_piece(mode: Mode) -> str:
    """The piece that tells a model trained for steering what to do; `plain` has none.

    >>> mode_piece("robust"), mode_piece("plain")
    ('>>robust<<', '')
    """
    return "" if mode == "plain" else f">>{mode}<<"


def check_ranges(spec: Spec, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Refuse an option that lies outside its range; one that a spec does not have is passed over.

    A value that is not a number (NaN) lies outside of every range; None stands for "not set".
    """
    for option, (least, most) in ranges.items():
        value = getattr(spec, option, None)
        if value is not None and not least <= value <= most:
            raise HyperbatonError(f"'{spec}': {option} must be between {least:,g} and {most:,g}")


def versions(*packages: str) -> str:
    """The installed versions of packages, those that are not installed left out.

    >>> versions("no-such-package")
    ''
    """
    known = ((package, installed_version(package)) for package in packages)
    return ",".join(f"{package}={version}" for package, version in known if version)
