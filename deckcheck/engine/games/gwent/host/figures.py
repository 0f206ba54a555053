"""The figures that heuristic players go by, by version; `state.FIGURES` says which.

They were found by play: against `sane_random` and against earlier versions, with all
sample decks on both sides.
"""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.engine.host.seat import LATEST
from deckcheck.engine.types import Context, Player

__all__ = ["FIRST", "figures_of", "fill_figures"]

FIRST: Mapping[str, int] = {
    "gain_weight": 4,
    "worth_weight": 10,
    "card": 6,
    "medic": 7,
    "horn_unit": 10,
    "scorch_unit": 6,
    "morale": 3,
    "berserker": 3,
    "horn": 13,
    "scorch": 10,
    "decoy": 7,
    "mardroeme": 9,
    "clear": 6,
    "weather": 8,
    "leader": 8,
    "second_revival": 5,
    "bond_copy": 14,
    "little": 1,
    "reach": 21,
    "first_lead": 23,
    "card_edge": 11,
    "second_lead": 13,
    "hopeless": 33,
    "fair_price": 14,
    "chase": 18,
}

VERSIONS = {1: FIRST, LATEST: FIRST}


def figures_of(version: int) -> Mapping[str, int]:
    """The figures of a version of `heuristic`, today's for `LATEST`."""
    return VERSIONS[version]


def fill_figures(x: Context, player: Player, figures: Mapping[str, int]) -> None:
    """Let the heuristic of a seat go by `figures`, which names all of them."""
    row = x.figures[player]
    for name in row.dtype.names:
        row[name] = figures[name]
