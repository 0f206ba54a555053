"""The policies by name and number, their strength and their cost.

The command line lists them, so this module loads no numba.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from deckcheck.engine.registry import BOLD, CAREFUL, LATEST_VERSION, SPY_AVERSE
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.policies import AUTO

# -----------------------------------------------------------------------------
# The players as numbers


class Policy(IntEnum):
    """How a seat chooses its moves, as compiled code knows it."""

    RANDOM = 0
    SANE_RANDOM = 1
    HEURISTIC = 2
    NO_PASS = 3
    SEARCH = 4
    LEARNED_1 = 5
    LEARNED_3 = 6
    LEARNED = 7


# -----------------------------------------------------------------------------
# The players by name


class Player(NamedTuple):
    """A player as users name it: `learned`, or `learned-3` for a certain version."""

    name: str
    policy: Policy
    version: int = 1
    """Grows when it plays differently."""
    heuristic: int = LATEST_VERSION
    """The version or the style of the heuristic that it uses."""
    budget: int = 0
    """How many games it may play on trial for a move, 0 where that cannot be chosen."""


PLAYERS_BY_STRENGTH = (
    Policy.RANDOM,
    Policy.SANE_RANDOM,
    Policy.NO_PASS,
    Policy.HEURISTIC,
    Policy.LEARNED_1,
    Policy.LEARNED_3,
    Policy.LEARNED,
    Policy.SEARCH,
)
"""The players, from the weakest to the strongest."""

MAX_BUDGET = 1_000_000

LATEST_PLAYERS = {
    player.name: player
    for player in (
        Player("random", Policy.RANDOM),
        Player("sane_random", Policy.SANE_RANDOM),
        Player("heuristic", Policy.HEURISTIC, version=3),
        Player("bold", Policy.HEURISTIC, heuristic=BOLD),
        Player("careful", Policy.HEURISTIC, heuristic=CAREFUL),
        Player("spy_averse", Policy.HEURISTIC, heuristic=SPY_AVERSE),
        Player("no_pass", Policy.NO_PASS),
        Player("learned", Policy.LEARNED, version=6, heuristic=2),
        Player("search", Policy.SEARCH, version=2, heuristic=2, budget=256),
    )
}
"""The latest version of each player by name, with the default of its budget."""

OLDER_PLAYERS = (
    Player("heuristic", Policy.HEURISTIC, version=2, heuristic=2),
    Player("heuristic", Policy.HEURISTIC, version=1, heuristic=1),
    Player("learned", Policy.LEARNED_3, version=3, heuristic=2),
    Player("learned", Policy.LEARNED_1, version=1, heuristic=2),
)

PLAYERS = {
    f"{player.name}-{player.version}": player
    for player in (*LATEST_PLAYERS.values(), *OLDER_PLAYERS)
}
"""All versions by name and version, as they are printed: `learned-6`."""


def policy_names() -> tuple[str, ...]:
    """Return the names of all players: the latest without a version, then all with."""
    return (*LATEST_PLAYERS, *PLAYERS)


def policy_number(text: str) -> int:
    """Return the number of a player. Raises UsageError as `read_policy` does."""
    return int(read_policy(text).policy)


def policy_version(text: str) -> int:
    """Return the version of a player. Raises UsageError as `read_policy` does."""
    return read_policy(text).version


def policy_label(text: str) -> str:
    """Return the full name of a player, which a user can type as well.

    >>> policy_label("learned")
    'learned-6'
    >>> policy_label("search")
    'search-2:256'
    """
    player = read_policy(text)
    budget = f":{player.budget}" if player.budget else ""
    return f"{player.name}-{player.version}{budget}"


def versioned_name(text: str, version: int) -> str:
    """Return the full name of a player whose version a result file gives.

    >>> versioned_name("search:64", 2)
    'search-2:64'
    """
    name, colon, budget = text.partition(":")
    return f"{name.partition('-')[0]}-{version}{colon}{budget}"


def policy_in_words(text: str, instead: str | None = None) -> str:
    """Return a player as a sentence names it, perhaps compared with `instead`.

    >>> policy_in_words("heuristic")
    '`heuristic-3`'
    >>> policy_in_words("heuristic", instead="learned")
    'the weaker bot `heuristic-3`'
    """
    name = quote(policy_label(text))
    compared = "" if instead is None else compared_strength(text, instead)
    return f"the {compared} bot {name}" if compared else name


def has_style(player: Player) -> bool:
    """Report whether a player is the heuristic in a style of its own."""
    return player.heuristic in (BOLD, CAREFUL, SPY_AVERSE)


def policy_strength(text: str) -> int:
    """Return the rank of a bot among all. A stronger bot has a higher rank."""
    return PLAYERS_BY_STRENGTH.index(read_policy(text).policy)


def is_weaker(text: str, other: str) -> bool:
    """Report whether a player is weaker than another."""
    return policy_strength(text) < policy_strength(other)


def compared_strength(text: str, other: str) -> str:
    """Return "weaker" or "stronger" for a player compared with another, or ""."""
    if is_weaker(text, other):
        return "weaker"
    return "stronger" if is_weaker(other, text) else ""


# Prices of a game in default numbers of games, in games of the heuristic. A price may
# be above the time that a game takes: `learned` was made twice as fast since.
RATING_COST = 10
VALUE_COST = 20
TRIAL_COST = 24  # for each game on trial that a move may take


def policy_cost(text: str, *, rates_moves: bool) -> int:
    """Return the price of a player's game, in games by the heuristic.

    It decides default numbers of games. `expected_time` has the measured time.
    `rates_moves` is whether `learned` rates moves here instead of trying them.
    """
    player = read_policy(text)
    if player.budget:
        return TRIAL_COST * player.budget
    if player.policy == Policy.LEARNED:
        return RATING_COST if rates_moves else VALUE_COST
    is_valued = player.policy in (Policy.LEARNED_1, Policy.LEARNED_3)
    return VALUE_COST if is_valued else 1


RATING_TIME, VALUE_TIME, TABLE_VALUE_TIME = 4.5, 8.5, 25.0


def expected_time(text: str, players: int) -> float:
    """Return how long a player's game takes, as a multiple of a game by `heuristic`.

    Measured on sample decks of Gwent, in duels or with more `players`. An empty
    `text`, for seats without a player, is as fast as `heuristic`.
    """
    if not text:
        return 1.0
    policy = read_policy(text).policy
    if policy not in (Policy.LEARNED, Policy.LEARNED_1, Policy.LEARNED_3):
        return policy_cost(text, rates_moves=True)
    if players > 2:
        return TABLE_VALUE_TIME
    return RATING_TIME if policy == Policy.LEARNED else VALUE_TIME


def find_player(name: str) -> Player | None:
    """Return the player of a name, with its version or without, or None."""
    return LATEST_PLAYERS.get(name) or PLAYERS.get(name)


def read_policy(text: str) -> Player:
    """Return the player that a user names: `learned`, `heuristic-1`, `search:64`.

    Raises UsageError for an unknown player, and for a budget that the player cannot
    have.
    """
    name, colon, budget = text.partition(":")
    player = find_player(name)
    if player is None:
        latest = (AUTO, *LATEST_PLAYERS)
        names = PLAYERS if "-" in name else latest
        raise UsageError(
            f"unknown policy {quote(name)}",
            suggestion(nearest(name, names), f"Choose {choice(latest)}"),
        )
    if colon:
        return player._replace(budget=_read_budget(name, player.budget, budget))
    return player


def _read_budget(name: str, default: int, text: str) -> int:
    """Return the budget that `text` gives to the player of this name."""
    if not default:
        raise UsageError(f"{quote(name)} has no budget", f"write {quote(name)}")
    is_number = text.isascii() and text.isdigit() and len(text) < 20
    if not is_number or not 1 <= int(text) <= MAX_BUDGET:
        raise UsageError(
            f"the budget of {quote(name)} is {quote(text)}, "
            f"must be a number from 1 to {MAX_BUDGET:,}",
            f"write how many games it may play on trial for a move: `{name}:{default}`",
        )
    return int(text)
