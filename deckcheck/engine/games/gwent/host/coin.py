"""Whether the coin decides anything in a duel: by its context, or by the factions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.codes import FactionAbility


def coin_decides(context: npt.NDArray[np.void]) -> bool:
    """Whether it decides who begins in games with this context."""
    return _is_tossed(context["faction_ability"].tolist())


def coin_decides_between(
    database: CardDatabase, factions: Sequence[str | None]
) -> bool:
    """Whether it decides who begins in games of these factions."""
    abilities = [database.factions[faction].ability for faction in factions if faction]
    return _is_tossed([faction_ability(word) for word in abilities])


def faction_ability(word: str | None) -> FactionAbility:
    """The ability of a faction, as its data name it."""
    return FactionAbility[(word or "none").upper()]


def _is_tossed(abilities: Sequence[int]) -> bool:
    """Not where one of two is Scoia'tael (1.7.4)."""
    return abilities.count(FactionAbility.CHOOSE_STARTER) != 1
