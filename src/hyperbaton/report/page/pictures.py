"""A system on one picture: two shares against each other, the mean and the points behind it."""

from __future__ import annotations

from math import isfinite

from hyperbaton.report.contents import Explorer, Headline, Picture
from hyperbaton.report.page.markup import attribute, sentences_link

_SIZE, _LEFT, _BOTTOM, _TOP = 150, 24, 26, 14
_WIDTH, _HEIGHT = _LEFT + _SIZE + 8, _TOP + _SIZE + _BOTTOM


def picture_svg(headline: Headline, explorer: Explorer | None) -> str:
    """The picture of a headline; its points lead to their sentences."""
    picture = headline.picture
    if picture is None or not all(isfinite(end) for span in picture.centre for end in span):
        return ""
    across, down = picture.titles
    points = "".join(_point(name, headline.name, picture, explorer) for name in picture.points)
    (x, y), label = picture.centre, attribute(_said(headline.name, picture))
    corners = "".join(
        f'<text class="corner" x="{x}" y="{y}" text-anchor="{anchor}">{attribute(text)}</text>'
        for text, (x, y, anchor) in zip(picture.corners, _CORNERS, strict=False)
    )
    return (
        f'<svg class="picture" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="group" aria-label="{label}">'
        f'<rect class="field" x="{_LEFT}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}"/>'
        f"{_ticks()}{points}"
        f'<path class="spread" d="M{_x(x[1])} {_y(y[0])}H{_x(x[2])}M{_x(x[0])} {_y(y[1])}'
        f'V{_y(y[2])}"/><circle class="centre" cx="{_x(x[0])}" cy="{_y(y[0])}" r="5"/>{corners}'
        f'<text x="{_x(0.5)}" y="{_HEIGHT - 3}" text-anchor="middle">{attribute(across)}</text>'
        f'<text transform="translate(9 {_y(0.5)}) rotate(-90)" text-anchor="middle">'
        f"{attribute(down)}</text></svg>"
    )


def _said(name: str, picture: Picture) -> str:
    (x, y), (across, down) = picture.centre, picture.titles
    return f"{name}: {across} {100 * x[0]:.0f} %, {down} {100 * y[0]:.0f} %"


def _ticks() -> str:
    return "".join(
        f'<text x="{_x(share)}" y="{_y(0) + 11}" text-anchor="{anchor}">{100 * share:.0f} %</text>'
        for share, anchor in ((0, "start"), (1, "end"))
    )


def _point(name: str, system: str, picture: Picture, explorer: Explorer | None) -> str:
    x, y = picture.points[name]
    if not (isfinite(x) and isfinite(y)):
        return ""
    title = attribute(f"{name}: {100 * x:.0f} %, {100 * y:.0f} %")
    dot = f'<circle cx="{_x(x)}" cy="{_y(y)}" r="3"><title>{title}</title></circle>'
    if explorer is None or picture.column not in explorer.filters or not explorer.rivals:
        return dot
    to = sentences_link({explorer.rivals: system, picture.column: name})
    return f'<a href="{attribute(to)}" aria-label="{title}">{dot}</a>'


def _x(share: float) -> str:
    return f"{_LEFT + _SIZE * min(max(share, 0.0), 1.0):.1f}"


def _y(share: float) -> float:
    return round(_TOP + _SIZE * (1 - min(max(share, 0.0), 1.0)), 1)


_CORNERS = (
    (_x(1), _TOP - 4, "end"),
    (_x(0.97), _y(0.04), "end"),
    (_x(0.04), _y(0.48), "start"),
)
"""Where the names of the corners stand: that of the best above the field, clear of the points."""
