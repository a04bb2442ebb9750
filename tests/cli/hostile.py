"""Command lines that nobody should type: every verb, its own options, hostile values and files."""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from hyperbaton.cli.main import VERBS, _verb
from hyperbaton.cli.options.parser import Parser
from hyperbaton.studies import SHIPPED_STUDIES as STUDIES
from tests.cli.command import TOM

ENDING = [verb for verb in VERBS if verb != "play"]
"""Commands that end by themselves: a page is served until somebody stops it."""
NUMBERS = ("-1", "0", "1", "2", "1e3", "nan", "inf", "-inf", "1e400", "9" * 5000, "0x10", "", "½")
LANGUAGES = ("en", "de", "en-de", "de-en", "xx", "en-", "-", "../../x-de", "/tmp/x-de", "en-de-fr",
             "EN_us", "", "ja", "\x00", "e" * 300)  # fmt: skip
SYSTEMS = ("copy", "cmd:cat", "cmd:false", "cmd:", "file:news.en", "file:missing", "gloss", "",
           "ct2:.", "ct2:missing", "recorded:none", "python:os:getcwd", "python:no:such", "nothing",
           "openai:x@ftp://nowhere", "copy(", "copy(a=1)", "gloss(x", "bundled(beam=-1)",
           "bundled(beam=" + "9" * 5000 + ")", "argos:missing")  # fmt: skip
METRICS = ("BLEU", "chrF", "TER", "Levenshtein", "BLEU(order=0)", "BLEU(order=99999999)", "bleu",
           "BLEU(smooth=none, smooth=exp)", "chrF(beta=nan)", "METEOR", "(" * 2000, "")  # fmt: skip
PERTURBATIONS = ("upper", "reversed", "wordShuffle", "NeighbourFlip", "NeighbourFlip(p=nan)",
                 "NeighbourFlip(p=0.3, unit=char)", "treeMirorPre", "wordorder", ";", "(",
                 "a" * 9000)  # fmt: skip
PARSERS = ("plain", "en=plain", "de=plain", "en=", "=", "=plain", "udpipe:missing", "spacy:none")
TEXTS = (
    "Tom goes home.",
    "",
    "\x1b[2J\x07",
    "\ud800",
    "\udcff",
    "a" * 5000,
    "ä\u202eβ",
    "\x00",
    "\n",
)
FILES = ("news.en", "news.de", "empty.txt", "latin.txt", "binary.bin", "missing.txt", ".",
         "nul.txt", "deep.jsonl", "deep.toml", "digits.toml", "digits.jsonl",
         "types.toml", "matrix.toml", "surrogate.jsonl", "tree.conllu", "ranges.conllu",
         "table.tsv", "bad.gz", "run", "damaged", "types", "half", "n" * 300, "-", "no\x1b[2J",
         "\udcff", "bad.parquet", "/dev/null", "predictions.json")  # fmt: skip
TRAINED = ("pairs.tsv", "labelled.tsv", "news.en", "empty.txt", "missing.tsv", "latin.txt",
           "deep.jsonl", ".", "nul.txt", "bad.gz", "\udcff")  # fmt: skip
LABELLED = (
    *(f"de={name}" for name in TRAINED),
    "en=labelled.tsv",
    "de=",
    "=labelled.tsv",
    "de",
    "",
)
RECIPES = ("steps=0", "steps=-1", "d_model=7", "heads=0", "vocabulary=1", "vocabulary=-5", "seed=x",
           "learning_rate=nan", "max_length=0", "max_length=2", "dropout=2", "dropout=-1",
           "batch_tokens=1", "epochs=0", "epochs=1", "batch=0", "betas=1", "precision=int4",
           "minutes=-1", "minutes=nan", "average=0", "coverage=2", "steps", "=", "",
           "wonders=1", "steps=" + "9" * 5000)  # fmt: skip
