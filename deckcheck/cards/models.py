"""The records of a card database, and what sets change in them."""

from __future__ import annotations

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


# The kinds of words and numbers that card data is made of.

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


# Hints of a game for figures that are read off a deck unplayed.


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
    """The number of cards, unless the card or leader says it."""


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


# The records of a card database, as they stand in `card_db/<game>/*.yaml`.

LATER = {"later": True}
"""Marks fields that count in digests only where they have not their default.

So the digests of data that do without them stay what they were before.
"""


@dataclass(frozen=True, slots=True)
class CardAbility:
    """One ability of a card.

    In a file an ability is a word (`medic`) or a mapping of one key
    (`muster: {target: roach}`). Without group and target it is about cards of the same
    id.
    """

    __pydantic_config__ = CLOSED

    code: Identifier
    """The code of the ability, which the engine implements."""
    group: Identifier | None = None
    """The family of cards that it gathers, such as `crone`."""
    target: Identifier | None = None
    """The id of the one card that it reaches for."""
    row: Identifier | None = None
    """The row that it acts on, if that is not the card's own."""
    amount: Number | None = field(default=None, metadata=LATER)
    """How much or how many."""
    rows: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    """The rows that it acts on, if there are several."""

    @classmethod
    def from_file(cls, value: object) -> object:
        """The fields of an ability as a file writes it."""
        if isinstance(value, str):
            return {"code": value}
        if isinstance(value, dict) and len(value) == 1:
            [(code, parameters)] = value.items()
            if isinstance(parameters, dict) and "code" not in parameters:
                # pydantic, being strict, takes no list for a tuple from here.
                given = {
                    key: tuple(value) if isinstance(value, list) else value
                    for key, value in parameters.items()
                }
                return {"code": code, **given}
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
    """One card."""

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the card, unique within its game."""
    number: Number
    """The permanent number of the card within its game."""
    name: Name
    """The English name of the card."""
    kind: Identifier
    """The kind of the card, one of the game's `kinds`."""
    copies: Number
    """The number of copies that one deck can hold."""
    provenance: Identifier
    """Where the data of the card is from, one of the game's `provenances`."""
    faction: Identifier | None = None
    """The id of the card's faction; none in games without factions."""
    rows: tuple[Identifier, ...] = ()
    """The rows that the card can be played to; none for cards that are no units."""
    strength: Annotated[int, AtLeast(0)] | None = None
    """The printed strength; none for cards that are no units."""
    abilities: tuple[CardAbility, ...] = ()
    """The abilities of the card."""
    deckable: bool = True
    """Whether decks can hold it; if not, it comes into play by other cards only."""
    aliases: tuple[Name, ...] = ()
    """Other names of the card."""
    shield: bool = field(default=False, metadata=LATER)
    """Whether the card is untouchable."""
    tags: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    """Words that other cards may refer to."""
    known: bool = field(default=True, metadata=LATER)
    """Whether more than the name of the card is public."""

    def has(self, code: str) -> bool:
        """Whether the card has the ability `code`."""
        return any(ability.code == code for ability in self.abilities)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Which cards are meant: those that fit every list given, any word of a list."""

    kinds: tuple[Identifier, ...] = ()
    """The kinds of cards that are meant."""
    abilities: tuple[Identifier, ...] = ()
    """The abilities of which a card has one to be meant."""
    rows: tuple[Identifier, ...] = ()
    """The rows of which a card has one to be meant."""
    factions: tuple[Identifier, ...] = ()
    """The factions of the cards that are meant."""
    cards: tuple[Identifier, ...] = ()
    """The cards that are meant."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no list at all."""
        return self == Condition()

    def matches(self, card: Card) -> bool:
        """Whether the card is meant; without any list every card is."""
        return (
            (not self.kinds or card.kind in self.kinds)
            and (not self.factions or card.faction in self.factions)
            and (not self.cards or card.id in self.cards)
            and (not self.rows or any(row in self.rows for row in card.rows))
            and (not self.abilities or any(map(card.has, self.abilities)))
        )


