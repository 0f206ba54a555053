"""A simulation as plain data: the parts of its JSON document."""

from __future__ import annotations

from collections.abc import Iterable

from deckcheck.findings.json_text import tool
from deckcheck.policies.host.registry import policy_version
from deckcheck.sim.results.document import (
    HistogramDocument,
    Histograms,
    MatchDeckDocument,
    MatchupDocument,
    SeatDocument,
    SplitDocument,
    StandingDocument,
    TableDocument,
)
from deckcheck.sim.results.figures import ends, ends_of, rounded, value_of, win_rate
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.performance import Performance
from deckcheck.sim.results.played import (
    Matchup,
    ResultHeader,
    SimulatedDeck,
    Split,
    StoppingOutcome,
)
from deckcheck.sim.results.run_document import (
    Challengers,
    DeckEntry,
    RunClosing,
    RunDocument,
    RunOpening,
    Stopping,
)
from deckcheck.sim.results.standings import Standing
from deckcheck.sim.results.totals import TableResult
from deckcheck.stats import Histogram, round_width


def head_data(run: ResultHeader) -> RunDocument:
    """Return what every document about games begins with, behind its version."""
    return {**opening_data(run), **closing_data(run)}


def opening_data(run: ResultHeader) -> RunOpening:
    """Return which games were played."""
    return {
        "tool": tool(),
        "format": run.format,
        "snapshot": run.snapshot,
        "seed": run.seed,
        "games": run.games,
        "games_played": run.games_played,
        "policies": dict(run.policies),
        "policy_versions": {name: policy_version(name) for name in run.players},
        "stand_ins": list(run.stand_ins),
    }


def closing_data(run: ResultHeader) -> RunClosing:
    """Return what the games can be repeated by, and who played them."""
    return {
        "checksum": run.checksum,
        "digest": run.digest,
        "changes": [change.as_data() for change in run.changes],
        "complete": run.complete,
        **_stopping(run.stopped),
        "games_per_second": rounded(run.games_per_second, 1),
        "seconds": rounded(run.seconds, 3),
        "jobs": run.jobs,
        **_challengers(run),
        "decks": [_deck(deck) for deck in run.decks],
    }


def _stopping(stopped: StoppingOutcome | None) -> Stopping:
    """What a rule came to; `tables` are in the order in which they are listed."""
    if stopped is None:
        return {}
    return {
        "stopping": {
            "rule": stopped.rule,
            "reached": stopped.reached,
            "not_settled": list(stopped.open),
            "tables": [
                {
                    "sets": decision.sets,
                    "reached": decision.reached,
                    "decision": decision.text,
                    "log_likelihood_ratio": rounded(decision.ratio, 4),
                }
                for decision in stopped.decisions
            ],
        }
    }


def _challengers(run: ResultHeader) -> Challengers:
    return {"challengers": list(run.challengers)} if run.challengers else {}


def _deck(deck: SimulatedDeck) -> DeckEntry:
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


def table_data(table: TableResult, width: int) -> TableDocument:
    """Return one table; lists have an element for each entrant, in order.

    Bins of margins have this `width`.
    """
    performances = table.performances
    entry: TableDocument = {
        "seats": list(table.entrants),
        "games": table.games,
        "sets": table.sets,
        "draws": table.draws,
        "wins": [p.wins for p in performances],
        "shared": [p.shared for p in performances],
        "win_share": [value_of(p.win_share) for p in performances],
        "intervals": [ends_of(p.win_share) for p in performances],
        "places_mean": [value_of(p.place) for p in performances],
        "places_intervals": [ends_of(p.place) for p in performances],
        "points_mean": [value_of(p.points) for p in performances],
        "points_intervals": [ends_of(p.points) for p in performances],
        "by_turn": [
            {
                "turn": turn,
                "all": _performance(performance),
                "seats": [_performance(row[turn - 1]) for row in table.by_seat],
            }
            for turn, performance in enumerate(table.seats, start=1)
        ],
        "rounds_mean": rounded(table.rounds_mean),
        "turns_mean": rounded(table.turns_mean),
    }
    _add_histograms(entry, table, width)
    return entry


def _add_histograms(entry: Histograms, table: TableResult, width: int) -> None:
    """Add histograms of rounds and final margins, where they were counted."""
    if table.rounds is not None and table.margins is not None:
        entry["rounds"] = _histogram(table.rounds)
        entry["margins"] = _histogram(table.margins.binned(width))


def _histogram(counted: Histogram) -> HistogramDocument:
    games = list(counted.counts)
    return {"from": counted.first, "width": counted.width, "games": games}


def _performance(performance: Performance) -> SeatDocument:
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        "win_share": value_of(performance.win_share),
        "interval": ends_of(performance.win_share),
        "place_mean": value_of(performance.place),
        "points_mean": value_of(performance.points),
    }


def duel_data(table: TableResult) -> TableDocument:
    """Return the figures that games of every kind have; a draw is half a point."""
    shares = [value_of(p.win_share) for p in table.performances]
    return _two_sided(table, shares)


def _two_sided(table: TableResult, points: list[float | None]) -> TableDocument:
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
        "win_share": [value_of(rate) for rate in rates],
        "intervals": [ends_of(rate) for rate in rates],
        "places_mean": [value_of(p.place) for p in table.performances],
        "points_mean": points,
    }


def matchup_data(matchup: Matchup, width: int) -> MatchupDocument:
    """Return one matchup, split by who starts; bins of margins have this `width`."""
    entry: MatchupDocument = {
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
        "rounds_mean": rounded(matchup.rounds_mean),
        "cards_left_a_mean": rounded(matchup.cards_left_a_mean),
        "cards_left_b_mean": rounded(matchup.cards_left_b_mean),
        "turns_mean": rounded(matchup.turns_mean),
    }
    _add_histograms(entry, matchup.table, width)
    return entry


def _split(split: Split) -> SplitDocument:
    return {
        "games": split.games,
        "wins_a": split.wins_a,
        "wins_b": split.wins_b,
        "draws": split.draws,
        "win_rate_a": rounded(split.win_rate_a),
        "interval": ends(split.interval),
    }


def standing_data(standing: Standing) -> StandingDocument:
    """Return one deck of the standings."""
    return {
        "deck": standing.deck,
        "win_rate": rounded(standing.win_rate),
        "interval": ends(standing.interval),
        "games": standing.games,
        "wins": standing.wins,
        "losses": standing.losses,
        "draws": standing.draws,
    }


def match_data(match: MatchResult) -> TableDocument:
    """Return the figures of any table, counted in matches, and those of the decks."""
    points = [value_of(p.points) for p in match.table.performances]
    entry = _two_sided(match.table, points)
    entry.update(
        {
            "pairs": list(match.table.performances[0].scores),
            "first_choice": win_rate(match.first_choice),
            "seat_1_first": win_rate(match.a_first),
            "seat_2_first": win_rate(match.b_first),
            "chose_first": win_rate(match.chose_first),
            "games_played": match.games,
            "games_drawn": match.games_drawn,
            "value": rounded(match.value),
            "decks": [
                [_deck_in_match(deck) for deck in decks]
                for decks in (match.decks_a, match.decks_b)
            ],
        }
    )
    return entry


def _deck_in_match(deck: DeckInMatch) -> MatchDeckDocument:
    return {
        "name": deck.name,
        "opened": deck.opened,
        "games": deck.games,
        "wins": deck.wins,
        "draws": deck.draws,
        "win_rate": value_of(deck.rate),
        "interval": ends_of(deck.rate),
        "against": [
            {"losses": lost, "draws": drawn, "wins": won}
            for lost, drawn, won in deck.against
        ],
    }
