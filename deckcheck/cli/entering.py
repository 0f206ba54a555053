"""Builds the simulation from the command line: decks are read, judged and entered."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import typer

from deckcheck.cli.invocation import config_of
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.printing import tell, tell_notes

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.simulation import Simulation
    from deckcheck.sim.tables.seating import Request
    from deckcheck.validation import DeckReport, Validator


@dataclass(frozen=True, slots=True)
class Judging:
    """How the decks of a command are judged before they play."""

    format: str | None = None
    card_db: Root = None
    rules: Sequence[str] = ()
    as_of: str | None = None
    allow_illegal: bool = False

    def validator(self) -> Validator:
        """What judges them; UsageError for an unknown format or rule."""
        from deckcheck.validation import Validator

        return Validator(self.format, self.card_db, rules=self.rules, as_of=self.as_of)


@dataclass(frozen=True, slots=True)
class Entry:
    """What was typed: decks, how they are judged, and what is asked of the games."""

    decks: Sequence[str]
    request: Request
    judging: Judging
    against: Sequence[str] = ()
    gauntlet: bool = False


def enter(
    ctx: typer.Context, entry: Entry, *, quiet: bool = False
) -> tuple[Simulation, list[str]]:
    """The simulation of an entry, and the files that were named again for nothing.

    Raises IllegalDeckError for decks that must not play, and UsageError.
    """
    from deckcheck.sim.build import build_simulation

    judging = entry.judging
    if not entry.decks and not entry.request.random_decks:
        raise nothing_named(
            "decks", "Name two decks or more, or a folder", entry.against
        )
    named, again = read_decks(ctx, entry.decks, judging, quiet=quiet)
    field, more = read_field(ctx, entry.against, named, judging, quiet=quiet)
    simulation = build_simulation(
        named,
        field if entry.against else None,
        entry.request,
        judging.validator(),
        gauntlet=entry.gauntlet,
        allow_illegal=judging.allow_illegal,
    )
    return simulation, [*again, *more]


def read_decks(
    ctx: typer.Context, targets: Sequence[str], judging: Judging, *, quiet: bool = False
) -> tuple[list[DeckReport], list[str]]:
    """The decks of some files, judged, and the files that were named again."""
    from deckcheck.decks import LeftOut
    from deckcheck.sim.tables.inputs import gather

    settings = config_of(ctx)
    left_out = LeftOut()
    reports, again = gather(
        targets,
        judging.format,
        judging.card_db,
        rules=judging.rules,
        as_of=judging.as_of,
        left_out=left_out,
        fallback=settings.formats_by_path() if settings else None,
    )
    tell_notes(left_out.notes, quiet=quiet)
    return (settings.weigh(reports) if settings else reports), again


def read_field(
    ctx: typer.Context,
    targets: Sequence[str],
    named: Sequence[DeckReport],
    judging: Judging,
    *,
    quiet: bool = False,
) -> tuple[list[DeckReport], list[str]]:
    """As `read_decks`, of the field that the decks `named` meet.

    The word `reference` stands for that of the format. Raises IllegalDeckError and
    UsageError where it has to be known which format that is.
    """
    from deckcheck.sim.build import playable_format
    from deckcheck.sim.tables.reference_field import reference_field, without_reference

    files, has_reference = without_reference(targets)
    field, again = read_decks(ctx, files, judging, quiet=quiet)
    if not has_reference:
        return field, again
    fmt, _ = playable_format(
        [*named, *field], judging.validator(), allow_illegal=judging.allow_illegal
    )
    reference = reference_field(fmt, judging.card_db)
    tell_notes([reference.note], quiet=quiet)
    return [*reference.decks, *field], again


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
