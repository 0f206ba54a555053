"""The parts that all studies of one deck against another share.

Spec checks, the field, differences in the same games.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations
from math import ceil
from pathlib import Path
from typing import Annotated, Any, Generic, Protocol, Self, TypeVar, Unpack

from deckcheck.cards import CardDatabase
from deckcheck.cards.searching import unknown_name
from deckcheck.decks import Deck
from deckcheck.documents.records import (
    Amount,
    Difference,
    DifferenceInterval,
    ShownAs,
    one_of,
)
from deckcheck.engine.registry import Seat, load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import check_range, choice, option, plural, quote
from deckcheck.playing.kernel import Head, Ints
from deckcheck.playing.table import TableWithCells, seat
from deckcheck.playing.versions import ROTATION, Pair, Versions, seat_versions
from deckcheck.policies import AUTO
from deckcheck.policies.workspace import replaced_by_heuristic
from deckcheck.sim import CROSS_CHECK, MAX_GAMES, MAX_JOBS
from deckcheck.sim.blocks import MAIN_PART, Records
from deckcheck.sim.cross_checking import find_cross_check, only_rules_know, usual_games
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.jobs import Job
from deckcheck.sim.provenance import collect_provenance
from deckcheck.sim.records import Rate
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.study import Interrupted, RunOptions, Study, StudySpec
from deckcheck.specs import CardsSpec, FieldSpec
from deckcheck.stats import (
    Combination,
    Estimate,
    Interval,
    Sample,
    Verdict,
    anytime_score_interval,
    average,
    find_verdict,
    mean_score,
    mean_score_interval,
)
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.sequential import (
    Joint,
    difference_counts,
    difference_interval,
    mean_difference,
    variance_ratio,
)
from deckcheck.studies.weights import match_weights, read_weights
from deckcheck.validation import DeckReport

# Studies of decks that meet opponents one by one: what they all do alike


class Seeded(Protocol):
    """A question that names the seed of its games, and who plays some of them again."""

    @property
    def seed(self) -> int:
        """The seed of the run."""

    @property
    def cross_check(self) -> str | None:
        """The second bot, see `find_cross_check`."""


Q = TypeVar("Q", bound=Seeded)
R_co = TypeVar("R_co", covariant=True)


DECK_ROLE = "deck"
"""The role of a deck of which a study has one."""


@dataclass(frozen=True)
class DuelStudy(Study[Q, R_co], Generic[Q, R_co]):
    """A study whose games are duels, all of them played by one `GameSession`.

    Each further field holds the decks of one role, and has the name of that role.
    """

    format: Format
    database: CardDatabase
    question: Q

    @classmethod
    def _list_roles(cls) -> Iterator[str]:
        for each in fields(cls):
            if each.name not in DuelStudy.__annotations__:
                yield each.name

    @property
    def spec(self) -> StudySpec[Q]:
        """The spec of the study: its format, its question and its decks."""
        decks = {role: getattr(self, role) for role in self._list_roles()}
        if DECK_ROLE in decks:
            decks[DECK_ROLE] = (decks[DECK_ROLE],)
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[Q]) -> Self:
        """Return the study of a spec."""
        decks: dict[str, Any] = {role: spec.role(role) for role in cls._list_roles()}
        if DECK_ROLE in decks:
            [decks[DECK_ROLE]] = decks[DECK_ROLE]
        return cls(spec.format, spec.database, spec.question, **decks)

    def played_by(self, policy: str) -> Self:
        """Return the same study with all decks piloted by this bot."""
        spec = self.spec
        decks = {}
        for role, entrants in spec.decks.items():
            decks[role] = played_by(entrants, policy)
        return self.from_spec(replace(spec, decks=decks))

    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> R_co:
        """Play all games and return the result; see `Study.run`."""
        check_range("jobs", options.get("jobs", 1), 1, MAX_JOBS)
        record = records(MAIN_PART) if records else None
        games = GameSession(self.question.seed, record=record, **options)
        try:
            return self.answer(games)
        except StoppedEarly:
            known = self.so_far(games)
            part = known and replace(known, complete=False)
            raise Interrupted(part) from None

    def so_far(self, games: GameSession) -> Any:
        """Return the result of games that are interrupted, or None."""
        return games.known

    @property
    def one_game(self) -> Format:
        """The format as a game of two decks is played in it."""
        return self.format

    @abstractmethod
    def answer(self, games: GameSession) -> R_co:
        """Play with `games` until the question is answered; see `run`."""

    def describe_run(
        self,
        games: GameSession,
        entrants: Sequence[Entrant],
        cross_check: str | None = None,
    ) -> dict[str, Any]:
        """Return the facts of the run that every result begins with.

        `entrants` are the decks that the result names, `cross_check` is the second
        bot, if any.
        """
        fmt = self.format
        players = [entrant.policy for entrant in entrants]
        if cross_check:
            players.append(cross_check)
        policies = tuple(dict.fromkeys(players))
        variant = load_game(fmt.game).find_variant(self.one_game, 2)
        return {
            "format": fmt.id,
            "snapshot": fmt.snapshot,
            "month": fmt.month,
            "play": fmt.seating.play,
            "decks": tuple(entrant.simulated for entrant in entrants),
            "players": policies,
            "stand_ins": replaced_by_heuristic(policies, fmt.game, variant),
            "seed": self.question.seed,
            "fingerprint": fmt.fingerprint,
            "changes": fmt.own_changes,
            "seconds": games.seconds,
            "jobs": games.jobs,
            "provenance": collect_provenance(
                fmt, self.database, [e.deck for e in entrants]
            ),
            "only_heuristic_knows": self.question.cross_check in (None, CROSS_CHECK)
            and only_rules_know(policies, fmt, variant),
        }


class FieldStudy(DuelStudy[Q, R_co], Generic[Q, R_co]):
    """A study of decks that all meet the decks of a `field`, which is a role."""

    field: tuple[Entrant, ...]

    def meet(
        self,
        games: GameSession,
        entrant: Entrant,
        tables: Sequence[TableWithCells],
        sets: Sequence[int],
        *,
        first: int = 0,
        versions: int = 1,
        label: str = "",
    ) -> list[Ints]:
        """Play `sets` at the table of each opponent, and return the tallies.

        Jobs are numbered from `first` on. A set has each of the `versions` of a deck,
        all piloted by the bot of `entrant`.
        """
        jobs = []
        meetings = zip(self.field, tables, sets, strict=False)
        for number, (opponent, table, table_sets) in enumerate(meetings, first):
            name = f"{label or entrant.name} against {opponent.name}"
            policies = (opponent.policy, entrant.policy, str(first))
            games_of_set = ROTATION * versions
            jobs.append(Job(number, name, table, policies, table_sets, games_of_set))
        games.play(jobs, tuple(dict.fromkeys(table.engine for table in tables)))
        return [games.tallies[job.number] for job in jobs]


def played_by(entrants: Sequence[Entrant], policy: str | None) -> tuple[Entrant, ...]:
    """Return the same decks, played by a policy if it is not None."""
    if policy is None:
        return tuple(entrants)
    return tuple(replace(entrant, policy=policy) for entrant in entrants)


F = TypeVar("F", bound=FieldSpec)


def read_deck_and_field(
    fmt: Format,
    decks: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: F,
    use: str,
) -> tuple[Entrant, tuple[Entrant, ...], F]:
    """Return the only deck, the expected opponents, and the question with both.

    Raises UsageError unless there is one deck and a field, with `use` as the remedy,
    and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    if len(decks) != 1:
        raise UsageError(
            f"Found {plural(len(decks), 'deck')}, expected one",
            f"{use}; the field goes with {option('against')}",
        )
    [entrant], field, question = decks_and_field(fmt, decks, opponents, question)
    question = replace(question, cross_check=find_cross_check_in(fmt, question))
    return entrant, field, question


