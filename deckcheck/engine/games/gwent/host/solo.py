"""The seats of solo: the user's deck made from a faction, and the automa's (6.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.engine.games.gwent.codes import FactionAbility, Leader
from deckcheck.engine.games.gwent.host.cardtable import blank_context, fill_seat
from deckcheck.engine.games.gwent.host.figures import (
    FIRST,
    fill_figures,
    fill_first_figures,
)
from deckcheck.engine.games.gwent.host.options import (
    SOLO_FLAGS,
    fill_flags,
    fill_options,
)
from deckcheck.engine.games.gwent.solo.state import AUTOMA, SOLO_CONTEXT
from deckcheck.engine.host.seat import Seat
from deckcheck.engine.types import Context
from deckcheck.formats import Format
from deckcheck.formats.whole import whole_faction


def automa_seat(database: CardDatabase, fmt: Format, faction: str) -> Seat:
    """The seat of an automa of `faction`, to be the second one of `fill_context`.

    Its cards are the whole faction set with its neutral cards, side deck apart (rules
    6.1.2). Its leaders are added by `fill_context` where the format has them.
    """
    cards = dict(whole_faction(database, faction))
    return Seat(cards, faction=faction, is_automa=True)


def player_seat(database: CardDatabase, fmt: Format, seat: Seat) -> Seat:
    """The seat of the user, to be the first one of `fill_context`.

    Where the format asks for a whole faction and `seat` has no cards, they are filled
    in: the faction set less all weather but Clear Weather (rules 6.1.3).
    """
    wholes = [c for c in fmt.constraints if c.rule == "whole_faction"]
    if wholes and seat.faction and not seat.cards:
        cards = whole_faction(database, seat.faction, wholes[0].condition)
        return replace(seat, cards=dict(cards))
    return seat


def fill_solo_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """The context of a solo game: seat 0 is the user, seat 1 `automa_seat`."""
    context = blank_context(database, SOLO_CONTEXT)
    x = context[0]
    x.n_players = x.n_sides = len(seats)
    fill_options(x, fmt)
    fill_flags(x, fmt, SOLO_FLAGS)
    for player, seat in enumerate(seats):
        fill_seat(x, database, player, seat)
        fill_figures(x, player, FIRST)
    fill_first_figures(x)
    fill_leader_pile(x, database, seats[AUTOMA].faction)
    kept = (FactionAbility.NONE, FactionAbility.DRAW_AFTER_WIN)
    if x.automa_without_faction and x.faction_ability[AUTOMA] not in kept:
        x.faction_ability[AUTOMA] = FactionAbility.NONE
    return context


def fill_leader_pile(x: Context, database: CardDatabase, faction: str | None) -> None:
    """All leaders of the automa's faction, where the format has the variant (6.4.1)."""
    if not x.automa_leaders:
        return
    abilities = [
        Leader[leader.ability.upper()]
        for leader in database.leaders.values()
        if leader.faction == faction
    ]
    x.n_leaders = len(abilities)
    x.leaders[: len(abilities)] = abilities
