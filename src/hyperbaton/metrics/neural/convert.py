"""Weights of the older PyTorch format as safetensors: python -m hyperbaton.metrics.neural.convert.

The file is read with `weights_only`, which takes tensors and refuses everything that runs code.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hyperbaton.base.errors import HyperbatonError, need
from hyperbaton.hub.weights import read_pickled

__all__ = ["to_safetensors"]


def to_safetensors(folder: Path) -> Path:
    """Write model.safetensors beside the pytorch_model.bin of a folder."""
    save_file = need("safetensors.torch", extra="neural").save_file
    old, new = folder / "pytorch_model.bin", folder / "model.safetensors"
    if not old.is_file():
        raise HyperbatonError(f"there is no {old} to convert")
    weights = read_pickled(old)
    # Tensors that share memory are written apart, as safetensors wants them.
    save_file({key: value.clone().contiguous() for key, value in weights.items()}, new)
    return new


if __name__ == "__main__":
    try:
        print(to_safetensors(Path(sys.argv[1])))
    except IndexError:
        sys.exit("usage: python -m hyperbaton.metrics.neural.convert FOLDER")
    except HyperbatonError as error:
        sys.exit(f"error: {error}")