def decks_and_field(
    fmt: Format,
    decks: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: F,
) -> tuple[tuple[Entrant, ...], tuple[Entrant, ...], F]:
    """Return the decks, the expected opponents, and the question with both.

    Raises UsageError without a field.
    """
    question = question.played_in(fmt)
    field = enter_field(opponents, question.policies)
    field, weights = select_weighted(field, question.weights)
    entrants = enter(decks, [question.policies[0]])
    return tuple(entrants), field, replace(question, weights=weights)


def count_second_games(question: CardsSpec) -> int:
    """Return the games of each version that the second bot plays, 0 without it."""
    if question.cross_check is None:
        return 0
    usual = min(question.budget, usual_games(question.cross_check, MAX_GAMES))
    return question.cross_check_games or usual


def find_cross_check_in(fmt: Format, question: FieldSpec) -> str | None:
    """Return the second bot for a format, see `find_cross_check`."""
    return find_cross_check(
        question.cross_check, question.cross_check_games, fmt, question.policies
    )


def check_meetings(fmt: Format) -> None:
    """Refuse a format in which no two decks meet."""
    if fmt.seating.play == "match":
        raise UsageError(
            f"Lineups play matches in {quote(fmt.id)}, and this is about single decks",
            f"Name the format of one game with {option('format')}: "
            f"{choice(fmt.lineage[1:])}; `deckcheck solve` chooses lineups",
        )
    low, high = fmt.seating.min_players, fmt.seating.max_players
    if fmt.seating.play not in ("duel", "table") or not low <= 2 <= high:
        raise UsageError(
            f"Decks cannot be measured in {quote(fmt.id)}: no two meet there",
            f"Name a format of duels with {option('format')}",
        )


