"""The report as one HTML file that needs nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path

from hyperbaton import __version__
from hyperbaton.base.files import write_text
from hyperbaton.report.charts.specs import config, describe, shared
from hyperbaton.report.contents import Contents, Figure
from hyperbaton.report.page.board import board_html
from hyperbaton.report.page.columns import encode
from hyperbaton.report.page.data import block, drawing_library, packed_library
from hyperbaton.report.page.findings import findings_html, tally_html
from hyperbaton.report.page.markup import attribute, paragraphs, prose, unique_slugs
from hyperbaton.report.page.systems import answers_html, contests_html, examples_html
from hyperbaton.report.page.tables import table_data, tables_html

_MANY_LINES = 12
_SCRIPTS = (
    "data.js",
    "words.js",
    "lines.js",
    "diff.js",
    "search.js",
    "rows.js",
    "state.js",
    "controls.js",
    "sentence.js",
    "explorer.js",
    "fit.js",
    "picking.js",
    "figures.js",
    "tables.js",
    "landing.js",
    "page.js",
)


def write_report(contents: Contents, path: Path) -> None:
    """Write the whole report to one file."""
    write_text(path, page(contents))


def page(contents: Contents) -> str:
    """The report as the text of an HTML file."""
    scripts = [_own_script(), *([drawing_library()] if contents.figures else [])]
    policy = (
        "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'unsafe-inline'; "
        f"img-src data: blob:; script-src {' '.join(_hash(script) for script in scripts)}"
    )
    title = prose(contents.title)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{attribute(policy)}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta name="generator" content="hyperbaton {__version__}">'
        f"<title>{attribute(contents.title)}</title>"
        f"<style>{_asset('page.css')}</style></head><body>"
        f'<a class="skip" href="#main">Skip to the findings</a>{_bar(contents)}'
        f'<main id="main"><header class="title"><h1>{title}</h1>'
        f"{_board(contents)}{_cautions(contents)}{_answers(contents)}</header>"
        f"{_sections(contents)}</main>"
        f"{_data(contents)}<script>{_own_script()}</script></body></html>\n"
    )


def _board(contents: Contents) -> str:
    return board_html(contents.board, contents.glossary) if contents.board else ""


def _cautions(contents: Contents) -> str:
    """What must be known before any number."""
    said = "".join(f"<p>{prose(one, contents.glossary)}</p>" for one in contents.cautions)
    return f'<div class="cautions" role="note">{said}</div>' if said else ""


def _answers(contents: Contents) -> str:
    """The answer for each system, or what was tested; the latter stands with the findings too."""
    found = answers_html(contents)
    if not found:
        return _claims(contents)
    return found if contents.findings else f"{found}{_claims(contents)}"


def _claims(contents: Contents) -> str:
    """What was tested, and how many claims hold."""
    return f"{paragraphs(contents.summary, contents.glossary)}{tally_html(contents.findings)}"


def _bar(contents: Contents) -> str:
    links = "".join(f'<a href="#{name}">{label}</a>' for name, label in _present(contents))
    return (
        f'<div class="bar"><nav aria-label="Sections">{links}</nav><div class="tools">'
        '<button type="button" id="print" aria-label="Print, with all figures">Print</button>'
        '<button type="button" id="theme" aria-label="Light or dark page">Dark</button></div></div>'
        '<noscript><p class="note">Figures and sentences need JavaScript.</p></noscript>'
    )


def _present(contents: Contents) -> list[tuple[str, str]]:
    parts = (
        ("systems", contents.rivals, contents.contests),
        ("findings", "Findings", contents.findings),
        ("figures", "Figures", contents.figures),
        ("tables", "Tables", contents.tables),
        ("sentences", "Sentences", contents.explorer is not None),
        ("notes", "Notes", contents.notes),
        ("provenance", "Provenance", contents.signatures or contents.command),
    )
    return [(name, label) for name, label, there in parts if there]


def _sections(contents: Contents) -> str:
    bodies = {
        "systems": lambda: contests_html(contents),
        "findings": lambda: (
            (f'<div class="claims">{_claims(contents)}</div>' if contents.headlines else "")
            + findings_html(contents.findings, contents.glossary)
        ),
        "figures": lambda: _figures(contents),
        "tables": lambda: tables_html(contents.tables, _table_names(contents), contents.glossary),
        "sentences": lambda: _sentences(contents),
        "notes": lambda: "".join(
            f"<li>{prose(note, contents.glossary)}</li>" for note in contents.notes
        ).join(("<ul>", "</ul>")),
        "provenance": lambda: _provenance(contents),
    }
    return "".join(
        f'<section class="part" id="{name}" aria-labelledby="{name}-title">'
        f'<h2 id="{name}-title">{label}</h2>{bodies[name]()}</section>'
        for name, label in _present(contents)
    )


def _sentences(contents: Contents) -> str:
    note = contents.explorer.note if contents.explorer is not None else ""
    before = f'<div class="note before">{paragraphs(note, contents.glossary)}</div>' if note else ""
    examples = examples_html(contents)
    paper = f'<div class="paper">{examples}</div>' if examples else ""
    return before + _asset("explorer.html") + paper


def _table_names(contents: Contents) -> list[str]:
    return unique_slugs([f"table {table.id}" for table in contents.tables])


def _figures(contents: Contents) -> str:
    """Figures that several runs share stand beside one another."""
    names = unique_slugs([f"figure {figure.id} {figure.run}" for figure in contents.figures])
    rows: dict[tuple[str, str], list[str]] = {}
    for number, (figure, name) in enumerate(zip(contents.figures, names, strict=True)):
        key = (figure.id, figure.title) if figure.run else (name, "")
        rows.setdefault(key, []).append(_figure(figure, name, number, contents.glossary))
    return "".join(
        f'<div class="beside">{"".join(row)}</div>' if len(row) > 1 else row[0]
        for row in rows.values()
    )


def _figure(figure: Figure, name: str, number: int, terms: Mapping[str, str]) -> str:
    run = f'<span class="run">{prose(figure.run)}</span>' if figure.run else ""
    note = f"<figcaption>{paragraphs(figure.note, terms)}</figcaption>" if figure.note else ""
    return (
        f'<figure id="{name}" aria-labelledby="{name}-title"><header>'
        f'<h3 id="{name}-title">{prose(figure.title, terms)}{run}</h3><div class="tools">'
        f'<button type="button" class="svg" data-file="{name}.svg">SVG</button>'
        f'<button type="button" class="png" data-file="{name}.png">PNG</button></div></header>'
        f'<div class="frame" role="group" aria-labelledby="{name}-title">'
        f'<div class="drawing" data-figure="{number}"></div></div>'
        f"{note}</figure>"
    )


def _provenance(contents: Contents) -> str:
    parts = []
    if contents.facts:
        lines = "".join(
            f"<div><dt>{prose(name)}</dt><dd>{prose(said)}</dd></div>"
            for name, said in contents.facts.items()
        )
        parts.append(f'<dl class="facts">{lines}</dl>')
    if contents.command:
        parts.append(_copyable("The exact command", contents.command))
    if contents.signatures:
        parts.append(_copyable("Signatures", "\n".join(contents.signatures)))
    return "".join(parts) + f'<p class="small">Made by Hyperbaton {__version__}.</p>'


def _copyable(label: str, text: str) -> str:
    code = f'<pre tabindex="0"><code>{attribute(text)}</code></pre>'
    lines = text.count("\n") + 1
    if lines > _MANY_LINES:
        code = f"<details><summary>{lines} lines</summary>{code}</details>"
    return (
        f'<section class="copyable"><header><h3>{label}</h3><div class="tools">'
        '<button type="button" class="copy">Copy</button></div></header>'
        f"{code}</section>"
    )


def _data(contents: Contents) -> str:
    figures, datasets = shared(describe(figure) for figure in contents.figures)
    themes = {mode: config(mode) for mode in ("light", "dark")}
    blocks = [
        block("figures-data", {"figures": figures, "datasets": datasets, "themes": themes}),
        block("tables-data", [table_data(table) for table in contents.tables]),
        *([packed_library()] if contents.figures else []),
    ]
    if contents.explorer is not None:
        blocks.append(block("sentences-data", encode(contents.explorer)))
    return "".join(blocks)


def _asset(name: str) -> str:
    return files("hyperbaton.report").joinpath("assets", name).read_text(encoding="utf-8")


@cache
def _own_script() -> str:
    body = "\n".join(_asset(name) for name in _SCRIPTS)
    return f'"use strict";(() => {{\n{body}\n}})();'


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
