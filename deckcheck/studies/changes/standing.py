"""The standings of a field and its best mix, before and after a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from deckcheck.sim.results.result import SimulationResult
from deckcheck.stats import Estimate
from deckcheck.studies.solve.payoff_matrix import mixture_of

HALF = 0.5
TWO = 2


@dataclass(frozen=True, slots=True)
class Standing:
    """A deck of both runs: its mean win rate and its place, from 1, in each.

    `share_before` and `share_after` are how often the best mix brings it, a best guess
    without an interval; None where not all decks have met.
    """

    deck: str
    before: Estimate
    after: Estimate
    place_before: int
    place_after: int
    share_before: float | None
    share_after: float | None


def standings_of(
    before: SimulationResult, after: SimulationResult, renamed: Mapping[str, str]
) -> tuple[Standing, ...]:
    """The decks of both runs, the best after the change first; none of only two."""
    old = {s.deck: s for s in before.standings()}
    new = {renamed.get(s.deck, s.deck): s for s in after.standings()}
    if old.keys() != new.keys() or len(old) <= TWO:
        return ()
    mixes = mix_of(before, {}), mix_of(after, renamed)
    places = list(old)
    return tuple(
        Standing(
            deck,
            old[deck].estimate,
            standing.estimate,
            places.index(deck) + 1,
            place,
            *(mix.get(deck) for mix in mixes),
        )
        for place, (deck, standing) in enumerate(new.items(), start=1)
    )


def mix_of(result: SimulationResult, renamed: Mapping[str, str]) -> dict[str, float]:
    """How often the best mix of a round robin brings each deck; none of another run."""
    names = [deck.name for deck in result.decks]
    rates = np.full((len(names), len(names)), HALF)
    met = {frozenset((m.a, m.b)) for m in result.matchups if m.a != m.b}
    if len(met) < len(names) * (len(names) - 1) / 2:
        return {}
    for m in result.matchups:
        a, b = names.index(m.a), names.index(m.b)
        if a != b:
            rates[a, b], rates[b, a] = m.win_rate(m.a).value, m.win_rate(m.b).value
    shares = zip(names, mixture_of(rates), strict=True)
    return {renamed.get(name, name): share for name, share in shares}
