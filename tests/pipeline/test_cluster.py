"""Runs on a Ray cluster of two nodes: the bytes are those of one machine, whatever is lost."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

import polars as pl
import pytest
from filelock import FileLock

from hyperbaton.base.errors import HyperbatonError, MissingExtra, OutOfBudget
from hyperbaton.cli.terminal.streams import Stopped
from hyperbaton.encoders.encoder import Vectors
from hyperbaton.pipeline import Job, Run, execute
from hyperbaton.pipeline.engine.ray import cluster as joining
from hyperbaton.pipeline.engine.ray import driver
from hyperbaton.pipeline.options import Ray, parse_engine
from hyperbaton.studies.structure.study import PIECES, Structure
from hyperbaton.studies.structure.systems import Training, opener
from hyperbaton.systems.store.store import FILE, Store
from tests.pipeline.mortal import SYSTEM, Mortal, deaths, kill_processes_of, perhaps_die
from tests.pipeline.small import corpus, job, parts
from tests.pipeline.test_cells import Letters, cell_files, run_cells
from tests.systems.chat_server import chat_server

ROOT = Path(__file__).parents[2]
DESIGN = Mortal(perturbations="reversed; wordShuffle")
SETTINGS = {"design": DESIGN, "systems": (SYSTEM,), "part": 8}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    pytest.importorskip("ray", reason="Ray is not installed")
    from ray.cluster_utils import Cluster

    # Tests run in several processes, and two clusters would want the same ports.
    alone = FileLock(tmp_path_factory.getbasetemp().parent / "cluster.lock")
    with alone, pytest.MonkeyPatch.context() as patch:
        paths = [str(ROOT), *sys.path]
        patch.setenv("PYTHONPATH", os.pathsep.join(paths))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # Other work on this machine is no reason to kill ours.
        patch.setenv("RAY_memory_monitor_refresh_ms", "0")
        args = {"num_cpus": 1, "num_gpus": 0, "object_store_memory": 80 << 20}
        made = Cluster(initialize_head=True, head_node_args={**args, "include_dashboard": False})
        made.add_node(**args)
        yield made
        made.shutdown()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the local engine makes of the corpus."""
    folder = tmp_path_factory.mktemp("whole")
    execute(_job(folder, cached=False), folder / "run")
    return parts(folder / "run")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _job(folder: Path, **changes: object) -> Job:
    return job(folder, **{**SETTINGS, "corpora": (corpus(90),), **changes})


def _written(run: Path) -> int:
    return len(list(run.glob("outputs/python*/**/part-*.parquet")))


def test_a_node_lost_in_the_middle_changes_no_byte(
    desk: Path, cluster: Any, whole: dict[str, bytes]
) -> None:
    (desk / "slow").touch()
    lost: list[int] = []

    def lose() -> None:
        while _written(desk / "run") < 3:
            time.sleep(0.02)
        lost.append(_written(desk / "run"))
        cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=lose)
    thread.start()
    run = execute(_job(desk, engine=Ray(cluster.address)), desk / "run")
    thread.join()
    assert signal.getsignal(signal.SIGTERM) == before
    assert lost[0] < 12
    assert run.complete
    assert parts(desk / "run") == whole
    assert not list((desk / "run").rglob("*.part"))


def test_workers_that_are_killed_cost_only_their_parts(
    desk: Path, cluster: Any, whole: dict[str, bytes]
) -> None:
    deaths("probing", 2)
    deaths("translating", 2)
    run = execute(_job(desk, engine=Ray(cluster.address)), desk / "run")
    assert not list((desk / "deaths").iterdir())
    assert run.complete
    assert parts(desk / "run") == whole


def test_a_worker_that_always_dies_is_one_sentence_and_the_run_resumes_without_ray(
    desk: Path, cluster: Any, whole: dict[str, bytes]
) -> None:
    deaths("translating", 50)
    with pytest.raises(HyperbatonError) as caught:
        execute(_job(desk, engine=Ray(cluster.address, translators=1)), desk / "run")
    # Whichever part has its probes first.
    sentence = re.sub(r"part \d+", "part 0", str(caught.value))
    assert sentence == (
        f"the worker was killed {driver.ATTEMPTS} times at part 0 of {SYSTEM} in en-de, often "
        "because memory ran out: run the same command again with fewer or smaller translators, "
        "which resumes the run"
    )
    assert not Run(desk / "run").complete
    for token in (desk / "deaths").iterdir():
        token.unlink()
    assert execute(_job(desk), desk / "run").complete
    assert parts(desk / "run") == whole


SCRIPT = """
import sys
from pathlib import Path
from hyperbaton.pipeline import execute
from hyperbaton.pipeline.options import Ray
from tests.pipeline.test_cluster import _job

here = Path.cwd()
execute(_job(here, engine=Ray(sys.argv[1])), here / "run")
"""


