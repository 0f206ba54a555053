"""The question of each study: options, keywords, and what a run keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

from deckcheck.fields import CLOSED
from deckcheck.findings import UsageError
from deckcheck.messages import check_range, option, plural
from deckcheck.options import Declaration, Spec
from deckcheck.policies import AUTO
from deckcheck.sim import (
    ALPHA,
    BETA,
    CARD_GAMES,
    COMPARE_MARGIN,
    CROSS_CHECK,
    LINEUP_GAMES,
    MAX_GAMES,
    MAX_SEED,
    NOBODY,
    SEARCH_GAMES,
    SEED,
    SIMULATE_GAMES,
    SOLVE_BOUND,
    SOLVE_GAMES,
    SOLVE_ROUNDS,
    TUNE_CHANGES,
)

if TYPE_CHECKING:
    from deckcheck.formats import Format
    from deckcheck.sim.seating import Request
    from deckcheck.sim.stopping import Stopping

# Options of several studies

MAX_CHANGES = 100
"""The most cards that `tune` may change."""

SEEDS = 1_000
"""How many searches of `solve` there may be, each with a seed of its own."""

USUAL = "`learned` in duels of Gwent, else `heuristic`"
"""What `AUTO` stands for, see `deckcheck.sim.cross_checking.find_bot_name`."""

PAIR = 0.01
"""Games that each pair of decks plays, as a share of the games of a search."""


def number_of_games(help: str, budgets: tuple[int, int]) -> Declaration:
    """Declare the option of how many games are played, as `help` explains it.

    `budgets` are the numbers that are usual, without and with `--thorough`.
    """
    usual, thorough = budgets
    return Declaration(
        flags=("--games", "-n"),
        metavar="NUMBER",
        help=help,
        default=None,
        bounds=(1, MAX_GAMES),
        shown=f"{usual:,}; {thorough:,} with --thorough",
    )


Thorough = Annotated[
    bool,
    Declaration(
        help="Play for minutes instead of seconds: more games, and those that only "
        "choose are played by --policy as well, where otherwise `heuristic` chooses "
        "for `learned`.",
    ),
]


class Budgeted:
    """A question about which a number of games is usual, and a larger one if thorough.

    `BUDGETS` are these two numbers.
    """

    __slots__ = ()

    BUDGETS: ClassVar[tuple[int, int]]

    if TYPE_CHECKING:

        @property
        def games(self) -> int | None:
            """The number of games that is asked for, None for the usual one."""

        @property
        def thorough(self) -> bool:
            """Whether more games are usual."""

    @property
    def budget(self) -> int:
        """The number of games to play."""
        return self.games or self.BUDGETS[self.thorough]


Seed = Annotated[
    int,
    Declaration(
        metavar="NUMBER",
        help="Seed of shuffles and all other randomness, such as 7: the same seed "
        "gives the same games.",
        default=SEED,
        bounds=(0, MAX_SEED),
        cli_least=0,
    ),
]

Factions = Annotated[
    tuple[str, ...],
    Declaration(
        flags=("--faction",),
        metavar="NAME",
        help="Faction to search, such as Skellige. Can be given several times.",
        shown="all",
        completes="factions",
    ),
]

CrossCheck = Annotated[
    str | None,
    Declaration(
        metavar="POLICY",
        help="Play the final games, or a share of all, again with a second bot, such "
        "as `search`, and show its results, too; `none` does not.",
        default=CROSS_CHECK,
        shown="`heuristic` where `learned` plays, and the other way round",
        completes="cross_checking",
    ),
]

CrossCheckGames = Annotated[
    int | None,
    Declaration(
        metavar="NUMBER",
        help="With --cross-check: games that the second bot plays with each deck, or "
        "in each matchup.",
        bounds=(1, MAX_GAMES),
        shown="1,000 for `search`, for others a share of all games",
    ),
]


VersionGames = Annotated[
    int | None,
    number_of_games(
        "Games to play with each version of the deck, against all opponents together.",
        CARD_GAMES,
    ),
]


def check_players(names: Sequence[str]) -> None:
    """Refuse an unknown player."""
    from deckcheck.policies.registry import read_policy

    for name in names:
        if name != AUTO:
            read_policy(name)


def check_cross_check(policy: str | None, games: int | None) -> None:
    """Refuse an unknown player, and games that nobody is to play."""
    from deckcheck.policies.registry import read_policy
    from deckcheck.sim.cross_checking import cross_check_games_error

    if policy not in {None, CROSS_CHECK, NOBODY}:
        read_policy(str(policy))
    if policy is None and games is not None:
        raise cross_check_games_error()


def check_policies(policies: Sequence[str], first: str) -> None:
    """Allow only one policy for all, or one for `first` and one for others."""
    if len(policies) not in (1, 2):
        raise UsageError(
            f"{plural(len(policies), 'policy')} given, expected one or two",
            f"Name one for all decks, or one for the {first} and one for the field",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheckSpec(Spec):
    """Who plays the final games again, or a part of all: another player, or None.

    `cross_check_games` is the number of each deck, None for the usual one.
    """

    __pydantic_config__ = CLOSED

    cross_check: CrossCheck = None
    cross_check_games: CrossCheckGames = None

    def __post_init__(self) -> None:
        Spec.__post_init__(self)
        check_cross_check(self.cross_check, self.cross_check_games)


# Decks that meet as their format says: `simulate`, and `replay` of one of its games


@dataclass(frozen=True, slots=True)
class GamesSpec(Spec):
    """What the games of decks depend on: see `deckcheck.sim.seating.Request`."""

    games: Annotated[
        int | None,
        Declaration(
            flags=("--games", "-n"),
            metavar="NUMBER",
            help="Games to play in each matchup.",
            cli_least=1,
            shown=f"{SIMULATE_GAMES:,}; with many matchups fewer, as long as they are "
            "not --thorough and no rule stops them",
        ),
    ] = None
    thorough: Annotated[
        bool,
        Declaration(
            help=f"Play {SIMULATE_GAMES:,} games in each matchup, however many there "
            "are.",
        ),
    ] = False
    seed: Seed = SEED
    policies: Annotated[
        tuple[str, ...],
        Declaration(
            flags=("--policy",),
            metavar="NAME",
            help="Bot that plays the decks: `random`, `sane_random`, "
            "`heuristic`, `learned` or `search`. Give one for all decks, or one "
            "for each in order.",
            shown=USUAL,
            completes="policies",
        ),
    ] = (AUTO,)
    every_policy: Annotated[
        bool,
        Declaration(
            help="Enter each deck once with each bot of --policy, to tell decks "
            "from bots.",
        ),
    ] = False
    mirror: Annotated[
        bool,
        Declaration(help="Let each deck also meet itself."),
    ] = False
    opponents: Annotated[
        tuple[str, ...],
        Declaration(
            flags=("--opponent",),
            metavar="FACTION",
            help="In solo formats: faction of the automa, the automatic opponent, "
            "such as monsters; by default every faction in turn. Can be given "
            "several times.",
            completes="factions",
        ),
    ] = ()
    random_decks: Annotated[
        bool,
        Declaration(
            help="Instead of named decks: deal new random decks for every game, "
            "where the format allows it.",
        ),
    ] = False
    players: Annotated[
        int | None,
        Declaration(
            metavar="NUMBER",
            help="With --random-decks: number of players at the table, such as 4; by "
            "default the fewest that the format allows.",
        ),
    ] = None
    selections: Annotated[
        tuple[str, ...],
        Declaration(
            flags=("--select",),
            metavar="NAME",
            help="In tournaments: how players choose decks from their lineups, "
            "optimal, random or fixed. Give one for all lineups, or one for "
            "each in order.",
            shown="optimal",
            completes="selections",
        ),
    ] = ()
    matchups: Annotated[
        Path | None,
        Declaration(
            metavar="FILE",
            help="In tournaments, with --select optimal: take win rates from the "
            "JSON of a finished run, such as run.json, instead of measuring "
            "them first.",
        ),
    ] = None

    def __post_init__(self) -> None:
        Spec.__post_init__(self)
        check_players(self.policies)

    def request(self, stopping: Stopping | None = None) -> Request:
        """The games to play; raises UsageError for a file that has no matchups."""
        from deckcheck.sim.seating import Request
        from deckcheck.sim.stopping import Stopping
        from deckcheck.sim.tournament import read_chances

        stopping = stopping or Stopping()
        if self.games is not None:
            check_range("games", self.games, 1, MAX_GAMES)
        is_fixed = self.thorough or stopping.has_checkpoints
        usual = SIMULATE_GAMES if is_fixed else 0
        return Request(
            games=usual if self.games is None else self.games,
            seed=self.seed,
            policies=self.policies,
            every_policy=self.every_policy,
            mirror=self.mirror,
            opponents=self.opponents,
            random_decks=self.random_decks,
            players=self.players,
            selections=self.selections,
            matchups=None if self.matchups is None else read_chances(self.matchups),
            stopping=stopping,
        )


@dataclass(frozen=True, slots=True)
class SimulateSpec(GamesSpec):
    """The games, who plays a part of them again, and what may end them before all."""

    cross_check: CrossCheck = CROSS_CHECK
    cross_check_games: CrossCheckGames = None
    until_width: Annotated[
        str | float | None,
        Declaration(
            metavar="PERCENT",
            help="Stop each matchup once the 95% intervals of its win rates are at "
            "most this wide, such as 0.5%; --games is then the most.",
            cli_type=str,
        ),
    ] = None
    sprt: Annotated[
        str | tuple[float, float] | None,
        Declaration(
            metavar="ELO0,ELO1",
            help="Stop each matchup once a test accepts one of two leads of the "
            "first deck in Elo: 0,5 means no lead or a lead of 5.",
            cli_type=str,
        ),
    ] = None
    alpha: Annotated[
        float,
        Declaration(
            metavar="CHANCE",
            help="With --sprt: probability of accepting ELO1 although ELO0 is true.",
        ),
    ] = ALPHA
    beta: Annotated[
        float,
        Declaration(
            metavar="CHANCE",
            help="With --sprt: probability of accepting ELO0 although ELO1 is true.",
        ),
    ] = BETA
    elo: Annotated[
        str,
        Declaration(
            help="With --sprt: measure leads by the score (logistic), or in standard "
            "deviations of a game (normalised).",
            cli_type=Literal["logistic", "normalised"],
        ),
    ] = "logistic"
    adaptive: Annotated[
        bool,
        Declaration(
            help="In round robins: stop matchups of decks whose rank is settled, and "
            "give their games to the others.",
        ),
    ] = False

    def __post_init__(self) -> None:
        GamesSpec.__post_init__(self)
        check_cross_check(self.cross_check, self.cross_check_games)

    def request(self, stopping: Stopping | None = None) -> Request:
        """The games to play; raises UsageError for stopping rules that conflict."""
        from deckcheck.sim.stopping import parse_stopping

        request = GamesSpec.request(
            self,
            stopping
            or parse_stopping(
                self.until_width,
                self.sprt,
                self.alpha,
                self.beta,
                elo=self.elo,
                adaptive=self.adaptive,
            ),
        )
        return replace(
            request,
            cross_check=self.cross_check,
            cross_check_games=self.cross_check_games,
        )


# Studies of some decks against a field of others


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec(CrossCheckSpec):
    """A question about decks that meet a field.

    `policies` are who plays all decks, or those named first and the field. `weights`
    say how common each opponent is, in any unit; () for all alike.
    """

    FIRST: ClassVar[str] = "deck"
    """What the decks are that are named first, for the user."""

    seed: Seed
    policies: Annotated[
        tuple[str, ...],
        Declaration(
            flags=("--policy",),
            metavar="NAME",
            help="Bot that plays the decks: `random`, `sane_random`, "
            "`heuristic`, `learned` or `search`. Give one for all decks, or one "
            "for the decks named first and one for the field.",
            default=(AUTO,),
            shown=USUAL,
            completes="policies",
        ),
    ]
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        CrossCheckSpec.__post_init__(self)
        check_players(self.policies)
        check_policies(self.policies, self.FIRST)

    def played_in(self, fmt: Format) -> Self:
        """The same with the player who usually plays `fmt` instead of `AUTO`."""
        from deckcheck.sim.cross_checking import find_bot_name

        players = tuple(find_bot_name(name, fmt) for name in self.policies)
        return replace(self, policies=players)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSpec(FieldSpec):
    """Which version of a deck is better.

    `games` are those of each version with each opponent; None plays until it is clear,
    within limits unless it is `thorough`.
    `margin` is the difference in points that does not matter any more. A part of the
    games is played again, `cross_check_games` of each version with each opponent.
    """

    FIRST = "versions"

    games: Annotated[
        int | None,
        Declaration(
            flags=("--games", "-n"),
            metavar="NUMBER",
            help="Games of each version against each opponent, such as 1000; by "
            "default as many as the answer needs, within limits.",
            bounds=(1, MAX_GAMES),
        ),
    ] = None
    thorough: Annotated[
        bool,
        Declaration(
            help="Without --games: play as many games as the answer needs, however "
            "long it takes.",
        ),
    ] = False
    margin: Annotated[
        float,
        Declaration(
            metavar="POINTS",
            help="Smallest difference in points of win rate that matters to you: "
            "play stops once the difference is clearly smaller.",
            bounds=(0.01, 100),
            bounds_help="It is the difference in points that does not matter to you",
        ),
    ] = COMPARE_MARGIN


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsSpec(FieldSpec, Budgeted):
    """A question about cards: `games` of each version over the whole field."""

    BUDGETS = CARD_GAMES

    games: VersionGames = None
    thorough: Thorough = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactSpec(CardsSpec):
    """What the cards of a deck are worth, or a `card` alone, by name or id."""

    card: Annotated[
        str | None,
        Declaration(
            metavar="CARD",
            help="Explain this card alone, such as 'Geralt of Rivia': what it is "
            "worth, and which card to try in its place.",
            shown="every card",
            completes="cards",
        ),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RedrawsSpec(CardsSpec):
    """Which cards of the dealt hand to redraw.

    A version keeps a certain card of the hand, or redraws it first; with a `hand`, ids
    of cards, that is the one which is dealt, and a version redraws some of its cards.
    """

    hand: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HuntSpec(FieldSpec, Budgeted):
    """A search for a deck: `games` include its validation games."""

    BUDGETS = SEARCH_GAMES

    games: Annotated[
        int | None,
        number_of_games(
            "Games to play in all: those of the search, and the validation "
            "games that give the results.",
            SEARCH_GAMES,
        ),
    ] = None
    thorough: Thorough = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TuneSpec(HuntSpec):
    """Which cards stay (`keep`, by name or id), and how much may change."""

    changes: Annotated[
        int,
        Declaration(
            metavar="NUMBER",
            help="Most cards to exchange, add or take out.",
            bounds=(1, MAX_CHANGES),
        ),
    ] = TUNE_CHANGES
    keep: Annotated[
        tuple[str, ...],
        Declaration(
            metavar="CARD",
            help="Card that stays in the deck, such as 'Geralt of Rivia'. Can be "
            "given several times.",
            completes="cards",
        ),
    ] = ()
    change_leader: Annotated[
        bool,
        Declaration(
            help="Allow another leader, too; this is not counted by --changes.",
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSpec(HuntSpec):
    """Of which `factions` the deck may be, by name or id; all if there are none."""

    factions: Factions = ()


# Studies of decks that one player plays


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSpec(CrossCheckSpec):
    """What a team asks; `policy` plays all decks."""

    seed: Seed
    policy: Annotated[
        str,
        Declaration(
            metavar="NAME",
            help="Bot that plays all decks: `random`, `sane_random`, "
            "`heuristic`, `learned` or `search`.",
            default=AUTO,
            single_help="Name one who plays all decks",
            shown=USUAL,
            completes="policies",
        ),
    ]

    def __post_init__(self) -> None:
        CrossCheckSpec.__post_init__(self)
        check_players([self.policy])

    def played_in(self, fmt: Format) -> Self:
        """The same with the player who usually plays `fmt` instead of `AUTO`."""
        from deckcheck.sim.cross_checking import find_bot_name

        return replace(self, policy=find_bot_name(self.policy, fmt))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveSpec(TeamSpec, Budgeted):
    """What mix to bring: `games` are those of each search for an answer to the mix.

    `bound` is how many points such an answer may gain, after `rounds` of them it ends
    in any case. `factions` are those that are searched, by id, all if there are none.
    """

    BUDGETS = SOLVE_GAMES

    games: Annotated[
        int | None,
        Declaration(
            flags=("--games", "-n"),
            metavar="NUMBER",
            help="Games of each search for a counter-deck; where lineups are chosen, "
            "all games.",
            bounds=(1, MAX_GAMES),
            shown=f"{SOLVE_GAMES[0]:,}, or {LINEUP_GAMES[0]:,} in all; with --thorough "
            f"{SOLVE_GAMES[1]:,}",
        ),
    ] = None
    thorough: Thorough = False
    bound: Annotated[
        float,
        Declaration(
            metavar="POINTS",
            help="Stop when no counter-deck gains more than this against the mix: 3 "
            "points are a win rate of 53%.",
        ),
    ] = SOLVE_BOUND
    rounds: Annotated[
        int | None,
        Declaration(
            metavar="NUMBER",
            help="Stop after this many searches at the latest, even if --bound is "
            "not reached.",
            bounds=(1, SEEDS),
            shown=f"{SOLVE_ROUNDS[0]}; {SOLVE_ROUNDS[1]} with --thorough",
        ),
    ] = None
    factions: Factions = ()

    def __post_init__(self) -> None:
        TeamSpec.__post_init__(self)
        check_range("seed", self.seed, 0, MAX_SEED // SEEDS)
        if not 0 < self.bound <= 50:
            raise UsageError(
                f"{option('bound')} is {self.bound:g}, must be more than 0 and 50 at "
                "most",
                "It is how many points a deck may gain against the mix",
            )

    @property
    def most_rounds(self) -> int:
        """The number of searches after which it ends in any case."""
        return self.rounds or SOLVE_ROUNDS[self.thorough]

    @property
    def pair_games(self) -> int:
        """How many games two decks play."""
        return max(2, round(PAIR * self.budget))


@dataclass(frozen=True, slots=True, kw_only=True)
class LineupsSpec(TeamSpec, Budgeted):
    """Which lineup to bring: of all `games` one half chooses, the other half measures.

    The matches of the best lineups are played again, `cross_check_games` of each
    lineup.
    """

    BUDGETS = LINEUP_GAMES

    games: Annotated[int | None, number_of_games("All games.", LINEUP_GAMES)] = None
    thorough: Thorough = False
