"""The JSON documents of validated decks, of formats and of events."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from deckcheck.cards.documents import ChangeDocument, LeftOutDocument
from deckcheck.cards.listing import CardDocument
from deckcheck.documents.records import (
    Count,
    DocumentHead,
    Fingerprint,
    Ordinal,
    ShownAs,
    one_of,
)
from deckcheck.findings import Severity
from deckcheck.formats.model import Seating

if TYPE_CHECKING:
    from deckcheck.formats import Format

Code = Annotated[str, Field(pattern="^D[A-Z][0-9]{3}$")]


class PositionDocument(TypedDict):
    """A place in a text."""

    line: Ordinal
    """The line, from 1."""
    column: Ordinal
    """The character of the line, from 1."""


class SpanDocument(TypedDict):
    """A part of a text."""

    start: PositionDocument
    """The first character."""
    end: PositionDocument
    """The place after the last character."""


class RuleDocument(TypedDict):
    """The legality rule behind a finding."""

    code: Code
    """The code of the rule, such as `DL101`."""
    name: str
    """The name of the rule, such as `too-many-copies`."""
    severity: Annotated[str, one_of(Severity)]
    """The weight of the finding. An error makes a deck illegal."""


class RelatedDocument(SpanDocument):
    """Another place that a finding is about."""

    message: str
    """The relation of the place to the finding."""


class FindingDocument(RuleDocument, SpanDocument):
    """A remark about a place of a file."""

    message: str
    """The fault, in a sentence."""
    path: str
    """The file."""
    notes: list[str]
    """Further facts, such as the rule and the format that it is from."""
    help: str | None
    """The remedy, or null without one."""
    related: list[RelatedDocument]
    """Other places involved."""


class FindingLine(FindingDocument):
    """A line of `deckcheck validate --output-format jsonl`."""

    index: Count
    """The place of the deck within its file, from 0."""
    deck: str | None
    """The name of the deck, or null if it could not be read or for a whole file."""
    format: str | None
    """The id of the format, or null if none was found."""
    snapshot: str | None
    """The first date of the snapshot of the format, or null without a format."""


class DeckHead(TypedDict):
    """The deck of some findings."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str | None
    """The name of the deck, or null if it could not be read."""


class DeckDocument(DeckHead):
    """A deck and its findings."""

    format: str | None
    """The id of the format, or null if none was found."""
    snapshot: str | None
    """The first date of the snapshot of the format, or null without a format."""
    legal: bool
    """Whether the deck has no error. Warnings and notes do not count."""
    findings: list[FindingDocument]
    """The findings of the deck, in the order of its lines."""


class ValidationSummaryDocument(TypedDict):
    """Counts of decks and findings."""

    decks: Count
    """The number of decks."""
    legal: Count
    """The number of legal decks."""
    findings: Count
    """The number of findings, those about whole files included."""
    suppressed: Count
    """The number of findings that comments suppress."""


class ValidationDocument(DocumentHead):
    """The output of `deckcheck validate --output-format json`."""

    fingerprint: str | None
    """A hash of the rules and cards that judged the decks, or null without any."""
    summary: ValidationSummaryDocument
    """Counts of decks and findings."""
    left_out: LeftOutDocument
    """Files among the decks that are not decks."""
    changes: list[ChangeDocument]
    """The cards and leaders that the user's own sets add, change or remove."""
    decks: list[DeckDocument]
    """The decks and their findings, in the order in which they were named."""


class FindingCount(RuleDocument):
    """The number of findings of a kind."""

    count: Ordinal
    """The number of findings."""


StatisticsDocument: TypeAlias = Annotated[
    list[FindingCount],
    Field(description="The output of `validate --statistics --output-format json`."),
]


class LegalityFinding(RuleDocument):
    """A finding about a deck in a format."""

    message: str
    """The fault, in a sentence."""
    start: PositionDocument
    """The place in the file of the deck."""
    help: str | None
    """The remedy, or null without one."""


class FormatVerdict(TypedDict):
    """The verdict of a format."""

    format: str
    """The id of the format."""
    legal: bool
    """Whether the deck is legal in it."""
    findings: list[LegalityFinding]
    """The findings of the deck in this format."""


class DeckLegalityDocument(DeckHead):
    """A deck and the formats in which it is legal."""

    legal: list[str]
    """The ids of the formats in which the deck is legal."""
    formats: list[FormatVerdict]
    """The verdict of each format, with the formats of likely games first."""


