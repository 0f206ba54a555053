"""Sets: what a format adds to its game, changes in it and removes from it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple, TypeVar
from zlib import crc32

from deckcheck.cards.checks import Checker, PlacedCards, PlacedLeaders, all_ids, records
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import (
    Card,
    CardChange,
    GameRecord,
    LeaderRecord,
    Name,
    name_of,
)
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect
from deckcheck.documents.records import show
from deckcheck.fields import CLOSED
from deckcheck.messages import choice

# The content of a set's file, and the state of its reading.

OWN = "own"
"""The provenance of a card whose file names none."""


@dataclass(frozen=True, slots=True)
class SetFile:
    """The file of a set; one that only adds cards may be a list of these."""

    __pydantic_config__ = CLOSED

    cards: tuple[dict[str, object], ...] = ()
    """The cards that the set adds."""
    leaders: tuple[dict[str, object], ...] = ()
    """The leaders that the set adds."""
    change: dict[Name, dict[str, object]] = field(default_factory=dict)
    """The fields that differ, by any name of a card or leader."""
    remove: tuple[Name, ...] = ()
    """The names of cards that the set removes."""


class SetReading(NamedTuple):
    """A set that is being read: its file, what it is about, and its defects so far.

    `is_own` says whether a format of a user's own names the set.
    """

    source: Source
    database: CardDatabase
    defects: list[SourceDefect]
    is_own: bool

    @property
    def game(self) -> GameRecord:
        """The game, with the provenance of what names none."""
        game = self.database.game
        return replace(game, provenances=(*game.provenances, OWN))

    def change(
        self, was: Card | LeaderRecord | None, now: Card | LeaderRecord | None
    ) -> CardChange:
        """What the set does to one card or leader."""
        return CardChange(was, now, self.source.path, self.is_own)

    def wrong(self, at: Location, message: str, *, is_key: bool = False) -> None:
        """Add a defect of the file."""
        make = self.source.key_defect if is_key else self.source.defect
        self.defects.append(make(at, message))

    def check_cards(
        self, source: Source, placed: PlacedCards, others: Sequence[Card]
    ) -> None:
        """Check the cards of a part of the file, together with all others."""
        checker = Checker(source, self.game)
        self.defects.extend(checker.check_cards(placed, all_ids(source), others))
        cards = {card.id: card for card in (*others, *(card for _, card in placed))}
        self.defects.extend(useless(source, placed, cards, self.game))

    def check_leaders(
        self, source: Source, placed: PlacedLeaders, others: Sequence[LeaderRecord]
    ) -> None:
        """The same for leaders."""
        checker, cards = Checker(source, self.game), self.database.cards
        self.defects.extend(checker.check_leaders(placed, cards, others))


# The cards and leaders that a set changes, and the cards that it removes.

R = TypeVar("R", bound=Card | LeaderRecord)
Placed = Sequence[tuple[int | str, R]]

FIXED = ("id", "number")
"""What of a card or leader cannot be changed."""


def removed_cards(reading: SetReading, file: SetFile) -> list[Card]:
    """The cards that the set removes."""
    cards: dict[str, Card] = {}
    for index, name in enumerate(file.remove):
        card = _find(reading, name)
        if isinstance(card, str):
            reading.wrong(("remove", index), card)
        elif card.id in cards:
            reading.wrong(("remove", index), f"`{card.name}` is given twice")
        else:
            cards[card.id] = card
    if cards and len(cards) == len(reading.database.cards):
        reading.wrong(("remove",), "no card would be left")
    return list(cards.values())


def changed_records(
    reading: SetReading, file: SetFile, removed: Collection[Card]
) -> tuple[list[tuple[str, Card]], list[tuple[str, LeaderRecord]]]:
    """Cards and leaders as they become, each with the name that the file has for it."""
    cards: list[tuple[str, Card]] = []
    leaders: list[tuple[str, LeaderRecord]] = []
    seen: list[Card | LeaderRecord] = []
    for name, entry in file.change.items():
        old = _find_any(reading, name)
        if isinstance(old, str):
            wrong: str | None = old
        elif old in removed:
            wrong = f"`{name_of(old)}` is removed, it cannot be changed as well"
        elif old in seen:
            wrong = f"`{name_of(old)}` is given twice"
        else:
            wrong = None if entry else f"nothing of `{name_of(old)}` is changed"
            seen.append(old)
        if wrong is not None:
            reading.wrong(("change", name), wrong, is_key=True)
        elif isinstance(old, Card):
            card = _changed(reading, name, old, entry)
            cards += [] if card is None else [(name, card)]
        elif isinstance(old, LeaderRecord):
            leader = _changed(reading, name, old, entry)
            leaders += [] if leader is None else [(name, leader)]
    return cards, leaders


def _changed(
    reading: SetReading, name: str, old: R, entry: dict[str, object]
) -> R | None:
    """A card or leader with what an entry of `change` says of it."""
    at: Location = ("change", name)
    for key in FIXED:
        if key in entry:
            what = "card" if isinstance(old, Card) else "leader"
            message = f"the {key} of a {what} cannot be changed"
            reading.wrong((*at, key), message, is_key=True)
    given = {key: value for key, value in entry.items() if key not in FIXED}
    data = {**_as_file(old), "provenance": OWN, **given}
    new = reading.source.read(type(old), data, at, reading.defects)
    for key, value in given.items() if new is not None else ():
        if getattr(new, key, None) == getattr(old, key, ()):
            said = f"{key}: {show(value).strip('`')}"
            message = f"`{said}` changes nothing, `{name_of(old)}` has it already"
            reading.wrong((*at, key), message)
    return new


def _as_file(record: Card | LeaderRecord) -> dict[str, object]:
    """A card or leader as a file writes it."""
    data = asdict(record)
    abilities: list[object] = []
    for ability in data.pop("abilities", ()):
        code = ability.pop("code")
        given = {key: value for key, value in ability.items() if value}
        abilities.append({code: given} if given else code)
    return {**data, "abilities": abilities} if abilities else data


def _find_any(reading: SetReading, name: str) -> Card | LeaderRecord | str:
    """The card of a name, else the leader, or what is wrong with the name."""
    database = reading.database
    card = _find(reading, name)
    if not isinstance(card, str) or database.find_card(name, suggest=False).candidates:
        return card
    leader = database.find_leader(name, suggest=False)
    if leader.id is not None:
        return database.leaders[leader.id]
    if leader.candidates:
        titles = [database.leaders[id].full_name for id in leader.candidates]
        return f"`{name}` may be {choice(titles)}"
    return card


def _find(reading: SetReading, name: str) -> Card | str:
    """The card of a name, or what is wrong with the name."""
    database = reading.database
    lookup = database.find_card(name)
    if lookup.id is not None:
        return database.cards[lookup.id]
    gone = database.removed(name)
    if gone is not None:
        return f"`{gone.set}` removed `{gone.name}` already"
    if lookup.candidates:
        return f"`{name}` may be {choice(lookup.candidates)}"
    leader = database.find_leader(name, suggest=False)
    if leader.id is not None or leader.candidates:
        return f"`{name}` is a leader, ban it in the format instead"
    hint = ""
    if lookup.suggestions:
        hint = f", did you mean {choice(lookup.suggestions)}?"
    return f"unknown card `{name}`{hint}"


# Checks of a set, beyond those of its single cards.


def useless(
    source: Source, placed: PlacedCards, cards: Mapping[str, Card], game: GameRecord
) -> Iterator[SourceDefect]:
    """Cards that do nothing, and abilities without the other card that they need.

    What an ability always names lies in the side deck, as what it summons does; one
    that lays a token of its amount needs a card with it. `cards` are all there will be.
    """
    aimed = _aiming(game)
    needed = {p.ability: p.needs for p in game.parameters if p.needs is not None}
    tokens = {(a.code, a.amount) for card in cards.values() for a in card.abilities}
    for index, card in placed:
        is_other = card.kind in game.kinds and card.kind not in game.unit_kinds
        if game.abilities and is_other and not card.abilities:
            message = f"`{card.id}` is a {card.kind} without abilities, it does nothing"
            yield source.defect((index,), message)
        for place, ability in enumerate(card.abilities):
            at = (index, "abilities", place)
            target = cards.get(ability.target or "")
            if ability.code in aimed and target is not None and target.deckable:
                message = f"`{target.id}` can be in a deck, add `deckable: false` to it"
                yield source.defect(at, message)
            token, amount = needed.get(ability.code), ability.amount
            if token and amount is not None and (token, amount) not in tokens:
                message = f"no card has `{token}` of {amount}"
                yield source.defect(at, f"{message}, so `{card.id}` would do nothing")


def check_references(
    reading: SetReading,
    cards: Mapping[str, Card],
    leaders: Mapping[str, LeaderRecord],
    removed: Sequence[Card],
    changed: Sequence[tuple[str, Card]],
) -> None:
    """Report what cards and leaders that the set left as they were still need.

    `cards` and `leaders` are all that there will be.
    """
    places: dict[str, Location] = {
        card.id: ("remove", index) for index, card in enumerate(removed)
    }
    places = {id: at for id, at in places.items() if id not in cards}
    changes = {card.id: ("change", name, "deckable") for name, card in changed}
    ids = reading.database.cards
    freed = {
        id: at
        for id, at in changes.items()
        if cards[id].deckable and not ids[id].deckable
    }
    aimed = _aiming(reading.game)
    for card in cards.values():
        for ability in card.abilities if card.id not in changes else ():
            target = ability.target or ""
            if target in places:
                message = f"`{card.name}` needs the card, change or remove it as well"
                reading.wrong(places.pop(target), message)
            elif target in freed and ability.code in aimed:
                message = f"`{card.name}` brings the card, it cannot be in a deck"
                reading.wrong(freed.pop(target), message)
    for leader in leaders.values():
        for target in (leader.target or "", *leader.cards):
            if target in places:
                message = f"`{leader.full_name}` needs the card"
                reading.wrong(places.pop(target), message)


def _aiming(game: GameRecord) -> set[str]:
    """The abilities that always name a card."""
    return {one.ability for one in game.parameters if "target" in one.must}


# Sets: what a format adds to its game, changes in it and removes from it.

FIRST_NUMBER = 1_000_000
NUMBERS = 2**30


def read_set(
    source: Source, database: CardDatabase, defects: list[SourceDefect], *, is_own: bool
) -> list[CardChange]:
    """What a set does to the cards and leaders of `database`; defects are added.

    Cards and leaders are those of the game, `Card` and `LeaderRecord`, and may
    leave out `provenance` and `number`. A number made from the id is as permanent as
    the id. `is_own` says whether a format of a user's own names the set.
    """
    before = len(defects)
    reading = SetReading(source, database, defects, is_own)
    file, cards = _parts(source, defects)
    if file is None:
        return []
    if file == SetFile() and cards is None and len(defects) == before:
        reading.wrong((), "the set changes nothing")
    removed = removed_cards(reading, file)
    changed, leaders = changed_records(reading, file, removed)
    changes = _changes(
        reading, Card, database.cards, reading.check_cards,
        new=cards, changed=changed, removed=removed,
    )  # fmt: skip
    after = database.with_changes(changes)
    if file.leaders or leaders:
        later = reading._replace(database=after)
        part = source.part("leaders") if file.leaders else None
        changes += _changes(
            later, LeaderRecord, after.leaders, later.check_leaders,
            new=part, changed=leaders,
        )  # fmt: skip
        after = database.with_changes(changes)
    checker = Checker(source, reading.game)
    defects += checker.check_sizes(after.cards.values(), after.leaders.values())
    if len(defects) == before:
        check_references(reading, after.cards, after.leaders, removed, changed)
    return changes


def _parts(
    source: Source, defects: list[SourceDefect]
) -> tuple[SetFile | None, Source | None]:
    """What a set says, and the list of its new cards if it has any."""
    data = source.document.data
    if isinstance(data, list) or not data:
        return SetFile(), source if data else None
    file = source.read_what_is_right(SetFile, defects, {})
    cards = data.get("cards") if isinstance(data, dict) else None
    return file, source.part("cards") if cards and isinstance(cards, list) else None


def _changes(
    reading: SetReading,
    shape: type[R],
    known: Mapping[str, R],
    check: Callable[[Source, Placed[R], Sequence[R]], None],
    *,
    new: Source | None,
    changed: Sequence[tuple[str, R]],
    removed: Iterable[R] = (),
) -> list[CardChange]:
    """What changes in the cards or the leaders; `new` is the file of the new ones.

    New and changed ones are each checked against all that there will be.
    """
    is_replaceable = reading.game.replaceable
    placed: list[tuple[int, R]] = []
    if new is not None:
        _complete(new, known if is_replaceable else {})
        placed = list(records(new, shape, reading.defects))
    news = [record for _, record in placed]
    after = [record for _, record in changed]
    gone = {one.id for one in (*removed, *after, *(news if is_replaceable else ()))}
    rest = [record for record in known.values() if record.id not in gone]
    if new is not None:
        check(new, placed, [*rest, *after])
    if changed:
        check(reading.source.part("change"), changed, [*rest, *news])
    return [
        *(reading.change(record, None) for record in removed),
        *(reading.change(known.get(record.id), record) for record in (*after, *news)),
    ]


def _complete(source: Source, existing: Mapping[str, Card | LeaderRecord]) -> None:
    entries = source.document.data
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
            own = FIRST_NUMBER + crc32(id.encode()) % NUMBERS
            entry.setdefault("number", existing[id].number if id in existing else own)
            entry.setdefault("provenance", OWN)
