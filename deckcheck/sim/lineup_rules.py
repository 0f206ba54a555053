"""The tournament match between its games: who may choose which deck, and who first.

All of section 3 of the rules that is not a game of Gwent stands here. A lineup's decks
are numbered from 0; side 0 is the lineup named first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = [
    "DRAWN",
    "LONGEST",
    "Stand",
    "after_game",
    "begin",
    "open_decks",
    "winner_of",
]

WINS = 2  # gwent 3.4: two games of three
DRAWN = -1
LONGEST = 500
"""Games after which a match that nobody has won is drawn, drawn games counted."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a match stands before a game.

    `won` has the decks of both sides that have won a game, `first` is the side that
    chooses first.
    """

    won: tuple[frozenset[int], frozenset[int]]
    first: int


def begin(coin: int) -> Stand:
    """The stand before game 1: a coin decides who chooses first (gwent 3.5)."""
    return Stand((frozenset(), frozenset()), coin)


def open_decks(stand: Stand, side: int, decks: int) -> list[int]:
    """The decks that a side of `decks` decks may choose from.

    A deck that has won cannot be used again (gwent 3.7). That makes the winner of the
    game before take a new one, while the loser may keep the deck or take another
    (gwent 3.6), also one that has lost before.
    """
    return [deck for deck in range(decks) if deck not in stand.won[side]]


def after_game(stand: Stand, winner: int, deck: int) -> Stand:
    """The stand after a game that `winner` won with `deck`, or that was drawn.

    The winner chooses first (gwent 3.6). A drawn game counts for nobody and is
    replayed: both choose freely, in the same order as before (gwent 3.8).
    """
    if winner == DRAWN:
        return stand
    won = list(stand.won)
    won[winner] |= {deck}
    return replace(stand, won=(won[0], won[1]), first=winner)


def winner_of(stand: Stand) -> int | None:
    """The side that has won the match; None as long as it goes on (gwent 3.4)."""
    for side, won in enumerate(stand.won):
        if len(won) >= WINS:
            return side
    return None
