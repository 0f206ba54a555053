"""The subject of a legality rule: one deck under one constraint of a format."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.decks import Deck, DeckEntry
from deckcheck.findings import Finding, Related, Rule, Span
from deckcheck.formats.models import Constraint, Format


def origin_note(constraint: Constraint, fmt: Format) -> str:
    """The note that says which rule of which format a finding is about."""
    note = f"Rule `{constraint.name}` of {fmt.id} ({fmt.month}), "
    if constraint.statement:
        note += f"{constraint.statement}, "
    return f"{note}from {constraint.origin}"


@dataclass(frozen=True, slots=True)
class Case:
    """One deck, the format and the constraint it is judged by, the card database."""

    deck: Deck
    fmt: Format
    constraint: Constraint
    db: CardDatabase

    def limit(self, key: str) -> int | None:
        """The whole number that the constraint sets for `key`, if it does."""
        value = self.constraint.settings.get(key)
        return value if isinstance(value, int) else None

    @property
    def noun(self) -> str:
        """What the constraint counts: `units` are `unit card`, `spies` `spy card`."""
        name = self.constraint.name.replace("_", " ")
        if name.endswith("ies"):
            name = f"{name[:-3]}y"
        elif name.endswith("oes"):
            name = name[:-2]
        else:
            name = name.removesuffix("s")
        return name if name == "card" else f"{name} card"

    @property
    def place(self) -> Span:
        """Where a finding about the deck as a whole points: its section, if any."""
        name = self.constraint.name.replace("_", " ")
        for title in (name, f"{self.noun}s", self.noun):
            if title in self.deck.sections:
                return self.deck.sections[title]
        return self.deck.span

    def entries(self) -> Iterator[tuple[DeckEntry, Card]]:
        """The lines that the constraint is about, each with its card.

        Cards that may not be in a deck count for no limit (gwent 1.1.6).
        """
        condition = self.constraint.condition
        for entry in self.deck.entries:
            card = self.db.cards[entry.card]
            if card.deckable and condition.matches(card):
                yield entry, card

    def reserves(self) -> Iterator[tuple[DeckEntry, Card]]:
        """The lines of the reserves with cards that no deck holds, each with its card.

        Other cards may be kept there, and count for nothing (sg_gwint 1.9).
        """
        for entry in self.deck.reserves:
            card = self.db.cards[entry.card]
            if not card.deckable:
                yield entry, card

    def unread_note(self) -> list[str]:
        """A note on cards that could not be counted, if there are any."""
        if not self.deck.unread:
            return []
        return ["Lines and names that could not be read are not counted"]

    def report(
        self,
        rule: Rule,
        span: Span,
        message: str,
        help: str,
        *,
        related: Iterable[Related] = (),
        notes: Iterable[str] = (),
    ) -> Finding:
        """A finding of `rule`, with the notes that say by which constraint."""
        return rule.at(
            self.deck.source.path,
            span,
            message,
            notes=[*notes, origin_note(self.constraint, self.fmt)],
            help=help,
            related=related,
        )


Check = Callable[[Case], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Legality:
    """One legality rule: its text, the word of the vocabulary it serves, its check."""

    rule: Rule
    vocabulary: str
    check: Check
