"""A game in words: opening, changes, chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from deckcheck.engine.contract import set_up
from deckcheck.messages import plural
from deckcheck.playing.kernel import GameOutcome, note_outcome, start_game
from deckcheck.playing.table import Table, open_table
from deckcheck.policies.players import ONE, win_chance
from deckcheck.policies.workspace import is_learned, new_workspace
from deckcheck.replays.model import Script, Step, ToldGame, TurningPoint
from deckcheck.scenarios.contract import GamePosition, LegalMove, load_adapter
from deckcheck.scenarios.position import POSSESSIONS, Facts, Named

# The position at the beginning of a game that is played again, uncompiled.


class DealtGame(NamedTuple):
    """A game that was dealt: the engine's records, and the position in words."""

    states: Any
    contexts: Any
    position: GamePosition


def open_script(script: Script) -> DealtGame:
    """Deal the game of a script."""
    states, contexts = open_table(script.table)
    _, stream, counter, beginner = script.game
    s, x = states[0], contexts[0]
    start_game(s, x, script.seed, stream, counter, beginner)
    set_up(s, x)
    position = load_adapter(script.format.game).make_position(
        states,
        contexts,
        script.database,
        script.format,
        [seat.leader for seat in script.seats],
    )
    return DealtGame(states, contexts, position)


# Changes that a move makes, in sentences: the position before and after compared.
#
# Positions of all games name what they show alike (`GamePosition.facts`), and a game
# without hands, rows or rounds shows none.

LOST = ("gems", "lives")
"""What the end of a round may cost."""


def round_ended(before: Facts, after: Facts) -> bool:
    """Whether a round, or the game, was over with the move in between."""
    return bool(before.get("round") != after.get("round") or after["over"])


def totals(facts: Facts, sides: Sequence[str]) -> dict[str, int]:
    """The strength of each side, or its points where cards have none in sum."""
    word = "total" if "total" in facts[sides[0]] else "points"
    return {side: facts[side][word] for side in sides}


