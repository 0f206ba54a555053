"""Which version of a deck is better: result, report, play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations
from math import ceil, sqrt
from statistics import NormalDist
from typing import ClassVar, Literal, Unpack

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Share
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import seat
from deckcheck.playing.versions import ROTATION, Versions
from deckcheck.policies.registry import policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    GAIN_COLUMN,
    IN_PERCENT,
    IN_TEXT,
    ON_PAGE,
    PERCENT,
    Cell,
    Column,
    Report,
    ReportTable,
    advise_games,
    count,
    cross_check_sentences,
    describe_pilot,
    difference_with_level,
    list_replayed_facts,
    list_shares_fact,
    numbers,
    size_with_level,
    study_report,
)
from deckcheck.sim import CROSS_CHECK, MAX_GAMES
from deckcheck.sim.blocks import Records
from deckcheck.sim.cross_checking import (
    CROSS_CHECK_STEP,
    MIN_CROSS_CHECKED_GAMES,
    compute_second_share,
    count_second_sets,
    usual_total,
)
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import ALL, Claim, Row, join_answer, tidy
from deckcheck.sim.records import NamedRate, Shares, StudyResult
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.study import Interrupted, RunOptions, check_every_shard_plays
from deckcheck.sim.table_results import combine_checksums
from deckcheck.specs import CompareSpec
from deckcheck.stats import Verdict
from deckcheck.studies.deck_difference import list_changes, order_changes
from deckcheck.studies.duels import (
    NO_OPPONENTS,
    FieldStudy,
    OpponentEntry,
    SameGames,
    VersionDifference,
    check_meetings,
    decks_and_field,
    find_cross_check_in,
    list_pairs,
    list_shares,
    plan_checkpoints,
    seat_against,
)
from deckcheck.validation import DeckReport

# The result of versions of a deck that played the same games


SERIES_SIZE = 100


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult(StudyResult):
    """The output of `deckcheck compare --output-format json`.

    `games` are those of each version with each opponent. Differences over the field
    are simultaneous 95% intervals, and so are those against one opponent each, at
    every look. `twins` are versions, two each, that are the same deck.
    """

    KEYS = tuple(
        """
        versions margin checkpoints ranking differences opponents shares
        cross_checked
        """.split()
    )
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; in 1 each interval held by itself."""
    names: tuple[str, ...] = ()
    field: OpponentEntry = NO_OPPONENTS
    opponents: tuple[OpponentEntry, ...] = ()
    """The win rates and differences against each opponent."""
    margin: Share = 0.0
    """The difference of win rates that does not matter, 0 to 1."""
    checkpoints: Count = 0
    """The number of checkpoints before the games ended; 0 if their number was fixed."""
    twins: frozenset[tuple[str, str]] = frozenset()
    shares: Shares = ()
    """The share of each opponent in the field, by name; empty if all come alike."""
    cross_checked: ComparisonResult | None = None
    """The first of these games, played by another player; null if none did."""

    @property
    def versions(self) -> tuple[NamedRate, ...]:
        """The versions with their win rates over the field, in the order given."""
        return tuple(map(NamedRate, self.names, self.field.win_rates))

    @property
    def ranking(self) -> list[str]:
        """The names of the versions, the best one first."""
        ranked = sorted(self.versions, key=lambda version: -version.rate.value)
        return [version.name for version in ranked]

    @property
    def differences(self) -> tuple[VersionDifference, ...]:
        """The difference of each pair of versions over the field."""
        return self.field.differences

    @property
    def is_clear(self) -> bool:
        """Whether each difference is known to about half of its size, or the margin."""
        return all(gap.is_known(self.margin) for gap in self.differences)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The old and the new version, or each version and the best of several."""
        if len(self.names) == 2:
            old, new = self.names
            return [(old, new)]
        best, *others = self.ranking
        return [(other, best) for other in others]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the answer claims of these pairs, and what the second bot found."""
        second = self.cross_checked
        played = [(self, "")]
        if second is not None:
            played = [(self, self.players[0]), (second, second.players[0])]
        claims = []
        for old, new in self.pairs:
            for result, by in played:
                gap = result.field.difference(old, new)
                claims.append(Claim(new, old, gap, gap.verdict, by))
        return tuple(claims)

    @property
    def answer(self) -> str:
        """The answer in a few sentences."""
        if len(self.names) == 2:
            sentences = self._compare_two(*self.names)
        else:
            sentences = self._compare_several()
        return join_answer(self.claims, sentences)

    def are_twins(self, a: str, b: str) -> bool:
        """Report whether two versions are the same deck, played alike."""
        return (a, b) in self.twins or (b, a) in self.twins

    def _compare_several(self) -> Iterator[str]:
        """Yield the best version, if that is known, and its lead over the nearest."""
        best, *others = self.ranking
        name, number = quote(best), len(self.names)
        gaps = {other: self.field.difference(other, best) for other in others}
        near = [other for other in others if not gaps[other].verdict.is_sure]
        undecided = [o for o in near if gaps[o].verdict is Verdict.INCONCLUSIVE]
        nearest = [*undecided, *near, *others][0]
        lead, rival = size_with_level(gaps[nearest]), quote(nearest)
        if undecided:
            several = choice([best, *undecided], "and")
            yield (
                f"No clear winner between {several}: {name} wins {lead} more than "
                f"{rival}."
            )
            yield advise_games(gaps[nearest], self.games, self.margin)
        elif near:
            margin = IN_PERCENT.number(self.margin)
            rivals = choice(near, "and")
            yield (
                f"{name} and {rivals} are the best of {number} versions, and within "
                f"{margin} percentage points of each other."
            )
        else:
            yield f"{name} is the best of {number} versions: {lead} over {rival}."
            yield self._describe_series(nearest, best)
        yield from self._describe_bots(nearest, best)

    def _compare_two(self, old: str, new: str) -> Iterator[str]:
        """Yield which of two versions is better, if that is known, and by how much."""
        difference = self.field.difference(old, new)
        first, second = quote(new), quote(old)
        lead = difference_with_level(difference)
        if self.are_twins(old, new):
            yield f"{first} and {second} are the same deck, so neither is better."
            return
        if difference.verdict.is_sure:
            yield f"{first} is {difference.verdict} than {second}: {lead}."
            yield self._describe_series(old, new)
        elif difference.verdict is Verdict.EQUAL:
            margin = IN_PERCENT.number(self.margin)
            yield (
                f"{first} and {second} are equal within {margin} percentage points: "
                f"{lead}."
            )
        else:
            yield f"No clear difference between {first} and {second}: {lead}."
            yield advise_games(difference, self.games, self.margin)
        yield from self._describe_bots(old, new)

    def _describe_series(self, old: str, new: str) -> str:
        """Return how often the better of two versions wins more of as many games."""
        rates = {version.name: version.rate.value for version in self.versions}
        chance = chance_ahead(rates[new], rates[old])
        if chance > 0.99:
            return (
                f"Over {SERIES_SIZE} games each, the better deck almost always wins "
                "more."
            )
        return (
            f"Over {SERIES_SIZE} games each, the better deck wins more "
            f"{100 * chance:.0f}% of the time."
        )

    def _describe_bots(self, old: str, new: str) -> Iterator[str]:
        """Yield which bot played, and what a second bot found about two versions."""
        if len(self.players) > 1:
            return
        yield describe_pilot(self.players[0])
        claims = [c for c in self.claims if (c.about, c.than) == (new, old)]
        yield from cross_check_sentences(claims)

    def to_rows(self) -> list[Row]:
        """Return tidy rows of versions and differences, over the field, by opponent.

        `baseline` is the version that a difference is from.
        """
        rows: list[Row] = []
        for entry in (self.field, *self.opponents):
            rows += self._list_rows(entry)
        if self.cross_checked is not None:
            rows += self._list_rows(self.cross_checked.field, "_cross_checked")
        return rows

    def _list_rows(self, against: OpponentEntry, end: str = "") -> Iterator[Row]:
        opponent = against.name or ALL
        rates = dict(zip(self.names, against.win_rates, strict=True))
        metric = f"win_rate{end}"
        for name, rate in rates.items():
            yield from tidy(metric, rate, rate.games, name, opponent, baseline=None)
        metric = f"difference{end}"
        for gap in against.differences:
            old, new = gap.pair
            games = rates[new].games
            yield from tidy(metric, gap, games, new, opponent, baseline=old)


