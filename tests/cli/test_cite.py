"""`hyperbaton cite` prints BibTeX that BibTeX reads and that agrees with CITATION.cff."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hyperbaton.cli.main import main
from hyperbaton.studies.layer.register import papers

CFF = Path(__file__).parents[2] / "CITATION.cff"


def cited(capsys: pytest.CaptureFixture[str], *studies: str) -> str:
    assert main(["cite", *studies]) == 0
    return capsys.readouterr().out


def entries(text: str) -> list[dict[str, str]]:
    """The fields of each entry; braces that do not match are an error."""
    assert text.count("{") == text.count("}")
    found = []
    for kind, key, body in re.findall(r"^@(\w+)\{([\w-]+),\n(.*?)^\}$", text, re.M | re.S):
        fields = dict(re.findall(r"^  (\w+) = \{(.*)\},$", body, re.M))
        assert len(fields) == len(body.splitlines())
        found.append({"kind": kind, "key": key, **fields})
    return found


def citation_file() -> Any:
    return pytest.importorskip("yaml").safe_load(CFF.read_text(encoding="utf-8"))


def test_the_papers_agree_with_the_citation_file(capsys: pytest.CaptureFixture[str]) -> None:
    found = sorted(entries(cited(capsys, *papers())), key=lambda one: one["title"])
    references = sorted(citation_file()["references"], key=lambda one: str(one["title"]))
    assert len(found) == len(references) == len(papers()) == 4
    for entry, reference in zip(found, references, strict=True):
        assert entry["title"] == f"{{{reference['title']}}}"
        people = [f"{one['family-names']}, {one['given-names']}" for one in reference["authors"]]
        assert entry["author"] == " and ".join(people)
        assert entry["year"] == str(reference["year"])
        assert entry.get("doi") == reference.get("doi")
        assert entry.get("url") == reference.get("url")
        assert entry.get("booktitle") == reference.get("collection-title")
        pages = f"{reference['start']}--{reference['end']}" if "start" in reference else None
        assert entry.get("pages") == pages
        others = [f"arXiv:{entry['eprint']}"] if "eprint" in entry else []
        assert [one["value"] for one in reference.get("identifiers", [])] == others


def test_the_published_title_stands_beside_that_of_the_preprint(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (entry,) = entries(cited(capsys, "wordorder"))
    assert entry["title"] == "{Sometimes We Want Ungrammatical Translations}"
    assert entry["note"].endswith("Sometimes We Want Translationese")
    (reference,) = [one for one in citation_file()["references"] if one.get("doi") == entry["doi"]]
    assert reference["notes"].endswith('"Sometimes We Want Translationese".')


def test_the_software_agrees_with_the_citation_file(capsys: pytest.CaptureFixture[str]) -> None:
    (entry,) = entries(cited(capsys))
    software = citation_file()
    assert entry["title"] == f"{{{software['title']}}}"
    assert entry["author"] == f"{{{software['authors'][0]['name']}}}"
    assert software["url"] in entry["howpublished"]
    assert entry["note"] == f"Version {software['version']}"


@pytest.mark.skipif(shutil.which("bibtex") is None, reason="needs bibtex (texlive-binaries)")
def test_bibtex_reads_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = cited(capsys) + "\n" + cited(capsys, *papers())
    (tmp_path / "all.bib").write_text(text, encoding="utf-8")
    (tmp_path / "all.aux").write_text(
        "\\citation{*}\n\\bibstyle{plain}\n\\bibdata{all}\n", encoding="utf-8"
    )
    done = subprocess.run(["bibtex", "all"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout
    assert (tmp_path / "all.bbl").read_text(encoding="utf-8").count("\\bibitem") == 5


def test_a_study_without_a_paper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cite", "surface"]) == 2
    assert "surface has no paper to cite" in capsys.readouterr().err


def test_the_start_page_of_the_documentation_names_the_papers() -> None:
    page = (CFF.parent / "docs/index.md").read_text(encoding="utf-8")
    for paper in papers().values():
        named = f"{', '.join(paper.authors)} {paper.year}: *{paper.title}*. "
        assert named in page
        assert paper.short_venue.casefold() in page.casefold()
        assert all(part in page for part in (paper.preprint, paper.pages, paper.doi, paper.eprint))
