"""Policies by name and number (no numba)."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from deckcheck.engine.registry import BOLD, CAREFUL, LATEST, SPY_AVERSE
from deckcheck.findings import UsageError
from deckcheck.messages import choice, nearest, quote, suggestion
from deckcheck.policies import AUTO

# -----------------------------------------------------------------------------
# The players as numbers.


class Policy(IntEnum):
    """What decides a player's moves; the names users write are in `registry`."""

    RANDOM = 0
    SANE_RANDOM = 1
    HEURISTIC = 2
    NO_PASS = 3
    SEARCH = 4
    LEARNED_1 = 5
    FIRST_SEARCH = 6
    LEARNED_2 = 7
    LEARNED = 8


# -----------------------------------------------------------------------------
# The players by name; light, so that the command line can list them.


class Player(NamedTuple):
    """A player as users name it.

    `version` grows when it plays differently. `heuristic` is the version or the style
    of the heuristic it goes by. `budget` is how much it may think for a move, 0 where
    that cannot be chosen.
    """

    policy: Policy
    version: int = 1
    heuristic: int = LATEST
    budget: int = 0


STRENGTHS = (
    *(Policy.RANDOM, Policy.SANE_RANDOM, Policy.NO_PASS),
    *(Policy.HEURISTIC, Policy.LEARNED_1, Policy.LEARNED_2, Policy.LEARNED),
    *(Policy.FIRST_SEARCH, Policy.SEARCH),
)
"""The players, the stronger the later."""

LARGEST_BUDGET = 1_000_000

PLAYERS = {
    "random": Player(Policy.RANDOM),
    "sane_random": Player(Policy.SANE_RANDOM),
    "heuristic": Player(Policy.HEURISTIC, version=3),
    "heuristic-2": Player(Policy.HEURISTIC, version=2, heuristic=2),
    "heuristic-1": Player(Policy.HEURISTIC, heuristic=1),
    "bold": Player(Policy.HEURISTIC, heuristic=BOLD),
    "careful": Player(Policy.HEURISTIC, heuristic=CAREFUL),
    "spy_averse": Player(Policy.HEURISTIC, heuristic=SPY_AVERSE),
    "no_pass": Player(Policy.NO_PASS),
    "learned": Player(Policy.LEARNED, version=3, heuristic=2),
    "learned-1": Player(Policy.LEARNED_1, heuristic=2),
    "learned-2": Player(Policy.LEARNED_2, version=2, heuristic=2),
    "search": Player(Policy.SEARCH, version=2, heuristic=2, budget=256),
    "search-1": Player(Policy.FIRST_SEARCH, heuristic=2, budget=256),
}
"""By name; a player who has a budget has its default here."""


def policy_names() -> tuple[str, ...]:
    """The names of all players."""
    return tuple(PLAYERS)


def policy_number(text: str) -> int:
    """The number of a player; raises UsageError as `read_policy` does."""
    return int(read_policy(text).policy)


def policy_version(text: str) -> int:
    """The version of a player; raises UsageError as `read_policy` does."""
    return read_policy(text).version


def policy_label(text: str) -> str:
    """A player with its version, as reports name it: `heuristic 2`."""
    name, colon, budget = text.partition(":")
    return f"{name.partition('-')[0]}{colon}{budget} {policy_version(text)}"


def policy_in_words(text: str, instead: str | None = None) -> str:
    """A player as a sentence names it, perhaps compared with one `instead` of it.

    `rules of thumb`, `the stronger player `learned 1``, `the weaker rules of thumb`.
    """
    player = read_policy(text)
    compared = "" if instead is None else compared_strength(text, instead)
    if player.policy == Policy.HEURISTIC and not has_style(player):
        return f"the {compared} rules of thumb" if compared else "rules of thumb"
    name = quote(policy_label(text))
    return f"the {compared} player {name}" if compared else name


def has_style(player: Player) -> bool:
    """Whether it plays by the heuristic, in a style of its own."""
    return player.heuristic in (BOLD, CAREFUL, SPY_AVERSE)


def policy_strength(text: str) -> int:
    """The place of a player among all, in the order of their strength."""
    return STRENGTHS.index(read_policy(text).policy)


def compared_strength(text: str, other: str) -> str:
    """`stronger` or `weaker`, what a player is compared with another one, or ""."""
    difference = policy_strength(text) - policy_strength(other)
    return "stronger" if difference > 0 else "weaker" if difference else ""


def is_weaker(text: str, other: str) -> bool:
    """Whether a player is weaker than another one."""
    return compared_strength(text, other) == "weaker"


RATING_COST, VALUE_COST, TRIAL_COST = 10, 20, 24


def policy_cost(text: str, *, rates_moves: bool) -> int:
    """How long a game of a player takes, as a multiple of one by rules of thumb.

    `rates_moves` is whether `learned` rates moves where it plays, and tries none.
    Measured in duels of Gwent, see `docs/explanation/players.md`; rounded.
    """
    player = read_policy(text)
    if player.budget:
        return TRIAL_COST * player.budget
    if player.policy == Policy.LEARNED:
        return RATING_COST if rates_moves else VALUE_COST
    is_valued = player.policy in (Policy.LEARNED_1, Policy.LEARNED_2)
    return VALUE_COST if is_valued else 1


def read_policy(text: str) -> Player:
    """The player that a user names: `heuristic`, or with its budget `search:256`.

    Raises:
        UsageError: no player of that name, or a budget that it cannot have.
    """
    name, colon, budget = text.partition(":")
    if name not in PLAYERS:
        names = (AUTO, *policy_names())
        latest = [known for known in names if "-" not in known]
        raise UsageError(
            f"unknown policy {quote(name)}",
            suggestion(nearest(name, names), f"Choose {choice(latest)}"),
        )
    player = PLAYERS[name]
    return player._replace(budget=_read_budget(name, budget)) if colon else player


def _read_budget(name: str, text: str) -> int:
    default = PLAYERS[name].budget
    if not default:
        raise UsageError(f"{quote(name)} has no budget", f"write {quote(name)}")
    is_number = text.isascii() and text.isdigit() and len(text) < 20
    if not is_number or not 1 <= int(text) <= LARGEST_BUDGET:
        raise UsageError(
            f"the budget of {quote(name)} is {quote(text)}, "
            f"must be a number from 1 to {LARGEST_BUDGET:,}",
            f"write how many games it may play on trial for a move: `{name}:{default}`",
        )
    return int(text)
