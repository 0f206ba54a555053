"""From card data and format to the context record (never compiled)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card, CardAbility, LeaderRecord
from deckcheck.engine.features import Lane, hand_fields
from deckcheck.engine.primitives import RowName
from deckcheck.engine.records import Records
from deckcheck.engine.registry import (
    EngineError,
    Seat,
    card_numbers,
    check_options,
    check_words,
    fill_options,
    number_cards,
)
from deckcheck.engine.sg_gwint.codes import Ability, FactionAbility, Kind, Leader
from deckcheck.engine.sg_gwint.features import FEATURES, HEAP_FIGURES, Role
from deckcheck.engine.sg_gwint.heuristic import CARD_WORTH
from deckcheck.engine.sg_gwint.state import (
    CARD_NUMBERS,
    CONTEXT,
    HALF,
    INT,
    MAX_DECK,
    MAX_LINKED,
    MAX_RESERVES,
    MAX_TOKENS,
    NUMBER_OPTIONS,
    OPTION_FLAGS,
    ROWS,
)
from deckcheck.formats import Format

IN_THE_CARDS: dict[str, set[str | bool]] = {
    "silver_returns": {False},
    "guardian_stays_dead": {"guardian", "summoned"},
    "tokens": {"listed"},
    "klepna": {"if_listed"},
}
"""Options that fill the card table and the reserves: the values but the default."""


# -----------------------------------------------------------------------------
# Refusals of the engine: words and cards that it cannot play

MAX_AMOUNT = 100  # bonds, lagers and reinforcements of this size still fit a cell
MAX_CARDS_MOVED = 12  # cards that one card may bring, move or draw
ON_TOKENS = frozenset(("demotivation_token", "reinforcement_token"))
# Abilities that need a row to lie in, or are about the card's own strength.
ON_UNITS = frozenset(
    """
    tenacity immunity tight_bond morale_boost guardian return_on_loss
    opening_card spy transform devour demotivation row_scorch
    """.split()
)
ON_SPECIALS = frozenset(("weather", "attach"))
# Abilities of specials that stay, at most one each.
STAYING_ABILITIES = frozenset(("weather", "attach", "mahakam_lager", "mardroeme"))


def check_vocabulary(database: CardDatabase) -> None:
    """Refuse words and cards of the database that the engine does not play.

    Raises EngineError, so that no card is ever played as a blank.
    """
    game = database.game
    factions = [faction.ability for faction in game.factions if faction.ability]
    check_words("SG Gwint", "ability", Ability, game.abilities)
    check_words("SG Gwint", "kind", Kind, game.kinds)
    check_words("SG Gwint", "row", RowName, game.rows)
    check_words("SG Gwint", "leader ability", Leader, game.leader_abilities)
    check_words("SG Gwint", "faction ability", FactionAbility, factions)
    choices = {**OPTION_FLAGS, **IN_THE_CARDS}
    check_options("SG Gwint", game.options, NUMBER_OPTIONS, choices)
    check_sizes(database)
    for card in database.cards.values():
        fault = find_fault(card)
        if card.known and fault is not None:
            raise EngineError(
                f"the SG Gwint engine plays no card with {fault}: `{card.name}`"
            )


def check_sizes(database: CardDatabase) -> None:
    """Refuse more cards than the records hold."""
    if len(database.cards) + len(database.leaders) >= HALF:
        raise EngineError(
            f"the SG Gwint engine plays fewer than {HALF} different cards and leaders"
        )
    reserves = [card for card in database.cards.values() if not card.deckable]
    if len(reserves) > MAX_RESERVES:
        raise EngineError(
            f"the SG Gwint engine plays at most {MAX_RESERVES} different silver cards "
            f"and tokens, not {len(reserves)}"
        )


def find_fault(card: Card) -> str | None:
    """Return an attribute that no card of this kind can have, or None."""
    codes = {ability.code for ability in card.abilities}
    amounts = [ability.amount or 0 for ability in card.abilities]
    if (card.strength or 0) > MAX_AMOUNT or max(amounts, default=0) > MAX_AMOUNT:
        return f"a number above {MAX_AMOUNT}"
    for ability in card.abilities:
        moves_cards = ability.code in ("bring_reserves", "diplomacy")
        if moves_cards and (ability.amount or 0) > MAX_CARDS_MOVED:
            return f"`bring_reserves` or `diplomacy` above {MAX_CARDS_MOVED}"
    if card.kind == "token":
        wrong = codes - ON_TOKENS
    elif card.kind == "special":
        wrong = codes & (ON_UNITS | ON_TOKENS)
        if len(codes & STAYING_ABILITIES) > 1:
            return "two abilities that stay on the battlefield"
    else:
        wrong = codes & (ON_SPECIALS | ON_TOKENS)
    if wrong:
        return f"an ability that its kind cannot have, `{sorted(wrong)[0]}`"
    if card.kind in ("silver", "token") and card.deckable:
        return f"the kind {card.kind} that is deckable"
    return None


# -----------------------------------------------------------------------------
# The role, the lane and the usual worth of every card, for the views of players

# The role of a card with several abilities comes from the first of these.
ROLE_BY_ABILITY = {
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
ROLE_OF_SPECIAL = {
    "decoy": Role.DECOY,
    "mahakam_lager": Role.LAGER,
    "scorch": Role.SCORCH,
    "mardroeme": Role.MARDROEME,
    "clear_weather": Role.CLEAR,
}
WEATHER_ROLES = {"close": Role.FROST, "ranged": Role.FOG, "siege": Role.RAIN}
# The strength that abilities add to a unit in an average use, each group once.
ABILITY_WORTH = (
    (Ability.MEDIC, 7),
    (Ability.MAHAKAM_LAGER, 10),
    (Ability.SCORCH | Ability.ROW_SCORCH | Ability.DESTROY_UNIT, 6),
    (Ability.MORALE_BOOST | Ability.TENACITY, 3),
    (Ability.TRANSFORM | Ability.MARDROEME | Ability.DEVOUR, 3),
)
# The worth of specials in an average use, by the first of these abilities.
SPECIAL_WORTH = (
    (Ability.MAHAKAM_LAGER, 12),
    (Ability.SCORCH, 9),
    (Ability.MARDROEME, 8),
    (Ability.DECOY, 6),
    (Ability.CLEAR_WEATHER, 4),
)
OTHER_SPECIAL_WORTH = 5


def find_role(card: Card) -> Role:
    """Return the role of a card."""
    codes = {ability.code for ability in card.abilities}
    if card.kind == "token":
        return Role.TRICK
    if card.kind == "special":
        return special_role(card)
    for code, role in ROLE_BY_ABILITY.items():
        if code in codes:
            return role
    if card.shield:
        return Role.SHIELDED
    return Role[find_lane(card).name]


def special_role(card: Card) -> Role:
    """Return the role of a special."""
    for ability in card.abilities:
        if ability.code == "weather":
            is_storm = len(ability.rows) > 1
            return Role.STORM if is_storm else WEATHER_ROLES[ability.rows[0]]
    codes = {ability.code for ability in card.abilities}
    for code, role in ROLE_OF_SPECIAL.items():
        if code in codes:
            return role
    return Role.TRICK


def find_lane(card: Card) -> Lane:
    """Return where the strength of a card counts."""
    if card.shield:
        return Lane.APART
    return Lane[card.rows[0].upper()] if len(card.rows) == 1 else Lane.AGILE


def estimate_worth(x: Any, i: int) -> int:
    """Return the strength that a card brings in an average use.

    No other card of its family or its name counts.
    """
    ability = int(x.ability[i])
    strength = int(x.strength[i])
    if x.kind[i] == Kind.TOKEN:
        return 0
    if x.kind[i] == Kind.SPECIAL:
        for wanted, worth in SPECIAL_WORTH:
            if ability & wanted:
                return worth
        return OTHER_SPECIAL_WORTH + int(x.adds[i])
    if ability & Ability.SPY:
        return max(strength, CARD_WORTH + 4)
    worth = strength + sum(more for wanted, more in ABILITY_WORTH if ability & wanted)
    if ability & Ability.GUARDIAN:
        worth += int(x.strength[x.summoned[i]])
    if ability & Ability.BRING_RESERVES:
        worth += int(x.strength[x.brings[i]] * x.brought[i])
    return worth + int(x.reinforces[i])


# -----------------------------------------------------------------------------
# The card table, which has every card twice, once for each owner

# Where the table keeps the card that an ability names, and its amount.
TARGET_COLUMNS = {
    "guardian": "summoned",
    "transform": "becomes",
    "bring_reserves": "brings",
}
AMOUNT_COLUMNS = {
    "bring_reserves": "brought",
    "reinforcement": "reinforces",
    "reinforcement_token": "adds",
    "attach": "adds",
    "diplomacy": "relocates",
}
STAYS_DEAD = {
    "both": ("guardian", "summoned"),
    "guardian": ("guardian",),
    "summoned": ("summoned",),
}


def row_mask(rows: tuple[str, ...]) -> int:
    """Return rows as the bits of a number."""
    return sum(1 << RowName[row.upper()] for row in rows)


@lru_cache(maxsize=8)
def make_card_table(database: CardDatabase) -> np.recarray:
    """Return a context with only the card table that all formats share.

    It is made once and copied, since every pairing of a round robin needs it.

    Raises EngineError if the engine does not play these cards, see `check_vocabulary`.
    """
    check_vocabulary(database)
    context = np.zeros(1, CONTEXT).view(np.recarray)
    fill_cards(Records(context)[0], database)
    return context


def fill_cards(x: Any, database: CardDatabase) -> None:
    """Fill the card table for both players."""
    number = card_numbers(database)
    families: dict[str, int] = {}
    x.reserve_index[:] = -1
    x.plain[:] = [number % HALF for number in range(CARD_NUMBERS)]
    x.owner[:] = [number // HALF for number in range(CARD_NUMBERS)]
    reserves = [card.id for card in database.cards.values() if not card.deckable]
    x.n_reserves = len(reserves)
    for card in database.cards.values():
        family = number[card.id]
        for ability in card.abilities:
            if ability.code == "muster" and ability.group:
                family = families.setdefault(ability.group, family)
        for player in range(2):
            i = number[card.id] + HALF * player
            fill_card(x, card, i)
            x.family[i] = family
            if card.id in reserves:
                index = reserves.index(card.id)
                x.reserve_index[i] = index
                x.reserve_card[player, index] = i
    for card in database.cards.values():
        for ability in card.abilities:
            for player in range(2):
                fill_ability(x, number, card, ability, player)
    for i in range(1, CARD_NUMBERS):
        if x.kind[i]:
            x.worth[i] = estimate_worth(x, i)


def fill_card(x: Any, card: Card, i: int) -> None:
    """Fill in the attributes of a card."""
    x.strength[i] = card.strength or 0
    x.kind[i] = Kind[card.kind.upper()]
    x.rows[i] = row_mask(card.rows)
    x.shield[i] = int(card.shield)
    x.role[i] = find_role(card)
    x.lane[i] = find_lane(card)
    x.ability[i] = sum(int(Ability[ability.code.upper()]) for ability in card.abilities)


def fill_ability(
    x: Any, number: dict[str, int], card: Card, ability: CardAbility, player: int
) -> None:
    """Fill in the card, amount, family or weather rows that an ability names."""
    offset = HALF * player
    i = number[card.id] + offset
    target = number[ability.target] + offset if ability.target else i
    if ability.code in TARGET_COLUMNS:
        getattr(x, TARGET_COLUMNS[ability.code])[i] = target
    if ability.code in AMOUNT_COLUMNS:
        getattr(x, AMOUNT_COLUMNS[ability.code])[i] = ability.amount
    if ability.code == "muster":
        x.calls[i] = x.family[target]
    elif ability.code == "weather":
        x.rows[i] = row_mask(ability.rows)


def note_returns(x: Any, database: CardDatabase, fmt: Format) -> None:
    """Note which units may return from the graveyard (rules 6.12, 9.10)."""
    dead = STAYS_DEAD[str(fmt.options["guardian_stays_dead"])]
    removed = set()
    for card in database.cards.values():
        if card.kind == "silver" and not fmt.options["silver_returns"]:
            removed.add(card.id)
        for ability in card.abilities:
            if ability.code == "guardian":
                if "guardian" in dead:
                    removed.add(card.id)
                if "summoned" in dead and ability.target:
                    removed.add(ability.target)
    returns = x.returns
    for id, i in card_numbers(database).items():
        returns[i] = returns[i + HALF] = int(id not in removed)


# -----------------------------------------------------------------------------
# A seat: the deck of a player, the reserves, the leader

UNKNOWN_CARD_HELP = "A set in your own format can add them"


def fill_seat(
    x: Any, database: CardDatabase, fmt: Format, player: int, seat: Seat
) -> None:
    """Give a seat its deck, leader, faction and reserves.

    Raises EngineError if the deck is too large, or has cards nobody knows.
    """
    offset = HALF * player
    faction = database.factions.get(seat.faction or "")
    word = faction.ability if faction and faction.ability else "none"
    x.faction_ability[player] = FactionAbility[word.upper()]
    x.policy[player] = seat.policy
    x.budget[player] = seat.budget
    refuse_unknown(database.cards[card] for card in seat.cards or ())
    cards = number_cards(seat, card_numbers(database), MAX_DECK, "SG Gwint")
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = [card + offset for card in cards]
    fill_reserves(x, database, fmt, player, seat)
    leader = database.leaders.get(seat.leader or "")
    if leader is not None:
        fill_leader(x, database, player, leader)


REFUSED_LEADERS = (Leader.UNKNOWN,)


def refuse_unknown(records: Iterable[Card | LeaderRecord]) -> None:
    """Refuse cards and leaders that the rules name but nobody has published."""
    for record in records:
        if not record.known:
            raise EngineError(
                f"`{record.name}` cannot be played: what it does is not public",
                UNKNOWN_CARD_HELP,
            )


def fill_reserves(
    x: Any, database: CardDatabase, fmt: Format, player: int, seat: Seat
) -> None:
    """Fill the reserves from the deck's list, else with all cards (rules 1.11)."""
    number = card_numbers(database)
    for card in database.cards.values():
        if card.deckable or not card.known:
            continue
        copies = count_copies(card, database, fmt, seat)
        i = number[card.id] + HALF * player
        x.reserves[player, x.reserve_index[i]] = copies
        if copies and card.has("opening_card"):
            x.opening_card[player] = i
        if copies and card.has("demotivation_token"):
            x.demotivation[player] = i
    if fmt.options["klepna"] == "always" and not x.opening_card[player]:
        add_klepna(x, database, player)