@dataclass(frozen=True, slots=True)
class _Change:
    """A move that was made in `position`, and the facts before it and after it."""

    before: Facts
    after: Facts
    move: LegalMove
    position: GamePosition

    def told(self) -> Iterator[str]:
        """The consequences."""
        hands = list(self._hands())
        if round_ended(self.before, self.after):
            yield from self._end_of_round()
            yield from self._winner_of_round()
            yield from hands
            yield from self._hands_left()
            yield from self._after_the_round()
            return
        yield from hands
        yield from self._on_the_board()
        old, new = (
            Counter(entry["card"] for entry in facts.get("weather", ()))
            for facts in (self.before, self.after)
        )
        if old != new:
            yield f"weather: {self._listed(new) if new else 'none'}"

    def _hands(self) -> Iterator[str]:
        """Cards that left hands, except for the one played, and that came to them."""
        before, after, move = self.before, self.after, self.move
        own = move.words.get("card")
        board, discard = self._gone(_board), self._gone(_discard)
        for player in self.position.players:
            old, new = _hand(before, player), _hand(after, player)
            lost = old - new
            if own is not None and move.verb != "choose":
                lost -= Counter([own])
            if lost:
                yield f"{player} no longer holds {self._listed(lost)}"
            gained = new - old
            if (
                own
                and not gained
                and move.verb == "redraw"
                and player == before["turn"]
            ):
                gained = Counter([own])  # another copy came
            drawn = Counter[str]()
            if self._drawn(player) >= gained.total():
                # As a round ends the piles lose cards, too, and copies of what was
                # drawn.
                drawn = gained
            rest = gained - drawn
            for words, came in (
                ("takes back", rest & board),
                ("takes from a discard pile", (rest - board) & discard),
                ("draws", drawn + (rest - board - discard)),
            ):
                if came:
                    yield f"{player} {words} {self._listed(came)}"

    def _drawn(self, player: str) -> int:
        """How many cards fewer a player's deck has, as a round ended; else 0."""
        old, new = self.before[player], self.after[player]
        if not round_ended(self.before, self.after) or "deck_size" not in old:
            return 0
        return int(old["deck_size"] - new["deck_size"])

    def _gone(self, pile: Callable[[Facts, str], Counter[str]]) -> Counter[str]:
        """The cards that left a pile of any side."""
        sides = self.position.sides
        gone = (pile(self.before, side) - pile(self.after, side) for side in sides)
        return sum(gone, Counter[str]())

    def _on_the_board(self) -> Iterator[str]:
        """Cards that came to the sides and left them.

        The card that was played is only told of where it lies on another side.
        """
        own, player = self.move.words.get("card"), self.before.get("turn")
        played = Counter([own] if own else [])
        for side in self.position.sides:
            old, new = _board(self.before, side), _board(self.after, side)
            came = new - old
            here = came & played
            came, played = came - here, played - here
            if here and self.move.verb == "play" and player and player not in side:
                yield f"it lies on the side of {side}"
            if came:
                yield f"on the side of {side} now: {self._listed(came)}"
            if old - new:
                yield f"gone from the side of {side}: {self._listed(old - new)}"

    def _end_of_round(self) -> Iterator[str]:
        """Why the round ended, and what it cost or brought."""
        before, is_round = self.before, "round" in self.before
        ended = f"round {before['round']}" if is_round else "the game"
        yield f"{ended} ends: {self._reason()}"
        for name, old in before.items():
            if not isinstance(old, Mapping) or name not in self.after:
                continue
            new = self.after[name]
            for key in LOST:
                if key in old and name in _owners(before, key) and new[key] < old[key]:
                    lost = plural(old[key] - new[key], POSSESSIONS[key])
                    yield f"{name} loses {lost}, {new[key]} left"
            if new.get("points", 0) > old.get("points", 0) and is_round:
                gained = new["points"] - old["points"]
                yield f"{name} scores {gained}, {new['points']} in all"

    def _reason(self) -> str:
        before, players = self.before, self.position.players
        if not any("hand" in before[player] for player in players):
            return "the board is full"
        people = [player for player in players if "leaders" not in before[player]]
        waiting = [player for player in people if not before[player]["passed"]]
        if self.move.verb == "pass" and len(waiting) == 1:
            if len(people) < len(players):
                return f"{waiting[0]} has passed, and the automa has had its last turn"
            return "all have passed"
        return "nobody has a card left to play"

    def _winner_of_round(self) -> Iterator[str]:
        """Which of two sides won the round, by the gems that it cost."""
        before, after, sides = self.before, self.after, self.position.sides
        if len(sides) > 2 or any("gems" not in before[side] for side in sides):
            return
        losers = [s for s in sides if after[s]["gems"] < before[s]["gems"]]
        if len(losers) > 1:
            yield "the round is a draw"
        for winner in sides:
            if [side for side in sides if side != winner] == losers:
                # A pass changes no totals, a card that is played may.
                scores = [str(before[side]["total"]) for side in (winner, *losers)]
                by = f", {' to '.join(scores)}" if self.move.verb == "pass" else ""
                yield f"{winner} wins the round{by}"

    def _hands_left(self) -> Iterator[str]:
        """How many cards each player has for the next round."""
        after, players = self.after, self.position.players
        if after["over"] or any("hand" not in after[player] for player in players):
            return
        hands = (f"{p} {plural(len(after[p]['hand']), 'card')}" for p in players)
        yield f"left in hand: {', '.join(hands)}"

    def _after_the_round(self) -> Iterator[str]:
        """What stays on the board, or comes back to it, for the next round."""
        for side in () if self.after["over"] else self.position.sides:
            stays = _board(self.after, side)
            if stays:
                yield f"on the side of {side}: {self._listed(stays)}"

    def _listed(self, cards: Counter[str]) -> str:
        return _listed(cards.elements(), self.position.name_of)


def _owners(facts: Facts, key: str) -> list[str]:
    """The owners of gems: teams, where there are any, else the players."""
    owners = [n for n, v in facts.items() if isinstance(v, Mapping) and key in v]
    teams = [name for name in owners if any(name != o and name in o for o in owners)]
    return teams or owners


def _board(facts: Facts, side: str) -> Counter[str]:
    rows = facts[side].get("cards", {}).values()
    specials = (facts[side].get("row_specials") or {}).values()
    return Counter([card for row in rows for card in row]) + Counter(
        [card for card in specials if card]
    )


def _discard(facts: Facts, side: str) -> Counter[str]:
    return Counter(facts[side].get("discard") or ())


def _hand(facts: Facts, player: str) -> Counter[str]:
    return Counter(facts[player].get("hand") or ())


def _listed(cards: Iterable[str], named: Named) -> str:
    counted = Counter(map(named, cards))
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in counted.items())


# The chances of both players during a game, by the value of `learned-1`.
#
# Each is what the player in that seat can see: its hidden cards are counted as the rest
# of the lists, as `learned-1` does when it plays. The two need not
# add up to 1, since each knows its own hand alone.

VALUED = "learned_1"
LEAST = 0.1
MOST = 3

Chances = Callable[[], Mapping[str, float]]


def chances_of(
    states: Any, contexts: Any, table: Table, players: Sequence[str]
) -> Chances:
    """Return what says each player's chance in the position that `states` is in.

    It says none where `learned-1` does not know the game, nor before hands are dealt:
    what it has learned begins with them.
    """
    game, variant = table.game, table.variant
    if len(players) != 2 or not is_learned(game, variant):
        return dict
    q = new_workspace(game, variant, [VALUED])[0][VALUED]

    def chances() -> dict[str, float]:
        s, x = states[0], contexts[0]
        if s.turns == 0 and not s.n_hand.any():
            return {}
        return {
            player: round(float(win_chance(s, x, q, seat)) / ONE, 4)
            for seat, player in enumerate(players)
        }

    return chances


