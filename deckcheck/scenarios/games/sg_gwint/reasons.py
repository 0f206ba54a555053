"""Why a move of SG Gwint is refused, in a few words, and what its questions ask."""

from __future__ import annotations

from typing import Any, NamedTuple

from deckcheck.cards.models import Card
from deckcheck.engine.games.sg_gwint.codes import (
    FactionAbility,
    Leader,
    LeaderState,
    Phase,
)
from deckcheck.engine.games.sg_gwint.rules.leaders import leader_is_playable
from deckcheck.engine.games.sg_gwint.rules.targets import IN_SLOT
from deckcheck.scenarios.contract import Words
from deckcheck.scenarios.games.sg_gwint.file import NAMES
from deckcheck.scenarios.position import CardPosition
from deckcheck.scenarios.refusing import CHOOSE, first_of
from deckcheck.scenarios.rows import ROW_WORDS


class Asked(NamedTuple):
    """What a choice is about, where its cards lie, and whether they are all units.

    The card that is to be placed goes into the braces.
    """

    what: str
    place: str = ""
    units_only: bool = False


OWN, ENEMY, ANYWHERE = "on the own side", "on the enemy side", "on the battlefield"
CHOICES = {
    Phase.LAND: Asked("where {} is laid"),
    Phase.MEDIC: Asked("the unit that the medic returns", "in the own graveyard", True),
    Phase.DECOY: Asked("the card that the Decoy takes back", OWN),
    Phase.DEVOUR: Asked("the card that is devoured", OWN),
    Phase.REINFORCE: Asked("the unit that is reinforced", OWN, True),
    Phase.ATTACH: Asked("the unit under which the card is laid", OWN, True),
    Phase.RELOCATE: Asked("the card that is relocated, or nothing", OWN),
    Phase.MANIPULATE: Asked("the card that is moved", ENEMY),
    Phase.DIPLOMACY: Asked("the card that is moved, or nothing", ANYWHERE),
    Phase.DESTROY: Asked("the card that is destroyed", ANYWHERE),
    Phase.MOVE_TO: Asked("the row to which {} is moved"),
    Phase.EXCHANGE: Asked("the card of the hand that is discarded", "in the hand"),
    Phase.FROM_DECK: Asked(
        "the card that the leader takes from the deck", "in the deck"
    ),
    Phase.SKY: Asked("the weather that is moved", "among the weather"),
    Phase.SKY_ROW: Asked("the row to which {} is moved"),
}
"""The questions that a move asks, by phase."""

FOLLOW = "a card has to follow the leader"
NO_CARD = "no card could follow the leader"
NOT_LINKED = "it is no card of the leader that is still to be laid"
KLEPNA = "Klepna is laid before the first turn, by the player who starts"
ONLY_SPIES, ON_OWN_SIDE = "only a spy may lie there", "it lies on the own side only"
BETWEEN_TURNS = ("announce", "decline", "start", "klepna")
WRONG_ROW = {
    Phase.SKY_ROW: "the weather does not work on that row",
    Phase.MOVE_TO: "it lies there already",
}
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
}


