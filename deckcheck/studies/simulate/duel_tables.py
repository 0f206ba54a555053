"""Tables of decks that met in pairs: a match, or a round robin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.findings.options import option
from deckcheck.report.sections import (
    Report,
    games_each,
    most_decisive,
    policies_of_decks,
    run_facts,
    warnings_of,
)
from deckcheck.report.tables import Column, Table, numbers
from deckcheck.report.units import COUNT, IN_PERCENT, MEAN, PERCENT, count
from deckcheck.sim.results.played import Matchup, Split
from deckcheck.sim.results.result import SimulationResult
from deckcheck.studies.simulate.by_player import by_player_table


def duel_report(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return the tables of `result`, the most important first.

    Of many matchups only the most decisive are shown, unless `all_matchups`.
    """
    games = f"{count(result.games_played)}, in mirrored pairs"
    facts = run_facts(result, policies_of_decks(result.decks), games)
    return Report(
        tuple(_tables(result, all_matchups)),
        warnings_of(result),
        (*facts, *once_facts(result)),
    )


def once_facts(result: SimulationResult) -> tuple[tuple[str, str], ...]:
    """In how many matchups a pair is one game, if there are any."""
    once = sum(matchup.table.rotation == 1 for matchup in result.matchups)
    if not once:
        return ()
    which = "" if len(result.matchups) == 1 else f"in {once} of "
    which += f"{count(len(result.matchups))} matchups: " if which else ""
    why = (
        "an ability decides who begins, so both games of a pair would be the same, and "
        "one is played"
    )
    return (("one game", f"{which}{why}"),)


def _tables(result: SimulationResult, all_matchups: bool) -> list[Table]:
    if len(result.matchups) == 1:
        return [_match(result, result.matchups[0])]
    shown = result.matchups
    if not all_matchups and len(result.challengers) != 1:
        shown = tuple(most_decisive(shown, lambda m: abs(m.win_rate_a - 0.5)))
    tables = [
        standings_table(result),
        by_player_table(result),
        matrix_table(result),
        _matchups(result, shown),
    ]
    return [table for table in tables if table.rows]


def _match(result: SimulationResult, matchup: Matchup) -> Table:
    a, b = (_player(result, name) for name in (matchup.a, matchup.b))
    return starts_table(f"{a} against {b}", matchup)


def starts_table(title: str, matchup: Matchup) -> Table:
    """The win rate of the deck named first in all games, and by who starts."""
    columns = (
        Column(""),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "games", "wins", "losses", "draws"),
    )
    rows = (
        ("all games", matchup.win_rate(matchup.a), *_counts(matchup)),
        *(
            (f"{name} starts", split.estimate, *_counts(split))
            for name, split in (
                (matchup.a, matchup.a_starts),
                (matchup.b, matchup.b_starts),
            )
        ),
    )
    note = (
        f"{matchup.rounds_mean:.2f} rounds and {matchup.turns_mean:.1f} turns a game; "
        f"cards left in hand: {matchup.cards_left_a_mean:.2f} ({matchup.a}), "
        f"{matchup.cards_left_b_mean:.2f} ({matchup.b})"
    )
    return Table(title, columns, rows, note=note)


def _counts(part: Matchup | Split) -> tuple[int, int, int, int]:
    return part.games, part.wins_a, part.wins_b, part.draws


def standings_table(result: SimulationResult) -> Table:
    """The mean win rates of all decks, the best first."""
    standings = result.standings()
    columns = (
        Column("deck"),
        Column("win rate", PERCENT, "95 % interval"),
        *numbers(COUNT, "wins", "losses", "draws"),
    )
    rows = tuple(
        (_player(result, s.deck), s.estimate, s.wins, s.losses, s.draws)
        for s in standings
    )
    counts = {standing.games for standing in standings}
    games = games_each(result, max(counts, default=0), is_same=len(counts) <= 1)
    title = f"Standings: mean win rate over all opponents, {games}"
    return Table(title, columns, rows, ranked=True)


def matrix_table(result: SimulationResult) -> Table:
    """The win rate of every deck against every other, the best first."""
    order = [standing.deck for standing in result.standings()]
    rates = {(m.a, m.b): m.win_rate(m.a) for m in result.matchups}
    rates |= {(m.b, m.a): m.win_rate(m.b) for m in result.matchups if m.a != m.b}
    rows = tuple(
        (deck, *(rates.get((deck, other)) for other in order)) for deck in order
    )
    places = (str(place) for place in range(1, len(order) + 1))
    columns = (Column(""), *numbers(IN_PERCENT, *places))
    title = "Win rate in % of the deck in the row against the deck in the column"
    shown = rows if len(order) > 1 and not result.challengers else ()
    return Table(title, columns, shown, matrix=True, ranked=True)


def _matchups(result: SimulationResult, shown: Sequence[Matchup]) -> Table:
    played = len(result.matchups)
    rest = len(shown) < played
    which = (
        f"The {len(shown)} most decisive of {played} matchups" if rest else "Matchups"
    )
    table = matchups_table(
        result, f"{which}, {games_each(result, result.games)}", shown
    )
    more = f"; all matchups with {option('all-matchups')}" if rest else ""
    return replace(table, note=f"{table.note}{more}")


def matchups_table(
    result: SimulationResult, title: str, shown: Sequence[Matchup]
) -> Table:
    """A row for each matchup, counted for the deck named first."""
    columns = (
        Column("matchup"),
        Column("win rate", PERCENT, "95 %", joint="-"),
        *numbers(COUNT, "wins", "losses", "draws"),
        *numbers(IN_PERCENT, "first", "second"),
        *numbers(MEAN, "rounds", "left"),
    )
    rows = tuple(
        (
            f"{_player(result, m.a)} against {_player(result, m.b)}",
            m.win_rate(m.a),
            *(m.wins_a, m.wins_b, m.draws),
            *(m.a_starts.win_rate_a, m.b_starts.win_rate_a),
            m.rounds_mean,
            f"{m.cards_left_a_mean:.1f}/{m.cards_left_b_mean:.1f}",
        )
        for m in shown
    )
    note = (
        "counted for the deck named first; first and second: its win rate in % when it "
        "starts and when the other does; left: cards in hand at the end, both decks"
    )
    return Table(title, columns, rows, note=note)


def _player(result: SimulationResult, name: str) -> str:
    """The deck with who plays it, when not all decks are played alike."""
    policy = result.policies[name]
    alike = len(set(result.policies.values())) == 1
    is_told = name.endswith((f"({policy})", f", {policy})"))
    return name if alike or is_told else f"{name} ({policy})"
