"""How a rule that stops a run is written: in options, and in plans."""

from __future__ import annotations

from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.sim.stopping.rules import Stopping


def parse_stopping(
    until_width: str | None,
    sprt: str | None,
    alpha: float,
    beta: float,
    *,
    elo: str,
    adaptive: bool,
) -> Stopping:
    """What the options ask for; raises UsageError for what they cannot mean."""
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
