"""From card data and format to the context record (never compiled)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card, LeaderRecord
from deckcheck.engine.features import GAIN_GROUPS, Lane, hand_fields
from deckcheck.engine.gwent.abilities import (
    SPECIAL_ABILITIES,
    UNIT_ABILITIES,
    WEATHER_CARD_ABILITIES,
)
from deckcheck.engine.gwent.codes import Ability, FactionAbility, Kind, Leader, Role
from deckcheck.engine.gwent.features import (
    FEATURES,
    HEAP_FIGURES,
    MAX_OPPONENTS,
    PARTNER_GAINS,
    TABLE_FEATURES,
)
from deckcheck.engine.gwent.leaders import ACTIVE_LEADERS, PASSIVE_LEADERS
from deckcheck.engine.gwent.state import (
    AUTOMA,
    CONTEXT,
    INT,
    MANY_CONTEXT,
    MAX_DECK,
    MAX_HAND,
    MAX_KINDS,
    MAX_SIDE_DECK,
    MOST_PLAYERS,
    NUMBER_OPTIONS,
    OPTION_FLAGS,
    SOLO_CONTEXT,
    SOLO_FLAGS,
    new_context,
)
from deckcheck.engine.gwent.weights import (
    FIRST_VERSION,
    fill_figures,
    fill_first_figures,
    find_figures,
)
from deckcheck.engine.jit import Context
from deckcheck.engine.primitives import RowName
from deckcheck.engine.registry import (
    EngineError,
    Seat,
    card_numbers,
    check_options,
    check_words,
    fill_options,
    number_cards,
)
from deckcheck.formats import Format
from deckcheck.formats.model import whole_faction

# -----------------------------------------------------------------------------
# Whether the coin decides anything in a duel: by its context, or by the factions


def coin_decides(context: npt.NDArray[np.void]) -> bool:
    """Report whether the coin decides who begins in games with this context."""
    return _is_tossed(context["faction_ability"].tolist())


def coin_decides_between(
    database: CardDatabase, factions: Sequence[str | None]
) -> bool:
    """Report whether the coin decides who begins with these factions."""
    abilities = [database.factions[faction].ability for faction in factions if faction]
    return _is_tossed([faction_ability(word) for word in abilities])


def faction_ability(word: str | None) -> FactionAbility:
    """Return the ability of a faction as its data names it."""
    return FactionAbility[(word or "none").upper()]


def _is_tossed(abilities: Sequence[int]) -> bool:
    """Report whether the coin decides: unless exactly one is Scoia'tael (1.7.4)."""
    return abilities.count(FactionAbility.CHOOSE_STARTER) != 1


# -----------------------------------------------------------------------------
# The words of the data that the Gwent engine plays, and on which cards

PLAYED_ABILITIES = {
    Kind.UNIT: sum(UNIT_ABILITIES),
    # "Heroes always count their printed strength": no bond doubles one.
    Kind.HERO: sum(UNIT_ABILITIES) & ~Ability.TIGHT_BOND,
    Kind.SPECIAL: sum(SPECIAL_ABILITIES),
    Kind.WEATHER: sum(WEATHER_CARD_ABILITIES),
}
"""The abilities that a card of a kind can have, each where it is played."""

