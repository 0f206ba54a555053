"""The cards that may replace one of a deck, by the rules of its format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from deckcheck.cards import Card, CardDatabase
from deckcheck.decks import Deck, DeckEntry
from deckcheck.findings import Severity
from deckcheck.formats import Format
from deckcheck.rules import judge


@dataclass(frozen=True, slots=True)
class Swap:
    """One copy of a card out, one of another in; both by id."""

    out: str
    into: str

    def of(self, deck: Deck) -> Deck:
        """The deck with the swap made."""
        counts = deck.counts()
        counts[self.out] -= 1
        counts[self.into] += 1
        span = deck.entries[0].span
        entries = (DeckEntry(id, n, span) for id, n in counts.items() if n)
        return replace(deck, entries=tuple(entries))


def legal_swaps(deck: Deck, fmt: Format, database: CardDatabase) -> list[Swap]:
    """Every swap after which the deck is as legal as it was, as the format judges it.

    Cards of the deck come in its own order, others in that of the database.
    """
    cards = [c for c in database.cards.values() if c.deckable and c.known]
    faults = _faults(deck, fmt, database)
    swaps = (
        Swap(out, card.id)
        for out in deck.counts()
        for card in cards
        if card.id != out and card.faction in _own(deck, database)
    )
    return [s for s in swaps if _faults(s.of(deck), fmt, database) <= faults]


def average_cards(
    deck: Deck, swaps: Sequence[Swap], database: CardDatabase, count: int
) -> list[str]:
    """`count` cards that stand for an average one of the deck's faction.

    They are those cards of the faction that may take the place of most cards of the
    deck, in the order of their strength, and evenly spread over that order. Where
    the faction has none, or there are no factions, any cards are taken.
    """
    fits: dict[str, int] = {}
    for swap in swaps:
        fits[swap.into] = fits.get(swap.into, 0) + 1
    most = max(fits.values(), default=0)
    usual = [database.cards[id] for id, times in fits.items() if 2 * times > most]
    own = [card for card in usual if card.faction == deck.faction] or usual
    ordered = sorted(own, key=_by_strength)
    if len(ordered) <= count:
        return [card.id for card in ordered]
    step = len(ordered) / count
    return [ordered[int((i + 0.5) * step)].id for i in range(count)]


def _by_strength(card: Card) -> tuple[int, int]:
    return card.strength or 0, card.number


def _own(deck: Deck, database: CardDatabase) -> set[str | None]:
    """The factions whose cards the deck may hold as far as that is known."""
    if deck.faction is None:
        return {card.faction for card in database.cards.values()}
    return {deck.faction, database.game.neutral}


def _faults(deck: Deck, fmt: Format, database: CardDatabase) -> int:
    findings = judge(deck, fmt, database)
    return sum(finding.severity is Severity.ERROR for finding in findings)
