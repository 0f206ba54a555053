"""The parts that all studies of one deck against another share.

Spec checks, the field and its weights, differences in the same games.
"""

from __future__ import annotations

import csv
import io
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import combinations
from math import isfinite
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
from deckcheck.files import read_input
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.markup import remove_guard
from deckcheck.messages import (
    check_range,
    choice,
    nearest,
    option,
    plural,
    quote,
    suggestion,
)
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
from deckcheck.validation import DeckReport

# The field that a user expects: a CSV of players and how often they come


MAX_BYTES = 2**22
TIDY_COLUMNS = ("deck", "metric", "value")
LINE_EXAMPLE = "Write a line for each, such as `The swarm,3`"


def read_weights(file: Path, players: Sequence[str], noun: str) -> tuple[float, ...]:
    """Return how often each of `players` is expected, in any unit; 0 if not named.

    The file has a line `name,weight` for each, and may begin with a line of headings.
    Semicolons or tabs may part them, and a comma the decimals. Commas in a name need no
    quotes. A table that `meta` or `solve` wrote has its shares as weights.
    Raises UsageError with the line of the mistake.
    """
    name = quote(str(file))
    try:
        text = read_input(file, MAX_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name} is no text in UTF-8", LINE_EXAMPLE) from None
    weights: dict[str, float] = {}
    for location, row in _read_weight_rows(file, text):
        player, weight = _read_row(row, players, noun, location)
        if player in weights:
            raise UsageError(f"{location} {quote(player)} is named twice")
        weights[player] = weight
    if not any(weights.values()):
        raise UsageError(f"{name} expects nobody: no weight is above 0", LINE_EXAMPLE)
    return tuple(weights.get(player, 0.0) for player in players)


def match_weights(
    given: Mapping[str, float], players: Sequence[str], noun: str
) -> tuple[float, ...]:
    """Return how often each of `players` is expected, by the names in `given`.

    Raises UsageError for a name that is not among them, and for what is no weight.
    """
    weights: dict[str, float] = {}
    for name, weight in given.items():
        is_number = isinstance(weight, (int, float)) and not isinstance(weight, bool)
        if not is_number or not isfinite(weight) or weight < 0:
            message = f"The weight of {quote(str(name))} is {weight!r}"
            raise UsageError(message, "Give a number of 0 or more")
        weights[_find_player(str(name), players, noun, "")] = float(weight)
    if not any(weights.values()):
        raise UsageError("`weights` expects nobody: no weight is above 0")
    return tuple(weights.get(player, 0.0) for player in players)


WEIGHT_WORDS = tuple(
    """
    weight share count gewicht anteil anzahl peso cuota poids part quota waga udział
    váha podíl вес доля
    """.split()
)
"""Headings of a column of weights."""


