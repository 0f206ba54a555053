"""The interface of a game with scenarios, its errors, and the games by id."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from importlib import import_module
from typing import Any, Protocol, TypeAlias, cast

from deckcheck.cards import CardDatabase
from deckcheck.documents.model import Location
from deckcheck.engine.cache import leave_uncompiled
from deckcheck.engine.registry import GAMES, unknown_game
from deckcheck.findings import Span, UsageError
from deckcheck.formats import Format
from deckcheck.messages import join_helps
from deckcheck.scenarios.models import NO_ANSWER, Scenario

# Faults of a scenario file, and reasons why a move is refused


@dataclass(frozen=True, slots=True)
class ScenarioFault:
    """A defect at a place of a scenario file."""

    path: str
    span: Span
    message: str
    help: str | None = None
    """The remedy, if one is known."""

    def __str__(self) -> str:
        start = self.span.start
        return f"{self.path}:{start.line}:{start.column}: {self.message}"


class ScenarioError(UsageError):
    """Missing or wrong scenario files, with a line for each fault."""

    def __init__(self, faults: Sequence[ScenarioFault]) -> None:
        self.faults = tuple(faults)
        helps = (fault.help for fault in faults)
        super().__init__("\n".join(map(str, faults)), join_helps(helps))


class BadPosition(ValueError):
    """A scenario that reads well but cannot be set up or played.

    `location` leads to the value in the file.
    """

    def __init__(
        self, location: Location, message: str, help: str | None = None
    ) -> None:
        super().__init__(message)
        self.location = location
        self.message = message
        self.help = help


class Refused(BadPosition):
    """A move or a choice that the rules forbid, with the `reason` if it is known."""

    def __init__(
        self,
        location: Location,
        what: str,
        reason: str | None,
        help: str | None = None,
    ) -> None:
        super().__init__(location, f"{what}: {reason}" if reason else what, help)
        self.reason = reason


class Unclear(BadPosition):
    """A move that leaves something open: a row, a choice, the outcome of chance."""


# The contract of a game whose scenarios can be played


Words: TypeAlias = Mapping[str, str]
"""The words of a move by `card`, `row` and `player`: ids, and names of players."""


class ChanceFault(IntEnum):
    """A defect of the scripted answers to random picks, as the engine notes it.

    It does so in `script_error` of its records.
    """

    MISSING = 1
    IMPOSSIBLE = 2


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move in words."""

    code: int
    """The number of the move in the engine."""
    verb: str
    """The action, for example `play`."""
    words: Words
    """The things that it names by id, with keys such as `card` and `row`."""
    text: str
    """The move as messages show it."""

    def fits(self, verb: str, words: Words) -> bool:
        """Report whether a file means this move, which has all words of the file."""
        return verb == self.verb and words.items() <= self.words.items()


@dataclass(frozen=True, slots=True)
class Question:
    """The question of a random pick that lacks a right answer."""

    text: str
    """A clause for after "chance decides": `which unit A's medic brings back`."""
    cards: tuple[str, ...]
    """The ids of the possible answers."""
    names: tuple[str, ...]
    """The names of the possible answers."""


@dataclass(frozen=True, slots=True)
class ScenarioAction:
    """An action of a player without moves, or the end of a round."""

    text: str
    words: Mapping[str, str]
    """The things by id, with keys such as `card`, or the totals of a round."""

    @property
    def ends_round(self) -> bool:
        """Whether the round ended with it."""
        return not self.words.keys().isdisjoint(("A", "B"))


class GamePosition(ABC):
    """A position of a scenario or a replay, in which moves are made.

    Chance decides nothing in it after the set-up, unless a game has random picks.
    """

    players: tuple[str, ...]
    """The players in order of play."""

    sides: tuple[str, ...]
    """The sides of the board: teams, or the players themselves."""

    @property
    @abstractmethod
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""

    @property
    def open_choice(self) -> str | None:
        """The choice that the player to move has to make first, or None.

        It is a clause for after "A has to choose": `the unit that returns`.
        """
        return None

    def settle(self, verb: str, player: str) -> None:
        """Make the moves that a file leaves out before `player` makes a `verb`."""
        return

    @abstractmethod
    def legal_moves(self) -> list[LegalMove]:
        """Return the legal moves of the player to move, including choices."""

    @abstractmethod
    def in_words(self, move: int) -> LegalMove:
        """Return a move of the player to move, by its number in the engine."""

    @abstractmethod
    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""

    @abstractmethod
    def phrase(self, verb: str, words: Words) -> str:
        """Return a move as messages show it: `play Ves in the close row`."""

    @abstractmethod
    def get_card_name(self, id: str) -> str:
        """Return the name of a card, or of a leader on the board."""

    @abstractmethod
    def why_not(self, verb: str, words: Words) -> str | None:
        """Return why no legal move matches `verb` and `words`, None without a reason.

        A legal move matches `words` without the last of them, unless no move with this
        verb is legal.
        """

    def idle_reason(self, player: str) -> str | None:
        """Return the reason why a player cannot move, if it is more than the turn."""
        return None

    @abstractmethod
    def save(self) -> Any:
        """Return the data from which `restore` restores this position."""

    @abstractmethod
    def restore(self, saved: Any) -> None:
        """Return to a saved position."""

    def script(self, answers: Sequence[str]) -> None:
        """Answer random picks by these cards, in order."""
        return

    @property
    def answers_used(self) -> int:
        """The number of answers of the script that were used."""
        return 0

    @property
    def chance_fault(self) -> ChanceFault | None:
        """The defect of the script, if it has one."""
        return None

    @property
    def question(self) -> Question | None:
        """The question of the pick whose answer is missing or wrong, if it is known."""
        return None

    def actions(self) -> list[ScenarioAction]:
        """Return the actions of the game's own player since the last call."""
        return []

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Return everything that `expect` may state, by its keys."""

    def brief_facts(self) -> dict[str, Any]:
        """Return the facts by which whole games are observed, or all of them."""
        return self.facts()

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the position for the JSON output."""

    @abstractmethod
    def lines(self) -> list[str]:
        """Return the position as lines of text."""


