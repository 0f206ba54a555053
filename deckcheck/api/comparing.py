"""Compare versions of a deck, and weigh its cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deckcheck.api.entering import DEFAULT_SEED, known_players, legal, reports_of
from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    callable_or_none,
    in_python,
    number,
    optional_number,
    targets_of,
    whole_number,
)
from deckcheck.decks import Deck

if TYPE_CHECKING:
    from deckcheck.analysis.comparison import ComparisonResult
    from deckcheck.analysis.impact_result import ImpactResult
    from deckcheck.sim.executors import Executor
    from deckcheck.sim.run import Progress

__all__ = ["compare", "impact"]

DEFAULT_MARGIN = 0.5
DEFAULT_IMPACT_GAMES = 4_000


@in_python
def compare(
    *versions: Deck | Target | Sequence[Deck | Target],
    against: Deck | Target | Sequence[Deck | Target],
    games: int | None = None,
    margin: float = DEFAULT_MARGIN,
    seed: int = DEFAULT_SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> ComparisonResult:
    """Find out which version of a deck is better against a field of decks.

    All `versions` play the same games against all decks of `against`, until it is clear
    which is better and about by how much, or that they differ by less than `margin`
    points. With `games`, so many are played of each version with each opponent instead.
    `policies` names a player for all decks, or one for the versions and one for the
    field. Everything else is as in `simulate`.
    """
    from deckcheck.analysis.comparing import Question, comparison_of
    from deckcheck.formats import database_of
    from deckcheck.sim.reports import common_format

    question = Question(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=optional_number("games", games),
        margin=number("margin", margin),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    workers = whole_number("jobs", jobs)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    old_and_new = tuple(targets_of(versions, "compare"))
    opponents = tuple(targets_of((against,), "compare"))
    decks = legal(reports_of(old_and_new, judging), allow_illegal)
    field = legal(reports_of(opponents, judging), allow_illegal)
    fmt = common_format([*decks, *field])
    database = database_of(fmt, judging.root)
    comparison = comparison_of(fmt, database, decks, field, question)
    return comparison.run(jobs=workers, executor=executor, watch=progress)


@in_python
def impact(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target],
    games: int = DEFAULT_IMPACT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> ImpactResult:
    """Find out what each card of a deck is worth against a field of decks.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games, `games` of each over the whole field. What is tried is chosen
    in a first trial; the figures are from other games. `policies` names a player for
    all decks, or one for the deck and one for the field. Everything else is as in
    `simulate`.
    """
    from deckcheck.analysis.impact import ImpactQuestion, impact_of
    from deckcheck.formats import database_of
    from deckcheck.sim.reports import common_format

    question = ImpactQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    workers = whole_number("jobs", jobs)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    opponents = tuple(targets_of((against,), "impact"))
    own = legal(
        reports_of(tuple(targets_of((deck,), "impact")), judging), allow_illegal
    )
    field = legal(reports_of(opponents, judging), allow_illegal)
    fmt = common_format([*own, *field])
    weighed = impact_of(fmt, database_of(fmt, judging.root), own, field, question)
    return weighed.run(jobs=workers, executor=executor, watch=progress)
