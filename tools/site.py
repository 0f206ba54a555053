"""Hooks of mkdocs: pages that the program makes, links and anchors as in git."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

LINK = re.compile(r"(\[[^\]\n]*\]\()(\.\.?/[^)\s#]+)(#[^)\s]+)?\)")


def on_config(config: Any) -> Any:
    """Give headings the anchors that they have in the repository."""
    config["mdx_configs"]["toc"] = {"permalink": True, "slugify": slug}
    return config


def slug(heading: str, separator: str) -> str:
    """The anchor of a heading, as the usual hosts of repositories make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.lower())
    return kept.replace(" ", separator)


def on_page_read_source(*, page: Any, **_: Any) -> str | None:
    """Make a generated page, None for others."""
    # mkdocs loads this file alone, from any folder.
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tools.pages import PAGES

    make_page = PAGES.get(page.file.src_uri)
    return make_page() if make_page else None


def on_page_markdown(markdown: str, *, page: Any, config: Any, **_: Any) -> str:
    """Lead links out of `docs/` to the repository."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))
    files = f"{config['extra']['social'][0]['link']}/blob/main"

    def led_out(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(folder, link[2]))
        if target.startswith("docs/") or target == "docs":
            return link[0]
        return f"{link[1]}{files}/{target}{link[3] or ''})"

    return LINK.sub(led_out, markdown)
