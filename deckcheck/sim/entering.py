"""From decks that were judged to what is played: legal ones alone, by one format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of
from deckcheck.sim.build import simulation_from_reports
from deckcheck.sim.errors import IllegalDeckError
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.tables.inputs import common_format, facing, first_file
from deckcheck.sim.tables.seating import Request
from deckcheck.validation import DeckReport, Validator


def build_simulation(
    named: Sequence[DeckReport],
    field: Sequence[DeckReport] | None,
    request: Request,
    judge: Validator,
    *,
    gauntlet: bool = False,
    allow_illegal: bool = False,
) -> Simulation:
    """Return the simulation of the decks that were named, or of random ones.

    With a `field` they meet its decks and not each other, in a `gauntlet` those of the
    first file meet the others. Raises IllegalDeckError and UsageError.
    """
    reports = list(named)
    if field is not None:
        reports, challengers = facing(named, field)
        request = replace(request, challengers=challengers)
    elif gauntlet:
        request = replace(request, challengers=first_file(reports))
    if not reports and judge.format is None:
        raise UsageError("Random decks need a format", "Name one with `--format`")
    fmt, database = playable_format(reports, judge, allow_illegal=allow_illegal)
    return simulation_from_reports(fmt, database, reports, request)


def playable_format(
    reports: Sequence[DeckReport], judge: Validator, *, allow_illegal: bool = False
) -> tuple[Format, CardDatabase]:
    """Return the format that all these decks are played by, and its cards.

    Without any deck it is that of `judge`. Raises IllegalDeckError for decks that must
    not play, an unreadable one in any case, and UsageError for several formats.
    """
    refused = [r for r in reports if r.deck is None or not (r.legal or allow_illegal)]
    if refused:
        raise IllegalDeckError.of(refused)
    fmt = (None if reports else judge.format) or common_format(reports)
    return fmt, database_of(fmt, judge.root)
