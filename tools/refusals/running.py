"""Trying moves that are against the rules, and judging the reasons that come."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from random import Random
from typing import Any

from deckcheck.scenarios.contract import GamePosition, LegalMove, refusal_reason
from tools.refusals.claims import Case, contradiction
from tools.refusals.positions import Table, Wish, random_wish, tables, walk

__all__ = ["Outcome", "refuse"]

TRIES = 20


@dataclass
class Outcome:
    """How many positions of each way to play, reasons as patterns, and what failed."""

    positions: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def refuse(positions: int, seed: int) -> Outcome:
    """Try a random illegal move in so many random positions, of all ways in turn."""
    outcome = Outcome()
    ways = tables()
    for number in count():
        table = ways[number % len(ways)]
        random = Random(f"{seed} {number}")
        for document, position in walk(random, table):
            if outcome.positions.total() == positions:
                return outcome
            _try_one(random, table, document, position, outcome)
    return outcome


def _try_one(
    random: Random,
    table: Table,
    document: dict[str, Any],
    position: GamePosition,
    outcome: Outcome,
) -> None:
    """Try one illegal move. Nothing is tried if `TRIES` random moves are all legal.

    Before a move the position is settled for it, as a file is played.
    """
    saved = position.save()
    for _ in range(TRIES):
        position.script(())
        wish = random_wish(random, table, position)
        if wish.verb != "choose":
            position.settle(wish.verb, wish.player)
        legal = position.legal_moves()
        if not _is_legal(position, wish, legal):
            facts = position.facts()
            case = Case(table, document, position, wish, legal, dict(facts))
            reason = refusal_reason(position, wish.player, wish.verb, wish.words)
            wrong = contradiction(case, reason)
            if wrong is not None:
                outcome.failures.append(_told(case, wrong))
            outcome.positions[table.format.id] += 1
            outcome.reasons[_pattern(reason)] += 1
            position.restore(saved)
            return
        position.restore(saved)


def _is_legal(position: GamePosition, wish: Wish, legal: list[LegalMove]) -> bool:
    is_to_move = position.turn == wish.player
    return is_to_move and any(move.fits(wish.verb, wish.words) for move in legal)


def _pattern(reason: str) -> str:
    """A reason without the names of its position."""
    named = re.sub(r"\b[A-F][12]?\b", "X", reason)
    named = re.sub(r"(it can only be|the row to which) .+", r"\1 ...", named)
    return re.sub(r"(where) .+ (is laid)|.+ (lies there, and)", r"\1 ... \2\3", named)


def _told(case: Case, wrong: str) -> str:
    wish = case.wish
    phrase = case.position.phrase(wish.verb, wish.words)
    moves = "; ".join(move.text for move in case.legal)
    lines = [
        f"{case.table.format.id}: {wish.player} cannot {phrase}: {wrong}",
        f"legal moves of {case.position.turn}: {moves}",
        *case.position.lines(),
        json.dumps(case.document),
    ]
    return "\n".join(lines)
