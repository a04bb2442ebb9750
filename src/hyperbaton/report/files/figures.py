"""Figures as files for a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.files import write_bytes
from hyperbaton.base.progress import track
from hyperbaton.report.charts.specs import describe, themed
from hyperbaton.report.charts.theme import PRINT_FONT, config
from hyperbaton.report.contents import Contents, Figure
from hyperbaton.report.files.paper import Drawing, fitted, repacked
from hyperbaton.report.files.pdf import in_one_order
from hyperbaton.report.page.markup import unique_slugs

__all__ = ["FIGURE_FORMATS", "figure_bytes", "write_figures"]

_DOTS_PER_INCH = 300


def _png(drawing: Drawing) -> bytes:
    import vl_convert

    made: bytes = vl_convert.svg_to_png(drawing.svg, ppi=_DOTS_PER_INCH, scale=drawing.scale)
    return repacked(made)


def _svg(drawing: Drawing) -> bytes:
    return drawing.resized().encode()


def _pdf(drawing: Drawing) -> bytes:
    import vl_convert

    made: bytes = vl_convert.svg_to_pdf(drawing.resized())
    return in_one_order(made)


FIGURE_FORMATS: dict[str, Callable[[Drawing], bytes]] = {"png": _png, "svg": _svg, "pdf": _pdf}
"""Each format of a figure with what makes it from the drawing."""


def figure_bytes(figure: Figure, form: str) -> bytes:
    """One figure, on white paper and no wider than its text."""
    return _known(form)(_on_paper(figure))


def _known(form: str) -> Callable[[Drawing], bytes]:
    if form not in FIGURE_FORMATS:
        hint = did_you_mean(form, FIGURE_FORMATS)
        known = ", ".join(FIGURE_FORMATS)
        raise HyperbatonError(f"unknown figure format '{form}': one of {known}.{hint}")
    return FIGURE_FORMATS[form]


def _on_paper(figure: Figure) -> Drawing:
    # Paper has no container to fill, and nobody to read a description of each point aloud.
    look = config("light", PRINT_FONT) | {"background": "white", "aria": False}
    spec = themed(describe(figure), look)
    return fitted({key: v for key, v in spec.items() if (key, v) != ("width", "container")})


def write_figures(
    contents: Contents, folder: Path, formats: Sequence[str] = ("png", "svg", "pdf")
) -> list[Path]:
    """Write every figure in every format; the files are named by the figures' ids."""
    names = unique_slugs([f"{figure.id} {figure.run}" for figure in contents.figures])
    paths = []
    named = list(zip(contents.figures, names, strict=True))
    for figure, name in track(named, "figures", len(named)):
        drawn = _on_paper(figure)
        for form in formats:
            path = folder / f"{name}.{form}"
            write_bytes(path, _known(form)(drawn))
            paths.append(path)
    return paths
