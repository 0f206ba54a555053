"""Many decks in the same games are counted as each would be alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of
from deckcheck.playing import versions as host
from deckcheck.playing.kernel import Head
from deckcheck.playing.table import seat
from deckcheck.playing.versions import (
    Candidates,
    open_seat,
    seat_candidates,
    seat_version,
    seat_versions,
)
from deckcheck.sim.entrants import gather
from deckcheck.sim.standings import checksum_of
from deckcheck.stats.sequential import mean_difference

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
POLICY = "sane_random"


def seated() -> tuple[Candidates, list[float]]:
    """Two versions of a deck as candidates, and what `versions` finds of them."""
    names = [
        STANDARD / "mo_swarm.deck",
        STANDARD / "nr_siege_masters.deck",
        ROOT / "examples" / "compare" / "second_scorch.deck",
    ]
    reports, _ = gather([str(name) for name in names])
    fmt = reports[0].format
    decks = [report.deck for report in reports if report.deck]
    assert fmt is not None
    assert len(decks) == 3
    database = database_of(fmt, None)
    opponent, *own = (seat(deck, POLICY) for deck in decks)
    versions = seat_versions(fmt, database, opponent, own, [(0, 1)])
    tally = versions.play(1, 7, 0, 90)
    scores = [versions.joint(tally)[0, 1].sum(axis=1 - i) for i in range(2)]
    numbers = load_game(fmt.game).card_numbers(database)
    table = seat_version(fmt, database, opponent, own[0])
    open_ = open_seat(table, numbers, decks[1].counts())
    counts = [(0, deck.counts()) for deck in decks[1:]]
    candidates = seat_candidates([open_], numbers, counts)
    played = candidates.play(1, 7, 0, 90)
    assert mean_difference(versions.joint(tally)[0, 1]) != 0
    assert int(played[0, Head.CHECKSUM]) == versions.checksum(tally)
    return candidates, [each.tolist() for each in scores]


def test_each_candidate_plays_as_it_would_alone() -> None:
    candidates, scores = seated()
    tally = candidates.play(1, 7, 0, 90)

    assert candidates.counts(tally).tolist() == scores
    assert tally[0, Head.GAMES] == 2 * 90 * 2


def test_common_cards_lie_in_the_same_places() -> None:
    candidates, _ = seated()
    [(_, first), (_, second)] = candidates.decks

    assert sum(a != b for a, b in zip(first, second, strict=True)) == 1


def test_parts_of_the_games_and_of_the_decks_add_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Few decks and few sets are in memory at once."""
    candidates, scores = seated()
    whole = candidates.play(1, 7, 0, 90)
    monkeypatch.setattr(host, "DECKS_AT_ONCE", 1)
    monkeypatch.setattr(host, "SETS_AT_ONCE", 40)
    parts = candidates.play(1, 7, 0, 90)

    assert candidates.counts(parts).tolist() == scores
    assert checksum_of([parts]) == checksum_of([whole])


def test_blocks_add_up() -> None:
    candidates, _ = seated()
    whole = candidates.play(1, 7, 0, 90)
    parts = candidates.play(1, 7, 0, 50) + candidates.play(1, 7, 50, 40)

    whole[0, Head.CHECKSUM] = parts[0, Head.CHECKSUM] = 0
    assert np.array_equal(whole, parts)
