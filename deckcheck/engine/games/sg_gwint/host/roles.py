"""The role, the lane and the usual worth of every card, for what players look at."""

from __future__ import annotations

from typing import Any

from deckcheck.cards.models import Card
from deckcheck.engine.games.sg_gwint.codes import Ability, Kind
from deckcheck.engine.games.sg_gwint.players.seeing.roles import Lane, Role
from deckcheck.engine.games.sg_gwint.players.worth import CARD

# Of several abilities the first one of these decides what a card is there for.
BY_ABILITY = {
    "spy": Role.SPY,
    "medic": Role.MEDIC,
    "muster": Role.MUSTER,
    "tight_bond": Role.BOND,
    "mahakam_lager": Role.LAGER_UNIT,
    "scorch": Role.SCORCH_UNIT,
    "row_scorch": Role.SCORCH_UNIT,
    "destroy_unit": Role.SCORCH_UNIT,
    "bring_reserves": Role.BRINGER,
    "guardian": Role.BRINGER,
    "transform": Role.TURNING,
    "mardroeme": Role.TURNING,
    "devour": Role.GROWING,
    "reinforcement": Role.GROWING,
    "manipulation": Role.MOVER,
    "relocate": Role.MOVER,
    "diplomacy": Role.MOVER,
    "move_weather": Role.MOVER,
    "demotivation": Role.MOVER,
    "exchange": Role.MOVER,
    "morale_boost": Role.MORALE,
    "tenacity": Role.LASTING,
    "return_on_loss": Role.LASTING,
}
SPECIALS = {
    "decoy": Role.DECOY,
    "mahakam_lager": Role.LAGER,
    "scorch": Role.SCORCH,
    "mardroeme": Role.MARDROEME,
    "clear_weather": Role.CLEAR,
}
WEATHER = {"close": Role.FROST, "ranged": Role.FOG, "siege": Role.RAIN}
# What abilities add to the strength of a unit in an average use, each group once.
ADDED = (
    (Ability.MEDIC, 7),
    (Ability.MAHAKAM_LAGER, 10),
    (Ability.SCORCH | Ability.ROW_SCORCH | Ability.DESTROY_UNIT, 6),
    (Ability.MORALE_BOOST | Ability.TENACITY, 3),
    (Ability.TRANSFORM | Ability.MARDROEME | Ability.DEVOUR, 3),
)
# What specials are worth in an average use; the first ability that is found decides.
OF_SPECIALS = (
    (Ability.MAHAKAM_LAGER, 12),
    (Ability.SCORCH, 9),
    (Ability.MARDROEME, 8),
    (Ability.DECOY, 6),
    (Ability.CLEAR_WEATHER, 4),
)


def role_of(card: Card) -> Role:
    """What a card is there for."""
    codes = {ability.code for ability in card.abilities}
    if card.kind == "token":
        return Role.TRICK
    if card.kind == "special":
        return special_role(card)
    for code, role in BY_ABILITY.items():
        if code in codes:
            return role
    if card.shield:
        return Role.SHIELDED
    return Role[lane_of(card).name]


def special_role(card: Card) -> Role:
    """What a special is there for."""
    for ability in card.abilities:
        if ability.code == "weather":
            return WEATHER[ability.rows[0]] if len(ability.rows) == 1 else Role.STORM
    codes = {ability.code for ability in card.abilities}
    return next((SPECIALS[code] for code in SPECIALS if code in codes), Role.TRICK)


def lane_of(card: Card) -> Lane:
    """Where the strength of a card counts."""
    if card.shield:
        return Lane.SHIELDED
    return Lane[card.rows[0].upper()] if len(card.rows) == 1 else Lane.AGILE


def worth_of(x: Any, i: int) -> int:
    """What a card is worth in an average use, in points of strength.

    That is without others of its family or its name.
    """
    ability, strength = int(x.ability[i]), int(x.strength[i])
    if x.kind[i] == Kind.TOKEN:
        return 0
    if x.kind[i] == Kind.SPECIAL:
        worths = (worth for wanted, worth in OF_SPECIALS if ability & wanted)
        return next(worths, 5 + int(x.adds[i]))
    if ability & Ability.SPY:
        return max(strength, CARD + 4)
    worth = strength + sum(more for wanted, more in ADDED if ability & wanted)
    if ability & Ability.GUARDIAN:
        worth += int(x.strength[x.summoned[i]])
    if ability & Ability.BRING_RESERVES:
        worth += int(x.strength[x.brings[i]] * x.brought[i])
    return worth + int(x.reinforces[i])
