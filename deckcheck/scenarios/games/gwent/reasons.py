"""Why a move of Gwent is refused, in a few words, and what its questions ask."""

from __future__ import annotations

from typing import NamedTuple

from deckcheck.cards.models import Card
from deckcheck.engine.games.gwent.codes import LeaderState, Phase
from deckcheck.engine.games.gwent.rules.weather import any_weather, weather_index
from deckcheck.scenarios.contract import Words
from deckcheck.scenarios.games.gwent.facts import Facts
from deckcheck.scenarios.position import CardPosition
from deckcheck.scenarios.refusing import CHOOSE, first_of
from deckcheck.scenarios.rows import ROW_WORDS


class Asked(NamedTuple):
    """What a choice is about, where its cards lie, and which of them it leaves out."""

    what: str
    place: str = ""
    units_only: bool = False
    no_heroes: bool = False


IN_HAND, IN_DECK, IN_PILE = "in the hand", "in the deck", "in the discard pile"
IN_ENEMY_PILE, ON_SIDE = "in a discard pile of an opponent", "on the own side"
CHOICES = {
    Phase.MEDIC: Asked("the unit that the medic brings back", IN_PILE, True, True),
    Phase.DECOY: Asked("the unit that the Decoy takes back", ON_SIDE, True, True),
    Phase.ENEMY_DISCARD: Asked(
        "the card that the leader takes from an opponent's discard pile",
        IN_ENEMY_PILE,
        no_heroes=True,
    ),
    Phase.OWN_DISCARD: Asked("the card that the leader takes back", IN_PILE),
    Phase.DISCARD_TWO: Asked("the card of the hand that is discarded", IN_HAND),
    Phase.AUTOMA_DISCARD: Asked("the card of the hand that is discarded", IN_HAND),
    Phase.FROM_DECK: Asked("the card that the leader takes from the deck", IN_DECK),
    Phase.WEATHER_FROM_DECK: Asked("the weather that the leader plays", IN_DECK),
    Phase.BOND_COPY: Asked("the unit that is joined by a copy", ON_SIDE, True, True),
    Phase.MARDROEME_ROW: Asked("the row beside which Mardroeme is laid"),
    Phase.RECIPIENT: Asked("the opponent who gets the spy"),
    Phase.OPPONENT: Asked("the opponent on whom the leader works"),
}
"""The questions that a move asks, by phase."""

NO_EFFECT = "it would have no effect"
NO_COPY = "it has no tight bond, or there is no other in the deck"
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
    LeaderState.VOID: "the leader is void",
}
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


class Reasons:
    """Reasons in one position; see `why_not` of `scenarios.contract.Position`."""

    def __init__(self, position: CardPosition) -> None:
        self.position = position
        self.s, self.x = position.s, position.x
        self.phase = Phase(int(self.s.phase))
        self.own = Facts(position).player(int(self.s.turn))

    def why_not(self, verb: str, words: Words) -> str | None:
        """Why no legal move is a `verb` with these words."""
        if verb == CHOOSE:
            return self._no_choice(words)
        if DECIDED_IN.get(verb, self.phase) != self.phase:
            return DECIDED_BEFORE[verb]
        if verb not in DECIDED_IN and self.phase in DECIDED_FIRST:
            return DECIDED_FIRST[self.phase].format(self.position.turn)
        if verb == "leader":
            return self._no_leader()
        if "card" in words and words["card"] not in self.own["hand"]:
            return "it is not in the hand"
        return self._no_play(words) if verb == "play" else None

    def _no_leader(self) -> str:
        s, player = self.s, self.s.turn
        state = LeaderState(int(s.leader_state[player]))
        if not s.leader[player]:
            return "there is none"
        if state in WHY_NO_LEADER:
            return WHY_NO_LEADER[state]
        stuck = self.x.empty_hand_passes and s.n_hand[player] == 0
        return "the hand is empty" if stuck else NO_EFFECT

    def _no_play(self, words: Words) -> str | None:
        card, row = self.position.database.cards[words["card"]], words.get("row")
        if card.rows:
            return other_row(card)
        slots = self.own["row_specials"]
        if card.has("commanders_horn") or card.has("mardroeme"):
            return first_of(
                (row and slots[row], "a card lies beside that row already"),
                (not row and all(slots.values()), "a card lies beside every row"),
                (not row and any(slots.values()), f"{NO_EFFECT} beside a free row"),
                (True, NO_EFFECT),
            )
        if row:
            return None
        index = -1
        if card.kind == "weather":
            index = weather_index(self.x.ability[self.position.numbers[card.id]])
        sunny = card.has("weather_clear") and not any_weather(self.s)
        return first_of(
            (card.has("decoy"), "there is no unit that it could take back"),
            (index >= 0 and self.s.weather[index], "it lies there already"),
            (sunny, "there is no weather"),
            (True, NO_EFFECT),
        )

    def _no_choice(self, words: Words) -> str | None:
        asked = CHOICES[self.phase]
        if "card" not in words or not asked.place:
            return None
        card = self.position.database.cards[words["card"]]
        if "row" in words:
            wrong = words["row"] not in card.rows
            return other_row(card) if self.phase == Phase.MEDIC and wrong else None
        return first_of(
            (card.id not in self._offered(asked.place), f"it is not {asked.place}"),
            (asked.no_heroes and card.kind == "hero", "it is a hero"),
            (asked.units_only and card.kind != "unit", "it is no unit"),
            (self.phase == Phase.WEATHER_FROM_DECK, "it is no weather card"),
            (self.phase == Phase.BOND_COPY, NO_COPY),
        )

    def _offered(self, place: str) -> list[str]:
        """The cards that lie where a choice is made."""
        facts = Facts(self.position)
        if place == IN_ENEMY_PILE:
            own, sides = int(self.x.side[self.s.turn]), len(self.position.sides)
            others = [facts.side(side) for side in range(sides) if side != own]
            return [card for other in others for card in other["discard"]]
        zones: dict[str, list[str]] = {
            IN_PILE: self.own["discard"],
            IN_HAND: self.own["hand"],
            IN_DECK: self.own["deck"],
            ON_SIDE: [card for row in ROW_WORDS for card in self.own["cards"][row]],
        }
        return zones[place]


def other_row(card: Card) -> str:
    """Why a card lies in none but its own rows."""
    return f"it belongs in the {' or the '.join(card.rows)} row"
