"""The kinds of study that a run directory may hold, for those who take one up again."""

from deckcheck.analysis.comparing import Comparison
from deckcheck.analysis.impact import Impact
from deckcheck.sim.runs.file import Kinds
from deckcheck.sim.simulation import Simulation
from deckcheck.workshop.balancing import Balance
from deckcheck.workshop.building import Building
from deckcheck.workshop.solving import Solve
from deckcheck.workshop.tuning import Tuning

__all__ = ["KINDS"]

KINDS: Kinds = (Simulation, Comparison, Impact, Tuning, Building, Balance, Solve)
