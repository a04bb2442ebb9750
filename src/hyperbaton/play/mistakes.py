"""What a reader of the page can do wrong, told by a key: the page says it in its language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from hyperbaton.base.errors import HyperbatonError


class Mistake(HyperbatonError):
    """A mistake with a sentence in every language of the page; as a text it is English.

    >>> str(Mistake("wrong_map_size", most=8, size=12))
    'The map is for 2 to 8 words and this sentence has 12: shorten it.'
    """

    def __init__(self, key: str, **values: str | int) -> None:
        self.key = key
        self.values = values
        shown = {k: f"{v:,}" if isinstance(v, int) else v for k, v in values.items()}
        super().__init__(re.sub(r"\{(\w+)\}", lambda gap: shown[gap[1]], _english()[key]))


def told(error: HyperbatonError) -> dict[str, object]:
    """A mistake as the page reads it: what is said in English, and how to say it otherwise."""
    if isinstance(error, Mistake):
        return {"said": str(error), "key": error.key, "values": error.values}
    return {"said": str(error)}


@cache
def _english() -> Mapping[str, str]:
    path = files("hyperbaton.play").joinpath("assets", "texts.en.json")
    found: dict[str, str] = json.loads(path.read_text("utf-8"))
    return found
