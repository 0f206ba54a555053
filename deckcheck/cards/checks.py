"""Reads the files of a card database, and checks its records against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any, TypeVar

from deckcheck.cards.attributes import ways
from deckcheck.cards.models import (
    Card,
    CardAbility,
    Faction,
    GameRecord,
    LeaderRecord,
    OptionBounds,
    Parameters,
)
from deckcheck.cards.names import normalise
from deckcheck.cards.storage import DatabaseError, list_defects, shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceDefect, SourceError
from deckcheck.documents.records import did_you_mean
from deckcheck.messages import choice

# Checks of abilities: no card says anything that would not be played.

PARAMETERS = ("group", "target", "row", "amount", "rows", "kind", "tag", "cards")
"""What may be said of an ability: behind the word of a card, in a leader's own keys."""


def check_parameters(source: Source, game: GameRecord) -> Iterator[SourceDefect]:
    """Parameters of abilities that the game does not have, or that are given twice."""
    seen: set[str] = set()
    for index, parameter in enumerate(game.parameters):
        at = ("parameters", index)
        code, words = parameter.ability, (*game.abilities, *game.leader_abilities)
        yield from _unknown(source, (*at, "ability"), "ability", code, words)
        if code in seen:
            yield source.defect((*at, "ability"), f"`{code}` is given twice")
        seen.add(code)
        needs = parameter.needs
        yield from _unknown(source, (*at, "needs"), "ability", needs, game.abilities)
        for place, name in enumerate(parameter.must):
            if name in parameter.may:
                message = f"`{name}` cannot be both in `may` and in `must`"
                yield source.defect((*at, "must", place), message)


def check_abilities(
    source: Source,
    cards: Sequence[tuple[int | str, Card]],
    ids: Collection[str],
    game: GameRecord,
    others: Collection[Card],
) -> Iterator[SourceDefect]:
    """Parameters that an ability does not take or lacks, and what they refer to."""
    families = Counter(
        (ability.code, ability.group)
        for card in (*others, *(card for _, card in cards))
        for ability in card.abilities
    )
    for index, card in cards:
        for place, ability in enumerate(card.abilities):
            at = (index, "abilities", place)
            if ability.code not in game.abilities:
                continue
            wanted = _wanted(ability.code, game)
            yield from _parameters(source, at, ability, wanted)
            yield from _references(source, at, ability, ids, game)
            is_family = ability.group and "group" in (*wanted.may, *wanted.must)
            if is_family and families[ability.code, ability.group] == 1:
                message = (
                    f"`{card.id}` is alone in the group `{ability.group}`: "
                    f"write `{ability.code}`, which is about copies of the card"
                )
                yield source.defect(at, message)


def check_leader_abilities(
    source: Source,
    leaders: Sequence[tuple[int | str, LeaderRecord]],
    ids: Collection[str],
    game: GameRecord,
) -> Iterator[SourceDefect]:
    """The same for leaders."""
    words = game.leader_abilities
    for index, leader in leaders:
        if words and leader.ability not in words:
            at = (index, "ability")
            yield from _unknown(source, at, "ability", leader.ability, words)
            continue
        yield from _parameters(source, (index,), leader, _wanted(leader.ability, game))
        yield from _references(source, (index,), leader, ids, game)


def _wanted(code: str, game: GameRecord) -> Parameters:
    taken = {parameter.ability: parameter for parameter in game.parameters}
    return taken.get(code, Parameters(code))


def _given(ability: CardAbility | LeaderRecord, name: str) -> Any:
    """A parameter of an ability, None or nothing if it is not given."""
    return getattr(ability, name, None)


def _references(
    source: Source,
    at: tuple[str | int, ...],
    ability: CardAbility | LeaderRecord,
    ids: Collection[str],
    game: GameRecord,
) -> Iterator[SourceDefect]:
    """Cards, rows and kinds that do not exist."""
    for what, single, several, allowed in (
        ("card", "target", "cards", ids),
        ("row", "row", "rows", game.rows),
        ("kind", "kind", "", game.kinds),
    ):
        for word in (_given(ability, single), *(_given(ability, several) or ())):
            yield from _unknown(source, at, what, word, allowed)


