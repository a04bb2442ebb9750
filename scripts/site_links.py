"""For the documentation site: links that leave docs/ lead to the repository."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
REPOSITORY = "https://github.com/hyperbaton/hyperbaton/blob/main"
_OUTSIDE = re.compile(r"\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, **kwargs: object) -> str:
    """Called by MkDocs for each page (https://www.mkdocs.org/user-guide/configuration/#hooks)."""
    return _OUTSIDE.sub(_address, markdown)


def _address(link: re.Match[str]) -> str:
    if not (ROOT / link[1]).exists():
        raise FileNotFoundError(f"a page links to ../{link[1]}, which does not exist")
    return f"]({REPOSITORY}/{link[1]}{link[2] or ''})"
