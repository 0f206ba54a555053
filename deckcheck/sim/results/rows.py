"""A simulation as flat rows, for CSV and frames."""

from __future__ import annotations

from deckcheck.sim.results.figures import Row, low_high, rounded, value_of
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.performance import Performance
from deckcheck.sim.results.played import Matchup
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Estimate


def duel_row(matchup: Matchup) -> Row:
    """Return a matchup as one flat row."""
    row: Row = {
        "a": matchup.a,
        "b": matchup.b,
        "games": matchup.games,
        "wins_a": matchup.wins_a,
        "wins_b": matchup.wins_b,
        "draws": matchup.draws,
        "win_rate_a": rounded(matchup.win_rate_a),
        **low_high(matchup.interval),
    }
    for name, split in (("a_starts", matchup.a_starts), ("b_starts", matchup.b_starts)):
        row[f"{name}_games"] = split.games
        row[f"{name}_win_rate_a"] = rounded(split.win_rate_a)
        row |= low_high(split.interval, f"{name}_")
    row["rounds_mean"] = rounded(matchup.rounds_mean)
    row["cards_left_a_mean"] = rounded(matchup.cards_left_a_mean)
    row["cards_left_b_mean"] = rounded(matchup.cards_left_b_mean)
    row["turns_mean"] = rounded(matchup.turns_mean)
    return row


def table_rows(number: int, table: TableResult) -> list[Row]:
    """Return one flat row for each entrant of a table."""
    rows = []
    for name, performance, cells in zip(
        table.entrants, table.performances, table.by_seat, strict=True
    ):
        row: Row = {"table": number, "seat": name, **_flat_performance(performance)}
        for turn, cell in enumerate(cells, start=1):
            row[f"turn_{turn}_games"] = cell.games
            row[f"turn_{turn}_win_share"] = value_of(cell.win_share)
        rows.append(row)
    return rows


def _flat_performance(performance: Performance) -> Row:
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        **_flat_share(performance.win_share, "win_share"),
        "place_mean": value_of(performance.place),
        "points_mean": value_of(performance.points),
    }


def match_rows(
    number: int, match: MatchResult, selections: tuple[str, str]
) -> list[Row]:
    """Return one flat row for each deck of each of the two lineups."""
    rows = []
    rates = (match.rate_a, match.rate_a.opposite())
    wins, decks = (match.wins_a, match.wins_b), (match.decks_a, match.decks_b)
    for side, name in enumerate((match.a, match.b)):
        head: Row = {
            "match": number,
            "lineup": name,
            "selection": selections[side],
            "matches": match.matches,
            "match_wins": wins[side],
            "match_draws": match.draws,
            **_flat_share(rates[side], "win_rate", "match_"),
        }
        rows += [{**head, **_deck_row(deck)} for deck in decks[side]]
    return rows


def _deck_row(deck: DeckInMatch) -> Row:
    return {
        "deck": deck.name,
        "opened": deck.opened,
        "games": deck.games,
        "wins": deck.wins,
        "draws": deck.draws,
        **_flat_share(deck.rate, "win_rate"),
    }


def _flat_share(share: Estimate | None, name: str, prefix: str = "") -> Row:
    interval = share.interval if share else None
    return {f"{prefix}{name}": value_of(share), **low_high(interval, prefix)}
