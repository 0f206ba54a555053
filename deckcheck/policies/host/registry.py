"""The players by name; light, so that the command line can list them."""

from __future__ import annotations

from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import nearest, quote
from deckcheck.policies.codes import Policy

__all__ = ["DEFAULT_POLICY", "policy_names", "policy_number"]


DEFAULT_POLICY = "heuristic"


def policy_names() -> tuple[str, ...]:
    """The names of all players."""
    return tuple(policy.name.lower() for policy in Policy)


def policy_number(name: str) -> int:
    """The number of a player.

    Raises:
        UsageError: no player of that name.
    """
    if name not in policy_names():
        close = nearest(name, policy_names())
        raise UsageError(
            f"unknown policy {quote(name)}",
            f"did you mean `{close[0]}`?"
            if close
            else f"choose one of {', '.join(policy_names())}",
        )
    return int(Policy[name.upper()])
