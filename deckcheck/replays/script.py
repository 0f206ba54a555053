"""The script of a game, from which it is told: the game is played once more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.errors import CrashedGame
from deckcheck.formats import Format
from deckcheck.playing.host.table import Table, play_listed
from deckcheck.playing.kernel import MAX_TURNS, Game
from deckcheck.playing.tally import Ints
from deckcheck.replays.model import Seated
from deckcheck.sim.tables.seating import Setting

NO_MOVE = -1


@dataclass(frozen=True)
class Script:
    """A game that was played again: who sat where, how it was dealt, and all moves.

    `table` has the context of this game alone, `game` the columns of `Game`. `outcome`
    has those of `Outcome`, and is None if the game crashed, for the reason `crash`.
    """

    database: CardDatabase
    format: Format
    table: Table
    seats: tuple[Seated, ...]
    seed: int
    game: tuple[int, ...]
    moves: tuple[int, ...]
    outcome: tuple[int, ...] | None
    crash: str | None = None


def write_script(
    setting: Setting, table: Table, seats: Sequence[Seated], seed: int, game: Ints
) -> Script:
    """Play a game again, one row with the columns of `Game`, and note its moves."""
    alone = replace(table, contexts=(table.contexts[game[Game.CONTEXT]],))
    row = game.copy()
    row[Game.CONTEXT] = 0
    moves = np.full(MAX_TURNS + 1, NO_MOVE)
    outcome, crash = None, None
    try:
        outcome = tuple(play_listed(alone, seed, row[np.newaxis], moves)[0].tolist())
    except CrashedGame as error:
        crash = str(error.__cause__)
    made = moves[moves != NO_MOVE].tolist()
    return Script(
        database=setting.database,
        format=setting.format,
        table=alone,
        seats=tuple(seats),
        seed=seed,
        game=tuple(row.tolist()),
        moves=tuple(made),
        outcome=outcome,
        crash=crash,
    )
