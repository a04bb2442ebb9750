"""What docs/scale.md promises beside what other tests check: sizes, limits, and what is refused."""

from __future__ import annotations

import errno
import os
import platform
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.corpus.item import Item
from hyperbaton.pipeline import Job, Pair, execute
from hyperbaton.pipeline.engine.execution import Pool
from hyperbaton.pipeline.engine.ray import capacity, workers
from hyperbaton.pipeline.engine.ray import cluster as joining
from hyperbaton.pipeline.engine.ray.capacity import Capacity
from hyperbaton.pipeline.engine.stages import AHEAD, Key, Lane, Stage, Task, Worker
from hyperbaton.pipeline.options import Ray, RunOptions, parse_engine
from hyperbaton.pipeline.stages.probing import Parsers, _own, ensure_probes
from tests.pipeline.mortal import Mortal, deaths, perhaps_die
from tests.pipeline.small import STUDY, corpus, job, on_desk, parts


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    on_desk(tmp_path, monkeypatch)
    return tmp_path


def test_a_part_has_256_sentences() -> None:
    assert Job(STUDY, (corpus(),), ("copy",)).options.part == 256


def test_a_worker_that_is_killed_on_this_machine_is_one_sentence_and_the_run_resumes(
    desk: Path,
) -> None:
    study = Mortal(perturbations="reversed")
    execute(job(desk, design=study, cached=False), desk / "whole")
    deaths("probing", 1)
    with pytest.raises(HyperbatonError) as caught:
        execute(job(desk, design=study, workers=1), desk / "run")
    assert str(caught.value) == (
        "a worker process was killed, often because memory ran out: "
        "run the same command again with fewer --workers, which resumes the run"
    )
    assert execute(job(desk, design=study), desk / "run").complete
    assert parts(desk / "run") == parts(desk / "whole")


def test_a_worker_that_was_killed_before_it_is_asked_again_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    deaths("working", 1)
    stage = Stage("work", lambda _: [], lambda _: None)
    task = Task(stage, Key(Pair("en", "de"), 0), (perhaps_die, ("working",)))
    with closing(Pool(1, lambda: None)) as pool:
        for _ in range(2):
            pool.submit(task)
            with pytest.raises(HyperbatonError, match="a worker process was killed"):
                pool.finished(block=True)


class _Beating:
    """A Ray that lives."""

    def check(self) -> None:
        pass


def _cluster(*nodes: dict[str, int]) -> ModuleType:
    """What Ray says of a cluster whose nodes have so many processors and GPUs."""
    ray: Any = ModuleType("ray")
    ray.nodes = lambda: [{"Alive": True} for _ in nodes]
    ray.cluster_resources = lambda: {
        kind: sum(node.get(kind, 0) for node in nodes) for kind in ("CPU", "GPU")
    }
    made: ModuleType = ray
    return made


@pytest.mark.parametrize(
    ("engine", "nodes", "tasks", "translators"),
    [
        ("ray", [{"CPU": 4}, {"CPU": 8}], 24, 2),
        ("ray", [{"CPU": 4, "GPU": 2}, {"CPU": 8, "GPU": 1}], 24, 3),
        ("ray(gpus=0.5)", [{"CPU": 4, "GPU": 2}], 8, 4),
        ("ray(translators=4)", [{"CPU": 4}], 8, 4),
        ("ray(translators=1)", [{"CPU": 4, "GPU": 2}], 8, 1),
    ],
)
def test_two_tasks_for_each_processor_and_a_translator_for_each_gpu_or_node(
    engine: str, nodes: list[dict[str, int]], tasks: int, translators: int
) -> None:
    asked = parse_engine(engine)
    assert isinstance(asked, Ray)
    found = Capacity(_cluster(*nodes), asked, _Beating())  # type: ignore[arg-type]
    assert (found.tasks, found.translators) == (tasks, translators)
    assert AHEAD == 2, "and two parts for each translator"


def test_nodes_may_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    ray: Any = _cluster({"CPU": 4})
    found = Capacity(ray, Ray(), _Beating())  # type: ignore[arg-type]
    for nodes, tasks in (([{"CPU": 4}, {"CPU": 2}], 12), ([{"CPU": 1}], 2)):
        now: Any = _cluster(*nodes)
        ray.nodes, ray.cluster_resources = now.nodes, now.cluster_resources
        found.changed()
        assert (found.tasks, found.translators) == (tasks, len(nodes))


