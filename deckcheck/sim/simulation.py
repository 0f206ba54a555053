"""A simulation: from decks to games to its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil, comb
from typing import Any, Unpack

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of
from deckcheck.messages import check_range, choice, option, quote
from deckcheck.playing.kernel import Head, Ints
from deckcheck.playing.versions import Counted
from deckcheck.policies.workspace import replaced_by_heuristic
from deckcheck.sim import (
    CROSS_CHECK,
    MAX_GAMES,
    MAX_JOBS,
    MAX_SEED,
    NOBODY,
    SIMULATE_GAMES,
)
from deckcheck.sim.blocks import MAIN_PART, MEASURING_PART, Records
from deckcheck.sim.cross_checking import (
    CROSS_CHECK_STEP,
    MIN_CROSS_CHECKED_GAMES,
    compute_second_share,
    count_second_sets,
    find_bot_name,
    find_cross_check,
    only_rules_know,
    usual_total,
)
from deckcheck.sim.entrants import Entrant, enter, number_files
from deckcheck.sim.errors import IllegalDeckError
from deckcheck.sim.games_table import GamesTable
from deckcheck.sim.gathering import (
    count_first_file,
    find_common_format,
    select_opponents,
)
from deckcheck.sim.jobs import Job
from deckcheck.sim.playing_blocks import Tallies
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.scheduler import (
    NoGamesRecorded,
    Progress,
    RecordedGames,
    RunTallies,
    Speeds,
    StoppedEarly,
    Watch,
    compile_and_play,
    find_slowest,
    play_jobs,
)
from deckcheck.sim.seating import (
    Request,
    SeatedTable,
    Setting,
    check_decks,
    seat_tables,
)
from deckcheck.sim.selection import Plans
from deckcheck.sim.standings import Matchup
from deckcheck.sim.stopping import Stopping, make_rule
from deckcheck.sim.study import (
    DECKS,
    SIMULATE,
    Interrupted,
    RunOptions,
    Study,
    StudySpec,
    WorkerOptions,
    check_every_shard_plays,
)
from deckcheck.sim.table_results import TableResult, combine_checksums
from deckcheck.sim.tournament import USUAL_MATCH_GAMES, Tournament
from deckcheck.validation import DeckReport, Validator

MATCH_PLAY = "match"


@dataclass(frozen=True)
class Simulation(Study[Request, SimulationResult]):
    """A simulation to be played by `run`.

    The request's `games` is the number for each table, rounded up to whole sets: the
    same shuffles once with each seat beginning.
    """

    KIND = SIMULATE
    QUESTION = Request
    TABLES_ARE_PLANNED = True

    setting: Setting
    entrants: tuple[Entrant, ...]

    def __post_init__(self) -> None:
        check_range("games", self.setting.request.games, 1, MAX_GAMES)
        check_range("seed", self.setting.request.seed, 0, MAX_SEED)
        challengers = self.setting.request.challengers or 0
        check_range("challengers", challengers, 0, len(self.entrants))

    @property
    def spec(self) -> StudySpec[Request]:
        """The settings that decide the games."""
        setting = self.setting
        decks = {DECKS: self.entrants}
        return StudySpec(setting.format, setting.database, setting.request, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[Request]) -> Simulation:
        """Return the simulation that a specification asks for."""
        setting = Setting(spec.format, spec.database, spec.question)
        return cls(setting, spec.role(DECKS))

    @classmethod
    def deciding(cls, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the request that decide games."""
        fields = dict(question)
        for length in ("games", "cross_check_games", "stopping"):
            fields.pop(length, None)
        return fields

    def check_shards(self, shards: int) -> None:
        """Refuse shards if a rule may stop the run, and empty shards."""
        stopping = self.setting.request.stopping
        if stopping.has_checkpoints:
            raise UsageError(
                f"`{str(stopping).partition(' ')[0]}` needs all games, but a shard "
                "has only a share of them",
                "Play the run in one folder, or a fixed number of games in shards",
            )
        if not self.tournament:
            most = max(self.tables, key=self.sets_adding)
            sets, rotation = self.sets_adding(most), most.table.rotation
            games = self.setting.request.games
            check_every_shard_plays(games, sets, rotation, shards)

    @cached_property
    def tables(self) -> list[SeatedTable]:
        """The tables. Raises UsageError and EngineError as `seat_tables` does."""
        return seat_tables(self.setting, self.entrants)

    @cached_property
    def tournament(self) -> Tournament | None:
        """The tournament, if the format is played in matches."""
        if self.setting.format.seating.play != MATCH_PLAY:
            return None
        return Tournament(self.setting, self.entrants)

    def check_decks(self) -> None:
        """Raise EngineError for a deck that the engine cannot play."""
        check_decks(self.tournament.places if self.tournament else self.tables)

    @property
    def engines(self) -> tuple[str, ...]:
        """The parts of the engine that have to be compiled, as words for their marks.

        Tables that differ in their extra players have a part of their own.
        """
        if self.tournament:
            return tuple(dict.fromkeys(t.engine for t in self.tournament.tables))
        # The same players at as many seats play with the same parts.
        tables = {seated.policies: seated.table for seated in self.tables}
        return tuple(dict.fromkeys(table.engine for table in tables.values()))

    @property
    def stand_ins(self) -> tuple[str, ...]:
        """The players asked for in whose place the heuristic plays."""
        table = self.tournament.tables[0] if self.tournament else self.tables[0].table
        policies = self.setting.request.policies
        return replaced_by_heuristic(policies, table.game, table.variant)

    @property
    def _only_heuristic_knows(self) -> bool:
        fmt, request = self.setting.format, self.setting.request
        if self.tournament or request.cross_check != CROSS_CHECK:
            return False
        variant = self.tables[0].table.variant
        return only_rules_know(self.tables[0].policies, fmt, variant)

    @property
    def rotation(self) -> int:
        """The games of a set, at the first table."""
        if self.tournament:
            return 2
        return self.tables[0].table.rotation

    @property
    def unit(self) -> str:
        """The unit that games are played in."""
        if self.is_of_two:
            return "game pairs"
        return f"deal groups of {self.rotation}"

    @property
    def is_of_two(self) -> bool:
        """Whether each pair of decks, or lineups, meet alone."""
        return self.setting.format.seating.play in ("duel", MATCH_PLAY)

    @property
    def challengers(self) -> tuple[str, ...]:
        """The names of the decks that meet all others, and not each other."""
        number = self.setting.request.challengers or 0
        return tuple(entrant.name for entrant in self.entrants[:number])

    @property
    def games_each(self) -> int:
        """The games of each table, or the matches of each two lineups."""
        return self.rotation * ceil(self.setting.request.games / self.rotation)

    def sets_adding(self, table: SeatedTable) -> int:
        """Return how many sets are played at a table."""
        return ceil(self.setting.request.games / table.table.rotation)

    def jobs(self) -> list[Job]:
        """Return the tables as jobs."""
        jobs = []
        for table in self.tables:
            job = Job(
                table.number,
                " against ".join(table.entrants),
                Counted(table.table),
                table.policies,
                self.sets_adding(table),
                table.table.games_of_set,
                len(table.entrants),
                names=table.entrants,
            )
            jobs.append(job)
        return jobs

    def run(
        self,
        *,
        records: Records | None = None,
        games_table: GamesTable | None = None,
        **options: Unpack[RunOptions],
    ) -> SimulationResult:
        """Play all games and return the result, see `Study.run`.

        `games_table` gets a row for each game, and is written at the end.
        """
        check_range("jobs", options.get("jobs", 1), 1, MAX_JOBS)
        stopping = self.setting.request.stopping
        play = _Play(self.engines, options, records, stopping, games_table)
        return self._run(play)

    def recall(self, records: Records) -> SimulationResult | None:
        """Return the result of the games in `records` without playing, or None."""
        try:
            return self._run(RecordedGames(records, self.setting.request.stopping))
        except NoGamesRecorded:
            return None

    def _run(self, play: _Play | RecordedGames) -> SimulationResult:
        if self.tournament:
            return self._run_matches(self.tournament, play)
        seed = self.setting.request.seed
        cross_check = _find_cross_check(self)
        second = None if cross_check is None else self.played_by(cross_check)
        play.after = self._count_again(second)
        with _attach_result_to_interrupt(self._summarize_tables):
            played = play.games(self.jobs(), seed)
        result = self._summarize_tables(played)
        if second is None:
            return result
        play.after = {}
        try:
            jobs = self._list_second_jobs(second, played)
            cross_checked = play.again(second, jobs, seed)
        except KeyboardInterrupt:
            raise Interrupted(replace(result, complete=False)) from None
        # A shard plays its part of these games as well, for the run that is merged.
        if cross_checked is None or not cross_checked.complete:
            return result
        opinion = second._summarize_tables(cross_checked)
        # Some tables may have fewer games.
        most = max(table.games for table in opinion.tables)
        return replace(result, cross_checked=replace(opinion, games=most))

    def played_by(self, policy: str) -> Simulation:
        """Return the simulation with all decks played by `policy`."""
        request = replace(self.setting.request, cross_check=None, stopping=Stopping())
        request = replace(request, policies=(policy,))
        entrants = (replace(entrant, policy=policy) for entrant in self.entrants)
        return Simulation(replace(self.setting, request=request), tuple(entrants))

    def _count_again(self, again: Simulation | None) -> dict[str, float]:
        """Return the games of the second bot, unless a rule decides their number."""
        if again is None or self.setting.request.stopping.has_checkpoints:
            return {}
        jobs = self._list_second_jobs(again, RunTallies(Tallies(), None, None))
        [policy] = again.setting.request.policies
        return {policy: sum(job.games * job.sets for job in jobs)}

    def _list_second_jobs(self, again: Simulation, played: RunTallies) -> list[Job]:
        """Return the first sets of each table, as many as the second bot plays."""
        request = self.setting.request
        [cross_check] = again.setting.request.policies
        # A shard has played a share of the games, and replays the same share of them.
        played_sets = {job.number: job.sets for job in self.jobs()}
        if request.stopping.has_checkpoints:
            played_sets = {}
            for number, tally in played.tallies.items():
                played_sets[number] = int(tally[0, Head.SETS])
        jobs = [job for job in again.jobs() if job.number in played_sets]
        games = sum(job.games * played_sets[job.number] for job in jobs)
        players = [entrant.policy for entrant in self.entrants] or request.policies
        share = compute_second_share(self.setting.format, players, cross_check, games)
        if request.cross_check_games is not None:
            share = min(1.0, request.cross_check_games / max(1, request.games))
        second_jobs = []
        for job in jobs:
            sets = count_second_sets(played_sets[job.number], share)
            second_jobs.append(replace(job, sets=sets))
        return second_jobs

    def _summarize_tables(self, played: RunTallies) -> SimulationResult:
        has_checkpoints = self.setting.request.stopping.has_checkpoints
        tables = []
        policies: dict[str, None] = {}
        for seated in self.tables:
            policies |= dict.fromkeys(seated.policies)
            if seated.number in played.tallies:
                tally = played.tallies.find_packed(seated.number)
                tables.append(TableResult(seated.entrants, tally, has_checkpoints))
        return SimulationResult(
            **self._make_head(played),
            players=tuple(policies),
            games_played=sum(table.games for table in tables),
            tables=tuple(tables),
        )

    def _run_matches(
        self, tournament: Tournament, play: _Play | RecordedGames
    ) -> SimulationResult:
        """Measure the duels by which decks are chosen, then play all matches."""
        tallies: Mapping[int, Ints] = {}
        part = MAIN_PART
        measuring = tournament.measuring_jobs()
        if measuring:
            matches = 2 * tournament.pairs * len(tournament.duels)
            bot = find_slowest(measuring[0].policies)
            play.after = {bot: USUAL_MATCH_GAMES * matches}
            with _attach_result_to_interrupt(lambda _: None):
                seed = tournament.measuring_seed
                tallies = play(measuring, seed, MEASURING_PART).tallies
            play.after = {}
            # Other measurements lead to other choices, and so to other matches.
            part = f"{MAIN_PART} after {measuring[0].sets}"
        measured = tournament.make_matchups(tallies)
        plans = tournament.plans(measured)

        def result(played: RunTallies) -> SimulationResult:
            return self._summarize_matches(tournament, measured, plans, played)

        with _attach_result_to_interrupt(result):
            seed = self.setting.request.seed
            return result(play.games(tournament.jobs(plans), seed, part))

    def _summarize_matches(
        self,
        tournament: Tournament,
        measured: tuple[Matchup, ...],
        plans: Mapping[int, Plans],
        played: RunTallies,
    ) -> SimulationResult:
        looked = self.setting.request.stopping.has_checkpoints
        matches = tournament.make_results(played.tallies, plans, anytime=looked)
        chances_file = self.setting.request.matchups
        return SimulationResult(
            **self._make_head(played),
            players=tuple(dict.fromkeys(e.policy for e in self.entrants)),
            games_played=sum(x.games for x in measured) + sum(x.games for x in matches),
            tables=tuple(match.table for match in matches),
            matches=matches,
            lineups=tournament.simulated_lineups(),
            measured=measured,
            chances_from=None if chances_file is None else chances_file.file,
        )

    def _make_head(self, played: RunTallies) -> dict[str, Any]:
        fmt = self.setting.format
        return {
            "format": fmt.id,
            "snapshot": fmt.snapshot,
            "month": fmt.month,
            "play": fmt.seating.play,
            "stand_ins": self.stand_ins,
            "decks": tuple(entrant.simulated for entrant in self.entrants),
            "games": self.games_each,
            "seed": self.setting.request.seed,
            "checksum": combine_checksums(played.tallies.values()),
            "challengers": self.challengers,
            "fingerprint": fmt.fingerprint,
            "changes": fmt.own_changes,
            "seconds": played.seconds,
            "jobs": played.jobs,
            "complete": played.complete,
            "stopped": played.stopped,
            "provenance": self.spec.provenance,
            "only_heuristic_knows": self._only_heuristic_knows,
        }


