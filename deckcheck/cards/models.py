"""The records of a card database, as they stand in `card_db/<game>/*.yaml`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, Literal

from deckcheck.cards.odds import Draw, Odds, Weather
from deckcheck.cards.words import Identifier, Name, Number, Statement, Word
from deckcheck.findings.fields import CLOSED, AtLeast, Filled

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema


LATER = {"later": True}
"""Marks fields that count in digests only where they have not their default.

So the digests of data that do without them stay what they were before.
"""


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability of a card.

    `group` names a family (`crone`) that the ability gathers; `target` names the one
    card it reaches for (one-way muster, summon, transformation). Without either the
    ability is about cards of the same id. `row` is the row it acts on if that is not
    the card's own, `rows` are several. `amount` says how much or how many. In a file
    an ability is a word (`medic`) or a mapping of one key (`muster: {target: roach}`).
    """

    __pydantic_config__ = CLOSED

    code: Identifier
    group: Identifier | None = None
    target: Identifier | None = None
    row: Identifier | None = None
    amount: Number | None = field(default=None, metadata=LATER)
    rows: tuple[Identifier, ...] = field(default=(), metadata=LATER)

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
    """One card. `strength` is None and `rows` is empty for cards that are no units.

    `number` is the card's permanent number within its game. `faction` is None in games
    that have none. `copies` is how many one
    deck can hold; cards that are not `deckable` come into play by other cards only. A
    card with a `shield` is untouchable, `tags` are words that other cards may speak of.
    Of a card that is not `known` only the name is public.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    number: Number
    name: Name
    kind: Identifier
    copies: Number
    provenance: Identifier
    faction: Identifier | None = None
    rows: tuple[Identifier, ...] = ()
    strength: Annotated[int, AtLeast(0)] | None = None
    abilities: tuple[Ability, ...] = ()
    deckable: bool = True
    aliases: tuple[Name, ...] = ()
    shield: bool = field(default=False, metadata=LATER)
    tags: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    known: bool = field(default=True, metadata=LATER)

    def has(self, code: str) -> bool:
        """Whether the card has the ability `code`."""
        return any(ability.code == code for ability in self.abilities)


@dataclass(frozen=True, slots=True)
class Leader:
    """One leader; `ability` is a code that the engine implements.

    The ability may need an `amount`, the card it reaches for, its `rows`, the `kind` or
    `tag` of cards, or some `cards`. Playing a leader is a turn unless it is `free`; one
    that is `passive` is never played. Of one who is not `known` there is only a name.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    number: Number
    name: Name
    title: str
    faction: Identifier
    ability: Identifier
    passive: bool
    provenance: Identifier
    aliases: tuple[Name, ...] = ()
    amount: Number | None = field(default=None, metadata=LATER)
    target: Identifier | None = field(default=None, metadata=LATER)
    rows: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    kind: Identifier | None = field(default=None, metadata=LATER)
    tag: Identifier | None = field(default=None, metadata=LATER)
    cards: tuple[Identifier, ...] = field(default=(), metadata=LATER)
    free: bool = field(default=False, metadata=LATER)
    known: bool = field(default=True, metadata=LATER)

    @property
    def full_name(self) -> str:
        """Name and title as players write them: `Foltest, The Siegemaster`."""
        return f"{self.name}, {self.title}" if self.title else self.name


