"""Gwent as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.games.gwent.codes import Lot, Phase
from deckcheck.engine.games.gwent.rules.encoding import KEEP_HAND
from deckcheck.engine.games.gwent.rules.zones import PLAYER_ANSWER, ROW_ANSWER
from deckcheck.formats import Format
from deckcheck.scenarios.chance import Scripted
from deckcheck.scenarios.contract import Deed, LegalMove, Question
from deckcheck.scenarios.games.gwent.board import Board
from deckcheck.scenarios.games.gwent.facts import Facts
from deckcheck.scenarios.games.gwent.file import ROW_WORDS, GwentScenario
from deckcheck.scenarios.games.gwent.phrases import Phrases
from deckcheck.scenarios.games.gwent.reasons import Reasons
from deckcheck.scenarios.games.gwent.seats import names_at, seat_names, side_names
from deckcheck.scenarios.games.gwent.showing import describe, lines_of
from deckcheck.scenarios.games.gwent.solo import automa_deeds, is_solo
from deckcheck.scenarios.games.gwent.start import start

__all__ = ["SCENARIO", "GwentPosition", "position_of", "set_up"]

SCENARIO = GwentScenario

NO_CHOICE = (
    Phase.PLAY,
    Phase.REDRAW,
    Phase.STARTER,
    Phase.VOID_LEADER,
    Phase.OVER,
)
LOTS = {
    # what chance decides; the player whom it concerns goes into the braces
    Lot.KEPT: "which unit {} keeps as Monsters",
    Lot.RETURNING: "which unit returns to {} as Skellige",
    Lot.REVIVED: "which unit {}'s medic brings back",
    Lot.SEEN: "which card {} sees",
    Lot.LEADER: "which unit {}'s leader brings back",
    Lot.PLAN: "which card {} takes of those that are equally good",
    Lot.ROW: "which row {} takes of those that are equally good",
}


def set_up(
    scenario: GwentScenario, database: CardDatabase, fmt: Format
) -> GwentPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    names = seat_names(scenario, fmt)
    return GwentPosition(states, context, database, names, side_names(fmt, names))


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> GwentPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    names = names_at(fmt, len(leaders))
    return GwentPosition(states, context, database, names, side_names(fmt, names))


class GwentPosition(Scripted):
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    def __init__(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        names: tuple[str, ...],
        sides: tuple[str, ...],
    ) -> None:
        self.players, self.sides = names, sides
        self._states = states
        self.s, self.x = states[0], context[0]
        self.board = Board(self.s, self.x, database, names, sides)

    # Moves

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return self.board.turn

    @property
    def awaits_choice(self) -> bool:
        """Whether a medic, a Decoy or a leader asks the player to move for a choice."""
        return self.s.phase not in NO_CHOICE

    def settle(self, verb: str, player: str) -> None:
        """Keep the hands of players who do not redraw before the next move."""
        while self.s.phase == Phase.REDRAW:
            if verb == "redraw" and self.turn == player:
                return
            apply_move(self.s, self.x, KEEP_HAND)

    def legal_moves(self) -> list[LegalMove]:
        """The legal moves of the player to move, choices included."""
        count = legal_moves(self.s, self.x)
        listed: list[LegalMove] = []
        for code in self.x.moves[:count]:
            move = self.in_words(int(code))
            # Cards that differ by their colour only are the same in words.
            if all(move.text != other.text for other in listed):
                listed.append(move)
        return listed

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        return Phrases(self.board).in_words(move)

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Ves in the close row`."""
        return Phrases(self.board).phrase(verb, words)

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this, if there is a plain reason."""
        return Reasons(self.s, self.x, self.board.database).why_not(verb, words)

    def idle_reason(self, player: str) -> str:
        """Why a player who is not to move makes no move."""
        if is_solo(self.s):
            return f"the automa plays after each move of {self.turn}"
        if self.s.passed[self.players.index(player)]:
            return f"{player} has passed"
        return f"it is the turn of {self.turn}"

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

    def script(self, answers: Sequence[str]) -> None:
        """Let random picks be answered by these cards, players or rows, in order."""
        special = {name: PLAYER_ANSWER - i for i, name in enumerate(self.players)}
        special |= {word: ROW_ANSWER - i for i, word in enumerate(ROW_WORDS)}
        known = {**self.board.numbers, **special}
        numbers = [known.get(answer, 0) for answer in answers]
        self.answer(numbers)

    @property
    def question(self) -> Question | None:
        """What the pick decides whose answer is missing or wrong."""
        if not self.x.script_error:
            return None
        lot, player = self.x.asked.tolist()
        asked = self.x.asked_cards[: self.x.n_asked]
        if lot == Lot.STARTER:
            players = tuple(self.players[player] for player in asked)
            return Question("which of the best scorers begins", players, players)
        text = LOTS[Lot(lot)].format(self.players[player])
        if lot == Lot.ROW:
            rows = tuple(ROW_WORDS[row] for row in asked)
            return Question(text, rows, rows)
        cards = dict.fromkeys(self.board.ids_of(asked))
        names = tuple(self.board.cards[card].name for card in cards)
        return Question(text, tuple(cards), names)

    def deeds(self) -> list[Deed]:
        """What the automa has done since this was last asked."""
        return automa_deeds(self.s, self.x, self.board.database)

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        return Facts(self.board).all()

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        return describe(self.board)

    def lines(self) -> list[str]:
        """The position as text."""
        return lines_of(self.board)