@contextmanager
def _attach_result_to_interrupt(
    result: Callable[[RunTallies], SimulationResult | None],
) -> Iterator[None]:
    """Let an interrupt carry the result of the games until then."""
    try:
        yield
    except StoppedEarly as stop:
        partial = result(stop.played) if stop.played.tallies else None
        raise Interrupted(partial) from None


class _Play:
    """Plays the parts of a simulation in order, and adds up their times."""

    def __init__(
        self,
        engines: tuple[str, ...],
        options: RunOptions,
        records: Records | None,
        stopping: Stopping,
        table: GamesTable | None,
    ) -> None:
        self._stopping = stopping
        self._table = table
        self._engines = engines
        self._options = WorkerOptions(
            jobs=options.get("jobs", 1),
            executor=options.get("executor"),
            block_sets=options.get("block_sets"),
            watch=options.get("watch"),
        )
        self._while_compiling = options.get("while_compiling")
        self._announces = options.get("announces", True)
        self._records = records
        self._seconds = 0.0
        self._speeds = Speeds()
        self.after: Mapping[str, float] = {}
        """The games of each bot that are played after the part under way."""

    def games(
        self, work: Sequence[Job], seed: int, part: str = MAIN_PART
    ) -> RunTallies:
        """Play the games that all leads up to: until a rule stops them, row by row."""
        stopping = self._stopping
        rule = make_rule(stopping, work) if stopping.has_checkpoints else None
        rows = self._table.keep if self._table else None
        try:
            played = self(work, seed, part, rule=rule, rows=rows)
        except StoppedEarly:
            if self._table and not self._records:
                self._table.write(work, seed)
            raise
        if self._table:
            self._fill(self._table, work, played, seed)
        if rule is None:
            return played
        numbers = [job.number for job in work if job.number in played.tallies]
        return replace(played, stopped=rule.make_outcome(numbers))

    def _fill(
        self, table: GamesTable, work: Sequence[Job], played: RunTallies, seed: int
    ) -> None:
        """Play recorded games again for their rows, and write the table."""
        done = []
        for job in work:
            if job.number in played.tallies:
                sets = int(played.tallies[job.number][0, Head.SETS])
                done.append(replace(job, sets=sets))
        rest = [job for job in done if table.missing(job)]
        if rest:
            play_jobs(rest, seed, record=table, rows=table.keep, **self._options)
        table.write(done, seed)

    def again(self, again: Simulation, work: Sequence[Job], seed: int) -> RunTallies:
        """Play the games of the second bot, a share of the same games."""
        self._engines = again.engines
        watch = self._options.get("watch")
        if watch is not None:
            note = f"again by {again.setting.request.policies[0]}"
            self._options["watch"] = lambda p: watch(replace(p, note=note))
        return self(work, seed, CROSS_CHECK_STEP)

    def __call__(
        self, work: Sequence[Job], seed: int, part: str = MAIN_PART, **more: Any
    ) -> RunTallies:
        """Play a part. The seconds count all parts so far."""
        watch = self._wrap_watch(self._options["watch"], part)
        options = self._options | {"watch": watch}
        played = compile_and_play(
            self._engines,
            work,
            seed,
            while_compiling=self._while_compiling,
            announces=self._announces,
            record=self._records(part) if self._records else None,
            **options,
            **more,
        )
        self._while_compiling = None
        self._seconds += played.seconds or 0.0
        if self._records:
            return replace(played, seconds=None, jobs=None)
        return replace(played, seconds=self._seconds)

    def _wrap_watch(self, watch: Watch | None, part: str) -> Watch | None:
        """Return `watch`, told of the time that later parts take as well."""
        if watch is None:
            return None

        def tell(progress: Progress) -> None:
            self._speeds.note(progress, part)
            watch(progress.delayed(self._speeds.expect(self.after)))

        return tell


