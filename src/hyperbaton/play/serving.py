"""The page on the network: on this computer only, until Ctrl-C."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import stat
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from html import escape
from pathlib import Path

import uvicorn
from filelock import FileLock, Timeout

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import owned
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question
from hyperbaton.play.desk import Event, Ticket
from hyperbaton.play.guard import Guard
from hyperbaton.play.sentences import surprise
from hyperbaton.play.server import Playground, application


def listen(port: int) -> socket.socket:
    """A socket that listens on 127.0.0.1, at this port or at one that is free."""
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(("127.0.0.1", port))
        made.listen()
    except OSError as error:
        made.close()
        raise HyperbatonError(
            f"port {port} cannot be used ({error.strerror}): choose another with --port"
        ) from None
    return made


def server_of(
    play: Playground, at: socket.socket, token: str, hosts: Iterable[str] = ()
) -> uvicorn.Server:
    """The server of a page; `run(sockets=[at])` answers until `should_exit` is set.

    `hosts` are the names by which a proxy shows it.
    """
    guarded = Guard(application(play), token, at.getsockname()[1], hosts)
    return uvicorn.Server(
        uvicorn.Config(
            guarded,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
    )


def serve(
    play: Playground,
    at: socket.socket,
    token: str,
    open_link: str | None,
    tell: Callable[[str], None],
    hosts: Iterable[str] = (),
) -> None:
    """Answer the page until Ctrl-C; the browser opens while models are loaded."""
    server = server_of(play, at, token, hosts)
    with _ended_by_signals(server), _browser(play, open_link, tell):
        _warm(play)
        server.run(sockets=[at])


@contextmanager
def _browser(play: Playground, link: str | None, tell: Callable[[str], None]) -> Iterator[None]:
    """A browser on its way to the link, if there is one; what leads it there goes in the end."""
    if link is None:
        yield
        return
    try:
        opening = Opening(link)
    except (OSError, Timeout) as error:
        tell(f"the browser cannot be opened ({error}): open the link above yourself")
        yield
        return
    with closing(opening):
        threading.Thread(target=opening.browse, args=(play.came, tell), daemon=True).start()
        yield


@contextmanager
def _ended_by_signals(server: uvicorn.Server) -> Iterator[None]:
    """Ctrl-C ends the server at any moment, and is heard again when it has ended.

    An exception in the middle of its start would leave it half made.
    """
    heard: list[int] = []

    def end(number: int, _: object) -> None:
        heard.append(number)
        server.should_exit = True

    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, end) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        signal.raise_signal(heard[0])


def _warm(play: Playground) -> None:
    """Load models while the browser starts: the first question finds them open."""
    try:
        item = surprise(*play.pair, 0)
    except HyperbatonError:
        return
    sentence = item.source
    if isinstance(sentence, Sentence):
        clean = Variant(sentence.text, tuple(range(len(sentence))), "word", False)
        question = Question(play.pair, sentence, clean)
        for system, desk in play.desks.items():
            if system not in play.off:
                desk.ask(Ticket("", 0, question, _unheard))


def _unheard(event: Event) -> None:
    """Nobody waits for this answer."""


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
        self._lock = owned(FileLock(self._folder / _LOCK, timeout=0, thread_local=False))
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
            tell("the browser did not open the page: open the link above yourself")

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
