"""A simulation as plain data: the parts of the JSON document, and flat rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from deckcheck.findings.json_text import document_head
from deckcheck.policies.host.registry import policy_version
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.played import (
    Matchup,
    Performance,
    ResultHeader,
    SimulatedDeck,
    Split,
    StoppingOutcome,
    TableResult,
)
from deckcheck.sim.results.standings import Standing
from deckcheck.stats import Estimate, Histogram, Interval, round_width

SCHEMA_VERSION = 1
DIGITS = 6

Data: TypeAlias = dict[str, object]
Row: TypeAlias = dict[str, str | int | float | None]


def head_data(run: ResultHeader, extra: Data) -> Data:
    """Return what every document begins with; `extra` stands behind the policies."""
    return {
        **document_head(SCHEMA_VERSION),
        "format": run.format,
        "snapshot": run.snapshot,
        "seed": run.seed,
        "games": run.games,
        "games_played": run.games_played,
        "policies": dict(run.policies),
        "policy_versions": {name: policy_version(name) for name in run.players},
        "stand_ins": list(run.stand_ins),
        **extra,
        "checksum": run.checksum,
        "digest": run.digest,
        "changes": [change.as_data() for change in run.changes],
        "complete": run.complete,
        **({} if run.stopped is None else {"stopping": _stopping(run.stopped)}),
        "games_per_second": _rounded(run.games_per_second, 1),
        "seconds": _rounded(run.seconds, 3),
        "jobs": run.jobs,
        **({"challengers": list(run.challengers)} if run.challengers else {}),
        "decks": [_deck(deck) for deck in run.decks],
    }


def _stopping(stopped: StoppingOutcome) -> Data:
    """What a rule came to; `tables` are in the order in which they are listed."""
    return {
        "rule": stopped.rule,
        "reached": stopped.reached,
        "not_settled": list(stopped.open),
        "tables": [
            {
                "sets": decision.sets,
                "reached": decision.reached,
                "decision": decision.text,
                "log_likelihood_ratio": _rounded(decision.ratio, 4),
            }
            for decision in stopped.decisions
        ],
    }


def _deck(deck: SimulatedDeck) -> Data:
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


def margin_width(tables: Iterable[TableResult]) -> int:
    """Return how wide the bins of margins are, at all tables of a run alike."""
    return round_width(Histogram.sum(t.margins for t in tables if t.margins))


def table_data(table: TableResult, width: int) -> Data:
    """Return one table; lists have an element for each entrant, in order.

    Bins of margins have this `width`.
    """
    return {
        "seats": list(table.entrants),
        "games": table.games,
        "sets": table.sets,
        "draws": table.draws,
        **_columns(table.performances),
        "by_turn": [
            {
                "turn": turn,
                "all": _performance(performance),
                "seats": [_performance(row[turn - 1]) for row in table.by_seat],
            }
            for turn, performance in enumerate(table.seats, start=1)
        ],
        "rounds_mean": _rounded(table.rounds_mean),
        "turns_mean": _rounded(table.turns_mean),
        **_histograms(table, width),
    }


def _histograms(table: TableResult, width: int) -> Data:
    """Histograms of rounds per game and of final margins, where they were counted."""
    if table.rounds is None or table.margins is None:
        return {}
    margins = table.margins.binned(width)
    return {"rounds": _histogram(table.rounds), "margins": _histogram(margins)}


def _histogram(found: Histogram) -> Data:
    return {"from": found.first, "width": found.width, "games": list(found.counts)}


def _columns(performances: tuple[Performance, ...]) -> Data:
    return {
        "wins": [p.wins for p in performances],
        "shared": [p.shared for p in performances],
        "win_share": [_value(p.win_share) for p in performances],
        "intervals": [_ends(p.win_share) for p in performances],
        "places_mean": [_value(p.place) for p in performances],
        "places_intervals": [_ends(p.place) for p in performances],
        "points_mean": [_value(p.points) for p in performances],
        "points_intervals": [_ends(p.points) for p in performances],
    }


def _performance(performance: Performance) -> Data:
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        "win_share": _value(performance.win_share),
        "interval": _ends(performance.win_share),
        "place_mean": _value(performance.place),
        "points_mean": _value(performance.points),
    }


def duel_data(table: TableResult) -> Data:
    """Return the figures that games of every kind have; a draw is half a point."""
    shares = [_value(p.win_share) for p in table.performances]
    return _two_sided(table, shares)


def _two_sided(table: TableResult, points: list[float | None]) -> Data:
    """Two entrants in short, the second one seen as the opposite of the first."""
    share = table.performances[0].win_share
    assert share is not None
    rates = (share, share.opposite())
    return {
        "seats": list(table.entrants),
        "games": table.games,
        "draws": table.draws,
        "wins": [p.wins for p in table.performances],
        "shared": [p.shared for p in table.performances],
        "win_share": [_value(rate) for rate in rates],
        "intervals": [_ends(rate) for rate in rates],
        "places_mean": [_value(p.place) for p in table.performances],
        "points_mean": points,
    }


def matchup_data(matchup: Matchup, width: int) -> Data:
    """Return one matchup, split by who starts; bins of margins have this `width`."""
    return {
        "a": matchup.a,
        "b": matchup.b,
        "games": matchup.games,
        "wins_a": matchup.wins_a,
        "wins_b": matchup.wins_b,
        "draws": matchup.draws,
        "win_rate_a": _rounded(matchup.win_rate_a),
        "interval": _both(matchup.interval),
        "a_starts": _split(matchup.a_starts),
        "b_starts": _split(matchup.b_starts),
        "pairs": list(matchup.pairs),
        **_means(matchup),
        **_histograms(matchup.table, width),
    }


def _split(split: Split) -> Data:
    return {
        "games": split.games,
        "wins_a": split.wins_a,
        "wins_b": split.wins_b,
        "draws": split.draws,
        "win_rate_a": _rounded(split.win_rate_a),
        "interval": _both(split.interval),
    }


def _means(matchup: Matchup) -> Row:
    return {
        "rounds_mean": _rounded(matchup.rounds_mean),
        "cards_left_a_mean": _rounded(matchup.cards_left_a_mean),
        "cards_left_b_mean": _rounded(matchup.cards_left_b_mean),
        "turns_mean": _rounded(matchup.turns_mean),
    }


def standing_data(standing: Standing) -> Data:
    """Return one deck of the standings."""
    return {
        "deck": standing.deck,
        "win_rate": _rounded(standing.win_rate),
        "interval": _both(standing.interval),
        "games": standing.games,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
    }


def match_data(match: MatchResult) -> Data:
    """Return the figures of any table, counted in matches, and those of the decks."""
    points = [_value(p.points) for p in match.table.performances]
    return {
        **_two_sided(match.table, points),
        "pairs": list(match.table.performances[0].scores),
        "first_choice": _rate(match.first_choice),
        "seat_1_first": _rate(match.a_first),
        "seat_2_first": _rate(match.b_first),
        "chose_first": _rate(match.chose_first),
        "games_played": match.games,
        "games_drawn": match.games_drawn,
        "value": _rounded(match.value),
        "decks": [
            [_deck_in_match(deck) for deck in decks]
            for decks in (match.decks_a, match.decks_b)
        ],
    }


def _rate(rate: Estimate) -> Data:
    return {
        "games": rate.games,
        "win_rate": _rounded(rate.value),
        "interval": _both(rate.interval),
    }


def _deck_in_match(deck: DeckInMatch) -> Data:
    return {
        "name": deck.name,
        "opened": deck.opened,
        "games": deck.games,
        "wins": deck.wins,
        "draws": deck.draws,
        "win_rate": _value(deck.rate),
        "interval": _ends(deck.rate),
        "against": [
            {"losses": lost, "draws": drawn, "wins": won}
            for lost, drawn, won in deck.against
        ],
    }


def duel_row(matchup: Matchup) -> Row:
    """Return a matchup as one flat row."""
    row: Row = {
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


def table_rows(number: int, table: TableResult) -> list[Row]:
    """Return one flat row for each entrant of a table."""
    rows = []
    for name, performance, cells in zip(
        table.entrants, table.performances, table.by_seat, strict=True
    ):
        row: Row = {"table": number, "seat": name, **_flat_performance(performance)}
        for turn, cell in enumerate(cells, start=1):
            row[f"turn_{turn}_games"] = cell.games
            row[f"turn_{turn}_win_share"] = _value(cell.win_share)
        rows.append(row)
    return rows


def _flat_performance(performance: Performance) -> Row:
    low, high = _ends(performance.win_share) or (None, None)
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        "win_share": _value(performance.win_share),
        "low": low,
        "high": high,
        "place_mean": _value(performance.place),
        "points_mean": _value(performance.points),
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
            **_flat_rate(rates[side], "match_"),
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
        **_flat_rate(deck.rate, ""),
    }


def _flat_rate(rate: Estimate | None, prefix: str) -> Row:
    low, high = rate.interval if rate else (None, None)
    return {
        f"{prefix}win_rate": _value(rate),
        f"{prefix}low": _rounded(low),
        f"{prefix}high": _rounded(high),
    }


def _value(estimate: Estimate | None) -> float | None:
    return None if estimate is None else _rounded(estimate.value)


def _ends(estimate: Estimate | None) -> list[float | None] | None:
    return None if estimate is None else _both(estimate.interval)


def _both(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [_rounded(end) for end in interval]


def _rounded(value: float | None, digits: int = DIGITS) -> float | None:
    """A figure with six digits after the point, or as many as `digits`."""
    return None if value is None else round(value, digits)
