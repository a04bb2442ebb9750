"""Parquet that may be damaged or forged: first read by a process that may die of it.

A few wrong bytes make the reader of Parquet ask for exabytes of memory, which ends the process, or
panic, which prints pages and is no ordinary exception. So bytes that are not known to be good are
read by another process first (`main`), once; what it read well is then read here.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.processes import end_process, memory_free

_RAISED = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError)
_CHILD = """import sys
sys.path[:] = sys.argv[1:]
from hyperbaton.base.parquet import main
main()"""
_SECONDS, _SECONDS_A_GIGABYTE = 60, 120
"""How long a trial may take, however slow the machine; it takes milliseconds."""
_LEAST = 1 << 30
"""Bytes of memory that a trial gets, however little is free."""


class UnreadableParquet(HyperbatonError):
    """Bytes that are no Parquet, or that no process survives."""


def try_parquet(source: Path | bytes, columns: Sequence[str] | None = None) -> None:
    """Have another process read a file, or some columns of it, before this one does."""
    _TRIAL.read(source, None if columns is None else list(columns))


def parquet_schema(source: Path | bytes) -> pl.Schema:
    """The columns of a file and their types."""
    try:
        return pl.Schema(pl.read_parquet_schema(source))
    except _RAISED as error:
        raise UnreadableParquet(_shortened(error)) from None


def read_parquet(source: Path | bytes, columns: Sequence[str] | None = None) -> pl.DataFrame:
    """A file that was tried, or some columns of it."""
    try:
        return pl.read_parquet(source, columns=None if columns is None else list(columns))
    except _RAISED as error:
        raise UnreadableParquet(_shortened(error)) from None


def _shortened(error: BaseException) -> str:
    line = " ".join(str(error).split())
    return line if len(line) <= 200 else f"{line[:200]}…"


def trial_command() -> list[str]:
    """What starts the process; it imports nothing that this one would not import."""
    return [sys.executable, "-I", "-c", _CHILD, *sys.path]


class _Trial:
    """The process for trials: started by the first one, and again after it died of one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def read(self, source: Path | bytes, columns: list[str] | None) -> None:
        """Raise UnreadableParquet unless the process could read it."""
        with self._lock:
            process = self._started()
            if process is None:
                return
            size = source.stat().st_size if isinstance(source, Path) else len(source)
            too_long = threading.Timer(_SECONDS + size / 1e9 * _SECONDS_A_GIGABYTE, process.kill)
            too_long.start()
            try:
                answer = _asked(process, source, columns)
            finally:
                too_long.cancel()
            if answer is None:
                self._end()
                raise UnreadableParquet("reading it takes more memory or time than there is")
            if answer:
                raise UnreadableParquet(answer)

    def _started(self) -> subprocess.Popen[bytes] | None:
        """The process; None where the system starts none, and files are read without a trial."""
        if self._process is not None and self._owner == os.getpid():
            return self._process
        try:
            self._process = subprocess.Popen(
                trial_command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "POLARS_MAX_THREADS": "1", "RUST_BACKTRACE": "0"},
                start_new_session=True,  # Ctrl-C is for the process that a user started
            )
        except (OSError, ValueError):
            return None
        self._owner = os.getpid()
        atexit.register(self._end)
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            end_process(process)


def _asked(
    process: subprocess.Popen[bytes], source: Path | bytes, columns: list[str] | None
) -> str | None:
    """What is wrong with a file, empty if nothing is; None if the process died of it."""
    assert process.stdin is not None
    assert process.stdout is not None
    content = b"" if isinstance(source, Path) else source
    place = os.path.abspath(source) if isinstance(source, Path) else None
    request = {"path": place, "size": len(content), "columns": columns}
    try:
        process.stdin.write(json.dumps(request).encode() + b"\n" + content)
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
    except (OSError, ValueError):
        return None
    return str(answer)


_TRIAL = _Trial()


def main() -> None:
    """Answer each request on standard input with one line, until there are no more."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    _limit_memory()
    while line := requests.readline():
        request = json.loads(line)
        content = requests.read(request["size"])
        try:
            source = Path(request["path"]) if request["path"] else content
            present, wanted = parquet_schema(source), request["columns"]
            read_parquet(source, [name for name in wanted or present if name in present])
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
