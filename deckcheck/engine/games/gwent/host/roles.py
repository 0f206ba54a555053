"""The role, the lane and the usual worth of every card, for what players look at."""

from __future__ import annotations

from deckcheck.cards.models import Card
from deckcheck.engine.games.gwent.players.seeing.roles import Lane, Role

# Of several abilities the first one of these decides what a unit is there for.
BY_ABILITY = {
    "spy": Role.SPY,
    "medic": Role.MEDIC,
    "muster": Role.MUSTER,
    "tight_bond": Role.BOND,
    "commanders_horn": Role.HORN_UNIT,
    "scorch": Role.SCORCH_UNIT,
    "scorch_close": Role.SCORCH_UNIT,
    "scorch_ranged": Role.SCORCH_UNIT,
    "scorch_siege": Role.SCORCH_UNIT,
    "mardroeme": Role.TURNING,
    "berserker": Role.TURNING,
    "summon_avenger": Role.TURNING,
    "morale_boost": Role.MORALE,
}
SPECIALS = {
    "decoy": Role.DECOY,
    "commanders_horn": Role.HORN,
    "scorch": Role.SCORCH,
    "mardroeme": Role.MARDROEME,
    "weather_frost": Role.FROST,
    "weather_fog": Role.FOG,
    "weather_rain": Role.RAIN,
    "weather_storm": Role.STORM,
    "weather_clear": Role.CLEAR,
}
# What a role adds to the strength of a card in an average use, as the heuristic has it.
WORTH = {
    Role.AGILE: 1,
    Role.SPY: 12,
    Role.MEDIC: 7,
    Role.BOND: 2,
    Role.MORALE: 4,
    Role.HORN_UNIT: 10,
    Role.SCORCH_UNIT: 6,
    Role.TURNING: 4,
    Role.DECOY: 7,
    Role.HORN: 13,
    Role.SCORCH: 10,
    Role.FROST: 8,
    Role.FOG: 8,
    Role.RAIN: 8,
    Role.STORM: 10,
    Role.CLEAR: 6,
    Role.MARDROEME: 9,
}


def role_of(card: Card) -> Role:
    """What a card is there for."""
    codes = {ability.code for ability in card.abilities}
    if card.kind not in ("unit", "hero"):
        return next(role for code, role in SPECIALS.items() if code in codes)
    for code, role in BY_ABILITY.items():
        if code in codes:
            return role
    if card.kind == "hero":
        return Role.HERO
    return Role.AGILE if "agile" in codes else Role[card.rows[0].upper()]


def lane_of(card: Card) -> Lane:
    """Where the strength of a card counts."""
    if card.kind != "unit":
        return Lane.HERO
    if any(ability.code == "agile" for ability in card.abilities):
        return Lane.AGILE
    return Lane[card.rows[0].upper()]


def worth_of(card: Card, summoned: int) -> int:
    """What a card is worth in an average use, in points of strength.

    `summoned` is the strength of what comes when it leaves, 0 for nothing.
    """
    strength = card.strength or 0
    if summoned:
        return strength + summoned
    role = role_of(card)
    return WORTH.get(role, 0) + (-strength if role == Role.SPY else strength)
