"""`simulate`, `expect`, `warmup`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import (
    SeatingOptions,
    build_experiments,
    keep_all,
    play_plan,
    refusing,
    split_outputs,
)
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.loading import command_to_resume, interrupts_end_at_once
from deckcheck.cli.options import (
    CardDb,
    Decks,
    GamesTableFile,
    RunFolder,
    ShardName,
    group_options,
    outputs_option,
    quiet_option,
)
from deckcheck.cli.output import (
    FINDINGS,
    check_places,
    files_of,
    read_outputs,
    say,
    tell,
    write_outputs,
)
from deckcheck.cli.playing import (
    KeepOptions,
    PlaySettings,
    check_table,
    command_to_replay,
    play,
    play_parts,
)
from deckcheck.files import only_one
from deckcheck.findings import UsageError
from deckcheck.messages import choice, game_count, quote
from deckcheck.policies import AUTO
from deckcheck.sim import SIMULATE_GAMES
from deckcheck.specs import USUAL, SimulateSpec, check_bots

if TYPE_CHECKING:
    from deckcheck.sim.simulation import Simulation
    from deckcheck.studies.expect import PlanCheck


# `deckcheck simulate`: decks against each other, and their win rates


@group_options
def simulate(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    seating: SeatingOptions,
    question: SimulateSpec,
    plan: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Play the experiments of a plan, such as week7.toml, which names "
            "the decks and the settings of their games.",
        ),
    ] = None,
    run: RunFolder = None,
    shard: ShardName = None,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("studies.simulation_page:SIMULATION"),
            "the result: table (default), line, json, csv, parquet, markdown or html. "
            "standings and matrix are tables as CSV",
        ),
    ] = None,
    games_table: GamesTableFile = None,
    options: KeepOptions,
) -> int:
    """Play decks against each other and report win rates.

    Two decks play each other, more play a round robin; other formats seat them at
    tables, in teams, or against an automatic opponent. The folder decks/gwent has
    samples for each: two_vs_two/ teams, free_for_all/ tables, tournament/ lineups.
    Results depend only on decks, format, policies, seed and games, and not on --jobs or
    the machine.
    """
    from deckcheck.studies.simulation_page import (
        SIMULATION,
        plan_writers,
        refuse_tables,
    )

    if shard is not None and run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    writers = SIMULATION.writers if plan is None else plan_writers
    outputs, finding_outputs = split_outputs(
        output_format, writers(full=options.full), options.output
    )
    command = command_to_resume(ctx, run) if run is not None else ""
    replay = "" if plan else command_to_replay(ctx)
    play_settings = PlaySettings(options, outputs, command, games_table, replay)
    check_table(play_settings, is_plan=plan is not None)
    if plan is not None:
        return play_plan(ctx, plan, play_settings, options, run=run, shard=shard)
    with refusing(outputs, options.color, options.quiet, finding_outputs):
        simulation, twice = seating.build_simulation(
            ctx,
            decks or (),
            options.card_db,
            question,
            quiet=options.quiet > 0,
            finding_outputs=finding_outputs,
        )
    check_places(files_of(outputs))
    if not simulation.is_of_two:
        refuse_tables(output.name for output in outputs)
    if not options.quiet:
        _explain(simulation, question.games, twice)
    return play(options.keep(simulation, run, shard), play_settings)


def _explain(simulation: Simulation, games: int | None, twice: list[str]) -> None:
    """Print on stderr where the run differs from the request."""
    if twice:
        tell(f"note: Named more than once, takes part once: {choice(twice, 'and')}")
    games_each = simulation.games_each
    if games is None and games_each < SIMULATE_GAMES:
        tell(
            f"note: The matchups share the games, {games_each:,} each. `--thorough` "
            f"plays {SIMULATE_GAMES:,} each"
        )
    if games is not None and games_each != games:
        tell(
            f"note: {game_count(games)} {'is' if games == 1 else 'are'} "
            f"rounded up to {games_each:,}, "
            f"in {simulation.unit}"
        )


# `deckcheck expect`: the expectations of a plan, tested by games


@group_options
def expect(
    ctx: typer.Context,
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN",
            help="The plan, a TOML file as for `simulate --plan`, such as "
            "balance.toml.",
        ),
    ],
    *,
    run: RunFolder = None,
    fail_on: Annotated[
        Literal["error", "open", "warning", "note"],
        typer.Option(
            help="Lowest severity that gives exit code 1. An open expectation is a "
            "warning, and an error with `open`."
        ),
    ] = "error",
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("studies.expect_report:EXPECTATION_WRITERS"),
            "the outcome: table (default), json, csv, parquet, markdown, html, "
            "junit, github or gitlab",
        ),
    ] = None,
    options: KeepOptions,
) -> int:
    """Play a plan, and fail when an expectation in it does not hold.

    An expectation that clearly does not hold is an error, an undecided expectation a
    warning. Exit code 0: nothing at or above --fail-on, 1: findings.
    """
    from deckcheck.plans import read_plan
    from deckcheck.studies.expect_report import (
        EXPECTATION_WRITERS,
        write_expectation_page,
    )

    plan = only_one(plan)
    outputs = read_outputs(output_format or (), EXPECTATION_WRITERS, options.output)
    resume = "" if run is None else invocation_of(ctx).command_again(str(plan))
    expectations = read_plan(plan)
    planned = build_experiments(ctx, expectations, options)
    asked = {name: planned[name] for name in expectations.expecting}
    if not asked:
        raise UsageError(
            f"Nothing is expected in {quote(str(plan))}",
            'Write `expect = ["win_rate(a, b) < 0.65"]` below an experiment',
        )
    _tell_left_out([name for name in planned if name not in asked], options.quiet)
    check_places(files_of(outputs))
    simulations = {name: simulation for name, (simulation, _) in asked.items()}
    parts = keep_all(simulations, options, run, check=plan)
    results, code = play_parts(parts, PlaySettings(options, outputs, resume))
    if code:
        return code
    from deckcheck.studies.expect import PlanCheck, check_experiments

    checks = check_experiments(dict(results), asked)
    text = expectations.source.document.text
    outcome = PlanCheck(expectations.path, text, checks, fail_on == "open")
    write_outputs(
        outcome, outputs, options.color, options.quiet, write_expectation_page
    )
    return FINDINGS if _has_failed(outcome, fail_on) else 0


def _tell_left_out(names: list[str], quiet: int) -> None:
    if names and not quiet:
        tell(f"note: Not played, since nothing is expected: {choice(names, 'and')}")


def _has_failed(check: PlanCheck, fail_on: str) -> bool:
    severities = {str(finding.severity) for finding in check.validation.findings}
    return "error" in severities or (fail_on != "error" and bool(severities))


# `deckcheck warmup`: compile the engine ahead of time


def warmup(
    formats: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FORMAT...",
            autocompletion=completing.formats,
            help="Formats to compile for (default: every format of every game).",
        ),
    ] = None,
    *,
    policy: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            autocompletion=completing.policies,
            help="Bot to compile for, such as `learned`, which takes "
            "longer than the others.",
            show_default=USUAL,
        ),
    ] = AUTO,
    quiet: Annotated[int, quiet_option("Do not list compiled parts.")] = 0,
    card_db: CardDb = None,
) -> int:
    """Compile the engine ahead of time.

    The first simulation after an installation or an update has to compile the engine,
    which takes up to a minute for each way to play. This does it now. Afterwards
    simulations start at once. If the command is interrupted, finished parts are kept.
    """
    from deckcheck.engine.cache import (
        CACHE_FAULTS,
        CACHE_FOLDER,
        compiled,
        warn_unkept_code,
    )
    from deckcheck.formats import format_ids, load_format
    from deckcheck.sim.warmup import compiled_together, warm_format

    check_bots([policy])
    chosen = [load_format(id, card_db) for id in formats or format_ids(card_db)]
    if not compiled:
        say("nothing to compile: NUMBA_DISABLE_JIT is set")
        return 0
    parts = compiled_together(chosen)
    for number, part in enumerate(parts, start=1):
        names = ", ".join(fmt.id for fmt in part)
        if not quiet:
            tell(f"{number} of {len(parts)}: {names}")
        with interrupts_end_at_once("parts compiled before are kept"):
            seconds, was_warm = warm_format(
                part[0], card_db, policy=policy, announces=not quiet
            )
        if not quiet:
            done = "was compiled already, loaded" if was_warm else "compiled"
            say(f"{names}: {done} in {seconds:.1f} s")
    if CACHE_FOLDER is None:
        warn_unkept_code(CACHE_FAULTS)
    elif not quiet:
        say(f"kept in {CACHE_FOLDER}")
    return 0
