"""Sets: cards and leaders that a format adds to its game, changes or removes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple, TypeVar
from zlib import crc32

from deckcheck.cards.checks import Checker, PlacedCards, PlacedLeaders
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import (
    Card,
    CardChange,
    GameRecord,
    LeaderRecord,
    Name,
    full_name,
)
from deckcheck.cards.reading import read_ids, read_records
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect
from deckcheck.fields import CLOSED
from deckcheck.messages import choice, describe_value

# The content of a set's file, and the state of reading it.

OWN_PROVENANCE = "own"
"""The provenance of a card whose file gives none."""


@dataclass(frozen=True, slots=True)
class SetFile:
    """The file of a set. A set that only adds cards may be a list of cards."""

    __pydantic_config__ = CLOSED

    cards: tuple[dict[str, object], ...] = ()
    """The cards that the set adds."""
    leaders: tuple[dict[str, object], ...] = ()
    """The leaders that the set adds."""
    change: dict[Name, dict[str, object]] = field(default_factory=dict)
    """The changed fields, by any name of a card or leader."""
    remove: tuple[Name, ...] = ()
    """The names of cards that the set removes."""


class SetFault(Exception):
    """A name or an entry of a set that means nothing, in a sentence."""


class SetReading(NamedTuple):
    """A set while it is read."""

    source: Source
    """The file."""
    database: CardDatabase
    """The cards that it changes."""
    defects: list[SourceDefect]
    """The defects found so far."""
    is_own: bool
    """Whether a format of the user names the set."""

    @property
    def game(self) -> GameRecord:
        """The game, with the default provenance of the records of sets."""
        game = self.database.game
        return replace(game, provenances=(*game.provenances, OWN_PROVENANCE))

    def make_change(
        self, was: Card | LeaderRecord | None, now: Card | LeaderRecord | None
    ) -> CardChange:
        """Return the change of a card or leader by the set."""
        return CardChange(was, now, self.source.path, self.is_own)

    def report(self, at: Location, message: str, *, is_key: bool = False) -> None:
        """Add a defect of the file."""
        if is_key:
            self.defects.append(self.source.key_defect(at, message))
        else:
            self.defects.append(self.source.defect(at, message))

    def check_cards(
        self, source: Source, placed: PlacedCards, others: Sequence[Card]
    ) -> None:
        """Check the cards of a part of the file, together with all other cards."""
        checker = Checker(source, self.game)
        self.defects.extend(checker.check_cards(placed, read_ids(source), others))
        cards = {card.id: card for card in others}
        cards |= {card.id: card for _, card in placed}
        self.defects.extend(find_useless(source, placed, cards, self.game))

    def check_leaders(
        self, source: Source, placed: PlacedLeaders, others: Sequence[LeaderRecord]
    ) -> None:
        """Check the leaders of a part of the file, together with all other leaders."""
        checker = Checker(source, self.game)
        cards = self.database.cards
        self.defects.extend(checker.check_leaders(placed, cards, others))


# The cards and leaders that a set changes, and the cards that it removes.

R = TypeVar("R", bound=Card | LeaderRecord)

UNCHANGEABLE_FIELDS = ("id", "number")
"""The fields of a card or leader that cannot be changed."""


def find_removed(reading: SetReading, file: SetFile) -> list[Card]:
    """Return the cards that the set removes."""
    cards: dict[str, Card] = {}
    for index, name in enumerate(file.remove):
        try:
            card = _find_card(reading, name)
        except SetFault as fault:
            reading.report(("remove", index), str(fault))
            continue
        if card.id in cards:
            reading.report(("remove", index), f"`{card.name}` is given twice")
        cards[card.id] = card
    if cards and len(cards) == len(reading.database.cards):
        reading.report(("remove",), "no card would be left")
    return list(cards.values())


def read_changed(
    reading: SetReading, file: SetFile, removed: Collection[Card]
) -> tuple[list[tuple[str, Card]], list[tuple[str, LeaderRecord]]]:
    """Return the changed cards and leaders, each with its name in the file."""
    cards: list[tuple[str, Card]] = []
    leaders: list[tuple[str, LeaderRecord]] = []
    seen: list[Card | LeaderRecord] = []
    for name, entry in file.change.items():
        try:
            old = _find_record(reading, name)
            _check_change(old, entry, removed, seen)
        except SetFault as fault:
            reading.report(("change", name), str(fault), is_key=True)
            continue
        if isinstance(old, Card):
            card = _read_change(reading, name, old, entry)
            if card is not None:
                cards.append((name, card))
        else:
            leader = _read_change(reading, name, old, entry)
            if leader is not None:
                leaders.append((name, leader))
    return cards, leaders


def _check_change(
    old: Card | LeaderRecord,
    entry: Mapping[str, object],
    removed: Collection[Card],
    seen: list[Card | LeaderRecord],
) -> None:
    """Raise SetFault unless the entry can change a record, and add that to `seen`."""
    if old in removed:
        raise SetFault(f"`{full_name(old)}` is removed, it cannot be changed as well")
    if old in seen:
        raise SetFault(f"`{full_name(old)}` is given twice")
    seen.append(old)
    if not entry:
        raise SetFault(f"nothing of `{full_name(old)}` is changed")


def _read_change(
    reading: SetReading, name: str, old: R, entry: dict[str, object]
) -> R | None:
    """Return a card or leader with the changes of its entry. None if invalid."""
    location: Location = ("change", name)
    noun = "card" if isinstance(old, Card) else "leader"
    given = dict(entry)
    for key in UNCHANGEABLE_FIELDS:
        if key in given:
            del given[key]
            message = f"the {key} of a {noun} cannot be changed"
            reading.report((*location, key), message, is_key=True)
    data = {**_write_record(old), "provenance": OWN_PROVENANCE, **given}
    new = reading.source.read_record(type(old), data, location, reading.defects)
    if new is None:
        return None
    for key, value in given.items():
        if hasattr(old, key) and getattr(new, key) == getattr(old, key):
            setting = f"{key}: {describe_value(value).strip('`')}"
            message = f"`{setting}` changes nothing, `{full_name(old)}` has it already"
            reading.report((*location, key), message)
    return new


def _write_record(record: Card | LeaderRecord) -> dict[str, object]:
    """Return a card or leader as a file writes it."""
    data = asdict(record)
    abilities: list[object] = []
    for ability in data.pop("abilities", ()):
        code = ability.pop("code")
        given = {key: value for key, value in ability.items() if value}
        abilities.append({code: given} if given else code)
    if abilities:
        data["abilities"] = abilities
    return data


def _find_record(reading: SetReading, name: str) -> Card | LeaderRecord:
    """Return the card or leader of a name. Raises SetFault if there is none."""
    database = reading.database
    card = database.find_card(name, suggest=False)
    if card.id is None and not card.candidates:
        leader = database.find_leader(name, suggest=False)
        if leader.id is not None:
            return database.leaders[leader.id]
        if leader.candidates:
            titles = [database.leaders[id].full_name for id in leader.candidates]
            raise SetFault(f"`{name}` may be {choice(titles)}")
    return _find_card(reading, name)


def _find_card(reading: SetReading, name: str) -> Card:
    """Return the card of a name. Raises SetFault if there is none."""
    database = reading.database
    lookup = database.find_card(name)
    if lookup.id is not None:
        return database.cards[lookup.id]
    removal = database.find_removal(name)
    if removal is not None:
        raise SetFault(f"`{removal.set}` removed `{removal.name}` already")
    if lookup.candidates:
        raise SetFault(f"`{name}` may be {choice(lookup.candidates)}")
    leader = database.find_leader(name, suggest=False)
    if leader.id is not None or leader.candidates:
        raise SetFault(f"`{name}` is a leader, ban it in the format instead")
    message = f"unknown card `{name}`"
    if lookup.suggestions:
        message += f", did you mean {choice(lookup.suggestions)}?"
    raise SetFault(message)


# Checks of a whole set.


def find_useless(
    source: Source, placed: PlacedCards, cards: Mapping[str, Card], game: GameRecord
) -> Iterator[SourceDefect]:
    """Yield defects of cards without effect, and of abilities that lack another card.

    A card that an ability summons has to be in the side deck. An ability that lays a
    token of its amount needs a card with such a token. `cards` are all cards of the
    game.
    """
    aiming = _find_aiming_abilities(game)
    token_by_ability = {
        p.ability: p.needs for p in game.parameters if p.needs is not None
    }
    tokens: set[tuple[str, int | None]] = set()
    for card in cards.values():
        tokens.update((ability.code, ability.amount) for ability in card.abilities)
    for index, card in placed:
        is_special = card.kind in game.kinds and card.kind not in game.unit_kinds
        if game.abilities and is_special and not card.abilities:
            message = f"`{card.id}` is a {card.kind} without abilities, it does nothing"
            yield source.defect((index,), message)
        for position, ability in enumerate(card.abilities):
            location = (index, "abilities", position)
            # Summoned cards belong in the side deck.
            target = cards.get(ability.target or "")
            if ability.code in aiming and target is not None and target.deckable:
                message = f"`{target.id}` can be in a deck, add `deckable: false` to it"
                yield source.defect(location, message)
            # A token of this amount has to exist.
            token = token_by_ability.get(ability.code)
            amount = ability.amount
            if token and amount is not None and (token, amount) not in tokens:
                message = (
                    f"no card has `{token}` of {amount}, so `{card.id}` would do "
                    "nothing"
                )
                yield source.defect(location, message)


def check_references(
    reading: SetReading,
    cards: Mapping[str, Card],
    leaders: Mapping[str, LeaderRecord],
    removed: Sequence[Card],
    changed: Sequence[tuple[str, Card]],
) -> None:
    """Report unchanged cards and leaders that need a removed or changed card.

    `cards` and `leaders` are all records after the changes.
    """
    removed_places: dict[str, Location] = {}
    for index, card in enumerate(removed):
        if card.id not in cards:
            removed_places[card.id] = ("remove", index)
    changes = {card.id: ("change", name, "deckable") for name, card in changed}
    newly_deckable: dict[str, Location] = {}
    for id, location in changes.items():
        if cards[id].deckable and not reading.database.cards[id].deckable:
            newly_deckable[id] = location
    aiming = _find_aiming_abilities(reading.game)
    for card in cards.values():
        if card.id in changes:
            continue
        for ability in card.abilities:
            target = ability.target or ""
            if target in removed_places:
                message = f"`{card.name}` needs the card, change or remove it as well"
                reading.report(removed_places.pop(target), message)
            elif target in newly_deckable and ability.code in aiming:
                message = f"`{card.name}` brings the card, it cannot be in a deck"
                reading.report(newly_deckable.pop(target), message)
    for leader in leaders.values():
        for target in (leader.target or "", *leader.cards):
            if target in removed_places:
                message = f"`{leader.full_name}` needs the card"
                reading.report(removed_places.pop(target), message)


def _find_aiming_abilities(game: GameRecord) -> set[str]:
    """Return the abilities that always name a card."""
    codes = set()
    for parameters in game.parameters:
        if "target" in parameters.must:
            codes.add(parameters.ability)
    return codes


# Reading a whole set.

FIRST_NUMBER = 1_000_000
"""The least number of a card whose set gives none."""
NUMBER_RANGE = 2**30
"""How many such numbers there are, enough that two cards rarely share one."""


def read_set(
    source: Source, database: CardDatabase, defects: list[SourceDefect], *, is_own: bool
) -> list[CardChange]:
    """Return the changes that a set makes to `database`, and add its defects.

    Cards and leaders are `Card` and `LeaderRecord`, and may leave out `provenance` and
    `number`. A number made from the id is as permanent as the id. `is_own` means that a
    format of the user names the set.
    """
    before = len(defects)
    reading = SetReading(source, database, defects, is_own)
    file, card_source = _split_file(source, defects)
    if file is None:
        return []
    if file == SetFile() and card_source is None and len(defects) == before:
        reading.report((), "the set changes nothing")
    removed = find_removed(reading, file)
    changed, leaders = read_changed(reading, file, removed)
    changes = _change_cards(reading, card_source, changed, removed)
    after = database.with_changes(changes)
    if file.leaders or leaders:
        new_leaders = source.part("leaders") if file.leaders else None
        later = reading._replace(database=after)
        changes += _change_leaders(later, new_leaders, leaders)
        after = database.with_changes(changes)
    checker = Checker(source, reading.game)
    defects += checker.check_sizes(after.cards.values(), after.leaders.values())
    if len(defects) == before:
        check_references(reading, after.cards, after.leaders, removed, changed)
    return changes


def _split_file(
    source: Source, defects: list[SourceDefect]
) -> tuple[SetFile | None, Source | None]:
    """Return the content of a set, and the list of its new cards if it has any."""
    data = source.document.data
    if not data:
        return SetFile(), None
    if isinstance(data, list):
        return SetFile(), source
    file = source.read_valid_parts(SetFile, defects, {})
    cards = data.get("cards") if isinstance(data, dict) else None
    if cards and isinstance(cards, list):
        return file, source.part("cards")
    return file, None


def _change_cards(
    reading: SetReading,
    source: Source | None,
    changed: Sequence[tuple[str, Card]],
    removed: Sequence[Card],
) -> list[CardChange]:
    """Return the changes of cards, with the new cards of `source`.

    New and changed cards are each checked against all cards after the changes.
    """
    known = reading.database.cards
    new = _read_new(reading, source, Card, known)
    new_cards = [card for _, card in new]
    changed_cards = [card for _, card in changed]
    rest = _list_unchanged(reading, known, new_cards, [*removed, *changed_cards])
    if source is not None:
        reading.check_cards(source, new, [*rest, *changed_cards])
    if changed:
        reading.check_cards(reading.source.part("change"), changed, [*rest, *new_cards])
    changes = [reading.make_change(card, None) for card in removed]
    return [*changes, *_list_changes(reading, known, [*changed_cards, *new_cards])]


def _change_leaders(
    reading: SetReading,
    source: Source | None,
    changed: Sequence[tuple[str, LeaderRecord]],
) -> list[CardChange]:
    """Return the changes of leaders, in the same way."""
    known = reading.database.leaders
    new = _read_new(reading, source, LeaderRecord, known)
    new_leaders = [leader for _, leader in new]
    changed_leaders = [leader for _, leader in changed]
    rest = _list_unchanged(reading, known, new_leaders, changed_leaders)
    if source is not None:
        reading.check_leaders(source, new, [*rest, *changed_leaders])
    if changed:
        part = reading.source.part("change")
        reading.check_leaders(part, changed, [*rest, *new_leaders])
    return _list_changes(reading, known, [*changed_leaders, *new_leaders])


def _list_changes(
    reading: SetReading, known: Mapping[str, R], records: Iterable[R]
) -> list[CardChange]:
    return [reading.make_change(known.get(new.id), new) for new in records]


def _read_new(
    reading: SetReading, source: Source | None, shape: type[R], known: Mapping[str, R]
) -> list[tuple[int, R]]:
    """Return the new records of a source, each with its index there."""
    if source is None:
        return []
    _fill_defaults(source, known if reading.game.replaceable else {})
    return list(read_records(source, shape, reading.defects))


def _list_unchanged(
    reading: SetReading, known: Mapping[str, R], new: Iterable[R], replaced: Iterable[R]
) -> list[R]:
    """Return the known records that are not replaced, where new ones may replace."""
    ids = {record.id for record in replaced}
    if reading.game.replaceable:
        ids.update(record.id for record in new)
    return [record for record in known.values() if record.id not in ids]


def _fill_defaults(source: Source, existing: Mapping[str, Card | LeaderRecord]) -> None:
    """Add, in place, a provenance and a number to the new records that give none."""
    entries = source.document.data
    if not isinstance(entries, list):
        return
    for entry in entries:
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
            number = FIRST_NUMBER + crc32(id.encode()) % NUMBER_RANGE
            if id in existing:
                number = existing[id].number
            entry.setdefault("number", number)
            entry.setdefault("provenance", OWN_PROVENANCE)
