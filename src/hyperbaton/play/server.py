"""The server of the page: what each address answers."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib.resources import files

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.starter import STARTER_LANGUAGES
from hyperbaton.play.answers import example
from hyperbaton.play.breaking import search_of
from hyperbaton.play.desk import Desk
from hyperbaton.play.guard import REPORTS
from hyperbaton.play.mistakes import Mistake, told
from hyperbaton.play.orders import MOST_WORDS, map_of
from hyperbaton.play.reports import Shelf, report_of
from hyperbaton.play.requests import (
    Endpoint,
    answering,
    asked_pair,
    asked_sentence,
    asking,
    read_asked,
    watching,
)
from hyperbaton.play.runs import ON_FILES, Runs
from hyperbaton.play.sentences import (
    LONGEST,
    OFFERED,
    Sentences,
    as_json,
    drawn_anew,
    offered,
    surprise,
    vary,
)

_REPORT = ("data.js", "words.js", "lines.js", "diff.js", "page.css")
"""The report's own files that the page shows sentences with."""
_KINDS = {"js": "text/javascript", "css": "text/css", "json": "application/json"}


@dataclass
class Playground:
    """What the page plays with: open systems, sentences, and the languages it starts in."""

    desks: Mapping[str, Desk]
    pair: tuple[str, str]
    off: Sequence[str] = ()
    """Systems that are one click away when the page opens."""
    sentences: Sentences = field(default_factory=Sentences)
    routes: Sequence[BaseRoute] = ()
    """Further addresses, such as those of studies."""
    came: threading.Event = field(default_factory=threading.Event)
    """Set when a browser has asked for the page."""

    def close(self) -> None:
        """Let everything go."""
        for desk in self.desks.values():
            desk.close()
        self.sentences.close()

    def ended(self, seconds: float) -> bool:
        """Whether every system ends within so many seconds of `close`."""
        end = time.monotonic() + seconds
        desks = self.desks.values()
        return all(desk.ended(max(0.0, end - time.monotonic())) for desk in desks)


def application(play: Playground) -> Starlette:
    """The page, its files, and what it asks."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        play.close()

    asked = {
        "start": _start,
        "sentence": _sentence,
        "surprise": _surprise,
        "variant": _variant,
        "example": _example,
    }
    answers = {name: answering(partial(function, play)) for name, function in asked.items()}
    return Starlette(
        routes=[
            Route("/", _page(play)),
            Route("/assets/{name}", _asset),
            *(Route(f"/api/{name}", f, methods=["POST"]) for name, f in answers.items()),
            Route("/api/ask", asking(play.desks, play.sentences), methods=["POST"]),
            *(
                Route(
                    f"/api/{name}", watching(play.desks, play.sentences, prepare), methods=["POST"]
                )
                for name, prepare in {"orders": map_of, "break": search_of}.items()
            ),
            *play.routes,
        ],
        exception_handlers={HyperbatonError: _mistake, ClientDisconnect: _too_large},
        lifespan=lifespan,
    )


async def _mistake(request: Request, error: Exception) -> Response:
    assert isinstance(error, HyperbatonError)
    return JSONResponse(told(error), 400)


async def _too_large(request: Request, error: Exception) -> Response:
    return JSONResponse(told(Mistake("wrong_too_large")), 413)


def _page(play: Playground) -> Endpoint:
    async def page(request: Request) -> Response:
        play.came.set()
        text = files("hyperbaton.play").joinpath("assets", "index.html").read_text("utf-8")
        return Response(text, media_type="text/html")

    return page


async def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    room = "report" if name in _REPORT else "play"
    folder = files(f"hyperbaton.{room}").joinpath("assets")
    known = {entry.name: entry for entry in folder.iterdir()}
    kind = _KINDS.get(name.rpartition(".")[2])
    if name not in known or kind is None:
        raise HTTPException(404)
    return Response(known[name].read_text("utf-8"), media_type=kind)


def _start(play: Playground, content: dict[str, object]) -> dict[str, object]:
    languages = dict.fromkeys([*STARTER_LANGUAGES, *play.pair])
    return {
        "systems": list(play.desks),
        "off": list(play.off),
        "pair": "-".join(play.pair),
        "languages": list(languages),
        "groups": dict(OFFERED),
        "random": drawn_anew(),
        "longest": LONGEST,
        "most_words": MOST_WORDS,
    }


def _sentence(play: Playground, content: dict[str, object]) -> dict[str, object]:
    """A sentence as the page draws it, with every variant that a button makes."""
    found = asked_sentence(content, play.sentences)
    sentence = found.sentence
    return {
        "text": sentence.text,
        "language": sentence.language,
        "words": sentence.words,
        "spaces": sentence.spaces,
        "upos": sentence.upos,
        "heads": sentence.heads,
        "deps": sentence.deps,
        "note": found.note,
        "variants": offered(sentence),
    }


def _surprise(play: Playground, content: dict[str, object]) -> dict[str, object]:
    number = content.get("number")
    if not isinstance(number, int):
        raise HyperbatonError("number is a whole number")
    source, target = asked_pair(content)
    item = surprise(source, target, number, MOST_WORDS + 1 if content.get("short") else None)
    return {"text": item.source_text, "reference": item.reference_text}


def _variant(play: Playground, content: dict[str, object]) -> dict[str, object] | None:
    found = asked_sentence(content, play.sentences)
    variant = vary(found.sentence, content.get("name"), content.get("draw", 0))
    return None if variant is None else as_json(variant)


def _example(play: Playground, content: dict[str, object]) -> dict[str, object]:
    asked = read_asked({**content, "systems": [], "page": "0", "number": 0}, play.sentences)
    return {"text": example(asked.question, content.get("format"))}


def study_routes(runs: Runs) -> list[Route]:
    """What the page asks of the runs in one folder."""
    shelf = Shelf(runs.folder)

    def start(content: dict[str, object]) -> object:
        pair, files = asked_pair(content), content.get("files")
        return {"name": runs.start(content.get("study"), pair, files, content.get("systems"))}

    def pause(content: dict[str, object]) -> object:
        runs.pause(content.get("name"))
        return _listed(runs, shelf)

    def resume(content: dict[str, object]) -> object:
        runs.resume(content.get("name"))
        return _listed(runs, shelf)

    def listed(content: dict[str, object]) -> object:
        return _listed(runs, shelf)

    def compare(content: dict[str, object]) -> object:
        return {"page": shelf.address(*runs.compare(content.get("names")))}

    asked = (start, pause, resume, listed, compare)
    return [
        *(Route(f"/api/runs/{f.__name__}", answering(f), methods=["POST"]) for f in asked),
        Route(f"{REPORTS}{{word}}", report_of(shelf)),
    ]


def _listed(runs: Runs, shelf: Shelf) -> dict[str, object]:
    listing = [
        {**run, "report": shelf.address(str(run["name"]), "report.html")}
        if run.get("report")
        else run
        for run in runs.listing()
    ]
    return {"runs": listing, "studies": ON_FILES, "folder": str(runs.folder)}
