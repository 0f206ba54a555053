"""Moves of Gwent in words."""

from __future__ import annotations

from collections.abc import Mapping

from deckcheck.engine.games.gwent.codes import Phase, Verb
from deckcheck.engine.games.gwent.rules.encoding import (
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.scenarios.contract import LegalMove
from deckcheck.scenarios.games.gwent.board import TWO_SIDES, Board
from deckcheck.scenarios.games.gwent.file import ROW_WORDS

__all__ = ["Phrases"]

VERBS = {
    Verb.PASS: "pass",
    Verb.PLAY: "play",
    Verb.LEADER: "leader",
    Verb.CHOOSE: "choose",
    Verb.REDRAW: "redraw",
    Verb.KEEP_HAND: "keep",
    Verb.START: "start",
    Verb.VOID: "void",
}
WITHOUT_CARD = {
    # the phrase of a move; the player it may speak of goes into the braces
    "leader": "use the leader",
    "start": "let {} start",
    "keep": "keep the hand",
    "void": "void the leader of {}",
}


class Phrases:
    """Moves at a board in words, for files and for messages."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        verb = VERBS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        card = move_card(move)
        if card:
            words["card"] = self.board.id_of(card)
            if self._has_row(verb, card):
                words["row"] = ROW_WORDS[move_row(move)]
        if verb in ("start", "void") or self._has_player(verb):
            words["player"] = self.board.players[move_who(move)]
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def _has_player(self, verb: str) -> bool:
        """Whether a choice names an opponent."""
        is_table = len(self.board.sides) > TWO_SIDES
        phase = self.board.s.phase
        return verb == "choose" and (
            phase in (Phase.RECIPIENT, Phase.OPPONENT)
            or (phase == Phase.ENEMY_DISCARD and is_table)
        )

    def _has_row(self, verb: str, card: int) -> bool:
        """Whether the row of a move means anything; a card of the hand lies in none."""
        if verb == "choose":
            rows = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY, Phase.MARDROEME_ROW)
            return self.board.s.phase in rows
        card_of_file = self.board.cards[self.board.id_of(card)]
        beside_row = card_of_file.has("commanders_horn") or card_of_file.has(
            "mardroeme"
        )
        return verb == "play" and (bool(card_of_file.rows) or beside_row)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Ves in the close row`."""
        if verb in WITHOUT_CARD:
            return WITHOUT_CARD[verb].format(words.get("player"))
        card = words.get("card")
        name = self.board.cards[card].name if card else ""
        if verb == "choose" and "player" in words:
            return f"choose {name + ' of ' if name else ''}{words['player']}"
        if verb == "choose" and not card:
            return f"choose the {words.get('row')} row"
        place = f" in the {words['row']} row" if "row" in words else ""
        return f"{verb} {name}".rstrip() + place
