"""The notation of a text that has no file, and so no suffix to name it."""

from __future__ import annotations

import re

# Text decks have such a line too, as a heading: entries below it are not indented.
_YAML = re.compile(
    r"^(cards|decks)[ \t]*:[ \t]*([\[{]|\r?\n([ \t]+\S|- +[^\n:]+:[ \t]))", re.M
)
_CSV = re.compile(r"\s*([^\n]*[,;\t])?[ \t\"]*card[ \t\"]*([,;\t][^\n]*)?\r?\n", re.I)


def guess_by_content(text: str) -> str:
    """A word of `WAYS`: `json`, `yaml`, `csv`, or `text` where nothing tells."""
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start == "{" or (start == "[" and _is_json(text)):
        return "json"
    if _YAML.search(text):
        return "yaml"
    header = _CSV.match(text)
    if header is not None and (header[1] or header[2]):
        return "csv"
    return "text"


def _is_json(text: str) -> bool:
    """Whether a text that begins with `[` is more than a list with boxes to tick."""
    import json

    try:
        json.loads(text)
    except RecursionError:
        # Whoever reads it as JSON says that it is nested too deeply.
        return True
    except ValueError:
        return False
    return True
