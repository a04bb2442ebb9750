"""The addresses of studies: start, pause, resume, list, compare, and their reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from hyperbaton.errors import HyperbatonError
from hyperbaton.play.guard import REPORT_POLICY
from hyperbaton.play.reading import asked_pair
from hyperbaton.play.runs import ON_FILES, Runs
from hyperbaton.play.streaming import Endpoint, answering

__all__ = ["study_routes"]


def study_routes(runs: Runs) -> list[Route]:
    """What the page asks of the runs in one folder."""

    def start(content: dict[str, object]) -> object:
        pair, files = asked_pair(content), content.get("files")
        return {"name": runs.start(content.get("study"), pair, files, content.get("systems"))}

    def pause(content: dict[str, object]) -> object:
        runs.pause(content.get("name"))
        return _listed(runs)

    def resume(content: dict[str, object]) -> object:
        runs.resume(content.get("name"))
        return _listed(runs)

    def listed(content: dict[str, object]) -> object:
        return _listed(runs)

    def compare(content: dict[str, object]) -> object:
        return {"page": runs.compare(content.get("names"))}

    asked = (start, pause, resume, listed, compare)
    return [
        *(Route(f"/api/runs/{f.__name__}", answering(f), methods=["POST"]) for f in asked),
        Route("/runs/{name}/report.html", _file(lambda name: runs.path(name) / "report.html")),
        Route("/compared/{name}", _file(runs.page)),
    ]


def _listed(runs: Runs) -> dict[str, object]:
    return {"runs": runs.listing(), "studies": ON_FILES, "folder": str(runs.folder)}


def _file(find: Callable[[str], Path]) -> Endpoint:
    """A report as it is, kept apart from the page."""

    async def report(request: Request) -> Response:
        try:
            path = find(request.path_params["name"])
        except HyperbatonError as error:
            raise HTTPException(404, str(error)) from None
        if not path.is_file() or path.is_symlink():
            raise HTTPException(404, "there is no report yet")
        headers = {"Content-Security-Policy": REPORT_POLICY}
        return FileResponse(path, media_type="text/html", headers=headers)

    return report