AGILE_ROWS = {"close", "ranged"}


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words of the database that the engine does not play.

    Raises EngineError for an ability, kind, row, leader, faction ability or option that
    has no implementation, so that no card is ever played as a blank.
    """
    factions = database.factions.values()
    faction_abilities = [each.ability for each in factions if each.ability]
    check_words("Gwent", "ability", Ability, database.game.abilities)
    check_words("Gwent", "kind", Kind, database.game.kinds)
    check_words("Gwent", "row", RowName, database.game.rows)
    check_words("Gwent", "faction ability", FactionAbility, faction_abilities)
    # Options of matches are played between games.
    options = [option for option in database.game.options if option.plays != ("match",)]
    check_options("Gwent", options, NUMBER_OPTIONS, {**OPTION_FLAGS, **SOLO_FLAGS})
    for leader in database.leaders.values():
        check_leader(leader)
    for card in database.cards.values():
        check_card(card)
    if len(database.cards) >= MAX_KINDS:
        raise EngineError(
            f"the Gwent engine plays at most {MAX_KINDS - 1} different cards"
        )


def check_leader(leader: LeaderRecord) -> None:
    """Refuse a leader that the engine does not play, or that could never be used."""
    check_words("Gwent", "leader ability", Leader, [leader.ability])
    code = Leader[leader.ability.upper()]
    name, ability = leader.full_name, leader.ability
    if code not in ACTIVE_LEADERS and code not in PASSIVE_LEADERS:
        raise EngineError(
            f"the Gwent engine does not play the leader ability `{ability}`"
        )
    if leader.passive and code not in PASSIVE_LEADERS:
        raise EngineError(f"`{name}` is passive, but `{ability}` is not")
    if not leader.passive and code in PASSIVE_LEADERS:
        raise EngineError(f"`{name}` is not passive, but `{ability}` is")


def check_card(card: Card) -> None:
    """Refuse a card that the engine would not play in full."""
    kind = Kind[card.kind.upper()]
    for ability in card.abilities:
        if not ability_bits([ability.code]) & PLAYED_ABILITIES[kind]:
            raise refuse_card(card, f"a {card.kind} with `{ability.code}`")
    if kind in (Kind.SPECIAL, Kind.WEATHER) and len(card.abilities) != 1:
        raise refuse_card(card, f"a {card.kind} with {len(card.abilities)} abilities")
    is_agile = card.has("agile")
    if is_agile and set(card.rows) != AGILE_ROWS:
        fault = "an agile card without exactly the rows close and ranged"
        raise refuse_card(card, fault)
    if not is_agile and len(card.rows) > 1:
        raise refuse_card(card, "a card of several rows that is not agile")


def refuse_card(card: Card, fault: str) -> EngineError:
    """Return the error that refuses a card."""
    return EngineError(f"the Gwent engine does not play {fault}: `{card.name}`")


def ability_bits(words: list[str]) -> int:
    """Return the abilities as a single number."""
    return sum(int(Ability[word.upper()]) for word in words)


# -----------------------------------------------------------------------------
# The role, the lane and the usual worth of every card, for the views of players

# The role of a unit with several abilities comes from the first of these.
ROLE_BY_ABILITY = {
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
ROLE_OF_SPECIAL = {
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
# The strength that a role adds to a card in an average use, by the heuristic.
ROLE_WORTH = {
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


def find_role(card: Card) -> Role:
    """Return the role of a card."""
    codes = {ability.code for ability in card.abilities}
    if card.kind not in ("unit", "hero"):
        return next(role for code, role in ROLE_OF_SPECIAL.items() if code in codes)
    for code, role in ROLE_BY_ABILITY.items():
        if code in codes:
            return role
    if card.kind == "hero":
        return Role.HERO
    return Role.AGILE if "agile" in codes else Role[card.rows[0].upper()]


def find_lane(card: Card) -> Lane:
    """Return where the strength of a card counts."""
    if card.kind != "unit":
        return Lane.APART
    if any(ability.code == "agile" for ability in card.abilities):
        return Lane.AGILE
    return Lane[card.rows[0].upper()]


def estimate_worth(card: Card, summoned: int) -> int:
    """Return the strength that a card brings in an average use.

    `summoned` is the strength of the unit that comes when it leaves, or 0.
    """
    strength = card.strength or 0
    if summoned:
        return strength + summoned
    role = find_role(card)
    if role == Role.SPY:
        strength = -strength
    return ROLE_WORTH.get(role, 0) + strength


# -----------------------------------------------------------------------------
# The data of a context: card table, options of play, and seats


def colour_numbers(database: CardDatabase) -> dict[str, int]:
    """Return the number of the colour of each faction. Neutral cards have none."""
    factions = [id for id in database.factions if id != database.game.neutral]
    return {faction: index for index, faction in enumerate(factions, 1)}


Options: TypeAlias = tuple[tuple[str, object], ...]
SEAT_FIELDS = tuple(
    """
    side own_colour faction_ability leader passive policy budget n_deck deck musters
    side_deck figures
    """.split()
)
"""The fields that `fill_seat` writes, with a row for each player."""


def seated_context(
    database: CardDatabase,
    dtype: np.dtype[np.void],
    fmt: Format,
    seats: Sequence[Seat],
    sides: int,
) -> np.recarray:
    """Return a context with card table, options and seats.

    Raises EngineError if the engine does not play these cards, see `check_vocabulary`,
    or does not play a deck.
    """
    options = tuple(fmt.options.items())
    unseated = _make_unseated_context(database, dtype, options, sides)
    # A copy of the array itself, or of a field, would take several times as long.
    context = bytearray(unseated.view(np.uint8))
    for player, seat in enumerate(seats):
        for span, cells in _make_seat_bytes(
            database, dtype, options, sides, player, seat
        ):
            context[span] = cells
    array = np.frombuffer(context, unseated.dtype)
    array["n_players"] = len(seats)
    return array.view(np.recarray)


@lru_cache(maxsize=8)
def _make_unseated_context(
    database: CardDatabase, dtype: np.dtype[np.void], options: Options, sides: int
) -> np.recarray:
    """Return a context without seats, made once and shared by all pairings."""
    check_vocabulary(database)
    context = new_context(dtype)
    x = context[0]
    fill_cards(x, database)
    x.n_sides = sides
    flags = {**OPTION_FLAGS, **SOLO_FLAGS} if dtype == SOLO_CONTEXT else OPTION_FLAGS
    fill_options(x, dict(options), NUMBER_OPTIONS, flags)
    fill_first_figures(x)
    return context


@lru_cache(maxsize=1024)
def _make_seat_bytes(
    database: CardDatabase,
    dtype: np.dtype[np.void],
    options: Options,
    sides: int,
    player: int,
    seat: Seat,
) -> tuple[tuple[slice, bytes], ...]:
    """Return the bytes of each field of a seat, which are kept for other opponents."""
    context = _make_unseated_context(database, dtype, options, sides).copy()
    x = context[0]
    fill_seat(x, database, player, seat)
    is_solo = dtype == SOLO_CONTEXT
    fill_figures(x, player, FIRST_VERSION if is_solo else find_figures(seat.heuristic))
    located = [_read_row(dtype, name, player, x[name][player]) for name in SEAT_FIELDS]
    return tuple(located)


def _read_row(
    dtype: np.dtype[np.void], name: str, player: int, cells: npt.NDArray[np.void]
) -> tuple[slice, bytes]:
    """Return the position in a context of a player's row of a field, and its bytes."""
    fields: Any = dtype.fields
    start = fields[name][1] + player * cells.nbytes
    return slice(start, start + cells.nbytes), cells.tobytes()


