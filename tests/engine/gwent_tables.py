"""Tables of Gwent at which every card with an ability is in some deck."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from random_play import RandomTable

from deckcheck.cards import load_database
from deckcheck.engine.gwent.codes import Leader
from deckcheck.engine.gwent.context import automa_seat, player_seat
from deckcheck.engine.registry import Seat
from deckcheck.formats import load_format

DB = load_database("gwent")
FACTIONS = [faction for faction in DB.factions if faction != DB.game.neutral]
LEADERS = {Leader[lead.ability.upper()]: lead for lead in DB.leaders.values()}
FORMATS = {
    "duel": ("gwent/standard", 2),
    "table": ("gwent/free_for_all", 3),
    "teams": ("gwent/two_vs_two", 4),
    "solo": ("gwent/solo_leader", 2),
}


@cache
def seat(faction: str, leader: Leader = Leader.NONE) -> Seat:
    """All cards with abilities that a deck of the faction can hold."""
    cards = {
        card.id: card.copies
        for card in DB.cards.values()
        if card.deckable
        and card.abilities
        and card.faction in (faction, DB.game.neutral)
    }
    who = LEADERS[leader].id if leader else None
    return Seat(cards=cards, faction=faction, leader=who)


@cache
def table(play: str, first: int, leader: Leader, **options: object) -> RandomTable:
    """Seats of all factions in turn; one leader for all of them."""
    format, players = FORMATS[play]
    factions = [FACTIONS[(first + i) % len(FACTIONS)] for i in range(players)]
    if play != "solo":
        seats = [seat(faction, leader) for faction in factions]
        return RandomTable(format, seats, **options)
    fmt = load_format(format)
    user = Seat(None, 0, factions[0], seat(factions[0], leader).leader)
    seats = [player_seat(DB, fmt, user), automa_seat(DB, fmt, factions[1])]
    return RandomTable(format, seats, **options)


def duels(leader: Leader = Leader.NONE) -> Iterator[RandomTable]:
    """Duels in which each faction meets the next one."""
    return (table("duel", first, leader) for first in range(len(FACTIONS)))
