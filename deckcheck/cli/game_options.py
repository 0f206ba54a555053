"""Options that decide which games are played, for all commands that play."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from deckcheck.cli import completing

__all__ = [
    "Against",
    "AllowIllegal",
    "Decks",
    "Games",
    "Gauntlet",
    "Matchups",
    "Mirror",
    "Opponents",
    "Players",
    "Policies",
    "RandomDecks",
    "Seed",
    "Selections",
]

Decks = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DECK...",
        help="Files, folders, globs, share codes, or - for standard input.",
        show_default=False,
    ),
]

Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        metavar="NUMBER",
        min=1,
        help="Games of each matchup, in pairs.",
    ),
]

Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="NUMBER", min=0, help="Another seed gives other games."
    ),
]

Policies = Annotated[
    list[str] | None,
    typer.Option(
        "--policy",
        metavar="NAME",
        autocompletion=completing.policies,
        help="Who plays: once for all decks, or once for each in order.",
        show_default="heuristic",
    ),
]

Mirror = Annotated[
    bool, typer.Option("--mirror", help="Let each deck also meet itself.")
]

Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        metavar="PATH",
        help="A field of decks: the decks named meet these, and not each other. Can "
        "be given several times.",
        show_default=False,
    ),
]

Gauntlet = Annotated[
    bool,
    typer.Option(
        "--gauntlet", help="The first deck meets the others, these not each other."
    ),
]

Opponents = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        metavar="FACTION",
        autocompletion=completing.factions,
        help="Faction of the automa in solo formats; else all, in turn.",
        show_default=False,
    ),
]

RandomDecks = Annotated[
    bool,
    typer.Option("--random-decks", help="Deal new random decks for every game."),
]

Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        metavar="NUMBER",
        help="How many sit down with random decks.",
        show_default=False,
    ),
]

Selections = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="NAME",
        autocompletion=completing.selections,
        help="How a tournament player chooses decks: optimal, random or fixed.",
        show_default="optimal",
    ),
]

Matchups = Annotated[
    Path | None,
    typer.Option(
        "--matchups",
        metavar="FILE",
        help="Choose decks by the json of a finished run, without measuring.",
    ),
]

AllowIllegal = Annotated[
    bool, typer.Option("--allow-illegal", help="Let illegal decks play.")
]