def test_a_driver_that_is_killed_leaves_a_run_that_resumes_on_the_cluster(
    desk: Path, cluster: Any, whole: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    (desk / "slow").touch()
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, cluster.address], cwd=desk)
    while _written(desk / "run") < 3:
        assert process.poll() is None
        time.sleep(0.02)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    there = parts(desk / "run")
    assert there.items() < whole.items()
    (desk / "slow").unlink()
    damaged = next((desk / "run").glob("outputs/python*/**/part-*.parquet"))
    damaged.write_bytes(damaged.read_bytes()[:-7])
    run = execute(_job(desk, engine=Ray(cluster.address)), desk / "run")
    assert f"{damaged} is damaged: it is made again" in caplog.text
    assert run.complete
    assert parts(desk / "run") == whole


def test_money_is_kept_for_all_translators_together(
    desk: Path, cluster: Any, whole: dict[str, bytes]
) -> None:
    (desk / "slow").touch()
    limits = {"max_cost": 3000, "prices": {SYSTEM: 1_000_000.0}}
    with pytest.raises(OutOfBudget, match="--max-cost 3000 is reached"):
        execute(_job(desk, engine=Ray(cluster.address), **limits), desk / "run")
    spent = json.loads((desk / "run" / "costs.json").read_text())
    assert 1500 < spent[SYSTEM] <= 3000
    assert parts(desk / "run").items() < whole.items()
    with Store(desk / "cache") as store:
        held = sum(holding.translations for holding in store.holdings())
    # No text has more than 60 characters: what was paid for is in the store.
    assert held >= spent[SYSTEM] / 60
    assert execute(_job(desk), desk / "run").complete
    assert parts(desk / "run") == whole


def test_damage_to_the_store_is_told_by_workers_too(
    desk: Path, cluster: Any, whole: dict[str, bytes], caplog: pytest.LogCaptureFixture
) -> None:
    execute(_job(desk), desk / "first")
    with closing(sqlite3.connect(desk / "cache" / FILE)) as db, db:
        db.execute("UPDATE translations SET output = 'another translation'")
    caplog.clear()
    assert execute(_job(desk, engine=Ray(cluster.address)), desk / "run").complete
    assert parts(desk / "run") == whole
    assert "damaged row" in caplog.text


def test_every_request_is_paid_for_on_a_cluster_too(desk: Path, cluster: Any) -> None:
    with chat_server() as server:
        server.faults["*"] = ["malformed", "500"] * 20
        system = f"openai:m@{server.url}(retries=40, backoff=0.001, concurrency=4)"
        changes: dict[str, Any] = {"systems": (system,), "engine": Ray(cluster.address)}
        scarce = {"max_cost": 2000, "prices": {system: 1_000_000.0}}
        with pytest.raises(OutOfBudget, match="--max-cost 2000 is reached"):
            execute(_job(desk, **changes, **scarce), desk / "run")
        sent = sum(len(seen.text) for seen in server.seen)
        assert [*json.loads((desk / "run" / "costs.json").read_text()).values()] == [sent]
        assert 1900 < sent <= 2000


@pytest.fixture
def reaper(cluster: Any) -> Iterator[Callable[[str, int], list[int]]]:
    """Kills the actors of a name as they come, so many of them, while a run goes on."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("processes are found in /proc")
    (raylet,) = cluster.head_node.all_processes["raylet"]
    over = threading.Event()
    threads = []

    def reap(name: str, times: int) -> list[int]:
        killed: list[int] = []

        def work() -> None:
            while not over.wait(0.02) and len(killed) < times:
                killed.extend(kill_processes_of(raylet.process.pid, name))

        threads.append(threading.Thread(target=work))
        threads[-1].start()
        return killed

    yield reap
    over.set()
    for thread in threads:
        thread.join()


def test_who_keeps_the_store_and_the_money_is_replaced_when_killed(
    desk: Path, cluster: Any, whole: dict[str, bytes], reaper: Callable[[str, int], list[int]]
) -> None:
    (desk / "slow").touch()
    killed = [reaper("ray::Library", 1), reaper("ray::Purse", 1)]
    limits = {"max_cost": 1e9, "prices": {SYSTEM: 1_000_000.0}}
    run = execute(_job(desk, engine=Ray(cluster.address), **limits), desk / "run")
    assert all(killed)
    assert run.complete
    assert parts(desk / "run") == whole
    probes = pl.concat(map(pl.read_parquet, (desk / "run" / "probes").rglob("*.parquet")))
    texts = {*probes["source"], *probes["varied"]}
    with Store(desk / "cache") as store:
        held = max(holding.translations for holding in store.holdings())
    assert held == len(texts), "every answer is stored"


def test_who_keeps_the_store_and_always_dies_is_one_sentence(
    desk: Path, cluster: Any, whole: dict[str, bytes], reaper: Callable[[str, int], list[int]]
) -> None:
    (desk / "slow").touch()
    reaper("ray::Library", 1000)
    with pytest.raises(HyperbatonError, match="store of translations was killed repeatedly"):
        execute(_job(desk, engine=Ray(cluster.address)), desk / "run")
    (desk / "slow").unlink()
    assert execute(_job(desk), desk / "run").complete
    assert parts(desk / "run") == whole


class MortalLetters(Letters):
    """Dies where a test has put a token."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        perhaps_die("encoding")
        return super().encode(texts)


