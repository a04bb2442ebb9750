"""Loss and gradients of a batch: told kernel by kernel, or replayed as a recorded CUDA graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import torch

from hyperbaton.train.batches import Batch

__all__ = ["Eager", "Recorded", "Step"]

LossOf = Callable[[Batch, torch.Tensor], torch.Tensor]
"""A batch's summed loss times a factor."""


class Step(Protocol):
    """Adds a batch's gradients to the parameters' and returns its loss."""

    def __call__(self, batch: Batch, factor: float) -> torch.Tensor: ...


class Eager:
    """The plain way, for any shape and any device."""

    def __init__(self, loss_of: LossOf, scaler: torch.amp.GradScaler, device: torch.device) -> None:
        self._loss_of, self._scaler, self._device = loss_of, scaler, device

    def __call__(self, batch: Batch, factor: float) -> torch.Tensor:
        loss = self._loss_of(batch, torch.tensor(factor, device=self._device))
        self._scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
        return loss.detach()


@dataclass(frozen=True)
class _Recording:
    graph: torch.cuda.CUDAGraph
    batch: Batch
    factor: torch.Tensor
    loss: torch.Tensor


class Recorded:
    """One CUDA graph per shape, recorded when the shape is first seen; all share their memory.

    Everything must run on one stream from the start: make this before the first training step.
    """

    def __init__(self, loss_of: LossOf, parameters: list[torch.nn.Parameter]) -> None:
        self._loss_of = loss_of
        self._known: dict[tuple[torch.Size, torch.Size], _Recording] = {}
        self._stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        self._pool = torch.cuda.graph_pool_handle()
        torch.cuda.set_stream(self._stream)
        # Graphs write to fixed places, the gradients among them.
        for parameter in parameters:
            if parameter.requires_grad:
                parameter.grad = torch.zeros_like(parameter)

    def __call__(self, batch: Batch, factor: float) -> torch.Tensor:
        shape = (batch.input_ids.shape, batch.labels.shape)
        if shape not in self._known:
            self._known[shape] = self._record(batch)
        known = self._known[shape]
        for kept, new in zip(known.batch.tensors, batch.tensors, strict=True):
            kept.copy_(new)
        known.factor.fill_(factor)
        known.graph.replay()
        return known.loss.clone()

    def _record(self, batch: Batch) -> _Recording:
        random = torch.cuda.get_rng_state()
        kept = Batch(*(tensor.clone() for tensor in batch.tensors))
        # A factor of 0 leaves the gradients as they are while the kernels warm up.
        factor = torch.zeros((), device=batch.labels.device)
        self._loss_of(kept, factor).backward()  # type: ignore[no-untyped-call]
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, pool=self._pool, stream=self._stream):
            loss = self._loss_of(kept, factor)
            loss.backward()  # type: ignore[no-untyped-call]
        # The random numbers of a step must not depend on what was recorded in it.
        torch.cuda.set_rng_state(random)
        return _Recording(graph, kept, factor, loss.detach())
