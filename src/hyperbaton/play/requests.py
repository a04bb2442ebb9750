"""What the page asks, checked before anything is done with it, and how it is answered in JSON."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from hyperbaton.base.content import parse_object
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import parse_pair
from hyperbaton.language.sentence import Sentence
from hyperbaton.perturb import Variant
from hyperbaton.play.answers import Question
from hyperbaton.play.desk import Desk, Event, Job, Ticket
from hyperbaton.play.mistakes import Mistake
from hyperbaton.play.sentences import NotedSentence, Sentences, by_hand, checked_text, moved, vary

Desks = Mapping[str, Desk]
Endpoint = Callable[[Request], Awaitable[Response]]
_PAGE = re.compile(r"[0-9a-z]{1,32}")


async def content_of(request: Request) -> dict[str, object]:
    """The JSON object of a request."""
    body = (await request.body()).decode(errors="replace")
    return parse_object(body, "the question")


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


Begin = Callable[[Desk, Callable[[Event], None]], Job]
"""What starts a job at a desk, which tells what it finds."""


def watching(
    desks: Desks, sentences: Sentences, prepare: Callable[[tuple[str, str], Sentence], Begin]
) -> Endpoint:
    """What a job on a sentence finds as it comes; the job ends when nobody listens any more."""

    async def watch(request: Request) -> Response:
        content = await content_of(request)
        desk = _desk(desks, content.get("system"))
        pair = asked_pair(content)
        sentence = (await run_in_threadpool(asked_sentence, content, sentences)).sentence
        begin = await run_in_threadpool(prepare, pair, sentence)
        line = _Line()

        async def events() -> AsyncIterator[Event]:
            job = begin(desk, line.tell)
            try:
                while True:
                    event = await line.next()
                    yield event
                    if event["state"] in ("done", "fault"):
                        return
            finally:
                job.cancelled.set()

        return _lines(events())

    return watch


@dataclass(frozen=True)
class Asked:
    """A question, who asks, and which systems."""

    page: str
    number: int
    systems: tuple[str, ...]
    question: Question


def asked_pair(content: Mapping[str, object]) -> tuple[str, str]:
    """The languages that are chosen on the page."""
    pair = content.get("pair")
    if not isinstance(pair, str):
        raise HyperbatonError("the languages are missing: choose them on the page")
    return parse_pair(pair)


def asked_sentence(content: Mapping[str, object], sentences: Sentences) -> NotedSentence:
    """The sentence on the page with what is known of it."""
    text = checked_text(content.get("text"), "sentence")
    if not text:
        raise Mistake("wrong_empty_sentence")
    return sentences.find(asked_pair(content)[0], text)


def read_asked(content: Mapping[str, object], sentences: Sentences) -> Asked:
    """A whole question; reading it may parse, so it belongs in a thread of its own."""
    page = content.get("page")
    if not isinstance(page, str) or not _PAGE.fullmatch(page):
        raise HyperbatonError("the page has no name: load it again")
    systems = content.get("systems")
    if not isinstance(systems, list) or not all(isinstance(name, str) for name in systems):
        raise HyperbatonError("systems is a list of names")
    number = content.get("number")
    if type(number) is not int:
        raise HyperbatonError("number is a whole number")
    pair = asked_pair(content)
    sentence = asked_sentence(content, sentences).sentence
    reference = _reference(content, pair[1], sentences)
    variant, varied_reference = _variant(content.get("variant"), sentence, reference)
    question = Question(pair, sentence, variant, reference, varied_reference)
    return Asked(page, number, tuple(dict.fromkeys(systems)), question)


def _reference(
    content: Mapping[str, object], language: str, sentences: Sentences
) -> Sentence | None:
    text = checked_text(content.get("reference", ""), "reference")
    return sentences.find(language, text).sentence if text else None


def _variant(
    asked: object, sentence: Sentence, reference: Sentence | None
) -> tuple[Variant, str | None]:
    """The variant that is asked for, and the reference changed in the same way where it can be."""
    if asked is None:
        return by_hand(sentence, sentence.text), None
    if not isinstance(asked, dict):
        raise HyperbatonError("a variant is an object")
    if "order" in asked:
        return moved(sentence, asked["order"]), None
    if "text" in asked:
        text = checked_text(asked["text"], "variant")
        if not text:
            raise Mistake("wrong_empty_variant")
        return by_hand(sentence, text), None
    name, draw = asked.get("name"), asked.get("draw", 0)
    variant = vary(sentence, name, draw)
    if variant is None:
        raise Mistake("does_not_apply")
    theirs = None if reference is None else vary(reference, name, draw)
    return variant, None if theirs is None else theirs.text
