"""Which parsers there are for a language, in order of preference, and which are installed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import base, name
from hyperbaton.parsing.install import (
    FOR_LANGUAGE,
    FROM_PYPI,
    command_for_language,
    command_for_package,
    official_names,
)
from hyperbaton.parsing.model_files import (
    installed_version,
    stanza_code,
    stanza_folder,
    udpipe_models,
)
from hyperbaton.parsing.parser import PARSERS, ParserSpec
from hyperbaton.parsing.spacy_packages import find, installed, is_stub

__all__ = ["Candidate", "NoParser", "added_languages", "best_parser", "candidates"]

State = Literal["installed", "stub", "incomplete", "absent"]


class NoParser(HyperbatonError):
    """No parser of a language is installed; the message holds the command that installs one."""


@dataclass(frozen=True)
class Candidate:
    """One parser of a language: whether it is there, and what would make it so."""

    spec: str
    state: State
    install: str
    version: str = ""
    note: str = ""


def candidates(language: str) -> tuple[Candidate, ...]:
    """Every parser known for a language, the preferred first."""
    code = base(language)
    names = list(official_names(code))
    carried = FOR_LANGUAGE.get(code)
    if carried and carried not in names and carried != "natasha":
        names.append(carried)
    found = [_pipeline(package) for package in names]
    if code == "ru":
        found.append(_natasha())
    own = [files.name for files in installed() if base(files.language) == code]
    found += [_pipeline(package) for package in own if package not in names]
    return (*found, *_stanza(code), *_udpipe(code), *_added(code))


def best_parser(language: str) -> ParserSpec:
    """The first parser of a language that is installed, or one sentence on how to get one."""
    known = candidates(language)
    for candidate in known:
        if candidate.state == "installed":
            return PARSERS.parse(candidate.spec)
    near = next((c for c in known if c.state == "incomplete"), None)
    command = near.install if near else command_for_language(language)
    why = f" ({near.spec} {near.note})" if near else ""
    raise NoParser(
        f"no parser for {name(language)} is installed{why}: {command}; "
        f"or see: hyperbaton parsers -l {language}"
    )


def _pipeline(package: str) -> Candidate:
    spec, command = f"spacy:{package}", command_for_package(package)
    files = find(package)
    if files is None:
        if is_stub(package):
            remove = f"pip uninstall -y {package.replace('_', '-')} && {command}"
            note = "is a stub of that name, without a model: skipped"
            return Candidate(spec, "stub", remove, installed_version(package), note)
        return Candidate(spec, "absent", command)
    engine = installed_version("spacy")
    if not engine:
        command = "pip install 'hyperbaton[spacy]'"
        return Candidate(spec, "incomplete", command, files.version, "needs spaCy")
    if files.segmenter and not installed_version(files.segmenter):
        command = f"pip install {files.segmenter}"
        return Candidate(spec, "incomplete", command, files.version, f"needs {files.segmenter}")
    note = "" if _fits(engine, files.wants) else f"made for spaCy {files.wants}, runs on {engine}"
    known = package in FROM_PYPI or package in official_names(files.language)
    return Candidate(spec, "installed", command if known else "", files.version, note)


def _added(code: str) -> tuple[Candidate, ...]:
    """The parsers that other packages offer for a language, by the entry points they declare."""
    return tuple(
        Candidate(name, "installed", "", note="from another package")
        for name in PARSERS.added()
        if code in added_languages(name)
    )


def added_languages(name: str) -> tuple[str, ...]:
    """The languages of another package's parser; none where it cannot be loaded or needs more."""
    try:
        found = PARSERS.get(name)
    except HyperbatonError:
        return ()  # said when it is asked for by name
    return () if found.positional else tuple(base(language) for language in found.languages)


def _fits(version: str, wanted: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        return version in SpecifierSet(wanted, prereleases=True)
    except InvalidSpecifier:
        return True


def _natasha() -> Candidate:
    version = installed_version("natasha")
    return Candidate("natasha", "installed" if version else "absent", FROM_PYPI["natasha"], version)


def _stanza(code: str) -> tuple[Candidate, ...]:
    pip = "pip install 'hyperbaton[stanza]'"
    command = f"{pip} && python -c \"import stanza; stanza.download('{code}')\""
    version = installed_version("stanza")
    folder = stanza_folder(code)
    has_model = (folder / stanza_code(folder, code) / "depparse").is_dir()
    if has_model and version:
        return (Candidate(f"stanza:{code}", "installed", command, version),)
    if has_model:
        return (Candidate(f"stanza:{code}", "incomplete", pip, "", "needs Stanza itself"),)
    return (Candidate(f"stanza:{code}", "absent", command),)


def _udpipe(code: str) -> tuple[Candidate, ...]:
    """Models by the names that they are distributed under: `german-gsd-ud-2.5-….udpipe`."""
    version = installed_version("ufal.udpipe")
    state: State = "installed" if version else "incomplete"
    pip = "pip install 'hyperbaton[udpipe]'"
    starts = (f"{name(code).lower()}-", f"{code}_", f"{code}-", f"{code}.")
    return tuple(
        Candidate(f"udpipe:{path}", state, pip, version, "" if version else "needs UDPipe itself")
        for path in udpipe_models()
        if path.name.lower().startswith(starts)
    )
