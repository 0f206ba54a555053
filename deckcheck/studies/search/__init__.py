"""Searching the legal decks of a format, for `tune`, `build` and `solve`."""

from __future__ import annotations
