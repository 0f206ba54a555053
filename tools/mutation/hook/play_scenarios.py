"""`python -m play_scenarios FILE|FOLDER...`: play scenarios until one does not hold.

They come in an order without meaning, so that no rule has to wait for those before it.
"""

from __future__ import annotations

import sys
from hashlib import sha256

from deckcheck.scenarios import run_scenario
from deckcheck.scenarios.contract import play_uncompiled
from deckcheck.scenarios.running import find_scenarios

play_uncompiled()
files = [path for path in find_scenarios(sys.argv[1:]) if path is not None]
for number, path in enumerate(
    sorted(files, key=lambda path: sha256(str(path).encode()).digest())
):
    print(path, flush=True)
    if not run_scenario(path, str(path)).ok:
        sys.exit(f"FAILED {path} after {number} others")
print(f"{len(files)} scenarios hold")
