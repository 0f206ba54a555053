"""Reads the files of a card database, and checks its records against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, get_args

from deckcheck.cards.attributes import ways
from deckcheck.cards.models import (
    Card,
    CardAbility,
    Faction,
    GameRecord,
    LeaderRecord,
    OptionBounds,
    Parameter,
    Parameters,
    name_of,
)
from deckcheck.cards.names import normalise
from deckcheck.cards.storage import DatabaseError, list_defects, shown_path
from deckcheck.documents.readers import Source, SourceDefect, SourceError
from deckcheck.documents.records import did_you_mean
from deckcheck.messages import choice

PARAMETERS = get_args(Parameter)
"""What may be said of an ability: after the word of a card, in a leader's own keys."""

MOST_DESCRIBED = 5000
"""How many different cards the attributes of a game may make."""

Place: TypeAlias = tuple[str | int, ...]
Given: TypeAlias = str | Sequence[str] | None
Defects: TypeAlias = Iterator[SourceDefect]
PlacedCards: TypeAlias = Sequence[tuple[int | str, Card]]
PlacedLeaders: TypeAlias = Sequence[tuple[int | str, LeaderRecord]]
"""Records with their index in the file, or the key that they stand under."""


class Checker:
    """Checks the records of a file: by the words of their game, against each other.

    Only what is certainly wrong is refused.
    """

    def __init__(self, source: Source, game: GameRecord) -> None:
        self.source = source
        self.game = game
        self.defect = source.defect

    # Words that a game, a card or a leader uses.

    def unknown(
        self, at: Place, what: str, given: Given, allowed: Collection[str]
    ) -> Defects:
        """A word that is not allowed, or each such word of a list."""
        words = [(at, given)]
        if not isinstance(given, str):
            words = [((*at, place), word) for place, word in enumerate(given or ())]
        for place, word in words:
            if word not in allowed:
                hint = did_you_mean(str(word), allowed)
                yield self.defect(place, f"unknown {what} `{word}`{hint}")

    def repeated(self, at: Place, words: Sequence[str]) -> Defects:
        """Each word of a list that is there a second time."""
        for place, word in enumerate(words):
            if word in words[:place]:
                yield self.defect((*at, place), f"`{word}` is given twice")

    def unique(self, values: Iterable[tuple[Place, str | int]]) -> Defects:
        """Values that stand at an earlier place, too."""
        first: dict[str, Place] = {}
        for at, value in values:
            key = normalise(str(value))
            if key in first:
                line = self.source.document.span(first[key]).start.line
                message = f"{at[-1]} `{value}` is already taken on line {line}"
                yield self.defect(at, message)
            first.setdefault(key, at)

    def names_of_one(
        self,
        records: PlacedCards | Sequence[tuple[int, Faction]],
        under: Place = (),
        others: Iterable[Card] = (),
    ) -> Defects:
        """Every id, name and alias stands for one record, and an alias is of use."""
        owners = {
            normalise(name): other.id
            for other in others
            for name in (other.id, other.name, *other.aliases)
        }
        owners |= {normalise(record.id): record.id for _, record in records}
        for index, record in records:
            said = {normalise(record.id)}
            for at, name in _names((*under, index), record):
                key = normalise(name)
                owner = owners.setdefault(key, record.id)
                if not key:
                    yield self.defect(at, f"`{name}` has no letters or digits")
                elif owner != record.id:
                    yield self.defect(at, f"`{name}` is also a name of `{owner}`")
                elif "aliases" in at and key in said:
                    yield self.defect(at, f"alias `{name}` repeats another name")
                said.add(key)

    def taken(
        self,
        records: PlacedCards | PlacedLeaders,
        others: Collection[Card] | Collection[LeaderRecord],
    ) -> Defects:
        """Ids, numbers and titles that other cards or leaders have already."""
        owners: dict[str | int, str] = {}
        for other in others:
            owners[other.id] = owners[other.number] = name_of(other)
            if isinstance(other, LeaderRecord):
                owners[normalise(other.full_name)] = other.full_name
        for index, record in records:
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
        """Words given twice, and words that the game's own lists lack."""
        game = self.game
        for field in ("kinds", "unit_kinds", "rows", "abilities", "provenances"):
            yield from self.repeated((field,), getattr(game, field))
        for at, what, given, allowed in _words_of_game(game):
            yield from self.unknown(at, what, given, allowed)
        keys = (("factions", "id"), ("options", "name"), ("texts", "ability"))
        for key, field in keys:
            records = enumerate(getattr(game, key))
            values = (((key, i, field), getattr(one, field)) for i, one in records)
            yield from self.unique(values)
        yield from self.names_of_one(list(enumerate(game.factions)), ("factions",))
        yield from self.parameters()
        if game.attributes:
            yield from self.attributes()

    def parameters(self) -> Defects:
        """Parameters of abilities that are given twice, or both asked and allowed."""
        seen: set[str] = set()
        for index, parameter in enumerate(self.game.parameters):
            at, code = ("parameters", index), parameter.ability
            if code in seen:
                yield self.defect((*at, "ability"), f"`{code}` is given twice")
            seen.add(code)
            for place, name in enumerate(parameter.must):
                if name in parameter.may:
                    message = f"`{name}` cannot be both in `may` and in `must`"
                    yield self.defect((*at, "must", place), message)

    def attributes(self) -> Defects:
        """Attributes whose words nobody could tell apart, or of too many cards."""
        game = self.game
        first: set[str] = set()
        for at, word in _words_of_attributes(game):
            key = normalise(word)
            if key in first:
                yield self.defect(at, f"`{word}` is given twice")
            first.add(key)
            if "values" in at and word not in game.abilities:
                yield self.defect(at, f"`{word}` is not an ability of the game")
        numbers = [i for i, one in enumerate(game.attributes) if not one.values]
        for index in numbers[1:]:
            message = "only one attribute can be a number, "
            message += "else nobody could tell which is meant"
            yield self.defect(("attributes", index), message)
        if not (game.kinds and game.provenances):
            yield self.defect((), "cards need a kind and a provenance")
        if prod(ways(attribute) for attribute in game.attributes) > MOST_DESCRIBED:
            most = f"more than {MOST_DESCRIBED:,} different cards"
            yield self.defect(("attributes",), f"the attributes make {most}")

    # Cards and leaders that are valid one by one.

    def check_cards(
        self, cards: PlacedCards, ids: frozenset[str], others: Collection[Card] = ()
    ) -> Defects:
        """What is wrong with cards.

        `ids` are all ids of the file, those of invalid cards too: references to them
        are not reported. `others` are the cards of the game that a set leaves as they
        are.
        """
        ids |= {card.id for card in others}
        yield from self.unique(((i, "id"), card.id) for i, card in cards)
        yield from self.unique(_numbers(cards))
        yield from self.taken(cards, others)
        yield from self.names_of_one(cards, others=others)
        families = Counter(
            (ability.code, ability.group)
            for card in (*others, *(card for _, card in cards))
            for ability in card.abilities
        )
        factions = [faction.id for faction in self.game.factions]
        for index, card in cards:
            if factions and card.faction is None:
                yield self.defect((index,), f"`{card.id}` has no faction")
            yield from self.words_of_card(index, card, factions)
            yield from self.shape_of_card(index, card)
            yield from self.unplayed_card((index,), card)
            yield from self.abilities_of_card(index, card, ids, families)

    def check_leaders(
        self,
        leaders: PlacedLeaders,
        cards: Collection[str],
        others: Collection[LeaderRecord] = (),
    ) -> Defects:
        """What is wrong with leaders.

        `cards` are all ids of cards, `others` the leaders that a set leaves as they
        are.
        """
        game = self.game
        yield from self.unique(((i, "id"), lead.id) for i, lead in leaders)
        yield from self.unique(_numbers(leaders))
        yield from self.unique(((i, "title"), lead.full_name) for i, lead in leaders)
        yield from self.taken(leaders, others)
        factions = [one.id for one in game.factions if one.id != game.neutral]
        first = {
            normalise(name): other.faction
            for other in others
            for name in (other.name, *other.aliases)
        }
        words = game.leader_abilities
        for index, lead in leaders:
            at = (index,)
            if words and lead.ability not in words:
                code = (index, "ability")
                yield from self.unknown(code, "ability", lead.ability, words)
            else:
                yield from self.ability(at, lead, cards)
            yield from self.unplayed_leader(at, lead)
            for what, given, allowed in (
                ("faction", lead.faction, factions),
                ("provenance", lead.provenance, game.provenances),
            ):
                yield from self.unknown((*at, what), what, given, allowed)
            for place, name in _names(at, lead):
                if first.setdefault(normalise(name), lead.faction) != lead.faction:
                    message = f"`{name}` also names a leader of another faction"
                    yield self.defect(place, message)

    def check_sizes(
        self, cards: Collection[Card], leaders: Collection[LeaderRecord]
    ) -> Defects:
        """More than can be played; `cards` and `leaders` are all that there will be."""
        beside = sum(not card.deckable for card in cards)
        sizes = self.game.sizes
        for what, number, most in (
            ("cards and leaders", len(cards) + len(leaders), sizes.cards),
            ("cards that no deck holds", beside, sizes.reserves),
        ):
            if most is not None and number > most:
                message = f"the game would have {number} {what}"
                yield self.defect((), f"{message}, at most {most} are played")

    def words_of_card(self, i: int | str, card: Card, factions: list[str]) -> Defects:
        """Words that the game does not have, or that are given twice."""
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
                yield from self.repeated((i, field), given or ())
            yield from self.unknown((i, field), what, given, allowed)

    def shape_of_card(self, i: int | str, card: Card) -> Defects:
        """Units without rows or strength, and other cards with them."""
        is_unit = card.kind in self.game.unit_kinds
        given = {"rows": bool(card.rows), "strength": card.strength is not None}
        for field, is_given in given.items():
            about = f"`{card.id}` is a {card.kind}"
            if is_unit and not is_given and card.known:
                yield self.defect((i,), f"{about} without {field}")
            elif is_given and not is_unit and card.kind in self.game.kinds:
                message = f"{about} and cannot have {field}"
                yield self.source.key_defect((i, field), message)

    # Abilities: no card says anything that would not be played.

    def abilities_of_card(
        self,
        index: int | str,
        card: Card,
        ids: Collection[str],
        families: Counter[tuple[str, str | None]],
    ) -> Defects:
        """What an ability does not take or lacks, and families of one card."""
        for place, ability in enumerate(card.abilities):
            if ability.code not in self.game.abilities:
                continue
            at = (index, "abilities", place)
            yield from self.ability(at, ability, ids)
            wanted = self.wanted(ability.code)
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = (
                    f"`{card.id}` is alone in the group `{ability.group}`: "
                    f"write `{ability.code}`, which is about copies of the card"
                )
                yield self.defect(at, message)

    def wanted(self, code: str) -> Parameters:
        """What the game says that an ability takes."""
        taken = {parameter.ability: parameter for parameter in self.game.parameters}
        return taken.get(code, Parameters(code))

    def ability(
        self, at: Place, ability: CardAbility | LeaderRecord, ids: Collection[str]
    ) -> Defects:
        """Parameters that an ability does not take or lacks, and what they refer to."""
        code = _code_of(ability)
        wanted = self.wanted(code)
        allowed = (*wanted.must, *wanted.may)
        for name in PARAMETERS:
            if _given(ability, name) and name not in allowed:
                only = f", only {choice(allowed, 'and')}" if allowed else ""
                message = f"`{code}` takes no `{name}`{only}"
                yield self.source.key_defect((*at, name), message)
        for name in wanted.must:
            if not _given(ability, name):
                is_leader = isinstance(ability, LeaderRecord)
                example = f"{name}: ..." if is_leader else f"{code}: {{{name}: ...}}"
                yield self.defect(at, f"`{code}` needs `{name}`, write `{example}`")
        if _given(ability, "group") and _given(ability, "target"):
            message = f"`{code}` takes a `group` or a `target`, not both"
            yield self.source.key_defect((*at, "target"), message)
        for what, single, several, known in (
            ("card", "target", "cards", ids),
            ("row", "row", "rows", self.game.rows),
            ("kind", "kind", "", self.game.kinds),
        ):
            for word in (_given(ability, single), *(_given(ability, several) or ())):
                yield from self.unknown(at, what, word, known)

    # Cards and leaders that no game could be played with, by `bounds`, `sizes`,
    # `single`, `several_rows` and `beside_decks` of the game. Of what is not `known`
    # only the name is public, so nothing is asked.

    def unplayed_card(self, at: Place, card: Card) -> Defects:
        """Why games with a card could not be played; it stands at `at`."""
        if not card.known:
            return
        game, most = self.game, self.game.sizes.strength
        if most is not None and (card.strength or 0) > most:
            message = f"a strength is at most {most}, found {card.strength}"
            yield self.defect((*at, "strength"), message)
        if card.deckable and card.kind in game.beside_decks:
            message = f"`{card.id}` is a {card.kind}, which no deck holds"
            yield self.defect((*at, "kind"), f"{message}: add `deckable: false`")
        for place, ability in enumerate(card.abilities):
            yield from self.unplayed_ability((*at, "abilities", place), card, ability)
        codes = [ability.code for ability in card.abilities]
        single = [place for place, code in enumerate(codes) if code in game.single]
        if card.kind not in game.unit_kinds and len(single) > 1:
            first, second = (codes[place] for place in single[:2])
            message = f"a {card.kind} cannot have both `{first}` and `{second}`"
            yield self.defect((*at, "abilities", single[1]), message)
        several = game.several_rows
        if several is not None and len(card.rows) > 1 and several not in codes:
            message = f"a card of several rows needs the ability `{several}`"
            yield self.defect((*at, "rows"), message)

    def unplayed_ability(self, at: Place, card: Card, ability: CardAbility) -> Defects:
        """What an ability asks of its card, and how large it may be."""
        code, game = ability.code, self.game
        mine = [bounds for bounds in game.bounds if code in bounds.abilities]
        limits = [bounds.most for bounds in mine] + [game.sizes.amount]
        yield from self.too_large(at, ability, min(filter(None, limits), default=None))
        for bounds in mine:
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

    def too_large(
        self, at: Place, ability: CardAbility | LeaderRecord, most: int | None
    ) -> Defects:
        """An amount above the largest one that can be played."""
        if most is not None and (ability.amount or 0) > most:
            message = f"the amount of `{_code_of(ability)}` is at most {most}"
            yield self.defect((*at, "amount"), f"{message}, found {ability.amount}")

    def unplayed_leader(self, at: Place, leader: LeaderRecord) -> Defects:
        """Why games with a leader could not be played; the leader stands at `at`."""
        if not leader.known:
            return
        if leader.free and leader.passive:
            message = "a passive leader is never played, so `free` means nothing"
            yield self.defect((*at, "free"), message)
        for bounds in self.game.bounds:
            if leader.ability in bounds.abilities:
                yield from self.unbound_leader(at, leader, bounds)

    def unbound_leader(
        self, at: Place, leader: LeaderRecord, bounds: OptionBounds
    ) -> Defects:
        """What a leader has otherwise than its ability asks."""
        code, most = leader.ability, bounds.most
        yield from self.too_large(at, leader, most)
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


