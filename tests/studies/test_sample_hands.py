"""Sample hands: cards of the deck, dealt as often as the odds say."""

from collections import Counter
from pathlib import Path

import pytest
from helpers.findings import validate_files

from deckcheck.studies.deck_stats import DeckStats, compute_deck_stats
from deckcheck.studies.sample_hands import deal_hands

DECKS = Path(__file__).parents[2] / "decks"
GWENT = "gwent/standard/ng_spies_and_medics.deck"
WITH_HANDS = (
    GWENT,
    "sg_gwint/approximation/imperial_bonds.deck",
    "gwen_t/pool/four_seasons.deck",
)


def read_stats(name: str, groups: tuple[str, ...] = ()) -> DeckStats:
    return compute_deck_stats(validate_files([DECKS / name]).reports[0], groups)


@pytest.mark.parametrize("name", WITH_HANDS)
def test_hands_are_cards_of_the_deck(name: str) -> None:
    stats = read_stats(name)
    assert stats.report.deck is not None
    assert stats.opening is not None
    deck = stats.report.deck.counts()

    for hand in deal_hands(stats, 8, 3):
        after = Counter(hand.dealt) + Counter(hand.drawn)
        after.subtract(hand.redrawn)
        assert len(hand.dealt) == stats.opening.size == after.total()
        assert Counter(hand.dealt) <= deck
        assert after <= deck
        assert min(after.values()) >= 0
        assert len(hand.redrawn) == len(hand.drawn) <= stats.opening.redraws
        strengths = {card.id: card.strength or 0 for card in stats.composition.counts}
        assert hand.strength == sum(strengths[card] for card in hand.dealt)
        assert hand.strength_after == sum(strengths[card] for card in after.elements())


def test_cards_are_dealt_as_often_as_the_odds_say() -> None:
    """A hand depends on seed and number alone."""
    stats = read_stats(GWENT, ("medic",))
    [odds] = stats.odds
    hands = deal_hands(stats, 100, 11)
    share = sum(bool(set(hand.dealt) & set(odds.ids)) for hand in hands) / 100

    deviation = (odds.opening * (1 - odds.opening) / 100) ** 0.5
    assert abs(share - odds.opening) < 4 * deviation
    assert deal_hands(stats, 3, 11) == hands[:3]
    assert deal_hands(stats, 3, 12) != hands[:3]
