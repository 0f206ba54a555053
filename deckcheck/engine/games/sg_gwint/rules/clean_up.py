"""The end of a round: which units stay, and where the other cards go (rules 6.6)."""

from __future__ import annotations

from deckcheck.engine.games.sg_gwint.codes import Ability, FactionAbility, Lot
from deckcheck.engine.games.sg_gwint.rules.board import (
    bury_below,
    clear_sky,
    lift,
    summon_for,
)
from deckcheck.engine.games.sg_gwint.rules.scoring import is_unit, rescore_all
from deckcheck.engine.games.sg_gwint.rules.targets import may_stay
from deckcheck.engine.games.sg_gwint.rules.zones import add_to_hand, bury
from deckcheck.engine.jit import jit
from deckcheck.engine.scripted import pick
from deckcheck.engine.types import Card, Context, Row, Side, State

REINFORCEMENTS = int(Ability.REINFORCEMENT_TOKEN)
# What tenacity does not keep: "tokens or attachments" (9.2)
LOOSE = int(Ability.REINFORCEMENT_TOKEN | Ability.ATTACH)


@jit
def clean_up(s: State, x: Context, winner: int) -> None:
    """The Monsters' survivor, tenacity, then all others leave; `winner` may be -1."""
    for side in range(2):
        kept = survivor(s, x, side)
        for row in range(s.n_row.shape[1]):
            clear_row(s, x, side, row, kept, winner)
    for side in range(2):
        for row in range(s.slot.shape[1]):
            if s.slot[side, row]:
                bury(s, x, s.slot[side, row])
                s.slot[side, row] = 0
    # "Until the end of the round" (9.6): a unit that stays doubles no more.
    s.n_lagers = 0
    clear_sky(s, x)
    rescore_all(s, x)


@jit
def survivor(s: State, x: Context, side: Side) -> int:
    """The random unit of a Monsters side that stays (7.1); 0 for none."""
    if x.faction_ability[side] != FactionAbility.KEEP_ONE_UNIT:
        return 0
    count = candidates(s, x, side, -1)
    if count == 0:
        return 0
    return candidates(s, x, side, pick(s, x, count, Lot.KEPT.value, side, 1))


@jit
def candidates(s: State, x: Context, side: Side, wanted: int) -> int:
    """Write the units that may stay to `x.pool`; their number, or the wanted one."""
    count = 0
    for row in range(s.n_row.shape[1]):
        for i in range(s.n_row[side, row]):
            card = s.row[side, row, i]
            if is_unit(x, card) and not x.shield[card]:
                if count == wanted:
                    return s.ident[side, row, i]
                x.pool[count] = card
                count += 1
    return count


@jit
def clear_row(
    s: State, x: Context, side: Side, row: Row, kept: int, winner: int
) -> None:
    """All cards of a row leave, but the unit `kept` and those with tenacity."""
    i = 0
    while i < s.n_row[side, row]:
        card, ident = s.row[side, row, i], s.ident[side, row, i]
        if ident == kept:
            # "It keeps what lies under it, but for reinforcements" (7.4)
            s.extra[side, row, i] -= bury_below(s, x, ident, REINFORCEMENTS)
            i += 1
        elif may_stay(s, x, side, row, i):
            s.stayed[side, row, i] = 1
            s.extra[side, row, i] -= bury_below(s, x, ident, LOOSE)
            i += 1
        else:
            lift(s, side, row, i)
            bury_below(s, x, ident, 0)
            leave(s, x, card, side, winner)


@jit
def leave(s: State, x: Context, card: Card, side: Side, winner: int) -> None:
    """A card of a side goes to its owner's graveyard, or to the hand (10.12)."""
    owner = x.owner[card]
    returns = x.ability[card] & Ability.RETURN_ON_LOSS and winner != owner
    # By option a shield stops this text of its own card, too (4.10).
    if returns and not (x.shield[card] and x.shielded_go):
        add_to_hand(s, x, owner, card, 1)
        return
    bury(s, x, card)
    # "Also at the end of a round" (9.9)
    summon_for(s, x, card, side)
