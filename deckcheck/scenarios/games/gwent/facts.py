"""What is true of a position of Gwent, by the keys of `expect`."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import place
from deckcheck.engine.games.gwent.codes import LeaderState, Phase, Slot
from deckcheck.engine.games.gwent.rules.scoring import side_total, unit_strength
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.scenarios.games.gwent.board import TWO_SIDES, Board
from deckcheck.scenarios.games.gwent.file import ROW_WORDS
from deckcheck.scenarios.games.gwent.solo import automa_facts

__all__ = ["Facts"]


class Facts:
    """What is true of a board now; nothing of it is kept."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.s, self.x = board.s, board.x

    def all(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        game = self.game()
        game["weather"] = [
            {"card": self.board.id_of(card), "by": self.board.players[int(by) - 1]}
            for card, by in zip(self.s.weather_card, self.s.weather, strict=True)
            if by
        ]
        players = {name: self.player(i) for i, name in enumerate(self.board.players)}
        return {**game, **self._teams(), **players}

    def game(self) -> dict[str, Any]:
        """What is true of all players together."""
        over = self.s.phase == Phase.OVER
        winner = None
        if over:
            sides = self.board.sides
            places = [place(self.s, self.x, i) for i in range(len(sides))]
            winner = sides[places.index(1)] if places.count(1) == 1 else "draw"
        kinds = zip(self.s.weather_card, self.s.weather, strict=True)
        return {
            "weather": [self.board.id_of(card) for card, by in kinds if by],
            "round": int(self.s.round_no),
            "turn": self.board.turn,
            "over": bool(over),
            "winner": winner,
        }

    def _teams(self) -> dict[str, Any]:
        """The sides of teams by name; without teams the players have it all."""
        if not self.board.has_teams:
            return {}
        return {name: self.side(side) for side, name in enumerate(self.board.sides)}

    def side(self, side: int) -> dict[str, Any]:
        """What lies on a side of the board."""
        s = self.s
        rows = {word: self.row(side, row) for row, word in enumerate(ROW_WORDS)}
        return {
            **{word: int(s.total[side, row]) for row, word in enumerate(ROW_WORDS)},
            "total": int(side_total(s, side)),
            "cards": {word: [c["card"] for c in row] for word, row in rows.items()},
            "strengths": {
                word: [c["strength"] for c in row] for word, row in rows.items()
            },
            "row_specials": self.specials(side),
            "discard": self._pile(side),
            "gems": int(s.gems[side]),
        }

    def player(self, i: int) -> dict[str, Any]:
        """What is a player's own, and the side it sits at."""
        s = self.s
        return {
            **self.side(int(self.x.side[i])),
            "hand": self._hand(i),
            "hand_size": int(s.n_hand[i]),
            **self._seen(i),
            "deck": self._deck(i),
            "deck_size": int(s.n_deck[i]),
            "side_deck": self._side_deck(i),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
            **self._score(i),
            **automa_facts(s, i, self.board.database),
        }

    def _seen(self, i: int) -> dict[str, Any]:
        """The cards of a hand that others know; with several others also who knows."""
        hand, others = self._hand(i), range(len(self.board.players))
        known = {
            self.board.players[other]: [
                card
                for index, card in enumerate(hand)
                if knows(self.s, self.x, other, i, index)
            ]
            for other in others
            if self.x.side[other] != self.x.side[i]
        }
        marks = self.s.seen[i]
        seen = [card for card, mark in zip(hand, marks, strict=False) if mark]
        return {"seen": seen, "seen_by": known}

    def _score(self, i: int) -> dict[str, int]:
        """Points of a free-for-all, and the place when it is over."""
        if len(self.board.sides) == TWO_SIDES:
            return {}
        score = {"points": int(self.s.points[i])}
        if self.s.phase == Phase.OVER:
            score["place"] = int(place(self.s, self.x, i))
        return score

    def row(self, side: int, row: int) -> list[dict[str, Any]]:
        """The units of a row with their strengths."""
        return [
            {
                "card": self.board.id_of(self.s.row[side, row, i]),
                "strength": int(unit_strength(self.s, self.x, side, row, i)),
            }
            for i in range(self.s.n_row[side, row])
        ]

    def specials(self, side: int) -> dict[str, str | None]:
        """The special card of each row, None for none."""
        found: dict[str, str | None] = dict.fromkeys(ROW_WORDS)
        for row, word in enumerate(ROW_WORDS):
            if self.s.slot[side, row] != Slot.EMPTY:
                found[word] = self.board.id_of(self.s.slot_card[side, row])
        return found

    def _hand(self, player: int) -> list[str]:
        return self.board.ids_of(self.s.hand[player, : self.s.n_hand[player]])

    def _pile(self, side: int) -> list[str]:
        return self.board.ids_of(self.s.discard[side, : self.s.n_discard[side]])

    def _deck(self, player: int) -> list[str]:
        return self.board.ids_of(self.s.deck[player, : self.s.n_deck[player]])[::-1]

    def _side_deck(self, player: int) -> list[str]:
        return [
            card.id
            for card in self.board.cards.values()
            if not card.deckable
            for _ in range(
                self.s.side_deck[player, self.x.side_index[self.board.numbers[card.id]]]
            )
        ]
