"""Tournament matches as plain data: the JSON document, and flat rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deckcheck.sim.document import (
    SCHEMA_VERSION,
    deck_data,
    ends,
    matchup_data,
    rounded,
)
from deckcheck.sim.lineup_result import DeckInMatch, PlayedMatch
from deckcheck.stats import Estimate, Interval
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.sim.lineup_result import LineupResult

__all__ = ["as_dict", "as_rows"]

Data = dict[str, object]


def as_dict(result: LineupResult) -> Data:
    """Return the document of a simulation; rates are rounded to six digits.

    Its `tables` have the figures of every simulation, counted in matches, and those of
    tournament matches beside them.
    """
    document: Data = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "deckcheck", "version": __version__},
        "format": result.format,
        "snapshot": result.snapshot,
        "seed": result.seed,
        "games": result.games,
        "games_played": result.games_played,
        "policies": {deck.name: deck.policy for deck in result.decks},
        "selections": {lineup.name: lineup.selection for lineup in result.lineups},
        "chances_from": result.chances_from,
        "checksum": result.checksum,
        "digest": result.digest,
        "games_per_second": round(result.games_per_second, 1),
        "seconds": round(result.seconds, 3),
        "jobs": result.jobs,
        "decks": [deck_data(deck) for deck in result.decks],
        "lineups": [{"name": x.name, "decks": list(x.decks)} for x in result.lineups],
        "tables": [_table(match) for match in result.matches],
    }
    if result.matchups:
        document["matchups"] = [matchup_data(m) for m in result.matchups]
    return document


def as_rows(result: LineupResult) -> list[dict[str, str | int | float | None]]:
    """Return one flat row for each deck of each lineup in each match."""
    ways = {lineup.name: lineup.selection for lineup in result.lineups}
    rows = []
    for number, match in enumerate(result.matches, start=1):
        for name, wins, rate, decks in _sides(match):
            head: dict[str, str | int | float | None] = {
                "match": number,
                "lineup": name,
                "selection": ways[name],
                "matches": match.matches,
                "match_wins": wins,
                "match_draws": match.draws,
                **_flat(rate, "match_"),
            }
            rows += [{**head, **_deck_row(deck)} for deck in decks]
    return rows


def _sides(
    match: PlayedMatch,
) -> list[tuple[str, int, Estimate, tuple[DeckInMatch, ...]]]:
    return [
        (match.a, match.wins_a, match.rate_a, match.decks_a),
        (match.b, match.wins_b, _other(match.rate_a), match.decks_b),
    ]


def _other(rate: Estimate) -> Estimate:
    """The same rate seen from the other side."""
    low, high = rate.interval
    return Estimate(1 - rate.value, Interval(1 - high, 1 - low), rate.games)


def _table(match: PlayedMatch) -> Data:
    rates = [match.rate_a, _other(match.rate_a)]
    wins = [match.wins_a, match.wins_b]
    return {
        "seats": [match.a, match.b],
        "games": match.matches,
        "draws": match.draws,
        "wins": wins,
        "shared": [match.draws, match.draws],
        "win_share": [rounded(rate.value) for rate in rates],
        "intervals": [ends(rate.interval) for rate in rates],
        "places_mean": [rounded(1 + lost / match.matches) for lost in reversed(wins)],
        "points_mean": [rounded(points) for points in match.games_won],
        "first_choice": _rate(match.first_choice),
        "seat_1_first": _rate(match.a_first),
        "seat_2_first": _rate(match.b_first),
        "chose_first": _rate(match.chose_first),
        "games_played": match.games,
        "games_drawn": match.games_drawn,
        "value": rounded(match.value),
        "decks": [[_deck(deck) for deck in side[-1]] for side in _sides(match)],
    }


def _deck(deck: DeckInMatch) -> Data:
    return {
        "name": deck.name,
        "opened": deck.opened,
        "games": deck.games,
        "wins": deck.wins,
        "draws": deck.draws,
        "win_rate": rounded(deck.rate.value) if deck.rate else None,
        "interval": ends(deck.rate.interval) if deck.rate else None,
        "against": [
            {"losses": lost, "draws": drawn, "wins": won}
            for lost, drawn, won in deck.against
        ],
    }


def _deck_row(deck: DeckInMatch) -> dict[str, str | int | float | None]:
    return {
        "deck": deck.name,
        "opened": deck.opened,
        "games": deck.games,
        "wins": deck.wins,
        "draws": deck.draws,
        **_flat(deck.rate, ""),
    }


def _rate(rate: Estimate) -> Data:
    return {
        "games": rate.games,
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
    }


def _flat(rate: Estimate | None, prefix: str) -> dict[str, str | int | float | None]:
    low, high = rate.interval if rate else (None, None)
    return {
        f"{prefix}win_rate": rounded(rate.value if rate else None),
        f"{prefix}low": rounded(low),
        f"{prefix}high": rounded(high),
    }