def _parameters(
    source: Source,
    at: tuple[str | int, ...],
    ability: CardAbility | LeaderRecord,
    wanted: Parameters,
) -> Iterator[SourceDefect]:
    """An ability as it is written, against what the game says that it takes."""
    code = wanted.ability
    allowed = (*wanted.must, *wanted.may)
    for name in PARAMETERS:
        if _given(ability, name) and name not in allowed:
            only = f", only {choice(allowed, 'and')}" if allowed else ""
            message = f"`{code}` takes no `{name}`{only}"
            yield source.key_defect((*at, name), message)
    for name in wanted.must:
        if not _given(ability, name):
            example = f"`{code}: {{{name}: ...}}`"
            if isinstance(ability, LeaderRecord):
                example = f"`{name}: ...`"
            yield source.defect(at, f"`{code}` needs `{name}`, write {example}")
    if _given(ability, "group") and _given(ability, "target"):
        message = f"`{code}` takes a `group` or a `target`, not both"
        yield source.key_defect((*at, "target"), message)


# Checks across the attributes that describe the cards of a game.

MOST_DESCRIBED = 5000
"""How many different cards the attributes of a game may make."""


def check_attributes(source: Source, game: GameRecord) -> Iterator[SourceDefect]:
    """Attributes whose words could not be told apart, or that make too many cards."""
    first: dict[str, str] = {}
    for at, word in _words_of_attributes(game):
        key = normalise(word)
        if key in first:
            yield source.defect(at, f"`{word}` is given twice")
        first[key] = word
    numbers = [i for i, attribute in enumerate(game.attributes) if not attribute.values]
    for index in numbers[1:]:
        message = (
            "only one attribute can be a number, else nobody could tell which is meant"
        )
        yield source.defect(("attributes", index), message)
    options = [option.name for option in game.options]
    for index, attribute in enumerate(game.attributes):
        at = ("attributes", index, "random")
        yield from _unknown(source, at, "option", attribute.random, options)
    for at, word in _words_of_attributes(game):
        if "values" in at and word not in game.abilities:
            yield source.defect(at, f"`{word}` is not an ability of the game")
    if game.attributes and not (game.kinds and game.provenances):
        yield source.defect((), "cards need a kind and a provenance")
    if prod(ways(attribute) for attribute in game.attributes) > MOST_DESCRIBED:
        message = f"the attributes make more than {MOST_DESCRIBED:,} different cards"
        yield source.defect(("attributes",), message)


