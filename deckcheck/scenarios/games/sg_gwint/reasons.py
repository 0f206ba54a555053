"""Why a move of SG Gwint is refused, in a few words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Card
from deckcheck.engine.contract import legal_moves
from deckcheck.engine.games.sg_gwint.codes import LeaderState, Phase, Verb
from deckcheck.engine.games.sg_gwint.game import card_numbers
from deckcheck.engine.games.sg_gwint.rules.encoding import move_verb
from deckcheck.engine.games.sg_gwint.rules.targets import IN_SLOT
from deckcheck.scenarios.games.sg_gwint.file import NAMES, ROW_WORDS

__all__ = ["Reasons"]

FOLLOW = "a card has to follow the leader"
SHIELD = "it has a shield"
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
}
DECIDED_BEFORE = {
    "announce": "that is announced before the coin is tossed",
    "decline": "there is nothing to decline",
    "start": "who starts is decided already",
    "klepna": "Klepna is laid once, before the first turn",
}
UNITS_ONLY = (Phase.MEDIC, Phase.REINFORCE, Phase.ATTACH)
ANYWHERE = (Phase.DIPLOMACY, Phase.DESTROY)
CHOSEN_FROM = {
    # the place whose cards a choice is made from
    Phase.MEDIC: "in the own graveyard",
    Phase.EXCHANGE: "in the hand",
    Phase.FROM_DECK: "in the deck",
    Phase.SKY: "among the weather",
    Phase.MANIPULATE: "on the enemy side",
    **dict.fromkeys((Phase.DECOY, Phase.DEVOUR, Phase.RELOCATE), "on the own side"),
    **dict.fromkeys((Phase.REINFORCE, Phase.ATTACH), "on the own side"),
    **dict.fromkeys(ANYWHERE, "on the battlefield"),
}


@dataclass(frozen=True, slots=True)
class Reasons:
    """Reasons in one position, with the records `s` and `x` of the engine."""

    s: Any
    x: Any
    database: CardDatabase

    def why_not(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this; the move is known to be illegal."""
        if verb == "choose":
            return self._no_choice(Phase(int(self.s.phase)), words)
        if verb in DECIDED_BEFORE:
            return DECIDED_BEFORE[verb]
        if verb == "leader" and not self.s.must_play:
            return self._no_leader()
        card = words.get("card", "")
        missing = self._missing(verb, card)
        if missing is None and verb in ("play", "lay"):
            return self._no_place(self.database.cards[card], words)
        return missing or (FOLLOW if self.s.must_play else None)

    def _missing(self, verb: str, card: str) -> str | None:
        """Whether the card is not where it would have to be."""
        s, player = self.s, int(self.s.turn)
        if verb == "redraw" and s.phase != Phase.REDRAW:
            return "the redraws are over"
        if verb in ("play", "redraw", "discard") and not self._in_hand(card):
            return "it is not in the hand"
        linked = s.linked[player, : s.n_linked[player]]
        if verb == "lay" and not self._holds(linked, card):
            return "it is no card of the leader that is still to be laid"
        return None

    def _no_leader(self) -> str:
        s, x, player = self.s, self.x, self.s.turn
        if not x.leader[player]:
            return "there is none"
        state = LeaderState(int(s.leader_state[player]))
        if state in WHY_NO_LEADER:
            return WHY_NO_LEADER[state]
        count = legal_moves(s, x)
        plays = any(move_verb(move) == Verb.PLAY for move in x.moves[:count].tolist())
        if x.free[player] and not plays:
            return "no card could follow the leader"
        return "it would have no effect"

    def _no_place(self, card: Card, words: Mapping[str, str]) -> str | None:
        """Why a card of the hand, or of a leader, cannot be laid as `words` say."""
        if card.rows:
            return self._other_place(card, words)
        if self.x.ability[self._number(card.id)] & IN_SLOT:
            return self._no_slot(words)
        if card.kind == "token":
            return "a token cannot be played from the hand"
        if "row" in words:
            return "it is played in no row"
        if card.has("decoy"):
            return "there is no unit that it could take back"
        return "there is no unit to lay it under" if card.has("attach") else None

    def _other_place(self, card: Card, words: Mapping[str, str]) -> str | None:
        if words.get("row", card.rows[0]) not in card.rows:
            return f"it belongs in the {' or the '.join(card.rows)} row"
        is_own = words.get("player", NAMES[self.s.turn]) == NAMES[self.s.turn]
        return None if is_own or card.has("spy") else "only a spy may lie there"

    def _no_slot(self, words: Mapping[str, str]) -> str:
        if words.get("player", NAMES[self.s.turn]) != NAMES[self.s.turn]:
            return "it lies on the own side only"
        return f"a card lies in {'that slot' if 'row' in words else 'every slot'}"

    def _no_choice(self, phase: Phase, words: Mapping[str, str]) -> str | None:
        if phase in (Phase.MOVE_TO, Phase.LAND, Phase.SKY_ROW):
            return self._no_row(phase, words)
        place = CHOSEN_FROM.get(phase)
        if place is None or "card" not in words:
            return None
        if not self._is_found(phase, words["card"]):
            return f"it is not {place}"
        return self._unfit(phase, self.database.cards[words["card"]])

    def _no_row(self, phase: Phase, words: Mapping[str, str]) -> str | None:
        """Why a row cannot be chosen; a card is not asked for here."""
        if phase == Phase.SKY_ROW:
            return "the weather does not work on that row"
        if "card" in words:
            return f"{self._picked_name(phase)} was the only choice"
        if phase == Phase.LAND:
            return self._no_place(self._card(self.s.picked), words)
        is_there = words.get("row") == ROW_WORDS[self.s.picked_row]
        return "it lies there already" if is_there else None

    def _unfit(self, phase: Phase, card: Card) -> str | None:
        """Why a card that lies at the right place is no choice."""
        if card.shield:
            return SHIELD
        if phase in UNITS_ONLY and card.kind not in self.database.game.unit_kinds:
            return "it is no unit"
        if phase == Phase.MEDIC:
            return "it cannot return from the graveyard"
        if phase == Phase.FROM_DECK:
            return "it is no card for this leader"
        is_own = self.s.acting and phase not in (Phase.MANIPULATE, Phase.DIPLOMACY)
        return "another unit is to be chosen" if is_own else None

    def _is_found(self, phase: Phase, id: str) -> bool:
        """Whether the card is where a choice of this phase is made."""
        s, player = self.s, int(self.s.turn)
        if phase == Phase.MEDIC:
            return self._holds(s.discard[player, : s.n_discard[player]], id)
        if phase == Phase.EXCHANGE:
            return self._in_hand(id)
        if phase == Phase.FROM_DECK:
            return self._holds(s.deck[player, : s.n_deck[player]], id)
        if phase == Phase.SKY:
            return self._holds(s.sky[: s.n_sky], id)
        sides = {Phase.MANIPULATE: (1 - player,)}.get(phase, (player,))
        return any(
            self._holds(s.row[side, row, : s.n_row[side, row]], id)
            for side in ((0, 1) if phase in ANYWHERE else sides)
            for row in range(len(ROW_WORDS))
        )

    def _in_hand(self, id: str) -> bool:
        player = int(self.s.turn)
        return self._holds(self.s.hand[player, : self.s.n_hand[player]], id)

    def _holds(self, cards: Any, id: str) -> bool:
        return self._number(id) in [int(self.x.plain[card]) for card in cards]

    def _number(self, id: str) -> int:
        return card_numbers(self.database)[id]

    def _picked_name(self, phase: Phase) -> str:
        """The card that is to move or to land."""
        s = self.s
        if phase == Phase.MOVE_TO:
            return self._card(s.row[s.picked_side, s.picked_row, s.picked_index]).name
        return self._card(s.picked).name

    def _card(self, number: Any) -> Card:
        """The card of a number of the engine, whoever owns it."""
        ids = list(self.database.cards)
        return self.database.cards[ids[int(self.x.plain[int(number)]) - 1]]
