"""Gwen't as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwen_t.host.context import card_numbers
from deckcheck.engine.games.gwen_t.rules.moves import (
    PASS,
    apply_move,
    legal_moves,
    move_card,
)
from deckcheck.engine.games.gwen_t.rules.scoring import row_score, side_score
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.chance import NothingPicked
from deckcheck.scenarios.contract import LegalMove
from deckcheck.scenarios.games.gwen_t.file import (
    NAMES,
    ROW_WORDS,
    GwenTScenario,
)
from deckcheck.scenarios.games.gwen_t.start import start

__all__ = ["SCENARIO", "GwenTPosition", "position_of", "set_up"]

SCENARIO = GwenTScenario


def set_up(
    scenario: GwenTScenario, database: CardDatabase, fmt: Format
) -> GwenTPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    return GwenTPosition(states, context, database)


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwenTPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    return GwenTPosition(states, context, database)


class GwenTPosition(NothingPicked):
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    def __init__(self, states: Any, context: Any, database: CardDatabase) -> None:
        self._states = states
        self.s, self.x = states[0], context[0]
        self.cards = database.cards
        self.ids = {number: id for id, number in card_numbers(database).items()}
        self.players = self.sides = NAMES[: int(self.x.players)]

    # Moves

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if self.s.over else NAMES[self.s.turn]

    @property
    def awaits_choice(self) -> bool:
        """No move of the game asks for a choice."""
        return False

    def settle(self, verb: str, player: str) -> None:
        """A file leaves no moves out."""

    def legal_moves(self) -> list[LegalMove]:
        """The legal moves of the player to move; copies of a card are one move."""
        count = legal_moves(self.s, self.x)
        moves = {int(move_card(move)): int(move) for move in self.x.moves[:count]}
        return [self.in_words(move) for move in moves.values()]

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        verb = "pass" if move == PASS else "play"
        words = {} if move == PASS else {"card": self.ids[int(move_card(move))]}
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Rocket`."""
        card = words.get("card")
        return verb + (f" {self.cards[card].name}" if card else "")

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this: he has no such card."""
        return "it is not in the hand" if verb == "play" else None

    def idle_reason(self, player: str) -> str:
        """Why a player who is not to move makes no move."""
        i = NAMES.index(player)
        if self.s.gems[i] == 0:
            return f"{player} is defeated"
        if self.s.passed[i]:
            return f"{player} has passed"
        return f"it is the turn of {self.turn}"

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        game = self._game()
        by = NAMES[self.s.weather_by]
        game["weather"] = [{"card": card, "by": by} for card in game["weather"]]
        return {
            **game,
            **{name: self._player(i) for i, name in enumerate(self.players)},
        }

    def _game(self) -> dict[str, Any]:
        s = self.s
        winner = None
        if s.over:
            winner = NAMES[s.winner] if s.winner >= 0 else "draw"
        return {
            "weather": [self.ids[int(s.weather)]] if s.weather else [],
            "round": int(s.round_no),
            "order": [NAMES[player] for player in s.order[: s.standing]],
            "turn": self.turn,
            "over": bool(s.over),
            "winner": winner,
        }

    def _player(self, i: int) -> dict[str, Any]:
        s = self.s
        rows = {word: self._row(i, row) for row, word in enumerate(ROW_WORDS)}
        return {
            **{word: self._score(i, row) for row, word in enumerate(ROW_WORDS)},
            "total": int(side_score(s, self.x, i)),
            "cards": {word: [u["card"] for u in row] for word, row in rows.items()},
            "strengths": {
                word: [u["strength"] for u in row] for word, row in rows.items()
            },
            "hand": self._named(s.hand[i, : s.n_hand[i]]),
            "hand_size": int(s.n_hand[i]),
            "discard": self._named(s.discard[i, : s.n_discard[i]]),
            "deck": self._named(s.deck[i, : s.n_deck[i]])[::-1],
            "deck_size": int(s.n_deck[i]),
            "gems": int(s.gems[i]),
            "passed": bool(s.passed[i]),
            "place": int(s.place[i]) or None,
            "points": int(s.points[i]),
        }

    def _score(self, player: int, row: int) -> int:
        return int(row_score(self.s, self.x, player, row, self.s.weather_row))

    def _row(self, player: int, row: int) -> list[dict[str, Any]]:
        s = self.s
        is_covered = s.weather_row == row
        return [
            {
                "card": self.ids[int(s.row[player, row, i])],
                "strength": int(
                    self.x.weather_strength if is_covered else s.stacked[player, row, i]
                ),
            }
            for i in range(s.n_row[player, row])
        ]

    def _named(self, numbers: Any) -> list[str]:
        return [self.ids[int(number)] for number in numbers]

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        players = {}
        for i, name in enumerate(self.players):
            facts = self._player(i)
            for row, word in enumerate(ROW_WORDS):
                facts[word] = {"total": facts[word], "cards": self._row(i, row)}
            del facts["cards"], facts["strengths"]
            players[name] = facts
        return {"players": players, **self._game()}

    def lines(self) -> list[str]:
        """The position as text."""
        lines = []
        for i, name in enumerate(self.players):
            lines += self._player_lines(i, name)
        game = self._game()
        sky = ", ".join(self.cards[card].name for card in game["weather"]) or "none"
        end = f"{game['turn']} to move"
        if game["over"]:
            end = "a draw" if game["winner"] == "draw" else f"{game['winner']} wins"
        return [*lines, f"round {game['round']}, weather {sky}, {end}"]

    def _player_lines(self, i: int, name: str) -> list[str]:
        facts = self._player(i)
        deck = plural(facts["deck_size"], "card")
        total, gems = facts["total"], plural(facts["gems"], "gem")
        lines = [f"{name}: {total} on the board, {gems}, {deck} in the deck"]
        for row, word in enumerate(ROW_WORDS):
            units = [
                f"{self.cards[unit['card']].name} {unit['strength']}"
                for unit in self._row(i, row)
            ]
            lines.append(f"  {word:8}{facts[word]:3}  {', '.join(units)}".rstrip())
        hand = ", ".join(self.cards[card].name for card in facts["hand"])
        if hand:
            lines.append(f"  {'hand':11}  {hand}")
        return lines
