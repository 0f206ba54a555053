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

MAX_SEARCHES = 1_000
"""The most searches of `solve`. Each has its own seed."""

USUAL = "`learned` in duels of Gwent, else `heuristic`"
"""The meaning of `AUTO`, see `deckcheck.sim.cross_checking.find_bot_name`."""

PAIR_SHARE_OF_BUDGET = 0.01
"""Games of each pair of decks, as a share of the games of a search."""


def number_of_games(help: str, budgets: tuple[int, int]) -> Declaration:
    """Declare the option for the number of games, as `help` explains it.

    `budgets` are the usual numbers, without and with `--thorough`.
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
    bool, Declaration(help="Play more games, for minutes instead of seconds.")
]
ThoroughSearch = Annotated[
    bool,
    Declaration(
        help="Play for minutes instead of seconds: more games, and those that only "
        "choose are played by --policy as well, where otherwise `heuristic` chooses "
        "for `learned`.",
    ),
]


class Budgeted:
    """A question with a usual number of games, which is larger with `thorough`."""

    __slots__ = ()

    BUDGETS: ClassVar[tuple[int, int]]
    """The usual numbers of games, without and with `thorough`."""

    if TYPE_CHECKING:
        # Fields of the subclasses, which declare the options.

        @property
        def games(self) -> int | None:
            """The number of games that is asked for, None for the usual number."""

        @property
        def thorough(self) -> bool:
            """Whether the larger number is played."""

    @property
    def budget(self) -> int:
        """The number of games to play."""
        usual, thorough = self.BUDGETS
        return self.games or (thorough if self.thorough else usual)


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


def check_bots(names: Sequence[str]) -> None:
    """Raise UsageError for the name of an unknown bot."""
    from deckcheck.policies.registry import read_policy

    for name in names:
        if name != AUTO:
            read_policy(name)


def check_cross_check(policy: str | None, games: int | None) -> None:
    """Raise UsageError for an unknown second bot, and for games without such a bot."""
    from deckcheck.policies.registry import read_policy
    from deckcheck.sim.cross_checking import cross_check_games_error

    if policy not in {None, CROSS_CHECK, NOBODY}:
        read_policy(str(policy))
    if policy is None and games is not None:
        raise cross_check_games_error()


def check_policy_count(policies: Sequence[str], first: str) -> None:
    """Raise UsageError unless there is one bot, or one for `first` and one for others.

    `first` is the word for the decks named first, such as `versions`.
    """
    if len(policies) not in (1, 2):
        raise UsageError(
            f"{plural(len(policies), 'policy')} given, expected one or two",
            f"Name one for all decks, or one for the {first} and one for the field",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossCheckSpec(Spec):
    """The second bot, which plays the final games again, or a share of all games."""

    __pydantic_config__ = CLOSED

    cross_check: CrossCheck = None
    """The second bot, None for no second bot. Commands have a default of their own."""
    cross_check_games: CrossCheckGames = None
    """The number for each deck, None for the usual number."""

    def __post_init__(self) -> None:
        Spec.__post_init__(self)
        check_cross_check(self.cross_check, self.cross_check_games)


# Decks that meet as their format says: `simulate`, and `replay` of one of its games


@dataclass(frozen=True, slots=True)
class GamesSpec(Spec):
    """All that the games of decks depend on, see `deckcheck.sim.seating.Request`."""

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
        check_bots(self.policies)

    def request(self, stopping: Stopping | None = None) -> Request:
        """Return the games to play. Raises UsageError for a file without matchups."""
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
    """The games, the second bot, and the rules that stop a simulation early."""

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
        """Return the games to play. Raises UsageError for rules in conflict."""
        from deckcheck.sim.stopping import parse_stopping

        if stopping is None:
            stopping = parse_stopping(
                self.until_width,
                self.sprt,
                self.alpha,
                self.beta,
                elo=self.elo,
                adaptive=self.adaptive,
            )
        return replace(
            GamesSpec.request(self, stopping),
            cross_check=self.cross_check,
            cross_check_games=self.cross_check_games,
        )


# Studies of some decks against a field of others


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec(CrossCheckSpec):
    """A question about decks that meet a field."""

    FIRST: ClassVar[str] = "deck"
    """The word for the decks named first, in messages."""

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
    """How common each opponent is, in any unit. Empty if all are equally common."""

    def __post_init__(self) -> None:
        CrossCheckSpec.__post_init__(self)
        check_bots(self.policies)
        check_policy_count(self.policies, self.FIRST)

    def played_in(self, fmt: Format) -> Self:
        """Return the question with the usual bot of `fmt` instead of `AUTO`."""
        from deckcheck.sim.cross_checking import find_bot_name

        players = tuple(find_bot_name(name, fmt) for name in self.policies)
        return replace(self, policies=players)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareSpec(FieldSpec):
    """Which version of a deck is better.

    Without a number of `games`, versions play until the answer is clear, within limits
    unless it is `thorough`. `games` and `cross_check_games` count the games of each
    version against each opponent.
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
    thorough: Annotated[
        bool,
        Declaration(
            help="Weigh every card in fresh games, and play more games, for minutes "
            "instead of seconds.",
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImpactSpec(CardsSpec):
    """How much better a deck is with each of its cards, or with a `card` alone."""

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

    A version keeps a certain card of the hand, or redraws it first.
    """

    hand: tuple[str, ...] = ()
    """The ids of the dealt cards. Versions then redraw some of these cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckSearchSpec(FieldSpec, Budgeted):
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
class TuneSpec(DeckSearchSpec):
    """A search for a better deck by a few changes, without the cards that stay."""

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
class BuildSpec(DeckSearchSpec):
    """A search for a deck among all decks of some `factions`, or of all factions."""

    factions: Factions = ()
    thorough: ThoroughSearch = False


# Studies of decks that a single bot plays


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamSpec(CrossCheckSpec):
    """A question about the decks to bring. A single bot plays all decks."""

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
        check_bots([self.policy])

    def played_in(self, fmt: Format) -> Self:
        """Return the question with the usual bot of `fmt` instead of `AUTO`."""
        from deckcheck.sim.cross_checking import find_bot_name

        return replace(self, policy=find_bot_name(self.policy, fmt))


@dataclass(frozen=True, slots=True, kw_only=True)
class SolveSpec(TeamSpec, Budgeted):
    """Which mix of decks to bring.

    Counter-decks to the mix are searched with `games` each, until none gains more than
    `bound` points, or for `rounds` searches. They are of the `factions`, by id, or of
    any faction if there are none.
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
    thorough: ThoroughSearch = False
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
            bounds=(1, MAX_SEARCHES),
            shown=f"{SOLVE_ROUNDS[0]}; {SOLVE_ROUNDS[1]} with --thorough",
        ),
    ] = None
    factions: Factions = ()

    def __post_init__(self) -> None:
        TeamSpec.__post_init__(self)
        check_range("seed", self.seed, 0, MAX_SEED // MAX_SEARCHES)
        if not 0 < self.bound <= 50:
            raise UsageError(
                f"{option('bound')} is {self.bound:g}, must be more than 0 and 50 at "
                "most",
                "It is how many points a deck may gain against the mix",
            )

    @property
    def most_rounds(self) -> int:
        """The greatest number of searches."""
        usual, thorough = SOLVE_ROUNDS
        return self.rounds or (thorough if self.thorough else usual)

    @property
    def pair_games(self) -> int:
        """The number of games of each pair of decks."""
        return max(2, round(PAIR_SHARE_OF_BUDGET * self.budget))


@dataclass(frozen=True, slots=True, kw_only=True)
class LineupsSpec(TeamSpec, Budgeted):
    """Which lineup to bring: one half of the `games` chooses, the other half measures.

    `cross_check_games` counts the games of each of the best lineups.
    """

    BUDGETS = LINEUP_GAMES

    games: Annotated[int | None, number_of_games("All games.", LINEUP_GAMES)] = None
    thorough: Thorough = False
