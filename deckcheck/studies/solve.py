"""The study of `solve`: the best answer joins the mix, until no answer gains enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from math import ceil
from random import Random

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import Header, make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option, plural
from deckcheck.sim.cross_checking import (
    choosing_player,
    find_cross_check,
    usual_games,
)
from deckcheck.sim.entrants import Entrant, name_distinctly
from deckcheck.sim.jobs import Job
from deckcheck.sim.records import NamedMean
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.table_results import combine_checksums
from deckcheck.specs import MAX_SEARCHES, SolveSpec
from deckcheck.stats import Combination, Estimate, Interval
from deckcheck.stats.intervals import joint_level
from deckcheck.stats.optimising import resampled_rates
from deckcheck.studies.duels import DuelStudy, check_meetings, played_by
from deckcheck.studies.payoff import (
    HALF,
    Counts,
    Meetings,
    combine_gains,
    count_pair_scores,
    field_against,
    find_mixture,
    find_resampled_interval,
    get_pair_table,
    make_pair_job,
    rate_pair,
)
from deckcheck.studies.search.search import FEWEST_GAMES, SearchOutcome, find_best
from deckcheck.studies.search.space import DeckSpace, make_spaces, space_around
from deckcheck.studies.search.study import find_factions
from deckcheck.studies.solve_result import (
    RESAMPLE_COUNT,
    FieldDeck,
    Response,
    Round,
    SolveResult,
)
from deckcheck.studies.validation_games import Measure

SHORT_SEARCH_LEVELS = 3
"""How often the games of the first searches are halved."""
SEARCHED_DECKS = 4
"""The most decks of the mix around which answers are searched."""
SEARCHED_CHANGES = 6
"""The most changes of such a deck."""
VALIDATION_FACTOR = 4
"""Validation games of two decks, as a multiple of the games of each pair."""


@dataclass(frozen=True)
class Solve(DuelStudy[SolveSpec, SolveResult]):
    """The study of the mix of decks to bring."""

    KIND = "solve"
    QUESTION = SolveSpec

    start: tuple[Entrant, ...]
    against: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """The decks that are searched, those of each faction apart."""
        return make_spaces(self.format, self.database, self.question.factions)

    @property
    def search_policy(self) -> str:
        """The bot of the searches. For `learned` it is one that takes a quarter of the
        time, unless the question is thorough.
        """
        policy, thorough = self.question.policy, self.question.thorough
        return choosing_player([policy], thorough=thorough) or policy

    def answer(self, games: GameSession) -> SolveResult:
        """Search until no answer gains more than the bound."""
        games.known = solving = _Solving(self, games)
        return solving.run()

    def so_far(self, games: GameSession) -> SolveResult | None:
        """Return the mix so far, or None before there is a mix."""
        solving: _Solving = games.known
        if not solving.shares:
            solving.take_first_games()
        return solving.make_result() if solving.shares else None


class _Solving:
    """One run of a study. Decks are numbered in the order in which they joined.

    `shares` has the share of each deck in the mix, `against` the win rates against the
    decks of `--against`, by the numbers of both decks.
    """

    def __init__(self, solve: Solve, games: GameSession) -> None:
        self._solve = solve
        self._games = games
        self._next = 0
        self._meetings = Meetings(solve.format, solve.database, list(solve.start))
        self.shares: tuple[float, ...] = ()
        self.rounds: list[Round] = []
        self.answers: list[Response] = []
        self.against: dict[tuple[int, int], Combination] = {}
        self.games_played = self.searches = self.decks_searched = 0
        self.is_solved = False

    @property
    def mix(self) -> list[int]:
        """The decks in the mix, the most frequent first."""
        mix = [deck for deck, share in enumerate(self.shares) if share > 0]
        return sorted(mix, key=lambda deck: -self.shares[deck])

    def run(self) -> SolveResult:
        """Play everything."""
        if not self._meetings.entrants:
            self._begin()
        self._meet()
        level = SHORT_SEARCH_LEVELS
        while not self.is_solved and len(self.rounds) < self._max_rounds:
            if self._add_answer(self._make_near_spaces(), level):
                continue
            if self._add_answer(self._solve.spaces, level):
                continue
            if level:
                level -= 1
            else:
                self._check_factions()
        if not self._list_responses():
            self._search_last_answer()
        self._play_validation()
        self._play_others()
        return self.make_result()

    @property
    def _max_rounds(self) -> int:
        """The most searches before the last."""
        return self._solve.question.most_rounds

    def make_result(self) -> SolveResult:
        """Return the result so far."""
        study, question = self._solve, self._solve.question
        entrants = [self._meetings.entrants[deck] for deck in self.mix]
        sheets = [make_sheet(entrant.deck, study.database) for entrant in entrants]
        against = None
        if self.against:
            against = field_against(self.against, self.shares)
        return SolveResult(
            **study.describe_run(
                self._games, [*entrants, *study.against], question.cross_check
            ),
            games=self._meetings.games,
            games_played=self.games_played,
            checksum=combine_checksums(self._games.tallies.values()),
            field=self._make_field(),
            rounds=tuple(self.rounds),
            answers=tuple(self.answers),
            bound=question.bound / 100,
            solved=self.is_solved,
            searches=self.searches,
            decks_searched=self.decks_searched,
            search_games=question.budget,
            search_policy=study.search_policy,
            factions=question.factions,
            cross_check=question.cross_check,
            against=against,
            opponents=self._average_by_opponent(),
            text=write_decks("text", sheets, study.database).text,
        )

    def _average_by_opponent(self) -> tuple[NamedMean, ...]:
        """Return the win rate of the mix against each other deck."""
        rates_by_opponent: dict[int, dict[tuple[int, int], Combination]] = {}
        for (deck, opponent), rate in self.against.items():
            rates_by_opponent.setdefault(opponent, {})[deck, opponent] = rate
        means = []
        for opponent, rates in rates_by_opponent.items():
            name = self._solve.against[opponent].name
            means.append(NamedMean(name, field_against(rates, self.shares)))
        return tuple(means)

    def _make_field(self) -> tuple[FieldDeck, ...]:
        """Return the decks of the mix, with the intervals of their shares."""
        meetings, database = self._meetings, self._solve.database
        intervals = self._resample_intervals()
        payoffs = meetings.rates() @ np.array(self.shares)
        games = sum(2 * sum(counts) for counts in meetings.counts.values())
        field = []
        for number in self.mix:
            entrant = meetings.entrants[number]
            deck = entrant.deck
            faction = leader = None
            if deck.faction:
                faction = database.factions[deck.faction].name
            if deck.leader:
                leader = database.leaders[deck.leader].full_name
            cards = []
            for id, copies in deck.counts().items():
                cards.append((database.cards[id].name, copies))
            field_deck = FieldDeck(
                entrant.name,
                faction,
                leader,
                share=Estimate(self.shares[number], intervals[number], games),
                payoff=float(payoffs[number]),
                cards=tuple(cards),
            )
            field.append(field_deck)
        return tuple(field)

    def _resample_intervals(self) -> list[Interval]:
        """Return the intervals of the shares if all games are drawn again."""
        meetings = self._meetings
        if not meetings.counts:
            return [Interval(share, share) for share in self.shares]
        generator = np.random.default_rng(self._solve.question.seed)
        scores = list(meetings.counts.values())
        drawn = []
        for _ in range(RESAMPLE_COUNT):
            rates = meetings.rates()
            resampled = resampled_rates(scores, generator)
            for (a, b), rate in zip(meetings.counts, resampled, strict=True):
                rates[a, b], rates[b, a] = rate, 1 - rate
            drawn.append(find_mixture(rates))
        return find_resampled_interval(self.shares, drawn)

    def _begin(self) -> None:
        """Add a random deck of each faction."""
        for number, space in enumerate(self._solve.spaces):
            drawn = space.draw_deck(Random(f"{self._solve.question.seed} {number}"))
            assert drawn is not None
            entrant = self._name_deck(space.deck(drawn), "random")
            self._meetings.entrants.append(entrant)

    def _add_answer(self, spaces: Sequence[DeckSpace], level: int) -> bool:
        """Search an answer, let it join if it gains more than the bound, and report so.

        Searches of a high `level` have few games: the first answers are found easily.
        """
        budget = self._solve.question.budget
        least = FEWEST_GAMES * len(spaces) * len(self.mix)
        self._games.until = (
            f"the end of round {len(self.rounds) + 1} of at most {self._max_rounds}"
        )
        best = self._search(spaces, max(budget // 2**level, min(budget, least)))
        answer, counts = self._try(best)
        joins = answer.gain.value > self._solve.question.bound / 100
        decks = len(self._meetings.entrants)
        self.rounds.append(Round(decks, len(self.mix), answer, joins))
        if joins:
            self._join(answer, counts)
            self._meet()
        else:
            self.answers.append(answer)
        return joins

    def _make_near_spaces(self) -> list[DeckSpace]:
        """Return the spaces around the most frequent decks."""
        study = self._solve
        spaces = []
        for deck in self.mix[:SEARCHED_DECKS]:
            space = space_around(
                self._meetings.entrants[deck].deck,
                study.format,
                study.database,
                changes=SEARCHED_CHANGES,
                changes_leader=True,
            )
            spaces.append(space)
        return spaces

    def _check_factions(self) -> None:
        """Search each faction by itself: it is solved if none has an answer.

        A single faction was searched by itself before.
        """
        question, spaces = self._solve.question, self._solve.spaces
        self._games.until = "the end of a check of each faction"
        answers = []
        if len(spaces) > 1:
            for space in spaces:
                answers.append(self._try(self._search([space], question.budget)))
        self.is_solved = True
        for answer, counts in answers:
            if answer.gain.value > question.bound / 100:
                self._join(answer, counts)
                self.is_solved = False
        if self.is_solved:
            self.answers += [answer for answer, _ in answers]
        else:
            self._meet()

    def _search_last_answer(self) -> None:
        """Search an answer to the last mix, which it does not join.

        So the result names one, even if every search before found a deck that joined.
        """
        self._games.until = "the end of the last search"
        best = self._search(self._make_near_spaces(), self._solve.question.budget)
        answer, _ = self._try(best)
        self.answers.append(answer)

    def _search(self, spaces: Sequence[DeckSpace], games: int) -> SearchOutcome:
        """Return the best answer to the mix, by a search with games of its own."""
        study = self._solve
        measure = Measure(
            study.format,
            study.database,
            played_by(self._meetings.entrants, study.search_policy),
            study.search_policy,
            self._games,
            shares=list(self.shares),
            first_job=self._next,
            budget=games,
        )
        seed = MAX_SEARCHES * study.question.seed + self.searches
        best = find_best(spaces, measure, games, seed)
        self._next = measure.next_job
        self.games_played += measure.played
        self.searches += 1
        self.decks_searched += best.decks
        return best

    def _try(self, best: SearchOutcome) -> tuple[Response, dict[int, Counts]]:
        """Return the gain of a deck against the mix in fresh games, and its scores."""
        entrant = self._name_deck(best.deck, str(self.searches))
        counts = self._play_against_mix(entrant, self._solve.question.pair_games)
        gain = self._measure_gain(counts)
        return Response(entrant, best.rate - HALF, gain.estimate()), counts

    def _measure_gain(self, counts: Mapping[int, Counts]) -> Combination:
        """Return the win rate above one half against the mix, by scores by deck."""
        rates = {deck: rate_pair(scores) for deck, scores in counts.items()}
        return self._combine_gains(rates)

    def _combine_gains(self, rates: Mapping[int, Combination]) -> Combination:
        """Return the win rate above one half against the mix, by win rates by deck."""
        decks = range(len(self.shares))
        return combine_gains([rates.get(deck) for deck in decks], self.shares)

    def _play_against_mix(
        self, entrant: Entrant, games: int, policy: str | None = None
    ) -> dict[int, Counts]:
        """Return the scores of a deck against each deck of the mix.

        `policy` plays all decks, None for the usual policies.
        """
        pairs = []
        for deck in self.mix:
            opponent = self._meetings.entrants[deck]
            if policy is not None:
                entrant = replace(entrant, policy=policy)
                opponent = replace(opponent, policy=policy)
            pairs.append((entrant, opponent))
        return dict(zip(self.mix, self._play_pairs(pairs, games), strict=True))

    def _join(self, answer: Response, counts: Mapping[int, Counts]) -> None:
        """Let an answer join. Its games with the mix are not played again."""
        number = len(self._meetings.entrants)
        self._meetings.entrants.append(answer.entrant)
        for other, scores in counts.items():
            self._meetings.counts[other, number] = scores[::-1]

    def _meet(self) -> None:
        """Let all decks meet that have not met, and find the mix.

        Answers to the mix before are dropped.
        """
        self.answers = []
        meetings = self._meetings
        pairs = meetings.missing()
        counts = self._play_pairs(
            [(meetings.entrants[a], meetings.entrants[b]) for a, b in pairs],
            self._solve.question.pair_games,
        )
        meetings.counts |= dict(zip(pairs, counts, strict=True))
        self.shares = find_mixture(meetings.rates())

    def take_first_games(self) -> None:
        """Find the mix by the first games, if all decks have met in them."""
        pairs = self._meetings.missing()
        counts = {}
        for number, pair in enumerate(pairs, start=self._next):
            tally = self._games.tallies.get(number)
            if tally is not None:
                counts[pair] = count_pair_scores(tally)
        if not pairs or len(counts) < len(pairs):
            return
        self._meetings.counts |= counts
        self.games_played = self._games.games_played
        self.shares = find_mixture(self._meetings.rates())

    def _play_validation(self) -> None:
        """Measure all decks that might gain against the mix in fresh games.

        These are the decks of the mix, the decks that have met them, and all answers to
        it. Games so far decided which decks these are, and when to end. The intervals
        of all gains are simultaneous (Bonferroni), and it is solved if none reaches
        beyond the bound.
        """
        self._games.until = "the end of some of the validation games"
        question = self._solve.question
        games = VALIDATION_FACTOR * question.pair_games
        measured = self._measure_mix_decks(games)
        for response in self._list_responses():
            counts = self._play_against_mix(response.entrant, games)
            measured.append((response, self._measure_gain(counts)))
        # A deck that is the whole mix gains nothing against itself.
        measured = [(response, gain) for response, gain in measured if gain.weights]
        level = joint_level(len(measured))
        answers = []
        for response, gain in measured:
            answer = replace(response, gain=gain.estimate(level))
            answers.append(self._cross_check(answer, level))
        self.answers = sorted(answers, key=lambda answer: -answer.gain.value)
        highest = max((answer.gain.interval.high for answer in answers), default=0.0)
        self.is_solved &= highest <= question.bound / 100

    def _measure_mix_decks(self, games: int) -> list[tuple[Response, Combination]]:
        """Return the decks of the mix with their gains against it, in fresh games."""
        meetings = self._meetings
        pairs = list(combinations(self.mix, 2))
        counts = self._play_pairs(
            [(meetings.entrants[a], meetings.entrants[b]) for a, b in pairs], games
        )
        rates: dict[int, dict[int, Combination]] = {deck: {} for deck in self.mix}
        for (a, b), scores in zip(pairs, counts, strict=True):
            rates[a][b] = rate_pair(scores)
            rates[b][a] = rates[a][b].opposite()
        measured = []
        for deck, rates_of_deck in rates.items():
            response = Response.from_meetings(meetings, deck, self.shares)
            measured.append((response, self._combine_gains(rates_of_deck)))
        return measured

    def _list_responses(self) -> list[Response]:
        """Return the answers to the mix, and decks that have met it and may gain."""
        meetings, shares = self._meetings, self.shares
        others = [deck for deck, share in enumerate(shares) if share == 0]
        level = joint_level(len(others))
        responses = []
        for deck in others:
            if meetings.gain(deck, shares).interval(level).high >= 0:
                responses.append(Response.from_meetings(meetings, deck, shares))
        return [*responses, *self.answers]

    def _cross_check(self, answer: Response, level: float) -> Response:
        """Return an answer with its gain by the second bot, if there is one.

        The decks of the mix are not played again.
        """
        question, mix = self._solve.question, self.mix
        if question.cross_check is None:
            return answer
        if answer.entrant in [self._meetings.entrants[deck] for deck in mix]:
            return answer
        games = question.cross_check_games
        if not games:
            games = usual_games(question.cross_check, question.budget)
        games_each = ceil(games / len(mix))
        counts = self._play_against_mix(
            answer.entrant, games_each, question.cross_check
        )
        gain = self._measure_gain(counts)
        return replace(answer, cross_checked=gain.estimate(level))

    def _play_others(self) -> None:
        """Let the decks of the mix meet the decks of `--against`."""
        numbers = list(product(self.mix, range(len(self._solve.against))))
        pairs = []
        for deck, opponent in numbers:
            entrant = self._meetings.entrants[deck]
            pairs.append((entrant, self._solve.against[opponent]))
        counts = self._play_pairs(pairs, self._solve.question.pair_games)
        self.against = dict(zip(numbers, map(rate_pair, counts), strict=True))

    def _play_pairs(
        self, pairs: Sequence[tuple[Entrant, ...]], games: int
    ) -> list[Counts]:
        """Return the scores of the first deck of each pair, in new games."""
        if not pairs:
            return []
        study = self._solve
        work: list[Job] = []
        for number, (a, b) in enumerate(pairs, start=self._next):
            job = make_pair_job(study.format, study.database, (a, b), number, games)
            work.append(job)
        engines = tuple(dict.fromkeys(get_pair_table(job).engine for job in work))
        self._games.play(work, engines)
        self._next += len(work)
        self.games_played += sum(job.games * job.sets for job in work)
        return [count_pair_scores(self._games.tallies[job.number]) for job in work]

    def _name_deck(self, deck: Deck, suffix: str) -> Entrant:
        """Return a deck with a name: its faction, and a suffix."""
        study = self._solve
        faction = study.database.factions.get(deck.faction or "")
        name = f"Deck, {suffix}"
        if faction is not None:
            name = f"{faction.name}, {suffix}"
        headers = {**deck.headers, "name": (Header(name, deck.span),)}
        named = replace(deck, name=name, headers=headers)
        return Entrant(named, name, study.question.policy)


def make_solve(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: SolveSpec,
) -> Solve:
    """Return the study of the mix to bring, as `fmt` is played.

    Raises UsageError for too few games to search with, for a faction without legal
    decks, and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    spec = replace(
        question,
        factions=find_factions(question.factions, fmt, database),
        cross_check=find_cross_check(
            question.cross_check, question.cross_check_games, fmt, [question.policy]
        ),
    )
    solve = Solve(fmt, database, spec, tuple(name_distinctly(start)), tuple(against))
    least = FEWEST_GAMES * len(solve.spaces)
    if question.budget < least:
        raise UsageError(
            f"{plural(question.budget, 'game')} are too few to search with",
            f"Use {option('games')} with at least {least:,}: that is what each "
            "search plays",
        )
    return solve
