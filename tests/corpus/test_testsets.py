"""sacreBLEU's test sets are read where they lie; a missing one is named with its command."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.corpus.opening import open_corpus


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("sacrebleu.utils.SACREBLEU_DIR", str(tmp_path))

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("nothing may be downloaded")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    return tmp_path


def put(folder: Path, name: str, **texts: str) -> None:
    (folder / name).mkdir(parents=True)
    for field, text in texts.items():
        stem = name.replace("/", "_")
        (folder / name / f"{stem}.en-de.{field.replace('_', '-')}").write_text(text)


def test_a_set_on_disk(folder: Path) -> None:
    put(folder, "wmt19", src="Hello\n", ref="Hallo\n", docid="d\n")
    assert list(open_corpus("sacrebleu:wmt19/en-de")) == [Item("1", "Hello", "Hallo")]


def test_the_references_that_sacrebleu_prefers(folder: Path) -> None:
    put(folder, "wmt21", src="Hello\n", ref_A="Hallo\n", ref_C="Servus\n")
    (item,) = open_corpus("sacrebleu:wmt21/en-de")
    assert (item.reference, item.columns) == ("Hallo", {})


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("sacrebleu:wmt19/en-de", "sacrebleu --download wmt19 -l en-de"),
        ("sacrebleu:wmt20/dev/en-ja", "sacrebleu --download wmt20/dev -l en-ja"),
        ("sacrebleu:wmt19/en-xx", "has no pair 'en-xx'"),
        ("sacrebleu:wtm19/en-de", "Did you mean 'wmt19'"),
        ("sacrebleu:wmt19", "write the pair too: sacrebleu:wmt19/cs-de"),
    ],
)
def test_what_is_missing_is_named(name: str, message: str, folder: Path) -> None:
    with pytest.raises(HyperbatonError, match=message):
        list(open_corpus(name))


def test_the_file_names_are_sacrebleus(folder: Path) -> None:
    from sacrebleu.dataset import DATASETS

    path = Path(DATASETS["wmt20/dev"]._get_txt_file_path("en-de", "ref:0"))  # type: ignore[no-untyped-call]
    assert path.parts[-3:] == ("wmt20", "dev", "wmt20_dev.en-de.ref-0")
