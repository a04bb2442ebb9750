"""The numbers of reports are those that are stored: a change of the layer must not move them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from .numbers import STORED, plain, published, reports

# The ends of intervals come from resamples in single precision, which a sum in another order of
# another processor may move by its last digit.
_DRAWN = ("low", "high", "p")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, object]:
    return {name: plain(report) for name, report in reports(tmp_path_factory.mktemp("numbers"))}


@pytest.mark.parametrize(
    "name", ["wordorder-default", "wordorder-paper", "isometry-made", "isometry-published"]
)
def test_the_numbers_are_those_stored(made: Mapping[str, object], name: str) -> None:
    if name == "isometry-published" and not published():
        pytest.skip("needs ../shared")
    wanted = json.loads(Path(STORED / f"{name}.json").read_text(encoding="utf-8"))
    assert not list(_differences(made[name], wanted, name, ""))


def _differences(found: object, wanted: object, path: str, key: str) -> list[str]:
    if isinstance(wanted, dict) and isinstance(found, dict):
        if list(found) != list(wanted):
            return [f"{path}: {list(found)} where {list(wanted)} is stored"]
        return [d for k in wanted for d in _differences(found[k], wanted[k], f"{path}.{k}", k)]
    if isinstance(wanted, list) and isinstance(found, list) and len(found) == len(wanted):
        pairs = enumerate(zip(found, wanted, strict=True))
        return [d for i, (a, b) in pairs for d in _differences(a, b, f"{path}[{i}]", key)]
    if isinstance(wanted, float) and isinstance(found, int | float):
        near = 1e-5 if key.endswith(_DRAWN) else 1e-12
        if found == pytest.approx(wanted, rel=near, abs=near):
            return []
    elif found == wanted:
        return []
    return [f"{path}: {found} where {wanted} is stored"]