# Builds a Simulation: of decks that were judged, and a request.


def simulation_from_reports(
    fmt: Format,
    database: CardDatabase,
    reports: Sequence[DeckReport],
    request: Request,
) -> Simulation:
    """Return the simulation of the decks of `reports` as `fmt` is played.

    Raises UsageError for settings that do not fit the format, and EngineError for a
    deck that the engine cannot play.
    """
    _check_request(fmt, reports, request)
    players = tuple(find_bot_name(name, fmt) for name in request.policies)
    request = replace(request, policies=players)
    if request.every_policy:
        entrants, request = _pair_with_every_policy(reports, request)
    else:
        entrants = enter(reports, _assign_deck_policies(fmt, reports, request))
    counted = replace(request, games=request.games or SIMULATE_GAMES)
    simulation = Simulation(Setting(fmt, database, counted), tuple(entrants))
    if not request.games:
        simulation = simulation.with_games(usual_games_each(simulation))
    simulation.check_decks()
    _find_cross_check(simulation)
    return simulation


def usual_games_each(simulation: Simulation, runs: int = 1) -> int:
    """Return how many games each table plays by default, the fewer the more there are.

    They make whole sets, at least one set. All `runs` together share the games.
    """
    tournament, request = simulation.tournament, simulation.setting.request
    if tournament:
        tables = runs * comb(len(tournament.lineups), 2)
    else:
        tables = runs * len(simulation.tables)
    if tables == 1:
        return SIMULATE_GAMES
    total = usual_total(request.policies, simulation.setting.format)
    sets = max(1, total // tables // simulation.rotation)
    return min(SIMULATE_GAMES, sets * simulation.rotation)


def _find_cross_check(simulation: Simulation) -> str | None:
    """Return who plays a part of the games again, by default of many games only.

    Raises UsageError for games that nobody is to play.
    """
    fmt, request = simulation.setting.format, simulation.setting.request
    if simulation.tournament or request.random_decks:
        return None
    players = [entrant.policy for entrant in simulation.entrants] or request.policies
    seats = len(simulation.tables[0].policies)
    cross_check = find_cross_check(
        request.cross_check, request.cross_check_games, fmt, players, seats
    )
    is_usual = request.cross_check == CROSS_CHECK and request.cross_check_games is None
    if cross_check is None or not is_usual:
        return cross_check
    games = simulation.rotation * sum(map(simulation.sets_adding, simulation.tables))
    part = compute_second_share(fmt, players, cross_check, games)
    is_below_a_set = part * simulation.games_each < simulation.rotation
    if games < MIN_CROSS_CHECKED_GAMES or is_below_a_set:
        return None
    return cross_check


def _check_request(
    fmt: Format, reports: Sequence[DeckReport], request: Request
) -> None:
    """Refuse options that do not apply to the format."""
    play = fmt.seating.play
    has_no_cross_check = play == MATCH_PLAY or request.random_decks
    names_second_bot = request.cross_check not in (None, CROSS_CHECK, NOBODY)
    is_versus = play in ("duel", "teams", MATCH_PLAY)
    refused = [
        ("mirror", request.mirror and play != "duel"),
        ("every-policy", request.every_policy and play != "duel"),
        ("select", bool(request.selections) and play != MATCH_PLAY),
        ("matchups", request.matchups is not None and play != MATCH_PLAY),
        ("cross-check", names_second_bot and has_no_cross_check),
        ("opponent", bool(request.opponents) and play != "solo"),
        ("against gauntlet", request.challengers is not None and not is_versus),
        ("random-decks", request.random_decks and play not in ("table", "shared")),
    ]
    for names, is_refused in refused:
        if is_refused:
            options = [option(name) for name in names.split()]
            apply = "does not apply" if len(options) == 1 else "do not apply"
            message = f"{' and '.join(options)} {apply} to {quote(fmt.id)}"
            raise UsageError(message, "Leave it out")
    if request.players is not None and not request.random_decks:
        raise UsageError(
            f"{option('players')} goes with {option('random-decks')} only",
            "Leave it out: there are as many players as decks",
        )
    if request.random_decks and reports:
        raise UsageError(
            f"Both decks and {option('random-decks')} were given",
            f"Leave out the decks, or {option('random-decks')}",
        )


def _assign_deck_policies(
    fmt: Format,
    reports: Sequence[DeckReport],
    request: Request,
) -> Sequence[str]:
    """Return the policies of the decks. All decks of a file may share a policy.

    So may the challengers, and their opponents. If a deck is shared, or random, each
    player has a policy.
    """
    play, policies = fmt.seating.play, request.policies
    if play == "shared" or not reports:
        return policies[:1]
    if request.challengers is not None and len(policies) == 2:
        challenger, opponent = policies
        opponents = len(reports) - request.challengers
        return [challenger] * request.challengers + [opponent] * opponents
    files = number_files([report.source for report in reports])
    is_each = len(files) != len(policies) == max(files) + 1
    if play in ("teams", MATCH_PLAY) and is_each:
        return [policies[file] for file in files]
    return policies


def _pair_with_every_policy(
    reports: Sequence[DeckReport], request: Request
) -> tuple[list[Entrant], Request]:
    """Return each deck once with each player, and the request that counts them.

    Raises UsageError for a single bot, and for a bot named twice.
    """
    policies = request.policies
    if len(policies) == 1 or len(set(policies)) < len(policies):
        raise UsageError(
            f"{option('every-policy')} needs different bots, got "
            f"{choice(policies, 'and')}",
            f"Name two or more with {option('policy')}",
        )
    pairs = [report for report in reports for _ in policies]
    if request.challengers is not None:
        number = request.challengers * len(policies)
        request = replace(request, challengers=number)
    return enter(pairs, policies * len(reports)), request


def build_simulation(
    named: Sequence[DeckReport],
    field: Sequence[DeckReport] | None,
    request: Request,
    judge: Validator,
    *,
    gauntlet: bool = False,
    allow_illegal: bool = False,
) -> Simulation:
    """Return the simulation of the named decks, or of random decks.

    With a `field` they meet its decks and not each other, in a `gauntlet` the decks of
    the first file meet the others. Raises IllegalDeckError and UsageError.
    """
    reports = list(named)
    if field is not None:
        reports = [*named, *select_opponents(named, field)]
        request = replace(request, challengers=len(named))
    elif gauntlet:
        request = replace(request, challengers=count_first_file(reports))
    if not reports and judge.format is None:
        raise UsageError(
            "Random decks need a format", f"Name one with {option('format')}"
        )
    fmt, database = playable_format(reports, judge, allow_illegal=allow_illegal)
    return simulation_from_reports(fmt, database, reports, request)


def playable_format(
    reports: Sequence[DeckReport], judge: Validator, *, allow_illegal: bool = False
) -> tuple[Format, CardDatabase]:
    """Return the common format of these decks, and its cards.

    Without any deck it is the format of `judge`. Raises IllegalDeckError for decks that
    must not play, which unreadable decks never may, and UsageError for several formats.
    """
    refused = [r for r in reports if r.deck is None or not (r.legal or allow_illegal)]
    if refused:
        raise IllegalDeckError.of(refused)
    fmt = judge.format
    if reports or fmt is None:
        fmt = find_common_format(reports)
    return fmt, database_of(fmt, judge.root)
