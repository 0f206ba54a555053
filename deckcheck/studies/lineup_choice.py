"""Choose the best of the lineups that decks can form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product
from math import comb

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option, plural
from deckcheck.rules import judge_together
from deckcheck.sim.entrants import Entrant, group_by_file, name_distinctly
from deckcheck.sim.matches import Lineup, make_lineups
from deckcheck.sim.selection import (
    SELECTIONS,
    MatchRules,
    Plans,
    Values,
    match_values,
    solve_decided,
)
from deckcheck.stats import Combination, Estimate, Interval, average, mean_score
from deckcheck.stats.intervals import DEFAULT_LEVEL, joint_level
from deckcheck.stats.optimising import resampled_rates
from deckcheck.studies.payoff import HALF, Counts, find_mixture, find_resampled_interval

# The lineups that can be made of some decks, and those of a field


OPTIMAL_SELECTION = SELECTIONS[0]
MAX_COMBINATIONS = 5_000
"""Combinations of decks that are tried; they are compared two by two."""

Members = tuple[int, ...]
"""The decks of a lineup, by their places in the pool."""


@dataclass
class Pool:
    """Decks, each of them once, and lineups of them."""

    decks: list[Entrant] = field(default_factory=list)
    own: list[Members] = field(default_factory=list)
    """All legal lineups of the decks to choose from."""
    against: list[Members] = field(default_factory=list)
    """The lineups of a field, if there is one."""
    names: list[str] = field(default_factory=list)
    """The names of the lineups of the field."""
    lonely: dict[int, str] = field(default_factory=dict)
    """The reasons why decks are in no lineup, by their places."""

    def lineup(self, members: Members, name: str = "") -> Lineup:
        """Return a playable lineup, called by its decks if it has no name."""
        entrants = tuple(self.decks[i] for i in members)
        called = name or ", ".join(entrant.name for entrant in entrants)
        return Lineup(called, entrants, OPTIMAL_SELECTION)

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The pairs of decks whose chances have to be known, the first before."""
        decks = set(chain.from_iterable(self.own))
        others = set(chain.from_iterable(self.against or self.own))
        pairs = set()
        for deck, other in product(decks, others):
            if deck != other:
                pairs.add((min(deck, other), max(deck, other)))
        return sorted(pairs)


def build_pool(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
) -> Pool:
    """Return the legal lineups of the decks `start`, and those of the field `against`.

    Equal decks are one. Raises UsageError for decks without a legal lineup, or with too
    many, and for a single lineup without opponents.
    """
    if not start:
        raise UsageError(
            "No decks to choose from",
            f"Name the decks that you could bring with {option('start')}: files or "
            "folders of single decks or of lineups",
        )
    different = {}
    for entrant in (*against, *start):
        different[_make_content_key(entrant.deck)] = entrant
    places = {content: index for index, content in enumerate(different)}
    pool = Pool(name_distinctly(list(different.values())))
    own = sorted({places[_make_content_key(entrant.deck)] for entrant in start})
    pool.own = list_legal_lineups(fmt, database, pool.decks, own)
    used = set(chain.from_iterable(pool.own))
    decks = {i: pool.decks[i].deck for i in own}
    for i in sorted(decks.keys() - used):
        others = [decks[j] for j in own if j != i]
        pool.lonely[i] = find_frequent_reason(fmt, database, decks[i], others)
    if against:
        selections = [OPTIMAL_SELECTION] * len(group_by_file(against))
        for lineup in make_lineups(fmt, against, selections):
            members = []
            for entrant in lineup.entrants:
                members.append(places[_make_content_key(entrant.deck)])
            pool.names.append(lineup.name)
            pool.against.append(tuple(members))
    elif len(pool.own) == 1:
        raise UsageError(
            "These decks make a single legal lineup, which has nobody to play",
            f"Name more decks with {option('start')}, or lineups with "
            f"{option('against')}",
        )
    return pool


def _make_content_key(deck: Deck) -> object:
    """Return a key that equal decks share."""
    return deck.faction, deck.leader, tuple(sorted(deck.counts().items()))


def list_legal_lineups(
    fmt: Format, database: CardDatabase, decks: Sequence[Entrant], own: Sequence[int]
) -> list[Members]:
    """Return the lineups that the format allows. Raises UsageError for none or too
    many.
    """
    sizes = range(fmt.seating.min_decks, fmt.seating.max_decks + 1)
    number = sum(comb(len(own), size) for size in sizes)
    if number > MAX_COMBINATIONS:
        raise UsageError(
            f"{plural(len(own), 'deck')} can be combined in {number:,} ways, at most "
            f"{MAX_COMBINATIONS:,} can be compared",
            f"Name fewer decks with {option('start')}",
        )
    legal = []
    reasons = Counter[str]()
    for size in sizes:
        for members in combinations(own, size):
            lineup = [decks[i].deck for i in members]
            findings = judge_together(lineup, fmt, database)
            if not findings:
                legal.append(members)
            reasons.update(finding.finding.message for finding in findings)
    if legal:
        return legal
    if not reasons:
        raise UsageError(
            f"A lineup of {fmt.id} needs at least {fmt.seating.min_decks} decks, found "
            f"{len(own)}",
            f"Name more decks with {option('start')}",
        )
    raise UsageError(
        f"No legal lineup of {fmt.id} can be made of {plural(len(own), 'deck')}; the "
        f"most frequent reason: {reasons.most_common(1)[0][0]}",
        f"Name more decks with {option('start')}, or change cards that they share",
    )


