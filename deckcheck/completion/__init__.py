"""Completion of commands in shells: what there is to complete, and a script of it.

The scripts hold every word and never start Python: completing takes no time.
"""

from deckcheck.completion.program import Program, Switch, Value, Verb
from deckcheck.completion.scripts import SCRIPTS

__all__ = ["SCRIPTS", "Program", "Switch", "Value", "Verb"]
