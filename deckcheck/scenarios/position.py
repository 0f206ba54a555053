"""Positions that games share: facts, their showing, reasons of refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

from deckcheck.cards import Card, CardDatabase
from deckcheck.documents.model import Location
from deckcheck.engine.contract import apply_move, is_over, legal_moves
from deckcheck.engine.primitives import LeaderState
from deckcheck.engine.records import Records
from deckcheck.engine.registry import load_game
from deckcheck.messages import plural
from deckcheck.scenarios.contract import (
    BadPosition,
    ChanceFault,
    GamePosition,
    LegalMove,
    Question,
    Words,
)
from deckcheck.scenarios.models import NO_ANSWER, ROW_WORDS, CardCount, expand

# Positions as text and as JSON, both made of their facts (`GamePosition.facts`)


Facts: TypeAlias = Mapping[str, Any]
Named: TypeAlias = Callable[[str], str]
"""The name of a card, by its id."""

SCORE_NOUNS = {"gems": "gem", "lives": "life", "points": "point"}


def row_facts(
    rows: Sequence[Sequence[tuple[str, int]]], totals: Sequence[int]
) -> dict[str, Any]:
    """Return the facts of the rows of a side: units by id and strength, and totals."""
    return {
        **dict(zip(ROW_WORDS, totals, strict=True)),
        "total": sum(totals),
        "cards": _by_row([[card for card, _ in row] for row in rows]),
        "strengths": _by_row([[strength for _, strength in row] for row in rows]),
    }


def _by_row(rows: Sequence[Any]) -> dict[str, Any]:
    return dict(zip(ROW_WORDS, rows, strict=True))


def _player_facts(facts: Facts) -> dict[str, Any]:
    """Return a player's facts, with the units of each row next to its total."""
    shown = dict(facts)
    cards = shown.pop("cards", {})
    strengths = shown.pop("strengths", {})
    for row in cards:
        units = zip(cards[row], strengths[row], strict=True)
        listed = [{"card": card, "strength": strength} for card, strength in units]
        shown[row] = {"total": facts[row], "cards": listed}
    return shown


def describe_end(facts: Facts) -> str:
    """Return a clause about the winner, or about the player to move."""
    if not facts["over"]:
        return f"{facts['turn']} to move"
    return "a draw" if facts["winner"] == "draw" else f"{facts['winner']} wins"


def _show_deck(facts: Facts) -> str:
    return f"{plural(facts['deck_size'], 'card')} in the deck"


def _show_rows(facts: Facts, named: Named) -> list[str]:
    lines = []
    for row in ROW_WORDS:
        units = zip(facts["cards"][row], facts["strengths"][row], strict=True)
        cards = [f"{named(card)} {strength}" for card, strength in units]
        special = facts.get("row_specials", {}).get(row)
        if special:
            cards.append(f"[{named(special)}]")
        if row in facts.get("doubled", ()):
            cards.append("[doubled]")
        lines.append(f"  {row:8}{facts[row]:3}  {', '.join(cards)}".rstrip())
    return lines


def _show_zones(facts: Facts, named: Named) -> list[str]:
    zones = {key: facts.get(key) for key in ("hand", "discard", "below", "hidden")}
    for player, seen in facts.get("seen_by", {}).items():
        zones[f"seen by {player}"] = seen
    return [
        f"  {zone:11}  {', '.join(map(named, cards))}"
        for zone, cards in zones.items()
        if cards
    ]


# Shared parts of the positions of several games


