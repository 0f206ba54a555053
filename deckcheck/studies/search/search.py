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

__all__ = ["FEWEST_GAMES", "Found", "Island", "Search", "find_best"]

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
class Found:
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
        self.known: dict[Candidate, float] = {}
        self._chance = chance
        self._model: WinRates | None = None

    def learn(self, observations: Iterable[Observation], games: int) -> None:
        """Take note of what was measured, with so many games of each candidate."""
        for each in observations:
            self.seen.append(each)
            self.games[each.candidate] = self.games.get(each.candidate, 0) + games
        if self.seen:
            before = None if self._model is None else self._model.scale
            self._model = WinRates(self.space, self.seen, before)
            self.known = self._model.known()

    def ranked(self) -> list[Candidate]:
        """The candidates that were measured, the best first."""
        return sorted(self.known, key=lambda each: -self.known[each])

    def at_random(self, count: int) -> list[Candidate]:
        """So many random decks, fewer if the space is smaller; the base first."""
        base = self.space.base
        found: dict[Candidate, None] = {} if base is None else {base: None}
        for _ in range(TRIES * count):
            if len(found) >= count:
                break
            drawn = self.space.random(self._chance)
            if drawn is not None:
                found[drawn] = None
        return list(found)

    def promising(self, count: int) -> list[Candidate]:
        """So many decks that were not measured yet, those that promise most first."""
        elite = self.ranked()[:ELITE]
        found: dict[Candidate, None] = {}
        for each in self._proposals(elite, count):
            if each not in self.known:
                found[each] = None
            if len(found) >= count:
                break
        return list(found)

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
        fresh = (to for _, to in moves if to not in self.known and self.space.holds(to))
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

    def run(self) -> Found:
        """Search until the games are used up; raises as `play_jobs`."""
        count, games = self._share(DESIGN * self._budget, RANDOM_GAMES)
        self._play({each: each.at_random(count) for each in self._islands}, games)
        for number in range(ROUNDS):
            count, games = self._share(
                GENERATIONS * self._budget / ROUNDS, CHOSEN_GAMES
            )
            self._play({each: each.promising(count) for each in self._islands}, games)
            if number % 2 == 0:
                self._leave_the_better_half()
        self._race()
        found = self.best()
        assert found is not None
        return found

    def best(self) -> Found | None:
        """The best deck so far, None before any was measured."""
        measured = [each for each in self._all if each.known]
        if not measured:
            return None
        island = max(measured, key=lambda each: each.known[each.ranked()[0]])
        best, base = island.ranked()[0], island.space.base
        if base is not None and island.known[best] <= island.known[base]:
            best = base
        return Found(
            island.space,
            best,
            island.known[best] / 100,
            None if base is None else island.known[base] / 100,
            island.games[best],
            self._measure.played,
            sum(len(each.known) for each in self._all),
        )

    def _share(self, games: float, wanted: int) -> tuple[int, int]:
        """How many decks of each island to measure with so many games, and how long."""
        islands = len(self._islands)
        smallest = self._measure.smallest
        each = max(smallest, min(wanted, int(games / FEWEST / islands)))
        count = int(games / each / islands)
        return max(4, min(MOST // islands, count)), max(each, int(games / MOST))

    def _play(self, chosen: dict[Island, list[Candidate]], games: int) -> None:
        """Measure candidates, all in the same games, and learn from that."""
        pairs = [(island, each) for island, own in chosen.items() for each in own]
        if not pairs:
            return
        decks = [island.space.deck(each) for island, each in pairs]
        scores = self._measure.play(decks, games)
        rates, variances = 100 * scores.rates, 1e4 * scores.variances
        seen = [
            (island, Observation(each, float(rate), float(variance), self._round))
            for (island, each), rate, variance in zip(
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
        ranked = sorted(self._islands, key=lambda each: -each.known[each.ranked()[0]])
        self._islands = [each for each in self._islands if each in ranked[:half]]

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
        pairs = [(each.known[c], each, c) for each in self._all for c in each.known]
        pairs.sort(key=lambda pair: -pair[0])
        chosen: dict[Island, list[Candidate]] = {each: [] for each in self._all}
        for _, island, candidate in pairs[:count]:
            chosen[island].append(candidate)
        for island, own in chosen.items():
            base = island.space.base
            if base is not None and base not in own:
                own.append(base)
        return {island: own for island, own in chosen.items() if own}


def find_best(
    spaces: Sequence[DeckSpace], measure: Measure, budget: int, seed: int
) -> Found:
    """The best deck found in these spaces within about `budget` games."""
    return Search(spaces, measure, budget, seed).run()