def add_klepna(x: Any, database: CardDatabase, player: int) -> None:
    """Add Klepna, which the starting player lays, to reserves without it (2.12)."""
    number = card_numbers(database)
    for card in database.cards.values():
        if card.known and card.has("opening_card"):
            i = number[card.id] + HALF * player
            x.reserves[player, x.reserve_index[i]] = 1
            x.opening_card[player] = i
            return


def count_copies(card: Card, database: CardDatabase, fmt: Format, seat: Seat) -> int:
    """Return the number of copies of a card in the reserves of a player."""
    if card.kind == "token" and fmt.options["tokens"] == "as_asked":
        return MAX_TOKENS
    listed: Mapping[str, int] | None = seat.reserves
    if listed is not None:
        held = listed.get(card.id, 0)
    else:
        is_allowed = card.faction in (seat.faction, database.game.neutral)
        held = card.copies if is_allowed else 0
    # "They wait with the leader and not in the reserves as well" (10.16)
    leader = database.leaders.get(seat.leader or "")
    linked = leader.cards.count(card.id) if leader is not None else 0
    return min(max(held - linked, 0), MAX_CARDS_MOVED)


def fill_leader(
    x: Any, database: CardDatabase, player: int, leader: LeaderRecord
) -> None:
    """Fill in the effect of the leader of a seat."""
    refuse_unknown((leader,))
    number = card_numbers(database)
    offset = HALF * player
    code = Leader[leader.ability.upper()]
    x.leader[player] = code
    x.passive[player] = int(leader.passive)
    x.free[player] = int(leader.free)
    check_leader(leader, code)
    if code in (Leader.DRAW_CARDS, Leader.OPENING_CARDS):
        x.leader_amount[player] = leader.amount
    if code == Leader.WEATHER:
        i = len(number) + 1 + list(database.leaders).index(leader.id) + offset
        x.leader_card[player] = i
        x.kind[i] = Kind.LEADER
        x.ability[i] = int(Ability.WEATHER)
        x.rows[i] = row_mask(leader.rows)
    if code == Leader.LINKED_CARDS:
        fill_linked(x, database, player, leader)
    for card in database.cards.values():
        if is_pulled(card, leader, code):
            x.pulled[number[card.id] + offset] = 1


