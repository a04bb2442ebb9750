"""Files of weights: safetensors, or torch's own format read without running what is in it."""

from __future__ import annotations

import pickle
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperbaton.base.content import read_json
from hyperbaton.base.errors import HyperbatonError, first_line, need

if TYPE_CHECKING:
    from torch import Tensor

FORMATS = (("model", "safetensors"), ("pytorch_model", "bin"))
"""Stem and ending of the files, the format that is preferred first."""
_TORCH = (2, 10)
"""Before 2.6 a file could run code in spite of `weights_only`, before 2.10 corrupt the memory."""
_ASKED_FOR = re.compile(r"GLOBAL (\w+(?:\.\w+)+)")
_POINTER = b"version https://git-lfs"


@dataclass(frozen=True)
class Weights:
    """The files that hold a model's weights, all of one format."""

    files: tuple[Path, ...]
    pickled: bool
    """Whether they are in torch's own format."""


def weight_files(folder: Path) -> Weights | None:
    """The files to read in a folder, or None where no format is there as a whole."""
    for stem, ending in FORMATS:
        whole = folder / f"{stem}.{ending}"
        files = (whole,) if whole.is_file() else _shards(folder / f"{stem}.{ending}.index.json")
        if files:
            return Weights(files, pickled=ending == "bin")
    return None


def _shards(index: Path) -> tuple[Path, ...]:
    """The files that an index names, if all of them lie beside it."""
    if not index.is_file():
        return ()
    found = read_json(index)
    places = found.get("weight_map") if isinstance(found, dict) else None
    if not isinstance(places, dict) or not places:
        raise HyperbatonError(f"{index} does not say which file holds which weights")
    names = sorted({str(name) for name in places.values()})
    # A name that leads elsewhere is not followed.
    files = tuple(index.parent / name for name in names if Path(name).name == name)
    return files if len(files) == len(names) and all(f.is_file() for f in files) else ()


def check_pickled(weights: Weights) -> None:
    """Refuse files of torch's own format that hold anything but tensors; nothing is kept."""
    for file in weights.files:
        if weights.pickled:
            read_pickled(file, device="meta")
        else:
            _refuse_pointer(file)


def read_weights(weights: Weights) -> dict[str, Tensor]:
    """All weights by name, on the processor."""
    load_file = need("safetensors.torch", extra="hf").load_file
    found: dict[str, Tensor] = {}
    for file in weights.files:
        if weights.pickled:
            found |= read_pickled(file)
            continue
        _refuse_pointer(file)
        try:
            found |= load_file(file)
        except Exception as error:  # the library's own class derives from nothing narrower
            raise HyperbatonError(f"{file} cannot be read: {first_line(error)}") from None
    return found


def read_pickled(file: Path, device: str = "cpu") -> dict[str, Tensor]:
    """The weights in a file of torch's own format; one that would run code is refused unrun."""
    torch = need("torch", extra="hf")
    _refuse_old_torch(str(torch.__version__), file)
    _refuse_pointer(file)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = torch.load(file, map_location=device, weights_only=True)
    except pickle.UnpicklingError as error:
        asked = _ASKED_FOR.search(str(error))
        if asked is None:
            raise HyperbatonError(_damaged(file)) from None
        raise HyperbatonError(
            f"{file} is refused: it holds more than tensors ({asked[1]}), which could run code "
            "when it is read; use safetensors of this model, or a file from those who made it"
        ) from None
    except Exception as error:  # each damage has a class of its own
        if "TorchScript" in str(error):
            raise HyperbatonError(
                f"{file} is refused: it is a TorchScript program, not a file of weights"
            ) from None
        raise HyperbatonError(_damaged(file)) from None
    if not isinstance(found, dict) or not all(
        isinstance(name, str) and torch.is_tensor(value) for name, value in found.items()
    ):
        raise HyperbatonError(
            f"{file} is refused: it holds more than tensors by name, so it is no file of weights "
            "as the hub has them"
        )
    return found


def _refuse_old_torch(version: str, file: Path) -> None:
    """An error where this torch could be led astray by a file that it reads.

    >>> _refuse_old_torch("2.10.0+cpu", Path("pytorch_model.bin"))
    >>> _refuse_old_torch("2.9.1", Path("pytorch_model.bin"))
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.HyperbatonError: pytorch_model.bin can be read safely by torch 2.10 or \
later only, and this is 2.9.1: pip install 'torch>=2.10'
    """
    if tuple(int(number) for number in re.findall(r"\d+", version)[:2]) < _TORCH:
        least = ".".join(map(str, _TORCH))
        raise HyperbatonError(
            f"{file} can be read safely by torch {least} or later only, and this is {version}: "
            f"pip install 'torch>={least}'"
        )


def _refuse_pointer(file: Path) -> None:
    """What a clone without Git LFS leaves instead of a large file."""
    with file.open("rb") as start:
        if start.read(len(_POINTER)) == _POINTER:
            raise HyperbatonError(
                f"{file} is a pointer of Git LFS, not the weights: run git lfs pull in its folder"
            )


def _damaged(file: Path) -> str:
    return f"{file} is damaged, or no file of torch's: fetch it again"
