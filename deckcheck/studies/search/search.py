"""Finds the best deck of some spaces: random decks, a model of them, then a race.

One change is worth about a point, and to see a point takes thousands of games. So no
change is tried alone. Random decks are measured that differ in many cards at once, and
a regression tells what each card is worth (a factorial design). The decks that it, or
one of its likely errors, takes for best are measured next, and it learns from them. In
the end the best decks race in the same games, and half of them drop out in each round
(sequential halving: Karnin, Koren and Somekh, ICML 2013). Where a deck is to become
better, all decks between it and the best one play once more, and changes that did not
gain enough in these games are undone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from deckcheck.decks import Deck
from deckcheck.studies.search.changes import (
    additive,
    decks_between,
    path_to,
    without_idle_changes,
)
from deckcheck.studies.search.hill_climb import climb, moves_by_gain
from deckcheck.studies.search.measuring import Measure, Scores
from deckcheck.studies.search.model import Landscape, Observation, WinRates
from deckcheck.studies.search.space import Candidate, DeckSpace

DESIGN, GENERATIONS, RACE, UNDOING = 0.15, 0.45, 0.25, 0.15
"""How the games are shared out; where nothing is undone, all race on."""

FEWEST_GAMES = 400
"""The fewest games that are of use, for each opponent and each space."""

ROUNDS = 6
"""How many generations there are."""

RANDOM_GAMES, CHOSEN_GAMES = 300, 600
"""How many games each deck plays, a random one and a chosen one, if there is room."""

MOST, FEWEST = 400, 24
"""How many decks are measured at once, at most and at least."""

RACERS = 64
"""How many decks begin the race."""

ELITE = 12
"""From how many of the best decks new ones are made."""

BOLDNESS = (0.25, 0.5, 1.0)
"""How much of the likely error of the model new decks are made by, in turn."""

COST = 0.5
"""How many points each change of a base must gain: less does not matter to a player."""

MUTATIONS = 3
TRIES = 20


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The best deck that was found, and what the search knows of it.

    `rate` is its win rate from 0 to 1, as likely as the search can tell; it was chosen
    by these games, so it is too high more often than too low. `base_rate` is the same
    for the base of its space, where there is one. `games` are those that the deck
    played, `played` those of all, and `decks` how many decks were measured. `path` are
    the decks that lead from the base to it, a change apart and the best change first,
    both included; it is empty without a base, and for the base itself.
    """

    space: DeckSpace
    candidate: Candidate
    rate: float
    base_rate: float | None
    games: int
    played: int
    decks: int
    path: tuple[Candidate, ...] = ()

    @property
    def deck(self) -> Deck:
        """The deck that was found."""
        return self.space.deck(self.candidate)

    @property
    def is_base(self) -> bool:
        """Whether nothing better than the base was found."""
        return self.candidate == self.space.base


