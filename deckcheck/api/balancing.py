"""Balance a field of decks by changes of cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from deckcheck.api.entering import validator
from deckcheck.api.playing import Playing, decks_of
from deckcheck.arguments import CardDb, Judging, Target, folder, in_python
from deckcheck.findings import UsageError
from deckcheck.sim.defaults import CONFIRM

if TYPE_CHECKING:
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.studies.balance.result import BalanceResult

__all__ = ["balance"]


@in_python
def balance(
    plan: Target,
    *,
    confirm: str | None = CONFIRM,
    confirm_games: int | None = None,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> BalanceResult:
    """Find the smallest changes of cards that make a field as a plan wants it.

    `plan` is the file of the field, the targets and the bounds. `result.balanced` has
    the changes, `result.set_text()` is the file of a set that makes them. `confirm` is
    another player who plays the proof again, with `confirm_games` of each deck:
    `learned` where it knows the game unless it is another one, or None for nobody.
    Everything else is as in `simulate`.
    """
    from deckcheck.sim.build import playable_format
    from deckcheck.studies.balance.plan import read_balance_plan

    place = folder("plan", plan)
    if place is None:
        raise UsageError("No plan given", "Name the file of a field to balance")
    balance_plan = read_balance_plan(place)
    judging = Judging.of(balance_plan.format, card_db, (), balance_plan.file.as_of)
    playing = Playing.of(jobs, executor, progress, run)
    decks = decks_of((list(balance_plan.decks),), "balance", judging)
    fmt, database = playable_format(decks, validator(judging))
    study = balance_plan.balance(fmt, database, decks, confirm, confirm_games)
    result: BalanceResult = playing.play(study, judging)
    return result
