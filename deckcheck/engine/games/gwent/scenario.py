"""Gwent for two players as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.games.gwent.cardtable import card_numbers
from deckcheck.engine.games.gwent.codes import LeaderState, Phase, Slot, Verb
from deckcheck.engine.games.gwent.encoding import (
    KEEP_HAND,
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.engine.games.gwent.scenario_file import ROW_WORDS, GwentScenario
from deckcheck.engine.games.gwent.scenario_solo import automa_facts
from deckcheck.engine.games.gwent.scenario_start import PLAYERS, start
from deckcheck.engine.games.gwent.scoring import side_total, unit_strength
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.contract import ChanceFault, LegalMove

__all__ = ["SCENARIO", "GwentPosition", "set_up"]

SCENARIO = GwentScenario

NO_CHOICE = (Phase.PLAY, Phase.REDRAW, Phase.STARTER, Phase.OVER)
CHANCE_FAULTS = {1: ChanceFault.MISSING, 2: ChanceFault.IMPOSSIBLE}
VERBS = {
    Verb.PASS: "pass",
    Verb.PLAY: "play",
    Verb.LEADER: "leader",
    Verb.CHOOSE: "choose",
    Verb.REDRAW: "redraw",
    Verb.KEEP_HAND: "keep",
    Verb.START: "start",
}
WHY_NO_LEADER = {
    LeaderState.USED: "the leader has been used",
    LeaderState.PASSIVE: "the leader is passive",
    LeaderState.VOID: "the leader is void",
}


def set_up(
    scenario: GwentScenario, database: CardDatabase, fmt: Format
) -> GwentPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    return GwentPosition(states, context, scenario, database)


class GwentPosition:
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    def __init__(
        self, states: Any, context: Any, scenario: GwentScenario, database: CardDatabase
    ) -> None:
        self._states = states
        self.s, self.x = states[0], context[0]
        self.database = database
        self.cards = database.cards
        self.numbers = card_numbers(database)
        self.ids = {number: id for id, number in self.numbers.items()}
        settings = [scenario.player(name) for name in PLAYERS]
        self.leaders = [database.leaders.get(s.leader or "") for s in settings]

    # Moves

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if self.s.phase == Phase.OVER else PLAYERS[self.s.turn]

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
        return [self._in_words(int(move)) for move in self.x.moves[:count]]

    def _in_words(self, move: int) -> LegalMove:
        verb = VERBS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        card = move_card(move)
        if card:
            words["card"] = self.ids[card]
            if self._has_row(verb, card):
                words["row"] = ROW_WORDS[move_row(move)]
        if verb == "start":
            words["player"] = PLAYERS[move_who(move)]
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def _has_row(self, verb: str, card: int) -> bool:
        """Whether the row of a move means anything; a card of the hand lies in none."""
        if verb == "choose":
            rows = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY, Phase.MARDROEME_ROW)
            return self.s.phase in rows
        card_of_file = self.cards[self.ids[card]]
        beside_row = card_of_file.has("commanders_horn") or card_of_file.has(
            "mardroeme"
        )
        return verb == "play" and (bool(card_of_file.rows) or beside_row)

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Ves in the close row`."""
        if verb == "leader":
            return "use the leader"
        if verb == "start":
            return f"let {words['player']} start"
        if verb == "keep":
            return "keep the hand"
        if verb == "choose" and "card" not in words:
            return f"choose the {words.get('row')} row"
        card = words.get("card")
        phrase = verb + (f" {self.cards[card].name}" if card else "")
        return phrase + (f" in the {words['row']} row" if "row" in words else "")

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this, if there is a plain reason."""
        player = self.s.turn
        card = words.get("card", "")
        if verb in ("play", "redraw") and self._hand(player).count(card) == 0:
            return "it is not in the hand"
        if verb == "leader":
            if self.leaders[player] is None:
                return "there is none"
            return WHY_NO_LEADER.get(LeaderState(self.s.leader_state[player]))
        if verb == "redraw" and self.s.phase != Phase.REDRAW:
            return "the redraws are over"
        return None

    # Going back, and chance

    def save(self) -> Any:
        """What `restore` needs to come back to this position."""
        return self._states.copy()

    def restore(self, saved: Any) -> None:
        """Come back to a saved position."""
        self._states[0] = saved[0]

    def script(self, answers: Sequence[str]) -> None:
        """Let random picks be answered by these cards, in order."""
        numbers = [self.numbers[answer] for answer in answers]
        x = self.x
        numbers = numbers[: x.script.shape[0]]
        x.script[: len(numbers)] = numbers
        x.n_script = len(numbers)
        x.script_pos = 0
        x.script_error = 0

    @property
    def answers_used(self) -> int:
        """How many answers of the script were used."""
        return int(self.x.script_pos)

    @property
    def chance_fault(self) -> ChanceFault | None:
        """What was wrong with the script, if anything."""
        return CHANCE_FAULTS.get(int(self.x.script_error))

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        game = self._game()
        game["weather"] = [
            {"card": self.ids[int(card)], "by": PLAYERS[int(by) - 1]}
            for card, by in zip(self.s.weather_card, self.s.weather, strict=True)
            if by
        ]
        return {**game, **{name: self._player(i) for i, name in enumerate(PLAYERS)}}

    def _game(self) -> dict[str, Any]:
        over = self.s.phase == Phase.OVER
        winner = None
        if over:
            winner = PLAYERS[self.s.winner] if self.s.winner >= 0 else "draw"
        kinds = zip(self.s.weather_card, self.s.weather, strict=True)
        return {
            "weather": [self.ids[int(card)] for card, by in kinds if by],
            "round": int(self.s.round_no),
            "turn": self.turn,
            "over": bool(over),
            "winner": winner,
        }

    def _player(self, i: int) -> dict[str, Any]:
        s = self.s
        seen = [
            card for card, known in zip(self._hand(i), s.seen[i], strict=False) if known
        ]
        rows = {word: self._row(i, row) for row, word in enumerate(ROW_WORDS)}
        return {
            **{word: int(s.total[i, row]) for row, word in enumerate(ROW_WORDS)},
            "total": int(side_total(s, i)),
            "cards": {word: [c["card"] for c in row] for word, row in rows.items()},
            "strengths": {
                word: [c["strength"] for c in row] for word, row in rows.items()
            },
            "row_specials": self._specials(i),
            "hand": self._hand(i),
            "hand_size": int(s.n_hand[i]),
            "seen": seen,
            "discard": self._pile(i),
            "deck": self._deck(i),
            "deck_size": int(s.n_deck[i]),
            "side_deck": self._side_deck(i),
            "gems": int(s.gems[i]),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
            **automa_facts(s, i, self.database),
        }

    def _row(self, side: int, row: int) -> list[dict[str, Any]]:
        return [
            {
                "card": self.ids[int(self.s.row[side, row, i])],
                "strength": int(unit_strength(self.s, self.x, side, row, i)),
            }
            for i in range(self.s.n_row[side, row])
        ]

    def _specials(self, side: int) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for row, word in enumerate(ROW_WORDS):
            is_there = self.s.slot[side, row] != Slot.EMPTY
            found[word] = (
                self.ids[int(self.s.slot_card[side, row])] if is_there else None
            )
        return found

    def _hand(self, player: int) -> list[str]:
        return self._named(self.s.hand[player, : self.s.n_hand[player]])

    def _pile(self, side: int) -> list[str]:
        return self._named(self.s.discard[side, : self.s.n_discard[side]])

    def _deck(self, player: int) -> list[str]:
        return self._named(self.s.deck[player, : self.s.n_deck[player]])[::-1]

    def _side_deck(self, player: int) -> list[str]:
        return [
            card.id
            for card in self.cards.values()
            if not card.deckable
            for _ in range(
                self.s.side_deck[player, self.x.side_index[self.numbers[card.id]]]
            )
        ]

    def _named(self, numbers: Any) -> list[str]:
        return [self.ids[int(number)] for number in numbers]

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        players = {}
        for i, name in enumerate(PLAYERS):
            facts = self._player(i)
            for row, word in enumerate(ROW_WORDS):
                facts[word] = {"total": facts[word], "cards": self._row(i, row)}
            del facts["cards"], facts["strengths"]
            players[name] = facts
        return {"players": players, **self._game()}

    def lines(self) -> list[str]:
        """The position as text."""
        lines = []
        for i, name in enumerate(PLAYERS):
            lines += self._player_lines(i, name)
        game = self._game()
        sky = ", ".join(self.cards[card].name for card in game["weather"]) or "none"
        end = f"{game['turn']} to move"
        if game["over"]:
            end = "a draw" if game["winner"] == "draw" else f"{game['winner']} wins"
        return [*lines, f"round {game['round']}, weather {sky}, {end}"]

    def _player_lines(self, i: int, name: str) -> list[str]:
        facts = self._player(i)
        deck = plural(facts["deck_size"], "card")
        total, gems = facts["total"], plural(facts["gems"], "gem")
        lines = [f"{name}: {total} on the board, {gems}, {deck} in the deck"]
        for row, word in enumerate(ROW_WORDS):
            cards = [
                f"{self.cards[c['card']].name} {c['strength']}"
                for c in self._row(i, row)
            ]
            special = facts["row_specials"][word]
            if special is not None:
                cards.append(f"[{self.cards[special].name}]")
            lines.append(f"  {word:8}{facts[word]:3}  {', '.join(cards)}".rstrip())
        for word in ("hand", "discard", "hidden"):
            names = ", ".join(self.cards[card].name for card in facts.get(word, ()))
            if names:
                lines.append(f"  {word:11}  {names}")
        return lines
