"""From what was typed to the simulation: decks are read, judged and entered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO, TypedDict

import typer

from deckcheck.cli.loaded import settings_of
from deckcheck.cli.printing import tell, tell_notes
from deckcheck.findings.errors import UsageError

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.formats import Format
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import Simulation
    from deckcheck.validation import DeckReport

__all__ = ["Entry", "enter", "known_policies", "refuse"]


class _Changes(TypedDict):
    rules: Sequence[str]
    as_of: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What was typed: decks, how they are judged, and what is asked of the games."""

    decks: Sequence[str]
    request: Request
    format: str | None = None
    card_db: Root = None
    against: Sequence[str] = ()
    gauntlet: bool = False
    rules: Sequence[str] = ()
    as_of: str | None = None
    allow_illegal: bool = False


def enter(
    ctx: typer.Context, entry: Entry, *, quiet: bool = False
) -> tuple[Simulation, list[str]]:
    """The simulation of an entry, and the files that were named again for nothing.

    Raises IllegalDeckError for decks that must not play, and UsageError.
    """
    from deckcheck.formats import database_of
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.reports import common_format, facing, first_file
    from deckcheck.sim.simulation import simulation_of

    changes: _Changes = {"rules": entry.rules, "as_of": entry.as_of}
    reports: list[DeckReport] = []
    again: list[str] = []
    request = entry.request
    if entry.decks:
        reports, again = _read(ctx, entry, entry.decks, changes, quiet)
        if entry.against:
            field, more = _read(ctx, entry, entry.against, changes, quiet)
            again += more
            reports, challengers = facing(reports, field)
            request = replace(request, challengers=challengers)
        elif entry.gauntlet:
            request = replace(request, challengers=first_file(reports))
    elif not request.random_decks:
        raise UsageError("No decks given", "Name two decks or more, or a folder")
    allowed = entry.allow_illegal
    refused = [r for r in reports if r.deck is None or not (r.legal or allowed)]
    if refused:
        raise IllegalDeckError.of(refused)
    fmt = common_format(reports) if reports else _named(entry, changes)
    database = database_of(fmt, entry.card_db)
    return simulation_of(fmt, database, reports, request), again


def _read(
    ctx: typer.Context,
    entry: Entry,
    targets: Sequence[str],
    changes: _Changes,
    quiet: bool,
) -> tuple[list[DeckReport], list[str]]:
    """The decks of some files, judged, and the files that were named again."""
    from deckcheck.sim.reports import gather

    settings = settings_of(ctx)
    notes: list[str] = []
    reports, again = gather(
        targets,
        entry.format,
        entry.card_db,
        notes=notes,
        fallback=settings.formats_by_path() if settings else None,
        **changes,
    )
    tell_notes(notes, quiet=quiet)
    return (settings.weigh(reports) if settings else reports), again


def known_policies(names: list[str] | None) -> tuple[str, ...]:
    """The players that were named, or the default; UsageError for an unknown one."""
    from deckcheck.policies.host.registry import DEFAULT_POLICY, read_policy

    for name in names or ():
        read_policy(name)
    return tuple(names or [DEFAULT_POLICY])


def refuse(error: IllegalDeckError, stream: TextIO, color: str, quiet: int) -> None:
    """Show why decks must not play; an unreadable one cannot, whatever is allowed."""
    from deckcheck.findings.style import Style, wants_color
    from deckcheck.reporters import REPORTERS
    from deckcheck.validation import Validation

    if quiet > 1:
        return
    style = Style(wants_color(color, stream, os.environ))
    dict(REPORTERS)["full"](Validation(error.reports), stream, style, not quiet)
    if not quiet:
        tell("No game was played; --allow-illegal lets illegal decks play")


def _named(entry: Entry, changes: _Changes) -> Format:
    """The format to deal random decks by."""
    from deckcheck.validation import Validator

    known = Validator(entry.format, entry.card_db, **changes).format
    if known is None:
        raise UsageError("Random decks need a format", "Name one with `--format`")
    return known
