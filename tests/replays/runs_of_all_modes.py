"""Simulations to try replays on: one of every game and mode, with few games."""

from __future__ import annotations

from pathlib import Path

from deckcheck.formats import database_of, load_format
from deckcheck.sim.entrants import common_format, gather
from deckcheck.sim.seating import Request
from deckcheck.sim.simulation import Simulation, simulation_from_reports

__all__ = ["MODES", "RANDOM", "simulated"]

DECKS = Path(__file__).parents[2] / "decks"
SEED = 7

MODES = {
    "duel": "gwent/standard",
    "match": "gwent/tournament",
    "table": "gwent/free_for_all",
    "teams": "gwent/two_vs_two",
    "solo": "gwent/solo",
    "solo with leaders": "gwent/solo_leader",
    "sg gwint": "sg_gwint/approximation",
    "gwen't": "gwen_t/pool",
    "deckmaster": "deckmaster/standard",
}
RANDOM = {"random gwen't": "gwen_t/pool", "random deckmaster": "deckmaster/standard"}


def simulated(mode: str, games: int, policy: str = "heuristic") -> Simulation:
    """The simulation of a mode with its sample decks, or with random ones."""
    request = Request(
        games=games, seed=SEED, policies=(policy,), random_decks=mode in RANDOM
    )
    if mode in RANDOM:
        fmt = load_format(RANDOM[mode])
        return simulation_from_reports(fmt, database_of(fmt), [], request)
    reports, _ = gather([str(DECKS / MODES[mode])])
    fmt = common_format(reports)
    return simulation_from_reports(fmt, database_of(fmt), reports, request)
