"""Two processes on one store: each text is sent once, also when one of them is killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.store.store import Store
from hyperbaton.systems.system import Translation
from tests.cli.command import command
from tests.systems.chat_server import ChatServer, chat_server
from tests.systems.fakes import Fake

TEXTS = [f"text number {n}" for n in range(120)]


def start(folder: Path, server: ChatServer, name: str) -> subprocess.Popen[bytes]:
    """Translate with a key that tells the server who is asking."""
    spec = f"openai:m@{server.url}(concurrency=2, backoff=0.01, key_env=OPENAI_API_KEY)"
    (folder / "in.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    with (folder / f"{name}.txt").open("wb") as out:
        return subprocess.Popen(
            command("translate", "--system", spec, "-l", "en-de", "--cache", "store", "in.txt"),
            cwd=folder,
            env={**os.environ, "OPENAI_API_KEY": name},
            stdout=out,
            stderr=subprocess.PIPE,
        )


def end(process: subprocess.Popen[bytes]) -> tuple[int, bytes]:
    _, complaint = process.communicate(timeout=900)
    return process.returncode, complaint


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 300
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.005)


def test_no_text_is_paid_twice(tmp_path: Path) -> None:
    with chat_server() as server:
        server.delay = 0.02
        both = [start(tmp_path, server, "first"), start(tmp_path, server, "second")]
        assert [end(process) for process in both] == [(0, b""), (0, b"")]
    assert Counter(seen.text for seen in server.seen) == Counter(TEXTS)
    for name in ("first", "second"):
        assert (tmp_path / f"{name}.txt").read_text().splitlines() == [t.upper() for t in TEXTS]


def test_what_a_killed_process_has_claimed_is_taken_over(tmp_path: Path) -> None:
    def asked(key: str) -> list[str]:
        return [seen.text for seen in server.seen if seen.key == f"Bearer {key}"]

    with chat_server() as server:
        server.delay = 0.05
        victim = start(tmp_path, server, "victim")
        wait_until(lambda: len(asked("victim")) > 10)
        survivor = start(tmp_path, server, "survivor")
        wait_until(lambda: len(asked("victim")) > 30)
        victim.send_signal(signal.SIGKILL)
        victim.communicate()
        asked_before = set(asked("victim"))
        with Store(tmp_path / "store") as store:
            (held,) = store.holdings()
            stored = set(store.lookup(held.signature, TEXTS))
        assert end(survivor) == (0, b"")
    assert (tmp_path / "survivor.txt").read_text().splitlines() == [t.upper() for t in TEXTS]
    asked_by_both = asked_before & set(asked("survivor"))
    # Only what was under way when the process died is asked again: its answer is lost.
    assert not asked_by_both & stored
    assert len(server.seen) == len(TEXTS) + len(asked_by_both)


def _claim_and_stay(folder: Path, ready: multiprocessing.synchronize.Event) -> None:
    with Store(folder) as store:
        store.claim("s", ["a", "b"])
        ready.set()
        time.sleep(600)


def test_a_claim_ends_with_its_process(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    owner = context.Process(target=_claim_and_stay, args=(tmp_path, ready))
    owner.start()
    assert ready.wait(300)
    with Store(tmp_path) as store:
        assert store.claim("s", ["a", "b", "c"]) == {"c"}
        assert store.claimed_elsewhere("s", ["a", "b", "c"]) == {"a", "b"}
        owner.kill()
        owner.join()
        assert store.claimed_elsewhere("s", ["a", "b", "c"]) == set()
        assert store.claim("s", ["a", "b", "c"]) == {"a", "b", "c"}


def test_a_claim_ends_when_it_is_saved_or_released(tmp_path: Path) -> None:
    with Store(tmp_path) as one, Store(tmp_path) as two:
        assert one.claim("s", ["a", "b"]) == {"a", "b"}
        assert one.claim("s", ["a"]) == {"a"}
        assert two.claim("s", ["a", "b"]) == set()
        assert two.claim("other", ["a"]) == {"a"}
        one.save("s", {"a": Translation("A")})
        assert two.claim("s", ["a", "b"]) == {"a"}
        one.release()
        assert two.claim("s", ["a", "b"]) == {"a", "b"}
        assert one.claim("s", ["a", "b"]) == set()
    with Store(tmp_path) as three:
        assert three.claim("s", ["a", "b"]) == {"a", "b"}
    assert list((tmp_path / "claims").iterdir()) == []


def test_a_job_that_fails_leaves_its_texts_to_others(tmp_path: Path) -> None:
    def fault(texts: object) -> None:
        raise KeyboardInterrupt

    with Store(tmp_path) as one, Store(tmp_path) as two:
        with pytest.raises(KeyboardInterrupt):
            translate_all(Fake(fault), ["ab", "cd"], store=one)
        answers = translate_all(Fake(), ["ab", "cd"], store=two)
    assert [answer.text for answer in answers] == ["ba", "dc"]
