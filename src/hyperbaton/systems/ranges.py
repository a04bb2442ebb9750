"""Options that are numbers: within what a library or a machine can bear."""

from __future__ import annotations

from collections.abc import Mapping

from hyperbaton.base.errors import HyperbatonError
from hyperbaton.base.spec import Spec

__all__ = ["check_ranges"]


def check_ranges(spec: Spec, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Refuse an option that lies outside its range; one that a spec does not have is passed over.

    A value that is not a number (NaN) lies outside of every range; None stands for "not set".
    """
    for option, (least, most) in ranges.items():
        value = getattr(spec, option, None)
        if value is not None and not least <= value <= most:
            raise HyperbatonError(f"'{spec}': {option} must be between {least:,g} and {most:,g}")
