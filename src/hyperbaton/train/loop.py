"""The training loop: deterministic steps, checkpoints, a stop on NaN, exact resume."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

import torch
from transformers import MarianMTModel

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.train import checkpoint
from hyperbaton.train.batches import IGNORED, Batch, Bitext, Ints
from hyperbaton.train.checkpoint import cut_log
from hyperbaton.train.recipe import Recipe
from hyperbaton.train.validate import Validation, validate


@dataclass(frozen=True)
class Outcome:
    """How training ended: the steps done, and the checkpoint with the lowest validation loss."""

    steps: int
    best_step: int
    best_loss: float


def _batches(data: Bitext, recipe: Recipe, first: int) -> Iterator[list[Ints]]:
    """The batches of each step from `first` on; epochs are counted, not remembered."""
    step, epoch = 0, 0
    waiting: list[Ints] = []
    while True:
        for rows in data.epoch(recipe.seed, epoch, recipe.batch_tokens, recipe.temperature):
            waiting.append(rows)
            if len(waiting) == recipe.accumulate:
                if step >= first:
                    yield waiting
                waiting = []
                step += 1
        epoch += 1


def _loss(model: MarianMTModel, batch: Batch, recipe: Recipe) -> torch.Tensor:
    with _precision(recipe, batch.labels.device):
        # The bias that Marian adds to the logits stays zero here: it is not a parameter.
        states = model.model(
            input_ids=batch.input_ids,
            attention_mask=batch.attention_mask,
            decoder_input_ids=batch.decoder_input_ids,
            use_cache=False,
        ).last_hidden_state
        logits = model.lm_head(states).flatten(0, 1)
    return torch.nn.functional.cross_entropy(
        logits.float(),
        batch.labels.flatten(),
        ignore_index=IGNORED,
        label_smoothing=recipe.label_smoothing,
        reduction="sum",
    )


def train(
    model: MarianMTModel,
    data: Bitext,
    held_out: Bitext,
    recipe: Recipe,
    folder: Path,
    report: Callable[[str], None] = print,
) -> Outcome:
    """Train to the recipe's last step, resuming from the folder's last checkpoint."""
    device = next(model.parameters()).device
    optimizer = torch.optim.Adam(
        model.parameters(),
        lr=recipe.learning_rate,
        betas=recipe.betas,
        eps=1e-9,
        weight_decay=recipe.weight_decay,
        fused=device.type == "cuda",
    )
    best_step, best_loss = 0, math.inf
    first = checkpoint.latest(folder) or 0
    if first:
        notes = checkpoint.load_state(folder, first, model, optimizer)
        best_step, best_loss = int(str(notes["best_step"])), float(str(notes["best_loss"]))
        report(f"resuming from step {first}")
    if first >= recipe.steps and not recipe.minutes:
        return Outcome(first, best_step, best_loss)
    scaler = torch.amp.GradScaler(device.type, enabled=recipe.precision == "fp16")
    model.train()
    began, seen, shown = time.monotonic(), 0, 0.0
    cut_log(folder.parent / "log.jsonl", first)
    with (folder.parent / "log.jsonl").open("a", encoding="utf-8") as log:
        for step, parts in enumerate(_batches(data, recipe, first), start=first):
            # Dropout of a step depends on its number alone, so a resumed run repeats it.
            torch.manual_seed(recipe.seed * 1_000_003 + step)
            done = (time.monotonic() - began) / (60 * recipe.minutes) if recipe.minutes else None
            rate = learning_rate(step + 1, recipe, done)
            for group in optimizer.param_groups:
                group["lr"] = rate
            spoken = sum(map(data.spoken, parts))
            total = torch.zeros((), device=device)
            for rows in parts:
                loss = _loss(model, data.batch(rows), recipe) / spoken
                scaler.scale(loss).backward()  # type: ignore[no-untyped-call]
                total += loss.detach()
            seen += spoken
            scaler.unscale_(optimizer)
            limit = recipe.clip or math.inf
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), limit)
            last = step + 1 >= recipe.steps if done is None else done >= 1
            looks = last or (step + 1) % recipe.validate_every == 0
            saves = last or (step + 1) % recipe.save_every == 0
            if step % 50 == 0 or looks or saves:
                _stop_on_nan(total, norm, step, folder, recipe)
            scaler.step(optimizer)
            scaler.update()
            optimizer.zero_grad()
            if looks:
                found = validate(model, held_out, recipe.batch_tokens, recipe.max_length, 500)
                model.train()
                if found.loss < best_loss:
                    best_step, best_loss = step + 1, found.loss
                _note(log, step + 1, float(total), rate, found)
            if saves:
                notes = {"best_step": best_step, "best_loss": best_loss}
                weights = dict(model.named_parameters())
                checkpoint.save_state(folder, step + 1, weights, optimizer, notes)
                saved = checkpoint.steps_saved(folder)
                checkpoint.prune(folder, [*saved[-recipe.average :], best_step])
            now = time.monotonic()
            if looks or now - shown > 10:
                shown = now
                left = (now - began) / (step + 1 - first) * (recipe.steps - step - 1)
                left = 60 * recipe.minutes - (now - began) if recipe.minutes else left
                line = f"step {step + 1} loss {float(total):.3f} lr {rate:.2e}"
                line += f" {seen / (now - began):,.0f} tokens/s, {left / 60:.1f} min left"
                if looks:
                    line += f"; held out: loss {found.loss:.3f} BLEU {found.bleu:.1f}"
                report(line)
            if last:
                break
    return Outcome(checkpoint.latest(folder) or first, best_step, best_loss)


def _precision(recipe: Recipe, device: torch.device) -> torch.autocast | nullcontext[None]:
    if recipe.precision == "fp32":
        return nullcontext()
    kind = torch.bfloat16 if recipe.precision == "bf16" else torch.float16
    return torch.autocast(device.type, dtype=kind)


def _stop_on_nan(
    loss: torch.Tensor, norm: torch.Tensor, step: int, folder: Path, recipe: Recipe
) -> None:
    # In half precision an overflowing gradient is normal: the scaler skips that step.
    if math.isfinite(float(loss)) and (math.isfinite(float(norm)) or recipe.precision == "fp16"):
        return
    good = checkpoint.latest(folder)
    kept = f"the checkpoint of step {good} is kept" if good else "there is no checkpoint yet"
    raise HyperbatonError(
        f"training diverged at step {step + 1}: the loss is {float(loss)} and the gradient norm "
        f"{float(norm)}; {kept} in {folder}. Lower the learning rate (now {recipe.learning_rate}) "
        "or lengthen the warm-up, and start again"
    )


def _note(log: IO[str], step: int, loss: float, rate: float, found: Validation) -> None:
    row = {"step": step, "train_loss": loss, "learning_rate": rate, **asdict(found)}
    log.write(json.dumps(row) + "\n")
    log.flush()


def learning_rate(step: int, recipe: Recipe, done: float | None = None) -> float:
    """Linear warm-up, then the inverse square root of the step or half a cosine.

    `done` is the share of the run that is over; without it, the share of the steps.

    >>> ott = Recipe(warmup=4000, schedule="inverse-sqrt", learning_rate=1e-3)
    >>> learning_rate(0, ott), learning_rate(4000, ott), learning_rate(16000, ott)
    (1e-07, 0.001, 0.0005)
    """
    peak, low = recipe.learning_rate, recipe.warmup_from
    if step < recipe.warmup:
        return low + (peak - low) * step / recipe.warmup
    if recipe.schedule == "inverse-sqrt":
        return peak * math.sqrt(max(recipe.warmup, 1) / max(step, 1))
    if done is None:
        done = (step - recipe.warmup) / max(recipe.steps - recipe.warmup, 1)
    share = 0.5 * (1 + math.cos(math.pi * min(done, 1.0)))
    return recipe.final_learning_rate + (peak - recipe.final_learning_rate) * share
