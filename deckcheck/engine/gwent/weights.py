"""Gwent: the figures of each version of the heuristic, by which it weighs moves.

The meaning and the unit of each figure are in `state.FIGURES_TYPE`. The figures were
found by play: the first version against `sane_random` and earlier versions, with all
sample decks on both sides, the second by `tools/tuning` in duels. The player of solo
uses the first version and some figures of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from deckcheck.engine.gwent.state import FIGURES_TYPE, GEM_CASES
from deckcheck.engine.jit import Context, Player
from deckcheck.engine.registry import BOLD, CAREFUL, LATEST_VERSION, SPY_AVERSE

Figures: TypeAlias = Mapping[str, int | tuple[int, ...]]
"""A value for each field of `state.FIGURES_TYPE`, or of some fields."""


def _make_neutral_figures() -> Figures:
    """Return a value without effect for each field."""
    assert FIGURES_TYPE.names is not None
    figures: dict[str, int | tuple[int, ...]] = {}
    for name in FIGURES_TYPE.names:
        figures[name] = (0,) * GEM_CASES if FIGURES_TYPE[name].shape else 0
    return figures


NEUTRAL_FIGURES: Figures = _make_neutral_figures()
"""The values of figures that a version leaves out."""

FIRST_VERSION: Figures = {
    **NEUTRAL_FIGURES,
    "gain_weight": (4, 4, 4, 4),
    "worth_weight": (10, 10, 10, 10),
    "spy_bonus": 1000,
    "card": 6,
    "medic": 7,
    "horn_unit": 10,
    "scorch_unit": 6,
    "morale": 3,
    "berserker": 3,
    "muster": 100,
    "bond": 100,
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
    "rest": (23, 13, 1000, 1000),
    "rest_own": (11, 0, 0, 0),
    "rest_enemy": (-11, 0, 0, 0),
    "give_up": (0, 33, 1000, 1000),
    "give_up_reserve": (100, 0, 0, 0),
    "spy_rest": (1000, 1000, 1000, 1000),
    "fair_price": 14,
    "chase": 18,
    "redraw_margin": 1,
}

SECOND_VERSION: Figures = {
    **NEUTRAL_FIGURES,
    "gain_weight": (18, 17, 26, 12),
    "worth_weight": (49, 47, 72, 53),
    "waste_weight": (6, 6, -13, -5),
    "spy_bonus": 5000,
    "agile_horn": -2,
    "card": 14,
    "hero": 4,
    "medic": 16,
    "horn_unit": 6,
    "scorch_unit": 8,
    "berserker": 7,
    "muster": 120,
    "bond": 96,
    "horn": 11,
    "horn_hand": 67,
    "weather_hand": 44,
    "scorch": 14,
    "decoy": 6,
    "mardroeme": 7,
    "clear": 1,
    "leader": 9,
    "second_revival": 1,
    "bond_copy": 9,
    "little": 1,
    "reach": 24,
    "reach_share": -25,
    "reach_leader": 3,
    "rest": (-9, -2, 41, 1000),
    "rest_own": (13, 2, 1, 0),
    "rest_enemy": (-5, 7, 12, 0),
    "rest_hand": (-18, -1, -6, 0),
    "rest_held": (-7, 10, -49, 0),
    "give_up": (-4, -3, 1000, 1000),
    "give_up_own": (3, 5, 0, 0),
    "give_up_enemy": (4, 2, 0, 0),
    "give_up_reserve": (41, 33, 0, 0),
    "give_up_hand": (-15, 25, 0, 0),
    "useful": (-5, -3, -1, -2),
    "spy_rest": (1000, 1000, 1000, 1000),
    "fair_price": 16,
    "chase": 28,
    "finish": 1,
    "redraw_margin": -1,
    "keep_spy": 10,
    "keep_bond": 28,
    "clockwise": 1,
}

# The second version, with figures for cards and leaders that are played for a later
# gain.
THIRD_VERSION: Figures = {
    **SECOND_VERSION,
    "mardroeme_hand": 67,
    "patient": 1,
    "exchange": 150,
}

# Styles play as the second version with these figures. They were chosen to differ much
# in play and little in strength.
STYLES: Mapping[int, Figures] = {
    BOLD: {
        # It passes with a large lead only, and plays on when far behind.
        "rest": (11, 18, 61, 1000),
        "give_up": (16, 17, 1000, 1000),
        "fair_price": 22,
        "chase": 45,
    },
    CAREFUL: {
        # It passes with a small lead, and gives a round up soon, to keep cards.
        "rest": (-29, -22, 21, 1000),
        "give_up": (-18, -17, 1000, 1000),
        "fair_price": 12,
        "chase": 18,
    },
    # It plays spies after all cards that bring strength.
    SPY_AVERSE: {"spy_bonus": -5000},
}

VERSIONS: Mapping[int, Figures] = {
    1: FIRST_VERSION,
    2: SECOND_VERSION,
    LATEST_VERSION: THIRD_VERSION,
    **{style: {**SECOND_VERSION, **figures} for style, figures in STYLES.items()},
}


def find_figures(version: int) -> Figures:
    """Return the figures of a version or style of `heuristic`."""
    return VERSIONS[version]


def fill_figures(x: Context, player: Player, figures: Figures) -> None:
    """Give the heuristic of a seat its figures. None may be missing."""
    x.figures[player] = _order_figures(figures)


def fill_first_figures(x: Context) -> None:
    """Give all players the figures of the first version, as `first_figures`."""
    x.first_figures = _order_figures(FIRST_VERSION)


def _order_figures(figures: Figures) -> tuple[int | tuple[int, ...], ...]:
    """Return the figures in the order of the fields of `FIGURES_TYPE`."""
    return tuple(figures[name] for name in NEUTRAL_FIGURES)
