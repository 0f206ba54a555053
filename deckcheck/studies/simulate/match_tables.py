"""Tables of tournament matches: match rates, decks, first choices."""

from __future__ import annotations

from deckcheck.report.sections import (
    Report,
    most_decisive,
    policies_of,
    rest_note,
    run_facts,
    warnings_of,
)
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import COUNT, IN_PERCENT, PERCENT, count, percent
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.result import SimulationResult


def match_report(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return the tables of the matches, an overview first if there are several.

    Of many matches only the most decisive are shown in detail, unless `all_matchups`.
    """
    shown = list(result.matches)
    if not all_matchups:
        shown = most_decisive(shown, lambda match: abs(match.rate_a.value - 0.5))
    tables = [_overview(result, len(shown))] if len(result.matches) > 1 else []
    for match in shown:
        tables += [
            _match(match),
            _decks(match.a, match.decks_a, match.matches),
            _decks(match.b, match.decks_b, match.matches),
            _against(match),
        ]
    matches = sum(match.matches for match in result.matches)
    games = f"{count(result.games_played)} in {count(matches)} matches"
    if result.matchups:
        measured = sum(matchup.games for matchup in result.matchups)
        games += f", {count(measured)} of them to measure the decks"
    facts = list(
        run_facts(result, policies_of([deck.policy for deck in result.decks]), games)
    )
    facts.insert(2, ("selection", _selections(result)))
    return Report(tuple(tables), warnings_of(result), tuple(facts))


def _selections(result: SimulationResult) -> str:
    ways = [lineup.selection for lineup in result.lineups]
    words = ways[0] if len(set(ways)) == 1 else ", ".join(ways)
    return f"{words}, by {result.chances_from}" if result.chances_from else words


def _match(match: MatchResult) -> Table:
    columns = (
        Column(""),
        Column("win rate", PERCENT, "95 % interval"),
        Column("matches", COUNT),
    )
    rates = (
        ("all matches", match.rate_a),
        (f"{match.a} chooses first", match.a_first),
        (f"{match.b} chooses first", match.b_first),
        ("who chooses first in game 1", match.first_choice),
    )
    rows = tuple((name, rate, rate.games) for name, rate in rates)
    drawn = f", {count(match.draws)} drawn" if match.draws else ""
    note = (
        f"won {count(match.wins_a)}, lost {count(match.wins_b)}{drawn}; "
        f"{match.games / match.matches:.2f} games a match, "
        f"{percent(match.games_drawn / match.games)} of them drawn and replayed; "
        f"in single games who chooses first wins {percent(match.chose_first.value)}"
    )
    if match.value is not None:
        value = percent(match.value)
        note += f"; by the chances of the decks, best choices are worth {value}"
    return Table(f"{match.a} against {match.b}", columns, rows, note=note)


def _decks(lineup: str, decks: tuple[DeckInMatch, ...], matches: int) -> Table:
    columns = (
        Column(""),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "games", "wins", "losses", "draws"),
        Column("opens", IN_PERCENT),
    )
    rows = tuple(
        (
            *(deck.name, deck.rate, deck.games, deck.wins),
            *(deck.games - deck.wins - deck.draws, deck.draws),
            deck.opened / matches,
        )
        for deck in decks
    )
    title = f"Decks of {lineup}, in the games they were chosen for"
    note = "opens: in how many % of the matches the deck is chosen for game 1"
    return Table(title, columns, rows, note=note)


def _against(match: MatchResult) -> Table:
    names = [deck.name for deck in match.decks_b]
    rows = tuple(
        (deck.name, *(_cell(*cell) for cell in deck.against)) for deck in match.decks_a
    )
    title = f"Win rate in % and games of decks of {match.a} against those of {match.b}"
    columns = (Column(""), *numbers(IN_PERCENT, *names))
    return Table(title, columns, rows, matrix=True)


def _cell(lost: int, drawn: int, won: int) -> str:
    games = lost + drawn + won
    rate = (won + drawn / 2) / games if games else None
    return f"{IN_PERCENT.number(rate)} ({count(games)})"


def _overview(result: SimulationResult, shown: int) -> Table:
    columns = (
        Column("match"),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "won", "lost", "drawn"),
    )
    rows = tuple(
        (
            f"{match.a} against {match.b}",
            *(match.rate_a, match.wins_a, match.wins_b, match.draws),
        )
        for match in result.matches
    )
    note = f"counted for the lineup named first{rest_note(shown, len(rows))}"
    return Table(f"{len(rows)} matches of lineups", columns, rows, note=note)
