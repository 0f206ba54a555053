"""Pages rendered from the templates and scripts that lie beside it."""

from __future__ import annotations

import re
from pathlib import Path

from deckcheck.messages import printable
from deckcheck.version import __version__

SHARED = Path(__file__).parent


def render(template: Path, **values: object) -> str:
    """Return the page that a template makes of `values`; it may use what is here."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader([template.parent, SHARED]),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["quoted"] = _quoted
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    page = environment.get_template(template.name)
    return page.render(version=__version__, **values)


def _shown(value: object) -> object:
    """Every text of the page as it may be shown."""
    return printable(value) if type(value) is str else value


def _quoted(text: str) -> str:
    """The quotes of print instead of those of a terminal."""
    return re.sub(r"`([^`]*)`", "\u201c\\1\u201d", text)
