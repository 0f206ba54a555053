"""`deckcheck simulate`: decks against each other, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO, TypedDict

import typer

from deckcheck.cli import completing
from deckcheck.cli.loaded import settings_of
from deckcheck.cli.options import (
    AllMatchups,
    AsOf,
    CardDb,
    Color,
    ExecutorName,
    FormatName,
    Jobs,
    OutputFile,
    Quiet,
    ResultFormat,
    Rules,
    RunFolder,
    Scheduler,
)
from deckcheck.cli.playing import How, command_to_resume, play
from deckcheck.cli.printing import tell, tell_notes
from deckcheck.findings.errors import UsageError
from deckcheck.findings.reads import note_read

if TYPE_CHECKING:
    from deckcheck.formats import Format
    from deckcheck.sim.simulation import Simulation
    from deckcheck.validation import DeckReport

__all__ = ["simulate"]

DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1
FINDINGS = 1


def simulate(
    ctx: typer.Context,
    decks: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="DECK...",
            help="Files, folders, globs, share codes, or - for standard input.",
            show_default=False,
        ),
    ] = None,
    *,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", metavar="NUMBER", help="Games of each matchup, in pairs."
        ),
    ] = DEFAULT_GAMES,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="NUMBER", help="Another seed gives other games."
        ),
    ] = DEFAULT_SEED,
    policy: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            autocompletion=completing.policies,
            help="Who plays: once for all decks, or once for each in order.",
            show_default="heuristic",
        ),
    ] = None,
    format: FormatName = None,
    as_of: AsOf = None,
    rule: Rules = None,
    mirror: Annotated[
        bool, typer.Option("--mirror", help="Let each deck also meet itself.")
    ] = False,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="FACTION",
            autocompletion=completing.factions,
            help="Faction of the automa in solo formats; else all, in turn.",
            show_default=False,
        ),
    ] = None,
    random_decks: Annotated[
        bool,
        typer.Option("--random-decks", help="Deal new random decks for every game."),
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            metavar="NUMBER",
            help="How many sit down with random decks.",
            show_default=False,
        ),
    ] = None,
    select: Annotated[
        list[str] | None,
        typer.Option(
            "--select",
            metavar="NAME",
            autocompletion=completing.selections,
            help="How a tournament player chooses decks: optimal, random or fixed.",
            show_default="optimal",
        ),
    ] = None,
    matchups: Annotated[
        Path | None,
        typer.Option(
            "--matchups",
            metavar="FILE",
            help="Choose decks by the json of a finished run, without measuring.",
        ),
    ] = None,
    allow_illegal: Annotated[
        bool, typer.Option("--allow-illegal", help="Let illegal decks play.")
    ] = False,
    run: RunFolder = None,
    shard: Annotated[
        str | None,
        typer.Option(
            "--shard",
            metavar="I/N",
            help="Play one part of all games, such as 3/8, for `merge`.",
            show_default=False,
        ),
    ] = None,
    jobs: Jobs = None,
    executor: ExecutorName = "processes",
    scheduler: Scheduler = None,
    output_format: ResultFormat = None,
    output: OutputFile = None,
    all_matchups: AllMatchups = False,
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
    from deckcheck.formats import database_of
    from deckcheck.report import writers
    from deckcheck.sim.matches.chances import read_chances
    from deckcheck.sim.reports import common_format, gather
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import simulation_of

    if shard is not None and run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    outputs = read_outputs(
        output_format or (), writers(all_matchups=all_matchups), output
    )
    request = Request(
        games=games,
        seed=seed,
        policies=tuple(_known_policies(policy)),
        mirror=mirror,
        opponents=tuple(opponent or ()),
        random_decks=random_decks,
        players=players,
        selections=tuple(select or ()),
        matchups=None if matchups is None else read_chances(matchups),
    )
    settings = settings_of(ctx)
    changes: _Changes = {"rules": rule or (), "as_of": as_of}
    reports: list[DeckReport] = []
    twice: list[str] = []
    if decks:
        notes: list[str] = []
        fallback = settings.formats_by_path() if settings else None
        reports, twice = gather(
            decks, format, card_db, notes=notes, fallback=fallback, **changes
        )
        if settings:
            reports = settings.weigh(reports)
        tell_notes(notes, quiet=quiet > 0)
    elif not random_decks:
        raise UsageError("No decks given", "Name two decks or more, or a folder")
    refused = [r for r in reports if r.deck is None or not (r.legal or allow_illegal)]
    if refused:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        _refuse(refused, sys.stdout if shows_table else sys.stderr, color, quiet)
        return FINDINGS
    fmt = common_format(reports) if reports else _named(format, card_db, changes)
    simulation = simulation_of(fmt, database_of(fmt, card_db), reports, request)
    if matchups is not None:
        note_read(matchups)
    check_places(files_of(outputs))
    if not quiet:
        _explain(simulation, games, twice)
    kept = None
    if run is not None:
        from deckcheck.sim.runs.directory import new_run

        kept = new_run(run, simulation, shard=shard, card_db=card_db)
    again = command_to_resume(ctx, run) if run is not None else ""
    return play(
        simulation, kept, How(jobs, executor, scheduler, outputs, color, quiet), again
    )


class _Changes(TypedDict):
    rules: Sequence[str]
    as_of: str | None


def _named(format: str | None, card_db: Path | None, changes: _Changes) -> Format:
    """The format to deal random decks by."""
    from deckcheck.validation import Validator

    known = Validator(format, card_db, **changes).format
    if known is None:
        raise UsageError("Random decks need a format", "Name one with `--format`")
    return known


def _known_policies(names: list[str] | None) -> list[str]:
    from deckcheck.policies.host.registry import DEFAULT_POLICY, read_policy

    for name in names or ():
        read_policy(name)
    return names or [DEFAULT_POLICY]


def _refuse(refused: list[DeckReport], stream: TextIO, color: str, quiet: int) -> None:
    """Show why decks must not play; an unreadable one cannot, whatever is allowed."""
    from deckcheck.findings.style import Style, wants_color
    from deckcheck.reporters import REPORTERS
    from deckcheck.validation import Validation

    if quiet > 1:
        return
    style = Style(wants_color(color, stream, os.environ))
    dict(REPORTERS)["full"](Validation(tuple(refused)), stream, style, not quiet)
    if not quiet:
        tell("No game was played; --allow-illegal lets illegal decks play")


def _explain(simulation: Simulation, games: int, twice: list[str]) -> None:
    """Say on stderr where the run differs from what was asked for."""
    from deckcheck.findings.words import choice

    if twice:
        tell(f"note: Named more than once, takes part once: {choice(twice, 'and')}")
    each = simulation.games_each
    if each != games:
        tell(f"note: {games:,} games are rounded up to {each:,}, in {simulation.unit}")
