"""One question to an OpenAI-compatible server: retried after passing faults, the key masked."""

from __future__ import annotations

import http.client
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import Message as Headers
from email.utils import parsedate_to_datetime

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.spec import Value
from hyperbaton.base.wording import counted
from hyperbaton.systems.chat.http import Endless, Exchange
from hyperbaton.systems.chat.prompts import Message
from hyperbaton.systems.chat.replies import (
    Failure,
    NoAnswer,
    Reply,
    Unreadable,
    complaint,
    read_reply,
)

LONGEST_WAIT = 300.0
"""Seconds a server may ask us to wait; beyond them the run ends and can be resumed."""
_LONGEST_BACKOFF = 60.0
_LONGEST_MESSAGE = 300
_LONGEST_MASKED = 10_000
_NO_KEY = (
    "no key was sent: write key_env=NAME in the options of the system, where NAME is the "
    "environment variable that holds the key of this server"
)
_PASSING = frozenset({408, 409, 425, 429})

_SHORTEST_KEY = 4
"""A key of fewer characters is a placeholder such as `x`, found in every sentence."""
_PART, _LONG_PART = 6, 12


class Refused(Exception):
    """The server will not translate this text, however often it is asked."""


class Stopped(Exception):
    """The job ends before the text was answered, which says nothing about the text."""


class _Passing(Exception):
    """A fault that may be gone the next time."""

    def __init__(self, reason: str, wait: float | None = None, busy: bool = False) -> None:
        super().__init__(reason)
        self.wait = wait
        self.busy = busy


@dataclass
class ChatClient:
    """Asks one model at one address; several threads may use it at once."""

    url: str
    body: dict[str, Value]
    """The model and how it decodes."""
    key: str
    key_env: str
    timeout: float
    retries: int
    backoff: float
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._resume_at = 0.0
        self.mask = Mask(self.key)

    def ask(self, messages: list[Message], sending: Callable[[], None]) -> Reply:
        """The model's answer; Refused, Stopped, or HyperbatonError where going on is no use.

        `sending` is called before every request: the server is there, and nothing is sent yet.
        """
        faults = busy = 0
        while True:
            self._wait()
            try:
                return self._reply(messages, sending)
            except _Passing as passing:
                # A busy server is asked more patiently than a broken one.
                faults, busy = faults + (not passing.busy), busy + passing.busy
                if faults > self.retries or busy > 4 * self.retries:
                    raise Refused(f"{passing}, after {counted(faults + busy, 'attempt')}") from None
                self._pause(passing, faults + busy)

    def _reply(self, messages: list[Message], sending: Callable[[], None]) -> Reply:
        """One request; what went wrong with it is told without the key, and in few words."""
        try:
            return read_reply(self._post(messages, sending))
        except Unreadable as error:
            reason = self.clean(str(error))
            if isinstance(error, Failure) and error.status == 402:
                raise self._unpaid(f"{self.url} answered: {reason}") from None
            passing = _is_passing(error.status) if isinstance(error, Failure) else True
            if isinstance(error, NoAnswer) or not passing:
                raise Refused(reason) from None
            busy = isinstance(error, Failure) and error.status == 429
            raise _Passing(reason, busy=busy) from None

    def clean(self, message: str) -> str:
        """A message in one line, the key masked before it is cut to what may be read."""
        # Megabytes are not gone through; of a key that this cuts, the mask hides the rest.
        clean = printable(" ".join(self.mask.hide(message[:_LONGEST_MASKED]).split()))
        return clean if len(clean) <= _LONGEST_MESSAGE else f"{clean[:_LONGEST_MESSAGE]}…"

    def _wait(self) -> None:
        while not self.stop.is_set() and (left := self._resume_at - time.monotonic()) > 0:
            # Not all at the same moment, or the server is as busy as before.
            self.stop.wait(left + random.uniform(0, self.backoff))
        if self.stop.is_set():
            raise Stopped

    def _pause(self, passing: _Passing, attempt: int) -> None:
        if passing.wait is not None:
            if passing.wait > LONGEST_WAIT:
                raise HyperbatonError(
                    f"{self.url} asks to wait {passing.wait:,.0f} s ({passing}); "
                    "run the same command later to resume"
                )
            # What one request learns holds for all: none is sent before that moment.
            self._resume_at = max(self._resume_at, time.monotonic() + passing.wait)
            return
        longest = min(_LONGEST_BACKOFF, self.backoff * 2 ** (attempt - 1))
        self.stop.wait(longest * random.uniform(0.5, 1.0))

    def _post(self, messages: list[Message], sending: Callable[[], None]) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "hyperbaton"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        body = json.dumps({**self.body, "messages": messages}).encode()
        with self._network_faults():
            exchange = Exchange(self.url, self.timeout)
        with closing(exchange):
            sending()
            with self._network_faults():
                response = exchange.post(body, headers)
        if response.good:
            return response.body
        raise self._fault_of(
            response.status, response.headers, response.body.decode(errors="replace")
        )

    @contextmanager
    def _network_faults(self) -> Iterator[None]:
        """What the network raises, as faults that may pass."""
        try:
            yield
        except TimeoutError as error:
            raise _Passing(str(error)) from None
        except Endless:
            raise _Passing("the reply does not end") from None
        except http.client.IncompleteRead:
            raise _Passing("the connection was cut in the middle of the answer") from None
        except (OSError, http.client.HTTPException) as error:
            reason = f"the connection failed ({type(error).__name__}: {error})"
            raise _Passing(self.clean(reason)) from None

    def _fault_of(self, status: int, headers: Headers, text: str) -> Exception:
        """What an HTTP error means for this text, and for the run."""
        # Masked here already: what comes before it in the message may push it over the cut.
        words = self.clean(complaint(text))
        reason = f"HTTP {status}: {words}" if words else f"HTTP {status}"
        where = f"{self.url} answered {reason}"
        if status in (401, 403):
            advice = f"put a valid key into {self.key_env}" if self.key_env else _NO_KEY
            return HyperbatonError(f"{where}; {advice}")
        if status == 404:
            return HyperbatonError(
                f"{where}; is the address right, and the model '{self.body['model']}'?"
            )
        if 300 <= status < 400:
            return HyperbatonError(f"{where}; write the address it leads to after the @")
        if status == 402 or "insufficient_quota" in text:
            return self._unpaid(where)
        if _is_passing(status):
            # By the server's own clock, since ours may be wrong or be set right meanwhile.
            wait = retry_after(headers.get("Retry-After"), _moment(headers.get("Date")))
            return _Passing(reason, wait, busy=status == 429)
        return Refused(reason)

    def _unpaid(self, where: str) -> HyperbatonError:
        return HyperbatonError(
            f"{where}; what is translated so far is stored: top up the account, and run the same "
            "command again to resume"
        )


