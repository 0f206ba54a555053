"""A replay as plain data, and the JSON Schema of it."""

from __future__ import annotations

from typing import Any

from deckcheck.findings.shapes import (
    COUNT,
    COUNTING,
    FLAG,
    TEXT,
    TEXT_OR_NULL,
    Schema,
    list_of,
    mapping_of,
    object_of,
)
from deckcheck.playing.kernel import Outcome
from deckcheck.replays.model import Replay, Step, ToldGame

__all__ = ["REPLAY_SCHEMA", "document_of"]

SCHEMA_VERSION = 1

REPLAY_SCHEMA: Schema = {
    "title": "deckcheck replay",
    "description": "What `deckcheck replay --output-format json` prints.",
    **object_of(
        {
            "schema_version": {"const": SCHEMA_VERSION},
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


def document_of(replay: Replay) -> dict[str, Any]:
    """A replay as `--output-format json` prints it."""
    return {
        "schema_version": SCHEMA_VERSION,
        "format": replay.format,
        "snapshot": replay.snapshot,
        "digest": replay.digest,
        "seed": replay.seed,
        "entrants": list(replay.entrants),
        "noun": replay.noun,
        "number": replay.number,
        "games": [_game(game) for game in replay.games],
    }


def _game(game: ToldGame) -> dict[str, Any]:
    of_entrants = game.outcome[Outcome.PLACE :]
    entrants = len(of_entrants) // 4
    return {
        "players": [
            {
                "player": name,
                "name": seat.name,
                "policy": seat.policy,
                "leader": seat.leader,
            }
            for name, seat in game.players.items()
        ],
        "steps": [_step(step) for step in game.steps],
        "winner": game.winner,
        "crash": game.crash,
        "places": list(of_entrants[:entrants]),
        "points": list(of_entrants[entrants : 2 * entrants]),
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "round": step.round,
        "player": step.player,
        "text": step.text,
        "notes": list(step.notes),
        "totals": dict(step.totals),
        "ends_round": step.ends,
        "position": dict(step.position),
    }
