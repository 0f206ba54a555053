"""Run.json: the question of a run, with its decks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, TypeAlias, cast
from zlib import crc32

from deckcheck.cards import CardDatabase, Root
from deckcheck.cards.models import CARD_RECORDS
from deckcheck.cards.storage import BUILT_IN, rebuild, to_plain
from deckcheck.decks import Deck, DeckEntry, DeckSource, Header
from deckcheck.fields import CLOSED, AtLeast
from deckcheck.files import refuse_deck
from deckcheck.findings import Position, Span, UsageError
from deckcheck.formats import Format, database_of
from deckcheck.formats.model import FORMAT_RECORDS
from deckcheck.messages import choice, option, plural, quote
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.provenance import Program
from deckcheck.sim.run_files import (
    RUN_FILE,
    damage_error,
    read_document,
    read_run_names,
    read_shard,
    resume_command,
    write_document,
)
from deckcheck.sim.study import DECKS, SIMULATE, Study, StudySpec

# A deck of a run as `run.json` has it.

NO_SPAN = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """A deck that plays: cards by id with their counts, and who plays it.

    `name` is its name in the run, `title` the name in its file. `role` is its role in
    the study, such as `field`.
    """

    __pydantic_config__ = CLOSED

    name: str
    title: str
    path: str
    index: int
    format: str | None
    faction: str | None
    leader: str | None
    policy: str
    findings: int
    headers: dict[str, tuple[str, ...]]
    cards: dict[str, Annotated[int, AtLeast(1)]]
    reserves: dict[str, Annotated[int, AtLeast(1)]]
    role: str = DECKS

    @classmethod
    def of(cls, entrant: Entrant, role: str) -> StoredDeck:
        """Return the deck of an entrant, ready to be written."""
        deck = entrant.deck
        return cls(
            name=entrant.name,
            title=deck.name,
            path=deck.source.path,
            index=deck.source.index,
            format=deck.format,
            faction=deck.faction,
            leader=deck.leader,
            policy=entrant.policy,
            findings=entrant.findings,
            headers={k: tuple(h.value for h in v) for k, v in deck.headers.items()},
            cards=dict(deck.counts()),
            reserves=dict(deck.reserve_counts()),
            role=role,
        )

    def entrant(self) -> Entrant:
        """Return the entrant. Its deck no longer has positions in a file."""
        deck = Deck(
            source=DeckSource(self.path, self.index),
            name=self.title,
            format=self.format,
            faction=self.faction,
            leader=self.leader,
            entries=_list_entries(self.cards),
            span=NO_SPAN,
            headers={
                key: tuple(Header(value, NO_SPAN) for value in values)
                for key, values in self.headers.items()
            },
            reserves=_list_entries(self.reserves),
        )
        return Entrant(deck, self.name, self.policy, self.findings)

    @property
    def deciding_fields(self) -> dict[str, object]:
        """The fields that decide games and results: all but the path of its file."""
        data = asdict(self)
        del data["path"]
        return data


def _list_entries(cards: dict[str, int]) -> tuple[DeckEntry, ...]:
    return tuple(DeckEntry(card, count, NO_SPAN) for card, count in cards.items())


# `run.json`: all that decides what is played, so that nothing else is needed.

MOST_SHOWN = 8
MOST_CARDS = 10_000_000
"""No file of a deck has as many."""

Kinds: TypeAlias = Mapping[str, type[Study[Any, Any]]]
"""The kinds of study that a folder may hold."""


@dataclass(frozen=True, slots=True)
class RunFile:
    """The content of `run.json`."""

    __pydantic_config__ = CLOSED

    tool: Program
    shard: str | None
    """The share of the games to be played, such as `3/8`, if it is not all."""
    card_db: tuple[str, ...]
    """The folders of the cards, unless they are built in."""
    cards: str
    """A fingerprint of all card data after the changes by sets."""
    request: dict[str, Any]
    """The question of the study as plain data."""
    decks: tuple[StoredDeck, ...]
    format: dict[str, Any]
    """The format with all that it inherits and the changes of its sets."""
    kind: str = SIMULATE
    """The kind of study."""
    identity: str = ""
    """A fingerprint of all that decides the games."""

    @property
    def start(self) -> int:
        """The start of the CRCs of its blocks, so that no other run has the same CRCs.

        Each shard has its own. Raises UsageError for a shard that cannot be read.
        """
        shard = read_shard(self.shard) if self.shard else "all"
        return crc32(f"{self.identity} {shard}".encode())

    @classmethod
    def of(cls, study: Study[Any, Any], shard: str | None, card_db: Root) -> RunFile:
        """Return the content of a run file for a study."""
        spec = study.spec
        file = cls(
            tool=Program.here(),
            shard=shard,
            card_db=_make_absolute(card_db),
            cards=spec.database.fingerprint,
            request=question_data(spec.question),
            decks=tuple(
                StoredDeck.of(entrant, role)
                for role, entrants in spec.decks.items()
                for entrant in entrants
            ),
            format=cast("dict[str, Any]", to_plain(spec.format)),
            kind=study.KIND,
        )
        return replace(file, identity=file.identity_as(type(study)))

    def list_deciding_fields(self, role: str) -> list[dict[str, object]]:
        """Return all that decides the games of the decks in a role."""
        return [deck.deciding_fields for deck in self.decks if deck.role == role]

    def identity_as(self, kind: type[Study[Any, Any]]) -> str:
        """Return the fingerprint of all that decides the games of this kind of study.

        The number of games is left out, so that a run can be extended.
        """
        deciding = kind.deciding(self.request)
        decks = [deck.deciding_fields for deck in self.decks]
        data = asdict(self.tool), self.kind, self.cards, deciding, decks, self.format
        return sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()

    def write(self, folder: Path) -> None:
        """Write it to a folder. Raises UsageError if that fails."""
        write_document(folder / RUN_FILE, asdict(self))

    def study(
        self, folder: Path, kinds: Kinds, card_db: Root = None, *, only_read: bool
    ) -> Study[Any, Any]:
        """Return the study, as it was when the run began.

        `card_db` is the new folder of the cards, if they have moved. Raises UsageError
        for a kind outside `kinds`, for another version of deckcheck, and, unless
        `only_read`, for another engine or other cards, which would play other games.
        """
        if self.kind not in kinds:
            raise UsageError(
                f"{quote(str(folder))} holds a run of {quote(self.kind)}, not of "
                f"{quote(next(iter(kinds)))}",
                f"`{resume_command(folder)}` prints its result",
            )
        here = Program.here()
        if self.tool.version != here.version or (self.tool != here and not only_read):
            raise self._make_program_error(folder)
        root = card_db or [Path(folder) for folder in self.card_db]
        fmt = self._rebuild_format(folder)
        database = database_of(fmt, root)
        if database.fingerprint != self.cards and not only_read:
            raise UsageError(
                f"{quote(str(folder))} was played with other cards: fingerprint "
                f"{self.cards}, here it is {database.fingerprint}",
                "Restore the card data, or begin another run",
            )
        self._check_decks(folder, database)
        decks = {}
        for role, stored in groupby(self.decks, lambda deck: deck.role):
            decks[role] = tuple(deck.entrant() for deck in stored)
        kind = kinds[self.kind]
        question = self._read_question(folder, kind.QUESTION)
        try:
            study = kind.from_spec(StudySpec(fmt, database, question, decks))
        except ValueError:
            why = f"its decks are not those of {quote(self.kind)}"
            raise damage_error(folder / RUN_FILE, why) from None
        if self.identity != self.identity_as(kind):
            raise damage_error(folder / RUN_FILE, "it has the identity of another run")
        return study

    def differences(self, other: RunFile) -> Iterator[str]:
        """Yield a sentence for each setting that differs from another run."""
        yield from _list_differences(asdict(self.tool), asdict(other.tool))
        if self.kind != other.kind:
            yield f"it is of {quote(self.kind)}, not of {quote(other.kind)}"
            return
        yield from _list_differences(self.request, other.request)
        if self.shard != other.shard:
            yield f"shard is {self.shard or 'all'}, not {other.shard or 'all'}"
        if self.cards != other.cards:
            yield f"card data have fingerprint {self.cards}, not {other.cards}"
        if self.format != other.format:
            names = [_describe_format(file.format) for file in (self, other)]
            yield f"format is {names[0]}, not {names[1]}"
        for role in dict.fromkeys(deck.role for deck in (*self.decks, *other.decks)):
            yield from self._list_deck_differences(other, role)

    def _list_deck_differences(self, other: RunFile, role: str) -> Iterator[str]:
        expected_decks = self.list_deciding_fields(role)
        found_decks = other.list_deciding_fields(role)
        for mine, theirs in zip(expected_decks, found_decks, strict=False):
            expected, found = quote(str(mine["name"])), quote(str(theirs["name"]))
            if expected != found:
                yield f"a deck is {expected}, not {found}"
            elif mine != theirs:
                yield f"deck {expected} differs, in its cards or its bot"
        if len(expected_decks) != len(found_decks):
            yield f"{role} are {len(expected_decks)}, not {len(found_decks)}"

    def _check_decks(self, folder: Path, database: CardDatabase) -> None:
        """Refuse decks with unknown cards, or with more cards than any deck has."""
        for deck in self.decks:
            cards = (*deck.cards, *deck.reserves)
            unknown = [id for id in cards if id not in database.cards]
            if deck.leader is not None and deck.leader not in database.leaders:
                unknown.append(deck.leader)
            if deck.faction is not None and deck.faction not in database.factions:
                unknown.append(deck.faction)
            if unknown:
                raise UsageError(
                    f"Deck {quote(deck.name)} of {quote(str(folder))} has "
                    f"{quote(unknown[0])}, which the card data here do not know",
                    "Restore the card data, or begin another run",
                )
            if sum(deck.cards.values()) + sum(deck.reserves.values()) > MOST_CARDS:
                raise damage_error(
                    folder / RUN_FILE, f"deck {quote(deck.name)} is too large"
                )

    def _read_question(self, folder: Path, shape: type) -> Any:
        from deckcheck.documents.records import read_record

        try:
            question, wrongs = read_record(shape, self.request)
        except UsageError as error:
            raise damage_error(folder / RUN_FILE, error.message) from None
        if question is None or wrongs:
            raise damage_error(folder / RUN_FILE, f"`request`: {wrongs[0].message}")
        return question

    def _rebuild_format(self, folder: Path) -> Format:
        try:
            rebuilt_format = rebuild(self.format, (*FORMAT_RECORDS, *CARD_RECORDS))
        except (ValueError, TypeError, AttributeError, LookupError):
            rebuilt_format = None
        if not isinstance(rebuilt_format, Format):
            raise damage_error(folder / RUN_FILE, "`format` is none")
        return rebuilt_format

    def _make_program_error(self, folder: Path) -> UsageError:
        here, there = Program.here(), self.tool
        if here.version != there.version:
            return UsageError(
                f"{quote(str(folder))} was played by deckcheck {there.version}, "
                f"this is {here.version}",
                f"Install deckcheck {there.version} to go on, or begin another run",
            )
        return UsageError(
            f"{quote(str(folder))} was played by another engine: {there.engine}, "
            f"this is {here.engine}",
            "Restore the code that played, or begin another run",
        )


def question_data(question: Any) -> dict[str, Any]:
    """Return a question as `run.json` holds it."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(question)))
    return data


