"""The result of a scenario."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from deckcheck.findings.finding import Span
from deckcheck.scenarios.contract import Deed, Position
from deckcheck.scenarios.errors import Fault


@dataclass(frozen=True, slots=True)
class Failure:
    """An expectation that does not hold; `what` is its way in the file: `A.close`."""

    span: Span
    what: str
    expected: Any
    came: Any


@dataclass(frozen=True, slots=True)
class Refusal:
    """A forbidden move that was refused; `message` says what for."""

    span: Span
    message: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class OwnDeed:
    """What the game's own player did in answer to the move at `span`."""

    span: Span
    deed: Deed


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """One scenario: what failed, what is wrong with its file, the final position.

    `rules` are the statements it cites. `position` is None if the file has a fault.
    """

    path: str
    rules: tuple[str, ...] = ()
    failures: tuple[Failure, ...] = ()
    faults: tuple[Fault, ...] = ()
    refusals: tuple[Refusal, ...] = ()
    own_deeds: tuple[OwnDeed, ...] = ()
    position: Position | None = None

    @property
    def ok(self) -> bool:
        """Whether the file is sound and all that it expects came."""
        return not self.failures and not self.faults
