"""Seals of judged lists, and the changes since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from deckcheck.cards import CardDatabase, Root, load_database
from deckcheck.decks import Deck, decode_deck
from deckcheck.decks.differences import describe_differences
from deckcheck.decks.reader import parse_decks
from deckcheck.decks.reading import read_deck
from deckcheck.decks.resolve import resolve
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source
from deckcheck.events.event import HASH_METHOD, Event, ListFile, open_own, sealed_hash
from deckcheck.files import add_checksum, full_digest, is_whole
from deckcheck.findings import START, Finding, Severity, Span, UsageError
from deckcheck.formats import Format, database_of
from deckcheck.markup import document_head, json_text
from deckcheck.messages import option, plural, quote
from deckcheck.rules import (
    CHANGED_CARDS,
    CHANGED_LIST,
    CHANGED_RULES,
    NEW_LIST,
    REMOVED_LIST,
    UNVERIFIED_LISTS,
)
from deckcheck.validation import FileReport
from deckcheck.version import __version__

# Files of seals: the judged lists, the rules, and the time


@dataclass(frozen=True, slots=True)
class Seal:
    """The lists of an event as they were judged once."""

    event: str
    """The name of the event."""
    lists: Mapping[str, str]
    """A salted hash of the bytes of each list, by the name of its file."""
    date: str
    """When the lists were sealed, in UTC."""
    tool: str
    """The version of deckcheck that sealed them."""
    format: str
    """The format by which they were judged."""
    snapshot: str
    """The snapshot of the format."""
    fingerprint: str
    """The fingerprint of rules and cards, as reports print it."""
    rules: str
    """The fingerprint of the rules of the format."""
    cards: str
    """The fingerprint of the card data."""
    hash: str
    """How the hashes are made, in words."""
    salts: str
    """The mark of the key that hides the lists."""
    decks: Mapping[str, str]
    """A salted hash of the decks of each list as read, see `canonical`."""
    reason: str | None = None
    """Why the lists were sealed again."""

    @property
    def when(self) -> str:
        """Return `the seal of 2025-12-05T18:00:00Z`."""
        return f"the seal of {self.date}"

    @property
    def judge(self) -> str:
        """A fingerprint of 64 digits of the rules and the cards."""
        return full_digest([self.rules, self.cards])

    @property
    def judged_by(self) -> str:
        """The format with its fingerprint."""
        return f"{self.format} ({self.snapshot}), rules fingerprint {self.fingerprint}"


@dataclass(frozen=True, slots=True)
class Sealed:
    """A file of seals, the oldest first. The last seal counts."""

    source: Source
    seals: tuple[Seal, ...]

    @property
    def last(self) -> Seal:
        """The seal that counts."""
        return self.seals[-1]

    def place(self, *keys: str) -> Span:
        """Return the place of a key in the seal that counts."""
        location: Location = ("seals", len(self.seals) - 1, *keys)
        return self.source.document.span(location)


def canonical(decks: Iterable[Deck], judge: str) -> bytes:
    """Write decks in a form that depends only on their cards and leaders.

    Names, comments, spelling and the order of lines do not matter. `judge` is the
    fingerprint of rules and cards.
    """
    read = [
        {
            "faction": deck.faction,
            "leader": deck.leader,
            "cards": dict(deck.counts()),
            "reserves": dict(deck.reserve_counts()),
            "unread": deck.unread,
        }
        for deck in decks
    ]
    content = {"judge": judge, "decks": read}
    return json_text(content, None, sort_keys=True).encode("utf-8")


def group_decks(event: Event) -> dict[str, list[Deck]]:
    """Group the decks by the path of their list."""
    decks: dict[str, list[Deck]] = {}
    for report in event.run.reports:
        if report.deck is not None:
            decks.setdefault(report.source.path, []).append(report.deck)
    return decks


def make_seal(event: Event, now: datetime, reason: str | None = None) -> Seal:
    """Seal an event with salts, from the bytes as judged."""
    assert event.salts is not None
    judge, decks = seal_judge(event), group_decks(event)
    hashes = {}
    for file in event.files:
        if file.path in decks:
            hashes[file.name] = _hash_decks(event, file, decks[file.path], judge)
    return replace(
        judge,
        lists={file.name: event.seal(file) or "" for file in event.files},
        decks=hashes,
        reason=reason,
        date=f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
    )


def _hash_decks(event: Event, file: ListFile, decks: list[Deck], judge: Seal) -> str:
    return sealed_hash(event.salt(file) or "", canonical(decks, judge.judge))


def seal_judge(event: Event) -> Seal:
    """Return a seal of the rules and cards of an event, without any list or date."""
    fmt = event.format
    return Seal(
        event=event.file.name,
        lists={},
        date="",
        tool=__version__,
        format=fmt.id,
        snapshot=fmt.snapshot or "",
        fingerprint=fmt.fingerprint,
        rules=_hash_rules(fmt),
        cards=database_of(fmt, event.root).full_digest,
        hash=HASH_METHOD,
        salts="" if event.salts is None else event.salts.mark,
        decks={},
    )


def _hash_rules(fmt: Format) -> str:
    """Hash the limits and options of a format, without the cards."""
    limits = [
        (constraint.name, constraint.rule, dict(constraint.settings))
        for constraint in fmt.constraints
    ]
    return full_digest([limits, asdict(fmt.seating), dict(fmt.options)])


def as_json(seals: Sequence[Seal]) -> str:
    """Return the content of a file of seals, the oldest first."""
    written = []
    for seal in seals:
        fields = asdict(seal)
        if seal.reason is None:
            del fields["reason"]
        written.append(fields)
    return json_text(add_checksum({**document_head(), "seals": written}))


def read_seals(path: Path) -> Sealed:
    """Read a file of seals. Raises UsageError for any other file."""
    source = open_own(path, "seal", "is not a seal")
    try:
        return Sealed(source, tuple(_read_all(source.document.data)))
    except (TypeError, ValueError) as error:
        help = f"Name the file that {option('seal')} wrote"
        raise UsageError(f"{quote(source.path)} is not a seal: {error}", help) from None


def _read_all(data: object) -> Iterator[Seal]:
    """Yield the seals of a file. Raises ValueError for anything else."""
    match data:
        case {"schema_version": 1, "seals": [_, *_] as seals}:
            if not is_whole(data):
                raise ValueError("it has changed since it was written")
            for fields in seals:
                yield Seal(**fields)
        case {"schema_version": int(version), "seals": _} if version > 1:
            raise ValueError("a newer version of deckcheck wrote it")
        case _:
            raise ValueError("it holds no sealed lists")


# Changes since a seal: lists, rules, cards, the tool

SEAL_GROUP = "Seal"
RESTORE_HELP = "Restore the sealed list"
_READ_ANEW = "Compare the deck in a new letter with the cards that the player brings"
_SAME_DECK = "It is read as the same deck"


def verify(event: Event, sealed: Sealed) -> Event:
    """Add a finding for each difference from the last seal.

    Salted lists are compared if the event has salts. Raises UsageError if the salts are
    not the seal's, and for the seal of another event.
    """
    seal = sealed.last
    check_salts(event, sealed)
    findings = [
        *_find_changed_lists(event, sealed),
        *_find_removed_lists(event, sealed),
    ]
    if event.salts is None:
        findings.append(_report(_report_unverified(sealed), sealed.source))
    findings += (
        _report(finding, event.source) for finding in _find_changed_rules(event, seal)
    )
    return event.with_reports(findings, SEAL_GROUP)


def changes_since(event: Event, sealed: Sealed) -> Iterator[str]:
    """Yield a line for each difference from the last seal."""
    old = {group.title: len(group.reports) for group in event.groups}
    for group in verify(event, sealed).groups:
        for report in group.reports[old.get(group.title, 0) :]:
            for finding in report.findings:
                notes = [n for n in finding.notes if not n.startswith(_HASH_NOTES)]
                is_list = report.source.path in group.paths
                about = f"{report.name}: " if is_list else ""
                yield ". ".join([f"{about}{finding.message}", *notes])


_HASH_NOTES = ("Sealed ", "Now ")


def check_salts(event: Event, sealed: Sealed) -> None:
    """Raise UsageError when the last seal has another event or other salts."""
    salts, name = event.salts, sealed.last.event
    if name != event.file.name:
        message = f"{quote(sealed.source.path)} is of the event {quote(name)}"
        help = f"Name its seal, or call this event {quote(name)} again"
        raise UsageError(message, help)
    if salts is not None and sealed.last.salts != salts.mark:
        name = quote(sealed.source.path)
        help = f"Name the file that {option('salts')} made when the lists were sealed"
        raise UsageError(f"These salts are not those of {name}", help)


def count_unchanged(event: Event, seal: Seal) -> str:
    """Count the unchanged lists of the seal: `2 lists unchanged since ...`."""
    sealed = plural(len(seal.lists), "list")
    if event.salts is None:
        needed = option("salts", "FILE")
        return f"{sealed} not compared with {seal.when}: that needs {needed}"
    then, files = seal.lists.get, event.files
    same = sum(then(file.name) == event.seal(file) for file in files)
    if same == len(seal.lists):
        return f"{sealed} unchanged since {seal.when}"
    return f"{same} of {sealed} unchanged since {seal.when}"


def _find_changed_lists(event: Event, sealed: Sealed) -> Iterator[FileReport]:
    """Report lists that differ from the sealed list, or were not sealed."""
    seal, decks = sealed.last, group_decks(event)
    texts = {deck.source.path: deck.text for deck in event.run.reports}
    for file in event.files:
        before, now = seal.lists.get(file.name), event.seal(file)
        path, read = file.path, decks.get(file.path, [])
        if before is None:
            finding = _report_new_list(event, seal, file)
        elif now not in (None, before):
            message = f"The list has changed since {seal.when}"
            hashes = (f"Sealed {before}", f"Now {now}")
            notes = [*_describe_changes(event, seal, file, read), *hashes]
            finding = CHANGED_LIST.at(
                path, START, message, notes=notes, help=RESTORE_HELP
            )
        elif now is not None and not _is_read_as_then(event, seal, file, read):
            message = f"The list is not read as it was by {seal.when}"
            finding = CHANGED_LIST.at(path, START, message, help=_READ_ANEW)
        else:
            continue
        yield FileReport.of(finding, file.name, texts.get(path, ""))


def _report_new_list(event: Event, seal: Seal, file: ListFile) -> Finding:
    """Report a list without a seal, which a replacement may send."""
    message = f"The list was added after {seal.when}"
    owner = event.find_owner(file.name) or ""
    old = {new: old for old, new in event.file.replaced.items()}.get(owner)
    if old is None:
        return NEW_LIST.at(file.path, START, message, help="Remove the file")
    note, weight = f"{quote(owner)} replaces {quote(old)}", Severity.NOTE
    return NEW_LIST.at(file.path, START, message, notes=[note], severity=weight)


def _is_read_as_then(
    event: Event, seal: Seal, file: ListFile, decks: list[Deck]
) -> bool:
    """Report whether a list is still read as it was when it was sealed."""
    then = seal.decks.get(file.name)
    return not (then and decks) or then == _hash_decks(event, file, decks, seal)


def _describe_changes(
    event: Event, seal: Seal, file: ListFile, decks: list[Deck]
) -> Iterator[str]:
    """Yield the changes of a list, as far as there is a copy of the sealed list."""
    data = read_copy(event, seal.lists[file.name], file)
    if data is not None:
        database = database_of(event.format, event.root)
        before = read_decks(data, file.name, database)
        yield from describe_differences(before, decks, database) or (_SAME_DECK,)
    elif seal.decks.get(file.name) == _hash_decks(event, file, decks, seal):
        yield _SAME_DECK


def read_decks(data: bytes, name: str, database: CardDatabase) -> list[Deck]:
    """Read the decks of a list, with the cards of a game."""
    raws = parse_decks(decode_deck(data, name), open_game=lambda _: [database])
    return [resolve(read_deck(raw, database), database)[0] for raw in raws]


# The line of a letter that proves the sealed list without the event


class ListProof(NamedTuple):
    """The proof of a list in a letter: game, judge, salt, the two hashes."""

    game: str
    judge: str
    salt: str
    sealed: str
    read: str


def proof_line(event: Event, file: ListFile) -> str:
    """Write the line of a list, with which `prove` compares another."""
    judge = seal_judge(event)
    read = _hash_decks(event, file, group_decks(event).get(file.path, []), judge)
    salt, seal = event.salt(file) or "", event.seal(file) or ""
    return " ".join(ListProof(event.format.game, judge.judge, salt, seal, read))


def read_proof(line: str) -> ListProof:
    """Read the proof of a line, even with line breaks. Raises UsageError."""
    match = _PROOF_PATTERN.fullmatch(" ".join(line.split()))
    if match is None:
        help = f"Copy the quoted text after {option('verify-list')} in the letter"
        raise UsageError(f"{quote(line[:60])} is not the line of a letter", help)
    return ListProof(*match.groups())


_PROOF_PATTERN = re.compile(
    "([a-z0-9_]+) ([0-9a-f]{64}) ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64})"
)


def prove(data: bytes, proof: ListProof, root: Root = None) -> tuple[bool, str]:
    """Report whether a list fits a proof, by bytes or by decks, with a sentence.

    Raises UsageError for an unknown game.
    """
    if sealed_hash(proof.salt, data) == proof.sealed:
        return True, "This is the checked list, byte for byte"
    decks = read_decks(data, "list.deck", load_database(proof.game, root))
    if sealed_hash(proof.salt, canonical(decks, proof.judge)) == proof.read:
        return True, "The bytes differ from the checked list, but not the decks"
    return False, "This is not the checked list"


# Copies of sealed lists, to show changes: a seal has only hashes

COPIES_FOLDER = "sealed"
"""The folder of originals with the sealed lists, each named by its seal."""


def copies(event: Event) -> dict[Path, bytes]:
    """Return the copy of each list in the last seal, by its file."""
    folder = event.originals / COPIES_FOLDER
    return {folder / (event.seal(file) or ""): file.data for file in event.files}


def read_copy(event: Event, seal: str, file: ListFile) -> bytes | None:
    """Read the copy of a sealed list, None without a fitting copy."""
    salt = event.salt(file)
    try:
        data = (event.originals / COPIES_FOLDER / seal).read_bytes()
    except OSError:
        return None
    return data if salt is not None and sealed_hash(salt, data) == seal else None


def read_copies(originals: Path) -> frozenset[bytes]:
    """Read the copies of all sealed lists."""
    try:
        files = list((originals / COPIES_FOLDER).iterdir())
    except OSError:
        return frozenset()
    return frozenset(file.read_bytes() for file in files if file.is_file())


def _report_unverified(sealed: Sealed) -> Finding:
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


def _find_removed_lists(event: Event, sealed: Sealed) -> Iterator[FileReport]:
    """Report missing sealed lists, each at its place in the seal."""
    here = {file.name for file in event.files}
    for name in sorted(set(sealed.last.lists) - here):
        message = f"The list {quote(name)} is gone since {sealed.last.when}"
        position = sealed.place("lists", name)
        finding = REMOVED_LIST.at(
            sealed.source.path, position, message, help=RESTORE_HELP
        )
        owner = event.find_owner(name) or ""
        if owner in event.gone:
            note = f"{quote(owner)} {event.gone[owner]}"
            finding = replace(finding, severity=Severity.NOTE, notes=(note,), help=None)
        yield _report(finding, sealed.source, name)


def _find_changed_rules(event: Event, old: Seal) -> Iterator[Finding]:
    """Report rules and cards that differ from the seal."""
    new = seal_judge(event)
    path, position = event.source.path, event.source.document.span(("format",))
    notes = [f"Sealed by {old.judged_by}", f"Now judged by {new.judged_by}"]
    if new.rules != old.rules:
        message = f"The rules of the format have changed since {old.when}"
        help = f"Go back to the rules of the seal, or seal again by {option('reseal')}"
        yield CHANGED_RULES.at(path, position, message, notes=notes, help=help)
    if new.cards != old.cards:
        message = f"The card data has changed since {old.when}"
        help = "Every list was judged by the new data: nothing to do if all are legal"
        yield CHANGED_CARDS.at(path, position, message, notes=notes, help=help)


def _report(finding: Finding, source: Source, name: str = SEAL_GROUP) -> FileReport:
    return FileReport.of(finding, name, source.document.text)