def chance_ahead(new: float, old: float) -> float:
    """Return how likely the better version wins more of `SERIES_SIZE` games each.

    `new` and `old` are their win rates. Each version plays games of its own.
    """
    deviation = sqrt(SERIES_SIZE * (new * (1 - new) + old * (1 - old)))
    lead = SERIES_SIZE * abs(new - old) - 0.5
    if deviation == 0:
        return float(lead > 0)
    return NormalDist().cdf(lead / deviation)


# Tables of versions of a deck that played the same games


COMPARISON_LIMITS = (
    "The difference is that against this field and no other. Against some decks of it "
    "the other version may be better.",
)
CARDS_SECTION = ("cards", "What differs")


def make_comparison_report(result: ComparisonResult) -> Report:
    """Return the tables of `result`, its answer first."""
    names, games = result.names, f"{count(result.games_played)} in game pairs"
    if len(names) == 2:
        title = f"Is {names[1]} better than {names[0]}?"
        tables = [make_differences_table(result, *names)]
    else:
        title = f"Which of {len(names)} decks is best?"
        tables = [*_tabulate_rankings(result), *_tabulate_matrices(result)]
    return study_report(
        result,
        f"{games}, {count(result.games)} of each version with each opponent",
        [*tables, *make_cards_tables(result)],
        [
            ("ended", _describe_end(result)),
            *list_shares_fact(result.shares),
            ("pairing", _describe_pairing(result)),
        ],
        last=list_replayed_facts(result.cross_checked),
        title=title,
        limits=COMPARISON_LIMITS,
    )


