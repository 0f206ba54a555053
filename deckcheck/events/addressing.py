"""Findings of an event in the words of a letter: for a player, who runs no command."""

from __future__ import annotations

from dataclasses import replace

from deckcheck.findings import Finding
from deckcheck.rules.event_rules import (
    CHANGED_LIST,
    MISSING_LIST,
    NEW_LIST,
    OTHER_PLAYER,
    REMOVED_LIST,
    SEVERAL_DECKS,
    SEVERAL_LISTS,
)

_WORDS = {
    MISSING_LIST.code: (
        "The organiser has no list of yours",
        "Send your list to the organiser",
    ),
    SEVERAL_LISTS.code: (
        "The organiser has more than one list of yours",
        "Tell the organiser which one you play",
    ),
    SEVERAL_DECKS.code: (None, "Send the organiser a list with the one deck you play"),
    OTHER_PLAYER.code: (
        "The list that the organiser has of yours is of another player",
        "Ask the organiser which list is yours",
    ),
    CHANGED_LIST.code: (
        None,
        "If this is not the list you sent in time, tell the organiser",
    ),
    NEW_LIST.code: (None, "Ask the organiser whether the list still counts"),
    REMOVED_LIST.code: (None, "Send your list to the organiser again, unchanged"),
}
"""What is wrong, where the finding says it to the organiser, and what to do."""


def to_the_player(finding: Finding) -> Finding:
    """The finding as addressed to the player, with what the player can do about it."""
    message, help = _WORDS.get(finding.code, (None, finding.help))
    return replace(finding, message=message or finding.message, help=help)
