"""The versions of the libraries that a system's output depends on."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

__all__ = ["versions"]


def versions(*packages: str) -> str:
    """The installed versions of packages, those that are not installed left out.

    >>> versions("no-such-package")
    ''
    """
    found = []
    for package in packages:
        try:
            found.append(f"{package}={version(package)}")
        except PackageNotFoundError:
            continue
    return ",".join(found)
