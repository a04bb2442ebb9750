"""Tasks that show what an encoder knows of a perturbed text; adding one is one file."""

from __future__ import annotations

from hyperbaton.tasks.task import TASKS, Examples, Judged, Retrieval, Task, as_in_paper

__all__ = ["TASKS", "Examples", "Judged", "Retrieval", "Task", "as_in_paper"]