def _words_of_game(
    game: GameRecord,
) -> Iterator[tuple[Place, str, Given, Collection[str]]]:
    """Where the game uses its own words, what each is, and the list it is from."""
    of_cards, of_leaders = game.abilities, game.leader_abilities
    options = [option.name for option in game.options]
    yield ("unit_kinds",), "kind", game.unit_kinds, game.kinds
    yield ("neutral",), "faction", game.neutral, [one.id for one in game.factions]
    yield ("random",), "option", game.random, options
    yield ("single",), "ability", game.single, of_cards
    yield ("several_rows",), "ability", game.several_rows, of_cards
    yield ("beside_decks",), "kind", game.beside_decks, game.kinds
    for index, parameter in enumerate(game.parameters):
        at: Place = ("parameters", index)
        words = (*of_cards, *of_leaders)
        yield (*at, "ability"), "ability", parameter.ability, words
        yield (*at, "needs"), "ability", parameter.needs, of_cards
    for index, bounds in enumerate(game.bounds):
        at = ("bounds", index)
        words = (*of_cards, *of_leaders)
        yield (*at, "abilities"), "ability", bounds.abilities, words
        yield (*at, "kinds"), "kind", bounds.kinds, game.kinds
        yield (*at, "rows"), "row", bounds.rows, game.rows
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


