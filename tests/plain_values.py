"""Whether a document is made of plain values, which every writer of files knows."""

from __future__ import annotations

from typing import Any

PLAIN = {str, int, float, bool, type(None)}


def other_types(document: Any) -> set[str]:
    """The types in a document, at any depth, that JSON does not have."""
    if type(document) is dict:
        return {name for part in document.values() for name in other_types(part)}
    if type(document) is list:
        return {name for part in document for name in other_types(part)}
    return set() if type(document) in PLAIN else {type(document).__name__}
