"""`hyperbaton train steering`: rows that teach a translator to repair word order or to keep it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.files import atomic_write, write_text
from hyperbaton.base.options import positive, share
from hyperbaton.base.progress import track
from hyperbaton.base.wording import counted
from hyperbaton.cli.terminal.streams import say_lines
from hyperbaton.language.languages import parse_pair

if TYPE_CHECKING:
    from hyperbaton.alignment.aligner import Aligner, Links
    from hyperbaton.train.steering import Steering

EPILOG = """\
examples:
  hyperbaton train steering --pair en-de pairs.tsv --out steering
  hyperbaton train translator --preset toy --pair en-de pairs.tsv \\
      --steer robust en-de steering/en-de.robust.tsv \\
      --steer faithful en-de steering/en-de.faithful.tsv --out models/steered

Words are linked once for each pair and kept in OUT/en-de.links, so that a second call goes on from
there. Sentences that training holds out are left out here too.
"""


def add_job(jobs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The job among those of `hyperbaton train`."""
    parser = jobs.add_parser(
        "steering",
        help="make training text for a translator with the modes robust and faithful",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--pair",
        action="append",
        nargs=2,
        default=[],
        metavar=("PAIR", "FILE"),
        required=True,
        help="text for both directions (repeat for more)",
    )
    parser.add_argument("--tags", default="", help="keep rows whose third column is one of these")
    parser.add_argument(
        "--held-out", type=share, default=0.002, help="share kept for validation (default: 0.002)"
    )
    parser.add_argument(
        "--with",
        dest="orders",
        action="append",
        default=[],
        metavar="ORDER",
        help="draw from these word orders, not from the eight that need no parser (repeat)",
    )
    parser.add_argument(
        "--draws", type=positive, default=2, help="orders of each sentence (default: 2)"
    )
    parser.add_argument(
        "--sound",
        type=share,
        default=0.6,
        help="share of the sentences also shown as they are (default: 0.6)",
    )
    parser.add_argument("--align", default="fast_align", help="what links words")
    parser.add_argument("--seed", type=int, default=0, help="seed of the draws (default: 0)")
    parser.add_argument("--out", type=Path, required=True, help="folder to write")


def run(args: argparse.Namespace) -> int:
    """Link the words of each pair, then write the rows of both directions."""
    from hyperbaton.alignment.aligner import ALIGNERS
    from hyperbaton.perturb.perturbation import PERTURBATIONS, Reordering
    from hyperbaton.train.bitext import read_pairs, split
    from hyperbaton.train.steering import Steering

    for text in args.orders:
        order = PERTURBATIONS.parse(text)
        if not isinstance(order, Reordering) or order.unit != "word":
            raise HyperbatonError(f"--with {text}: steering needs an order of words")
    steering = Steering(draws=args.draws, sound=args.sound, seed=args.seed)
    if args.orders:
        steering = replace(steering, orders=tuple(args.orders))
    aligner = ALIGNERS.parse(args.align)
    tags = {tag for tag in args.tags.split(",") if tag}
    for text, path in args.pair:
        languages = parse_pair(text)
        pairs, _ = split(read_pairs(Path(path), tags, languages), args.held_out, anchor=0)
        links = _links(pairs, languages, aligner, args.out / f"{text}.links")
        _write(steering, pairs, links, languages, args.out)
        turned = [(two, one) for one, two in pairs]
        back: list[Links] = [tuple(sorted((j, i) for i, j in found)) for found in links]
        _write(steering, turned, back, (languages[1], languages[0]), args.out)
    return 0


def _links(
    pairs: Sequence[tuple[str, str]], languages: tuple[str, str], aligner: Aligner, path: Path
) -> list[Links]:
    """The links of each pair: those of the file where it was made of the same pairs."""
    from hyperbaton.alignment.pharaoh import read_pharaoh, write_pharaoh
    from hyperbaton.train.steering import sentence

    digest = blake2b(digest_size=16)
    for pair in pairs:
        digest.update("\t".join(pair).encode() + b"\n")
    made_of = f"{aligner}\n{digest.hexdigest()}\n"
    record = path.with_name(f"{path.name}.made-of")
    if path.is_file() and record.is_file() and record.read_text() == made_of:
        links = read_pharaoh(path)
        if len(links) == len(pairs):
            return links
    say_lines(f"linking the words of {counted(len(pairs), 'pair')}, {'-'.join(languages)}")
    words = [
        (sentence(one, languages[0]).words, sentence(two, languages[1]).words) for one, two in pairs
    ]
    links = aligner.align(words, *languages)
    write_pharaoh(path, links)
    write_text(record, made_of)
    return links


def _write(
    steering: Steering,
    pairs: Sequence[tuple[str, str]],
    links: Sequence[Links],
    languages: tuple[str, str],
    out: Path,
) -> None:
    """A file of each mode, written whole or not at all."""
    name = "-".join(languages)
    counts = {"robust": 0, "faithful": 0}
    with ExitStack() as stack:
        files = {
            mode: stack.enter_context(atomic_write(out / f"{name}.{mode}.tsv")) for mode in counts
        }
        shown = track(pairs, f"writing {name}", len(pairs))
        for row in steering.rows(shown, links, languages):
            files[row.mode].write(f"{row.source}\t{row.target}\n".encode())
            counts[row.mode] += 1
    for mode, count in counts.items():
        say_lines(f"{out / f'{name}.{mode}.tsv'}: {counted(count, 'row')}")