def _words_of_attributes(game: GameRecord) -> Iterator[tuple[Place, str]]:
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "name"), attribute.name
        for place, value in enumerate(attribute.values):
            yield ("attributes", index, "values", place), value
        if attribute.nothing is not None:
            yield ("attributes", index, "nothing"), attribute.nothing


def _code_of(ability: CardAbility | LeaderRecord) -> str:
    return ability.code if isinstance(ability, CardAbility) else ability.ability


def _given(ability: CardAbility | LeaderRecord, name: str) -> Any:
    """A parameter of an ability, None or nothing if it is not given."""
    return getattr(ability, name, None)


def _numbers(records: PlacedCards | PlacedLeaders) -> Iterable[tuple[Place, int]]:
    """One number for each id: in a set those of the same id are the same."""
    by_id = {record.id: ((i, "number"), record.number) for i, record in records}
    return by_id.values()


def _names(
    at: Place, record: Card | Faction | LeaderRecord
) -> Iterator[tuple[Place, str]]:
    yield (*at, "name"), record.name
    for place, alias in enumerate(record.aliases):
        yield (*at, "aliases", place), alias


# Reads and checks the files of a card database.

R = TypeVar("R", bound=Card | LeaderRecord)


def read_game(
    root: Path, game_id: str
) -> tuple[GameRecord, tuple[Card, ...], tuple[LeaderRecord, ...]]:
    """A game, its cards as far as a file lists them, and its leaders.

    Raises DatabaseError with every defect of the files.
    """
    defects: list[SourceDefect] = []
    try:
        game = _read_game(_open(root, game_id, "game.yaml"), game_id, defects)
        if game is not None:
            cards, leaders = _read_cards(root, game, defects)
    except SourceError as error:
        defects.append(error.defect)
    if defects or game is None:
        raise DatabaseError(list_defects(f"card database `{game_id}`", defects))
    return game, cards, leaders


