"""The page on the network: on this computer only, until Ctrl-C."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import uvicorn
from filelock import Timeout

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question
from hyperbaton.play.desk import Event, Ticket
from hyperbaton.play.guard import Guard
from hyperbaton.play.opening import Opening
from hyperbaton.play.sentences import surprise
from hyperbaton.play.server import Playground, application

__all__ = ["listen", "serve", "server_of"]


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


def server_of(play: Playground, at: socket.socket, token: str) -> uvicorn.Server:
    """The server of a page; `run(sockets=[at])` answers until `should_exit` is set."""
    guarded = Guard(application(play), token, at.getsockname()[1])
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
) -> None:
    """Answer the page until Ctrl-C; the browser opens while models are loaded."""
    server = server_of(play, at, token)
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
