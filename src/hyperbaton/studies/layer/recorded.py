"""Systems whose translations are in files already: a folder of them, or all that a corpus knows."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import split
from hyperbaton.base.wording import counted
from hyperbaton.pipeline import Corpus
from hyperbaton.systems.system import SYSTEMS

_log = logging.getLogger(__name__)
SOURCES = "sources"
"""What the file of sources in a folder of systems is called, before its suffix."""
_READ = (".txt", ".jsonl", ".tsv")


def with_recorded(
    systems: Sequence[str], only: Mapping[str, tuple[str, ...]], corpora: Sequence[Corpus]
) -> tuple[list[str], dict[str, tuple[str, ...]]]:
    """Systems with every file of a folder for the folder; without any, those of the corpora."""
    every = [file for system in systems for file in _files(system)]
    further = dict(only)
    for corpus in corpora:
        pair = str(corpus.pair)
        if not every and pair not in further and corpus.recordings is not None:
            further[pair] = tuple(_recordings(corpus))
    return every, further


def _files(system: str) -> Iterator[str]:
    """A system as it is named, or each file of the folder that `file:` names."""
    folder = split(system).argument if system.startswith("file:") else None
    if not folder or not Path(folder).expanduser().is_dir():
        yield system
        return
    from hyperbaton.systems.recorded import File

    named = SYSTEMS.parse(system)
    assert isinstance(named, File)
    path = Path(folder).expanduser()
    there = sorted(file for file in path.iterdir() if file.suffix in _READ and file.is_file())
    own = [str(file) for file in there if file.stem == SOURCES]
    sources = named.sources or next(iter(own), "")
    found = [file for file in there if str(file) not in own and file != Path(sources)]
    if not found:
        raise HyperbatonError(
            f"{folder} holds no translations: put a file for each system into it "
            f"({', '.join(_READ)}), named for the system"
        )
    for file in found:
        if file.suffix == ".txt" and not sources:
            raise HyperbatonError(
                f"{file} is plain text: put its sources, line for line, into {path / SOURCES}.txt, "
                f"or name them: '{folder}(sources=FILE)'"
            )
        aligned = sources if file.suffix == ".txt" or sources.endswith(".jsonl") else ""
        yield str(File(str(file), aligned, file.stem))


def _recordings(corpus: Corpus) -> Iterator[str]:
    """Each system that comes with a corpus and that translated it; the others are told."""
    from hyperbaton.systems.recorded import File, line_of
    from hyperbaton.systems.store.exchange import read_lines

    assert corpus.recordings is not None
    sources, systems = corpus.recordings
    size = len(read_lines(sources))
    items = [item.id for item in corpus.items()]
    wanted = {line_of(item, varied) for item in items for varied in (False, True)} - {0}
    left = {}
    for name, path in systems.items():
        lines = read_lines(path)
        if len(lines) != size:
            left[name] = f"{path} has {counted(len(lines), 'line')}, its sources have {size:,}"
        elif not any(lines[line - 1].strip() for line in wanted):
            left[name] = f"its {counted(len(wanted), 'line')} of this corpus are empty"
        else:
            yield str(File(str(path), str(sources), name))
    for name, why in left.items():
        _log.warning("hyperbaton: %s is left out: %s", name, why)
    if len(left) == len(systems):
        raise HyperbatonError(f"no system beside {sources} has translated this corpus")
