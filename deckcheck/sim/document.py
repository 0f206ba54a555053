"""A simulation as plain data: the JSON document, and flat rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck import __version__
from deckcheck.sim.result import Matchup, SimulatedDeck, Split, Standing
from deckcheck.stats import Interval

if TYPE_CHECKING:
    from deckcheck.sim.result import SimulationResult

__all__ = ["SCHEMA_VERSION", "as_dict", "as_row"]

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
        "decks": [_deck(deck) for deck in result.decks],
        "matchups": [_matchup(matchup) for matchup in result.matchups],
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
        "win_rate_a": _rounded(matchup.win_rate_a),
        "low": _rounded(matchup.interval.low),
        "high": _rounded(matchup.interval.high),
    }
    for name, split in (("a_starts", matchup.a_starts), ("b_starts", matchup.b_starts)):
        low, high = split.interval or (None, None)
        row[f"{name}_games"] = split.games
        row[f"{name}_win_rate_a"] = _rounded(split.win_rate_a)
        row[f"{name}_low"] = _rounded(low)
        row[f"{name}_high"] = _rounded(high)
    return {**row, **_means(matchup)}


def _deck(deck: SimulatedDeck) -> dict[str, object]:
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


def _matchup(matchup: Matchup) -> dict[str, object]:
    return {
        "a": matchup.a,
        "b": matchup.b,
        "games": matchup.games,
        "wins_a": matchup.wins_a,
        "wins_b": matchup.wins_b,
        "draws": matchup.draws,
        "win_rate_a": _rounded(matchup.win_rate_a),
        "interval": _ends(matchup.interval),
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
        "win_rate_a": _rounded(split.win_rate_a),
        "interval": _ends(split.interval),
    }


def _means(matchup: Matchup) -> dict[str, float | None]:
    return {
        "rounds_mean": _rounded(matchup.rounds_mean),
        "cards_left_a_mean": _rounded(matchup.cards_left_a_mean),
        "cards_left_b_mean": _rounded(matchup.cards_left_b_mean),
        "turns_mean": _rounded(matchup.turns_mean),
    }


def _standing(standing: Standing) -> dict[str, object]:
    return {
        "deck": standing.deck,
        "win_rate": _rounded(standing.win_rate),
        "interval": _ends(standing.interval),
        "games": standing.games,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
    }


def _ends(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_rounded(end) for end in interval]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
