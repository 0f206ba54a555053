"""The contract of a game whose scenarios can be played.

The adapter of a game is a module with `SCENARIO`, its model of the file, and what
`Adapter` lists: a position comes from a file, or from a game that is played.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol, TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.formats import Format
from deckcheck.scenarios.models import Scenario

__all__ = [
    "Adapter",
    "ChanceFault",
    "Deed",
    "LegalMove",
    "Position",
    "Question",
    "Words",
]

Words: TypeAlias = Mapping[str, str]
"""What a move speaks of, by `card`, `row`, `player`: ids, and names of players."""


class ChanceFault(StrEnum):
    """What is wrong with the scripted answers to random picks."""

    MISSING = "missing"
    IMPOSSIBLE = "impossible"


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
    """What a random pick without a right answer decides, and what it could be.

    `text` goes on after "chance decides": `which unit A's medic brings back`.
    """

    text: str
    cards: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Deed:
    """What a player without moves of its own did: words, and what they speak of by id.

    `words` has keys such as `card`, `leader` and `row`, or the totals at the end of a
    round, which is a deed as well.
    """

    text: str
    words: Mapping[str, str]

    @property
    def ends_round(self) -> bool:
        """Whether the round ended with it."""
        return not self.words.keys().isdisjoint(("A", "B"))


class Position(Protocol):
    """A position of a game in which moves are made, of a scenario or of a replay."""

    @property
    def players(self) -> tuple[str, ...]:
        """The players in order of play."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides of the board: teams, or the players themselves."""

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""

    @property
    def open_choice(self) -> str | None:
        """What the player to move must choose before anything else, None for nothing.

        It goes on after "A has to choose": `the unit that returns`.
        """

    def settle(self, verb: str, player: str) -> None:
        """Make the moves that a file leaves out before `player` makes a `verb`."""

    def legal_moves(self) -> list[LegalMove]:
        """The legal moves of the player to move, choices included."""

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number in the engine."""

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""

    def phrase(self, verb: str, words: Words) -> str:
        """A move as messages show it: `play Ves in the close row`."""

    def why_not(self, verb: str, words: Words) -> str | None:
        """Why no legal move is a `verb` with these words, if there is a plain reason.

        Without the last one of `words` a legal move would fit, or there is no legal
        `verb` at all; see `scenarios.refusing`.
        """

    def idle_reason(self, player: str) -> str | None:
        """Why a player who is not to move makes no move, if not for the turn alone."""

    def save(self) -> Any:
        """What `restore` needs to come back to this position."""

    def restore(self, saved: Any) -> None:
        """Come back to a saved position."""

    def script(self, answers: Sequence[str]) -> None:
        """Let random picks be answered by these cards, in order."""

    @property
    def answers_used(self) -> int:
        """How many answers of the script were used."""

    @property
    def chance_fault(self) -> ChanceFault | None:
        """What was wrong with the script, if anything."""

    @property
    def question(self) -> Question | None:
        """What the pick decides whose answer is missing or wrong, if that is known."""

    def deeds(self) -> list[Deed]:
        """What the game's own player has done since this was last asked."""

    def facts(self) -> Mapping[str, Any]:
        """Everything that `expect` may state, with its keys."""

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""

    def lines(self) -> list[str]:
        """The position as text."""


class Adapter(Protocol):
    """The module of a game that translates between files and its engine."""

    SCENARIO: type[Scenario]

    def set_up(self, scenario: Any, database: CardDatabase, fmt: Format, /) -> Position:
        """The position of a file; raises BadPosition where it makes no sense."""

    def position_of(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        fmt: Format,
        leaders: Sequence[str | None],
        /,
    ) -> Position:
        """The position in the engine's records, in arrays of length 1.

        `leaders` are those of the seats by id, None for a seat without one.
        """
