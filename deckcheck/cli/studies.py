"""The runner of studies, and `impact`, `tune`, `build`, `solve`, `balance`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import (
    JudgingOptions,
    read_decks,
    read_field,
    refusing,
    split_outputs,
    write_findings,
)
from deckcheck.cli.options import (
    AllowIllegal,
    AsOf,
    DeckFile,
    FormatArgument,
    FormatName,
    ResultFormat,
    Rules,
    RunFolder,
    Weights,
    field_option,
    group_options,
    outputs_option,
)
from deckcheck.cli.output import check_places, files_of
from deckcheck.cli.playing import KeepOptions
from deckcheck.cli.settings import EXPLAINED_IF_MISSING, PATHS_METAVAR, nothing_named
from deckcheck.findings import UsageError
from deckcheck.messages import quote
from deckcheck.sim import REFERENCE
from deckcheck.specs import (
    BuildSpec,
    CrossCheckSpec,
    ImpactSpec,
    RedrawsSpec,
    SolveSpec,
    TuneSpec,
)

if TYPE_CHECKING:
    from deckcheck.cards import CardDatabase
    from deckcheck.formats import Format
    from deckcheck.sim.study import Study
    from deckcheck.validation import DeckReport


# The options and the runner that compare, impact, tune, build and solve share


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOptions(KeepOptions):
    """The options for reading decks and showing results, apart from the question."""

    against: Annotated[
        list[str] | None,
        field_option(
            "Decks to play against, such as decks/ or meta/*.deck (default: "
            "`reference`, the format's reference field). Takes every path up to the "
            "next option, so put it last."
        ),
    ] = None
    format: FormatName = None
    as_of: AsOf = None
    rule: Rules = None
    allow_illegal: AllowIllegal = False
    run: RunFolder = None
    output_format: ResultFormat = None

    @property
    def judging(self) -> JudgingOptions:
        """How decks are judged before they play."""
        return JudgingOptions(
            self.format, self.card_db, self.rule or (), self.as_of, self.allow_illegal
        )


DeckArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="DECK",
        help="A file or a share code.",
        show_default=EXPLAINED_IF_MISSING,
    ),
]

Reports = list["DeckReport"]
"""Judged decks."""

MakeStudy = Callable[
    ["Format", "CardDatabase", Reports, Reports, Any], "Study[Any, Any]"
]
"""Makes a study of a format with its cards, of decks, a field, and a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDecks:
    """The decks that a study reads."""

    named: Sequence[str]
    """Files, folders, globs or share codes."""
    weights: Path | None = None
    """The file that weighs the decks of the field."""
    needs_field: bool = True
    """Whether the reference field is taken if no field is named."""
    are_single: bool = False
    """Whether a file with several decks is not a lineup or a team."""


Shared = TypeVar("Shared", bound=StudyOptions)


def with_format(options: Shared, which: str | None) -> Shared:
    """Return the options with the format `which` from the argument, if it is given.

    Raises UsageError without a format, and for an option with another one.
    """
    if which is None:
        if options.format is None:
            raise nothing_named(
                "format", "Name a format, such as `gwent/standard`", options.against
            )
        return options
    if options.format not in (None, which):
        raise UsageError(
            f"Two formats given: {quote(which)} and {quote(str(options.format))}",
            "Give the format once, as an argument or with `--format`",
        )
    return replace(options, format=which)


def with_output(options: Shared, word: str, file: Path | None) -> Shared:
    """Return the options with an output of that name, if a file is named for it."""
    if file is None:
        return options
    outputs = [*(options.output_format or ["table"]), f"{word}:{file}"]
    return replace(options, output_format=outputs)


