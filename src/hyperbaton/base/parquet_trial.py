"""The process that reads Parquet before another one does: see `parquet`."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from pathlib import Path

from hyperbaton.base.machine import memory_free
from hyperbaton.base.parquet import UnreadableParquet, parquet_schema, read_parquet

__all__ = ["main"]

_LEAST = 1 << 30


def main() -> None:
    """Answer each request on standard input with one line, until there are no more."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    _limit_memory()
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        try:
            source = Path(request["path"]) if request["path"] else content
            there, wanted = parquet_schema(source), request["columns"]
            read_parquet(source, [name for name in wanted or there if name in there])
            answer = ""
        except UnreadableParquet as error:
            answer = str(error) or "it is damaged"
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()


def _limit_memory() -> None:
    """Half of what is free: who asks for this trial needs as much again."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        free = memory_free()
        if free is not None:
            with open("/proc/self/statm") as file:
                taken = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
            most = taken + max(_LEAST, free // 2)
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
