"""The kinds of decisions, by the move that was made."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import Any

from deckcheck.cards import load_database
from deckcheck.engine.gwent.codes import Ability, Phase, Verb
from deckcheck.engine.gwent.codes import Kind as CardKind
from deckcheck.engine.primitives import CARD_MASK, ROW_BIT, ROW_MASK, VERB_BIT, RowName
from deckcheck.engine.registry import card_numbers


class Kind(StrEnum):
    """What is decided; the choices within a move count with it."""

    REDRAW = "redraw"
    PASS = "pass"
    LEADER = "leader"
    SPY = "spy"
    MEDIC = "medic"
    DECOY = "Decoy"
    SCORCH = "Scorch"
    WEATHER = "weather"
    HORN = "horn"
    MARDROEME = "Mardroeme"
    UNIT = "other unit"


SCORCH = (
    Ability.SCORCH | Ability.SCORCH_CLOSE | Ability.SCORCH_RANGED | Ability.SCORCH_SIEGE
)
BY_ABILITY = (
    (Ability.SPY, Kind.SPY),
    (Ability.MEDIC, Kind.MEDIC),
    (Ability.DECOY, Kind.DECOY),
    (SCORCH, Kind.SCORCH),
    (Ability.COMMANDERS_HORN, Kind.HORN),
    (Ability.MARDROEME, Kind.MARDROEME),
)
BY_PHASE = {Phase.MEDIC: Kind.MEDIC, Phase.DECOY: Kind.DECOY}
BY_VERB = {
    Verb.PASS: Kind.PASS,
    Verb.LEADER: Kind.LEADER,
    Verb.REDRAW: Kind.REDRAW,
    Verb.KEEP_HAND: Kind.REDRAW,
    Verb.START: Kind.LEADER,
    Verb.VOID: Kind.LEADER,
}


def kind_of(s: Any, x: Any, move: int) -> Kind:
    """What the player to move decides by `move`, which has not been made yet.

    Choices that are neither a medic's nor a Decoy's are those of leaders.
    """
    verb = Verb(move >> VERB_BIT)
    if verb in BY_VERB:
        return BY_VERB[verb]
    if verb == Verb.CHOOSE:
        return BY_PHASE.get(Phase(int(s.phase)), Kind.LEADER)
    card = move & CARD_MASK
    if x.kind[card] == CardKind.WEATHER:
        return Kind.WEATHER
    ability = int(x.ability[card])
    return next((kind for bits, kind in BY_ABILITY if ability & bits), Kind.UNIT)


def in_words(move: int) -> str:
    """A move as a reader knows it, `play geralt to close`."""
    verb = Verb(move >> VERB_BIT)
    card = move & CARD_MASK
    if verb == Verb.LEADER:
        return "use the leader"
    if not card:
        return verb.name.lower().replace("_", " ")
    text = f"{verb.name.lower()} {_card_ids()[card]}"
    row = move >> ROW_BIT & ROW_MASK
    return f"{text} to {RowName(row).name.lower()}" if row else text


@cache
def _card_ids() -> dict[int, str]:
    return {number: id for id, number in card_numbers(load_database("gwent")).items()}
