"""The tables of tournament matches: match rates, decks, first choices."""

from __future__ import annotations

from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    WIN_RATE,
    Column,
    Report,
    ReportTable,
    count,
    describe_policies,
    list_warnings,
    numbers,
    percent,
    run_facts,
)
from deckcheck.sim.matches import DeckInMatch, MatchResult
from deckcheck.sim.result import SimulationResult
from deckcheck.studies.duel_tables import describe_rest, find_most_decisive


def make_matches_report(result: SimulationResult, full: bool = False) -> Report:
    """Return the tables of the matches, after an overview of several matches.

    Of many matches only the most decisive are shown in detail, unless `full`.
    """
    shown = list(result.matches)
    if not full:
        shown = find_most_decisive(shown, lambda match: abs(match.rate_a.value - 0.5))
    tables = []
    if len(result.matches) > 1:
        tables.append(_tabulate_matches(result, len(shown)))
    for match in shown:
        tables += [
            _tabulate_match(match),
            _tabulate_decks(match.a, match.decks_a, match.matches),
            _tabulate_decks(match.b, match.decks_b, match.matches),
            _tabulate_opponents(match),
        ]
    matches = sum(match.matches for match in result.matches)
    games = f"{count(result.games_played)} in {count(matches)} matches"
    if result.matchups:
        measured = sum(matchup.games for matchup in result.matchups)
        games += f", {count(measured)} of them to measure the decks"
    policies = describe_policies([deck.policy for deck in result.decks])
    facts = list(run_facts(result, policies, games))
    facts.insert(2, ("selection", _describe_selection(result)))
    return Report(tuple(tables), list_warnings(result), tuple(facts))


def _describe_selection(result: SimulationResult) -> str:
    """Return how each lineup chooses its decks, once if all do alike."""
    selections = [lineup.selection for lineup in result.lineups]
    if len(set(selections)) == 1:
        selections = selections[:1]
    text = ", ".join(selections)
    if result.chances_from:
        text += f", by {result.chances_from}"
    return text


def _tabulate_match(match: MatchResult) -> ReportTable:
    """Return the win rates of the lineup named first."""
    columns = (Column(""), WIN_RATE, Column("matches", COUNT))
    rates = (
        ("all matches", match.rate_a),
        (f"{match.a} chooses first", match.a_first),
        (f"{match.b} chooses first", match.b_first),
        ("side that chooses first in game 1", match.first_choice),
    )
    rows = tuple((name, rate, rate.games) for name, rate in rates)
    matches = f"won {count(match.wins_a)}, lost {count(match.wins_b)}"
    if match.draws:
        matches += f", {count(match.draws)} drawn"
    note = (
        f"{matches}; {match.games / match.matches:.2f} games a match, "
        f"{percent(match.games_drawn / match.games)} of them drawn and replayed; "
        "the side that chose first won "
        f"{percent(match.chose_first.value)} of single games"
    )
    if match.value is not None:
        value = percent(match.value)
        note += f"; estimated from single games, the best choices win {value}"
    return ReportTable(f"{match.a} against {match.b}", columns, rows, note=note)


def _tabulate_decks(
    lineup: str, decks: tuple[DeckInMatch, ...], matches: int
) -> ReportTable:
    """Return the results of each deck of a lineup in `matches` matches."""
    columns = (
        Column(""),
        WIN_RATE,
        *numbers(COUNT, "games", "wins", "losses", "draws"),
        Column("opens", IN_PERCENT),
    )
    rows = []
    for deck in decks:
        losses = deck.games - deck.wins - deck.draws
        counts = (deck.games, deck.wins, losses, deck.draws)
        rows.append((deck.name, deck.rate, *counts, deck.opened / matches))
    title = f"Decks of {lineup}, in the games they were chosen for"
    note = "opens: in how many % of the matches the deck is chosen for game 1"
    return ReportTable(title, columns, tuple(rows), note=note)


def _tabulate_opponents(match: MatchResult) -> ReportTable:
    """Return the results of each deck of a lineup against each deck of the other."""
    names = [deck.name for deck in match.decks_b]
    rows = []
    for deck in match.decks_a:
        rows.append((deck.name, *(_format_games(*scores) for scores in deck.against)))
    title = f"Win rate in % and games of decks of {match.a} against those of {match.b}"
    columns = (Column(""), *numbers(IN_PERCENT, *names))
    return ReportTable(title, columns, tuple(rows), matrix=True)


def _format_games(lost: int, drawn: int, won: int) -> str:
    """Return a win rate in % and the number of games, `61.5 (130)`."""
    games = lost + drawn + won
    rate = (won + drawn / 2) / games if games else None
    return f"{IN_PERCENT.number(rate)} ({count(games)})"


def _tabulate_matches(result: SimulationResult, shown: int) -> ReportTable:
    """Return a row for each match, `shown` of which are shown in detail."""
    columns = (Column("match"), WIN_RATE, *numbers(COUNT, "won", "lost", "drawn"))
    rows = []
    for m in result.matches:
        name = f"{m.a} against {m.b}"
        rows.append((name, m.rate_a, m.wins_a, m.wins_b, m.draws))
    note = f"counted for the lineup named first{describe_rest(shown, len(rows))}"
    title = f"{len(rows)} matches of lineups"
    return ReportTable(title, columns, tuple(rows), note=note)
