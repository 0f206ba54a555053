"""Read the files of a card database, and check its records against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, get_args

from deckcheck.cards.attributes import count_values
from deckcheck.cards.models import (
    Card,
    CardAbility,
    Faction,
    GameRecord,
    LeaderRecord,
    OptionBounds,
    Parameter,
    Parameters,
    full_name,
)
from deckcheck.cards.names import normalise
from deckcheck.cards.storage import DatabaseError, list_defects, shown_path
from deckcheck.documents.readers import Source, SourceDefect, SourceError
from deckcheck.documents.records import did_you_mean
from deckcheck.messages import choice

PARAMETER_NAMES = get_args(Parameter)
"""The parameters of abilities, which are keys of a leader itself."""

MAX_DESCRIBED_CARDS = 5000
"""The most different cards that the attributes of a game may make."""

Place: TypeAlias = tuple[str | int, ...]
GivenWords: TypeAlias = str | Sequence[str] | None
Defects: TypeAlias = Iterator[SourceDefect]
PlacedCards: TypeAlias = Sequence[tuple[int | str, Card]]
PlacedLeaders: TypeAlias = Sequence[tuple[int | str, LeaderRecord]]
"""Records with their index in the file, or with their key."""


class Checker:
    """Checks the records of a file by the words of their game and against each other.

    Only certain errors are refused.
    """

    def __init__(self, source: Source, game: GameRecord) -> None:
        self.source = source
        self.game = game
        self.defect = source.defect

    # Words that a game, a card or a leader uses.

    def check_words(
        self, at: Place, what: str, given: GivenWords, allowed: Collection[str]
    ) -> Defects:
        """Yield the defect of an unknown word, or of each unknown word of a list."""
        words = [(at, given)]
        if not isinstance(given, str):
            words = [((*at, index), word) for index, word in enumerate(given or ())]
        for location, word in words:
            if word not in allowed:
                hint = did_you_mean(str(word), allowed)
                yield self.defect(location, f"unknown {what} `{word}`{hint}")

    def check_repeated(self, at: Place, words: Sequence[str]) -> Defects:
        """Yield a defect for each word that a list has a second time."""
        for index, word in enumerate(words):
            if word in words[:index]:
                yield self.defect((*at, index), f"`{word}` is given twice")

    def check_unique(self, values: Iterable[tuple[Place, str | int]]) -> Defects:
        """Yield a defect for each value that an earlier place has, too."""
        first: dict[str, Place] = {}
        for location, value in values:
            key = normalise(str(value))
            if key in first:
                line = self.source.document.span(first[key]).start.line
                message = f"{location[-1]} `{value}` is already taken on line {line}"
                yield self.defect(location, message)
            first.setdefault(key, location)

    def check_names(
        self,
        placed: PlacedCards | Sequence[tuple[int, Faction]],
        under: Place = (),
        others: Iterable[Card] = (),
    ) -> Defects:
        """Yield defects of names that two records share, and of superfluous aliases."""
        owners: dict[str, str] = {}
        for other in others:
            names = (other.id, other.name, *other.aliases)
            owners |= dict.fromkeys(map(normalise, names), other.id)
        owners |= {normalise(record.id): record.id for _, record in placed}
        for index, record in placed:
            keys = {normalise(record.id)}
            for location, name in _list_names((*under, index), record):
                key = normalise(name)
                owner = owners.setdefault(key, record.id)
                if not key:
                    yield self.defect(location, f"`{name}` has no letters or digits")
                elif owner != record.id:
                    yield self.defect(location, f"`{name}` is also a name of `{owner}`")
                elif "aliases" in location and key in keys:
                    yield self.defect(location, f"alias `{name}` repeats another name")
                keys.add(key)

    def check_taken(
        self,
        placed: PlacedCards | PlacedLeaders,
        others: Collection[Card] | Collection[LeaderRecord],
    ) -> Defects:
        """Yield defects of ids, numbers and titles that belong to `others` already."""
        owners: dict[str | int, str] = {}
        for other in others:
            owners[other.id] = owners[other.number] = full_name(other)
            if isinstance(other, LeaderRecord):
                owners[normalise(other.full_name)] = other.full_name
        for index, record in placed:
            fields: list[tuple[str, str | int, str | int]] = [
                ("id", record.id, record.id),
                ("number", record.number, record.number),
            ]
            if isinstance(record, LeaderRecord) and record.id not in owners:
                name = record.full_name
                fields.append(("title", name, normalise(name)))
            for field, value, key in fields:
                if key in owners:
                    message = f"{field} `{value}` already belongs to `{owners[key]}`"
                    yield self.defect((index, field), message)

    # The game itself.

    def check_game(self) -> Defects:
        """Yield defects of words given twice, and of words missing in the lists."""
        game = self.game
        for field in ("kinds", "unit_kinds", "rows", "abilities", "provenances"):
            yield from self.check_repeated((field,), getattr(game, field))
        for location, what, given, allowed in _list_game_words(game):
            yield from self.check_words(location, what, given, allowed)
        keys = (("factions", "id"), ("options", "name"), ("texts", "ability"))
        for key, field in keys:
            values = []
            for index, record in enumerate(getattr(game, key)):
                values.append(((key, index, field), getattr(record, field)))
            yield from self.check_unique(values)
        yield from self.check_names(list(enumerate(game.factions)), ("factions",))
        yield from self.check_parameters()
        if game.attributes:
            yield from self.check_attributes()

    def check_parameters(self) -> Defects:
        """Yield defects of parameters that are repeated, or required and allowed."""
        seen: set[str] = set()
        for index, parameter in enumerate(self.game.parameters):
            location = ("parameters", index)
            code = parameter.ability
            if code in seen:
                yield self.defect((*location, "ability"), f"`{code}` is given twice")
            seen.add(code)
            for position, name in enumerate(parameter.must):
                if name in parameter.may:
                    message = f"`{name}` cannot be both in `may` and in `must`"
                    yield self.defect((*location, "must", position), message)

    def check_attributes(self) -> Defects:
        """Yield defects of attributes: ambiguous words, or too many cards."""
        game = self.game
        first: set[str] = set()
        for location, word in _list_attribute_words(game):
            key = normalise(word)
            if key in first:
                yield self.defect(location, f"`{word}` is given twice")
            first.add(key)
            if "values" in location and word not in game.abilities:
                yield self.defect(location, f"`{word}` is not an ability of the game")
        numbers = [
            i for i, attribute in enumerate(game.attributes) if not attribute.values
        ]
        for index in numbers[1:]:
            message = "only one attribute can be a number, "
            message += "else nobody could tell which is meant"
            yield self.defect(("attributes", index), message)
        if not (game.kinds and game.provenances):
            yield self.defect((), "cards need a kind and a provenance")
        if prod(map(count_values, game.attributes)) > MAX_DESCRIBED_CARDS:
            most = f"more than {MAX_DESCRIBED_CARDS:,} different cards"
            yield self.defect(("attributes",), f"the attributes make {most}")

    # Cards and leaders, each by itself.

    def check_cards(
        self, cards: PlacedCards, ids: frozenset[str], others: Collection[Card] = ()
    ) -> Defects:
        """Yield the defects of cards.

        `ids` are all ids of the file, with the ids of invalid cards, so that references
        to them are not reported. `others` are the cards of the game that a set leaves
        unchanged.
        """
        ids |= {card.id for card in others}
        yield from self.check_unique(((i, "id"), card.id) for i, card in cards)
        yield from self.check_unique(_list_numbers(cards))
        yield from self.check_taken(cards, others)
        yield from self.check_names(cards, others=others)
        families: Counter[tuple[str, str | None]] = Counter()
        for card in (*others, *[card for _, card in cards]):
            families.update((each.code, each.group) for each in card.abilities)
        factions = [faction.id for faction in self.game.factions]
        for index, card in cards:
            if factions and card.faction is None:
                yield self.defect((index,), f"`{card.id}` has no faction")
            yield from self.check_card_words(index, card, factions)
            yield from self.check_card_shape(index, card)
            yield from self.check_card_playable((index,), card)
            yield from self.check_card_abilities(index, card, ids, families)

    def check_leaders(
        self,
        leaders: PlacedLeaders,
        cards: Collection[str],
        others: Collection[LeaderRecord] = (),
    ) -> Defects:
        """Yield the defects of leaders.

        `cards` are the ids of all cards, `others` the leaders that a set leaves
        unchanged.
        """
        game = self.game
        yield from self.check_unique(((i, "id"), lead.id) for i, lead in leaders)
        yield from self.check_unique(_list_numbers(leaders))
        yield from self.check_unique(
            ((i, "title"), lead.full_name) for i, lead in leaders
        )
        yield from self.check_taken(leaders, others)
        factions = [
            faction.id for faction in game.factions if faction.id != game.neutral
        ]
        first: dict[str, str] = {}
        for other in others:
            names = (other.name, *other.aliases)
            first |= dict.fromkeys(map(normalise, names), other.faction)
        words = game.leader_abilities
        for index, lead in leaders:
            location = (index,)
            if words and lead.ability not in words:
                code = (index, "ability")
                yield from self.check_words(code, "ability", lead.ability, words)
            else:
                yield from self.check_ability(location, lead, cards)
            yield from self.check_leader_playable(location, lead)
            for what, given, allowed in (
                ("faction", lead.faction, factions),
                ("provenance", lead.provenance, game.provenances),
            ):
                yield from self.check_words((*location, what), what, given, allowed)
            for name_location, name in _list_names(location, lead):
                if first.setdefault(normalise(name), lead.faction) != lead.faction:
                    message = f"`{name}` also names a leader of another faction"
                    yield self.defect(name_location, message)

    def check_sizes(
        self, cards: Collection[Card], leaders: Collection[LeaderRecord]
    ) -> Defects:
        """Yield a defect if there are more cards or leaders than can be played.

        `cards` and `leaders` are all records of the game.
        """
        beside = sum(not card.deckable for card in cards)
        sizes = self.game.sizes
        for what, number, most in (
            ("cards and leaders", len(cards) + len(leaders), sizes.cards),
            ("cards that no deck holds", beside, sizes.reserves),
        ):
            if most is not None and number > most:
                message = f"the game would have {number} {what}"
                yield self.defect((), f"{message}, at most {most} are played")

    def check_card_words(
        self, i: int | str, card: Card, factions: list[str]
    ) -> Defects:
        """Yield defects of unknown and of repeated words."""
        game = self.game
        codes = [ability.code for ability in card.abilities]
        for field, what, given, allowed in (
            ("faction", "faction", card.faction, factions),
            ("kind", "kind", card.kind, game.kinds),
            ("provenance", "provenance", card.provenance, game.provenances),
            ("rows", "row", card.rows, game.rows),
            ("abilities", "ability", codes, game.abilities),
        ):
            if not isinstance(given, str):
                yield from self.check_repeated((i, field), given or ())
            yield from self.check_words((i, field), what, given, allowed)

    def check_card_shape(self, i: int | str, card: Card) -> Defects:
        """Yield defects of rows and strength, which units have, and only units."""
        is_unit = card.kind in self.game.unit_kinds
        given = {"rows": bool(card.rows), "strength": card.strength is not None}
        for field, is_given in given.items():
            about = f"`{card.id}` is a {card.kind}"
            if is_unit and not is_given and card.known:
                yield self.defect((i,), f"{about} without {field}")
            elif is_given and not is_unit and card.kind in self.game.kinds:
                message = f"{about} and cannot have {field}"
                yield self.source.key_defect((i, field), message)

    # Abilities: everything that a card has is played.

    def check_card_abilities(
        self,
        index: int | str,
        card: Card,
        ids: Collection[str],
        families: Counter[tuple[str, str | None]],
    ) -> Defects:
        """Yield defects of a card's abilities, and of families of a single card."""
        for position, ability in enumerate(card.abilities):
            if ability.code not in self.game.abilities:
                continue
            location = (index, "abilities", position)
            yield from self.check_ability(location, ability, ids)
            wanted = self.find_parameters(ability.code)
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = (
                    f"`{card.id}` is alone in the group `{ability.group}`: "
                    f"write `{ability.code}`, which is about copies of the card"
                )
                yield self.defect(location, message)

    def find_parameters(self, code: str) -> Parameters:
        """Return the parameters that the game lets an ability have."""
        taken = {parameter.ability: parameter for parameter in self.game.parameters}
        return taken.get(code, Parameters(code))

    def check_ability(
        self, at: Place, ability: CardAbility | LeaderRecord, ids: Collection[str]
    ) -> Defects:
        """Yield defects of parameters of an ability, and of its dead references."""
        code = _read_ability_code(ability)
        wanted = self.find_parameters(code)
        allowed = (*wanted.must, *wanted.may)
        for name in PARAMETER_NAMES:
            if _get_parameter(ability, name) and name not in allowed:
                only = f", only {choice(allowed, 'and')}" if allowed else ""
                message = f"`{code}` takes no `{name}`{only}"
                yield self.source.key_defect((*at, name), message)
        for name in wanted.must:
            if not _get_parameter(ability, name):
                is_leader = isinstance(ability, LeaderRecord)
                example = f"{name}: ..." if is_leader else f"{code}: {{{name}: ...}}"
                yield self.defect(at, f"`{code}` needs `{name}`, write `{example}`")
        if _get_parameter(ability, "group") and _get_parameter(ability, "target"):
            message = f"`{code}` takes a `group` or a `target`, not both"
            yield self.source.key_defect((*at, "target"), message)
        for what, single, several, known in (
            ("card", "target", "cards", ids),
            ("row", "row", "rows", self.game.rows),
            ("kind", "kind", "", self.game.kinds),
        ):
            words = [_get_parameter(ability, single)]
            words += _get_parameter(ability, several) or ()
            for word in words:
                yield from self.check_words(at, what, word, known)

    # Cards and leaders that prevent a game, by `bounds`, `sizes`, `single`,
    # `several_rows` and `beside_decks` of the game. Only the name of a record that is
    # not `known` is public, so it is not checked.

    def check_card_playable(self, at: Place, card: Card) -> Defects:
        """Yield the reasons why games with a card could not be played."""
        if not card.known:
            return
        game = self.game
        most = self.game.sizes.strength
        if most is not None and (card.strength or 0) > most:
            message = f"a strength is at most {most}, found {card.strength}"
            yield self.defect((*at, "strength"), message)
        if card.deckable and card.kind in game.beside_decks:
            message = f"`{card.id}` is a {card.kind}, which no deck holds"
            yield self.defect((*at, "kind"), f"{message}: add `deckable: false`")
        for index, ability in enumerate(card.abilities):
            location = (*at, "abilities", index)
            yield from self.check_ability_playable(location, card, ability)
        codes = [ability.code for ability in card.abilities]
        single = [index for index, code in enumerate(codes) if code in game.single]
        if card.kind not in game.unit_kinds and len(single) > 1:
            first = codes[single[0]]
            second = codes[single[1]]
            message = f"a {card.kind} cannot have both `{first}` and `{second}`"
            yield self.defect((*at, "abilities", single[1]), message)
        several = game.several_rows
        if several is not None and len(card.rows) > 1 and several not in codes:
            message = f"a card of several rows needs the ability `{several}`"
            yield self.defect((*at, "rows"), message)

    def check_ability_playable(
        self, at: Place, card: Card, ability: CardAbility
    ) -> Defects:
        """Yield defects of a card that does not fit the bounds of its ability."""
        code = ability.code
        game = self.game
        all_bounds = [bounds for bounds in game.bounds if code in bounds.abilities]
        limits = [game.sizes.amount, *[bounds.most for bounds in all_bounds]]
        most = min(filter(None, limits), default=None)
        yield from self.check_amount(at, ability, most)
        for bounds in all_bounds:
            kinds = bounds.kinds if card.kind in game.kinds else ()
            if kinds and card.kind not in kinds:
                message = f"`{code}` is for cards of the kind {choice(kinds)}"
                yield self.defect(at, f"{message}, `{card.id}` is a {card.kind}")
            elif bounds.rows and card.rows and {*card.rows} != {*bounds.rows}:
                rows = choice(bounds.rows, "and")
                yield self.defect(at, f"a card with `{code}` has the rows {rows}")
            elif bounds.deckable is False and card.deckable:
                message = f"no deck holds a card with `{code}`"
                yield self.defect(
                    at, f"{message}, add `deckable: false` to `{card.id}`"
                )

    def check_amount(
        self, at: Place, ability: CardAbility | LeaderRecord, most: int | None
    ) -> Defects:
        """Yield a defect if an amount is larger than can be played."""
        if most is not None and (ability.amount or 0) > most:
            message = f"the amount of `{_read_ability_code(ability)}` is at most {most}"
            yield self.defect((*at, "amount"), f"{message}, found {ability.amount}")

    def check_leader_playable(self, at: Place, leader: LeaderRecord) -> Defects:
        """Yield the reasons why games with a leader could not be played."""
        if not leader.known:
            return
        if leader.free and leader.passive:
            message = "a passive leader is never played, so `free` means nothing"
            yield self.defect((*at, "free"), message)
        for bounds in self.game.bounds:
            if leader.ability in bounds.abilities:
                yield from self.check_leader_bounds(at, leader, bounds)

    def check_leader_bounds(
        self, at: Place, leader: LeaderRecord, bounds: OptionBounds
    ) -> Defects:
        """Yield defects of a leader that does not fit the bounds of its ability."""
        code = leader.ability
        most = bounds.most
        yield from self.check_amount(at, leader, most)
        if most is not None and len(leader.cards) > most:
            message = f"`{code}` names at most {most} cards, found {len(leader.cards)}"
            yield self.defect((*at, "cards"), message)
        if bounds.kinds and leader.kind is not None and leader.kind not in bounds.kinds:
            message = f"`{code}` finds no {leader.kind}, only {choice(bounds.kinds)}"
            yield self.defect((*at, "kind"), message)
        if bounds.passive is not None and leader.passive != bounds.passive:
            word = str(bounds.passive).lower()
            message = f"a leader with `{code}` has `passive: {word}`"
            yield self.defect((*at, "passive"), message)
        if bounds.known is False:
            message = f"`{code}` is for leaders with `known: false`"
            yield self.defect((*at, "ability"), message)


