"""Gwent as scenarios see it: moves in words, and what came out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.engine.contract import apply_move, legal_moves, place
from deckcheck.engine.games.gwent.codes import LeaderState, Lot, Phase, Slot, Verb
from deckcheck.engine.games.gwent.host.cardtable import card_numbers
from deckcheck.engine.games.gwent.rules.encoding import (
    KEEP_HAND,
    move_card,
    move_row,
    move_verb,
    move_who,
)
from deckcheck.engine.games.gwent.rules.scoring import side_total, unit_strength
from deckcheck.engine.games.gwent.rules.zones import (
    PLAYER_ANSWER,
    ROW_ANSWER,
    knows,
)
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.scenarios.chance import Scripted
from deckcheck.scenarios.contract import Deed, LegalMove, Question
from deckcheck.scenarios.games.gwent.file import ROW_WORDS, GwentScenario
from deckcheck.scenarios.games.gwent.reasons import Reasons
from deckcheck.scenarios.games.gwent.seats import names_at, seat_names, side_names
from deckcheck.scenarios.games.gwent.solo import automa_deeds, automa_facts, is_solo
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
TWO_SIDES = 2
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
WITHOUT_CARD = {
    # the phrase of a move; the player it may speak of goes into the braces
    "leader": "use the leader",
    "start": "let {} start",
    "keep": "keep the hand",
    "void": "void the leader of {}",
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
        self.database = database
        self.cards = database.cards
        self.numbers = card_numbers(database)
        self.ids = {number: id for id, number in self.numbers.items()}

    # Moves

    @property
    def turn(self) -> str | None:
        """The player to move, None when the game is over."""
        return None if self.s.phase == Phase.OVER else self.players[self.s.turn]

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
        verb = VERBS[Verb(move_verb(move))]
        words: dict[str, str] = {}
        card = move_card(move)
        if card:
            words["card"] = self._id(card)
            if self._has_row(verb, card):
                words["row"] = ROW_WORDS[move_row(move)]
        if verb in ("start", "void") or self._has_player(verb):
            words["player"] = self.players[move_who(move)]
        return LegalMove(move, verb, words, self.phrase(verb, words))

    def _has_player(self, verb: str) -> bool:
        """Whether a choice names an opponent."""
        is_table = len(self.sides) > TWO_SIDES
        phase = self.s.phase
        return verb == "choose" and (
            phase in (Phase.RECIPIENT, Phase.OPPONENT)
            or (phase == Phase.ENEMY_DISCARD and is_table)
        )

    def _has_row(self, verb: str, card: int) -> bool:
        """Whether the row of a move means anything; a card of the hand lies in none."""
        if verb == "choose":
            rows = (Phase.MEDIC, Phase.DECOY, Phase.BOND_COPY, Phase.MARDROEME_ROW)
            return self.s.phase in rows
        card_of_file = self.cards[self._id(card)]
        beside_row = card_of_file.has("commanders_horn") or card_of_file.has(
            "mardroeme"
        )
        return verb == "play" and (bool(card_of_file.rows) or beside_row)

    def apply(self, move: LegalMove) -> None:
        """Make a legal move."""
        apply_move(self.s, self.x, move.code)

    def phrase(self, verb: str, words: Mapping[str, str]) -> str:
        """A move as messages show it: `play Ves in the close row`."""
        if verb in WITHOUT_CARD:
            return WITHOUT_CARD[verb].format(words.get("player"))
        card = words.get("card")
        name = self.cards[card].name if card else ""
        if verb == "choose" and "player" in words:
            return f"choose {name + ' of ' if name else ''}{words['player']}"
        if verb == "choose" and not card:
            return f"choose the {words.get('row')} row"
        place = f" in the {words['row']} row" if "row" in words else ""
        return f"{verb} {name}".rstrip() + place

    def reason(self, verb: str, words: Mapping[str, str]) -> str | None:
        """Why the player to move cannot do this, if there is a plain reason."""
        return Reasons(self.s, self.x, self.database).why_not(verb, words)

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
        known = {**self.numbers, **special}
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
        cards = dict.fromkeys(self._named(asked))
        names = tuple(self.cards[card].name for card in cards)
        return Question(text, tuple(cards), names)

    def deeds(self) -> list[Deed]:
        """What the automa has done since this was last asked."""
        return automa_deeds(self.s, self.x, self.database)

    # What came out

    def facts(self) -> dict[str, Any]:
        """Everything that `expect` may state, with its keys."""
        game = self._game()
        game["weather"] = [
            {"card": self._id(card), "by": self.players[int(by) - 1]}
            for card, by in zip(self.s.weather_card, self.s.weather, strict=True)
            if by
        ]
        players = {name: self._player(i) for i, name in enumerate(self.players)}
        return {**game, **self._teams(), **players}

    def _game(self) -> dict[str, Any]:
        over = self.s.phase == Phase.OVER
        winner = None
        if over:
            places = [place(self.s, self.x, i) for i in range(len(self.sides))]
            winner = self.sides[places.index(1)] if places.count(1) == 1 else "draw"
        kinds = zip(self.s.weather_card, self.s.weather, strict=True)
        return {
            "weather": [self._id(card) for card, by in kinds if by],
            "round": int(self.s.round_no),
            "turn": self.turn,
            "over": bool(over),
            "winner": winner,
        }

    def _teams(self) -> dict[str, Any]:
        """The sides of teams by name; without teams the players have it all."""
        if self.sides == self.players:
            return {}
        return {name: self._side(side) for side, name in enumerate(self.sides)}

    def _side(self, side: int) -> dict[str, Any]:
        s = self.s
        rows = {word: self._row(side, row) for row, word in enumerate(ROW_WORDS)}
        return {
            **{word: int(s.total[side, row]) for row, word in enumerate(ROW_WORDS)},
            "total": int(side_total(s, side)),
            "cards": {word: [c["card"] for c in row] for word, row in rows.items()},
            "strengths": {
                word: [c["strength"] for c in row] for word, row in rows.items()
            },
            "row_specials": self._specials(side),
            "discard": self._pile(side),
            "gems": int(s.gems[side]),
        }

    def _player(self, i: int) -> dict[str, Any]:
        s = self.s
        return {
            **self._side(int(self.x.side[i])),
            "hand": self._hand(i),
            "hand_size": int(s.n_hand[i]),
            **self._seen(i),
            "deck": self._deck(i),
            "deck_size": int(s.n_deck[i]),
            "side_deck": self._side_deck(i),
            "passed": bool(s.passed[i]),
            "leader_used": bool(s.leader_state[i] == LeaderState.USED),
            **self._score(i),
            **automa_facts(s, i, self.database),
        }

    def _seen(self, i: int) -> dict[str, Any]:
        """The cards of a hand that others know; with several others also who knows."""
        hand, others = self._hand(i), range(len(self.players))
        known = {
            self.players[other]: [
                card
                for index, card in enumerate(hand)
                if knows(self.s, self.x, other, i, index)
            ]
            for other in others
            if self.x.side[other] != self.x.side[i]
        }
        marks = self.s.seen[i]
        seen = [card for card, mark in zip(hand, marks, strict=False) if mark]
        return {"seen": seen, "seen_by": known}

    def _score(self, i: int) -> dict[str, int]:
        """Points of a free-for-all, and the place when it is over."""
        if len(self.sides) == TWO_SIDES:
            return {}
        score = {"points": int(self.s.points[i])}
        if self.s.phase == Phase.OVER:
            score["place"] = int(place(self.s, self.x, i))
        return score

    def _row(self, side: int, row: int) -> list[dict[str, Any]]:
        return [
            {
                "card": self._id(self.s.row[side, row, i]),
                "strength": int(unit_strength(self.s, self.x, side, row, i)),
            }
            for i in range(self.s.n_row[side, row])
        ]

    def _specials(self, side: int) -> dict[str, str | None]:
        found: dict[str, str | None] = {}
        for row, word in enumerate(ROW_WORDS):
            is_there = self.s.slot[side, row] != Slot.EMPTY
            found[word] = self._id(self.s.slot_card[side, row]) if is_there else None
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
        return [self._id(number) for number in numbers]

    def _id(self, number: Any) -> str:
        """The card of a number, whatever its colour."""
        return self.ids[int(self.x.plain[int(number)])]

    def describe(self) -> dict[str, Any]:
        """The position as the JSON output shows it."""
        players = {}
        for i, name in enumerate(self.players):
            side = int(self.x.side[i])
            facts = self._player(i)
            for row, word in enumerate(ROW_WORDS):
                facts[word] = {"total": facts[word], "cards": self._row(side, row)}
            del facts["cards"], facts["strengths"]
            players[name] = facts
        return {"players": players, **self._game()}

    def lines(self) -> list[str]:
        """The position as text."""
        lines = []
        if self.sides != self.players:
            for side, name in enumerate(self.sides):
                gems = plural(int(self.s.gems[side]), "gem")
                lines += [f"{name}: {side_total(self.s, side)} on the board, {gems}"]
                lines += self._row_lines(side) + self._zone_lines(self._side(side))
        for i, name in enumerate(self.players):
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
        if self.sides != self.players:
            del facts["discard"]
            return [f"{name}: {deck} in the deck", *self._zone_lines(facts)]
        score = plural(facts["gems"], "gem")
        if "points" in facts:
            score = plural(facts["points"], "point")
        head = f"{name}: {facts['total']} on the board, {score}, {deck} in the deck"
        return [head, *self._row_lines(i), *self._zone_lines(facts)]

    def _row_lines(self, side: int) -> list[str]:
        lines = []
        specials = self._specials(side)
        for row, word in enumerate(ROW_WORDS):
            cards = [
                f"{self.cards[c['card']].name} {c['strength']}"
                for c in self._row(side, row)
            ]
            special = specials[word]
            if special is not None:
                cards.append(f"[{self.cards[special].name}]")
            total = int(self.s.total[side, row])
            lines.append(f"  {word:8}{total:3}  {', '.join(cards)}".rstrip())
        return lines

    def _zone_lines(self, facts: Mapping[str, Any]) -> list[str]:
        lines = []
        for word in ("hand", "discard", "hidden"):
            names = ", ".join(self.cards[card].name for card in facts.get(word, ()))
            if names:
                lines.append(f"  {word:11}  {names}")
        for who, seen in facts.get("seen_by", {}).items():
            names = ", ".join(self.cards[card].name for card in seen)
            if names:
                lines.append(f"  {'seen by ' + who:11}  {names}")
        return lines
