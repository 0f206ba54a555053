"""A game of Gwen't for one user, in the states of the project's controller."""

from deckcheck.controllers.gwen_t.controller import (
    Controller,
    IllegalTransition,
    State,
)

__all__ = ["Controller", "IllegalTransition", "State"]
