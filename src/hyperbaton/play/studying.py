"""The addresses of studies: start, pause, resume, list, compare, and their reports."""

from __future__ import annotations

from starlette.routing import Route

from hyperbaton.play.guard import REPORTS
from hyperbaton.play.reading import asked_pair
from hyperbaton.play.reports import Shelf, report_of
from hyperbaton.play.runs import ON_FILES, Runs
from hyperbaton.play.streaming import answering

__all__ = ["study_routes"]


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
