"""The position at the beginning of a game that is played again, uncompiled."""

from __future__ import annotations

from typing import Any, NamedTuple

from deckcheck.engine.contract import set_up
from deckcheck.playing.host.table import open_table
from deckcheck.playing.kernel import start_game
from deckcheck.replays.script import Script
from deckcheck.scenarios.contract import Position, load_adapter


class Opening(NamedTuple):
    """A game that was dealt: the engine's records, and the position in words."""

    states: Any
    contexts: Any
    position: Position


def open_script(script: Script) -> Opening:
    """Deal the game of a script."""
    states, contexts = open_table(script.table)
    _, stream, counter, beginner = script.game
    s, x = states[0], contexts[0]
    start_game(s, x, script.seed, stream, counter, beginner)
    set_up(s, x)
    position = load_adapter(script.format.game).position_of(
        states,
        contexts,
        script.database,
        script.format,
        [seat.leader for seat in script.seats],
    )
    return Opening(states, contexts, position)
