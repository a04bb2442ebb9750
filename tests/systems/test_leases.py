"""A claim has an owner that lives: one that was stopped loses it, one that works keeps it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.claims import Claims
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation
from tests.systems.fakes import Fake

SIGNATURE = "fake|xx-yy"


def wait_until(condition: Callable[[], bool]) -> None:
    """For what must come, however slow the machine."""
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def _claim_and_save(folder: Path, ready: Event, go: Event) -> None:
    with Store(folder) as store:
        store.claim(SIGNATURE, ["ab", "cd"])
        ready.set()
        go.wait(300)
        store.save(SIGNATURE, {"ab": Translation("late"), "ef": Translation("fe")})


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no process can be stopped here")
def test_a_stopped_process_loses_its_claims_after_the_lease(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready, go = context.Event(), context.Event()
    owner = context.Process(target=_claim_and_save, args=(tmp_path, ready, go))
    owner.start()
    try:
        assert ready.wait(300)
        assert owner.pid is not None
        os.kill(owner.pid, signal.SIGSTOP)
        with Store(tmp_path, lease=0.2) as store:
            assert store.claim(SIGNATURE, ["ab", "cd", "ef"]) == {"ef"}
            store.release()
            answers = translate_all(Fake(), ["ab", "cd", "ef"], store=store)
            assert [answer.text for answer in answers] == ["ba", "dc", "fe"]
            assert store.claimed_elsewhere(SIGNATURE, ["ab", "cd"]) == set()
        os.kill(owner.pid, signal.SIGCONT)
        go.set()
        owner.join(300)
        assert owner.exitcode == 0
    finally:
        owner.kill()
    with Store(tmp_path) as store:
        # It went on, and took nothing of what was done meanwhile.
        found = store.lookup(SIGNATURE, ["ab", "cd", "ef"])
        assert [found[text].text for text in ("ab", "cd", "ef")] == ["ba", "dc", "fe"]
        assert store.claim(SIGNATURE, ["xy"]) == {"xy"}


class Clock:
    """Time that passes when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_sign_of_life_renews_the_lease(tmp_path: Path) -> None:
    clock = Clock()
    # So long a lease that the thread gives no sign while the test runs.
    with Store(tmp_path, lease=100_000) as one, Store(tmp_path) as two:
        two._claims = Claims(two._database, 100_000, clock)
        one.claim("s", ["a"])
        assert two.claimed_elsewhere("s", ["a"]) == {"a"}
        for _ in range(3):
            clock.now += 99_999
            one._claims.beat()
            assert two.claimed_elsewhere("s", ["a"]) == {"a"}
        clock.now += 99_999
        assert two.claimed_elsewhere("s", ["a"]) == {"a"}
        clock.now += 2
        assert two.claimed_elsewhere("s", ["a"]) == set()
        one._claims.beat()  # it was stopped and goes on
        assert two.claimed_elsewhere("s", ["a"]) == {"a"}
        clock.now += 100_001
        assert two.claim("s", ["a"]) == {"a"}
        assert one.claimed_elsewhere("s", ["a"]) == {"a"}


def test_looking_for_signs_of_life_is_none(tmp_path: Path) -> None:
    """Some versions of filelock date a file anew whenever anybody tries to lock it."""
    clock = Clock()
    with Store(tmp_path, lease=100_000) as one, Store(tmp_path) as two:
        two._claims = Claims(two._database, 100_000, clock)
        one.claim("s", ["a"])
        assert two.claimed_elsewhere("s", ["a"]) == {"a"}
        (locked,) = (tmp_path / "claims").glob("*.lock")
        clock.now += 100_001
        os.utime(locked, ns=(10**18, 10**18))
        assert two.claimed_elsewhere("s", ["a"]) == set()


@pytest.mark.usefixtures("jumping_clock")
def test_a_process_that_works_gives_signs_of_life(tmp_path: Path) -> None:
    """Also while its translator does not come back, and whatever the clock on the wall says."""
    with Store(tmp_path, lease=0.15) as store:
        store.claim("s", ["a"])
        (file,) = (tmp_path / "claims").glob("*.beat")
        for _ in range(3):
            before = file.stat().st_mtime_ns
            wait_until(lambda: file.stat().st_mtime_ns != before)  # noqa: B023
    assert not file.exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_claims_for_itself(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        assert store.claim("s", ["a"]) == {"a"}
        child = os.fork()
        if child == 0:
            taken = None
            try:
                taken = store.claim("s", ["a", "b"])
                store.save("s", {"b": Translation("B")})
                store.close()
            finally:
                os._exit(0 if taken == {"b"} else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        with Store(tmp_path) as other:
            assert other.claim("s", ["a", "b"]) == {"b"}


def test_somebody_who_watches_does_not_wait_for_another_process(tmp_path: Path) -> None:
    with Store(tmp_path) as one, Store(tmp_path) as two:
        one.claim(SIGNATURE, ["ab", "cd"])
        answers = translate_all(Fake(), ["ab", "xy", "cd"], store=two, longest_wait=0.05)
        assert [answer.text for answer in answers] == ["ba", "yx", "dc"]
        assert two.lookup(SIGNATURE, ["ab"]) == {"ab": Translation("ba")}
        one.save(SIGNATURE, {"ab": Translation("late")})
        assert one.lookup(SIGNATURE, ["ab"]) == {"ab": Translation("ba")}


def test_what_comes_while_somebody_waits_is_taken(tmp_path: Path) -> None:
    class Slow(Fake):
        """Its answer to the first text comes from elsewhere while it is at the second."""

        def translate(self, texts: object) -> list[Translation]:
            one.save(SIGNATURE, {"ab": Translation("from elsewhere")})
            return super().translate(texts)  # type: ignore[arg-type]

    with Store(tmp_path) as one, Store(tmp_path) as two:
        one.claim(SIGNATURE, ["ab"])
        answers = translate_all(Slow(), ["ab", "xy"], store=two, longest_wait=60)
        assert [answer.text for answer in answers] == ["from elsewhere", "yx"]


FORKING = """
import os, pathlib, sys
from hyperbaton.systems.store.store import Store

folder = pathlib.Path(sys.argv[1])
with Store(folder) as store:
    store.claim("s", ["a"])
    child = os.fork()
    if child == 0:
        sys.exit()  # with everything that Python deletes at its end
    os.waitpid(child, 0)
    with Store(folder) as other:
        print(other.claimed_elsewhere("s", ["a"]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_that_ends_leaves_the_claims_of_its_parent(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert (done.stdout, done.returncode) == ("{'a'}\n", 0), done.stderr
