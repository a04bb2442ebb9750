"""For the documentation site: links that leave docs/, and which pages its search shows first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
REPOSITORY = "https://github.com/hyperbaton/hyperbaton/blob/main"
BOOST = {"questions": 20.0, "glossary": 5.0, "recipes": 4.0, "replication-": 0.2}
"""How much more, or less, a page counts in the search than others, by the start of its name."""
_OUTSIDE = re.compile(r"\]\(\.\./([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, page: Page, **kwargs: object) -> str:
    """Called by MkDocs for each page (https://www.mkdocs.org/user-guide/configuration/#hooks)."""
    for name, boost in BOOST.items():
        if page.file.src_uri.startswith(name):
            page.meta["search"] = {"boost": boost}
    return _OUTSIDE.sub(_address, markdown)


def _address(link: re.Match[str]) -> str:
    if not (ROOT / link[1]).exists():
        raise FileNotFoundError(f"a page links to ../{link[1]}, which does not exist")
    return f"]({REPOSITORY}/{link[1]}{link[2] or ''})"
