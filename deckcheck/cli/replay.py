"""`deckcheck replay`: any game of a run again, move by move."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import Entry, enter, known_policies, refuse
from deckcheck.cli.game_options import (
    DEFAULT_GAMES,
    DEFAULT_SEED,
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
from deckcheck.cli.options import AsOf, CardDb, Color, FormatName, OutputFile, Rules
from deckcheck.cli.printing import style_of, tell
from deckcheck.cli.values import OUTPUT

__all__ = ["replay"]

CLEAN, FINDINGS, INTERNAL_ERROR = 0, 1, 3


def replay(
    ctx: typer.Context,
    decks: Decks = None,
    *,
    pairing: Annotated[
        str | None,
        typer.Option(
            "--pairing",
            metavar="A,B",
            help="Whose game: the names of those who met, or the number of their "
            "table. Not needed where there is one table only.",
            show_default=False,
        ),
    ] = None,
    game: Annotated[
        int,
        typer.Option(
            "--game",
            "--game-number",  # a file may set `game`, which other commands play
            metavar="NUMBER",
            help="Which of their games, or matches, from 1.",
        ),
    ] = 1,
    games: Games = DEFAULT_GAMES,
    seed: Seed = DEFAULT_SEED,
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
    output_format: Annotated[
        list[str] | None,
        typer.Option(
            "--output-format",
            metavar=OUTPUT,
            autocompletion=completing.replay_outputs,
            help="How the game is told: text (default), markdown or json; with a file, "
            "there. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    output: OutputFile = None,
    watch: Annotated[
        bool,
        typer.Option("--watch", help="Step through the game on a terminal."),
    ] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", "-v", help="Show the position after every move, in text."
        ),
    ] = False,
    color: Color = "auto",
    card_db: CardDb = None,
) -> int:
    """Tell any game of a simulation again, move by move.

    Decks and options are those of the simulation: the same ones give the same games.
    Of a tournament a whole match is told.
    """
    from deckcheck.cli.outputs import files_of, read_outputs, write_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.replays.outputs import WRITERS, Telling
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.errors import IllegalDeckError, SimulationError
    from deckcheck.sim.matches.chances import read_chances
    from deckcheck.sim.seating import Request

    outputs = read_outputs(output_format or (), WRITERS, output)
    check_places(files_of(outputs))
    if watch:
        from deckcheck.cli.stepping import check_terminal

        check_terminal()
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
    )
    entry = Entry(
        decks or (),
        request,
        format,
        card_db,
        against or (),
        gauntlet,
        rule or (),
        as_of,
        allow_illegal,
    )
    try:
        simulation, _ = enter(ctx, entry)
        told = play_again(simulation, pairing, game)
    except IllegalDeckError as error:
        refuse(error, sys.stderr, color, 0)
        return FINDINGS
    except SimulationError as error:
        tell(f"error: {error.message}")
        tell(f"help: {error.help}")
        return INTERNAL_ERROR
    if watch:
        from deckcheck.cli.stepping import step_through

        step_through(told, style_of(color))
    else:
        write_outputs(Telling(told, verbose), outputs, color, 0)
    return CLEAN if told.crash is None else INTERNAL_ERROR
