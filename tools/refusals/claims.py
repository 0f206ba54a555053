"""What reasons claim, checked against what a position shows.

Every sentence that a game may say is listed here with what has to be true of the
position for it; a sentence that is not listed is a failure.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from deckcheck.cards.models import Card
from deckcheck.scenarios.contract import GamePosition, LegalMove, answer_in_words
from deckcheck.scenarios.models import NO_ANSWER, ROW_WORDS
from tools.refusals.positions import Table, Wish

__all__ = ["Case", "contradiction"]

FIRST = r"first (\w+) has to choose (.+)"
FORBIDDING = (
    "special_needs_effect",
    "leader_needs_effect",
    "repeated_weather_forbidden",
)
"""Options of Gwent by which a move for nothing is illegal, as its records name them."""


@dataclass(frozen=True)
class Case:
    """A move that is against the rules, and where it was tried."""

    table: Table
    document: dict[str, Any]
    position: GamePosition
    wish: Wish
    legal: list[LegalMove]
    facts: dict[str, Any]

    @property
    def own(self) -> dict[str, Any]:
        """The facts of the player who wants to move."""
        facts: dict[str, Any] = self.facts[self.wish.player]
        return facts

    @property
    def card(self) -> Card:
        """The card that the move names."""
        return self.table.database.cards[self.wish.words["card"]]

    @property
    def row(self) -> str | None:
        """The row that the move names."""
        return self.wish.words.get("row")

    def verbs(self) -> set[str]:
        """The verbs of all legal moves."""
        return {move.verb for move in self.legal}

    def others(self) -> list[dict[str, Any]]:
        """The facts of the sides that are not the player's."""
        sides = [side for side in self.position.sides if side[0] != self.wish.player[0]]
        return [self.facts[side] for side in sides]

    def lying(self, *sides: dict[str, Any]) -> list[Card]:
        """The cards in the rows of sides."""
        ids = [card for side in sides for row in side["cards"].values() for card in row]
        return [self.table.database.cards[id] for id in ids]

    def alternatives(self) -> tuple[str, set[str]]:
        """The first word that does not fit, and those that would in its place."""
        fitting = [move for move in self.legal if move.verb == self.wish.verb]
        for key, word in self.wish.words.items():
            known = {move.words[key] for move in fitting if key in move.words}
            if word not in known:
                return key, known
            fitting = [move for move in fitting if move.words.get(key) == word]
        raise AssertionError("the move is legal")


def contradiction(case: Case, reason: str) -> str | None:
    """What is wrong with a reason; None if it says what is so."""
    is_asked = case.verbs() == {"choose"} and case.facts["turn"] is not None
    is_answer = case.wish.verb == "choose" and case.wish.player == case.facts["turn"]
    if is_asked and not is_answer and not re.match(FIRST, reason):
        return f"a choice is open, and not a word of it: {reason}"
    for pattern, holds in CLAIMS.items():
        found = re.fullmatch(pattern, reason)
        if found:
            return None if holds(case, *found.groups()) else f"not so: {reason}"
    return f"an unknown reason: {reason}"


def _must_choose(case: Case, name: str, _: str) -> bool:
    is_answer = case.wish.verb == "choose" and case.wish.player == name
    return case.verbs() == {"choose"} and case.facts["turn"] == name and not is_answer


def _can_only(case: Case, listed: str) -> bool:
    key, known = case.alternatives()
    names = {answer_in_words(case.position, {key: word}) for word in known}
    return set(re.split(r", | or ", listed)) == names


def _asks_for(case: Case, asked: str) -> bool:
    key, known = case.alternatives()
    return not known and key != asked and all(asked in m.words for m in case.legal)


def _without(case: Case, key: str) -> bool:
    same = [m for m in case.legal if m.words.get("card") == case.card.id]
    return (
        key in case.wish.words and bool(same) and not any(key in m.words for m in same)
    )


def _would_be_legal(case: Case, words: dict[str, str]) -> bool:
    """Whether a move of these words is legal where moves for nothing are."""
    if case.table.format.game == "sg_gwint":
        return _is_idle(case)
    x: Any = case.position.x  # type: ignore[attr-defined]
    saved = {name: int(getattr(x, name)) for name in FORBIDDING}
    for name in FORBIDDING:
        setattr(x, name, 0)
    moves = case.position.legal_moves()
    for name, value in saved.items():
        setattr(x, name, value)
    return any(move.fits(case.wish.verb, words) for move in moves)


def _claim(case: Case) -> dict[str, str]:
    """The words of a move up to the first one that no legal move has."""
    words = list(case.wish.words)
    if not words:
        return {}
    key, _ = case.alternatives()
    return {word: case.wish.words[word] for word in words[: words.index(key) + 1]}