def test_more_gpus_than_there_are_is_one_sentence() -> None:
    with pytest.raises(HyperbatonError, match="is to have 2 GPUs, and the cluster has 1"):
        Capacity(_cluster({"CPU": 1, "GPU": 1}), Ray(gpus=2), _Beating())  # type: ignore[arg-type]


def test_a_cluster_without_a_processor_for_two_minutes_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    found = Capacity(_cluster({"CPU": 0}), Ray(), _Beating())  # type: ignore[arg-type]
    assert capacity.PATIENCE == 120
    now[0] = 119
    found.watch(False, waiting=3)
    now[0] = 121
    with pytest.raises(HyperbatonError) as caught:
        found.watch(False, waiting=3)
    assert str(caught.value) == (
        "the cluster has had no processor for 120 seconds, and 3 jobs wait: start nodes with "
        "`ray start`, and run the same command again, which resumes the run"
    )


def test_a_system_that_is_tuned_first_is_opened_once() -> None:
    lane = Lane("tuned", 3, most=1)
    keys = [Key(Pair("en", "de"), part, "tuned") for part in range(3)]
    lane.ready.extend(keys)
    assert lane.needy
    lane.crew.append(Worker(None, lane, "a", signed=True))
    lane.crew[0].hand.extend(keys[:2])
    assert [replace(lane, most=most).needy for most in (1, 2, None)] == [False, True, True]


def test_a_node_with_another_parser_is_refused(tmp_path: Path) -> None:
    (item,) = list(corpus(1).items())
    with pytest.raises(HyperbatonError, match="install the same versions on every node"):
        ensure_probes(
            tmp_path / "part",
            "x",
            STUDY,
            [item],
            Pair.parse("en-de"),
            Parsers(),
            {"en-de source": "another 1.0", "en-de target": "another 1.0"},
            platform.node(),
        )


@pytest.mark.parametrize("here", [True, False])
def test_parses_are_stored_on_the_head_node_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: bool
) -> None:
    pytest.importorskip("spacy")  # what the plain tokenizer cuts is not stored
    monkeypatch.setenv("HYPERBATON_CACHE", str(tmp_path / "cache"))
    _own.cache_clear()
    item = Item("1", "The dog sleeps.", "Der Hund schläft.")
    parse, texts = Parsers({"de": "plain"}), {"source": "en", "target": "de"}
    signatures = {
        f"en-de {side}": replace(parse, cached=False).signature("", item, language)
        for side, language in texts.items()
    }
    home = platform.node() if here else "the head"
    pair, study = Pair.parse("en-de"), Mortal(perturbations="reversed")
    ensure_probes(tmp_path / "part", "x", study, [item], pair, parse, signatures, home)
    _own.cache_clear()
    assert (tmp_path / "part").exists()
    assert (tmp_path / "cache").exists() == here


@pytest.fixture
def _back_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker goes to the folder of the command and is a helper: neither outlasts a test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hyperbaton.pipeline.run.parts._is_helper", False)


@pytest.mark.usefixtures("_back_again")
def test_a_full_disk_on_a_node_is_one_sentence(tmp_path: Path) -> None:
    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "part-00000.parquet")

    receipt = workers.work(workers.Site(str(tmp_path), RunOptions()), full)
    assert receipt.refusal == (
        "part-00000.parquet: No space left on device; fix that and run the same command again, "
        "which resumes the run"
    )
    assert not receipt.spent


@pytest.mark.usefixtures("_back_again")
def test_memory_is_that_of_one_worker_on_a_cluster(tmp_path: Path) -> None:
    receipt = workers.work(workers.Site(str(tmp_path), RunOptions(max_memory=1)), lambda: None)
    assert receipt.spent
    assert receipt.refusal is not None
    assert receipt.refusal.startswith("--max-memory 1e-09G is reached")


def test_nothing_is_reported_to_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="Ray is not installed")
    monkeypatch.delenv("RAY_USAGE_STATS_ENABLED", raising=False)
    monkeypatch.delenv("RAY_RAYLET_PID", raising=False)
    joining._imported()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
    assert "RAY_RAYLET_PID" not in os.environ, "it is for this process alone"
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    joining._imported()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "1", "unless somebody asks for it"