class Reasons:
    """Reasons in one position; see `why_not` of `scenarios.contract.Position`."""

    def __init__(self, position: CardPosition) -> None:
        self.position = position
        self.s, self.x = position.s, position.x
        self.phase = Phase(int(self.s.phase))
        self.player = int(self.s.turn)

    def why_not(self, verb: str, words: Words) -> str | None:
        """Why no legal move is a `verb` with these words."""
        if verb == CHOOSE:
            return self._no_choice(words)
        if verb in BETWEEN_TURNS:
            return self._decided(verb)
        if verb == "leader":
            return self._no_leader()
        if verb == "pass":
            return FOLLOW
        s, card = self.s, self.position.database.cards[words["card"]]
        cells, counts = (s.linked, s.n_linked) if verb == "lay" else (s.hand, s.n_hand)
        has_it = card.id in self.position.ids_in(cells, counts, self.player)
        over = verb == "redraw" and self.phase != Phase.REDRAW
        return first_of(
            (over, "the redraws are over"),
            (not has_it, NOT_LINKED if verb == "lay" else "it is not in the hand"),
            (verb == "discard", FOLLOW),
            (verb == "lay" and list(words)[-1] == "card", NO_CARD),
        ) or self._no_place(card, words)

    def _decided(self, verb: str) -> str | None:
        """Why this is not decided now."""
        x, player = self.x, self.player
        chooses = x.faction_ability[player] == FactionAbility.CHOOSE_STARTER
        has_klepna = x.opening_card[player] != 0
        return first_of(
            (verb == "start", "who starts is decided already"),
            (verb == "klepna" and not has_klepna, f"{NAMES[player]} has no Klepna"),
            (verb == "klepna", KLEPNA),
            (not chooses, "only Scoia'tael may choose who starts"),
            (verb == "announce", "that is announced before the coin is tossed"),
            (True, "there is no choice to leave now"),
        )

    def _no_leader(self) -> str:
        player = self.player
        state = LeaderState(int(self.s.leader_state[player]))
        if not self.x.leader[player]:
            return "there is none"
        if state in WHY_NO_LEADER:
            return WHY_NO_LEADER[state]
        if self.x.leader[player] == Leader.LINKED_CARDS:
            return "the leader's cards are laid, with `lay`"
        if leader_is_playable(self.s, self.x, player):
            return NO_CARD
        return "it would have no effect"

    def _no_place(self, card: Card, words: Words) -> str | None:
        """Why a card of the hand, or of a leader, cannot be laid as `words` say."""
        key = list(words)[-1]
        if card.rows:
            rows = " or the ".join(card.rows)
            return ONLY_SPIES if key == "player" else f"it belongs in the {rows} row"
        if self.x.ability[self.position.numbers[card.id]] & IN_SLOT:
            slot = "that slot" if key == "row" else "every slot"
            return ON_OWN_SIDE if key == "player" else f"a card lies in {slot}"
        if key != "card":
            return None
        return first_of(
            (card.kind == "token", "a token cannot be played from the hand"),
            (card.has("decoy"), "there is no unit that it could take back"),
            (True, "there is no unit to lay it under"),
        )

    def _no_choice(self, words: Words) -> str | None:
        key, place = list(words)[-1], CHOICES[self.phase].place
        if self.phase == Phase.LAND and key != "card":
            picked = self.position.id_of(self.s.picked)
            return self._no_place(self.position.database.cards[picked], words)
        if key == "row":
            return WRONG_ROW.get(self.phase)
        if key != "card" or not place:
            return None
        card = self.position.database.cards[words["card"]]
        is_unit = card.kind in self.position.database.game.unit_kinds
        units_only = CHOICES[self.phase].units_only
        return first_of(
            (card.id not in self._offered(place), f"it is not {place}"),
            (card.shield, "it has a shield"),
            (units_only and not is_unit, "it is no unit"),
            (self.phase == Phase.MEDIC, "it cannot return from the graveyard"),
            (self.phase == Phase.FROM_DECK, "it is no card for this leader"),
            (self.phase == Phase.DIPLOMACY, "it has been moved already"),
            (True, "another unit is to be chosen"),
        )

    def _offered(self, place: str) -> list[str]:
        """The cards that lie where a choice is made."""
        facts = self.position.facts()
        own, enemy = facts[NAMES[self.player]], facts[NAMES[1 - self.player]]
        zones: dict[str, list[str]] = {
            "in the own graveyard": own["discard"],
            "in the hand": own["hand"],
            "in the deck": own["deck"],
            "among the weather": [laid["card"] for laid in facts["weather"]],
            OWN: _lying(own),
            ENEMY: _lying(enemy),
            ANYWHERE: _lying(own) + _lying(enemy),
        }
        return zones[place]


def _lying(facts: dict[str, Any]) -> list[str]:
    return [card for row in ROW_WORDS for card in facts["cards"][row]]
