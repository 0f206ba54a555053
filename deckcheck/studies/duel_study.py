"""Studies of decks that meet opponents one by one: what they all do alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Generic, TypeVar

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.policies.host.workspace import stand_ins
from deckcheck.sim.defaults import MOST_JOBS
from deckcheck.sim.jobs.record import GAMES, Records
from deckcheck.sim.provenance import provenance_of
from deckcheck.sim.scheduling.executors import Executor
from deckcheck.sim.scheduling.scheduler import Watch
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import check_range
from deckcheck.sim.study import Study
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter
from deckcheck.validation import DeckReport

__all__ = ["DuelStudy", "check_meetings", "check_policies", "field_of"]

TWO = 2

R = TypeVar("R")


class DuelStudy(Study, Generic[R]):
    """A study whose games are duels, all of them played by one `GameSession`."""

    format: Format
    database: CardDatabase
    question: Any

    def run(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        block_sets: int | None = None,
        watch: Watch | None = None,
        records: Records | None = None,
        while_compiling: AbstractContextManager[object] | None = None,
        announces: bool = True,
    ) -> R:
        """Play all games and return what came out.

        What `records` hold of these games is not played again, and what is played is
        added to them. Raises Interrupted, a KeyboardInterrupt, with what is known then;
        otherwise as `play_jobs`.
        """
        check_range("jobs", jobs, 1, MOST_JOBS)
        record = records(GAMES) if records else None
        with GameSession(
            self.question.seed,
            jobs,
            executor,
            record,
            block_sets=block_sets,
            watch=watch,
            while_compiling=while_compiling,
            announces=announces,
        ) as games:
            return self.answer(games)

    @abstractmethod
    def answer(self, games: GameSession) -> R:
        """Play with `games` until the question is answered; see `run`."""

    def head(
        self,
        games: GameSession,
        entrants: Sequence[Entrant],
        confirm: str | None = None,
    ) -> dict[str, Any]:
        """What a `Run` says of how it came about, whatever was asked.

        `entrants` are those whom the result names, `confirm` is one more player.
        """
        fmt = self.format
        players = [each.policy for each in entrants] + ([confirm] if confirm else [])
        policies = tuple(dict.fromkeys(players))
        variant = load_game(fmt.game).variant_of(fmt, TWO)
        return {
            "format": fmt.id,
            "snapshot": fmt.snapshot,
            "month": fmt.month,
            "play": fmt.seating.play,
            "decks": tuple(each.simulated for each in entrants),
            "players": policies,
            "stand_ins": stand_ins(policies, fmt.game, variant),
            "seed": self.question.seed,
            "digest": fmt.digest,
            "changes": fmt.own_changes,
            "seconds": games.seconds,
            "jobs": games.jobs,
            "provenance": provenance_of(
                fmt, self.database, [each.deck for each in entrants]
            ),
        }


def check_meetings(fmt: Format) -> None:
    """Refuse a format in which no two decks meet."""
    low, high = fmt.seating.min_players, fmt.seating.max_players
    if fmt.seating.play not in ("duel", "table") or not low <= TWO <= high:
        raise UsageError(
            f"Decks cannot be measured in {quote(fmt.id)}: no two meet there",
            "Name a format of duels with `--format`",
        )


def check_policies(policies: Sequence[str], first: str) -> None:
    """Refuse more players than one for the `first` decks and one for the field."""
    if len(policies) > TWO:
        raise UsageError(
            f"{plural(len(policies), 'policy')} given, expected one or two",
            f"Name one for all decks, or one for the {first} and one for the field",
        )


def field_of(
    opponents: Sequence[DeckReport], policies: Sequence[str]
) -> tuple[Entrant, ...]:
    """The opponents, played by the last of one or two players; UsageError if none."""
    if not opponents:
        raise UsageError("No field given", "Name opponents with `--against`")
    return tuple(enter(opponents, [policies[-1]]))
