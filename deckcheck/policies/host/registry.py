"""The players by name; light, so that the command line can list them."""

from __future__ import annotations

from typing import NamedTuple

from deckcheck.engine.host.seat import LATEST
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import nearest, quote
from deckcheck.policies.codes import Policy

__all__ = [
    "DEFAULT_POLICY",
    "heuristic_version",
    "policy_label",
    "policy_names",
    "policy_number",
    "policy_version",
]


class Named(NamedTuple):
    """A player as users name it.

    `version` grows when it plays differently. `heuristic` is the version of the
    heuristic it goes by.
    """

    policy: Policy
    version: int = 1
    heuristic: int = LATEST


DEFAULT_POLICY = "heuristic"

PLAYERS = {
    "random": Named(Policy.RANDOM),
    "sane_random": Named(Policy.SANE_RANDOM),
    "heuristic": Named(Policy.HEURISTIC, version=2),
    "heuristic-1": Named(Policy.HEURISTIC, heuristic=1),
    "no_pass": Named(Policy.NO_PASS),
}


def policy_names() -> tuple[str, ...]:
    """The names of all players."""
    return tuple(PLAYERS)


def policy_number(name: str) -> int:
    """The number of a player.

    Raises:
        UsageError: no player of that name.
    """
    return int(named(name).policy)


def policy_version(name: str) -> int:
    """The version of a player; raises UsageError where there is none of that name."""
    return named(name).version


def policy_label(name: str) -> str:
    """A player with its version, as reports name it: `heuristic 2`."""
    return f"{name.partition('-')[0]} {policy_version(name)}"


def heuristic_version(name: str) -> int:
    """The version of the heuristic that a player goes by, `LATEST` for today's."""
    return named(name).heuristic


def named(name: str) -> Named:
    """The player of that name; raises UsageError if there is none."""
    if name not in PLAYERS:
        close = nearest(name, policy_names())
        raise UsageError(
            f"unknown policy {quote(name)}",
            f"did you mean `{close[0]}`?"
            if close
            else f"choose one of {', '.join(policy_names())}",
        )
    return PLAYERS[name]
