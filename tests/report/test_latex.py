"""Tables in LaTeX: what they say, that they are well formed, and that TeX takes them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import polars
import pytest

from hyperbaton.report import Contents, Table
from hyperbaton.report.files.latex import latex_table, latex_text

_ODD = polars.DataFrame(
    {
        "a|b_c": ["50 % & more", "x_{i}^2 ~ \\n", "line\nbreak", None],
        "β": [0.12345, -0.5, None, 1.0],
        "N": [1200, 3, None, 0],
        "ok": [True, False, None, True],
        "words": [["a", "b"], ["c"], None, []],
    }
)
_SCORES = polars.DataFrame(
    {
        "system": ["one", "two", "oracle", "one"],
        "pair": ["en-de", "en-de", "en-de", "en-fr"],
        "β1": [0.2141, 0.3002, 1.0, 0.5],
        "β1 low": [0.2001, 0.28, 1.0, 0.4],
        "β1 high": [0.2301, 0.32, 1.0, 0.6],
    }
)
_SENTENCE = "The old baker, who opens his shop early & closes it late, sold 50 % of his bread."
_HEAD = r"""\documentclass{article}
\usepackage{array,booktabs,longtable}
\begin{document}
"""


def _tables() -> list[Table]:
    long = polars.DataFrame(
        {"item": [f"s{i}" for i in range(90)], "β2": [i / 90 for i in range(90)]}
    )
    texts = polars.DataFrame(
        {"source": [_SENTENCE] * 2, "output": [_SENTENCE[::-1]] * 2, "N": [1, 2]}
    )
    return [
        Table("T 9", "50 % of β", _ODD),
        Table("T2", "Quality", _SCORES, "Of β1 and β2 ≤ .5 < β.", ("β1",), ["oracle"]),
        Table("T5", "Many rows", long),
        Table("T6", "Sentences", texts, "“Quoted” text – with “marks” … and {braces} \\ ~ ^ _ #."),
    ]


def test_cells_are_written_as_they_are_shown() -> None:
    text = latex_table(_tables()[0])
    assert r"\begin{tabular}{lrrll}" in text
    assert r"\caption{50 \% of $\beta$}" in text
    assert r"\label{tab:t-9}" in text
    assert r"50 \% \& more & 0.123 & 1,200 & yes & a b \\" in text
    assert r"x\_\{i\}\textasciicircum{}2 \textasciitilde{} \textbackslash{}n & $-$0.500" in text


def test_an_interval_is_one_cell_and_the_best_of_systems_is_bold() -> None:
    text = latex_table(_tables()[1])
    assert r"system & pair & $\beta_1$ \\" in text
    assert r"one & en-de & 0.214 $\pm$ .015 \\" in text
    assert r"two & en-de & \textbf{0.300 $\pm$ .020} \\" in text
    assert r"oracle & en-de & 1.000 $\pm$ .000 \\" in text  # a control wins nothing
    assert r"one & en-fr & 0.500 $\pm$ .100 \\" in text  # nor does who has no rival
    assert r"Of $\beta_1$ and $\beta_2$ $\leq$ .5 \textless{} $\beta$." in text


def test_controls_win_nothing_by_their_name_and_who_is_perfect_wins() -> None:
    data = polars.DataFrame(
        {"system": ["one", "two", "literal"], "β": [0.5, 1.0, 1.0], "β low": [0.4, 1.0, 0.9]}
    )
    told = Table("T2", "Quality", data, best=("β",), controls=["literal"])
    bold = [line for line in latex_table(told).splitlines() if "textbf" in line]
    assert [line.split()[0] for line in bold] == ["two"]


def test_intervals_without_a_name_belong_to_the_number_before_them() -> None:
    data = polars.DataFrame({"M": ["a"], "n": [7], "share": [0.5], "low": [0.4], "high": [0.6]})
    assert r"a & 7 & 0.500 $\pm$ .100 \\" in latex_table(Table("T", "t", data))


def test_a_long_table_goes_over_pages_and_sentences_wrap() -> None:
    *_, long, texts = map(latex_table, _tables())
    assert r"\begin{longtable}{lr}" in long
    assert long.count(r"item & $\beta_2$ \\") == 2
    assert r"\endhead" in long
    wrapped = r">{\raggedright\arraybackslash}p{0.40\linewidth}"
    assert rf"\begin{{tabular}}{{{wrapped}{wrapped}r}}" in texts


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("β2 projected", r"$\beta_2$ projected"),
        ("α12 ε ρ", r"$\alpha_{12}$ $\epsilon$ $\rho$"),
        ("chrF̄2 ∅ [0,1]", r"chr$\bar{\mathrm{F}}$2 $\emptyset$ [0,1]"),
        ('say "a"', r"say ''a''"),
    ],
)
def test_symbols(text: str, wanted: str) -> None:
    assert latex_text(text) == wanted


def _well_formed(text: str) -> None:
    """Braces, mathematics and environments are closed in turn; rows have as many cells."""
    plain = re.sub(r"(?m)^%.*$", "", text)
    assert not re.search(r"(?<!\\)(?:\\\\)*[#%~^]", plain)
    bare = re.sub(r"\\[\\{}$&%#_]", "", plain)
    depth = 0
    for mark in re.findall(r"[{}]", bare):
        depth += 1 if mark == "{" else -1
        assert depth >= 0
    assert depth == 0
    assert bare.count("$") % 2 == 0
    for inside in re.sub(r"[^$]*\$([^$]*)\$|[^$]+", r"\1", bare).split("$"):
        assert "&" not in inside
    assert "_" not in re.sub(r"\$[^$]*\$", "", bare)
    begun = re.findall(r"\\begin\{(\w+)\}", plain)
    assert begun[::-1] == re.findall(r"\\end\{(\w+)\}", plain)
    rows = [line for line in plain.splitlines() if line.endswith(r"\\") and "caption" not in line]
    assert len({len(re.findall(r"(?<!\\)&", row)) for row in rows}) == 1


def test_tables_are_well_formed(sample: Contents) -> None:
    for table in (*_tables(), *sample.tables):
        _well_formed(latex_table(table))


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "tectonic"])
def test_tex_takes_them(engine: str, tmp_path: Path) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    path = tmp_path / "tables.tex"
    path.write_text(_HEAD + "\n".join(map(latex_table, _tables())) + "\\end{document}\n")
    options = [] if engine == "tectonic" else ["-halt-on-error", "-interaction=nonstopmode"]
    done = subprocess.run(
        [engine, *options, path.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "tables.pdf").read_bytes().startswith(b"%PDF-")
    assert "Overfull" not in done.stdout
