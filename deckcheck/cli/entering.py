"""From what was typed to the simulation: decks are read, judged and entered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TextIO

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

__all__ = [
    "Entry",
    "Judging",
    "check_legal",
    "enter",
    "known_policies",
    "named_format",
    "read_decks",
    "refuse",
]


@dataclass(frozen=True, slots=True)
class Judging:
    """How the decks of a command are judged before they play."""

    format: str | None = None
    card_db: Root = None
    rules: Sequence[str] = ()
    as_of: str | None = None
    allow_illegal: bool = False


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

    @property
    def judging(self) -> Judging:
        """How its decks are judged."""
        return Judging(
            self.format, self.card_db, self.rules, self.as_of, self.allow_illegal
        )


def enter(
    ctx: typer.Context, entry: Entry, *, quiet: bool = False
) -> tuple[Simulation, list[str]]:
    """The simulation of an entry, and the files that were named again for nothing.

    Raises IllegalDeckError for decks that must not play, and UsageError.
    """
    from deckcheck.formats import database_of
    from deckcheck.sim.making import simulation_of
    from deckcheck.sim.reports import common_format, facing, first_file

    reports: list[DeckReport] = []
    again: list[str] = []
    request = entry.request
    if entry.decks:
        reports, again = read_decks(ctx, entry.decks, entry.judging, quiet=quiet)
        if entry.against:
            field, more = read_decks(ctx, entry.against, entry.judging, quiet=quiet)
            again += more
            reports, challengers = facing(reports, field)
            request = replace(request, challengers=challengers)
        elif entry.gauntlet:
            request = replace(request, challengers=first_file(reports))
    elif not request.random_decks:
        raise UsageError("No decks given", "Name two decks or more, or a folder")
    check_legal(reports, entry.judging)
    fmt = common_format(reports) if reports else named_format(entry.judging)
    database = database_of(fmt, entry.card_db)
    return simulation_of(fmt, database, reports, request), again


def read_decks(
    ctx: typer.Context, targets: Sequence[str], judging: Judging, *, quiet: bool = False
) -> tuple[list[DeckReport], list[str]]:
    """The decks of some files, judged, and the files that were named again."""
    from deckcheck.sim.reports import gather

    settings = settings_of(ctx)
    notes: list[str] = []
    reports, again = gather(
        targets,
        judging.format,
        judging.card_db,
        rules=judging.rules,
        as_of=judging.as_of,
        notes=notes,
        fallback=settings.formats_by_path() if settings else None,
    )
    tell_notes(notes, quiet=quiet)
    return (settings.weigh(reports) if settings else reports), again


def check_legal(reports: Sequence[DeckReport], judging: Judging) -> None:
    """Raise IllegalDeckError for decks that must not play."""
    from deckcheck.sim.errors import IllegalDeckError

    allowed = judging.allow_illegal
    refused = [r for r in reports if r.deck is None or not (r.legal or allowed)]
    if refused:
        raise IllegalDeckError.of(refused)


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
        can_play = all(report.deck is not None for report in error.reports)
        remedy = "; --allow-illegal lets illegal decks play" if can_play else ""
        tell(f"No game was played{remedy}")


def named_format(judging: Judging) -> Format:
    """The format to play by where no deck is named."""
    from deckcheck.validation import Validator

    known = Validator(
        judging.format, judging.card_db, rules=judging.rules, as_of=judging.as_of
    ).format
    if known is None:
        raise UsageError("Random decks need a format", "Name one with `--format`")
    return known
