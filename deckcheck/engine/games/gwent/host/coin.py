"""Whether the coin decides anything in a duel, by its context."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from deckcheck.engine.games.gwent.codes import FactionAbility


def coin_decides(context: npt.NDArray[np.void]) -> bool:
    """Whether it decides who begins: not where one of two is Scoia'tael (1.7.4)."""
    abilities = context["faction_ability"].tolist()
    return abilities.count(FactionAbility.CHOOSE_STARTER.value) != 1
