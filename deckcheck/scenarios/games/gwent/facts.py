"""Facts of a position of Gwent, by the keys of `expect`."""

from __future__ import annotations

from typing import Any

from deckcheck.engine.contract import place
from deckcheck.engine.games.gwent.codes import LeaderState, Phase, Slot
from deckcheck.engine.games.gwent.rules.scoring import unit_strength
from deckcheck.engine.games.gwent.rules.zones import knows
from deckcheck.scenarios.games.gwent.solo import automa_facts
from deckcheck.scenarios.position import CardPosition
from deckcheck.scenarios.rows import ROW_WORDS
from deckcheck.scenarios.showing import row_facts

TWO_SIDES = 2


class Facts:
    """What is true of a board now; nothing of it is kept."""

    def __init__(self, board: CardPosition) -> None:
        self.board = board
        self.s, self.x = board.s, board.x

    def all(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        s, over = self.s, self.board.turn is None
        winner = None
        if over:
            sides = self.board.sides
            places = [place(s, self.x, i) for i in range(len(sides))]
            winner = sides[places.index(1)] if places.count(1) == 1 else "draw"
        return {
            "weather": [
                {"card": self.board.id_of(card), "by": self.board.players[int(by) - 1]}
                for card, by in zip(s.weather_card, s.weather, strict=True)
                if by
            ],
            "round": int(s.round_no),
            "turn": self.board.turn,
            "over": over,
            "winner": winner,
            **self._teams(),
            **{name: self.player(i) for i, name in enumerate(self.board.players)},
        }

    def _teams(self) -> dict[str, Any]:
        """The sides of teams by name; without teams the players have it all."""
        if self.board.sides == self.board.players:
            return {}
        return {name: self.side(side) for side, name in enumerate(self.board.sides)}

    def side(self, side: int) -> dict[str, Any]:
        """What lies on a side of the board."""
        s, rows = self.s, range(len(ROW_WORDS))
        units = [self._row(side, row) for row in rows]
        return {
            **row_facts(units, s.total[side].tolist()),
            "row_specials": self._specials(side),
            "discard": self.board.ids_in(s.discard, s.n_discard, side),
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
            "deck": self.board.ids_in(s.deck, s.n_deck, i)[::-1],
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
        seen_cards = {
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
        return {"seen": seen, "seen_by": seen_cards}

    def _score(self, i: int) -> dict[str, int]:
        """Points of a free-for-all, and the place when it is over."""
        if len(self.board.sides) == TWO_SIDES:
            return {}
        score = {"points": int(self.s.points[i])}
        if self.s.phase == Phase.OVER:
            score["place"] = int(place(self.s, self.x, i))
        return score

    def _row(self, side: int, row: int) -> list[tuple[str, int]]:
        """The units of a row with their strengths."""
        return [
            (card, int(unit_strength(self.s, self.x, side, row, i)))
            for i, card in enumerate(
                self.board.ids_in(self.s.row, self.s.n_row, side, row)
            )
        ]

    def _specials(self, side: int) -> dict[str, str | None]:
        """The special card of each row, None for none."""
        specials: dict[str, str | None] = dict.fromkeys(ROW_WORDS)
        for row, word in enumerate(ROW_WORDS):
            if self.s.slot[side, row] != Slot.EMPTY:
                specials[word] = self.board.id_of(self.s.slot_card[side, row])
        return specials

    def _hand(self, player: int) -> list[str]:
        return self.board.ids_in(self.s.hand, self.s.n_hand, player)

    def _side_deck(self, player: int) -> list[str]:
        return [
            card.id
            for card in self.board.database.cards.values()
            if not card.deckable
            for _ in range(
                self.s.side_deck[player, self.x.side_index[self.board.numbers[card.id]]]
            )
        ]
