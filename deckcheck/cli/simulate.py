"""`deckcheck simulate`: decks against each other, and what came of it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli.entering import Entry, Judging, enter, known_policies, refuse
from deckcheck.cli.game_options import (
    Against,
    AllowIllegal,
    Decks,
    Games,
    Gauntlet,
    Matchups,
    Mirror,
    Opponents,
    Players,
    Policies,
    RandomDecks,
    Seed,
    Selections,
)
from deckcheck.cli.options import (
    AllMatchups,
    AsOf,
    CardDb,
    Color,
    ExecutorName,
    FormatName,
    GamesTableFile,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    ResultFormat,
    Rules,
    RunFolder,
    Scheduler,
    ShardName,
)
from deckcheck.cli.planning import Place, play_plan
from deckcheck.cli.playing import (
    How,
    check_table,
    command_to_replay,
    command_to_resume,
    play,
)
from deckcheck.cli.printing import tell
from deckcheck.cli.stopping_options import (
    Adaptive,
    Alpha,
    Beta,
    Elo,
    SprtLeads,
    UntilWidth,
)
from deckcheck.findings.errors import UsageError
from deckcheck.sim.defaults import ALPHA, BETA, SEED, SIMULATE_GAMES

if TYPE_CHECKING:
    from deckcheck.sim.simulation import Simulation

__all__ = ["simulate"]

FINDINGS = 1


def simulate(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    games: Games = SIMULATE_GAMES,
    seed: Seed = SEED,
    policy: Policies = None,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    against: Against = None,
    gauntlet: Gauntlet = False,
    mirror: Mirror = False,
    opponent: Opponents = None,
    random_decks: RandomDecks = False,
    players: Players = None,
    select: Selections = None,
    matchups: Matchups = None,
    allow_illegal: AllowIllegal = False,
    until_width: UntilWidth = None,
    sprt: SprtLeads = None,
    alpha: Alpha = ALPHA,
    beta: Beta = BETA,
    elo: Elo = "logistic",
    adaptive: Adaptive = False,
    plan: Annotated[
        Path | None,
        typer.Option(
            "--plan",
            metavar="FILE",
            help="Play the experiments of a plan, which has all other settings.",
            show_default=False,
        ),
    ] = None,
    run: RunFolder = None,
    shard: ShardName = None,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    scheduler: Scheduler = None,
    output_format: ResultFormat = None,
    output: OutputFile = None,
    all_matchups: AllMatchups = False,
    games_table: GamesTableFile = None,
    progress: Progress = "auto",
    color: Color = "auto",
    quiet: Quiet = 0,
    card_db: CardDb = None,
) -> int:
    """Play decks against each other and report win rates.

    Two decks are a match, more a round robin; other formats seat them at tables, in
    teams, or against an automa. Results depend on decks, format, policies, seed and
    games alone: not on --jobs, and not on the machine.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.report import plan_writers, writers
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.matches.chances import read_chances
    from deckcheck.sim.seating import Request
    from deckcheck.sim.stopping_words import read_stopping

    if shard is not None and run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    known = writers if plan is None else plan_writers
    outputs = read_outputs(
        output_format or (), known(all_matchups=all_matchups), output
    )
    command = command_to_resume(ctx, run) if run is not None else ""
    how = How(
        jobs,
        executor,
        scheduler,
        outputs,
        color,
        quiet,
        command,
        progress,
        games_table,
        "" if plan else command_to_replay(ctx),
    )
    check_table(how, plan is not None)
    stopping = read_stopping(until_width, sprt, alpha, beta, elo=elo, adaptive=adaptive)
    if plan is not None:
        return play_plan(ctx, plan, how, Place(run, shard, card_db))
    request = Request(
        games=games,
        seed=seed,
        policies=known_policies(policy),
        mirror=mirror,
        opponents=tuple(opponent or ()),
        random_decks=random_decks,
        players=players,
        selections=tuple(select or ()),
        matchups=None if matchups is None else read_chances(matchups),
        stopping=stopping,
    )
    entry = Entry(
        decks or (),
        request,
        Judging(format, card_db, rule or (), as_of, allow_illegal),
        against or (),
        gauntlet,
    )
    try:
        simulation, twice = enter(ctx, entry, quiet=quiet > 0)
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        refuse(error, sys.stdout if shows_table else sys.stderr, color, quiet)
        return FINDINGS
    check_places(files_of(outputs))
    if not quiet:
        _explain(simulation, games, twice)
    if run is None:
        return play(simulation, how)
    from deckcheck.sim.runs.directory import new_run

    return play(new_run(run, simulation, shard=shard, card_db=card_db), how)


def _explain(simulation: Simulation, games: int, twice: list[str]) -> None:
    """Say on stderr where the run differs from what was asked for."""
    from deckcheck.findings.words import choice

    if twice:
        tell(f"note: Named more than once, takes part once: {choice(twice, 'and')}")
    each = simulation.games_each
    if each != games:
        tell(f"note: {games:,} games are rounded up to {each:,}, in {simulation.unit}")