def fill_cards(x: Context, database: CardDatabase) -> None:
    """Fill the card table."""
    numbers = card_numbers(database)
    colours = colour_numbers(database)
    families: dict[str, int] = {}
    x.side_index[:] = -1
    side_cards = [card for card in database.cards.values() if not card.deckable]
    if len(side_cards) > MAX_SIDE_DECK:
        raise EngineError(
            f"the Gwent engine plays at most {MAX_SIDE_DECK} side-deck cards"
        )
    for index, card in enumerate(side_cards):
        x.side_index[numbers[card.id]] = index
        x.side_card[:, index] = numbers[card.id]
    x.plain[:] = range(MAX_KINDS)
    # A field of a record is looked up slowly, an element of an array is not.
    strength = x["strength"]
    kind = x["kind"]
    rows = x["rows"]
    ability = x["ability"]
    family = x["family"]
    for card in database.cards.values():
        i = numbers[card.id]
        strength[i] = card.strength or 0
        kind[i] = Kind[card.kind.upper()]
        rows[i] = sum(1 << RowName[row.upper()] for row in card.rows)
        ability[i] = ability_bits([ability.code for ability in card.abilities])
        x.colour[i] = colours.get(card.faction or "", 0)
        family[i] = i
        for ability_of_card in card.abilities:
            if ability_of_card.code == "muster" and ability_of_card.group:
                family[i] = families.setdefault(ability_of_card.group, i)
    # The second pass: targets need the families of all cards.
    for card in database.cards.values():
        fill_targets(x, card, numbers)
        i = numbers[card.id]
        x.role[i] = find_role(card)
        x.lane[i] = find_lane(card)
        x.worth[i] = estimate_worth(card, x.strength[x.summoned[i]])
    x.answers[:] = np.isin(x.family, x.calls[x.calls > 0])


def fill_targets(x: Context, card: Card, numbers: dict[str, int]) -> None:
    """Fill in the cards that a card calls, becomes or summons (1.6.4, 1.6.10 f.)."""
    i = numbers[card.id]
    for ability in card.abilities:
        target = numbers[ability.target] if ability.target else i
        if ability.code == "muster":
            x.calls[i] = x.family[target]
        elif ability.code == "berserker":
            x.becomes[i] = target
        elif ability.code == "summon_avenger":
            x.summoned[i] = target


