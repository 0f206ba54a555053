"""`python -m play_scenarios FILE|FOLDER...`: play scenarios until one does not hold.

They come in an order without meaning, so that no rule has to wait for those before it.
"""

from __future__ import annotations

import sys
from hashlib import sha256

from deckcheck.scenarios.contract import play_uncompiled
from deckcheck.scenarios.running import (
    ScenarioFile,
    find_scenarios,
    run_scenario,
    title_of,
)
from tools.mutation.hook.limits import SCENARIO, end_after

play_uncompiled()
scenarios = {}
for chosen in find_scenarios(sys.argv[1:]):
    file = ScenarioFile(chosen.file, str(chosen.file))
    for source in file.chosen(chosen.titles):
        scenarios[f"{file.path}#{title_of(source)}"] = (file, source)
order = sorted(scenarios, key=lambda name: sha256(name.encode()).digest())
for number, name in enumerate(order):
    print(name, flush=True)
    end_after(SCENARIO)
    if not run_scenario(*scenarios[name]).ok:
        sys.exit(f"FAILED {name} after {number} others")
print(f"{len(order)} scenarios hold")
