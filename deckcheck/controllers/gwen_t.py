"""Gwen't step by step, for a user interface."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from random import Random
from typing import Any

import numpy as np

from deckcheck.cards import Root, load_database
from deckcheck.engine.contract import (
    apply_move,
    is_over,
    legal_moves,
    pass_move,
    set_up,
    to_move,
)
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import Seat, load_game
from deckcheck.formats import load_format

# The players of a user's game: names, enemies, random names (rules 3.1 and 3.2).

MOST_ENEMIES = 5
RANDOM_NAMES = (
    "Germany",
    "Japan",
    "United States of America",
    "Soviet Union",
    "Great Britain",
)


class SeatOrder:
    """The names of a game that is being configured.

    `random_enemies` is None until somebody asks for a number of them.
    """

    def __init__(self) -> None:
        self.user: str | None = None
        self.enemies: list[str] = []
        self.random_enemies: int | None = None

    def set_name(self, name: str) -> None:
        """Name the user; raises ValueError for a name that is taken or empty."""
        self._check(name, [*self.enemies])
        self.user = name

    def add_enemy(self, name: str) -> None:
        """Add an enemy; raises ValueError for a taken or empty name, or the sixth."""
        self._check(name, [*self.enemies, self.user])
        if len(self.enemies) == MOST_ENEMIES:
            raise ValueError(f"at most {MOST_ENEMIES} enemies")
        self.enemies.append(name)

    def _check(self, name: str, taken: list[str | None]) -> None:
        if not name.strip():
            raise ValueError("a name has a letter")
        if name in taken:
            raise ValueError(f"the name `{name}` is taken")

    def names(self, chance: Random) -> tuple[str, list[str]]:
        """The user and their enemies; what nobody set is decided at random.

        Raises ValueError where nobody is left to play against, or too many are.
        """
        free = [name for name in RANDOM_NAMES if name not in self.enemies]
        if self.user in free:
            free.remove(self.user)
        chance.shuffle(free)
        if not (self.user or free):
            raise ValueError("all random names are taken, and the user has none")
        user = self.user or free.pop()
        count = self.random_enemies
        if count is None:
            # "nothing set: one random enemy"
            count = 0 if self.enemies else 1
        enemies = [*self.enemies, *free[:count]]
        if not 1 <= len(enemies) <= MOST_ENEMIES:
            raise ValueError(f"1 to {MOST_ENEMIES} enemies, found {len(enemies)}")
        return user, enemies


# A game of Gwen't for one user, in the states of the project's controller (rules 6).
#
# The enemies are played by chance, as in the project: a random card of the hand, and no
# pass as long as there is one. It runs on the engine, compiled or not.

ROWS = ("close", "ranged", "siege")
CARD = 4095  # the part of a move that is the card


class State(StrEnum):
    """The states of a game for its user."""

    MAIN_MENU = "MainMenu"
    GAME_CONFIGURATION = "GameConfiguration"
    IDLE = "Idle"
    CARD_SELECTION = "CardSelection"
    PASSED = "Passed"
    END_OF_ROUND = "EndOfRound"


class IllegalTransition(Exception):
    """Something was asked for that the current state does not allow."""


class Controller:
    """One user's way through games of Gwen't.

    The same `seed` and the same decisions give the same games. `deck` is the user's
    deck as card ids with their numbers, None for a random one; enemies always have
    random ones. Methods raise IllegalTransition in a state that does not allow them,
    and ValueError for a name that is taken, a card that is not in the hand, or too
    many enemies.
    """

    def __init__(
        self,
        seed: int = 1,
        *,
        deck: Mapping[str, int] | None = None,
        format: str = "gwen_t/pool",
        card_db: Root = None,
    ) -> None:
        self._random = Random(seed)
        self._seed = seed
        self._games = 0
        self._deck = deck
        self._format = load_format(format, card_db)
        self._database = load_database(self._format.game, card_db)
        self._numbers = load_game("gwen_t").card_numbers(self._database)
        self._ids = {number: id for id, number in self._numbers.items()}
        self._state = State.MAIN_MENU
        self._seating = SeatOrder()
        self._names: list[str] = []
        self._user = 0
        self._round = 0
        self._order: list[int] = []
        self._s: Any = np.zeros(1, STATE).view(np.recarray)[0]
        self._x: Any = None

    @property
    def state(self) -> State:
        """Where the user is."""
        return self._state

    def _allow(self, what: str, *states: State) -> None:
        if self._state not in states:
            allowed = " or ".join(f"`{state}`" for state in states)
            raise IllegalTransition(
                f"`{what}` is not allowed in `{self._state}`, only in {allowed}"
            )

    # MainMenu and GameConfiguration

    def new_game(self) -> None:
        """Configure a new game."""
        self._allow("new_game", State.MAIN_MENU)
        self._seating = SeatOrder()
        self._state = State.GAME_CONFIGURATION

    def back(self) -> None:
        """Return to the main menu."""
        self._allow("back", State.GAME_CONFIGURATION)
        self._state = State.MAIN_MENU

    def set_name(self, name: str) -> None:
        """Name the user."""
        self._allow("set_name", State.GAME_CONFIGURATION)
        self._seating.set_name(name)

    def add_enemy(self, name: str) -> None:
        """Add an enemy of this name."""
        self._allow("add_enemy", State.GAME_CONFIGURATION)
        self._seating.add_enemy(name)

    def random_enemies(self, count: int) -> None:
        """Ask for 0 to 5 enemies with random names; fewer come if names run out."""
        self._allow("random_enemies", State.GAME_CONFIGURATION)
        if not 0 <= count <= MOST_ENEMIES:
            raise ValueError(f"0 to {MOST_ENEMIES} random enemies, not {count}")
        self._seating.random_enemies = count

    def start(self) -> None:
        """Deal the cards, decide the turn order, begin the first round."""
        self._allow("start", State.GAME_CONFIGURATION)
        user, enemies = self._seating.names(self._random)
        self._names = [user, *enemies]
        # "The turn order of all players is decided at random when the game starts."
        self._random.shuffle(self._names)
        self._user = self._names.index(user)
        seats = [Seat(None)] * len(self._names)
        seats[self._user] = Seat(self._deck)
        game = load_game("gwen_t")
        self._x = game.fill_context(self._database, self._format, seats)[0]
        seed_generator(self._s.rng, self._seed, self._games, 0)
        self._games += 1
        set_up(self._s, self._x)
        self._begin_round()

    # Idle, CardSelection, Passed, EndOfRound

    def select_card(self) -> None:
        """Look for a card to play; without one the user has passed."""
        self._allow("select_card", State.IDLE)
        self._state = State.CARD_SELECTION if self._has_turn() else State.PASSED

    def pass_round(self) -> None:
        """Pass for the rest of the round."""
        self._allow("pass_round", State.IDLE)
        if self._has_turn():
            apply_move(self._s, self._x, pass_move(self._s, self._x))
        self._state = State.PASSED

    def play(self, card: str) -> None:
        """Play a card of the hand, by id or name; then the enemies after the user."""
        self._allow("play", State.CARD_SELECTION)
        id = self._database.find_card(card).id
        count = legal_moves(self._s, self._x)
        moves = [int(move) for move in self._x.moves[:count]]
        wanted = self._numbers.get(id or "", -1)
        chosen = [move for move in moves if move & CARD == wanted]
        if not chosen:
            raise ValueError(f"`{card}` is not in the hand")
        apply_move(self._s, self._x, chosen[0])
        self._let_play(self._order[self._order.index(self._user) + 1 :])
        self._enter_idle()

    def wait(self) -> None:
        """Let the others go on until everyone has passed."""
        self._allow("wait", State.PASSED)
        while self._is_same_round():
            self._play_at_random()
        self._state = State.END_OF_ROUND

    def finish_round(self) -> None:
        """Go on to the next round, or to the main menu if the game is over."""
        self._allow("finish_round", State.END_OF_ROUND)
        if is_over(self._s) or self._s.gems[self._user] == 0:
            self._state = State.MAIN_MENU
        else:
            self._begin_round()

    def _begin_round(self) -> None:
        self._round = int(self._s.round_no)
        self._order = self._s.order[: self._s.standing].tolist()
        self._enter_idle()

    def _enter_idle(self) -> None:
        self._state = State.IDLE
        self._let_play(self._order[: self._order.index(self._user)])

    def _let_play(self, players: list[int]) -> None:
        """Each of these enemies plays a card if it is their turn."""
        for player in players:
            if self._is_same_round() and to_move(self._s) == player:
                self._play_at_random()

    def _play_at_random(self) -> None:
        count = legal_moves(self._s, self._x)
        passing = pass_move(self._s, self._x)
        cards = [int(move) for move in self._x.moves[:count] if move != passing]
        apply_move(self._s, self._x, self._random.choice(cards))

    def _has_turn(self) -> bool:
        """Whether the user can still play: they have not passed (rules 4.3)."""
        return self._is_same_round() and not self._s.passed[self._user]

    def _is_same_round(self) -> bool:
        return not is_over(self._s) and self._s.round_no == self._round

    # What the user sees; when the last player has passed, gems and hands are those of
    # the round that follows.

    @property
    def name(self) -> str:
        """The user's name; known when a game has started."""
        return self._names[self._user]

    @property
    def players(self) -> list[str]:
        """The names of all players, in the turn order of the first round."""
        return list(self._names)

    @property
    def hand(self) -> list[str]:
        """The cards of the user's hand."""
        return self._cards(self._s.hand[self._user, : self._s.n_hand[self._user]])

    @property
    def active(self) -> list[str]:
        """The players still in this round."""
        return [name for name in self._standing if name not in self.passed]

    @property
    def passed(self) -> list[str]:
        """The players who have passed in this round."""
        names = self._standing
        return [n for n in names if self._s.passed[self._names.index(n)]]

    @property
    def defeated(self) -> list[str]:
        """The players without gems."""
        return [name for name, gems in self.gems.items() if gems == 0]

    @property
    def gems(self) -> dict[str, int]:
        """The gems of all players."""
        return self._by_name(self._s.gems)

    @property
    def round_scores(self) -> dict[str, int]:
        """The scores at the end of the last round that ended."""
        return self._by_name(self._s.score)

    @property
    def weather(self) -> str | None:
        """The weather card in effect, None before the first."""
        return self._ids[int(self._s.weather)] if self._s.weather else None

    @property
    def winner(self) -> str | None:
        """The one player left at the end of a game; None for a draw, or before."""
        winner = int(self._s.winner)
        return self._names[winner] if self._names and winner >= 0 else None

    def side(self, name: str) -> dict[str, list[tuple[str, int]]]:
        """A player's rows: each unit with the strength that it shows."""
        player, s = self._names.index(name), self._s
        rows = {}
        for row, word in enumerate(ROWS):
            count = int(s.n_row[player, row])
            shown = s.stacked[player, row, :count].tolist()
            if s.weather_row == row:
                gained = s.gained[player, row, :count].tolist()
                shown = [int(self._x.weather_strength) + more for more in gained]
            cards = self._cards(s.row[player, row, :count])
            rows[word] = list(zip(cards, shown, strict=True))
        return rows

    @property
    def _standing(self) -> list[str]:
        return [name for name, gems in self.gems.items() if gems > 0]

    def _by_name(self, values: Any) -> dict[str, int]:
        return {name: int(values[i]) for i, name in enumerate(self._names)}

    def _cards(self, numbers: Any) -> list[str]:
        return [self._ids[int(number)] for number in numbers]
