"""The second opinion: who plays games again, and how many of them."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option
from deckcheck.policies.registry import Policy, policy_cost, read_policy
from deckcheck.policies.workspace import is_learned
from deckcheck.sim import CONFIRM, NOBODY

LEARNED = "learned"

CONFIRMING = "second opinion"
"""The part of a run that the second player plays."""

# A proof, the final games of a search, is played again


SLOW_GAMES, USUAL_GAMES = 1_000, 10_000
USUAL_PART = 0.01


def confirming(
    confirm: str | None,
    games: int | None,
    fmt: Format,
    policies: Iterable[str],
    players: int = 2,
) -> str | None:
    """Who plays again what `policies` played, None for nobody.

    By default that is `learned`, where rules of thumb play and it knows the game with
    that number of players. Raises UsageError for games that nobody is to play.
    """
    player = None if confirm == NOBODY else confirm
    if confirm == CONFIRM:
        variant = load_game(fmt.game).variant_of(fmt, players)
        is_weak = all(read_policy(p).policy == Policy.HEURISTIC for p in policies)
        player = LEARNED if is_weak and is_learned(fmt.game, variant) else None
    if player is None and games is not None:
        raise nobody_confirms()
    return player


def nobody_confirms() -> UsageError:
    """The error for games that nobody is to play."""
    return UsageError(
        f"{option('confirm-games')} goes with {option('confirm')} only",
        "Name a player with it",
    )


def usual_games(policy: str, games: int) -> int:
    """How many games of each deck are enough for a proof, after `games` in all.

    They are fewer of one who thinks, and a small part of all.
    """
    if read_policy(policy).budget:
        return SLOW_GAMES
    return max(2, min(USUAL_GAMES, int(USUAL_PART * games)))


# A part of the games of a table, or of a comparison, is played again


FEWEST = 4_000
"""Below as many games in all, nobody plays again unless it is asked for."""

LEAST = 800
"""The games that a second player plays at least, a second of `learned`."""


def part_confirmed(policies: Iterable[str], confirm: str, games: int) -> float:
    """The part of `games` in all that a second player plays again, at most 1.

    It takes as long as these did, or plays `LEAST` games where that is more.
    """
    cost = max(policy_cost(policy) for policy in policies) / policy_cost(confirm)
    return min(1.0, max(cost, LEAST / games))


def sets_confirmed(sets: int, part: float) -> int:
    """How many of the first sets of a table that part is."""
    return ceil(part * sets - 1e-9)
