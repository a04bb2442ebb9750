"""Lines a second: the backends `ct2:` and `hf:` against loops written by hand, same weights.

    python benchmarks/systems.py                              a random Marian model, made-up lines
    python benchmarks/systems.py --ct2 DIR --hf DIR FILE      one model in both formats, real lines
    python benchmarks/systems.py --ct2 DIR FILE -l en-de      CTranslate2 only
    python benchmarks/systems.py --hf DIR FILE --device cuda  on a GPU

The backends run through `translate_all`, as everything in Hyperbaton does, without a store. The
loops by hand are those that people write: one line at a time, 32 in the order of the file, and
the best that CTranslate2 offers, all lines in one call that sorts and cuts them. Every contestant
has all cores, the same beam and the same longest output, and runs over all lines before the clock
starts, since a GPU loads its kernels at first use. A round runs each of them once, in an order
drawn anew, so that nobody always follows the same neighbour; what is compared is the best round of
each, and, since other work on a machine comes and goes, the median of the ratios within the rounds.
A random model never ends a sentence, so each line costs `--max-length` steps in all of them. What
is not installed is left out, and said.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from statistics import median
from typing import cast

from hyperbaton.language.languages import parse_pair
from hyperbaton.systems.ct2.convert import to_ctranslate2
from hyperbaton.systems.ct2.folder import frame, read_folder
from hyperbaton.systems.ct2.pieces import load_pieces
from hyperbaton.systems.ct2.system import CTranslate2
from hyperbaton.systems.execution import translate_all
from hyperbaton.systems.hf import HuggingFace
from hyperbaton.systems.system import Translator

Contestant = Callable[[Sequence[str]], list[str]]

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
BATCH = 32


def made_up(count: int) -> list[str]:
    """Different lines of 4 to 40 words, most of them short, as in a corpus."""
    draw = random.Random(1)
    letters = "etaoinshrdlucmfwypvbgk"
    words = ["".join(draw.choices(letters, k=draw.randint(2, 9))) for _ in range(8000)]
    lengths = (min(40, max(4, round(draw.gauss(15, 8)))) for _ in range(count))
    return [" ".join(draw.choices(words, k=length)).capitalize() + "." for length in lengths]


def random_marian(folder: Path) -> Path:
    """A small Marian model of the usual shape with random weights, in the hub's format."""
    import sentencepiece
    import torch
    from transformers import MarianConfig, MarianMTModel

    folder.mkdir()
    for side in ("source.spm", "target.spm"):
        with (folder / side).open("wb") as file:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(made_up(20_000)),
                model_writer=file,
                vocab_size=8000,
                hard_vocab_limit=False,
                minloglevel=2,
            )
    reader = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    order = ["</s>", "<unk>", *(str(reader.id_to_piece(n)) for n in range(3, len(reader)))]
    order += [f"▁unused{n}" for n in range(15_999 - len(order))] + ["<pad>"]
    (folder / "vocab.json").write_text(json.dumps({token: n for n, token in enumerate(order)}))
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "MarianTokenizer"}')
    torch.manual_seed(1)
    model = MarianMTModel(
        MarianConfig(
            vocab_size=len(order),
            d_model=256,
            encoder_layers=6,
            decoder_layers=2,
            encoder_attention_heads=4,
            decoder_attention_heads=4,
            encoder_ffn_dim=1024,
            decoder_ffn_dim=1024,
            activation_function="swish",
            max_position_embeddings=512,
            pad_token_id=len(order) - 1,
            decoder_start_token_id=len(order) - 1,
            eos_token_id=0,
            forced_eos_token_id=None,
        )
    )
    model.generation_config.bad_words_ids = [[len(order) - 1]]
    model.save_pretrained(folder)
    return folder


def backend(translator: Translator) -> Contestant:
    """A system of Hyperbaton, run as every part of it translates."""
    return lambda lines: [answer.text or "" for answer in translate_all(translator, lines)]


