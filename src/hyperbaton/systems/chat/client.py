"""One request to a server of translations: retried after passing faults, the keys masked."""

from __future__ import annotations

import http.client
import json
import math
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import Message as Headers
from email.utils import parsedate_to_datetime
from typing import TypeVar

from hyperbaton.base.errors import HyperbatonError, printable
from hyperbaton.base.wording import counted
from hyperbaton.systems.chat.http import Endless, Exchange
from hyperbaton.systems.chat.keys import Keys
from hyperbaton.systems.chat.refusals import refused_parameters
from hyperbaton.systems.chat.replies import Failure, NoAnswer, Unreadable, WebPage, complaint

Read = TypeVar("Read")

LONGEST_WAIT = 300.0
"""Seconds a server may ask us to wait; beyond them the run ends and can be resumed."""
_LONGEST_BACKOFF = 60.0
_LONGEST_MESSAGE = 300
_LONGEST_MASKED = 10_000
_NO_KEY = (
    "no key was sent: write key_env=NAME in the options of the system, where NAME is the "
    "environment variable that holds the key of this server"
)
_SPENT = re.compile(
    r"insufficient_quota|dailyLimitExceeded|Daily Limit Exceeded|\b403001\b|Quota Exceeded|"
    r"Quota for this billing period",
    re.IGNORECASE,
)
"""What servers say of an account that has nothing left, whatever the status is."""
_TOO_FAST = re.compile(r"rateLimitExceeded|Rate Limit Exceeded", re.IGNORECASE)
_WRONG_KEY = re.compile(r"API_KEY_INVALID|API key not valid")
_PASSING = frozenset({408, 409, 425, 429})


class ParametersRefused(Exception):
    """The server does not take parameters of a request, and says which."""

    def __init__(self, reason: str, refused: Mapping[str, str | None]) -> None:
        super().__init__(reason)
        self.refused = refused
        """Each with the name that it is to have, None where it is to be left out."""


class Refused(Exception):
    """The server will not translate this text, however often it is asked."""


class Stopped(Exception):
    """The job ends before the text was answered, which says nothing about the text."""


class _Passing(Exception):
    """A fault that may be gone the next time."""

    def __init__(
        self, reason: str, wait: float | None = None, busy: bool = False, fatal: bool = False
    ) -> None:
        super().__init__(reason)
        self.wait = wait
        self.busy = busy
        self.fatal = fatal


@dataclass
class Client:
    """Sends requests to one address; several threads may use it at once."""

    url: str
    keys: Keys
    timeout: float
    retries: int
    backoff: float
    headers: Mapping[str, str] = field(default_factory=dict)
    rate: float = 0.0
    """Requests that may begin in a second; 0 for as many as there are."""
    model: str = ""
    optional: frozenset[str] = frozenset()
    """Parameters of a request without which, or under another name, the server may be asked."""
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self._resume_at = self._next = 0.0
        self._turn = threading.Lock()

    def ask(self, body: object, read: Callable[[bytes], Read], sending: Callable[[], None]) -> Read:
        """What `read` makes of the reply; Refused, Stopped, or HyperbatonError to end the job.

        `read` may raise Unreadable. `sending` is called before every request: the server is there,
        and nothing is sent yet.
        """
        sent = json.dumps(body).encode()
        faults = busy = 0
        while True:
            self._wait()
            try:
                return self._reply(sent, read, sending)
            except _Passing as passing:
                # A busy server is asked more patiently than a broken one.
                faults, busy = faults + (not passing.busy), busy + passing.busy
                if faults > self.retries or busy > 4 * self.retries:
                    raise _given_up(passing, faults + busy) from None
                self._pause(passing, faults + busy)

    def _reply(
        self, body: bytes, read: Callable[[bytes], Read], sending: Callable[[], None]
    ) -> Read:
        """One request; what went wrong with it is told without the key, and in few words."""
        try:
            return read(self._post(body, sending))
        except Unreadable as error:
            reason = self.clean(str(error))
            if isinstance(error, WebPage):
                raise _Passing(f"{self.url} answered {reason}", fatal=True) from None
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
        clean = printable(" ".join(self.keys.hide(message[:_LONGEST_MASKED]).split()))
        return clean if len(clean) <= _LONGEST_MESSAGE else f"{clean[:_LONGEST_MESSAGE]}…"

    def _wait(self) -> None:
        while not self.stop.is_set() and (left := self._resume_at - time.monotonic()) > 0:
            # Not all at the same moment, or the server is as busy as before.
            self.stop.wait(left + random.uniform(0, self.backoff))
        if self.rate:
            with self._turn:
                now = time.monotonic()
                self._next = max(now, self._next) + 1 / self.rate
                left = self._next - 1 / self.rate - now
            self.stop.wait(max(0.0, left))
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

    def _post(self, body: bytes, sending: Callable[[], None]) -> bytes:
        headers = {"Content-Type": "application/json", "User-Agent": "hyperbaton", **self.headers}
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
        if status in (402, 456) or _SPENT.search(text):
            return self._unpaid(where)
        if status == 403 and _TOO_FAST.search(text):
            return _Passing(reason, busy=True)
        if status in (401, 403) or _WRONG_KEY.search(text):
            names = " or ".join(self.keys.names)
            advice = f"put a valid key into {names}" if names else _NO_KEY
            return HyperbatonError(f"{where}; {advice}")
        if status == 404:
            model = f", and the model '{self.model}'" if self.model else ""
            return HyperbatonError(f"{where}; is the address right{model}?")
        if 300 <= status < 400:
            return HyperbatonError(f"{where}; write the address it leads to instead of this one")
        if status in (400, 422) and (refused := refused_parameters(text, self.optional)):
            return ParametersRefused(reason, refused)
        if _is_passing(status):
            # By the server's own clock, since ours may be wrong or be set right meanwhile.
            wait = retry_after(headers.get("Retry-After"), _moment(headers.get("Date")))
            return _Passing(reason, wait, busy=status == 429)
        return Refused(reason)

    def _unpaid(self, where: str) -> HyperbatonError:
        return HyperbatonError(
            f"{where}; what is translated so far is stored: top up the account or wait for its "
            "next quota, and run the same command again to resume"
        )


def _given_up(passing: _Passing, attempts: int) -> Exception:
    """What a fault means that did not pass."""
    reason = f"{passing}, after {counted(attempts, 'attempt')}"
    return HyperbatonError(f"{reason}; is the address right?") if passing.fatal else Refused(reason)


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
