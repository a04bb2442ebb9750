"""What a metric's signature says of its model, and the device that the model runs on."""

from __future__ import annotations

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub import Source, resolve

__all__ = ["device_of", "identity"]

_PARTS = (".json", ".safetensors", ".txt", ".model", ".spm", ".vocab")


def identity(source: Source) -> str:
    """The revision for a signature: the hub's commit, or a hash of the files in a folder."""
    snapshot = resolve(source)
    if snapshot.commit:
        return snapshot.revision(12)
    return snapshot.fingerprint(snapshot.folder.rglob("*"), _PARTS)


def device_of(asked: str) -> str:
    """The device that `auto` stands for, or the one asked for if it is there."""
    torch = need("torch", extra="neural")
    cuda = torch.cuda.is_available()
    if asked == "auto":
        return "cuda" if cuda else "cpu"
    if asked.startswith("cuda") and not cuda:
        raise HyperbatonError(f"device={asked}: torch sees no GPU here; leave device out")
    return asked
