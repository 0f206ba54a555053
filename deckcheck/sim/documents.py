"""Types of the JSON documents (pydantic)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from deckcheck.cards.documents import ChangeDocument
from deckcheck.documents.records import (
    Amount,
    Count,
    Difference,
    DifferenceInterval,
    Fingerprint,
    Interval,
    Ordinal,
    Share,
    ShareInterval,
    ShownAs,
    Tool,
    one_of,
)
from deckcheck.sim.bot_errors import BotErrorFigure
from deckcheck.stats import Estimate, Verdict
from deckcheck.stats import Interval as Ends

# The parts that JSON documents of runs share: the head, and figures with intervals.


class WinRate(TypedDict):
    """A win rate with its interval. A draw counts half."""

    games: Count
    """The number of games behind the win rate."""
    win_rate: Share
    """The win rate, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95% interval, 0 to 1."""


class MeanRate(TypedDict):
    """A mean of win rates with its interval."""

    win_rate: Share
    """The mean win rate, 0 to 1."""
    interval: Interval
    """The lower and the upper end of the mean's 95% interval."""
    games: Count
    """The number of games behind the mean."""


class EffectDocument(TypedDict):
    """A difference of win rates with its interval."""

    difference: Difference
    """The difference of win rates, -1 to 1; positive is better."""
    interval: DifferenceInterval
    """The lower and the upper end of the difference's 95% interval."""


class RunDeckDocument(TypedDict):
    """A deck that played."""

    name: str
    """The name of the deck, unique within the run."""
    path: str
    """The file of the deck."""
    index: Count
    """The place of the deck within its file, from 0."""
    faction: str | None
    """The id of the deck's faction; null if it has none."""
    leader: str | None
    """The id of the deck's leader; null if it has none."""
    policy: str
    """The policy that played the deck."""
    legal: bool
    """Whether the deck is legal in the format of the run."""
    findings: Count
    """The number of errors that make the deck illegal."""


@dataclass(frozen=True, slots=True)
class TableDecision:
    """The decision of a stopping rule at one table."""

    sets: Count
    """The number of sets that were played: the same shuffles, each seat beginning."""
    reached: bool
    """Whether the rule was fulfilled at this table."""
    decision: str
    """The decision in words."""
    log_likelihood_ratio: float | None = field(metadata={"digits": 4})
    """The log-likelihood ratio of a sequential test; null for other rules."""


class StoppingEntry(TypedDict):
    """The decision of a stopping rule."""

    rule: str
    """The rule in words."""
    reached: bool
    """Whether the rule was fulfilled at all tables."""
    not_settled: list[str]
    """The decks whose place in the order is still open, where an order was asked."""
    tables: list[TableDecision]
    """The decision at each table, in the order of the document's tables."""


class StoppingDocument(TypedDict, total=False):
    """The keys that only runs with a stopping rule have."""

    stopping: StoppingEntry
    """The decision of the stopping rule; only if there was one."""


class Challengers(TypedDict, total=False):
    """The keys that only runs against a field have."""

    challengers: Annotated[list[str], Field(min_length=1)]
    """The decks that played the field and not each other, if there were any."""


class BotErrorRecord(TypedDict):
    """How far figures by the bot are from those by the best bot known."""

    error: Share
    """The root mean square of the errors of `figure`, 0 to 1."""
    interval: ShareInterval
    """Its 95% interval."""
    decks: str
    """The decks for which it was measured, in words."""
    figure: Annotated[str, one_of(BotErrorFigure)]
    """The figure: the win rate of a matchup, the gain of a deck over its base, or the
    win rate of a deck against a field."""


class BotErrorDocument(TypedDict, total=False):
    """The error of the bot, which only the interval of a promise holds."""

    bot_error: BotErrorRecord
    """The error of the bot, if one bot played all decks and was measured."""


class RunOpening(TypedDict):
    """Which games were played."""

    tool: Tool
    """The program that wrote this document."""
    format: str
    """The id of the format, such as `gwent/standard`."""
    snapshot: str
    """The date from which on the format was as it was played."""
    seed: Count
    """The seed that all shuffles follow from."""
    games: Count
    """The number of games at each table, or of matches for each pair of lineups."""
    games_played: Count
    """The number of games of the whole run."""
    policies: dict[str, str]
    """The policy that played each deck, by the name of the deck."""
    policy_versions: dict[str, Count]
    """The version of each policy, by its name."""
    stand_ins: list[str]
    """The policies that do not know the game; the heuristic played in their place."""


class ClaimDocument(TypedDict):
    """A claim of the answer about a figure, for the bot that played."""

    about: str
    """The name of the deck, card, change or sign that it is said of."""
    than: str
    """The name of what that is compared with; empty for an even game or for 0."""
    by: str
    """The policy that played; empty where all games count."""
    verdict: Annotated[str, one_of(Verdict)]
    """Whether it is better, worse, equal within the margin, or neither is clear."""
    value: float
    """The value: a difference, or a rate, -1 to 1."""
    interval: Interval
    """The lower and the upper end of its interval, which the verdict follows from."""


