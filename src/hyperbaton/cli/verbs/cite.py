"""`hyperbaton cite`: how to cite this software, and the paper of each study, as BibTeX."""

from __future__ import annotations

import argparse

from hyperbaton import __version__
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.studies.layer.register import papers

DESCRIPTION = "Print BibTeX entries: of this software, or of the papers of studies."
EXAMPLES = """\
  hyperbaton cite
  hyperbaton cite wordorder >> references.bib
  hyperbaton cite wordorder grammar isometry structure
"""
SOFTWARE = {
    "author": "{The Hyperbaton authors}",
    "title": "{Hyperbaton: a laboratory for translators}",
    "howpublished": r"\url{https://github.com/hyperbaton/hyperbaton}",
    "note": f"Version {__version__}",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Whose papers."""
    parser.add_argument(
        "study",
        nargs="*",
        metavar="STUDY",
        help=f"the paper of a study: {', '.join(papers())} (default: this software)",
    )


def run(args: argparse.Namespace) -> int:
    """Print an entry for each that is named."""
    known = papers()
    for study in args.study:
        if study not in known:
            raise HyperbatonError(
                f"{study} has no paper to cite (these have: {', '.join(known)}); "
                "cite the software: hyperbaton cite"
            )
    entries = [known[study].bibtex() for study in dict.fromkeys(args.study)]
    print("\n\n".join(entries or [_software()]))
    return 0


def _software() -> str:
    lines = [f"  {name} = {{{value}}}," for name, value in SOFTWARE.items()]
    return "\n".join(["@misc{hyperbaton,", *lines, "}"])
