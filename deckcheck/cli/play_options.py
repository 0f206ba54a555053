"""Options of the commands that play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from deckcheck.cli import completing
from deckcheck.cli.entering import TypedJudging, TypedSimulation, known_policies
from deckcheck.cli.options import (
    AsOf,
    CardDb,
    ExecutorName,
    FormatName,
    Jobs,
    OutputFile,
    Progress,
    Quiet,
    Rules,
    Scheduler,
)
from deckcheck.cli.playing import How, command_to_resume, play
from deckcheck.cli.settings import PATHS, Color
from deckcheck.sim import SEED, SIMULATE_GAMES

if TYPE_CHECKING:
    from deckcheck.cards import Root
    from deckcheck.cli.output import Output
    from deckcheck.sim.study import Study


# Options that decide which games are played, for all commands that play


def policy_option(help: str) -> Any:
    """The option that names players, as `help` explains it."""
    return typer.Option(
        "--policy",
        metavar="NAME",
        autocompletion=completing.policies,
        help=help,
        show_default="heuristic",
    )


def field_option(help: str) -> Any:
    """The option that names a field of decks, as `help` explains it."""
    return typer.Option("--against", metavar=PATHS, help=help, show_default=False)


Decks = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="DECK...",
        help="Files, folders, globs, share codes, or - for standard input.",
        show_default=False,
    ),
]

Games = Annotated[
    int,
    typer.Option(
        "--games",
        "-n",
        metavar="NUMBER",
        min=1,
        help="Games to play in each matchup.",
    ),
]

Seed = Annotated[
    int,
    typer.Option(
        "--seed",
        metavar="NUMBER",
        min=0,
        help="Number that decides shuffles and all other chance, such as 7: the "
        "same seed gives the same games.",
    ),
]

Policies = Annotated[
    list[str] | None,
    policy_option(
        "Computer player that plays the decks: `random`, `sane_random`, "
        "`heuristic`, `learned` or `search`. Give one for all decks, or one "
        "for each in order."
    ),
]

EveryPolicy = Annotated[
    bool,
    typer.Option(
        "--every-policy",
        help="Enter each deck once with each player of --policy, to tell decks "
        "from players.",
    ),
]

Mirror = Annotated[
    bool, typer.Option("--mirror", help="Let each deck also meet itself.")
]

Against = Annotated[
    list[str] | None,
    field_option(
        "The field: decks to play against, such as meta/*.deck, or `reference` "
        "for that of the format. Takes every path up to the next option; decks "
        "named before it meet the field, and not each other."
    ),
]

Gauntlet = Annotated[
    bool,
    typer.Option(
        "--gauntlet",
        help="Let the first deck meet all others, which do not meet each other.",
    ),
]

Opponents = Annotated[
    list[str] | None,
    typer.Option(
        "--opponent",
        metavar="FACTION",
        autocompletion=completing.factions,
        help="In solo formats: faction of the automa, the automatic opponent, "
        "such as monsters; by default every faction in turn. Can be given "
        "several times.",
        show_default=False,
    ),
]

RandomDecks = Annotated[
    bool,
    typer.Option(
        "--random-decks",
        help="Instead of named decks: deal new random decks for every game, "
        "where the format allows it.",
    ),
]

Players = Annotated[
    int | None,
    typer.Option(
        "--players",
        metavar="NUMBER",
        help="With --random-decks: number of players at the table, such as 4; by "
        "default the fewest that the format allows.",
        show_default=False,
    ),
]

Selections = Annotated[
    list[str] | None,
    typer.Option(
        "--select",
        metavar="NAME",
        autocompletion=completing.selections,
        help="In tournaments: how players choose decks from their lineups, "
        "optimal, random or fixed. Give one for all lineups, or one for "
        "each in order.",
        show_default="optimal",
    ),
]

Matchups = Annotated[
    Path | None,
    typer.Option(
        "--matchups",
        metavar="FILE",
        help="In tournaments, with --select optimal: take win rates from the "
        "JSON of a finished run, such as run.json, instead of measuring "
        "them first.",
    ),
]

AllowIllegal = Annotated[
    bool,
    typer.Option(
        "--allow-illegal",
        help="Let illegal decks play; by default they stop the command.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOptions:
    """What decides the games of decks that are named."""

    games: Games = SIMULATE_GAMES
    seed: Seed = SEED
    policy: Policies = None
    every_policy: EveryPolicy = False
    format: FormatName = None
    as_of: AsOf = None
    rule: Rules = None
    against: Against = None
    gauntlet: Gauntlet = False
    mirror: Mirror = False
    opponent: Opponents = None
    random_decks: RandomDecks = False
    players: Players = None
    select: Selections = None
    matchups: Matchups = None
    allow_illegal: AllowIllegal = False

    def entry(
        self, decks: Sequence[str], card_db: Root, **more: Any
    ) -> TypedSimulation:
        """What was typed with these decks; `more` is asked of the games too.

        Raises UsageError for an unknown player, and for matchups that are none.
        """
        from deckcheck.sim.seating import Request
        from deckcheck.sim.tournament import read_chances

        request = Request(
            games=self.games,
            seed=self.seed,
            policies=known_policies(self.policy),
            every_policy=self.every_policy,
            mirror=self.mirror,
            opponents=tuple(self.opponent or ()),
            random_decks=self.random_decks,
            players=self.players,
            selections=tuple(self.select or ()),
            matchups=None if self.matchups is None else read_chances(self.matchups),
            **more,
        )
        judging = TypedJudging(
            self.format, card_db, self.rule or (), self.as_of, self.allow_illegal
        )
        return TypedSimulation(
            decks, request, judging, self.against or (), self.gauntlet
        )


# The options of all commands that play: by whom, and how it is shown


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """What changes no result, but for `card_db`."""

    jobs: Jobs = None
    executor: ExecutorName = "processes"
    scheduler: Scheduler = None
    output: OutputFile = None
    progress: Progress = "auto"
    color: Color = "auto"
    quiet: Quiet = 0
    card_db: CardDb = None

    def how(self, outputs: Sequence[Output[Any]], resume: str = "", **more: Any) -> How:
        """How games are played and shown; see `How` for `resume` and what is `more`."""
        return How(
            *(self.jobs, self.executor, self.scheduler, outputs),
            *(self.color, self.quiet, resume, self.progress),
            **more,
        )

    def play(
        self,
        ctx: typer.Context,
        study: Study[Any, Any],
        outputs: Sequence[Output[Any]],
        run: Path | None,
        shard: str | None = None,
    ) -> int:
        """Play a study, kept in the folder `run` if one is named; see `play`."""
        if run is None:
            return play(study, self.how(outputs, could_be_kept=True))
        from deckcheck.sim.run_directory import new_run

        kept = new_run(run, study, shard=shard, card_db=self.card_db)
        return play(kept, self.how(outputs, command_to_resume(ctx, run)))


# Options that end a run before all its games are played


UntilWidth = Annotated[
    str | None,
    typer.Option(
        "--until-width",
        metavar="PERCENT",
        help="Stop each matchup once the 95 % intervals of its win rates are at "
        "most this wide, such as 0.5%; --games is then the most.",
        show_default=False,
    ),
]

SprtLeads = Annotated[
    str | None,
    typer.Option(
        "--sprt",
        metavar="ELO0,ELO1",
        help="Stop each matchup once a test accepts one of two leads of the "
        "first deck in Elo: 0,5 means no lead or a lead of 5.",
        show_default=False,
    ),
]

Alpha = Annotated[
    float,
    typer.Option(
        "--alpha",
        metavar="CHANCE",
        help="With --sprt: chance of accepting ELO1 although ELO0 is true.",
    ),
]

Beta = Annotated[
    float,
    typer.Option(
        "--beta",
        metavar="CHANCE",
        help="With --sprt: chance of accepting ELO0 although ELO1 is true.",
    ),
]

Elo = Annotated[
    Literal["logistic", "normalised"],
    typer.Option(
        "--elo",
        help="With --sprt: measure leads by the score (logistic), or in standard "
        "deviations of a game (normalised).",
    ),
]

Adaptive = Annotated[
    bool,
    typer.Option(
        "--adaptive",
        help="In round robins: stop matchups of decks whose rank is settled, and "
        "give their games to the others.",
    ),
]
