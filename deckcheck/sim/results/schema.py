"""The JSON Schema of what a simulation prints."""

from __future__ import annotations

from deckcheck.findings.shapes import CHANGE, TOOL
from deckcheck.sim.results.document import SCHEMA_VERSION


def _object(properties: dict[str, object], **optional: object) -> dict[str, object]:
    """Return the schema of an object that has all of `properties`, perhaps more."""
    return {
        "type": "object",
        "properties": {**properties, **optional},
        "required": list(properties),
    }


_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_MEAN = {"type": "number", "minimum": 0}
_MEAN_OR_NULL = {"type": ["number", "null"], "minimum": 0}
_RATE = {"type": "number", "minimum": 0, "maximum": 1}
_INTERVAL = {"type": "array", "items": _RATE, "minItems": 2, "maxItems": 2}
_SPLIT = _object(
    {
        "games": _COUNT,
        "wins_a": _COUNT,
        "wins_b": _COUNT,
        "draws": _COUNT,
        "win_rate_a": {"anyOf": [_RATE, {"type": "null"}]},
        "interval": {"anyOf": [_INTERVAL, {"type": "null"}]},
    }
)
_DECK = _object(
    {
        "name": _TEXT,
        "path": _TEXT,
        "index": _COUNT,
        "faction": {"type": ["string", "null"]},
        "leader": {"type": ["string", "null"]},
        "policy": _TEXT,
        "legal": {"type": "boolean"},
        "findings": _COUNT,
    }
)
_HISTOGRAM = {
    "description": "Bin i counts games from `from + i * width` on, `width` values.",
    **_object(
        {
            "from": {"type": "integer"},
            "width": {"type": "integer", "minimum": 1},
            "games": {"type": "array", "items": _COUNT},
        }
    ),
}
_HISTOGRAMS = {"rounds": _HISTOGRAM, "margins": _HISTOGRAM}
_PAIRS = {"type": "array", "items": _COUNT, "minItems": 5, "maxItems": 5}
_MATCHUP = _object(
    {
        "a": _TEXT,
        "b": _TEXT,
        "games": _COUNT,
        "wins_a": _COUNT,
        "wins_b": _COUNT,
        "draws": _COUNT,
        "win_rate_a": _RATE,
        "interval": _INTERVAL,
        "a_starts": _SPLIT,
        "b_starts": _SPLIT,
        "pairs": _PAIRS,
        "rounds_mean": _MEAN,
        "cards_left_a_mean": _MEAN,
        "cards_left_b_mean": _MEAN,
        "turns_mean": _MEAN,
    },
    **_HISTOGRAMS,
)
_STANDING = _object(
    {
        "deck": _TEXT,
        "win_rate": _RATE,
        "interval": _INTERVAL,
        "games": _COUNT,
        "wins": _COUNT,
        "losses": _COUNT,
        "draws": _COUNT,
    }
)

_NUMBER = {"type": ["number", "null"]}
_RANGE = {
    "type": ["array", "null"],
    "items": {"type": "number"},
    "minItems": 2,
    "maxItems": 2,
}
_SHOWING = _object(
    {
        "games": _COUNT,
        "wins": _COUNT,
        "shared": _COUNT,
        "win_share": _NUMBER,
        "interval": _RANGE,
        "place_mean": _NUMBER,
        "points_mean": _NUMBER,
    }
)
_TABLE = _object(
    {
        "seats": {"type": "array", "items": _TEXT, "minItems": 2},
        "games": _COUNT,
        "draws": _COUNT,
        "wins": {"type": "array", "items": _COUNT},
        "shared": {"type": "array", "items": _COUNT},
        "win_share": {"type": "array", "items": _NUMBER},
        "intervals": {"type": "array", "items": _RANGE},
        "places_mean": {"type": "array", "items": _NUMBER},
        "points_mean": {"type": "array", "items": _NUMBER},
    },
    pairs=_PAIRS,
    **_HISTOGRAMS,
    by_turn={
        "type": "array",
        "items": _object(
            {
                "turn": {"type": "integer", "minimum": 1},
                "all": _SHOWING,
                "seats": {"type": "array", "items": _SHOWING},
            }
        ),
    },
)

HEAD: dict[str, object] = {
    "schema_version": {"const": SCHEMA_VERSION},
    "tool": TOOL,
    "format": _TEXT,
    "snapshot": _TEXT,
    "seed": _COUNT,
    "games": _COUNT,
    "games_played": _COUNT,
    "policies": {"type": "object", "additionalProperties": _TEXT},
    "policy_versions": {"type": "object", "additionalProperties": _COUNT},
    "stand_ins": {"type": "array", "items": _TEXT},
    "checksum": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
    "digest": {"type": "string", "pattern": "^[0-9a-f]{12}$"},
    "changes": {"type": "array", "items": CHANGE},
    "complete": {"type": "boolean"},
    "games_per_second": _MEAN_OR_NULL,
    "seconds": _MEAN_OR_NULL,
    "jobs": {"type": ["integer", "null"], "minimum": 1},
    "decks": {"type": "array", "items": _DECK},
}
"""What every document about games begins with."""

SIMULATION_SCHEMA: dict[str, object] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "deckcheck simulate",
    "description": "What `deckcheck simulate --output-format json` prints.",
    **_object(
        {
            **HEAD,
            "tables": {"type": "array", "items": _TABLE, "minItems": 1},
        },
        stopping=_object(
            {
                "rule": _TEXT,
                "reached": {"type": "boolean"},
                "not_settled": {"type": "array", "items": _TEXT},
                "tables": {
                    "type": "array",
                    "items": _object(
                        {
                            "sets": _COUNT,
                            "reached": {"type": "boolean"},
                            "decision": _TEXT,
                            "log_likelihood_ratio": {"type": ["number", "null"]},
                        }
                    ),
                },
            }
        ),
        matchups={"type": "array", "items": _MATCHUP, "minItems": 1},
        standings={"type": "array", "items": _STANDING},
        challengers={"type": "array", "items": _TEXT, "minItems": 1},
    ),
}
