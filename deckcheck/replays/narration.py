"""A game in words: the deal, every move, the chances of both players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from deckcheck.engine.contract import set_up
from deckcheck.engine.records import Records
from deckcheck.playing.kernel import GameOutcome, note_outcome, start_game
from deckcheck.playing.table import Table, open_table
from deckcheck.policies.players import SURE_CHANCE, win_chance
from deckcheck.policies.workspace import is_learned, new_workspace
from deckcheck.replays.changes import (
    Change,
    count_totals,
    has_round_ended,
    join_names,
)
from deckcheck.replays.model import Script, Step, ToldGame, TurningPoint
from deckcheck.scenarios.contract import GamePosition, LegalMove, load_adapter

# The position at the beginning of a replayed game, uncompiled


class DealtGame(NamedTuple):
    """A dealt game: the engine's records, and the position in words."""

    states: Any
    contexts: Any
    position: GamePosition


def open_script(script: Script) -> DealtGame:
    """Deal the game of a script."""
    states, contexts = open_table(script.table)
    _, stream, counter, beginner = script.game
    s, x = Records(states)[0], Records(contexts)[0]
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


# The chances of both players during a game, by the value of `learned-1`.
#
# Each is what the player in that seat can see: its hidden cards are counted as the rest
# of the lists, as `learned-1` does when it plays. The two need not
# add up to 1, since each knows its own hand alone.

VALUE_POLICY = "learned_1"
CHANCE_DIGITS = 4
MIN_CHANGE = 0.1
"""The least change of a chance that is a turning point."""
MAX_TURNING_POINTS = 3
"""The most turning points of moves, and of draws."""

Chances = Callable[[], Mapping[str, float]]


def make_chances(
    states: Any, contexts: Any, table: Table, players: Sequence[str]
) -> Chances:
    """Return a function for the win probabilities in the position of `states`.

    It returns none if `learned-1` does not know the game, and before hands are dealt,
    since it learned from dealt hands.
    """
    game = table.game
    variant = table.variant
    if len(players) != 2 or not is_learned(game, variant):
        return dict
    q = getattr(Records(new_workspace(game, variant, [VALUE_POLICY]))[0], VALUE_POLICY)
    s, x = Records(states)[0], Records(contexts)[0]

    def estimate_chances() -> dict[str, float]:
        if s.turns == 0 and not s.n_hand.any():
            return {}
        estimates = {}
        for seat, player in enumerate(players):
            chance = float(win_chance(s, x, q, seat)) / SURE_CHANCE
            estimates[player] = round(chance, CHANCE_DIGITS)
        return estimates

    return estimate_chances


def average_first_chance(step: Step) -> float:
    """Return the chance of the first player: the mean of both players' estimates."""
    first, second = step.chances.values()
    return (first + 1 - second) / 2


def find_turning_points(steps: Sequence[Step]) -> tuple[TurningPoint, ...]:
    """Return the moves that cost their players most, then the largest draws of luck.

    At most `MAX_TURNING_POINTS` of each, the largest first, none below `MIN_CHANGE`.
    The cost of a move without a draw, in its player's own view, was in the player's
    hands.
    """
    moves: list[TurningPoint] = []
    draws: list[TurningPoint] = []
    for before, step in pairwise(steps):
        player = step.player
        if player is None or not before.chances or not step.chances:
            continue
        point = TurningPoint(step, before.chances[player], step.chances[player])
        if step.is_draw and abs(point.change) >= MIN_CHANGE:
            draws.append(point)
        elif not step.is_draw and -point.change >= MIN_CHANGE:
            moves.append(point)
    return (
        *sorted(moves, key=lambda point: point.change)[:MAX_TURNING_POINTS],
        *sorted(draws, key=lambda point: -abs(point.change))[:MAX_TURNING_POINTS],
    )


# Telling a game: its moves are made once more, in the uncompiled engine


def tell(script: Script) -> ToldGame:
    """Tell a game move by move. Raises ValueError if it ends unlike the play."""
    states, contexts, position = open_script(script)
    s, x = states[0], contexts[0]
    chances = make_chances(states, contexts, script.table, position.players)
    steps = tuple(_Teller(script, position, chances).tell_steps())
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
        turning_points=find_turning_points(steps),
    )


class _Teller:
    """Makes the moves of a script, and describes them and their consequences."""

    def __init__(
        self, script: Script, position: GamePosition, chances: Chances
    ) -> None:
        self.script = script
        self.position = position
        self.chances = chances
        self._has_automa = any(seat.policy is None for seat in script.seats)

    def tell_steps(self) -> Iterator[Step]:
        """Yield the deal, then every move."""
        position = self.position
        facts = position.facts()
        notes = []
        for name in position.players:
            hand = facts[name].get("hand")
            if hand:
                cards = join_names(hand, position.get_card_name)
                notes.append(f"{name} holds {cards}")
        for texts in self._split_own_actions():
            notes += texts
        yield self._make_step(0, facts, facts, None, text="deal", notes=notes)
        for number, code in enumerate(self.script.moves, start=1):
            before = facts
            player = position.turn
            text = "a move that has no words"
            try:
                move = position.in_words(code)
                text = move.text + self._name_leader(move, player)
                position.apply(move)
            except Exception:
                if self.script.crash is None:
                    raise
                notes = [f"the game crashes here: {self.script.crash}"]
                yield self._make_step(
                    number, before, before, player, text=text, notes=notes
                )
                return
            facts = position.facts()
            change = Change(before, facts, move, position)
            texts_before_end, texts_after_end = self._split_own_actions()
            notes = [*texts_before_end, *change.describe(), *texts_after_end]
            yield self._make_step(number, before, facts, player, text=text, notes=notes)

    def _make_step(
        self,
        number: int,
        before: Mapping[str, Any],
        facts: Mapping[str, Any],
        player: str | None,
        *,
        text: str,
        notes: Sequence[str],
    ) -> Step:
        """Return the step of a move, by the facts before it and after it."""
        ends_round = number > 0 and has_round_ended(before, facts)
        has_next_round = ends_round and not facts["over"]
        # The last turn of an automa is in no position: its actions show it.
        is_known = not (has_next_round and self._has_automa)
        totals: dict[str, int] = {}
        if is_known:
            last_facts = before if has_next_round else facts
            totals = count_totals(last_facts, self.position.sides)
        return Step(
            number=number,
            round=before.get("round", 1),
            player=player,
            text=text,
            notes=tuple(notes),
            totals=totals,
            ends_round=ends_round,
            lines=tuple(self.position.lines()),
            position=self.position.describe(),
            chances=self.chances(),
        )

    def _name_leader(self, move: LegalMove, player: str | None) -> str:
        """Return the name of the leader whom a move uses."""
        if move.verb != "leader" or player is None:
            return ""
        seat = self.script.seats[self.position.players.index(player)]
        return f", {self.position.get_card_name(seat.leader)}" if seat.leader else ""

    def _split_own_actions(self) -> tuple[list[str], list[str]]:
        """Return the game's own actions until a round ended, and after that."""
        actions = self.position.actions()
        ends = [i for i, action in enumerate(actions, 1) if action.ends_round]
        texts = [action.text for action in actions]
        last = ends[-1] if ends else len(actions)
        return texts[:last], texts[last:]