def _list_game_words(
    game: GameRecord,
) -> Iterator[tuple[Place, str, GivenWords, Collection[str]]]:
    """Yield each of the game's own words: location, kind, value, and allowed words."""
    of_cards = game.abilities
    of_leaders = game.leader_abilities
    options = [option.name for option in game.options]
    yield ("unit_kinds",), "kind", game.unit_kinds, game.kinds
    yield (
        ("neutral",),
        "faction",
        game.neutral,
        [faction.id for faction in game.factions],
    )
    yield ("random",), "option", game.random, options
    yield ("single",), "ability", game.single, of_cards
    yield ("several_rows",), "ability", game.several_rows, of_cards
    yield ("beside_decks",), "kind", game.beside_decks, game.kinds
    for index, parameter in enumerate(game.parameters):
        location: Place = ("parameters", index)
        words = (*of_cards, *of_leaders)
        yield (*location, "ability"), "ability", parameter.ability, words
        yield (*location, "needs"), "ability", parameter.needs, of_cards
    for index, bounds in enumerate(game.bounds):
        location = ("bounds", index)
        words = (*of_cards, *of_leaders)
        yield (*location, "abilities"), "ability", bounds.abilities, words
        yield (*location, "kinds"), "kind", bounds.kinds, game.kinds
        yield (*location, "rows"), "row", bounds.rows, game.rows
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "random"), "option", attribute.random, options
    odds = game.odds
    yield ("odds", "untouchable"), "kind", odds.untouchable, game.kinds
    yield ("odds", "weatherproof"), "ability", odds.weatherproof, of_cards
    for key, words in (
        ("weather", of_cards),
        ("draws", of_cards),
        ("opening", of_leaders),
    ):
        for index, hint in enumerate(getattr(odds, key)):
            yield ("odds", key, index, "ability"), "ability", hint.ability, words


