"""Train a paraphrase detector: labelled pairs in, the best checkpoint of the validation out."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_text
from hyperbaton.detectors.scoring import Quality, quality
from hyperbaton.encoders.tuning.classifier import Row
from hyperbaton.encoders.tuning.pretrained import Pretrained, with_new_head
from hyperbaton.encoders.tuning.training import take_step
from hyperbaton.hub import Source
from hyperbaton.train.detector.data import Data, DetectorRecipe

LABELS = {0: "different", 1: "paraphrase"}


@dataclass(frozen=True)
class Example:
    """A labelled pair and its language."""

    first: str
    second: str
    label: int
    language: str


def load_pretrained(source: Source, recipe: DetectorRecipe, device: torch.device) -> Pretrained:
    """A pretrained encoder with a fresh head; the seed decides how the head begins."""
    torch.manual_seed(recipe.seed)
    numbers = {name: number for number, name in LABELS.items()}
    with warnings.catch_warnings():
        # That the head is new is what is wanted here.
        warnings.simplefilter("ignore")
        return with_new_head(
            source, len(LABELS), recipe.max_tokens, id2label=LABELS, label2id=numbers
        ).to(device)


@dataclass(frozen=True)
class Outcome:
    """Which epoch was best, and how good the detector is in each language."""

    epoch: int
    accuracy: float
    languages: Mapping[str, Quality]


def examples_of(data: Data) -> list[Example]:
    """The pairs of all languages in one list."""
    return [
        Example(pair.first, pair.second, pair.label, language)
        for language, pairs in data.items()
        for pair in pairs
    ]


def train_detector(
    classifier: Pretrained,
    train: Data,
    validation: Data,
    recipe: DetectorRecipe,
    out: Path,
    report: Callable[[str], None] = print,
) -> Outcome:
    """AdamW, linear decay without warm-up; what validates best (accuracy) is what is kept."""
    rows, watched = examples_of(train), examples_of(validation)
    if not rows or not watched:
        raise HyperbatonError(
            "there are no labelled pairs to train on or none to validate on: give more with --data"
        )
    optimizer = torch.optim.AdamW(
        [p for p in classifier.parameters() if p.requires_grad],
        lr=recipe.learning_rate,
        betas=recipe.betas,
        weight_decay=recipe.weight_decay,
    )
    # The last group of an epoch may be smaller, and is a step all the same.
    per_epoch = -(-len(rows) // (recipe.batch * recipe.accumulate))
    total = per_epoch * recipe.epochs
    best: Outcome | None = None
    step = 0
    for epoch in range(1, recipe.epochs + 1):
        classifier.train()
        losses = []
        for group in _groups(rows, recipe, epoch):
            batches = [_read(classifier, batch) for batch in group]
            rate = recipe.learning_rate * (1 - step / total)
            seed, half = recipe.seed * 1_000_003 + step, recipe.precision == "bf16"
            losses.append(take_step(classifier, batches, optimizer, rate, seed, recipe.clip, half))
            step += 1
        found = _validate(classifier, watched, recipe, epoch)
        mark = ""
        if best is None or found.accuracy > best.accuracy:
            best, mark = found, ", the best so far"
            classifier.save(out)
            _write(out, recipe, found)
        report(
            f"epoch {epoch}: loss {np.mean(losses):.4f}, validation accuracy "
            f"{found.accuracy:.4f}{mark}"
        )
    if best is None:
        raise HyperbatonError("no epoch was trained")
    return best


def _groups(
    rows: Sequence[Example], recipe: DetectorRecipe, epoch: int
) -> Iterator[list[list[Example]]]:
    """The batches of each step of an epoch, drawn by seed and epoch alone."""
    order = np.random.default_rng((recipe.seed, epoch)).permutation(len(rows))
    size = recipe.batch * recipe.accumulate
    for start in range(0, len(order), size):
        chosen = [rows[i] for i in order[start : start + size]]
        yield [chosen[i : i + recipe.batch] for i in range(0, len(chosen), recipe.batch)]


def _read(
    classifier: Pretrained, examples: Sequence[Example]
) -> tuple[Sequence[Row], Sequence[int]]:
    """Both sentences in one row, cut at the limit; and the labels."""
    rows = classifier.read([(example.first, example.second) for example in examples])
    return rows, [example.label for example in examples]


def _validate(
    classifier: Pretrained, watched: Sequence[Example], recipe: DetectorRecipe, epoch: int
) -> Outcome:
    classifier.eval()
    chances = []
    with torch.inference_mode():
        for start in range(0, len(watched), recipe.batch):
            rows, _ = _read(classifier, watched[start : start + recipe.batch])
            chances.append(classifier.logits(rows).float().softmax(dim=1)[:, 1].cpu().numpy())
    found = np.concatenate(chances)
    labels = np.array([example.label for example in watched])
    languages = np.array([example.language for example in watched])
    return Outcome(
        epoch,
        quality(found, labels).accuracy,
        {
            str(name): quality(found[languages == name], labels[languages == name])
            for name in dict.fromkeys(languages.tolist())
        },
    )


def _write(out: Path, recipe: DetectorRecipe, outcome: Outcome) -> None:
    write_text(out / "recipe.json", recipe.to_json())
    write_text(out / "validation.json", json.dumps(asdict(outcome), indent=2))
