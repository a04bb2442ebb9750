"""Reports: one self-contained page, and the same figures and tables as files for a paper."""

from importlib import import_module
from typing import TYPE_CHECKING

from hyperbaton.report.contents import Contents, Explorer, Figure, Finding, Table, Verdict

if TYPE_CHECKING:
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

_WRITERS = ("files.figures", "files.tables", "page.page", "runs")


def __getattr__(name: str) -> object:
    """A study needs the parts of a report; its writers are imported when they are asked for."""
    for module in _WRITERS if name in __all__ else ():
        found = import_module(f"{__name__}.{module}")
        if hasattr(found, name):
            return getattr(found, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