class EnginePosition(GamePosition):
    """A position in the first of the engine's states `s`, with its context `x`."""

    WITHOUT_CARD: ClassVar[Mapping[str, str]] = {}
    """The phrases of verbs without a card. Braces name other words."""

    score: str = ""
    """The key in facts of the score that wins a match of rounds."""

    def __init__(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        players: tuple[str, ...],
        sides: tuple[str, ...] | None = None,
    ) -> None:
        self._states = states
        self.s, self.x = Records(states)[0], Records(context)[0]
        self.database = database
        self.players, self.sides = players, sides or players
        game = load_game(database.game.id)
        self.numbers: dict[str, int] = game.card_numbers(database)
        self.ids: dict[int, str] = {number: id for id, number in self.numbers.items()}

    def card_id(self, number: Any) -> str:
        """Return the card of a number of the engine."""
        return self.ids[int(number)]

    def card_ids(self, numbers: Iterable[Any]) -> list[str]:
        """Return the cards of numbers of the engine."""
        return [self.card_id(number) for number in numbers]

    def read_ids(self, cells: Any, counts: Any, *place: int) -> list[str]:
        """Return the cards in the used cells of a record."""
        return self.card_ids(cells[place][: counts[place]].tolist())

    @property
    def turn(self) -> str | None:
        return None if is_over(self.s) else self.players[self.s.turn]

    def legal_moves(self) -> list[LegalMove]:
        """Return the legal moves of the player to move, each wording once."""
        count = legal_moves(self.s, self.x)
        moves = map(self.in_words, self.x.moves[:count].tolist())
        listed: dict[str, LegalMove] = {}
        for move in moves:
            listed.setdefault(move.text, move)
        return list(listed.values())

    def apply(self, move: LegalMove) -> None:
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Words) -> str:
        if verb in self.WITHOUT_CARD:
            return self.WITHOUT_CARD[verb].format(**words)
        card, row, player = map(words.get, ("card", "row", "player"))
        target = ""
        if card:
            target = self.get_card_name(card)
        if row == NO_ANSWER:
            target = NO_ANSWER
        elif row and target:
            target += f" in the {row} row"
        elif row:
            target = f"the {row} row"
        if player and target:
            target += f" of {player}"
        elif player:
            target = player
        return f"{verb} {target}".rstrip()

    def get_card_name(self, id: str) -> str:
        if id in self.database.cards:
            return self.database.cards[id].name
        return self.database.leaders[id].full_name

    def save(self) -> Any:
        return self._states.copy()

    def restore(self, saved: Any) -> None:
        self._states[0] = saved[0]

    def describe(self) -> dict[str, Any]:
        facts = self.facts()
        names = (*self.players, *self.sides)
        game = {key: fact for key, fact in facts.items() if key not in names}
        if "weather" in game:
            game["weather"] = [laid["card"] for laid in game["weather"]]
        players = {name: _player_facts(facts[name]) for name in self.players}
        return {"players": players, **game}

    def lines(self) -> list[str]:
        facts = self.facts()
        named = self.get_card_name
        lines = []
        for side in self.sides:
            head = f"{side}: {facts[side]['total']} on the board, "
            head += plural(facts[side][self.score], SCORE_NOUNS[self.score])
            if side in self.players:
                head += f", {_show_deck(facts[side])}"
            lines += [
                head,
                *_show_rows(facts[side], named),
                *_show_zones(facts[side], named),
            ]
        for name in self.players:
            if name not in self.sides:
                hand = {**facts[name], "discard": ()}
                lines += [f"{name}: {_show_deck(hand)}", *_show_zones(hand, named)]
        sky = ", ".join(named(laid["card"]) for laid in facts["weather"]) or "none"
        return [*lines, f"round {facts['round']}, weather {sky}, {describe_end(facts)}"]


NO_EFFECT = "it would have no effect"
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
    LeaderState.VOID: "the leader is void",
}


def other_row(card: Card) -> str:
    """Return the reason why a card cannot be in another row."""
    return f"it belongs in the {' or the '.join(card.rows)} row"


class Prompt(NamedTuple):
    """A choice among cards."""

    what: str
    """The subject. A card that is to be placed goes into its braces."""
    zone: str = ""
    """The place of the cards, in words."""
    units_only: bool = False
    no_heroes: bool = False


class CardPosition(EnginePosition):
    """A position of a game with cards of several owners, and with random picks.

    The context has the `plain` number of a card of any owner, and answers picks.
    """

    PICK_TEXTS: ClassVar[Mapping[int, str]] = {}
    """The subjects of chance. The player concerned goes into the braces."""

    def card_id(self, number: Any) -> str:
        """Return the card of a number of the engine, of any owner."""
        return self.ids[int(self.x.plain[int(number)])]

    def idle_reason(self, player: str) -> str | None:
        has_passed = self.s.passed[self.players.index(player)]
        return f"{player} has passed" if has_passed else None

    def no_leader(self, leader: int) -> str | None:
        """Return the reason why the player to move cannot use `leader`, if any."""
        if not leader:
            return "there is none"
        return WHY_NO_LEADER.get(LeaderState(self.s.leader_state[self.s.turn]))

    def script(self, answers: Sequence[str]) -> None:
        x = self.x
        numbers = [self.answer_number(answer) for answer in answers]
        numbers = numbers[: x.script.shape[0]]
        x.script[: len(numbers)] = numbers
        x.n_script = len(numbers)
        x.script_pos = 0
        x.script_error = 0

    def answer_number(self, answer: str) -> int:
        """Return the number of an answer in the engine."""
        return self.numbers[answer]

    @property
    def answers_used(self) -> int:
        return int(self.x.script_pos)

    @property
    def chance_fault(self) -> ChanceFault | None:
        noted = int(self.x.script_error)
        return ChanceFault(noted) if noted else None

    @property
    def question(self) -> Question | None:
        if not self.x.script_error:
            return None
        cause, player = self.x.asked.tolist()
        text = self.PICK_TEXTS[cause].format(self.players[player])
        asked = self.x.asked_cards[: self.x.n_asked].tolist()
        return self.question_about(cause, text, asked)

    def question_about(self, cause: int, text: str, asked: Sequence[int]) -> Question:
        """Return the question of a pick among these cards."""
        ids = tuple(dict.fromkeys(self.card_ids(asked)))
        return Question(text, ids, tuple(map(self.get_card_name, ids)))


