"""Finds the best deck of some spaces: random decks, a model of them, then a race.

One change is worth about a point, and to see a point takes thousands of games. So no
change is tried alone. Random decks are measured that differ in many cards at once, and
a regression tells what each card is worth (a factorial design). The decks that it, or
one of its likely errors, takes for best are measured next, and it learns from them. In
the end the best decks race in the same games, and half of them drop out in each round
(sequential halving: Karnin, Koren and Somekh, ICML 2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from deckcheck.decks import Deck
from deckcheck.studies.search.hill_climb import climb, moves_by_gain
from deckcheck.studies.search.measuring import Measure
from deckcheck.studies.search.model import Landscape, Observation, WinRates
from deckcheck.studies.search.space import Candidate, DeckSpace

DESIGN, GENERATIONS, RACE = 0.15, 0.45, 0.4
"""How the games are shared out among the parts of a search."""

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

MUTATIONS = 3
TRIES = 20


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The best deck that was found, and what the search knows of it.

    `rate` is its win rate from 0 to 1, as likely as the search can tell; it was chosen
    by these games, so it is too high more often than too low. `base_rate` is the same
    for the base of its space, where there is one. `games` are those that the deck
    played, `played` those of all, and `decks` how many decks were measured.
    """

    space: DeckSpace
    candidate: Candidate
    rate: float
    base_rate: float | None
    games: int
    played: int
    decks: int

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
        return sorted(
            self.expected, key=lambda observation: -self.expected[observation]
        )

    def at_random(self, count: int) -> list[Candidate]:
        """`count` random decks, fewer if the space is smaller; the base first."""
        base = self.space.base
        candidates: dict[Candidate, None] = {} if base is None else {base: None}
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
        self, spaces: Sequence[DeckSpace], measure: Measure, budget: int, seed: int
    ) -> None:
        """`measure` plays, and `budget` is how many games it may play.

        The same spaces, measure, budget and seed find the same deck.
        """
        self._islands = [
            Island(space, Random(f"{seed} {number}"))
            for number, space in enumerate(spaces)
        ]
        self._all = list(self._islands)
        self._measure = measure
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
        best = self.best()
        assert best is not None
        return best

    def best(self) -> SearchOutcome | None:
        """The best deck so far, None before any was measured."""
        measured = [island for island in self._all if island.expected]
        if not measured:
            return None
        island = max(measured, key=lambda island: island.expected[island.ranked()[0]])
        best, base = island.ranked()[0], island.space.base
        if base is not None and island.expected[best] <= island.expected[base]:
            best = base
        return SearchOutcome(
            island.space,
            best,
            island.expected[best] / 100,
            None if base is None else island.expected[base] / 100,
            island.games[best],
            self._measure.played,
            sum(len(island.expected) for island in self._all),
        )

    def _share(self, games: float, wanted: int) -> tuple[int, int]:
        """How many decks of each island to measure, and with how many games each."""
        islands = len(self._islands)
        smallest = self._measure.smallest
        games_each = max(smallest, min(wanted, int(games / FEWEST / islands)))
        count = int(games / games_each / islands)
        return max(4, min(MOST // islands, count)), max(games_each, int(games / MOST))

    def _play(self, chosen: dict[Island, list[Candidate]], games: int) -> None:
        """Measure candidates, all in the same games, and learn from that."""
        pairs = [
            (island, candidate) for island, own in chosen.items() for candidate in own
        ]
        if not pairs:
            return
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

    def _leave_the_better_half(self) -> None:
        """Go on with those islands whose best deck is best."""
        half = (len(self._islands) + 1) // 2
        ranked = sorted(
            self._islands, key=lambda island: -island.expected[island.ranked()[0]]
        )
        self._islands = [island for island in self._islands if island in ranked[:half]]

    def _race(self) -> None:
        """Let the best decks play on, half of them in each round, the base always."""
        smallest = self._measure.smallest
        rounds = [max(4, min(RACERS, int(RACE * self._budget / 5 / smallest)))]
        while rounds[-1] > 3:
            rounds.append(rounds[-1] // 2)
        for size in rounds:
            games = int(RACE * self._budget / len(rounds) / size)
            self._play(self._leaders(size), max(smallest, games))

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
    """The best deck found in these spaces within about `budget` games."""
    return Search(spaces, measure, budget, seed).run()
