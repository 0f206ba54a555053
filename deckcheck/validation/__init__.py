"""Validation: read, resolve names, choose the format, judge."""

from deckcheck.validation.validator import Validator
from deckcheck.validation.verdicts import DeckReport, FileReport, Validation

__all__ = [
    "DeckReport",
    "FileReport",
    "Validation",
    "Validator",
]