# Laying out the position of a scenario file, in games with cards


class Layout:
    """The layout of a position of players, in the engine's records `s` and `x`."""

    DEALT: ClassVar[tuple[str, ...]] = ("deck",)
    """The keys of a player that a file may have where the rules deal the game."""

    NOT_DEALT: ClassVar[tuple[str, ...]]
    """The keys of the game that it must not have there."""

    EVERYBODY: ClassVar[str] = "all players"

    def __init__(
        self,
        s: Any,
        x: Any,
        scenario: Any,
        database: CardDatabase,
        names: Sequence[str],
    ) -> None:
        self.s, self.x = s, x
        self.scenario = scenario
        self.database = database
        self.names = names
        self.number: dict[str, int] = load_game(database.game.id).card_numbers(database)
        x.scripted = 1

    def lay_decks(self) -> None:
        """Lay out the decks in their order, and refuse what the rules set up."""
        out_of_place = "cannot be given where the game is dealt"
        for key in sorted(self.scenario.model_fields_set & {*self.NOT_DEALT}):
            raise BadPosition((key,), f"`{key}` {out_of_place}")
        for player, name in enumerate(self.names):
            setting = self.scenario.player(name)
            location: Location = ("players", name)
            for key in sorted(setting.model_fields_set - {*self.DEALT}):
                raise BadPosition((*location, key), f"`{key}` {out_of_place}")
            if not setting.deck:
                is_given = name in self.scenario.players
                message = f"{name} has no `deck` to be dealt from"
                help = f"Give {name} a `deck`, its top card first"
                raise BadPosition(location if is_given else ("deal",), message, help)
            deck = self.numbers(setting.deck, player)[::-1]
            cells = self.x.deck[player]
            self.x.n_deck[player] = self.fill(cells, deck, (*location, "deck"))

    def first_to_move(self, players: Sequence[int]) -> int:
        """Return the player whose `turn` it is, by default the first in the round."""
        waiting = [i for i in players if not self.s.passed[i]]
        if not waiting:
            raise BadPosition(("players",), f"{self.EVERYBODY} have passed")
        named = self.scenario.turn
        turn = waiting[0] if named is None else self.names.index(named)
        if turn not in waiting:
            raise BadPosition(("turn",), f"{named} has passed already")
        return turn

    def check_row(self, card: Card, row: int, at: Location) -> None:
        """Refuse a unit in a foreign row, except for cards that no deck holds."""
        if not card.rows and card.kind != "token":
            raise BadPosition(at, f"`{card.name}` lies in no row")
        if ROW_WORDS[row] not in card.rows and card.deckable:
            rows = " or the ".join(card.rows)
            raise BadPosition(at, f"`{card.name}` belongs in the {rows} row")

    def numbers(self, cards: Iterable[CardCount], player: int) -> list[int]:
        """Return cards of a player as numbers of the engine."""
        return [self.number[card] for card in expand(cards)]

    def fill(self, cells: Any, cards: Sequence[int], at: Location) -> int:
        """Write cards to the beginning of `cells`, and return their number."""
        check_room(len(cards), cells.shape[0], at)
        cells[: len(cards)] = cards
        return len(cards)


def check_room(count: int, room: int, at: Location, what: str = "card") -> None:
    """Refuse more cards than the engine's records hold."""
    if count > room:
        raise BadPosition(at, f"{plural(count, what)} found, {room} have room")
