"""An alignment head with random weights on a tiny translator's encoder."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import torch

from hyperbaton.detectors.alignment import save_weights
from hyperbaton.detectors.encoder_pair import CONFIG, WEIGHTS
from hyperbaton.train.detector.alignment import AlignmentNet
from tests.systems.models import built

_HOME = TemporaryDirectory(prefix="hyperbaton-head-")


@cache
def untrained_head() -> Path:
    """The folder of the detector."""
    torch.set_num_threads(1)
    torch.manual_seed(2)
    net = AlignmentNet(16, 8, dropout=0.0)
    folder = Path(_HOME.name)
    save_weights(folder / WEIGHTS, {k: v.detach().numpy() for k, v in net.named_parameters()})
    (folder / CONFIG).write_text(json.dumps({"encoder": str(built("multilingual"))}))
    return folder
