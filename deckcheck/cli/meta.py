"""`meta`: decks to bring, by the games of a run, or for a known field."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options import group_options
from deckcheck.cli.output import check_places, files_of, read_outputs, write_outputs
from deckcheck.cli.settings import PATHS_METAVAR, nothing_named
from deckcheck.cli.studies import Reports, StudyDecks, StudyOptions, play_study
from deckcheck.files import only_one
from deckcheck.findings import UsageError
from deckcheck.messages import option, quote
from deckcheck.specs import CompareSpec

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.formats import Format
    from deckcheck.sim.study import Study

OPTIONS_OF_RUNS = tuple(
    """
    source weights seed output_format output full color quiet card_db config
    isolated show_settings
    """.split()
)
"""The options of `meta RUN`. All other options are for the games of `--mine`."""


_TABLE_SUFFIXES = (".csv", ".tsv", ".xlsx", ".ods")
"""The suffixes of tables. A workbook is refused with the way to save it."""


@group_options
def meta(
    ctx: typer.Context,
    source: Annotated[
        Path | None,
        typer.Argument(
            metavar="RUN",
            help="Folder of a run, or a file that `simulate --output-format "
            "json:FILE` wrote.",
            show_default="your decks with --mine",
        ),
    ] = None,
    *,
    mine: Annotated[
        list[str] | None,
        typer.Option(
            metavar=PATHS_METAVAR,
            help="Instead of a run: decks to choose from, such as mine/*.deck. They "
            "play each deck of --against, and not each other.",
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="CSV file of the field that you expect, a deck and its weight on "
            "each line: `Siege masters,3`.",
        ),
    ] = None,
    with_run: Annotated[
        Path | None,
        typer.Option(
            "--with",
            metavar="RUN",
            help="With a table of real games: show the win rates of this run beside "
            "theirs, and whether they agree.",
        ),
    ] = None,
    question: CompareSpec,
    options: StudyOptions,
) -> int:
    """Recommend decks to bring. `report` shows the figures of a run.

    From a finished round robin, without playing: the mix that no deck beats, the
    interval of each deck's share in it, the best counter to each deck, and ratings.
    With --mine: which of these decks is best against the field, by how much, and how
    sure it is, by games with the same shuffles. From a table of real games, such as
    results.csv with the columns deck, opponent and winner: their results.
    """
    is_table = source is not None and source.suffix.lower() in _TABLE_SUFFIXES
    if with_run is not None and not is_table:
        raise UsageError(
            "`--with` goes with a table of real games",
            "Name it first: `deckcheck meta results.csv --with RUN`",
        )
    if mine is not None and source is not None:
        raise UsageError(
            f"{quote(str(source))} is named as a run, and decks with `--mine`",
            "Leave either out. Name the field with `--against`",
        )
    if mine is not None:
        return _choose_deck(ctx, mine, weights, question, options)
    if source is not None and is_table:
        return _evaluate_table(ctx, source, with_run, weights, options)
    return _evaluate_run(ctx, source, weights, question.seed, options)


def _choose_deck(
    ctx: typer.Context,
    mine: list[str],
    weights: Path | None,
    question: CompareSpec,
    options: StudyOptions,
) -> int:
    """Find the best of these decks against the field, by playing."""
    from deckcheck.studies.compare import make_comparison

    def make_choice(
        fmt: Format,
        database: CardDatabase,
        decks: Reports,
        field: Reports,
        question: Any,
    ) -> Study[Any, Any]:
        if len(decks) == 1:
            help = "`deckcheck simulate DECK --against FIELD` measures a single deck"
            raise UsageError("`--mine` needs at least two decks to choose from", help)
        return make_comparison(fmt, database, decks, field, question)

    decks = StudyDecks(named=mine, weights=weights)
    return play_study(ctx, decks, options, make_choice, question, kind="compare")


def _evaluate_run(
    ctx: typer.Context,
    source: Path | None,
    weights: Path | None,
    seed: int,
    options: StudyOptions,
) -> int:
    """Recommend decks to bring by the games of a run."""
    from deckcheck.studies.field import read_field
    from deckcheck.studies.meta import make_meta
    from deckcheck.studies.meta_report import META
    from deckcheck.studies.weights import read_weights

    _refuse_options_of_mine(ctx, OPTIONS_OF_RUNS)
    if source is None:
        help = "Name the folder of `simulate --run`, or your decks with `--mine`"
        raise nothing_named("run", help, None)
    writers = META.writers(full=options.full)
    outputs = read_outputs(options.output_format or (), writers, options.output)
    field = read_field(only_one(source), options.card_db)
    expected = None
    if weights is not None:
        expected = read_weights(weights, field.players, field.noun)
    check_places(files_of(outputs))
    found = make_meta(field, expected, seed=seed)
    write_outputs(found, outputs, options.color, options.quiet)
    return 0


def _evaluate_table(
    ctx: typer.Context,
    source: Path,
    with_run: Path | None,
    weights: Path | None,
    options: StudyOptions,
) -> int:
    """Show the figures of real games, and whether a run agrees."""
    from deckcheck.studies.field import read_field
    from deckcheck.studies.real_games import REAL_GAMES, make_real_games
    from deckcheck.studies.real_games_table import read_games

    _refuse_options_of_mine(ctx, {*OPTIONS_OF_RUNS, "with_run"})
    if weights is not None:
        raise UsageError(f"{option('weights')} requires a run", "Leave it out")
    if invocation_of(ctx).is_typed("seed"):
        raise UsageError(f"{option('seed')} requires a run", "Leave it out")
    writers = REAL_GAMES.writers(full=options.full)
    outputs = read_outputs(options.output_format or (), writers, options.output)
    table = read_games(only_one(source))
    run = None if with_run is None else read_field(with_run, options.card_db)
    check_places(files_of(outputs))
    found = make_real_games(table, run)
    write_outputs(found, outputs, options.color, options.quiet)
    return 0


def _refuse_options_of_mine(ctx: typer.Context, allowed: Collection[str]) -> None:
    """Refuse options that only the games of --mine use."""
    invocation = invocation_of(ctx)
    names = {setting.name for setting in invocation.settings}
    setting = invocation.find_typed(names.difference(allowed))
    if setting is not None:
        raise UsageError(
            f"`{setting.opts[0]}` requires `--mine`", "Name your decks with it"
        )
