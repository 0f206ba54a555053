"""Plans: several simulations in a file, for what is played again and again."""

from deckcheck.plans.asking import request_of
from deckcheck.plans.file import Experiment, Plan, PlanFile, plan_error, read_plan

__all__ = [
    "Experiment",
    "Plan",
    "PlanFile",
    "plan_error",
    "read_plan",
    "request_of",
]
