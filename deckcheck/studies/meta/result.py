"""Recommended decks as a result, with JSON and CSV."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from deckcheck.findings.json_text import document_head
from deckcheck.sim.results.document import Row
from deckcheck.stats import Combination, Estimate
from deckcheck.studies.meta.field import Field

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MetaPlayer", "MetaResult"]

SCHEMA_VERSION = 2
"""1 had circles and misfits in which chance had its part."""

DIGITS = 6


@dataclass(frozen=True, slots=True)
class MetaPlayer:
    """A deck or lineup of a field.

    `share` is how often to bring it, 0 to 1, with the percentile interval of the
    bootstrap; `payoff` its win rate against these shares. `rating` is in Elo. `answer`
    is who does best against it, with the win rate `answer_rate` of that one. `weight`
    is its part of a given metagame, and `expected` its win rate against that, which
    `against_field` is as it goes into differences; None without one.
    """

    name: str
    share: Estimate
    payoff: float
    rating: Estimate
    answer: str
    answer_rate: Estimate
    weight: float | None = None
    expected: Estimate | None = None
    against_field: Combination | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MetaResult:
    """The answer to what to bring, `players` in the order of the field.

    `misfit` and `cycles` are those of `Ratings`. `cycle` are three players of whom each
    beats the next and the last the first, beyond doubt, the clearest there are.
    """

    field: Field
    players: tuple[MetaPlayer, ...]
    misfit: Estimate
    cycles: Estimate
    cycle: tuple[str, ...]
    seed: int
    resamples: int

    def to_dict(self) -> dict[str, Any]:
        """The answer as `deckcheck schema meta` describes it."""
        origin = self.field.origin
        return {
            **document_head(SCHEMA_VERSION),
            "format": origin.format,
            "snapshot": origin.snapshot,
            "policies": list(origin.players),
            "seed": origin.seed,
            "checksum": origin.checksum,
            "digest": origin.digest,
            "of": f"{self.field.noun}s",
            "resamples": self.resamples,
            "bootstrap_seed": self.seed,
            **_estimate("misfit", self.misfit),
            **_estimate("cycles", self.cycles),
            "cycle": list(self.cycle),
            "players": [_player(player) for player in self.players],
        }

    def to_rows(self) -> list[Row]:
        """A flat row for each player."""
        return [
            {
                "name": player.name,
                **_flat("share", player.share),
                "payoff": round(player.payoff, DIGITS),
                **_flat("rating", player.rating),
                "answer": player.answer,
                **_flat("answer_win_rate", player.answer_rate),
                "weight": _rounded(player.weight),
                **_flat("expected", player.expected),
            }
            for player in self.players
        ]

    def to_frame(self) -> pd.DataFrame:
        """The flat rows as a frame; columns as in `--output-format csv`."""
        from deckcheck.sim.results.frames import frame_of

        return frame_of(self.to_rows())


def _player(player: MetaPlayer) -> dict[str, Any]:
    return {
        "name": player.name,
        **_estimate("share", player.share),
        "payoff": round(player.payoff, DIGITS),
        **_estimate("rating", player.rating),
        "answer": {"name": player.answer, **_estimate("win_rate", player.answer_rate)},
        "weight": _rounded(player.weight),
        **_estimate("expected", player.expected),
    }


def _estimate(name: str, estimate: Estimate | None) -> dict[str, Any]:
    """A value and its interval; that of a win rate is called `interval` alone."""
    key = "interval" if name == "win_rate" else f"{name}_interval"
    if estimate is None:
        return {name: None, key: None}
    ends = [round(end, DIGITS) for end in estimate.interval]
    return {name: round(estimate.value, DIGITS), key: ends}


def _flat(name: str, estimate: Estimate | None) -> Row:
    low, high = estimate.interval if estimate else (None, None)
    return {
        name: _rounded(estimate.value if estimate else None),
        f"{name}_low": _rounded(low),
        f"{name}_high": _rounded(high),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
