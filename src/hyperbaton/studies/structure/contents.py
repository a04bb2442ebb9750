"""The report of the structure study."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hyperbaton.pipeline import Run
from hyperbaton.report.contents import Contents
from hyperbaton.studies.glossary import glossary
from hyperbaton.studies.layer.contents import signed
from hyperbaton.studies.structure.figures import figures
from hyperbaton.studies.structure.findings import findings, headlines, notes
from hyperbaton.studies.structure.protocol import protocol_notes
from hyperbaton.studies.structure.sentences import cell_explorer
from hyperbaton.studies.structure.series import contests, read_series
from hyperbaton.studies.structure.tables import study_of, tables, task_of


def contents(title: str, runs: Sequence[Run]) -> Contents:
    """Findings, tables, figures and single sentences."""
    series = read_series(runs, task_of)
    found = Contents(
        title=title,
        summary="The paper's claims, tested on these languages.",
        headlines=headlines(series),
        findings=findings(series),
        contests=contests(series),
        tables=tables(series),
        figures=figures(series),
        explorer=cell_explorer(runs),
        notes=notes(series),
        glossary=glossary("structure"),
    )
    bootstrap = series[0].samples.bootstrap
    found = signed(found, runs, bootstrap, protocol_notes(map(study_of, runs)))
    # A hundred languages are a hundred inputs, which stand among the signatures.
    return replace(found, facts={k: said for k, said in found.facts.items() if "input " not in k})
