"""Reports: one self-contained page, and the same figures and tables as files for a paper."""

from hyperbaton.report.contents import Contents, Explorer, Figure, Finding, Table, Verdict
from hyperbaton.report.files.figures import FIGURE_FORMATS, write_figures
from hyperbaton.report.files.tables import TABLE_FORMATS, write_tables
from hyperbaton.report.page.page import write_report
from hyperbaton.report.runs import side_by_side

__all__ = [
    "FIGURE_FORMATS",
    "TABLE_FORMATS",
    "Contents",
    "Explorer",
    "Figure",
    "Finding",
    "Table",
    "Verdict",
    "side_by_side",
    "write_figures",
    "write_report",
    "write_tables",
]