def chance_of_first(step: Step) -> float:
    """The chance of the first player: the mean of what both players expect of it."""
    own, other = step.chances.values()
    return (own + 1 - other) / 2


def turning_points(steps: Sequence[Step]) -> tuple[TurningPoint, ...]:
    """The moves that cost their players most, then the draws that changed most.

    At most three of each, the largest first, none below ten points. What a move without
    a draw costs in its player's own eyes was in their hands.
    """
    points = [
        TurningPoint(step, before.chances[player], step.chances[player])
        for before, step in pairwise(steps)
        if before.chances and (player := step.player) is not None and step.chances
    ]
    draws = [p for p in points if p.step.is_draw and abs(p.change) >= LEAST]
    moves = [p for p in points if not p.step.is_draw and -p.change >= LEAST]
    return (
        *sorted(moves, key=lambda point: point.change)[:MOST],
        *sorted(draws, key=lambda point: -abs(point.change))[:MOST],
    )


# Telling a game: its moves are made once more, in an engine that is not compiled.


def tell(script: Script) -> ToldGame:
    """Tell a game move by move; raises ValueError if it ends otherwise than played."""
    states, contexts, position = open_script(script)
    s, x = states[0], contexts[0]
    chances = chances_of(states, contexts, script.table, position.players)
    steps = tuple(_Teller(script, position, chances).steps())
    outcome = np.zeros((1, len(script.outcome or GameOutcome)), np.int64)
    if script.outcome is not None:
        note_outcome(s, x, outcome, 0)
        if tuple(outcome[0].tolist()) != script.outcome:
            raise ValueError("the game as told is not the one that was played")
    return ToldGame(
        players=dict(zip(position.players, script.seats, strict=True)),
        steps=steps,
        winner=position.facts()["winner"],
        outcome=tuple(outcome[0].tolist()) if script.outcome else (),
        crash=script.crash,
        turning_points=turning_points(steps),
    )


class _Teller:
    """Makes the moves of a script, and says what they are and what they change."""

    def __init__(
        self, script: Script, position: GamePosition, chances: Chances
    ) -> None:
        self.script = script
        self.position = position
        self.chances = chances
        self._automa = any(seat.policy is None for seat in script.seats)

    def steps(self) -> Iterator[Step]:
        """The deal, then every move."""
        position = self.position
        facts = position.facts()
        hands = (
            f"{player} holds {_listed(facts[player]['hand'], position.name_of)}"
            for player in position.players
            if facts[player].get("hand")
        )
        notes = [*hands, *(note for part in self._own_actions() for note in part)]
        yield self._step(0, facts, facts, None, text="deal", notes=notes)
        for number, code in enumerate(self.script.moves, start=1):
            before, player, text = facts, position.turn, "a move that has no words"
            try:
                move = position.in_words(code)
                text = move.text + self._leader(move, player)
                position.apply(move)
            except Exception:
                if self.script.crash is None:
                    raise
                notes = [f"the game crashes here: {self.script.crash}"]
                yield self._step(number, before, before, player, text=text, notes=notes)
                return
            facts = position.facts()
            during, later = self._own_actions()
            notes = [*during, *_Change(before, facts, move, position).told(), *later]
            yield self._step(number, before, facts, player, text=text, notes=notes)

    def _step(
        self,
        number: int,
        before: Mapping[str, Any],
        facts: Mapping[str, Any],
        player: str | None,
        *,
        text: str,
        notes: Sequence[str],
    ) -> Step:
        """The effects of a move; `before` and `facts` are those ahead of it and now."""
        ends = number > 0 and round_ended(before, facts)
        left = before if ends and not facts["over"] else facts
        # What an automa does in a last turn is in no position: its actions show it.
        is_known = not (ends and left is before and self._automa)
        return Step(
            number=number,
            round=before.get("round", 1),
            player=player,
            text=text,
            notes=tuple(notes),
            totals=totals(left, self.position.sides) if is_known else {},
            ends_round=ends,
            lines=tuple(self.position.lines()),
            position=self.position.describe(),
            chances=self.chances(),
        )

    def _leader(self, move: LegalMove, player: str | None) -> str:
        """The name of the leader whom a move uses."""
        if move.verb != "leader" or player is None:
            return ""
        seat = self.script.seats[self.position.players.index(player)]
        return f", {self.position.name_of(seat.leader)}" if seat.leader else ""

    def _own_actions(self) -> tuple[list[str], list[str]]:
        """What the game's own player did, until a round ended, and after that."""
        actions = self.position.actions()
        ends = [i for i, action in enumerate(actions, 1) if action.ends_round]
        texts = [action.text for action in actions]
        last = ends[-1] if ends else len(actions)
        return texts[:last], texts[last:]
