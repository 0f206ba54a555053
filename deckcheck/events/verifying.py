"""What has changed since a seal: lists, rules, cards, the tool."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from deckcheck import __version__
from deckcheck.decks import DeckSource
from deckcheck.events.event import Event
from deckcheck.events.matching import START
from deckcheck.events.seals import Sealed, seal_of
from deckcheck.findings import Finding
from deckcheck.findings.documents import Source
from deckcheck.findings.words import quote, sentence
from deckcheck.rules.event_rules import (
    CHANGED_CARDS,
    CHANGED_LIST,
    CHANGED_RULES,
    NEW_LIST,
    OTHER_VERSION,
    REMOVED_LIST,
)
from deckcheck.validation import FileReport

__all__ = ["verify"]

SEAL = "Seal"


def verify(event: Event, sealed: Sealed) -> Event:
    """The event with what differs from the last seal as findings."""
    told = (*_lists(event, sealed), *_judged(event, sealed))
    return event.adding(told, SEAL)


def _lists(event: Event, sealed: Sealed) -> Iterator[FileReport]:
    """Lists that have changed, are new, or are gone."""
    seal = sealed.last
    texts = {deck.source.path: deck.text for deck in event.run.reports}
    for file in event.files:
        before = seal.lists.get(file.name)
        if before == file.sha256:
            continue
        text = texts.get(file.path, "")
        if before is None:
            message = f"The list was added after {seal.when}"
            finding = NEW_LIST.at(file.path, START, message, help="Remove the file")
        else:
            message = f"The list has changed since {seal.when}"
            finding = CHANGED_LIST.at(
                file.path,
                START,
                message,
                notes=[f"SHA-256 sealed {before}", f"SHA-256 now {file.sha256}"],
                help="Bring back the list that was sealed",
            )
        yield FileReport(DeckSource(file.path), file.name, (finding,), text)
    here = {file.name for file in event.files}
    for name in sorted(set(seal.lists) - here):
        message = f"The list {quote(name)} is gone since {seal.when}"
        finding = REMOVED_LIST.at(
            sealed.source.path,
            sealed.place("lists", name),
            message,
            help="Bring back the list that was sealed",
        )
        yield _of(finding, sealed.source, name)


def _judged(event: Event, sealed: Sealed) -> Iterator[FileReport]:
    """Rules, cards and tool, where they are not those of the seal."""
    old, new = sealed.last, seal_of(event, datetime.fromtimestamp(0, UTC))
    place = event.source.document.span(("format",))
    notes = [f"Sealed by {old.judged_by}", f"Now judged by {new.judged_by}"]
    if old.rules not in (None, new.rules):
        yield _of(
            CHANGED_RULES.at(
                event.source.path,
                place,
                f"The rules of the format have changed since {old.when}",
                notes=notes,
                help="Go back to the rules of the seal, or seal again by `--reseal`",
            ),
            event.source,
        )
    if old.cards not in (None, new.cards):
        yield _of(
            CHANGED_CARDS.at(
                event.source.path,
                place,
                f"The card data has changed since {old.when}",
                notes=notes,
                help="Look whether every list is still legal, which is checked here",
            ),
            event.source,
        )
    if old.tool != __version__:
        yield _of(_other_version(sealed), sealed.source)


def _other_version(sealed: Sealed) -> Finding:
    old = sealed.last
    if old.tool is None:
        message = "The seal was made by deckcheck 0.1.0 and covers the lists alone"
        help = "`--reseal` writes one that covers rules and cards too"
        place = sealed.place("lists")
    else:
        message = f"{sentence(old.when)} was made by deckcheck {old.tool}"
        message += f", this is {__version__}"
        help = None
        place = sealed.place("tool")
    return OTHER_VERSION.at(sealed.source.path, place, message, help=help)


def _of(finding: Finding, source: Source, name: str = SEAL) -> FileReport:
    text = source.document.text
    return FileReport(DeckSource(source.path), name, (finding,), text)