class Island:
    """A space, and what is known of its decks."""

    def __init__(self, space: DeckSpace, chance: Random) -> None:
        self.space = space
        self.seen: list[Observation] = []
        self.games: dict[Candidate, int] = {}
        self.expected: dict[Candidate, float] = {}
        self._chance = chance
        self._model: WinRates | None = None

    def learn(self, observations: Iterable[Observation], games: int) -> None:
        """Record what was measured, with `games` games of each candidate."""
        for observation in observations:
            self.seen.append(observation)
            self.games[observation.candidate] = (
                self.games.get(observation.candidate, 0) + games
            )
        if self.seen:
            before = None if self._model is None else self._model.scale
            self._model = WinRates(self.space, self.seen, before)
            self.expected = self._model.expected()

    def ranked(self) -> list[Candidate]:
        """The candidates that were measured, the best first."""
        return sorted(self.expected, key=lambda candidate: -self.expected[candidate])

    @property
    def best(self) -> Candidate:
        """The best of them: the base, if there is one, unless another one is better."""
        best, base = self.ranked()[0], self.space.base
        is_better = base is None or self.expected[best] > self.expected[base]
        return best if is_better or base is None else base

    def rate(self, candidate: Candidate) -> float:
        """What a candidate is expected to win, measured or not."""
        assert self._model is not None
        return self._model.rate(candidate)

    def at_random(self, count: int) -> list[Candidate]:
        """`count` random decks, fewer if the space is smaller.

        The base comes first, or decks that are worth beginning with.
        """
        base = self.space.base
        first = self.space.strong[:count] if base is None else (base,)
        candidates: dict[Candidate, None] = dict.fromkeys(first)
        for _ in range(TRIES * count):
            if len(candidates) >= count:
                break
            drawn = self.space.random(self._chance)
            if drawn is not None:
                candidates[drawn] = None
        return list(candidates)

    def promising(self, count: int) -> list[Candidate]:
        """`count` decks that were not measured yet, the most promising first."""
        elite = self.ranked()[:ELITE]
        candidates: dict[Candidate, None] = {}
        for proposal in self._proposals(elite, count):
            if proposal not in self.expected:
                candidates[proposal] = None
            if len(candidates) >= count:
                break
        return list(candidates)

    def _proposals(self, elite: Sequence[Candidate], count: int) -> Iterator[Candidate]:
        """Tops of the likely landscape and others, their neighbours, mutations."""
        assert self._model is not None
        likely, *others = self._model.draws(count, self._chance.getrandbits(32))
        for start in elite[: max(1, count // 8)]:
            yield self._top(likely, start)
        for number, other in enumerate(others):
            landscape = likely.towards(other, BOLDNESS[number % len(BOLDNESS)])
            start = elite[number % len(elite)]
            fresh = self.space.random(self._chance) if number % 4 == 3 else None
            yield self._top(landscape, fresh or start)
            if number % 2:
                yield from self._neighbours(landscape, start)
            else:
                yield self._mutant(likely, start)
        for _ in range(TRIES * count):
            yield self._mutant(likely, self._chance.choice(elite))

    def _top(self, landscape: Landscape, start: Candidate) -> Candidate:
        assert self._model is not None
        return climb(self.space, self._model.encoding, landscape, start)

    def _neighbours(self, landscape: Landscape, of: Candidate) -> Iterator[Candidate]:
        """The best deck one change away that was not measured."""
        assert self._model is not None
        moves = moves_by_gain(self.space, self._model.encoding, landscape, of)
        fresh = (
            to for _, to in moves if to not in self.expected and self.space.holds(to)
        )
        yield from [to for _, to in zip(range(1), fresh, strict=False)]

    def _mutant(self, landscape: Landscape, of: Candidate) -> Candidate:
        """A deck a few random changes away."""
        steps = self._chance.randint(1, MUTATIONS)
        return self.space.wander(of, steps, self._chance)


class Search:
    """A search for the best deck of some spaces, within a budget of games."""

    def __init__(
        self,
        spaces: Sequence[DeckSpace],
        measure: Measure,
        budget: int,
        seed: int,
        *,
        undoes: bool = False,
    ) -> None:
        """`measure` plays, and `budget` is how many games it may play.

        With `undoes`, changes of a base that gain too little are undone. The same
        spaces, measure, budget and seed find the same deck.
        """
        self._islands = [
            Island(space, Random(f"{seed} {number}"))
            for number, space in enumerate(spaces)
        ]
        self._all = list(self._islands)
        self._measure = measure
        self._undoes = undoes and any(space.base is not None for space in spaces)
        self._budget = budget
        self._round = 0

    def run(self) -> SearchOutcome:
        """Search until the games are used up; raises as `play_jobs`."""
        count, games = self._share(DESIGN * self._budget, RANDOM_GAMES)
        self._play({island: island.at_random(count) for island in self._islands}, games)
        for number in range(ROUNDS):
            count, games = self._share(
                GENERATIONS * self._budget / ROUNDS, CHOSEN_GAMES
            )
            self._play(
                {island: island.promising(count) for island in self._islands}, games
            )
            if number % 2 == 0:
                self._leave_the_better_half()
        self._race()
        island = self._best_island()
        assert island is not None
        if not self._undoes or island.best == island.space.base:
            return self._outcome(island, island.best)
        return self._undo(island, island.best)

    def best(self) -> SearchOutcome | None:
        """The best deck so far, None before any was measured."""
        island = self._best_island()
        return None if island is None else self._outcome(island, island.best)

    def _outcome(self, island: Island, best: Candidate) -> SearchOutcome:
        base = island.space.base
        return SearchOutcome(
            island.space,
            best,
            island.rate(best) / 100,
            None if base is None else island.rate(base) / 100,
            island.games.get(best, 0),
            self._measure.played,
            sum(len(island.expected) for island in self._all),
        )

    def _best_island(self) -> Island | None:
        """The one with the best deck so far, None before any was measured."""
        measured = [island for island in self._all if island.expected]
        return max(
            measured,
            key=lambda island: island.expected[island.ranked()[0]],
            default=None,
        )

    def _share(self, games: float, wanted: int) -> tuple[int, int]:
        """How many decks of each island to measure, and with how many games each."""
        islands = len(self._islands)
        smallest = self._measure.smallest
        games_each = max(smallest, min(wanted, int(games / FEWEST / islands)))
        count = int(games / games_each / islands)
        return max(4, min(MOST // islands, count)), max(games_each, int(games / MOST))

    def _play(self, chosen: dict[Island, list[Candidate]], games: int) -> Scores | None:
        """Measure candidates, all in the same games, and learn from that."""
        pairs = [
            (island, candidate) for island, own in chosen.items() for candidate in own
        ]
        if not pairs:
            return None
        decks = [island.space.deck(candidate) for island, candidate in pairs]
        scores = self._measure.play(decks, games)
        rates, variances = 100 * scores.rates, 1e4 * scores.variances
        seen = [
            (island, Observation(candidate, float(rate), float(variance), self._round))
            for (island, candidate), rate, variance in zip(
                pairs, rates, variances, strict=True
            )
        ]
        self._round += 1
        for island in chosen:
            island.learn([s for owner, s in seen if owner is island], scores.games)
        best = self.best()
        if best is not None:
            self._measure.note = f"best so far {100 * best.rate:.1f} %"
        return scores

    def _leave_the_better_half(self) -> None:
        """Go on with those islands whose best deck is best."""
        half = (len(self._islands) + 1) // 2
        ranked = sorted(
            self._islands, key=lambda island: -island.expected[island.ranked()[0]]
        )
        self._islands = [island for island in self._islands if island in ranked[:half]]

    def _race(self) -> None:
        """Let the best decks play on, half of them in each round, the base always."""
        share = (RACE if self._undoes else RACE + UNDOING) * self._budget
        smallest = self._measure.smallest
        rounds = [max(4, min(RACERS, int(share / 5 / smallest)))]
        while rounds[-1] > 3:
            rounds.append(rounds[-1] // 2)
        for size in rounds:
            games = int(share / len(rounds) / size)
            self._play(self._leaders(size), max(smallest, games))

    def _undo(self, island: Island, best: Candidate) -> SearchOutcome:
        """Undo the changes of the best deck that gain too little in further games.

        The games that chose a change flatter it, so these alone decide.
        """
        space, smallest = island.space, self._measure.smallest
        room = max(4, int(UNDOING * self._budget / smallest))
        decks = decks_between(space, best)[:room]
        games = max(smallest, int(UNDOING * self._budget / len(decks)))
        scores = self._play({island: decks}, games)
        assert scores is not None
        rate = additive(decks, 100 * scores.rates)
        best = without_idle_changes(
            space, best, lambda deck: rate(deck) - COST * space.changes_of(deck)
        )
        path = path_to(space, best, rate) if best != space.base else []
        return replace(self._outcome(island, best), path=tuple(path))

    def _leaders(self, count: int) -> dict[Island, list[Candidate]]:
        """The best candidates of all islands together, and every base."""
        pairs = [
            (island.expected[c], island, c)
            for island in self._all
            for c in island.expected
        ]
        pairs.sort(key=lambda pair: -pair[0])
        chosen: dict[Island, list[Candidate]] = {island: [] for island in self._all}
        for _, island, candidate in pairs[:count]:
            chosen[island].append(candidate)
        for island, own in chosen.items():
            base = island.space.base
            if base is not None and base not in own:
                own.append(base)
        return {island: own for island, own in chosen.items() if own}


def find_best(
    spaces: Sequence[DeckSpace], measure: Measure, budget: int, seed: int
) -> SearchOutcome:
    """The best deck found in these spaces within about `budget` games, see `Search`."""
    return Search(spaces, measure, budget, seed).run()