def find_frequent_reason(
    fmt: Format, database: CardDatabase, deck: Deck, others: Sequence[Deck]
) -> str:
    """Return the most frequent reason why a deck is illegal together with others."""
    reasons = Counter[str]()
    for partners in combinations(others, fmt.seating.min_decks - 1):
        for finding in judge_together([*partners, deck], fmt, database):
            # If decks clash, the finding is about the last of them.
            if finding.deck_index == len(partners):
                reasons[finding.finding.message] += 1
    return reasons.most_common(1)[0][0]


# Which lineups are best, by how often each deck beats each


Rates = Mapping[tuple[int, int], Combination]

MATCHES_AT_ONCE = 50_000
"""Matches whose values are found at once, which bounds the memory."""

MAX_OTHER_LINEUPS = 5
"""How many lineups are measured in fresh matches, in addition to those of a mix."""

MAX_RESAMPLED_LINEUPS = 40
"""How many lineups take part when all games are drawn again."""

RESAMPLE_COUNT = 200


@dataclass(frozen=True, slots=True)
class DuelRates:
    """The games of two decks."""

    scores: Counts
    """The numbers of game pairs that brought the first deck 0 to 4 half-points."""
    draws: float
    """The share of draws in the games."""


PairRates = Mapping[tuple[int, int], DuelRates]
"""What was measured, by the places of both decks."""


def compute_chances(
    decks: int, met: PairRates, means: Sequence[float] | None = None
) -> Values:
    """Return how likely the decks of the rows win a decided game against the columns.

    NaN for decks that have not met. `means` are scores of the pairs in place of their
    own.
    """
    if means is None:
        means = [mean_score(pair.scores) for pair in met.values()]
    chances = np.full((decks, decks), np.nan)
    np.fill_diagonal(chances, HALF)
    for ((a, b), pair), mean in zip(met.items(), means, strict=True):
        if pair.draws < 1:
            won = (mean - pair.draws / 2) / (1 - pair.draws)
            chances[a, b] = min(1.0, max(0.0, won))
            chances[b, a] = 1 - chances[a, b]
    return chances


