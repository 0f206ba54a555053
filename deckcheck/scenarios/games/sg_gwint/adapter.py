"""SG Gwint as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move, legal_moves
from deckcheck.engine.games.sg_gwint.codes import LeaderState, Lot, Phase, Verb
from deckcheck.engine.games.sg_gwint.game import card_numbers
from deckcheck.engine.games.sg_gwint.rules.encoding import (
    DECLINE,
    KEEP_HAND,
    START,
    at,
    move_card,
    move_row,
    move_side,
    move_verb,
)
from deckcheck.engine.games.sg_gwint.rules.scoring import side_total, unit_strength
from deckcheck.engine.games.sg_gwint.rules.targets import IN_SLOT
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.chance import Scripted
from deckcheck.scenarios.contract import LegalMove, Question
from deckcheck.scenarios.games.sg_gwint.file import (
    NAMES,
    NOTHING,
    ROW_WORDS,
    SgGwintScenario,
)
from deckcheck.scenarios.games.sg_gwint.reasons import Reasons
from deckcheck.scenarios.games.sg_gwint.start import start

__all__ = ["SCENARIO", "SgGwintPosition", "position_of", "set_up"]

SCENARIO = SgGwintScenario

VERBS = {
    Verb.PASS: "pass",
    Verb.PLAY: "play",
    Verb.LEADER: "leader",
    Verb.LAY: "lay",
    Verb.CHOOSE: "choose",
    Verb.DECLINE: "decline",
    Verb.DISCARD: "discard",
    Verb.REDRAW: "redraw",
    Verb.KEEP_HAND: "keep",
    Verb.START: "start",
    Verb.ANNOUNCE: "announce",
}
LOTS = {
    # what chance decides; the player whom it concerns goes into the braces
    Lot.KEPT: "which unit {} keeps as Monsters",
    Lot.RETURNING: "which unit returns to {} as Skellige",
}
# Decisions between the turns, which a file may leave out, and what is said instead.
BETWEEN = {
    Phase.REDRAW: ("redraw",),
    Phase.ANNOUNCE: ("announce", "decline"),
    Phase.CLAIM: ("start", "decline"),
    Phase.STARTER: ("start",),
    Phase.KLEPNA: ("klepna",),
}
ON_BATTLEFIELD = (
    *(Phase.DECOY, Phase.DEVOUR, Phase.REINFORCE, Phase.ATTACH, Phase.RELOCATE),
    *(Phase.MANIPULATE, Phase.DIPLOMACY, Phase.DESTROY),
)


def set_up(
    scenario: SgGwintScenario, database: CardDatabase, fmt: Format
) -> SgGwintPosition:
    """The position of a file; raises BadPosition where it makes no sense."""
    states, context = start(scenario, database, fmt)
    leaders = [scenario.player(name).leader for name in NAMES]
    return SgGwintPosition(states, context, database, leaders)


def position_of(
    states: Any,
    context: Any,
    database: CardDatabase,
    fmt: Format,
    leaders: Sequence[str | None],
) -> SgGwintPosition:
    """The position of a game that is played; see `scenarios.contract.Adapter`."""
    return SgGwintPosition(states, context, database, leaders)


class SgGwintPosition(Scripted):
    """A position in the engine's records; implements `scenarios.contract.Position`."""

    def __init__(
        self,
        states: Any,
        context: Any,
        database: CardDatabase,
        leaders: Sequence[str | None],
    ) -> None:
        self._states = states
        self.s, self.x = states[0], context[0]
        self.players = self.sides = NAMES
        self.database = database
        self.cards = database.cards
        self.numbers = card_numbers(database)
        self.ids = {number: id for id, number in self.numbers.items()}
        self.leaders = [database.leaders.get(leader or "") for leader in leaders]

    # Moves

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if self.s.phase == Phase.OVER else NAMES[self.s.turn]

    @property
    def awaits_choice(self) -> bool:
        """Whether an ability or a leader asks the player to move for a choice."""
        phase = Phase(int(self.s.phase))
        return phase not in (*BETWEEN, Phase.PLAY, Phase.OVER)

    def settle(self, verb: str, player: str) -> None:
        """Decide what a file leaves out between the turns.

        Hands are kept, nobody uses the ability of Scoia'tael, who wins the coin starts,
        and Klepna lies in the first row.
        """
        while self.s.phase in BETWEEN:
            phase = Phase(int(self.s.phase))
            if verb in BETWEEN[phase] and self.turn == player:
                return
            apply_move(self.s, self.x, self._left_out(phase))

    def _left_out(self, phase: Phase) -> int:
        if phase == Phase.REDRAW:
            return KEEP_HAND
        if phase == Phase.STARTER:
            return START | at(int(self.s.turn), 0)
        if phase == Phase.KLEPNA:
            legal_moves(self.s, self.x)
            return int(self.x.moves[0])
        return DECLINE

    def legal_moves(self) -> list[LegalMove]:
        """The legal moves of the player to move, choices included."""
        count = legal_moves(self.s, self.x)
        listed: list[LegalMove] = []
        for code in self.x.moves[:count].tolist():
            move = self.in_words(int(code))
            # Equal cards in one row are the same in words.
            if all(move.text != other.text for other in listed):
                listed.append(move)
        return listed

    def in_words(self, move: int) -> LegalMove:
        """A move of the player to move, by its number."""
        verb = VERBS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        phase = Phase(int(self.s.phase))
        side, row, card = move_side(move), move_row(move), move_card(move)
        if verb == "start":
            words["player"] = NAMES[side]
        elif verb == "choose" and phase == Phase.KLEPNA:
            verb, words["row"] = "klepna", ROW_WORDS[row]
        elif verb == "choose":
            words = self._choice(phase, side, row, card)
        elif verb == "decline" and self.awaits_choice:
            words["row"] = NOTHING
        elif card:
            words["card"] = self._id(card)
            if verb in ("play", "lay"):
                words.update(self._place(card, side, row))
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def _place(self, card: int, side: int, row: int) -> dict[str, str]:
        """Where a card is laid: the side only where there is a choice."""
        if not self.cards[self._id(card)].rows and not self.x.ability[card] & IN_SLOT:
            return {}
        words = {"row": ROW_WORDS[row]}
        if self.cards[self._id(card)].has("spy"):
            words["player"] = NAMES[side]
        return words

    def _choice(self, phase: Phase, side: int, row: int, card: int) -> dict[str, str]:
        """What a choice names: a card, a place, or both."""
        place = {"row": ROW_WORDS[row], "player": NAMES[side]}
        if phase in ON_BATTLEFIELD:
            return {"card": self._id(self.s.row[side, row, card]), **place}
        if phase == Phase.MOVE_TO:
            return {"row": ROW_WORDS[row]}
        if phase in (Phase.LAND, Phase.SKY_ROW):
            return place
        return {"card": self._id(card)}

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Ves in the close row`."""
        plain = {
            "leader": "play the leader",
            "keep": "keep the hand",
            "announce": "announce the choice of who starts",
            "start": f"let {words.get('player')} start",
            "klepna": f"lay Klepna into the {words.get('row')} row",
        }
        if verb in plain:
            return plain[verb]
        if verb == "decline" or words.get("row") == NOTHING:
            return "choose nothing"
        card = words.get("card")
        phrase = verb + (f" {self.cards[card].name}" if card else "")
        if "row" in words:
            phrase += f"{' in' if card else ''} the {words['row']} row"
        return phrase + (f" of {words['player']}" if "player" in words else "")

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this, if there is a plain reason."""
        return Reasons(self.s, self.x, self.database).why_not(verb, words)

    def idle_reason(self, player: str) -> str:
        """Why a player who is not to move makes no move."""
        if self.s.passed[NAMES.index(player)]:
            return f"{player} has passed"
        return f"it is the turn of {self.turn}"

    # Chance

    def script(self, answers: Sequence[str]) -> None:
        """Let random picks be answered by these cards, in order."""
        numbers = [self.numbers[answer] for answer in answers]
        self.answer(numbers)

    @property
    def question(self) -> Question | None:
        """What the pick decides whose answer is missing or wrong."""
        if not self.x.script_error:
            return None
        lot, player = self.x.asked.tolist()
        asked = self.x.asked_cards[: self.x.n_asked]
        cards = tuple(dict.fromkeys(self._named(asked)))
        text = LOTS[Lot(lot)].format(NAMES[player])
        return Question(text, cards, tuple(self._name(card) for card in cards))

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        game = self._game()
        sky = self.s.sky[: self.s.n_sky].tolist()
        game["weather"] = [
            {"card": self._id(card), "by": NAMES[int(self.x.owner[card])]}
            for card in sky
            if int(self.x.plain[card]) in self.ids
        ]
        return {**game, **{name: self._player(i) for i, name in enumerate(NAMES)}}

    def _game(self) -> dict[str, Any]:
        over = bool(self.s.phase == Phase.OVER)
        winner = None
        if over:
            winner = "draw" if self.s.winner < 0 else NAMES[int(self.s.winner)]
        return {
            "weather": self._named(self.s.sky[: self.s.n_sky]),
            "round": int(self.s.round_no),
            "turn": self.turn,
            "over": over,
            "winner": winner,
        }

    def _player(self, i: int) -> dict[str, Any]:
        s = self.s
        rows = {word: self._row(i, row) for row, word in enumerate(ROW_WORDS)}
        hand = s.hand[i, : s.n_hand[i]]
        return {
            **{word: int(s.total[i, row]) for row, word in enumerate(ROW_WORDS)},
            "total": int(side_total(s, i)),
            "cards": {word: [c["card"] for c in row] for word, row in rows.items()},
            "strengths": {
                word: [c["strength"] for c in row] for word, row in rows.items()
            },
            "below": self._below(i),
            "row_specials": self._specials(i),
            "hand": self._named(hand),
            "hand_size": int(s.n_hand[i]),
            "seen": [self._id(c) for c, k in zip(hand, s.seen[i], strict=False) if k],
            "discard": self._named(s.discard[i, : s.n_discard[i]]),
            "deck": self._named(s.deck[i, : s.n_deck[i]])[::-1],
            "deck_size": int(s.n_deck[i]),
            "under_deck": int(s.n_under[i]),
            "reserves": self._reserves(i),
            "linked": self._named(s.linked[i, : s.n_linked[i]]),
            "lives": int(s.lives[i]),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
        }

    def _row(self, side: int, row: int) -> list[dict[str, Any]]:
        return [
            {
                "card": self._id(self.s.row[side, row, i]),
                "strength": int(unit_strength(self.s, self.x, side, row, i)),
            }
            for i in range(self.s.n_row[side, row])
        ]

    def _below(self, side: int) -> list[str]:
        s = self.s
        idents = {
            int(s.ident[side, row, i])
            for row in range(len(ROW_WORDS))
            for i in range(s.n_row[side, row])
        }
        lying = s.below[: s.n_below]
        return [self._id(card) for ident, card in lying if int(ident) in idents]

    def _specials(self, side: int) -> dict[str, str | None]:
        slots = self.s.slot[side].tolist()
        return {
            word: self._id(card) if card else None
            for word, card in zip(ROW_WORDS, slots, strict=True)
        }

    def _reserves(self, player: int) -> list[str]:
        """The silver cards left; tokens that never run out are not listed."""
        count = int(self.x.n_reserves)
        return [
            self._id(self.x.reserve_card[player, index])
            for index in range(count)
            if self.cards[self._id(self.x.reserve_card[player, index])].kind != "token"
            for _ in range(self.s.reserves[player, index])
        ]

    def _named(self, numbers: Any) -> list[str]:
        return [self._id(number) for number in numbers]

    def _id(self, number: Any) -> str:
        """The card of a number, whoever owns it; of a leader in the sky his own id."""
        plain = int(self.x.plain[int(number)])
        if plain in self.ids:
            return self.ids[plain]
        leader = self.leaders[int(self.x.owner[int(number)])]
        assert leader is not None
        return leader.id

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        players = {}
        for i, name in enumerate(NAMES):
            facts = self._player(i)
            for row, word in enumerate(ROW_WORDS):
                facts[word] = {"total": facts[word], "cards": self._row(i, row)}
            del facts["cards"], facts["strengths"]
            players[name] = facts
        return {"players": players, **self._game()}

    def lines(self) -> list[str]:
        """The position as text."""
        lines = []
        for i, name in enumerate(NAMES):
            lines += self._player_lines(i, name)
        game = self._game()
        sky = ", ".join(self._name(id) for id in game["weather"]) or "none"
        end = f"{game['turn']} to move"
        if game["over"]:
            end = "a draw" if game["winner"] == "draw" else f"{game['winner']} wins"
        return [*lines, f"round {game['round']}, weather {sky}, {end}"]

    def _name(self, id: str) -> str:
        if id in self.cards:
            return self.cards[id].name
        return next(lead.full_name for lead in self.leaders if lead and lead.id == id)

    def _player_lines(self, i: int, name: str) -> list[str]:
        facts = self._player(i)
        deck = plural(facts["deck_size"], "card")
        lives = plural(facts["lives"], "life")
        lines = [f"{name}: {facts['total']} on the board, {lives}, {deck} in the deck"]
        for row, word in enumerate(ROW_WORDS):
            laid = [
                f"{self._name(c['card'])} {c['strength']}" for c in self._row(i, row)
            ]
            special = facts["row_specials"][word]
            laid += [f"[{self._name(special)}]"] if special else []
            lines.append(f"  {word} {facts[word]}: {', '.join(laid) or '-'}")
        for zone in ("hand", "discard", "below"):
            if facts[zone]:
                names = ", ".join(self._name(card) for card in facts[zone])
                lines.append(f"  {zone}: {names}")
        return lines
