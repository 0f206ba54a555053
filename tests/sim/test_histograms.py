"""Rounds and margins: counted as the table of single games has them."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from closed_schema import closed_schema
from jsonschema import validate

import deckcheck
from deckcheck.playing.kernel import GameOutcome, Ints
from deckcheck.playing.table import SETS_AT_ONCE
from deckcheck.playing.versions import MOST_MARGIN, MOST_ROUNDS, Counted
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.standings import table_result
from deckcheck.stats import Histogram

DECKS = Path(__file__).parents[2] / "decks" / "gwent"
SWARM = DECKS / "standard" / "mo_swarm.deck"
SIEGE = DECKS / "standard" / "nr_siege_masters.deck"
TABLE = DECKS / "free_for_all" / "kings_and_beasts.deck"


class Fixed:
    """A table whose games come to what is given."""

    def __init__(self, outcomes: Ints, entrant_in: tuple[tuple[int, ...], ...]) -> None:
        self.outcomes, self.entrant_in, self.rotation = outcomes, entrant_in, 2
        self.games_of_set = 2

    def play(self, seed, number, first_set, sets, log):  # type: ignore[no-untyped-def]
        games = np.arange(2 * first_set, 2 * (first_set + sets))
        log.begin(games, games)
        log.end(self.outcomes[games % len(self.outcomes)])
        return 0


def played(games: list[dict[str, str]], what: str) -> dict[int, int]:
    return Counter(int(game[what]) for game in games)


def as_counts(found: Histogram | None) -> dict[int, int]:
    assert found is not None
    return {found.first + i: n for i, n in enumerate(found.counts) if n}


def simulated(tmp_path: Path, *decks: Path) -> tuple[SimulationResult, list]:  # type: ignore[type-arg]
    file = tmp_path / "games.csv"
    result = deckcheck.simulate(*decks, games=60, policies="random", games_table=file)
    with open(file, encoding="utf-8", newline="") as stream:
        return result, list(csv.DictReader(stream))


def test_of_two_the_lead_is_that_of_the_first(tmp_path: Path) -> None:
    result, games = simulated(tmp_path, SIEGE, SWARM)
    (table,) = result.tables

    assert as_counts(table.rounds) == played(games, "rounds")
    assert as_counts(table.margins) == played(games, "lead")


def test_of_more_it_is_in_points(tmp_path: Path) -> None:
    result, games = simulated(tmp_path, TABLE)
    (table,) = result.tables
    points = [sorted(int(g[f"points_{i}"]) for i in (1, 2, 3)) for g in games]

    assert as_counts(table.margins) == Counter(p[-1] - p[-2] for p in points)
    assert as_counts(table.rounds) == played(games, "rounds")


def test_who_sits_elsewhere_leads_with_the_other_sign() -> None:
    outcomes = np.zeros((4, GameOutcome.PLACE + 8), np.int64)
    outcomes[:, GameOutcome.PLACE] = 1
    outcomes[:, GameOutcome.LEAD] = 5, 7, 2 * MOST_MARGIN, -1
    outcomes[:, GameOutcome.ROUNDS] = 2, 3, 3, 2 * MOST_ROUNDS
    table = Counted(Fixed(outcomes, ((0, 1), (1, 0))))  # type: ignore[arg-type]
    # More sets than are played at once, of which every other has changed seats.
    tally = table.play(1, 0, 1, SETS_AT_ONCE + 3)
    tally[0, 1:3] = SETS_AT_ONCE + 3, 2 * SETS_AT_ONCE + 6
    found = table_result(("a", "b"), tally)

    half = SETS_AT_ONCE // 2
    assert as_counts(found.margins) == {
        -MOST_MARGIN: half + 2,
        1: half + 2,
        5: half + 1,
        7: half + 1,
    }
    assert as_counts(found.rounds) == {2: half + 1, 3: SETS_AT_ONCE + 3, 31: half + 2}


def test_the_document_has_bins_of_one_width_for_all() -> None:
    result = deckcheck.simulate(DECKS / "advanced", games=40, policies="random")
    document = result.to_dict()
    validate(document, closed_schema("simulate"))
    matchups = document["matchups"]
    assert isinstance(matchups, list)

    assert {each["margins"]["width"] for each in matchups} == {5}
    assert {sum(each["margins"]["games"]) for each in matchups} == {40}
    assert {each["rounds"]["from"] for each in matchups} <= {2, 3}
    # Zero lies in the middle of a bin.
    assert {each["margins"]["from"] % 5 for each in matchups} == {3}


def test_a_tally_of_an_earlier_version_has_none() -> None:
    result = deckcheck.simulate(SIEGE, SWARM, games=2, policies="random")
    (table,) = result.tables
    assert table.rounds is not None
    from tallies import duel_tally

    old = table_result(("a", "b"), duel_tally([(3, "A+ B-")]))

    assert (old.rounds, old.margins) == (None, None)


@pytest.mark.parametrize("width", [1, 3, 5])
def test_mirrored_games_of_one_deck_are_even(width: int) -> None:
    result = deckcheck.simulate(SWARM, games=200, policies="random", mirror=True)
    margins = result.tables[0].margins
    assert margins is not None

    assert margins.binned(width).total == 200
    assert margins.mirrored().mirrored() == margins
