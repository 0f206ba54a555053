"""`compare`, `meta`, `impact`, `tune`, `build`, `solve`, `balance`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import (
    JudgingOptions,
    build_from_decks,
    read_decks,
    read_field,
    refusing,
    split_outputs,
    write_findings,
)
from deckcheck.cli.invocation import invocation_of
from deckcheck.cli.options import (
    AllowIllegal,
    AsOf,
    DeckFile,
    FormatArgument,
    FormatName,
    ResultFormat,
    Rules,
    RunFolder,
    ShardName,
    Weights,
    field_option,
    group_options,
    outputs_option,
)
from deckcheck.cli.output import check_places, files_of, read_outputs, write_outputs
from deckcheck.cli.playing import KeepOptions, PlaySettings, play
from deckcheck.cli.settings import EXPLAINED_IF_MISSING, PATHS_METAVAR, nothing_named
from deckcheck.files import only_one
from deckcheck.findings import UsageError
from deckcheck.messages import option, quote
from deckcheck.sim import NOBODY, REFERENCE
from deckcheck.specs import (
    BuildSpec,
    CompareSpec,
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

Make = Callable[["Format", "CardDatabase", Reports, Reports, Any], "Study[Any, Any]"]
"""Makes a study of a format with its cards, of decks, a field, and a question."""


Shared = TypeVar("Shared", bound=StudyOptions)


def with_format(options: Shared, which: str | None) -> Shared:
    """Return the options with the format from the argument. Raises UsageError."""
    if which is None and options.format is None:
        raise nothing_named(
            "format", "Name a format, such as `gwent/standard`", options.against
        )
    if which is None:
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
    decks: Sequence[str],
    options: StudyOptions,
    make: Make,
    question: Any,
    *,
    weights: Path | None = None,
    needs_field: bool = True,
    alone: bool = False,
    kind: str | None = None,
    shard: str | None = None,
) -> int:
    """Read the decks, play the study that `make` makes, and write the outputs.

    A file of `weights` may weigh the field. A study that `needs_field` gets the
    reference field where none is named. Decks are judged `alone` if their files are not
    lineups or teams here. `kind` is the study, by default with the name of the command.
    `shard` is the part to play. Returns the exit code.
    """
    from deckcheck.sim.gathering import drop_joint_findings
    from deckcheck.sim.simulation import playable_format
    from deckcheck.studies.duels import weights_in
    from deckcheck.studies.registry import STUDIES

    o = options
    writers = STUDIES[kind or str(ctx.command.name)].writers(full=o.full)
    outputs, finding_outputs = split_outputs(o.output_format, writers, o.output)
    if shard is not None and o.run is None:
        raise UsageError("`--shard` goes with `--run FOLDER` only", "Name a folder")
    with refusing(outputs, o.color, o.quiet, finding_outputs):
        reports, _ = read_decks(ctx, decks, o.judging, quiet=o.quiet > 0)
        if alone:
            reports = drop_joint_findings(reports)
        against = o.against or ([REFERENCE] if needs_field else [])
        field, _ = read_field(ctx, against, reports, o.judging, quiet=o.quiet > 0)
        everything = [*reports, *field]
        fmt, database = playable_format(
            everything, o.judging.validator(), allow_illegal=o.allow_illegal
        )
    write_findings(everything, finding_outputs, o.color)
    if weights is not None:
        weighed = weights_in(weights, field)
        question = replace(question, weights=weighed)
    study = make(fmt, database, reports, field, question)
    check_places(files_of(outputs))
    return o.play(ctx, study, outputs, o.run, shard)


# `deckcheck compare --new-format`: the same decks under two formats


def play_change(
    ctx: typer.Context,
    decks: Sequence[str],
    options: StudyOptions,
    new_format: str,
    question: CompareSpec,
) -> int:
    """Play decks under both formats, write the changes, and return the exit code.

    With a field they meet its decks and not each other. Without decks the decks of the
    field meet each other.
    """
    from deckcheck.sim.seating import Request
    from deckcheck.studies.changes import CHANGES, FIRST_GAMES, FieldChange, KeptRuns

    o = options
    outputs, finding_outputs = split_outputs(
        o.output_format, CHANGES.writers(full=o.full), o.output
    )
    against = o.against or []
    if not decks and not against:
        raise nothing_named("decks", "Name decks, or a field with `--against`", against)
    games = question.games
    request = Request(games or FIRST_GAMES, question.seed, question.policies)
    judging = o.judging
    named, field = (decks, against) if decks else (against, [])
    with refusing(outputs, o.color, o.quiet, finding_outputs):
        simulations = []
        for each in (judging, replace(judging, format=new_format)):
            simulation, _ = build_from_decks(
                ctx,
                named,
                request,
                each,
                field,
                quiet=o.quiet > 0,
                finding_outputs=finding_outputs,
            )
            simulations.append(simulation)
        before, after = simulations
    runs = None if o.run is None else KeptRuns(o.run, o.card_db)
    cached = None
    if runs is None and not o.no_keep:
        cached = o.keep_in_cache(before), o.keep_in_cache(after)
    change = FieldChange(
        before,
        after,
        games,
        question.margin,
        runs,
        kept=cached,
        thorough=question.thorough,
    )
    check_places(files_of(outputs))
    resume = "" if o.run is None else invocation_of(ctx).command_again(*decks)
    return play(change, PlaySettings(o, outputs, resume))


# `deckcheck compare`: the better version of a deck, with its certainty


@group_options
def compare(
    ctx: typer.Context,
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="OLD NEW...",
            help="The versions: files, folders, globs or share codes.",
            show_default=EXPLAINED_IF_MISSING,
        ),
    ] = None,
    *,
    new_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            autocompletion=completing.formats,
            help="Compare formats instead of versions: the decks as they are, or "
            "under --format, with the same decks under this format, such as "
            "what_if.yaml with a changed card. Without any deck the decks of "
            "--against play each other.",
        ),
    ] = None,
    question: CompareSpec,
    weights: Weights = None,
    shard: ShardName = None,
    options: StudyOptions,
) -> int:
    """Find out which version of a deck is better against a field of decks.

    All versions play the same games: the same shuffles, the same opponents, common
    cards in the same places. Games are played until the answer is clear. Results depend
    only on decks, format, policies, seed, margin and games. With --new-format the same
    decks play under two formats, and the answer is the change.
    """
    if new_format is not None:
        from deckcheck.studies.changes import make_second_bot_error

        for name, value in (("--shard", shard), ("--weights", weights)):
            if value is not None:
                raise UsageError(
                    f"`{name}` does not work with `--new-format`", "Leave either out"
                )
        typed = invocation_of(ctx).find_typed({"cross_check", "cross_check_games"})
        if typed is not None and question.cross_check not in (NOBODY, None):
            raise make_second_bot_error()
        decks = versions or []
        return play_change(ctx, decks, options, new_format, question)
    if not versions:
        raise nothing_named(
            "decks", "Name the old version and the new version", options.against
        )
    from deckcheck.studies.compare import make_comparison

    return play_study(
        ctx, versions, options, make_comparison, question, weights=weights, shard=shard
    )


# `deckcheck meta`: decks to bring, by the games of a run, or for a known field


OF_RUNS = tuple(
    """
    source weights seed output_format output full color quiet card_db config
    isolated show_settings
    """.split()
)
"""The options of `meta RUN`. The rest is for the games of `--mine`."""


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
    if mine is None and is_table:
        _refuse_questions(ctx, {*OF_RUNS, "with_run"})
        for name, is_given in (
            ("weights", weights is not None),
            ("seed", invocation_of(ctx).is_typed("seed")),
        ):
            if is_given:
                raise UsageError(f"{option(name)} requires a run", "Leave it out")
        assert source is not None
        return _evaluate_table(source, with_run, options)
    if mine is None:
        return _evaluate_run(ctx, source, weights, question.seed, options)
    if source is not None:
        raise UsageError(
            f"{quote(str(source))} is named as a run, and decks with `--mine`",
            "Leave either out. Name the field with `--against`",
        )
    from deckcheck.studies.compare import make_comparison

    def choose(
        fmt: Format, database: CardDatabase, decks: Reports, field: Reports, asked: Any
    ) -> Study[Any, Any]:
        if len(decks) == 1:
            help = "`deckcheck simulate DECK --against FIELD` measures a single deck"
            raise UsageError("`--mine` needs at least two decks to choose from", help)
        return make_comparison(fmt, database, decks, field, asked)

    return play_study(
        ctx, mine, options, choose, question, weights=weights, kind="compare"
    )


def _evaluate_run(
    ctx: typer.Context,
    source: Path | None,
    weights: Path | None,
    seed: int,
    options: StudyOptions,
) -> int:
    """Recommend decks to bring by the games of a run."""
    from deckcheck.studies.duels import read_weights
    from deckcheck.studies.field import read_field
    from deckcheck.studies.meta import make_meta
    from deckcheck.studies.meta_report import META

    _refuse_questions(ctx, OF_RUNS)
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


def _evaluate_table(source: Path, with_run: Path | None, options: StudyOptions) -> int:
    """Show the figures of real games, and whether a run agrees."""
    from deckcheck.studies.field import read_field
    from deckcheck.studies.real_games import REAL_GAMES, make_real_games, read_games

    writers = REAL_GAMES.writers(full=options.full)
    outputs = read_outputs(options.output_format or (), writers, options.output)
    table = read_games(only_one(source))
    run = None if with_run is None else read_field(with_run, options.card_db)
    check_places(files_of(outputs))
    found = make_real_games(table, run)
    write_outputs(found, outputs, options.color, options.quiet)
    return 0


def _refuse_questions(ctx: typer.Context, allowed: Collection[str]) -> None:
    """Refuse options about the games that --mine plays."""
    invocation = invocation_of(ctx)
    names = {setting.name for setting in invocation.settings}
    setting = invocation.find_typed(names.difference(allowed))
    if setting is not None:
        raise UsageError(
            f"`{setting.opts[0]}` requires `--mine`", "Name your decks with it"
        )


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
    """Find out the worth of each card of a deck. `tune` finds the card to change.

    Each card is replaced by average cards and by the best legal cards, and all versions
    play the same games. A first trial chooses the replacements to measure. The figures
    are from other games, and a second bot measures the least card, or the card of
    --card, again. With --redraws each card of the dealt hand is kept and redrawn in the
    same games instead, with --hand all its cards that may be redrawn together. Results
    depend only on deck, field, format, policies, seed, games, card and hand.
    """
    if not deck:
        raise nothing_named(
            "deck", "Name the deck whose cards are weighed", options.against
        )
    if redraws or hand is not None:
        from deckcheck.studies.redraws import redraws_study

        if question.card is not None:
            raise UsageError(
                "`--card` measures the impact of a card, `--redraws` which to redraw",
                "Leave either out",
            )
        values = asdict(question)
        del values["card"]
        asked = RedrawsSpec(**values)
        study = partial(redraws_study, hand=hand)
        return play_study(
            ctx, [deck], options, study, asked, weights=weights, kind="redraws"
        )
    from deckcheck.studies.impact import make_impact

    return play_study(ctx, [deck], options, make_impact, question, weights=weights)


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
    return play_study(ctx, [deck], options, make_tuning, question, weights=weights)


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
    return play_study(ctx, [], options, make_building, question, weights=weights)


def _take_format(options: StudyOptions, which: str | None) -> StudyOptions:
    """Return the options with the format from the argument. Refuse a faction."""
    from deckcheck.cards import game_ids, load_database

    for game in game_ids() if which is not None else ():
        if load_database(game).find_faction(str(which)).id is not None:
            raise UsageError(
                f"{quote(str(which))} is a faction, not a format",
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
    format, decks, policy, seed, games, bound and rounds.
    """
    from deckcheck.studies.lineups import find_solution_kind, make_solution

    options = with_output(with_format(options, which), "decks", decks)
    return play_study(
        ctx,
        start or [],
        options,
        make_solution,
        question,
        needs_field=False,
        alone=True,
        kind=find_solution_kind(options.judging.validator().format),
    )


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
            completing.outputs("studies.balance.result:BALANCE"),
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
    from deckcheck.studies.balance.result import BALANCE
    from deckcheck.studies.balance.study import read_balance_plan

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
    study = balance_plan.balance(fmt, database, reports, *astuple(cross_checked))
    check_places(files_of(outputs))
    return options.play(ctx, study, outputs, run)
