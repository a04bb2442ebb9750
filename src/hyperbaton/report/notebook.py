"""The parts of a report inside a notebook."""

from __future__ import annotations

from hyperbaton.report.charts.specs import config, describe, themed
from hyperbaton.report.contents import Contents, Figure, Finding, Table
from hyperbaton.report.page.findings import findings_html, tally_html
from hyperbaton.report.page.markup import paragraphs, prose
from hyperbaton.report.page.tables import grid_html

# A notebook has colours of its own; these follow its text, and need no sheet of the page's.
_STYLE = (
    "<style>.hyperbaton .holds{--tone:#00866b}.hyperbaton .fails{--tone:#c8540f}"
    ".hyperbaton .open{--tone:#7a76a0}.hyperbaton ol,.hyperbaton .tally{list-style:none;padding:0}"
    ".hyperbaton .verdict,.hyperbaton .tally li{color:var(--tone);font-weight:600;margin:0}"
    ".hyperbaton .interval{width:15rem;overflow:visible}"
    ".hyperbaton .interval line{stroke:currentColor;opacity:.4}"
    ".hyperbaton .interval .range{fill:var(--tone);opacity:.4}"
    ".hyperbaton .interval .value{fill:var(--tone)}"
    ".hyperbaton .interval text{fill:currentColor;font-size:10px}"
    ".hyperbaton .number{text-align:right}.hyperbaton th button{all:unset}"
    ".hyperbaton p{margin:.2rem 0}</style>"
)


def _framed(body: str) -> str:
    return f'<div class="hyperbaton">{_STYLE}{body}</div>'


def finding_html(finding: Finding) -> str:
    """One finding."""
    return _framed(findings_html([finding]))


def table_html(table: Table) -> str:
    """A table with its title."""
    return _framed(f"<b>{prose(table.title)}</b>{grid_html(table)}")


def contents_html(contents: Contents) -> str:
    """The findings and what else there is; figures and tables show themselves one by one."""
    rest = (
        f"{len(contents.figures)} figures in <code>.figures</code>, {len(contents.tables)} tables "
        "in <code>.tables</code>; the whole page: <code>write_report(contents, path)</code>."
    )
    return _framed(
        f"<h3>{prose(contents.title)}</h3>{paragraphs(contents.summary)}"
        f"{tally_html(contents.findings)}{findings_html(contents.findings)}<p>{rest}</p>"
    )


def figure_bundle(
    figure: Figure,
) -> tuple[dict[str, object], dict[str, object]] | dict[str, object]:
    """The figure as whatever the notebook's renderer of charts makes of it."""
    import altair

    look = config() | {"background": "white"}  # a notebook may be dark
    chart = altair.Chart.from_dict(themed(describe(figure), look))
    bundle: tuple[dict[str, object], dict[str, object]] | dict[str, object] | None
    bundle = chart._repr_mimebundle_()
    return bundle or {}
