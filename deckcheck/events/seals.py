"""Files of seals: what was judged, by what, and when."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from deckcheck.decks import shown_path
from deckcheck.decks.discovery import missing
from deckcheck.events.event import Event
from deckcheck.events.salts import HASHED
from deckcheck.findings import Span, UsageError
from deckcheck.findings.digest import short_digest
from deckcheck.findings.documents import Location, Source, SourceError
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.json_text import document_head, json_text
from deckcheck.findings.options import option
from deckcheck.findings.words import quote
from deckcheck.formats import Format, database_of
from deckcheck.version import __version__

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
    if not os.path.lexists(path):
        raise missing(path, "seal")
    shown = shown_path(path)
    try:
        source = Source.open(path, shown, read_json)
    except SourceError as error:
        raise UsageError(f"{quote(shown)} is not a seal: {error}") from None
    try:
        return Sealed(source, tuple(_seals(source.document.data)))
    except ValueError as error:
        help = f"Name the file that {option('seal')} wrote"
        raise UsageError(f"{quote(shown)} is not a seal: {error}", help) from None


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