def list_shares(
    field: Sequence[Entrant], weights: Sequence[float]
) -> tuple[tuple[str, float], ...]:
    """Return each opponent with its share of the field, or () without weights."""
    total = sum(weights)
    pairs = zip(field, weights, strict=bool(weights))
    return tuple((opponent.name, weight / total) for opponent, weight in pairs)


def select_weighted(
    field: tuple[Entrant, ...], weights: Sequence[float]
) -> tuple[tuple[Entrant, ...], tuple[float, ...]]:
    """Return the opponents with a weight above 0, and the weights."""
    if not weights:
        return field, ()
    expected, positive_weights = [], []
    for opponent, weight in zip(field, weights, strict=True):
        if weight > 0:
            expected.append(opponent)
            positive_weights.append(weight)
    return tuple(expected), tuple(positive_weights)


def find_weights(
    given: Path | Mapping[str, float] | None, opponents: Sequence[DeckReport]
) -> tuple[float, ...]:
    """Return the weight of each opponent, by a CSV file or by name, () without weights.

    Raises UsageError as `read_weights` does.
    """
    if given is None:
        return ()
    names = [entrant.name for entrant in enter_field(opponents, [AUTO])]
    if isinstance(given, Path):
        return read_weights(given, names, "deck")
    return match_weights(given, names, "deck")


def enter_field(
    opponents: Sequence[DeckReport], policies: Sequence[str]
) -> tuple[Entrant, ...]:
    """Return the opponents, piloted by the last bot. Raises UsageError without any."""
    if not opponents:
        raise UsageError("No field given", f"Name opponents with {option('against')}")
    return tuple(enter(opponents, [policies[-1]]))


def find_deck_card(name: str, setting: str, deck: Deck, database: CardDatabase) -> str:
    """Return the id of a card of the deck. Raises UsageError for other cards."""
    lookup = database.find_card(name)
    among = lookup.among(deck.counts())
    if among.id is not None:
        return among.id
    if lookup.id is None and not lookup.candidates:
        raise unknown_name(database, name)
    raise UsageError(
        f"{quote(name)} is not in {quote(deck.name)}",
        f"Name cards of the deck with {option(setting)}",
    )


# Differences between versions that played the same games, and when they are clear


FIRST_CHECKPOINT = 256


