"""Win rates and standings as pandas frames."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from deckcheck.sim.results.played import Matchup
from deckcheck.sim.results.rows import matrix
from deckcheck.sim.results.standings import Standing

COLUMNS = ["deck", "win_rate", "low", "high", "games", "wins", "losses", "draws"]


def matrix_frame(names: Sequence[str], matchups: Sequence[Matchup]) -> pd.DataFrame:
    """Return the win rates of rows against columns; NaN where decks did not meet."""
    rows = matrix(names, matchups)
    return pd.DataFrame(rows, index=list(names), columns=list(names), dtype="float64")


def standings_frame(standings: Sequence[Standing]) -> pd.DataFrame:
    """Return one row for each deck, in the order given."""
    return pd.DataFrame([standing.row for standing in standings], columns=COLUMNS)