def _list_attribute_words(game: GameRecord) -> Iterator[tuple[Place, str]]:
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "name"), attribute.name
        for position, value in enumerate(attribute.values):
            yield ("attributes", index, "values", position), value
        if attribute.nothing is not None:
            yield ("attributes", index, "nothing"), attribute.nothing


def _read_ability_code(ability: CardAbility | LeaderRecord) -> str:
    return ability.code if isinstance(ability, CardAbility) else ability.ability


def _get_parameter(ability: CardAbility | LeaderRecord, name: str) -> Any:
    """Return a parameter of an ability, None or empty if it is not given."""
    return getattr(ability, name, None)


def _list_numbers(
    placed: PlacedCards | PlacedLeaders,
) -> Iterable[tuple[Place, int]]:
    """Yield a number for each id, since several records of an id share it in a set."""
    by_id = {record.id: ((i, "number"), record.number) for i, record in placed}
    return by_id.values()


def _list_names(
    at: Place, record: Card | Faction | LeaderRecord
) -> Iterator[tuple[Place, str]]:
    yield (*at, "name"), record.name
    for index, alias in enumerate(record.aliases):
        yield (*at, "aliases", index), alias


# The files of a card database

R = TypeVar("R", bound=Card | LeaderRecord)


def read_game(
    root: Path, game_id: str
) -> tuple[GameRecord, tuple[Card, ...], tuple[LeaderRecord, ...]]:
    """Read a game, its cards if a file lists them, and its leaders.

    Raises DatabaseError with every defect of the files.
    """
    defects: list[SourceDefect] = []
    try:
        game = _read_game(_open_file(root, game_id, "game.yaml"), game_id, defects)
        if game is not None:
            cards, leaders = _read_cards(root, game, defects)
    except SourceError as error:
        defects.append(error.defect)
    if defects or game is None:
        raise DatabaseError(list_defects(f"card database `{game_id}`", defects))
    return game, cards, leaders


