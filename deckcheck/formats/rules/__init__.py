"""Legality rules: an object for each word of a format file, with all its meaning."""

from __future__ import annotations

from deckcheck.formats.rules import factions, limits
from deckcheck.formats.rules.case import Legality

VOCABULARY: dict[str, Legality] = {
    legality.word: legality
    for module in (limits, factions)
    for legality in module.LEGALITIES
}
"""The legality rules, by the word that a format file writes for `rule`."""
