"""Sets of cards that a user adds to those of a game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from zlib import crc32

from deckcheck.cards.checks import check_cards
from deckcheck.cards.database import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.cards.reading import all_ids, records
from deckcheck.findings.documents import Defect, Source

__all__ = ["OWN", "read_set"]

OWN = "own"
"""The provenance of a card whose file names none."""

FIRST_NUMBER = 1_000_000
NUMBERS = 2**30


def read_set(source: Source, db: CardDatabase, defects: list[Defect]) -> list[Card]:
    """The cards of a file of the user's own; what is wrong is added to the defects.

    They are written as those of the game, see `Card`, and may leave out `provenance`
    and `number`. A number made from the id is as permanent as the id.
    """
    if isinstance(source.document.data, list):
        for entry in source.document.data:
            _complete(entry)
    placed = list(records(source, Card, defects))
    game = replace(db.game, provenances=(*db.game.provenances, OWN))
    others = tuple(db.cards.values())
    defects += check_cards(source, placed, all_ids(source), game, others)
    defects += _aims(source, placed, db)
    defects += _blank(source, placed, db)
    return [card for _, card in placed]


def _complete(entry: object) -> None:
    if isinstance(entry, dict) and isinstance(entry.get("id"), str):
        entry.setdefault("number", FIRST_NUMBER + crc32(entry["id"].encode()) % NUMBERS)
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