def _open_file(root: Path, game_id: str, name: str) -> Source:
    file = root / game_id / name
    return Source.open(file, shown_path(file, root))


def _read_game(
    source: Source, game_id: str, defects: list[SourceDefect]
) -> GameRecord | None:
    game = source.read_record(GameRecord, source.document.data, (), defects)
    if game is None:
        return None
    wrong = list(Checker(source, game).check_game())
    if game.id != game_id:
        message = f"the id is `{game.id}`, but the folder is called `{game_id}`"
        wrong.append(source.defect(("id",), message))
    defects += wrong
    return None if wrong else game


def _read_cards(
    root: Path, game: GameRecord, defects: list[SourceDefect]
) -> tuple[tuple[Card, ...], tuple[LeaderRecord, ...]]:
    if game.attributes:
        return (), ()
    source = _open_file(root, game.id, "cards.yaml")
    checker = Checker(source, game)
    placed = list(read_records(source, Card, defects))
    defects += checker.check_cards(placed, read_ids(source))
    cards = tuple(card for _, card in placed)
    leaders: tuple[LeaderRecord, ...] = ()
    if game.factions or (root / game.id / "leaders.yaml").exists():
        beside = _open_file(root, game.id, "leaders.yaml")
        leading = list(read_records(beside, LeaderRecord, defects))
        ids = [card.id for card in cards]
        defects += Checker(beside, game).check_leaders(leading, ids)
        leaders = tuple(leader for _, leader in leading)
    defects += checker.check_sizes(cards, leaders)
    return cards, leaders


def read_records(
    source: Source, model: type[R], defects: list[SourceDefect]
) -> Iterator[tuple[int, R]]:
    """Yield the valid records of a file, each with its index, and add the defects."""
    entries = source.document.data
    if not isinstance(entries, list):
        defects.append(source.defect((), "expected a list of records"))
        return
    for index, entry in enumerate(entries):
        record = source.read_record(model, entry, (index,), defects)
        if record is not None:
            yield index, record


def read_ids(source: Source) -> frozenset[str]:
    """Return the ids of all records of a file, valid or not."""
    entries = source.document.data
    if not isinstance(entries, list):
        return frozenset()
    ids = (entry.get("id") for entry in entries if isinstance(entry, dict))
    return frozenset(id for id in ids if isinstance(id, str))
