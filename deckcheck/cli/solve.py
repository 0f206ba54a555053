"""`deckcheck solve`: what a strong team would bring."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli.declared import PATHS
from deckcheck.cli.grouping import grouped
from deckcheck.cli.options.games import field_option, policy_option
from deckcheck.cli.options.shared import Confirm, ConfirmGames, Factions, FormatArgument
from deckcheck.cli.studying import (
    StudyOptions,
    play_study,
    with_format,
    with_output,
)
from deckcheck.findings.errors import UsageError
from deckcheck.sim.defaults import CONFIRM, SOLVE_BOUND, SOLVE_GAMES, SOLVE_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions(StudyOptions):
    """Those of all studies, for a mix of decks that one player plays."""

    against: Annotated[
        list[str] | None,
        field_option(
            "Decks that the finished mix plays against, such as decks/, or "
            "`reference` for the field of the format; they have no part in the "
            "search. In a format of matches, lineups to find the best one against. "
            "Takes every path up to the next option."
        ),
    ] = None
    policy: Annotated[
        list[str] | None,
        policy_option(
            "Computer player that plays all decks: `random`, `sane_random`, "
            "`heuristic`, `learned` or `search`."
        ),
    ] = None


@grouped
def solve(
    ctx: typer.Context,
    which: FormatArgument = None,
    *,
    start: Annotated[
        list[str] | None,
        typer.Option(
            "--start",
            metavar=PATHS,
            help="Decks to begin with, such as decks/; in a format of matches, those "
            "to make lineups of. Takes every path up to the next option.",
            show_default="a random one of each faction; none in formats of matches",
        ),
    ] = None,
    faction: Factions = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            help="Games of each search for a counter-deck; where lineups are chosen, "
            "all games.",
        ),
    ] = SOLVE_GAMES,
    bound: Annotated[
        float,
        typer.Option(
            "--bound",
            metavar="POINTS",
            help="Stop when no counter-deck gains more than this against the mix: 3 "
            "points are a win rate of 53 %.",
        ),
    ] = SOLVE_BOUND,
    rounds: Annotated[
        int,
        typer.Option(
            "--rounds",
            metavar="NUMBER",
            help="Stop after this many searches at the latest, even if --bound is "
            "not reached.",
        ),
    ] = SOLVE_ROUNDS,
    confirm: Confirm = CONFIRM,
    confirm_games: ConfirmGames = None,
    decks: Annotated[
        Path | None,
        typer.Option(
            "--decks",
            metavar="FILE",
            help="Write the decks of the mix, or of the best lineup, to this file, "
            "as text.",
            show_default=False,
        ),
    ] = None,
    options: SolveOptions,
) -> int:
    """Find the mix of decks that a strong team would bring.

    Decks play each other, which gives the mix that none of them beats. A search then
    finds a counter-deck, which joins the decks, and so on until no counter-deck gains
    more than --bound. With --against the mix then meets other decks. In a format of
    matches, such as gwent/tournament, it says which lineup to bring: the best one
    against the lineups of --against, or else the mix that no lineup beats. Results
    depend only on format, decks, policy, seed, games, bound and rounds.
    """
    from deckcheck.sim.tables.inputs import enter
    from deckcheck.studies.lineups.play import kind_of_solution, solution_of
    from deckcheck.studies.solve.spec import SolveQuestion

    if len(options.policies) > 1:
        raise UsageError("Several policies given", "Name one who plays all decks")
    [policy] = options.policies
    question = SolveQuestion(
        options.seed,
        policy,
        games,
        bound,
        rounds,
        tuple(faction or ()),
        confirm,
        confirm_games,
    )
    options = with_output(with_format(options, which), "decks", decks)
    return play_study(
        ctx,
        start or [],
        options,
        lambda fmt, database, own, field: solution_of(
            fmt, database, enter(own, [policy]), enter(field, [policy]), question
        ),
        needs_field=False,
        alone=True,
        kind=kind_of_solution(options.judging.validator().format),
    )