class RunClosing(StoppingDocument, Challengers, BotErrorDocument):
    """The facts by which games can be repeated, and the decks that played."""

    checksum: Fingerprint
    """A hash of all games of the run: equal checksums mean equal games."""
    fingerprint: Fingerprint
    """A hash of the format's rules and its cards."""
    changes: list[ChangeDocument]
    """The cards and leaders that the user's own sets add, change or remove."""
    complete: bool
    """Whether all games that were asked for have been played."""
    games_per_second: Amount | None
    """Games per second of wall time; null for a run that was kept in a folder."""
    seconds: Amount | None
    """Wall time in seconds; null for a run that was kept in a folder."""
    jobs: Ordinal | None
    """The number of workers; null for a run that was kept in a folder."""
    decks: list[RunDeckDocument]
    """All decks that played."""
    claims: list[ClaimDocument]
    """The claims of the answer, each with its verdict."""


class RunDocument(RunOpening, RunClosing):
    """The beginning of every document about games."""


# The JSON document of a simulation.

_BinDocument = TypedDict(
    "_BinDocument",
    {"from": Annotated[int, Field(description="The smallest value of the first bin.")]},
)


class HistogramDocument(_BinDocument):
    """Bin i counts games from `from + i * width` on, `width` values."""

    width: Ordinal
    """The number of values in each bin."""
    games: list[Count]
    """The number of games in each bin."""


class Histograms(TypedDict, total=False):
    """The lengths and margins of games."""

    rounds: HistogramDocument
    """Games by their number of rounds."""
    margins: HistogramDocument
    """Games by their final margin: the lead of a, or of the first over the second."""


@dataclass(frozen=True, slots=True)
class Split:
    """The games of a matchup that the same deck started."""

    games: Count
    """The number of games."""
    wins_a: Count
    """Games that deck a won."""
    wins_b: Count
    """Games that deck b won."""
    draws: Count
    """Games that nobody won."""
    win_rate_a: Share | None
    """The win rate of deck a, 0 to 1, a draw counting half; null below 30 games."""
    interval: Annotated[Ends, ShownAs(ShareInterval)] | None
    """The 95% interval of the win rate, 0 to 1; null below 30 games."""

    @property
    def estimate(self) -> Estimate | None:
        """`win_rate_a` with its interval."""
        if self.win_rate_a is None or self.interval is None:
            return None
        return Estimate(self.win_rate_a, self.interval, self.games)


PairCounts = Annotated[list[Count], Field(min_length=5, max_length=5)]


class MatchupDocument(Histograms):
    """Two decks against each other."""

    a: str
    """The name of the first deck."""
    b: str
    """The name of the second deck."""
    games: Count
    """The number of games."""
    wins_a: Count
    """Games that deck a won."""
    wins_b: Count
    """Games that deck b won."""
    draws: Count
    """Games that nobody won."""
    win_rate_a: Share
    """The win rate of deck a, 0 to 1; a draw counts half."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95% interval, 0 to 1."""
    a_starts: Split
    """The games that deck a started."""
    b_starts: Split
    """The games that deck b started."""
    pairs: PairCounts
    """The number of game pairs that brought deck a 0, 1, 2, 3 and 4 half-points."""
    rounds_mean: Amount
    """The mean number of rounds per game."""
    cards_left_a_mean: Amount
    """The mean number of cards in the hand of deck a at the end of a game."""
    cards_left_b_mean: Amount
    """The mean number of cards in the hand of deck b at the end of a game."""
    turns_mean: Amount
    """The mean number of moves per game, of both players together."""


class OpponentsMet(TypedDict, total=False):
    """The key that only the standings of an interrupted run have."""

    opponents_met: list[str]
    """The opponents of the win rate, where the deck has not met all of them."""


class StandingDocument(OpponentsMet):
    """A deck's place in the standings. Every opponent has the same weight."""

    deck: str
    """The name of the deck."""
    win_rate: Share
    """The mean win rate over all opponents, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the win rate's 95% interval, 0 to 1."""
    games: Count
    """The number of games."""
    wins: Count
    """Games that the deck won."""
    losses: Count
    """Games that the deck lost."""
    draws: Count
    """Games that nobody won."""


class SeatDocument(TypedDict):
    """The results of the player in one seat."""

    games: Count
    """The number of games."""
    wins: Count
    """First places that were not shared."""
    shared: Count
    """First places that were shared."""
    win_share: Share | None
    """The share of wins, 0 to 1, a shared win divided; null without games."""
    interval: ShareInterval | None
    """The 95% interval of the win share, 0 to 1; null without games."""
    place_mean: float | None
    """The mean place, from 1; null without games."""
    points_mean: float | None
    """The mean points by the rules of the game; null without games."""