def play_study(
    ctx: typer.Context,
    decks: StudyDecks,
    options: StudyOptions,
    make_study: MakeStudy,
    question: Any,
    *,
    kind: str | None = None,
    shard: str | None = None,
) -> int:
    """Read the decks, play the study that `make_study` returns, and write the outputs.

    `kind` is the name of the study, by default that of the command. `shard` is the part
    to play, such as `3/8`. Returns the exit code.
    """
    from deckcheck.sim.gathering import drop_joint_findings
    from deckcheck.sim.simulation import playable_format
    from deckcheck.studies.duels import find_weights
    from deckcheck.studies.registry import STUDIES

    writers = STUDIES[kind or str(ctx.command.name)].writers(full=options.full)
    outputs, finding_outputs = split_outputs(
        options.output_format, writers, options.output
    )
    if shard is not None and options.run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    judging = options.judging
    is_quiet = options.quiet > 0
    with refusing(outputs, options.color, options.quiet, finding_outputs):
        reports, _ = read_decks(ctx, decks.named, judging, quiet=is_quiet)
        if decks.are_single:
            reports = drop_joint_findings(reports)
        against = options.against or []
        if not against and decks.needs_field:
            against = [REFERENCE]
        field, _ = read_field(ctx, against, reports, judging, quiet=is_quiet)
        everything = [*reports, *field]
        fmt, database = playable_format(
            everything, judging.validator(), allow_illegal=options.allow_illegal
        )
    write_findings(everything, finding_outputs, options.color)
    if decks.weights is not None:
        question = replace(question, weights=find_weights(decks.weights, field))
    study = make_study(fmt, database, reports, field, question)
    check_places(files_of(outputs))
    return options.play(ctx, study, outputs, options.run, shard)


# `deckcheck impact`: the worth of each card of a deck, or of a single card


@group_options
def impact(
    ctx: typer.Context,
    deck: DeckArgument = None,
    *,
    redraws: Annotated[
        bool,
        typer.Option(
            help="Find out which cards of the dealt hand to redraw, instead of the "
            "impact of cards."
        ),
    ] = False,
    hand: Annotated[
        str | None,
        typer.Option(
            metavar="CARDS",
            help="Find out which cards of this hand to redraw together, such as "
            '"Roach, 2 Catapult, ..." or the name of a file with the hand.',
        ),
    ] = None,
    question: ImpactSpec,
    weights: Weights = None,
    options: StudyOptions,
) -> int:
    """Measure the impact of each card of a deck. `tune` finds the card to change.

    Each card is replaced by average cards and by the best legal cards, and all versions
    play the same games. A first trial chooses the replacements to measure. The results
    of the weakest are from other games. A second bot measures the weakest card again,
    or the card of --card. With --redraws each card of the dealt hand is instead kept
    and redrawn in the same games. --hand does this for one hand, with every redraw that
    is allowed. Results depend only on deck, field, format, policies, seed, games, card,
    hand and --thorough.
    """
    if not deck:
        raise nothing_named(
            "deck", "Name the deck whose cards are weighed", options.against
        )
    decks = StudyDecks(named=[deck], weights=weights)
    if redraws or hand is not None:
        from deckcheck.studies.redraws import redraws_study

        if question.card is not None:
            raise UsageError(
                "`--card` measures the impact of a card, `--redraws` which to redraw",
                "Leave either out",
            )
        values = asdict(question)
        del values["card"]
        return play_study(
            ctx,
            decks,
            options,
            partial(redraws_study, hand=hand),
            RedrawsSpec(**values),
            kind="redraws",
        )
    from deckcheck.studies.impact import make_impact

    return play_study(ctx, decks, options, make_impact, question)


# `deckcheck tune` and `build`: a deck is found


@group_options
def tune(
    ctx: typer.Context,
    deck: DeckArgument = None,
    *,
    question: TuneSpec,
    weights: Weights = None,
    deck_file: DeckFile = None,
    options: StudyOptions,
) -> int:
    """Find a better version of a deck, within some changes, against a field of decks.

    Hundreds of legal decks are measured. The figures of the best deck are from fresh
    games without a part in choosing it. Results depend only on deck, field, format,
    policies, seed, games and the changes allowed.
    """
    from deckcheck.studies.search.study import make_tuning

    if not deck:
        raise nothing_named("deck", "Name the deck to tune", options.against)
    options = with_output(options, "deck", deck_file)
    decks = StudyDecks(named=[deck], weights=weights)
    return play_study(ctx, decks, options, make_tuning, question)


@group_options
def build(
    ctx: typer.Context,
    which: FormatArgument = None,
    *,
    question: BuildSpec,
    weights: Weights = None,
    deck_file: DeckFile = None,
    options: StudyOptions,
) -> int:
    """Build the best deck of a format, from nothing, against a field of decks.

    The search begins with random legal decks and with the decks of the field. The
    figures of the deck it finds are from fresh games without a part in choosing it.
    Ctrl-C prints the best deck so far. Results depend only on field, format, factions,
    policies, seed and games.
    """
    from deckcheck.studies.search.study import make_building

    options = with_output(_take_format(options, which), "deck", deck_file)
    decks = StudyDecks(named=[], weights=weights)
    return play_study(ctx, decks, options, make_building, question)


