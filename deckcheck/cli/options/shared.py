"""Options of all kinds of commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.declared import NEEDED, OUTPUT
from deckcheck.findings.errors import UsageError
from deckcheck.sim.defaults import MOST_JOBS

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase, Root
    from deckcheck.decks.converting import Converter


FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="Format to use, such as gwent/standard or ./league.yaml; "
        "by default each deck's own.",
    ),
]

OwnCards = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="Format whose own cards the decks use.",
    ),
]

AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="Use the formats as of this date: 2025-10 or 2025-10-31.",
    ),
]

Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="Add a rule to the format: 'max specials 4', 'min units 24', "
        "'ban Scorch', 'limit Decoy 1'. Can be given several times.",
        show_default=False,
    ),
]

SilentGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        autocompletion=completing.games,
        help="Game of the decks that do not name one.",
    ),
]

Color = Annotated[
    Literal["auto", "always", "never"],
    typer.Option("--color", help="When to use colours."),
]

OutputFile = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="File to write to; by default standard output.",
    ),
]

CardDb = Annotated[
    list[Path] | None,
    typer.Option(
        "--card-db",
        metavar="FOLDER",
        help="Folder of card databases to use instead of the built-in one, which is "
        "called `built-in`. Can be given several times.",
        show_default=False,
    ),
]

Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        metavar="NUMBER",
        min=1,
        max=MOST_JOBS,
        help="Worker processes at most; they change no result.",
        show_default="cores",
    ),
]

ExecutorName = Annotated[
    Literal["processes", "in-process", "dask"],
    typer.Option("--executor", help="Where games are played."),
]

Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="ADDRESS",
        help="Dask scheduler to use, such as tcp://host:8786; else this machine.",
        show_default=False,
    ),
]

ResultFormat = Annotated[
    list[str] | None,
    typer.Option(
        "--output-format",
        metavar=OUTPUT,
        autocompletion=completing.simulation_outputs,
        help="How the result is written: table (default), json, csv, markdown or "
        "html; with a file, there. Can be given several times.",
        show_default=False,
    ),
]

FormatArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="FORMAT",
        autocompletion=completing.formats,
        help="The format whose legal decks are searched.",
        show_default=NEEDED,
    ),
]

Factions = Annotated[
    list[str] | None,
    typer.Option(
        "--faction",
        metavar="NAME",
        autocompletion=completing.factions,
        help="A faction that is searched; may be given several times.",
        show_default="all",
    ),
]

Confirm = Annotated[
    str | None,
    typer.Option(
        "--confirm",
        metavar="POLICY",
        autocompletion=completing.policies,
        help="Play the proof again with a stronger player: `learned` or `search`.",
        show_default=False,
    ),
]

ConfirmGames = Annotated[
    int | None,
    typer.Option(
        "--confirm-games",
        metavar="NUMBER",
        help="With --confirm: the games of each deck that this player plays.",
        show_default="1,000 of `search`, 10,000 of others",
    ),
]

DeckFile = Annotated[
    Path | None,
    typer.Option(
        "--deck",
        metavar="FILE",
        help="Write the deck that was found there, as text.",
        show_default=False,
    ),
]

AllMatchups = Annotated[
    bool,
    typer.Option(
        "--all-matchups", help="Show all matchups and whole tables, however many."
    ),
]

Quiet = Annotated[
    int,
    typer.Option(
        "--quiet",
        "-q",
        count=True,
        help="No progress; twice: nothing at all.",
        show_default=False,
    ),
]

Progress = Annotated[
    Literal["auto", "bar", "lines", "json", "none"],
    typer.Option("--progress", help="How progress is shown, on standard error."),
]

GamesTableFile = Annotated[
    Path | None,
    typer.Option(
        "--games-table",
        metavar="FILE",
        help="Write a row for each game to this file, .csv or .parquet.",
        show_default=False,
    ),
]

FailOn = Annotated[
    Literal["error", "warning", "note"],
    typer.Option("--fail-on", help="Lowest severity that gives exit code 1."),
]

RunFolder = Annotated[
    Path | None,
    typer.Option(
        "--run",
        metavar="FOLDER",
        help="Keep the run in this folder, so that it can be resumed.",
        show_default=False,
    ),
]

ShardName = Annotated[
    str | None,
    typer.Option(
        "--shard",
        metavar="I/N",
        help="Play one part of all games, such as 3/8, for `merge`.",
        show_default=False,
    ),
]


def _cards_of(root: Root, format: str) -> CardDatabase | None:
    """The cards of a format of ours, with its sets; None for what is none."""
    from deckcheck.formats import database_of, load_format
    from deckcheck.formats.ids import format_ids, split_id

    if split_id(format)[0] not in format_ids(root):
        return None
    return database_of(load_format(format, root), root)


def converter_for(game: str | None, format: str | None, root: Root) -> Converter:
    """What reads and writes the decks of `--game`, `--format` and `--card-db`."""
    from deckcheck.decks.converting import Converter
    from deckcheck.formats import database_of, load_format

    if format is None:
        return Converter(game, root, of_format=partial(_cards_of, root))
    if game is not None:
        raise UsageError("`--game` and `--format` cannot be used together")
    return Converter(root=root, own=database_of(load_format(format, root), root))
