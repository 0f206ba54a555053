"""Legality: one rule per file, judged as the constraints of a format say."""

from deckcheck.rules.judging import judge
from deckcheck.rules.registry import ALL_RULES, LEGALITIES

__all__ = ["ALL_RULES", "LEGALITIES", "judge"]
