"""Why a move of Gwent is refused, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.games.gwent.codes import LeaderState, Phase, Slot
from deckcheck.engine.games.gwent.host.cardtable import card_numbers
from deckcheck.engine.games.gwent.rules.weather import any_weather, weather_index
from deckcheck.scenarios.games.gwent.file import ROW_WORDS

__all__ = ["Reasons"]

NO_EFFECT = "it would have no effect"
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
    LeaderState.VOID: "the leader is void",
}
DECIDED_FIRST = {
    Phase.STARTER: "first it is decided who begins",
    Phase.VOID_LEADER: "first it is decided whose leader is void",
}
DECIDED_BEFORE = {
    "start": "that was decided before the first turn",
    "void": "that is decided before the game",
}
BESIDE_ROWS = ("commanders_horn", "mardroeme")
UNITS_ONLY = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY)
NO_HEROES = (*UNITS_ONLY, Phase.ENEMY_DISCARD)
CHOSEN_FROM = {
    # the place whose cards a choice is made from
    Phase.MEDIC: "in the discard pile",
    Phase.OWN_DISCARD: "in the discard pile",
    Phase.ENEMY_DISCARD: "in the discard pile of the opponent",
    Phase.DISCARD_TWO: "in the hand",
    Phase.AUTOMA_DISCARD: "in the hand",
    Phase.FROM_DECK: "in the deck",
    Phase.WEATHER_FROM_DECK: "in the deck",
    Phase.DECOY: "on the own side",
    Phase.BOND_COPY: "on the own side",
}


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons in one position, with the records `s` and `x` of the engine."""

    s: Any
    x: Any
    database: CardDatabase

    def why_not(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this; the move is known to be illegal."""
        phase = Phase(int(self.s.phase))
        if verb == "choose":
            return self._no_choice(phase, words)
        if phase in DECIDED_FIRST or verb in DECIDED_BEFORE:
            return DECIDED_FIRST.get(phase) or DECIDED_BEFORE[verb]
        if verb == "redraw":
            return self._no_redraw(phase, words["card"])
        return self._no_leader() if verb == "leader" else self._no_play(words)

    def _no_redraw(self, phase: Phase, card: str) -> str | None:
        if phase != Phase.REDRAW:
            return "the redraws are over"
        return None if self._has(card) else "it is not in the hand"

    def _no_leader(self) -> str | None:
        s, x, player = self.s, self.x, self.s.turn
        state = LeaderState(int(s.leader_state[player]))
        if not s.leader[player]:
            return "there is none"
        if state in WHY_NO_LEADER:
            return WHY_NO_LEADER[state]
        if x.empty_hand_passes and s.n_hand[player] == 0:
            return "the hand is empty"
        return NO_EFFECT if x.leader_needs_effect else None

    def _no_play(self, words: Mapping[str, str]) -> str | None:
        id = words["card"]
        card = self.database.cards[id]
        if not self._has(id):
            return "it is not in the hand"
        if card.rows:
            return _other_row(card)
        if any(card.has(code) for code in BESIDE_ROWS):
            return self._no_slot(words.get("row"))
        if "row" in words:
            return "it is played in no row"
        if card.has("decoy"):
            return "there is no unit that it could take back"
        return self._no_weather(id) or NO_EFFECT

    def _no_slot(self, row: str | None) -> str:
        slots = self.s.slot[self.x.side[self.s.turn]]
        rows = range(len(ROW_WORDS)) if row is None else [ROW_WORDS.index(row)]
        if any(slots[i] == Slot.EMPTY for i in rows):
            return NO_EFFECT
        return f"a card lies beside {'every' if row is None else 'that'} row already"

    def _no_weather(self, id: str) -> str | None:
        if self.database.cards[id].kind != "weather":
            return None
        index = weather_index(self.x.ability[self._number(id)])
        if index >= 0 and self.s.weather[index]:
            return "it lies there already"
        is_clear = self.database.cards[id].has("weather_clear")
        return "there is no weather" if is_clear and not any_weather(self.s) else None

    def _no_choice(self, phase: Phase, words: Mapping[str, str]) -> str | None:
        if phase in (Phase.RECIPIENT, Phase.OPPONENT):
            return "an opponent is to be chosen"
        place = CHOSEN_FROM.get(phase)
        if place is None or "card" not in words:
            return None
        if not self._may_be_found(phase, words["card"]):
            return f"it is not {place}"
        card = self.database.cards[words["card"]]
        return self._wrong_kind(phase, card) or self._wrong_unit(phase, card, words)

    def _wrong_kind(self, phase: Phase, card: Card) -> str | None:
        if phase in NO_HEROES and card.kind == "hero":
            return "it is a hero"
        if phase in UNITS_ONLY and card.kind != "unit":
            return "it is no unit"
        if phase == Phase.WEATHER_FROM_DECK and card.kind != "weather":
            return "it is no weather card"
        return None

    def _wrong_unit(
        self, phase: Phase, card: Card, words: Mapping[str, str]
    ) -> str | None:
        if phase == Phase.BOND_COPY:
            return "it has no tight bond, or there is no other in the deck"
        if phase != Phase.MEDIC:
            return None
        is_open = not self.s.picked or self.x.plain[self.s.picked] == self._number(
            card.id
        )
        if not is_open:
            return "chance chooses the unit"
        return _other_row(card) if "row" in words else None

    def _may_be_found(self, phase: Phase, id: str) -> bool:
        """Whether the card is where a choice of this phase is made."""
        s, player = self.s, int(self.s.turn)
        side = int(self.x.side[player])
        if phase in (Phase.MEDIC, Phase.OWN_DISCARD):
            cards = [s.discard[side, : s.n_discard[side]]]
        elif phase == Phase.ENEMY_DISCARD:
            cards = [s.discard[i, :n] for i, n in enumerate(s.n_discard) if i != side]
        elif phase in (Phase.DISCARD_TWO, Phase.AUTOMA_DISCARD):
            return self._has(id)
        elif phase in (Phase.FROM_DECK, Phase.WEATHER_FROM_DECK):
            cards = [s.deck[player, : s.n_deck[player]]]
        else:
            cards = [s.row[side, i, :n] for i, n in enumerate(s.n_row[side])]
        return any(self._holds(each, id) for each in cards)

    def _has(self, id: str) -> bool:
        player = int(self.s.turn)
        return self._holds(self.s.hand[player, : self.s.n_hand[player]], id)

    def _holds(self, cards: Any, id: str) -> bool:
        return self._number(id) in [int(self.x.plain[card]) for card in cards]

    def _number(self, id: str) -> int:
        return card_numbers(self.database)[id]


def _other_row(card: Card) -> str:
    return f"it belongs in the {' or the '.join(card.rows)} row"