class Adapter(Protocol):
    """The module of a game that translates between files and its engine."""

    SCENARIO: type[Scenario]

    def set_up(
        self, scenario: Any, database: CardDatabase, fmt: Format, /
    ) -> GamePosition:
        """Set up the position of a file. Raises BadPosition if it is impossible."""

    def make_position(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        fmt: Format,
        leaders: Sequence[str | None],
        /,
    ) -> GamePosition:
        """Return the position in the engine's records, which are arrays of length 1.

        `leaders` are the ids of the leaders by seat, None for a seat without a leader.
        """


# Why a move is refused: every reason follows from the list of the legal moves


CHOOSE_VERB = "choose"

REASONS_WITHOUT_WORD = {
    # a word that no legal move with the words before it has
    "row": "it is played in no row",
    "player": "it is played on no side",
}


def refusal_reason(position: GamePosition, player: str, verb: str, words: Words) -> str:
    """Return the reason why a move of `player`, known to be illegal, is refused."""
    if position.turn is None:
        return "the game is over"
    if position.open_choice is not None and (
        verb != CHOOSE_VERB or player != position.turn
    ):
        return f"first {position.turn} has to choose {position.open_choice}"
    if player != position.turn:
        return position.idle_reason(player) or f"it is the turn of {position.turn}"
    if verb == CHOOSE_VERB and position.open_choice is None:
        return "there is nothing left to choose"
    claim, fitting = _find_claim(position.legal_moves(), verb, words)
    return position.why_not(verb, claim) or _list_allowed_words(
        position, verb, claim, fitting
    )


def find_reason(*reasons: tuple[object, str]) -> str | None:
    """Return the sentence of the first condition that holds."""
    return next((sentence for holds, sentence in reasons if holds), None)


def _find_claim(
    legal: Sequence[LegalMove], verb: str, words: Words
) -> tuple[Words, list[LegalMove]]:
    """Return the first words that fit no legal move, and the last fitting moves."""
    claim: dict[str, str] = {}
    fitting = [move for move in legal if move.verb == verb]
    for key, word in words.items():
        claim[key] = word
        narrowed = [move for move in fitting if move.words.get(key) == word]
        if not narrowed:
            break
        fitting = narrowed
    return claim, fitting


def _list_allowed_words(
    position: GamePosition, verb: str, claim: Words, fitting: Sequence[LegalMove]
) -> str:
    """Return a sentence with the possible words in place of the last of `claim`."""
    if not fitting or not claim:
        return "it is none of the legal moves"
    key, word = list(claim.items())[-1]
    if word == NO_ANSWER:
        return "something has to be chosen"
    words = dict.fromkeys(move.words[key] for move in fitting if key in move.words)
    if not words:
        if verb != CHOOSE_VERB:
            return REASONS_WITHOUT_WORD[key]
        asked = next(iter(fitting[0].words))
        return f"a {asked} is to be chosen"
    names = [answer_in_words(position, {key: word}) for word in words]
    return f"it can only be {either(names)}"


def answer_in_words(position: GamePosition, words: Words) -> str:
    """Return the answer to a question as messages show it."""
    return position.phrase(CHOOSE_VERB, words).removeprefix(f"{CHOOSE_VERB} ")


def either(names: Sequence[str]) -> str:
    """Join names: `A, B or C`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# Running the engine as plain Python, where compiling takes longer than playing


ENGINE_MODULE = "deckcheck.engine.jit"


def play_uncompiled() -> None:
    """Leave the engine of this process uncompiled. It plays the same games.

    Raises UsageError if this process has the compiled engine already.
    """
    if ENGINE_MODULE not in sys.modules:
        leave_uncompiled()
    elif sys.modules[ENGINE_MODULE].compiled:
        raise UsageError(
            "scenarios are played by the engine uncompiled, here it is compiled",
            "Play them in a process of their own, or set NUMBA_DISABLE_JIT=1",
        )


# The adapters, imported when first asked for: a file here for each game of the engine


def load_adapter(game: str) -> Adapter:
    """Return the adapter of `game`, for an uncompiled engine.

    Raises EngineError for a game that the engine does not play, and UsageError as
    `play_uncompiled` does.
    """
    if game not in GAMES:
        raise unknown_game(game)
    play_uncompiled()
    return cast(Adapter, import_module(f"{__package__}.{game}"))
