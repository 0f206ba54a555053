"""Games at tables as plain data: the JSON document, and flat rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.sim.document import SCHEMA_VERSION, deck_data, ends, rounded
from deckcheck.sim.table_result import PlayedTable, Showing
from deckcheck.stats import Estimate
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.sim.table_result import TableResult

__all__ = ["as_dict", "as_rows", "table_data"]

Data = dict[str, object]


def as_dict(result: TableResult) -> Data:
    """Return the document of a simulation; rates are rounded to six digits."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "deckcheck", "version": __version__},
        "format": result.format,
        "snapshot": result.snapshot,
        "seed": result.seed,
        "games": result.games,
        "games_played": result.games_played,
        "policies": {deck.name: deck.policy for deck in result.decks},
        "checksum": result.checksum,
        "digest": result.digest,
        "games_per_second": round(result.games_per_second, 1),
        "seconds": round(result.seconds, 3),
        "jobs": result.jobs,
        "decks": [deck_data(deck) for deck in result.decks],
        "tables": [table_data(table) for table in result.tables],
    }


def table_data(table: PlayedTable) -> Data:
    """Return one table; lists have an element for each entrant, in order."""
    return {
        "seats": list(table.entrants),
        "games": table.games,
        "sets": table.sets,
        "draws": table.draws,
        **_columns(table.showings),
        "by_turn": [
            {
                "turn": turn,
                "all": _showing(showing),
                "seats": [_showing(row[turn - 1]) for row in table.by_seat],
            }
            for turn, showing in enumerate(table.seats, start=1)
        ],
        "rounds_mean": rounded(table.rounds_mean),
        "turns_mean": rounded(table.turns_mean),
    }


def as_rows(result: TableResult) -> list[dict[str, str | int | float | None]]:
    """Return one flat row for each entrant of each table."""
    rows = []
    for number, table in enumerate(result.tables, start=1):
        for i, name in enumerate(table.entrants):
            row: dict[str, str | int | float | None] = {"table": number, "seat": name}
            row |= _flat(table.showings[i])
            for turn, showing in enumerate(table.by_seat[i], start=1):
                row[f"turn_{turn}_games"] = showing.games
                row[f"turn_{turn}_win_share"] = _value(showing.win_share)
            rows.append(row)
    return rows


def _columns(showings: tuple[Showing, ...]) -> Data:
    return {
        "wins": [s.wins for s in showings],
        "shared": [s.shared for s in showings],
        "win_share": [_value(s.win_share) for s in showings],
        "intervals": [_ends(s.win_share) for s in showings],
        "places_mean": [_value(s.place) for s in showings],
        "places_intervals": [_ends(s.place) for s in showings],
        "points_mean": [_value(s.points) for s in showings],
        "points_intervals": [_ends(s.points) for s in showings],
    }


def _showing(showing: Showing) -> Data:
    return {
        "games": showing.games,
        "wins": showing.wins,
        "shared": showing.shared,
        "win_share": _value(showing.win_share),
        "interval": _ends(showing.win_share),
        "place_mean": _value(showing.place),
        "points_mean": _value(showing.points),
    }


def _flat(showing: Showing) -> dict[str, str | int | float | None]:
    low, high = _ends(showing.win_share) or (None, None)
    return {
        "games": showing.games,
        "wins": showing.wins,
        "shared": showing.shared,
        "win_share": _value(showing.win_share),
        "low": low,
        "high": high,
        "place_mean": _value(showing.place),
        "points_mean": _value(showing.points),
    }


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else rounded(estimate.value)


def _ends(estimate: Estimate | None) -> list[float | None] | None:
    return None if estimate is None else ends(estimate.interval)
