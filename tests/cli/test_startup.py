"""Starting up is fast because heavy libraries stay out."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

DECK = Path(__file__).parents[2] / "decks" / "gwent" / "standard" / "mo_swarm.deck"

HEAVY = {"numpy", "numba", "llvmlite", "pandas", "matplotlib", "scipy", "rich"}
SLOW = {"pydantic", "rapidfuzz", "platformdirs", "difflib", "json"}

PROGRAM = """
import sys
from deckcheck.cli import main
code = main(sys.argv[1:])
sys.stdout.flush()
import json
print(json.dumps([code, sorted(sys.modules)]), file=sys.stderr)
"""


def imported(*args: str) -> set[str]:
    """The packages that are imported once the command has run."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *args],
        capture_output=True,
        text=True,
        check=True,
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0
    return {name.partition(".")[0] for name in modules}


def test_validating_a_deck_imports_nothing_heavy() -> None:
    assert imported("validate", str(DECK)) & HEAVY == set()


@pytest.mark.parametrize("args", [["-h"], ["--version"], ["rule", "DL103"]])
def test_nor_does_anything_small(args: list[str]) -> None:
    assert imported(*args) & HEAVY == set()
