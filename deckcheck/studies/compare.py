"""Which version of a deck is better: spec, play, result, report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import combinations
from itertools import count as counting
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal, NamedTuple, Unpack

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Share
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import seat
from deckcheck.playing.versions import ROTATION, Versions, seat_versions
from deckcheck.policies.registry import policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import (
    Block,
    Figures,
    Forest,
    Heatmap,
    Page,
    Section,
    forest_of,
    heatmap_of,
    page_with,
)
from deckcheck.report.tables import (
    CHANGE,
    COUNT,
    GAIN,
    IN_PERCENT,
    PERCENT,
    Cell,
    Column,
    Report,
    ReportTable,
    again_facts,
    count,
    difference_text,
    more_games,
    numbers,
    said_by,
    shares_fact,
    study_report,
)
from deckcheck.sim import CONFIRM, MOST_GAMES
from deckcheck.sim.confirming import (
    CONFIRMING,
    FEWEST,
    part_confirmed,
    sets_confirmed,
)
from deckcheck.sim.documents import NamedWinRate, RunDocument
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.figures import ALL, Claim, Row, depending, plain, tidy, win_rate
from deckcheck.sim.jobs import Job, Records
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import result_document
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.standings import ResultHeader, checksum_of
from deckcheck.sim.study import Interrupted, RunOptions, check_every_shard_plays
from deckcheck.specs import CompareSpec
from deckcheck.stats import Verdict
from deckcheck.studies.duels import (
    NO_OPPONENTS,
    OVER_FIELD,
    DuelStudy,
    OpponentEntry,
    VersionDifference,
    against,
    check_meetings,
    confirmed_in,
    differences,
    every_pair,
    field_of,
    looks,
    met_by_weight,
    shares_in,
    size_of,
)
from deckcheck.validation import DeckReport


class ComparisonDocument(RunDocument):
    """The output of `deckcheck compare --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; in 1 each interval held by itself."""
    answer: str
    """The answer in a sentence or two."""
    versions: list[NamedWinRate]
    """The versions with their win rates over the field, in the order given."""
    margin: Share
    """The difference of win rates that does not matter, 0 to 1."""
    looks: Count
    """The number of checkpoints before the games ended; 0 if their number was fixed."""
    ranking: list[str]
    """The names of the versions, the best one first."""
    differences: list[VersionDifference]
    """The difference of every two versions over the field."""
    opponents: list[OpponentEntry]
    """The same against each opponent."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    confirmed: ComparisonDocument | None
    """The first of these games, played by another player; null if none did."""


# The result of versions of a deck that played the same games


SERIES = 100


@dataclass(frozen=True, slots=True, repr=False)
class ComparisonResult(ResultHeader):
    """A finished comparison, see `ComparisonDocument`.

    `games` are those of each version with each opponent. Differences over the field
    hold jointly with 95 % confidence, and so do those against one opponent each, at
    every look. `twins` are versions, two each, that are the same deck.
    """

    versions: tuple[str, ...] = ()
    field: OpponentEntry = NO_OPPONENTS
    opponents: tuple[OpponentEntry, ...] = ()
    margin: float = 0.0
    looks: int = 0
    twins: frozenset[tuple[str, str]] = frozenset()
    shares: tuple[tuple[str, float], ...] = ()
    confirmed: ComparisonResult | None = None

    @property
    def ranking(self) -> tuple[int, ...]:
        """The places of the versions, the best one first."""
        rates = self.field.win_rates
        return tuple(sorted(range(len(rates)), key=lambda i: -rates[i].value))

    def difference(self, a: int, b: int) -> VersionDifference:
        """By how much version `b` is better than `a`, over the field."""
        return difference_in(self.field, self.versions[a], self.versions[b])

    @property
    def is_clear(self) -> bool:
        """Whether of each two it is known which is better, and about by how much."""
        return all(
            difference.is_known(self.margin)
            for difference in self.field.differences
            if difference.pair not in self.twins
        )

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The new version and the old one; of several the best and each other one.

        Of these pairs, what the second player comes to as well.
        """
        best, *others = self.ranking if len(self.versions) > 2 else (1, 0)
        if self.confirmed is None:
            return tuple(self._claim(other, best) for other in others)
        results = (self, self.confirmed)
        return tuple(
            replace(own._claim(other, best), by=own.players[0])
            for other in others
            for own in results
        )

    def _claim(self, old: int, new: int) -> Claim:
        figure = self.difference(old, new)
        return Claim(figure.new, figure.old, figure, figure.verdict)

    @property
    def answer(self) -> str:
        """What the games say, by whose play, in a sentence or two."""
        return depending(self.claims, self._answer(self._players))

    @property
    def _players(self) -> str:
        """Who played, and what a second player makes of the figure before."""
        if len(self.players) > 1:
            return ""
        said = [(self.players[0], "")]
        if self.confirmed is not None:
            said.append(
                (self.confirmed.players[0], difference_text(self.claims[1].figure))
            )
        return said_by(said)

    def _answer(self, players: str) -> str:
        if len(self.versions) == 2:
            return self._verdict(self.field.differences[0], players)
        best, *others = self.ranking
        name = quote(self.versions[best])
        differences = {i: self.difference(best, i) for i in others}
        near = [i for i in others if not differences[i].verdict.is_sure]
        if not near:
            second = self._verdict(differences[others[0]].opposite(), players)
            better = second.removeprefix(f"{name} is ")
            return f"{name} is best of {len(self.versions)}, {better}"
        open_yet = [i for i in near if differences[i].verdict is Verdict.NOT_CLEAR]
        names = choice([self.versions[i] for i in open_yet or near], "and")
        if not open_yet:
            size = IN_PERCENT.number(self.margin)
            return f"{name} and {names} are equal within {size} points, and best"
        gap = self._not_clear(differences[open_yet[0]].opposite(), "")
        return f"It is not clear whether {name} is better than {names}: {gap}"

    def to_dict(self) -> ComparisonDocument:
        """The result as `deckcheck schema compare` describes it."""
        return result_document(
            ComparisonDocument,
            self,
            versions=[
                {"name": name, **win_rate(rate)}
                for name, rate in zip(self.versions, self.field.win_rates, strict=True)
            ],
            ranking=[self.versions[i] for i in self.ranking],
            differences=plain(self.field.differences),
            shares=plain(dict(self.shares)),
            confirmed=None if self.confirmed is None else self.confirmed.to_dict(),
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows: versions and their differences, over the field, then by opponent.

        `baseline` is the version that a difference is from.
        """
        rows = [row for a in (self.field, *self.opponents) for row in self._rows(a)]
        if self.confirmed is not None:
            rows += self._rows(self.confirmed.field, "_confirmed")
        return rows

    def _rows(self, against: OpponentEntry, end: str = "") -> Iterator[Row]:
        opponent = against.name or ALL
        for name, rate in zip(self.versions, against.win_rates, strict=True):
            n = rate.games
            yield from tidy(f"win_rate{end}", rate, n, name, opponent, baseline=None)
        for d in against.differences:
            n = against.win_rates[self.versions.index(d.new)].games
            yield from tidy(f"difference{end}", d, n, d.new, opponent, baseline=d.old)

    def _verdict(self, difference: VersionDifference, players: str) -> str:
        """What is known of two versions, in words."""
        old, new = map(quote, difference.pair)
        if {difference.pair, difference.pair[::-1]} & self.twins:
            return f"{new} and {old} are the same deck"
        places = [self.versions.index(name) for name in difference.pair[::-1]]
        rates = [self.field.win_rates[i].value for i in places]
        if difference.verdict.is_sure:
            size = f"{size_of(difference)}{players}"
            return (
                f"{new} is {difference.verdict} than {old} by {size}; if each plays "
                f"{SERIES} games, the better one wins more of them "
                f"{_times_ahead(*rates)} times in 100"
            )
        if difference.verdict is Verdict.EQUAL:
            small, gap = IN_PERCENT.number(self.margin), difference_text(difference)
            return f"{new} and {old} are equal within {small} points: {gap}{players}"
        gap = self._not_clear(difference, players)
        return f"It is not clear whether {new} is better than {old}: {gap}"

    def _not_clear(self, difference: VersionDifference, players: str) -> str:
        more = more_games(difference, self.games, self.margin)
        return f"{difference_text(difference)}{players}{more}"


def difference_in(against: OpponentEntry, old: str, new: str) -> VersionDifference:
    """By how much the version `new` is better than `old` there."""
    for difference in against.differences:
        if difference.pair in ((old, new), (new, old)):
            return difference if difference.new == new else difference.opposite()
    raise ValueError(f"{old} and {new} are no two versions")


def _times_ahead(new: float, old: float) -> str:
    """In how many of 100 series of games the better of two wins more of them, in words.

    Each plays games of its own, which are as many as `SERIES`.
    """
    deviation = sqrt(SERIES * (new * (1 - new) + old * (1 - old)))
    lead = SERIES * abs(new - old) - 0.5
    chance = NormalDist().cdf(lead / deviation) if deviation else float(lead > 0)
    return "more than 99" if chance > 0.99 else f"{100 * chance:.0f}"


# Tables of versions of a deck that played the same games


def comparison_report(result: ComparisonResult) -> Report:
    """Return the tables of `result`, its answer first."""
    shown_games = f"{count(result.games)} of each version with each opponent"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [
        ("ended", _end(result)),
        *shares_fact(result.shares),
        ("pairing", _pairing(result)),
    ]
    if len(result.versions) == 2:
        old, new = result.versions
        tables = [differences_table(f"Old: {old}; new: {new}", result, 0, 1)]
    else:
        tables = _several(result)
    tables += cards_tables(result)
    again = again_facts(result.confirmed)
    return study_report(result, games, tables, facts, last=again)


def cards_tables(result: ComparisonResult) -> list[ReportTable]:
    """What differs: leaders, then cards; of several versions the copies in each."""
    if result.provenance is None:
        return []
    decks = result.provenance.decks[: len(result.versions)]
    copies = [dict(deck.copies) for deck in decks]
    names = dict.fromkeys(name for held in copies for name in held)
    held = {name: [own.get(name, 0) for own in copies] for name in names}
    differing = {name: counts for name, counts in held.items() if len(set(counts)) > 1}
    leaders = [deck.leader for deck in decks]
    note = None
    if len(set(leaders)) > 1:
        pairs = zip(result.versions, leaders, strict=True)
        note = f"leaders: {', '.join(f'{who} of {name}' for name, who in pairs)}"
    if not differing and note is None:
        return []
    if len(decks) > 2:
        columns = (Column("card"), *numbers(COUNT, *result.versions))
        counted: tuple[tuple[Cell, ...], ...] = tuple(
            (name, *counts) for name, counts in differing.items()
        )
        title = "Copies of the cards in which the versions differ"
        return [ReportTable(title, columns, counted, matrix=True, note=note)]
    gained = {name: new - old for name, (old, new) in differing.items()}
    leader_rows = [
        (f"Leader: {who}", by) for who, by in zip(leaders, (-1, 1), strict=True)
    ]
    rows = [
        *(leader_rows if note else ()),
        *sorted(gained.items(), key=lambda change: change[1] > 0),
    ]
    title = f"Out of {result.versions[0]} and into {result.versions[1]}"
    return [ReportTable(title, (Column("card"), Column("copies", CHANGE)), tuple(rows))]


def differences_table(
    title: str, result: ComparisonResult, old: int, new: int
) -> ReportTable:
    """Two versions over the field, and by opponent if there are several."""
    names = result.versions[old], result.versions[new]
    whole, *parts = (
        (against, difference_in(against, *names))
        for against in (result.field, *result.opponents)
    )
    parts.sort(key=lambda part: -part[1].value)
    columns = (Column(""), *numbers(IN_PERCENT, "old", "new"), GAIN, Column("verdict"))
    rows = [
        (
            against.name or "all opponents",
            *(against.win_rates[old].value, against.win_rates[new].value),
            *(difference, difference.verdict.value),
        )
        for against, difference in (whole, *(parts if len(parts) > 1 else ()))
    ]
    if (again := result.confirmed) is not None:
        rates, gap = again.field.win_rates, difference_in(again.field, *names)
        label = f"all, {policy_label(again.players[0])}"
        rows[1:1] = [
            (label, rates[old].value, rates[new].value, gap, gap.verdict.value)
        ]
    note = (
        "old and new: win rates in %; points: what the new version has more; the "
        "interval over all opponents holds by itself, those against one each hold "
        "jointly; the verdict is that of its line"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def _several(result: ComparisonResult) -> list[ReportTable]:
    """A ranking of the versions, and how each did against each opponent."""
    best = result.ranking[0]
    rows: list[tuple[Cell, ...]] = []
    for place in result.ranking:
        name, rate = result.versions[place], result.field.win_rates[place].value
        if place == best:
            rows.append((name, rate, "", "best"))
        else:
            difference = result.difference(best, place)
            rows.append((name, rate, difference, difference.verdict.value))
    columns = (Column("deck"), Column("win rate", PERCENT), GAIN, Column("verdict"))
    pairs = len(result.field.differences)
    note = (
        "points: the difference to the best one; all differences between two decks, "
        f"{pairs} in number, hold jointly with 95 % confidence (Bonferroni)"
    )
    title = f"Decks by their mean win rate over {len(result.opponents)} opponents"
    ranking = ReportTable(title, columns, tuple(rows), ranked=True, note=note)
    return [ranking, matrix_table(result)]


def matrix_table(result: ComparisonResult) -> ReportTable:
    """The win rate of each version, the best first, against each opponent."""
    places = (str(number) for number in range(1, len(result.versions) + 1))
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (opponent.name, *(opponent.win_rates[i] for i in result.ranking))
        for opponent in result.opponents
    )
    title = "Win rate in % of each deck, by its rank, against each opponent"
    columns = (Column("against"), *numbers(IN_PERCENT, *places))
    return ReportTable(title, columns, rows, matrix=True)


def _end(result: ComparisonResult) -> str:
    if not result.looks:
        return "after the games that were asked for"
    if not result.is_clear:
        return f"interrupted after look {result.looks}"
    return f"at look {result.looks}, when this was clear; intervals allow for the looks"


def _pairing(result: ComparisonResult) -> str:
    """What it was worth that all versions played the same games."""
    saved = [
        difference.saved for difference in result.field.differences if difference.saved
    ]
    if not saved:
        return "all versions did alike in all games"
    times = min(saved)
    if times < 1:
        return f"cost games: {times:.2f} times as many without would have done"
    return f"did the work of {times:.1f} times as many games with other shuffles"


# The page of versions of a deck that played the same games


LIMITS = (
    "The difference is that against this field and no other. Against some decks of it "
    "the other version may be better.",
)


def comparison_sections(result: ComparisonResult) -> Iterator[Section]:
    """What differs, the difference over the field, and against each opponent."""
    if tables := cards_tables(result):
        yield Section("cards", "What differs", tuple(map(Figures, tables)))
    # Old and new; of several versions each of the others, and the best one.
    best, *others = result.ranking if len(result.versions) > 2 else (1, 0)
    if len(others) > 1:
        yield Section("ranking", "Ranking", (_ranking(result),))
    blocks: list[Block] = []
    for old in others:
        names = result.versions[old], result.versions[best]
        title = f"By how many points {names[1]} wins more than {names[0]}"
        table = differences_table(title, result, old, best)
        is_last = old == others[-1]
        blocks.append(forest_of(table if is_last else replace(table, note=None)))
    yield Section("differences", "By opponent", tuple(blocks))
    if len(others) > 1:
        yield Section("matrix", "Who does well against whom", (_matrix(result),))


def _ranking(result: ComparisonResult) -> Forest:
    columns = (Column("deck"), Column("win rate", PERCENT, "95 %"))
    rates = result.field.win_rates
    rows = tuple((result.versions[i], rates[i]) for i in result.ranking)
    title = f"Mean win rate over {len(result.opponents)} opponents"
    note = (
        "decks play the same games, so that their differences are known far better "
        "than their rates: see below"
    )
    return forest_of(ReportTable(title, columns, rows, note=note))


def _matrix(result: ComparisonResult) -> Heatmap:
    title = "Win rate in % of the deck in the column against the opponent"
    names = tuple(result.versions[i] for i in result.ranking)
    note = "blue: the deck wins more; orange: the opponent does"
    return heatmap_of(replace(matrix_table(result), title=title), note, names)


def comparison_page(result: ComparisonResult, tool: Program) -> Page:
    """Return the page of a comparison that `tool` played."""
    old, *new = result.versions
    title = f"Is {new[0]} better than {old}?"
    if len(new) > 1:
        title = f"Which of {len(result.versions)} decks is best?"
    report, sections = comparison_report(result), comparison_sections(result)
    return page_with(title, result, report, tool, sections, limits=LIMITS)


COMPARISON = Presentation[ComparisonResult](comparison_report, comparison_page)


# Versions of a deck against a field of others, until it is clear which is better


MOST_SETS = MOST_GAMES // ROTATION


class _Look(NamedTuple):
    """The games at a look: its number, and the sets with each opponent."""

    number: int
    sets: int
    tallies: tuple[Ints, ...]


@dataclass(frozen=True)
class Comparison(DuelStudy[CompareSpec, ComparisonResult]):
    """A comparison to be played; `run` does it."""

    KIND = "compare"
    QUESTION = CompareSpec

    versions: tuple[Entrant, ...]
    field: tuple[Entrant, ...]

    def extended(self, games: int) -> Comparison:
        """The same comparison with another number of games, where it has one."""
        if self.question.games is None:
            raise UsageError(
                "A comparison that ends when it is clear has no number of games",
                f"Begin another one with a smaller {option('margin')}, or with "
                f"{option('games')}",
            )
        return replace(self, question=replace(self.question, games=games))

    def check_shards(self, shards: int) -> None:
        """Refuse shards where the end depends on all games, and empty ones."""
        games = self.question.games
        if games is None:
            raise UsageError(
                "A comparison looks at all games to see whether it is clear, a shard "
                "has some",
                "Compare in one folder, or a fixed number of games in shards",
            )
        sets = ceil(games / ROTATION)
        check_every_shard_plays(games, sets, ROTATION, shards)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the versions."""
        return tuple(version.name for version in self.versions)

    @cached_property
    def tables(self) -> list[Versions]:
        """A table for each opponent; raises EngineError for what cannot be played."""
        pairs = every_pair(len(self.versions))
        seats = [seat(version.deck, version.policy) for version in self.versions]
        return [
            seat_versions(
                self.format,
                self.database,
                seat(opponent.deck, opponent.policy),
                seats,
                pairs,
            )
            for opponent in self.field
        ]

    def jobs(self, sets: int) -> list[Job]:
        """The games with each opponent, as one job each."""
        first = self.versions[0]
        return [
            Job(
                number,
                f"{first.name} against {opponent.name}",
                self.tables[number],
                (opponent.policy, first.policy),
                sets,
                ROTATION * len(self.versions),
            )
            for number, opponent in enumerate(self.field)
        ]

    def run(
        self, *, records: Records | None = None, **options: Unpack[RunOptions]
    ) -> ComparisonResult:
        """Play all games, then those of the second player; see `Study.run`."""
        result = super().run(records=records, **options)
        question, policy = self.question, confirmed_in(self.format, self.question)
        is_usual = question.confirm == CONFIRM and question.confirm_games is None
        if policy is None or (is_usual and result.games_played < FEWEST):
            return result
        again = self._again(policy, result)
        options["while_compiling"] = None  # it can be entered once
        record = records(CONFIRMING) if records else None
        with GameSession(self.question.seed, record=record, **options) as games:
            games.until = f"the end of the games by {policy}"
            try:
                return replace(result, confirmed=again.answer(games))
            except KeyboardInterrupt:
                raise Interrupted(replace(result, complete=False)) from None

    def _again(self, policy: str, result: ComparisonResult) -> Comparison:
        """The first of the games of a result, all decks played by `policy`."""
        part = part_confirmed(self.format, result.players, policy, result.games_played)
        games = self.question.confirm_games
        games = games or ROTATION * sets_confirmed(result.games // ROTATION, part)
        question = replace(
            self.question,
            games=games,
            policies=(policy,),
            confirm=None,
            confirm_games=None,
        )
        return replace(self.played_by(policy), question=question)

    def answer(self, games: GameSession) -> ComparisonResult:
        """Play until the answer is clear, or the games that were asked for."""
        engines = tuple(dict.fromkeys(table.engine for table in self.tables))
        checkpoint: _Look | None = None
        try:
            for look, sets in self._schedule():
                games.until = f"look {look}" if look else ""
                games.play(self.jobs(sets), engines)
                tallies = tuple(games.tallies[i] for i in range(len(self.field)))
                checkpoint = _Look(look, sets, tallies)
                if look and self._is_clear(checkpoint):
                    break
        except StoppedEarly:
            if checkpoint is None:
                raise Interrupted(None) from None
            result = self._result(games, checkpoint)
            raise Interrupted(replace(result, complete=False)) from None
        assert checkpoint is not None
        return self._result(games, checkpoint)

    def _is_clear(self, look: _Look) -> bool:
        """As `ComparisonResult.is_clear`, without all else that a result says."""
        margin = self.question.margin / 100
        gaps = differences(
            *(self.names, self.tables, look.tallies),
            margin=margin,
            anytime=True,
            shares=self.question.weights,
        )
        return all(gap.is_known(margin) for gap in gaps if gap.pair not in self.twins)

    @cached_property
    def twins(self) -> frozenset[tuple[str, str]]:
        """The versions, two each, that are the same deck and played alike."""
        pairs = combinations(self.versions, 2)
        alike = ((a.name, b.name) for a, b in pairs if _identity(a) == _identity(b))
        return frozenset(alike)

    def _schedule(self) -> Iterator[tuple[int, int]]:
        """The looks by number, and after how many sets; one, numbered 0, if fixed."""
        games = self.question.games
        if games is not None:
            return iter([(0, -(-games // ROTATION))])
        return zip(counting(1), looks(len(self.field), MOST_SETS), strict=False)

    def _result(self, games: GameSession, checkpoint: _Look) -> ComparisonResult:
        look, sets, tallies = checkpoint
        games_of_each = ROTATION * sets
        margin, weights = self.question.margin / 100, self.question.weights
        figures = partial(against, margin=margin, anytime=look > 0, twins=self.twins)
        each = zip(self.field, self.tables, tallies, strict=True)
        return ComparisonResult(
            **self.head(games, (*self.versions, *self.field)),
            games=games_of_each,
            games_played=games_of_each * len(self.versions) * len(self.field),
            checksum=checksum_of(tallies),
            versions=self.names,
            field=figures(OVER_FIELD, self.names, self.tables, tallies, shares=weights),
            opponents=tuple(
                figures(o.name, self.names, [table], [tally], rows=len(self.field))
                for o, table, tally in each
            ),
            margin=margin,
            looks=look,
            twins=self.twins,
            shares=shares_in(self.field, weights),
        )


def _identity(entrant: Entrant) -> tuple[object, ...]:
    """What decides how a deck plays: its name does not."""
    deck = entrant.deck
    held = dict(deck.counts()), dict(deck.reserve_counts())
    return (deck.faction, deck.leader, *held, entrant.policy)


def comparison_of(
    fmt: Format,
    database: CardDatabase,
    versions: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: CompareSpec,
) -> Comparison:
    """The comparison of the decks of `versions` as `fmt` is played.

    Raises UsageError for too few decks, and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    question = question.played_in(fmt)
    if len(versions) < 2:
        raise UsageError(
            f"Found {plural(len(versions), 'version')}, needs at least 2",
            "Name the old deck and the new one; the field goes with "
            f"{option('against')}",
        )
    field = field_of(opponents, question.policies)
    field, weights = met_by_weight(field, question.weights)
    question = replace(question, weights=weights)
    own = tuple(enter(versions, [question.policies[0]]))
    if confirmed_in(fmt, question) is None:
        question = replace(question, confirm=None)
    return Comparison(fmt, database, question, own, field)
