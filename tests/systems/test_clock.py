"""A clock that is set while we work: what is stored, claimed and waited for stays right."""

from __future__ import annotations

import sys
from email.message import Message
from email.utils import formatdate
from pathlib import Path

import pytest

from hyperbaton.base import progress
from hyperbaton.cli.main import main
from hyperbaton.systems.chat.client import Client, retry_after
from hyperbaton.systems.chat.keys import Keys
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation
from tests.systems.fakes import Fake

pytestmark = pytest.mark.usefixtures("jumping_clock")


def test_a_claim_ends_with_its_owner_and_not_with_the_clock(tmp_path: Path) -> None:
    with Store(tmp_path) as one, Store(tmp_path) as two:
        for _ in range(7):
            assert one.claim("s", ["a", "b"]) == {"a", "b"}
            assert two.claim("s", ["a", "b"]) == set()
            assert two.claimed_elsewhere("s", ["a", "b"]) == {"a", "b"}
        one.save("s", {"a": Translation("A")})
        assert two.claim("s", ["a", "b"]) == {"a"}
    with Store(tmp_path) as three:
        assert three.claim("s", ["a", "b"]) == {"a", "b"}


def test_nothing_is_translated_twice(tmp_path: Path) -> None:
    fake = Fake()
    for _ in range(3):
        with Store(tmp_path) as store:
            answers = translate_all(fake, ["ab", "cd"], store=store)
        assert [answer.text for answer in answers] == ["ba", "dc"]
    assert sorted(text for batch in fake.batches for text in batch) == ["ab", "cd"]


@pytest.mark.parametrize("moment", [0.0, -1e9, 1e12, 1e300, float("inf")])
def test_what_is_stored_can_be_shown(
    moment: float,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("time.time", lambda: moment)
    with Store(tmp_path) as store:
        store.save("some system", {"a": Translation("A")})
    assert main(["cache", "info", "--cache", str(tmp_path)]) == 0
    assert "1  some system" in capsys.readouterr().out


def test_a_bar_appears_and_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert list(progress.track(range(20), "counting", 20)) == list(range(20))


def test_a_server_is_waited_for_by_its_own_clock() -> None:
    """The date in Retry-After is compared with the date of the reply."""
    headers = Message()
    headers["Date"] = formatdate(1e9, usegmt=True)
    headers["Retry-After"] = formatdate(1e9 + 3, usegmt=True)
    client = Client(url="http://localhost/v1", keys=Keys(), timeout=1.0, retries=1, backoff=0.1)
    passing = client._fault_of(429, headers, "")
    assert getattr(passing, "wait", None) == 3.0


def test_a_wrong_clock_is_no_wait_for_ever() -> None:
    assert retry_after(formatdate(1e9, usegmt=True), now=1e9 - 2) == 2
    assert retry_after("Fri, 31 Dec 99999 23:59:59 GMT") is None
