"""Boards and tables of all games to play at."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from helpers import census
from helpers.play import RandomTable
from helpers.records import lend
from helpers.samples import sample_decks

from deckcheck.cards import Card, CardDatabase, load_database
from deckcheck.cards.models import CardAbility
from deckcheck.engine.contract import (
    apply_move,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    set_up,
)
from deckcheck.engine.deckmaster.state import ARROW_BITS, Element, Status, card_code
from deckcheck.engine.gwen_t.state import STATE
from deckcheck.engine.gwent.codes import Leader
from deckcheck.engine.gwent.context import automa_seat, player_seat
from deckcheck.engine.registry import Seat, card_numbers, load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.playing.table import Table, new_states, open_table, set_table
from deckcheck.playing.table import seat as deck_seat
from deckcheck.policies.registry import policy_number

# Boards of Deckmaster in words, for the tests of its engine.

DATABASE = load_database("deckmaster")
FORMAT = load_format("deckmaster/standard")


def seated(
    cards: dict[str, int] | None = None,
    policies: Sequence[str] = ("random", "random"),
    **options: Any,
) -> Table:
    """Two players with one deck, or with a random one in every game."""
    fmt = replace(FORMAT, options={**FORMAT.options, **options})
    seats = [Seat(cards, policy_number(name)) for name in policies]
    return set_table(fmt, DATABASE, seats)


@cache
def bare_table(options: tuple[tuple[str, Any], ...]) -> Table:
    """A table to lay positions out at."""
    return seated(**dict(options))


def opened(table: Table, states: int = 2) -> tuple[Any, Any]:
    """States and context of a table that no other test uses."""
    _, contexts = open_table(table)
    return lend(new_states("deckmaster", "two", states)), lend(contexts)[0]


def parts(text: str) -> tuple[int, int, int, int]:
    """Power, element, arrows and status of `4 ice left right frozen`."""
    power, *words = text.split()
    element = sum(Element[w.upper()] for w in words if w.upper() in Element.__members__)
    status = sum(Status[w.upper()] for w in words if w.upper() in Status.__members__)
    arrows = sum(ARROW_BITS[word] for word in words if word in ARROW_BITS)
    return int(power), element, arrows, status


def laid_out(
    board: Sequence[str], deck: Sequence[str], **options: Any
) -> tuple[Any, Any]:
    """A position: nine spaces row by row, the deck with its top card first."""
    states, x = opened(bare_table(tuple(options.items())))
    s = states[0]
    set_up(s, x)
    for space, text in enumerate(board):
        if text:
            power, element, arrows, status = parts(text)
            s.card[space] = card_code(min(power, 5), element, arrows)
            s.arrows[space] = arrows
            s.power[space] = power
            s.status[space] = status
            s.empty &= ~(1 << space)
            s.poisoned |= int(status == Status.POISONED) << space
    s.n_deck = len(deck)
    for place, text in enumerate(reversed(deck)):
        s.deck[place] = card_code(*parts(text)[:3])
    return s, x


def on(s: Any, space: int) -> str:
    """What lies on a space, in the words of `laid_out`, empty for nothing."""
    if s.card[space] == 0:
        return ""
    element, arrows = divmod(int(s.card[space] - 1) % 64, 16)
    words = [str(s.power[space])]
    words += [Element(element).name.lower()] * bool(element)
    words += [word for word, bit in ARROW_BITS.items() if arrows & bit]
    words += [Status(s.status[space]).name.lower()] * bool(s.status[space])
    return " ".join(words)


# A board of Gwen't to lay cards on, for tests that need cards outside the pool.

ROWS = ("close", "ranged", "siege")
GAME = load_game("gwen_t")
POOL = load_database("gwen_t")
GWEN_T = load_format("gwen_t/pool")


def unit(
    name: str, row: str, strength: int, effect: str = "", on: str | None = None
) -> Card:
    """A unit that the pool does not have."""
    return Card(
        id=name.lower(),
        number=100 + sum(map(ord, name)),
        name=name,
        kind="unit",
        copies=9,
        provenance="assumed",
        rows=(row,),
        strength=strength,
        abilities=(CardAbility(effect, row=on),) if effect else (),
    )


def weather(name: str, effect: str, on: str | None = None) -> Card:
    """A weather card that the pool does not have."""
    abilities = (CardAbility(effect, row=on),)
    return replace(unit(name, "", 0), kind="weather", rows=(), abilities=abilities)


class Board:
    """An empty board in the first round; player 0 is to move, nobody has cards."""

    def __init__(self, *cards: Card, players: int = 2, **options: Any) -> None:
        added = {card.id: card for card in cards}
        self.database = CardDatabase(
            POOL.game, {**POOL.cards, **added}, {}, POOL.root, POOL.sources
        )
        fmt = replace(GWEN_T, options={**GWEN_T.options, **options})
        seats = [Seat({})] * players
        self.x = GAME.fill_context(self.database, fmt, seats)[0]
        self.number = card_numbers(self.database)
        self.ids = {number: id for id, number in self.number.items()}
        self.s = lend(np.zeros(1, STATE).view(np.recarray))[0]
        s = self.s
        s.players = s.standing = players
        s.round_no, s.winner, s.weather_row = 1, -1, -1
        s.order[:players] = range(players)
        s.gems[:players] = self.x.gems

    def deal(self, player: int, *cards: str) -> None:
        """Put cards into a hand."""
        for card in cards:
            self.s.hand[player, self.s.n_hand[player]] = self.number[card]
            self.s.n_hand[player] += 1

    def stack(self, player: int, *cards: str) -> None:
        """Make a deck, top card first."""
        self.s.n_deck[player] = len(cards)
        numbers = [self.number[card] for card in reversed(cards)]
        self.s.deck[player, : len(cards)] = numbers

    def lay(self, player: int, row: str, card: str, strength: int) -> None:
        """Lay a unit into a row with a stacked strength."""
        at = (player, ROWS.index(row))
        self.s.row[(*at, self.s.n_row[at])] = self.number[card]
        self.s.stacked[(*at, self.s.n_row[at])] = strength
        self.s.total[at] += strength
        self.s.n_row[at] += 1

    def play(self, player: int, *cards: str) -> None:
        """Let a player play cards, one after the other, whoever's turn it is."""
        for card in cards:
            self.s.turn = self.s.position = player
            moves = self.x.moves[: legal_moves(self.s, self.x)]
            wanted = self.number[card]
            move = next(int(m) for m in moves if m & 4095 == wanted)
            apply_move(self.s, self.x, move)

    def enter(self, player: int, *cards: str) -> None:
        """Let cards come out of a hand that keeps another card."""
        self.deal(player, *cards, "rocket")
        self.play(player, *cards)
        self.s.n_hand[player] = 0

    def shown(self, player: int, row: str) -> Sequence[int]:
        """The strengths that the units of a row show, in the order they came."""
        at = (player, ROWS.index(row))
        count = self.s.n_row[at]
        if self.s.weather_row == at[1]:
            gained = self.s.gained[at][:count].tolist()
            return [int(self.x.weather_strength) + more for more in gained]
        return self.s.stacked[at][:count].tolist()