def _words_of_attributes(
    game: GameRecord,
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    for index, attribute in enumerate(game.attributes):
        yield ("attributes", index, "name"), attribute.name
        for place, value in enumerate(attribute.values):
            yield ("attributes", index, "values", place), value
        if attribute.nothing is not None:
            yield ("attributes", index, "nothing"), attribute.nothing


# Cards and leaders that no game could be played with, by what their game says.
#
# The words are those of `game.yaml`: `bounds`, `sizes`, `single`, `several_rows` and
# `beside_decks`. Of what is not `known` only the name is public, so nothing is asked.


def check_bounds(source: Source, game: GameRecord) -> Iterator[SourceDefect]:
    """Words of these keys that the game does not have."""
    words = (*game.abilities, *game.leader_abilities)
    for index, bounds in enumerate(game.bounds):
        for field, what, given, allowed in (
            ("abilities", "ability", bounds.abilities, words),
            ("kinds", "kind", bounds.kinds, game.kinds),
            ("rows", "row", bounds.rows, game.rows),
        ):
            yield from _unknown(source, ("bounds", index, field), what, given, allowed)
    for key, what, allowed in (
        ("single", "ability", game.abilities),
        ("beside_decks", "kind", game.kinds),
        ("several_rows", "ability", game.abilities),
    ):
        yield from _unknown(source, (key,), what, getattr(game, key), allowed)


def check_odds(source: Source, game: GameRecord) -> Iterator[SourceDefect]:
    """Words of `odds` that the game does not have."""
    odds = game.odds
    for key, what, words, allowed in (
        ("untouchable", "kind", odds.untouchable, game.kinds),
        ("weatherproof", "ability", odds.weatherproof, game.abilities),
    ):
        yield from _unknown(source, ("odds", key), what, words, allowed)
    for key, allowed in (
        ("weather", game.abilities),
        ("draws", game.abilities),
        ("opening", game.leader_abilities),
    ):
        for index, hint in enumerate(getattr(odds, key)):
            at = ("odds", key, index, "ability")
            yield from _unknown(source, at, "ability", hint.ability, allowed)


def unplayed_card(
    source: Source, at: Location, card: Card, game: GameRecord
) -> Iterator[SourceDefect]:
    """Why games with a card could not be played; it stands at `at`."""
    if not card.known:
        return
    most = game.sizes.strength
    if most is not None and (card.strength or 0) > most:
        message = f"a strength is at most {most}, found {card.strength}"
        yield source.defect((*at, "strength"), message)
    if card.deckable and card.kind in game.beside_decks:
        message = f"`{card.id}` is a {card.kind}, which no deck holds"
        yield source.defect((*at, "kind"), f"{message}: add `deckable: false`")
    for place, ability in enumerate(card.abilities):
        where = (*at, "abilities", place)
        yield from _unplayed_ability(source, where, card, ability, game)
    yield from _too_many(source, at, card, game)


def _unplayed_ability(
    source: Source, at: Location, card: Card, ability: CardAbility, game: GameRecord
) -> Iterator[SourceDefect]:
    """What an ability asks of its card, and how large it may be."""
    mine = [bound for bound in game.bounds if ability.code in bound.abilities]
    least = [bound_word.most for bound_word in mine if bound_word.most is not None]
    most = min(
        (*least, *((game.sizes.amount,) if game.sizes.amount else ())), default=0
    )
    if most and (ability.amount or 0) > most:
        yield _too_large(source, at, ability, most)
    for bounds in mine:
        if bounds.kinds and card.kind in game.kinds and card.kind not in bounds.kinds:
            kinds = choice(bounds.kinds)
            message = f"`{ability.code}` is for cards of the kind {kinds}"
            yield source.defect(at, f"{message}, `{card.id}` is a {card.kind}")
        elif bounds.rows and card.rows and {*card.rows} != {*bounds.rows}:
            rows = choice(bounds.rows, "and")
            message = f"a card with `{ability.code}` has the rows {rows}"
            yield source.defect(at, message)
        elif bounds.deckable is False and card.deckable:
            message = f"no deck holds a card with `{ability.code}`"
            yield source.defect(at, f"{message}, add `deckable: false` to `{card.id}`")


def _too_large(
    source: Source, at: Location, ability: CardAbility | LeaderRecord, most: int
) -> SourceDefect:
    code = ability.code if isinstance(ability, CardAbility) else ability.ability
    message = f"the amount of `{code}` is at most {most}, found {ability.amount}"
    return source.defect((*at, "amount"), message)


def _too_many(
    source: Source, at: Location, card: Card, game: GameRecord
) -> Iterator[SourceDefect]:
    """Abilities that exclude each other, and rows that ask for an ability."""
    codes = [ability.code for ability in card.abilities]
    single = [place for place, code in enumerate(codes) if code in game.single]
    if card.kind not in game.unit_kinds and len(single) > 1:
        first, second = (codes[place] for place in single[:2])
        message = f"a {card.kind} cannot have both `{first}` and `{second}`"
        yield source.defect((*at, "abilities", single[1]), message)
    several = game.several_rows
    if several is not None and len(card.rows) > 1 and several not in codes:
        message = f"a card of several rows needs the ability `{several}`"
        yield source.defect((*at, "rows"), message)


def unplayed_leader(
    source: Source, at: Location, leader: LeaderRecord, game: GameRecord
) -> Iterator[SourceDefect]:
    """Why games with a leader could not be played; the leader stands at `at`."""
    if not leader.known:
        return
    if leader.free and leader.passive:
        message = "a passive leader is never played, so `free` means nothing"
        yield source.defect((*at, "free"), message)
    for bounds in game.bounds:
        if leader.ability in bounds.abilities:
            yield from _unplayed_leader(source, at, leader, bounds)


def _unplayed_leader(
    source: Source, at: Location, leader: LeaderRecord, bounds: OptionBounds
) -> Iterator[SourceDefect]:
    code, most = leader.ability, bounds.most
    if most is not None and (leader.amount or 0) > most:
        yield _too_large(source, at, leader, most)
    if most is not None and len(leader.cards) > most:
        message = f"`{code}` names at most {most} cards, found {len(leader.cards)}"
        yield source.defect((*at, "cards"), message)
    if bounds.kinds and leader.kind is not None and leader.kind not in bounds.kinds:
        message = f"`{code}` finds no {leader.kind}, only {choice(bounds.kinds)}"
        yield source.defect((*at, "kind"), message)
    if bounds.passive is not None and leader.passive != bounds.passive:
        word = str(bounds.passive).lower()
        message = f"a leader with `{code}` has `passive: {word}`"
        yield source.defect((*at, "passive"), message)
    if bounds.known is False:
        message = f"`{code}` is for leaders with `known: false`"
        yield source.defect((*at, "ability"), message)


def check_sizes(
    source: Source,
    cards: Collection[Card],
    leaders: Collection[LeaderRecord],
    game: GameRecord,
) -> Iterator[SourceDefect]:
    """More cards and leaders than can be played; `cards` are all that there will be."""
    places = len(cards) + len(leaders)
    beside = sum(not card.deckable for card in cards)
    for what, number, most in (
        ("cards and leaders", places, game.sizes.cards),
        ("cards that no deck holds", beside, game.sizes.reserves),
    ):
        if most is not None and number > most:
            message = f"the game would have {number} {what}, at most {most} are played"
            yield source.defect((), message)


# Checks across the records of a card database.
#
# Only what is certainly wrong is refused. Records come with their index in the file.

Placed = Sequence[tuple[int | str, Card]]


def check_game(source: Source, game: GameRecord) -> Iterator[SourceDefect]:
    """Words given twice, and words that the game's own lists lack."""
    for field in ("kinds", "unit_kinds", "rows", "abilities", "provenances"):
        yield from _repeated(source, (field,), getattr(game, field))
    yield from _unknown(source, ("unit_kinds",), "kind", game.unit_kinds, game.kinds)
    factions = list(enumerate(game.factions))
    ids = [faction.id for faction in game.factions]
    yield from _unknown(source, ("neutral",), "faction", game.neutral, ids)
    yield from _unique(source, ((("factions", i, "id"), f.id) for i, f in factions))
    yield from _names_of_one(source, factions, ("factions",))
    names = (
        (("options", index, "name"), option.name)
        for index, option in enumerate(game.options)
    )
    yield from _unique(source, names)
    options = [option.name for option in game.options]
    yield from _unknown(source, ("random",), "option", game.random, options)
    yield from check_parameters(source, game)
    yield from check_bounds(source, game)
    yield from check_odds(source, game)
    explained = ((("texts", i, "ability"), t.ability) for i, t in enumerate(game.texts))
    yield from _unique(source, explained)
    if game.attributes:
        yield from check_attributes(source, game)


def check_cards(
    source: Source,
    cards: Placed,
    ids: frozenset[str],
    game: GameRecord,
    others: Collection[Card] = (),
) -> Iterator[SourceDefect]:
    """What is wrong with cards that are valid one by one.

    `ids` are all ids of the file, those of invalid cards too: references to them are
    not reported. `others` are the cards of the game that a set leaves as they are.
    """
    ids |= {card.id for card in others}
    yield from _unique(source, (((i, "id"), card.id) for i, card in cards))
    yield from _unique(source, _numbers(cards))
    yield from _taken(source, cards, others)
    yield from _names_of_one(source, cards, others=others)
    factions = [faction.id for faction in game.factions]
    for index, card in cards:
        if card.faction is not None:
            yield from _unknown(
                source, (index, "faction"), "faction", card.faction, factions
            )
        elif factions:
            yield source.defect((index,), f"`{card.id}` has no faction")
        yield from _words_of_card(source, index, card, game)
        yield from _shape_of_card(source, index, card, game)
        yield from unplayed_card(source, (index,), card, game)
    yield from check_abilities(source, cards, ids, game, others)


def check_leaders(
    source: Source,
    leaders: Sequence[tuple[int | str, LeaderRecord]],
    game: GameRecord,
    cards: Collection[str],
    others: Collection[LeaderRecord] = (),
) -> Iterator[SourceDefect]:
    """What is wrong with leaders that are valid one by one.

    `cards` are all ids of cards, `others` the leaders that a set leaves as they are.
    """
    yield from check_leader_abilities(source, leaders, cards, game)
    yield from _unique(source, (((i, "id"), lead.id) for i, lead in leaders))
    yield from _unique(source, _numbers(leaders))
    titles = (((i, "title"), lead.full_name) for i, lead in leaders)
    yield from _unique(source, titles)
    yield from _taken(source, leaders, others)
    factions = [faction.id for faction in game.factions if faction.id != game.neutral]
    first = {
        normalise(name): other.faction
        for other in others
        for name in (other.name, *other.aliases)
    }
    for index, lead in leaders:
        yield from unplayed_leader(source, (index,), lead, game)
        yield from _unknown(
            source, (index, "faction"), "faction", lead.faction, factions
        )
        yield from _unknown(
            source,
            (index, "provenance"),
            "provenance",
            lead.provenance,
            game.provenances,
        )
        for place, name in _names(index, lead):
            if first.setdefault(normalise(name), lead.faction) != lead.faction:
                message = f"`{name}` also names a leader of another faction"
                yield source.defect(place, message)


def _words_of_card(
    source: Source, i: int | str, card: Card, game: GameRecord
) -> Iterator[SourceDefect]:
    yield from _unknown(source, (i, "kind"), "kind", card.kind, game.kinds)
    yield from _unknown(
        source, (i, "provenance"), "provenance", card.provenance, game.provenances
    )
    codes = [ability.code for ability in card.abilities]
    for field, what, words, allowed in (
        ("rows", "row", card.rows, game.rows),
        ("abilities", "ability", codes, game.abilities),
    ):
        yield from _repeated(source, (i, field), words)
        yield from _unknown(source, (i, field), what, words, allowed)


def _shape_of_card(
    source: Source, i: int | str, card: Card, game: GameRecord
) -> Iterator[SourceDefect]:
    is_unit = card.kind in game.unit_kinds
    for field, is_given in (
        ("rows", bool(card.rows)),
        ("strength", card.strength is not None),
    ):
        if is_unit and not is_given and card.known:
            yield source.defect((i,), f"`{card.id}` is a {card.kind} without {field}")
        elif is_given and not is_unit and card.kind in game.kinds:
            message = f"`{card.id}` is a {card.kind} and cannot have {field}"
            yield source.key_defect((i, field), message)


def _unknown(
    source: Source,
    at: Location,
    what: str,
    given: str | Sequence[str] | None,
    allowed: Collection[str],
) -> Iterator[SourceDefect]:
    """A word that is not allowed, or each such word of a list."""
    words = [(at, given)]
    if not isinstance(given, str):
        words = [((*at, place), word) for place, word in enumerate(given or ())]
    for place, word in words:
        if word not in allowed:
            hint = did_you_mean(str(word), allowed)
            yield source.defect(place, f"unknown {what} `{word}`{hint}")


def _repeated(
    source: Source, at: tuple[str | int, ...], words: Sequence[str]
) -> Iterator[SourceDefect]:
    for place, word in enumerate(words):
        if word in words[:place]:
            yield source.defect((*at, place), f"`{word}` is given twice")


def _unique(
    source: Source,
    values: Iterable[tuple[tuple[str | int, ...], str | int]],
) -> Iterator[SourceDefect]:
    first: dict[str, tuple[str | int, ...]] = {}
    for at, value in values:
        key = normalise(str(value))
        if key in first:
            line = source.document.span(first[key]).start.line
            yield source.defect(
                at, f"{at[-1]} `{value}` is already taken on line {line}"
            )
        first.setdefault(key, at)


def _numbers(
    records: Placed | Sequence[tuple[int | str, LeaderRecord]],
) -> Iterable[tuple[tuple[str | int, ...], int]]:
    """One number for each id: in a set those of the same id are the same."""
    by_id = {record.id: ((i, "number"), record.number) for i, record in records}
    return by_id.values()


def _taken(
    source: Source,
    records: Placed | Sequence[tuple[int | str, LeaderRecord]],
    others: Collection[Card] | Collection[LeaderRecord],
) -> Iterator[SourceDefect]:
    """Ids, numbers and titles that other cards or leaders have already."""
    owners: dict[str | int, str] = {}
    for other in others:
        name = other.name if isinstance(other, Card) else other.full_name
        owners[other.id] = owners[other.number] = name
        if isinstance(other, LeaderRecord):
            owners[normalise(name)] = name
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
                yield source.defect((index, field), message)


def _names(
    at: int | str, record: Card | Faction | LeaderRecord, under: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    yield (*under, at, "name"), record.name
    for place, alias in enumerate(record.aliases):
        yield (*under, at, "aliases", place), alias


def _names_of_one(
    source: Source,
    records: Placed | Sequence[tuple[int, Faction]],
    under: tuple[str, ...] = (),
    others: Iterable[Card] = (),
) -> Iterator[SourceDefect]:
    """Every id, name and alias must stand for one record, and an alias be of use."""
    owners = {
        normalise(name): other.id
        for other in others
        for name in (other.id, other.name, *other.aliases)
    }
    owners |= {normalise(record.id): record.id for _, record in records}
    for index, record in records:
        said = {normalise(record.id)}
        for at, name in _names(index, record, under):
            key = normalise(name)
            owner = owners.setdefault(key, record.id)
            if not key:
                yield source.defect(at, f"`{name}` has no letters or digits")
            elif owner != record.id:
                yield source.defect(at, f"`{name}` is also a name of `{owner}`")
            elif "aliases" in at and key in said:
                yield source.defect(at, f"alias `{name}` repeats another name")
            said.add(key)


# Reads and checks the files of a card database.

R = TypeVar("R", Card, LeaderRecord)


def read_game(
    root: Path, game_id: str
) -> tuple[GameRecord, tuple[Card, ...], tuple[LeaderRecord, ...]]:
    """A game, its cards as far as a file lists them, and its leaders.

    Raises DatabaseError with every defect of the files.
    """
    defects: list[SourceDefect] = []
    try:
        game = _read_game(root, game_id, defects)
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
    root: Path, game_id: str, defects: list[SourceDefect]
) -> GameRecord | None:
    source = _open(root, game_id, "game.yaml")
    data = source.document.data
    game = source.read(GameRecord, data, (), defects)
    if game is None:
        return None
    wrong = list(check_game(source, game))
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
    cards = list(records(source, Card, defects))
    defects.extend(check_cards(source, cards, all_ids(source), game))
    known_cards = tuple(card for _, card in cards)
    leaders: tuple[LeaderRecord, ...] = ()
    if game.factions or (root / game.id / "leaders.yaml").exists():
        leaders = _read_leaders(root, game, [card.id for card in known_cards], defects)
    defects.extend(check_sizes(source, known_cards, leaders, game))
    return known_cards, leaders


def _read_leaders(
    root: Path, game: GameRecord, cards: Sequence[str], defects: list[SourceDefect]
) -> tuple[LeaderRecord, ...]:
    source = _open(root, game.id, "leaders.yaml")
    leaders = list(records(source, LeaderRecord, defects))
    defects.extend(check_leaders(source, leaders, game, cards))
    return tuple(leader for _, leader in leaders)


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
