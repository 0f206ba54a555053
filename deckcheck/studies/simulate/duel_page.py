"""The page of decks, or lineups, that met two at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from deckcheck.findings.words import quote
from deckcheck.report.html.model import (
    Forest,
    Heatmap,
    Section,
    axis_of,
    row_of,
)
from deckcheck.report.sections import count, percent, plain_percent, ranged
from deckcheck.sim.results.played import Matchup, Split
from deckcheck.sim.results.result import SimulationResult
from deckcheck.sim.results.standings import Standing
from deckcheck.stats import Estimate, difference
from deckcheck.studies.simulate.table_page import matrix_of

LEVEL = 0.95


def duel_answers(result: SimulationResult) -> Iterator[str]:
    """The better deck, in a sentence."""
    if len(result.matchups) == 1:
        yield _match_answer(result.matchups[0])
        return
    ranked = _ranked(result)
    if len(ranked) > 1:
        rate = _estimate(ranked[0])
        best, second = ranked[0].deck, ranked[1].deck
        answers = (
            f"{quote(best)} does best: it wins {percent(rate.value)} of its games "
            f"over all opponents ({ranged(rate.interval)})"
        )
        near = [
            standing for standing in ranked[1:] if not is_better(ranked[0], standing)
        ]
        if near:
            rest = f"{quote(near[0].deck)} ({percent(near[0].win_rate)}) may be as good"
            yield f"{answers}, but {rest}."
        else:
            next_rate = percent(ranked[1].win_rate)
            yield f"{answers}, ahead of {quote(second)} with {next_rate}."


def _match_answer(matchup: Matchup) -> str:
    rate = matchup.win_rate(matchup.a)
    games = f"{count(matchup.games)} games ({ranged(rate.interval)})"
    shown = f"{percent(rate.value)} of {games}"
    a, b = quote(matchup.a), quote(matchup.b)
    if rate.interval.low > 0.5:
        return f"{a} beats {b}: it wins {shown}."
    if rate.interval.high < 0.5:
        return f"{b} beats {a}, which wins {shown}."
    return f"Neither is better beyond doubt: {a} wins {shown} against {b}."


def duel_sections(result: SimulationResult) -> Iterator[Section]:
    """Standings, the matrix, and every matchup."""
    if len(result.matchups) == 1:
        yield Section("match", "The match", (_starts(result.matchups[0]),))
        return
    standings = result.standings()
    if len(standings) > 1:
        yield Section("standings", "Standings", (_standings(standings),))
        if not result.challengers:
            yield Section("matrix", "Who beats whom", (_matrix(result, standings),))
    yield Section("matchups", "Every matchup", (_matchups(result),))


def _ranked(result: SimulationResult) -> list[Standing]:
    """The standings, of a field those of who was to be measured."""
    standings = result.standings()
    chosen = [standing for standing in standings if standing.deck in result.challengers]
    return chosen or standings


def is_better(one: Standing, other: Standing, level: float = LEVEL) -> bool:
    """Whether the mean win rate of the first is higher, beyond doubt.

    No correction is needed to call the best of several the best: S. Gutmann and
    Z. Maymin (1987), Is the selected population the best?, Annals of Statistics 15.
    """
    return difference(one.mean, other.mean).interval(level).low > 0


def _estimate(standing: Standing) -> Estimate:
    return Estimate(standing.win_rate, standing.interval, standing.games)


def _standings(standings: Sequence[Standing]) -> Forest:
    rates = [_estimate(standing) for standing in standings]
    axis = axis_of(rates)
    places = places_of(standings)
    return Forest(
        caption="Mean win rate over all opponents",
        of="deck",
        axis=axis,
        places=True,
        columns=("wins", "losses", "draws"),
        rows=tuple(
            row_of(
                standing.deck,
                rate,
                axis,
                [count(n) for n in (standing.wins, standing.losses, standing.draws)],
                place,
            )
            for standing, rate, place in zip(standings, rates, places, strict=True)
        ),
        note="The place is a range where the games do not settle it: "
        "each range holds the true place in 95 of 100 runs.",
    )


def places_of(standings: Sequence[Standing]) -> list[str]:
    """The places that each deck may have: better ones and worse ones are beyond doubt.

    All sentences about a deck hold together (Bonferroni). A deck with a lower rate is
    not better, so that only pairs in the order of the standings are compared.
    """
    count = len(standings)
    level = 1 - (1 - LEVEL) / (count - 1)
    worse = [0] * count
    better = [0] * count
    for first, second in combinations(range(count), 2):
        if is_better(standings[first], standings[second], level):
            worse[first] += 1
            better[second] += 1
    places = []
    for i in range(count):
        first, last = 1 + better[i], count - worse[i]
        places.append(str(first) if first == last else f"{first} to {last}")
    return places


def _matrix(result: SimulationResult, standings: Sequence[Standing]) -> Heatmap:
    caption = "Win rate in % of the deck in the row against the deck in the column"
    order = [standing.deck for standing in standings]
    return matrix_of(caption, order, [matchup.table for matchup in result.matchups])


def _matchups(result: SimulationResult) -> Forest:
    played = sorted(result.matchups, key=lambda m: -abs(m.win_rate_a - 0.5))
    rates = [matchup.win_rate(matchup.a) for matchup in played]
    axis = axis_of(rates)
    return Forest(
        caption="Win rate of the deck named first, the most decisive matchup on top",
        of="matchup",
        axis=axis,
        columns=("wins", "losses", "draws", "first", "second", "rounds", "left"),
        rows=tuple(
            row_of(
                f"{m.a} against {m.b}",
                rate,
                axis,
                (
                    *(count(n) for n in (m.wins_a, m.wins_b, m.draws)),
                    plain_percent(m.a_starts.win_rate_a),
                    plain_percent(m.b_starts.win_rate_a),
                    f"{m.rounds_mean:.2f}",
                    f"{m.cards_left_a_mean:.1f}/{m.cards_left_b_mean:.1f}",
                ),
            )
            for m, rate in zip(played, rates, strict=True)
        ),
        note="First and second: its win rate in % when it starts, and when the other "
        "does. Left: cards in hand at the end, of both.",
    )


def _starts(matchup: Matchup) -> Forest:
    splits = ((matchup.a, matchup.a_starts), (matchup.b, matchup.b_starts))
    parts: list[tuple[str, Estimate, Matchup | Split]] = [
        ("all games", matchup.win_rate(matchup.a), matchup)
    ]
    for name, split in splits:
        if split.win_rate_a is not None and split.interval is not None:
            rate = Estimate(split.win_rate_a, split.interval, split.games)
            parts.append((f"{name} starts", rate, split))
    axis = axis_of([rate for _, rate, _ in parts])
    return Forest(
        caption=f"Win rate of {matchup.a} against {matchup.b}",
        of="games",
        axis=axis,
        columns=("number", "wins", "losses", "draws"),
        rows=tuple(
            row_of(
                name,
                rate,
                axis,
                [count(n) for n in (part.games, part.wins_a, part.wins_b, part.draws)],
            )
            for name, rate, part in parts
        ),
        note=f"{matchup.rounds_mean:.2f} rounds and {matchup.turns_mean:.1f} turns a "
        f"game; cards left in hand: {matchup.cards_left_a_mean:.2f} ({matchup.a}), "
        f"{matchup.cards_left_b_mean:.2f} ({matchup.b}).",
    )
