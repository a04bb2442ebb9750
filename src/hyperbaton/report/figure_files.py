"""Figures as files for a paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hyperbaton.errors import HyperbatonError, did_you_mean
from hyperbaton.files import write_bytes
from hyperbaton.progress import track
from hyperbaton.report.contents import Contents, Figure
from hyperbaton.report.markup import unique_slugs
from hyperbaton.report.specs import Spec, describe, themed, vegalite_version
from hyperbaton.report.theme import PRINT_FONT, config

__all__ = ["FIGURE_FORMATS", "figure_bytes", "write_figures"]

_DOTS_PER_INCH = 300


def _png(spec: Spec) -> bytes:
    import vl_convert

    made: bytes = vl_convert.vegalite_to_png(
        spec, vl_version=vegalite_version(), ppi=_DOTS_PER_INCH, scale=1
    )
    return made


def _svg(spec: Spec) -> bytes:
    import vl_convert

    made: str = vl_convert.vegalite_to_svg(spec, vl_version=vegalite_version())
    return made.encode()


def _pdf(spec: Spec) -> bytes:
    import vl_convert

    made: bytes = vl_convert.vegalite_to_pdf(spec, vl_version=vegalite_version())
    return made


FIGURE_FORMATS: dict[str, Callable[[Spec], bytes]] = {"png": _png, "svg": _svg, "pdf": _pdf}
"""Each format of a figure with what draws it."""


def figure_bytes(figure: Figure, form: str) -> bytes:
    """One figure, on white paper."""
    if form not in FIGURE_FORMATS:
        hint = did_you_mean(form, FIGURE_FORMATS)
        known = ", ".join(FIGURE_FORMATS)
        raise HyperbatonError(f"unknown figure format '{form}': one of {known}.{hint}")
    look = config("light", PRINT_FONT) | {"background": "white"}
    return FIGURE_FORMATS[form](_sized(themed(describe(figure), look)))


def _sized(spec: Spec) -> Spec:
    """Paper has no container to fill."""
    return {key: value for key, value in spec.items() if (key, value) != ("width", "container")}


def write_figures(
    contents: Contents, folder: Path, formats: Sequence[str] = ("png", "svg", "pdf")
) -> list[Path]:
    """Write every figure in every format; the files are named by the figures' ids."""
    names = unique_slugs([f"{figure.id} {figure.run}" for figure in contents.figures])
    paths = []
    named = list(zip(contents.figures, names, strict=True))
    for figure, name in track(named, "figures", len(named)):
        for form in formats:
            path = folder / f"{name}.{form}"
            write_bytes(path, figure_bytes(figure, form))
            paths.append(path)
    return paths