def _open(root: Path, game_id: str, name: str) -> Source:
    file = root / game_id / name
    return Source.open(file, shown_path(file, root))


def _read_game(
    source: Source, game_id: str, defects: list[SourceDefect]
) -> GameRecord | None:
    game = source.read(GameRecord, source.document.data, (), defects)
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
    source = _open(root, game.id, "cards.yaml")
    checker = Checker(source, game)
    placed = list(records(source, Card, defects))
    defects += checker.check_cards(placed, all_ids(source))
    cards = tuple(card for _, card in placed)
    leaders: tuple[LeaderRecord, ...] = ()
    if game.factions or (root / game.id / "leaders.yaml").exists():
        beside = _open(root, game.id, "leaders.yaml")
        leading = list(records(beside, LeaderRecord, defects))
        ids = [card.id for card in cards]
        defects += Checker(beside, game).check_leaders(leading, ids)
        leaders = tuple(leader for _, leader in leading)
    defects += checker.check_sizes(cards, leaders)
    return cards, leaders


def records(
    source: Source, model: type[R], defects: list[SourceDefect]
) -> Iterator[tuple[int, R]]:
    """The valid records of a file, each with its index; defects are added."""
    entries = source.document.data
    if not isinstance(entries, list):
        defects.append(source.defect((), "expected a list of records"))
        return
    for index, entry in enumerate(entries):
        record = source.read(model, entry, (index,), defects)
        if record is not None:
            yield index, record


def all_ids(source: Source) -> frozenset[str]:
    """The ids of all records of a file, those of invalid ones too."""
    entries = source.document.data
    if not isinstance(entries, list):
        return frozenset()
    ids = (entry.get("id") for entry in entries if isinstance(entry, dict))
    return frozenset(id for id in ids if isinstance(id, str))
