"""`run.json`: all that decides what is played, so that nothing else is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal, cast

from deckcheck.cards import Root
from deckcheck.cards.models import RECORDS as CARD_RECORDS
from deckcheck.cards.plain import plain, rebuilt
from deckcheck.cards.root import BUILT_IN
from deckcheck.decks import Deck, DeckEntry, DeckSource, Header
from deckcheck.findings import Position, Span, UsageError
from deckcheck.findings.documents import Source, SourceError
from deckcheck.findings.documents.json_reader import read_json
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.json_text import json_text
from deckcheck.findings.words import quote
from deckcheck.formats import Format, database_of
from deckcheck.formats.models import RECORDS as FORMAT_RECORDS
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.program import Program
from deckcheck.sim.seating import Request, Setting
from deckcheck.sim.simulation import Simulation

__all__ = ["RUN", "RunFile", "StoredDeck", "read_run_file"]

RUN = "run.json"
NOWHERE = Span(Position(1, 1), Position(1, 1))


@dataclass(frozen=True, slots=True)
class StoredDeck:
    """A deck that plays: cards by id with their counts, and who plays it.

    `name` is its name in the run, `title` the one that it gives itself.
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
    cards: dict[str, int]
    reserves: dict[str, int]

    @classmethod
    def of(cls, entrant: Entrant) -> StoredDeck:
        """The deck of an entrant."""
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
        )

    def entrant(self) -> Entrant:
        """The entrant; its deck has no places in a file any more."""
        deck = Deck(
            source=DeckSource(self.path, self.index),
            name=self.title,
            format=self.format,
            faction=self.faction,
            leader=self.leader,
            entries=_entries(self.cards),
            span=NOWHERE,
            headers={
                key: tuple(Header(value, NOWHERE) for value in values)
                for key, values in self.headers.items()
            },
            reserves=_entries(self.reserves),
        )
        return Entrant(deck, self.name, self.policy, self.findings)


@dataclass(frozen=True, slots=True)
class RunFile:
    """What `run.json` says.

    `format` is a format with all that it inherits and what its sets change, `cards` a
    digest of all card data after that, `card_db` the folders these come from unless
    they are our own. `shard` says which part of all games is played, such as `3/8`.
    """

    __pydantic_config__ = CLOSED

    schema_version: Literal[1]
    tool: Program
    shard: str | None
    card_db: tuple[str, ...]
    cards: str
    request: Request
    decks: tuple[StoredDeck, ...]
    format: dict[str, Any]

    @classmethod
    def of(cls, simulation: Simulation, shard: str | None, card_db: Root) -> RunFile:
        """What is to be kept of a simulation."""
        setting = simulation.setting
        return cls(
            schema_version=1,
            tool=Program.here(),
            shard=shard,
            card_db=_absolute(card_db),
            cards=setting.database.digest,
            request=setting.request,
            decks=tuple(StoredDeck.of(entrant) for entrant in simulation.entrants),
            format=cast("dict[str, Any]", plain(setting.format)),
        )

    def text(self) -> str:
        """The file."""
        return json_text({**asdict(self), "format": self.format})

    def simulation(
        self, folder: Path, card_db: Root = None, *, only_read: bool = False
    ) -> Simulation:
        """The simulation, as it was when the run began.

        `card_db` is where the cards are now, if that has changed. Raises UsageError for
        another version of deckcheck, and, unless the run is `only_read`, for another
        engine or other cards, which would play other games.
        """
        here = Program.here()
        if self.tool.version != here.version or (self.tool != here and not only_read):
            raise self._other_program(folder)
        root = card_db or [Path(each) for each in self.card_db]
        fmt = self._format(folder)
        database = database_of(fmt, root)
        if database.digest != self.cards and not only_read:
            raise UsageError(
                f"{quote(str(folder))} was played with other cards: digest "
                f"{self.cards}, here it is {database.digest}",
                "Restore the card data, or begin another run",
            )
        entrants = tuple(deck.entrant() for deck in self.decks)
        return Simulation(Setting(fmt, database, self.request), entrants)

    def differences(self, other: RunFile) -> Iterator[str]:
        """What differs from another run, one sentence for each setting."""
        yield from _unlike(self.tool, other.tool)
        yield from _unlike(self.request, other.request)
        if self.shard != other.shard:
            yield f"shard is {self.shard or 'all'}, not {other.shard or 'all'}"
        if self.cards != other.cards:
            yield f"card data have digest {self.cards}, not {other.cards}"
        if self.format != other.format:
            names = [_head_of(each.format) for each in (self, other)]
            yield f"format is {names[0]}, not {names[1]}"
        mine, others = ([_played(d) for d in each.decks] for each in (self, other))
        for a, b in zip(mine, others, strict=False):
            if a != b:
                yield _unlike_decks(*(quote(str(deck["name"])) for deck in (a, b)))
        if len(mine) != len(others):
            yield f"there are {len(mine)} decks, not {len(others)}"

    def _format(self, folder: Path) -> Format:
        try:
            found = rebuilt(self.format, (*FORMAT_RECORDS, *CARD_RECORDS))
        except (ValueError, TypeError, AttributeError, LookupError):
            found = None
        if not isinstance(found, Format):
            raise _damaged(folder, "`format` is none")
        return found

    def _other_program(self, folder: Path) -> UsageError:
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


def _absolute(card_db: Root) -> tuple[str, ...]:
    folders = [card_db] if isinstance(card_db, Path) else card_db or ()
    return tuple(
        str(each) if str(each) == BUILT_IN else os.path.abspath(each)
        for each in folders
    )


def read_run_file(folder: Path) -> RunFile:
    """Return what the `run.json` of a folder says; UsageError if there is none."""
    file = folder / RUN
    if not file.is_file():
        raise UsageError(
            f"{quote(str(folder))} is no run directory: it has no `{RUN}`",
            "`deckcheck simulate DECK... --run FOLDER` makes one",
        )
    try:
        source = Source.open(file, str(file), read_json)
    except SourceError as error:
        raise UsageError(str(error)) from None
    defects: list[Any] = []
    found = source.read(RunFile, source.document.data, (), defects)
    if found is None or defects:
        raise _damaged(folder, str(defects[0]))
    return found


def _damaged(folder: Path, why: str) -> UsageError:
    return UsageError(f"{quote(str(folder / RUN))} is damaged: {why}")


def _entries(cards: dict[str, int]) -> tuple[DeckEntry, ...]:
    return tuple(DeckEntry(card, count, NOWHERE) for card, count in cards.items())


def _unlike(a: Any, b: Any) -> Iterator[str]:
    """The fields of two records of one class that differ."""
    for field in fields(a):
        mine, other = getattr(a, field.name), getattr(b, field.name)
        if mine != other:
            yield f"{field.name} is {_shown(mine)}, not {_shown(other)}"


def _unlike_decks(one: str, other: str) -> str:
    if one == other:
        return f"deck {one} differs, in its cards or its player"
    return f"a deck is {one}, not {other}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _played(deck: StoredDeck) -> dict[str, object]:
    """What of a deck decides games and results: not where its file lies."""
    data = asdict(deck)
    del data["path"]
    return data


def _head_of(format: dict[str, Any]) -> str:
    """A format by its id, snapshot and digest, as far as it can be read."""
    values = [*format.get("Format", ())]
    names = [field.name for field in fields(Format)]
    known = dict(zip(names, values, strict=False))
    return f"{known.get('id')}@{known.get('snapshot')} ({known.get('digest')})"
