"""What `meta` prints as JSON and CSV, and its schema."""

from __future__ import annotations

from typing import Any

from deckcheck.analysis.meta import Meta, MetaPlayer
from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    TEXT,
    Schema,
    list_of,
    object_of,
)
from deckcheck.stats import Estimate
from deckcheck.version import __version__

__all__ = ["META_SCHEMA", "meta_document", "meta_rows"]

DIGITS = 6


def meta_document(meta: Meta) -> dict[str, Any]:
    """The answer as `deckcheck schema meta` describes it."""
    origin = meta.field.origin
    return {
        "schema_version": 1,
        "tool": {"name": "deckcheck", "version": __version__},
        "format": origin.format,
        "snapshot": origin.snapshot,
        "policies": list(origin.players),
        "seed": origin.seed,
        "checksum": origin.checksum,
        "digest": origin.digest,
        "of": f"{meta.field.noun}s",
        "resamples": meta.resamples,
        "bootstrap_seed": meta.seed,
        "misfit": round(meta.misfit, DIGITS),
        "cycles": round(meta.cycles, DIGITS),
        "cycle": list(meta.cycle),
        "players": [_player(player) for player in meta.players],
    }


def meta_rows(meta: Meta) -> list[dict[str, str | float | None]]:
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
        for player in meta.players
    ]


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


def _flat(name: str, estimate: Estimate | None) -> dict[str, str | float | None]:
    low, high = estimate.interval if estimate else (None, None)
    return {
        name: _rounded(estimate.value if estimate else None),
        f"{name}_low": _rounded(low),
        f"{name}_high": _rounded(high),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


_NUMBER: Schema = {"type": "number"}
_RATE: Schema = {"type": "number", "minimum": 0, "maximum": 1}


def _ends(of: Schema) -> Schema:
    return {"type": "array", "items": of, "minItems": 2, "maxItems": 2}


META_SCHEMA = object_of(
    {
        "schema_version": {"const": 1},
        "tool": object_of({"name": {"const": "deckcheck"}, "version": TEXT}),
        "format": TEXT,
        "snapshot": TEXT,
        "policies": list_of(TEXT),
        "seed": COUNT,
        "checksum": TEXT,
        "digest": TEXT,
        "of": {"enum": ["decks", "lineups"]},
        "resamples": COUNTING,
        "bootstrap_seed": COUNT,
        "misfit": _RATE,
        "cycles": _RATE,
        "cycle": list_of(TEXT),
        "players": list_of(
            object_of(
                {
                    "name": TEXT,
                    "share": _RATE,
                    "share_interval": _ends(_RATE),
                    "payoff": _RATE,
                    "rating": _NUMBER,
                    "rating_interval": _ends(_NUMBER),
                    "answer": object_of(
                        {"name": TEXT, "win_rate": _RATE, "interval": _ends(_RATE)}
                    ),
                    "weight": _or_null(_RATE),
                    "expected": _or_null(_RATE),
                    "expected_interval": _or_null(_ends(_RATE)),
                }
            )
        ),
    }
)
"""What to bring, a player of the field each."""