@dataclass(frozen=True, slots=True)
class LeaderRecord:
    """One leader.

    Playing a leader is a turn unless it is `free`; a `passive` one is never played.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    """The id of the leader, unique within its game."""
    number: Number
    """The permanent number of the leader within its game."""
    name: Name
    """The English name of the leader."""
    title: str
    """The title of the leader; empty for none."""
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
    amount: Number | None = field(default=None, metadata=LATER)
    """How much or how many the ability is about."""
    target: Identifier | None = field(default=None, metadata=LATER)
    """The id of the card that the ability reaches for."""
    rows: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    """The rows that the ability acts on."""
    kind: Identifier | None = field(default=None, metadata=LATER)
    """The kind of the cards that the ability is about."""
    tag: Identifier | None = field(default=None, metadata=LATER)
    """The tag of the cards that the ability is about."""
    cards: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    """The ids of the cards that the ability is about."""
    free: bool = field(default=False, metadata=LATER)
    """Whether the leader can be played in addition to a turn."""
    known: bool = field(default=True, metadata=LATER)
    """Whether more than the name of the leader is public."""

    @property
    def full_name(self) -> str:
        """Name and title as players write them: `Foltest, The Siegemaster`."""
        return f"{self.name}, {self.title}" if self.title else self.name


@dataclass(frozen=True, slots=True)
class Faction:
    """One faction."""

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
    """A switch of play that formats set: one of `values`, or a number within bounds."""

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
    """The words of `seating: play` that it is for; none given, all."""

    def __post_init__(self) -> None:
        low, high = self.minimum, self.maximum
        if self.values:
            is_sound = low is None and high is None
        else:
            is_sound = low is not None and high is not None and low <= high
        if not is_sound:
            raise ValueError("an option has either values or a minimum and a maximum")

    def allows(self, value: object) -> bool:
        """Whether a format may set the option to `value`."""
        if type(value) is int and self.minimum is not None and self.maximum is not None:
            return self.minimum <= value <= self.maximum
        return any(type(value) is type(v) and value == v for v in self.values)

    def describe(self) -> str:
        """What is allowed, in words: `1 to 5`, or "`winner` or `alternate`"."""
        if not self.values:
            return f"{self.minimum} to {self.maximum}"
        words = [str(v).lower() if isinstance(v, bool) else v for v in self.values]
        return " or ".join(f"`{word}`" for word in words)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that a card is described by, where cards are written out in decks.

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
    """The largest number of these words on one card."""
    nothing: Identifier | None = None
    """The word that stands for none of these words."""
    random: Identifier | None = None
    """The option of play that says how several words are drawn at random."""

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
    """The keys that cards may and must have for one of their abilities; no others."""

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
    """A condition for cards or leaders with one of some abilities to be played."""

    __pydantic_config__ = CLOSED

    abilities: tuple[Identifier, ...]
    """The codes of the abilities."""
    kinds: tuple[Identifier, ...] = ()
    """The kinds of such cards; of a leader the kinds that it may name."""
    rows: tuple[Identifier, ...] = ()
    """The rows of such cards, exactly these."""
    most: Number | None = None
    """The largest amount, and the largest number of a leader's `cards`."""
    deckable: bool | None = None
    """What `deckable` of such cards has to be."""
    known: bool | None = None
    """What `known` of such cards or leaders has to be."""
    passive: bool | None = None
    """What `passive` of such leaders has to be."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The largest figures that can be played; no limit where none is given."""

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
    """What an ability does."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    """The code of the ability."""
    statement: Statement
    """The statement of the rules that has all of it."""
    text: Annotated[str, Filled(300)]
    """What the ability does, in a sentence."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game of the database: its vocabulary, against which cards are checked.

    No card depends on the fields from `leader_abilities` on, so no digest does.
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
    """The kinds of cards that have rows and a strength; others have neither."""
    rows: tuple[Identifier, ...]
    """The rows of the board."""
    abilities: tuple[Identifier, ...]
    """The codes of abilities that cards may have."""
    provenances: tuple[Identifier, ...]
    """The words for where data is from."""
    factions: tuple[Faction, ...] = ()
    """The factions, in games that have them."""
    neutral: Identifier | None = None
    """The id of the faction whose cards fit every deck."""
    options: tuple[GameOption, ...] = ()
    """The switches of play; a format sets all that are for its way to play."""
    random: Identifier | None = None
    """The option of play that says how a random deck is drawn."""
    attributes: tuple[Attribute, ...] = ()
    """What cards are described by, if every combination is a card."""
    leader_abilities: tuple[Identifier, ...] = field(default=(), compare=False)
    """The codes of abilities that leaders may have."""
    replaceable: bool = field(default=False, compare=False)
    """Whether sets may change cards and leaders of the game."""
    reserves: bool = field(default=False, compare=False)
    """Whether decks list reserve cards."""
    parameters: tuple[Parameters, ...] = field(default=(), compare=False)
    """The parameters of abilities; an ability without an entry takes none."""
    bounds: tuple[OptionBounds, ...] = field(default=(), compare=False)
    """What cards and leaders with some abilities have to be."""
    sizes: Sizes = field(default=Sizes(), compare=False)
    """The largest figures that can be played."""
    single: tuple[Identifier, ...] = field(default=(), compare=False)
    """The abilities of which a card that is no unit has one at most."""
    several_rows: Identifier | None = field(default=None, compare=False)
    """The ability that a card of several rows has."""
    beside_decks: tuple[Identifier, ...] = field(default=(), compare=False)
    """The kinds of cards that no deck holds."""
    texts: tuple[Text, ...] = field(default=(), compare=False)
    """What abilities of cards and leaders do, in sentences."""
    odds: OddsHints = field(default_factory=OddsHints, compare=False)
    """What the figures of `deckcheck stats` depend on."""