def _take_format(options: StudyOptions, which: str | None) -> StudyOptions:
    """Return the options with the format from the argument.

    Raises UsageError for a faction in its place, and as `with_format` does.
    """
    from deckcheck.cards import game_ids, load_database

    if which is None:
        return with_format(options, which)
    for game in game_ids():
        if load_database(game).find_faction(which).id is not None:
            raise UsageError(
                f"{quote(which)} is a faction, not a format",
                f"""Name the format, and then `--faction "{which}"`""",
            )
    return with_format(options, which)


# `deckcheck solve`: the decks that a strong team would bring


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveOptions(StudyOptions):
    """The options of all studies, for a mix of decks that a single player plays."""

    against: Annotated[
        list[str] | None,
        field_option(
            "Decks that the finished mix plays against, such as decks/, or "
            "`reference` for the field of the format, without a part in the search. "
            "In a format of matches, lineups to find the best lineup against. "
            "Takes every path up to the next option."
        ),
    ] = None


@group_options
def solve(
    ctx: typer.Context,
    which: FormatArgument = None,
    *,
    start: Annotated[
        list[str] | None,
        typer.Option(
            metavar=PATHS_METAVAR,
            help="Decks to begin with, such as decks/, or decks to make lineups of in "
            "a format of matches. Takes every path up to the next option.",
            show_default="a random deck of each faction, none in formats of matches",
        ),
    ] = None,
    question: SolveSpec,
    decks: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the decks of the mix, or of the best lineup, to this file, "
            "as text.",
        ),
    ] = None,
    options: SolveOptions,
) -> int:
    """Find the mix of decks that a strong team would bring.

    Decks play each other, which gives the mix that no deck beats. A search then finds a
    counter-deck, which joins the decks, and so on until no counter-deck gains more than
    --bound. With --against the mix then meets other decks. In a format of matches, such
    as gwent/tournament, it finds the lineup to bring: the best lineup against the
    lineups of --against, or else the mix that no lineup beats. Results depend only on
    format, decks, policy, seed, games, bound, rounds and --thorough.
    """
    from deckcheck.studies.lineups import find_solution_kind, make_solution

    options = with_output(with_format(options, which), "decks", decks)
    kind = find_solution_kind(options.judging.validator().format)
    start_decks = StudyDecks(named=start or [], needs_field=False, are_single=True)
    return play_study(ctx, start_decks, options, make_solution, question, kind=kind)


# `deckcheck balance`: the smallest changes of cards that balance a field


@group_options
def balance(
    ctx: typer.Context,
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN",
            help="A balance plan: a TOML file with the field, the targets and the "
            "bounds of changes.",
        ),
    ],
    *,
    cross_checked: CrossCheckSpec,
    run: RunFolder = None,
    output_format: Annotated[
        list[str] | None,
        outputs_option(
            completing.outputs("studies.balance.report:BALANCE"),
            "the result: table (default), line, json, csv, parquet, markdown, html, or "
            "set for a set of the changed cards",
        ),
    ] = None,
    options: KeepOptions,
) -> int:
    """Find the smallest changes of cards that bring a field to its targets.

    Shows unusual cards, changes within the bounds of the plan, and win rates before and
    after, from fresh games that had no part in choosing the changes. Results depend
    only on the plan, --cross-check and --cross-check-games.
    """
    from deckcheck.sim.simulation import playable_format
    from deckcheck.studies.balance.plan import read_balance_plan
    from deckcheck.studies.balance.report import BALANCE

    outputs, finding_outputs = split_outputs(
        output_format, BALANCE.writers(full=options.full), options.output
    )
    balance_plan = read_balance_plan(plan)
    judging = JudgingOptions(
        balance_plan.format, options.card_db, (), balance_plan.file.as_of
    )
    with refusing(outputs, options.color, options.quiet, finding_outputs):
        reports, _ = read_decks(
            ctx, balance_plan.decks, judging, quiet=options.quiet > 0
        )
        fmt, database = playable_format(reports, judging.validator())
    write_findings(reports, finding_outputs, options.color)
    study = balance_plan.balance(
        fmt,
        database,
        reports,
        cross_check=cross_checked.cross_check,
        cross_check_games=cross_checked.cross_check_games,
    )
    check_places(files_of(outputs))
    return options.play(ctx, study, outputs, run)
