"""How the work of a run is done: options declared once for the command line, TOML and Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.options import (
    duration,
    language_and_parser,
    number,
    option_value,
    options_of,
    price,
    processes,
    size,
    system_and_price,
)
from hyperbaton.base.processes import cores, memory_free, memory_in_use
from hyperbaton.base.spec import Parsed, Registry, Spec, split


class Engine(Spec):
    """An engine; all of them end with the same bytes."""


@dataclass(frozen=True)
class Local(Engine):
    """Processes on this machine, beside one translator."""

    name: ClassVar[str] = "local"


@dataclass(frozen=True)
class Ray(Engine):
    """A Ray cluster; without an address the one on this machine, which is started if need be."""

    name: ClassVar[str] = "ray"

    address: str = ""
    """HOST:PORT of the head node."""
    translators: int = 0
    """Translators at once; 0 for one on each GPU, or without GPUs one on each node."""
    gpus: float = -1.0
    """GPUs of each translator, or a fraction of one; below 0 for 1 where the cluster has any."""

    def __post_init__(self) -> None:
        if self.translators < 0:
            raise HyperbatonError(f"--engine {self}: translators cannot be negative")
        if self.gpus > 1 and self.gpus != int(self.gpus):
            raise HyperbatonError(
                f"--engine {self}: Ray gives a fraction of one GPU (0.5) or whole ones (1, 2)"
            )


_ENGINES: Registry[Engine] = Registry(
    "engine",
    {
        "local": "hyperbaton.pipeline.options:Local",
        "ray": "hyperbaton.pipeline.options:Ray",
    },
)


def parse_engine(text: str) -> Engine:
    """The engine of a name; the address of a cluster is written as in Ray.

    >>> parse_engine("ray://10.0.0.1:6379(gpus=0.5)")
    Ray(address='10.0.0.1:6379', translators=0, gpus=0.5)
    >>> parse_engine("local")
    Local()
    """
    parsed = split(text)
    if parsed.name not in _ENGINES.names():
        raise HyperbatonError(
            f"unknown engine '{text}'.{did_you_mean(parsed.name, _ENGINES.names())} "
            "Choose local, ray or ray://HOST:PORT"
        )
    if parsed.name == "ray" and parsed.argument is not None:
        host, colon, port = parsed.argument.removeprefix("//").rpartition(":")
        if not (parsed.argument.startswith("//") and host and colon and _is_port(port)):
            raise HyperbatonError(
                f"'{text}': write the address of the head node as ray://HOST:PORT, "
                "as `ray start --head` prints it"
            )
        options = {**parsed.options, "address": f"{host}:{port}"}
        parsed = Parsed(parsed.name, None, options)
    return _ENGINES.build(parsed, text)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and 0 < int(text) < 65536


PART = 256
"""Items in a part: some thousands of probes, enough to fill a translator's batches."""
_PARTS_FOR_A_WORKER = 8
_MEMORY_OF_A_WORKER = 600 << 20
"""Bytes that a process takes with its parsers: benchmarks/RESULTS.md, long and short corpora."""


