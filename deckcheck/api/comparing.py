"""Compare versions of a deck, and weigh its cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deckcheck.api.entering import known_players
from deckcheck.api.playing import Playing, entered
from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    in_python,
    number,
    optional_number,
    whole_number,
)
from deckcheck.decks import Deck
from deckcheck.sim.defaults import COMPARE_MARGIN, IMPACT_GAMES, SEED

if TYPE_CHECKING:
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.studies.compare.result import ComparisonResult
    from deckcheck.studies.impact.result import ImpactResult

__all__ = ["compare", "impact"]


@in_python
def compare(
    *versions: Deck | Target | Sequence[Deck | Target],
    against: Deck | Target | Sequence[Deck | Target],
    games: int | None = None,
    margin: float = COMPARE_MARGIN,
    seed: int = SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    run: Target | None = None,
    shard: str | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> ComparisonResult:
    """Find out which version of a deck is better against a field of decks.

    All `versions` play the same games against all decks of `against`, until it is clear
    which is better and about by how much, or that they differ by less than `margin`
    points. With `games`, each version plays this many with each opponent instead.
    `policies` names a player for all decks, or one for the versions and one for the
    field. Everything else is as in `simulate`.
    """
    from deckcheck.studies.compare.play import Question, comparison_of

    question = Question(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=optional_number("games", games),
        margin=number("margin", margin),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run, shard)
    fmt, database, (own, field) = entered(
        "compare", judging, versions, (against,), allow_illegal=allow_illegal
    )
    study = comparison_of(fmt, database, own, field, question)
    result: ComparisonResult = playing.play(study, judging)
    return result


@in_python
def impact(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target],
    games: int = IMPACT_GAMES,
    seed: int = SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    run: Target | None = None,
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
    from deckcheck.studies.impact.play import ImpactQuestion, impact_of

    question = ImpactQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    fmt, database, (own, field) = entered(
        "impact", judging, (deck,), (against,), allow_illegal=allow_illegal
    )
    study = impact_of(fmt, database, own, field, question)
    result: ImpactResult = playing.play(study, judging)
    return result
