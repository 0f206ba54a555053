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
from deckcheck.scenarios.models import NOTHING, Scenario

# Faults of a scenario file, and reasons why a move is refused


@dataclass(frozen=True, slots=True)
class ScenarioFault:
    """Something wrong at one place of a scenario file; `help` is the remedy or None."""

    path: str
    span: Span
    message: str
    help: str | None = None

    def __str__(self) -> str:
        start = self.span.start
        return f"{self.path}:{start.line}:{start.column}: {self.message}"


class ScenarioError(UsageError):
    """Scenario files that are missing or wrong; one line for each fault."""

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
    """A move or a choice that the rules forbid; `reason` says why, if it is known."""

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
"""What a move speaks of, by `card`, `row`, `player`: ids, and names of players."""


class ChanceFault(IntEnum):
    """A defect of the scripted answers to random picks, as the engine notes it.

    It does so in `script_error` of its records.
    """

    MISSING = 1
    IMPOSSIBLE = 2


@dataclass(frozen=True, slots=True)
class LegalMove:
    """One legal move in words: a verb (`play`) and what it speaks of by id.

    `words` has keys such as `card` and `row`; a move of a file fits if all that it
    names is there. `text` is the move as messages show it, `code` the engine's number.
    """

    code: int
    verb: str
    words: Words
    text: str

    def fits(self, verb: str, words: Words) -> bool:
        """Whether this is what a file means by `verb` and `words`."""
        return verb == self.verb and words.items() <= self.words.items()


@dataclass(frozen=True, slots=True)
class Question:
    """The question of a random pick without a right answer, and the possible answers.

    `text` goes on after "chance decides": `which unit A's medic brings back`.
    """

    text: str
    cards: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ScenarioAction:
    """An action of a player without moves of its own: in words, and its things by id.

    `words` has keys such as `card`, `leader` and `row`, or the totals at the end of a
    round, which is an action as well.
    """

    text: str
    words: Mapping[str, str]

    @property
    def ends_round(self) -> bool:
        """Whether the round ended with it."""
        return not self.words.keys().isdisjoint(("A", "B"))


class GamePosition(ABC):
    """A position of a game in which moves are made, of a scenario or of a replay.

    Chance decides nothing in it once it is laid out, unless a game says otherwise.
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
        """What the player to move must choose before anything else, None for nothing.

        It goes on after "A has to choose": `the unit that returns`.
        """
        return None

    def settle(self, verb: str, player: str) -> None:
        """Make the moves that a file leaves out before `player` makes a `verb`."""
        return

    @abstractmethod
    def legal_moves(self) -> list[LegalMove]:
        """The legal moves of the player to move, choices included."""

    @abstractmethod
    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number in the engine."""

    @abstractmethod
    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""

    @abstractmethod
    def phrase(self, verb: str, words: Words) -> str:
        """A move as messages show it: `play Ves in the close row`."""

    @abstractmethod
    def name_of(self, id: str) -> str:
        """The name of a card, or of a leader that lies where cards lie."""

    @abstractmethod
    def why_not(self, verb: str, words: Words) -> str | None:
        """Why no legal move is a `verb` with these words, if there is a plain reason.

        Without the last one of `words` a legal move would fit, or there is no legal
        `verb` at all; see this module.
        """

    def idle_reason(self, player: str) -> str | None:
        """Why a player who is not to move makes no move, if not for the turn alone."""
        return None

    @abstractmethod
    def save(self) -> Any:
        """What `restore` needs to come back to this position."""

    @abstractmethod
    def restore(self, saved: Any) -> None:
        """Come back to a saved position."""

    def script(self, answers: Sequence[str]) -> None:
        """Let random picks be answered by these cards, in order."""
        return

    @property
    def answers_used(self) -> int:
        """How many answers of the script were used."""
        return 0

    @property
    def chance_fault(self) -> ChanceFault | None:
        """What was wrong with the script, if anything."""
        return None

    @property
    def question(self) -> Question | None:
        """What the pick decides whose answer is missing or wrong, if that is known."""
        return None

    def actions(self) -> list[ScenarioAction]:
        """What the game's own player has done since this was last asked."""
        return []

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""

    @abstractmethod
    def lines(self) -> list[str]:
        """The position as text."""