def _read_weight_rows(file: Path, text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the rows of names and weights with their places, without headings."""
    first = text.lstrip().partition("\n")[0]
    delimiter = next((mark for mark in ";\t" if mark in first), ",")
    if first.lower().startswith("sep="):
        text = text.lstrip().partition("\n")[2]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        lines = [(f"{file}:{reader.line_num}:", row) for row in reader]
    except csv.Error as error:
        raise UsageError(f"{file}:{reader.line_num}: {error}", LINE_EXAMPLE) from None
    if not lines:
        return
    heading = [cell.strip().lower() for cell in lines[0][1]]
    if set(TIDY_COLUMNS) <= set(heading):
        yield from _read_share_rows(file, heading, lines[1:])
        return
    if len(heading) == 2 and heading[1] in WEIGHT_WORDS:
        lines = lines[1:]
    for location, row in lines:
        if any(map(str.strip, row)):
            yield location, row


def _read_share_rows(
    file: Path, heading: Sequence[str], lines: Iterable[tuple[str, list[str]]]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the decks of a tidy table with their shares, without decks of share 0."""
    shares = []
    for location, row in lines:
        if len(row) != len(heading):
            continue
        cells = dict(zip(heading, row, strict=True))
        if cells["metric"] == "share":
            shares.append((location, cells))
    if not shares:
        raise UsageError(
            f"{quote(str(file))} is a table of numbers without shares of decks",
            f"The tables of `deckcheck meta` and `solve` have shares. {LINE_EXAMPLE}",
        )
    for location, cells in shares:
        if cells["value"] not in ("0", "0.0"):
            yield location, [cells["deck"], cells["value"]]


def _read_row(
    row: Sequence[str], players: Sequence[str], noun: str, place: str
) -> tuple[str, float]:
    if len(row) < 2:
        raise UsageError(f"{place} expected a {noun} and its weight", LINE_EXAMPLE)
    # A name such as `Skellige, built` may be written without quotes.
    *name, text = row
    player = _find_player(",".join(name), players, noun, f"{place} ")
    text = text.strip()
    try:
        # A comma is that of a decimal: others would stand in a cell of their own.
        weight = float(text.removesuffix("%").replace(",", "."))
    except ValueError:
        weight = -1.0
    if not isfinite(weight) or weight < 0:
        raise UsageError(
            f"{place} {quote(text)} is no number of 0 or more", LINE_EXAMPLE
        )
    return player, weight


def _find_player(name: str, players: Sequence[str], noun: str, place: str) -> str:
    """Return the player of a name."""
    player = " ".join(remove_guard(name).split())
    by_lower = {player.lower(): player for player in players}
    if player.lower() not in by_lower:
        listed = f"The {noun}s of this field are {choice(players, 'and')}"
        help = suggestion(nearest(player, players, limit=3), listed)
        called = f"{noun} of this field is called {quote(name)}"
        if not place:
            raise UsageError(f"No {called}", help)
        raise UsageError(f"{place}no {called}", help)
    return by_lower[player.lower()]


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

    def head(
        self,
        games: GameSession,
        entrants: Sequence[Entrant],
        cross_check: str | None = None,
    ) -> dict[str, Any]:
        """Return the facts of the run that every result begins with.

        `entrants` are those whom the result names, `cross_check` is one more player.
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
            "nobody_knows": self.question.cross_check in (None, CROSS_CHECK)
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
    file: Path | Mapping[str, float] | None, opponents: Sequence[DeckReport]
) -> tuple[float, ...]:
    """Return the weight of each opponent, by a CSV file or by name, () without weights.

    Raises UsageError as `read_weights` does.
    """
    if file is None:
        return ()
    names = [entrant.name for entrant in enter_field(opponents, [AUTO])]
    if isinstance(file, Path):
        return read_weights(file, names, "deck")
    return match_weights(file, names, "deck")


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
    if not _count_alike([int(joint.sum()) for joint in joints], shares):
        gains = [_score(difference_counts(joint), anytime) for joint in joints]
        total = average(gains, shares)
        low, high = total.interval(level)
        interval = Interval(2 * low - 1, 2 * high - 1)
        value = 2 * total.value - 1
    else:
        joint = sum(joints[1:], joints[0])
        interval = difference_interval(joint, level, anytime=anytime)
        value = mean_difference(joint)
    verdict = find_verdict(interval, margin)
    return VersionDifference(*pair, value, interval, verdict, saved)


def _count_alike(sets: Sequence[int], shares: Sequence[float]) -> bool:
    """Report whether opponents count alike and have as many sets: then they are one."""
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
    sets = -(-FIRST_CHECKPOINT // opponents)
    while sets < most:
        yield sets
        sets += -(-sets // 4)
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
        raise ValueError(f"{old} and {new} are no two versions")


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
    """The pairs of versions that are the same deck, whatever games leave room for."""

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
        if not _count_alike([sum(counts) for counts in scores], self.shares):
            rates = [_score(counts, anytime) for counts in scores]
            return average(rates, self.shares).estimate()
        total = [sum(column) for column in zip(*scores, strict=True)]
        find_interval = anytime_score_interval if anytime else mean_score_interval
        return Estimate(mean_score(total), find_interval(total), ROTATION * sum(total))

    def difference(self, pair: Pair, together: int = 1) -> VersionDifference:
        """Return the difference of a pair, one of `together` simultaneous intervals."""
        gap = combine_differences(
            (self.names[pair[0]], self.names[pair[1]]),
            [joint[pair] for joint in self._joints],
            margin=self.margin,
            anytime=self.checkpoints > 0,
            together=together,
            shares=self.shares,
        )
        if gap.pair in self.twins:
            return replace(gap, verdict=Verdict.EQUAL)
        return gap

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
