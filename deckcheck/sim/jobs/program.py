"""Identifies the build that plays: results are reproducible with the same one only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from deckcheck.engine.host.cache import code_hash
from deckcheck.findings.fields import CLOSED
from deckcheck.version import __version__


@dataclass(frozen=True, slots=True)
class Program:
    """The version of deckcheck, and a hash of the code of its engine."""

    __pydantic_config__ = CLOSED

    version: str
    engine: str

    @staticmethod
    def here() -> Program:
        """The one that is running."""
        return _here()

    def __str__(self) -> str:
        return f"deckcheck {self.version} with engine {self.engine}"


@cache
def _here() -> Program:
    return Program(__version__, code_hash())