def check_leader(leader: LeaderRecord, code: Leader) -> None:
    """Raise EngineError for a leader that the engine cannot play.

    An ability must fit an active or a passive leader, and the cards that the leader
    draws or brings must fit the tables of the engine.
    """
    name, ability = leader.full_name, leader.ability
    is_for_passive = code in (Leader.WEATHERPROOF, Leader.OPENING_CARDS)
    if code != Leader.LINKED_CARDS:
        if is_for_passive and not leader.passive:
            raise EngineError(
                f"`{ability}` is played only as a passive leader: `{name}`"
            )
        if leader.passive and not is_for_passive:
            raise EngineError(f"`{ability}` is played by no passive leader: `{name}`")
    if (leader.amount or 0) > MAX_CARDS_MOVED:
        raise EngineError(f"a leader draws at most {MAX_CARDS_MOVED} cards: `{name}`")
    if len(leader.cards) > MAX_LINKED:
        raise EngineError(f"a leader brings at most {MAX_LINKED} cards: `{name}`")


def fill_linked(
    x: Any, database: CardDatabase, player: int, leader: LeaderRecord
) -> None:
    """List the cards that may be laid at any moment (rules 10.7)."""
    number = card_numbers(database)
    refuse_unknown(database.cards[card] for card in leader.cards)
    x.n_linked[player] = len(leader.cards)
    linked = sorted(number[card] + HALF * player for card in leader.cards)
    x.linked[player, : len(linked)] = linked


