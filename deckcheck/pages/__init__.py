"""HTML pages that are one file and need no other: what all of them share."""

from deckcheck.pages.rendering import render

__all__ = ["render"]
