"""Refusals of the engine: words and cards that it cannot play as they stand."""

from __future__ import annotations

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.sg_gwint.codes import (
    Ability,
    FactionAbility,
    Kind,
    Leader,
    RowName,
)
from deckcheck.engine.games.sg_gwint.host.options import CHOICES, NUMBERS
from deckcheck.engine.games.sg_gwint.state import HALF, RESERVES
from deckcheck.engine.host.vocabulary import check_options, check_words

STRONGEST = 100  # bonds, lagers and reinforcements of this size still fit a cell
MOST = 12  # cards that one card may bring, move or draw
ON_TOKENS = frozenset(("demotivation_token", "reinforcement_token"))
# Abilities that need a row to lie in, or are about the card's own strength.
ON_UNITS = frozenset(
    (
        *("tenacity", "immunity", "tight_bond", "morale_boost", "guardian"),
        *("return_on_loss", "opening_card", "spy", "transform", "devour"),
        *("demotivation", "row_scorch"),
    )
)
ON_SPECIALS = frozenset(("weather", "attach"))
# What a special does that stays: it does only one of these.
STAYING = frozenset(("weather", "attach", "mahakam_lager", "mardroeme"))


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words and cards of the database that the engine does not play.

    Raises:
        EngineError: nothing is ever played as a blank card.
    """
    game = database.game
    factions = [faction.ability for faction in game.factions if faction.ability]
    for what, codes, words in (
        ("ability", Ability, game.abilities),
        ("kind", Kind, game.kinds),
        ("row", RowName, game.rows),
        ("leader ability", Leader, game.leader_abilities),
        ("faction ability", FactionAbility, factions),
    ):
        check_words("SG Gwint", what, codes, words)
    check_options("SG Gwint", game.options, NUMBERS, CHOICES)
    check_sizes(database)
    for card in database.cards.values():
        fault = fault_of(card)
        if card.known and fault is not None:
            message = f"the SG Gwint engine plays no card with {fault}: `{card.name}`"
            raise EngineError(message)


def check_sizes(database: CardDatabase) -> None:
    """Refuse more cards than the records hold."""
    if len(database.cards) + len(database.leaders) >= HALF:
        raise EngineError(
            f"the SG Gwint engine plays fewer than {HALF} different cards and leaders"
        )
    reserves = [card for card in database.cards.values() if not card.deckable]
    if len(reserves) > RESERVES:
        raise EngineError(
            f"the SG Gwint engine plays at most {RESERVES} different silver cards "
            f"and tokens, not {len(reserves)}"
        )


def fault_of(card: Card) -> str | None:
    """What a card has that no card of its kind can have."""
    codes = {ability.code for ability in card.abilities}
    amounts = [ability.amount or 0 for ability in card.abilities]
    if (card.strength or 0) > STRONGEST or max(amounts, default=0) > STRONGEST:
        return f"a number above {STRONGEST}"
    counted = ("bring_reserves", "diplomacy")
    if any(a.code in counted and (a.amount or 0) > MOST for a in card.abilities):
        return f"`{counted[0]}` or `{counted[1]}` above {MOST}"
    if card.kind == "token":
        wrong = codes - ON_TOKENS
    elif card.kind == "special":
        wrong = codes & (ON_UNITS | ON_TOKENS)
        if len(codes & STAYING) > 1:
            return "two abilities that stay on the battlefield"
    else:
        wrong = codes & (ON_SPECIALS | ON_TOKENS)
    if wrong:
        return f"an ability that its kind cannot have, `{sorted(wrong)[0]}`"
    if card.kind in ("silver", "token") and card.deckable:
        return f"the kind {card.kind} that is deckable"
    return None
