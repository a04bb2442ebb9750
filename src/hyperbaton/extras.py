"""Heavy, optional parts: imported when needed, and named with their install command when absent."""

from __future__ import annotations

import importlib
from types import ModuleType

from hyperbaton.errors import MissingExtra

__all__ = ["need"]


def need(module: str, extra: str, package: str | None = None) -> ModuleType:
    """Import an optional module, or say which command installs it.

    >>> need("json", extra="anything").__name__
    'json'
    >>> need("no_such_module", extra="neural", package="NoSuch")
    Traceback (most recent call last):
        ...
    hyperbaton.errors.MissingExtra: NoSuch is not installed: pip install 'hyperbaton[neural]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        label = package or module.split(".")[0]
        raise MissingExtra(f"{label} is not installed: pip install 'hyperbaton[{extra}]'") from None