RECORDS = (
    *(Attribute, Card, CardAbility, Draw, Faction, GameOption, GameRecord),
    *(LeaderRecord, OddsHints, OptionBounds, Parameters, Sizes, Text, WeatherHints),
)
"""The classes that a checked database is made of."""


# Changes that sets make to the cards and leaders of a game.

R = TypeVar("R", Card, LeaderRecord)

NOT_TOLD = ("id", "number", "provenance")


@dataclass(frozen=True, slots=True)
class CardChange:
    """A change of one card or leader by sets: added, changed or removed.

    `was` is None for one that is added, `now` for one that is removed; at least one of
    them is given. `set` is the file that did it last, as messages show it, and `is_own`
    says that a format of a user's own names that file.
    """

    was: Card | LeaderRecord | None
    now: Card | LeaderRecord | None
    set: str
    is_own: bool

    @property
    def record(self) -> Card | LeaderRecord:
        """The card or leader, as it is now or was last."""
        record = self.now or self.was
        assert record is not None
        return record

    @property
    def file_name(self) -> str:
        """The name of the set's file, without folders and suffix: `winter`."""
        return PurePath(self.set).stem

    @property
    def about(self) -> Literal["card", "leader"]:
        """`card` or `leader`."""
        return "card" if isinstance(self.record, Card) else "leader"

    @property
    def name(self) -> str:
        """What the card or leader is called."""
        return name_of(self.record)

    @property
    def in_words(self) -> str:
        """What differs in one that is changed: `strength 10, not 8`."""
        if self.was is None or self.now is None:
            return ""
        names = [each.name for each in fields(self.now) if each.name not in NOT_TOLD]
        pairs = (
            (name, getattr(self.was, name), getattr(self.now, name)) for name in names
        )
        return "; ".join(
            f"{name} {_shown(new)}, not {_shown(old)}"
            for name, old, new in pairs
            if old != new
        )

    def as_data(self) -> ChangeDocument:
        """The change as JSON has it: what it is about, and what that was and is now."""
        return {
            "set": self.set,
            "about": self.about,
            "id": self.record.id,
            "name": self.name,
            "was": record_in_words(self.was) if self.was else None,
            "now": record_in_words(self.now) if self.now else None,
        }


