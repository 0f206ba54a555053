"""The records of a card database, and the changes of sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from deckcheck.fields import CLOSED, AtLeast, Either, Filled, Form
from deckcheck.messages import plural

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

    from deckcheck.cards.documents import ChangeDocument


# The kinds of words and numbers that card data is made of

Identifier = Annotated[
    str, Form("[a-z][a-z0-9_]*", "a word of lower-case letters, digits and `_`")
]
Name = Annotated[str, Filled(200)]
Number = Annotated[int, AtLeast(1)]
Word = Annotated[bool | Identifier, Either("true or false or a lower-case word")]
Statement = Annotated[
    str,
    Form(r"[a-z][a-z0-9_]* [0-9]+(\.[0-9]+)*", "a statement such as `gwent 1.6.2`"),
]


# Hints of a game for figures that are read off a deck unplayed


@dataclass(frozen=True, slots=True)
class WeatherHints:
    """The rows that an ability covers with weather, unless its card names them."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    rows: tuple[Identifier, ...] = ()
    """The rows that it covers."""


@dataclass(frozen=True, slots=True)
class Draw:
    """How many cards an ability draws."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    cards: Number | None = None
    """The number of cards, unless the card or leader gives it."""


@dataclass(frozen=True, slots=True)
class OddsHints:
    """The abilities that `deckcheck stats` needs to know for its figures."""

    __pydantic_config__ = CLOSED

    untouchable: tuple[Identifier, ...] = ()
    """The kinds of cards that weather and scorch pass over."""
    weatherproof: tuple[Identifier, ...] = ()
    """The abilities of cards that weather passes over, too."""
    weather: tuple[WeatherHints, ...] = ()
    """The abilities that bring weather."""
    draws: tuple[Draw, ...] = ()
    """The abilities of cards that draw cards."""
    opening: tuple[Draw, ...] = ()
    """The abilities of leaders that change the opening hand."""
    redrawn: Literal["shuffled", "under"] = "shuffled"
    """Whether a redrawn card is shuffled into the deck or laid under it."""


# The records of a card database, as `card_db/<game>/*.yaml` has them

OMITTED_IF_DEFAULT = {"later": True}
"""Marks fields that count in fingerprints only where they differ from their default.

