"""`hyperbaton train`: a translator from parallel text, and a teacher's translations for it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperbaton.base.errors import HyperbatonError, installed
from hyperbaton.base.options import share
from hyperbaton.base.wording import counted
from hyperbaton.cli.terminal.streams import say_lines
from hyperbaton.cli.verbs.train import detector, steering
from hyperbaton.language.languages import parse_pair

if TYPE_CHECKING:
    from hyperbaton.train.bitext import Direction
    from hyperbaton.train.recipe import Recipe

DESCRIPTION = """\
Train a translator from parallel text, make text that teaches it to repair word order or to keep
it, have a trained one translate training text, learn a vocabulary, or train a paraphrase
detector."""
EXAMPLES = """\
  hyperbaton train translator --preset toy --pair en-de en-de.tsv --out models/toy
  hyperbaton train translator --preset bundled --pair en-de en-de.tsv.xz \\
      --pair en-fr en-fr.tsv.xz --tags tatoeba-anki,tanaka --set steps=30000 --out models/small
  hyperbaton train vocabulary --pair en-de en-de.tsv.xz --set vocabulary=8000 --out joint.spm
  hyperbaton train distil --teacher models/larger/model --pair en-de en-de.tsv.xz --out distilled
  hyperbaton train translator --preset bundled --pair en-de en-de.tsv.xz \\
      --direction en-de distilled/en-de.tsv --vocabulary models/larger/vocabulary.spm \\
      --out models/small

A --pair file is tab-separated (source, target, and a tag when --tags is given), TMX or XLIFF, and
serves both directions; a --direction file serves one. Run the same command again to resume an
interrupted training.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The jobs and their shared inputs."""
    jobs = parser.add_subparsers(dest="job", required=True, metavar="JOB")
    translator = jobs.add_parser("translator", help="train a translator from scratch")
    _add_text(translator)
    _add_recipe(translator)
    translator.add_argument(
        "--steer",
        action="append",
        nargs=3,
        default=[],
        metavar=("MODE", "PAIR", "FILE"),
        help="text for one direction behind the token of a mode (see train steering)",
    )
    translator.add_argument(
        "--start", type=Path, metavar="FOLDER", help="begin with this translator's weights"
    )
    translator.add_argument(
        "--vocabulary", type=Path, help="use this SentencePiece model, do not learn one"
    )
    translator.add_argument(
        "--half", action="store_true", help="store the weights in half precision"
    )
    vocabulary = jobs.add_parser("vocabulary", help="learn a vocabulary for several translators")
    _add_text(vocabulary)
    _add_recipe(vocabulary)
    distil = jobs.add_parser("distil", help="translate the sources with a trained translator")
    _add_text(distil)
    distil.add_argument("--teacher", type=Path, required=True, help="a trained translator's folder")
    distil.add_argument(
        "--only", action="append", default=[], metavar="PAIR", help="only this direction (repeat)"
    )
    steering.add_job(jobs)
    detector.add_job(jobs)


def _add_recipe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--preset", default="bundled", help="a named recipe (default: bundled)")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="change a number of the recipe (repeat)",
    )


def _add_text(parser: argparse.ArgumentParser) -> None:
    both: dict[str, Any] = {
        "action": "append",
        "nargs": 2,
        "default": [],
        "metavar": ("PAIR", "FILE"),
    }
    parser.add_argument("--pair", help="text for both directions", **both)
    parser.add_argument("--direction", help="text for one direction", **both)
    parser.add_argument("--tags", default="", help="keep rows whose third column is one of these")
    parser.add_argument(
        "--held-out", type=share, default=0.002, help="share kept for validation (default: 0.002)"
    )
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder, or vocabulary file, to write"
    )


def run(args: argparse.Namespace) -> int:
    """Dispatch to the job."""
    if args.job == "detector":
        return detector.run(args)
    if args.job == "steering":
        return steering.run(args)
    # Mistakes are told before torch is loaded, which takes seconds.
    installed("torch", extra="hf")
    installed("transformers", extra="hf")
    if not args.pair and not args.direction:
        raise HyperbatonError("no text to train on: add --pair en-de FILE.tsv")
    jobs = {"translator": _translator, "vocabulary": _vocabulary, "distil": _distil}
    return jobs[args.job](args)


def _read(args: argparse.Namespace) -> tuple[list[Direction], list[Direction]]:
    from hyperbaton.train.bitext import Direction, merge, read_pairs, split

    tags = {tag for tag in args.tags.split(",") if tag}
    train, held_out = [], []
    for text, path in args.pair:
        source, target = parse_pair(text)
        kept, held = split(read_pairs(Path(path), tags, (source, target)), args.held_out, anchor=0)
        train.append(Direction(source, target, kept))
        train.append(Direction(target, source, [(b, a) for a, b in kept]))
        held_out.append(Direction(source, target, held))
        held_out.append(Direction(target, source, [(b, a) for a, b in held]))
    for text, path in args.direction:
        source, target = parse_pair(text)
        train.append(Direction(source, target, read_pairs(Path(path), languages=(source, target))))
    for mode, text, path in getattr(args, "steer", []):
        if mode not in ("robust", "faithful"):
            raise HyperbatonError(f"--steer {mode}: choose robust or faithful")
        source, target = parse_pair(text)
        rows = read_pairs(Path(path), languages=(source, target))
        train.append(Direction(source, target, rows, mode))
    return merge(train), merge(held_out)


def _recipe(args: argparse.Namespace) -> Recipe:
    from hyperbaton.train.recipe import PRESETS, preset, settings_of

    return preset(args.preset, PRESETS).with_options(settings_of(args.set))


def _vocabulary(args: argparse.Namespace) -> int:
    from hyperbaton.base.files import write_bytes

    recipe = _recipe(args)
    train, _ = _read(args)
    from hyperbaton.train.translator import learn_vocabulary

    learnt = learn_vocabulary(train, recipe)
    write_bytes(args.out, learnt.model)
    say_lines(f"{args.out}: {counted(len(learnt), 'piece')}")
    return 0


def _translator(args: argparse.Namespace) -> int:
    recipe = _recipe(args)
    train, held_out = _read(args)
    if not any(direction.pairs for direction in held_out):
        raise HyperbatonError("nothing is held out for validation: raise --held-out")
    from hyperbaton.hub import device_of
    from hyperbaton.train.translator import train_translator
    from hyperbaton.train.vocabulary import Vocabulary

    device = device_of(args.device)
    vocabulary = Vocabulary.load(args.vocabulary) if args.vocabulary else None
    train_translator(
        train, held_out, recipe, args.out, device, vocabulary, args.half, say_lines, args.start
    )
    return 0


def _distil(args: argparse.Namespace) -> int:
    train, _ = _read(args)
    from hyperbaton.hub import device_of
    from hyperbaton.train.distil import Teacher, write_pairs

    only = set(args.only)
    teacher = Teacher(args.teacher, device_of(args.device))
    sources: dict[str, list[str]] = {}
    for direction in train:
        sources.setdefault(direction.source, []).extend(s for s, _ in direction.pairs)
    for direction in train:
        name = f"{direction.source}-{direction.target}"
        path = args.out / f"{name}.tsv"
        if (only and name not in only) or path.exists():
            continue
        texts = list(dict.fromkeys(sources[direction.source]))
        count = write_pairs(path, texts, teacher.translate(texts, direction.target))
        say_lines(f"{path}: {count:,} of {counted(len(texts), 'source')} translated")
    return 0