def is_pulled(card: Card, leader: LeaderRecord, code: Leader) -> bool:
    """Report whether the leader may take this card from the deck (10.4, 10.5)."""
    if code == Leader.CARD_FROM_DECK:
        return card.id == leader.target
    if code != Leader.PULL_UNIT or card.kind in ("special", "token"):
        return False
    has_tag = leader.tag is None or leader.tag in card.tags
    return has_tag and leader.kind in (None, card.kind)


# -----------------------------------------------------------------------------
# The context record of a game, from the card database and a format

PLAYER_COUNT = 2


def find_variant(fmt: Format, players: int) -> str:
    """Return the variant, a key of `RECORD_TYPES`, in which `fmt` is played.

    Raises EngineError if the engine does not play games of this format.
    """
    if fmt.seating.play != "duel" or players != PLAYER_COUNT:
        raise EngineError(f"the engine does not play {fmt.id}")
    return "duel"


def fill_context(
    database: CardDatabase, fmt: Format, seats: Sequence[Seat]
) -> np.recarray:
    """Return the context of a game: cards, options and a seat for each player.

    Raises EngineError if the engine cannot play this data or these decks.
    """
    find_variant(fmt, len(seats))
    context = make_card_table(database).copy()
    x = context[0]
    note_returns(x, database, fmt)
    fill_options(x, fmt.options, NUMBER_OPTIONS, OPTION_FLAGS)
    for player, seat in enumerate(seats):
        fill_seat(x, database, fmt, player, seat)
    return context