# Tables of Gwent at which every card with an ability is in some deck.

DB = load_database("gwent")
FACTIONS = [faction for faction in DB.factions if faction != DB.game.neutral]
LEADERS = {Leader[lead.ability.upper()]: lead for lead in DB.leaders.values()}
FORMATS = {
    "duel": ("gwent/standard", 2),
    "table": ("gwent/free_for_all", 3),
    "teams": ("gwent/two_vs_two", 4),
    "solo": ("gwent/solo_leader", 2),
}


@cache
def seat(faction: str, leader: Leader = Leader.NONE) -> Seat:
    """All cards with abilities that a deck of the faction can hold."""
    cards = {
        card.id: card.copies
        for card in DB.cards.values()
        if card.deckable
        and card.abilities
        and card.faction in (faction, DB.game.neutral)
    }
    who = LEADERS[leader].id if leader else None
    return Seat(cards=cards, faction=faction, leader=who)


@cache
def table(play: str, first: int, leader: Leader, **options: object) -> RandomTable:
    """Seats of all factions in turn; one leader for all of them."""
    format, players = FORMATS[play]
    factions = [FACTIONS[(first + i) % len(FACTIONS)] for i in range(players)]
    if play != "solo":
        seats = [seat(faction, leader) for faction in factions]
        return RandomTable(format, seats, **options)
    fmt = load_format(format)
    user = Seat(None, 0, factions[0], seat(factions[0], leader).leader)
    seats = [player_seat(DB, fmt, user), automa_seat(DB, fmt, factions[1])]
    return RandomTable(format, seats, **options)


# Tables of three and more: a format, and the numbers of sample decks that sit down.

THREE = ("free_for_all", (0, 7, 13))
FOUR = ("free_for_all", (3, 12, 5, 16))
FIVE = ("free_for_all", (16, 5, 9, 18, 1))
TEAMS = ("two_vs_two", (0, 7, 13, 4))
NOBODY_CHOOSES = ("two_vs_two", (0, 5, 1, 6))  # no Scoia'tael, so hands are dealt


