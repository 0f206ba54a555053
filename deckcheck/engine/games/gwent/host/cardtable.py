"""What a context takes over from data: card table, options of play, and seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.gwent.codes import (
    Ability,
    FactionAbility,
    Kind,
    Leader,
    RowName,
)
from deckcheck.engine.games.gwent.host.solo_options import SOLO_FLAGS
from deckcheck.engine.games.gwent.state import CARDS, DECK, SIDE_DECK
from deckcheck.engine.host.seat import Seat
from deckcheck.engine.types import Context
from deckcheck.formats import Format

__all__ = [
    "card_numbers",
    "check_vocabulary",
    "fill_cards",
    "fill_flags",
    "fill_options",
    "fill_seat",
]

NUMBERS = {"gems": "gems", "hand_size": "hand_size", "redraws": "redraws"}
FLAGS = {
    # option: (field of the context, the value that sets it)
    "next_starter": ("starters_alternate", "alternate"),
    "starter_after_draw": ("same_starter_after_draw", "same"),
    "leader_on_empty_hand": ("empty_hand_passes", "forbidden"),
    "decoy_without_target": ("decoy_needs_no_target", "allowed"),
    "special_without_effect": ("special_needs_effect", "forbidden"),
    "repeated_weather": ("repeated_weather_forbidden", "forbidden"),
    "base_zero_under_weather": ("zero_becomes_one", "becomes_one"),
    "king_bran": ("bran_rounds_result_down", "result_rounded_down"),
    "skellige_return": ("returning_units_play", "play"),
    "kept_summoner_summons": ("kept_summoner_summons", True),
    "decoyed_summoner_summons": ("decoyed_summoner_summons", True),
    "summoned_row": ("summoned_joins_row", "summoner"),
    "summoned_card_leaves": ("summoned_card_vanishes", "removed"),
    "berserker_without_side_card": ("berserker_leaves", "leaves"),
    "pirate_spares_itself": ("pirate_hits_itself", False),
    "leader_without_effect": ("leader_needs_effect", "forbidden"),
    "hope_of_the_aen_seidhe": ("hope_moves_both_sides", "both"),
    "leader_row_scorch": ("leader_scorches_all", "each"),
    "northern_realms_draw": ("realms_draw_alone", "alone"),
    "skellige_rounds": ("skellige_returns_often", "from_third"),
    "tied_starter": ("tied_starter_stays", "same"),
    "target_together": ("target_shared", "all"),
    "nobody_can_play": ("exhausted_is_draw", "draw"),
    "neutral_colour": ("neutrals_colourless", "none"),
    "team_starter": ("same_member_starts", "first"),
}
WHITE_FLAME = {"all": "flame_voids_all", "opponents": "flame_voids_opponents"}


def card_numbers(database: CardDatabase) -> dict[str, int]:
    """The number of each card in the engine: its place in the database, from 1."""
    return {card: index for index, card in enumerate(database.cards, 1)}


def colour_numbers(database: CardDatabase) -> dict[str, int]:
    """The numbers of the colours that cards may have, by faction; neutral is none."""
    factions = [id for id in database.factions if id != database.game.neutral]
    return {faction: index for index, faction in enumerate(factions, 1)}


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words of the database that the engine does not know.

    Raises:
        EngineError: an ability, kind, row, leader, faction ability or option has no
            implementation; nothing is ever played as a blank card.
    """
    wanted = [
        ("ability", Ability, database.game.abilities),
        ("kind", Kind, database.game.kinds),
        ("row", RowName, database.game.rows),
        ("leader ability", Leader, [x.ability for x in database.leaders.values()]),
        (
            "faction ability",
            FactionAbility,
            [x.ability for x in database.factions.values() if x.ability],
        ),
    ]
    for what, codes, words in wanted:
        for word in words:
            if word.upper() not in codes.__members__:
                raise EngineError(f"the Gwent engine does not know the {what} `{word}`")
    for option in database.game.options:
        # What is only for matches is played between games, by `sim.lineup_rules`.
        is_between = option.plays == ("match",)
        known = (*FLAGS, *NUMBERS, *SOLO_FLAGS, "white_flame")
        if option.name not in known and not is_between:
            raise EngineError(
                f"the Gwent engine does not know the option `{option.name}`"
            )
    if len(database.cards) >= CARDS:
        raise EngineError(f"the Gwent engine plays at most {CARDS - 1} different cards")


