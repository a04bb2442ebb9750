"""Figures as files for a paper, at the width of its text.

A figure that is too wide has fewer panels in a row; then everything in it becomes smaller.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.files import write_bytes
from hyperbaton.base.progress import track
from hyperbaton.report.charts.specs import (
    PRINT_FONT,
    config,
    describe,
    themed,
    vegalite_version,
)
from hyperbaton.report.charts.vegalite import Spec
from hyperbaton.report.contents import Contents, Figure
from hyperbaton.report.files.pdf import in_one_order
from hyperbaton.report.page.markup import unique_slugs

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


TEXT_WIDTH = 455
"""Points: 6.3 inches, the width of the text in the field's papers."""
_SMALLEST = 0.72
"""Letters of 11 points are not made smaller than 8, as long as panels can move to the next row."""
_SIZE = re.compile(r'(<svg\b[^>]*?) width="([\d.]+)" height="([\d.]+)"')


@dataclass(frozen=True)
class Drawing:
    """A figure as SVG, and how much smaller it must be to fit."""

    svg: str
    scale: float = 1.0

    @property
    def width(self) -> float:
        """How wide it is drawn, in points."""
        found = _SIZE.search(self.svg)
        return float(found[2]) if found else 0.0

    def resized(self) -> str:
        """The same drawing at the size that fits.

        >>> svg = '<svg width="910" height="100" viewBox="0 0 910 100"></svg>'
        >>> Drawing(svg, 0.5).resized()
        '<svg width="455.00" height="50.00" viewBox="0 0 910 100"></svg>'
        """
        return _SIZE.sub(
            lambda m: (
                f'{m[1]} width="{float(m[2]) * self.scale:.2f}"'
                f' height="{float(m[3]) * self.scale:.2f}"'
            ),
            self.svg,
            count=1,
        )


def _drawn(spec: Spec) -> Drawing:
    import vl_convert

    return Drawing(vl_convert.vegalite_to_svg(spec, vl_version=vegalite_version()))


def fitted(spec: Spec) -> Drawing:
    """The figure with as many panels in a row as can be read, and how much smaller it must be."""
    drawing = _drawn(spec)
    while drawing.width * _SMALLEST > TEXT_WIDTH:
        narrower = _narrower(spec, drawing.width)
        if narrower is None:
            break
        spec, before, drawing = narrower, drawing, _drawn(narrower)
        if drawing.width >= before.width:
            break
    return replace(drawing, scale=min(1.0, TEXT_WIDTH / drawing.width) if drawing.width else 1.0)


def _narrower(spec: Spec, width: float) -> Spec | None:
    """One panel less in a row, or a row of panels that are narrower; None where neither can be."""
    made = deepcopy(spec)
    encoding = cast(dict[str, dict[str, object]], made.get("encoding") or {})
    for holder in (made, encoding.get("facet") or {}):
        columns = holder.get("columns")
        if isinstance(columns, int) and columns > 1:
            holder["columns"] = columns - 1
            return made
    row = cast(list[dict[str, float]], made.get("hconcat") or [])
    if row and all(isinstance(part.get("width"), int | float) for part in row):
        over = width - TEXT_WIDTH / _SMALLEST
        for part in row:
            part["width"] = part["height"] = max(60.0, part["width"] - over / len(row))
        return made
    return None


def repacked(png: bytes) -> bytes:
    """The same picture in a fifth of the bytes that the drawing library writes."""
    chunks = list(_chunks(png))
    pixels = zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT"))
    head = [chunk for chunk in chunks if chunk[0] not in (b"IDAT", b"IEND")]
    packed = [*head, (b"IDAT", zlib.compress(pixels)), (b"IEND", b"")]
    return png[:8] + b"".join(map(_written, packed))


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += size + 12


def _written(chunk: tuple[bytes, bytes]) -> bytes:
    kind, data = chunk
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
