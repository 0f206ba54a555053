"""Legality: one rule per file, judged as the constraints of a format say."""

from deckcheck.rules.registry import (
    ALL_RULES,
    DECK_RULES,
    JOINT_LEGALITIES,
    LEGALITIES,
    judge,
    judge_together,
)

__all__ = [
    "ALL_RULES",
    "DECK_RULES",
    "JOINT_LEGALITIES",
    "LEGALITIES",
    "judge",
    "judge_together",
]
