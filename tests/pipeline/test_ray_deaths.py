"""Ray's own processes are killed: one sentence, nothing lost, and the run resumes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import execute
from hyperbaton.pipeline.engine.ray import cluster
from tests.pipeline.mortal import kill_processes_of, processes_of
from tests.pipeline.small import parts
from tests.pipeline.test_cluster import ROOT, _job, _written, desk, whole

__all__ = ["desk", "whole"]

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="processes are found in /proc"
)

DRIVER = """
import os, sys, time
from pathlib import Path
here = Path.cwd()
if os.fork():
    os._exit(0)
# As in a container: the parent of the command is process 1, once this one's has ended.
while os.getppid() == int(sys.argv[1]):
    time.sleep(0.01)
(here / "driver.part").write_text(str(os.getpid()))
(here / "driver.part").rename(here / "driver")
from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline import execute
from hyperbaton.pipeline.engine.ray import cluster
from hyperbaton.pipeline.options import Ray
from tests.pipeline.test_cluster import _job
cluster.PATIENCE = 2.0
try:
    execute(_job(here, engine=Ray(translators=1)), here / "run")
except HyperbatonError as error:
    (here / "sentence").write_text(str(error))
else:
    (here / "sentence").write_text("none")
"""
AGAIN = (
    ", and nothing is lost: start Ray again if it was you who started it, and run the same command "
    "again, which resumes the run"
)


def _until(happened: Callable[[], object]) -> None:
    end = time.monotonic() + 300
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("victim", "sentence"),
    [
        ("raylet", "Ray's process raylet on this machine ("),
        ("ray::DashboardAgent", "Ray's process raylet on this machine ("),
        ("gcs_server", "Ray's head process gcs_server ("),
    ],
    ids=["raylet", "agent", "head"],
)
def test_a_process_of_ray_that_is_killed_is_one_sentence_and_the_run_resumes(
    desk: Path, whole: dict[str, bytes], victim: str, sentence: str
) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    (desk / "slow").touch()
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path]),
        "RAY_ADDRESS": "local",
        "RAY_memory_monitor_refresh_ms": "0",
        "HYPERBATON_CACHE": str(desk / "cache"),
    }
    with (desk / "out").open("wb") as out, (desk / "said").open("wb") as said:
        subprocess.run(
            [sys.executable, "-c", DRIVER, str(os.getpid())],
            env=environment,
            stdout=out,
            stderr=said,
            check=True,
        )
    _until((desk / "driver").exists)
    driver = int((desk / "driver").read_text())
    try:
        _until(lambda: _written(desk / "run") >= 2)
        assert kill_processes_of(driver, victim)
        _until(lambda: not _alive(driver))
    finally:
        for pid in [driver, *processes_of(driver)]:
            if _alive(pid):
                os.kill(pid, signal.SIGKILL)
    told = (desk / "sentence").read_text()
    assert told.startswith(sentence)
    assert told.endswith(AGAIN)
    assert (desk / "out").read_text() == "", "Ray says nothing where results are printed"
    there = parts(desk / "run")
    assert there.items() < whole.items()
    (desk / "slow").unlink()
    assert execute(_job(desk), desk / "run").complete
    assert parts(desk / "run") == whole


def test_a_full_object_store_is_one_sentence() -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    with (
        pytest.raises(HyperbatonError) as caught,
        cluster.told_in_a_sentence(ray),
    ):
        raise ray.exceptions.ObjectStoreFullError("Failed to put object in the object store")
    told = str(caught.value)
    assert told.startswith("Ray stopped the run (ObjectStoreFullError: Failed to put object ")
    assert told.endswith(AGAIN)
    assert "\n" not in told
