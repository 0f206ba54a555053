"""Sets of cards and leaders that a format adds to those of its game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from zlib import crc32

from deckcheck.cards.checks import check_cards, check_leaders
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import Card, Game, Leader
from deckcheck.cards.reading import all_ids, records
from deckcheck.findings.documents import Defect, Source, did_you_mean

__all__ = ["OWN", "read_set"]

OWN = "own"
"""The provenance of a card whose file names none."""

FIRST_NUMBER = 1_000_000
NUMBERS = 2**30
PARTS = ("cards", "leaders")


Set = tuple[list[Card], list[Leader]]


def read_set(source: Source, db: CardDatabase, defects: list[Defect]) -> Set:
    """The cards and leaders of a set; what is wrong is added to the defects.

    The file is a list of cards, or has `cards` and `leaders`. They are written as those
    of the game, see `Card` and `Leader`, and may leave out `provenance` and `number`. A
    number made from the id is as permanent as the id.
    """
    data = source.document.data
    if not isinstance(data, dict):
        return _read_cards(source, db, defects), []
    for key in data:
        if key not in PARTS:
            hint = did_you_mean(key, PARTS)
            defects.append(source.key_defect((key,), f"unknown key `{key}`{hint}"))
    cards = _read_cards(source.part("cards"), db, defects) if "cards" in data else []
    if "leaders" not in data:
        return cards, []
    return cards, _read_leaders(source.part("leaders"), db.with_cards(cards), defects)


def _read_cards(source: Source, db: CardDatabase, defects: list[Defect]) -> list[Card]:
    _complete(source, db.cards if db.game.replaceable else {})
    placed = list(records(source, Card, defects))
    game = replace(db.game, provenances=(*db.game.provenances, OWN))
    others = _others(db.cards, placed, game)
    defects += check_cards(source, placed, all_ids(source), game, others)
    defects += _aims(source, placed, db)
    defects += _blank(source, placed, db)
    return [card for _, card in placed]


def _read_leaders(
    source: Source, db: CardDatabase, defects: list[Defect]
) -> list[Leader]:
    _complete(source, db.leaders if db.game.replaceable else {})
    placed = list(records(source, Leader, defects))
    game = replace(db.game, provenances=(*db.game.provenances, OWN))
    defects += check_leaders(source, placed, game, db.cards)
    return [leader for _, leader in placed]


def _others(
    known: Mapping[str, Card], placed: list[tuple[int, Card]], game: Game
) -> tuple[Card, ...]:
    """The cards that a set leaves as they are."""
    replaced = {card.id for _, card in placed} if game.replaceable else set()
    return tuple(card for id, card in known.items() if id not in replaced)


def _complete(source: Source, known: Mapping[str, Card | Leader]) -> None:
    entries = source.document.data
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            id = entry["id"]
            own = FIRST_NUMBER + crc32(id.encode()) % NUMBERS
            entry.setdefault("number", known[id].number if id in known else own)
            entry.setdefault("provenance", OWN)


def _aims(
    source: Source, placed: list[tuple[int, Card]], db: CardDatabase
) -> Iterator[Defect]:
    """What an ability always names lies in the side deck, as what it summons does."""
    cards = {**db.cards, **{card.id: card for _, card in placed}}
    aimed = {each.ability for each in db.game.parameters if "target" in each.must}
    for index, card in placed:
        for place, ability in enumerate(card.abilities):
            target = cards.get(ability.target or "")
            if ability.code in aimed and target is not None and target.deckable:
                message = f"`{target.id}` can be in a deck, add `deckable: false` to it"
                yield source.defect((index, "abilities", place), message)


def _blank(
    source: Source, placed: list[tuple[int, Card]], db: CardDatabase
) -> Iterator[Defect]:
    """Cards without strength and ability: nothing is played as a blank card."""
    for index, card in placed:
        is_other = card.kind in db.game.kinds and card.kind not in db.game.unit_kinds
        if db.game.abilities and is_other and not card.abilities:
            message = f"`{card.id}` is a {card.kind} without abilities, it does nothing"
            yield source.defect((index,), message)
