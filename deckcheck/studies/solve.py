"""The mix of a strong team: spec and play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import ceil
from random import Random

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import Header
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import option, plural
from deckcheck.sim.confirming import confirming, usual_games
from deckcheck.sim.entrants import Entrant, distinct_names
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.standings import checksum_of
from deckcheck.sim.study import Interrupted
from deckcheck.specs import SEEDS, SolveSpec
from deckcheck.stats import Combination
from deckcheck.stats.intervals import level_of
from deckcheck.studies.duels import DuelStudy, check_meetings
from deckcheck.studies.payoff import (
    Counts,
    Meetings,
    counts_of,
    gain_of,
    job_of,
    mixture_of,
    rate_of,
    table_of,
)
from deckcheck.studies.proof import Measure
from deckcheck.studies.search.search import FEWEST_GAMES, SearchOutcome, find_best
from deckcheck.studies.search.space import DeckSpace, space_around, spaces_of
from deckcheck.studies.search.study import faction_of
from deckcheck.studies.solve_result import (
    Response,
    Round,
    SolveResult,
    SolveState,
    solved,
)

LEVELS = 3
"""How many times the first searches have half of the games."""

NEAR, CHANGES = 4, 6
"""Around how many decks answers are searched, and how far from them."""

PROOF = 4
"""How many times the games of two decks the last answers play in the end."""

HALF = 0.5


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
        return spaces_of(self.format, self.database, self.question.factions)

    def answer(self, games: GameSession) -> SolveResult:
        """Search until no answer gains more than the bound."""
        solving = _Solving(self, games)
        try:
            return solving.run()
        except StoppedEarly:
            partial = solving.result() if solving.state.shares else None
            if partial is not None:
                partial = replace(partial, complete=False)
            raise Interrupted(partial) from None


class _Solving:
    """One run: the decks that have met so far, and the mix of them."""

    def __init__(self, solve: Solve, games: GameSession) -> None:
        self._solve = solve
        self._games = games
        self._next = 0
        self._met = Meetings(solve.format, solve.database, list(solve.start))
        self.state = SolveState(self._met)

    def run(self) -> SolveResult:
        """Play everything."""
        if not self._met.entrants:
            self._begin()
        self._meet()
        level = LEVELS
        rounds = self._solve.question.rounds
        while not self.state.is_solved and len(self.state.rounds) < rounds:
            spaces = self._solve.spaces
            if self._answer(self._around(), level) or self._answer(spaces, level):
                continue
            if level:
                level -= 1
            else:
                self._check()
        self._prove()
        self._face_others()
        return self.result()

    def result(self) -> SolveResult:
        """What is known."""
        entrants = [self._met.entrants[i] for i in self.state.mixed]
        entrants += self._solve.against
        head = self._solve.head(self._games, entrants, self._solve.question.confirm)
        checksum = checksum_of(self._games.tallies.values())
        return solved(self._solve.spec, self.state, {**head, "checksum": checksum})

    def _begin(self) -> None:
        """A random deck of each faction to begin with."""
        for number, space in enumerate(self._solve.spaces):
            drawn = space.random(Random(f"{self._solve.question.seed} {number}"))
            assert drawn is not None
            self._join(self._named(space.deck(drawn), "random"))

    def _answer(self, spaces: Sequence[DeckSpace], level: int = 0) -> bool:
        """Let the best answer join if it gains more than the bound.

        Searches of a high `level` have few games: the first answers are found easily.
        """
        games = self._solve.question.games
        least = FEWEST_GAMES * len(spaces) * len(self.state.mixed)
        rounds = self._solve.question.rounds
        self._games.until = (
            f"the end of round {len(self.state.rounds) + 1} of at most {rounds}"
        )
        best = self._search(spaces, max(games // 2**level, min(games, least)))
        answer, counts = self._try(best)
        is_more = answer.gain.value > self._solve.question.bound / 100
        mixed = len(self.state.mixed)
        self.state.rounds.append(Round(len(self._met.entrants), mixed, answer, is_more))
        if is_more:
            self._add(answer, counts)
            self._meet()
        else:
            self.state.answers.append(answer)
        return is_more

    def _around(self) -> list[DeckSpace]:
        """The decks near those that come most often."""
        own = self._solve
        return [
            space_around(
                self._met.entrants[i].deck,
                own.format,
                own.database,
                changes=CHANGES,
                changes_leader=True,
            )
            for i in self.state.mixed[:NEAR]
        ]

    def _check(self) -> None:
        """Search each faction by itself: it is solved if none has an answer."""
        spaces = self._solve.spaces
        alone = [[space] for space in spaces] if len(spaces) > 1 else []
        games = self._solve.question.games
        self._games.until = "the end of a check of each faction"
        answers = [self._try(self._search(space, games)) for space in alone]
        bound = self._solve.question.bound / 100
        better = [(a, counts) for a, counts in answers if a.gain.value > bound]
        for answer, counts in better:
            self._add(answer, counts)
        if better:
            self._meet()
        else:
            self.state.answers += [answer for answer, _ in answers]
        self.state.is_solved = not better

    def _search(self, spaces: Sequence[DeckSpace], games: int) -> SearchOutcome:
        """The best answer to the mix, by a search with games of its own."""
        own = self._solve
        measure = Measure(
            own.format,
            own.database,
            list(self._met.entrants),
            own.question.policy,
            self._games,
            list(self.state.shares),
            self._next,
            games,
        )
        number = SEEDS * own.question.seed + self.state.searches
        best = find_best(spaces, measure, games, number)
        self._next = measure.next_job
        self.state.games_played += measure.played
        self.state.searches += 1
        self.state.decks_searched += best.decks
        return best

    def _try(self, best: SearchOutcome) -> tuple[Response, dict[int, Counts]]:
        """What a deck gains against the mix, in games that it was not chosen by."""
        entrant = self._named(best.deck, str(self.state.searches))
        counts = self._face(entrant, self._solve.question.pair_games)
        gain = self._gain({i: rate_of(tally) for i, tally in counts.items()})
        return Response(entrant, best.rate - HALF, gain.estimate()), counts

    def _gain(self, rates: Mapping[int, Combination]) -> Combination:
        """What a deck wins more than half against the mix."""
        shares = self.state.shares
        return gain_of([rates.get(i) for i in range(len(shares))], shares)

    def _face(
        self, entrant: Entrant, games: int, policy: str | None = None
    ) -> dict[int, Counts]:
        """What a deck came to against those of the mix; `policy` plays them all."""
        others = self.state.mixed
        pairs = [(entrant, self._met.entrants[i]) for i in others]
        if policy is not None:
            pairs = [
                (replace(a, policy=policy), replace(b, policy=policy)) for a, b in pairs
            ]
        return dict(zip(others, self._play_pairs(pairs, games), strict=True))

    def _add(self, answer: Response, counts: dict[int, Counts]) -> None:
        """Let an answer join; its games with the mix are not played again."""
        self._join(answer.entrant)
        own = len(self._met.entrants) - 1
        for other, seen in counts.items():
            self._met.counts[other, own] = seen[::-1]

    def _join(self, entrant: Entrant) -> None:
        self._met.entrants.append(entrant)

    def _meet(self) -> None:
        """Let all that have not met do so, and find the mix.

        Answers to another mix are answers no more.
        """
        self.state.answers = []
        pairs = self._met.missing()
        entrants = self._met.entrants
        who = [(entrants[a], entrants[b]) for a, b in pairs]
        played = self._play_pairs(who, self._solve.question.pair_games)
        self._met.counts |= dict(zip(pairs, played, strict=True))
        self.state.shares = mixture_of(self._met.rates())

    def _prove(self) -> None:
        """Measure all decks that might gain against the mix in fresh games.

        These are its own, those that have met them, and all answers to it. Games so far
        decided which decks these are, and when to end. The intervals of all gains hold
        together (Bonferroni), and it is solved if none reaches beyond the bound.
        """
        self._games.until = "the end of a part of the proof"
        question, shares = self._solve.question, self.state.shares
        hopes = [(Response.hoping(self._met, i, shares), g) for i, g in self._own()]
        hopes += [(other, self._proved(other.entrant)) for other in self._others()]
        # A deck that is the whole mix gains nothing against itself.
        hopes = [(response, gain) for response, gain in hopes if gain.weights]
        level = level_of(len(hopes))
        proved = [
            replace(response, gain=gain.estimate(level)) for response, gain in hopes
        ]
        if question.confirm is not None:
            proved = [self._confirmed(response, level) for response in proved]
        self.state.answers = sorted(proved, key=lambda response: -response.gain.value)
        highest = max((response.gain.interval.high for response in proved), default=0.0)
        self.state.is_solved &= highest <= question.bound / 100

    def _own(self) -> list[tuple[int, Combination]]:
        """What the decks of the mix gain against it, in fresh games."""
        mixed, entrants = self.state.mixed, self._met.entrants
        pairs = list(combinations(mixed, 2))
        who = [(entrants[a], entrants[b]) for a, b in pairs]
        counts = self._play_pairs(who, PROOF * self._solve.question.pair_games)
        rates: dict[int, dict[int, Combination]] = {i: {} for i in mixed}
        for (a, b), count in zip(pairs, counts, strict=True):
            rates[a][b] = rate_of(count)
            rates[b][a] = rates[a][b].opposite()
        return [(i, self._gain(rates[i])) for i in mixed]

    def _others(self) -> list[Response]:
        """The answers to the mix, and decks that have met it and may gain."""
        met, shares = self._met, self.state.shares
        left = [i for i in range(len(met.entrants)) if shares[i] == 0]
        level = level_of(len(left))
        gains = {i: met.gain(i, shares).interval(level) for i in left}
        near = [Response.hoping(met, i, shares) for i in left if gains[i].high >= 0]
        return [*near, *self.state.answers]

    def _proved(self, entrant: Entrant) -> Combination:
        """What a deck gains against the mix, in fresh games."""
        counts = self._face(entrant, PROOF * self._solve.question.pair_games)
        return self._gain({i: rate_of(count) for i, count in counts.items()})

    def _confirmed(self, answer: Response, level: float) -> Response:
        """An answer that another player plays once more; not the decks of the mix."""
        question = self._solve.question
        assert question.confirm is not None
        entrants = [self._met.entrants[i] for i in self.state.mixed]
        if answer.entrant in entrants:
            return answer
        games = question.confirm_games or usual_games(question.confirm, question.games)
        games = ceil(games / len(self.state.mixed))
        seen = self._face(answer.entrant, games, question.confirm)
        gain = self._gain({i: rate_of(rate) for i, rate in seen.items()})
        return replace(answer, confirmed=gain.estimate(level))

    def _face_others(self) -> None:
        """Let the decks of the mix meet those that it is to be measured against."""
        own = self.state.mixed
        places = [(i, o) for i in own for o in range(len(self._solve.against))]
        pairs = [(self._met.entrants[i], self._solve.against[o]) for i, o in places]
        played = self._play_pairs(pairs, self._solve.question.pair_games)
        self.state.against = dict(zip(places, map(rate_of, played), strict=True))

    def _play_pairs(
        self, pairs: Sequence[tuple[Entrant, ...]], games: int
    ) -> list[Counts]:
        """What the first of each pair came to; all games are new."""
        if not pairs:
            return []
        own = self._solve
        work: list[Job] = [
            job_of(own.format, own.database, (a, b), self._next + i, games)
            for i, (a, b) in enumerate(pairs)
        ]
        engines = tuple(dict.fromkeys(table_of(job).engine for job in work))
        self._games.play(work, engines)
        self._next += len(work)
        self.state.games_played += sum(job.games * job.sets for job in work)
        return [counts_of(self._games.tallies[job.number]) for job in work]

    def _named(self, deck: Deck, what: str) -> Entrant:
        """A deck with a name: its faction, and which one it is."""
        own = self._solve
        faction = own.database.factions.get(deck.faction or "")
        name = f"{faction.name if faction else 'Deck'}, {what}"
        headers = {**deck.headers, "name": (Header(name, deck.span),)}
        named = replace(deck, name=name, headers=headers)
        return Entrant(named, name, own.question.policy)


def solve_of(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
    question: SolveSpec,
) -> Solve:
    """The question what to bring as `fmt` is played.

    Raises UsageError for too few games to search with, for a faction without legal
    decks, and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    factions = [faction_of(name, fmt, database) for name in question.factions]
    spec = replace(
        question,
        factions=tuple(dict.fromkeys(factions)),
        confirm=confirming(
            question.confirm, question.confirm_games, fmt, [question.policy]
        ),
    )
    solve = Solve(fmt, database, spec, tuple(distinct_names(start)), tuple(against))
    least = FEWEST_GAMES * len(solve.spaces)
    if question.games < least:
        raise UsageError(
            f"{plural(question.games, 'game')} are too few to search with",
            f"Use {option('games')} with at least {least:,}: that is what each "
            "search plays",
        )
    return solve
