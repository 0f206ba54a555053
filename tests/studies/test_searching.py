"""Searches find better decks, and the same ones from the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from deckcheck.decks import Deck
from deckcheck.formats import Format, database_of
from deckcheck.sim.entrants import Entrant, enter, gather
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.workers import InProcess
from deckcheck.studies.proof import Measure, Scores
from deckcheck.studies.search.search import Island, Landscape, SearchOutcome, find_best
from deckcheck.studies.search.space import Candidate, DeckSpace, space_around, spaces_of
from deckcheck.studies.search.study import building_of
from deckcheck.studies.specs import BuildSpec

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
FIELD = [STANDARD / "mo_swarm.deck", STANDARD / "sk_longships.deck"]
SIEGE = STANDARD / "nr_siege_masters.deck"
POLICY = "sane_random"
BUDGET = 8_000


def field() -> tuple[Format, list[Entrant]]:
    reports, _ = gather([str(SIEGE), *map(str, FIELD)])
    fmt = reports[0].format
    assert fmt is not None
    return fmt, enter(reports, [POLICY])


def search(
    spaces: list[DeckSpace] | None = None,
    seed: int = 1,
    block_sets: int | None = None,
    shares: tuple[float, ...] = (),
) -> tuple[SearchOutcome, Measure]:
    fmt, (own, *others) = field()
    db = database_of(fmt, None)
    spaces = spaces or [space_around(own.deck, fmt, db, changes=4)]
    with GameSession(seed, 1, InProcess(), block_sets=block_sets) as games:
        measure = Measure(fmt, db, others, POLICY, games, shares)
        return find_best(spaces, measure, BUDGET, seed), measure


def test_it_finds_a_better_deck() -> None:
    found, measure = search()
    fmt, (own, *others) = field()
    with GameSession(99, 1, InProcess()) as games:
        fresh = Measure(fmt, measure.database, others, POLICY, games)
        base, best = fresh.play([own.deck, found.deck], 3_000).rates

    assert not found.is_base
    assert found.space.holds(found.candidate)
    assert best > base + 0.05
    assert found.base_rate == pytest.approx(base, abs=0.05)
    assert 0.8 * BUDGET < found.played == measure.played < 1.2 * BUDGET


def test_the_same_seed_finds_the_same_deck_whatever_the_blocks() -> None:
    found, _ = search()
    again, _ = search(block_sets=3)
    other, _ = search(seed=2)

    assert again == found
    assert other.candidate != found.candidate


class Drawn(Exception):
    """The decks that a search measures first."""

    def __init__(self, decks: Sequence[Deck]) -> None:
        super().__init__()
        self.cards = [deck.counts() for deck in decks]


class Measuring:
    """Plays nothing: a search with it ends at the decks that it draws."""

    smallest = 2

    def play(self, decks: Sequence[Deck], _: int) -> None:
        raise Drawn(decks)


def drawn(spaces: Sequence[DeckSpace], seed: int) -> list[list[dict[str, int]]]:
    """What is drawn at random from each space."""
    measure: Any = Measuring()
    with pytest.raises(Drawn) as caught:
        find_best(spaces, measure, 100_000, seed)
    decks = [dict(cards) for cards in caught.value.cards]
    each = len(decks) // len(spaces)
    return [decks[at : at + each] for at in range(0, len(decks), each)]


def test_each_space_is_searched_by_chance_of_its_own() -> None:
    """The same space twice: the decks drawn are others, or there would be copies."""
    fmt, _ = field()
    [space] = spaces_of(fmt, database_of(fmt, None), ["monsters"])
    one, two = drawn([space, space], seed=1)
    other, _ = drawn([space, space], seed=2)

    assert len(one) == len(two) > 20
    assert [deck for deck in one if deck in two] == []
    assert [deck for deck in one if deck in other] == []
    assert drawn([space, space], seed=1) == [one, two]


def test_a_deck_is_built_beginning_with_those_of_the_field() -> None:
    reports, _ = gather([str(SIEGE), *map(str, FIELD)])
    fmt = reports[0].format
    assert fmt is not None
    question = BuildSpec(1, (POLICY,), BUDGET, factions=("Monsters", "Nilfgaard"))
    monsters, nilfgaard = building_of(
        fmt, database_of(fmt, None), reports, question
    ).spaces
    swarm = reports[1].deck
    assert swarm is not None
    first, *others = drawn([monsters, nilfgaard], seed=1)[0]

    assert first == swarm.counts()
    assert first not in others
    assert nilfgaard.strong == ()


def test_the_best_of_several_factions() -> None:
    fmt, _ = field()
    spaces = spaces_of(fmt, database_of(fmt, None), ["monsters", "skellige"])
    found, _ = search(spaces)

    assert found.space in spaces
    assert found.base_rate is None
    assert found.space.holds(found.candidate)


def test_who_has_no_share_is_not_met() -> None:
    _, measure = search(shares=(0.0, 3.0))

    assert [each.name for each in measure.opponents] == ["Longships of Skellige"]
    assert measure.shares == [1.0]


def test_a_rate_is_as_sure_as_its_sets_and_shares() -> None:
    """Spread 1/4 of 16 sets against one, spread 1/16 of 4 sets against the other."""
    counts = np.array([[[8, 0, 0, 0, 8], [0, 2, 0, 2, 0]]])
    scores = Scores(counts, np.array([0.25, 0.75]))

    assert scores.rates == pytest.approx([0.5])
    assert scores.variances == pytest.approx(
        [0.25**2 * (1 / 4) / 16 + 0.75**2 * (1 / 16) / 4]
    )


def test_shares_weigh_the_field() -> None:
    fmt, (own, *others) = field()
    db = database_of(fmt, None)
    with GameSession(1, 1, InProcess()) as games:
        measure = Measure(fmt, db, others, POLICY, games, shares=(3.0, 1.0))
        scores = measure.play([own.deck], 400)
    points = scores.counts[0] @ [0, 1, 2, 3, 4] / 4
    sets = scores.counts[0].sum(axis=1)

    assert sets.tolist() == [150, 50]
    assert scores.rates[0] == pytest.approx(points @ (0.75 / 150, 0.25 / 50))


def test_neighbours_were_never_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    neighbours, known = Island._neighbours, []

    def noted(self: Island, landscape: Landscape, of: Candidate) -> Iterator[Candidate]:
        for candidate in neighbours(self, landscape, of):
            known.append(candidate in self.expected)
            yield candidate

    monkeypatch.setattr(Island, "_neighbours", noted)
    search()

    assert known
    assert not any(known)
