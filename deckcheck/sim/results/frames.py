"""Win rates and standings as pandas frames."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from deckcheck.sim.results.played import Matchup
from deckcheck.sim.results.standings import Standing


def matrix_frame(names: Sequence[str], matchups: Sequence[Matchup]) -> pd.DataFrame:
    """Return the win rates of rows against columns; NaN where decks did not meet."""
    frame = pd.DataFrame(float("nan"), index=list(names), columns=list(names))
    for matchup in matchups:
        frame.loc[matchup.b, matchup.a] = 1 - matchup.win_rate_a
        frame.loc[matchup.a, matchup.b] = matchup.win_rate_a
    return frame


def standings_frame(standings: Sequence[Standing]) -> pd.DataFrame:
    """Return one row for each deck, in the order given."""
    rows = []
    for standing in standings:
        low, high = standing.interval
        s = standing
        rows.append((s.deck, s.win_rate, low, high, s.games, s.wins, s.losses, s.draws))
    columns = ["deck", "win_rate", "low", "high", "games", "wins", "losses", "draws"]
    return pd.DataFrame(rows, columns=columns)