@dataclass(frozen=True, slots=True)
class Faction:
    """One faction; `ability` is a code that the engine implements, if it has one."""

    __pydantic_config__ = CLOSED

    id: Identifier
    name: Name
    ability: Identifier | None = None
    aliases: tuple[Name, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A switch of play that formats set: one of `values`, or a number within bounds.

    `plays` are the words of `seating: play` that it is for; none given, all.
    """

    __pydantic_config__ = CLOSED

    name: Identifier
    statement: Statement
    values: tuple[Word, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    plays: tuple[Identifier, ...] = ()

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

    It is a number from `minimum` to `maximum`, or up to `most` of `values`, for none of
    which may stand the word `nothing`. `random` names the option of play that says how
    several values are drawn at random.
    """

    __pydantic_config__ = CLOSED

    name: Identifier
    minimum: Annotated[int, AtLeast(0)] | None = None
    maximum: int | None = None
    values: tuple[Identifier, ...] = ()
    most: Number | None = None
    nothing: Identifier | None = None
    random: Identifier | None = None

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
    """What cards may and must say of one of their abilities; all else is refused.

    A card with the ability `needs` and the same amount has to be in the set.
    """

    __pydantic_config__ = CLOSED

    ability: Identifier
    may: tuple[Parameter, ...] = ()
    must: tuple[Parameter, ...] = ()
    needs: Identifier | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a card or leader with one of some abilities has to be to be played.

    `kinds` are the kinds of such cards, of a leader the kinds that may be named. The
    `amount` is `most` at most, and so is the number of `cards` of a leader. `rows` are
    exactly those of the card. `deckable`, `known` and `passive` are as given here.
    """

    __pydantic_config__ = CLOSED

    abilities: tuple[Identifier, ...]
    kinds: tuple[Identifier, ...] = ()
    rows: tuple[Identifier, ...] = ()
    most: Number | None = None
    deckable: bool | None = None
    known: bool | None = None
    passive: bool | None = None


@dataclass(frozen=True, slots=True)
class Sizes:
    """The largest figures that are played, None where there is no limit.

    `cards` are different cards and leaders together, `reserves` different cards that no
    deck holds.
    """

    __pydantic_config__ = CLOSED

    strength: Number | None = None
    amount: Number | None = None
    cards: Number | None = None
    reserves: Number | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """What an ability does, in a sentence; `statement` has all of it."""

    __pydantic_config__ = CLOSED

    ability: Identifier
    statement: Statement
    text: Annotated[str, Filled(300)]


@dataclass(frozen=True, slots=True)
class Game:
    """A game of the database: its vocabulary, against which cards are checked.

    `neutral` is the id of the faction whose cards fit every deck; a game may do without
    factions. `rows`, `kinds` and `abilities` list the words that cards may use; cards
    of `unit_kinds` have rows and a strength, others have neither. An ability that is
    not among the `parameters` takes none. `bounds` and `sizes` say which cards can be
    played: a card that is no unit has at most one of the `single` abilities, one of
    several rows has the ability `several_rows`, if there is one, and no deck holds
    cards of the kinds `beside_decks`. `texts` say what abilities of cards and leaders
    do, `odds` what figures of decks depend on. No card depends on any of these, so no
    digest does.
    `options` are the switches of play; a format sets all that are for its way to play.
    Sets may change cards and leaders of a game that is `replaceable`. Decks of one with
    `reserves` list reserve cards.
    `random` names the one that says how a random deck is drawn. Where cards are
    described by `attributes` there is no list of cards: every combination is one.
    """

    __pydantic_config__ = CLOSED

    id: Identifier
    name: Name
    edition: str
    kinds: tuple[Identifier, ...]
    unit_kinds: tuple[Identifier, ...]
    rows: tuple[Identifier, ...]
    abilities: tuple[Identifier, ...]
    provenances: tuple[Identifier, ...]
    factions: tuple[Faction, ...] = ()
    neutral: Identifier | None = None
    options: tuple[Option, ...] = ()
    random: Identifier | None = None
    attributes: tuple[Attribute, ...] = ()
    leader_abilities: tuple[Identifier, ...] = field(default=(), compare=False)
    replaceable: bool = field(default=False, compare=False)
    reserves: bool = field(default=False, compare=False)
    parameters: tuple[Parameters, ...] = field(default=(), compare=False)
    bounds: tuple[Bounds, ...] = field(default=(), compare=False)
    sizes: Sizes = field(default=Sizes(), compare=False)
    single: tuple[Identifier, ...] = field(default=(), compare=False)
    several_rows: Identifier | None = field(default=None, compare=False)
    beside_decks: tuple[Identifier, ...] = field(default=(), compare=False)
    texts: tuple[Text, ...] = field(default=(), compare=False)
    odds: Odds = field(default_factory=Odds, compare=False)


RECORDS = (
    *(Ability, Attribute, Bounds, Card, Faction, Game, Leader, Option, Parameters),
    *(Draw, Odds, Sizes, Text, Weather),
)
"""The classes that a checked database is made of."""
