"""The JSON documents of validated decks."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from deckcheck.cards.document import ChangeDocument
from deckcheck.decks.document import LeftOutDocument
from deckcheck.findings.finding import Severity
from deckcheck.findings.json_schema import Count, Ordinal, Tool, one_of

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
    """The place behind the last character."""


class RuleDocument(TypedDict):
    """The legality rule behind a finding."""

    code: Code
    """The code of the rule, such as `DL101`."""
    name: str
    """The name of the rule, such as `too-many-copies`."""
    severity: Annotated[str, one_of(Severity)]
    """The weight of the finding; an error makes a deck illegal."""


class RelatedDocument(SpanDocument):
    """Another place that a finding is about."""

    message: str
    """The relation of the place to the finding."""


class FindingDocument(RuleDocument, SpanDocument):
    """A remark about one place of a file."""

    message: str
    """The fault, in a sentence."""
    path: str
    """The file."""
    notes: list[str]
    """Further facts, such as the rule and the format that it is from."""
    help: str | None
    """The remedy; null if there is nothing to say."""
    related: list[RelatedDocument]
    """Other places that have to do with it."""


class FindingLine(FindingDocument):
    """A line of `deckcheck validate --output-format jsonl`."""

    index: Count
    """The place of the deck within its file, from 0."""
    deck: str | None
    """The name of the deck; null if it could not be read, or for a whole file."""
    format: str | None
    """The id of the format; null if none was found."""
    snapshot: str | None
    """The date from which on the format was like this; null without a format."""


class DeckDocument(TypedDict):
    """A deck and its findings."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str | None
    """The name of the deck; null if it could not be read."""
    format: str | None
    """The id of the format; null if none was found."""
    snapshot: str | None
    """The date from which on the format was like this; null without a format."""
    legal: bool
    """Whether the deck has no error; warnings and notes do not count."""
    findings: list[FindingDocument]
    """The findings of the deck, in the order of its lines."""


class SummaryDocument(TypedDict):
    """Counts of decks and findings."""

    decks: Count
    """The number of decks."""
    legal: Count
    """The number of legal decks."""
    findings: Count
    """The number of findings, those about whole files included."""
    suppressed: Count
    """The number of findings that comments suppress."""


class ValidationDocument(TypedDict):
    """The output of `deckcheck validate --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    digest: str | None
    """A hash of the rules and cards that decks were judged by; null without any."""
    summary: SummaryDocument
    """Counts of decks and findings."""
    left_out: LeftOutDocument
    """Files that were found and are no decks."""
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
    """A finding about a deck in one format."""

    message: str
    """The fault, in a sentence."""
    start: PositionDocument
    """The place in the file of the deck."""
    help: str | None
    """The remedy; null if there is nothing to say."""


class FormatVerdict(TypedDict):
    """The verdict of one format."""

    format: str
    """The id of the format."""
    legal: bool
    """Whether the deck is legal in it."""
    findings: list[LegalityFinding]
    """The findings of the deck in this format."""


class DeckLegalityDocument(TypedDict):
    """A deck and the formats in which it is legal."""

    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    name: str | None
    """The name of the deck; null if it could not be read."""
    legal: list[str]
    """The ids of the formats in which the deck is legal."""
    formats: list[FormatVerdict]
    """The verdict of each format, those of likely games first."""


class LegalityDocument(TypedDict):
    """The output of `deckcheck formats --for DECK --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tool: Tool
    """The program that wrote this document."""
    decks: list[DeckLegalityDocument]
    """The decks of the file, folder or glob."""
