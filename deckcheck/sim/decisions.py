"""What a rule that stops a run has come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

__all__ = ["Decision", "Stopped"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a rule came to at a table: after how many sets, and what it says in words.

    `reached` is False where the games ended before the rule was fulfilled. `ratio` is
    the log-likelihood ratio of a test.
    """

    sets: int
    reached: bool
    text: str
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class Stopped:
    """What a rule came to: `rule` in words, and its decision at each table.

    `open` are the decks whose place in the order is not settled, where that was asked.
    """

    rule: str
    decisions: tuple[Decision, ...]
    open: tuple[str, ...] = ()

    @property
    def reached(self) -> bool:
        """Whether the rule was fulfilled everywhere."""
        return all(decision.reached for decision in self.decisions)

    @property
    def summary(self) -> str:
        """What it came to, in a few words."""
        if len(self.decisions) == 1:
            [decision] = self.decisions
            ratio = decision.ratio
            log = "" if ratio is None else f", log-likelihood ratio {ratio:.2f}"
            return f"{decision.text}{log}"
        counted = Counter(decision.text for decision in self.decisions)
        if self.decisions[0].ratio is not None:
            return ", ".join(f"{text} at {n} tables" for text, n in counted.items())
        reached = sum(decision.reached for decision in self.decisions)
        found = f"reached at {reached} of {len(self.decisions)} tables"
        if self.open:
            found += f"; not settled: {', '.join(self.open)}"
        return found
