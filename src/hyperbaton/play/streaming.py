"""Addresses that answer with JSON: at once, or line by line while threads are at work."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hyperbaton.base.content import parse_json
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.play.desk import Desk, Event, Ticket
from hyperbaton.play.mapping import begin_map
from hyperbaton.play.orders import orders_of
from hyperbaton.play.reading import asked_pair, asked_sentence, read_asked
from hyperbaton.play.sentences import Sentences

__all__ = ["Desks", "Endpoint", "answering", "asking", "mapping"]

Desks = Mapping[str, Desk]
Endpoint = Callable[[Request], Awaitable[Response]]


async def content_of(request: Request) -> dict[str, object]:
    """The JSON object of a request."""
    body = (await request.body()).decode(errors="replace")
    content = parse_json(body, "the question")
    if not isinstance(content, dict):
        raise HyperbatonError("a question is a JSON object")
    return content


def answering(function: Callable[[dict[str, object]], object]) -> Endpoint:
    """An address that answers with JSON; the work is done in a thread, other requests go on."""

    async def answer(request: Request) -> Response:
        found = await run_in_threadpool(function, await content_of(request))
        return Response(as_json(found), media_type="application/json")

    return answer


def as_json(content: object) -> str:
    """JSON that a browser reads; what is not a number is an error here, not there."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


class _Line:
    """Events from other threads, as lines of JSON for one request."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[Event] = asyncio.Queue()

    def tell(self, event: Event) -> None:
        """Called from any thread, also when nobody listens any more."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._events.put_nowait, event)

    async def next(self) -> Event:
        return await self._events.get()


def _lines(events: AsyncIterator[Event]) -> StreamingResponse:
    async def lines() -> AsyncIterator[str]:
        async for event in events:
            yield as_json(event) + "\n"

    return StreamingResponse(lines(), media_type="application/x-ndjson")


def _desk(desks: Desks, name: object) -> Desk:
    if not isinstance(name, str) or name not in desks:
        raise HyperbatonError("this system was not named when the page was started")
    return desks[name]


def asking(desks: Desks, sentences: Sentences) -> Endpoint:
    """Answers of several systems as they come, a line of JSON each."""

    async def ask(request: Request) -> Response:
        asked = await run_in_threadpool(read_asked, await content_of(request), sentences)
        chosen = [_desk(desks, name) for name in asked.systems]
        line = _Line()
        tickets = [
            (desk, Ticket(asked.page, asked.number, asked.question, line.tell)) for desk in chosen
        ]

        async def events() -> AsyncIterator[Event]:
            left = set(asked.systems)
            try:
                for desk, ticket in tickets:
                    await run_in_threadpool(desk.ask, ticket)
                while left:
                    event = await line.next()
                    if event["state"] != "running":
                        left.discard(str(event["system"]))
                    yield event
            finally:
                for desk, ticket in tickets:
                    desk.leave(ticket)

        return _lines(events())

    return ask


def mapping(desks: Desks, sentences: Sentences) -> Endpoint:
    """The map of a sentence's orders as it grows; it ends when nobody listens any more."""

    async def orders(request: Request) -> Response:
        content = await content_of(request)
        desk = _desk(desks, content.get("system"))
        pair = asked_pair(content)
        sentence = (await run_in_threadpool(asked_sentence, content, sentences)).sentence
        drawn = await run_in_threadpool(orders_of, sentence)
        line = _Line()

        async def events() -> AsyncIterator[Event]:
            job = begin_map(desk, pair, sentence, drawn, line.tell)
            try:
                while True:
                    event = await line.next()
                    yield event
                    if event["state"] in ("done", "fault"):
                        return
            finally:
                job.cancelled.set()

        return _lines(events())

    return orders
