"""The register of claims: every claim of the papers once, and the papers themselves."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hyperbaton.base.errors import HyperbatonError, did_you_mean
from hyperbaton.base.files import DATA

FOLDER = DATA / "claims"


@dataclass(frozen=True)
class Claim:
    """What a paper says, and what it takes to ask a run whether it is so."""

    id: str
    study: str
    name: str
    statement: str
    place: str
    quantity: str
    published: str
    """The paper's own numbers, with the digits that it prints; empty where it prints none."""
    decides: str
    needs: str
    shown: bool = False
    """Whether it is a table, a figure or a way to work, which no test decides."""


@dataclass(frozen=True)
class Paper:
    """The paper of a study, as it is cited."""

    key: str
    kind: str
    authors: Sequence[str]
    title: str
    venue: str
    short_venue: str
    year: int
    preprint: str = ""
    """The title of the preprint, where it had another."""
    pages: str = ""
    doi: str = ""
    eprint: str = ""
    url: str = ""

    def __str__(self) -> str:
        """The paper in a sentence."""
        place = f" (doi {self.doi})" if self.doi else f" (arXiv {self.eprint})" * bool(self.eprint)
        named = f"{', '.join(self.authors)} {self.year}: {self.title}. {self.short_venue}"
        older = f". The preprint was called “{self.preprint}”" * bool(self.preprint)
        return f"{named}{place or f' ({self.url})'}{older}."

    def bibtex(self) -> str:
        """The entry that LaTeX cites."""
        title = "booktitle" if self.kind == "inproceedings" else "howpublished"
        fields = {
            "author": " and ".join(_family_first(name) for name in self.authors),
            "title": f"{{{self.title}}}",
            title: self.venue,
            "year": str(self.year),
            "pages": self.pages.replace("-", "--"),
            "doi": self.doi,
            "eprint": self.eprint,
            "archiveprefix": "arXiv" * bool(self.eprint),
            "url": self.url,
            "note": f"The preprint was called: {self.preprint}" * bool(self.preprint),
        }
        lines = (f"  {name} = {{{value}}}," for name, value in fields.items() if value)
        return "\n".join([f"@{self.kind}{{{self.key},", *lines, "}"])


def _family_first(name: str) -> str:
    given, _, family = name.rpartition(" ")
    return f"{family}, {given}"


@cache
def _tables() -> Mapping[str, Any]:
    files = sorted(FOLDER.glob("*.toml"), key=lambda path: path.stem != "wordorder")
    return {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in files}


@cache
def papers() -> Mapping[str, Paper]:
    """The paper of each study that replicates one."""
    return {study: Paper(**table["paper"]) for study, table in _tables().items()}


@cache
def claims(study: str = "") -> Mapping[str, Claim]:
    """All claims by their ids, or those about one study; none of a study without a paper.

    >>> claims("wordorder")["W1"].name, claims("surface")
    ('β1 > β2', {})
    """
    found: dict[str, Claim] = {}
    for name, table in _tables().items():
        rows = table["claim"] if study in ("", name) else ()
        found |= {row["id"]: Claim(study=name, **row) for row in rows}
    return found


def claims_named(names: Iterable[str], study: str) -> tuple[str, ...]:
    """The ids in a list such as `W3,W9`, in any case; refused where they are of another study.

    >>> claims_named(["w3,W9", "W1"], "wordorder")
    ('W3', 'W9', 'W1')
    """
    known = claims(study)
    named = [one.strip() for part in names for one in part.split(",") if one.strip()]
    ids = {name.upper(): name for name in known}
    for name in named:
        if name.upper() in ids:
            continue
        if not known:
            raise HyperbatonError(f"{study} has no claims of a paper: leave out --claims {name}")
        other = claims().get(name.upper())
        why = f"is a claim about {other.study}" if other else "is no claim"
        raise HyperbatonError(
            f"--claims {name}: {name} {why}; {study} has {', '.join(known)} "
            f"(see: hyperbaton ls claims).{'' if other else did_you_mean(name, known)}"
        )
    return tuple(dict.fromkeys(ids[name.upper()] for name in named))
