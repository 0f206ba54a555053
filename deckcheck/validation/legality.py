"""In which formats decks are legal, with the findings of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from deckcheck.cards import Root
from deckcheck.decks import (
    DeckText,
    LeftOut,
    find_deck_files,
    format_headers,
    read_found,
)
from deckcheck.findings import Finding, Severity, Span
from deckcheck.formats import (
    format_ids,
    load_formats,
)
from deckcheck.messages import plural, printable
from deckcheck.validation.validator import Validator, known_names
from deckcheck.validation.verdicts import DeckReport, position_data

if TYPE_CHECKING:
    from deckcheck.validation.documents import (
        DeckLegalityDocument,
        FormatVerdict,
        LegalityFinding,
    )


@dataclass(frozen=True, slots=True)
class DeckLegality:
    """The verdicts of every format on a deck by the format's id, likely games first."""

    path: str
    index: int
    name: str | None
    reports: dict[str, DeckReport]
    foreign: frozenset[str]
    """The formats of games that know none of the deck's cards while other games do."""

    @property
    def legal(self) -> tuple[str, ...]:
        """The formats that the deck is legal in."""
        return tuple(id for id, report in self.reports.items() if report.legal)

    def as_text(self) -> str:
        """Return the formats on a line each, with the findings below."""
        deck = f" deck {self.index + 1}" if self.index else ""
        name = f": {self.name}" if self.name not in (None, self.path) else ""
        lines = list(self._write_lines()) or ["  no format of its game existed then"]
        return "\n".join([printable(f"{self.path}{deck}{name}"), *lines])

    def _write_lines(self) -> Iterator[str]:
        """Yield the verdict of each format, below the errors of all formats."""
        width = max(map(len, self.reports), default=0)
        judged = [r for id, r in self.reports.items() if id not in self.foreign]
        shared = _find_shared_errors(judged)
        if shared:
            yield f"  {'every format':{width}}  {plural(len(shared), 'error')}"
            yield from _write_errors(shared)
        for id, report in self.reports.items():
            if id in self.foreign:
                yield f"  {id:{width}}  of another game"
                continue
            errors = _list_errors(report)
            verdict = plural(len(errors), "error") if errors else "legal"
            yield f"  {id:{width}}  {verdict}"
            known = set(map(_identify, shared))
            yield from _write_errors(e for e in errors if _identify(e) not in known)

    def as_data(self) -> DeckLegalityDocument:
        """Return the verdicts as plain data for JSON."""
        formats: list[FormatVerdict] = []
        for id, report in self.reports.items():
            findings: list[LegalityFinding] = []
            for finding in report.findings:
                findings.append(
                    {
                        "code": finding.code,
                        "name": finding.name,
                        "severity": finding.severity.value,
                        "message": finding.message,
                        "start": position_data(finding.span.start),
                        "help": finding.help,
                    }
                )
            formats.append({"format": id, "legal": report.legal, "findings": findings})
        return {
            "path": self.path,
            "index": self.index,
            "name": self.name,
            "legal": list(self.legal),
            "formats": formats,
        }


def _list_errors(report: DeckReport) -> list[Finding]:
    return [each for each in report.findings if each.severity is Severity.ERROR]


def _identify(error: Finding) -> tuple[Span, str]:
    """Return what an error of several formats has in common."""
    return error.span, error.message


def _find_shared_errors(reports: Sequence[DeckReport]) -> list[Finding]:
    """Return the errors that all of several reports share."""
    if len(reports) < 2:
        return []
    shared = _list_errors(reports[0])
    for report in reports[1:]:
        known = set(map(_identify, _list_errors(report)))
        shared = [error for error in shared if _identify(error) in known]
    return shared


def _write_errors(errors: Iterable[Finding]) -> Iterator[str]:
    """Yield each error with its place and its remedy."""
    for error in errors:
        start = error.span.start
        yield f"    {start.line}:{start.column} {error.message}"
        if error.help:
            yield f"      {error.help}"


def find_legality(
    path: str,
    root: Root,
    as_of: str | None,
    left_out: LeftOut | None,
) -> list[DeckLegality]:
    """Judge each deck of a file, folder or glob by every format of its game.

    The game is the game of the deck's `Format` header. Without a header, every format
    judges, with the formats of the games that know most of the cards first. `as_of` is
    the date whose snapshots count. A format without a snapshot on that date is left
    out. Files that are not decks are counted in `left_out`. Raises UsageError for a
    file that does not exist.
    """
    validators = {}
    for fmt in load_formats(root, as_of):
        validators[fmt.id] = Validator(fmt.id, root, as_of=as_of, suppressions=False)
    games = {_cut_game(id) for id in format_ids(root)}
    decks: list[DeckLegality] = []
    for deck_file in find_deck_files([path], left_out=left_out):
        decks += _check_decks(read_found(deck_file), validators, games)
    return decks


def _check_decks(
    source: DeckText, validators: dict[str, Validator], games: set[str]
) -> Iterator[DeckLegality]:
    """Check the decks of a file, alone and together, by the formats of their games."""
    by_format = {id: each.check_file(source) for id, each in validators.items()}
    raws = next(iter(validators.values())).read_decks(source)
    for index, header in enumerate(format_headers(raws)):
        reports = {id: by_format[id][index] for id in validators}
        game = _cut_game(header.value.strip().lower()) if header else ""
        if game in games:
            reports = {id: r for id, r in reports.items() if _cut_game(id) == game}
        known = _count_known_names(reports)
        ids = sorted(reports, key=lambda id: -known[_cut_game(id)])
        foreign = set()
        if any(known.values()):
            foreign = {id for id in ids if not known[_cut_game(id)]}
        names = [reports[id].name for id in ids if reports[id].name]
        yield DeckLegality(
            path=source.path,
            index=index,
            name=names[0] if names else None,
            reports={id: reports[id] for id in ids},
            foreign=frozenset(foreign),
        )


def _cut_game(id: str) -> str:
    """Return the game of a format: `gwent` of `gwent/standard`."""
    return id.partition("/")[0]


def _count_known_names(reports: Mapping[str, DeckReport]) -> Counter[str]:
    """Count the cards and leaders of a deck that each game knows.

    Formats of a game differ at most by the cards of their sets: the last one counts.
    """
    counts: Counter[str] = Counter()
    for id, report in reports.items():
        if report.deck is not None:
            counts[_cut_game(id)] = known_names(report.deck)
    return counts