def folded(changes: Iterable[CardChange]) -> tuple[CardChange, ...]:
    """One change for each card and leader, of several sets the last word."""
    latest: dict[tuple[str, str], CardChange] = {}
    for change in changes:
        key = (change.about, change.record.id)
        first = latest.pop(key, change)
        both = CardChange(first.was, change.now, change.set, change.is_own)
        is_changed = both.in_words if both.was and both.now else both.was or both.now
        if is_changed:
            latest[key] = both
    return tuple(latest.values())


def applied(
    unchanged: Mapping[str, R], shape: type[R], changes: Iterable[CardChange]
) -> dict[str, R]:
    """The records of one kind after the changes; new ones come last."""
    records = dict(unchanged)
    for change in changes:
        if isinstance(change.now, shape):
            records[change.now.id] = change.now
        elif isinstance(change.was, shape):
            records.pop(change.was.id, None)
    return records


def name_of(record: Card | LeaderRecord | Faction) -> str:
    """What a card, leader or faction is called, with the title."""
    return record.full_name if isinstance(record, LeaderRecord) else record.name


def record_in_words(record: Card | LeaderRecord) -> str:
    """What is printed on a card: `skellige unit, close, strength 2, berserker, 1 copy`.

    Of a leader: `skellige leader, scorch_enemy_close`.
    """
    if isinstance(record, LeaderRecord):
        passive = ["passive"] if record.passive else []
        return ", ".join([f"{record.faction} leader", record.ability, *passive])
    strength = [] if record.strength is None else [f"strength {record.strength}"]
    codes = [ability.code for ability in record.abilities]
    rows = [" or ".join(record.rows)] if record.rows else []
    side = plural(record.copies, "copy") if record.deckable else "side deck"
    kind = f"{record.faction or ''} {record.kind}".strip()
    return ", ".join([kind, *rows, *strength, *codes, side])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, CardAbility):
        given = (getattr(value, field.name) for field in fields(value))
        return " ".join(_shown(value) for value in given if value not in (None, ()))
    if isinstance(value, tuple) and value:
        return " and ".join(map(_shown, value))
    return "none" if value in (None, ()) else str(value)


MOST_NAMED = 5
"""Up to how many cards that a set adds, changes or removes are named."""


def change_lines(changes: Iterable[CardChange]) -> list[str]:
    """What sets do, a sentence for each of them.

    `winter.yaml changes Catapult (strength 10, not 8), removes Decoy`.
    """
    sets: dict[str, list[CardChange]] = {}
    for change in changes:
        sets.setdefault(change.set, []).append(change)
    return [
        f"{name} {', '.join(_verb_phrases(of_set))}" for name, of_set in sets.items()
    ]


def _verb_phrases(changes: list[CardChange]) -> list[str]:
    changed = [change for change in changes if change.was and change.now]
    phrases = (
        ("changes", changed),
        ("adds", [change for change in changes if change.was is None]),
        ("removes", [change for change in changes if change.now is None]),
    )
    return [f"{verb} {_named(done)}" for verb, done in phrases if done]


def _named(changes: list[CardChange]) -> str:
    if len(changes) > MOST_NAMED:
        counts = [
            plural(number, about)
            for about in ("card", "leader")
            if (number := sum(change.about == about for change in changes))
        ]
        return " and ".join(counts)
    return " and ".join(
        f"{change.name} ({change.in_words})" if change.in_words else change.name
        for change in changes
    )
