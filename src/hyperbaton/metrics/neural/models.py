"""What a signature says of a metric's model."""

from __future__ import annotations

from hyperbaton.hub import Source, resolve

_PARTS = (".json", ".safetensors", ".txt", ".model", ".spm", ".vocab")


def identity(source: Source) -> str:
    """The revision for a signature: the hub's commit, or a hash of the files in a folder."""
    snapshot = resolve(source)
    if snapshot.commit:
        return snapshot.revision(12)
    return snapshot.fingerprint(snapshot.folder.rglob("*"), _PARTS)