@dataclass(frozen=True, slots=True)
class VersionDifference:
    """The difference of two versions of the deck."""

    old: str
    """The name of the version that is compared with."""
    new: str
    """The name of the version that is compared."""
    difference: Annotated[float, ShownAs(Difference)]
    """The win rate of the new version less that of the old one, -1 to 1."""
    interval: Annotated[Interval, ShownAs(DifferenceInterval)]
    """The difference's interval, -1 to 1; all pairs have simultaneous 95% intervals."""
    verdict: Annotated[Verdict, ShownAs(Annotated[str, one_of(Verdict)])]
    """Whether the new version is better, worse, equal within the margin, or neither."""
    saved: Amount | None = field(metadata={"digits": 3})
    """The factor by which shared shuffles save games; null if unknown."""

    @property
    def value(self) -> float:
        """The difference, as all figures have one."""
        return self.difference

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the two versions."""
        return self.old, self.new

    def is_known(self, margin: float) -> bool:
        """Report whether the versions are equal, or the better is known and its lead.

        The lead is known if its interval reaches no further than half of it, or than
        `margin`, to each side.
        """
        low, high = self.interval
        if self.verdict is Verdict.EQUAL:
            return True
        return self.verdict.is_sure and high - low <= max(2 * margin, abs(self.value))

    def opposite(self) -> VersionDifference:
        """Return the difference seen from the other version."""
        interval = Interval(-self.interval.high, -self.interval.low)
        verdict = self.verdict.opposite
        return VersionDifference(
            self.new, self.old, -self.value, interval, verdict, self.saved
        )


def combine_differences(
    pair: tuple[str, str],
    joints: Sequence[Joint],
    *,
    margin: float,
    anytime: bool,
    together: int = 1,
    shares: Sequence[float] = (),
) -> VersionDifference:
    """Return the difference over several opponents.

    Opponents count by their `shares`. Without shares all count alike, and each must
    have the same number of sets. `together` intervals are simultaneous 95% intervals
    (Bonferroni). Versions are equal if the difference is clearly less than `margin`.
    """
    level = joint_level(together)
    saved = variance_ratio(joints)
    if _can_pool([int(joint.sum()) for joint in joints], shares):
        joint = sum(joints[1:], joints[0])
        interval = difference_interval(joint, level, anytime=anytime)
        value = mean_difference(joint)
    else:
        gains = [_score(difference_counts(joint), anytime) for joint in joints]
        total = average(gains, shares)
        low, high = total.interval(level)
        interval = Interval(2 * low - 1, 2 * high - 1)
        value = 2 * total.value - 1
    verdict = find_verdict(interval, margin)
    return VersionDifference(*pair, value, interval, verdict, saved)


def _can_pool(sets: Sequence[int], shares: Sequence[float]) -> bool:
    """Report whether games of all opponents can be added up as if against one."""
    return not shares or len(set(sets)) == len(set(shares)) == 1


def _score(counts: Sequence[int], anytime: bool) -> Combination:
    """Return the mean score of sets."""
    games = ROTATION * sum(counts)
    return Combination.of(Sample(tuple(counts), games, anytime=anytime))


def list_pairs(count: int) -> tuple[Pair, ...]:
    """Return all pairs of `count` versions."""
    return tuple(combinations(range(count), 2))


def plan_checkpoints(opponents: int, most: int) -> Iterator[int]:
    """Yield the sets with each opponent at each checkpoint, `most` at the end.

    Each is a quarter more than the one before.
    """
    sets = ceil(FIRST_CHECKPOINT / opponents)
    while sets < most:
        yield sets
        sets += ceil(sets / 4)
    yield most


@dataclass(frozen=True, slots=True)
class OpponentEntry:
    """The versions against one opponent."""

    name: str
    """The name of the opponent."""
    win_rates: tuple[Rate, ...]
    """The win rate of each version, in the order of `versions`."""
    differences: tuple[VersionDifference, ...]
    """The difference of each pair of versions."""

    def rates(self, names: Sequence[str]) -> dict[str, Estimate]:
        """Return the win rate of each version, by its name."""
        return dict(zip(names, self.win_rates, strict=True))

    def difference(self, old: str, new: str) -> VersionDifference:
        """Return by how much the version `new` is better than `old` there."""
        for difference in self.differences:
            if difference.pair == (old, new):
                return difference
            if difference.pair == (new, old):
                return difference.opposite()
        raise ValueError(f"{old} and {new} are not two of the versions")


OVER_FIELD = ""
"""Instead of an opponent's name: all of them, each as much as it counts."""

