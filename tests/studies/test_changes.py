"""What changed between two runs, paired by their shuffles."""

from __future__ import annotations

from pathlib import Path

import pytest

import deckcheck
from deckcheck.sim.run_directory import open_run
from deckcheck.studies.changes import Changes, changes_between

ROOT = Path(__file__).parents[2]
STANDARD = ROOT / "decks" / "gwent" / "standard"
DECKS = [
    STANDARD / f"{name}.deck"
    for name in ("nr_siege_masters", "mo_swarm", "sk_berserkers")
]
WHAT_IF = ROOT / "examples" / "what_if" / "what_if.yaml"


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> Changes:
    """The same decks and shuffles, with Catapult at 8 and at 10."""
    folder = tmp_path_factory.mktemp("changes")
    for name, more in (("old", {}), ("new", {"format": WHAT_IF})):
        deckcheck.simulate(
            *DECKS, games=400, policies="heuristic-1", run=folder / name, **more
        )
    return changes_between(open_run(folder / "old"), open_run(folder / "new"))


def test_the_changed_card_is_named_with_both_values(changes: Changes) -> None:
    assert "card `Catapult`: strength 10, not 8" in changes.settings


def test_what_holds_no_changed_card_has_the_same_games(changes: Changes) -> None:
    same = [each.name for each in changes.rates if each.is_same]

    assert same == ["The swarm against Berserkers"]
    assert "1 win rate cannot have changed" in list(changes.answers())[-1]


def test_decks_come_first(changes: Changes) -> None:
    assert {each.name for each in changes.decks} == {
        *("Siege masters", "The swarm", "Berserkers")
    }
    cards, decks, *_ = changes.answers()

    assert cards == "Changed: `Catapult`: strength 10, not 8."
    assert " of 3 decks" in decks


def test_the_same_shuffles_make_intervals_narrower(changes: Changes) -> None:
    for each in changes.open:
        low, high = each.by.interval
        apart = sum(
            (rate.interval.high - rate.interval.low) ** 2
            for rate in (each.before, each.after)
        )

        assert each.is_paired
        assert high - low < 0.8 * apart**0.5
        assert low <= each.by.value <= high


def test_means_are_not_compared_where_another_deck_was_met(tmp_path: Path) -> None:
    more = [*DECKS, STANDARD / "st_beautiful_archers.deck"]
    for name, decks in (("old", DECKS), ("new", more)):
        deckcheck.simulate(*decks, games=20, policies="random", run=tmp_path / name)
    changes = changes_between(open_run(tmp_path / "old"), open_run(tmp_path / "new"))

    assert len(changes.rates) == 3
    assert len(changes.alone) == 3
    assert changes.decks == ()
