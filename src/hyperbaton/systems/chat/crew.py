"""Several requests under way at once, for translators that ask a server."""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from queue import Empty, SimpleQueue

from hyperbaton.systems.chat.client import Client, Refused, Stopped
from hyperbaton.systems.system import BatchFault, Before, Translation, Translator

LAST = 30.0
"""Seconds that requests under way have once the job is to end: they may have been paid for."""
_GLANCE = 0.5
"""Seconds without an answer after which it is asked whether to go on."""

Group = list[tuple[int, str]]
"""The texts of one request, with their positions."""
Waiting = SimpleQueue[Group]
Done = SimpleQueue[tuple[int, Translation] | Exception | None]
"""Answers with their positions, what ends the job, and None for each connection that is through."""


class Crew(Translator):
    """Asks a server with as many requests at once as the user allows."""

    chunk = 16
    """Texts handed over at once, for each connection."""
    concurrency: int
    _before: Before = staticmethod(lambda texts: None)

    @abstractmethod
    def client(self) -> Client:
        """What asks; it has a place for what is learnt from one answer for the next request."""

    @abstractmethod
    def ask(self, client: Client, texts: Sequence[str]) -> list[Translation]:
        """The answers to the texts of one request; Refused where there are none."""

    def groups(self, texts: Sequence[str]) -> Iterator[Group]:
        """The texts of each request."""
        return ([task] for task in enumerate(texts))

    def asking(self, before: Before) -> Translator:
        made = copy(self)
        made._before = before
        return made

    def cost(self, text: str) -> int:
        return 1

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        answers = dict(self.stream(texts))
        return [answers[position] for position in range(len(texts))]

    def stream(self, texts: Sequence[str]) -> Iterator[tuple[int, Translation]]:
        """The answers as they arrive; what fails as a batch is told when all others are there."""
        client = self.client()
        waiting: Waiting = SimpleQueue()
        done: Done = SimpleQueue()
        for group in self.groups(texts):
            waiting.put(group)
        running = min(self.concurrency, waiting.qsize())
        for _ in range(running):
            # A thread that waits for a server must not keep the program from ending.
            threading.Thread(target=self._serve, args=(client, waiting, done), daemon=True).start()
        end: Exception | None = None
        fault: BatchFault | None = None
        until = float("inf")
        try:
            while running and time.monotonic() < until:
                try:
                    result = done.get(timeout=_GLANCE)
                except Empty:
                    try:
                        self._before(())
                    except Exception as error:
                        result = error
                    else:
                        continue
                if isinstance(result, tuple):
                    yield result
                elif result is None:
                    running -= 1
                elif isinstance(result, BatchFault):
                    fault = result
                elif end is None:
                    end, until = result, time.monotonic() + LAST
                    client.stop.set()
            if end is not None:
                raise end
            if fault is not None:
                raise fault
        finally:
            client.stop.set()

    def _serve(self, client: Client, waiting: Waiting, done: Done) -> None:
        """Ask for one group after the other, until there is none or the job ends."""
        try:
            while not client.stop.is_set():
                group = waiting.get_nowait()
                for result in self._answers(client, group):
                    done.put(result)
        except (Empty, Stopped):
            pass
        except Exception as error:
            done.put(error)
        finally:
            done.put(None)

    def _answers(
        self, client: Client, group: Group
    ) -> Iterator[tuple[int, Translation] | BatchFault]:
        """What came back for a group; nobody knows which text is to blame for one that failed."""
        try:
            answers = self.ask(client, [text for _, text in group])
        except Refused as refusal:
            if len(group) > 1:
                yield BatchFault(str(refusal))
                return
            answers = [Translation(None, str(refusal))]
        for (position, _), answer in zip(group, answers, strict=True):
            hides = answer.text is not None and client.keys.repeated_in(answer.text)
            fault = Translation(None, "the answer repeats the key, so it is not stored")
            yield position, fault if hides else answer
