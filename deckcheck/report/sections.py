"""The tables of a simulation, before they are laid out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from deckcheck.sim.result import Matchup, SimulatedDeck, SimulationResult, Split
from deckcheck.stats import Interval

__all__ = ["Table", "closing_facts", "illegal_notes", "tables_of"]

UNKNOWN = "-"


@dataclass(frozen=True, slots=True)
class Table:
    """A table: the first column is text, the others are figures.

    The columns of a `matrix` may be laid out in several parts. `note` stands below.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    matrix: bool = False
    note: str | None = None


def tables_of(result: SimulationResult) -> list[Table]:
    """Return the tables of `result`, the most important first."""
    if len(result.matchups) == 1:
        return [_match(result, result.matchups[0])]
    tables = [_standings(result), _matrix(result), _matchups(result)]
    return [table for table in tables if table.rows]


def closing_facts(result: SimulationResult) -> list[tuple[str, str]]:
    """Return what is said below the tables: how the games were played."""
    processes = "1 process" if result.jobs == 1 else f"{result.jobs} processes"
    return [
        ("format", f"{result.format}, snapshot {result.snapshot}"),
        ("policies", _policies(result.decks)),
        ("games", f"{_count(result.games_played)}, in mirrored pairs"),
        ("seed", str(result.seed)),
        ("checksum", result.checksum),
        ("digest", result.digest),
        ("speed", f"{_count(round(result.games_per_second))} games/s, {processes}"),
    ]


def illegal_notes(result: SimulationResult) -> list[str]:
    """Return a sentence for each deck that played although it is illegal."""
    return [
        f"`{deck.name}` is illegal in {result.format} "
        f"({deck.findings} {'error' if deck.findings == 1 else 'errors'}) "
        "and played because of --allow-illegal"
        for deck in result.illegal
    ]


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
        _percent(part.win_rate_a),
        _range(part.interval),
        *(_count(n) for n in counts),
    )


def _standings(result: SimulationResult) -> Table:
    standings = result.standings()
    columns = ("deck", "win rate", "95 % interval", "wins", "losses", "draws")
    rows = tuple(
        (
            _ranked(place, _player(result, s.deck), len(standings)),
            _percent(s.win_rate),
            _range(s.interval),
            *(_count(n) for n in (s.wins, s.losses, s.draws)),
        )
        for place, s in enumerate(standings, start=1)
    )
    games = _count(max((s.games for s in standings), default=0))
    title = f"Standings: mean win rate over all opponents, {games} games each"
    return Table(title, columns, rows)


def _matrix(result: SimulationResult) -> Table:
    order = [standing.deck for standing in result.standings()]
    rates = {(m.a, m.b): m.win_rate_a for m in result.matchups}
    rates |= {(m.b, m.a): 1 - m.win_rate_a for m in result.matchups if m.a != m.b}
    rows = tuple(
        (
            _ranked(place, deck, len(order)),
            *(_plain_percent(rates.get((deck, other))) for other in order),
        )
        for place, deck in enumerate(order, start=1)
    )
    columns = ("", *(str(place) for place in range(1, len(order) + 1)))
    title = "Win rate in % of the deck in the row against the deck in the column"
    return Table(title, columns, rows if len(order) > 1 else (), matrix=True)


def _ranked(place: int, deck: str, places: int) -> str:
    return f"{place:>{len(str(places))}}  {deck}"


def _matchups(result: SimulationResult) -> Table:
    columns = (
        "matchup",
        *("win rate", "95 %", "wins", "losses", "draws"),
        *("first", "second", "rounds", "left"),
    )
    rows = tuple(
        (
            f"{_player(result, m.a)} against {_player(result, m.b)}",
            _percent(m.win_rate_a),
            f"{_plain_percent(m.interval.low)}-{_plain_percent(m.interval.high)}",
            *(_count(n) for n in (m.wins_a, m.wins_b, m.draws)),
            *(_plain_percent(s.win_rate_a) for s in (m.a_starts, m.b_starts)),
            f"{m.rounds_mean:.2f}",
            f"{m.cards_left_a_mean:.1f}/{m.cards_left_b_mean:.1f}",
        )
        for m in result.matchups
    )
    title = f"Matchups, {_count(result.games)} games each"
    note = (
        "counted for the deck named first; first and second: its win rate in % when it "
        "starts and when the other does; left: cards in hand at the end, both decks"
    )
    return Table(title, columns, rows, note=note)


def _player(result: SimulationResult, name: str) -> str:
    """The deck with who plays it, when not all decks are played alike."""
    policy = result.policies[name]
    alike = len(set(result.policies.values())) == 1
    return name if alike or f"({policy})" in name else f"{name} ({policy})"


def _policies(decks: Sequence[SimulatedDeck]) -> str:
    names = {deck.policy for deck in decks}
    if len(names) == 1:
        return names.pop()
    return ", ".join(deck.policy for deck in decks)


def _percent(rate: float | None) -> str:
    return UNKNOWN if rate is None else f"{100 * rate:.1f} %"


def _plain_percent(rate: float | None) -> str:
    return UNKNOWN if rate is None else f"{100 * rate:.1f}"


def _range(interval: Interval | None) -> str:
    if interval is None:
        return UNKNOWN
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"


def _count(number: int) -> str:
    return f"{number:,}"
