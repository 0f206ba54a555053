"""Render pages from the templates and scripts in this folder."""

from __future__ import annotations

import re
from pathlib import Path

from deckcheck.messages import printable
from deckcheck.version import __version__

SHARED_TEMPLATES = Path(__file__).parent


def render(template: Path, **values: object) -> str:
    """Render a template with `values`. It may include the templates of this folder."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([template.parent, SHARED_TEMPLATES]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_escape,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["quoted"] = _curl_quotes
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    page = environment.get_template(template.name)
    return page.render(version=__version__, **values)


def _escape(value: object) -> object:
    """Return a value with every text ready to be shown."""
    return printable(value) if type(value) is str else value


def _curl_quotes(text: str) -> str:
    """Replace straight quotes by typographic ones."""
    return re.sub(r"`([^`]*)`", "\u201c\\1\u201d", text)
