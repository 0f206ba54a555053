"""What positions of several games have in common: going back, and what chance decides.

`scenarios.contract.Position` says what each member is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from deckcheck.scenarios.contract import ChanceFault, Deed, Question

__all__ = ["Kept", "NothingPicked", "Scripted"]

CHANCE_FAULTS = {1: ChanceFault.MISSING, 2: ChanceFault.IMPOSSIBLE}
"""What the engine notes of a script, see `script_error` of its records."""


class Kept:
    """A position that lies in the first of its states, and whose players all move."""

    _states: Any

    def save(self) -> Any:
        """What `restore` needs to come back to this position."""
        return self._states.copy()

    def restore(self, saved: Any) -> None:
        """Come back to a saved position."""
        self._states[0] = saved[0]

    def deeds(self) -> list[Deed]:
        """Every player has moves of their own."""
        return []


class NothingPicked(Kept):
    """A position of a game in which chance decides nothing once it is laid out."""

    def script(self, answers: Sequence[str]) -> None:
        """No answer is asked for."""

    @property
    def answers_used(self) -> int:
        """No answer is ever used."""
        return 0

    @property
    def chance_fault(self) -> ChanceFault | None:
        """Nothing can be wrong with answers that nobody asks for."""
        return None

    @property
    def question(self) -> Question | None:
        """What a random pick decides: nothing is picked."""
        return None


class Scripted(Kept):
    """A position of a game whose random picks the context has answers for."""

    x: Any

    def answer(self, numbers: Sequence[int]) -> None:
        """Let random picks be answered by these numbers of the engine, in order."""
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
