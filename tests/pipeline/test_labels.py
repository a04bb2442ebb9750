"""Systems under short names."""

from __future__ import annotations

import pytest

from hyperbaton.studies.layer.sources import system_labels


@pytest.mark.parametrize(
    ("system", "short"),
    [
        ("ct2:/home/me/models/en-de", "ct2:en-de"),
        ("ct2:/home/me/models/en-de/", "ct2:en-de"),
        ("ct2:/home/me/en-de(beam=1, device=cpu)", "ct2:en-de(beam=1, device=cpu)"),
        ("ct2:../models/en-de", "ct2:en-de"),
        ("file:~/answers/online.jsonl", "file:online.jsonl"),
        ("hf:Helsinki-NLP/opus-mt-en-de", "hf:Helsinki-NLP/opus-mt-en-de"),
        ("openai:gpt@http://127.0.0.1:8000/v1", "openai:gpt@http://127.0.0.1:8000/v1"),
        ("cmd:/usr/bin/sed s/a/b/", "cmd:/usr/bin/sed s/a/b/"),
        ("bundled(beam=2)", "bundled(beam=2)"),
        ("oracle", "oracle"),
    ],
)
def test_folders_are_left_out(system: str, short: str) -> None:
    assert system_labels([system]) == {system: short}


def test_what_would_be_the_same_stays_whole() -> None:
    systems = ["ct2:/old/en-de", "ct2:/new/en-de", "ct2:/new/en-fr"]
    assert list(system_labels(systems).values()) == [*systems[:2], "ct2:en-fr"]