def make_differences_table(result: ComparisonResult, old: str, new: str) -> ReportTable:
    """Return the rates of two versions over the field and against each opponent."""
    are_twins = result.are_twins(old, new)

    def row(label: str, entry: OpponentEntry) -> tuple[Cell, ...]:
        gap, rates = entry.difference(old, new), entry.rates(result.names)
        cells = (label, rates[old].value, rates[new].value)
        if are_twins:  # nothing was measured, so there is no interval
            return (*cells, 0.0, "same deck")
        return (*cells, gap, gap.verdict.value)

    rows = [row("all opponents", result.field)]
    if (second := result.cross_checked) is not None:
        rows.append(row(f"all, {policy_label(second.players[0])}", second.field))
    parts = sorted(result.opponents, key=lambda o: -o.difference(old, new).value)
    if len(parts) > 1:
        rows += [row(entry.name, entry) for entry in parts]
    return ReportTable(
        f"Old: {old}; new: {new}",
        (
            Column(""),
            *numbers(IN_PERCENT, "old", "new"),
            GAIN_COLUMN,
            Column("verdict"),
        ),
        tuple(rows),
        note="old and new: win rates in %; points: how many percentage points more the "
        "new version wins; the interval over all opponents is an individual 95% "
        "interval, the intervals against each opponent are simultaneous (Bonferroni)",
        section=("differences", "By opponent"),
        caption=f"By how many points {new} wins more than {old}",
    )


