"""Which lineup to bring: chosen by games of the decks, measured in fresh matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import quote
from deckcheck.formats import Format, Seating
from deckcheck.playing.host.table import DUEL_STREAMS, seat, set_table
from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.matches.jobs import match_job
from deckcheck.sim.matches.play import MatchTable
from deckcheck.sim.matches.selection import MatchRules
from deckcheck.sim.matches.tally import games_of_decks, games_of_matches
from deckcheck.sim.results.totals import checksum_of, table_result
from deckcheck.sim.scheduling.scheduler import StoppedEarly
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import MATCH, Interrupted
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.stats import Combination
from deckcheck.studies.duel_study import DuelStudy
from deckcheck.studies.lineups.choice import (
    Met,
    best_against,
    best_mix,
    chances_of,
    plans_of,
    shares_drawn_again,
    values_of,
)
from deckcheck.studies.lineups.pool import Members, Pool, pool_of
from deckcheck.studies.lineups.result import (
    LineupsResult,
    result_of,
)
from deckcheck.studies.lineups.spec import LineupsQuestion
from deckcheck.studies.lineups.state import LineupsState, Opening
from deckcheck.studies.search.proof import confirming, usual_games
from deckcheck.studies.solve.payoff_matrix import counts_of, job_of, rate_of, table_of
from deckcheck.studies.solve.play import Solve, solve_of
from deckcheck.studies.solve.spec import SolveQuestion

FEWEST_GAMES = 20
"""The fewest games of two decks that tell anything of their chances."""

MATCH_GAMES = 3
"""The games of a match, as a rule at most."""

PAIR = 2


@dataclass(frozen=True)
class LineupChoice(DuelStudy[LineupsQuestion, LineupsResult]):
    """The decks of which a lineup is to be made, and the field; `run` chooses."""

    KIND = "lineups"
    QUESTION = LineupsQuestion

    format: Format
    database: CardDatabase
    question: LineupsQuestion
    start: tuple[Entrant, ...]
    against: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[LineupsQuestion]:
        """What decides what is played."""
        decks = {"start": self.start, "against": self.against}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[LineupsQuestion]) -> LineupChoice:
        """The question that asks this."""
        decks = spec.role("start"), spec.role("against")
        return cls(spec.format, spec.database, spec.question, *decks)

    @cached_property
    def pool(self) -> Pool:
        """The lineups; raises UsageError as `pool_of` does."""
        return pool_of(self.format, self.database, self.start, self.against)

    @cached_property
    def rules(self) -> MatchRules:
        """The rules between the games of a match, which the game has."""
        rules: MatchRules = load_game(self.format.game).match_rules(self.format)
        return rules

    @property
    def one_game(self) -> Format:
        """The format of a single game of a match."""
        return duels_of(self.format)

    @property
    def pair_games(self) -> int:
        """How many games each two decks play: half of all, in mirrored pairs."""
        meetings = max(1, len(self.pool.meetings))
        return self.question.games // 2 // meetings // PAIR * PAIR

    def check_games(self) -> None:
        """Raise UsageError for too few games to choose by."""
        if self.pair_games < FEWEST_GAMES:
            least = 2 * FEWEST_GAMES * len(self.pool.meetings)
            raise UsageError(
                f"{self.question.games:,} games are too few for this choice, "
                f"which needs at least {least:,}",
                f"Give more with {option('games')}, or name fewer decks",
            )

    def answer(self, games: GameSession) -> LineupsResult:
        """Measure the decks, choose, and measure what was chosen in fresh matches."""
        choosing = _Choosing(self, games)
        try:
            choosing.run()
        except StoppedEarly:
            partial = choosing.result() if choosing.state.named else None
            if partial is not None:
                partial = replace(partial, complete=False)
            raise Interrupted(partial) from None
        return choosing.result()


class _Choosing:
    """One run: what the decks did, what was chosen by it, and the fresh matches."""

    def __init__(self, study: LineupChoice, games: GameSession) -> None:
        self._study = study
        self._games = games
        self._next = 0
        self.state = LineupsState(study.pool)

    def run(self) -> None:
        """Play everything."""
        self._games.until = "the end of the first games"
        self._choose(self._measure())
        question, state = self._study.question, self.state
        left = question.games // 2 // MATCH_GAMES
        state.matches = self._matches(left // max(1, len(state.meetings)))
        self._games.until = "the end of the fresh matches"
        self._play(state.matches, question.policy, state.rates)
        if question.confirm is None:
            return
        again = question.confirm_games
        again = again or usual_games(question.confirm, question.games)
        self._games.until = f"the end of the matches played by {question.confirm}"
        matches = self._matches(again // MATCH_GAMES // len(state.opponents))
        self._play(matches, question.confirm, state.confirmed)

    def result(self) -> LineupsResult:
        """What is known."""
        study, state = self._study, self.state
        named = [*state.named, *state.opponents]
        places = dict.fromkeys(deck for members in named for deck in members)
        entrants = [study.pool.decks[i] for i in places]
        head = study.head(self._games, entrants, study.question.confirm)
        checksum = checksum_of(self._games.tallies.values())
        return result_of(study.spec, state, {**head, "checksum": checksum})

    @staticmethod
    def _matches(wanted: int) -> int:
        """As many matches in whole pairs, and two at least."""
        return max(PAIR, wanted // PAIR * PAIR)

    def _measure(self) -> dict[tuple[int, int], Met]:
        """Let all decks meet whose chances have to be known."""
        own, pool = self._study, self._study.pool
        work = [
            job_of(
                own.one_game,
                own.database,
                (pool.decks[a], pool.decks[b]),
                self._next + i,
                own.pair_games,
            )
            for i, (a, b) in enumerate(pool.meetings)
        ]
        self._next += len(work)
        self._games.play(work, tuple({table_of(job).engine: 1 for job in work}))
        met = {}
        for meeting, job in zip(pool.meetings, work, strict=True):
            tally = self._games.tallies[job.number]
            table = table_result(job.names, tally)
            met[meeting] = Met(counts_of(tally), table.draws / table.games)
            self.state.games_played += table.games
        return met

    def _choose(self, met: Mapping[tuple[int, int], Met]) -> None:
        """Find the best lineups by the games so far."""
        own, pool, state = self._study, self._study.pool, self.state
        state.pair_games = own.pair_games
        state.chances = chances_of(len(pool.decks), met)
        others = pool.against or pool.own
        values = values_of(state.chances, pool.own, others, own.rules)
        if pool.against:
            state.choice, state.opponents = best_against(values), list(pool.against)
            state.openings = [self._opening(other) for other in pool.against]
            return
        state.choice = best_mix(values)
        state.opponents = [pool.own[i] for i in state.choice.shares]
        state.share_intervals = shares_drawn_again(
            met, pool.own, state.choice, own.rules, own.question.seed
        )

    def _opening(self, other: Members) -> Opening:
        """How the best lineup begins a match with another one."""
        own, rules = self.state.named[0], self._study.rules
        plans = plans_of(self.state.chances, own, other, rules)
        replies = plans[rules.begin(1)].replies
        return Opening(
            own[plans[rules.begin(0)].first],
            tuple(
                (theirs, own[reply])
                for theirs, reply in zip(other, replies, strict=True)
                if reply is not None
            ),
        )

    def _play(
        self, matches: int, policy: str, rates: dict[tuple[int, int], Combination]
    ) -> None:
        """Let the lineups that were chosen play fresh matches."""
        meetings = self.state.meetings
        work = [
            self._job(row, column, self._next + i, policy, matches)
            for i, (row, column) in enumerate(meetings)
        ]
        self._next += len(work)
        if not work:
            return
        try:
            self._games.play(work, tuple({_engine(job): 1 for job in work}))
        finally:
            for meeting, job in zip(meetings, work, strict=True):
                tally = self._games.tallies.get(job.number)
                if tally is None:
                    continue
                rates[meeting] = rate_of(counts_of(tally))
                self.state.games_played += games_of_matches(tally)
                if meeting[0] == 0 and policy == self._study.question.policy:
                    self._note_meetings(meeting[1], tally)

    def _note_meetings(self, column: int, tally: Ints) -> None:
        """Count which decks of the best lineup met which of an opponent."""
        own, other = self.state.named[0], self.state.opponents[column]
        met, games = self.state.deck_games, games_of_decks(tally)
        for (a, b), number in zip(product(own, other), games, strict=True):
            met[a, b] = met.get((a, b), 0) + number

    def _job(
        self, row: int, column: int, number: int, policy: str, matches: int
    ) -> Job:
        """Two lineups that play matches, their decks chosen by what was measured."""
        own, pool, state = self._study, self._study.pool, self.state
        members = state.named[row], state.opponents[column]
        name = pool.names[column] if pool.names else ""
        sides = (
            pool.lineup(members[0]).played_by(policy),
            pool.lineup(members[1], name).played_by(policy),
        )
        tables = [
            set_table(
                own.one_game,
                own.database,
                [seat(deck.deck, deck.policy) for deck in pair],
                streams=DUEL_STREAMS,
            )
            for pair in product(sides[0].entrants, sides[1].entrants)
        ]
        plans = plans_of(state.chances, *members, own.rules)
        pairs = matches // PAIR
        return match_job(number, sides, tables, plans, rules=own.rules, pairs=pairs)


def _engine(job: Job) -> str:
    """The part of the engine that plays the matches of a job."""
    assert isinstance(job.table, MatchTable)
    return job.table.table.engine


def duels_of(fmt: Format) -> Format:
    """The format of the single games of a match."""
    return replace(fmt, seating=Seating())


def kind_of_solution(fmt: Format | None) -> str:
    """The study that answers what to bring as `fmt` is played."""
    is_match = fmt is not None and fmt.seating.play == MATCH
    return LineupChoice.KIND if is_match else Solve.KIND


def solution_of(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: SolveQuestion,
) -> Solve | LineupChoice:
    """The question what to bring: a lineup to matches, else a mix of decks.

    Raises UsageError as `lineup_choice_of` and `solve_of` do, and for settings of the
    search where lineups are chosen.
    """
    if kind_of_solution(fmt) == Solve.KIND:
        return solve_of(fmt, database, start, against, question)
    usual = SolveQuestion(question.seed, question.policy)
    for name, key in (
        ("faction", "factions"),
        ("bound", "bound"),
        ("rounds", "rounds"),
    ):
        if getattr(question, key) != getattr(usual, key):
            raise UsageError(
                f"{option(name)} does not apply to {quote(fmt.id)}, where lineups are "
                "made of decks that exist",
                "Leave it out",
            )
    asked = LineupsQuestion(
        *(question.seed, question.policy, question.games),
        *(question.confirm, question.confirm_games),
    )
    return lineup_choice_of(fmt, database, start, against, asked)


def lineup_choice_of(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: LineupsQuestion,
) -> LineupChoice:
    """The question which lineup of the decks `start` to bring to matches of `fmt`.

    Raises UsageError as `pool_of` does, and for too few games to choose by.
    """
    games, policies = question.confirm_games, [question.policy]
    player = confirming(question.confirm, games, duels_of(fmt), policies)
    spec = replace(question, confirm=player)
    study = LineupChoice(fmt, database, spec, tuple(start), tuple(against))
    study.check_games()
    return study
