"""The folder of a search: what it searches for, each sentence when it is done, and the cases."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.pipeline.run.locking import alone, one_sentence
from hyperbaton.search.cases import CASES, Case, case_of, write_cases
from hyperbaton.search.searching import Search

SEARCH, DONE = "search.json", "searched.jsonl"


@dataclass(frozen=True)
class Searched:
    """One sentence with one system: what was tried, and what was found."""

    system: str
    item: str
    sentence: str
    trials: int
    output: str | None
    """The translation of the sentence itself; None where there is none."""
    cases: tuple[Case, ...]
    """For each kind of change at most one, the smallest first."""
    failed: int = 0
    """Changed sentences of which nothing is known, since the system failed."""
    steady: bool = True
    """Whether the sentence was translated alike each time."""

    @property
    def is_complete(self) -> bool:
        """Whether the system answered each time."""
        return self.output is not None and not self.failed

    def line(self) -> str:
        """It as a line of JSON."""
        row = vars(self) | {"cases": [json.loads(case.line()) for case in self.cases]}
        return json.dumps(row, ensure_ascii=False)


@dataclass
class Folder:
    """Sentences that were searched, kept in a folder where one is named."""

    path: Path | None = None
    done: dict[tuple[str, str], Searched] = field(default_factory=dict)

    def add(self, searched: Searched) -> None:
        """Keep a sentence; after that a process that is killed does not lose it."""
        self.done[searched.system, searched.item] = searched
        if self.path is not None:
            with one_sentence(), (self.path / DONE).open("ab") as file:
                file.write(f"{searched.line()}\n".encode())

    def known(self, system: str, item: str, sentence: str) -> Searched | None:
        """A sentence that was searched before, the system answering or not."""
        found = self.done.get((system, item))
        if found is not None and found.sentence != sentence:
            raise HyperbatonError(
                f"{self.path} holds another sentence '{item}': name another folder with --out"
            )
        return found

    def finish(self, systems: Iterable[str], items: Iterable[str]) -> list[Searched]:
        """Write the cases of these sentences in their order, those of other searches too."""
        wanted = {(system, item): None for system in systems for item in items}
        ordered = [self.done[key] for key in [*wanted, *(k for k in self.done if k not in wanted)]]
        if self.path is not None:
            with one_sentence():
                write_cases(self.path / CASES, (c for one in ordered for c in one.cases))
        return [self.done[key] for key in wanted]


@contextmanager
def search_folder(
    path: Path | None, search: Search, parser: str, signatures: Mapping[str, str]
) -> Iterator[Folder]:
    """The folder of a search, new or to be resumed; without a path nothing is kept."""
    if path is None:
        yield Folder()
        return
    with alone(path):
        settings = {**search.settings(), "parser": parser, "systems": dict(signatures)}
        with one_sentence():
            _record(path, settings)
            done = _read_done(path / DONE)
        yield Folder(path, done)


def _record(path: Path, settings: dict[str, object]) -> None:
    """Write what is searched for, or refuse where something else was."""
    file = path / SEARCH
    if file.exists():
        try:
            before = json.loads(file.read_bytes())
            systems = dict(before["systems"])
        except (ValueError, TypeError, KeyError):
            raise HyperbatonError(f"{file} is damaged: name another folder with --out") from None
        now = dict(settings)
        for name, signature in dict(settings["systems"]).items():  # type: ignore[call-overload]
            if systems.setdefault(name, signature) != signature:
                raise HyperbatonError(
                    f"{path} was searched with another version of {name}: "
                    "name another folder with --out"
                )
        now["systems"] = systems
        other = [key for key in now if before.get(key) != now[key] and key != "systems"]
        if other:
            was = json.dumps(before.get(other[0]), ensure_ascii=False)
            raise HyperbatonError(
                f"{path} holds a search with another {other[0]} ({was}): "
                "give the same, or name another folder with --out"
            )
        settings = now
    elif any(path.glob("*.json*")):
        raise HyperbatonError(f"{path} holds something else: name another folder with --out")
    write_text(file, json.dumps(settings, ensure_ascii=False, indent=2) + "\n")


def _read_done(file: Path) -> dict[tuple[str, str], Searched]:
    """What was searched before; the line at which a process was killed is taken away."""
    if not file.exists():
        return {}
    data = file.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        with file.open("r+b") as cut:
            cut.truncate(whole)
    done = {}
    for number, line in enumerate(data[:whole].decode("utf-8", "replace").split("\n")[:-1], 1):
        where = f"{file}, line {number},"
        try:
            row = json.loads(line)
            cases = tuple(case_of(json.dumps(case), where) for case in row.pop("cases"))
            one = Searched(**row, cases=cases)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise HyperbatonError(f"{where} is damaged: remove the line to search again") from None
        done[one.system, one.item] = one
    return done