def ctranslate2_loops(args: argparse.Namespace) -> dict[str, Contestant]:
    """CTranslate2 by hand: 1 and 32 lines at a time, and all in one call."""
    import ctranslate2

    folder = read_folder(args.ct2)
    around = frame(folder, *args.pair)
    pieces = load_pieces(folder.path)
    prefix = list(around.prefix)
    special = folder.special
    cuda = args.device == "cuda"

    def load(workers: int) -> ctranslate2.Translator:
        return ctranslate2.Translator(
            str(args.ct2),
            device=args.device,
            compute_type="float16" if cuda else "int8",
            inter_threads=workers,
            intra_threads=max(1, CORES // workers),
        )

    def run(engine: ctranslate2.Translator, texts: Sequence[str], **more: object) -> list[str]:
        sources = [around.source(line) for line in pieces.encode(texts)]
        results = engine.translate_batch(
            sources,
            [prefix] * len(sources) if prefix else None,
            beam_size=args.beam,
            max_decoding_length=args.max_length,
            **more,
        )
        found = [result.hypotheses[0][len(prefix) :] for result in results]
        return pieces.decode([[p for p in line if p not in special] for line in found])

    def loop(lines: Sequence[str], size: int) -> list[str]:
        cut = (lines[start : start + size] for start in range(0, len(lines), size))
        return [text for batch in cut for text in run(one, batch)]

    one, many = load(1), load(1 if cuda else CORES)
    tokens = 16384 if cuda else 384
    loops: dict[str, Contestant] = {
        "ctranslate2 by hand, batch 1": lambda lines: loop(lines, 1),
        "ctranslate2 by hand, batch 32": lambda lines: loop(lines, BATCH),
        "ctranslate2 by hand, one call, 32 lines": lambda lines: run(
            many, lines, max_batch_size=BATCH
        ),
        f"ctranslate2 by hand, one call, {tokens} tokens": lambda lines: run(
            many, lines, max_batch_size=tokens, batch_type="tokens"
        ),
    }
    if args.skip_single or args.one_call:
        del loops["ctranslate2 by hand, batch 1"]
    if args.one_call:
        del loops["ctranslate2 by hand, batch 32"]
    return loops


def transformers_loop(args: argparse.Namespace) -> Contestant:
    """A Marian model with `generate` by hand, 32 lines at a time in the order of the file."""
    import torch
    from transformers import AutoTokenizer, MarianMTModel

    tokenizer = AutoTokenizer.from_pretrained(args.hf)
    model = MarianMTModel.from_pretrained(args.hf)
    # The precision of the backend, however the weights are stored.
    precision = torch.float16 if args.device == "cuda" else torch.float32
    torch.nn.Module.to(model, args.device, precision)
    generate = cast(Callable[..., torch.Tensor], getattr(model, "generate"))  # noqa: B009 - its types refuse its own model
    code = f">>{args.pair[1]}<<"
    before = f"{code} " if code in tokenizer.get_vocab() else ""

    def run(lines: Sequence[str]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(lines), BATCH):
            texts = [before + line for line in lines[start : start + BATCH]]
            inputs = tokenizer(texts, return_tensors="pt", padding=True).to(args.device)
            with torch.inference_mode():
                ids = generate(
                    **inputs, num_beams=args.beam, max_new_tokens=args.max_length, do_sample=False
                )
            found += tokenizer.batch_decode(ids, skip_special_tokens=True)
        return found

    return run


def contestants(args: argparse.Namespace) -> dict[str, Contestant]:
    """Everything that the models given and the libraries installed allow."""
    found: dict[str, Contestant] = {}
    decoding = {"beam": args.beam, "max_length": args.max_length, "device": args.device}
    if args.ct2 and importlib.util.find_spec("ctranslate2"):
        found["ct2:"] = backend(CTranslate2(str(args.ct2), **decoding).open(*args.pair))
        found |= ctranslate2_loops(args)
    else:
        print("without CTranslate2: " + ("not installed" if args.ct2 else "no model (--ct2)"))
    if args.hf and importlib.util.find_spec("transformers"):
        import torch

        # Loading CTranslate2 changes how many threads torch takes in the same process.
        torch.set_num_threads(args.torch_threads or CORES)
        found["hf:"] = backend(HuggingFace(str(args.hf), **decoding).open(*args.pair))
        found["transformers by hand, batch 32"] = transformers_loop(args)
    else:
        print("without transformers: " + ("not installed" if args.hf else "no model (--hf)"))
    return found


@dataclass
class Times:
    """The rounds of one contestant."""

    texts: list[str] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    """Seconds of all cores together, which other work on the machine changes less."""


def measure(
    runs: dict[str, Contestant], lines: Sequence[str], rounds: int, seconds: float
) -> dict[str, Times]:
    """Run everybody in turn, several times, with no new round after so many seconds."""
    times = {name: Times() for name in runs}
    for run in runs.values():
        run(lines)
    draw = random.Random(1)
    began = time.perf_counter()
    for done in range(rounds):
        if done and time.perf_counter() - began > seconds:
            break
        for name, run in draw.sample(list(runs.items()), len(runs)):
            wall, cpu = time.perf_counter(), time.process_time()
            times[name].texts = run(lines)
            times[name].wall.append(time.perf_counter() - wall)
            times[name].cpu.append(time.process_time() - cpu)
    return times


def against(mine: Times, other: Times) -> str:
    """How long mine takes for each second of the other: best rounds, and round by round."""
    paired = [a / b for a, b in zip(mine.wall, other.wall, strict=True)]
    thrift = [a / b for a, b in zip(mine.cpu, other.cpu, strict=True)]
    return (
        f"best {min(mine.wall) / min(other.wall):.3f}, median of rounds {median(paired):.3f} "
        f"({min(paired):.3f} to {max(paired):.3f}), CPU {median(thrift):.3f}"
    )


def report(times: dict[str, Times], lines: int) -> None:
    """A table, and how the two backends stand to the loops."""
    print(f"{max((len(one.wall) for one in times.values()), default=0)} rounds")
    print(f"{'':<44}{'best s':>8}{'median s':>10}{'lines/s':>9}{'CPU s':>8}")
    for name, one in sorted(times.items(), key=lambda item: median(item[1].wall)):
        best, middle, cpu = min(one.wall), median(one.wall), median(one.cpu)
        print(f"{name:<44}{best:>8.2f}{middle:>10.2f}{lines / best:>9.1f}{cpu:>8.2f}")
    by_hand = [name for name in times if name.startswith("ctranslate2 by hand")]
    if by_hand:
        nearest = min(by_hand, key=lambda name: median(times[name].wall))
        mine, other = times["ct2:"], times[nearest]
        same = sum(a == b for a, b in zip(mine.texts, other.texts, strict=True))
        print(f"ct2: / {nearest}: {against(mine, other)}; {same} of {lines} lines the same")
    if generate := times.get("transformers by hand, batch 32"):
        for name in ("ct2:", "hf:"):
            if name in times:
                print(f"generate by hand / {name} {against(generate, times[name])}")


def main() -> None:
    """Read the arguments, make what is missing, run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", nargs="?", type=Path, help="source lines")
    parser.add_argument("--ct2", type=Path, help="model folder of CTranslate2")
    parser.add_argument("--hf", type=Path, help="the same model in a folder of transformers")
    parser.add_argument("-l", "--languages", default="en-de")
    parser.add_argument("--lines", type=int, default=300, help="how many lines (default: 300)")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--max-length", type=int, default=0, help="256, or 32 for a random model")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=inf, help="no new round after these")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--torch-threads", type=int, default=0, help="default: all cores")
    parser.add_argument("--skip-single", action="store_true", help="no loop of one line at a time")
    parser.add_argument("--one-call", action="store_true", help="of the loops only the best ones")
    args = parser.parse_args()
    args.pair = parse_pair(args.languages)
    lines = args.file.read_text("utf-8").splitlines() if args.file else made_up(args.lines)
    lines = list(dict.fromkeys(line for line in lines if line.strip()))[: args.lines]
    with tempfile.TemporaryDirectory() as folder:
        if not args.ct2 and not args.hf:
            args.hf = random_marian(Path(folder) / "hf")
            if importlib.util.find_spec("ctranslate2"):
                args.ct2 = to_ctranslate2(args.hf, Path(folder) / "ct2")
            args.max_length = args.max_length or 32
        args.max_length = args.max_length or 256
        print(f"{len(lines)} lines, beam {args.beam}, {args.device}, {CORES} cores")
        times = measure(contestants(args), lines, args.rounds, args.seconds)
        report(times, len(lines))


if __name__ == "__main__":
    main()
