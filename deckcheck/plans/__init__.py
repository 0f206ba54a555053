"""Plans: several simulations in a file, for what is played again and again."""

from deckcheck.plans.file import Experiment, Plan, PlanFile, read_plan

__all__ = ["Experiment", "Plan", "PlanFile", "read_plan"]
