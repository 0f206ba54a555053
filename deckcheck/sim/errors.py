"""Errors while games are played.

SimulationError         the run cannot go on, exit code 3
    CrashedGameError    a game raised an error: a defect of the engine
    WorkerDiedError     a worker process ended, or never started
    NoWorkersError      the system has no room for workers, exit code 2
    OtherProgramError   a worker has another version, which plays other games
    UnrecordedError     a finished block could not be written, exit code 2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from deckcheck.findings import UsageError
from deckcheck.messages import choice, option, plural

if TYPE_CHECKING:
    from deckcheck.validation import DeckReport


class SimulationError(Exception):
    """A run that cannot go on: the message, and in `help` the remedy."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message, help)
        self.message = message
        self.help = help

    def __str__(self) -> str:
        """Return the message and the remedy, as a traceback shows them."""
        return f"{self.message}. {self.help}"


class CrashedGameError(SimulationError):
    """A game that raised an error.

    `game` is its number, from 1, among the games of `pairing`, the names of the two
    entrants: `replay` needs both. In a tournament it is the number of the match. A game
    of versions of a deck has no pairing, because `replay` cannot show it.
    """

    def __init__(
        self,
        seed: int,
        table: int,
        set: int,
        reason: str,
        *,
        pairing: str = "",
        game: int = 1,
    ) -> None:
        what = "the command that was typed"
        if pairing:
            what = f"what `deckcheck replay` tells of game {game} of `{pairing}`"
        super().__init__(
            f"A game crashed: {reason} (seed {seed}, table {table}, set {set})",
            f"This is a defect of the engine: please report it with {what}",
        )
        self.args = (seed, table, set, reason)  # of which pickle makes it again
        self.seed = seed
        self.table = table
        self.set = set
        self.reason = reason
        self.pairing = pairing
        self.game = game


class OtherProgramError(SimulationError):
    """A worker on which another version of deckcheck is installed."""

    def __init__(self, worker: str, program: str) -> None:
        super().__init__(
            f"Worker {worker} has {program}, which plays other games",
            "Install the same version of deckcheck on all workers",
        )
        self.args = (worker, program)


class UnrecordedError(SimulationError):
    """A finished block could not be written into the run directory."""


class NoWorkersError(SimulationError):
    """Workers that the system does not let us start, and why not."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"Cannot start workers: {reason}",
            "Raise the limit that `ulimit` sets, or play in this process: "
            f"{option('jobs', 1)}",
        )
        self.args = (reason,)


class WorkerDiedError(SimulationError):
    """A worker process that ended before its block was done."""

    def __init__(self) -> None:
        super().__init__(
            "A worker process was killed or could not start",
            f"If memory ran out, use fewer workers ({option('jobs', 1)} plays in "
            "this process). A script that starts processes must do so under "
            '`if __name__ == "__main__":`',
        )
        self.args = ()


class IllegalDeckError(UsageError):
    """Decks that must not play, because they are illegal as `reports` explain."""

    def __init__(
        self, message: str, help: str | None = None, reports: Iterable[DeckReport] = ()
    ) -> None:
        super().__init__(message, help)
        self.reports = tuple(reports)

    @classmethod
    def of(cls, reports: Sequence[DeckReport]) -> IllegalDeckError:
        """Return the error for the decks of `reports`."""
        names = choice([report.name or report.source.path for report in reports], "and")
        can_play = all(report.deck is not None for report in reports)
        remedy = "; `allow_illegal=True` lets them play" if can_play else ""
        return cls(
            f"{plural(len(reports), 'illegal deck')}: {names}",
            f"`reports` has the findings{remedy}",
            reports,
        )
