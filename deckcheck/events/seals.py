"""Seals of what was judged, and what has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from deckcheck.decks import DeckSource
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source
from deckcheck.events.checking import START
from deckcheck.events.event import HASHED, Event, ListFile, Salts, open_own
from deckcheck.files import short_digest
from deckcheck.findings import Finding, Span, UsageError
from deckcheck.formats import Format, database_of
from deckcheck.markup import document_head, json_text
from deckcheck.messages import option, plural, quote, sentence
from deckcheck.rules import (
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

# Files of seals: what was judged, by what, and when.

SCHEMA_VERSION = 3


@dataclass(frozen=True, slots=True)
class Seal:
    """The lists of an event as they were judged once.

    `lists` has a hash of each file by its name, made as `hash` says; `salts` marks the
    key that hides them. `date` is when they were sealed, `tool` the version of
    deckcheck. `rules` and `cards` are short hashes of the rules of the format and of
    the card data, `digest` is the one that reports print. A seal of deckcheck 0.1.0 has
    lists alone; up to 0.2.0 their hashes are those of the bytes, without any salt.
    """

    event: str
    lists: Mapping[str, str]
    date: str | None = None
    tool: str | None = None
    format: str | None = None
    snapshot: str | None = None
    digest: str | None = None
    rules: str | None = None
    cards: str | None = None
    hash: str | None = None
    salts: str | None = None

    @property
    def when(self) -> str:
        """`the seal of 2025-12-05T18:00:00Z`, as far as that is known."""
        return f"the seal of {self.date}" if self.date else "the seal"

    @property
    def judged_by(self) -> str:
        """The format with its digest."""
        return f"{self.format} ({self.snapshot}), digest {self.digest}"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A file of seals, the oldest first; the last one counts."""

    source: Source
    seals: tuple[Seal, ...]

    @property
    def last(self) -> Seal:
        """The seal that counts."""
        return self.seals[-1]

    def place(self, *keys: str) -> Span:
        """Where something stands in the seal that counts."""
        # In a file of deckcheck 0.1.0 the first two lead nowhere, and are passed over.
        at: Location = ("seals", len(self.seals) - 1, *keys)
        return self.source.document.span(at)


def seal_of(event: Event, now: datetime) -> Seal:
    """The seal of an event with salts, from the very bytes that were judged."""
    assert event.salts is not None
    return replace(
        judged_now(event),
        lists={file.name: event.seal(file) or "" for file in event.files},
        date=f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
        hash=HASHED,
        salts=event.salts.mark,
    )


def judged_now(event: Event) -> Seal:
    """What a seal says of rules and cards that lists are judged by, without lists."""
    fmt = event.format
    return Seal(
        event=event.file.name,
        lists={},
        tool=__version__,
        format=fmt.id,
        snapshot=fmt.snapshot,
        digest=fmt.digest,
        rules=_rules(fmt),
        cards=database_of(fmt, event.root).digest,
    )


def _rules(fmt: Format) -> str:
    """A hash of what makes lists legal and how they are played, without the cards."""
    limits = [
        (constraint.name, constraint.rule, dict(constraint.settings))
        for constraint in fmt.constraints
    ]
    return short_digest([limits, asdict(fmt.seating), dict(fmt.options)])


def as_json(seals: Sequence[Seal]) -> str:
    """A file of seals, the oldest first."""
    written = [
        {key: value for key, value in asdict(seal).items() if value is not None}
        for seal in seals
    ]
    return json_text({**document_head(SCHEMA_VERSION), "seals": written})


def read_seals(path: Path) -> Sealed:
    """Read a file of seals; UsageError if it is none."""
    source = open_own(path, "seal", "is not a seal")
    try:
        return Sealed(source, tuple(_seals(source.document.data)))
    except ValueError as error:
        help = f"Name the file that {option('seal')} wrote"
        raise UsageError(f"{quote(source.path)} is not a seal: {error}", help) from None


def _seals(data: object) -> Iterator[Seal]:
    """The seals of a file; ValueError with what is wrong."""
    match data:
        case {"schema_version": 1, "event": str(event), "lists": dict(lists)}:
            yield Seal(event, _hashes(lists))
        case {"schema_version": 2 | 3, "seals": [_, *_] as seals}:
            yield from map(_seal, seals)
        case {"schema_version": int(version), "seals": _} if version > SCHEMA_VERSION:
            raise ValueError("a newer version of deckcheck wrote it")
        case _:
            raise ValueError("it holds no sealed lists")


def _seal(data: object) -> Seal:
    match data:
        case {"event": str(event), "lists": dict(lists), **rest}:
            fields = {
                key: value
                for key, value in rest.items()
                if key in Seal.__dataclass_fields__ and isinstance(value, str)
            }
            return Seal(event, _hashes(lists), **fields)
    raise ValueError("one of its seals has no lists")


def _hashes(lists: Mapping[str, object]) -> dict[str, str]:
    if not all(isinstance(value, str) for value in lists.values()):
        raise ValueError("a list has no hash")
    return {name: str(value) for name, value in lists.items()}


# Changes since a seal: lists, rules, cards, the tool.

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
