"""The difference of two decks, without play: cards, leader, figures, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from typing_extensions import TypedDict

from deckcheck.cards import Root
from deckcheck.decks import Deck
from deckcheck.decks.differences import CountChange, find_changes, name_leader
from deckcheck.documents.records import Count, DocumentHead
from deckcheck.findings import Finding, UsageError
from deckcheck.formats import Format, database_of
from deckcheck.messages import plural, quote, sentence
from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    Cell,
    Column,
    Report,
    ReportTable,
    numbers,
)
from deckcheck.studies.deck_stats import Composition
from deckcheck.validation import DeckReport
from deckcheck.validation.documents import FindingDocument
from deckcheck.validation.verdicts import finding_data

# The JSON of a difference


class ChangedDeckDocument(TypedDict):
    """One of the two decks."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str
    """The name of the deck."""
    format: str
    """The id of the format that judged it."""
    snapshot: str
    """The date from which on the format was like this."""
    legal: bool
    """Whether the deck is legal in the format."""
    faction: str | None
    """The id of its faction; null if it has none."""
    leader: str | None
    """The id of its leader; null if it has none."""
    cards: Count
    """The number of its cards."""
    strength: Count
    """The printed strength of its units together."""


class CardChangeDocument(TypedDict):
    """A card of which the two decks hold different numbers."""

    card: str
    """The id of the card."""
    name: str
    """Its name."""
    old: Count
    """The number of copies in the old deck."""
    new: Count
    """The number of copies in the new deck."""


class DeckDifferenceDocument(TypedDict):
    """The difference of two decks."""

    old: ChangedDeckDocument
    """The old deck."""
    new: ChangedDeckDocument
    """The new deck."""
    cards: list[CardChangeDocument]
    """The cards that change, removed copies first."""
    reserves: list[CardChangeDocument]
    """The reserves that change, in games that have reserves."""
    findings_lost: list[FindingDocument]
    """The findings of the old deck that the new one does not have."""
    findings_gained: list[FindingDocument]
    """The findings of the new deck that the old one does not have."""


class DifferencesDocument(DocumentHead):
    """The output of `deckcheck diff --output-format json`."""

    decks: list[DeckDifferenceDocument]
    """The difference of each two decks, in the order of the files."""


# The difference of two decks that could be read


@dataclass(frozen=True, slots=True)
class JudgedDeck:
    """A deck that could be read, and the format that judged it."""

    report: DeckReport
    deck: Deck
    format: Format
    parts: Composition
    """Its cards with their numbers."""

    def to_dict(self) -> ChangedDeckDocument:
        """Return the deck as a part of the document."""
        return {
            "path": self.deck.source.path,
            "index": self.deck.source.index,
            "name": self.deck.name,
            "format": self.format.id,
            "snapshot": self.format.snapshot,
            "legal": self.report.legal,
            "faction": self.deck.faction,
            "leader": self.deck.leader,
            "cards": self.parts.cards,
            "strength": self.parts.all_units.strength,
        }


@dataclass(frozen=True)
class DeckDifference:
    """The difference of two decks of a game."""

    old: JudgedDeck
    new: JudgedDeck

    @cached_property
    def cards(self) -> list[CountChange]:
        """The cards that change, removed copies first."""
        return order_changes(self.old.deck.counts(), self.new.deck.counts())

    @cached_property
    def reserves(self) -> list[CountChange]:
        """The reserves that change, removed copies first."""
        old, new = self.old.deck.reserve_counts(), self.new.deck.reserve_counts()
        return order_changes(old, new)

    @cached_property
    def lost(self) -> list[Finding]:
        """The findings of the old deck alone."""
        return _subtract_findings(self.old.report, self.new.report)

    @cached_property
    def gained(self) -> list[Finding]:
        """The findings of the new deck alone."""
        return _subtract_findings(self.new.report, self.old.report)

    @property
    def names(self) -> tuple[str, str]:
        """The names of the two decks, which differ."""
        old, new = self.old.deck, self.new.deck
        if old.name == new.name:
            return f"{old.name} (old)", f"{new.name} (new)"
        return old.name, new.name

    @property
    def answer(self) -> str:
        """The number of cards that go and come, and whether the decks are legal."""
        changes = self._describe_changes()
        if self.old.report.legal and self.new.report.legal:
            return changes
        verdicts = _compare_verdicts(self.old.report, self.new.report)
        return f"{changes} {sentence(verdicts)}."

    def _describe_changes(self) -> str:
        """Return the number of cards that go and come, in a sentence."""
        removed = sum(max(0, change.old - change.new) for change in self.cards)
        come = sum(max(0, change.new - change.old) for change in self.cards)
        old, new = map(quote, self.names)
        has_other_leader = self.old.deck.leader != self.new.deck.leader
        if removed or come:
            counts = f"{plural(removed, 'card')} out, {come} in"
            if has_other_leader:
                return f"From {old} to {new}: {counts}, and a different leader."
            return f"From {old} to {new}: {counts}."
        if has_other_leader:
            return f"From {old} to {new} the leader changes, and no card."
        if self.reserves:
            return f"From {old} to {new} the reserves change, and no other card."
        return f"{old} and {new} have the same cards and the same leader."

    def name_card(self, card: str) -> str:
        """Return the name of a card, which the format of one deck alone may know."""
        cards = self.new.parts.database.cards
        return (cards.get(card) or self.old.parts.database.cards[card]).name

    def to_dict(self) -> DeckDifferenceDocument:
        """Return the difference as a part of the document."""
        return {
            "old": self.old.to_dict(),
            "new": self.new.to_dict(),
            "cards": self._list_changes(self.cards),
            "reserves": self._list_changes(self.reserves),
            "findings_lost": [finding_data(finding) for finding in self.lost],
            "findings_gained": [finding_data(finding) for finding in self.gained],
        }

    def _list_changes(self, changes: Sequence[CountChange]) -> list[CardChangeDocument]:
        documents: list[CardChangeDocument] = []
        for card, old, new in changes:
            name = self.name_card(card)
            documents.append({"card": card, "name": name, "old": old, "new": new})
        return documents


