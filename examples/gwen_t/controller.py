"""Gwen't step by step for one user, as a user interface would play it.

Enemies play a random card of their hand, and pass only without one. The engine deals,
applies moves and counts, compiled or not. Statements 3.1, 3.2 and 6 of
docs/rules/gwen_t.md are the rules of this file.
"""

from __future__ import annotations

from enum import StrEnum
from random import Random
from typing import Any

import numpy as np

from deckcheck.cards import load_database
from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    pass_move,
    set_up,
    to_move,
)
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.primitives import CARD_MASK, seed_generator
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format

MAX_ENEMIES = 5
RANDOM_NAMES = "Germany,Japan,United States of America,Soviet Union,Great Britain"


class State(StrEnum):
    """The states of a game for its user."""

    MAIN_MENU = "MainMenu"
    GAME_CONFIGURATION = "GameConfiguration"
    IDLE = "Idle"
    CARD_SELECTION = "CardSelection"
    PASSED = "Passed"
    END_OF_ROUND = "EndOfRound"


class IllegalTransition(Exception):
    """A request that the current state does not allow."""


class Controller:
    """One user's way through games of Gwen't.

    The same `seed` and the same decisions give the same games. Methods raise
    IllegalTransition in a state that does not allow them, and ValueError for a name
    that is taken, a card outside the hand, or too many enemies.
    """

    def __init__(self, seed: int = 1) -> None:
        self.state = State.MAIN_MENU
        self.players: list[str] = []
        self._random, self._seed, self._games = Random(seed), seed, 0
        self._format, self._database = (
            load_format("gwen_t/pool"),
            load_database("gwen_t"),
        )
        numbers = load_game("gwen_t").card_numbers(self._database)
        self._ids = {number: id for id, number in numbers.items()}
        self._s: Any = np.zeros(1, STATE).view(np.recarray)[0]

    def new_game(self) -> None:
        """Configure a new game."""
        self._leave(State.MAIN_MENU)
        self._name, self._enemies, self._random_enemies = "", [], -1
        self.state = State.GAME_CONFIGURATION

    def back(self) -> None:
        """Return to the main menu."""
        self._leave(State.GAME_CONFIGURATION)
        self.state = State.MAIN_MENU

    def set_name(self, name: str) -> None:
        """Name the user."""
        self._leave(State.GAME_CONFIGURATION)
        self._check_name(name, self._enemies)
        self._name = name

    def add_enemy(self, name: str) -> None:
        """Add an enemy of this name."""
        self._leave(State.GAME_CONFIGURATION)
        self._check_name(name, [*self._enemies, self._name])
        if len(self._enemies) == MAX_ENEMIES:
            raise ValueError(f"at most {MAX_ENEMIES} enemies")
        self._enemies.append(name)

    def random_enemies(self, count: int) -> None:
        """Ask for 0 to 5 enemies with random names. Fewer come if names run out."""
        self._leave(State.GAME_CONFIGURATION)
        if not 0 <= count <= MAX_ENEMIES:
            raise ValueError(f"0 to {MAX_ENEMIES} random enemies, not {count}")
        self._random_enemies = count

    def start(self) -> None:
        """Deal the cards, decide the turn order, and begin the first round."""
        self._leave(State.GAME_CONFIGURATION)
        user, enemies = self._choose_names()
        # "The turn order of all players is decided at random when the game starts."
        self.players = [user, *enemies]
        self._random.shuffle(self.players)
        self._user = self.players.index(user)
        seats = [Seat(None)] * len(self.players)
        self._x = load_game("gwen_t").fill_context(self._database, self._format, seats)[
            0
        ]
        seed_generator(self._s.rng, self._seed, self._games, 0)
        self._games += 1
        set_up(self._s, self._x)
        self._begin_round()

    def select_card(self) -> None:
        """Look for a card to play. Without a card the user has passed."""
        self._leave(State.IDLE)
        self.state = State.CARD_SELECTION if self._has_turn() else State.PASSED

    def pass_round(self) -> None:
        """Pass for the rest of the round."""
        self._leave(State.IDLE)
        if self._has_turn():
            apply_move(self._s, self._x, pass_move(self._s, self._x))
        self.state = State.PASSED

    def play(self, card: str) -> None:
        """Play a card of the hand by its id, then the enemies after the user."""
        self._leave(State.CARD_SELECTION)
        for move in self._list_moves():
            if self._ids.get(move & CARD_MASK) == card:
                apply_move(self._s, self._x, move)
                self._let_play(self._order[self._order.index(self._user) + 1 :])
                self._enter_idle()
                return
        raise ValueError(f"`{card}` is not in the hand")

    def wait(self) -> None:
        """Let the others go on until everyone has passed."""
        self._leave(State.PASSED)
        while self._is_same_round():
            self._play_at_random()
        self.state = State.END_OF_ROUND

    def finish_round(self) -> None:
        """Go on to the next round, or to the main menu if the game is over."""
        self._leave(State.END_OF_ROUND)
        if is_over(self._s) or self._s.gems[self._user] == 0:
            self.state = State.MAIN_MENU
        else:
            self._begin_round()

    @property
    def hand(self) -> list[str]:
        """The cards of the user's hand."""
        count = self._s.n_hand[self._user]
        return [self._ids[int(number)] for number in self._s.hand[self._user, :count]]

    @property
    def gems(self) -> dict[str, int]:
        """The gems of all players."""
        return dict(zip(self.players, self._s.gems.tolist(), strict=False))

    @property
    def winner(self) -> str | None:
        """The player left at the end of a game, None for a draw or before."""
        return self.players[self._s.winner] if self._s.winner >= 0 else None

    def _leave(self, state: State) -> None:
        if self.state is not state:
            message = f"this is not allowed in `{self.state}`, only in `{state}`"
            raise IllegalTransition(message)

    def _check_name(self, name: str, taken: list[str]) -> None:
        if not name.strip():
            raise ValueError("a name has a letter")
        if name in taken:
            raise ValueError(f"the name `{name}` is taken")

    def _choose_names(self) -> tuple[str, list[str]]:
        """Return the user and the enemies, at random where nobody set a name."""
        taken = {*self._enemies, self._name}
        free = [name for name in RANDOM_NAMES.split(",") if name not in taken]
        self._random.shuffle(free)
        if not (self._name or free):
            raise ValueError("all random names are taken, and the user has none")
        user = self._name or free.pop()
        count = self._random_enemies
        if count < 0:
            # "nothing set: one random enemy"
            count = 0 if self._enemies else 1
        enemies = [*self._enemies, *free[:count]]
        if not 1 <= len(enemies) <= MAX_ENEMIES:
            raise ValueError(f"1 to {MAX_ENEMIES} enemies, found {len(enemies)}")
        return user, enemies

    def _begin_round(self) -> None:
        self._round = int(self._s.round_no)
        self._order = self._s.order[: self._s.standing].tolist()
        self._enter_idle()

    def _enter_idle(self) -> None:
        self.state = State.IDLE
        self._let_play(self._order[: self._order.index(self._user)])

    def _let_play(self, players: list[int]) -> None:
        for player in players:
            if self._is_same_round() and to_move(self._s) == player:
                self._play_at_random()

    def _list_moves(self) -> list[int]:
        return [int(move) for move in self._x.moves[: legal_moves(self._s, self._x)]]

    def _play_at_random(self) -> None:
        passing = pass_move(self._s, self._x)
        cards = [move for move in self._list_moves() if move != passing]
        apply_move(self._s, self._x, self._random.choice(cards))

    def _has_turn(self) -> bool:
        return self._is_same_round() and not self._s.passed[self._user]

    def _is_same_round(self) -> bool:
        return not is_over(self._s) and self._s.round_no == self._round
