"""Tables of three and more: a format, and the numbers of sample decks that sit down."""

from __future__ import annotations

THREE = ("free_for_all", (0, 7, 13))
FOUR = ("free_for_all", (3, 12, 5, 16))
FIVE = ("free_for_all", (16, 5, 9, 18, 1))
TEAMS = ("two_vs_two", (0, 7, 13, 4))
OTHERS = ("two_vs_two", (11, 2, 18, 16))
NOBODY_CHOOSES = ("two_vs_two", (0, 5, 1, 6))  # no Scoia'tael, so hands are dealt
TABLES = [THREE, FOUR, FIVE, TEAMS, OTHERS]
