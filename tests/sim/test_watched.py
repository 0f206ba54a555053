"""Watched games are the games of the table, and what is seen adds up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import deckcheck
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Ints
from deckcheck.playing.redraws import HandSum as Moment
from deckcheck.playing.redraws import Watched
from deckcheck.playing.table import seat
from deckcheck.playing.versions import seat_version
from deckcheck.studies.swaps import WAYS, observations, watched_table

STANDARD = Path(__file__).parents[2] / "decks" / "gwent" / "standard"
SETS = 300


@pytest.fixture(scope="module")
def cards() -> list[str]:
    [deck] = deckcheck.read(STANDARD / "nr_siege_masters.deck")
    return list(deck.counts())


@pytest.fixture(scope="module")
def watched(cards: list[str]) -> Watched:
    fmt = load_format("gwent/standard")
    database = database_of(fmt)
    swarm, siege = deckcheck.read(
        STANDARD / "mo_swarm.deck", STANDARD / "nr_siege_masters.deck"
    )
    table = seat_version(
        fmt, database, seat(swarm, "sane_random"), seat(siege, "sane_random")
    )
    numbers = load_game("gwent").card_numbers(database)
    return watched_table(table, numbers, cards)


@pytest.fixture(scope="module")
def tally(watched: Watched) -> Ints:
    return watched.play(5, 3, 0, SETS)


def test_watching_changes_no_game(watched: Watched, tally: Ints) -> None:
    plain = watched.table.play(5, 3, 0, SETS)

    np.testing.assert_array_equal(tally[: len(plain)], plain)


def test_blocks_add_up(watched: Watched, tally: Ints) -> None:
    parts = watched.play(5, 3, 0, 100) + watched.play(5, 3, 100, SETS - 100)

    np.testing.assert_array_equal(watched.moments(tally), watched.moments(parts))


def test_what_is_seen_of_a_card(
    cards: list[str], watched: Watched, tally: Ints
) -> None:
    found = observations(cards, [watched], [tally])
    games = {(each.card, each.way): each.games for each in found}

    assert len(found) == len(cards) * len(WAYS)
    # Ten of 29 cards are dealt, and up to two are redrawn.
    single = games["geralt_of_rivia", "opening"] / (2 * SETS)
    assert 10 / 29 - 0.1 < single < 12 / 29 + 0.1
    # There are three Decoys: hardly a game begins without all of them.
    assert games["decoy", "opening"] > games["geralt_of_rivia", "opening"]
    for card in cards:
        dealt = games[card, "opening"] + games[card, "drawn"]
        assert games[card, "held"] <= dealt
        assert games[card, "played"] <= dealt


def test_a_difference_is_that_of_two_win_rates(
    cards: list[str], watched: Watched, tally: Ints
) -> None:
    moments = watched.moments(tally)
    total = sum(score * int(tally[1, 9 + score]) for score in range(5))
    for each in observations(cards, [watched], [tally]):
        if each.difference is None:
            continue
        own = moments[cards.index(each.card), WAYS.index(each.way)]
        with_it = own[Moment.H] / (2 * own[Moment.N])
        without = (total - own[Moment.H]) / (2 * (2 * SETS - own[Moment.N]))
        low, high = each.difference.interval

        assert each.win_rate == pytest.approx(with_it)
        assert each.difference.value == pytest.approx(with_it - without)
        # About as wide as for games that are independent.
        games = [own[Moment.N], 2 * SETS - own[Moment.N]]
        plain = 1.96 * np.sqrt(sum(0.25 / n for n in games))
        assert 0.4 * plain < (high - low) / 2 < 1.5 * plain
