"""The games whose scenarios can be played, by id; imported when first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import cast

from deckcheck.scenarios.contract import Adapter
from deckcheck.scenarios.errors import BadPosition
from deckcheck.scenarios.uncompiled import play_uncompiled

ADAPTERS = {
    "deckmaster": "deckcheck.scenarios.games.deckmaster.adapter",
    "gwen_t": "deckcheck.scenarios.games.gwen_t.adapter",
    "gwent": "deckcheck.scenarios.games.gwent.adapter",
    "sg_gwint": "deckcheck.scenarios.games.sg_gwint.adapter",
}


def load_adapter(game: str) -> Adapter:
    """The adapter of `game`, for an engine that is not compiled.

    Raises BadPosition if there is none, and UsageError as `play_uncompiled` does.
    """
    if game not in ADAPTERS:
        raise BadPosition(
            ("format",),
            f"scenarios of `{game}` cannot be played",
            f"Games with scenarios: {', '.join(ADAPTERS)}",
        )
    play_uncompiled()
    return cast(Adapter, import_module(ADAPTERS[game]))
