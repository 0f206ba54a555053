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
        help="Stop each matchup once one of two leads of the first deck is accepted.",
        show_default=False,
    ),
]

Alpha = Annotated[
    float,
    typer.Option(
        "--alpha", metavar="CHANCE", help="Of --sprt to find ELO1 where ELO0 holds."
    ),
]

Beta = Annotated[
    float,
    typer.Option(
        "--beta", metavar="CHANCE", help="Of --sprt to find ELO0 where ELO1 holds."
    ),
]

Elo = Annotated[
    Literal["logistic", "normalised"],
    typer.Option("--elo", help="What the leads of --sprt are measured by."),
]

Adaptive = Annotated[
    bool,
    typer.Option(
        "--adaptive",
        help="Spend the games where the order of the decks is least decided.",
    ),
]
