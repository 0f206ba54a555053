"""The decks that a search may come to are legal, and near enough."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of, load_format
from deckcheck.rules import judge
from deckcheck.sim.entrants import gather
from deckcheck.studies.search.space import (
    WANDERED,
    Candidate,
    DeckSpace,
    space_around,
    spaces_of,
)

ROOT = Path(__file__).parents[2]
SIEGE = ROOT / "decks" / "gwent" / "standard" / "nr_siege_masters.deck"


def siege() -> tuple[Deck, Format]:
    [report], _ = gather([str(SIEGE)])
    assert report.deck is not None
    assert report.format is not None
    return report.deck, report.format


def around(**settings: object) -> DeckSpace:
    deck, fmt = siege()
    db = database_of(fmt, None)
    return space_around(deck, fmt, db, **{"changes": 3, **settings})  # type: ignore[arg-type]


def test_random_decks_near_a_deck_are_legal_and_near() -> None:
    space = around(kept=["geralt_of_rivia"])
    deck, fmt = siege()
    kept = deck.counts()["geralt_of_rivia"]
    found = [space.random(Random(seed)) for seed in range(30)]
    assert kept > 0

    for candidate in found:
        assert candidate is not None
        assert space.holds(candidate)
        other = space.deck(candidate)
        assert judge(other, fmt, space.database) == ()
        assert other.counts()["geralt_of_rivia"] == kept
        assert other.leader == deck.leader
        assert (other.counts() - deck.counts()).total() <= 3
        assert (deck.counts() - other.counts()).total() <= 3
    assert max(space.distance(each) for each in found if each) == 3


def test_a_deck_names_its_format_unless_it_is_a_file(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("title: Own\nextends: gwent/standard\noptions: {redraws: 3}\n")
    formats = {"gwent/standard": True, str(own): False}
    for name, is_named in formats.items():
        fmt = load_format(name)
        [space] = spaces_of(fmt, database_of(fmt, None), ["monsters"])

        assert ("format" in space.template.headers) is is_named
        assert "faction" in space.template.headers


def test_the_leader_changes_only_if_he_may() -> None:
    deck, _ = siege()
    other = Candidate("foltest_son_of_medell", around().base.counts)  # type: ignore[union-attr]

    assert not around().holds(other)
    assert around(changes_leader=True).holds(other)
    assert around(changes_leader=True).leaders[0] == deck.leader


def test_an_illegal_deck_is_not_in_the_space() -> None:
    space = around(changes=30)
    nothing = Candidate(space.leaders[0], (0,) * len(space.cards))

    assert not space.holds(nothing)


@pytest.mark.parametrize(
    ("format", "spaces"),
    [("gwent/standard", 5), ("gwent/advanced", 5), ("sg_gwint/approximation", None)],
)
def test_each_faction_has_a_space(format: str, spaces: int | None) -> None:
    fmt = load_format(format)
    found = spaces_of(fmt, database_of(fmt, None))

    assert spaces in (None, len(found))
    for space in found:
        candidate = space.random(Random(1))
        assert candidate is not None
        assert judge(space.deck(candidate), fmt, space.database) == ()


def test_a_game_without_factions_has_one_space() -> None:
    fmt = load_format("gwen_t/pool")
    [space] = spaces_of(fmt, database_of(fmt, None))

    assert space.leaders == (None,)
    assert space.template.faction is None


def test_random_decks_are_near_strong_ones_of_the_space() -> None:
    """Each is made of one of them, but for a part that owes nothing to any."""
    deck, fmt = siege()
    [strange], _ = gather([str(SIEGE.with_name("mo_swarm.deck"))])
    [plain] = spaces_of(fmt, database_of(fmt, None), ["northern_realms"])
    assert strange.deck is not None
    space = plain.beginning_with([strange.deck, deck, deck])
    [strong] = space.strong

    assert space.deck(strong).counts() == deck.counts()
    assert space.deck(strong).leader == deck.leader
    drawn = [space.random(Random(seed)) for seed in range(60)]
    apart = [
        sum(map(abs, map(int.__sub__, strong.counts, candidate.counts)))
        for candidate in drawn
        if candidate is not None and space.holds(candidate)
    ]
    assert len(apart) == len(drawn)
    near = sum(changes <= 2 * WANDERED for changes in apart)
    assert 0.5 < near / len(apart) < 0.95
    assert plain.random(Random(1)) != space.random(Random(1))


def test_a_faction_without_decks_is_refused() -> None:
    fmt = load_format("sg_gwint/2.1")

    with pytest.raises(UsageError, match="No legal deck of `witchers` was found"):
        spaces_of(fmt, database_of(fmt, None), ["witchers"])
