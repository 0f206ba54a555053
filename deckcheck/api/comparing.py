"""Compare versions of a deck or of a format, and weigh cards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from deckcheck.api.entering import confirming_player, known_players
from deckcheck.api.playing import Playing, entered
from deckcheck.api.reporting import Weights, field_weights
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
from deckcheck.sim.defaults import (
    COMPARE_MARGIN,
    CONFIRM,
    IMPACT_GAMES,
    REFERENCE,
    SEED,
)

if TYPE_CHECKING:
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.studies.changes.result import Changes
    from deckcheck.studies.compare.result import ComparisonResult
    from deckcheck.studies.impact.result import ImpactResult
    from deckcheck.studies.redraws.result import RedrawsResult

__all__ = ["compare", "compare_formats", "impact", "redraws"]


@in_python
def compare(
    *versions: Deck | Target | Sequence[Deck | Target],
    against: Deck | Target | Sequence[Deck | Target] = REFERENCE,
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
        "compare", judging, versions, field=(against,), allow_illegal=allow_illegal
    )
    study = comparison_of(fmt, database, own, field, question)
    result: ComparisonResult = playing.play(study, judging)
    return result


@in_python
def compare_formats(
    *decks: Deck | Target | Sequence[Deck | Target],
    new_format: Target,
    against: Deck | Target | Sequence[Deck | Target] = (),
    games: int | None = None,
    margin: float = COMPARE_MARGIN,
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
) -> Changes:
    """Find out what a changed card or rule does to decks: they play under two formats.

    That is `format`, or the decks' own, and `new_format`, with the same shuffles. With
    `against`, a field of decks, they meet these and not each other. Games are played
    until each change is known, or is less than `margin` points; with `games`, every two
    decks play this many. Everything else is as in `simulate`.
    """
    from deckcheck.api.simulating import enter
    from deckcheck.sim.tables.seating import Request
    from deckcheck.studies.changes.play import FIRST_GAMES, FormatChange, Place

    number_of_games = optional_number("games", games)
    request = Request(
        number_of_games or FIRST_GAMES,
        whole_number("seed", seed),
        known_players(policies),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    new = Judging.of(new_format, card_db, rule, as_of)
    before, after = (
        enter(decks, request, how, against=against, allow_illegal=allow_illegal)
        for how in (judging, new)
    )
    playing = Playing.of(jobs, executor, progress, run)
    place = None if playing.place is None else Place(playing.place, judging.root)
    small = number("margin", margin)
    change = FormatChange(before, after, number_of_games, small, place)
    return change.run(
        jobs=playing.jobs, executor=playing.executor, watch=playing.progress
    )


@in_python
def impact(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target] = REFERENCE,
    games: int = IMPACT_GAMES,
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
) -> ImpactResult:
    """Find out what each card of a deck is worth against a field of decks.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games, `games` of each over the whole field. What is tried is chosen
    in a first trial; the figures are from other games. The player `confirm` weighs the
    card to cut again, with `confirm_games` of each version: `learned` where it knows
    the game unless it is another one, or None for nobody. `weights`, a CSV file or
    numbers by name, say how often each opponent comes. `policies` names a player for
    all decks, or one for the deck and one for the field. Everything else is as in
    `simulate`.
    """
    from deckcheck.studies.impact.play import ImpactQuestion, impact_of

    question = ImpactQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
        confirm=confirming_player(confirm),
        confirm_games=optional_number("confirm_games", confirm_games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    fmt, database, (own, field) = entered(
        "impact", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    question = replace(
        question, weights=field_weights(weights, field, question.policies)
    )
    study = impact_of(fmt, database, own, field, question)
    result: ImpactResult = playing.play(study, judging)
    return result


@in_python
def redraws(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target] = REFERENCE,
    hand: Target | Sequence[str] | None = None,
    games: int = IMPACT_GAMES,
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
) -> RedrawsResult:
    """Find out which cards of the dealt hand are better sent back.

    Each card is kept and sent back first in the same games, `games` of each over the
    whole field; the best to send back are played again in fresh games. With a `hand`,
    a text such as `"Roach, 2 Catapult, ..."`, a file or a list of names, that is the
    one which is dealt, and each redraw is compared with keeping all of it. The player
    `confirm` plays the best again, too. Everything else is as in `impact`.
    """
    from deckcheck.studies.redraws.play import RedrawsQuestion, redraws_study

    question = RedrawsQuestion(
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        games=whole_number("games", games),
        confirm=confirming_player(confirm),
        confirm_games=optional_number("confirm_games", confirm_games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run)
    fmt, database, (own, field) = entered(
        "redraws", judging, (deck,), field=(against,), allow_illegal=allow_illegal
    )
    question = replace(
        question, weights=field_weights(weights, field, question.policies)
    )
    study = redraws_study(fmt, database, own, field, question, hand=hand)
    result: RedrawsResult = playing.play(study, judging)
    return result
