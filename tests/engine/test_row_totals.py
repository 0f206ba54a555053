"""The total of a row is kept, and not counted at each look: it is always right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, sys
from importlib import import_module
from pathlib import Path
from deckcheck.scenarios.running import run_scenario

game = sys.argv[1]
adapter = import_module(f"deckcheck.scenarios.{game}")
scoring = import_module(f"deckcheck.engine.{game}.board")
position = {"gwent": "GwentPosition", "sg_gwint": "SgGwintPosition"}[game]
position = getattr(adapter, position)
apply, looks, wrong = position.apply, 0, []

def apply_and_count(self, move):
    global looks
    apply(self, move)
    s, x = self.s, self.x
    for side, rows in enumerate(s.total.tolist()):
        for row, total in enumerate(rows):
            cards = range(s.n_row[side, row])
            strengths = [int(scoring.unit_strength(s, x, side, row, i)) for i in cards]
            looks += len(strengths)
            if total != sum(strengths):
                wrong.append([str(file), move.text, side, row, int(total), strengths])

position.apply = apply_and_count
for file in sorted(Path("tests/scenarios", game).rglob("*.yaml")):
    run_scenario(file, str(file))
print(json.dumps([looks, wrong]))
"""


@pytest.mark.parametrize("game", ["gwent", "sg_gwint"])
def test_totals_are_the_strengths_of_all_cards_after_every_move(game: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, game],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    looks, wrong = json.loads(done.stdout)

    assert looks > 500
    assert wrong == []
