"""The JSON Schema of a replay."""

from __future__ import annotations

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    FLAG,
    TEXT,
    TEXT_OR_NULL,
    TOOL,
    Schema,
    list_of,
    mapping_of,
    object_of,
)
from deckcheck.replays.model import SCHEMA_VERSION

REPLAY_SCHEMA: Schema = {
    "title": "deckcheck replay",
    "description": "What `deckcheck replay --output-format json` prints.",
    **object_of(
        {
            "schema_version": {"const": SCHEMA_VERSION},
            "tool": TOOL,
            "format": TEXT,
            "snapshot": TEXT,
            "digest": TEXT,
            "seed": COUNT,
            "entrants": list_of(TEXT),
            "noun": {"enum": ["game", "match"]},
            "number": COUNTING,
            "games": list_of(
                object_of(
                    {
                        "players": list_of(
                            object_of(
                                {
                                    "player": TEXT,
                                    "name": TEXT,
                                    "policy": TEXT_OR_NULL,
                                    "leader": TEXT_OR_NULL,
                                }
                            )
                        ),
                        "steps": list_of(
                            object_of(
                                {
                                    "number": COUNT,
                                    "round": COUNTING,
                                    "player": TEXT_OR_NULL,
                                    "text": TEXT,
                                    "notes": list_of(TEXT),
                                    "totals": mapping_of({"type": "integer"}),
                                    "ends_round": FLAG,
                                    "position": {"type": "object"},
                                }
                            )
                        ),
                        "winner": TEXT_OR_NULL,
                        "crash": TEXT_OR_NULL,
                        "places": list_of(COUNTING),
                        "points": list_of({"type": "integer"}),
                    }
                )
            ),
        }
    ),
}
"""The schema of a replay."""