# -----------------------------------------------------------------------------
# The workspace of `learned` in a duel: the view from its seat, and sums of it

DUEL_FIELDS = (
    # rows, by side, with units without a shield
    ("units", INT, (2, ROWS)),  # their number
    ("printed", INT, (2, ROWS)),  # their printed strength
    ("now", INT, (2, ROWS)),  # their strength now
    ("fade", INT, (2, ROWS)),  # the strength that weather would take or has taken
    ("lift", INT, (2, ROWS)),  # the strength that a lager would bring
    ("boost", INT, (2, ROWS)),
    ("lagered", INT, (2, ROWS)),
    ("weathered", INT, (2, ROWS)),
    ("turned", INT, (2, ROWS)),  # 1 under a Mardroeme
    ("best", INT, (2, ROWS)),  # the highest strength of a unit
    ("burnt", INT, (2, ROWS)),  # the strength of all units of that strength
    # sides
    ("scorched", INT, (2,)),  # the strength that Scorch would take
    ("strongest", INT, (2,)),
    ("saved", INT, (2,)),  # the most that a unit is worth more in hand
    ("pending", INT, (2,)),  # strength that guardians bring
    ("staying", INT, (2,)),  # strength that stays for the next round
    ("turning", INT, (2,)),  # strength that Mardroeme would bring
    # graveyards: units that may return
    ("dead", INT, (2,)),
    ("dead_strength", INT, (2,)),
    ("revival", INT, (2,)),
    ("second_revival", INT, (2,)),
    # hands and decks
    ("called", INT, (2, HALF)),  # strength by family that a muster may find
    ("fetched", INT, (2,)),  # the gain of the best card that the leader may take
    *hand_fields(HEAP_FIGURES, FEATURES),
)
