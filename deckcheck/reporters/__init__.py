"""Outputs of `deckcheck validate`, one per file."""

from deckcheck.reporters.base import Reporter
from deckcheck.reporters.concise import write_concise
from deckcheck.reporters.full import write_full
from deckcheck.reporters.github import write_github
from deckcheck.reporters.json import write_json
from deckcheck.reporters.style import Style, wants_color

__all__ = ["REPORTERS", "Reporter", "Style", "wants_color"]

REPORTERS: tuple[tuple[str, Reporter], ...] = (
    ("full", write_full),
    ("concise", write_concise),
    ("json", write_json),
    ("github", write_github),
)
"""Every output by the name that `--output-format` takes."""
