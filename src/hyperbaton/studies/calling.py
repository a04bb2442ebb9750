"""Studies as Python functions: `hyperbaton.wordorder(…)`, and the same for every other study."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.options import options_of
from hyperbaton.base.remote_paths import place
from hyperbaton.pipeline import Corpus, Items, Pair, RunOptions
from hyperbaton.studies.options import make_study
from hyperbaton.studies.runner import run_study
from hyperbaton.studies.session import Session
from hyperbaton.studies.study import STUDIES, Study

__all__ = ["Texts", "function_of", "study"]

Texts = str | Path | Sequence[str]
"""A file, or the texts themselves."""
_RUN = tuple(
    # A process more, and a script without `if __name__ == "__main__":` would run itself again.
    replace(option, default=0) if option.name == "workers" else option
    for option in options_of(RunOptions)
)


def study(
    name: str,
    system: str | Sequence[str],
    languages: str | Sequence[str] | None = None,
    source: Texts | None = None,
    reference: Texts | None = None,
    *,
    metrics: Sequence[str] = (),
    limit: int | None = None,
    out: str | Path | None = None,
    **options: object,
) -> Session:
    """Run a study by its name; without texts, on the corpus that is shipped.

    `options` are those of any run (docs/python.md lists them) and the study's own, as
    `hyperbaton ls studies` lists them. `workers` above 0 starts processes, so a script then needs
    `if __name__ == "__main__":`. Without `out` the run is deleted with the session that is
    returned. A limit in seconds, in bytes or in money (`prices` are those of a million characters,
    by system) raises OutOfBudget, and the run can be resumed.
    """
    given = {option.name: options.pop(option.name, option.default) for option in _RUN}
    made = make_study(name, options)
    pairs = list(made.demo_pairs[:1]) if languages is None else languages
    pairs = [pairs] if isinstance(pairs, str) else list(pairs)
    return run_study(
        made,
        [_corpus(made, Pair.parse(p), source, reference, limit, len(pairs)) for p in pairs],
        [system] if isinstance(system, str) else system,
        None if out is None else place(out),
        metrics=metrics,
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


def _corpus(
    made: Study,
    pair: Pair,
    source: Texts | None,
    reference: Texts | None,
    limit: int | None,
    pairs: int,
) -> Corpus:
    if source is None:
        return made.demo_corpus(pair, limit)
    if pairs > 1:
        raise HyperbatonError("the texts are in one language pair: run the study once per pair")
    if isinstance(source, str | Path):
        paths = [str(source)]
        if isinstance(reference, str | Path):
            paths.append(str(reference))
        elif reference is not None:
            raise HyperbatonError("source is a file but reference is not: give two files")
        return made.corpus(paths, pair, limit)
    if type(made).corpus is not Study.corpus:
        raise HyperbatonError(f"{made.name} reads files: give two file names instead of texts")
    if reference is None or isinstance(reference, str | Path):
        raise HyperbatonError("source is a list of texts: give a list of references too")
    return Items.of(pair, source, reference, limit)
