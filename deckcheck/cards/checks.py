"""Checks across the records of a card database.

Only what is certainly wrong is refused. Records come with their index in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from deckcheck.cards.ability_checks import (
    check_abilities,
    check_leader_abilities,
    check_parameters,
)
from deckcheck.cards.models import Card, Faction, Game, Leader
from deckcheck.cards.names import normalise
from deckcheck.cards.play_checks import (
    check_bounds,
    check_odds,
    unplayed_card,
    unplayed_leader,
)
from deckcheck.findings.documents import Defect, Source, did_you_mean

Placed = Sequence[tuple[int | str, Card]]


def check_game(source: Source, game: Game) -> Iterator[Defect]:
    """Words given twice, and words that the game's own lists lack."""
    for field in ("kinds", "unit_kinds", "rows", "abilities", "provenances"):
        yield from _repeated(source, (field,), getattr(game, field))
    for index, kind in enumerate(game.unit_kinds):
        yield from _unknown(source, ("unit_kinds", index), "kind", kind, game.kinds)
    factions = list(enumerate(game.factions))
    ids = [faction.id for faction in game.factions]
    if game.neutral is not None:
        yield from _unknown(source, ("neutral",), "faction", game.neutral, ids)
    yield from _unique(source, ((("factions", i, "id"), f.id) for i, f in factions))
    yield from _names_of_one(source, factions, ("factions",))
    names = (
        (("options", index, "name"), option.name)
        for index, option in enumerate(game.options)
    )
    yield from _unique(source, names)
    if game.random is not None:
        options = [option.name for option in game.options]
        yield from _unknown(source, ("random",), "option", game.random, options)
    yield from check_parameters(source, game)
    yield from check_bounds(source, game)
    yield from check_odds(source, game)
    explained = ((("texts", i, "ability"), t.ability) for i, t in enumerate(game.texts))
    yield from _unique(source, explained)
    if game.attributes:
        from deckcheck.cards.attribute_checks import check_attributes

        yield from check_attributes(source, game)


def check_cards(
    source: Source,
    cards: Placed,
    ids: frozenset[str],
    game: Game,
    others: Collection[Card] = (),
) -> Iterator[Defect]:
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
    leaders: Sequence[tuple[int | str, Leader]],
    game: Game,
    cards: Collection[str],
    others: Collection[Leader] = (),
) -> Iterator[Defect]:
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
    source: Source, i: int | str, card: Card, game: Game
) -> Iterator[Defect]:
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
        for place, word in enumerate(words):
            yield from _unknown(source, (i, field, place), what, word, allowed)


def _shape_of_card(
    source: Source, i: int | str, card: Card, game: Game
) -> Iterator[Defect]:
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
    at: tuple[str | int, ...],
    what: str,
    word: str,
    allowed: Collection[str],
) -> Iterator[Defect]:
    if word not in allowed:
        hint = did_you_mean(word, allowed)
        yield source.defect(at, f"unknown {what} `{word}`{hint}")


def _repeated(
    source: Source, at: tuple[str | int, ...], words: Sequence[str]
) -> Iterator[Defect]:
    for place, word in enumerate(words):
        if word in words[:place]:
            yield source.defect((*at, place), f"`{word}` is given twice")


def _unique(
    source: Source,
    values: Iterable[tuple[tuple[str | int, ...], str | int]],
) -> Iterator[Defect]:
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
    records: Placed | Sequence[tuple[int | str, Leader]],
) -> Iterable[tuple[tuple[str | int, ...], int]]:
    """One number for each id: in a set those of the same id are the same."""
    by_id = {record.id: ((i, "number"), record.number) for i, record in records}
    return by_id.values()


def _taken(
    source: Source,
    records: Placed | Sequence[tuple[int | str, Leader]],
    others: Collection[Card] | Collection[Leader],
) -> Iterator[Defect]:
    """Ids, numbers and titles that other cards or leaders have already."""
    owners: dict[str | int, str] = {}
    for other in others:
        name = other.name if isinstance(other, Card) else other.full_name
        owners[other.id] = owners[other.number] = name
        if isinstance(other, Leader):
            owners[normalise(name)] = name
    for index, record in records:
        fields: list[tuple[str, str | int, str | int]] = [
            ("id", record.id, record.id),
            ("number", record.number, record.number),
        ]
        if isinstance(record, Leader) and record.id not in owners:
            name = record.full_name
            fields.append(("title", name, normalise(name)))
        for field, value, key in fields:
            if key in owners:
                message = f"{field} `{value}` already belongs to `{owners[key]}`"
                yield source.defect((index, field), message)


def _names(
    at: int | str, record: Card | Faction | Leader, under: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    yield (*under, at, "name"), record.name
    for place, alias in enumerate(record.aliases):
        yield (*under, at, "aliases", place), alias


def _names_of_one(
    source: Source,
    records: Placed | Sequence[tuple[int, Faction]],
    under: tuple[str, ...] = (),
    others: Iterable[Card] = (),
) -> Iterator[Defect]:
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