DETECTORS = (
    "recorded:e5-pair",
    "recorded:e5-pair(partial=true)",
    "likelihood:copy",
    "likelihood:gloss",
    "cosine:wonders",
    "",
    "(",
)
PLACES = ("out/new", "news.en", "closed/out", "out/" + "n" * 300, "out/a/b/c", "file/below")
POOLS = {
    "system": SYSTEMS,
    "metric": METRICS,
    "own --with": PERTURBATIONS,
    "names": PERTURBATIONS,
    "parser": PARSERS,
    "language": LANGUAGES,
    "languages": LANGUAGES,
    "pair": TRAINED,
    "direction": TRAINED,
    **dict.fromkeys(("data", "validation", "test"), LABELLED),
    "set": RECIPES,
    "preset": ("toy", "base", "alignment", "wonders", ""),
    "device": ("cpu", "auto", "cuda", "quantum", ""),
    "calibrate": DETECTORS,
    **dict.fromkeys(("base", "encoder", "teacher", "vocabulary"), ("run", ".", "missing", "file")),
    "recorded": ("deep.json", "predictions.json", "missing.json", "news.en", "."),
    **dict.fromkeys(("text", "texts", "sentence"), TEXTS),
    **dict.fromkeys(("out", "output", "cache", "figures", "tables"), PLACES),
}
DEMO = ("--limit", "1", "--system", "copy", "--languages", "de", "--no-open")


def command_lines(count: int, seed: int) -> Iterator[list[str]]:
    """So many command lines, the same for the same seed."""
    rng = random.Random(seed)
    for _ in range(count):
        yield _line(rng)


def _line(rng: random.Random) -> list[str]:
    verb = rng.choice([*ENDING, *STUDIES, "wordorder", "check"])
    words = [verb]
    if rng.random() < 0.02:
        return [rng.choice(TEXTS), *words]
    chosen = rng.choice(_forms(verb))
    words += chosen.words
    kind = rng.choice(chosen.kinds) if chosen.kinds and rng.random() < 0.9 else None
    for action in chosen.actions:
        if not action.option_strings:
            words += _positionals(rng, action)
        elif action is kind or action.required or rng.random() < _chance(action, chosen):
            words += [rng.choice(action.option_strings), *_values(rng, action)]
    if verb == "demo":
        words += DEMO
    if "--input" in words:
        # As plain text, thousands of brackets without a space keep spaCy's tokenizer busy.
        words = [word.replace("deep.json", "binary") for word in words]
    if rng.random() < 0.03:
        words.insert(rng.randrange(len(words) + 1), rng.choice((*TEXTS, "--unknown", "-Z")))
    return words


def _chance(action: argparse.Action, form: Form) -> float:
    """How often an option is given; of those that exclude one another, seldom a second."""
    return 0.02 if action in form.kinds else 0.25


@dataclass(frozen=True)
class Form:
    """One way to use a verb: the words that begin it, its options, those that exclude others."""

    words: tuple[str, ...]
    actions: tuple[argparse.Action, ...]
    kinds: tuple[argparse.Action, ...]


@cache
def _forms(verb: str) -> tuple[Form, ...]:
    parser = Parser(prog=verb, allow_abbrev=False)
    _verb(verb).add_arguments(parser)
    jobs = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not jobs:
        return (_form((), parser),)
    # So small that a training which begins ends at once; what follows may make it worse.
    text = ("--pair", "en-de", "pairs.tsv")
    small = {
        "translator": (*text, "--preset", "toy", "--set", "steps=2", "--held-out", "0.3"),
        "vocabulary": (*text, "--preset", "toy", "--set", "vocabulary=280"),
        "distil": text,
        "detector": ("--data", "de=labelled.tsv", "--held-out", "0.3", "--set", "epochs=1"),
    }
    return tuple(
        _form((name, *small.get(name, ())), job)
        for found in jobs
        for name, job in found.choices.items()
    )