def read_run_file(folder: Path) -> RunFile:
    """Read the `run.json` of a folder. Raises UsageError if there is none."""
    several = read_run_names(folder)
    if several is not None:
        raise UsageError(
            f"{quote(str(folder))} holds {plural(len(several), 'run')} of a plan",
            f"Name one of them: {choice([str(folder / name) for name in several])}",
        )
    refuse_deck(folder, "a run")
    if not os.path.isdir(folder):
        message = f"Run {quote(str(folder))} does not exist"
        if os.path.exists(folder):
            message = f"Run {quote(str(folder))} is a file, not a folder"
        help = f"Name the folder that was given as {option('run')}"
        raise UsageError(message, help)
    file = folder / RUN_FILE
    if not os.path.isfile(file):
        raise UsageError(
            f"{quote(str(folder))} is not a run directory: it has no `{RUN_FILE}`",
            f"{option('run')} makes one, as `deckcheck simulate DECK... --run FOLDER`",
        )
    from deckcheck.documents.records import read_record

    read, wrongs = read_record(RunFile, read_document(file))
    if read is None or wrongs:
        raise damage_error(file, wrongs[0].message)
    return read


def _make_absolute(card_db: Root) -> tuple[str, ...]:
    folders = [card_db] if isinstance(card_db, Path) else card_db or ()
    paths = []
    for folder in folders:
        path = str(folder)
        if path != BUILT_IN:
            path = os.path.abspath(folder)
        paths.append(path)
    return tuple(paths)


def _list_differences(mine: dict[str, Any], others: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the settings that differ, also within a part."""
    for name in dict.fromkeys((*mine, *others)):
        value, other = mine.get(name), others.get(name)
        if isinstance(value, dict) and isinstance(other, dict):
            yield from _list_differences(value, other)
        elif value != other:
            expected, found = _describe_setting(value), _describe_setting(other)
            yield f"{name} is {expected}, not {found}"


def _describe_setting(value: object) -> str:
    if isinstance(value, list) and len(value) > MOST_SHOWN:
        return f"a list of {len(value)}"
    if isinstance(value, list):
        return ", ".join(map(_describe_setting, value)) or "none"
    if value is None:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def _describe_format(format: dict[str, Any]) -> str:
    """Return a format by its id, snapshot and fingerprint, as far as it can be read."""
    values = [*format.get("Format", ())]
    names = [field.name for field in fields(Format)]
    named = dict(zip(names, values, strict=False))
    return f"{named.get('id')}@{named.get('snapshot')} ({named.get('fingerprint')})"
