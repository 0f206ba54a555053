"""The subject of a rule: a constraint, a deck or the decks of a file under it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card, Condition
from deckcheck.decks import Deck, DeckEntry
from deckcheck.findings import Finding, Related, Rule, Span
from deckcheck.formats.model import Constraint, Format
from deckcheck.messages import quote


@dataclass(frozen=True, slots=True)
class Clause:
    """A constraint of a format, with the names of its cards and factions."""

    constraint: Constraint
    fmt: Format
    database: CardDatabase

    @property
    def origin(self) -> str:
        """The note that names the rule and the format of a finding."""
        constraint = self.constraint
        note = f"Rule `{constraint.name}` of {self.fmt.id} ({self.fmt.month}), "
        if constraint.statement:
            note += f"{constraint.statement}, "
        return f"{note}from {constraint.origin}"

    @property
    def cards(self) -> str:
        """The cards concerned: `special and weather cards`, `Scorch`, `cards`."""
        return _describe_cards(self.constraint.condition, self.database)

    def faction_name(self, faction: str) -> str:
        """Return the name of a faction by its id."""
        return self.database.factions[faction].name

    @property
    def range(self) -> str:
        """`at least 22`, `at most 10`, `22 to 30`, `exactly 30`."""
        low, high = self.constraint.number("min"), self.constraint.number("max")
        if low is not None and low == high:
            return f"exactly {low}"
        if low is not None and high is not None:
            return f"{low} to {high}"
        return f"at least {low}" if high is None else f"at most {high}"


def _describe_cards(condition: Condition, database: CardDatabase) -> str:
    """Describe the cards that fit a condition."""
    names = {id: faction.name for id, faction in database.factions.items()}
    factions = [names.get(id, id) for id in condition.factions]
    cards = [database.cards[id].name for id in condition.cards]
    words = [
        _join_words(factions, "and"),
        _join_words(condition.kinds, "and"),
        _join_words(cards, "and") or "cards",
    ]
    if condition.abilities:
        words.append(f"with {_join_words(condition.abilities, 'or')}")
    if condition.rows:
        words.append(f"for {_join_words(condition.rows, 'or')}")
    return " ".join(filter(None, words))


def _join_words(words: Sequence[str], last: str) -> str:
    plain = [word.replace("_", " ") for word in words]
    if len(plain) > 1:
        plain = [", ".join(plain[:-1]), plain[-1]]
    return f" {last} ".join(plain)


@dataclass(frozen=True, slots=True)
class Case(Clause):
    """A deck, the format and the constraint to judge it by, and the card database."""

    deck: Deck

    @property
    def noun(self) -> str:
        """The noun for the counted cards, such as `unit card` for `units`."""
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
        """Yield the lines that the constraint is about, each with its card.

        Cards that may not be in a deck count for no limit (gwent 1.1.6).
        """
        condition = self.constraint.condition
        for entry in self.deck.entries:
            card = self.database.cards[entry.card]
            if card.deckable and condition.matches(card):
                yield entry, card

    def reserves(self) -> Iterator[tuple[DeckEntry, Card]]:
        """Yield the lines of the reserves with undeckable cards, each with its card.

        Other cards may be kept there, and count for nothing (sg_gwint 1.9).
        """
        for entry in self.deck.reserves:
            card = self.database.cards[entry.card]
            if not card.deckable:
                yield entry, card

    def unread_note(self) -> list[str]:
        """Return a note on cards that could not be counted, if there are any."""
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
        excess: int = 0,
    ) -> Finding:
        """Make a finding of `rule`, with the notes that name the constraint."""
        return rule.at(
            self.deck.source.path,
            span,
            message,
            notes=[*notes, self.origin],
            help=help,
            related=related,
            excess=excess,
        )


Check = Callable[[Case], Iterable[Finding]]


class DeckFinding(NamedTuple):
    """A finding, and the index of its deck."""

    deck_index: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class JointCase(Clause):
    """The decks of a lineup, a team or a table, to judge by a constraint."""

    decks: tuple[Deck, ...]
    unread: int = 0
    """The number of unreadable decks in the file."""
    others: int = 0
    """The number of decks of other formats in the file."""

    @property
    def noun(self) -> str:
        """The noun for the decks together: `lineup`, `team` or `table`."""
        return self.fmt.seating.holds

    def entries(self, deck: Deck) -> Iterator[tuple[DeckEntry, Card]]:
        """Yield the lines of a deck that the constraint is about, with their cards."""
        for entry in deck.entries:
            card = self.database.cards[entry.card]
            if self.constraint.condition.matches(card):
                yield entry, card

    def also(self, index: int, span: Span) -> Related:
        """Return a related place in a deck, labelled with its name."""
        return Related(span, f"also in {quote(self.decks[index].name)}")

    def report(
        self,
        rule: Rule,
        index: int,
        span: Span,
        message: str,
        help: str,
        *,
        related: Iterable[Related] = (),
        notes: Iterable[str] = (),
        excess: int = 0,
    ) -> DeckFinding:
        """Make a finding of `rule` about the deck at `index`."""
        case = Case(self.constraint, self.fmt, self.database, self.decks[index])
        finding = case.report(
            rule, span, message, help, related=related, notes=notes, excess=excess
        )
        return DeckFinding(index, finding)


JointCheck = Callable[[JointCase], Iterable[DeckFinding]]


def is_named(constraint: Constraint, card: Card) -> bool:
    """Report whether the condition, if there is any, fits a deckable card."""
    condition = constraint.condition
    return not condition.is_empty and card.deckable and condition.matches(card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Legality:
    """A word that a format file writes for `rule`, and all that it means."""

    word: str
    meaning: str
    """The demand, for editors of format files."""
    required: tuple[str, ...] = ()
    """The settings that a file must state."""
    any_of: tuple[str, ...] = ()
    """Alternative settings: a file must state at least one."""
    optional: tuple[str, ...] = ()
    """Settings that a file may state."""
    sentence: Callable[[Clause], str]
    """The sentence about a legal list, without a full stop."""
    checks: Mapping[Rule, Check] = field(default_factory=dict)
    """The check for each kind of finding in a deck."""
    joint_checks: Mapping[Rule, JointCheck] = field(default_factory=dict)
    """The check for each kind of finding across the decks of a file."""
    weigh: Callable[[Constraint, Card], int] | None = None
    """The amount that a copy of a fitting card adds to the number that a judge
    counts.
    """
    is_drawn: bool = False
    """Whether random decks take any number between `min` and `max`, all alike."""
    copies: Callable[[Constraint], int] | None = None
    """The most copies of each fitting card, where copies are limited."""
    touches: Callable[[Constraint, Card], bool] = is_named
    """Whether sheets for the table mark a card, to be counted for a limit upwards."""

    @property
    def settings(self) -> tuple[str, ...]:
        """All settings."""
        return (*self.required, *self.any_of, *self.optional)

    @property
    def has_range(self) -> bool:
        """Whether a file may state the least and the most."""
        return {"min", "max"} <= set(self.settings)

    def adds(self, constraint: Constraint, card: Card) -> int:
        """Return the amount that a copy of a card adds to the limited number."""
        if self.weigh is None or not constraint.condition.matches(card):
            return 0
        return self.weigh(constraint, card)


# Places in a deck: where a sum crosses its limit, and which line sets the faction


def faction_span(deck: Deck) -> Span | None:
    """Return the line that sets the faction of a deck, or None."""
    for key in ("faction", "leader"):
        for header in deck.headers.get(key, ()):
            return header.span
    return None


def crossing(weigh_lines: Iterable[tuple[DeckEntry, int]], limit: int) -> DeckEntry:
    """Return the entry whose weight carries the running sum above `limit`."""
    total = 0
    for entry, weight in weigh_lines:
        total += weight
        if total > limit:
            return entry
    raise ValueError(f"the sum {total} does not cross {limit}")


def others(entries: Sequence[DeckEntry], chosen: DeckEntry) -> list[Related]:
    """Return the other entries, each with its number of cards."""
    related = []
    for entry in entries:
        if entry is not chosen:
            related.append(Related(entry.span, f"{entry.count} here"))
    return related


def held_too_often(
    held: Iterable[tuple[DeckEntry, Card]], most: Callable[[Card], int]
) -> Iterator[tuple[Card, int, DeckEntry, list[Related]]]:
    """Yield each card held more often than `most`, its count and the extra line.

    The last value are the other lines with the card.
    """
    lines: dict[str, tuple[Card, list[DeckEntry]]] = {}
    for entry, card in held:
        lines.setdefault(card.id, (card, []))[1].append(entry)
    for card, entries in lines.values():
        count = sum(entry.count for entry in entries)
        if count > most(card):
            crossed = crossing(((entry, entry.count) for entry in entries), most(card))
            yield card, count, crossed, others(entries, crossed)


def weigh_lines(
    case: Case, weigh: Callable[[Constraint, Card], int]
) -> list[tuple[DeckEntry, int]]:
    """Return each line that adds to the sum of the constraint, with its weight."""
    lines = []
    for entry, card in case.entries():
        weight = weigh(case.constraint, card) * entry.count
        if weight:
            lines.append((entry, weight))
    return lines