def fill_seat(x: Context, database: CardDatabase, player: int, seat: Seat) -> None:
    """Give a seat its deck, leader, faction and side deck."""
    numbers = card_numbers(database)
    x.side[player] = player % x.n_sides
    faction = database.factions.get(seat.faction or "")
    x.own_colour[player] = colour_numbers(database).get(seat.faction or "", 0)
    x.faction_ability[player] = faction_ability(faction.ability if faction else None)
    leader = database.leaders.get(seat.leader or "")
    x.leader[player] = Leader[leader.ability.upper()] if leader else Leader.NONE
    x.passive[player] = int(leader.passive) if leader else 0
    x.policy[player] = seat.policy
    x.budget[player] = seat.budget
    fill_deck(x, numbers, player, seat)
    for card in database.cards.values():
        is_own = faction is not None and card.faction == faction.id
        if not card.deckable and (is_own or card.faction == database.game.neutral):
            x.side_deck[player, x.side_index[numbers[card.id]]] = card.copies


def fill_deck(x: Context, numbers: Mapping[str, int], player: int, seat: Seat) -> None:
    """Give a seat the cards of its deck."""
    # An automa has a whole faction set, and hardly any other card can join it.
    largest = MAX_DECK * 7 // 8 if seat.is_automa else MAX_DECK * 3 // 4
    cards = number_cards(seat, numbers, largest, "Gwent")
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = cards
    x.musters[player] = x.answers[cards].any()


# -----------------------------------------------------------------------------
# Neutral cards in the colours of the factions at the table (rules 5.6.4)
#
# "Each faction has its own set of the neutral cards" (1.1.1), and in a team the owner
# of a card matters. Each neutral card of a deck becomes another card, which has a
# colour.

CARD_COLUMNS = tuple(
    "strength kind rows ability family calls becomes summoned side_index".split()
)


def dye_neutral_cards(x: Context, cards: int) -> None:
    """Give every neutral card of a deck or side deck the colour of its deck.

    `cards` is the number of cards in the database. New cards get higher numbers.
    """
    numbers: dict[tuple[int, int], int] = {}
    for player in range(x.n_players):
        colour = int(x.own_colour[player])
        for zone in (x.deck[player, : x.n_deck[player]], x.side_card[player]):
            for index, card in enumerate(zone.tolist()):
                if card and colour and not x.colour[card]:
                    free = cards + len(numbers) + 1
                    zone[index] = numbers.setdefault((card, colour), free)
    if cards + len(numbers) >= MAX_KINDS:
        raise EngineError(
            f"the Gwent engine plays at most {MAX_KINDS - 1} different cards"
        )
    for (card, colour), number in numbers.items():
        add_coloured_card(x, card, number, colour)


def add_coloured_card(x: Context, card: int, number: int, colour: int) -> None:
    """Add a copy of a card, with a colour, to the card table."""
    for name in CARD_COLUMNS:
        x[name][number] = x[name][card]
    x.plain[number] = card
    x.colour[number] = colour


# -----------------------------------------------------------------------------
# The seats of solo: the user's deck made from a faction, and the automa's (6.1)


def automa_seat(database: CardDatabase, fmt: Format, faction: str) -> Seat:
    """Return the seat of an automa of `faction`, the second of `fill_context`.

    Its cards are the whole faction set with its neutral cards, without the side deck
    (rules 6.1.2). `fill_context` adds its leaders where the format has them.
    """
    cards = dict(whole_faction(database, faction))
    return Seat(cards, faction=faction, is_automa=True)


def player_seat(database: CardDatabase, fmt: Format, seat: Seat) -> Seat:
    """Return the seat of the user, the first of `fill_context`.

    Where the format asks for a whole faction and `seat` has no cards, its cards are the
    faction set without weather other than Clear Weather (rules 6.1.3).
    """
    wholes = [each for each in fmt.constraints if each.rule == "whole_faction"]
    if wholes and seat.faction and not seat.cards:
        cards = whole_faction(database, seat.faction, wholes[0].condition)
        return replace(seat, cards=dict(cards))
    return seat


