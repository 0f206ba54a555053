"""The card table: every card twice, once for each player who may own it."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Ability as CardAbility
from deckcheck.cards.models import Card
from deckcheck.engine.games.sg_gwint.codes import Ability, Kind, RowName
from deckcheck.engine.games.sg_gwint.host.roles import lane_of, role_of, worth_of
from deckcheck.engine.games.sg_gwint.host.vocabulary import check_vocabulary
from deckcheck.engine.games.sg_gwint.state import CARDS, CONTEXT, HALF
from deckcheck.formats import Format

# Where the table keeps the card that an ability names, and its amount.
TARGETS = {
    "guardian": "summoned",
    "transform": "becomes",
    "bring_reserves": "brings",
}
AMOUNTS = {
    "bring_reserves": "brought",
    "reinforcement": "reinforces",
    "reinforcement_token": "adds",
    "attach": "adds",
    "diplomacy": "relocates",
}
STAYS_DEAD = {
    "both": ("guardian", "summoned"),
    "guardian": ("guardian",),
    "summoned": ("summoned",),
}


def card_numbers(database: CardDatabase) -> dict[str, int]:
    """The number of each card in the engine: its place in the database, from 1."""
    return {card: index for index, card in enumerate(database.cards, 1)}


def row_mask(rows: tuple[str, ...]) -> int:
    """Rows as the bits of a number."""
    return sum(1 << RowName[row.upper()] for row in rows)


def blank_context(database: CardDatabase) -> np.recarray:
    """A context with what the card table holds in every format, and nothing else.

    Raises:
        EngineError: the engine does not play these cards, see `check_vocabulary`.
    """
    return _filled_context(database).copy()


@lru_cache(maxsize=8)
def _filled_context(database: CardDatabase) -> np.recarray:
    """The same, made once: every pairing of a round robin needs one."""
    check_vocabulary(database)
    context = np.zeros(1, CONTEXT).view(np.recarray)
    fill_cards(context[0], database)
    return context


def fill_cards(x: Any, database: CardDatabase) -> None:
    """Fill the card table for both players."""
    number = card_numbers(database)
    families: dict[str, int] = {}
    x.reserve_index[:] = -1
    x.plain[:] = [number % HALF for number in range(CARDS)]
    x.owner[:] = [number // HALF for number in range(CARDS)]
    reserves = [card.id for card in database.cards.values() if not card.deckable]
    x.n_reserves = len(reserves)
    for card in database.cards.values():
        family = number[card.id]
        for ability in card.abilities:
            if ability.code == "muster" and ability.group:
                family = families.setdefault(ability.group, family)
        for player in range(2):
            i = number[card.id] + HALF * player
            fill_card(x, card, i)
            x.family[i] = family
            if card.id in reserves:
                index = reserves.index(card.id)
                x.reserve_index[i] = index
                x.reserve_card[player, index] = i
    for card in database.cards.values():
        for ability in card.abilities:
            for player in range(2):
                fill_ability(x, number, card, ability, player)
    for i in range(1, CARDS):
        if x.kind[i]:
            x.worth[i] = worth_of(x, i)


def fill_card(x: Any, card: Card, i: int) -> None:
    """The figures of one card."""
    x.strength[i] = card.strength or 0
    x.kind[i] = Kind[card.kind.upper()]
    x.rows[i] = row_mask(card.rows)
    x.shield[i] = int(card.shield)
    x.role[i] = role_of(card)
    x.lane[i] = lane_of(card)
    x.ability[i] = sum(int(Ability[ability.code.upper()]) for ability in card.abilities)


def fill_ability(
    x: Any, number: dict[str, int], card: Card, ability: CardAbility, player: int
) -> None:
    """What an ability names: a card, an amount, a family, rows of weather."""
    offset = HALF * player
    i = number[card.id] + offset
    target = number[ability.target] + offset if ability.target else i
    if ability.code in TARGETS:
        x[TARGETS[ability.code]][i] = target
    if ability.code in AMOUNTS:
        x[AMOUNTS[ability.code]][i] = ability.amount
    if ability.code == "muster":
        x.calls[i] = x.family[target]
    elif ability.code == "weather":
        x.rows[i] = row_mask(ability.rows)


def note_returns(x: Any, database: CardDatabase, fmt: Format) -> None:
    """Which units may return from the graveyard (rules 6.12, 9.10)."""
    dead = STAYS_DEAD[str(fmt.options["guardian_stays_dead"])]
    gone = set()
    for card in database.cards.values():
        if card.kind == "silver" and not fmt.options["silver_returns"]:
            gone.add(card.id)
        for ability in card.abilities:
            if ability.code == "guardian":
                if "guardian" in dead:
                    gone.add(card.id)
                if "summoned" in dead and ability.target:
                    gone.add(ability.target)
    for id, i in card_numbers(database).items():
        x.returns[i] = x.returns[i + HALF] = int(id not in gone)
