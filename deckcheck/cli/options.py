"""Options that several commands have, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = ["AsOf", "CardDb", "Color", "FormatName", "Rules", "SilentGame"]

FormatName = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="FORMAT",
        help="Format to go by, such as gwent/standard or ./league.yaml; "
        "else each deck's own.",
    ),
]

AsOf = Annotated[
    str | None,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="Go by the formats as they were then: 2025-10 or 2025-10-31.",
    ),
]

Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule",
        metavar="RULE",
        help="Add to the format: 'max specials 4', 'min units 24', 'ban Scorch', "
        "'limit Decoy 1'. Can be given several times.",
        show_default=False,
    ),
]

SilentGame = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game of a deck that is silent."),
]

Color = Annotated[
    Literal["auto", "always", "never"],
    typer.Option("--color", help="When to use colours."),
]

CardDb = Annotated[
    Path | None,
    typer.Option(
        "--card-db", metavar="FOLDER", help="Another folder of card databases."
    ),
]
