"""Telling a game: its moves are made once more, in an engine that is not compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from deckcheck.playing.kernel import Outcome, note_outcome
from deckcheck.replays.chances import Chances, chances_of, turning_points
from deckcheck.replays.changes import changes, dealt, round_ended, totals
from deckcheck.replays.model import Step, ToldGame
from deckcheck.replays.opening import open_script
from deckcheck.replays.script import Script
from deckcheck.scenarios.contract import LegalMove, Position


def tell(script: Script) -> ToldGame:
    """Tell a game move by move; raises ValueError if it ends otherwise than played."""
    states, contexts, position = open_script(script)
    s, x = states[0], contexts[0]
    chances = chances_of(states, contexts, script.table, position.players)
    steps = tuple(_Teller(script, position, chances).steps())
    outcome = np.zeros((1, len(script.outcome or Outcome)), np.int64)
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

    def __init__(self, script: Script, position: Position, chances: Chances) -> None:
        self.script = script
        self.position = position
        self.chances = chances
        self.named = script.database.cards
        self._automa = any(seat.policy is None for seat in script.seats)

    def steps(self) -> Iterator[Step]:
        """The deal, then every move."""
        position = self.position
        facts = position.facts()
        hands = dealt(facts, position.players, self._name)
        notes = [*hands, *(note for part in self._deeds() for note in part)]
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
            seen_changes = changes(before, facts, move, position, self._name)
            during, later = self._deeds()
            notes = [*during, *seen_changes, *later]
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
        """What came of a move; `before` and `facts` are those ahead of it and now."""
        ends = number > 0 and round_ended(before, facts)
        left = before if ends and not facts["over"] else facts
        # What an automa does in a last turn is in no position: its deeds tell it.
        is_known = not (ends and left is before and self._automa)
        return Step(
            number=number,
            round=before.get("round", 1),
            player=player,
            text=text,
            notes=tuple(notes),
            totals=totals(left, self.position.sides) if is_known else {},
            ends=ends,
            lines=tuple(self.position.lines()),
            position=self.position.describe(),
            chances=self.chances(),
        )

    def _leader(self, move: LegalMove, player: str | None) -> str:
        """The name of the leader whom a move uses."""
        if move.verb != "leader" or player is None:
            return ""
        seat = self.script.seats[self.position.players.index(player)]
        return f", {self._name(seat.leader)}" if seat.leader else ""

    def _deeds(self) -> tuple[list[str], list[str]]:
        """What the game's own player did, until a round ended, and after that."""
        deeds = self.position.deeds()
        ends = [i for i, deed in enumerate(deeds, 1) if deed.ends_round]
        texts = [deed.text for deed in deeds]
        last = ends[-1] if ends else len(deeds)
        return texts[:last], texts[last:]

    def _name(self, id: str) -> str:
        """The name of a card; a leader may lie where cards lie."""
        if id in self.named:
            return self.named[id].name
        return self.script.database.leaders[id].full_name
