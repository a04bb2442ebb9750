"""Folders like DEMETR's, made up."""

from __future__ import annotations

import json
from pathlib import Path


def write_kind(folder: Path, name: str, rows: list[dict[str, object]]) -> None:
    """One kind of damage, as DEMETR writes it."""
    folder.mkdir(parents=True, exist_ok=True)
    usual = {"pert_name": name, "severity": name.split("_")[0], "pert_check": True, "id": 1}
    usual |= {"lang_tag": "german", "src_sent": "Ein Hund schläft.", "eng_sent": "A dog sleeps."}
    (folder / f"{name}.json").write_text(json.dumps([usual | row for row in rows]))


def write_damaged(folder: Path) -> None:
    """Two kinds of damage to the same translations."""
    texts = [f"The {animal} sleeps well today." for animal in ("dog", "cat", "cow", "hen", "bee")]
    whole: list[dict[str, object]] = [
        {"id": n, "mt_sent": text, "eng_sent": text.replace("well", "soundly")}
        for n, text in enumerate(texts)
    ]
    moved = [row | {"pert_sent": "today The well sleeps"} for row in whole]
    marks = [row | {"pert_sent": str(row["mt_sent"]).rstrip(".")} for row in whole]
    write_kind(folder, "critical_id20_shuffled", moved)
    write_kind(folder, "minor_id28_final_punc_removed", marks)
