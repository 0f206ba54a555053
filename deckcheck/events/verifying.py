"""Changes since a seal: lists, rules, cards, the tool."""

from __future__ import annotations

from collections.abc import Iterator

from deckcheck.decks import DeckSource
from deckcheck.events.event import Event, ListFile
from deckcheck.events.matching import START
from deckcheck.events.salts import Salts
from deckcheck.events.seals import Seal, Sealed, judged_now
from deckcheck.findings import Finding, UsageError
from deckcheck.findings.documents import Source
from deckcheck.findings.options import option
from deckcheck.findings.words import plural, quote, sentence
from deckcheck.rules.event_rules import (
    CHANGED_CARDS,
    CHANGED_LIST,
    CHANGED_RULES,
    NEW_LIST,
    OTHER_VERSION,
    REMOVED_LIST,
    UNVERIFIED_LISTS,
)
from deckcheck.validation import FileReport
from deckcheck.version import __version__

SEAL = "Seal"
RESTORE = "Bring back the list that was sealed"


def verify(event: Event, sealed: Sealed) -> Event:
    """The event with what differs from the last seal as findings.

    Salted lists are compared if the event has salts. Raises UsageError when these are
    not those of the seal.
    """
    seal = sealed.last
    check_salts(event.salts, sealed)
    findings = [*_changed_lists(event, seal), *_removed_lists(event, sealed)]
    if _are_hidden(event, seal):
        findings.append(_of(_not_compared(sealed), sealed.source))
    findings += [
        _of(changed_rule, event.source) for changed_rule in _changed_rules(event, seal)
    ]
    if seal.tool != __version__:
        findings.append(_of(_other_version(sealed), sealed.source))
    return event.adding(findings, SEAL)


def check_salts(salts: Salts | None, sealed: Sealed) -> None:
    """Raise UsageError when salts are not those of the last seal."""
    if salts is not None and sealed.last.salts not in (None, salts.mark):
        name = quote(sealed.source.path)
        help = f"Name the file that {option('salts')} made when the lists were sealed"
        raise UsageError(f"These salts are not those of {name}", help)


def unchanged(event: Event, seal: Seal) -> str:
    """How many of the sealed lists are as they were: `2 lists unchanged since ...`."""
    sealed = plural(len(seal.lists), "list")
    if _are_hidden(event, seal):
        return (
            f"{sealed} not compared with {seal.when}: that needs "
            f"{option('salts', 'FILE')}"
        )
    same = sum(
        seal.lists.get(file.name) == _hash_now(event, seal, file)
        for file in event.files
    )
    if same == len(seal.lists):
        return f"{sealed} unchanged since {seal.when}"
    return f"{same} of {sealed} unchanged since {seal.when}"


def _are_hidden(event: Event, seal: Seal) -> bool:
    """Whether the hashes of a seal are salted, and the salts not known."""
    return seal.hash is not None and event.salts is None


def _hash_now(event: Event, seal: Seal, file: ListFile) -> str | None:
    """What the seal would say of a list as it is now; None if that is hidden."""
    return file.sha256 if seal.hash is None else event.seal(file)


def _changed_lists(event: Event, seal: Seal) -> Iterator[FileReport]:
    """Lists that are not what was sealed, or were not sealed at all."""
    texts = {deck.source.path: deck.text for deck in event.run.reports}
    for file in event.files:
        before, now = seal.lists.get(file.name), _hash_now(event, seal, file)
        if before is None:
            message = f"The list was added after {seal.when}"
            finding = NEW_LIST.at(file.path, START, message, help="Remove the file")
        elif now in (None, before):
            continue
        else:
            message = f"The list has changed since {seal.when}"
            hashes = (f"Sealed {before}", f"Now {now}")
            finding = CHANGED_LIST.at(
                file.path, START, message, notes=hashes, help=RESTORE
            )
        source, text = DeckSource(file.path), texts.get(file.path, "")
        yield FileReport(source, file.name, (finding,), text)


def _not_compared(sealed: Sealed) -> Finding:
    lists = plural(len(sealed.last.lists), "list")
    return UNVERIFIED_LISTS.at(
        sealed.source.path,
        sealed.place("lists"),
        f"{lists} of {sealed.last.when} could not be compared without their salts",
        help=(
            f"Pass {option('salts', 'FILE')}; a player can compare their own list, "
            "see its letter"
        ),
    )


def _removed_lists(event: Event, sealed: Sealed) -> Iterator[FileReport]:
    """Lists that were sealed and are gone, each at its place in the seal."""
    here = {file.name for file in event.files}
    for name in sorted(set(sealed.last.lists) - here):
        message = f"The list {quote(name)} is gone since {sealed.last.when}"
        place = sealed.place("lists", name)
        finding = REMOVED_LIST.at(sealed.source.path, place, message, help=RESTORE)
        yield _of(finding, sealed.source, name)


def _changed_rules(event: Event, old: Seal) -> Iterator[Finding]:
    """Rules and cards, where they are not those of the seal."""
    new = judged_now(event)
    path, place = event.source.path, event.source.document.span(("format",))
    notes = [f"Sealed by {old.judged_by}", f"Now judged by {new.judged_by}"]
    if old.rules not in (None, new.rules):
        message = f"The rules of the format have changed since {old.when}"
        help = f"Go back to the rules of the seal, or seal again by {option('reseal')}"
        yield CHANGED_RULES.at(path, place, message, notes=notes, help=help)
    if old.cards not in (None, new.cards):
        message = f"The card data has changed since {old.when}"
        help = "Every list was judged by the new data: nothing to do if all are legal"
        yield CHANGED_CARDS.at(path, place, message, notes=notes, help=help)


def _other_version(sealed: Sealed) -> Finding:
    old = sealed.last
    if old.tool is None:
        message = "The seal was made by deckcheck 0.1.0 and covers the lists alone"
        help = f"{option('reseal')} writes one that covers rules and cards too"
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
