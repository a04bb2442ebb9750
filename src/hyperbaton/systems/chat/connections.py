"""Many texts over several connections at once; when the job ends, what is under way comes first."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue

from hyperbaton.systems.chat.client import ChatClient, Stopped
from hyperbaton.systems.system import Translation
from hyperbaton.systems.watching import Before

__all__ = ["answers_of"]

LAST = 30.0
"""Seconds that requests under way have once the job is to end: they may have been paid for."""
_GLANCE = 0.5
"""Seconds without an answer after which it is asked whether to go on."""


class _Through:
    """A connection has nothing more to do."""


Ask = Callable[[ChatClient, str], Translation]
Waiting = SimpleQueue[tuple[int, str]]
Done = SimpleQueue[tuple[int, Translation] | Exception | _Through]
"""Answers with their positions, and what ends the job."""


def answers_of(
    texts: Sequence[str], connections: int, client: ChatClient, ask: Ask, before: Before
) -> Iterator[tuple[int, Translation]]:
    """The answers to texts as they arrive, each with its position."""
    waiting: Waiting = SimpleQueue()
    done: Done = SimpleQueue()
    for task in enumerate(texts):
        waiting.put(task)
    running = min(connections, len(texts))
    for _ in range(running):
        # A thread that waits for a server must not keep the program from ending.
        threading.Thread(target=_serve, args=(client, ask, waiting, done), daemon=True).start()
    end: Exception | None = None
    until = float("inf")
    try:
        while running and time.monotonic() < until:
            result: tuple[int, Translation] | Exception | _Through | None
            try:
                result = done.get(timeout=_GLANCE)
            except Empty:
                result = _reason_to_end(before)
            if isinstance(result, tuple):
                yield result
            elif isinstance(result, _Through):
                running -= 1
            elif result is not None and end is None:
                end, until = result, time.monotonic() + LAST
                client.stop.set()
        if end is not None:
            raise end
    finally:
        client.stop.set()


def _serve(client: ChatClient, ask: Ask, waiting: Waiting, done: Done) -> None:
    """Ask for one text after the other, until there is none or the job ends."""
    try:
        while not client.stop.is_set():
            position, text = waiting.get_nowait()
            done.put((position, ask(client, text)))
    except (Empty, Stopped):
        pass
    except Exception as error:
        done.put(error)
    finally:
        done.put(_Through())


def _reason_to_end(before: Before) -> Exception | None:
    try:
        before(())
    except Exception as error:
        return error
    return None
