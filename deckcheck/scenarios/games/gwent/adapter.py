"""Gwent as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move
from deckcheck.engine.encoding import move_card, move_row, move_verb, move_who
from deckcheck.engine.games.gwent.codes import Lot, Phase, Verb
from deckcheck.engine.games.gwent.rules.encoding import KEEP_HAND
from deckcheck.engine.games.gwent.rules.zones import PLAYER_ANSWER, ROW_ANSWER
from deckcheck.formats import Format
from deckcheck.scenarios.contract import Deed, LegalMove, Question, Words
from deckcheck.scenarios.games.gwent.facts import TWO_SIDES, Facts
from deckcheck.scenarios.games.gwent.file import GwentScenario
from deckcheck.scenarios.games.gwent.reasons import CHOICES, Reasons
from deckcheck.scenarios.games.gwent.seats import names_at, seat_names, side_names
from deckcheck.scenarios.games.gwent.solo import automa_deeds, is_solo
from deckcheck.scenarios.games.gwent.start import start
from deckcheck.scenarios.position import CardPosition
from deckcheck.scenarios.rows import ROW_WORDS

SCENARIO = GwentScenario

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
IN_A_ROW = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY, Phase.MARDROEME_ROW)
"""Choices of a card and a row."""


def set_up(
    scenario: GwentScenario, database: CardDatabase, fmt: Format
) -> GwentPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    return GwentPosition(states, context, database, fmt, seat_names(scenario, fmt))


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwentPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    names = names_at(fmt, len(leaders))
    return GwentPosition(states, context, database, fmt, names)


class GwentPosition(CardPosition):
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    WITHOUT_CARD: ClassVar = {
        "leader": "use the leader",
        "start": "let {player} start",
        "keep": "keep the hand",
        "void": "void the leader of {player}",
    }
    LOTS: ClassVar = {
        Lot.KEPT: "which unit {} keeps as Monsters",
        Lot.RETURNING: "which unit returns to {} as Skellige",
        Lot.REVIVED: "which unit {}'s medic brings back",
        Lot.SEEN: "which card {} sees",
        Lot.LEADER: "which unit {}'s leader brings back",
        Lot.STARTER: "which of the best scorers begins",
        Lot.PLAN: "which card {} takes of those that are equally good",
        Lot.ROW: "which row {} takes of those that are equally good",
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
        self.is_table = len(sides) > TWO_SIDES
        self.score = "points" if self.is_table else "gems"

    # Moves

    @property
    def open_choice(self) -> str | None:
        """What a medic, a Decoy or a leader asks the player to move to choose."""
        asked = CHOICES.get(Phase(int(self.s.phase)))
        return asked.what if asked else None

    def settle(self, verb: str, player: str) -> None:
        """Keep the hands of players who do not redraw before the next move."""
        while self.s.phase == Phase.REDRAW:
            if verb == "redraw" and self.turn == player:
                return
            apply_move(self.s, self.x, KEEP_HAND)

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        verb = VERBS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        if move_card(move):
            words["card"] = self.id_of(move_card(move))
            if self._has_row(verb, words["card"]):
                words["row"] = ROW_WORDS[move_row(move)]
        if verb in ("start", "void") or self.s.phase in (
            Phase.RECIPIENT,
            Phase.OPPONENT,
        ):
            words["player"] = self.players[move_who(move)]
        text = self.phrase(verb, words)
        if self.s.phase == Phase.ENEMY_DISCARD:
            words["player"] = self._pile_owner(move)
            text = self.phrase(verb, words) if self.is_table else text
        return LegalMove(move, verb, words, text)

    def _has_row(self, verb: str, card: str) -> bool:
        """Whether the row of a move means anything; a card of the hand lies in none."""
        if verb == "choose":
            return self.s.phase in IN_A_ROW
        named = self.database.cards[card]
        beside_row = named.has("commanders_horn") or named.has("mardroeme")
        return verb == "play" and (bool(named.rows) or beside_row)

    def _pile_owner(self, move: int) -> str:
        """Whose pile a card is taken from; only at a table there are several."""
        if self.is_table:
            return self.players[move_who(move)]
        return self.sides[1 - int(self.x.side[self.s.turn])]

    def why_not(self, verb: str, words: Words) -> str | None:
        """Why no legal move is a `verb` with these words."""
        return Reasons(self).why_not(verb, words)

    def idle_reason(self, player: str) -> str | None:
        """Why a player who is not to move makes no move, if not for the turn alone."""
        if is_solo(self.s):
            return f"the automa plays after each move of {self.turn}"
        has_passed = self.s.passed[self.players.index(player)]
        return f"{player} has passed" if has_passed else None

    # Going back, and chance

    def save(self) -> Any:
        """What `restore` needs to come back to this position."""
        deeds = int(self.x.n_deeds) if is_solo(self.s) else 0
        return self._states.copy(), deeds

    def restore(self, saved: Any) -> None:
        """Come back to a saved position."""
        states, deeds = saved
        self._states[0] = states[0]
        if is_solo(self.s):
            self.x.n_deeds = deeds

    def answer_number(self, answer: str) -> int:
        """What stands for an answer in the engine: a card, a player, a row."""
        if answer in ROW_WORDS:
            return ROW_ANSWER - ROW_WORDS.index(answer)
        if answer in self.players:
            return PLAYER_ANSWER - self.players.index(answer)
        return self.numbers.get(answer, 0)

    def question_about(self, lot: int, text: str, asked: Sequence[int]) -> Question:
        """The question of a pick among players, rows or cards."""
        if lot not in (Lot.STARTER, Lot.ROW):
            return super().question_about(lot, text, asked)
        named = self.players if lot == Lot.STARTER else ROW_WORDS
        words = tuple(named[number] for number in asked)
        return Question(text, words, words)

    def deeds(self) -> list[Deed]:
        """What the automa has done since this was last asked."""
        return automa_deeds(self.s, self.x, self.database)

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        return Facts(self).all()
