"""A run on a Ray cluster: workers write the parts, the driver only says what is next."""

from __future__ import annotations

from hyperbaton.pipeline.engine.ray.cells import execute_cells_on_ray
from hyperbaton.pipeline.engine.ray.driver import execute_on_ray

__all__ = ["execute_cells_on_ray", "execute_on_ray"]
