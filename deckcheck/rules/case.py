"""The subject of a rule: a deck, or the decks of a file, under one constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.decks import Deck, DeckEntry
from deckcheck.findings import Finding, Related, Rule, Span
from deckcheck.formats.model import Constraint, Format
from deckcheck.messages import quote

# The subject of a legality rule: one deck under one constraint of a format.


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


# The subject of a rule across decks: those of one file under one constraint.


class DeckFinding(NamedTuple):
    """A finding, and which of the decks it is about."""

    at: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class JointCase:
    """The decks of a lineup, a team or a table, and what they are judged by.

    `unread` is how many more decks the file holds that could not be read, `others`
    how many of another format.
    """

    decks: tuple[Deck, ...]
    fmt: Format
    constraint: Constraint
    db: CardDatabase
    unread: int = 0
    others: int = 0

    @property
    def noun(self) -> str:
        """What the decks are together: `lineup`, `team` or `table`."""
        return self.fmt.seating.holds

    def entries(self, deck: Deck) -> Iterator[tuple[DeckEntry, Card]]:
        """The lines of a deck that the constraint is about, each with its card."""
        for entry in deck.entries:
            card = self.db.cards[entry.card]
            if self.constraint.condition.matches(card):
                yield entry, card

    def also(self, at: int, span: Span) -> Related:
        """A related place in the deck number `at`, labelled with its name."""
        return Related(span, f"also in {quote(self.decks[at].name)}")

    def report(
        self,
        rule: Rule,
        at: int,
        span: Span,
        message: str,
        help: str,
        *,
        related: Iterable[Related] = (),
        notes: Iterable[str] = (),
    ) -> DeckFinding:
        """A finding of `rule` about the deck of number `at`."""
        finding = rule.at(
            self.decks[at].source.path,
            span,
            message,
            notes=[*notes, origin_note(self.constraint, self.fmt)],
            help=help,
            related=related,
        )
        return DeckFinding(at, finding)


JointCheck = Callable[[JointCase], Iterable[DeckFinding]]


@dataclass(frozen=True, slots=True)
class JointLegality:
    """One rule across decks: its text, the word of the vocabulary, its check."""

    rule: Rule
    vocabulary: str
    check: JointCheck


# The place in a deck where a sum crosses its limit.


def crossing(weighed: Iterable[tuple[DeckEntry, int]], limit: int) -> DeckEntry:
    """The entry whose weight carries the running sum above `limit`."""
    total = 0
    for entry, weight in weighed:
        total += weight
        if total > limit:
            return entry
    raise ValueError(f"the sum {total} does not cross {limit}")


def others(entries: Sequence[DeckEntry], chosen: DeckEntry) -> list[Related]:
    """The other entries, each with its number of cards."""
    return [
        Related(entry.span, f"{entry.count} here")
        for entry in entries
        if entry is not chosen
    ]


# Sums over the figures printed on the cards of a deck.


def weights(case: Case) -> list[tuple[DeckEntry, int]]:
    """Each line the constraint is about, with what it adds to the sum."""
    attribute = str(case.constraint.settings["attribute"])
    weighed = []
    for entry, card in case.entries():
        value = getattr(card, attribute, None)
        if isinstance(value, int):
            weighed.append((entry, value * entry.count))
    return weighed


def total(case: Case) -> int:
    """The sum of the constraint's attribute over the deck."""
    return sum(weight for _, weight in weights(case))
