"""The tournament match between its games: the choice of decks and its order.

All of section 3 of the rules is here, except for games of Gwent. The decks of a lineup
are numbered from 0. Side 0 is the lineup named first.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from deckcheck.formats import Format

WINS_NEEDED = 2  # gwent 3.4: two games of three
NO_WINNER = -1

_NO_DECKS: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class GwentMatchState:
    """The state of a match before a game."""

    won: tuple[frozenset[int], frozenset[int]]
    """The decks of both sides with which they won a game."""
    first: int
    """The side that chooses its deck first."""
    used: tuple[frozenset[int], frozenset[int]] = (_NO_DECKS, _NO_DECKS)
    """Decks that were played and so are not new, where that matters."""
    replayed: tuple[int, int] | None = None
    """The decks of a drawn game that is replayed with them."""


@dataclass(frozen=True, slots=True)
class GwentMatchRules:
    """The course of a match, with the format's rulings where the rulebook is silent.

    With `replays_decks` a drawn game is replayed with the same decks. With
    `wants_unused` the winner has to take a deck not yet played in this match.
    """

    replays_decks: bool = False
    wants_unused: bool = False

    def begin(self, coin: int) -> GwentMatchState:
        """Return the state before game 1: a coin decides who chooses (gwent 3.5)."""
        return GwentMatchState((_NO_DECKS, _NO_DECKS), coin)

    def open_decks(self, state: GwentMatchState, side: int, decks: int) -> list[int]:
        """Return the decks from which a side of `decks` decks may choose.

        A deck that won cannot be used again (gwent 3.7). So the winner of the last game
        takes a new deck, while the loser may keep the deck or take another (gwent 3.6),
        even a deck that lost before.
        """
        if state.replayed is not None:
            return [state.replayed[side]]
        unbeaten = [deck for deck in range(decks) if deck not in state.won[side]]
        if side != state.first:
            return unbeaten
        return [deck for deck in unbeaten if deck not in state.used[side]] or unbeaten

    def after_game(
        self, state: GwentMatchState, winner: int, decks: tuple[int, int]
    ) -> GwentMatchState:
        """Return the state after a game of `decks` that `winner` won or nobody.

        The winner chooses first (gwent 3.6). A drawn game counts for nobody and is
        replayed: both choose as freely as before, in the same order (gwent 3.8).
        """
        if winner == NO_WINNER:
            return replace(state, replayed=decks) if self.replays_decks else state
        won, used = list(state.won), list(state.used)
        won[winner] |= {decks[winner]}
        if self.wants_unused:
            used = [old | {deck} for old, deck in zip(used, decks, strict=True)]
        return GwentMatchState((won[0], won[1]), winner, (used[0], used[1]))

    def find_winner(self, state: GwentMatchState) -> int | None:
        """Return the winner of the match, None while it goes on (gwent 3.4)."""
        for side, won in enumerate(state.won):
            if len(won) >= WINS_NEEDED:
                return side
        return None


def match_rules(fmt: Format) -> GwentMatchRules:
    """Return the rules of the matches of a format (gwent 3.6 and 3.8)."""
    return GwentMatchRules(
        replays_decks=fmt.options.get("drawn_match_game") == "same_decks",
        wants_unused=fmt.options.get("new_deck") == "unused",
    )
