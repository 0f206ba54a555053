"""The tournament match between its games: who may choose which deck, and who first.

All of section 3 of the rules that is not a game of Gwent stands here. A lineup's decks
are numbered from 0; side 0 is the lineup named first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from deckcheck.formats import Format

__all__ = [
    "DRAWN",
    "LONGEST",
    "MatchRules",
    "Stand",
    "after_game",
    "begin",
    "match_rules",
    "open_decks",
    "winner_of",
]

WINS = 2  # gwent 3.4: two games of three
DRAWN = -1
LONGEST = 500
"""Games after which a match that nobody has won is drawn, drawn games counted."""

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class MatchRules:
    """What the format says where the rulebook is silent.

    With `replays_decks` a drawn game is replayed with the same decks, with
    `wants_unused` the winner's new deck is one that this match has not seen.
    """

    replays_decks: bool = False
    wants_unused: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a match stands before a game.

    `won` has the decks of both sides that have won a game, `first` is the side that
    chooses first. `used` are its decks that are too old to be new, where that matters,
    and `again` the decks of a game that is replayed with them.
    """

    won: tuple[frozenset[int], frozenset[int]]
    first: int
    used: tuple[frozenset[int], frozenset[int]] = (_NONE, _NONE)
    again: tuple[int, int] | None = None


def match_rules(fmt: Format) -> MatchRules:
    """The rules of the matches of a format (gwent 3.6 and 3.8)."""
    return MatchRules(
        replays_decks=fmt.options.get("drawn_match_game") == "same_decks",
        wants_unused=fmt.options.get("new_deck") == "unused",
    )


def begin(coin: int) -> Stand:
    """The stand before game 1: a coin decides who chooses first (gwent 3.5)."""
    return Stand((_NONE, _NONE), coin)


def open_decks(stand: Stand, side: int, decks: int) -> list[int]:
    """The decks that a side of `decks` decks may choose from.

    A deck that has won cannot be used again (gwent 3.7). That makes the winner of the
    game before take a new one, while the loser may keep the deck or take another
    (gwent 3.6), also one that has lost before.
    """
    if stand.again is not None:
        return [stand.again[side]]
    known = [deck for deck in range(decks) if deck not in stand.won[side]]
    if side != stand.first:
        return known
    return [deck for deck in known if deck not in stand.used[side]] or known


def after_game(
    stand: Stand, winner: int, decks: tuple[int, int], rules: MatchRules
) -> Stand:
    """The stand after a game of `decks` that `winner` won, or that was drawn.

    The winner chooses first (gwent 3.6). A drawn game counts for nobody and is
    replayed: both choose as freely as before, in the same order (gwent 3.8).
    """
    if winner == DRAWN:
        return replace(stand, again=decks) if rules.replays_decks else stand
    won, used = list(stand.won), list(stand.used)
    won[winner] |= {decks[winner]}
    if rules.wants_unused:
        used = [old | {deck} for old, deck in zip(used, decks, strict=True)]
    return Stand((won[0], won[1]), winner, (used[0], used[1]))


def winner_of(stand: Stand) -> int | None:
    """The side that has won the match; None as long as it goes on (gwent 3.4)."""
    for side, won in enumerate(stand.won):
        if len(won) >= WINS:
            return side
    return None
