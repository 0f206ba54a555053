"""Sets: what a format adds to its game, changes in it and removes from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import NamedTuple, TypeVar, cast
from zlib import crc32

from deckcheck.cards.checks import (
    all_ids,
    check_cards,
    check_leaders,
    check_sizes,
    records,
)
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
    """What a set says; one that only adds cards may be a list of these."""

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


# The cards and leaders that a set changes, and the cards that it removes.

R = TypeVar("R", Card, LeaderRecord)

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
            card = _changed(reading, name, old, _as_file(old), entry)
            cards += [] if card is None else [(name, card)]
        elif isinstance(old, LeaderRecord):
            leader = _changed(reading, name, old, asdict(old), entry)
            leaders += [] if leader is None else [(name, leader)]
    return cards, leaders


def _changed(
    reading: SetReading,
    name: str,
    old: R,
    written: dict[str, object],
    entry: dict[str, object],
) -> R | None:
    """A card or leader, as files have it, with what an entry of `change` says of it."""
    at: Location = ("change", name)
    for key in FIXED:
        if key in entry:
            what = "card" if isinstance(old, Card) else "leader"
            message = f"the {key} of a {what} cannot be changed"
            reading.wrong((*at, key), message, is_key=True)
    given = {key: value for key, value in entry.items() if key not in FIXED}
    data = {**written, "provenance": OWN, **given}
    new = reading.source.read(type(old), data, at, reading.defects)
    for key, value in given.items() if new is not None else ():
        if getattr(new, key, None) == getattr(old, key, ()):
            said = show(value).strip("`")
            message = (
                f"`{key}: {said}` changes nothing, `{name_of(old)}` has it already"
            )
            reading.wrong((*at, key), message)
    return new


def _as_file(card: Card) -> dict[str, object]:
    """A card as a file writes it."""
    data = asdict(card)
    abilities: list[object] = []
    for ability in cast("tuple[dict[str, object], ...]", data["abilities"]):
        code = str(ability.pop("code"))
        given = {key: value for key, value in ability.items() if value}
        abilities.append({code: given} if given else code)
    return {**data, "abilities": abilities}


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

Placed = Sequence[tuple[int | str, Card]]


def aims(
    source: Source, placed: Placed, cards: Mapping[str, Card], game: GameRecord
) -> Iterator[SourceDefect]:
    """What an ability always names lies in the side deck, as what it summons does."""
    aimed = _aiming(game)
    for index, card in placed:
        for place, ability in enumerate(card.abilities):
            target = cards.get(ability.target or "")
            if ability.code in aimed and target is not None and target.deckable:
                message = f"`{target.id}` can be in a deck, add `deckable: false` to it"
                yield source.defect((index, "abilities", place), message)


def needs(
    source: Source, placed: Placed, cards: Mapping[str, Card], game: GameRecord
) -> Iterator[SourceDefect]:
    """Abilities that lay a token of their amount, of which the set has none."""
    needed = {p.ability: p.needs for p in game.parameters if p.needs is not None}
    tokens = {(a.code, a.amount) for card in cards.values() for a in card.abilities}
    for index, card in placed:
        for place, ability in enumerate(card.abilities):
            token, amount = needed.get(ability.code), ability.amount
            if token and amount is not None and (token, amount) not in tokens:
                message = f"no card has `{token}` of {amount}"
                message += f", so `{card.id}` would do nothing"
                yield source.defect((index, "abilities", place), message)


def blank(source: Source, placed: Placed, game: GameRecord) -> Iterator[SourceDefect]:
    """Cards without strength and ability: nothing is played as a blank card."""
    for index, card in placed:
        is_other = card.kind in game.kinds and card.kind not in game.unit_kinds
        if game.abilities and is_other and not card.abilities:
            message = f"`{card.id}` is a {card.kind} without abilities, it does nothing"
            yield source.defect((index,), message)


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
    return {
        parameter.ability for parameter in game.parameters if "target" in parameter.must
    }


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
    cards_of_set = _cards(reading, cards, changed, removed)
    after = database.with_changes(cards_of_set)
    if file.leaders or leaders:
        cards_of_set += _leaders(reading._replace(database=after), file, leaders)
        after = database.with_changes(cards_of_set)
    all_cards, all_leaders = after.cards.values(), after.leaders.values()
    defects.extend(check_sizes(source, all_cards, all_leaders, reading.game))
    if len(defects) == before:
        check_references(reading, after.cards, after.leaders, removed, changed)
    return cards_of_set


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


def _cards(
    reading: SetReading,
    source: Source | None,
    changed: Sequence[tuple[str, Card]],
    removed: Iterable[Card],
) -> list[CardChange]:
    """What becomes of the cards: `source` has the new ones.

    New and changed cards are each checked against all the cards that there will be.
    """
    known_cards, game = reading.database.cards, reading.game
    new: list[tuple[int, Card]] = []
    if source is not None:
        _complete(source, known_cards if game.replaceable else {})
        new = list(records(source, Card, reading.defects))
    news = [card for _, card in new]
    after = [card for _, card in changed]
    replaced = news if game.replaceable else []
    gone = {card.id for card in (*removed, *after, *replaced)}
    rest = [card for card in known_cards.values() if card.id not in gone]
    if source is not None:
        _check(reading, source, new, [*rest, *after])
    if changed:
        _check(reading, reading.source.part("change"), changed, [*rest, *news])
    return [
        *(reading.change(card, None) for card in removed),
        *(reading.change(known_cards[card.id], card) for card in after),
        *(reading.change(known_cards.get(card.id), card) for card in news),
    ]


def _check(
    reading: SetReading,
    source: Source,
    placed: Sequence[tuple[int | str, Card]],
    others: Sequence[Card],
) -> None:
    """Check the cards of a part of the file, together with all others."""
    game = reading.game
    cards = {card.id: card for card in (*others, *(card for _, card in placed))}
    reading.defects.extend(
        [
            *check_cards(source, placed, all_ids(source), game, others),
            *aims(source, placed, cards, game),
            *needs(source, placed, cards, game),
            *blank(source, placed, game),
        ]
    )


def _leaders(
    reading: SetReading, file: SetFile, changed: Sequence[tuple[str, LeaderRecord]]
) -> list[CardChange]:
    """The leaders with the changes, each checked together with all others."""
    known_leaders, game, cards = (
        reading.database.leaders,
        reading.game,
        reading.database.cards,
    )
    new: list[tuple[int, LeaderRecord]] = []
    source = reading.source.part("leaders") if file.leaders else None
    if source is not None:
        _complete(source, known_leaders if game.replaceable else {})
        new = list(records(source, LeaderRecord, reading.defects))
    news, after = ([leader for _, leader in placed] for placed in (new, changed))
    gone = {leader.id for leader in (*after, *(news if game.replaceable else ()))}
    rest = [leader for id, leader in known_leaders.items() if id not in gone]
    if source is not None:
        wrong = check_leaders(source, new, game, cards, [*rest, *after])
        reading.defects.extend(wrong)
    if changed:
        source = reading.source.part("change")
        wrong = check_leaders(source, changed, game, cards, [*rest, *news])
        reading.defects.extend(wrong)
    return [
        reading.change(known_leaders.get(leader.id), leader)
        for leader in (*after, *news)
    ]


def _complete(source: Source, existing: Mapping[str, Card | LeaderRecord]) -> None:
    entries = source.document.data
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
            own = FIRST_NUMBER + crc32(id.encode()) % NUMBERS
            entry.setdefault("number", existing[id].number if id in existing else own)
            entry.setdefault("provenance", OWN)