def bits(words: Sequence[str]) -> int:
    """The abilities as one number."""
    return sum(int(Ability[word.upper()]) for word in words)


def fill_cards(x: Context, database: CardDatabase) -> None:
    """Fill the card table."""
    number = card_numbers(database)
    colours = colour_numbers(database)
    families: dict[str, int] = {}
    x.side_index[:] = -1
    side_cards = [card for card in database.cards.values() if not card.deckable]
    if len(side_cards) > SIDE_DECK:
        raise EngineError(f"the Gwent engine plays at most {SIDE_DECK} side-deck cards")
    for index, card in enumerate(side_cards):
        x.side_index[number[card.id]] = index
        x.side_card[:, index] = number[card.id]
    x.plain[:] = range(CARDS)
    # A field of a record is looked up slowly, an element of an array is not.
    strength, kind, rows, ability, family = (
        x[name] for name in ("strength", "kind", "rows", "ability", "family")
    )
    for card in database.cards.values():
        i = number[card.id]
        strength[i] = card.strength or 0
        kind[i] = Kind[card.kind.upper()]
        rows[i] = sum(1 << RowName[row.upper()] for row in card.rows)
        ability[i] = bits([each.code for each in card.abilities])
        x.colour[i] = colours.get(card.faction or "", 0)
        family[i] = i
        for each in card.abilities:
            if each.code == "muster" and each.group:
                family[i] = families.setdefault(each.group, i)
    for card in database.cards.values():
        fill_targets(x, card, number)


def fill_targets(x: Context, card: Card, number: dict[str, int]) -> None:
    """Whom the abilities of a card reach for (muster 1.6.4, 1.6.10, 1.6.11)."""
    i = number[card.id]
    for ability in card.abilities:
        target = number[ability.target] if ability.target else i
        if ability.code == "muster":
            x.calls[i] = x.family[target]
        elif ability.code == "berserker":
            x.becomes[i] = target
        elif ability.code == "summon_avenger":
            x.summoned[i] = target


def fill_options(x: Context, fmt: Format) -> None:
    """Translate the options of the format to flags."""
    for option, field in NUMBERS.items():
        x[field] = fmt.options.get(option, 0)
    for option, (field, value) in FLAGS.items():
        x[field] = int(fmt.options.get(option) == value)
    for value, field in WHITE_FLAME.items():
        x[field] = int(fmt.options.get("white_flame") == value)


def fill_flags(
    x: Context, fmt: Format, flags: Mapping[str, tuple[str, str | bool]]
) -> None:
    """Translate options that only some formats have."""
    for option, (field, value) in flags.items():
        x[field] = int(fmt.options.get(option) == value)


def fill_seat(x: Context, database: CardDatabase, player: int, seat: Seat) -> None:
    """Give a seat its deck, leader, faction and side deck."""
    number = card_numbers(database)
    x.side[player] = player % x.n_sides
    faction = database.factions.get(seat.faction or "")
    word = faction.ability if faction and faction.ability else "none"
    x.own_colour[player] = colour_numbers(database).get(seat.faction or "", 0)
    x.faction_ability[player] = FactionAbility[word.upper()]
    leader = database.leaders.get(seat.leader or "")
    x.leader[player] = Leader[leader.ability.upper()] if leader else Leader.NONE
    x.passive[player] = int(leader.passive) if leader else 0
    x.policy[player] = seat.policy
    fill_deck(x, number, player, seat)
    for card in database.cards.values():
        own = faction is not None and card.faction == faction.id
        if not card.deckable and (own or card.faction == database.game.neutral):
            x.side_deck[player, x.side_index[number[card.id]]] = card.copies


def fill_deck(x: Context, number: Mapping[str, int], player: int, seat: Seat) -> None:
    """Give a seat the cards of its deck."""
    if seat.cards is None:
        raise EngineError(
            "The Gwent engine deals no random decks",
            "Name decks to play with; `deckcheck generate` writes random ones",
        )
    # Sorted by card number, so that the way a list is written changes no game.
    cards = sorted(
        number[card] for card, count in seat.cards.items() for _ in range(count)
    )
    # An automa has a whole faction set, and hardly any other card can join it.
    largest = DECK * 7 // 8 if seat.is_automa else DECK * 3 // 4
    if len(cards) > largest:
        raise EngineError(
            f"a deck of {len(cards)} cards is too large for the engine, "
            f"which plays up to {largest}"
        )
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = cards
