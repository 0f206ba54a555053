"""The smallest changes of cards that balance a field."""

from __future__ import annotations
