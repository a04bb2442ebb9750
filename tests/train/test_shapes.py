"""Fixed shapes and the own loss: every row once an epoch, and the same numbers as torch's."""

from __future__ import annotations

import random

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from hyperbaton.train.batches import IGNORED, Bitext, Rows  # noqa: E402
from hyperbaton.train.loss import smoothed_cross_entropy  # noqa: E402
from hyperbaton.train.shapes import EMPTY, Boxes  # noqa: E402
from hyperbaton.train.vocabulary import EOS, PAD  # noqa: E402


@pytest.fixture
def data() -> Bitext:
    chosen = random.Random(3)
    sides = [
        Rows.of(
            [
                [*(chosen.randrange(10, 99) for _ in range(chosen.randrange(1, 40))), EOS]
                for _ in range(3000)
            ]
        )
        for _ in range(2)
    ]
    return Bitext(sides[0], sides[1], np.repeat([0, 1], [2500, 500]), torch.device("cpu"))


def test_an_epoch_holds_every_row_once(data: Bitext) -> None:
    boxes = Boxes.of(data, 2048)
    drafts = boxes.epoch(data, 1, 0, 1.0)
    rows = np.concatenate([draft.rows for draft in drafts])
    assert sorted(rows[rows != EMPTY]) == list(range(len(data)))
    shapes = {(len(draft.rows), draft.widths) for draft in drafts}
    assert len(shapes) == len(boxes.widths) < 40
    for draft in drafts:
        assert draft.widths is not None
        assert len(draft.rows) * max(draft.widths) <= 2048
        real = draft.rows[draft.rows != EMPTY]
        assert data.source_lengths[real].max() <= draft.widths[0]
        assert data.target_lengths[real].max() <= draft.widths[1]


def test_epochs_differ_and_repeat(data: Bitext) -> None:
    boxes = Boxes.of(data, 2048)
    first, again, second = (boxes.epoch(data, 1, number, 1.0)[0].rows for number in (0, 0, 1))
    assert (first == again).all()
    assert first.shape != second.shape or (first != second).any()


def test_small_directions_come_more_often(data: Bitext) -> None:
    rows = np.concatenate([d.rows for d in Boxes.of(data, 2048).epoch(data, 1, 0, 5.0)])
    rows = rows[rows != EMPTY]
    # 2500 and 500 rows to the power of 1 / 5.
    assert (data.directions[rows] == 1).mean() == pytest.approx(0.42, abs=0.01)


def test_a_batch_of_fixed_shape_says_what_a_loose_one_does(data: Bitext) -> None:
    draft = next(d for d in Boxes.of(data, 2048).epoch(data, 1, 0, 1.0) if EMPTY in d.rows)
    batch = data.batch(draft)
    assert draft.widths is not None
    assert batch.input_ids.shape == (len(draft.rows), draft.widths[0])
    assert batch.labels.shape == (len(draft.rows), draft.widths[1])
    assert int((batch.labels != IGNORED).sum()) == data.spoken(draft)
    # A row without text reads one piece, so that its attention is not empty, and says nothing.
    empty = torch.from_numpy(draft.rows == EMPTY)
    assert (batch.attention_mask[empty].sum(1) == 1).all()
    assert (batch.labels[empty] == IGNORED).all()
    assert (batch.decoder_input_ids[:, 0] == PAD).all()


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_loss_and_its_gradient_are_torchs(smoothing: float) -> None:
    torch.manual_seed(1)
    labels = torch.randint(0, 500, (64,))
    labels[::7] = IGNORED
    logits = (3 * torch.randn(64, 500)).requires_grad_()
    mine = smoothed_cross_entropy(logits, labels, smoothing)
    (mine / 5).backward()  # type: ignore[no-untyped-call]
    grad, logits.grad = logits.grad, None
    theirs = torch.nn.functional.cross_entropy(
        logits, labels, ignore_index=IGNORED, label_smoothing=smoothing, reduction="sum"
    )
    (theirs / 5).backward()
    torch.testing.assert_close(mine, theirs)
    torch.testing.assert_close(grad, logits.grad)


def test_the_loss_in_bf16_is_near_single_precision() -> None:
    torch.manual_seed(1)
    labels = torch.randint(0, 500, (64,))
    exact = torch.randn(64, 500).requires_grad_()
    rough = exact.detach().bfloat16().requires_grad_()
    for logits in (exact, rough):
        loss = smoothed_cross_entropy(logits, labels, 0.1)
        loss.backward()  # type: ignore[no-untyped-call]
    assert exact.grad is not None
    assert rough.grad is not None
    torch.testing.assert_close(rough.grad.float(), exact.grad, atol=4e-3, rtol=2e-2)
