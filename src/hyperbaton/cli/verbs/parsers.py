"""`hyperbaton parsers`: what is installed for each language, and what would install one."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from hyperbaton.language.languages import NAMES, PAPER_LANGUAGES, base, name
from hyperbaton.parsing.catalogue import (
    Candidate,
    added_languages,
    candidates,
    command_for_language,
)
from hyperbaton.parsing.installed import installed
from hyperbaton.parsing.parser import PARSERS

DESCRIPTION = "Show the parsers of each language: which are installed, and how to install one."
EXAMPLES = """\
  hyperbaton parsers
  hyperbaton parsers -l de
  hyperbaton parsers -l sv -l fi --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which languages, and in which form."""
    parser.add_argument(
        "-l", "--language", action="append", metavar="LANG", help="every parser of this language"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")


def run(args: argparse.Namespace) -> int:
    """Print the overview, or all that is known of the languages that were named."""
    wanted = args.language or _overview_languages()
    known = {language: candidates(language) for language in wanted}
    if args.format == "json":
        rows = {language: [asdict(c) for c in found] for language, found in known.items()}
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    for language, found in known.items():
        print(f"{name(language)} ({language})")
        print("\n".join(_lines(language, found, whole=bool(args.language))))
    if not args.language:
        print("\nhyperbaton parsers -l LANG shows every parser of a language.")
    return 0


def _overview_languages() -> list[str]:
    """The papers' languages, and those for which something is installed."""
    others = {base(files.language) for files in installed()} & set(NAMES)
    for added in PARSERS.added():
        others.update(added_languages(added))
    return [*PAPER_LANGUAGES, *sorted(others - set(PAPER_LANGUAGES))]


def _lines(language: str, found: tuple[Candidate, ...], whole: bool) -> list[str]:
    used = next((c for c in found if c.state == "installed"), None)
    shown = found if whole else [c for c in found if c.state != "absent"]
    width = max((len(c.spec) for c in shown), default=0)
    lines = []
    for candidate in shown:
        mark = "*" if candidate is used else " "
        facts = [candidate.version, f"({candidate.note})" if candidate.note else ""]
        if candidate.state != "installed":
            facts.append(f"install: {candidate.install}")
        told = "  ".join(fact for fact in facts if fact)
        lines.append(f"  {mark} {candidate.state:<10}  {candidate.spec:<{width}}  {told}".rstrip())
    if used is None and not whole:
        lines.append(f"    none; install: {command_for_language(language)}")
    return lines