def _is_idle(case: Case) -> bool:
    """Whether a leader of SG Gwint would find nothing, by what he does."""
    sides = [case.own, *case.others()]
    slots = [card for side in sides for card in side["row_specials"].values() if card]
    known, leader = case.table.database.cards, _leader(case)
    deck = [known[id] for id in case.own["deck"]]
    return {
        "clear_weather": not case.facts["weather"]
        and not any(known[id].has("weather") for id in slots),
        "scorch": all(card.shield for card in case.lying(*sides)),
        "draw_cards": not deck,
        "weather_from_deck": not any(card.has("weather") for card in deck),
        "pull_unit": all(card.shield for card in deck if leader.tag in card.tags),
    }.get(leader.ability, True)


def _in_zone(case: Case, zone: str) -> bool:
    held: dict[str, list[str]] = {
        "in the hand": case.own["hand"],
        "in the deck": case.own["deck"],
        "in the discard pile": case.own["discard"],
        "in the player's own graveyard": case.own["discard"],
        "among the weather": [laid["card"] for laid in case.facts.get("weather", ())],
        "in a discard pile of an opponent": [
            card for other in case.others() for card in other["discard"]
        ],
    }
    if zone in held:
        return case.card.id in held[zone]
    sides = {
        "on the player's own side": [case.own],
        "on the enemy side": case.others(),
        "on the battlefield": [case.own, *case.others()],
    }[zone]
    return case.card in case.lying(*sides)


def _seat(case: Case) -> dict[str, Any]:
    seat: dict[str, Any] = case.document["players"].get(case.wish.player, {})
    return seat


def _leader(case: Case) -> Any:
    return case.table.database.leaders.get(_seat(case).get("leader", ""))


def _is_voided(case: Case) -> bool:
    """Whether another one is The White Flame, who voids a leader."""
    seats = case.document["players"].items()
    leaders = [seat.get("leader") for name, seat in seats if name != case.wish.player]
    known = case.table.database.leaders
    return any(id and known[id].ability == "cancel_enemy_leader" for id in leaders)


def _chooses_starter(case: Case) -> bool:
    faction = case.table.database.factions.get(_seat(case).get("faction", ""))
    return faction is not None and faction.ability == "choose_starter"


def _nothing_to_take(case: Case) -> bool:
    if case.table.format.game == "gwent":
        return not any(card.kind == "unit" for card in case.lying(case.own))
    return all(card.shield for card in case.lying(case.own))


def _nothing_to_lie_under(case: Case) -> bool:
    kinds = case.table.database.game.unit_kinds
    lying = case.lying(case.own)
    return all(card.shield or card.kind not in kinds for card in lying)


def _lies_there(case: Case) -> bool:
    if case.wish.verb == "choose":
        _, known = case.alternatives()
        return case.row not in known and len(known) == len(ROW_WORDS) - 1
    database = case.table.database
    sky = [database.cards[laid["card"]] for laid in case.facts["weather"]]
    codes = [{each.code for each in card.abilities} for card in (case.card, *sky)]
    return codes[0] in codes[1:]


def _has_klepna(case: Case, name: str) -> bool:
    own = case.facts[name]
    held = [*own["reserves"], *own["discard"], *own["deck"], *own["hand"]]
    lying = [card.id for card in case.lying(case.facts["A"], case.facts["B"])]
    cards = (case.table.database.cards[id] for id in [*held, *lying])
    return any(card.has("opening_card") for card in cards)


def _other_row(case: Case, rows: str) -> bool:
    card = case.card if "card" in case.wish.words else None
    is_known = card is None or " or the ".join(card.rows) == rows
    return is_known and case.row not in rows.split(" or the ")


def _slot(case: Case) -> bool:
    return case.row is not None and case.own["row_specials"][case.row] is not None


def _every_slot(case: Case) -> bool:
    return all(case.own["row_specials"].values())


def _says(*verbs: str) -> Callable[..., bool]:
    """A claim that none of these verbs is legal, of a move that is one of them."""

    def holds(case: Case, *_: str) -> bool:
        return case.wish.verb in verbs and not case.verbs() & set(verbs)

    return holds


def _kind(*kinds: str) -> Callable[..., bool]:
    return lambda case: case.card.kind in kinds


