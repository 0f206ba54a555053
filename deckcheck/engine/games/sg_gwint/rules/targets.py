"""The cards that an effect may choose, and the places where a card may lie."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability, Kind, Leader, Phase
from deckcheck.engine.games.sg_gwint.rules.scoring import is_unit
from deckcheck.engine.jit import jit
from deckcheck.engine.types import Card, Context, Player, Row, Side, State

IN_SLOT = int(Ability.MAHAKAM_LAGER | Ability.MARDROEME)


@jit
def is_target(
    s: State,
    x: Context,
    phase: int,
    acting: int,
    player: Player,
    side: Side,
    row: Row,
    i: int,
) -> bool:
    """Whether `player` may choose card `i` of a row in this phase.

    `acting` is the unit whose ability it is, none if it is a special.
    A Demotivation token "can be destroyed, devoured and moved" (8.16) and taken back
    (8.17); only what adds to a base strength passes it over.
    """
    card = s.row[side, row, i]
    # "It is no target in the deck, on the battlefield or in the graveyard" (4.1)
    if x.shield[card]:
        return False
    is_own = side == player
    if phase == Phase.DIPLOMACY:
        return x.moved_again != 0 or not has_moved(s, s.ident[side, row, i])
    if phase == Phase.MANIPULATE:
        return not is_own
    # "Another unit", "any unit other than herself"
    if s.ident[side, row, i] == acting:
        return False
    if phase == Phase.DESTROY:
        return True
    if phase == Phase.REINFORCE or phase == Phase.ATTACH:
        return is_own and is_unit(x, card)
    return is_own


@jit
def has_moved(s: State, ident: int) -> bool:
    """Whether this Diplomacy has moved the unit already (10.3)."""
    for k in range(s.n_moved):
        if s.moved[k] == ident:
            return True
    return False


@jit
def has_target(s: State, x: Context, phase: int, acting: int, player: Player) -> bool:
    """Whether there is anything to choose in this phase."""
    for side in range(2):
        for row in range(s.n_row.shape[1]):
            for i in range(s.n_row[side, row]):
                if is_target(s, x, phase, acting, player, side, row, i):
                    return True
    return False


@jit
def can_land(
    s: State, x: Context, player: Player, card: Card, side: Side, row: Row
) -> bool:
    """Whether `player` may lay a unit or a row effect into this row."""
    if not is_unit(x, card):
        # "An effect can be laid only where it is empty" (8.8)
        return side == player and s.slot[side, row] == 0
    if side != player and not x.ability[card] & Ability.SPY:
        return False
    return x.rows[card] >> row & 1 != 0


@jit
def may_stay(s: State, x: Context, side: Side, row: Row, index: int) -> bool:
    """Whether tenacity keeps the card of a row, once (9.2), a shield or not (4.10)."""
    card = s.row[side, row, index]
    return (
        x.ability[card] & Ability.TENACITY != 0
        and s.stayed[side, row, index] == 0
        and (x.shield[card] == 0 or x.shielded_stay != 0)
    )


@jit
def can_return(x: Context, card: Card) -> bool:
    """Whether medics and Skellige may take a card of the graveyard (6.12, 9.10)."""
    return is_unit(x, card) and not x.shield[card] and x.returns[card] != 0


@jit
def can_fetch(x: Context, player: Player, card: Card) -> bool:
    """Whether the leader of `player` may take this card of the deck (section 10)."""
    leader = x.leader[player]
    if leader == Leader.WEATHER_FROM_DECK:
        return x.ability[card] & Ability.WEATHER != 0 and x.kind[card] == Kind.SPECIAL
    return x.pulled[card] != 0 and not x.shield[card]


@jit
def has_fetch(s: State, x: Context, player: Player) -> bool:
    """Whether the deck has a card for the leader."""
    for i in range(s.n_deck[player]):
        if can_fetch(x, player, s.deck[player, i]):
            return True
    return False
