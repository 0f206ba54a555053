"""The tournament match between its games: who may choose which deck, and who first.

All of section 3 of the rules that is not a game of Gwent stands here. The decks of a
lineup are numbered from 0; side 0 is the lineup named first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from deckcheck.formats import Format

WINS = 2  # gwent 3.4: two games of three
DRAWN = -1

_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class MatchState:
    """How a match stands before a game.

    `won` has the decks of both sides that have won a game, `first` is the side that
    chooses first. `used` are its decks that are too old to be new, where that matters,
    and `again` the decks of a game that is replayed with them.
    """

    won: tuple[frozenset[int], frozenset[int]]
    first: int
    used: tuple[frozenset[int], frozenset[int]] = (_NONE, _NONE)
    again: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class MatchRules:
    """The course of a match, with what the format says where the rulebook is silent.

    With `replays_decks` a drawn game is replayed with the same decks, with
    `wants_unused` the winner's new deck is one that this match has not seen.
    """

    replays_decks: bool = False
    wants_unused: bool = False

    def begin(self, coin: int) -> MatchState:
        """The state before game 1: a coin decides who chooses first (gwent 3.5)."""
        return MatchState((_NONE, _NONE), coin)

    def open_decks(self, state: MatchState, side: int, decks: int) -> list[int]:
        """The decks that a side of `decks` decks may choose from.

        A deck that has won cannot be used again (gwent 3.7). That makes the winner of
        the game before take a new one, while the loser may keep the deck or take
        another (gwent 3.6), also one that has lost before.
        """
        if state.again is not None:
            return [state.again[side]]
        open_ones = [deck for deck in range(decks) if deck not in state.won[side]]
        if side != state.first:
            return open_ones
        return [deck for deck in open_ones if deck not in state.used[side]] or open_ones

    def after_game(
        self, state: MatchState, winner: int, decks: tuple[int, int]
    ) -> MatchState:
        """The state after a game of `decks` that `winner` won, or that was drawn.

        The winner chooses first (gwent 3.6). A drawn game counts for nobody and is
        replayed: both choose as freely as before, in the same order (gwent 3.8).
        """
        if winner == DRAWN:
            return replace(state, again=decks) if self.replays_decks else state
        won, used = list(state.won), list(state.used)
        won[winner] |= {decks[winner]}
        if self.wants_unused:
            used = [old | {deck} for old, deck in zip(used, decks, strict=True)]
        return MatchState((won[0], won[1]), winner, (used[0], used[1]))

    def winner_of(self, state: MatchState) -> int | None:
        """The side that has won the match; None as long as it goes on (gwent 3.4)."""
        for side, won in enumerate(state.won):
            if len(won) >= WINS:
                return side
        return None


def match_rules(fmt: Format) -> MatchRules:
    """The rules of the matches of a format (gwent 3.6 and 3.8)."""
    return MatchRules(
        replays_decks=fmt.options.get("drawn_match_game") == "same_decks",
        wants_unused=fmt.options.get("new_deck") == "unused",
    )
