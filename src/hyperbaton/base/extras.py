"""Heavy, optional parts: imported when needed, and named with their install command when absent."""

from __future__ import annotations

import importlib
import sys
from importlib.util import find_spec
from types import ModuleType

from hyperbaton.base.errors import MissingExtra

__all__ = ["installed", "need"]


def need(module: str, extra: str, package: str | None = None) -> ModuleType:
    """Import an optional module, or say which command installs it.

    >>> need("json", extra="anything").__name__
    'json'
    >>> need("no_such_module", extra="neural", package="NoSuch")
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.MissingExtra: NoSuch is not installed: pip install 'hyperbaton[neural]'
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise _missing(package or module.split(".")[0], extra) from None


def installed(module: str, extra: str) -> None:
    """Say which command installs a module that is not there, without importing one that is.

    >>> installed("json", extra="anything")
    >>> installed("no_module", extra="neural")
    Traceback (most recent call last):
        ...
    hyperbaton.base.errors.MissingExtra: no_module is not installed: \
pip install 'hyperbaton[neural]'
    """
    if sys.modules.get(module, sys) is None or find_spec(module) is None:
        raise _missing(module, extra)


def _missing(label: str, extra: str) -> MissingExtra:
    return MissingExtra(f"{label} is not installed: pip install 'hyperbaton[{extra}]'")
