"""Decks in figures: counted by hand from their lists."""

from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance

import pytest
from helpers.findings import validate_files

from deckcheck.cards import load_database
from deckcheck.findings import UsageError
from deckcheck.studies.deck_stats import DeckStats, compute_deck_stats, find_card_group

DECKS = Path(__file__).parents[2] / "decks"


def figures(name: str, groups: tuple[str, ...] = (), number: int = 1) -> DeckStats:
    [report] = validate_files([DECKS / name]).reports
    return compute_deck_stats(report, groups, number)


def test_a_leader_adds_to_the_first_hand(tmp_path: Path) -> None:
    deck = tmp_path / "daisy.deck"
    deck.write_text(
        "Format: gwent/standard\nLeader: Francesca Findabair, Daisy of the Valley\n"
        "\n3 Dwarven Skirmisher\n3 Elven Skirmisher\n3 Havekar Healer\n"
        "3 Havekar Smuggler\n5 Mahakaman Defender\n6 Vrihedd Brigade Recruit\n"
    )
    [report] = validate_files([deck]).reports
    found = compute_deck_stats(report)

    assert found.opening is not None
    assert found.opening.size == 11


def test_the_strength_of_a_first_hand_spreads_as_in_drawing_without_return() -> None:
    found = figures("gwent/standard/nr_siege_masters.deck")
    strengths = [
        card.strength or 0
        for card, count in found.composition.counts.items()
        for _ in range(count)
    ]
    cards, hand = len(strengths), found.opening
    assert hand is not None

    # The variance of a sum of n of N without return, of a population's variance.
    left = (cards - hand.size) / (cards - 1)
    variance = hand.size * pvariance(strengths) * left
    assert hand.strength == pytest.approx(hand.size * fmean(strengths))
    assert hand.spread == pytest.approx(sqrt(variance))


def test_groups_are_cards_kinds_and_abilities() -> None:
    db = load_database("gwent")

    assert {card.id for card in find_card_group("Scorch", db).cards} == {"scorch"}
    both = find_card_group("Scorch, medic", db).cards
    assert all(card.id == "scorch" or card.has("medic") for card in both)
    assert all(card.kind == "hero" for card in find_card_group("hero", db).cards)
    with pytest.raises(UsageError, match="called `medics and so on`"):
        find_card_group("medics and so on", db)
    with pytest.raises(UsageError, match="names no card"):
        find_card_group(" , ", db)


@pytest.mark.parametrize(
    "folder", ["gwent/standard", "gwen_t/pool", "sg_gwint/approximation"]
)
def test_odds_grow_with_every_card_that_is_drawn(folder: str) -> None:
    reports = validate_files([DECKS / folder]).reports

    assert len(reports) >= 5
    for report in reports:
        for odds in compute_deck_stats(report, number=2).odds:
            assert 0 <= odds.opening <= odds.redrawn + 1e-12
            assert odds.drawn is None or odds.redrawn <= odds.drawn + 1e-12
            assert odds.drawn is None or odds.drawn <= 1