@dataclass(frozen=True)
class RunOptions:
    """What may be said of any run, whatever its study; the job holds one."""

    parsers: Mapping[str, str] = field(
        default_factory=dict,
        metadata={
            "flag": "--parser",
            "metavar": "[LANG=]SPEC",
            "help": "parser of a language: de=spacy:de_core_news_lg, ja=ginza, … (repeat); "
            "without LANG= for every language",
            "read_entry": language_and_parser,
        },
    )
    """The parser of a language, '' for every one, where it is not to be the best installed."""
    workers: int | None = field(
        default=None,
        metadata={
            "help": "processes for parsing and scoring (default: by the size of the corpus)",
            "metavar": "N",
            "read": processes,
        },
    )
    """Processes beside the translator; unless a number is given, as many as are worth starting."""
    engine: Engine = field(
        default=Local(),
        metadata={
            "help": "local, ray or ray://HOST:PORT of a cluster's head node",
            "read": parse_engine,
        },
    )
    time_limit: float | None = field(
        default=None,
        metadata={"help": "stop after e.g. 90s, 30m or 1h30m", "metavar": "TIME", "read": duration},
    )
    """Seconds."""
    max_memory: int | None = field(
        default=None,
        metadata={
            "help": "stop before the run takes more, e.g. 8G",
            "metavar": "SIZE",
            "read": size,
        },
    )
    """Bytes of all processes of the run on one machine; on a cluster, of each worker."""
    max_cost: float | None = field(
        default=None,
        metadata={
            "help": "stop before paid systems cost more than this; needs --price",
            "metavar": "SUM",
            "read": number,
        },
    )
    """Money, over all the times that the run is resumed."""
    prices: Mapping[str, float] = field(
        default_factory=dict,
        metadata={
            "flag": "--price",
            "metavar": "[SYSTEM=]SUM/1M",
            "help": "the price of a million characters, of all paid systems or of one; "
            "repeat for more",
            "read": price,
            "read_entry": system_and_price,
        },
    )
    """The price of a million characters by system; '' stands for every paid system."""
    cached: bool = field(
        default=True, metadata={"help": "keep nothing for other runs", "flag": "--no-cache"}
    )
    """Whether parses and translations are kept for other runs."""
    retry_failed: bool = field(default=False, metadata={"help": "retry texts that failed"})
    """Whether a new run tries texts that failed in other runs; a resumed run always does."""
    poles: bool = field(
        default=True,
        metadata={
            "help": "leave out the controls that every run has (oracle, literal)",
            "flag": "--no-poles",
        },
    )
    cache: Path | None = field(
        default=None,
        metadata={
            "help": "folder of stored translations "
            "(default: $HYPERBATON_CACHE, or ~/.cache/hyperbaton)",
            "metavar": "DIR",
            "read": Path,
        },
    )
    part: int = field(default=PART, metadata={"hidden": True})
    """Items in a part."""
    command: str = field(default="", metadata={"hidden": True})
    """The command that made the run, for its record."""

    def __post_init__(self) -> None:
        if self.part < 1 or (self.workers or 0) < 0:
            raise HyperbatonError("a part needs at least 1 item, and workers cannot be negative")
        if self.max_memory is not None and memory_in_use() is None:
            raise HyperbatonError(
                "--max-memory: this system does not tell how much memory a process takes; "
                "leave it out"
            )
        if self.max_cost is not None and not self.prices:
            raise HyperbatonError(
                "--max-cost needs the price of a million characters: add --price 20/1M"
            )

    @classmethod
    def of(cls, given: Mapping[str, object], where: str = "") -> RunOptions:
        """The options of a TOML file, a command line or a call; None stands for the default."""
        head = f"{where}: " if where else ""
        values: dict[str, Any] = {
            option.name: option_value(option, given[option.name], f"{head}{option.name}")
            for option in options_of(cls)
            if given.get(option.name) is not None
        }
        return cls(**values)

    def workers_for(self, parts: int) -> int:
        """The number of processes for so many parts.

        A process takes seconds to load its libraries and parsers, a part takes less than one; and
        where memory is short, fewer processes go further.
        """
        if self.workers is not None:
            return self.workers
        known = [n for n in (memory_free(), self.max_memory) if n is not None]
        room = min(known) // _MEMORY_OF_A_WORKER if known else cores()
        return min(cores(), parts // _PARTS_FOR_A_WORKER, max(1, room))

    def priced(self, systems: Mapping[str, bool]) -> RunOptions:
        """With a price for each of these systems that costs something; paid ones are True."""
        prices = {name: price for name, price in self.prices.items() if name}
        for name in prices:
            if name not in systems:
                raise HyperbatonError(
                    f"--price names {name}, which is no system of this run: it has "
                    f"{', '.join(systems)}"
                )
        if "" in self.prices:
            paid = [name for name, costs in systems.items() if costs]
            if not paid:
                raise HyperbatonError(
                    "--price: no system of this run is known to cost money; "
                    "name the one that does: --price SYSTEM=20/1M"
                )
            prices = {**dict.fromkeys(paid, self.prices[""]), **prices}
        if self.max_cost is not None:
            for name, costs in systems.items():
                if costs and name not in prices:
                    raise HyperbatonError(
                        f"--max-cost: the price of {name} is not known: "
                        f"add --price '{name}=20/1M', or =0 if it costs nothing"
                    )
        return replace(self, prices=prices)