def _tabulate_rankings(result: ComparisonResult) -> Iterator[ReportTable]:
    """Yield how far each version is from the best, and on a page the win rates."""
    rates, best = result.field.rates(result.names), result.ranking[0]
    rows: list[tuple[Cell, ...]] = [(best, rates[best].value, "", "best")]
    for old, _ in result.pairs:
        gap = result.field.difference(best, old)
        rows.append((old, rates[old].value, gap, gap.verdict.value))
    over = f"over {plural(len(result.opponents), 'opponent')}"
    yield ReportTable(
        f"Decks by their mean win rate {over}",
        (Column("deck"), Column("win rate", PERCENT), GAIN_COLUMN, Column("verdict")),
        tuple(rows),
        ranked=True,
        note="points: the difference to the best deck in percentage points; the "
        f"intervals of all {len(result.differences)} differences between two decks "
        "are simultaneous 95% intervals (Bonferroni)",
        only=IN_TEXT,
    )
    yield ReportTable(
        f"Mean win rate {over}",
        (Column("deck"), Column("win rate", PERCENT, "95%")),
        tuple((name, rates[name]) for name in result.ranking),
        note="the decks play the same games, so the differences below are known far "
        "better than these rates",
        only=ON_PAGE,
        section=("ranking", "Ranking"),
    )
    for pair in result.pairs:
        table = make_differences_table(result, *pair)
        note = table.note if pair == result.pairs[-1] else None
        yield replace(table, only=ON_PAGE, note=note)


def _tabulate_matrices(result: ComparisonResult) -> Iterator[ReportTable]:
    """Yield the win rate of each version, the best first, against each opponent."""
    ranks = map(str, range(1, len(result.names) + 1))
    by_rank = "Win rate in % of each deck, by its rank, against each opponent"
    by_name = "Win rate in % of the deck in the column against the opponent"
    rows: list[tuple[Cell, ...]] = []
    for entry in result.opponents:
        rates = entry.rates(result.names)
        rows.append((entry.name, *[rates[name] for name in result.ranking]))
    columns = (Column("against"), *numbers(IN_PERCENT, *ranks))
    yield ReportTable(by_rank, columns, tuple(rows), matrix=True, only=IN_TEXT)
    columns = (Column("against"), *numbers(IN_PERCENT, *result.ranking))
    note = "blue: the deck wins more; orange: the opponent does"
    table = ReportTable(by_name, columns, tuple(rows), matrix=True, note=note)
    yield replace(table, only=ON_PAGE, section=("matrix", "Who does well against whom"))


def make_cards_tables(result: ComparisonResult) -> list[ReportTable]:
    """Return the table of the leaders and cards in which the versions differ."""
    if result.provenance is None:
        return []
    decks = result.provenance.decks[: len(result.names)]
    copies = [dict(deck.copies) for deck in decks]
    leaders = [deck.leader for deck in decks]
    if len(decks) == 2:
        (old, new), changes = result.names, order_changes(*copies)
        shown = list_changes(old, new, leaders, changes)
        return [replace(shown, section=CARDS_SECTION)] if shown.rows else []
    rows: list[tuple[Cell, ...]] = []
    for card in dict.fromkeys(chain.from_iterable(copies)):
        counts = [deck_copies.get(card, 0) for deck_copies in copies]
        if len(set(counts)) > 1:
            rows.append((card, *counts))
    note = None
    if len(set(leaders)) > 1:
        pairs = zip(leaders, result.names, strict=True)
        note = f"leaders: {', '.join(f'{leader} of {name}' for leader, name in pairs)}"
    if not rows and note is None:
        return []
    columns = (Column("card"), *numbers(COUNT, *result.names))
    title = "Copies of the cards in which the versions differ"
    shown = ReportTable(title, columns, tuple(rows), matrix=True, note=note)
    return [replace(shown, section=CARDS_SECTION)]


def _describe_end(result: ComparisonResult) -> str:
    if not result.complete:
        return "when you interrupted them"
    if not result.checkpoints:
        return "after the games that were asked for"
    if not result.is_clear:
        return (
            f"at checkpoint {result.checkpoints}, the last, without a clear answer; "
            f"{option('thorough')} continues"
        )
    return (
        f"at checkpoint {result.checkpoints}, with a clear answer; the intervals are "
        "valid at every checkpoint"
    )


