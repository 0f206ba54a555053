"""Search the legal decks of a format for good ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from deckcheck.api.entering import confirming_player, known_players
from deckcheck.api.playing import Playing, entered
from deckcheck.api.reporting import Weights, field_weights
from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    flag,
    in_python,
    names,
    number,
    optional_number,
    text_of,
    whole_number,
)
from deckcheck.decks import Deck
from deckcheck.sim.defaults import (
    BUILD_GAMES,
    CONFIRM,
    REFERENCE,
    SEED,
    SOLVE_BOUND,
    SOLVE_GAMES,
    SOLVE_ROUNDS,
    TUNE_CHANGES,
    TUNE_GAMES,
)

if TYPE_CHECKING:
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.sim.study import Study
    from deckcheck.studies.lineups.result import LineupsResult
    from deckcheck.studies.search.result import FoundDeck
    from deckcheck.studies.solve.result import SolveResult

__all__ = ["build", "solve", "tune"]


@in_python
def tune(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target] = REFERENCE,
    changes: int = TUNE_CHANGES,
    keep: Names = (),
    change_leader: bool = False,
    games: int = TUNE_GAMES,
    confirm: str | None = CONFIRM,
    confirm_games: int | None = None,
    weights: Weights | None = None,
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
) -> FoundDeck:
    """Find a better version of a deck against a field of decks.

    It differs from `deck` by at most `changes`: a card exchanged, added or taken out.
    All copies of the cards named in `keep` stay, and the leader unless `change_leader`.
    `games` are those of the search and of its proof, which is on games that the search
    never saw; the player `confirm` plays that again, `confirm_games` of each deck:
    `learned` where it knows the game unless it is another one, or None for nobody.
    `weights`, a CSV file or numbers by name, say how often each opponent comes.
    `policies` names a player for all decks, or one for the deck and one for the field.
    Everything else is as in `simulate`.
    """
    from deckcheck.studies.tune.play import TuneQuestion, tuning_of

    question = TuneQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
        confirm=confirming_player(confirm),
        confirm_games=optional_number("confirm_games", confirm_games),
        changes=whole_number("changes", changes),
        keep=names("keep", keep),
        change_leader=flag("change_leader", change_leader),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    fmt, database, (own, field) = entered(
        "tune", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    question = replace(
        question, weights=field_weights(weights, field, question.policies)
    )
    study = tuning_of(fmt, database, own, field, question)
    result: FoundDeck = playing.play(study, judging)
    return result


@in_python
def build(
    format: Target,
    *,
    against: Deck | Target | Sequence[Deck | Target] = REFERENCE,
    factions: Names = (),
    games: int = BUILD_GAMES,
    confirm: str | None = CONFIRM,
    confirm_games: int | None = None,
    weights: Weights | None = None,
    seed: int = SEED,
    policies: Names = "heuristic",
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> FoundDeck:
    """Build the best deck of a format against a field of decks, from nothing.

    It is of one of `factions`, by name or id, or of any. `games` are those of the
    search, which begins with random legal decks and with those of the field, and of its
    proof, which is on games that the search never saw. Everything else is as in `tune`.
    """
    from deckcheck.studies.build.play import BuildQuestion, building_of

    question = BuildQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
        confirm=confirming_player(confirm),
        confirm_games=optional_number("confirm_games", confirm_games),
        factions=names("factions", factions),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    fmt, database, (field,) = entered(
        "build", judging, field=(against,), allow_illegal=allow_illegal
    )
    question = replace(
        question, weights=field_weights(weights, field, question.policies)
    )
    study = building_of(fmt, database, field, question)
    result: FoundDeck = playing.play(study, judging)
    return result


@in_python
def solve(
    format: Target,
    *,
    start: Deck | Target | Sequence[Deck | Target] = (),
    against: Deck | Target | Sequence[Deck | Target] = (),
    factions: Names = (),
    games: int = SOLVE_GAMES,
    bound: float = SOLVE_BOUND,
    rounds: int = SOLVE_ROUNDS,
    confirm: str | None = CONFIRM,
    confirm_games: int | None = None,
    seed: int = SEED,
    policy: str = "heuristic",
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    run: Target | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> SolveResult | LineupsResult:
    """Find the mix of decks that a strong team would bring.

    It begins with the decks of `start`, or a random one of each faction. Searches of
    `games` each look for the deck that beats the mix best, which then joins, until none
    gains more than `bound` points, or after `rounds` of them. The mix then meets the
    decks of `against`. In a format of matches, the decks of `start` are those of which
    lineups are made, and the result is the best lineup against those of `against`, or
    the best mix of lineups; there `games` are all. Everything else is as in `build`.
    """
    from deckcheck.sim.tables.inputs import enter
    from deckcheck.studies.lineups.play import solution_of
    from deckcheck.studies.solve.spec import SolveQuestion

    [player] = known_players(text_of("policy", policy))
    question = SolveQuestion(
        whole_number("seed", seed),
        player,
        whole_number("games", games),
        number("bound", bound),
        whole_number("rounds", rounds),
        names("factions", factions),
        confirming_player(confirm),
        optional_number("confirm_games", confirm_games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    first, others = ((decks,) if decks else () for decks in (start, against))
    fmt, database, (own, field) = entered(
        *("solve", judging, first),
        field=others,
        allow_illegal=allow_illegal,
        alone=True,
    )
    study: Study[Any, SolveResult | LineupsResult] = solution_of(
        fmt, database, enter(own, [player]), enter(field, [player]), question
    )
    return playing.play(study, judging)
