"""Options that end a run before all its games are played."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="PERCENT",
        help="Stop each matchup once the 95 % intervals of its win rates are at "
        "most this wide, such as 0.5%; --games is then the most.",
        show_default=False,
    ),
]

SprtLeads = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop each matchup once a test accepts one of two leads of the "
        "first deck in Elo: 0,5 means no lead or a lead of 5.",
        show_default=False,
    ),
]

Alpha = Annotated[
    float,
    typer.Option(
        "--alpha",
        metavar="CHANCE",
        help="With --sprt: chance of accepting ELO1 although ELO0 is true.",
    ),
]

Beta = Annotated[
    float,
    typer.Option(
        "--beta",
        metavar="CHANCE",
        help="With --sprt: chance of accepting ELO0 although ELO1 is true.",
    ),
]

Elo = Annotated[
    Literal["logistic", "normalised"],
    typer.Option(
        "--elo",
        help="With --sprt: measure leads by the score (logistic), or in standard "
        "deviations of a game (normalised).",
    ),
]

Adaptive = Annotated[
    bool,
    typer.Option(
        "--adaptive",
        help="In round robins: stop matchups of decks whose rank is settled, and "
        "give their games to the others.",
    ),
]
