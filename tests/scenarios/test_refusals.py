"""Every move against the rules is refused for a reason, and no reason contradicts.

`python -m benchmarks.refusals` tries 100,000 positions; these are a sample of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
POSITIONS = 700

# Scenarios are played uncompiled, for which they need a process of their own.
PROGRAM = """
import json, sys
from benchmarks.refusals.running import refuse
outcome = refuse(int(sys.argv[1]), 3)
print(json.dumps([outcome.positions, outcome.reasons, outcome.failures]))
"""


@cache
def refused() -> tuple[dict[str, int], dict[str, int], list[str]]:
    """Positions by format, reasons by their pattern, and what failed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(POSITIONS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome: Any = json.loads(done.stdout)
    return tuple(outcome)


def test_no_reason_is_missing_or_contradicts_its_position() -> None:
    assert refused()[2] == []


def test_every_way_to_play_is_tried() -> None:
    positions = refused()[0]
    games = {format.partition("/")[0] for format in positions}

    assert sum(positions.values()) == POSITIONS
    assert games >= {"deckmaster", "gwen_t", "gwent", "sg_gwint"}
    assert {"gwent/free_for_all", "gwent/two_vs_two", "gwent/solo"} <= set(positions)
    assert min(positions.values()) > 10


def test_many_reasons_are_given() -> None:
    reasons = refused()[1]

    assert len(reasons) > 30
    assert any(reason.startswith("first X has to choose") for reason in reasons)
