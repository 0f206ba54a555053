"""Seal the judged lists of an event, and find the changes since."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
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
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.formats.model import split_id
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

# Files of seals


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
    """A salted hash of the decks of each list as read, see `write_canonical`."""
    reason: str | None = None
    """Why the lists were sealed again."""

    @property
    def when(self) -> str:
        """Return `the seal of 2025-12-05T18:00:00Z`."""
        return f"the seal of {self.date}"

    @property
    def judge_digest(self) -> str:
        """A fingerprint of 64 digits of the rules and the cards."""
        return full_digest([self.rules, self.cards])

    @property
    def judged_by(self) -> str:
        """The format with its fingerprint."""
        return f"{self.format} ({self.snapshot}), rules fingerprint {self.fingerprint}"


@dataclass(frozen=True, slots=True)
class SealFile:
    """A file of seals. The last seal counts."""

    source: Source
    """The document of the file."""
    seals: tuple[Seal, ...]
    """The seals, the oldest first."""

    @property
    def last(self) -> Seal:
        """The seal that counts."""
        return self.seals[-1]

    def span_of(self, *keys: str) -> Span:
        """Return the place of a key in the seal that counts."""
        location: Location = ("seals", len(self.seals) - 1, *keys)
        return self.source.document.span(location)


def write_canonical(decks: Iterable[Deck], judge_digest: str) -> bytes:
    """Write decks in a form that depends only on their cards and leaders.

    Names, comments, spelling and the order of lines do not matter. `judge_digest`
    is the fingerprint of rules and cards.
    """
    read = []
    for deck in decks:
        facts = {
            "faction": deck.faction,
            "leader": deck.leader,
            "cards": dict(deck.counts()),
            "reserves": dict(deck.reserve_counts()),
            "unread": deck.unread,
        }
        read.append(facts)
    content = {"judge": judge_digest, "decks": read}
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
    rules_seal = make_rules_seal(event)
    digest = rules_seal.judge_digest
    decks = group_decks(event)
    hashes = {}
    for file in event.files:
        if file.path in decks:
            hashes[file.name] = _hash_decks(event, file, decks[file.path], digest)
    return replace(
        rules_seal,
        lists={file.name: event.seal(file) or "" for file in event.files},
        decks=hashes,
        reason=reason,
        date=f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}",
    )


def _hash_decks(
    event: Event, file: ListFile, decks: list[Deck], judge_digest: str
) -> str:
    return sealed_hash(event.salt(file) or "", write_canonical(decks, judge_digest))


def make_rules_seal(event: Event) -> Seal:
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
    limits = []
    for constraint in fmt.constraints:
        limits.append((constraint.name, constraint.rule, dict(constraint.settings)))
    return full_digest([limits, asdict(fmt.seating), dict(fmt.options)])


def seals_json(seals: Sequence[Seal]) -> str:
    """Return the content of a file of seals, the oldest first."""
    written = []
    for seal in seals:
        fields = asdict(seal)
        if seal.reason is None:
            del fields["reason"]
        written.append(fields)
    return json_text(add_checksum({**document_head(), "seals": written}))


def read_seals(path: Path) -> SealFile:
    """Read a file of seals. Raises UsageError for any other file."""
    source = open_own(path, "seal", "is not a seal")
    try:
        return SealFile(source, tuple(_iterate_seals(source.document.data)))
    except (TypeError, ValueError) as error:
        help = f"Name the file that {option('seal')} wrote"
        raise UsageError(f"{quote(source.path)} is not a seal: {error}", help) from None


def _iterate_seals(data: object) -> Iterator[Seal]:
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


def verify(event: Event, seal_file: SealFile) -> Event:
    """Add a finding for each difference from the last seal.

    Salted lists are compared if the event has salts. Raises UsageError if the salts are
    not the seal's, and for the seal of another event.
    """
    return _compare(event, seal_file, with_hashes=True)


def changes_since(event: Event, seal_file: SealFile) -> Iterator[str]:
    """Yield a line for each difference from the last seal."""
    # The findings of `_compare` come after the reports that a group already has.
    counts = {group.title: len(group.reports) for group in event.groups}
    for group in _compare(event, seal_file, with_hashes=False).groups:
        for report in group.reports[counts.get(group.title, 0) :]:
            for finding in report.findings:
                is_list = report.source.path in group.paths
                about = f"{report.name}: " if is_list else ""
                yield ". ".join([f"{about}{finding.message}", *finding.notes])


def _compare(event: Event, seal_file: SealFile, *, with_hashes: bool) -> Event:
    """Add the findings of `verify`, with or without the hashes in their notes."""
    check_salts(event, seal_file)
    findings = [
        *_find_changed_lists(event, seal_file.last, with_hashes=with_hashes),
        *_find_removed_lists(event, seal_file),
    ]
    if event.salts is None:
        finding = _report_unverified(seal_file)
        findings.append(_report(finding, seal_file.source))
    for finding in _find_changed_rules(event, seal_file.last, with_hashes=with_hashes):
        findings.append(_report(finding, event.source))
    return event.with_reports(findings, SEAL_GROUP)


def check_salts(event: Event, seal_file: SealFile) -> None:
    """Raise UsageError when the last seal has another event or other salts."""
    seal = seal_file.last
    path = quote(seal_file.source.path)
    if seal.event != event.file.name:
        name = quote(seal.event)
        message = f"{path} is of the event {name}"
        help = f"Name its seal, or call this event {name} again"
        raise UsageError(message, help)
    if event.salts is not None and seal.salts != event.salts.mark:
        help = f"Name the file that {option('salts')} made when the lists were sealed"
        raise UsageError(f"These salts are not those of {path}", help)


def count_unchanged(event: Event, seal: Seal) -> str:
    """Count the unchanged lists of the seal: `2 lists unchanged since ...`."""
    sealed = plural(len(seal.lists), "list")
    if event.salts is None:
        needed = option("salts", "FILE")
        return f"{sealed} not compared with {seal.when}: that needs {needed}"
    same = 0
    for file in event.files:
        if seal.lists.get(file.name) == event.seal(file):
            same += 1
    if same == len(seal.lists):
        return f"{sealed} unchanged since {seal.when}"
    return f"{same} of {sealed} unchanged since {seal.when}"


def _find_changed_lists(
    event: Event, seal: Seal, *, with_hashes: bool
) -> Iterator[FileReport]:
    """Report lists that differ from the sealed list, or were not sealed."""
    decks_by_path = group_decks(event)
    texts = {report.source.path: report.text for report in event.run.reports}
    for file in event.files:
        before, now = seal.lists.get(file.name), event.seal(file)
        path = file.path
        decks = decks_by_path.get(path, [])
        if before is None:
            finding = _report_new_list(event, seal, file)
        elif now not in (None, before):
            message = f"The list has changed since {seal.when}"
            notes = list(_describe_changes(event, seal, file, decks))
            if with_hashes:
                notes += [f"Sealed {before}", f"Now {now}"]
            finding = CHANGED_LIST.at(
                path, START, message, notes=notes, help=RESTORE_HELP
            )
        elif now is not None and not _is_read_as_sealed(event, seal, file, decks):
            message = f"The list is not read as it was by {seal.when}"
            finding = CHANGED_LIST.at(path, START, message, help=_READ_ANEW)
        else:
            continue
        yield FileReport.of(finding, file.name, texts.get(path, ""))


def _report_new_list(event: Event, seal: Seal, file: ListFile) -> Finding:
    """Report a list without a seal, which a replacement may send."""
    message = f"The list was added after {seal.when}"
    owner = event.find_owner(file.name) or ""
    replaced_by = {new: old for old, new in event.file.replaced.items()}
    old = replaced_by.get(owner)
    if old is None:
        return NEW_LIST.at(file.path, START, message, help="Remove the file")
    note = f"{quote(owner)} replaces {quote(old)}"
    return NEW_LIST.at(file.path, START, message, notes=[note], severity=Severity.NOTE)


def _is_read_as_sealed(
    event: Event, seal: Seal, file: ListFile, decks: list[Deck]
) -> bool:
    """Report whether a list is still read as it was when it was sealed.

    It is true where the readings cannot be compared.
    """
    sealed_decks = seal.decks.get(file.name)
    if not sealed_decks or not decks:
        return True
    return sealed_decks == _hash_decks(event, file, decks, seal.judge_digest)


def _describe_changes(
    event: Event, seal: Seal, file: ListFile, decks: list[Deck]
) -> Iterator[str]:
    """Yield the changes of a list, as far as there is a copy of the sealed list."""
    data = read_copy(event, seal.lists[file.name], file)
    if data is not None:
        database = database_of(event.format, event.root)
        before = read_decks(data, file.name, database)
        changes = list(describe_differences(before, decks, database))
        yield from changes or [_SAME_DECK]
    elif seal.decks.get(file.name) == _hash_decks(
        event, file, decks, seal.judge_digest
    ):
        yield _SAME_DECK


def read_decks(data: bytes, name: str, database: CardDatabase) -> list[Deck]:
    """Read the decks of a list, with the cards of a game."""
    raws = parse_decks(decode_deck(data, name), open_game=lambda _: [database])
    return [resolve(read_deck(raw, database), database)[0] for raw in raws]


def _find_removed_lists(event: Event, seal_file: SealFile) -> Iterator[FileReport]:
    """Report missing sealed lists, each at its place in the seal."""
    here = {file.name for file in event.files}
    for name in sorted(set(seal_file.last.lists) - here):
        message = f"The list {quote(name)} is gone since {seal_file.last.when}"
        position = seal_file.span_of("lists", name)
        finding = REMOVED_LIST.at(
            seal_file.source.path, position, message, help=RESTORE_HELP
        )
        owner = event.find_owner(name) or ""
        if owner in event.gone:
            note = f"{quote(owner)} {event.gone[owner]}"
            finding = replace(finding, severity=Severity.NOTE, notes=(note,), help=None)
        yield _report(finding, seal_file.source, name)


def _report_unverified(seal_file: SealFile) -> Finding:
    """Return the finding that lists could not be compared without their salts."""
    lists = plural(len(seal_file.last.lists), "list")
    return UNVERIFIED_LISTS.at(
        seal_file.source.path,
        seal_file.span_of("lists"),
        f"{lists} of {seal_file.last.when} could not be compared without their salts",
        help=(
            f"Pass {option('salts', 'FILE')}; a player can compare their own list, "
            "see its letter"
        ),
    )


def _find_changed_rules(
    event: Event, old: Seal, *, with_hashes: bool
) -> Iterator[Finding]:
    """Report rules and cards that differ from the seal."""
    new = make_rules_seal(event)
    path = event.source.path
    position = event.source.document.span(("format",))
    notes = []
    if with_hashes:
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


# Lines of letters that prove a list without the event


class ListProof(NamedTuple):
    """The proof of a list in a letter."""

    game: str
    """The id of the game."""
    judge_digest: str
    """The fingerprint of rules and cards."""
    salt: str
    """The salt of the list."""
    list_hash: str
    """The salted hash of the bytes."""
    deck_hash: str
    """The salted hash of the decks."""


def proof_line(event: Event, file: ListFile) -> str:
    """Return the line of a list, with which `prove` compares another list."""
    digest = make_rules_seal(event).judge_digest
    decks = group_decks(event).get(file.path, [])
    proof = ListProof(
        game=event.format.game,
        judge_digest=digest,
        salt=event.salt(file) or "",
        list_hash=event.seal(file) or "",
        deck_hash=_hash_decks(event, file, decks, digest),
    )
    return " ".join(proof)


# The fields of `ListProof` in their order.
_PROOF_PATTERN = re.compile(
    "([a-z0-9_]+) ([0-9a-f]{64}) ([0-9a-f]{32}) ([0-9a-f]{64}) ([0-9a-f]{64})"
)


def read_proof(line: str) -> ListProof:
    """Read the proof of a line, even with line breaks. Raises UsageError."""
    match = _PROOF_PATTERN.fullmatch(" ".join(line.split()))
    if match is None:
        help = f"Copy the quoted text after {option('verify-list')} in the letter"
        raise UsageError(f"{quote(line[:60])} is not the line of a letter", help)
    return ListProof(*match.groups())


def prove(
    data: bytes, name: str, proof: ListProof, root: Root, seal: Seal | None = None
) -> tuple[bool, str]:
    """Report whether a list fits a proof, by bytes or by decks, with a sentence.

    `name` is the name of its file, which implies the notation. A proof names no format:
    the decks are read with the cards of the game, of the format of `seal`, and of each
    other format of the game. Raises UsageError for an unknown game.
    """
    if sealed_hash(proof.salt, data) == proof.list_hash:
        return True, "This is the checked list, byte for byte"
    is_read = False
    for database in _load_databases(proof.game, root, seal):
        decks = read_decks(data, name, database)
        canonical = write_canonical(decks, proof.judge_digest)
        if sealed_hash(proof.salt, canonical) == proof.deck_hash:
            return True, "The bytes differ from the checked list, but not the decks"
        is_read = is_read or all(_is_read_whole(deck) for deck in decks)
    if is_read:
        return False, "This is not the checked list"
    unread = "the decks cannot be compared: not every line is a known card"
    return False, f"The bytes differ from the checked list, and {unread}"


def _load_databases(game: str, root: Root, seal: Seal | None) -> Iterator[CardDatabase]:
    """Yield the cards of a game, and those of its formats with sets."""
    yield load_database(game, root)
    if seal is not None:
        # The format may be a file that is not here.
        with suppress(UsageError):
            name, _ = split_id(seal.format)
            yield database_of(load_format(f"{name}@{seal.snapshot}", root), root)
    for id in format_ids(root):
        if id.startswith(f"{game}/"):
            fmt = load_format(id, root)
            if fmt.changes:
                yield database_of(fmt, root)


def _is_read_whole(deck: Deck) -> bool:
    """Report whether a deck has a leader or cards, and no unread line."""
    return not deck.unread and bool(deck.leader or deck.entries)


# Copies of sealed lists, to show changes

COPIES_FOLDER = "sealed"
"""The folder of originals with the sealed lists, each named by its seal."""


def copies_to_keep(event: Event) -> dict[Path, bytes]:
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
