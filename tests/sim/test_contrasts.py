"""Swapped decks at a table: as if each had been seated, and sums that are right."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import deckcheck
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import Head
from deckcheck.playing.table import seat
from deckcheck.playing.versions import (
    VERSION,
    Contrasts,
    deck_of,
    seat_version,
    with_swapped_decks,
)
from deckcheck.sim.standings import checksum_of

DECKS = Path(__file__).parents[2] / "decks"
SETS = 20


def contrasts_of(id: str, *paths: str) -> tuple[Contrasts, list[dict[str, int]]]:
    """Against the first deck the second one, and it with its first card swapped."""
    fmt = load_format(id)
    database = database_of(fmt)
    opponent, deck, *_ = deckcheck.read(*(DECKS / path for path in paths))
    counts = Counter(deck.counts())
    out = next(iter(counts))
    into = next(card for card in opponent.counts() if card != out)
    swapped = counts - Counter([out]) + Counter([into])
    decks = [dict(counts), dict(swapped)]
    table = seat_version(
        fmt, database, seat(opponent, "sane_random"), seat(deck, "sane_random")
    )
    numbers = load_game(fmt.game).card_numbers(database)
    weights = [((1, 1), (0, -1)), ((0, 3), (1, -2))]
    return with_swapped_decks(table, numbers, decks, weights), decks


@pytest.mark.parametrize(
    ("id", "paths"),
    [
        ("gwent/standard", ["gwent/standard"]),
        ("gwen_t/pool", ["gwen_t/pool"]),
        ("sg_gwint/approximation", ["sg_gwint/approximation"]),
    ],
)
def test_only_the_deck_of_a_seat_changes(id: str, paths: list[str]) -> None:
    contrasts, decks = contrasts_of(id, *paths)
    fmt = load_format(id)
    database = database_of(fmt)
    opponent, deck, *_ = deckcheck.read(*(DECKS / path for path in paths))
    entries = tuple(
        type(deck.entries[0])(card, count, deck.span)
        for card, count in decks[1].items()
    )
    seats = [
        seat(opponent, "sane_random"),
        seat(replace(deck, entries=entries), "sane_random"),
    ]
    expected = seat_version(fmt, database, *seats).read_contexts()[0]
    found = contrasts._table(1).read_contexts()[0]

    assert sorted(found["deck"][VERSION]) == sorted(expected["deck"][VERSION])
    # The card that comes lies where the one lay that goes.
    assert sum(deck_of(found) != deck_of(contrasts._table(0).read_contexts()[0])) == 1
    found["deck"][VERSION] = expected["deck"][VERSION]
    assert found.tobytes() == expected.tobytes()


def test_the_checksum_is_over_the_games_of_all_versions() -> None:
    contrasts, _ = contrasts_of(
        "gwent/standard",
        "gwent/standard/mo_swarm.deck",
        "gwent/standard/nr_siege_masters.deck",
    )
    alone = [contrasts._table(place).play(5, 3, 0, SETS) for place in range(2)]
    checksums = [int(tally[0, Head.CHECKSUM]) for tally in alone]

    assert checksums[0] != checksums[1] > 0
    played = contrasts.play(5, 3, 0, SETS)
    assert checksum_of([played]) == checksum_of(alone)
    assert contrasts.own(played).shape == alone[0].shape
    assert contrasts.own(played)[1:].tolist() == alone[0][1:].tolist()


def test_sums_are_those_of_the_scores() -> None:
    contrasts, _ = contrasts_of(
        "gwent/standard",
        "gwent/standard/mo_swarm.deck",
        "gwent/standard/nr_siege_masters.deck",
    )
    tally = contrasts.play(5, 3, 0, SETS)
    parts = contrasts.play(5, 3, 0, 8) + contrasts.play(5, 3, 8, SETS - 8)

    np.testing.assert_array_equal(contrasts.sums(tally), contrasts.sums(parts))
    scores = []
    for place in range(2):
        table = contrasts._table(place)
        scores.append(
            [int(table.play(5, 3, i, 1)[1, 9:14].argmax()) for i in range(SETS)]
        )
    old, new = map(np.array, scores)
    gained, other = new - old, 3 * old - 2 * new
    expected = [[gained.sum(), other.sum()], [(gained**2).sum(), (other**2).sum()]]
    assert contrasts.sums(tally).tolist() == expected
