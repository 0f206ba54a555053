"""`deckcheck expect`: whether games bear out what a plan expects."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import OUTPUT
from deckcheck.cli.grouping import grouped
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options.play import PlayOptions
from deckcheck.cli.options.shared import FailOn, RunFolder
from deckcheck.cli.planning import Place, enter_plan, kept_or_not
from deckcheck.cli.playing import play_parts
from deckcheck.cli.printing import tell
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import only_one
from deckcheck.findings.words import choice, quote

if TYPE_CHECKING:
    from deckcheck.studies.expect.result import PlanCheck


FINDINGS = 1


@grouped
def expect(
    ctx: typer.Context,
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN",
            help="The plan, a TOML file like that of `simulate --plan`, such as "
            "balance.toml.",
        ),
    ],
    *,
    run: RunFolder = None,
    fail_on: FailOn = "error",
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.expectation_outputs,
            help="How to write the outcome: table (default), json, csv, parquet, "
            "markdown, html, junit, github or gitlab. FORMAT:FILE writes a file. Can "
            "be given several times.",
            show_default=False,
        ),
    ] = None,
    options: PlayOptions,
) -> int:
    """Play a plan, and fail when an expectation in it does not hold.

    An expectation that surely does not hold is an error, one that the games do not
    decide a warning. Exit code 0: nothing at or above --fail-on; 1: findings.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.plans import read_plan
    from deckcheck.studies.expect.outputs import (
        EXPECTATION_WRITERS,
        write_expectation_page,
    )

    plan = only_one(plan)
    outputs = read_outputs(output_format or (), EXPECTATION_WRITERS, options.output)
    again = "" if run is None else invocation_of(ctx).command_again(str(plan))
    how = options.how(outputs, again)
    expectations = read_plan(plan)
    planned = enter_plan(ctx, expectations, how, options.card_db)
    if planned is None:
        return FINDINGS
    asked = {name: planned[name] for name in expectations.expecting}
    if not asked:
        raise UsageError(
            f"Nothing is expected in {quote(str(plan))}",
            'Write `expect = ["win_rate(a, b) < 0.65"]` below an experiment',
        )
    _tell_left_out([name for name in planned if name not in asked], options.quiet)
    check_places(files_of(outputs))
    simulations = {name: simulation for name, (simulation, _) in asked.items()}
    parts = kept_or_not(simulations, Place(run, None, options.card_db), plan)
    results, code = play_parts(parts, how)
    if code:
        return code
    from deckcheck.studies.expect.result import PlanCheck, checked

    checks = checked(dict(results), {name: own for name, (_, own) in asked.items()})
    outcome = PlanCheck(expectations.path, expectations.source.document.text, checks)
    write_outputs(
        outcome, outputs, options.color, options.quiet, write_expectation_page
    )
    return FINDINGS if _fails(outcome, fail_on) else 0


def _tell_left_out(names: list[str], quiet: int) -> None:
    if names and not quiet:
        tell(f"note: Not played, since nothing is expected: {choice(names, 'and')}")


def _fails(check: PlanCheck, fail_on: str) -> bool:
    severities = {str(finding.severity) for finding in check.validation.findings}
    return "error" in severities or (fail_on != "error" and bool(severities))