So the fingerprints of data without them stay the same.
"""


@dataclass(frozen=True, slots=True)
class CardAbility:
    """An ability of a card.

    In a file an ability is a word (`medic`) or a mapping of one key (`muster: {target:
    roach}`). Without group and target it is about cards of the same id.
    """

    __pydantic_config__ = CLOSED

    code: Identifier
    """The code of the ability, which the engine implements."""
    group: Identifier | None = None
    """The family of cards that it gathers, such as `crone`."""
    target: Identifier | None = None
    """The id of the card that it reaches for."""
    row: Identifier | None = None
    """The row that it acts on, unless it is the card's own row."""
    amount: Number | None = field(default=None, metadata=OMITTED_IF_DEFAULT)
    """A number, for example of the cards that it draws."""
    rows: tuple[Identifier, ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    """The rows that it acts on, if there are several."""

    @classmethod
    def from_file(cls, value: object) -> object:
        """Return the fields of an ability as a file writes it.

        Raises ValueError if the value is neither a word nor a word with parameters.
        """
        if isinstance(value, str):
            return {"code": value}
        if isinstance(value, dict) and len(value) == 1:
            [(code, parameters)] = value.items()
            if isinstance(parameters, dict) and "code" not in parameters:
                # pydantic, being strict, takes no list for a tuple from here.
                given = {"code": code, **parameters}
                for name, parameter in parameters.items():
                    if isinstance(parameter, list):
                        given[name] = tuple(parameter)
                return given
        raise ValueError("expected an ability: a word, or a word with its parameters")

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(
            cls.from_file, handler(source)
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        if handler.mode == "serialization":
            return handler(schema)
        parameters = dict(handler.resolve_ref_schema(handler(schema)))
        fields = dict(parameters["properties"])
        code = fields.pop("code")
        del parameters["required"]
        mapping = {
            "type": "object",
            "propertyNames": code,
            "additionalProperties": {**parameters, "properties": fields},
            "minProperties": 1,
            "maxProperties": 1,
        }
        return {"title": "Ability", "anyOf": [code, mapping]}


@dataclass(frozen=True, slots=True)
class Card:
    """A card."""

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the card, unique within its game."""
    number: Number
    """The permanent number of the card within its game."""
    name: Name
    """The English name of the card."""
    kind: Identifier
    """The kind of the card, a word of the game's `kinds`."""
    copies: Number
    """The number of copies that a deck can hold."""
    provenance: Identifier
    """Where the data of the card is from, one of the game's `provenances`."""
    faction: Identifier | None = None
    """The id of the card's faction. None in games without factions."""
    rows: tuple[Identifier, ...] = ()
    """The rows that the card can be played to. Only units have rows."""
    strength: Annotated[int, AtLeast(0)] | None = None
    """The printed strength. Only units have a strength."""
    abilities: tuple[CardAbility, ...] = ()
    """The abilities of the card."""
    deckable: bool = True
    """Whether decks can hold it. Otherwise only other cards bring it into play."""
    aliases: tuple[Name, ...] = ()
    """Other names of the card."""
    shield: bool = field(default=False, metadata=OMITTED_IF_DEFAULT)
    """Whether the card is untouchable."""
    tags: tuple[Identifier, ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    """Words that other cards may refer to."""
    known: bool = field(default=True, metadata=OMITTED_IF_DEFAULT)
    """Whether more than the name of the card is public."""

    def has(self, code: str) -> bool:
        """Report whether the card has the ability `code`."""
        return any(ability.code == code for ability in self.abilities)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition on cards: fit every non-empty list, by any word of the list."""

    kinds: tuple[Identifier, ...] = ()
    """The kinds of cards that fit."""
    abilities: tuple[Identifier, ...] = ()
    """The abilities."""
    rows: tuple[Identifier, ...] = ()
    """The rows."""
    factions: tuple[Identifier, ...] = ()
    """The factions of the cards that fit."""
    cards: tuple[Identifier, ...] = ()
    """The ids of the cards that fit."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no list, so that every card fits."""
        return self == Condition()

    def matches(self, card: Card) -> bool:
        """Report whether a card fits."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.factions or card.faction in self.factions)
            and (not self.cards or card.id in self.cards)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
        )


@dataclass(frozen=True, slots=True)
class LeaderRecord:
    """A leader.

    Playing a leader is a turn unless it is `free`. A `passive` leader is never played.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the leader, unique within its game."""
    number: Number
    """The permanent number of the leader within its game."""
    name: Name
    """The English name of the leader."""
    title: str
    """The title of the leader, or empty text."""
    faction: Identifier
    """The id of the leader's faction."""
    ability: Identifier
    """The code of the leader's ability, which the engine implements."""
    passive: bool
    """Whether the ability works without being played."""
    provenance: Identifier
    """Where the data of the leader is from, one of the game's `provenances`."""
    aliases: tuple[Name, ...] = ()
    """Other names of the leader."""
    amount: Number | None = field(default=None, metadata=OMITTED_IF_DEFAULT)
    """The number that the ability depends on."""
    target: Identifier | None = field(default=None, metadata=OMITTED_IF_DEFAULT)
    """The id of the card that the ability reaches for."""
    rows: tuple[Identifier, ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    """The rows that the ability acts on."""
    kind: Identifier | None = field(default=None, metadata=OMITTED_IF_DEFAULT)
    """The kind of the cards that the ability is about."""
    tag: Identifier | None = field(default=None, metadata=OMITTED_IF_DEFAULT)
    """The tag of the cards that the ability is about."""
    cards: tuple[Identifier, ...] = field(default=(), metadata=OMITTED_IF_DEFAULT)
    """The ids of the cards that the ability is about."""
    free: bool = field(default=False, metadata=OMITTED_IF_DEFAULT)
    """Whether the leader can be played in addition to a turn."""
    known: bool = field(default=True, metadata=OMITTED_IF_DEFAULT)
    """Whether more than the name of the leader is public."""

    @property
    def full_name(self) -> str:
        """Name and title as players write them: `Foltest, The Siegemaster`."""
        return f"{self.name}, {self.title}" if self.title else self.name


@dataclass(frozen=True, slots=True)
class Faction:
    """A faction."""

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the faction."""
    name: Name
    """The English name of the faction."""
    ability: Identifier | None = None
    """The code of the faction's ability, which the engine implements."""
    aliases: tuple[Name, ...] = ()
    """Other names of the faction."""


@dataclass(frozen=True, slots=True)
class GameOption:
    """A switch of play that formats set: a word of `values`, or a bounded number."""

    __pydantic_config__ = CLOSED

    name: Identifier
    """The name of the option."""
    statement: Statement
    """The statement of the rules that leaves the question open."""
    values: tuple[Word, ...] = ()
    """The words that it can be set to."""
    minimum: int | None = None
    """The smallest number that it can be set to."""
    maximum: int | None = None
    """The largest number that it can be set to."""
    plays: tuple[Identifier, ...] = ()
    """The words of `seating: play` that it is for. Without any, it is for all."""

    def __post_init__(self) -> None:
        low, high = self.minimum, self.maximum
        if self.values:
            is_sound = low is None and high is None
        else:
            is_sound = low is not None and high is not None and low <= high
        if not is_sound:
            raise ValueError("an option has either values or a minimum and a maximum")

    def allows(self, value: object) -> bool:
        """Report whether a format may set the option to `value`."""
        if type(value) is int and self.minimum is not None and self.maximum is not None:
            return self.minimum <= value <= self.maximum
        return any(type(value) is type(v) and value == v for v in self.values)

    def describe(self) -> str:
        """Return the allowed values in words: `1 to 5`, "`winner` or `alternate`"."""
        if not self.values:
            return f"{self.minimum} to {self.maximum}"
        return " or ".join(f"`{_describe_value(value)}`" for value in self.values)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A property that describes cards, in games whose decks write cards out.

    It is a number from `minimum` to `maximum`, or up to `most` of `values`.
    """

    __pydantic_config__ = CLOSED

    name: Identifier
    """The name of the attribute."""
    minimum: Annotated[int, AtLeast(0)] | None = None
    """The smallest number."""
    maximum: int | None = None
    """The largest number."""
    values: tuple[Identifier, ...] = ()
    """The words that the attribute can have."""
    most: Number | None = None
    """The largest number of these words on a card."""
    nothing: Identifier | None = None
    """The word for a card without a word of the attribute."""
    random: Identifier | None = None
    """The option of play that decides how several words are drawn at random."""

    def __post_init__(self) -> None:
        low, high = self.minimum, self.maximum
        if self.values:
            is_sound = low is None and high is None
            is_sound = is_sound and 0 < (self.most or 0) <= len(self.values)
        else:
            is_sound = low is not None and high is not None and low <= high
            is_sound = is_sound and not (self.most or self.nothing or self.random)
        if not is_sound:
            raise ValueError(
                "an attribute has either a minimum and a maximum, or values and how "
                "many of them a card has at most"
            )


Parameter = Literal["group", "target", "row", "amount", "rows", "kind", "tag", "cards"]


@dataclass(frozen=True, slots=True)
class Parameters:
    """The only keys that cards may and must have for an ability."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    may: tuple[Parameter, ...] = ()
    """The parameters that it can have."""
    must: tuple[Parameter, ...] = ()
    """The parameters that it has to have."""
    needs: Identifier | None = None
    """The ability, with the same amount, that another card of the set has to have."""


@dataclass(frozen=True, slots=True)
class OptionBounds:
    """A condition for playing cards or leaders with certain abilities."""

    __pydantic_config__ = CLOSED

    abilities: tuple[Identifier, ...]
    """The codes of the abilities."""
    kinds: tuple[Identifier, ...] = ()
    """The kinds of such cards, or the kinds that such a leader may name."""
    rows: tuple[Identifier, ...] = ()
    """The rows of such cards, exactly these."""
    most: Number | None = None
    """The largest amount, and the largest number of a leader's `cards`."""
    deckable: bool | None = None
    """The value that `deckable` of such cards must have."""
    known: bool | None = None
    """The value that `known` of such cards or leaders must have."""
    passive: bool | None = None
    """The value that `passive` of such leaders must have."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The largest numbers that can be played. None is no limit."""

    __pydantic_config__ = CLOSED

    strength: Number | None = None
    """The largest printed strength."""
    amount: Number | None = None
    """The largest amount of an ability."""
    cards: Number | None = None
    """The largest number of different cards and leaders together."""
    reserves: Number | None = None
    """The largest number of different cards that no deck holds."""


@dataclass(frozen=True, slots=True)
class Text:
    """The effect of an ability."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    statement: Statement
    """The statement of the rules with the complete effect."""
    text: Annotated[str, Filled(300)]
    """The effect in a sentence."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of the database: its vocabulary, against which cards are checked.

    No card depends on the fields from `leader_abilities` on, so no fingerprint does.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the game."""
    name: Name
    """The name of the game."""
    edition: str
    """The edition of the rules and cards."""
    kinds: tuple[Identifier, ...]
    """The kinds of cards."""
    unit_kinds: tuple[Identifier, ...]
    """The kinds of cards with rows and a strength. Other kinds have neither."""
    rows: tuple[Identifier, ...]
    """The rows of the board."""
    abilities: tuple[Identifier, ...]
    """The codes of abilities that cards may have."""
    provenances: tuple[Identifier, ...]
    """The words for the source of data."""
    factions: tuple[Faction, ...] = ()
    """The factions, in games with factions."""
    neutral: Identifier | None = None
    """The id of the faction whose cards fit every deck."""
    options: tuple[GameOption, ...] = ()
    """The switches of play. A format sets all switches for its way to play."""
    random: Identifier | None = None
    """The option of play that decides how a random deck is drawn."""
    attributes: tuple[Attribute, ...] = ()
    """The attributes that describe cards, if every combination is a card."""
    leader_abilities: tuple[Identifier, ...] = field(default=(), compare=False)
    """The codes of abilities that leaders may have."""
    replaceable: bool = field(default=False, compare=False)
    """Whether sets may change cards and leaders of the game."""
    reserves: bool = field(default=False, compare=False)
    """Whether decks list reserve cards."""
    parameters: tuple[Parameters, ...] = field(default=(), compare=False)
    """The parameters of abilities. An ability without an entry takes none."""
    bounds: tuple[OptionBounds, ...] = field(default=(), compare=False)
    """The conditions on cards and leaders with some abilities."""
    sizes: Sizes = field(default=Sizes(), compare=False)
    """The largest numbers that can be played."""
    single: tuple[Identifier, ...] = field(default=(), compare=False)
    """The abilities that a card other than a unit has at most once, all together."""
    several_rows: Identifier | None = field(default=None, compare=False)
    """The ability that a card of several rows has."""
    beside_decks: tuple[Identifier, ...] = field(default=(), compare=False)
    """The kinds of cards that no deck holds."""
    texts: tuple[Text, ...] = field(default=(), compare=False)
    """The effects of abilities of cards and leaders, in sentences."""
    odds: OddsHints = field(default_factory=OddsHints, compare=False)
    """The data that the numbers of `deckcheck stats` depend on."""


CARD_RECORDS = (
    Attribute,
    Card,
    CardAbility,
    Draw,
    Faction,
    GameOption,
    GameRecord,
    LeaderRecord,
    OddsHints,
    OptionBounds,
    Parameters,
    Sizes,
    Text,
    WeatherHints,
)
"""The classes that a checked database is made of."""


# Changes that sets make to the cards and leaders of a game

R = TypeVar("R", Card, LeaderRecord)

UNREPORTED_FIELDS = ("id", "number", "provenance")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A change of a card or leader by sets: added, changed or removed."""

    was: Card | LeaderRecord | None
    """The record before, or None if it was added."""
    now: Card | LeaderRecord | None
    """The record after, or None if it was removed."""
    set: str
    """The last file that changed it, as messages show the file."""
    is_own: bool
    """Whether a format of the user names that file."""

    @property
    def record(self) -> Card | LeaderRecord:
        """The card or leader after the change, or before it if it was removed."""
        record = self.now or self.was
        assert record is not None
        return record

    @property
    def file_name(self) -> str:
        """The name of the set's file, without folders and suffix: `winter`."""
        return PurePath(self.set).stem

    @property
    def about(self) -> Literal["card", "leader"]:
        """The word `card` or `leader`."""
        return "card" if isinstance(self.record, Card) else "leader"

    @property
    def name(self) -> str:
        """The full name of the card or leader."""
        return full_name(self.record)

    @property
    def in_words(self) -> str:
        """The differences of a changed record, for example `strength 10, not 8`."""
        if self.was is None or self.now is None:
            return ""
        differences = []
        for each in fields(self.now):
            old, new = getattr(self.was, each.name), getattr(self.now, each.name)
            if old != new and each.name not in UNREPORTED_FIELDS:
                values = f"{_describe_value(new)}, not {_describe_value(old)}"
                differences.append(f"{each.name} {values}")
        return "; ".join(differences)

    def as_data(self) -> ChangeDocument:
        """Return the change as JSON has it."""
        return {
            "set": self.set,
            "about": self.about,
            "id": self.record.id,
            "name": self.name,
            "was": record_in_words(self.was) if self.was else None,
            "now": record_in_words(self.now) if self.now else None,
        }


def fold_changes(changes: Iterable[CardChange]) -> tuple[CardChange, ...]:
    """Merge the changes of several sets, a single change for each record."""
    latest: dict[tuple[str, str], CardChange] = {}
    for change in changes:
        key = (change.about, change.record.id)
        first = latest.pop(key, change)
        both = CardChange(first.was, change.now, change.set, change.is_own)
        is_changed = both.in_words if both.was and both.now else both.was or both.now
        if is_changed:
            latest[key] = both
    return tuple(latest.values())


def apply_changes(
    unchanged: Mapping[str, R], shape: type[R], changes: Iterable[CardChange]
) -> dict[str, R]:
    """Return the records of a class after the changes, with new records last."""
    records = dict(unchanged)
    for change in changes:
        if isinstance(change.now, shape):
            records[change.now.id] = change.now
        elif isinstance(change.was, shape):
            records.pop(change.was.id, None)
    return records


def full_name(record: Card | LeaderRecord | Faction) -> str:
    """Return the name of a card, leader or faction, with a leader's title."""
    if isinstance(record, LeaderRecord):
        return record.full_name
    return record.name


def record_in_words(record: Card | LeaderRecord) -> str:
    """Return the text of a card or leader.

    A card: `skellige unit, close, strength 2, berserker, 1 copy`. A leader: `skellige
    leader, scorch_enemy_close`.
    """
    if isinstance(record, LeaderRecord):
        words = [f"{record.faction} leader", record.ability]
        if record.passive:
            words.append("passive")
        return ", ".join(words)
    words = [f"{record.faction or ''} {record.kind}".strip()]
    if record.rows:
        words.append(" or ".join(record.rows))
    if record.strength is not None:
        words.append(f"strength {record.strength}")
    words += [ability.code for ability in record.abilities]
    words.append(plural(record.copies, "copy") if record.deckable else "side deck")
    return ", ".join(words)


def _describe_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, CardAbility):
        given = [getattr(value, field.name) for field in fields(value)]
        stated = [part for part in given if part not in (None, ())]
        return " ".join(map(_describe_value, stated))
    if value in (None, ()):
        return "none"
    if isinstance(value, tuple):
        return " and ".join(map(_describe_value, value))
    return str(value)


MAX_NAMED_CARDS = 5
"""The most cards that a sentence about a set names. It counts more than that."""


def describe_changes(changes: Iterable[CardChange]) -> list[str]:
    """Return a sentence for each set, for example:

    winter.yaml changes Catapult (strength 10, not 8), removes Decoy
    """
    sets: dict[str, list[CardChange]] = {}
    for change in changes:
        sets.setdefault(change.set, []).append(change)
    sentences = []
    for name, set_changes in sets.items():
        sentences.append(f"{name} {', '.join(_describe_set(set_changes))}")
    return sentences


def _describe_set(changes: list[CardChange]) -> list[str]:
    groups: dict[str, list[CardChange]] = {"changes": [], "adds": [], "removes": []}
    for change in changes:
        if change.was is None:
            groups["adds"].append(change)
        elif change.now is None:
            groups["removes"].append(change)
        else:
            groups["changes"].append(change)
    return [f"{verb} {_list_changed(group)}" for verb, group in groups.items() if group]


def _list_changed(changes: list[CardChange]) -> str:
    if len(changes) > MAX_NAMED_CARDS:
        counts = Counter(change.about for change in changes)
        return " and ".join(plural(counts[about], about) for about in sorted(counts))
    names = []
    for change in changes:
        details = f" ({change.in_words})" if change.in_words else ""
        names.append(f"{change.name}{details}")
    return " and ".join(names)
