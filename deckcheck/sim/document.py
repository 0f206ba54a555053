"""A simulation as plain data: the JSON document, and flat rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.sim.result import Matchup, SimulatedDeck, Split, Standing
from deckcheck.stats import Interval
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.sim.result import SimulationResult

__all__ = [
    "SCHEMA_VERSION",
    "as_dict",
    "as_row",
    "deck_data",
    "ends",
    "matchup_data",
    "rounded",
]

SCHEMA_VERSION = 1
DIGITS = 6


def as_dict(result: SimulationResult) -> dict[str, object]:
    """Return the document of a simulation; rates are rounded to six digits."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "deckcheck", "version": __version__},
        "format": result.format,
        "snapshot": result.snapshot,
        "seed": result.seed,
        "games": result.games,
        "games_played": result.games_played,
        "policies": dict(result.policies),
        "checksum": result.checksum,
        "digest": result.digest,
        "games_per_second": round(result.games_per_second, 1),
        "seconds": round(result.seconds, 3),
        "jobs": result.jobs,
        "decks": [deck_data(deck) for deck in result.decks],
        "tables": [_table(matchup) for matchup in result.matchups],
        "matchups": [matchup_data(matchup) for matchup in result.matchups],
        "standings": [_standing(standing) for standing in result.standings()],
    }


def as_row(matchup: Matchup) -> dict[str, str | int | float | None]:
    """Return a matchup as one flat row, for tables and frames."""
    row: dict[str, str | int | float | None] = {
        "a": matchup.a,
        "b": matchup.b,
        "games": matchup.games,
        "wins_a": matchup.wins_a,
        "wins_b": matchup.wins_b,
        "draws": matchup.draws,
        "win_rate_a": rounded(matchup.win_rate_a),
        "low": rounded(matchup.interval.low),
        "high": rounded(matchup.interval.high),
    }
    for name, split in (("a_starts", matchup.a_starts), ("b_starts", matchup.b_starts)):
        low, high = split.interval or (None, None)
        row[f"{name}_games"] = split.games
        row[f"{name}_win_rate_a"] = rounded(split.win_rate_a)
        row[f"{name}_low"] = rounded(low)
        row[f"{name}_high"] = rounded(high)
    return {**row, **_means(matchup)}


def deck_data(deck: SimulatedDeck) -> dict[str, object]:
    """Return what the document says of a deck."""
    return {
        "name": deck.name,
        "path": deck.path,
        "index": deck.index,
        "faction": deck.faction,
        "leader": deck.leader,
        "policy": deck.policy,
        "legal": deck.legal,
        "findings": deck.findings,
    }


def _table(matchup: Matchup) -> dict[str, object]:
    """The figures that games of every kind have; a draw is half a point."""
    shares = [matchup.win_rate_a, 1 - matchup.win_rate_a]
    low, high = matchup.interval
    wins = [matchup.wins_a, matchup.wins_b]
    return {
        "seats": [matchup.a, matchup.b],
        "games": matchup.games,
        "draws": matchup.draws,
        "wins": wins,
        "shared": [matchup.draws, matchup.draws],
        "win_share": [rounded(share) for share in shares],
        "intervals": [ends(matchup.interval), ends(Interval(1 - high, 1 - low))],
        "places_mean": [rounded(1 + lost / matchup.games) for lost in reversed(wins)],
        "points_mean": [rounded(share) for share in shares],
    }


def matchup_data(matchup: Matchup) -> dict[str, object]:
    """Return one matchup, split by who starts."""
    return {
        "a": matchup.a,
        "b": matchup.b,
        "games": matchup.games,
        "wins_a": matchup.wins_a,
        "wins_b": matchup.wins_b,
        "draws": matchup.draws,
        "win_rate_a": rounded(matchup.win_rate_a),
        "interval": ends(matchup.interval),
        "a_starts": _split(matchup.a_starts),
        "b_starts": _split(matchup.b_starts),
        "pairs": list(matchup.pairs),
        **_means(matchup),
    }


def _split(split: Split) -> dict[str, object]:
    return {
        "games": split.games,
        "wins_a": split.wins_a,
        "wins_b": split.wins_b,
        "draws": split.draws,
        "win_rate_a": rounded(split.win_rate_a),
        "interval": ends(split.interval),
    }


def _means(matchup: Matchup) -> dict[str, float | None]:
    return {
        "rounds_mean": rounded(matchup.rounds_mean),
        "cards_left_a_mean": rounded(matchup.cards_left_a_mean),
        "cards_left_b_mean": rounded(matchup.cards_left_b_mean),
        "turns_mean": rounded(matchup.turns_mean),
    }


def _standing(standing: Standing) -> dict[str, object]:
    return {
        "deck": standing.deck,
        "win_rate": rounded(standing.win_rate),
        "interval": ends(standing.interval),
        "games": standing.games,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
    }


def ends(interval: Interval | None) -> list[float | None] | None:
    """Return both ends of an interval, rounded."""
    return None if interval is None else [rounded(end) for end in interval]


def rounded(value: float | None) -> float | None:
    """Return a figure with six digits after the point."""
    return None if value is None else round(value, DIGITS)
