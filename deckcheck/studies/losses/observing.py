"""What happens to a deck in one game, observed move by move.

All of it is told from the facts of positions (`Position.facts`), before a move and
after it. Uncompiled, a game takes about a quarter of a second.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from deckcheck.replays.changes import round_ended
from deckcheck.replays.opening import open_script
from deckcheck.replays.script import Script
from deckcheck.scenarios.contract import LegalMove

Facts: TypeAlias = Mapping[str, Any]

NEEDED = frozenset({"gems", "hand", "deck_size", "discard", "total"})
"""What a game must have for its losses to be told."""


@dataclass(frozen=True, slots=True)
class ObservedGame:
    """A game from the side of one deck.

    `won` is None for a draw. `lost_rounds` are those that cost a gem, from 1, `lead`
    the strength by which the deck led on the board at the end. `destroyed` and
    `weather` are the strength that moves of the opponent took from its side, with cards
    that went to the discard pile and by weather. `draws` is how many cards the opponent
    drew more, by spies and other cards; `behind` how many cards more it held when the
    last round began. `is_out` says that the deck had no card left at the end, and the
    opponent had. `cards` are those that the opponent played, by id.
    """

    won: bool | None
    lost_rounds: tuple[int, ...]
    lead: int
    destroyed: int
    weather: int
    draws: int
    behind: int
    is_out: bool
    cards: frozenset[str]


def observe_all(scripts: bytes) -> list[ObservedGame] | None:
    """Observe pickled games, each with the seat of the deck; None where none can be."""
    games = []
    for script, seat in pickle.loads(scripts):
        observed = observe(script, seat)
        if observed is None:
            return None
        games.append(observed)
    return games


def observe(script: Script, seat: int) -> ObservedGame | None:
    """Observe a game of two from the side of the deck in a seat."""
    position = open_script(script).position
    own, other = position.players[seat], position.players[1 - seat]
    facts = position.facts()
    if not facts[own].keys() >= NEEDED:
        return None
    watch = _Watch(own, other)
    for code in script.moves:
        before, player = facts, position.turn
        move = position.in_words(code)
        position.apply(move)
        facts = position.facts()
        watch.note(before, facts, player, move)
    return watch.game(facts)


@dataclass
class _Watch:
    """Sums over the moves of a game."""

    own: str
    other: str
    lost_rounds: list[int] = field(default_factory=list)
    destroyed: int = 0
    weather: int = 0
    draws: int = 0
    behind: int = 0
    cards: set[str] = field(default_factory=set)

    def note(
        self, before: Facts, after: Facts, player: str | None, move: LegalMove
    ) -> None:
        """Take in a move."""
        own, other = self.own, self.other
        if player == other and move.verb == "play":
            self.cards.add(move.words["card"])
        if round_ended(before, after):
            if after[own]["gems"] < before[own]["gems"]:
                self.lost_rounds.append(before["round"])
            if not after["over"]:
                self.behind = len(after[other]["hand"]) - len(after[own]["hand"])
            return
        if move.verb != "redraw":
            self.draws += _drawn(before, after, other) - _drawn(before, after, own)
        taken = before[own]["total"] - after[own]["total"]
        if player == other and taken > 0:
            if len(after[own]["discard"]) > len(before[own]["discard"]):
                self.destroyed += taken
            elif after["weather"] != before["weather"]:
                self.weather += taken

    def game(self, last: Facts) -> ObservedGame:
        """What was observed, with the position at the end."""
        own, other = last[self.own], last[self.other]
        winner = last["winner"]
        return ObservedGame(
            won=None if winner == "draw" else winner == self.own,
            lost_rounds=tuple(self.lost_rounds),
            lead=own["total"] - other["total"],
            destroyed=self.destroyed,
            weather=self.weather,
            draws=self.draws,
            behind=self.behind,
            is_out=not own["hand"] and bool(other["hand"]),
            cards=frozenset(self.cards),
        )


def _drawn(before: Facts, after: Facts, player: str) -> int:
    """How many cards came from the deck to the hand."""
    gained = Counter(after[player]["hand"]) - Counter(before[player]["hand"])
    left: int = before[player]["deck_size"] - after[player]["deck_size"]
    return min(gained.total(), left)
