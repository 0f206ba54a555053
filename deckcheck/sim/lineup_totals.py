"""From the tally of two lineups to what came of their matches, with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from deckcheck.engine.tally import CHECKSUM_MASK
from deckcheck.sim.lineup_result import DeckInMatch, PlayedMatch
from deckcheck.sim.lineup_rules import Stand
from deckcheck.sim.lineup_tally import Count, cells, opened
from deckcheck.sim.lineups import Lineup
from deckcheck.sim.selection import Plan, match_value
from deckcheck.stats import Estimate, mean_score, mean_score_interval

__all__ = ["checksum_of", "match_rate_of", "played_match"]

PAIR_SCORES = 5


def match_rate_of(tally: Any) -> Estimate:
    """Return the match win rate of the first lineup, from its mirrored pairs."""
    return _pair_rate(tally, Count.PAIR_SCORE)


def checksum_of(tallies: Iterable[Any]) -> str:
    """Return the checksum over all matches as 12 hex digits; order does not matter."""
    total = sum(int(tally[Count.CHECKSUM]) for tally in tallies)
    return f"{total & CHECKSUM_MASK:012x}"


def played_match(
    a: Lineup, b: Lineup, tally: Any, plans: Mapping[Stand, Plan] | None
) -> PlayedMatch:
    """Return the matches of two lineups that `tally` counts."""
    sizes = (len(a.entrants), len(b.entrants))
    rows = cells(tally, sizes)
    columns = [[cell[::-1] for cell in column] for column in zip(*rows, strict=True)]
    won, lost, drawn = (
        int(tally[field] + tally[field + 1])
        for field in (Count.WON, Count.LOST, Count.DRAWN)
    )
    matches = won + lost + drawn
    points = [int(tally[Count.GAMES_WON + side]) for side in range(2)]
    return PlayedMatch(
        a=a.name,
        b=b.name,
        matches=matches,
        wins_a=won,
        wins_b=lost,
        draws=drawn,
        rate_a=match_rate_of(tally),
        a_first=_split(tally, 0),
        b_first=_split(tally, 1),
        first_choice=_pair_rate(tally, Count.FIRST_SCORE),
        chose_first=_rate([int(tally[Count.CHOSE_FIRST + i]) for i in range(3)]),
        games=int(tally[Count.GAMES]),
        games_drawn=int(tally[Count.GAMES_DRAWN]),
        games_won=(points[0] / matches, points[1] / matches),
        decks_a=_decks(a, rows, tally[opened(sizes, 0, 0) :]),
        decks_b=_decks(b, columns, tally[opened(sizes, 1, 0) :]),
        value=match_value(plans) if plans else None,
    )


def _pair_rate(tally: Any, field: Count) -> Estimate:
    pairs = [int(n) for n in tally[field : field + PAIR_SCORES]]
    return Estimate(mean_score(pairs), mean_score_interval(pairs), 2 * sum(pairs))


def _split(tally: Any, coin: int) -> Estimate:
    """The match win rate of side 0 where the coin fell so."""
    fields = (Count.LOST, Count.DRAWN, Count.WON)
    return _rate([int(tally[field + coin]) for field in fields])


def _rate(counts: Sequence[int]) -> Estimate:
    """The win rate of lost, drawn and won games or matches, taken as independent."""
    return Estimate(mean_score(counts), mean_score_interval(counts), sum(counts))


def _decks(
    lineup: Lineup,
    rows: Sequence[Sequence[tuple[int, int, int]]],
    openings: Any,
) -> tuple[DeckInMatch, ...]:
    """The decks of a lineup; `openings` starts with how often each opened."""
    found = []
    for at, (entrant, row) in enumerate(zip(lineup.entrants, rows, strict=True)):
        lost, drawn, won = (sum(cell[i] for cell in row) for i in range(3))
        games = lost + drawn + won
        found.append(
            DeckInMatch(
                name=entrant.name,
                opened=int(openings[at]),
                games=games,
                wins=won,
                draws=drawn,
                rate=_rate((lost, drawn, won)) if games else None,
                against=tuple(row),
            )
        )
    return tuple(found)
