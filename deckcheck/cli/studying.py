"""The options and the runner that compare, impact, tune, build and solve share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from deckcheck.cli.entering import (
    Judging,
    known_policies,
    read_decks,
    read_field,
    refuse,
)
from deckcheck.cli.options.games import (
    AllowIllegal,
    Seed,
    field_option,
    policy_option,
)
from deckcheck.cli.options.play import PlayOptions
from deckcheck.cli.options.shared import (
    AsOf,
    FormatName,
    ResultFormat,
    Rules,
    RunFolder,
)
from deckcheck.cli.path_lists import nothing_named
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import quote
from deckcheck.sim.defaults import REFERENCE, SEED

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.formats import Format
    from deckcheck.sim.study import Study
    from deckcheck.validation import DeckReport


FINDINGS = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions(PlayOptions):
    """The options that all these commands have, each declared once."""

    against: Annotated[
        list[str] | None,
        field_option(
            "The field: decks to play against, such as decks/ or meta/*.deck; "
            "`reference`, the default, is that of the format. Takes every path "
            "up to the next option, so name the arguments before it."
        ),
    ] = None
    seed: Seed = SEED
    policy: Annotated[
        list[str] | None,
        policy_option(
            "Computer player that plays the decks: `random`, `sane_random`, "
            "`heuristic`, `learned` or `search`. Give one for all decks, or one "
            "for the decks named first and one for the field."
        ),
    ] = None
    format: FormatName = None
    as_of: AsOf = None
    rule: Rules = None
    allow_illegal: AllowIllegal = False
    run: RunFolder = None
    output_format: ResultFormat = None

    @property
    def policies(self) -> tuple[str, ...]:
        """The players that were named, or the default; UsageError for unknown ones."""
        return known_policies(self.policy)

    @property
    def judging(self) -> Judging:
        """How decks are judged before they play."""
        return Judging(
            self.format, self.card_db, self.rule or (), self.as_of, self.allow_illegal
        )


Make = Callable[
    ["Format", "CardDatabase", "list[DeckReport]", "list[DeckReport]"],
    "Study[Any, Any]",
]
"""A study of a format with its cards, of the decks named first and those of a field."""


Shared = TypeVar("Shared", bound=StudyOptions)


def with_format(options: Shared, which: str | None) -> Shared:
    """The options with the format that is an argument; UsageError without any."""
    if which is None and options.format is None:
        raise nothing_named(
            "format", "Name one, such as `gwent/standard`,", options.against
        )
    if which is None:
        return options
    if options.format not in (None, which):
        raise UsageError(
            f"Two formats given: {quote(which)} and {quote(str(options.format))}",
            "Name one, as argument or with `--format`; options take what else you mean",
        )
    return replace(options, format=which)


def with_output(options: Shared, word: str, file: Path | None) -> Shared:
    """The options with one more output of that name, if a file is named for it."""
    if file is None:
        return options
    outputs = [*(options.output_format or ["table"]), f"{word}:{file}"]
    return replace(options, output_format=outputs)


def play_study(
    ctx: typer.Context,
    decks: Sequence[str],
    options: StudyOptions,
    make: Make,
    *,
    needs_field: bool = True,
    alone: bool = False,
    kind: str | None = None,
    shard: str | None = None,
) -> int:
    """Read the decks, play what `make` makes of them, and write the outputs.

    A study that `needs_field` gets the reference field where none is named. Decks are
    judged `alone` if their files are no lineups or teams here. `kind` is the study if
    its name is not that of the command. `shard` is the part that is played of a study
    that has parts. Returns the exit code.
    """
    from deckcheck.cli.outputs import files_of, read_outputs
    from deckcheck.cli.writing import check_places
    from deckcheck.sim.build import playable_format
    from deckcheck.sim.errors import IllegalDeckError
    from deckcheck.sim.tables.inputs import judged_alone
    from deckcheck.studies.registry import STUDIES

    o = options
    writers = STUDIES[kind or str(ctx.command.name)].presentation.writers()
    outputs = read_outputs(o.output_format or (), writers, o.output)
    if shard is not None and o.run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    try:
        own, _ = read_decks(ctx, decks, o.judging, quiet=o.quiet > 0)
        own = judged_alone(own) if alone else own
        against = o.against or ([REFERENCE] if needs_field else [])
        field, _ = read_field(ctx, against, own, o.judging, quiet=o.quiet > 0)
        fmt, database = playable_format(
            [*own, *field], o.judging.validator(), allow_illegal=o.allow_illegal
        )
    except IllegalDeckError as error:
        shows_table = any(o.name == "table" and o.file is None for o in outputs)
        refuse(error, sys.stdout if shows_table else sys.stderr, o.color, o.quiet)
        return FINDINGS
    study = make(fmt, database, own, field)
    check_places(files_of(outputs))
    return o.play(ctx, study, outputs, o.run, shard)