class LegalityDocument(DocumentHead):
    """The output of `deckcheck formats --for DECK --output-format json`."""

    decks: list[DeckLegalityDocument]
    """The decks of the file, folder or glob."""


class ConstraintDocument(TypedDict):
    """A constraint of a format."""

    name: str
    """The key of the constraint in the format file."""
    rule: str
    """The rule that judges it, such as `count`."""
    settings: dict[str, object]
    """The settings of the rule."""
    statement: str
    """The statement of the rules that it follows, or empty for a house rule."""
    origin: str
    """The file that introduced the constraint or changed it last."""


SeatingDocument: TypeAlias = Annotated[dict[str, Any], ShownAs(Seating)]


class FormatDocument(TypedDict):
    """A format."""

    id: str
    """The id of the format, such as `gwent/standard`."""
    game: str
    """The id of the game."""
    title: str
    """The title of the format."""
    snapshot: str
    """The date from which on the format is like this."""
    fingerprint: Fingerprint
    """A hash of the format's rules and its cards."""
    origin: str
    """The file of the format."""
    constraints: list[ConstraintDocument]
    """The constraints that decks are judged by."""
    options: dict[str, str | int | bool]
    """The options of play, by name."""
    seating: SeatingDocument
    """The way in which decks meet."""
    extra_cards: list[CardDocument]
    """The cards that sets add."""
    changes: list[ChangeDocument]
    """The cards and leaders that sets add, change or remove."""


def format_document(fmt: Format) -> FormatDocument:
    """Return a format as `deckcheck schema formats` describes it."""
    constraints: list[ConstraintDocument] = []
    for constraint in fmt.constraints:
        constraints.append(
            {
                "name": constraint.name,
                "rule": constraint.rule,
                "settings": dict(constraint.settings),
                "statement": constraint.statement,
                "origin": constraint.origin,
            }
        )
    extra_cards: list[CardDocument] = []
    for change in fmt.changes:
        if change.about == "card" and change.now and not change.was:
            extra_cards.append(asdict(change.now))
    return {
        "id": fmt.id,
        "game": fmt.game,
        "title": fmt.title,
        "snapshot": fmt.snapshot,
        "fingerprint": fmt.fingerprint,
        "origin": fmt.origin,
        "constraints": constraints,
        "options": dict(fmt.options),
        "seating": asdict(fmt.seating),
        "extra_cards": extra_cards,
        "changes": [change.as_data() for change in fmt.changes],
    }


class DifferenceDocument(TypedDict):
    """A difference between two formats."""

    about: str
    """The kind of difference: `seating`, `constraint`, `card` or `option`."""
    name: str
    """The name of the constraint, card or option."""
    old: str | None
    """The value in the first format, in words, or null if it has none."""
    new: str | None
    """The value in the second format, in words, or null if it has none."""


class FormatsDocument(DocumentHead):
    """The output of `deckcheck formats --output-format json`."""

    formats: list[FormatDocument]
    """The listed, shown or compared formats."""
    differences: NotRequired[list[DifferenceDocument]]
    """The differences of two formats, in the output of `diff` only."""


Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
PlayerVerdict: TypeAlias = Literal[
    "legal",
    "illegal",
    "no list",
    "several lists",
    "of another player",
    "does not play",
]


class ListDocument(TypedDict):
    """A list of a player."""

    path: str
    """The file of the list."""
    sha256: Sha256
    """The SHA-256 of the file."""
    seal: Sha256 | None
    """The salted hash to publish, or null before there are salts."""


class PlayerDocument(TypedDict):
    """A registered player."""

    name: str
    """The name of the player."""
    verdict: PlayerVerdict
    """The verdict on the player's list."""
    lists: list[ListDocument]
    """The lists of the player."""
    findings: list[FindingDocument]
    """The findings about the player and the player's lists."""


class EventEntry(TypedDict):
    """An event and its players."""

    path: str
    """The event file."""
    name: str
    """The name of the event."""
    date: str
    """The date of the event as the file has it."""
    format: str
    """The id of the format."""
    snapshot: str
    """The date from which on the format was like this."""
    sound: bool
    """Whether nothing is an error, so that the lists can be sealed."""
    players: list[PlayerDocument]
    """The registered players."""
    findings: list[FindingDocument]
    """The findings about no player."""


class EventDocument(ValidationDocument):
    """The output of `deckcheck event --output-format json`."""

    event: EventEntry
    """The event and its players."""