def fill_solo_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """Return the context of a solo game of the user and `automa_seat`."""
    context = seated_context(database, SOLO_CONTEXT, fmt, seats, len(seats))
    x = context[0]
    fill_leader_pile(x, database, seats[AUTOMA].faction)
    allowed = (FactionAbility.NONE, FactionAbility.DRAW_AFTER_WIN)
    if x.automa_without_faction and x.faction_ability[AUTOMA] not in allowed:
        x.faction_ability[AUTOMA] = FactionAbility.NONE
    return context


def fill_leader_pile(x: Context, database: CardDatabase, faction: str | None) -> None:
    """Fill in the leaders of the automa's faction for the variant (6.4.1)."""
    if not x.automa_leaders:
        return
    abilities = [
        Leader[leader.ability.upper()]
        for leader in database.leaders.values()
        if leader.faction == faction
    ]
    x.n_leaders = len(abilities)
    x.leaders[: len(abilities)] = abilities


# -----------------------------------------------------------------------------
# The context record of a game, from the card database and a format

TEAM_COUNT = 2


def find_variant(fmt: Format, players: int) -> str:
    """Return the variant, a key of `RECORD_TYPES`, in which `fmt` is played.

    Raises EngineError if the engine does not play games of this format.
    """
    if fmt.seating.play == "solo":
        return "solo"
    if fmt.seating.play in ("table", "teams"):
        return "many"
    if fmt.seating.play != "duel":
        raise EngineError(f"the engine does not play {fmt.id}")
    return "two"


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """Return the context of a game: cards, options and a seat for each player.

    Solo has the seats that `player_seat` and `automa_seat` make.
    """
    variant = find_variant(fmt, len(seats))
    if variant == "solo":
        return fill_solo_context(database, fmt, seats)
    dtype = MANY_CONTEXT if variant == "many" else CONTEXT
    most = dtype["side"].shape[0]
    if len(seats) > most:
        raise EngineError(
            f"the Gwent engine plays with up to {most} players here, "
            f"not with {len(seats)}"
        )
    sides = TEAM_COUNT if fmt.seating.play == "teams" else len(seats)
    context = seated_context(database, dtype, fmt, seats, sides)
    if fmt.seating.play == "teams" and not context[0].neutrals_colourless:
        dye_neutral_cards(context[0], len(database.cards))
    return context


# -----------------------------------------------------------------------------
# The workspace of `learned`: the view from its seat, and sums of it


def view_fields(
    players: int, groups: int, features: int
) -> tuple[tuple[Any, ...], ...]:
    """Return the fields for a board of a number of players, each on a side."""
    return (
        ("rival", INT, (players,)),  # the player with whom each is compared
        # rows, by side, with units other than heroes
        ("units", INT, (players, 3)),  # their number
        ("printed", INT, (players, 3)),  # their printed strength
        ("now", INT, (players, 3)),  # their strength now
        # the strength that weather would take, or has taken
        ("fade", INT, (players, 3)),
        ("morale", INT, (players, 3)),
        ("horned", INT, (players, 3)),
        ("best", INT, (players, 3)),  # the highest strength of a unit
        ("burnt", INT, (players, 3)),  # the strength of all units of that strength
        ("weathered", INT, (3,)),
        # sides
        ("scorched", INT, (players,)),  # the strength that Scorch would take
        ("spies", INT, (players,)),
        ("spy_cost", INT, (players,)),  # the strength of a spy on the side
        ("medics", INT, (players,)),
        ("pending", INT, (players,)),  # strength that units summon when they leave
        ("strongest", INT),
        # piles, by the player who may use them
        ("dead", INT, (players,)),
        ("dead_strength", INT, (players,)),
        ("dead_spies", INT, (players,)),
        ("revival", INT, (players,)),
        ("second_revival", INT, (players,)),
        # hands and decks
        ("called", INT, (players, MAX_KINDS)),  # strength by family in hand and deck
        ("n_called", INT, (players,)),  # cards of these families
        ("families", INT, (players, MAX_HAND + MAX_DECK)),  # of each of them
        ("mustered", INT),  # strength that the hand calls
        *hand_fields(HEAP_FIGURES, features, groups),
    )


DUEL_FIELDS = view_fields(2, GAIN_GROUPS, FEATURES)
TABLE_FIELDS = (
    ("lined", INT, (MAX_OPPONENTS,)),  # the opponents, the strongest first
    *view_fields(MOST_PLAYERS, PARTNER_GAINS + 1, TABLE_FEATURES),
)
