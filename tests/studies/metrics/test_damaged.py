"""Folders of damaged translations: what is counted, and what is refused with one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.studies.metrics.study import Metrics

from .asking import by_name, on_damaged
from .damaged import write_kind

ROW: dict[str, object] = {"mt_sent": "The dog sleeps.", "pert_sent": "The cat sleeps."}
KIND = "critical_id99_cat"


def test_damage_that_does_not_apply_is_not_counted(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    row: dict[str, object] = {"mt_sent": "The dog sleeps.", "pert_sent": "The cat sleeps."}
    same: dict[str, object]
    same = {"mt_sent": "The dog sleeps.", "pert_sent": "The dog sleeps.", "pert_check": False}
    write_kind(folder, "critical_id99_cat", [row, {**same, "id": 2}])
    write_kind(folder, "minor_id98_mark", [row | {"pert_sent": "The dog sleeps"}])
    found = by_name(on_damaged(folder, tmp_path / "run", ["chrF"]), "de-en")
    assert found["chrF", "critical_id99_cat", "noticed"].n == 1
    assert found["chrF", "severity", "ranked"].value == 1  # the cat costs more than the mark


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pert_sent": None}, "item 1 has no text 'pert_sent'"),
        ({"pert_check": "yes"}, "pert_check is true or false, not 'yes'"),
        ({"lang_tag": "klingon"}, "'klingon' is no language"),
        ({"id": None}, "item 1 has no 'id'"),
        ({"id": True}, "item 1 has no 'id'"),
        ({"pert_check": False}, "holds no damage that applies"),
        ({"pert_sent": "The dog sleeps."}, "holds no damage that applies"),
        ({"mt_sent": " "}, "item 1: the text 'mt_sent' is empty"),
        ({"eng_sent": ""}, "item 1: the text 'eng_sent' is empty"),
        ({"severity": "grave"}, "severity is minor, major, critical or base, not 'grave'"),
        ({"severity": ["minor"]}, r"severity is .*, not \['minor'\]"),
        ({"pert_name": "cut(share=0.5)"}, "which is a name of the study itself"),
    ],
)
def test_a_folder_that_is_not_like_demetrs_is_refused(
    tmp_path: Path, change: dict[str, object], said: str
) -> None:
    row: dict[str, object] = {"mt_sent": "The dog sleeps.", "pert_sent": "The cat sleeps."}
    write_kind(tmp_path / "made", "critical_id1_x", [row | change])
    with pytest.raises(HyperbatonError, match=said):
        Metrics().corpora([str(tmp_path / "made")], None)


def test_a_folder_without_files_or_the_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match=r"holds no \*\.json files"):
        Metrics().corpora([str(tmp_path)], None)
    row: dict[str, object] = {"mt_sent": "The dog sleeps.", "pert_sent": "The cat sleeps."}
    write_kind(tmp_path, "critical_id1_x", [row])
    with pytest.raises(HyperbatonError, match="no damaged translations of 'fr': it has de-en"):
        Metrics().corpora([str(tmp_path)], "fr")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(HyperbatonError, match="holds no list"):
        Metrics().corpora([str(tmp_path)], "de")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", r"kind\.json is empty$"),
        (b"\n\n  \n", r"kind\.json is empty$"),
        (b"[]", "holds no list of translations"),
        (b"null", "holds no list of translations"),
        (b"[NaN]", "item 1 is no object with id, src_sent"),
        (b"id\tmt_sent\n1\tThe dog", "line 1, column 1: not JSON .* is one JSON list of objects"),
        (b'{"id": 1}\n\n{"id": 2}\n', "line 3, column 1: not JSON .* is one JSON list of objects"),
        (b'[{"src_sent": "\xe4"}]', "byte 16 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_no_list_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    write_kind(tmp_path, KIND, [ROW])
    (tmp_path / "kind.json").write_bytes(content)
    with pytest.raises(HyperbatonError, match=said) as refused:
        Metrics().corpora([str(tmp_path)], None)
    assert "\n" not in str(refused.value)


def test_the_same_damage_twice_is_refused(tmp_path: Path) -> None:
    write_kind(tmp_path, KIND, [ROW, ROW])
    with pytest.raises(HyperbatonError, match=f"item 2: {KIND} of german 1 is there already, in"):
        Metrics().corpora([str(tmp_path)], None)
    write_kind(tmp_path, KIND, [ROW])
    (tmp_path / "more.json").write_bytes((tmp_path / f"{KIND}.json").read_bytes())
    with pytest.raises(HyperbatonError, match=r"more\.json, item 1: .* is there already, in"):
        Metrics().corpora([str(tmp_path)], None)


def test_what_is_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(HyperbatonError, match="there is no folder and no file nowhere"):
        Metrics().corpora(["nowhere"], None)
    write_kind(tmp_path, KIND, [ROW])
    with pytest.raises(HyperbatonError, match="is one file: name the folder"):
        Metrics().corpora([str(tmp_path / f"{KIND}.json")], "de-en")
    (tmp_path / "kinds.tsv").write_text("id\tmt_sent\n")
    (tmp_path / f"{KIND}.json").unlink()
    with pytest.raises(HyperbatonError, match=r"holds no \*\.json files"):
        Metrics().corpora([str(tmp_path)], None)


def test_files_of_other_lengths_are_counted_each_by_its_own(tmp_path: Path) -> None:
    rows = [ROW | {"id": n, "mt_sent": f"Dog {n} sleeps.", "eng_sent": f"A {n}."} for n in range(9)]
    write_kind(tmp_path / "made", KIND, rows)
    write_kind(tmp_path / "made", "minor_id98_mark", [rows[4] | {"pert_sent": "Dog 4 sleeps"}])
    text = (tmp_path / "made" / "minor_id98_mark.json").read_text()
    (tmp_path / "made" / "minor_id98_mark.json").write_text(f"\ufeff{text}", "utf-8")  # Windows
    found = by_name(on_damaged(tmp_path / "made", tmp_path / "run", ["chrF"]), "de-en")
    counts = {variant: score.n for (_, variant, name), score in found.items() if name == "noticed"}
    assert counts[KIND] == 9
    assert counts["minor_id98_mark"] == 1