# Options of play in combination: each two values of two options meet in some row.

COMBINED = {**FORMATS, "deckmaster": ("deckmaster/standard", 2)}
COMBINED |= {"gwen_t": ("gwen_t/pool", 3), "sg_gwint": ("sg_gwint/approximation", 2)}
MOST_CARDS = 36  # of a random deck of Gwen't: its pool has no more


def values_of(way: str) -> dict[str, list[Any]]:
    """The values of all options that a way to play has, of numbers the bounds."""
    fmt = load_format(COMBINED[way][0])
    values: dict[str, list[Any]] = {}
    for option in load_database(fmt.game).game.options:
        if option.name in fmt.options and option.plays != ("match",):
            highest = option.maximum
            if option.name == "deck_size":
                highest = MOST_CARDS
            bounds = (option.minimum, fmt.options[option.name], highest)
            values[option.name] = list(option.values or dict.fromkeys(bounds))
    return values


def rows_of_pairs(values: dict[str, list[Any]]) -> list[dict[str, Any]]:
    """Choices of a value of each option, in which all pairs of values occur.

    Each row begins with a pair that no row has yet; then each option takes the value
    that adds most pairs.
    """
    chosen = [(name, i) for name, each in values.items() for i in range(len(each))]
    left = dict.fromkeys(p for p in combinations(chosen, 2) if p[0][0] != p[1][0])
    rows = []
    while left:
        row = dict(next(iter(left)))
        for name, each in values.items():
            if name not in row:
                gains = [
                    sum(
                        (other, (name, i)) in left or ((name, i), other) in left
                        for other in row.items()
                    )
                    for i in range(len(each))
                ]
                row[name] = gains.index(max(gains))
        placed = [(name, row[name]) for name in values]
        for pair in combinations(placed, 2):
            left.pop(pair, None)
        rows.append({name: values[name][i] for name, i in placed})
    return rows


def combined_table(way: str, number: int, options: dict[str, Any]) -> RandomTable:
    """Row `number` of a way to play, with leaders and decks that change with it."""
    if way in FORMATS:
        leaders = [Leader.NONE, *LEADERS]
        return table(way, number, leaders[number % len(leaders)], **options)
    format, players = COMBINED[way]
    seats = [Seat(None)] * players
    if way == "sg_gwint":
        decks = sample_decks("sg_gwint")
        seats = [deck_seat(decks[(number + i) % len(decks)], "random") for i in (0, 1)]
    return RandomTable(format, seats, **options)


def census_of(way: str) -> Callable[[Any, Any], Counter[int]]:
    """What counts the cards of a game; those out of it as 0."""
    if way == "solo":
        return census.solo_census
    if way in FORMATS:
        return census.gwent_census
    found: Callable[[Any, Any], Counter[int]] = getattr(census, f"{way}_census")
    return found


def followed(way: str, played: RandomTable, seed: int) -> list[int]:
    """The moves of a game, every third one of the heuristic, and what all won.

    The others pass only where nothing else is left. No card may be lost or made.
    """
    s, x = lend(played.state.copy())[0], lend(played.context.copy())[0]
    start_game(s, x, seed, 0, 0, 0)
    set_up(s, x)
    counted = census_of(way)
    before = counted(s, x)
    moves = []
    while not is_over(s):
        count = int(legal_moves(s, x))
        assert len(set(x.moves[:count].tolist())) == count > 0
        # The first move of a turn passes, or keeps the hand.
        move = x.moves[min(1 + (7 * len(moves) + seed) % count, count - 1)]
        if len(moves) % 3 == seed % 3:
            move = heuristic_move(s, x, count)
        moves.append(int(move))
        apply_move(s, x, move)
        now = counted(s, x)
        removed = int(s.n_removed) if way in FORMATS else 0
        assert now.total() + removed == before.total(), (way, seed, moves)
        assert not set(now - before) - {0}, (way, seed, moves)
    return [*moves, *(int(returns(s, x, i)) for i in range(played.players))]


def combined_games(each: int = 2) -> Iterator[str]:
    """Games of all rows of all ways to play, a line for each with its moves."""
    for way in COMBINED:
        for number, options in enumerate(rows_of_pairs(values_of(way))):
            played = combined_table(way, number, options)
            for seed in range(number * each, (number + 1) * each):
                yield f"{way} {number} {followed(way, played, seed)}"
