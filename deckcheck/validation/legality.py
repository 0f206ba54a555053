"""In which formats decks are legal, and what speaks against them elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
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
from deckcheck.findings import Severity
from deckcheck.findings.words import plural, printable
from deckcheck.formats import format_ids, formats_as_of
from deckcheck.validation.finding_data import position_data
from deckcheck.validation.formatless import known_names
from deckcheck.validation.validator import Validator
from deckcheck.validation.verdicts import DeckReport

if TYPE_CHECKING:
    from deckcheck.validation.document import DeckLegalityDocument, FormatVerdict


@dataclass(frozen=True, slots=True)
class DeckLegality:
    """One deck as every format judges it, by the format's id, likely games first.

    `strange` are the formats of games that know none of the deck's cards while another
    game knows some: why it is illegal there is nobody's question.
    """

    path: str
    index: int
    name: str | None
    reports: dict[str, DeckReport]
    strange: frozenset[str] = frozenset()

    @property
    def legal(self) -> tuple[str, ...]:
        """The formats that the deck is legal in."""
        return tuple(id for id, report in self.reports.items() if report.legal)

    def as_text(self) -> str:
        """The formats on a line each, with what is wrong below."""
        deck = f" deck {self.index + 1}" if self.index else ""
        name = f": {self.name}" if self.name not in (None, self.path) else ""
        lines = list(self._lines()) or ["  no format of its game existed then"]
        return "\n".join([printable(f"{self.path}{deck}{name}"), *lines])

    def _lines(self) -> Iterator[str]:
        width = max(map(len, self.reports), default=0)
        for id, report in self.reports.items():
            if id in self.strange:
                yield f"  {id:{width}}  of another game"
                continue
            errors = [f for f in report.findings if f.severity is Severity.ERROR]
            verdict = plural(len(errors), "error") if errors else "legal"
            yield f"  {id:{width}}  {verdict}"
            for f in errors:
                yield f"    {f.span.start.line}:{f.span.start.column} {f.message}"
                if f.help:
                    yield f"      {f.help}"

    def as_data(self) -> DeckLegalityDocument:
        """The same as plain data, for JSON."""
        formats: list[FormatVerdict] = [
            {
                "format": id,
                "legal": report.legal,
                "findings": [
                    {
                        "code": f.code,
                        "name": f.name,
                        "severity": f.severity.value,
                        "message": f.message,
                        "start": position_data(f.span.start),
                        "help": f.help,
                    }
                    for f in report.findings
                ],
            }
            for id, report in self.reports.items()
        ]
        return {
            "path": self.path,
            "index": self.index,
            "name": self.name,
            "legal": list(self.legal),
            "formats": formats,
        }


def where_legal(
    path: str,
    root: Root = None,
    as_of: str | None = None,
    left_out: LeftOut | None = None,
) -> list[DeckLegality]:
    """Judge each deck of a file, folder or glob by every format of its game.

    The game is that of the deck's `Format` header, if it names one; else every format
    there is judges, those first whose game knows most of the cards. `as_of` is the date
    whose snapshots count; a format that there was not yet is left out. What is no deck
    is counted in `left_out`. Raises UsageError for a file that does not exist.
    """
    judges = {
        fmt.id: Validator(fmt.id, root, as_of=as_of, suppressions=False)
        for fmt in formats_as_of(root, as_of)
    }
    games = {id.partition("/")[0] for id in format_ids(root)}
    return [
        deck
        for deck_file in find_deck_files([path], left_out=left_out)
        for deck in _judge(read_found(deck_file), judges, games)
    ]


def _judge(
    source: DeckText, judges: dict[str, Validator], games: set[str]
) -> Iterator[DeckLegality]:
    """Judge the decks of one file, alone and together."""
    by_format = {id: judge.check_file(source) for id, judge in judges.items()}
    raws = next(iter(judges.values())).read(source)
    for at, header in enumerate(format_headers(raws)):
        game = header.value.strip().lower().partition("/")[0] if header else ""
        all = game not in games
        own = [id for id in judges if all or id.startswith(f"{game}/")]
        names_of_formats = _known_names({id: by_format[id][at] for id in own})
        own.sort(key=lambda id: -names_of_formats[_game(id)])
        reports = {id: by_format[id][at] for id in own}
        strange = {
            id
            for id in own
            if not names_of_formats[_game(id)] and any(names_of_formats.values())
        }
        names = [report.name for report in reports.values() if report.name]
        name = names[0] if names else None
        yield DeckLegality(source.path, at, name, reports, frozenset(strange))


def _game(id: str) -> str:
    return id.partition("/")[0]


def _known_names(reports: Mapping[str, DeckReport]) -> Counter[str]:
    """How many cards and leaders of a deck each game knows."""
    counts: Counter[str] = Counter()
    for id, report in reports.items():
        if report.deck is not None:
            counts[_game(id)] = known_names(report.deck)
    return counts
