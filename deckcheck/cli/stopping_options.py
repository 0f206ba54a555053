"""Options that end a run before all its games are played, and what they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote

if TYPE_CHECKING:
    from deckcheck.sim.stopping import Stopping

__all__ = [
    "Adaptive",
    "Alpha",
    "Beta",
    "Elo",
    "SprtLeads",
    "UntilWidth",
    "read_stopping",
]

UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="PERCENT",
        help="Stop each matchup once its interval is that narrow, such as 0.5%.",
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


def read_stopping(
    until_width: str | None,
    sprt: str | None,
    alpha: float,
    beta: float,
    *,
    elo: str,
    adaptive: bool,
) -> Stopping:
    """What the options ask for; raises UsageError for what they cannot mean."""
    from deckcheck.sim.stopping import Stopping

    return Stopping(
        until_width=None if until_width is None else _percent(until_width),
        sprt=None if sprt is None else _leads(sprt),
        alpha=alpha,
        beta=beta,
        elo=elo,
        adaptive=adaptive,
    )


def _percent(text: str) -> float:
    try:
        if not text.rstrip().endswith("%"):
            raise ValueError
        return float(text.rstrip().removesuffix("%")) / 100
    except ValueError:
        raise UsageError(
            f"`--until-width` is {quote(text)}, must be a percentage",
            "Write it like `--until-width 0.5%`",
        ) from None


def _leads(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise UsageError(
            f"`--sprt` is {quote(text)}, must be two numbers",
            "Write it like `--sprt 0,5`",
        ) from None
    return low, high
