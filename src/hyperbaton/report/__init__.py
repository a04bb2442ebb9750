"""Reports: one self-contained page, and the same figures and tables as files for a paper."""

from hyperbaton.report.contents import Contents, Explorer, Figure, Finding, Table, Verdict
from hyperbaton.report.figure_files import FIGURE_FORMATS, write_figures
from hyperbaton.report.page import write_report
from hyperbaton.report.runs import side_by_side
from hyperbaton.report.table_files import TABLE_FORMATS, write_tables

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