class TurnDocument(TypedDict):
    """The results of a place in the order of turns."""

    turn: Ordinal
    """The place in the order of turns; 1 begins."""
    all: SeatDocument
    """All entrants together."""
    seats: list[SeatDocument]
    """Each entrant, in the order of the table's `seats`."""


class ScoreDocument(TypedDict):
    """The games of a deck against a deck of the opponent."""

    losses: Count
    """Games that the deck lost."""
    draws: Count
    """Games that nobody won."""
    wins: Count
    """Games that the deck won."""


class MatchDeckDocument(TypedDict):
    """A deck of a lineup in its matches against another lineup."""

    name: str
    """The name of the deck."""
    opened: Count
    """Matches in which the deck was chosen for the first game."""
    games: Count
    """Single games of the deck."""
    wins: Count
    """Single games that the deck won."""
    draws: Count
    """Single games that nobody won."""
    win_rate: Share | None
    """The win rate in these games, 0 to 1, a draw counting half; null without games."""
    interval: ShareInterval | None
    """The 95% interval of the win rate, 0 to 1; null without games."""
    against: list[ScoreDocument]
    """The score against each deck of the other lineup, in its order."""


class TableDocument(Histograms):
    """All games at one table, or all matches of two lineups.

    Lists have an element for each entrant.
    """

    seats: Annotated[list[str], Field(min_length=2)]
    """The names of the entrants: decks, teams, lineups, or the automa."""
    games: Count
    """The number of games; of lineups the number of matches."""
    draws: Count
    """Games in which all shared the first place."""
    wins: list[Count]
    """First places that were not shared."""
    shared: list[Count]
    """First places that were shared."""
    win_share: list[Share | None]
    """The share of wins, 0 to 1, a shared win divided; null without games."""
    intervals: list[ShareInterval | None]
    """The 95% intervals of the win shares, 0 to 1; null without games."""
    places_mean: list[float | None]
    """The mean places, from 1; null without games."""
    points_mean: list[float | None]
    """The mean points by the rules of the game, of lineups games won."""
    sets: NotRequired[Count]
    """The number of sets: the same shuffles, once with each seat beginning."""
    places_intervals: NotRequired[list[Interval | None]]
    """The 95% intervals of the mean places; null without games."""
    points_intervals: NotRequired[list[Interval | None]]
    """The 95% intervals of the mean points; null without games."""
    by_turn: NotRequired[list[TurnDocument]]
    """The same statistics by the place in the order of turns."""
    rounds_mean: NotRequired[Amount]
    """The mean number of rounds per game."""
    turns_mean: NotRequired[Amount]
    """The mean number of moves per game, of all players together."""
    pairs: NotRequired[PairCounts]
    """The number of game pairs that brought the first lineup 0 to 4 half-points."""
    first_choice: NotRequired[WinRate]
    """The match win rate of the lineup that chose first in the first game."""
    seat_1_first: NotRequired[WinRate]
    """The match win rate of the first lineup where it chose first."""
    seat_2_first: NotRequired[WinRate]
    """The match win rate of the first lineup where the second chose first."""
    chose_first: NotRequired[WinRate]
    """The win rate in single games of whichever lineup chose first there."""
    games_played: NotRequired[Count]
    """The number of single games in all matches."""
    games_drawn: NotRequired[Count]
    """Single games that nobody won."""
    value: NotRequired[float | None]
    """The match win rate of the first lineup if both choose best; null if unknown."""
    decks: NotRequired[list[list[MatchDeckDocument]]]
    """The decks of the first lineup, then those of the second."""


class LineupDocument(TypedDict):
    """A lineup that took part in a tournament."""

    name: str
    """The name of the lineup."""
    decks: list[str]
    """The names of its decks."""


class Choices(TypedDict, total=False):
    """The choice of decks in a tournament."""

    selections: dict[str, str]
    """The way in which each lineup chose its decks, by the name of the lineup."""
    chances_from: str | None
    """The file of win rates that decks were chosen by; null if they were measured."""


class Lineups(TypedDict, total=False):
    """The lineups that took part in a tournament."""

    lineups: list[LineupDocument]
    """The lineups of a tournament."""


class Matchups(TypedDict, total=False):
    """Decks that met alone."""

    matchups: Annotated[list[MatchupDocument], Field(min_length=1)]
    """Each pair of decks against each other: of duels, or as a tournament measured."""
    standings: list[StandingDocument]
    """The decks of a duel or round robin by their mean win rate, the best first."""


class CrossCheckedGames(TypedDict, total=False):
    """The keys of runs that a second bot played again in part."""

    cross_checked: SimulationDocument
    """The first of these games, played by another bot."""


class SimulationDocument(RunDocument, Choices, Lineups, Matchups, CrossCheckedGames):
    """The output of `deckcheck simulate --output-format json`."""

    schema_version: Literal[1]
    """The version of this document; it rises when a key changes its meaning."""
    tables: Annotated[list[TableDocument], Field(min_length=1)]
    """All tables, in the order in which they were played."""