CLAIMS: dict[str, Callable[..., bool]] = {
    "the game is over": lambda case: case.facts["over"] and not case.legal,
    FIRST: _must_choose,
    r"it is the turn of (\w+)": lambda case, name: (
        case.facts["turn"] == name != case.wish.player
    ),
    r"(\w+) has passed": lambda case, name: (
        case.own["passed"] and name == case.wish.player != case.facts["turn"]
    ),
    r"the automa plays after each move of (\w+)": lambda case, name: (
        case.facts["turn"] == name and case.wish.player == "B"
    ),
    r"(\w+) is defeated": lambda case, name: case.facts[name]["gems"] == 0,
    "there is nothing left to choose": _says("choose"),
    "it can only be (.+)": _can_only,
    "a (card|row|player) is to be chosen": _asks_for,
    "it is played in no row": lambda case: _without(case, "row"),
    "it is played on no side": lambda case: _without(case, "player"),
    "something has to be chosen": lambda case: (
        case.row == NO_ANSWER
        and all(m.words.get("row") != NO_ANSWER for m in case.legal)
    ),
    # Before the turns
    "that was decided before the first turn": _says("start"),
    "that is decided before the game": _says("void"),
    "who starts is decided already": _says("start"),
    "the redraws are over": _says("redraw"),
    r"first (\w+) decides who begins": lambda case, name: (
        case.verbs() == {"start"} and case.facts["turn"] == name
    ),
    r"first (\w+) decides whose leader is void": lambda case, name: (
        case.verbs() == {"void"} and case.facts["turn"] == name
    ),
    "only Scoia'tael may choose who starts": lambda case: not _chooses_starter(case),
    "that is announced before the coin is tossed": _says("announce"),
    "there is no choice to leave now": _says("decline"),
    r"(\w+) has no Klepna": lambda case, name: not _has_klepna(case, name),
    "Klepna is laid before the first turn, by the player who starts": _says("klepna"),
    # Leaders
    "there is none": lambda case: _leader(case) is None,
    "the leader has been used": lambda case: case.own["leader_used"],
    "the leader is passive": lambda case: _leader(case).passive,
    "the leader is void": _is_voided,
    "the hand is empty": lambda case: case.own["hand_size"] == 0,
    "the leader's cards are laid, with `lay`": lambda case: (
        _leader(case).ability == "linked_cards"
    ),
    "no card in hand can be played": lambda case: (
        case.wish.verb in ("lay", "leader") and "play" not in case.verbs()
    ),
    # A leader who lays several cards is used up when the last one is laid.
    "a card has to follow the leader": lambda case: (
        (case.own["leader_used"] or bool(case.own["linked"])) and "play" in case.verbs()
    ),
    # Cards
    "it would have no effect": lambda case: _would_be_legal(case, _claim(case)),
    "it would have no effect beside a free row": lambda case: (
        any(case.own["row_specials"].values())
        and _would_be_legal(case, {"card": case.card.id})
    ),
    r"it is not ((?:in|on|among) .+)": lambda case, zone: not _in_zone(case, zone),
    "it is not a card of the leader that is still to be laid": lambda case: (
        case.card.id not in case.own["linked"]
    ),
    r"it belongs in the (.+) row": _other_row,
    "a card lies beside that row already": _slot,
    "a card lies beside every row": _every_slot,
    "a card lies in that slot": _slot,
    "a card lies in every slot": _every_slot,
    "there is no unit that it could take back": _nothing_to_take,
    "there is no unit to lay it under": _nothing_to_lie_under,
    "it lies there already": _lies_there,
    "there is no weather": lambda case: not case.facts["weather"],
    "only a spy may lie there": lambda case: (
        "card" not in case.wish.words or not case.card.has("spy")
    ),
    "it may lie only on the player's own side": lambda case: (
        case.wish.words["player"] != case.wish.player
    ),
    "a token cannot be played from the hand": _kind("token"),
    # Choices
    "it is a hero": _kind("hero"),
    "it is no unit": lambda case: (
        case.card.kind not in case.table.database.game.unit_kinds
        or (case.table.format.game == "gwent" and case.card.kind != "unit")
    ),
    "it is no weather card": lambda case: case.card.kind != "weather",
    "it has no tight bond, or there is no other in the deck": lambda case: (
        not case.card.has("tight_bond") or case.card.id not in case.own["deck"]
    ),
    "it has a shield": lambda case: case.card.shield,
    "it cannot return from the graveyard": lambda case: not case.card.deckable,
    "it is not a card for this leader": lambda case: _leader(case) is not None,
    "another unit is to be chosen": lambda case: (
        case.card in case.lying(case.own, *case.others())
    ),
    "the weather does not work on that row": lambda case: all(
        move.words["row"] != case.row for move in case.legal
    ),
    # Deckmaster
    "(.+) lies there, and other spaces are empty": lambda case, card: (
        case.facts["board"][int(case.wish.words["space"])] == card
        and "" in case.facts["board"]
    ),
}
"""Sentences, by pattern, and whether what they claim is so."""
