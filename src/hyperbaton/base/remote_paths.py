"""Where runs are kept: a folder, or what fsspec reaches, such as a bucket of S3."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from hyperbaton.base.errors import HyperbatonError, MissingExtra, need

if TYPE_CHECKING or sys.platform != "win32":
    from pathlib import PosixPath as _Path
else:
    from pathlib import WindowsPath as _Path

_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+)://(.*)", re.DOTALL)
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "created")
"""What file systems call the moment of the last change."""


def place(where: str | Path) -> Path:
    """A path; or, for an address such as `s3://bucket/runs/a`, one that fsspec will reach.

    >>> place("runs/a").parts
    ('runs', 'a')
    """
    address = None if isinstance(where, Path) else _ADDRESS.fullmatch(where)
    if address is None:
        return where if isinstance(where, Path) else Path(where)
    if address[1] in ("file", "local"):
        return Path(address[2])
    return RemotePath(where)


def local(path: Path) -> None:
    """Refuse an address where only this computer will do: as a path it would be a folder `s3:`.

    >>> local(Path("s3://bucket/a.txt"))
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.HyperbatonError: s3://bucket/a.txt: only whole runs can be kept there \
(--out of a study); name a file or folder of this computer
    """
    first, *rest = path.parts or ("",)
    if not isinstance(path, RemotePath) and _ADDRESS.fullmatch(f"{first}//"):
        raise HyperbatonError(
            f"{first}//{'/'.join(rest)}: only whole runs can be kept there (--out of a study); "
            "name a file or folder of this computer"
        )


@lru_cache
def _system(scheme: str) -> Any:
    """The file system of a scheme; its options come from fsspec's own configuration."""
    fsspec = need("fsspec", "s3")
    if scheme in ("s3", "s3a"):
        need("s3fs", "s3")
    try:
        return fsspec.filesystem(scheme)
    except ImportError as error:
        raise MissingExtra(f"{scheme}:// cannot be used here: {error}") from None
    except ValueError:
        known = ", ".join(f"{name}://" for name in ("s3", "gs", "az"))
        raise HyperbatonError(
            f"'{scheme}://' is no address that fsspec knows: write a folder, or one of {known}"
        ) from None


class RemotePath(_Path):
    """A place in an object store, with those methods of a path that a run uses.

    A file there appears whole or not at all, so nothing is renamed; and there are no folders.
    """

    def __str__(self) -> str:
        return f"{self.parts[0]}//{'/'.join(self.parts[1:])}"

    def __fspath__(self) -> str:
        return str(self)

    def _ask(self, method: str, *arguments: object, **options: object) -> Any:
        """What the file system answers about this path; never what it remembers of before."""
        system = _system(self.parts[0].removesuffix(":"))
        system.invalidate_cache()
        try:
            return getattr(system, method)(str(self), *arguments, **options)
        except OSError:
            raise
        except Exception as error:  # every file system has its own kinds
            raise OSError(errno.EIO, " ".join(str(error).split()), str(self)) from error

    def _child(self, name: str) -> RemotePath:
        """The path of a full name as the file system writes it."""
        root = str(self._ask("_strip_protocol"))
        return self / name[len(root) :].strip("/")

    def _kind(self) -> str | None:
        """`file`, `directory`, or None for nothing; a store that is out of reach is an error."""
        try:
            return str(self._ask("info")["type"])
        except FileNotFoundError:
            return None

    def exists(self, **_: bool) -> bool:
        return self._kind() is not None

    def is_file(self) -> bool:
        return self._kind() == "file"

    def is_dir(self) -> bool:
        return self._kind() == "directory"

    def read_bytes(self) -> bytes:
        return bytes(self._ask("cat_file"))

    def read_text(self, encoding: str | None = None, errors: str | None = None) -> str:
        return self.read_bytes().decode(encoding or "utf-8", errors or "strict")

    def write_bytes(self, data: Any) -> int:
        """Write a whole file."""
        self._ask("pipe_file", bytes(data))
        return len(data)

    def open(self, mode: str = "r", *_: object, **__: object) -> IO[Any]:  # type: ignore[override]
        if mode != "rb":
            raise OSError(errno.EINVAL, "files here are written whole", str(self))
        opened: IO[Any] = self._ask("open", mode=mode)
        return opened

    def unlink(self, missing_ok: bool = False) -> None:
        try:
            self._ask("rm_file")
        except FileNotFoundError:
            if not missing_ok:
                raise

    def iterdir(self) -> Iterator[RemotePath]:  # type: ignore[override]
        yield from (self._child(name) for name in sorted(self._ask("ls", detail=False)))

    def glob(self, pattern: str) -> Iterator[RemotePath]:  # type: ignore[override]
        names = (self / pattern)._ask("glob")
        yield from (self._child(name) for name in sorted(names))

    def rglob(self, pattern: str) -> Iterator[RemotePath]:  # type: ignore[override]
        yield from self.glob(f"**/{pattern}")

    def stat(self, **_: bool) -> os.stat_result:
        about = self._ask("info")
        times = [about[name] for name in _TIMES if about.get(name)]
        changed = times[0].timestamp() if times and isinstance(times[0], datetime) else 0.0
        kind = stat.S_IFDIR if about["type"] == "directory" else stat.S_IFREG
        size = about.get("size") or 0
        return os.stat_result((kind | 0o666, 0, 0, 0, 0, 0, size, changed, changed, changed))

    def mkdir(self, *_: object, **__: object) -> None:
        """Nothing: a folder is there once something is in it."""

    def rmdir(self) -> None:
        """Nothing."""

    def relative_to(self, *other: Any, **_: bool) -> Path:  # type: ignore[override]
        return Path(*super().relative_to(*other).parts)

    def absolute(self) -> RemotePath:
        return self

    def resolve(self, strict: bool = False) -> RemotePath:
        return self

    def expanduser(self) -> RemotePath:
        return self

    def as_uri(self) -> str:
        return str(self)
