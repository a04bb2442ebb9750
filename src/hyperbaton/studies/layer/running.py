"""Running a study, from Python or any front end."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.given import name_in, names_in, path_in, whole_number
from hyperbaton.base.options import options_of
from hyperbaton.base.remote_paths import place
from hyperbaton.base.spec import split
from hyperbaton.base.wording import counted
from hyperbaton.corpus.columns import collected, column_of, is_table, texts_in
from hyperbaton.pipeline import Corpus, Items, Job, Pair, RunOptions
from hyperbaton.studies.layer.experiment import Experiment
from hyperbaton.studies.layer.session import Session
from hyperbaton.studies.registry import STUDIES, make_study
from hyperbaton.systems.system import SYSTEMS

if TYPE_CHECKING:
    from hyperbaton.systems.programs.function import Systems

Texts = str | Path | Iterable[str]
"""A file, or the texts themselves."""
_RUN = tuple(
    # A process more, and a script without `if __name__ == "__main__":` would run itself again.
    replace(option, default=0) if option.name == "workers" else option
    for option in options_of(RunOptions)
)


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


def run_study(
    study: Experiment,
    corpora: Sequence[Corpus],
    systems: Sequence[str],
    out: Path | None = None,
    *,
    metrics: Sequence[str] = (),
    only: Mapping[str, tuple[str, ...]] | None = None,
    options: RunOptions | None = None,
) -> Session:
    """Run a study, or resume it where `out` holds a part of it already.

    `only` names further systems for single language pairs; without `metrics` the study chooses.
    Without `out` the run is kept as long as the session that is returned.
    """
    if study.registry is SYSTEMS:
        systems, only = with_recorded(systems, only or {}, corpora)
    job = Job(
        design=study,
        corpora=tuple(corpora),
        systems=tuple(systems),
        metrics=study.chosen(metrics),
        only=only or {},
        options=options or RunOptions(),
    )
    keep = TemporaryDirectory(prefix="hyperbaton-") if out is None else None
    run = study.execute(job, Path(keep.name) if keep is not None else out or Path())
    return Session(run, keep=keep)


def study(
    name: str,
    system: Systems = (),
    languages: str | Sequence[str] | None = None,
    source: Texts | Any = None,
    reference: Texts | None = None,
    *,
    metrics: str | Sequence[str] = (),
    limit: int | None = None,
    out: str | Path | None = None,
    **options: object,
) -> Session:
    """Run a study by its name; without texts, on the corpus that is shipped.

    `system` is a name, a function that translates, a list of these, or a DataFrame of translations
    made elsewhere: the texts in the column `source`, a column for each system. `source` and
    `reference` are two files, two lists or columns of texts, or a DataFrame with a column for each.
    `options` are those of any run (docs/python.md lists them) and the study's own, as `hyperbaton
    ls studies` lists them. `workers` above 0 starts processes, so a script then needs
    `if __name__ == "__main__":`. Without `out` the run is deleted with the session that is
    returned. A limit in seconds, in bytes or in money (`prices` are those of a million characters,
    by system) raises OutOfBudget, and the run can be resumed.
    """
    from hyperbaton.systems.programs.function import names_of

    given = {option.name: options.pop(option.name, option.default) for option in _RUN}
    made = make_study(name_in(name, "a study"), options)
    pairs = list(made.demo.pairs[:1]) if languages is None else names_in(languages, "languages")
    limit = None if limit is None else whole_number(limit, "limit", 1)
    folder = None if out is None else place(path_in(out, "out"))
    with ExitStack() as stack:
        corpora = [
            _corpus(made, Pair.parse(p), source, reference, limit, len(pairs), stack) for p in pairs
        ]
        systems = collected(system)
        if is_table(systems):
            named = _files_of(systems, Pair.parse(pairs[0]), folder, stack)
        else:
            named = names_of(system)
        return run_study(
            made,
            corpora,
            named,
            folder,
            metrics=names_in(metrics, "metrics"),
            options=RunOptions.of(given),
        )


def function_of(name: str) -> Callable[..., Session]:
    """A registered study as a function with its options in the signature."""
    cls = STUDIES.get(name)
    common = inspect.signature(study).parameters.values()
    shown = [p for p in common if p.name != "name" and p.kind is not p.VAR_KEYWORD]
    keywords = [
        inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default)
        for option in (*_RUN, *options_of(cls))
    ]
    function = partial(study, name)
    function.__doc__ = f"{cls.title or name}\n\n{cls.question}\n\n{study.__doc__}"
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [*shown, *keywords], return_annotation=Session
    )
    return function


def _files_of(table: Any, pair: Pair, out: Path | None, stack: ExitStack) -> list[str]:
    """Systems whose translations a DataFrame holds; their files lie beside the run, or for a while.

    A run that is kept can be resumed, and its systems are told by their files.
    """
    from hyperbaton.systems.recorded import File

    if out is None:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="hyperbaton-outputs-")))
    else:
        folder = out.with_name(f"{out.name}-outputs")
        folder.mkdir(parents=True, exist_ok=True)
    named = ("source", pair.source, "text")
    sources = column_of(table, named, "sources")
    used = next(name for name in named if name in map(str, table.columns))
    systems = [name for name in map(str, table.columns) if name != used]
    if not systems:
        raise HyperbatonError("the DataFrame has no translations: add a column for each system")
    found = []
    for number, system in enumerate(systems):
        answers = texts_in(table[system], f"column {system}")
        rows = ({"source": s, "translation": t} for s, t in zip(sources, answers, strict=True))
        path = folder / f"{number}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        found.append(str(File(str(path), "", system)))
    return found


def _corpus(
    made: Experiment,
    pair: Pair,
    source: Any,
    reference: Texts | None,
    limit: int | None,
    pairs: int,
    stack: ExitStack,
) -> Corpus:
    """The corpus of a call; files that it needs are there until the stack is closed."""
    if source is None:
        if reference is not None:
            raise HyperbatonError("reference is given but source is not: give both, or neither")
        return made.demo_corpus(pair, limit)
    if pairs > 1:
        raise HyperbatonError("the texts are in one language pair: run the study once per pair")
    source = collected(source)
    if isinstance(source, str | Path):
        paths = [str(path_in(source, "source"))]
        if isinstance(reference, str | Path):
            paths.append(str(path_in(reference, "reference")))
        elif reference is not None:
            raise HyperbatonError("source is a file but reference is not: give two files")
        return made.corpus(paths, pair, limit)
    if isinstance(reference, str | Path):
        raise HyperbatonError("source is a list of texts: give a list of references too")
    if is_table(source):
        if reference is None:
            other = ("reference", "target", pair.target, "varied")
            known = any(name in other for name in map(str, source.columns))
            reference = column_of(source, other, "references") if known else None
        source = column_of(source, ("source", pair.source, "text"), "sources")
    texts = [texts_in(source, "source")]
    texts += [] if reference is None else [texts_in(reference, "reference")]
    if type(made).corpus is Experiment.corpus:
        return Items.of(pair, texts[0], texts[1] if len(texts) > 1 else None, limit)
    if not made.of_lines:
        raise HyperbatonError(f"{made.name} reads files: give two file names instead of texts")
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="hyperbaton-texts-")))
    paths = [str(folder / name) for name in ("source", "reference")[: len(texts)]]
    for path, lines in zip(paths, texts, strict=True):
        if any(len(text.splitlines()) > 1 for text in lines):
            raise HyperbatonError(f"{made.name} reads lines: a text has a line break in it")
        Path(path).write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")
    return made.corpus(paths, pair, limit)