@pytest.mark.skipif(not PIECES.exists(), reason="needs the bundled translator")
def test_cells_have_the_same_bytes_though_a_worker_is_killed(desk: Path, cluster: Any) -> None:
    run_cells(desk / "whole", Letters())
    deaths("encoding", 1)
    run = run_cells(desk / "run", MortalLetters(), engine=Ray(cluster.address))
    assert not list((desk / "deaths").iterdir())
    assert run.complete
    assert cell_files(desk / "run") == cell_files(desk / "whole")


def test_what_opens_the_systems_of_a_task_can_be_sent_to_workers(desk: Path) -> None:
    cloudpickle = pytest.importorskip("ray.cloudpickle", reason="Ray is not installed")
    study = Structure(perturbations="FullShuffle", seeds=2)
    training = Training(study.settings, 2, epochs=1, rate=1e-5)
    opens = opener(study.chosen_task, Path(), desk, training)
    sent = cloudpickle.loads(cloudpickle.dumps(opens))
    assert sent("chars", None).signed("de") == opens("chars", None).signed("de")


def test_a_worker_that_ray_stops_for_its_memory_is_one_sentence() -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    lost = driver._Lost(ray.exceptions.OutOfMemoryError("Task was killed due to the node"))
    assert lost.sentence("part 3 of the probes in en-de") == (
        "the worker was killed 4 times at part 3 of the probes in en-de, memory ran out on its "
        "node: run the same command again with fewer or smaller translators, which resumes the run"
    )


def test_no_cluster_is_one_sentence(desk: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    with pytest.raises(
        HyperbatonError, match=r"cannot join the Ray cluster at 127\.0\.0\.1:9 \(.*refused"
    ):
        execute(_job(desk, engine=Ray("127.0.0.1:9")), desk / "run")


def test_sigterm_means_the_same_while_ray_starts() -> None:
    def ours(number: int, frame: object) -> None:
        raise Stopped(number)

    def rays(number: int, frame: object) -> None:
        sys.exit(number)

    def start() -> None:
        with joining._signals_kept():
            signal.signal(signal.SIGTERM, rays)
            signal.raise_signal(signal.SIGTERM)

    before = signal.signal(signal.SIGTERM, ours)
    try:
        with pytest.raises(Stopped, match="SIGTERM"):
            start()
        assert signal.getsignal(signal.SIGTERM) is ours
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_ray_that_cannot_start_is_one_sentence(desk: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ray, "init", _fails)
        with pytest.raises(HyperbatonError, match=r"cannot join Ray on this machine \(The current"):
            execute(_job(desk, engine=Ray()), desk / "run")


def _fails(**_: object) -> None:
    raise Exception("The current node timed out during startup.")


def test_a_cluster_that_was_killed_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "ray_current_cluster").write_text("127.0.0.1:9")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    asked: list[str] = []
    ray = ModuleType("ray")
    monkeypatch.setattr(ray, "init", lambda address, **_: asked.append(address), raising=False)
    joining._here(ray, {})
    assert asked == ["local"]


def test_without_ray_the_sentence_says_what_to_install(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra) as caught:
        execute(_job(desk, engine=Ray()), desk / "run")
    assert str(caught.value) == "Ray is not installed: pip install 'hyperbaton[ray]'"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rya", r"unknown engine 'rya'\. Did you mean 'ray'\? Choose local, ray or ray://HOST"),
        ("ray://head", "write the address of the head node as ray://HOST:PORT"),
        ("ray(gpus=1.5)", r"a fraction of one GPU \(0\.5\) or whole ones"),
        ("ray(translators=-1)", "translators cannot be negative"),
        ("local(gpus=1)", "no parameter 'gpus'"),
    ],
)
def test_a_wrong_engine_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(HyperbatonError, match=sentence):
        parse_engine(text)


@pytest.mark.parametrize("text", ["local", "ray", "ray://10.0.0.1:6379(gpus=0.5, translators=3)"])
def test_an_engine_is_printed_as_it_is_read(text: str) -> None:
    engine = parse_engine(text)
    assert parse_engine(str(engine)) == engine