def _is_passing(status: int | None) -> bool:
    """Whether a fault of this status may be gone the next time."""
    return status is not None and (status in _PASSING or status >= 500)


def retry_after(value: str | None, now: float | None = None) -> float | None:
    """The seconds that a Retry-After header asks for, given as seconds or as a date.

    >>> retry_after("3")
    3.0
    >>> retry_after("Thu, 01 Jan 1970 00:01:40 GMT", now=90.0)
    10.0
    """
    if value is None:
        return None
    try:
        seconds = float(value)
    except ValueError:
        moment = _moment(value)
        if moment is None:
            return None
        seconds = moment - (time.time() if now is None else now)
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _moment(date: str | None) -> float | None:
    """The date of a header in seconds since 1970, None where there is none."""
    try:
        return None if date is None else parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None


@dataclass(frozen=True)
class Mask:
    """Hides a key and its parts.

    >>> mask = Mask("sk-4f9b27aa01c3")
    >>> mask.hide("wrong key: Bearer SK-4F9B27AA01C3, see sk-4f9b***")
    'wrong key: Bearer …, see …***'
    """

    key: str

    def hide(self, text: str) -> str:
        """The text with `…` for each run of characters that stands in the key."""
        shown: list[str] = []
        hidden = self._found(text, min(_PART, len(self.key)))
        for at, character in enumerate(text):
            if at not in hidden:
                shown.append(character)
            elif at - 1 not in hidden:
                shown.append("…")
        return "".join(shown)

    def is_in(self, text: str) -> bool:
        """Whether a text repeats the key, or so much of it that this is no chance."""
        low = text.lower()
        starts = range(len(self.key) - _LONG_PART + 1)
        return any(self.key[at : at + _LONG_PART].lower() in low for at in starts)

    def _found(self, text: str, size: int) -> set[int]:
        """The places in a text that belong to a part of the key of at least this size."""
        # Lower case by character, so that places stay what they were.
        key, low = ("".join(c.lower()[:1] or c for c in some) for some in (self.key, text))
        if len(key) < _SHORTEST_KEY:
            return set()
        parts = {key[at : at + size] for at in range(len(key) - size + 1)}
        starts = (at for at in range(len(low) - size + 1) if low[at : at + size] in parts)
        return {place for at in starts for place in range(at, at + size)}
