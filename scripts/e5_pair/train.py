"""Train one `e5-pair`: e5 reads both sentences together, and low-rank changes are learnt.

    python scripts/e5_pair/train.py --pairs pairs.tsv.xz --out runs/a --seconds 200

Each pair is read in both orders at every step; besides the labels, the two readings (and their two
draws of dropout) are trained to agree (R-Drop, Liang et al. 2021), `--agree 0` leaves that out.
Written: NAME.npz (what `e5-pair(weights=…)` reads), NAME.json (macro-F1 of each group that was not
trained on) and NAME.probabilities.npz. A GPU is used where there is one. `--all` trains on the
validation lines too, for a recipe that was chosen before.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils import parametrize

from hyperbaton.detectors.scoring import quality
from hyperbaton.encoders.e5.network import E5Classifier

LONGEST = 120
"""Pieces of a sentence that are read, as in `e5-pair`."""
WARM = 0.06
"""The share of the training over which the learning rate rises."""
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class LowRank(nn.Module):
    """A weight (outputs × inputs) with a product of thin matrices added to it."""

    def __init__(self, weight: Tensor, rank: int) -> None:
        super().__init__()
        outputs, inputs = weight.shape
        self.a = nn.Parameter(torch.randn(inputs, rank) * inputs**-0.5)
        self.b = nn.Parameter(torch.zeros(rank, outputs))

    def forward(self, weight: Tensor) -> Tensor:
        """The changed weight."""
        return weight + (self.a @ self.b).T


class Pairs:
    """All pairs on the device, read in both orders."""

    def __init__(self, path: Path, model: E5Classifier, limit: int) -> None:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file]
        if limit:
            groups = dict.fromkeys(row[0] for row in rows)
            rows = [row for group in groups for row in _of(rows, group)[:limit]]
        self.groups = np.array([row[0] for row in rows])
        self.labels = torch.tensor([int(row[3]) for row in rows], device=DEVICE)
        pieces = [model.pieces.encode([row[side] for row in rows]) for side in (1, 2)]
        cut = [[ids[:LONGEST] for ids in side] for side in pieces]
        self.lengths = np.array([len(a) + len(b) + 4 for a, b in zip(*cut, strict=True)])
        self._sizes = torch.tensor(self.lengths, device=DEVICE)
        width = int(self.lengths.max())
        self._numbers = torch.zeros((2, len(rows), width), dtype=torch.int32)
        self._firsts = torch.zeros((2, len(rows)), dtype=torch.int64)
        for order, (one, two) in enumerate((cut, cut[::-1])):
            for at, (a, b) in enumerate(zip(one, two, strict=True)):
                row = [0, *a, 2, 2, *b, 2]
                self._numbers[order, at, : len(row)] = torch.tensor(row, dtype=torch.int32)
                self._firsts[order, at] = len(a) + 2
        self._numbers, self._firsts = self._numbers.to(DEVICE), self._firsts.to(DEVICE)

    def both(self, places: np.ndarray) -> tuple[Tensor, Tensor, Tensor]:
        """Numbers, mask and kinds of pairs, in one order and then in the other."""
        longest = -(-int(self.lengths[places].max()) // 8) * 8
        at = torch.from_numpy(places).to(DEVICE)
        numbers = self._numbers[:, at, :longest].reshape(2 * len(places), -1).long()
        numbers = functional.pad(numbers, (0, longest - numbers.shape[1]))
        along = torch.arange(longest, device=DEVICE)
        mask = along < self._sizes[at].repeat(2)[:, None]
        kinds = along >= self._firsts[:, at].reshape(-1, 1)
        return numbers, mask, (kinds & mask).long()

    def where(self, start: str) -> np.ndarray:
        """Places of the groups whose name begins so."""
        return np.flatnonzero(np.char.startswith(self.groups, start))


def _of(rows: list[list[str]], group: str) -> list[list[str]]:
    return [row for row in rows if row[0] == group]


def main() -> None:
    """Train, measure, write."""
    given = _arguments()
    torch.manual_seed(1)  # every run begins with the same head and matrices
    model = E5Classifier(2)
    if given.rank:
        for layer in model.network.layers:
            for part in (layer.qkv, layer.ao, layer.fi, layer.fo):
                change = LowRank(part.weight, given.rank)
                parametrize.register_parametrization(part, "weight", change)
                part.parametrizations.weight.original.requires_grad_(False)
    model.to(DEVICE)
    pairs = Pairs(given.pairs, model, given.limit)
    start = time.perf_counter()
    steps = _train(model, pairs, given)
    spent = time.perf_counter() - start
    given.out.mkdir(parents=True, exist_ok=True)
    found, chances = _measure(model, pairs, given)
    np.savez(given.out / f"{given.name}.probabilities.npz", **chances)
    if given.rank:
        np.savez(given.out / f"{given.name}.npz", **_weights(model))
    report = {"recipe": {k: str(v) for k, v in vars(given).items()}, "steps": steps}
    report |= {"seconds": round(spent, 1), "macro-f1": found}
    (given.out / f"{given.name}.json").write_text(json.dumps(report, indent=1))
    print(given.name, steps, "steps", round(spent), "s", json.dumps(found), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="e5-pair")
    parser.add_argument("--rank", type=int, default=64, help="0 trains every weight but the pieces")
    parser.add_argument("--rate", type=float, default=7e-4)
    parser.add_argument("--agree", type=float, default=1.0)
    parser.add_argument("--edits", action="store_true", help="train on the edit groups too")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--german", type=int, default=3, help="how often German pairs are drawn")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument("--seconds", type=float, default=1e9, help="train at most so long")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0, help="pairs of a group, for a trial")
    return parser.parse_args()


def _train(model: E5Classifier, pairs: Pairs, given: argparse.Namespace) -> int:
    starts = ["zh", "dev-"] + ["val-"] * given.all + ["edit-de", "edit-en"] * given.edits
    rows = np.concatenate([pairs.where(start) for start in starts])
    german = [pairs.where(f"{part}-de") for part in ("dev", "val") if f"{part}-" in starts]
    rows = np.concatenate([rows, *german * (given.german - 1)])
    steps = max(1, int(given.epochs * len(rows) / given.batch))
    weights = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(
        weights, lr=given.rate, weight_decay=0.01, fused=DEVICE.type == "cuda"
    )
    torch.manual_seed(given.seed)
    model.train()
    start = time.perf_counter()
    for step, places in enumerate(_batches(rows, pairs.lengths, given.batch, given.seed)):
        # Where time is short, the learning rate falls with the clock.
        done = max(step / steps, (time.perf_counter() - start) / given.seconds)
        if done >= 1:
            break
        share = max(done, 1 / steps) / WARM if done < WARM else (1 - done) / (1 - WARM)
        optimizer.param_groups[0]["lr"] = given.rate * share
        loss = _loss(model, pairs, places, given.agree)
        loss.backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        if step % 500 == 0:
            print(f"{given.name}: step {step} done {done:.3f} loss {loss.item():.4f}", flush=True)
    return step


def _loss(model: E5Classifier, pairs: Pairs, places: np.ndarray, agree: float) -> Tensor:
    labels = pairs.labels[torch.from_numpy(places).to(DEVICE)]
    with _precision(), parametrize.cached():
        logits = model(*pairs.both(places))
    logits = logits.float()
    loss = functional.cross_entropy(logits, labels.repeat(2))
    if agree:
        one, two = functional.log_softmax(logits, dim=1).chunk(2)
        apart = functional.kl_div(one, two, log_target=True, reduction="batchmean")
        apart = apart + functional.kl_div(two, one, log_target=True, reduction="batchmean")
        loss = loss + agree * apart / 2
    return loss


def _batches(rows: np.ndarray, lengths: np.ndarray, size: int, seed: int) -> Iterator[np.ndarray]:
    """Pairs of like length share a batch; the order of all is drawn anew in each epoch."""
    rng = np.random.default_rng(seed)
    while True:
        order = rng.permutation(rows)
        for start in range(0, len(order), size * 16):
            pool = order[start : start + size * 16]
            pool = pool[np.argsort(lengths[pool], kind="stable")]
            cuts = [pool[at : at + size] for at in range(0, len(pool), size)]
            yield from (cuts[at] for at in rng.permutation(len(cuts)) if len(cuts[at]) > 1)


def _precision() -> torch.autocast | nullcontext[None]:
    return torch.autocast("cuda", torch.bfloat16) if DEVICE.type == "cuda" else nullcontext()


def _measure(
    model: E5Classifier, pairs: Pairs, given: argparse.Namespace
) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    model.train(False)
    found, chances = {}, {}
    for group in dict.fromkeys(pairs.groups.tolist()):
        if not group.startswith(("val-", "test-", "edit-val-")):
            continue
        places = np.flatnonzero(pairs.groups == group)
        order = places[np.argsort(pairs.lengths[places], kind="stable")]
        chance = np.empty(len(pairs.groups))
        with torch.inference_mode(), _precision(), parametrize.cached():
            for start in range(0, len(order), 256):
                batch = order[start : start + 256]
                both = model(*pairs.both(batch)).float().softmax(dim=1)[:, 1].view(2, -1)
                chance[batch] = both.mean(dim=0).cpu().numpy()
        chances[group] = chance[places].astype(np.float32)
        labels = pairs.labels.cpu().numpy()[places]
        chances[f"labels:{group}"] = labels
        if not (given.all and group.startswith("val-")):
            found[group] = round(quality(chances[group], labels).macro_f1, 4)
    return found, chances


def _weights(model: E5Classifier) -> dict[str, np.ndarray]:
    """The names and shapes that `e5-pair` reads: weights are inputs × outputs."""
    network = model.network
    found = {"emb.pos": network.position.weight, "emb.type": network.kind.weight}
    found |= {"emb.ln.w": network.norm.weight, "emb.ln.b": network.norm.bias}
    for at, layer in enumerate(network.layers):
        for name in ("qkv", "ao", "fi", "fo"):
            part = getattr(layer, name)
            change = part.parametrizations.weight[0]
            found |= {f"l{at}.{name}.w.A": change.a, f"l{at}.{name}.w.B": change.b}
            found[f"l{at}.{name}.b"] = part.bias
        for name in ("aln", "oln"):
            part = getattr(layer, name)
            found |= {f"l{at}.{name}.w": part.weight, f"l{at}.{name}.b": part.bias}
    found |= {"head.w": model.head.weight.T, "head.b": model.head.bias}
    found |= {"out.w": model.out.weight.T, "out.b": model.out.bias}
    return {name: p.detach().cpu().numpy().astype(np.float16) for name, p in found.items()}


if __name__ == "__main__":
    main()
