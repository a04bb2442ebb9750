"""What a run is executed by: processes on this machine, or a Ray cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.spec import Parsed, Registry, Spec, split

__all__ = ["Engine", "Local", "Ray", "parse_engine"]


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
        "local": "hyperbaton.pipeline.engine.engines:Local",
        "ray": "hyperbaton.pipeline.engine.engines:Ray",
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
