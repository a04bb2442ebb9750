"""Parts of a run with a checksum that is right although they were changed."""

from __future__ import annotations

import json
from io import BytesIO

import polars as pl

from hyperbaton.pipeline.run import parts

__all__ = ["forged", "part_of"]


def forged(data: bytes) -> bytes:
    """The same bytes with the checksum that they need; as they are where none can stand."""
    start = data.rfind(parts._CHECKSUM) + len(parts._CHECKSUM)
    end = start + len(parts._ZEROS)
    if start < len(parts._CHECKSUM) or end > len(data):
        return data
    return data[:start] + parts._digest(data, start).encode() + data[end:]


def part_of(frame: pl.DataFrame, **label: object) -> bytes:
    """A frame as a part with whatever label, not packed, so that every byte can be reached."""
    buffer = BytesIO()
    content = {"checksum": "0" * 32, "configuration": "abc", "failed": 0, **label}
    metadata = {"hyperbaton": json.dumps(content)}
    frame.write_parquet(buffer, compression="uncompressed", statistics=False, metadata=metadata)
    return forged(buffer.getvalue())
