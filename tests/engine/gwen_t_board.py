"""A board of Gwen't to lay cards on, for tests that need cards outside the pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from deckcheck.cards import Card, CardDatabase, load_database
from deckcheck.cards.models import CardAbility
from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.gwen_t.context import card_numbers
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format

ROWS = ("close", "ranged", "siege")
GAME = load_game("gwen_t")
POOL = load_database("gwen_t")
FORMAT = load_format("gwen_t/pool")


def unit(
    name: str, row: str, strength: int, effect: str = "", on: str | None = None
) -> Card:
    """A unit that the pool does not have."""
    return Card(
        id=name.lower(),
        number=100 + sum(map(ord, name)),
        name=name,
        kind="unit",
        copies=9,
        provenance="assumed",
        rows=(row,),
        strength=strength,
        abilities=(CardAbility(effect, row=on),) if effect else (),
    )


def weather(name: str, effect: str, on: str | None = None) -> Card:
    """A weather card that the pool does not have."""
    abilities = (CardAbility(effect, row=on),)
    return replace(unit(name, "", 0), kind="weather", rows=(), abilities=abilities)


class Board:
    """An empty board in the first round; player 0 is to move, nobody has cards."""

    def __init__(self, *cards: Card, players: int = 2, **options: Any) -> None:
        added = {card.id: card for card in cards}
        self.database = CardDatabase(
            POOL.game, {**POOL.cards, **added}, {}, POOL.root, POOL.sources
        )
        fmt = replace(FORMAT, options={**FORMAT.options, **options})
        seats = [Seat({})] * players
        self.x = GAME.fill_context(self.database, fmt, seats)[0]
        self.number = card_numbers(self.database)
        self.ids = {number: id for id, number in self.number.items()}
        self.s = np.zeros(1, STATE).view(np.recarray)[0]
        s = self.s
        s.players = s.standing = players
        s.round_no, s.winner, s.weather_row = 1, -1, -1
        s.order[:players] = range(players)
        s.gems[:players] = self.x.gems

    def deal(self, player: int, *cards: str) -> None:
        """Put cards into a hand."""
        for card in cards:
            self.s.hand[player, self.s.n_hand[player]] = self.number[card]
            self.s.n_hand[player] += 1

    def stack(self, player: int, *cards: str) -> None:
        """Make a deck, top card first."""
        self.s.n_deck[player] = len(cards)
        numbers = [self.number[card] for card in reversed(cards)]
        self.s.deck[player, : len(cards)] = numbers

    def lay(self, player: int, row: str, card: str, strength: int) -> None:
        """Lay a unit into a row with a stacked strength."""
        at = (player, ROWS.index(row))
        self.s.row[(*at, self.s.n_row[at])] = self.number[card]
        self.s.stacked[(*at, self.s.n_row[at])] = strength
        self.s.total[at] += strength
        self.s.n_row[at] += 1

    def play(self, player: int, *cards: str) -> None:
        """Let a player play cards, one after the other, whoever's turn it is."""
        for card in cards:
            self.s.turn = self.s.position = player
            moves = self.x.moves[: legal_moves(self.s, self.x)]
            wanted = self.number[card]
            move = next(int(m) for m in moves if m & 4095 == wanted)
            apply_move(self.s, self.x, move)

    def enter(self, player: int, *cards: str) -> None:
        """Let cards come out of a hand that keeps another card."""
        self.deal(player, *cards, "rocket")
        self.play(player, *cards)
        self.s.n_hand[player] = 0

    def shown(self, player: int, row: str) -> Sequence[int]:
        """The strengths that the units of a row show, in the order they came."""
        at = (player, ROWS.index(row))
        count = self.s.n_row[at]
        if self.s.weather_row == at[1]:
            return [int(self.x.weather_strength)] * count
        return self.s.stacked[at][:count].tolist()