class Adapter(Protocol):
    """The module of a game that translates between files and its engine."""

    SCENARIO: type[Scenario]

    def set_up(
        self, scenario: Any, database: CardDatabase, fmt: Format, /
    ) -> GamePosition:
        """The position of a file; raises BadPosition where it makes no sense."""

    def position_of(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        fmt: Format,
        leaders: Sequence[str | None],
        /,
    ) -> GamePosition:
        """The position in the engine's records, in arrays of length 1.

        `leaders` are those of the seats by id, None for a seat without one.
        """


# Why a move is refused: whatever is said follows from the list of the legal moves


CHOOSE = "choose"

WITHOUT = {
    # a word that no legal move with the words before it has
    "row": "it is played in no row",
    "player": "it is played on no side",
}


def refusal_reason(position: GamePosition, player: str, verb: str, words: Words) -> str:
    """Why `player` cannot do this, which is known to be none of the legal moves."""
    if position.turn is None:
        return "the game is over"
    if position.open_choice is not None and (verb != CHOOSE or player != position.turn):
        return f"first {position.turn} has to choose {position.open_choice}"
    if player != position.turn:
        return position.idle_reason(player) or f"it is the turn of {position.turn}"
    if verb == CHOOSE and position.open_choice is None:
        return "there is nothing left to choose"
    claim, fitting = _claim(position.legal_moves(), verb, words)
    return position.why_not(verb, claim) or _only(position, verb, claim, fitting)


def first_of(*reasons: tuple[object, str]) -> str | None:
    """The first reason that holds: each is a condition and its sentence."""
    return next((sentence for holds, sentence in reasons if holds), None)


def _claim(
    legal: Sequence[LegalMove], verb: str, words: Words
) -> tuple[Words, list[LegalMove]]:
    """The first words that no legal move has all of, and what fits all but the last."""
    claim: dict[str, str] = {}
    fitting = [move for move in legal if move.verb == verb]
    for key, word in words.items():
        claim[key] = word
        narrowed = [move for move in fitting if move.words.get(key) == word]
        if not narrowed:
            break
        fitting = narrowed
    return claim, fitting


def _only(
    position: GamePosition, verb: str, claim: Words, fitting: Sequence[LegalMove]
) -> str:
    """What the last word of `claim` would have to be, from the moves that fit."""
    if not fitting or not claim:
        return "it is none of the legal moves"
    key, word = list(claim.items())[-1]
    if word == NOTHING:
        return "something has to be chosen"
    words = dict.fromkeys(move.words[key] for move in fitting if key in move.words)
    if not words:
        asked = next(iter(fitting[0].words))
        return f"a {asked} is to be chosen" if verb == CHOOSE else WITHOUT[key]
    names = [answer_in_words(position, {key: word}) for word in words]
    return f"it can only be {either(names)}"


def answer_in_words(position: GamePosition, words: Words) -> str:
    """The answer to a question as messages show it."""
    return position.phrase(CHOOSE, words).removeprefix(f"{CHOOSE} ")


def either(names: Sequence[str]) -> str:
    """`A, B or C`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


# Running the engine as plain Python, where compiling takes longer than playing


ENGINE = "deckcheck.engine.jit"


def play_uncompiled() -> None:
    """Let the engine of this process run uncompiled; it plays the same games.

    Raises UsageError if this process has the compiled engine already.
    """
    if ENGINE not in sys.modules:
        leave_uncompiled()
    elif sys.modules[ENGINE].compiled:
        raise UsageError(
            "scenarios are played by the engine uncompiled, here it is compiled",
            "Play them in a process of their own, or set NUMBA_DISABLE_JIT=1",
        )


# The adapters, imported when first asked for: a file here for each game of the engine


def load_adapter(game: str) -> Adapter:
    """The adapter of `game`, for an engine that is not compiled.

    Raises EngineError for a game that the engine does not play, and UsageError as
    `play_uncompiled` does.
    """
    if game not in GAMES:
        raise unknown_game(game)
    play_uncompiled()
    return cast(Adapter, import_module(f"{__package__}.{game}"))
