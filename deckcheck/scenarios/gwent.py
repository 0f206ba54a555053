"""Scenarios of Gwent: moves, facts, reasons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move, place
from deckcheck.engine.gwent.board import (
    PLAYER_ANSWER,
    ROW_ANSWER,
    any_weather,
    knows,
    unit_strength,
    weather_index,
)
from deckcheck.engine.gwent.codes import KEEP_HAND, Phase, RandomPick, Verb
from deckcheck.engine.primitives import (
    LeaderState,
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.formats import Format
from deckcheck.scenarios.contract import (
    CHOOSE_VERB,
    LegalMove,
    Question,
    ScenarioAction,
    Words,
    find_reason,
)
from deckcheck.scenarios.gwent_start import (
    GwentScenario,
    automa_actions,
    automa_facts,
    is_solo,
    names_at,
    seat_names,
    side_names,
    start,
)
from deckcheck.scenarios.models import ROW_WORDS
from deckcheck.scenarios.position import (
    NO_EFFECT,
    CardPosition,
    Prompt,
    other_row,
    row_facts,
)

# Why a move of Gwent is refused, in a few words, and what its questions ask


IN_HAND = "in the hand"
IN_DECK = "in the deck"
IN_PILE = "in the discard pile"
IN_ENEMY_PILE = "in a discard pile of an opponent"
ON_SIDE = "on the player's own side"
CHOICE_PROMPTS = {
    Phase.MEDIC: Prompt("the unit that the medic brings back", IN_PILE, True, True),
    Phase.DECOY: Prompt("the unit that the Decoy takes back", ON_SIDE, True, True),
    Phase.ENEMY_DISCARD: Prompt(
        "the card that the leader takes from an opponent's discard pile",
        IN_ENEMY_PILE,
        no_heroes=True,
    ),
    Phase.OWN_DISCARD: Prompt("the card that the leader takes back", IN_PILE),
    Phase.DISCARD_TWO: Prompt("the card of the hand that is discarded", IN_HAND),
    Phase.AUTOMA_DISCARD: Prompt("the card of the hand that is discarded", IN_HAND),
    Phase.FROM_DECK: Prompt("the card that the leader takes from the deck", IN_DECK),
    Phase.WEATHER_FROM_DECK: Prompt("the weather that the leader plays", IN_DECK),
    Phase.BOND_COPY: Prompt("the unit that is joined by a copy", ON_SIDE, True, True),
    Phase.MARDROEME_ROW: Prompt("the row beside which Mardroeme is laid"),
    Phase.RECIPIENT: Prompt("the opponent who gets the spy"),
    Phase.OPPONENT: Prompt("the opponent on whom the leader works"),
}
"""The questions that a move asks, by phase."""

NO_COPY = "it has no tight bond, or there is no other in the deck"
DECIDED_FIRST = {
    Phase.STARTER: "first {} decides who begins",
    Phase.VOID_LEADER: "first {} decides whose leader is void",
}
DECIDED_BEFORE = {
    "start": "that was decided before the first turn",
    "void": "that is decided before the game",
    "redraw": "the redraws are over",
}
DECIDED_IN = {
    "start": Phase.STARTER,
    "void": Phase.VOID_LEADER,
    "redraw": Phase.REDRAW,
}


# Gwent as scenarios see it: moves in words, and outcomes


SCENARIO = GwentScenario

VERB_WORDS = {
    Verb.PASS: "pass",
    Verb.PLAY: "play",
    Verb.LEADER: "leader",
    Verb.CHOOSE: "choose",
    Verb.REDRAW: "redraw",
    Verb.KEEP_HAND: "keep",
    Verb.START: "start",
    Verb.VOID: "void",
}
IN_A_ROW = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY, Phase.MARDROEME_ROW)
"""Choices of a card and a row."""


def set_up(
    scenario: GwentScenario, database: CardDatabase, fmt: Format
) -> GwentPosition:
    """Set up the position of a file. Raises BadPosition if it is impossible."""
    states, context = start(scenario, database, fmt)
    return GwentPosition(states, context, database, fmt, seat_names(scenario, fmt))


def make_position(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwentPosition:
    """Return the position of a running game, see `scenarios.contract.Adapter`."""
    names = names_at(fmt, len(leaders))
    return GwentPosition(states, context, database, fmt, names)


class GwentPosition(CardPosition):
    """A `scenarios.contract.GamePosition` in the records of the engine."""

    WITHOUT_CARD: ClassVar = {
        "leader": "use the leader",
        "start": "let {player} start",
        "keep": "keep the hand",
        "void": "void the leader of {player}",
    }
    PICK_TEXTS: ClassVar = {
        RandomPick.KEPT: "which unit {} keeps as Monsters",
        RandomPick.RETURNING: "which unit returns to {} as Skellige",
        RandomPick.REVIVED: "which unit {}'s medic brings back",
        RandomPick.SEEN: "which card {} sees",
        RandomPick.LEADER: "which unit {}'s leader brings back",
        RandomPick.STARTER: "which of the best scorers begins",
        RandomPick.PLAN: "which card {} takes of those that are equally good",
        RandomPick.ROW: "which row {} takes of those that are equally good",
    }

    def __init__(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        fmt: Format,
        names: tuple[str, ...],
    ) -> None:
        sides = side_names(fmt, names)
        super().__init__(states, context, database, names, sides)
        self.is_table = len(sides) > 2
        self.score = "points" if self.is_table else "gems"

    @property
    def phase(self) -> Phase:
        """The decision of the player to move."""
        return Phase(int(self.s.phase))

    @property
    def own(self) -> dict[str, Any]:
        """The facts of the player to move."""
        return self.player_facts(int(self.s.turn))

    # Moves

    @property
    def open_choice(self) -> str | None:
        """The choice that a medic, a Decoy or a leader asks of the player to move."""
        asked = CHOICE_PROMPTS.get(self.phase)
        return asked.what if asked else None

    def settle(self, verb: str, player: str) -> None:
        """Keep the hands of players who do not redraw before the next move."""
        while self.phase == Phase.REDRAW:
            if verb == "redraw" and self.turn == player:
                return
            apply_move(self.s, self.x, KEEP_HAND)

    def in_words(self, move: int) -> LegalMove:
        verb = VERB_WORDS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        if move_card(move):
            words["card"] = self.card_id(move_card(move))
            if self._has_row(verb, words["card"]):
                words["row"] = ROW_WORDS[move_row(move)]
        aimed = self.phase in (Phase.RECIPIENT, Phase.OPPONENT)
        if verb in ("start", "void") or aimed:
            words["player"] = self.players[move_who(move)]
        text = self.phrase(verb, words)
        if self.phase == Phase.ENEMY_DISCARD:
            words["player"] = self._name_pile_owner(move)
            text = self.phrase(verb, words) if self.is_table else text
        return LegalMove(move, verb, words, text)

    def _has_row(self, verb: str, card: str) -> bool:
        """Report whether a row is part of the move. A card in the hand is in none."""
        if verb == "choose":
            return self.phase in IN_A_ROW
        named = self.database.cards[card]
        beside_row = named.has("commanders_horn") or named.has("mardroeme")
        return verb == "play" and (bool(named.rows) or beside_row)

    def _name_pile_owner(self, move: int) -> str:
        """Return the owner of the pile of a card, if there are several piles."""
        if self.is_table:
            return self.players[move_who(move)]
        return self.sides[1 - int(self.x.side[self.s.turn])]

    def idle_reason(self, player: str) -> str | None:
        if is_solo(self.s):
            return f"the automa plays after each move of {self.turn}"
        return super().idle_reason(player)

    # Why a move is refused

    def why_not(self, verb: str, words: Words) -> str | None:
        if verb == CHOOSE_VERB:
            return self._why_no_choice(words)
        if DECIDED_IN.get(verb, self.phase) != self.phase:
            return DECIDED_BEFORE[verb]
        if verb not in DECIDED_IN and self.phase in DECIDED_FIRST:
            return DECIDED_FIRST[self.phase].format(self.turn)
        if verb == "leader":
            return self._why_no_leader()
        if "card" in words and words["card"] not in self.own["hand"]:
            return "it is not in the hand"
        return self._why_no_play(words) if verb == "play" else None

    def _why_no_leader(self) -> str:
        s = self.s
        player = self.s.turn
        stuck = self.x.empty_hand_passes and s.n_hand[player] == 0
        no_use = "the hand is empty" if stuck else NO_EFFECT
        return self.no_leader(s.leader[player]) or no_use

    def _why_no_play(self, words: Words) -> str | None:
        card = self.database.cards[words["card"]]
        row = words.get("row")
        if card.rows:
            return other_row(card)
        slots = self.own["row_specials"]
        if card.has("commanders_horn") or card.has("mardroeme"):
            return find_reason(
                (row and slots[row], "a card lies beside that row already"),
                (not row and all(slots.values()), "a card lies beside every row"),
                (not row and any(slots.values()), f"{NO_EFFECT} beside a free row"),
                (True, NO_EFFECT),
            )
        if row:
            return None
        index = -1
        if card.kind == "weather":
            index = weather_index(self.x.ability[self.numbers[card.id]])
        sunny = card.has("weather_clear") and not any_weather(self.s)
        return find_reason(
            (card.has("decoy"), "there is no unit that it could take back"),
            (index >= 0 and self.s.weather[index], "it lies there already"),
            (sunny, "there is no weather"),
            (True, NO_EFFECT),
        )

    def _why_no_choice(self, words: Words) -> str | None:
        asked = CHOICE_PROMPTS[self.phase]
        if "card" not in words or not asked.zone:
            return None
        card = self.database.cards[words["card"]]
        if "row" in words:
            wrong = words["row"] not in card.rows
            return other_row(card) if self.phase == Phase.MEDIC and wrong else None
        return find_reason(
            (
                card.id not in self._list_offered(asked.zone),
                f"it is not {asked.zone}",
            ),
            (asked.no_heroes and card.kind == "hero", "it is a hero"),
            (asked.units_only and card.kind != "unit", "it is no unit"),
            (self.phase == Phase.WEATHER_FROM_DECK, "it is no weather card"),
            (self.phase == Phase.BOND_COPY, NO_COPY),
        )

    def _list_offered(self, place: str) -> list[str]:
        """Return the cards at the place of a choice."""
        if place == IN_ENEMY_PILE:
            pile = []
            for side in range(len(self.sides)):
                if side != self.x.side[self.s.turn]:
                    pile += self.side_facts(side)["discard"]
            return pile
        own_facts = self.own
        zones: dict[str, list[str]] = {
            IN_PILE: own_facts["discard"],
            IN_HAND: own_facts["hand"],
            IN_DECK: own_facts["deck"],
            ON_SIDE: [card for row in ROW_WORDS for card in own_facts["cards"][row]],
        }
        return zones[place]

    # Going back, and chance

    def save(self) -> Any:
        actions = int(self.x.n_actions) if is_solo(self.s) else 0
        return self._states.copy(), actions

    def restore(self, saved: Any) -> None:
        states, actions = saved
        self._states[0] = states[0]
        if is_solo(self.s):
            self.x.n_actions = actions

    def answer_number(self, answer: str) -> int:
        """Return the number of an answer in the engine: a card, a player or a row."""
        if answer in ROW_WORDS:
            return ROW_ANSWER - ROW_WORDS.index(answer)
        if answer in self.players:
            return PLAYER_ANSWER - self.players.index(answer)
        return self.numbers.get(answer, 0)

    def question_about(self, cause: int, text: str, asked: Sequence[int]) -> Question:
        """Return the question of a pick among players, rows or cards."""
        if cause not in (RandomPick.STARTER, RandomPick.ROW):
            return super().question_about(cause, text, asked)
        named = self.players if cause == RandomPick.STARTER else ROW_WORDS
        words = tuple(named[number] for number in asked)
        return Question(text, words, words)

    def actions(self) -> list[ScenarioAction]:
        """Return the actions of the automa since the last call."""
        return automa_actions(self.s, self.x, self.database)

    # The outcome

    def facts(self) -> dict[str, Any]:
        players = {name: self.player_facts(i) for i, name in enumerate(self.players)}
        return {**self._common_facts(), **self._team_facts(), **players}

    def brief_facts(self) -> dict[str, Any]:
        """Return the facts except for single cards on the board."""
        facts = self._common_facts()
        s = self.s
        for i, name in enumerate(self.players):
            side = int(self.x.side[i])
            facts[name] = {
                "total": sum(s.total[side].tolist()),
                "discard": self.read_ids(s.discard, s.n_discard, side),
                "gems": int(s.gems[side]),
                "hand": self._hand_cards(i),
                "deck_size": int(s.n_deck[i]),
            }
        return facts

    def _common_facts(self) -> dict[str, Any]:
        """Return the facts common to all players."""
        s = self.s
        over = self.turn is None
        winner = None
        if over:
            sides = self.sides
            places = [place(s, self.x, i) for i in range(len(sides))]
            winner = sides[places.index(1)] if places.count(1) == 1 else "draw"
        return {
            "weather": [
                {"card": self.card_id(card), "by": self.players[int(by) - 1]}
                for card, by in zip(s.weather_card, s.weather, strict=True)
                if by
            ],
            "round": int(s.round_no),
            "turn": self.turn,
            "over": over,
            "winner": winner,
        }

    def _team_facts(self) -> dict[str, Any]:
        """Return the sides of teams by name, empty without teams."""
        if self.sides == self.players:
            return {}
        return {name: self.side_facts(side) for side, name in enumerate(self.sides)}

    def side_facts(self, side: int) -> dict[str, Any]:
        """Return the cards of a side of the board, its gems and its totals."""
        s = self.s
        rows = range(len(ROW_WORDS))
        units = [self._row_units(side, row) for row in rows]
        return {
            **row_facts(units, s.total[side].tolist()),
            "row_specials": self._special_facts(side),
            "discard": self.read_ids(s.discard, s.n_discard, side),
            "gems": int(s.gems[side]),
        }

    def player_facts(self, i: int) -> dict[str, Any]:
        """Return the cards of a player, and the player's side."""
        s = self.s
        return {
            **self.side_facts(int(self.x.side[i])),
            "hand": self._hand_cards(i),
            "hand_size": int(s.n_hand[i]),
            **self._known_hand_facts(i),
            "deck": self.read_ids(s.deck, s.n_deck, i)[::-1],
            "deck_size": int(s.n_deck[i]),
            "side_deck": self._side_deck_cards(i),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
            **self._score_facts(i),
            **automa_facts(s, i, self.database),
        }

    def _known_hand_facts(self, i: int) -> dict[str, Any]:
        """Return the cards of a hand that others know, and these others."""
        hand = self._hand_cards(i)
        others = range(len(self.players))
        seen_cards: dict[str, list[str]] = {}
        for other in others:
            if self.x.side[other] != self.x.side[i]:
                places = range(len(hand))
                known = [p for p in places if knows(self.s, self.x, other, i, p)]
                seen_cards[self.players[other]] = [hand[p] for p in known]
        marks = self.s.seen[i]
        seen = [card for card, mark in zip(hand, marks, strict=False) if mark]
        return {"seen": seen, "seen_by": seen_cards}

    def _score_facts(self, i: int) -> dict[str, int]:
        """Return the points of a free-for-all, and the place when it is over."""
        if not self.is_table:
            return {}
        score = {"points": int(self.s.points[i])}
        if self.phase == Phase.OVER:
            score["place"] = int(place(self.s, self.x, i))
        return score

    def _row_units(self, side: int, row: int) -> list[tuple[str, int]]:
        """Return the units of a row with their strengths."""
        units = []
        for i, card in enumerate(self.read_ids(self.s.row, self.s.n_row, side, row)):
            units.append((card, int(unit_strength(self.s, self.x, side, row, i))))
        return units

    def _special_facts(self, side: int) -> dict[str, str | None]:
        """Return the special card of each row, None for an empty slot."""
        s = self.s
        return {
            word: self.card_id(s.slot_card[side, row]) if s.slot[side, row] else None
            for row, word in enumerate(ROW_WORDS)
        }

    def _hand_cards(self, player: int) -> list[str]:
        return self.read_ids(self.s.hand, self.s.n_hand, player)

    def _side_deck_cards(self, player: int) -> list[str]:
        ids = []
        for card in self.database.cards.values():
            if not card.deckable:
                index = self.x.side_index[self.numbers[card.id]]
                ids += [card.id] * int(self.s.side_deck[player, index])
        return ids
