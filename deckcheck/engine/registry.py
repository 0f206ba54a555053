"""What all games of the engine share in Python: errors, seats, checks, and their list.

It does not load numba.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from deckcheck.cards.models import GameOption
from deckcheck.findings import UsageError

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase


# -----------------------------------------------------------------------------
# Errors between data and engine


class EngineError(UsageError):
    """The engine cannot play something in the data, which the message names."""


class CrashedGame(Exception):
    """A game could not be played to its end: a defect of the engine, never a draw.

    The message names seed, pairing and pair, which replay it. `index` is the game's
    place in the list of games to play.
    """

    def __init__(self, message: str, index: int = 0) -> None:
        super().__init__(message, index)
        self.message = message
        self.index = index

    def __str__(self) -> str:
        return self.message


class GameDoesNotEnd(Exception):
    """A game made more moves than any game can. Raised inside compiled code."""


class UnplayedCode(Exception):
    """No function plays a code, which is a defect. Raised inside compiled code."""


# -----------------------------------------------------------------------------
# The participants of a game, for `fill_context`

LATEST_VERSION = 0
"""The heuristic of today; 1 and so on are its earlier versions."""
BOLD, CAREFUL, SPY_AVERSE = -1, -2, -3
"""The styles in which the heuristic of today plays, besides its own."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A deck and its player, or an automa.

    Games without factions, leaders, reserves, an automa or styles ignore these fields.
    """

    cards: Mapping[str, int] | None
    """The cards of the deck by id, or None for a new random deck in every game."""
    policy: int = 0
    """The number of the player."""
    faction: str | None = None
    leader: str | None = None
    is_automa: bool = False
    reserves: Mapping[str, int] | None = None
    """The reserve cards by id, or None where the deck lists none."""
    heuristic: int = LATEST_VERSION
    """The version or style of the heuristic, for players that use it."""
    budget: int = 0
    """How much the player may think."""

    def __hash__(self) -> int:
        # Mappings cannot be hashed. Fields that seldom differ are left out.
        cards = None if self.cards is None else frozenset(self.cards.items())
        return hash((cards, self.policy, self.faction, self.leader, self.heuristic))


def card_numbers(database: CardDatabase) -> dict[str, int]:
    """Return the number of each card: its position in the database, from 1."""
    return {card: index for index, card in enumerate(database.cards, 1)}


def number_cards(
    seat: Seat, numbers: Mapping[str, int], largest: int, game: str
) -> list[int]:
    """Return the card numbers of a seat's deck, sorted for a unique order.

    Raises EngineError if the deck is random, which the game called `game` never deals,
    or has more than the `largest` number of cards that its engine plays.
    """
    if seat.cards is None:
        raise EngineError(
            f"the {game} engine deals no random decks",
            "Name decks to play with; `deckcheck generate` writes random ones",
        )
    cards = sorted(numbers[card] for card in Counter(seat.cards).elements())
    if len(cards) > largest:
        raise EngineError(
            f"a deck of {len(cards)} cards is too large for the engine, "
            f"which plays up to {largest}"
        )
    return cards


# -----------------------------------------------------------------------------
# Checks that an engine plays all words of the data, so that no card is played blank


def check_words(
    game: str, noun: str, codes: type[IntEnum], words: Iterable[str]
) -> None:
    """Refuse words other than the members of `codes`, whose names are in upper case.

    Raises EngineError if the engine of the game called `game` does not know a word,
    which the message calls a `noun`.
    """
    for word in words:
        if word.upper() not in codes.__members__:
            raise EngineError(f"the {game} engine does not know the {noun} `{word}`")


def check_options(
    game: str,
    options: Iterable[GameOption],
    numbers: Collection[str],
    choices: Mapping[str, Collection[object]],
) -> None:
    """Refuse options, and values of options, that would be played as the default.

    `numbers` are the numeric options. `choices` has the values of the others that
    change something. The default, their first value, may be left out.

    Raises EngineError if the engine of the game called `game` does not know an option.
    """
    for option in options:
        values = choices.get(option.name)
        if values is None and option.name not in numbers:
            message = f"the {game} engine does not know the option `{option.name}`"
            raise EngineError(message)
        for value in option.values[1:]:
            if values is None or value not in values:
                word = str(value).lower() if isinstance(value, bool) else value
                raise EngineError(
                    f"the {game} engine does not know `{word}` as a value of "
                    f"`{option.name}`"
                )


Flags: TypeAlias = Mapping[str, Mapping[str | bool, str]]
"""The field of the context for each value of an option but the default."""


def option_fields(numbers: Iterable[str], flags: Flags) -> list[str]:
    """Return the fields of a context that `fill_options` sets."""
    names = list(numbers)
    for fields in flags.values():
        names += fields.values()
    return names


def fill_options(
    x: Any, options: Mapping[str, object], numbers: Iterable[str], flags: Flags
) -> None:
    """Set the fields of the context `x` by the options of a format.

    An option of `numbers` has a field of its own name. For the others, `flags` has a
    field for each value except the default, which becomes 1 if the value is set.
    Options for another way to play, which the format lacks, leave 0.
    """
    for option in numbers:
        x[option] = options.get(option, 0)
    for option, fields in flags.items():
        for value, field in fields.items():
            x[field] = int(options.get(option) == value)


Carried: TypeAlias = Callable[..., Any] | Collection[Any]
"""What carries a code out: a function with a branch for it, or a table that has it."""
CarriedOut: TypeAlias = Mapping[type[IntEnum], Mapping[Any, Carried]]
"""All that cards, leaders and factions may do in one way to play, by their codes."""


def check_carried_out(way: str, carried_out: CarriedOut) -> None:
    """Refuse a code that would be played as a blank card. 0 is no code.

    Raises ImportError for a code that nothing carries out in this way to play.
    """
    for codes, carriers in carried_out.items():
        for code in filter(None, codes):
            if code not in carriers:
                raise ImportError(
                    f"{way}: nothing carries out `{codes.__name__}.{code.name}`"
                )
            if not _has_branch(carriers[code], code):
                raise ImportError(
                    f"{way}: {carriers[code]} has no branch for `{code.name}`"
                )


def _has_branch(carrier: Carried, code: IntEnum) -> bool:
    """Report whether the bytecode of a function names the code, or a table has it.

    A branch for the code cannot be told from any other mention.
    """
    if isinstance(carrier, Collection):
        return code in carrier
    body = getattr(carrier, "py_func", carrier).__code__
    return code.name in body.co_names or code.name.lower() in body.co_consts


# -----------------------------------------------------------------------------
# The games the engine plays, by id. A game is imported on its first use.

GAMES = {
    "deckmaster": "deckcheck.engine.deckmaster.game",
    "gwen_t": "deckcheck.engine.gwen_t.game",
    "gwent": "deckcheck.engine.gwent.game",
    "sg_gwint": "deckcheck.engine.sg_gwint.game",
}


@cache
def load_game(game: str) -> Any:
    """Return the module of `game` that implements the contract.

    Raises EngineError for a game that the engine does not play.
    """
    if game not in GAMES:
        raise unknown_game(game)
    return import_module(GAMES[game])


def unknown_game(game: str) -> EngineError:
    """Return the error for a game outside `GAMES`."""
    return EngineError(
        f"the engine does not play `{game}`", f"it plays {', '.join(GAMES)}"
    )


def coin_decides(game: str, context: Any) -> bool:
    """Report whether the coin decides anything in games for two.

    The game has a function of this name if the coin may decide nothing.
    """
    module = _module_with_coin(game)
    return module is None or bool(module.coin_decides(context))


def coin_decides_between(
    game: str, database: CardDatabase, factions: Sequence[str | None]
) -> bool:
    """Report whether the coin decides anything between two factions."""
    module = _module_with_coin(game)
    return module is None or bool(module.coin_decides_between(database, factions))


@cache
def _module_with_coin(game: str) -> Any:
    """Return the game's module if it has functions for the coin, else None."""
    module = load_game(game)
    return module if hasattr(module, "coin_decides") else None
