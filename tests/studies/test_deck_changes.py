"""The changes from a deck to a better one: their order, and which are left out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckcheck.decks import Deck
from deckcheck.formats import database_of
from deckcheck.playing.versions import SCORES
from deckcheck.sim.entrants import gather
from deckcheck.studies.proof import Scores
from deckcheck.studies.search.search import (
    COST,
    DeckSearch,
    SearchOutcome,
    additive,
    decks_between,
    path_to,
    without_idle_changes,
)
from deckcheck.studies.search.space import Candidate, DeckSpace, space_around

SIEGE = Path(__file__).parents[2] / "decks/gwent/standard/nr_siege_masters.deck"


@cache
def space() -> DeckSpace:
    [report], _ = gather([str(SIEGE)])
    assert report.deck is not None
    assert report.format is not None
    database = database_of(report.format, None)
    return space_around(
        report.deck, report.format, database, changes=4, changes_leader=True
    )


def changed(**copies: int) -> Candidate:
    """The base with so many copies of some cards more."""
    base = space().base
    assert base is not None
    counts = list(base.counts)
    for card, more in copies.items():
        counts[space().cards.index(card)] += more
    return replace(base, counts=tuple(counts))


TUNED = changed(clear_weather=-2, ballista=-1, ves=1)
WORTHS = {"clear_weather": -5.0, "ballista": -1.0, "ves": 0.5}


def rate(candidate: Candidate) -> float:
    """What a deck wins: cards add up."""
    return sum(
        WORTHS.get(card, 0.0) * count
        for card, count in zip(space().cards, candidate.counts, strict=True)
    )


def test_a_path_makes_the_best_change_first() -> None:
    base = changed()
    path = path_to(space(), TUNED, rate)

    assert path == [
        base,
        changed(clear_weather=-1, ves=1),
        changed(clear_weather=-2, ves=1),
        TUNED,
    ]
    assert all(map(space().holds, path))


def test_a_leader_is_a_change_of_its_own() -> None:
    _, other, *_ = space().leaders
    to = replace(TUNED, leader=other)
    path = path_to(space(), to, lambda deck: deck.leader == other)

    assert path[1] == replace(changed(), leader=other)
    assert [one.leader == two.leader for one, two in pairwise(path)] == [
        *(False, True, True, True)
    ]
    assert space().changes_of(to) == 4
    assert space().distance(to) == 3


def test_changes_that_are_legal_only_together_are_made_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As if the format forbade a single `Clear Weather`."""
    own = space()
    place = own.cards.index("clear_weather")
    holds = DeckSpace.holds
    monkeypatch.setattr(
        DeckSpace, "holds", lambda self, c: c.counts[place] != 1 and holds(self, c)
    )
    path = path_to(own, TUNED, rate)

    steps = [two.counts[place] - one.counts[place] for one, two in pairwise(path)]
    assert sorted(steps) == [-2, 0]


def test_decks_between_have_some_of_the_changes() -> None:
    """Without `Ves` the deck has too few units to leave a `Ballista` out."""
    between = decks_between(space(), TUNED)

    assert between[:2] == [changed(), TUNED]
    assert len(between) == len(set(between))
    assert set(between) == {
        changed(),
        TUNED,
        changed(clear_weather=-1),
        changed(clear_weather=-2),
        changed(ballista=-1, ves=1),
        changed(clear_weather=-1, ves=1),
        changed(clear_weather=-2, ves=1),
        changed(clear_weather=-1, ballista=-1, ves=1),
    }
    changes = [space().distance(deck) for deck in between[1:]]
    assert changes == sorted(changes, reverse=True)


def test_changes_that_gain_too_little_are_undone() -> None:
    def value(deck: Candidate) -> float:
        return rate(deck) - COST * space().changes_of(deck)

    assert without_idle_changes(space(), TUNED, value) == TUNED
    more = {"trebuchet": -1, "olgierd_von_everec": 1}
    idle = changed(clear_weather=-2, ballista=-1, ves=1, **more)
    assert space().holds(idle)
    assert without_idle_changes(space(), idle, value) == TUNED
    none = changed(roach=-1, ves=1)
    assert without_idle_changes(space(), none, lambda deck: -rate(deck)) == changed()


def test_worths_are_learned_from_decks_between() -> None:
    """Also those of changes that were never made alone."""
    decks = decks_between(space(), TUNED)
    learned = additive(decks, np.array([3 + rate(deck) for deck in decks]))

    for deck in decks:
        assert learned(deck) == pytest.approx(3 + rate(deck), abs=1e-4)


class Planted:
    """Games that are drawn by chance: what cards are worth is known, in points."""

    smallest = 2

    def __init__(self, worths: dict[str, float], seed: int) -> None:
        self.played = 0
        self.note = ""
        self._worths = worths
        self._chance = np.random.default_rng(seed)

    def play(self, decks: list[Deck], games: int) -> Scores:
        counts = []
        for deck in decks:
            cards = deck.counts()
            worth = sum(by * cards[card] for card, by in self._worths.items())
            drawn = self._chance.binomial(SCORES - 1, 0.5 + worth / 100, games // 2)
            counts.append([np.bincount(drawn, minlength=SCORES)])
        self.played += len(decks) * games
        return Scores(np.array(counts), np.ones(1))


def searched(worths: dict[str, float], seed: int) -> SearchOutcome:
    measure: Any = Planted(worths, seed)
    own = replace(space(), leaders=space().leaders[:1])
    return DeckSearch([own], measure, 60_000, seed, undoes=True).run()


def test_a_change_that_does_nothing_is_left_out() -> None:
    """One card is bad, one good; all others do alike, so no more than that is done."""
    worths = {"clear_weather": -4.0, "ves": 3.0, "thaler": 0.2}
    best = searched(worths, 1)
    deck = best.deck.counts()

    assert deck["clear_weather"] == 0
    assert deck["ves"] == 1
    assert space().changes_of(best.candidate) == len(best.path) - 1 == 2
    assert (best.path[0], best.path[-1]) == (best.space.base, best.candidate)
