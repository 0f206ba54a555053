"""A seat: the deck of a player, the reserves, the leader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.cards.models import Leader as LeaderCard
from deckcheck.engine.errors import EngineError
from deckcheck.engine.games.sg_gwint.codes import (
    Ability,
    FactionAbility,
    Kind,
    Leader,
)
from deckcheck.engine.games.sg_gwint.host.cardtable import card_numbers, row_mask
from deckcheck.engine.games.sg_gwint.state import DECK, HALF, LINKED, TOKENS
from deckcheck.engine.host.seat import Seat
from deckcheck.findings.words import plural
from deckcheck.formats import Format

HELP = "A set in a format of your own can give its true values"
MOST = 12  # silver cards of one kind, and cards that a leader draws


def fill_seat(
    x: Any, database: CardDatabase, fmt: Format, player: int, seat: Seat
) -> None:
    """Give a seat its deck, leader, faction and reserves.

    Raises:
        EngineError: a deck that is too large, or has cards nobody knows.
    """
    number = card_numbers(database)
    offset = HALF * player
    faction = database.factions.get(seat.faction or "")
    word = faction.ability if faction and faction.ability else "none"
    x.faction_ability[player] = FactionAbility[word.upper()]
    x.policy[player] = seat.policy
    x.budget[player] = seat.budget
    if seat.cards is None:
        raise EngineError(
            "The SG Gwint engine deals no random decks",
            "Name decks to play with; `deckcheck generate` writes random ones",
        )
    refuse_unknown(database.cards[card] for card in seat.cards)
    # Sorted by card number, so that the way a list is written changes no game.
    cards = sorted(
        number[card] for card, count in seat.cards.items() for _ in range(count)
    )
    if len(cards) > DECK:
        raise EngineError(
            f"a deck of {plural(len(cards), 'card')} is too large for the engine, "
            f"which plays up to {DECK}"
        )
    x.n_deck[player] = len(cards)
    x.deck[player, : len(cards)] = [card + offset for card in cards]
    fill_reserves(x, database, fmt, player, seat)
    leader = database.leaders.get(seat.leader or "")
    if leader is not None:
        fill_leader(x, database, player, leader)


def refuse_unknown(records: Iterable[Card | LeaderCard]) -> None:
    """Refuse what is named in the rules, but not public."""
    for record in records:
        if not record.known:
            message = f"`{record.name}` cannot be played: what it does is not public"
            raise EngineError(message, HELP)


def fill_reserves(
    x: Any, database: CardDatabase, fmt: Format, player: int, seat: Seat
) -> None:
    """The reserves: those that the deck lists, else all there are (rules 1.11)."""
    number = card_numbers(database)
    for card in database.cards.values():
        if card.deckable or not card.known:
            continue
        copies = copies_of(card, database, fmt, seat)
        i = number[card.id] + HALF * player
        x.reserves[player, x.reserve_index[i]] = copies
        if copies and card.has("opening_card"):
            x.opening_card[player] = i
        if copies and card.has("demotivation_token"):
            x.demotivation[player] = i
    if fmt.options["klepna"] == "always" and not x.opening_card[player]:
        add_klepna(x, database, player)


def add_klepna(x: Any, database: CardDatabase, player: int) -> None:
    """Klepna for reserves that lack it: the starting player lays it (rules 2.12)."""
    number = card_numbers(database)
    for card in database.cards.values():
        if card.known and card.has("opening_card"):
            i = number[card.id] + HALF * player
            x.reserves[player, x.reserve_index[i]] = 1
            x.opening_card[player] = i
            return


def copies_of(card: Card, database: CardDatabase, fmt: Format, seat: Seat) -> int:
    """How many of a silver card or a token a player has in the reserves."""
    if card.kind == "token" and fmt.options["tokens"] == "as_asked":
        return TOKENS
    listed: Mapping[str, int] | None = seat.reserves
    if listed is not None:
        return min(listed.get(card.id, 0), MOST)
    own = card.faction in (seat.faction, database.game.neutral)
    return min(card.copies, MOST) if own else 0


def fill_leader(
    x: Any, database: CardDatabase, player: int, leader: LeaderCard
) -> None:
    """What the leader of a seat does."""
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


def check_leader(leader: LeaderCard, code: Leader) -> None:
    """Refuse leaders who could not do what they say."""
    holds = code in (Leader.WEATHERPROOF, Leader.OPENING_CARDS)
    if holds != leader.passive and code != Leader.LINKED_CARDS:
        how = "only as a passive leader" if holds else "by no passive leader"
        message = f"`{leader.ability}` is played {how}: `{leader.full_name}`"
        raise EngineError(message)
    if (leader.amount or 0) > MOST:
        message = f"a leader draws at most {MOST} cards: `{leader.full_name}`"
        raise EngineError(message)
    if len(leader.cards) > LINKED:
        message = f"a leader brings at most {LINKED} cards: `{leader.full_name}`"
        raise EngineError(message)


def fill_linked(
    x: Any, database: CardDatabase, player: int, leader: LeaderCard
) -> None:
    """The cards that may be laid at any moment (rules 10.7)."""
    number = card_numbers(database)
    refuse_unknown(database.cards[card] for card in leader.cards)
    x.n_linked[player] = len(leader.cards)
    x.linked[player, : len(leader.cards)] = sorted(
        number[card] + HALF * player for card in leader.cards
    )


def is_pulled(card: Card, leader: LeaderCard, code: Leader) -> bool:
    """Whether the leader may take this card out of the deck (rules 10.4, 10.5)."""
    if code == Leader.CARD_FROM_DECK:
        return card.id == leader.target
    if code != Leader.PULL_UNIT or card.kind in ("special", "token"):
        return False
    return leader.kind in (None, card.kind) and (
        leader.tag is None or leader.tag in card.tags
    )