def compute_values(
    chances: Values,
    own: Sequence[Members],
    others: Sequence[Members],
    rules: MatchRules,
) -> Values:
    """Return how likely each of `own` wins a match against each of `others`."""
    values = np.empty((len(own), len(others)))
    columns_by_size = _group_by_size(others)
    for size, rows in _group_by_size(own).items():
        for other, columns in columns_by_size.items():
            step = max(1, MATCHES_AT_ONCE // len(columns))
            theirs = np.array([others[i] for i in columns])
            for first in range(0, len(rows), step):
                part = rows[first : first + step]
                ours = np.array([own[i] for i in part])
                cells = chances[ours[:, None, :, None], theirs[None, :, None, :]]
                found = match_values(cells.reshape(-1, size, other), rules)
                values[np.ix_(part, columns)] = found.reshape(len(part), len(columns))
    return values


def _group_by_size(lineups: Sequence[Members]) -> dict[int, list[int]]:
    """Return the indexes of the lineups by their number of decks."""
    groups: dict[int, list[int]] = {}
    for index, lineup in enumerate(lineups):
        groups.setdefault(len(lineup), []).append(index)
    return groups


@dataclass(frozen=True)
class BestLineups:
    """The lineups that did best, by their places among all: the best first."""

    promised: Mapping[int, float]
    """Their match win rates by the games that chose them."""
    shares: Mapping[int, float]
    """The mix that they meet, the most frequent first, or empty for a field."""


def choose_against(values: Values) -> BestLineups:
    """Return the lineups of the rows that do best against equally frequent columns."""
    best = rank_first(values.mean(axis=1), range(len(values)), MAX_OTHER_LINEUPS)
    return BestLineups(best, {})


def choose_mix(values: Values) -> BestLineups:
    """Return the mix that no lineup beats, and the lineups that do best against it."""
    shares = find_mixture(values)
    rates = values @ np.array(shares)
    promised: dict[int, float] = {}
    mixed: dict[int, float] = {}
    for i in sorted(range(len(shares)), key=lambda i: -shares[i]):
        if shares[i] > 0:
            promised[i] = float(rates[i])
            mixed[i] = shares[i]
    others = [i for i in range(len(shares)) if i not in mixed]
    return BestLineups(promised | rank_first(rates, others, MAX_OTHER_LINEUPS), mixed)


def rank_first(rates: Values, among: Sequence[int], most: int) -> dict[int, float]:
    """Return the largest rates by their places, the largest first."""
    ordered = sorted(among, key=lambda i: -rates[i])
    return {i: float(rates[i]) for i in ordered[:most]}


def plan_match(
    chances: Values, own: Members, other: Members, rules: MatchRules
) -> Plans:
    """Return the best choices of decks of both lineups in a match."""
    return solve_decided(chances[np.ix_(own, other)], rules)


def resample_shares(
    met: PairRates,
    lineups: Sequence[Members],
    choice: BestLineups,
    rules: MatchRules,
    seed: int,
) -> dict[int, Interval]:
    """Return how the shares of a mix vary in 95% of resamples of all games.

    Only the lineups that are near the best take part, `lineups` are all.
    """
    decks = 1 + max(b for _, b in met)
    chances = compute_chances(decks, met)
    mixed = list(choice.shares)
    against = compute_values(chances, lineups, [lineups[i] for i in mixed], rules)
    rates = against @ np.array([choice.shares[i] for i in mixed])
    others = [i for i in range(len(lineups)) if i not in choice.shares]
    near = [*mixed, *rank_first(rates, others, MAX_RESAMPLED_LINEUPS)]
    chosen = [lineups[i] for i in near]
    chance = np.random.default_rng(seed)
    scores = [pair.scores for pair in met.values()]
    drawn = []
    for _ in range(RESAMPLE_COUNT):
        means = resampled_rates(scores, chance).tolist()
        resampled = compute_chances(decks, met, means)
        drawn.append(find_mixture(compute_values(resampled, chosen, chosen, rules)))
    # The lineups behind those of the mix took part only as its rivals.
    parts = [shares[: len(mixed)] for shares in drawn]
    intervals = find_resampled_interval(list(choice.shares.values()), parts)
    return dict(zip(mixed, intervals, strict=True))


# The state of a run that chooses a lineup


@dataclass(frozen=True, slots=True)
class ReplyChoice:
    """A deck to reply with."""

    to: str
    """The deck that the opponent has chosen."""
    deck: str
    """The deck to choose."""


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """How to choose a deck for the first game against a lineup of the field."""

    opponent: str
    """The name of the opponent's lineup."""
    first: str
    """The deck to choose if the coin lets you choose first."""
    replies: tuple[ReplyChoice, ...]
    """The decks to choose if the opponent chooses first."""


@dataclass
class LineupsState:
    """The state of a run so far."""

    pool: Pool
    chances: Values = field(default_factory=lambda: np.empty((0, 0)))
    """The chances of the decks, see `compute_chances`."""
    choice: BestLineups = field(default_factory=lambda: BestLineups({}, {}))
    opponents: list[Members] = field(default_factory=list)
    """The lineups that the `named` lineups meet."""
    openings: list[OpeningChoice] = field(default_factory=list)
    share_intervals: dict[int, Interval] = field(default_factory=dict)
    rates: dict[tuple[int, int], Combination] = field(default_factory=dict)
    """The results of fresh matches, by the places of both lineups."""
    cross_checked: dict[tuple[int, int], Combination] = field(default_factory=dict)
    """The results of fresh matches with the second bot."""
    deck_games: dict[tuple[int, int], int] = field(default_factory=dict)
    """The games in fresh matches of the best lineup, by the decks that met."""
    pair_games: int = 0
    matches: int = 0
    games_played: int = 0

    @property
    def named(self) -> list[Members]:
        """The lineups that are measured in fresh matches."""
        return [self.pool.own[i] for i in self.choice.promised]

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """Who plays fresh matches, by the places in `named` and in `opponents`.

        A lineup of the mix does not play itself, and two of them play once.
        """
        mixed = len(self.choice.shares)
        meetings = []
        for row in range(len(self.named)):
            for column in range(len(self.opponents)):
                if not mixed or column < min(row, mixed):
                    meetings.append((row, column))
        return meetings


def choose_level(state: LineupsState, row: int) -> float:
    """Return the level of the interval of a lineup, by its index in `named`.

    Against a field the first lineup has an individual interval, since fresh games did
    not choose it. All other intervals are simultaneous.
    """
    if state.choice.shares:
        return joint_level(len(state.named))
    if row == 0:
        return DEFAULT_LEVEL
    return joint_level(len(state.named) - 1)


def estimate_lineup(
    rates: Rates, row: int, shares: Sequence[float], opponents: int, level: float
) -> Estimate | None:
    """Return the match win rate of a lineup against all opponents, or None if one is
    missing.

    With `shares` the opponents are a mix, whose lineups come first among all. A lineup
    wins half of the matches against itself.
    """
    parts = []
    for column in range(opponents):
        if shares and column == row:
            parts.append(Combination(constant=HALF))
        elif (row, column) in rates:
            parts.append(rates[row, column])
        elif shares and (column, row) in rates:
            parts.append(rates[column, row].opposite())
        else:
            return None
    mean = average(parts, shares or None)
    return mean.estimate(level) if mean.weights else None
