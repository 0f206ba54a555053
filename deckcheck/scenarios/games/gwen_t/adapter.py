"""Gwen't as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwen_t.rules.moves import PASS, move_card
from deckcheck.engine.games.gwen_t.rules.scoring import row_score
from deckcheck.formats import Format
from deckcheck.scenarios.contract import LegalMove, Words
from deckcheck.scenarios.games.gwen_t.file import NAMES, GwenTScenario
from deckcheck.scenarios.games.gwen_t.start import start
from deckcheck.scenarios.position import NothingPicked
from deckcheck.scenarios.rows import ROW_WORDS
from deckcheck.scenarios.showing import row_facts

SCENARIO = GwenTScenario


def set_up(
    scenario: GwenTScenario, database: CardDatabase, fmt: Format
) -> GwenTPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    names = NAMES[: int(context[0].players)]
    return GwenTPosition(states, context, database, names)


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwenTPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    names = NAMES[: int(context[0].players)]
    return GwenTPosition(states, context, database, names)


class GwenTPosition(NothingPicked):
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    score = "gems"

    # Moves

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        verb = "pass" if move == PASS else "play"
        words = {} if move == PASS else {"card": self.id_of(move_card(move))}
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def why_not(self, verb: str, words: Words) -> str:
        """Why the player to move cannot play a card: every card of a hand can be."""
        return "it is not in the hand"

    def idle_reason(self, player: str) -> str | None:
        """Why a player who is not to move makes no move, if not for the turn alone."""
        i = NAMES.index(player)
        if self.s.gems[i] == 0:
            return f"{player} is defeated"
        return f"{player} has passed" if self.s.passed[i] else None

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        s = self.s
        winner = None
        if s.over:
            winner = NAMES[s.winner] if s.winner >= 0 else "draw"
        sky = self.ids_of([s.weather] if s.weather else ())
        return {
            "weather": [{"card": card, "by": NAMES[s.weather_by]} for card in sky],
            "round": int(s.round_no),
            "order": [NAMES[player] for player in s.order[: s.standing]],
            "turn": self.turn,
            "over": bool(s.over),
            "winner": winner,
            **{name: self._player(i) for i, name in enumerate(self.players)},
        }

    def _player(self, i: int) -> dict[str, Any]:
        s = self.s
        rows = range(len(ROW_WORDS))
        totals = [int(row_score(s, self.x, i, row, s.weather_row)) for row in rows]
        return {
            **row_facts([self._row(i, row) for row in rows], totals),
            "hand": self.ids_in(s.hand, s.n_hand, i),
            "hand_size": int(s.n_hand[i]),
            "discard": self.ids_in(s.discard, s.n_discard, i),
            "deck": self.ids_in(s.deck, s.n_deck, i)[::-1],
            "deck_size": int(s.n_deck[i]),
            "gems": int(s.gems[i]),
            "passed": bool(s.passed[i]),
            "place": int(s.place[i]) or None,
            "points": int(s.points[i]),
        }

    def _row(self, player: int, row: int) -> list[tuple[str, int]]:
        s = self.s
        cards = self.ids_in(s.row, s.n_row, player, row)
        if s.weather_row == row:
            return [(card, int(self.x.weather_strength)) for card in cards]
        stacked = s.stacked[player, row].tolist()
        return list(zip(cards, stacked, strict=False))
