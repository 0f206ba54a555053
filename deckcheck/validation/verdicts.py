"""Verdicts: reports of decks and files, as plain data and in a notebook."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.cards.models import CardChange, describe_changes
from deckcheck.decks import Deck, DeckSource, LeftOut
from deckcheck.files import short_digest
from deckcheck.findings import Finding, Position, Severity, Span, in_order
from deckcheck.formats.model import Format
from deckcheck.markup import html_table

if TYPE_CHECKING:
    from deckcheck.validation.documents import (
        DeckDocument,
        FindingDocument,
        PositionDocument,
        SpanDocument,
        ValidationDocument,
    )

FINDING_COLUMNS = ("deck", "format", "verdict", "line", "finding", "help")
"""The columns of the table of judged decks that a notebook shows."""


@dataclass(frozen=True, slots=True)
class DeckReport:
    """The verdict on a deck."""

    source: DeckSource
    deck: Deck | None
    """The deck, or None if it is unreadable."""
    format: Format | None
    """The format, or None if none was found."""
    findings: tuple[Finding, ...]
    text: str
    """The text of the whole file, for excerpts."""
    suppressed: tuple[Finding, ...] = ()
    """The findings that comments removed from `findings`."""

    def to_dict(self) -> DeckDocument:
        """Return the report as plain data, as in `Validation.to_dict`."""
        return {
            "path": self.source.path,
            "index": self.source.index,
            "name": self.name,
            "format": self.format.id if self.format else None,
            "snapshot": self.format.snapshot if self.format else None,
            "legal": self.legal,
            "findings": [finding_data(finding) for finding in self.findings],
        }

    @property
    def legal(self) -> bool:
        """Whether the deck has no error. Warnings and notes do not count."""
        return not any(f.severity is Severity.ERROR for f in self.findings)

    def with_finding(self, finding: Finding) -> DeckReport:
        """Return the report with another finding."""
        return replace(self, findings=in_order([*self.findings, finding]))

    @property
    def name(self) -> str | None:
        """The name of the deck, None when it could not be read."""
        return self.deck.name if self.deck else None

    def without_cards(self) -> DeckReport:
        """Return the report without cards, and without the text of a legal deck."""
        deck = self.deck
        if deck is not None:
            deck = replace(deck, entries=(), reserves=(), sections={})
        return replace(self, deck=deck, text=self.text if self.findings else "")

    @property
    def head(self) -> tuple[str, str | None, str]:
        """Deck, format and verdict, as tables begin their rows."""
        name = self.source.path if self.name is None else self.name
        verdict = "legal" if self.legal else "illegal"
        return name, self.format.id if self.format else None, verdict

    def _finding_rows(self) -> list[tuple[object, ...]]:
        """Return a row of FINDING_COLUMNS for each finding, or a row without any."""
        if not self.findings:
            return [(*self.head, None, None, None)]
        return [
            (*self.head, f.span.start.line, f"{f.name}: {f.message}", f.help)
            for f in self.findings
        ]

    def _repr_html_(self) -> str:
        """Return the table of this deck for a notebook."""
        return Validation((self,))._repr_html_()


@dataclass(frozen=True, slots=True)
class FileReport:
    """The findings about a file as a whole, for example an event file."""

    source: DeckSource
    name: str
    """The subject, for example a player."""
    findings: tuple[Finding, ...]
    text: str
    """The text of the whole file."""

    @classmethod
    def of(cls, finding: Finding, name: str, text: str) -> FileReport:
        """Make a report of a single finding."""
        return cls(DeckSource(finding.path), name, (finding,), text)

    @property
    def legal(self) -> bool:
        """Whether no finding is an error."""
        return not any(f.severity is Severity.ERROR for f in self.findings)


@dataclass(frozen=True, slots=True)
class Validation:
    """The verdicts on all decks of a run, in the order of the request."""

    reports: tuple[DeckReport, ...]
    files: tuple[FileReport, ...] = ()
    """The findings about files beyond the decks in them."""
    left_out: LeftOut = field(default_factory=LeftOut)
    """Counts of other files among the decks."""
    whole: Validation | None = None
    """After a comparison with a baseline, the run with old findings, too."""
    notes: tuple[str, ...] = ()
    """The snapshots that judged, if another is valid today or later."""
    folder: Path | None = None
    """The folder that paths start from, a checkout, or None for the working folder."""

    @property
    def parts(self) -> tuple[DeckReport | FileReport, ...]:
        """The reports with findings, and texts to show them in."""
        return (*self.files, *self.reports)

    @property
    def legal(self) -> bool:
        """Whether every deck is legal."""
        return all(report.legal for report in self.reports)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding of every deck, in order."""
        return in_order(f for part in self.parts for f in part.findings)

    def to_dict(self) -> ValidationDocument:
        """Return the verdicts as plain data, with the keys of the JSON output."""
        from deckcheck.markup import tool

        return {
            "schema_version": 1,
            "tool": tool(),
            "fingerprint": self.fingerprint,
            "summary": {
                "decks": len(self.reports),
                "legal": sum(report.legal for report in self.reports),
                # Findings about whole files are only counted.
                "findings": sum(len(part.findings) for part in self.parts),
                "suppressed": sum(len(report.suppressed) for report in self.reports),
            },
            "left_out": self.left_out.as_data(),
            "changes": [change.as_data() for change in self.changes],
            "decks": [report.to_dict() for report in self.reports],
        }

    def _repr_html_(self) -> str:
        """Return a small table of decks and findings for a notebook."""
        rows = [row for report in self.reports for row in report._finding_rows()]
        names = [f"{fmt.id} ({fmt.month})" for fmt in self.formats]
        fingerprint = []
        if self.fingerprint:
            fingerprint.append(f"rules fingerprint {self.fingerprint}")
        notes = [
            ", ".join([*names, *fingerprint]),
            *describe_changes(self.changes),
            *self.notes,
        ]
        if self.left_out:
            notes.append(f"Not checked: {self.left_out}")
        return html_table(FINDING_COLUMNS, rows, notes)

    def sort_reports(self) -> Validation:
        """Return the verdicts in the order of paths and of the decks in each file."""
        order = sorted(self.reports, key=lambda x: (x.source.path, x.source.index))
        return replace(self, reports=tuple(order))

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats that decks were judged by, by id."""
        used = (report.format for report in self.reports)
        formats = {(f.id, f.snapshot): f for f in used if f is not None}
        return tuple(formats[key] for key in sorted(formats))

    @property
    def changes(self) -> tuple[CardChange, ...]:
        """The changes by the user's own sets to the cards of those formats."""
        changes = (change for fmt in self.formats for change in fmt.own_changes)
        return tuple(dict.fromkeys(changes))

    @property
    def fingerprint(self) -> str | None:
        """A short hash of the rules and cards that decks were judged by, if any."""
        fingerprints = [fmt.fingerprint for fmt in self.formats]
        if len(fingerprints) < 2:
            return fingerprints[0] if fingerprints else None
        return short_digest(fingerprints)


def finding_data(finding: Finding) -> FindingDocument:
    """Return a finding as `json` and `jsonl` write it."""
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": finding.path,
        **_span_document(finding.span),
        "notes": list(finding.notes),
        "help": finding.help,
        "related": [
            {"message": related.message, **_span_document(related.span)}
            for related in finding.related
        ],
    }


def position_data(position: Position) -> PositionDocument:
    """Return a place as line and column."""
    return {"line": position.line, "column": position.column}


def _span_document(span: Span) -> SpanDocument:
    return {"start": position_data(span.start), "end": position_data(span.end)}
