"""A cluster of two nodes on this machine loses one in the middle of a study.

    python -m benchmarks.node_lost --items 100000

Two `ray start` make the cluster. The word-order study runs on it (a million probes or so at 100,000
items; one metric, no control systems); when a third of its outputs are there, every process of the
second node is killed. At the end each part must have the same bytes as a run by the local engine.
Ends with a traceback where that does not hold.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.made_up import MadeUp
from benchmarks.scale import PAIR, SYSTEM
from hyperbaton.pipeline import Job, RunOptions, execute
from hyperbaton.pipeline.options import Engine, Local, Ray
from hyperbaton.studies.wordorder import WordOrder

PORT = 6399
LONGEST = 180
"""Seconds that a node has to start."""


def main() -> None:
    """Both runs, then the comparison."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=1, help="of each node (default: 1)")
    args = parser.parse_args()
    # Whoever stops this script stops the nodes with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.environ["PYTHONPATH"] = os.pathsep.join([str(Path(__file__).parents[1]), *sys.path])
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # A cluster that nobody else can use, with a token of its own.
        (folder / "token").write_text(secrets.token_hex(32))
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ["RAY_AUTH_TOKEN_PATH"] = str(folder / "token")

        def job(engine: Engine) -> Job:
            cache = folder / f"cache of {engine.name}"
            corpora = (MadeUp(PAIR, args.items),)
            return Job(
                WordOrder(),
                corpora,
                (SYSTEM,),
                ("BLEU",),
                options=RunOptions(poles=False, cache=cache, engine=engine),
            )

        began = time.monotonic()
        local = execute(job(Local()), folder / "local")
        print(f"local: {time.monotonic() - began:.1f} s", flush=True)
        head = ["--head", f"--port={PORT}", "--include-dashboard=false"]
        nodes = [start(head, args.cores)]
        try:
            reach(1)
            nodes.append(start([f"--address=127.0.0.1:{PORT}"], args.cores))
            reach(2)
            parts = local.record.progress[str(PAIR)].parts
            lost: list[int] = []
            thread = threading.Thread(
                target=lose, args=(nodes[1], folder / "ray", parts // 3, lost), daemon=True
            )
            thread.start()
            began = time.monotonic()
            run = execute(job(Ray(f"127.0.0.1:{PORT}")), folder / "ray")
            took = time.monotonic() - began
            print(f"ray, with a node lost at part {lost} of {parts}: {took:.1f} s")
        finally:
            for node in nodes:
                kill(node)
        assert run.complete
        assert lost
        one, other = (set(relative(folder / name)) for name in ("local", "ray"))
        assert one == other
        for path in one:
            assert (folder / "local" / path).read_bytes() == (folder / "ray" / path).read_bytes()
        print(f"{len(one):,} parts, all with the same bytes")


def start(arguments: list[str], cores: int) -> subprocess.Popen[bytes]:
    """A node whose processes stay in one group of their own."""
    command = ["ray", "start", *arguments, f"--num-cpus={cores}", "--block"]
    command += ["--object-store-memory=100000000", "--disable-usage-stats"]
    command += ["--node-ip-address=127.0.0.1"]
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def reach(nodes: int) -> None:
    """Wait until the cluster has so many nodes; this process stays in it."""
    import ray

    for _ in range(LONGEST):
        time.sleep(1)
        if not ray.is_initialized():
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
                ray.init(f"127.0.0.1:{PORT}", log_to_driver=False, logging_level=logging.ERROR)
        elif sum(node["Alive"] for node in ray.nodes()) == nodes:
            return
    raise SystemExit(f"no cluster of {nodes} nodes after {LONGEST} seconds")


def lose(node: subprocess.Popen[bytes], run: Path, parts: int, lost: list[int]) -> None:
    """Kill a node once so many parts of outputs are there."""
    while len(there := list(run.glob("outputs/python*/**/part-*.parquet"))) < parts:
        time.sleep(0.1)
    lost.append(len(there))
    kill(node)


def kill(node: subprocess.Popen[bytes]) -> None:
    """Kill every process of a node."""
    if node.poll() is None:
        os.killpg(node.pid, signal.SIGKILL)
        node.wait()


def relative(folder: Path) -> list[Path]:
    """The parts of a run."""
    return [path.relative_to(folder) for path in folder.rglob("*.parquet")]


if __name__ == "__main__":
    main()
