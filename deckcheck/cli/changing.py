"""`deckcheck compare --new-format`: the same decks under two formats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

import typer

from deckcheck.cli.entering import Entry, enter, refuse
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.path_lists import nothing_named
from deckcheck.cli.playing import play
from deckcheck.cli.studying import FINDINGS, StudyOptions


def play_change(
    ctx: typer.Context,
    decks: Sequence[str],
    options: StudyOptions,
    new_format: str,
    *,
    games: int | None,
    margin: float,
) -> int:
    """Play decks under both formats, and write what changed; returns the exit code.

    With a field they meet its decks and not each other. Without decks those of the
    field meet each other.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.tables.seating import Request
    from deckcheck.studies.changes.page import CHANGES
    from deckcheck.studies.changes.play import FIRST_GAMES, FormatChange, Place

    o = options
    outputs = read_outputs(o.output_format or (), CHANGES.writers(), o.output)
    against = o.against or []
    if not decks and not against:
        raise nothing_named("decks", "Name decks, or a field with `--against`", against)
    request = Request(games or FIRST_GAMES, o.seed, o.policies)
    judging = o.judging
    named, field = (decks, against) if decks else (against, [])
    try:
        before, after = (
            enter(ctx, Entry(named, request, how, field), quiet=o.quiet > 0)[0]
            for how in (judging, replace(judging, format=new_format))
        )
    except IllegalDeckError as error:
        refuse(error, sys.stderr, o.color, o.quiet)
        return FINDINGS
    place = None if o.run is None else Place(o.run, o.card_db)
    change = FormatChange(before, after, games, margin, place)
    check_places(files_of(outputs))
    again = "" if o.run is None else invocation_of(ctx).command_again(*decks)
    return play(change, o.how(outputs, again))
