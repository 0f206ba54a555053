"""The tidy rows of all results: one measured value each, in the same columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deckcheck.sim.results.figures import Figure, Row, rounded

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("deck", "opponent", "starts", "metric", "value", "low", "high", "n")
"""The columns of every frame; some results have columns of words behind them."""
TYPES = {"value": "float64", "low": "float64", "high": "float64", "n": "int64"}

ALL = "(all)"
"""In the place of one: all opponents, all cards, all decks."""
NONE = "(none)"
ANY = "any"
DECK = "deck"
OPPONENT = "opponent"

RATE = "rate"
POINTS = "difference"
MEAN = "mean"
COUNT = "count"
METRICS = {
    "win_rate": (RATE, "games won, a draw counts half"),
    "win_share": (RATE, "games won at a table of several, shared wins split"),
    "match_win_rate": (RATE, "tournament matches won, a draw counts half"),
    "match_win_rate_confirmed": (RATE, "the same, by the other player"),
    "match_win_rate_promised": (RATE, "the same, as the games promised that chose"),
    "wins": (COUNT, "games won"),
    "losses": (COUNT, "games lost"),
    "draws": (COUNT, "games that nobody won"),
    "shared": (COUNT, "first places that were shared"),
    "opened": (COUNT, "games in which the deck began the match"),
    "place": (MEAN, "place at the table, from 1"),
    "points": (MEAN, "points by the rules of the game"),
    "rounds": (MEAN, "rounds of a game"),
    "turns": (MEAN, "moves of a game, of all players"),
    "cards_left": (MEAN, "cards in hand at the end"),
    "win_rate_in_search": (RATE, "win rate in the games that chose the deck: too high"),
    "difference": (POINTS, "win rate less that of `baseline`"),
    "win_rate_before": (RATE, "win rate before the changes"),
    "win_rate_after": (RATE, "win rate after the changes"),
    "win_rate_confirmed": (RATE, "win rate after the changes, by the other player"),
    "share": (RATE, "how often to bring the deck"),
    "payoff": (RATE, "win rate against the mix of these shares"),
    "rating": (MEAN, "strength in Elo"),
    "best_answer": (RATE, "win rate of the best answer, `deck`, to `opponent`"),
    "weight": (RATE, "part of the field that is expected"),
    "expected": (RATE, "win rate against the field that is expected"),
    "misfit": (RATE, "how far win rates are from those of the ratings"),
    "cycles": (RATE, "part of the differences that go round in circles"),
    "win_rate_same_deck": (RATE, "win rate against other players with the same deck"),
    "deck_part": (
        RATE,
        "part of the differences between ratings that lies in the deck",
    ),
    "player_part": (RATE, "part that lies in the player"),
    "both_part": (RATE, "part that lies in how well a deck suits a player"),
    "gain": (POINTS, "win rate gained: by `card` for `baseline`, or over one half"),
    "gain_confirmed": (POINTS, "the same, by the other player"),
    "worth": (POINTS, "win rate gained by a card, compared with an average one"),
    "above_peers": (POINTS, "what a card is worth more than its peers"),
    "sent_back": (RATE, "how often the player sends the card of the dealt hand back"),
    "win_rate_kept": (RATE, "win rate with the card of the dealt hand kept"),
    "win_rate_sent": (RATE, "win rate with it sent back"),
    "gain_sent": (POINTS, "win rate gained by sending it back"),
    "gain_sent_fresh": (POINTS, "the same in fresh games"),
    "gain_sent_confirmed": (POINTS, "the same in fresh games, by the other player"),
    "share_of_losses": (RATE, "part of the lost games in which `sign` was, or `card`"),
    "share_of_wins": (RATE, "part of the won games in which it was"),
    "share_difference": (POINTS, "the first of these less the second"),
    "use": (RATE, "part of the field that holds the card"),
    "copies": (COUNT, "copies of the card in the deck"),
    **{
        f"{way}_{figure}": (unit, f"of games in which the card was {seen}: {words}")
        for way, seen in (
            ("opening", "in the first hand"),
            ("drawn", "drawn later"),
            ("played", "played"),
            ("held", "in hand at the end"),
        )
        for figure, unit, words in (
            ("win_rate", RATE, "games won"),
            ("difference", POINTS, "that win rate less that of the other games"),
            ("false_discovery_rate", RATE, "the rate at which the difference is sure"),
        )
    },
}
"""Every metric: its unit, and what it measures.

Rates are 0 to 1, differences of rates -1 to 1.
"""


def tidy(
    metric: str,
    figure: Figure | float | None,
    n: int,
    deck: str,
    opponent: str = ALL,
    *,
    starts: str = ANY,
    **words: str,
) -> Iterator[Row]:
    """A row for a figure of `n` games; none for what was not measured.

    `low` and `high` are empty where a figure has no interval. `words` are the cells of
    further columns.
    """
    if figure is None:
        return
    value, low, high = (
        (float(figure), None, None)
        if isinstance(figure, (int, float))
        else (figure.value, *figure.interval)
    )
    yield {
        "deck": deck,
        "opponent": opponent,
        "starts": starts,
        "metric": metric,
        "value": rounded(value),
        "low": rounded(low),
        "high": rounded(high),
        "n": n,
        **words,
    }


def shown_value(metric: str, value: str | float | None) -> str:
    """A value as it is read: rates in %, differences in points."""
    if not isinstance(value, (int, float)):
        return ""
    unit = METRICS[metric][0]
    if unit in (RATE, POINTS):
        return f"{100 * value:+.1f}" if unit == POINTS else f"{100 * value:.1f} %"
    return f"{value:,.2f}" if unit == MEAN else f"{value:,.0f}"


def whole(rows: Sequence[Row]) -> list[Row]:
    """Rows of several results in the same columns: words that one lacks are filled."""
    columns = dict.fromkeys((*COLUMNS, *(name for row in rows for name in row)))
    fill = {name: ALL if name == "card" else NONE for name in columns}
    return [{name: row.get(name, fill[name]) for name in columns} for row in rows]


def tidy_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """The rows as a frame, its columns of the same types whatever they hold."""
    import pandas as pd

    columns = list(rows[0]) if rows else list(COLUMNS)
    return pd.DataFrame(rows, columns=columns).astype(TYPES)
