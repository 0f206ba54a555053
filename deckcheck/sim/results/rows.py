"""A simulation as tidy rows, for CSV and frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deckcheck.sim.results.figures import Row, rounded
from deckcheck.sim.results.matches import DeckInMatch, MatchResult
from deckcheck.sim.results.played import Matchup
from deckcheck.sim.results.standings import Standing
from deckcheck.sim.results.tidy import DECK, OPPONENT, tidy
from deckcheck.sim.results.totals import TableResult

TWO = 2


def standing_rows(standing: Standing) -> Iterator[Row]:
    """The rows of a deck over all its opponents."""
    s = standing
    yield from tidy("win_rate", s.estimate, s.games, s.deck)
    for metric, number in (("wins", s.wins), ("losses", s.losses), ("draws", s.draws)):
        yield from tidy(metric, number, s.games, s.deck)


def matchup_rows(matchup: Matchup) -> Iterator[Row]:
    """The rows of a matchup, counted from the side of each of its decks."""
    yield from _side(matchup)
    if matchup.a != matchup.b:
        yield from _side(matchup.mirrored())


def _side(m: Matchup) -> Iterator[Row]:
    """The rows of a matchup, counted from the side of deck a."""
    names = m.a, m.b
    yield from tidy("win_rate", m.win_rate(m.a), m.games, *names)
    for starts, split in ((DECK, m.a_starts), (OPPONENT, m.b_starts)):
        yield from tidy("win_rate", split.estimate, split.games, *names, starts=starts)
    for metric, value in (
        ("wins", m.wins_a),
        ("losses", m.wins_b),
        ("draws", m.draws),
        ("rounds", m.rounds_mean),
        ("turns", m.turns_mean),
        ("cards_left", m.cards_left_a_mean),
    ):
        yield from tidy(metric, value, m.games, *names)


def matrix(names: Sequence[str], matchups: Sequence[Matchup]) -> list[Row]:
    """The win rates of rows against columns, a row for each name.

    None where two did not meet.
    """
    rates: dict[tuple[str, str], float] = {}
    for m in matchups:
        for deck, other in ((m.b, m.a), (m.a, m.b)):
            rates[deck, other] = rounded(m.win_rate(deck).value)
    return [{other: rates.get((name, other)) for other in names} for name in names]


def table_rows(table: TableResult) -> Iterator[Row]:
    """The rows of each entrant of a table, against the others at it."""
    for i, name in enumerate(table.entrants):
        others = ", ".join(other for j, other in enumerate(table.entrants) if j != i)
        own = table.performances[i]
        yield from tidy("win_share", own.win_share, own.games, name, others)
        for turn, cell in enumerate(table.by_seat[i]):
            starts = DECK if turn == 0 else _starter(len(table.entrants), turn)
            share = cell.win_share
            yield from tidy("win_share", share, cell.games, name, others, starts=starts)
        for metric, figure in (
            ("wins", own.wins),
            ("shared", own.shared),
            ("place", own.place),
            ("points", own.points),
            ("rounds", table.rounds_mean),
            ("turns", table.turns_mean),
        ):
            yield from tidy(metric, figure, own.games, name, others)


def _starter(entrants: int, turn: int) -> str:
    """Who starts, where an entrant does not: the other one, or of several its turn."""
    return OPPONENT if entrants == TWO else f"{OPPONENT}, turn {turn + 1}"


def match_rows(match: MatchResult) -> Iterator[Row]:
    """The rows of two lineups against each other, and of each of their decks."""
    rates = (match.rate_a, match.rate_a.opposite())
    names = (match.a, match.b)
    for side, decks in enumerate((match.decks_a, match.decks_b)):
        own, other = names[side], names[1 - side]
        rate, n = rates[side], match.matches
        yield from tidy("match_win_rate", rate, n, own, other, lineup=own)
        for deck in decks:
            yield from _deck_rows(deck, own, other)


def _deck_rows(deck: DeckInMatch, lineup: str, other: str) -> Iterator[Row]:
    losses = deck.games - deck.wins - deck.draws
    for metric, figure in (
        ("win_rate", deck.rate),
        ("wins", deck.wins),
        ("losses", losses),
        ("draws", deck.draws),
        ("opened", deck.opened),
    ):
        yield from tidy(metric, figure, deck.games, deck.name, other, lineup=lineup)
