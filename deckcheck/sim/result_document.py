"""The parts of a result's JSON document: head, tables, matchups, matches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, cast, get_args, get_type_hints

from deckcheck.markup import tool
from deckcheck.policies.registry import policy_version
from deckcheck.sim.documents import (
    BotErrorDocument,
    Challengers,
    HistogramDocument,
    Histograms,
    MatchDeckDocument,
    MatchupDocument,
    RunClosing,
    RunDeckDocument,
    RunDocument,
    RunOpening,
    SeatDocument,
    StoppingDocument,
    TableDocument,
    TurnDocument,
)
from deckcheck.sim.figures import (
    figure_ends,
    figure_value,
    make_document,
    plain,
    record_data,
    round_figure,
    win_rate,
)
from deckcheck.sim.matches import DeckInMatch, MatchResult
from deckcheck.sim.performances import Performance
from deckcheck.sim.result_header import ResultHeader
from deckcheck.sim.standings import Matchup
from deckcheck.sim.stopping import StoppingOutcome
from deckcheck.sim.table_results import TableResult
from deckcheck.stats import Histogram, round_width

D = TypeVar("D")


def make_result_document(shape: type[D], result: ResultHeader, **made: object) -> D:
    """Return the document of a result: its version, the head, and its own values.

    A value is from `made`, or else the attribute with the name of the key. The version
    is the version that the shape allows.
    """
    (version,) = get_args(get_type_hints(shape)["schema_version"])
    shared = {"schema_version", *RunDocument.__annotations__}
    keys = [key for key in shape.__annotations__ if key not in shared]
    body = record_data(keys, result, made)
    head = {**make_opening(result), **make_closing(result)}
    return cast(D, {"schema_version": version, **head, **body})


def make_opening(run: ResultHeader) -> RunOpening:
    """Return which games were played."""
    versions = {name: policy_version(name) for name in run.players}
    return make_document(RunOpening, run, tool=tool(), policy_versions=versions)


def make_closing(run: ResultHeader) -> RunClosing:
    """Return the data for repeating the games, and their players."""
    return {
        "checksum": run.checksum,
        "fingerprint": run.fingerprint,
        "changes": [change.as_data() for change in run.changes],
        "complete": run.complete,
        **_make_stopping_document(run.stopped),
        "games_per_second": round_figure(run.games_per_second, 1),
        "seconds": round_figure(run.seconds, 3),
        "jobs": run.jobs,
        **_make_challengers(run),
        **_make_bot_error(run),
        "decks": [make_document(RunDeckDocument, deck) for deck in run.decks],
        "claims": [claim.as_data() for claim in run.claims],
    }


def _make_stopping_document(stopped: StoppingOutcome | None) -> StoppingDocument:
    """Return the outcome of a rule. `tables` are in the order of the result."""
    if stopped is None:
        return {}
    return {
        "stopping": {
            "rule": stopped.rule,
            "reached": stopped.reached,
            "not_settled": list(stopped.open),
            "tables": plain(stopped.decisions),
        }
    }


def _make_challengers(run: ResultHeader) -> Challengers:
    return {"challengers": list(run.challengers)} if run.challengers else {}


def _make_bot_error(run: ResultHeader) -> BotErrorDocument:
    error = run.bot_error
    if error is None:
        return {}
    return {
        "bot_error": {
            "error": round_figure(error.points / 100),
            "interval": [round_figure(error.low / 100), round_figure(error.high / 100)],
            "decks": error.decks,
            "figure": error.figure.value,
        }
    }


def find_margin_width(tables: Iterable[TableResult]) -> int:
    """Return how wide the bins of margins are, at all tables of a run alike."""
    return round_width(Histogram.sum(t.margins for t in tables if t.margins))


def make_table_document(table: TableResult, width: int) -> TableDocument:
    """Return a table. Lists have an element for each entrant, in order.

    Bins of margins have this `width`.
    """
    performances = table.performances
    document: TableDocument = {
        "seats": list(table.entrants),
        "games": table.games,
        "sets": table.sets,
        "draws": table.draws,
        "wins": [p.wins for p in performances],
        "shared": [p.shared for p in performances],
        "win_share": [figure_value(p.win_share) for p in performances],
        "intervals": [figure_ends(p.win_share) for p in performances],
        "places_mean": [figure_value(p.place) for p in performances],
        "places_intervals": [figure_ends(p.place) for p in performances],
        "points_mean": [figure_value(p.points) for p in performances],
        "points_intervals": [figure_ends(p.points) for p in performances],
        "by_turn": _list_turns(table),
        "rounds_mean": round_figure(table.rounds_mean),
        "turns_mean": round_figure(table.turns_mean),
    }
    _add_histograms(document, table, width)
    return document


def _list_turns(table: TableResult) -> list[TurnDocument]:
    """Return the performance in each seat, of all entrants and of each."""
    turns: list[TurnDocument] = []
    for seat, performance in enumerate(table.seats):
        by_entrant = [_make_seat_document(seats[seat]) for seats in table.by_seat]
        turns.append(
            {
                "turn": seat + 1,
                "all": _make_seat_document(performance),
                "seats": by_entrant,
            }
        )
    return turns


def _add_histograms(document: Histograms, table: TableResult, width: int) -> None:
    """Add histograms of rounds and final margins, where they were counted."""
    if table.rounds is not None and table.margins is not None:
        document["rounds"] = _make_histogram_document(table.rounds)
        document["margins"] = _make_histogram_document(table.margins.rebin(width))


def _make_histogram_document(counted: Histogram) -> HistogramDocument:
    games = list(counted.counts)
    return {"from": counted.first, "width": counted.width, "games": games}


def _make_seat_document(performance: Performance) -> SeatDocument:
    return {
        "games": performance.games,
        "wins": performance.wins,
        "shared": performance.shared,
        "win_share": figure_value(performance.win_share),
        "interval": figure_ends(performance.win_share),
        "place_mean": figure_value(performance.place),
        "points_mean": figure_value(performance.points),
    }


def make_duel_document(table: TableResult) -> TableDocument:
    """Return the figures that games of every kind have. A draw is half a point."""
    shares = [figure_value(p.win_share) for p in table.performances]
    return _make_two_sided_document(table, shares)


def _make_two_sided_document(
    table: TableResult, points: list[float | None]
) -> TableDocument:
    """Return two entrants in short, the second as the opposite of the first."""
    share = table.first.win_share
    assert share is not None
    rates = (share, share.opposite())
    return {
        "seats": list(table.entrants),
        "games": table.games,
        "draws": table.draws,
        "wins": [p.wins for p in table.performances],
        "shared": [p.shared for p in table.performances],
        "win_share": [figure_value(rate) for rate in rates],
        "intervals": [figure_ends(rate) for rate in rates],
        "places_mean": [figure_value(p.place) for p in table.performances],
        "points_mean": points,
    }


def make_matchup_document(matchup: Matchup, width: int) -> MatchupDocument:
    """Return a matchup, split by the starting deck. Bins of margins have this width."""
    document = make_document(MatchupDocument, matchup)
    _add_histograms(document, matchup.table, width)
    return document


def make_match_document(match: MatchResult) -> TableDocument:
    """Return the figures of any table, counted in matches, and those of each deck."""
    points = [figure_value(p.points) for p in match.table.performances]
    document = _make_two_sided_document(match.table, points)
    document.update(
        {
            "pairs": list(match.table.first.scores),
            "first_choice": win_rate(match.first_choice),
            "seat_1_first": win_rate(match.a_first),
            "seat_2_first": win_rate(match.b_first),
            "chose_first": win_rate(match.chose_first),
            "games_played": match.games,
            "games_drawn": match.games_drawn,
            "value": round_figure(match.value),
            "decks": [
                [_make_match_deck_document(deck) for deck in decks]
                for decks in (match.decks_a, match.decks_b)
            ],
        }
    )
    return document


def _make_match_deck_document(deck: DeckInMatch) -> MatchDeckDocument:
    scores = []
    for lost, drawn, won in deck.against:
        scores.append({"losses": lost, "draws": drawn, "wins": won})
    rate = {"win_rate": figure_value(deck.rate), "interval": figure_ends(deck.rate)}
    return make_document(MatchDeckDocument, deck, **rate, against=scores)
