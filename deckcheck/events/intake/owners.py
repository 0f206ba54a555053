"""Whose a list is, by all that it says of itself, and nothing by chance."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from deckcheck.cards.names import normalise
from deckcheck.events.intake.pieces import Hint
from deckcheck.events.names import agrees
from deckcheck.findings.words import quote


class Owner(NamedTuple):
    """The player of a list, and by what; without a player, why there is none."""

    player: str | None
    reason: str


def owner_of(hints: Iterable[Hint], players: Sequence[str]) -> Owner:
    """The only player whom the hints name.

    Words may stand in any order, and some may be missing or more. A hint that fits
    several players says nothing; two hints that name two players leave it open.
    """
    named: dict[str, list[str]] = {}
    for hint in hints:
        player = _named(hint.text, players)
        if player is not None:
            named.setdefault(player, []).append(hint.by)
    if len(named) == 1:
        [(player, reasons)] = named.items()
        return Owner(player, f"by {_joined(reasons)}")
    if not named:
        return Owner(None, "nothing in it names a registered player")
    said = (f"{quote(name)} by {_joined(by)}" for name, by in named.items())
    return Owner(None, f"it may be of {', or '.join(said)}")


def _joined(reasons: Iterable[str]) -> str:
    """`the file name and the sender`."""
    return " and ".join(dict.fromkeys(reasons))


def _named(text: str, players: Sequence[str]) -> str | None:
    key = normalise(text)
    if not key:
        return None
    exact = [name for name in players if normalise(name) == key]
    near = exact or [name for name in players if agrees(text, name)]
    return near[0] if len(near) == 1 else None
