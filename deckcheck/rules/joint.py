"""The subject of a rule across decks: those of one file under one constraint."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.decks import Deck, DeckEntry
from deckcheck.findings import Finding, Related, Rule, Span
from deckcheck.findings.words import quote
from deckcheck.formats.models import Constraint, Format
from deckcheck.rules.case import origin_note


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
