"""Options that end a run before all its games are played."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="PERCENT",
        help="Stop each matchup once its interval is at most this wide, such as 0.5%.",
        show_default=False,
    ),
]

SprtLeads = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop each matchup once one of two leads of the first deck is "
        "accepted, such as 0,5.",
        show_default=False,
    ),
]

Alpha = Annotated[
    float,
    typer.Option(
        "--alpha",
        metavar="CHANCE",
        help="With --sprt: the chance to accept ELO1 where ELO0 is true.",
    ),
]

Beta = Annotated[
    float,
    typer.Option(
        "--beta",
        metavar="CHANCE",
        help="With --sprt: the chance to accept ELO0 where ELO1 is true.",
    ),
]

Elo = Annotated[
    Literal["logistic", "normalised"],
    typer.Option("--elo", help="With --sprt: the scale of its leads."),
]

Adaptive = Annotated[
    bool,
    typer.Option(
        "--adaptive",
        help="Play most games where the ranking of the decks is least certain.",
    ),
]
