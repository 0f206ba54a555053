"""Which lineup to bring to matches: the study, from games to a choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import Any

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck, Header
from deckcheck.decks.model import make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.table import DUEL_STREAMS, seat, set_table
from deckcheck.sim.cross_checking import (
    find_cross_check,
    make_duel_format,
    usual_games,
)
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.jobs import Job
from deckcheck.sim.matches import (
    MatchTable,
    count_deck_games,
    count_match_games,
    match_job,
)
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.selection import MatchRules
from deckcheck.sim.simulation import MATCH_PLAY
from deckcheck.sim.study import Interrupted, StudySpec
from deckcheck.sim.table_results import combine_checksums, make_table_result
from deckcheck.specs import LineupsSpec, SolveSpec
from deckcheck.stats import Combination, Estimate
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.duels import DuelStudy
from deckcheck.studies.lineup_choice import (
    DuelRates,
    LineupsState,
    Members,
    OpeningChoice,
    Pool,
    ReplyChoice,
    build_pool,
    choose_against,
    choose_level,
    choose_mix,
    compute_chances,
    compute_values,
    estimate_lineup,
    plan_match,
    resample_shares,
)
from deckcheck.studies.lineups_result import (
    LineupRate,
    LineupsResult,
    MeetingDocument,
)
from deckcheck.studies.payoff import (
    count_pair_scores,
    get_pair_table,
    make_pair_job,
    rate_pair,
)
from deckcheck.studies.solve import Solve, make_solve
from deckcheck.validation import DeckReport

MIN_PAIR_GAMES = 20
"""The fewest games of two decks by which lineups are chosen."""

MATCH_GAMES = 3
"""The games of a match, as a rule at most."""

PAIR_SIZE = 2


@dataclass(frozen=True)
class LineupChoice(DuelStudy[LineupsSpec, LineupsResult]):
    """Which lineup of some decks to bring to matches, against a field or anybody."""

    KIND = "lineups"
    QUESTION = LineupsSpec

    start: tuple[Entrant, ...]
    """The decks to choose from."""
    against: tuple[Entrant, ...]
    """The decks of the field, empty to look for a mix of lineups."""

    @cached_property
    def pool(self) -> Pool:
        """The lineups of all decks. Raises UsageError as `build_pool` does."""
        return build_pool(self.format, self.database, self.start, self.against)

    @cached_property
    def rules(self) -> MatchRules:
        """The rules between the games of a match, which the game has."""
        rules: MatchRules = load_game(self.format.game).match_rules(self.format)
        return rules

    @property
    def one_game(self) -> Format:
        """The format of a single game of a match."""
        return make_duel_format(self.format)

    @property
    def pair_games(self) -> int:
        """The games of each pair of decks: half of all, in game pairs."""
        meetings = max(1, len(self.pool.meetings))
        return self.question.budget // 2 // meetings // PAIR_SIZE * PAIR_SIZE

    def check_games(self) -> None:
        """Raise UsageError for too few games to choose by."""
        if self.pair_games < MIN_PAIR_GAMES:
            least = 2 * MIN_PAIR_GAMES * len(self.pool.meetings)
            raise UsageError(
                f"{self.question.budget:,} games are too few for this choice, "
                f"which needs at least {least:,}",
                f"Give more with {option('games')}, or name fewer decks",
            )

    def answer(self, games: GameSession) -> LineupsResult:
        """Measure the decks, choose lineups, and measure these in fresh matches."""
        run = _LineupRun(self, games)
        try:
            run.play()
        except StoppedEarly:
            partial = None
            if run.state.named:
                partial = replace(run.make_result(), complete=False)
            raise Interrupted(partial) from None
        return run.make_result()


class _LineupRun:
    """A run of the study: games of pairs of decks, a choice, and fresh matches."""

    def __init__(self, study: LineupChoice, games: GameSession) -> None:
        self._study = study
        self._games = games
        self._next_job = 0
        self.state = LineupsState(study.pool)

    def play(self) -> None:
        """Play all games of pairs, the fresh matches, and those of the second bot."""
        self._games.until = "the end of the first games"
        self._choose_lineups(self._measure_decks())
        question, state = self._study.question, self.state
        budget = question.budget // 2 // MATCH_GAMES
        state.matches = _round_matches(budget // max(1, len(state.meetings)))
        self._games.until = "the end of the fresh matches"
        self._play_matches(state.matches, question.policy, state.rates)
        second = question.cross_check
        if second is None:
            return
        games = question.cross_check_games or usual_games(second, question.budget)
        self._games.until = f"the end of the matches played by {second}"
        matches = _round_matches(games // MATCH_GAMES // len(state.opponents))
        self._play_matches(matches, second, state.cross_checked)

    def make_result(self) -> LineupsResult:
        """Return the result so far."""
        study, state = self._study, self.state
        lineups = [*state.named, *state.opponents]
        indices = dict.fromkeys(deck for members in lineups for deck in members)
        entrants = [study.pool.decks[i] for i in indices]
        head = study.describe_run(self._games, entrants, study.question.cross_check)
        checksum = combine_checksums(self._games.tallies.values())
        return make_result(study.spec, state, {**head, "checksum": checksum})

    def _measure_decks(self) -> dict[tuple[int, int], DuelRates]:
        """Play the games of each pair of decks whose chances have to be known."""
        study, pool = self._study, self._study.pool
        jobs: list[Job] = []
        for a, b in pool.meetings:
            number = self._next_job + len(jobs)
            pair = (pool.decks[a], pool.decks[b])
            jobs.append(
                make_pair_job(
                    study.one_game, study.database, pair, number, study.pair_games
                )
            )
        self._next_job += len(jobs)
        engines = dict.fromkeys(get_pair_table(job).engine for job in jobs)
        self._games.play(jobs, tuple(engines))
        rates = {}
        for meeting, job in zip(pool.meetings, jobs, strict=True):
            tally = self._games.tallies[job.number]
            table = make_table_result(job.names, tally)
            draws = table.draws / table.games
            rates[meeting] = DuelRates(count_pair_scores(tally), draws)
            self.state.games_played += table.games
        return rates

    def _choose_lineups(self, rates: Mapping[tuple[int, int], DuelRates]) -> None:
        """Find the best lineups by the rates of pairs of decks."""
        study, pool, state = self._study, self._study.pool, self.state
        state.pair_games = study.pair_games
        state.chances = compute_chances(len(pool.decks), rates)
        others = pool.against or pool.own
        values = compute_values(state.chances, pool.own, others, study.rules)
        if pool.against:
            state.choice = choose_against(values)
            state.opponents = list(pool.against)
            for name, other in zip(pool.names, pool.against, strict=True):
                state.openings.append(self._choose_opening(name, other))
            return
        state.choice = choose_mix(values)
        state.opponents = [pool.own[i] for i in state.choice.shares]
        state.share_intervals = resample_shares(
            rates, pool.own, state.choice, study.rules, study.question.seed
        )

    def _choose_opening(self, name: str, other: Members) -> OpeningChoice:
        """Return how the best lineup begins a match with the lineup of this name."""
        best, rules = self.state.named[0], self._study.rules
        decks = self.state.pool.decks
        plans = plan_match(self.state.chances, best, other, rules)
        replies = []
        for deck, reply in zip(other, plans[rules.begin(1)].replies, strict=True):
            if reply is not None:
                replies.append(ReplyChoice(decks[deck].name, decks[best[reply]].name))
        first = best[plans[rules.begin(0)].first]
        return OpeningChoice(name, decks[first].name, tuple(replies))

    def _play_matches(
        self, matches: int, policy: str, rates: dict[tuple[int, int], Combination]
    ) -> None:
        """Play matches of the chosen lineups and add their results to `rates`."""
        meetings = self.state.meetings
        jobs: list[Job] = []
        for row, column in meetings:
            number = self._next_job + len(jobs)
            jobs.append(self._make_match_job(row, column, number, policy, matches))
        self._next_job += len(jobs)
        if not jobs:
            return
        try:
            self._games.play(jobs, _list_engines(jobs))
        finally:
            # After Ctrl-C, the matches played so far are part of the result.
            for meeting, job in zip(meetings, jobs, strict=True):
                tally = self._games.tallies.get(job.number)
                if tally is None:
                    continue
                rates[meeting] = rate_pair(count_pair_scores(tally))
                self.state.games_played += count_match_games(tally)
                if meeting[0] == 0 and policy == self._study.question.policy:
                    self._count_deck_games(meeting[1], tally)

    def _count_deck_games(self, column: int, tally: Ints) -> None:
        """Add the games of each deck of the best lineup with each of an opponent."""
        deck_games = self.state.deck_games
        pairs = product(self.state.named[0], self.state.opponents[column])
        for pair, number in zip(pairs, count_deck_games(tally), strict=True):
            deck_games[pair] = deck_games.get(pair, 0) + number

    def _make_match_job(
        self, row: int, column: int, number: int, policy: str, matches: int
    ) -> Job:
        """Return the matches of two lineups, which choose decks by the first games."""
        study, pool, state = self._study, self._study.pool, self.state
        members = state.named[row], state.opponents[column]
        name = pool.names[column] if pool.names else ""
        sides = (
            pool.lineup(members[0]).played_by(policy),
            pool.lineup(members[1], name).played_by(policy),
        )
        tables = [
            set_table(
                study.one_game,
                study.database,
                [seat(deck.deck, deck.policy) for deck in pair],
                streams=DUEL_STREAMS,
            )
            for pair in product(sides[0].entrants, sides[1].entrants)
        ]
        plans = plan_match(state.chances, *members, study.rules)
        pairs = matches // PAIR_SIZE
        return match_job(number, sides, tables, plans, rules=study.rules, pairs=pairs)


def _round_matches(wanted: int) -> int:
    """Return this number of matches in whole pairs, and at least two."""
    return max(PAIR_SIZE, wanted // PAIR_SIZE * PAIR_SIZE)


def _list_engines(jobs: Sequence[Job]) -> tuple[str, ...]:
    """Return the engines that play these matches, each once."""
    engines = []
    for job in jobs:
        assert isinstance(job.table, MatchTable)
        engines.append(job.table.table.engine)
    return tuple(dict.fromkeys(engines))


def find_solution_kind(fmt: Format | None) -> str:
    """Return the kind of the study that finds what to bring in a format."""
    is_match = fmt is not None and fmt.seating.play == MATCH_PLAY
    return LineupChoice.KIND if is_match else Solve.KIND


def make_solution(
    fmt: Format,
    database: CardDatabase,
    decks: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: SolveSpec,
) -> Solve | LineupChoice:
    """Make the study of what to bring: a lineup to matches, else a mix of decks.

    Raises UsageError as `make_lineup_choice` and `make_solve` do, and for settings of
    the search where lineups are chosen.
    """
    question = question.played_in(fmt)
    start = enter(decks, [question.policy])
    against = enter(opponents, [question.policy])
    if find_solution_kind(fmt) == Solve.KIND:
        return make_solve(fmt, database, start, against, question)
    usual = SolveSpec(seed=question.seed, policy=question.policy)
    for key in ("factions", "bound", "rounds"):
        if getattr(question, key) != getattr(usual, key):
            name = "faction" if key == "factions" else key
            raise UsageError(
                f"{option(name)} does not apply to {quote(fmt.id)}, where lineups are "
                "made of decks that exist",
                "Leave it out",
            )
    asked = LineupsSpec(
        **{each.name: getattr(question, each.name) for each in fields(LineupsSpec)}
    )
    return make_lineup_choice(fmt, database, start, against, asked)


def make_lineup_choice(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: LineupsSpec,
) -> LineupChoice:
    """Make the study of which lineup of the decks `start` to bring to matches.

    Raises UsageError as `build_pool` does, and for too few games to choose by.
    """
    games, policies = question.cross_check_games, [question.policy]
    player = find_cross_check(
        question.cross_check, games, make_duel_format(fmt), policies
    )
    question = replace(question, cross_check=player)
    study = LineupChoice(fmt, database, question, tuple(start), tuple(against))
    study.check_games()
    return study


# From the games of a run to its result


def make_result(
    spec: StudySpec[LineupsSpec], state: LineupsState, head: Mapping[str, Any]
) -> LineupsResult:
    """Return the result so far. `head` has the facts of the run."""
    pool, best = state.pool, state.named[0]
    decks = _write_lineup_file([pool.decks[i].deck for i in best], spec.format)
    sheets = [make_sheet(deck, spec.database) for deck in decks]
    level = joint_level(len(pool.names))
    names = [entrant.name for entrant in pool.decks]
    chosen_from = {deck for lineup in pool.own for deck in lineup}
    opponents = []
    for column, name in enumerate(pool.names):
        if (0, column) in state.rates:
            opponents.append((name, state.rates[0, column].estimate(level)))
    return LineupsResult(
        **head,
        games=state.matches,
        games_played=state.games_played,
        lineups=lineup_rates(state),
        field=tuple(pool.names),
        opponents=tuple(opponents),
        openings=tuple(state.openings),
        meetings=_count_meetings(state, names) if pool.names else (),
        decks_to_choose_from=len(chosen_from | {*pool.lonely}),
        in_no_lineup=tuple((names[i], why) for i, why in pool.lonely.items()),
        lineups_compared=len(pool.own),
        pair_games=state.pair_games,
        cross_check=spec.question.cross_check,
        decklists=write_decks("text", sheets, spec.database).text,
    )


def _count_meetings(
    state: LineupsState, names: Sequence[str]
) -> tuple[MeetingDocument, ...]:
    """Return the decks that met, the most frequent meeting first."""
    games = sum(state.deck_games.values())
    meetings = []
    for (deck, opponent), number in state.deck_games.items():
        if number:
            share = number / games
            meetings.append(
                MeetingDocument(names[deck], names[opponent], number, share)
            )
    return tuple(sorted(meetings, key=lambda meeting: -meeting.games))


def _write_lineup_file(decks: Sequence[Deck], fmt: Format) -> list[Deck]:
    """Return the decks of a lineup for one file: the first deck names the format."""
    named: list[Deck] = []
    for deck in decks:
        headers = {key: deck.headers[key] for key in deck.headers if key != "format"}
        if not named:
            headers["format"] = (Header(fmt.id, deck.span),)
        named.append(replace(deck, headers=headers))
    return named


def lineup_rates(state: LineupsState) -> tuple[LineupRate, ...]:
    """Return the lineups that were measured, in their order."""
    shares = state.choice.shares
    names = [entrant.name for entrant in state.pool.decks]
    games = state.pair_games
    lineups = []
    for row, (index, promised) in enumerate(state.choice.promised.items()):
        share = None
        if index in shares:
            share = Estimate(shares[index], state.share_intervals[index], games)
        level = choose_level(state, row)
        weights = list(shares.values())
        columns = len(state.opponents)
        fresh = estimate_lineup(state.rates, row, weights, columns, level)
        cross_checked = estimate_lineup(
            state.cross_checked, row, weights, columns, level
        )
        decks = tuple(names[i] for i in state.pool.own[index])
        lineups.append(LineupRate(decks, share, promised, fresh, cross_checked))
    return tuple(lineups)
