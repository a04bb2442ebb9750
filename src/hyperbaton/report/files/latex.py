"""Tables for a paper in LaTeX: intervals as ±, the best in bold, long ones over several pages."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from hyperbaton.base.wording import decimals, plain, show
from hyperbaton.report.contents import Table
from hyperbaton.report.page.markup import unique_slugs

if TYPE_CHECKING:
    import polars

_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"''",
    "−": r"$-$",
    "–": "--",
    "∅": r"$\emptyset$",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "×": r"$\times$",
    "±": r"$\pm$",
    "∞": r"$\infty$",
}
_GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta"},
    **{"η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu"},
    **{"ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "χ": "chi"},
    **{"ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda"},
    **{"Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega"},
}
_SYMBOL = re.compile(rf"([{''.join(_GREEK)}])(\d*)|(\w)\u0304|(.)", re.DOTALL)
_WRAPPED = 28
"""Letters of a cell from which its column wraps."""
_PAGE = 40
"""Rows that a page holds."""


_OTHER = re.compile(r"[\u0250-\u1dff\u2e80-\ud7ff\uf900-\uffef\U00010000-\U0003ffff]")
"""Letters that no font of LaTeX's own has."""


class _Column(NamedTuple):
    head: str
    cells: list[str]
    side: str
    """l, r, or p for a column that wraps."""


def latex_text(text: str) -> str:
    r"""Text that LaTeX prints as it is; Greek letters become mathematics, digits their index.

    >>> print(latex_text("β2 − β1 & 5 %_"))
    $\beta_2$ $-$ $\beta_1$ \& 5 \%\_
    >>> print(latex_text("chrF̄2"))
    chr$\bar{\mathrm{F}}$2
    """
    return " ".join("".join(map(_symbol, _SYMBOL.finditer(text))).split())


def _symbol(found: re.Match[str]) -> str:
    greek, index, barred, other = found.groups()
    if greek:
        below = f"_{{{index}}}" if len(index) > 1 else f"_{index}" if index else ""
        return f"$\\{_GREEK[greek]}{below}$"
    return rf"$\bar{{\mathrm{{{barred}}}}}$" if barred else _CHARACTERS.get(other, other)


def other_script(text: str) -> bool:
    """Whether it has letters that pdfLaTeX cannot print.

    >>> other_script("Straße, œuvre"), other_script("улица"), other_script("道")
    (False, True, True)
    """
    return _OTHER.search(text) is not None


def latex_table(table: Table) -> str:
    """The table as the text of a file, ready for \\input."""
    columns = _columns(table)
    wrapped = sum(column.side == "p" for column in columns)
    room = f"{0.8 / max(wrapped, 1):.2f}"
    sides = "".join(
        rf">{{\raggedright\arraybackslash}}p{{{room}\linewidth}}" if c.side == "p" else c.side
        for c in columns
    )
    rows = [" & ".join(cells) + r" \\" for cells in zip(*(c.cells for c in columns), strict=True)]
    head = " & ".join(column.head for column in columns) + r" \\"
    caption = latex_text(f"{table.title}. {table.note}" if table.note else table.title)
    label = rf"\label{{tab:{unique_slugs([table.id])[0]}}}"
    frame = _long if len(rows) > _PAGE else _short
    lines = [*frame(sides, rf"\caption{{{caption}}}", label, head, rows)]
    return "\n".join([*_needs("\n".join(lines)), *lines]) + "\n"


def _needs(text: str) -> Iterator[str]:
    """What the document that takes a table must begin with, as comments."""
    packages = "array,booktabs,longtable" if "longtable" in text else "array,booktabs"
    yield rf"% \usepackage{{{packages}}}"
    if other_script(text):
        yield r"% XeLaTeX, with a font that has these letters:"
        yield r'% \usepackage{fontspec} \setmainfont{Noto Sans CJK SC} \XeTeXlinebreaklocale "zh"'
    else:
        yield r"% \usepackage[T1]{fontenc}"


def _short(sides: str, caption: str, label: str, head: str, rows: Sequence[str]) -> Iterator[str]:
    yield from (r"\begin{table}", r"\centering", caption, label, rf"\begin{{tabular}}{{{sides}}}")
    yield from (r"\toprule", head, r"\midrule", *rows, r"\bottomrule")
    yield from (r"\end{tabular}", r"\end{table}")


def _long(sides: str, caption: str, label: str, head: str, rows: Sequence[str]) -> Iterator[str]:
    yield from (rf"\begin{{longtable}}{{{sides}}}", caption + label + r" \\")
    yield from (r"\toprule", head, r"\midrule", r"\endfirsthead")
    yield from (r"\toprule", head, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot")
    yield from rows
    yield r"\end{longtable}"


def _columns(table: Table) -> list[_Column]:
    """Text, numbers, and numbers with their interval in one cell."""
    data = table.data
    bold = _best(table)
    found = []
    intervals = dict(_intervals(data.columns))
    for name in data.columns:
        if any(name in ends for ends in intervals.values()):
            continue
        column = data[name]
        if name in intervals:
            low, high = (data[end] for end in intervals[name])
            cells = _spans(column, low, high)
        else:
            cells = [latex_text(cell) for cell in plain(column)]
        cells = [
            rf"\textbf{{{cell}}}" if (name, row) in bold else cell for row, cell in enumerate(cells)
        ]
        longest = max((len(cell) for cell in plain(column)), default=0)
        wraps = not column.dtype.is_numeric() and longest > _WRAPPED
        side = "r" if column.dtype.is_numeric() else "p" if wraps else "l"
        found.append(_Column(latex_text(name), cells, side))
    return found


def _intervals(names: Sequence[str]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Which columns are the ends of another's interval: by its name, or as its next neighbours."""
    for place, name in enumerate(names):
        ends = f"{name} low", f"{name} high"
        if set(ends) <= set(names):
            yield name, ends
        elif tuple(names[place + 1 : place + 3]) == ("low", "high"):
            yield name, ("low", "high")


def _spans(column: polars.Series, low: polars.Series, high: polars.Series) -> list[str]:
    """Values with half the width of their intervals: 0.214 ± .015."""
    digits = decimals([value for value in column if value is not None])
    cells = []
    for value, least, most in zip(column, low, high, strict=True):
        cell = "" if value is None else latex_text(show(value, digits))
        if value is not None and math.isfinite(value) and least is not None and most is not None:
            half = (most - least) / 2
            if math.isfinite(half):
                width = f"{half:.{digits}f}"
                cell += rf" $\pm$ {width.removeprefix('0') if digits else width}"
        cells.append(cell)
    return cells


def _best(table: Table) -> set[tuple[str, int]]:
    """The highest cells of their columns, among rows that differ in the system alone.

    Controls win nothing: what they reach, they reach by construction.
    """
    data, found = table.data, set()
    if "system" not in data.columns:
        return set()
    others = [
        name
        for name, kind in data.schema.items()
        if not kind.is_numeric() and not kind.is_nested() and name != "system"
    ]
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(data.select(others).rows() if others else [()] * data.height):
        if data["system"][row] not in table.controls:
            groups[key].append(row)
    for name in table.best:
        values = data[name]
        for rows in groups.values():
            rivals = [
                (round(values[row], decimals([values[row]])), row)
                for row in rows
                if values[row] is not None and math.isfinite(values[row])
            ]
            if len(rivals) > 1:
                most = max(rivals)[0]
                found |= {(name, row) for value, row in rivals if value == most}
    return found