def _form(words: tuple[str, ...], parser: argparse.ArgumentParser) -> Form:
    left_out = ("help", "open", "workers", "clear", "all", "download")
    actions = tuple(action for action in parser._actions if action.dest not in left_out)
    groups = [a for group in parser._mutually_exclusive_groups for a in group._group_actions]
    return Form(words, actions, tuple(action for action in groups if action in actions))


def _positionals(rng: random.Random, action: argparse.Action) -> list[str]:
    if action.choices:
        return [str(rng.choice([*map(str, action.choices), "wonders"]))]
    most = {None: 1, "?": 1}.get(action.nargs if isinstance(action.nargs, str) else None, 3)
    return [_value(rng, action) for _ in range(rng.randint(0 if action.nargs else 1, most))]


def _values(rng: random.Random, action: argparse.Action) -> list[str]:
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return []
    if action.nargs == 2:
        return [rng.choice(LANGUAGES), _value(rng, action)]
    return [_value(rng, action)]


def _value(rng: random.Random, action: argparse.Action) -> str:
    if action.choices and rng.random() < 0.9:
        return str(rng.choice([*map(str, action.choices)]))
    if action.dest in POOLS and rng.random() < 0.9:
        return rng.choice(POOLS[action.dest])
    if action.dest == "bounds":
        return rng.choice(("beta=0", "beta1=0.5", "x=1", "beta", "=", "beta=nan", *NUMBERS))
    if action.type not in (None, str, Path) and rng.random() < 0.9:
        return rng.choice(NUMBERS)
    return rng.choice(FILES if rng.random() < 0.8 else TEXTS)


def lay_out(folder: Path) -> None:
    """The hostile files, beside some that are fine."""
    texts: dict[str, str] = {
        "news.en": "Tom goes home.\nAnna reads books.\n",
        "news.de": "Tom geht heim.\nAnna liest Bücher.\n",
        "empty.txt": "",
        "nul.txt": "a\x00b\n",
        "deep.json": "[" * 100_000 + "]" * 100_000,
        "deep.jsonl": '{"source": ' + "[" * 100_000 + "]" * 100_000 + "}\n",
        "deep.toml": "systems = " + "[" * 100_000 + "]" * 100_000 + "\n",
        "digits.toml": f"draws = {'9' * 5000}\n",
        "digits.jsonl": f'{{"source": "a", "n": {"9" * 5000}}}\n',
        "types.toml": 'systems = 3\nmetrics = {a = 1}\ndraws = "two"\ncorpus = 4\n',
        "matrix.toml": 'systems = ["copy"]\n[[corpus]]\nlanguages = "../../x-de"\nshipped = true\n',
        "surrogate.jsonl": '{"source": "a \\ud800 b", "reference": "c"}\n',
        "tree.conllu": TOM,
        "ranges.conllu": TOM.replace("1\tTom", "1-2\tTom\t_\t_\t_\t_\t_\t_\t_\t_\n" * 2 + "1\tTom"),
        "pairs.tsv": "".join(f"house {n}\tHaus {n}\n" for n in range(20)),
        "labelled.tsv": "".join(f"a {n}\tb {n}\t{n % 2}\n" for n in range(20)),
        "table.tsv": "source\treference\na\tb\n",
        "predictions.json": '{"1": {"sentence_original": 3}}',
        "file": "x",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "latin.txt").write_bytes("fine\ncafé\n".encode("latin-1"))
    for name in ("binary.bin", "bad.gz", "bad.parquet"):
        (folder / name).write_bytes(bytes(range(256)) * 4)
    (folder / "out").mkdir()
    (folder / "closed").mkdir(mode=0o500)
    for name, record in (
        ("run", '{"format": 1}'),
        ("damaged", '{"format": 3, "study"'),
        ("types", '{"format": 3, "study": 3, "part": "a", "corpora": [], "systems": 4}'),
        ("half", "[" * 100_000),
    ):
        (folder / name).mkdir()
        (folder / name / "run.json").write_text(record)
