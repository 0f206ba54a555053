"""The games whose scenarios can be played, by id; imported when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from deckcheck.scenarios.contract import Adapter
from deckcheck.scenarios.errors import BadPosition

__all__ = ["ADAPTERS", "load_adapter"]

ADAPTERS = {
    "gwent": "deckcheck.engine.games.gwent.scenario",
}


def load_adapter(game: str) -> Adapter:
    """The adapter of `game`; raises BadPosition if there is none."""
    if game not in ADAPTERS:
        raise BadPosition(
            ("format",),
            f"scenarios of `{game}` cannot be played",
            f"Games with scenarios: {', '.join(ADAPTERS)}",
        )
    return cast(Adapter, import_module(ADAPTERS[game]))
