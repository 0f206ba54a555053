"""What a rule that stops a run has come to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableDecision:
    """What a rule came to at a table: after how many sets, and what it says in words.

    `reached` is False where the games ended before the rule was fulfilled. `ratio` is
    the log-likelihood ratio of a test.
    """

    sets: int
    reached: bool
    text: str
    ratio: float | None = None


@dataclass(frozen=True, slots=True)
class StoppingOutcome:
    """What a rule came to: `rule` in words, and its decision at each table.

    Where the order of so many `ranked` decks was asked, `open` are those whose place in
    it is not settled.
    """

    rule: str
    decisions: tuple[TableDecision, ...]
    ranked: int = 0
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
            missed = "" if decision.reached else ", the rule was not met"
            return f"{decision.text}{log}{missed}"
        counted = Counter(decision.text for decision in self.decisions)
        if self.decisions[0].ratio is not None:
            return ", ".join(f"{text} at {n} tables" for text, n in counted.items())
        if self.ranked:
            settled = self.ranked - len(self.open)
            found = f"{settled} of {self.ranked} places settled"
            names = ", ".join(self.open) if settled else ""
            return found + (f", not those of {names}" if names else "")
        reached = sum(decision.reached for decision in self.decisions)
        return f"reached at {reached} of {len(self.decisions)} tables"
