"""Random positions of every game, as scenario files lay them out, and random moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.documents.records import read_record
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.scenarios.contract import (
    Adapter,
    BadPosition,
    GamePosition,
    load_adapter,
)
from deckcheck.scenarios.models import NO_ANSWER, ROW_WORDS

__all__ = ["Table", "Wish", "random_wish", "tables", "walk"]

CLUB = "examples/sg_gwint/club.yaml"
STEPS = 12
"""Positions of a game that begins as laid out."""

LETTERS = "ABCDEF"
TEAMS = ("A1", "B1", "A2", "B2")
WITH_CARD = ("play", "lay", "redraw", "discard")
PLACED = ("play", "lay")
IDLE = ("pass", "discard", "keep")
"""Moves that lead to nothing, and are made less often."""

OFTEN = ("play", "leader")
"""What is tried more often than the rest."""


@dataclass(frozen=True, slots=True)
class Table:
    """A way to play, and what translates its files."""

    format: Format
    database: CardDatabase
    adapter: Adapter


@dataclass(frozen=True, slots=True)
class Wish:
    """A move that a file may name, of a player; most are against the rules."""

    player: str
    verb: str
    words: dict[str, str]


def tables() -> list[Table]:
    """Every way to play a single game, the made-up cards of a club among them."""
    formats = [load_format(id) for id in [*format_ids(), CLUB]]
    return [
        Table(fmt, database_of(fmt), load_adapter(fmt.game))
        for fmt in formats
        # Not all cards of SG Gwint 2.1 are public.
        if fmt.seating.play != "match" and fmt.id != "sg_gwint/2.1"
    ]


def walk(random: Random, table: Table) -> Iterator[tuple[dict[str, Any], GamePosition]]:
    """A random position, and those of a random game from there.

    Yields what lays out the first of them, and the position, which goes on when the
    next one is asked for.
    """
    document, position = _laid_out(random, table)
    for _ in range(STEPS):
        yield document, position
        if position.turn is None:
            return
        position.script(())
        legal = position.legal_moves()
        lively = [move for move in legal if move.verb not in IDLE]
        some = lively if lively and random.random() < 0.9 else legal
        position.apply(random.choice(some))


def _laid_out(random: Random, table: Table) -> tuple[dict[str, Any], GamePosition]:
    while True:
        document = _Drawing(random, table).document()
        shape, context = table.adapter.SCENARIO, {"database": table.database}
        scenario, wrongs = read_record(shape, document, context)
        assert scenario is not None, (document, wrongs)
        options = {**table.format.options, **document["options"]}
        try:
            fmt = replace(table.format, options=options)
            return document, table.adapter.set_up(scenario, table.database, fmt)
        except BadPosition:
            continue  # such as partners of one faction


class _Drawing:
    """Draws one position of a table."""

    def __init__(self, random: Random, table: Table) -> None:
        self.random, self.format = random, table.format
        self.database = table.database
        self.game = table.format.game
        self.play = table.format.seating.play
        cards = [card for card in table.database.cards.values() if card.known]
        self.units = [card for card in cards if card.rows]
        self.others = [card for card in cards if not card.rows and card.deckable]
        self.able = [card for card in cards if card.abilities and card.deckable]

    def document(self) -> dict[str, Any]:
        """What a scenario file of this position says."""
        document = {"format": self.format.id, "options": self.options()}
        if self.game == "deckmaster":
            return {**document, **self.spaces()}
        names = self.names()
        if self.chance(0.15):
            dealt = {name: self.dealt() for name in names}
            return {**document, "deal": True, "players": dealt}
        players = {name: self.player(name) for name in names}
        if self.play == "teams":
            players |= {name: {"gems": self.random.randint(1, 2)} for name in "AB"}
        document |= {"players": players, "weather": self.weather()}
        document["round"] = self.random.randint(1, 3)
        if self.game != "gwen_t" and self.chance(0.15):
            name = names[0]
            held = players[name].get("hand") or [self.random.choice(self.units).id]
            redraw = held[0] if isinstance(held[0], str) else held[0]["card"]
            document["moves"] = [{"player": name, "redraw": redraw}]
        return document

    def chance(self, share: float) -> bool:
        """Whether something comes that comes in this share of all positions."""
        return self.random.random() < share

    def options(self) -> dict[str, Any]:
        """Options of the game, half of the time other than in the format."""
        drawn: dict[str, Any] = {}
        for option in self.database.game.options:
            is_for_us = not option.plays or self.play in option.plays
            if is_for_us and option.values and self.chance(0.3):
                drawn[option.name] = self.random.choice(option.values)
        return drawn

    def names(self) -> Sequence[str]:
        """The players of the table."""
        if self.play == "teams":
            return TEAMS
        seating = self.format.seating
        low, high = seating.min_players, seating.max_players
        return LETTERS[: self.random.randint(low, min(high, len(LETTERS)))]

    def card(self, among: Sequence[Card] | None = None) -> str:
        """A card, oftener one that can do something than one that cannot."""
        pools = [self.units, self.others or self.units, self.able or self.units]
        return self.random.choice(among or self.random.choice(pools)).id

    def cards(self, most: int) -> list[str]:
        """Up to so many cards, of which some come twice."""
        drawn = [self.card() for _ in range(self.random.randint(0, most))]
        return drawn + drawn[: self.random.randint(0, 1)]

    def dealt(self) -> dict[str, Any]:
        """A player whose game is dealt."""
        return {**self.seat(), "deck": [self.card() for _ in range(25)]}

    def seat(self) -> dict[str, Any]:
        """A faction and a leader, in a game that has them."""
        neutral = self.database.game.neutral
        factions = [id for id in self.database.factions if id != neutral]
        if not factions:
            return {}
        faction = self.random.choice(factions)
        leaders = [x for x in self.database.leaders.values() if x.faction == faction]
        seat = {"faction": faction}
        if leaders and self.chance(0.8):
            seat["leader"] = self.random.choice(leaders).id
        return seat

    def player(self, name: str) -> dict[str, Any]:
        """What a player has in hand, deck and pile, and on the board."""
        player = {**self.seat(), "deck": self.cards(6), "discard": self.cards(5)}
        is_automa = self.play == "solo" and name != LETTERS[0]
        if is_automa:
            player.pop("leader", None)
        else:
            player["hand"] = self.cards(5)
        if self.play != "solo":
            player["passed"] = self.chance(0.1)
        if "leader" in player and self.chance(0.1):
            player["leader_used"] = True
        for row in ROW_WORDS:
            fitting = [card for card in self.units if row in card.rows]
            count = self.random.randint(0, 2)
            player[row] = [self.card(fitting) for _ in range(count)]
        if self.game != "gwen_t":
            player["row_specials"] = {row: self.special() for row in ROW_WORDS}
        if self.game == "sg_gwint":
            player["choice_used"] = self.chance(0.5)
        return player

    def special(self) -> str | None:
        """A card that lies in the slot of a row."""
        codes = ("commanders_horn", "mardroeme", "mahakam_lager")
        fitting = [card for card in self.others if any(map(card.has, codes))]
        return self.card(fitting) if fitting and self.chance(0.3) else None

    def weather(self) -> list[str]:
        """Weather, each kind once."""
        kinds = [
            card
            for card in self.others
            if any(code.code.startswith("weather") for code in card.abilities)
            and not card.has("weather_clear")
        ]
        most = 1 if self.game == "gwen_t" else 2
        count = min(len(kinds), self.random.randint(0, most))
        return [card.id for card in self.random.sample(kinds, count)]

    def spaces(self) -> dict[str, Any]:
        """A board of Deckmaster with some cards, and cards to draw."""
        board = [self.words() if self.chance(0.5) else "" for _ in range(9)]
        return {"board": board, "deck": [self.words() for _ in range(9)]}

    def words(self) -> str:
        """A card of Deckmaster in words."""
        card = self.random.choice(self.units or list(self.database.cards.values()))
        return " ".join([str(card.strength), *(each.code for each in card.abilities)])


def random_wish(random: Random, table: Table, position: GamePosition) -> Wish:
    """A move that a file may name in this position, or an answer to a question."""
    names = position.players
    player = random.choice(names)
    if position.turn is not None and random.random() < 0.8:
        player = position.turn
    if position.open_choice is not None and random.random() < 0.8:
        return Wish(player, "choose", _answer(random, table, position))
    shape = table.adapter.SCENARIO.model_fields["moves"].annotation.__args__[0]
    often = [action for action in shape.ACTIONS if action in OFTEN]
    action = random.choice([*shape.ACTIONS, *3 * often])
    move: dict[str, Any] = {"player": player, action: True}
    if action in WITH_CARD:
        move[action] = _some_card(random, table, position)
    elif action == "at":
        move[action] = [random.randrange(3), random.randrange(3)]
    elif action in ("start", "void"):
        move[action] = random.choice(names)
    elif action == "klepna":
        move[action] = random.choice(ROW_WORDS)
    elif action == "announce":
        move[action] = random.random() < 0.5
    for key, words in (("row", ROW_WORDS), ("side", names)):
        if action in PLACED and key in shape.model_fields and random.random() < 0.4:
            move[key] = random.choice(words)
    made, wrongs = read_record(shape, move, {"database": table.database})
    assert made is not None, (move, wrongs)
    verb, words = made.wish()
    return Wish(player, verb, words)


def _answer(random: Random, table: Table, position: GamePosition) -> dict[str, str]:
    rows = (*ROW_WORDS, NO_ANSWER) if random.random() < 0.2 else ROW_WORDS
    answer = {
        "card": _some_card(random, table, position),
        "row": random.choice(rows),
        "player": random.choice(position.sides),
    }
    keys = [("card",), ("row",), ("player",), ("card", "row"), ("row", "player")]
    return {
        key: answer[key] for key in random.choice([*keys, ("card",), tuple(answer)])
    }


def _some_card(random: Random, table: Table, position: GamePosition) -> str:
    """A card of the position, of the hand above all, or any other card."""
    facts = position.facts()
    place = random.random()
    near: list[str] = []
    if position.turn is not None and place < 0.5:
        near = facts[position.turn].get("hand", [])
    elif place < 0.8:
        near = [card for name in position.players for card in _held(facts[name])]
    return random.choice(near or list(table.database.cards))


def _held(facts: dict[str, Any]) -> list[str]:
    rows = [card for row in facts.get("cards", {}).values() for card in row]
    zones = ("discard", "deck", "linked", "hidden")
    return rows + [card for zone in zones for card in facts.get(zone, ())]