def order_changes(old: Mapping[str, int], new: Mapping[str, int]) -> list[CountChange]:
    """Return the cards whose number changes, removed copies first."""
    return sorted(find_changes(old, new), key=lambda change: change.new > change.old)


def _subtract_findings(report: DeckReport, other: DeckReport) -> list[Finding]:
    """Return the findings of a report that the other one does not have.

    Lines move, so that the rule and the message make a finding the same.
    """
    known = {(finding.code, finding.message) for finding in other.findings}
    return [f for f in report.findings if (f.code, f.message) not in known]


def compare_reports(
    old: Sequence[DeckReport], new: Sequence[DeckReport], root: Root = None
) -> list[DeckDifference]:
    """Return the difference of each two decks, the first with the first and so on.

    `root` is the folder of card databases. Every deck has to be read, with its format.
    Raises UsageError for different numbers of decks, and for decks of two games.
    """
    if len(old) != len(new):
        raise UsageError(
            f"The old file holds {plural(len(old), 'deck')}, the new one {len(new)}",
            "Name two files with as many decks, which are compared in their order",
        )
    differences: list[DeckDifference] = []
    for reports in zip(old, new, strict=True):
        before, after = (_judge(report, root) for report in reports)
        if before.format.game != after.format.game:
            names = quote(before.deck.name), quote(after.deck.name)
            raise UsageError(
                f"{names[0]} and {names[1]} are decks of two games",
                "Name two decks of one game",
            )
        differences.append(DeckDifference(before, after))
    return differences


def _judge(report: DeckReport, root: Root) -> JudgedDeck:
    assert report.deck is not None
    assert report.format is not None
    database = database_of(report.format, root)
    counts = report.deck.counts().items()
    cards = {database.cards[card]: count for card, count in counts}
    parts = Composition(database, cards)
    return JudgedDeck(report, report.deck, report.format, parts)


# The difference in tables and sentences


def list_changes(
    old: str, new: str, leaders: Sequence[str | None], changes: Sequence[CountChange]
) -> ReportTable:
    """Return the table of what goes out of one deck and comes into the other."""
    rows: list[tuple[Cell, ...]] = []
    if leaders[0] != leaders[1]:
        rows.append((f"Leader: {leaders[0] or 'none'}", -1))
        rows.append((f"Leader: {leaders[1] or 'none'}", 1))
    rows += ((name, after - before) for name, before, after in changes)
    columns = (Column("card"), Column("copies", CHANGE))
    return ReportTable(f"Out of {old} and into {new}", columns, tuple(rows))


def difference_report(difference: DeckDifference) -> Report:
    """Return the difference as a sentence, tables and facts."""
    old, new = difference.old, difference.new
    names = difference.names
    leaders = [name_leader(each.deck, each.parts.database) for each in (old, new)]
    cards = [_name_change(change, difference) for change in difference.cards]
    tables = [list_changes(*names, leaders, cards)]
    reserves = [_name_change(change, difference) for change in difference.reserves]
    reserve_table = list_changes(*names, ("", ""), reserves)
    title = "Out of and into the reserves"
    tables.append(replace(reserve_table, title=title))
    tables.append(_compare_figures(old, new))
    facts = [("format", f"{new.format.id} ({new.format.month})")]
    if old.format.fingerprint != new.format.fingerprint:
        facts.insert(0, ("old format", f"{old.format.id} ({old.format.month})"))
    facts.append(("verdict", _compare_verdicts(old.report, new.report)))
    facts += [("gone", f"{f.name}: {f.message}") for f in difference.lost]
    facts += [("new", f"{f.name}: {f.message}") for f in difference.gained]
    shown = tuple(table for table in tables if table.rows)
    return Report(shown, (), tuple(facts), (difference.answer,))


def _name_change(change: CountChange, difference: DeckDifference) -> CountChange:
    """Return a change with the name of its card in place of the id."""
    return change._replace(card=difference.name_card(change.card))


def _compare_figures(old: JudgedDeck, new: JudgedDeck) -> ReportTable:
    """Return the table of the counts that change: cards, each kind, strength."""
    before, after = _count_parts(old.parts), _count_parts(new.parts)
    rows: list[tuple[Cell, ...]] = []
    for name, was, now in find_changes(before, after):
        rows.append((name, was, now, now - was))
    columns = (Column(""), *numbers(COUNT, "old", "new"), Column("change", CHANGE))
    return ReportTable("What changes in numbers", columns, tuple(rows))


def _count_parts(parts: Composition) -> dict[str, int]:
    counts = {"cards": parts.cards}
    for kind, number in parts.kinds.items():
        counts[kind.replace("_", " ")] = number
    return {**counts, "strength": parts.all_units.strength}


def _compare_verdicts(old: DeckReport, new: DeckReport) -> str:
    """Return whether the decks are legal, as a sentence without its full stop."""
    if old.legal and new.legal:
        return "both are legal"
    if not old.legal and not new.legal:
        return "both are illegal"
    return "the old deck is illegal" if new.legal else "the new deck is illegal"