NO_OPPONENTS = OpponentEntry(OVER_FIELD, (), ())


@dataclass(frozen=True)
class SameGames:
    """Versions of a deck in the same games with each opponent."""

    names: Sequence[str]
    """The names of the versions."""
    tables: Sequence[Versions]
    tallies: Sequence[Ints]
    margin: float
    """The difference that does not matter, see `combine_differences`."""
    checkpoints: int = 0
    """The number of checkpoints before the end."""
    shares: Sequence[float] = ()
    """How much each opponent counts."""
    twins: Collection[tuple[str, str]] = ()
    """The pairs of versions with the same cards: equal, regardless of the interval."""

    @property
    def games(self) -> int:
        """The games of each version with each opponent, at least."""
        return ROTATION * min(self._sets)

    @property
    def games_in_all(self) -> int:
        """The games of all versions with all opponents."""
        return ROTATION * len(self.names) * sum(self._sets)

    @property
    def _sets(self) -> list[int]:
        return [int(tally[0, Head.SETS]) for tally in self.tallies]

    def against(self, opponent: int) -> SameGames:
        """Return the games with one opponent."""
        tables, tallies = [self.tables[opponent]], [self.tallies[opponent]]
        return replace(self, tables=tables, tallies=tallies, shares=())

    def rate(self, version: int) -> Estimate:
        """Return the win rate of a version, by its index, over all opponents."""
        scores = [table[version] for table in self._scores]
        anytime = self.checkpoints > 0
        if _can_pool([sum(counts) for counts in scores], self.shares):
            total = [sum(column) for column in zip(*scores, strict=True)]
            find_interval = anytime_score_interval if anytime else mean_score_interval
            games = ROTATION * sum(total)
            return Estimate(mean_score(total), find_interval(total), games)
        rates = [_score(counts, anytime) for counts in scores]
        return average(rates, self.shares).estimate()

    def difference(self, pair: Pair, together: int = 1) -> VersionDifference:
        """Return the difference of a pair, one of `together` simultaneous intervals."""
        found = combine_differences(
            (self.names[pair[0]], self.names[pair[1]]),
            [joint[pair] for joint in self._joints],
            margin=self.margin,
            anytime=self.checkpoints > 0,
            together=together,
            shares=self.shares,
        )
        if found.pair in self.twins:
            return replace(found, verdict=Verdict.EQUAL)
        return found

    def differences(self, rows: int = 1) -> tuple[VersionDifference, ...]:
        """Return all differences of pairs, whose intervals are joint over `rows`."""
        pairs = self.tables[0].pairs
        return tuple(self.difference(pair, len(pairs) * rows) for pair in pairs)

    def figures(self, opponent: str = OVER_FIELD, rows: int = 1) -> OpponentEntry:
        """Return all rates and differences."""
        rates = tuple(map(self.rate, range(len(self.names))))
        return OpponentEntry(opponent, rates, self.differences(rows))

    @cached_property
    def _scores(self) -> list[list[tuple[int, ...]]]:
        return [t.scores(y) for t, y in zip(self.tables, self.tallies, strict=True)]

    @cached_property
    def _joints(self) -> list[dict[Pair, Ints]]:
        return [t.joint(y) for t, y in zip(self.tables, self.tallies, strict=True)]


def seat_against(
    field: Iterable[Entrant],
    versions: Sequence[Seat],
    pairs: Sequence[Pair],
    fmt: Format,
    database: CardDatabase,
) -> list[Versions]:
    """Return a table for each opponent. Raises EngineError as `seat_version` does."""
    opponents = [seat(opponent.deck, opponent.policy) for opponent in field]
    return [seat_versions(fmt, database, o, versions, pairs) for o in opponents]
