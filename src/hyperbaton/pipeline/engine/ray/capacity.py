"""How much a cluster can do at once; it may grow and shrink while a run is under way."""

from __future__ import annotations

import time
from types import ModuleType

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.pipeline.engine.ray.cluster import Pulse
from hyperbaton.pipeline.options import Ray

AGE = 10.0
"""Seconds after which the cluster is asked again."""
PATIENCE = 120.0
"""Seconds without a node that could work, after which the run gives up."""


class Capacity:
    """The processors and GPUs of the nodes that are alive."""

    def __init__(self, ray: ModuleType, engine: Ray, pulse: Pulse) -> None:
        self._ray, self._pulse = ray, pulse
        self._engine = engine
        self._asked = self._moved = time.monotonic()
        self._read()
        self.gpus = engine.gpus if engine.gpus >= 0 else float(self._cards > 0)
        """GPUs of each translator."""
        if self.gpus > self._cards:
            raise HyperbatonError(
                f"--engine {engine}: a translator is to have {self.gpus:g} GPUs, "
                f"and the cluster has {self._cards:g}"
            )

    def _read(self) -> None:
        self._pulse.check()
        self._asked = time.monotonic()
        resources = self._ray.cluster_resources()
        self._cores, self._cards = resources.get("CPU", 0.0), resources.get("GPU", 0.0)
        self._nodes = sum(node["Alive"] for node in self._ray.nodes())

    @property
    def tasks(self) -> int:
        """Tasks to have under way: one on each processor, and the next for it."""
        self._refresh()
        return max(2, 2 * int(self._cores))

    @property
    def translators(self) -> int:
        """Translators to have at once."""
        self._refresh()
        if self.gpus > 0:
            most = int(self._cards / self.gpus)
            return min(self._engine.translators or most, most)
        return self._engine.translators or max(1, self._nodes)

    def changed(self) -> None:
        """Ask again at the next look: a worker was lost, and perhaps its node."""
        self._asked = -AGE

    def _refresh(self) -> None:
        if time.monotonic() - self._asked > AGE:
            self._read()

    def watch(self, moved: bool, waiting: int) -> None:
        """Give up where work waits and no node has been able to do it for a while."""
        able = self._cores >= 1 and self._cards >= self.gpus
        if moved or able:
            self._moved = time.monotonic()
            return
        self._read()
        if time.monotonic() - self._moved > PATIENCE:
            lack = "processor" if self._cores < 1 else "GPU"
            raise HyperbatonError(
                f"the cluster has had no {lack} for {PATIENCE:.0f} seconds, and {waiting} jobs "
                "wait: start nodes with `ray start`, and run the same command again, which "
                "resumes the run"
            )
