"""Train a translator: text in, a folder in the hub's format out."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
from transformers import MarianMTModel

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import write_bytes, write_text
from hyperbaton.base.wording import counted
from hyperbaton.train import checkpoint
from hyperbaton.train.batches import encode_directions
from hyperbaton.train.bitext import Direction, joined
from hyperbaton.train.checkpoint import alone
from hyperbaton.train.loop import train
from hyperbaton.train.model import begin_with, build_model, export_model
from hyperbaton.train.recipe import Recipe
from hyperbaton.train.vocabulary import Vocabulary, train_vocabulary


def train_translator(
    directions: Sequence[Direction],
    held_out: Sequence[Direction],
    recipe: Recipe,
    out: Path,
    device: torch.device,
    vocabulary: Vocabulary | None = None,
    half: bool = False,
    report: Callable[[str], None] = print,
    start: Path | None = None,
) -> Path:
    """Vocabulary, training and export; called again after a kill it resumes.

    `start` is a translator's folder whose weights training begins with.
    """
    with alone(out):
        _claim(out, recipe)
        words = _vocabulary(directions, recipe, out, vocabulary, report)
        directions = [joined(d, recipe.joined, recipe.seed) for d in directions]
        data = encode_directions(directions, words, recipe.max_length, device)
        watched = encode_directions(held_out, words, recipe.max_length, device)
        report(
            f"{counted(len(data), 'row')} in {counted(len(directions), 'direction')}, "
            f"{len(watched):,} held out"
        )
        model = build_model(recipe, len(words))
        if start is not None:
            begin_with(model, start)
            report(f"beginning with the weights of {start}")
        torch.nn.Module.to(model, device)
        report(f"{sum(p.numel() for p in model.parameters()) / 1e6:.1f} M parameters")
        outcome = train(model, data, watched, recipe, out / "checkpoints", report)
        _take_weights(model, out / "checkpoints", recipe, outcome.best_step)
        export_model(model, words, recipe, out / "model", half)
        report(f"wrote {out / 'model'}")
        return out / "model"


def _take_weights(model: MarianMTModel, states: Path, recipe: Recipe, best: int) -> None:
    """Give a model the mean of its last checkpoints, or the best one."""
    saved = checkpoint.steps_saved(states)
    chosen = saved[-recipe.average :] if recipe.average > 1 else [best]
    weights = checkpoint.average(states, [step for step in chosen if step in saved] or saved[-1:])
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(weights[name])


def _claim(out: Path, recipe: Recipe) -> None:
    """A folder belongs to one recipe: resuming under another would be a silent mixture."""
    stored = out / "recipe.json"
    if stored.exists() and stored.read_text() != recipe.to_json():
        raise HyperbatonError(
            f"{out} holds a training run of another recipe: choose another --out, or delete it"
        )
    write_text(stored, recipe.to_json())


def _vocabulary(
    directions: Sequence[Direction],
    recipe: Recipe,
    out: Path,
    given: Vocabulary | None,
    report: Callable[[str], None],
) -> Vocabulary:
    modes = sorted({direction.mode for direction in directions if direction.mode})
    path = out / "vocabulary.spm"
    if given is not None:
        return given.with_modes(modes)
    if not path.exists():
        report("learning the vocabulary")
        write_bytes(path, learn_vocabulary(directions, recipe).model)
    return Vocabulary.load(path).with_modes(modes)


def learn_vocabulary(directions: Sequence[Direction], recipe: Recipe) -> Vocabulary:
    """The vocabulary of both sides of all directions, with a token for every target language."""
    languages = sorted({direction.target for direction in directions})
    texts = _sample(directions, recipe.vocabulary_lines, recipe.seed)
    return train_vocabulary(texts, recipe.vocabulary, languages, recipe.coverage, seed=recipe.seed)


def _sample(directions: Sequence[Direction], most: int, seed: int) -> Iterator[str]:
    """Different texts of every language, at most so many of each."""
    sides: dict[str, dict[str, None]] = {}
    for direction in directions:
        for side, language in enumerate((direction.source, direction.target)):
            sides.setdefault(language, {}).update((pair[side], None) for pair in direction.pairs)
    for language, texts in sides.items():
        generator = random.Random(f"{seed} {language}")
        yield from generator.sample(list(texts), min(most, len(texts)))
