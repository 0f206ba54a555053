"""`deckcheck simulate`: decks against each other, and what came of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

import typer

from deckcheck.cli import completing
from deckcheck.cli.options import AsOf, CardDb, Color, FormatName, Rules
from deckcheck.cli.printing import tell, tell_notes
from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.formats import Format
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.simulation import Simulation
    from deckcheck.validation import DeckReport

__all__ = ["simulate"]

DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1
FINDINGS, INTERNAL_ERROR, INTERRUPTED = 1, 3, 130


def simulate(
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
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            help="Worker processes at most; they change no result.",
            show_default="cores",
        ),
    ] = None,
    output_format: Annotated[
        Literal["table", "json", "csv", "markdown"],
        typer.Option("--output-format", help="How the result is written."),
    ] = "table",
    all_matchups: Annotated[
        bool,
        typer.Option(
            "--all-matchups", help="Show all matchups in detail, however many."
        ),
    ] = False,
    color: Color = "auto",
    quiet: Annotated[
        int,
        typer.Option(
            "--quiet",
            "-q",
            count=True,
            help="No progress; twice: nothing at all.",
            show_default=False,
        ),
    ] = 0,
    card_db: CardDb = None,
) -> int:
    """Play decks against each other and report win rates.

    Two decks are a match, more a round robin; other formats seat them at tables, in
    teams, or against an automa. Results depend on decks, format, policies, seed and
    games alone: not on --jobs, and not on the machine.
    """
    from deckcheck.formats import database_of
    from deckcheck.report import write_report
    from deckcheck.sim.executors import usable_cores
    from deckcheck.sim.reports import common_format, gather
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import simulation_of

    request = Request(
        games=games,
        seed=seed,
        policies=tuple(_known_policies(policy)),
        mirror=mirror,
        opponents=tuple(opponent or ()),
        random_decks=random_decks,
        players=players,
        selections=tuple(select or ()),
        matchups=matchups,
    )
    changes: _Changes = {"rules": rule or (), "as_of": as_of}
    reports: list[DeckReport] = []
    again: list[str] = []
    if decks:
        notes: list[str] = []
        reports, again = gather(decks, format, card_db, notes=notes, **changes)
        tell_notes(notes)
    elif not random_decks:
        raise UsageError("No decks given", "Name two decks or more, or a folder")
    refused = [r for r in reports if r.deck is None or not (r.legal or allow_illegal)]
    if refused:
        _refuse(refused, output_format, color, quiet)
        return FINDINGS
    fmt = common_format(reports) if reports else _named(format, card_db, changes)
    simulation = simulation_of(fmt, database_of(fmt, card_db), reports, request)
    if not quiet:
        _explain(simulation, games, again)
    result = _play(simulation, usable_cores() if jobs is None else jobs, quiet > 0)
    if isinstance(result, int):
        return result
    if quiet < 2:
        width = _width(sys.stdout)
        text = write_report(result, output_format, width, all_matchups=all_matchups)
        sys.stdout.write(text)
    return 0


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
    from deckcheck.policies.host.registry import DEFAULT_POLICY, policy_number

    for name in names or ():
        policy_number(name)
    return names or [DEFAULT_POLICY]


def _refuse(
    refused: list[DeckReport], output_format: str, color: str, quiet: int
) -> None:
    """Show why decks must not play; an unreadable one cannot, whatever is allowed."""
    from deckcheck.reporters import REPORTERS, Style, wants_color
    from deckcheck.validation import Validation

    if quiet > 1:
        return
    stream = sys.stdout if output_format == "table" else sys.stderr
    style = Style(wants_color(color, stream, os.environ))
    dict(REPORTERS)["full"](Validation(tuple(refused)), stream, style, not quiet)
    if not quiet:
        tell("No game was played; --allow-illegal lets illegal decks play")


def _explain(simulation: Simulation, games: int, again: list[str]) -> None:
    """Say on stderr where the run differs from what was asked for."""
    from deckcheck.findings.words import choice

    if again:
        tell(f"note: Named more than once, takes part once: {choice(again, 'and')}")
    each = simulation.games_each
    if each != games:
        tell(f"note: {games:,} games are rounded up to {each:,}, in {simulation.unit}")


def _play(simulation: Simulation, jobs: int, quiet: bool) -> SimulationResult | int:
    """Play with progress on stderr; return the exit code when that fails."""
    from deckcheck.cli.interrupts import interrupts_end_at_once
    from deckcheck.cli.progress import ProgressLine
    from deckcheck.sim.errors import SimulationError

    width = _width(sys.stderr)
    progress = ProgressLine(sys.stderr, quiet=quiet, width=width)
    try:
        result = simulation.run(
            jobs=jobs, watch=progress, while_compiling=interrupts_end_at_once()
        )
    except KeyboardInterrupt:
        progress.clear()
        tell(f"Interrupted: {progress.summary()}")
        return INTERRUPTED
    except SimulationError as error:
        progress.clear()
        tell(f"error: {error.message}")
        tell(f"help: {error.help}")
        return INTERNAL_ERROR
    progress.clear()
    return result


def _width(stream: object) -> int:
    import shutil

    isatty = getattr(stream, "isatty", lambda: False)
    return shutil.get_terminal_size().columns if isatty() else 80
