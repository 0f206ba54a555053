"""`solve`: the best answer joins the mix, until no answer gains enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
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
"""How many times the first searches have half of the games."""

SEARCHED_DECKS, SEARCHED_CHANGES = 4, 6
"""Around how many decks answers are searched, and how far from them."""

VALIDATION = 4
"""How many times the games of two decks the last answers play in the end."""


@dataclass(frozen=True)
class Solve(DuelStudy[SolveSpec, SolveResult]):
    """A format that is to be solved as far as a search can; `run` does it."""

    KIND = "solve"
    QUESTION = SolveSpec

    start: tuple[Entrant, ...]
    against: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """The decks that are searched, those of each faction apart."""
        return make_spaces(self.format, self.database, self.question.factions)

    def answer(self, games: GameSession) -> SolveResult:
        """Search until no answer gains more than the bound."""
        games.known = solving = _Solving(self, games)
        return solving.run()

    def so_far(self, games: GameSession) -> SolveResult | None:
        """Return the mix so far, or None before there is a mix."""
        solving: _Solving = games.known
        if not solving.shares:
            solving.take_first_games()
        return solving.result() if solving.shares else None


class _Solving:
    """One run: the decks that have met so far, and the mix of them.

    `shares` are how often these come in the mix, `against` the win rates against other
    decks by the places of both.
    """

    def __init__(self, solve: Solve, games: GameSession) -> None:
        self._solve = solve
        self._games = games
        self._next = 0
        self._met = Meetings(solve.format, solve.database, list(solve.start))
        self.shares: tuple[float, ...] = ()
        self.rounds: list[Round] = []
        self.answers: list[Response] = []
        self.against: dict[tuple[int, int], Combination] = {}
        self.games_played = self.searches = self.decks_searched = 0
        self.is_solved = False

    @property
    def mixed(self) -> list[int]:
        """The places of the decks in the mix, the most frequent first."""
        mixed = [i for i, share in enumerate(self.shares) if share > 0]
        return sorted(mixed, key=lambda i: -self.shares[i])

    def run(self) -> SolveResult:
        """Play everything."""
        if not self._met.entrants:
            self._begin()
        self._meet()
        level = SHORT_SEARCH_LEVELS
        rounds = self._solve.question.most_rounds
        while not self.is_solved and len(self.rounds) < rounds:
            spaces = self._solve.spaces
            if self._add_answer(self._list_spaces(), level) or self._add_answer(
                spaces, level
            ):
                continue
            if level:
                level -= 1
            else:
                self._check()
        if not self._list_responses():
            self._test()
        self._prove()
        self._play_others()
        return self.result()

    def result(self) -> SolveResult:
        """Return the result so far."""
        study, question, against = self._solve, self._solve.question, self.against
        entrants = [self._met.entrants[i] for i in self.mixed]
        sheets = [make_sheet(entrant.deck, study.database) for entrant in entrants]
        by_opponent: dict[int, dict[tuple[int, int], Combination]] = {}
        for pair, rate in against.items():
            by_opponent.setdefault(pair[1], {})[pair] = rate
        return SolveResult(
            **study.head(
                self._games, [*entrants, *study.against], question.cross_check
            ),
            games=self._met.games,
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
            factions=question.factions,
            cross_check=question.cross_check,
            against=field_against(against, self.shares) if against else None,
            opponents=tuple(
                NamedMean(study.against[index].name, field_against(rates, self.shares))
                for index, rates in by_opponent.items()
            ),
            text=write_decks("text", sheets, study.database).text,
        )

    def _make_field(self) -> tuple[FieldDeck, ...]:
        """Return the decks of the mix, with the intervals of their shares."""
        meetings, database = self._met, self._solve.database
        cards = database.cards
        intervals = self._resample_intervals()
        payoffs = meetings.rates() @ np.array(self.shares)
        games = sum(2 * sum(counts) for counts in meetings.counts.values())
        decks = []
        for i in self.mixed:
            deck = meetings.entrants[i].deck
            decks.append(
                FieldDeck(
                    meetings.entrants[i].name,
                    database.factions[deck.faction].name if deck.faction else None,
                    database.leaders[deck.leader].full_name if deck.leader else None,
                    Estimate(self.shares[i], intervals[i], games),
                    float(payoffs[i]),
                    tuple((cards[id].name, n) for id, n in deck.counts().items()),
                )
            )
        return tuple(decks)

    def _resample_intervals(self) -> list[Interval]:
        """Return the intervals of the shares if all games are drawn again."""
        meetings = self._met
        if not meetings.counts:
            return [Interval(share, share) for share in self.shares]
        chance = np.random.default_rng(self._solve.question.seed)
        scores = list(meetings.counts.values())
        drawn = []
        for _ in range(RESAMPLE_COUNT):
            rates = meetings.rates()
            resampled = resampled_rates(scores, chance)
            for (a, b), rate in zip(meetings.counts, resampled, strict=True):
                rates[a, b], rates[b, a] = rate, 1 - rate
            drawn.append(find_mixture(rates))
        return find_resampled_interval(self.shares, drawn)

    def _begin(self) -> None:
        """Add a random deck of each faction."""
        for number, space in enumerate(self._solve.spaces):
            drawn = space.draw_deck(Random(f"{self._solve.question.seed} {number}"))
            assert drawn is not None
            self._met.entrants.append(self._name_deck(space.deck(drawn), "random"))

    def _add_answer(self, spaces: Sequence[DeckSpace], level: int = 0) -> bool:
        """Let the best answer join if it gains more than the bound.

        Searches of a high `level` have few games: the first answers are found easily.
        """
        games = self._solve.question.budget
        least = FEWEST_GAMES * len(spaces) * len(self.mixed)
        rounds = self._solve.question.most_rounds
        self._games.until = (
            f"the end of round {len(self.rounds) + 1} of at most {rounds}"
        )
        best = self._search(spaces, max(games // 2**level, min(games, least)))
        answer, counts = self._try(best)
        is_more = answer.gain.value > self._solve.question.bound / 100
        mixed = len(self.mixed)
        self.rounds.append(Round(len(self._met.entrants), mixed, answer, is_more))
        if is_more:
            self._add(answer, counts)
            self._meet()
        else:
            self.answers.append(answer)
        return is_more

    def _list_spaces(self) -> list[DeckSpace]:
        """Return the spaces around the most frequent decks."""
        study = self._solve
        return [
            space_around(
                self._met.entrants[i].deck,
                study.format,
                study.database,
                changes=SEARCHED_CHANGES,
                changes_leader=True,
            )
            for i in self.mixed[:SEARCHED_DECKS]
        ]

    def _check(self) -> None:
        """Search each faction by itself: it is solved if none has an answer."""
        spaces = self._solve.spaces
        alone = [[space] for space in spaces] if len(spaces) > 1 else []
        games = self._solve.question.budget
        self._games.until = "the end of a check of each faction"
        answers = [self._try(self._search(space, games)) for space in alone]
        bound = self._solve.question.bound / 100
        better = [(a, counts) for a, counts in answers if a.gain.value > bound]
        for answer, counts in better:
            self._add(answer, counts)
        if better:
            self._meet()
        else:
            self.answers += [answer for answer, _ in answers]
        self.is_solved = not better

    def _test(self) -> None:
        """Search a counter-deck to the last mix, which it does not join.

        So the answer names one, even if every search before found a deck that joined.
        """
        self._games.until = "the end of the last search"
        best = self._search(self._list_spaces(), self._solve.question.budget)
        answer, _ = self._try(best)
        self.answers.append(answer)

    def _search(self, spaces: Sequence[DeckSpace], games: int) -> SearchOutcome:
        """Return the best answer to the mix, by a search with games of its own."""
        study = self._solve
        policy = study.question.policy
        choosing = choosing_player([policy], thorough=study.question.thorough)
        measure = Measure(
            study.format,
            study.database,
            played_by(self._met.entrants, choosing),
            choosing or policy,
            self._games,
            list(self.shares),
            self._next,
            games,
        )
        number = MAX_SEARCHES * study.question.seed + self.searches
        best = find_best(spaces, measure, games, number)
        self._next = measure.next_job
        self.games_played += measure.played
        self.searches += 1
        self.decks_searched += best.decks
        return best

    def _try(self, best: SearchOutcome) -> tuple[Response, dict[int, Counts]]:
        """Return the gain of a deck against the mix, in fresh games."""
        entrant = self._name_deck(best.deck, str(self.searches))
        counts = self._play_against_mix(entrant, self._solve.question.pair_games)
        gain = self._gain({i: rate_pair(tally) for i, tally in counts.items()})
        return Response(entrant, best.rate - HALF, gain.estimate()), counts

    def _gain(self, rates: Mapping[int, Combination]) -> Combination:
        """Return the win rate above one half of a deck against the mix."""
        shares = self.shares
        return combine_gains([rates.get(i) for i in range(len(shares))], shares)

    def _play_against_mix(
        self, entrant: Entrant, games: int, policy: str | None = None
    ) -> dict[int, Counts]:
        """Return the scores of a deck against the mix. `policy` pilots all decks."""
        others = self.mixed
        pairs = [(entrant, self._met.entrants[i]) for i in others]
        if policy is not None:
            pairs = [
                (replace(a, policy=policy), replace(b, policy=policy)) for a, b in pairs
            ]
        return dict(zip(others, self._play_pairs(pairs, games), strict=True))

    def _add(self, answer: Response, counts: dict[int, Counts]) -> None:
        """Let an answer join; its games with the mix are not played again."""
        index = len(self._met.entrants)
        self._met.entrants.append(answer.entrant)
        for other, seen in counts.items():
            self._met.counts[other, index] = seen[::-1]

    def _meet(self) -> None:
        """Let all that have not met do so, and find the mix.

        Answers to another mix are answers no more.
        """
        self.answers = []
        pairs = self._met.missing()
        entrants = self._met.entrants
        who = [(entrants[a], entrants[b]) for a, b in pairs]
        played = self._play_pairs(who, self._solve.question.pair_games)
        self._met.counts |= dict(zip(pairs, played, strict=True))
        self.shares = find_mixture(self._met.rates())

    def take_first_games(self) -> None:
        """Find the mix by the first games, if all decks have met in them."""
        pairs = self._met.missing()
        tallies = [self._games.tallies.get(self._next + i) for i in range(len(pairs))]
        played = [tally for tally in tallies if tally is not None]
        if not pairs or len(played) < len(pairs):
            return
        self._met.counts |= dict(
            zip(pairs, map(count_pair_scores, played), strict=True)
        )
        self.games_played = self._games.games_played
        self.shares = find_mixture(self._met.rates())

    def _prove(self) -> None:
        """Measure all decks that might gain against the mix in fresh games.

        These are its own, those that have met them, and all answers to it. Games so far
        decided which decks these are, and when to end. The intervals of all gains are
        simultaneous (Bonferroni), and it is solved if none reaches beyond the bound.
        """
        self._games.until = "the end of some of the validation games"
        question, shares = self._solve.question, self.shares
        hopes = []
        for i, g in self._measure_mix_decks():
            hopes.append((Response.from_meetings(self._met, i, shares), g))
        for other in self._list_responses():
            counts = self._play_against_mix(
                other.entrant, VALIDATION * question.pair_games
            )
            gain = self._gain({i: rate_pair(tally) for i, tally in counts.items()})
            hopes.append((other, gain))
        # A deck that is the whole mix gains nothing against itself.
        hopes = [(response, gain) for response, gain in hopes if gain.weights]
        level = joint_level(len(hopes))
        proved = [
            replace(response, gain=gain.estimate(level)) for response, gain in hopes
        ]
        if question.cross_check is not None:
            proved = [self._cross_checked(response, level) for response in proved]
        self.answers = sorted(proved, key=lambda response: -response.gain.value)
        highest = max((response.gain.interval.high for response in proved), default=0.0)
        self.is_solved &= highest <= question.bound / 100

    def _measure_mix_decks(self) -> list[tuple[int, Combination]]:
        """Return the gains of the decks of the mix against it, in fresh games."""
        mixed, entrants = self.mixed, self._met.entrants
        pairs = list(combinations(mixed, 2))
        who = [(entrants[a], entrants[b]) for a, b in pairs]
        counts = self._play_pairs(who, VALIDATION * self._solve.question.pair_games)
        rates: dict[int, dict[int, Combination]] = {i: {} for i in mixed}
        for (a, b), seen in zip(pairs, counts, strict=True):
            rates[a][b] = rate_pair(seen)
            rates[b][a] = rates[a][b].opposite()
        return [(i, self._gain(rates[i])) for i in mixed]

    def _list_responses(self) -> list[Response]:
        """Return the answers to the mix, and decks that have met it and may gain."""
        meetings, shares = self._met, self.shares
        left = [i for i in range(len(meetings.entrants)) if shares[i] == 0]
        level = joint_level(len(left))
        gains = {i: meetings.gain(i, shares).interval(level) for i in left}
        near = [
            Response.from_meetings(meetings, i, shares)
            for i in left
            if gains[i].high >= 0
        ]
        return [*near, *self.answers]

    def _cross_checked(self, answer: Response, level: float) -> Response:
        """Return an answer after games of another player, unless it is in the mix."""
        question = self._solve.question
        assert question.cross_check is not None
        entrants = [self._met.entrants[i] for i in self.mixed]
        if answer.entrant in entrants:
            return answer
        games = question.cross_check_games or usual_games(
            question.cross_check, question.budget
        )
        games = ceil(games / len(self.mixed))
        seen = self._play_against_mix(answer.entrant, games, question.cross_check)
        gain = self._gain({i: rate_pair(rate) for i, rate in seen.items()})
        return replace(answer, cross_checked=gain.estimate(level))

    def _play_others(self) -> None:
        """Let the decks of the mix meet those that it is to be measured against."""
        mixed = self.mixed
        places = [(i, o) for i in mixed for o in range(len(self._solve.against))]
        pairs = [(self._met.entrants[i], self._solve.against[o]) for i, o in places]
        played = self._play_pairs(pairs, self._solve.question.pair_games)
        self.against = dict(zip(places, map(rate_pair, played), strict=True))

    def _play_pairs(
        self, pairs: Sequence[tuple[Entrant, ...]], games: int
    ) -> list[Counts]:
        """Return the scores of the first deck of each pair, in new games."""
        if not pairs:
            return []
        study = self._solve
        work: list[Job] = [
            make_pair_job(study.format, study.database, (a, b), self._next + i, games)
            for i, (a, b) in enumerate(pairs)
        ]
        engines = tuple(dict.fromkeys(get_pair_table(job).engine for job in work))
        self._games.play(work, engines)
        self._next += len(work)
        self.games_played += sum(job.games * job.sets for job in work)
        return [count_pair_scores(self._games.tallies[job.number]) for job in work]

    def _name_deck(self, deck: Deck, what: str) -> Entrant:
        """Return a deck with a name: its faction, and a suffix."""
        study = self._solve
        faction = study.database.factions.get(deck.faction or "")
        name = f"{faction.name if faction else 'Deck'}, {what}"
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