def _describe_pairing(result: ComparisonResult) -> str:
    """Return how many games it saved that all versions played the same games."""
    saved = [difference.saved for difference in result.differences if difference.saved]
    if not saved:
        return "every version had the same result in every game"
    times = min(saved)
    if times < 1:
        return f"cost games: {times:.2f} times as many would have done without it"
    return f"saved games: {times:.1f} times as many would be needed without it"


COMPARISON = Presentation[ComparisonResult](make_comparison_report)


# Versions of a deck against a field of others, until it is clear which is better


MOST_SETS = MAX_GAMES // ROTATION


@dataclass(frozen=True)
class Comparison(FieldStudy[CompareSpec, ComparisonResult]):
    """A comparison to be played; `run` does it."""

    KIND = "compare"
    QUESTION = CompareSpec

    versions: tuple[Entrant, ...]
    field: tuple[Entrant, ...]

    def with_games(self, games: int) -> Comparison:
        """Return the comparison with another number of games, where it has one."""
        if self.question.games is None:
            raise UsageError(
                "A comparison that ends when it is clear has no number of games",
                f"Begin another one with a smaller {option('margin')}, or with "
                f"{option('games')}",
            )
        return super().with_games(games)

    def check_shards(self, shards: int) -> None:
        """Refuse shards where the end depends on all games, and empty ones."""
        games = self.question.games
        if games is None:
            raise UsageError(
                "A comparison needs all games to decide when to stop, but a shard has "
                "only part of them",
                "Compare in one folder, or a fixed number of games in shards",
            )
        sets = ceil(games / ROTATION)
        check_every_shard_plays(games, sets, ROTATION, shards)

    @cached_property
    def tables(self) -> list[Versions]:
        """A table for each opponent; raises EngineError for what cannot be played."""
        pairs = list_pairs(len(self.versions))
        seats = [seat(version.deck, version.policy) for version in self.versions]
        return seat_against(self.field, seats, pairs, self.format, self.database)

    @cached_property
    def twins(self) -> frozenset[tuple[str, str]]:
        """The versions, two each, that are the same deck and played alike."""
        twins = set()
        for a, b in combinations(self.versions, 2):
            if _make_identity(a) == _make_identity(b):
                twins.add((a.name, b.name))
        return frozenset(twins)

    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> ComparisonResult:
        """Play all games, then the games of the second bot; see `Study.run`."""
        result = super().run(records=records, **options)
        second_games = self._plan_second_games(result.games)
        if second_games is None:
            return result
        policy, count = second_games
        question = replace(
            self.question,
            games=count,
            policies=(policy,),
            cross_check=None,
            cross_check_games=None,
        )
        second_study = replace(self.played_by(policy), question=question)
        options["while_compiling"] = None  # it can be entered once
        part = None if records is None else lambda _: records(CROSS_CHECK_STEP)
        try:
            second = second_study.run(records=part, **options)
            return replace(result, cross_checked=second)
        except KeyboardInterrupt:
            raise Interrupted(replace(result, complete=False)) from None

    def _plan_second_games(self, games: int) -> tuple[str, int] | None:
        """Return the second bot and its games after `games` games, None without a bot.

        Either number counts games of each version with each opponent.
        """
        question = self.question
        policy = find_cross_check_in(self.format, question)
        if policy is None:
            return None
        if question.cross_check_games is not None:
            return policy, question.cross_check_games
        games_in_all = games * len(self.versions) * len(self.field)
        is_usual = question.cross_check == CROSS_CHECK
        if is_usual and games_in_all < MIN_CROSS_CHECKED_GAMES:
            return None
        players = [entrant.policy for entrant in (*self.versions, *self.field)]
        share = compute_second_share(self.format, players, policy, games_in_all)
        return policy, ROTATION * count_second_sets(games // ROTATION, share)

    def _expect_second_games(self) -> dict[str, float]:
        """Return the games of the second bot in all, where their number is known."""
        if self.question.games is None:
            return {}
        second_games = self._plan_second_games(self.question.games)
        if second_games is None:
            return {}
        policy, count = second_games
        return {policy: count * len(self.versions) * len(self.field)}

    def answer(self, games: GameSession) -> ComparisonResult:
        """Play until the answer is clear, or the games that were asked for."""
        first_version, each, margin = self.versions[0], len(self.versions), self._margin
        games.after = self._expect_second_games()
        for look, sets in self._schedule():
            games.until = f"checkpoint {look}" if look else ""
            every = [sets] * len(self.field)
            tallies = self.meet(games, first_version, self.tables, every, versions=each)
            games.known = played = self._make_same_games(tallies, look)
            if look and all(gap.is_known(margin) for gap in played.differences()):
                break
        return self._make_result(games, played)

    def so_far(self, games: GameSession) -> ComparisonResult | None:
        """Return what was known at the last checkpoint, or what the first games show.

        It is None unless all opponents were met.
        """
        if games.known is not None:
            return self._make_result(games, games.known)
        played = []
        for number in range(len(self.field)):
            if number not in games.tallies:
                return None
            played.append(games.tallies[number])
        # The user may have looked, so the intervals are those of a checkpoint.
        return self._make_result(games, self._make_same_games(played, 1))

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """Return the checkpoints and their sets. Fixed games have checkpoint 0."""
        games = self.question.games
        if games is not None:
            return iter([(0, -(-games // ROTATION))])
        return enumerate(plan_checkpoints(len(self.field), self._most_sets), start=1)

    @property
    def _most_sets(self) -> int:
        """The most sets with each opponent, where no number of games is asked for."""
        if self.question.thorough:
            return MOST_SETS
        policies = [entrant.policy for entrant in (*self.versions, *self.field)]
        sets = usual_total(policies, self.format) // ROTATION
        return max(1, sets // len(self.versions) // len(self.field))

    @property
    def _margin(self) -> float:
        return self.question.margin / 100

    def _make_same_games(self, tallies: Sequence[Ints], look: int) -> SameGames:
        names = tuple(version.name for version in self.versions)
        shares = self.question.weights
        return SameGames(
            names, self.tables, tallies, self._margin, look, shares, self.twins
        )

    def _make_result(self, games: GameSession, played: SameGames) -> ComparisonResult:
        names, field = tuple(played.names), self.field
        opponents = []
        for i, opponent in enumerate(field):
            entry = played.against(i).figures(opponent.name, rows=len(field))
            opponents.append(entry)
        return ComparisonResult(
            **self.describe_run(games, (*self.versions, *field)),
            games=played.games,
            games_played=played.games_in_all,
            checksum=combine_checksums(played.tallies),
            names=names,
            field=played.figures(),
            opponents=tuple(opponents),
            margin=played.margin,
            checkpoints=played.checkpoints,
            twins=self.twins,
            shares=list_shares(field, played.shares),
        )


def _make_identity(entrant: Entrant) -> tuple[object, ...]:
    """Return the properties that decide how a deck plays. Its name does not."""
    deck = entrant.deck
    held = dict(deck.counts()), dict(deck.reserve_counts())
    return (deck.faction, deck.leader, *held, entrant.policy)


def make_comparison(
    fmt: Format,
    database: CardDatabase,
    versions: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: CompareSpec,
) -> Comparison:
    """Return the comparison of the decks of `versions`, as `fmt` is played.

    Raises UsageError for too few decks, and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    if len(versions) < 2:
        raise UsageError(
            f"Found {plural(len(versions), 'version')}, needs at least 2",
            "Name the old deck and the new one; the field goes with "
            f"{option('against')}",
        )
    entrants, field, question = decks_and_field(fmt, versions, opponents, question)
    if find_cross_check_in(fmt, question) is None:
        question = replace(question, cross_check=None)
    return Comparison(fmt, database, question, entrants, field)
