"""Validation: read, resolve names, choose the format, judge."""

from deckcheck.validation.validator import Validator, validate_files, validate_text
from deckcheck.validation.verdicts import DeckReport, FileReport, Validation

__all__ = [
    "DeckReport",
    "FileReport",
    "Validation",
    "Validator",
    "validate_files",
    "validate_text",
]
