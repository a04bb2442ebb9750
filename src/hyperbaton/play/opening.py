"""Opening the browser without showing the token: every user can read the words of a command.

The browser is given a file that only its user can read, and the file leads it to the link.
"""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import suppress
from html import escape
from pathlib import Path

from filelock import FileLock, Timeout

__all__ = ["Opening"]

SNAPD = Path("/var/lib/snapd")
"""Where there are browsers that see neither /tmp nor hidden folders, only the user's own files."""
PATIENCE = 20.0
"""Seconds that a browser has to come to the page before the user is told to open the link."""
_PREFIX = "hyperbaton-play-"
_FILE, _LOCK = "open.html", "lock"
_PAGE = """\
<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={link}">
<title>Hyperbaton</title></head>
<body><p><a href="{link}" rel="noreferrer">Open the playground</a></p></body></html>
"""


class Opening:
    """A file that leads to a link, in a folder of its own; `close` takes both away."""

    def __init__(self, link: str) -> None:
        self._folder = _made_folder()
        self._lock = FileLock(self._folder / _LOCK, timeout=0, thread_local=False)
        self.path = self._folder / _FILE
        try:
            # Ends with this process, however: whoever comes next knows that nobody needs the file.
            self._lock.acquire()
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "w", encoding="utf-8") as file:
                file.write(_PAGE.format(link=escape(link)))
        except BaseException:
            self.close()
            raise

    def browse(self, came: threading.Event, tell: Callable[[str], None]) -> None:
        """Open the browser; the file goes when the page was asked for, or else the user is told."""
        if not webbrowser.open(self.path.as_uri()):
            tell("no browser could be opened: open the link above yourself")
        elif came.wait(PATIENCE):
            self.close()
        else:
            tell("the browser has not come to the page: open the link above yourself")

    def close(self) -> None:
        """Take the file away, once or more often."""
        self._lock.release(force=True)
        shutil.rmtree(self._folder, ignore_errors=True)


def _made_folder() -> Path:
    """A new folder for this user alone, where a browser can read; what was left there is gone."""
    for base in _bases():
        _tidy(base)
        with suppress(OSError):
            return Path(tempfile.mkdtemp(prefix=_PREFIX, dir=base))
    return Path(tempfile.mkdtemp(prefix=_PREFIX))


def _bases() -> Iterator[Path]:
    if SNAPD.is_dir():
        with suppress(RuntimeError):  # a user without a home
            yield Path.home()
    yield Path(tempfile.gettempdir())


def _tidy(base: Path) -> None:
    """Take away what a page that was killed left here, and nothing else."""
    with suppress(OSError):
        for folder in base.glob(f"{_PREFIX}*"):
            with suppress(OSError, Timeout):
                if _is_ours(folder):
                    with FileLock(folder / _LOCK, timeout=0):
                        (folder / _FILE).unlink(missing_ok=True)
                    (folder / _LOCK).unlink(missing_ok=True)
                    folder.rmdir()


def _is_ours(folder: Path) -> bool:
    """Whether this module made it: anybody can make a folder of this name."""
    there = folder.lstat()
    if not stat.S_ISDIR(there.st_mode):
        return False
    if os.name == "posix" and (there.st_uid != os.getuid() or stat.S_IMODE(there.st_mode) != 0o700):
        return False
    names = {entry.name for entry in folder.iterdir()}
    # Without its lock it may have been made this moment.
    return _LOCK in names and names <= {_FILE, _LOCK}
