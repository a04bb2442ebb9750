"""COMET in an interpreter of its own: requests and answers are lines of JSON.

This file is run by path with a Python that has `unbabel-comet`, and imports nothing from here.
    comet_worker.py MODEL DOWNLOAD(0|1) DEVICE
The first line written says what was loaded; then each line read holds the columns of a batch and
each line written its scores. An answer with `error` is one sentence.
"""

from __future__ import annotations

import importlib.metadata
import json
import logging
import os
import sys
import warnings
from pathlib import Path
from typing import TextIO


def main() -> None:
    """Load the model and answer until the input ends."""
    # Libraries print; the pipe is for answers only.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    warnings.filterwarnings("ignore")
    model_name, download, device = sys.argv[1], sys.argv[2] == "1", sys.argv[3]
    try:
        import comet
        import torch

        logging.getLogger("pytorch_lightning").setLevel(logging.ERROR)
        checkpoint = _checkpoint(model_name, download)
        model = comet.load_from_checkpoint(checkpoint, local_files_only=not download)
        model.eval()
        gpus = (
            1
            if device.startswith("cuda") or (device == "auto" and torch.cuda.is_available())
            else 0
        )
        needs_references = bool(model.requires_references())
    except Exception as error:
        _say(answers, {"error": _sentence(error)})
        return
    packages = ("unbabel-comet", "torch", "transformers", "numpy")
    _say(
        answers,
        {
            "checkpoint": checkpoint,
            "needs_references": needs_references,
            "versions": {name: importlib.metadata.version(name) for name in packages},
        },
    )
    for line in sys.stdin:
        request = json.loads(line)
        columns = {key: request[key] for key in ("src", "mt", "ref") if key in request}
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        try:
            out = model.predict(
                rows,
                batch_size=int(request["batch_size"]),
                gpus=gpus,
                progress_bar=False,
                num_workers=0,
            )
            _say(answers, {"scores": [float(score) for score in out["scores"]]})
        except Exception as error:
            _say(answers, {"error": _sentence(error)})


def _checkpoint(model: str, download: bool) -> str:
    import comet

    path = Path(model).expanduser()
    if path.is_dir():
        path = path / "checkpoints" / "model.ckpt"
    if path.is_file():
        return str(path)
    if path.suffix == ".ckpt" or model.startswith((".", "/", "~")):
        raise FileNotFoundError(f"there is no checkpoint {path}")
    return str(comet.download_model(model, local_files_only=not download))


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text.split(". ")[0].rstrip(".")


def _say(answers: TextIO, message: dict[str, object]) -> None:
    answers.write(json.dumps(message) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
