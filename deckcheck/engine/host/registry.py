"""The games the engine plays, by id; a game is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from deckcheck.engine.errors import EngineError

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase

GAMES = {
    "deckmaster": "deckcheck.engine.games.deckmaster.game",
    "gwen_t": "deckcheck.engine.games.gwen_t.game",
    "gwent": "deckcheck.engine.games.gwent.game",
    "sg_gwint": "deckcheck.engine.games.sg_gwint.game",
}


def load_game(game: str) -> Any:
    """The module of `game` that implements the contract.

    Raises:
        EngineError: the engine does not play this game.
    """
    if game not in GAMES:
        raise EngineError(
            f"the engine does not play `{game}`", f"it plays {', '.join(GAMES)}"
        )
    return import_module(GAMES[game])


def coin_decides(game: str, context: Any) -> bool:
    """Whether the coin decides anything in games for two with this context.

    A game says so in `host/coin.py`; where it has no such file, the coin does.
    """
    rules = _coin_rules(game)
    return rules is None or bool(rules.coin_decides(context))


def coin_decides_between(
    game: str, database: CardDatabase, factions: Sequence[str | None]
) -> bool:
    """The same of games for two of these factions."""
    rules = _coin_rules(game)
    return rules is None or bool(rules.coin_decides_between(database, factions))


@cache
def _coin_rules(game: str) -> Any:
    package = GAMES[game].rpartition(".")[0]
    try:
        return import_module(f"{package}.host.coin")
    except ModuleNotFoundError:
        return None
