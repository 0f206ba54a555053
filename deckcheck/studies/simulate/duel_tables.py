"""Tables of decks that met in pairs: a match, or a round robin."""

from __future__ import annotations

from collections.abc import Sequence

from deckcheck.findings.options import option
from deckcheck.report.sections import (
    Report,
    Table,
    count,
    games_each,
    most_decisive,
    percent,
    plain_percent,
    policies_of,
    ranged,
    run_facts,
    warnings_of,
)
from deckcheck.sim.results.played import Matchup, Split
from deckcheck.sim.results.result import SimulationResult


def duel_report(result: SimulationResult, all_matchups: bool = False) -> Report:
    """Return the tables of `result`, the most important first.

    Of many matchups only the most decisive are shown, unless `all_matchups`.
    """
    games = f"{count(result.games_played)}, in mirrored pairs"
    facts = run_facts(
        result, policies_of([deck.policy for deck in result.decks]), games
    )
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
    tables = [_standings(result), _matrix(result), _matchups(result, shown)]
    return [table for table in tables if table.rows]


def _match(result: SimulationResult, matchup: Matchup) -> Table:
    a, b = (_player(result, name) for name in (matchup.a, matchup.b))
    columns = ("", "win rate", "95 % interval", "games", "wins", "losses", "draws")
    rows = (
        ("all games", *_figures(matchup)),
        (f"{matchup.a} starts", *_figures(matchup.a_starts)),
        (f"{matchup.b} starts", *_figures(matchup.b_starts)),
    )
    note = (
        f"{matchup.rounds_mean:.2f} rounds and {matchup.turns_mean:.1f} turns a game; "
        f"cards left in hand: {matchup.cards_left_a_mean:.2f} ({matchup.a}), "
        f"{matchup.cards_left_b_mean:.2f} ({matchup.b})"
    )
    return Table(f"{a} against {b}", columns, rows, note=note)


def _figures(part: Matchup | Split) -> tuple[str, ...]:
    counts = (part.games, part.wins_a, part.wins_b, part.draws)
    return (
        percent(part.win_rate_a),
        ranged(part.interval),
        *(count(n) for n in counts),
    )


def _standings(result: SimulationResult) -> Table:
    standings = result.standings()
    columns = ("deck", "win rate", "95 % interval", "wins", "losses", "draws")
    rows = tuple(
        (
            _player(result, s.deck),
            percent(s.win_rate),
            ranged(s.interval),
            *(count(n) for n in (s.wins, s.losses, s.draws)),
        )
        for s in standings
    )
    games = games_each(result, max((s.games for s in standings), default=0))
    title = f"Standings: mean win rate over all opponents, {games}"
    return Table(title, columns, rows, ranked=True)


def _matrix(result: SimulationResult) -> Table:
    order = [standing.deck for standing in result.standings()]
    rates = {(m.a, m.b): m.win_rate_a for m in result.matchups}
    rates |= {(m.b, m.a): 1 - m.win_rate_a for m in result.matchups if m.a != m.b}
    rows = tuple(
        (deck, *(plain_percent(rates.get((deck, other))) for other in order))
        for deck in order
    )
    columns = ("", *(str(place) for place in range(1, len(order) + 1)))
    title = "Win rate in % of the deck in the row against the deck in the column"
    shown = rows if len(order) > 1 and not result.challengers else ()
    return Table(title, columns, shown, matrix=True, ranked=True)


def _matchups(result: SimulationResult, shown: Sequence[Matchup]) -> Table:
    columns = (
        "matchup",
        *("win rate", "95 %", "wins", "losses", "draws"),
        *("first", "second", "rounds", "left"),
    )
    rows = tuple(
        (
            f"{_player(result, m.a)} against {_player(result, m.b)}",
            percent(m.win_rate_a),
            f"{plain_percent(m.interval.low)}-{plain_percent(m.interval.high)}",
            *(count(n) for n in (m.wins_a, m.wins_b, m.draws)),
            *(plain_percent(s.win_rate_a) for s in (m.a_starts, m.b_starts)),
            f"{m.rounds_mean:.2f}",
            f"{m.cards_left_a_mean:.1f}/{m.cards_left_b_mean:.1f}",
        )
        for m in shown
    )
    played = len(result.matchups)
    rest = len(shown) < played
    which = (
        f"The {len(shown)} most decisive of {played} matchups" if rest else "Matchups"
    )
    title = f"{which}, {games_each(result, result.games)}"
    note = (
        "counted for the deck named first; first and second: its win rate in % when it "
        "starts and when the other does; left: cards in hand at the end, both decks"
    )
    if rest:
        note += f"; all matchups with {option('all-matchups')}"
    return Table(title, columns, rows, note=note)


def _player(result: SimulationResult, name: str) -> str:
    """The deck with who plays it, when not all decks are played alike."""
    policy = result.policies[name]
    alike = len(set(result.policies.values())) == 1
    is_told = name.endswith((f"({policy})", f", {policy})"))
    return name if alike or is_told else f"{name} ({policy})"
