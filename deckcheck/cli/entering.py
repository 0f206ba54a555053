"""Build simulations from the decks of a command line, or from a plan."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, TypeVar

import typer

from deckcheck.cli.invocation import config_of, invocation_of
from deckcheck.cli.options import AllowIllegal, AsOf, FormatName, Rules, field_option
from deckcheck.cli.output import (
    FINDINGS,
    check_places,
    files_of,
    read_outputs,
    tell,
    tell_notes,
    write_outputs,
)
from deckcheck.cli.playing import (
    SEATING_OPTIONS,
    KeepOptions,
    Playable,
    PlayOptions,
    PlaySettings,
    play_all,
)
from deckcheck.cli.settings import nothing_named
from deckcheck.files import relative_path
from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.options import iterate_options
from deckcheck.sim.run_files import begin_series, checked_plan
from deckcheck.specs import GamesSpec, SimulateSpec

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.cli.output import Output, Writer
    from deckcheck.plans import Experiment, Plan
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import Simulation
    from deckcheck.studies.expect import PlacedExpectation
    from deckcheck.validation import DeckReport, Validation, Validator

T = TypeVar("T")

# Decks of the command line: read, judged, and seated in a simulation


@dataclass(frozen=True, slots=True)
class JudgingOptions:
    """How the decks of a command are judged before they play."""

    format: str | None
    card_db: Root
    rules: Sequence[str]
    as_of: str | None
    allow_illegal: bool = False

    def validator(self) -> Validator:
        """Return the validator. Raises UsageError for an unknown format or rule."""
        from deckcheck.validation import Validator

        return Validator(self.format, self.card_db, rules=self.rules, as_of=self.as_of)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingOptions:
    """Who meets whom, and how decks are judged before they play."""

    format: FormatName = None
    as_of: AsOf = None
    rule: Rules = None
    against: Annotated[
        list[str] | None,
        field_option(
            "The field: decks to play against, such as meta/*.deck, or `reference` "
            "for the field of the format. Takes every path up to the next option. "
            "Decks named before it meet the field, and not each other."
        ),
    ] = None
    gauntlet: Annotated[
        bool,
        typer.Option(
            help="Let the first deck meet all others, which do not meet each other."
        ),
    ] = False
    allow_illegal: AllowIllegal = False

    def build_simulation(
        self,
        ctx: typer.Context,
        decks: Sequence[str],
        card_db: Root,
        question: GamesSpec,
        *,
        quiet: bool = False,
        finding_outputs: Sequence[Output[Validation]] = (),
    ) -> tuple[Simulation, list[str]]:
        """Return the simulation of these decks, see `build_from_decks`."""
        judging = JudgingOptions(
            self.format, card_db, self.rule or (), self.as_of, self.allow_illegal
        )
        return build_from_decks(
            ctx,
            decks,
            question.request(),
            judging,
            self.against or (),
            gauntlet=self.gauntlet,
            quiet=quiet,
            finding_outputs=finding_outputs,
        )


def build_from_decks(
    ctx: typer.Context,
    decks: Sequence[str],
    request: Request,
    judging: JudgingOptions,
    against: Sequence[str],
    *,
    gauntlet: bool = False,
    quiet: bool,
    finding_outputs: Sequence[Output[Validation]] = (),
) -> tuple[Simulation, list[str]]:
    """Return the simulation of decks, and the files named twice.

    The findings of decks that may play are written to `finding_outputs`. Raises
    IllegalDeckError for decks that must not play, and UsageError.
    """
    from deckcheck.sim.simulation import build_simulation

    if not decks and not request.random_decks:
        raise nothing_named("decks", "Name two decks or more, or a folder", against)
    named, repeated = read_decks(ctx, decks, judging, quiet=quiet)
    field, repeated_in_field = read_field(ctx, against, named, judging, quiet=quiet)
    simulation = build_simulation(
        named,
        field if against else None,
        request,
        judging.validator(),
        gauntlet=gauntlet,
        allow_illegal=judging.allow_illegal,
    )
    write_findings([*named, *field], finding_outputs, "auto")
    return simulation, [*repeated, *repeated_in_field]


def read_decks(
    ctx: typer.Context,
    targets: Sequence[str],
    judging: JudgingOptions,
    *,
    quiet: bool = False,
) -> tuple[list[DeckReport], list[str]]:
    """Read and judge decks. Also returns the files named twice."""
    from deckcheck.decks import LeftOut
    from deckcheck.formats import notes_on_dates
    from deckcheck.sim.gathering import gather

    settings = config_of(ctx)
    left_out = LeftOut()
    reports, repeated = gather(
        targets,
        judging.format,
        judging.card_db,
        rules=judging.rules,
        as_of=judging.as_of,
        left_out=left_out,
        fallback=settings.formats_by_path() if settings else None,
    )
    tell_notes(left_out.notes, quiet=quiet)
    formats = {report.format.id: report.format for report in reports if report.format}
    dates = notes_on_dates(formats.values(), judging.card_db, judging.as_of)
    tell_notes(dates, quiet=quiet)
    if settings:
        reports = settings.weigh(reports)
    return reports, repeated


def read_field(
    ctx: typer.Context,
    targets: Sequence[str],
    named: Sequence[DeckReport],
    judging: JudgingOptions,
    *,
    quiet: bool = False,
) -> tuple[list[DeckReport], list[str]]:
    """Read and judge the field that the decks `named` meet, as `read_decks`.

    The word `reference` means the field of the format. Raises IllegalDeckError and
    UsageError if that format cannot be determined.
    """
    from deckcheck.sim.gathering import load_reference_field, split_reference
    from deckcheck.sim.simulation import playable_format

    files, has_reference = split_reference(targets)
    field, repeated = read_decks(ctx, files, judging, quiet=quiet)
    if not has_reference:
        return field, repeated
    fmt, _ = playable_format(
        [*named, *field], judging.validator(), allow_illegal=judging.allow_illegal
    )
    reference = load_reference_field(fmt, judging.card_db)
    tell_notes([reference.note], quiet=quiet)
    return [*reference.decks, *field], repeated


FINDING_OUTPUTS = ("github", "gitlab", "sarif", "junit", "rdjson")
"""The outputs of findings that commands write for the decks that play."""


def split_outputs(
    words: Sequence[str] | None,
    writers: Sequence[tuple[str, Writer[T]]],
    file: Path | None,
) -> tuple[tuple[Output[T], ...], tuple[Output[Validation], ...]]:
    """Return the outputs of the result, and the outputs of the findings of its decks.

    If only findings are requested on standard output, no result is written there.
    """
    from deckcheck.reporters import REPORTERS

    known = dict(writers)
    result_words: list[str] = []
    finding_words: list[str] = []
    for word in words or ():
        name = word.partition(":")[0]
        if name in FINDING_OUTPUTS and name not in known:
            finding_words.append(word)
        else:
            result_words.append(word)
    if not finding_words:
        return read_outputs(result_words, writers, file), ()
    # The file is for the result, if a result is asked for.
    findings_file = None if result_words else file
    findings = read_outputs(finding_words, REPORTERS, findings_file)
    is_shown = any(output.file is None for output in findings)
    if is_shown and not result_words:
        return (), findings
    if is_shown and file is None and any(":" not in word for word in result_words):
        help = "Write either to a file, such as `sarif:findings.sarif`"
        raise UsageError("Only a single output can go to standard output", help)
    return read_outputs(result_words, writers, file), findings


def write_findings(
    reports: Sequence[DeckReport],
    finding_outputs: Sequence[Output[Validation]],
    color: str,
) -> None:
    """Write the findings of decks, legal or not, to the requested outputs."""
    if finding_outputs:
        from deckcheck.reporters import REPORTERS
        from deckcheck.validation import Validation

        run = Validation(tuple(reports)).sort_reports()
        write_outputs(run, finding_outputs, color, 0, dict(REPORTERS)["markdown"])


def refuse(
    error: IllegalDeckError,
    stream: TextIO,
    color: str,
    quiet: int,
    finding_outputs: Sequence[Output[Validation]] = (),
) -> None:
    """Show the findings of decks that must not play, such as unreadable decks."""
    from deckcheck.reporters import REPORTERS
    from deckcheck.terminal import Style, wants_color
    from deckcheck.validation import Validation

    write_findings(error.reports, finding_outputs, color)
    if quiet > 1:
        return
    if any(output.file is None for output in finding_outputs):
        stream = sys.stderr
    style = Style(wants_color(color, stream, os.environ))
    dict(REPORTERS)["full"](Validation(error.reports), stream, style, not quiet)
    if not quiet:
        can_play = all(report.deck is not None for report in error.reports)
        remedy = ". --allow-illegal lets illegal decks play" if can_play else ""
        tell(f"No game was played{remedy}")


@contextmanager
def refusing(
    outputs: Sequence[Output[Any]],
    color: str,
    quiet: int,
    finding_outputs: Sequence[Output[Validation]] = (),
) -> Iterator[None]:
    """End the command with the findings of decks that must not play.

    They are shown in place of a table, so that no other output is spoilt.
    """
    from deckcheck.sim.errors import IllegalDeckError

    try:
        yield
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        stream = sys.stdout if shows_table else sys.stderr
        refuse(error, stream, color, quiet, finding_outputs)
        raise typer.Exit(FINDINGS) from None


# `simulate --plan`: the experiments of a file, each a simulation of its own


def play_plan(
    ctx: typer.Context,
    file: Path,
    play_settings: PlaySettings,
    options: KeepOptions,
    *,
    run: Path | None,
    shard: str | None,
) -> int:
    """Play all experiments of a plan, and return the exit code."""
    from deckcheck.plans import read_plan

    _check_typed(ctx)
    plan = read_plan(file)
    planned = build_experiments(ctx, plan, play_settings.options)
    check_places(files_of(play_settings.outputs))
    simulations = {name: simulation for name, (simulation, _) in planned.items()}
    return play_all(keep_all(simulations, options, run, shard), play_settings)


def build_experiments(
    ctx: typer.Context, plan: Plan, options: PlayOptions
) -> dict[str, tuple[Simulation, list[PlacedExpectation]]]:
    """Return the simulations of a plan with their expectations, by name.

    Ends the command if decks must not play, with their findings. Raises UsageError.
    """
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.studies.expect import plan_experiments

    def simulation(name: str) -> Simulation:
        try:
            return _make_simulation(ctx, plan.experiments[name], options)
        except IllegalDeckError as error:
            refuse(error, sys.stderr, options.color, options.quiet)
            tell(f"Experiment `{name}`: `allow_illegal = true` lets illegal decks play")
            raise typer.Exit(FINDINGS) from None

    return plan_experiments(plan, plan.experiments, simulation)


def keep_all(
    simulations: dict[str, Simulation],
    options: KeepOptions,
    run: Path | None,
    shard: str | None = None,
    check: Path | None = None,
) -> list[tuple[str, Playable]]:
    """Return the runs that play each simulation and keep its games, by name.

    Each keeps them in its own folder of `run`, or in the cache. `check` is the plan
    with expectations to check.
    """
    if run is None:
        return [(name, options.keep(each)) for name, each in simulations.items()]
    begin_series(run, list(simulations), check)
    playables = []
    for name, simulation in simulations.items():
        playables.append((name, options.keep(simulation, run / name, shard)))
    return playables


def tell_expectations(folder: Path, quiet: int = 0) -> None:
    """Name the command that prints a verdict, since only a plan has expectations."""
    plan = checked_plan(folder)
    if plan is None or quiet:
        return
    here = relative_path(plan) if plan.is_relative_to(Path.cwd()) else str(plan)
    command = shlex.join(["deckcheck", "expect", here, "--run", str(folder)])
    tell(f"note: {quote(command)} checks the expectations of the plan")


def _check_typed(ctx: typer.Context) -> None:
    """Refuse options on the command line that the plan states itself."""
    in_the_plan = {
        "decks",
        *SEATING_OPTIONS,
        *(option.parameter for option in iterate_options(SimulateSpec)),
    }
    setting = invocation_of(ctx).find_typed(in_the_plan)
    if setting is not None and setting.name == "decks":
        raise UsageError("Decks belong in the plan", "Write them there")
    if setting is not None:
        raise UsageError(f"`{setting.opts[0]}` belongs in the plan", "Write it there")


def _make_simulation(
    ctx: typer.Context, experiment: Experiment, options: PlayOptions
) -> Simulation:
    """Make the simulation of an experiment. Raises IllegalDeckError and UsageError."""
    from deckcheck.plans import make_request

    judging = JudgingOptions(
        experiment.format,
        options.card_db,
        experiment.rules or (),
        experiment.as_of,
        bool(experiment.allow_illegal),
    )
    return build_from_decks(
        ctx,
        experiment.decks,
        make_request(experiment),
        judging,
        experiment.against,
        gauntlet=experiment.gauntlet,
        quiet=options.quiet > 0,
    )[0]
