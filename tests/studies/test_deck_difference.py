"""Differences of decks: the old deck with its changes is the new one."""

from itertools import permutations
from pathlib import Path

import pytest
from helpers.findings import validate_files

from deckcheck.cards import load_database
from deckcheck.decks.differences import describe_differences
from deckcheck.studies.deck_difference import compare_reports

ROOT = Path(__file__).parents[2]
DECKS = sorted((ROOT / "decks/gwent/standard").glob("*.deck"))[:4]
HEAD = "Format: gwent/standard\nLeader: Foltest, The Siegemaster\n"


@pytest.mark.parametrize("pair", list(permutations(DECKS, 2)))
def test_the_changes_lead_from_the_old_deck_to_the_new(pair: tuple[Path, Path]) -> None:
    [old, new] = validate_files(pair).reports
    [difference] = compare_reports([old], [new])
    cards = difference.old.deck.counts()
    for card, before, after in difference.cards:
        assert cards[card] == before != after
        cards[card] = after

    assert +cards == difference.new.deck.counts()
    losses = [change.new < change.old for change in difference.cards]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.stem)
def test_a_deck_does_not_differ_from_its_lines_in_another_order(
    deck: Path, tmp_path: Path
) -> None:
    lines = deck.read_text().splitlines()
    other = tmp_path / "other.deck"
    heads = [line for line in lines if ": " in line]
    cards = [line for line in lines if line and ":" not in line and line[0] != "#"]
    other.write_text("\n".join([*heads, "", *reversed(cards)]))
    [old, new] = validate_files([deck, other]).reports
    [difference] = compare_reports([old], [new])

    assert difference.old.deck.leader == difference.new.deck.leader
    assert not difference.cards
    assert not describe_differences(
        [difference.old.deck], [difference.new.deck], load_database("gwent")
    )


def test_a_finding_that_moved_is_neither_gone_nor_new(tmp_path: Path) -> None:
    old, new = tmp_path / "old.deck", tmp_path / "new.deck"
    old.write_text(f"{HEAD}\n3 Ballista\nCtapult\n")
    new.write_text(f"{HEAD}\n\n# by hand\n3 Ballista\n12 Decoy\n")
    [before, after] = validate_files([old, new]).reports
    [difference] = compare_reports([before], [after])

    assert "too-many-copies" not in {finding.name for finding in difference.lost}
    assert "unknown-card" in {finding.name for finding in difference.lost}
    gained = [f.message for f in difference.gained if f.name == "too-many-copies"]
    assert gained == ["12 copies of `Decoy`, at most 3 allowed"]
