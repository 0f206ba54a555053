"""The search for the best deck: random decks, a model of them, then a race."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from deckcheck.decks import Deck
from deckcheck.sim.entrants import Entrant
from deckcheck.studies.search.model import (
    WEIGHT_DIGITS,
    Encoding,
    Landscape,
    Observation,
    Places,
    WinRates,
)
from deckcheck.studies.search.space import Candidate, DeckSpace
from deckcheck.studies.validation_games import Floats, Measure, Scores

# Improves a deck by single changes, as a landscape values them


MOST_STEPS = 200
LEAST_GAIN = 1e-4
"""Gains below this many points are none."""

MAX_CHANGES_TRIED = 400
"""How many changes are tried for a legal one before a deck is called the top."""


def climb(
    space: DeckSpace, encoding: Encoding, landscape: Landscape, start: Candidate
) -> Candidate:
    """Return the top that is reached by always taking the change that gains most."""
    top = start
    for _ in range(MOST_STEPS):
        moves = moves_by_gain(space, encoding, landscape, top)
        gaining = takewhile(lambda move: move[0] > LEAST_GAIN, moves)
        better = (to for _, to in gaining)
        # Such a move keeps to the bounds of the space. Only the format may refuse it.
        best = next(
            (to for to in islice(better, MAX_CHANGES_TRIED) if space.is_legal(to)), None
        )
        if best is None:
            break
        top = best
    return top


def moves_by_gain(
    space: DeckSpace, encoding: Encoding, landscape: Landscape, start: Candidate
) -> Iterator[tuple[float, Candidate]]:
    """Yield all single changes of a candidate with their gains, the best first.

    A card exchanged, added or taken out, or another leader; legal or not, but no more
    changes away from the base than the space allows.
    """
    counts = np.array(start.counts)
    starts = np.array(encoding.starts)
    out = np.flatnonzero(counts > np.array(space.least))
    into = np.flatnonzero(counts < np.array(space.most))
    leader = encoding.leader(start.leader)
    first = encoding.width - len(encoding.leaders)
    # A last place that is worth nothing stands for no card at all.
    none = encoding.width
    row = encoding.row(start)
    slope = np.append(landscape.slope(row), 0.0)
    pairs = np.zeros((none + 1, none + 1))
    pairs[:none, :none] = landscape.pairs
    removed = np.append(starts[out] + counts[out] - 1, none)
    come = np.append(starts[into] + counts[into], none)
    gains = _compute_gains(slope, pairs, removed, come)
    gains[_mark_distant(space, counts, out, into)] = -np.inf
    leaders = np.arange(first, encoding.width)
    others = leaders[leaders != leader]
    of_leaders = _compute_gains(slope, pairs, np.array([leader]), others)
    flat = np.concatenate([gains.ravel(), of_leaders.ravel()])
    for index in np.argsort(-flat, kind="stable").tolist():
        if flat[index] == -np.inf:
            break
        if index >= gains.size:
            name = encoding.leaders[int(others[index - gains.size]) - first]
            yield float(flat[index]), Candidate(name, start.counts)
            continue
        i, j = divmod(index, len(come))
        moved = counts.copy()
        if i < len(out):
            moved[out[i]] -= 1
        if j < len(into):
            moved[into[j]] += 1
        if not (i < len(out) and j < len(into) and out[i] == into[j]):
            yield float(flat[index]), Candidate(start.leader, tuple(moved.tolist()))


def _mark_distant(
    space: DeckSpace, counts: Places, out: Places, into: Places
) -> npt.NDArray[np.bool_]:
    """Mark the exchanges that lead farther from the base than is allowed.

    A row for each card that goes, a column for each that comes; the last ones are for
    none.
    """
    if space.base is None or space.changes is None:
        return np.zeros((len(out) + 1, len(into) + 1), np.bool_)
    more = counts - np.array(space.base.counts)
    added = np.maximum(more, 0).sum()
    removed = np.maximum(-more, 0).sum()
    goes, comes = np.append(more[out], 0), np.append(more[into], 0)
    is_gone = np.append(np.ones(len(out), np.int64), 0)
    is_come = np.append(np.ones(len(into), np.int64), 0)
    then_added = added - is_gone * (goes > 0)
    then_removed = removed + is_gone * (goes <= 0)
    added_by = is_come * (comes >= 0)
    removed_by = -is_come * (comes < 0)
    most = np.maximum(
        then_added[:, None] + added_by, then_removed[:, None] + removed_by
    )
    too_far: npt.NDArray[np.bool_] = most > space.changes
    return too_far


def _compute_gains(slope: Floats, pairs: Floats, gone: Places, come: Places) -> Floats:
    """Return the gain of each exchange of one place for another."""
    diagonal = np.diag(pairs)
    minus = diagonal[gone] - slope[gone]
    plus = diagonal[come] + slope[come]
    gains: Floats = minus[:, None] + plus[None, :] - 2 * pairs[np.ix_(gone, come)]
    return gains


# The single changes that lead from a deck to a better one, and the decks between


MOST_BETWEEN = 80
"""How many decks between a base and a better deck are measured at most."""


Rate = Callable[[Candidate], float]


def path_to(space: DeckSpace, to: Candidate, rate: Rate) -> list[Candidate]:
    """Return the decks from the base to `to`, a change apart, the largest gain first.

    `rate` is what a deck is expected to win. All are legal: changes that are legal only
    together are made at once.
    """
    assert space.base is not None
    path = [space.base]
    while path[-1] != to:
        reached = [path[-1]]
        legal: list[Candidate] = []
        while not legal:
            reached = _list_nearer(reached, to)
            legal = [deck for deck in reached if space.holds(deck)]
        path.append(max(legal, key=rate))
    return path


def list_decks_between(space: DeckSpace, to: Candidate) -> list[Candidate]:
    """Return the base, `to`, and legal decks with some of its changes, most first.

    There are `MOST_BETWEEN` at most.
    """
    assert space.base is not None
    decks: dict[Candidate, None] = {}
    reached = [to]
    while reached and reached != [space.base]:
        decks |= dict.fromkeys(deck for deck in reached if space.holds(deck))
        if len(decks) >= MOST_BETWEEN:
            break
        reached = _list_nearer(reached, space.base)
    return [space.base, *list(decks)[: MOST_BETWEEN - 1]]


def without_idle_changes(space: DeckSpace, to: Candidate, value: Rate) -> Candidate:
    """Return the deck without the changes that lower its `value`."""
    assert space.base is not None
    best = to
    while best != space.base:
        fewer = [deck for deck in _list_nearer([best], space.base) if space.holds(deck)]
        next_best = max(fewer, key=value, default=best)
        if value(next_best) <= value(best):
            break
        best = next_best
    return best


def additive(decks: Sequence[Candidate], rates: Floats) -> Rate:
    """Return the win rate of decks as a sum over cards, by least squares.

    Cards that are worth something only together share it.
    """
    rows = np.array([_make_row(deck, decks[0]) for deck in decks])
    ones = np.ones((len(decks), 1))
    values, *_ = np.linalg.lstsq(np.hstack([ones, rows]), rates, rcond=1e-9)
    values = values.round(WEIGHT_DIGITS)
    return lambda deck: float(values[0] + _make_row(deck, decks[0]) @ values[1:])


def _make_row(deck: Candidate, first: Candidate) -> Floats:
    """Return the copies of each card, and 1 if its leader is not the first deck's."""
    return np.array([*deck.counts, deck.leader != first.leader], np.float64)


def _list_nearer(decks: Sequence[Candidate], to: Candidate) -> list[Candidate]:
    """Return all decks that are a change nearer to another deck."""
    return list(
        dict.fromkeys(near for deck in decks for near in _exchange_cards(deck, to))
    )


def _exchange_cards(deck: Candidate, to: Candidate) -> Iterator[Candidate]:
    """Yield the decks a change nearer: cards exchanged as long as both are left.

    What then is left is taken out or added alone; another leader is a change by itself.
    """
    if deck.leader != to.leader:
        yield replace(deck, leader=to.leader)
    more = [new - old for old, new in zip(deck.counts, to.counts, strict=True)]
    out: list[int | None] = [index for index, n in enumerate(more) if n < 0]
    into: list[int | None] = [index for index, n in enumerate(more) if n > 0]
    left = sum(more)
    for removed in [*out, *([None] if left > 0 or not out else [])]:
        for come in [*into, *([None] if left < 0 or not into else [])]:
            if removed is None and come is None:
                continue
            counts = list(deck.counts)
            if removed is not None:
                counts[removed] -= 1
            if come is not None:
                counts[come] += 1
            yield Candidate(deck.leader, tuple(counts))


# Finds the best deck of some spaces: random decks, a model of them, then a race


class PhaseShares(NamedTuple):
    """The shares of the games that each phase of a search plays.

    Where nothing is undone, these games go to the race.
    """

    design: float
    generations: float
    race: float
    undoing: float


USUAL_SHARES = PhaseShares(0.15, 0.45, 0.25, 0.15)
JUDGED_SHARES = PhaseShares(0.2, 0.55, 0.15, 0.1)
"""Where one player chooses and another one judges, who takes longer."""

FEWEST_GAMES = 400
"""The fewest games that are of use, for each opponent and each space."""

GENERATIONS_COUNT = 6
"""How many generations there are."""

RANDOM_GAMES, CHOSEN_GAMES = 300, 600
"""How many games each deck plays, a random one and a chosen one, if there is room."""

MAX_DECKS_AT_ONCE, MIN_DECKS_AT_ONCE = 400, 24
"""How many decks are measured at once, at most and at least."""

RACE_SIZE, JUDGED_RACERS = 64, 16
"""How many decks begin the race, and how many before another player."""

ELITE_SIZE = 12
"""From how many of the best decks new ones are made."""

BOLDNESS_LEVELS = (0.25, 0.5, 1.0)
"""How much of the likely error of the model new decks are made by, in turn."""

CHANGE_COST = 0.5
"""How many points each change of a base must gain: less does not matter to a player."""

MAX_MUTATIONS = 3
MAX_MUTATION_TRIES = 20


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The best deck of a search."""

    space: DeckSpace
    candidate: Candidate
    rate: float
    """Its expected win rate from 0 to 1, rather too high: these games chose it."""
    base_rate: float | None
    """The expected win rate of the base of its space, if there is one."""
    games: int
    """The games that the deck played."""
    played: int
    """The games of all decks."""
    decks: int
    """How many decks were measured."""
    path: tuple[Candidate, ...] = ()
    """The decks from the base to it, a change apart, or empty for the base itself."""

    @property
    def deck(self) -> Deck:
        """The deck that was found."""
        return self.space.deck(self.candidate)

    @property
    def is_base(self) -> bool:
        """Whether nothing better than the base was found."""
        return self.candidate == self.space.base


class Judge(NamedTuple):
    """The player of the decks in the race of a search, and their opponents."""

    policy: str
    opponents: Sequence[Entrant]


class Island:
    """A space, and what is known of its decks."""

    def __init__(self, space: DeckSpace, chance: Random) -> None:
        self.space = space
        self.seen: list[Observation] = []
        self.games: Counter[Candidate] = Counter()
        self.expected: dict[Candidate, float] = {}
        self._chance = chance
        self._model: WinRates | None = None

    def learn(self, observations: Iterable[Observation], games: int) -> None:
        """Record what was measured, with `games` games of each candidate."""
        for observation in observations:
            self.seen.append(observation)
            self.games[observation.candidate] += games
        if self.seen:
            before = None if self._model is None else self._model.scale
            self._model = WinRates(self.space, self.seen, before)
            self.expected = self._model.expected()

    def forget(self) -> None:
        """Forget what was measured: another player plays from now on."""
        self.seen.clear()
        self.expected.clear()
        self._model = None

    def ranked(self) -> list[Candidate]:
        """Return the measured candidates, the best first."""
        return sorted(self.expected, key=lambda candidate: -self.expected[candidate])

    @property
    def highest(self) -> float:
        """What the best of them is expected to win, in points."""
        return max(self.expected.values())

    @property
    def best(self) -> Candidate:
        """The best of them: the base, if there is one, unless another one is better."""
        best, base = self.ranked()[0], self.space.base
        if base is None or self.expected[best] > self.expected[base]:
            return best
        return base

    def rate(self, candidate: Candidate) -> float:
        """Return the expected win rate of a candidate, measured or not."""
        assert self._model is not None
        return self._model.rate(candidate)

    def at_random(self, count: int) -> list[Candidate]:
        """`count` random decks, fewer if the space is smaller.

        The base comes first, or decks that are worth beginning with.
        """
        base = self.space.base
        first = self.space.strong[:count] if base is None else (base,)
        candidates: dict[Candidate, None] = dict.fromkeys(first)
        for _ in range(MAX_MUTATION_TRIES * count):
            if len(candidates) >= count:
                break
            drawn = self.space.draw_deck(self._chance)
            if drawn is not None:
                candidates[drawn] = None
        return list(candidates)

    def promising(self, count: int) -> list[Candidate]:
        """`count` decks that were not measured yet, the most promising first."""
        candidates: dict[Candidate, None] = {}
        for proposal in self._propose_decks(self.ranked()[:ELITE_SIZE], count):
            if proposal not in self.expected:
                candidates[proposal] = None
            if len(candidates) >= count:
                break
        return list(candidates)

    def _propose_decks(
        self, elite: Sequence[Candidate], count: int
    ) -> Iterator[Candidate]:
        """Yield the tops of likely landscapes, their neighbours, and mutations."""
        assert self._model is not None
        likely, *others = self._model.draws(count, self._chance.getrandbits(32))
        for start in elite[: max(1, count // 8)]:
            yield self._climb_from(likely, start)
        for number, other in enumerate(others):
            landscape = likely.towards(
                other, BOLDNESS_LEVELS[number % len(BOLDNESS_LEVELS)]
            )
            start = elite[number % len(elite)]
            fresh = self.space.draw_deck(self._chance) if number % 4 == 3 else None
            yield self._climb_from(landscape, fresh or start)
            if number % 2:
                yield from self._find_neighbour(landscape, start)
            else:
                yield self._mutate(start)
        for _ in range(MAX_MUTATION_TRIES * count):
            yield self._mutate(self._chance.choice(elite))

    def _climb_from(self, landscape: Landscape, start: Candidate) -> Candidate:
        assert self._model is not None
        return climb(self.space, self._model.encoding, landscape, start)

    def _find_neighbour(
        self, landscape: Landscape, of: Candidate
    ) -> Iterator[Candidate]:
        """Yield the best deck one change away that was not measured."""
        assert self._model is not None
        moves = moves_by_gain(self.space, self._model.encoding, landscape, of)
        fresh = (to for _, to in moves if to not in self.expected)
        yield from islice(filter(self.space.is_legal, fresh), 1)

    def _mutate(self, of: Candidate) -> Candidate:
        """Return a deck a few random changes away."""
        steps = self._chance.randint(1, MAX_MUTATIONS)
        return self.space.wander(of, steps, self._chance)


class DeckSearch:
    """A search for the best deck of some spaces, within a budget of games."""

    def __init__(
        self,
        spaces: Sequence[DeckSpace],
        measure: Measure,
        budget: int,
        seed: int,
        *,
        undoes: bool = False,
        judge: Judge | None = None,
    ) -> None:
        """`measure` plays, and `budget` is how many games it may play.

        With `undoes`, changes of a base that gain too little are undone. With a
        `judge`, that player and its opponents play from the race on, and what others
        made of the decks no longer counts. The same spaces, measure, budget, seed and
        judge find the same deck.
        """
        self._islands = [
            Island(space, Random(f"{seed} {number}"))
            for number, space in enumerate(spaces)
        ]
        self._all = list(self._islands)
        self._measure = measure
        self._undoes = undoes and any(space.base is not None for space in spaces)
        self._budget = budget
        self._judge = judge
        self._shares = JUDGED_SHARES if judge else USUAL_SHARES
        self._round = 0

    def run(self) -> SearchOutcome:
        """Search until the games are used up; raises as `play_jobs`."""
        shares, budget = self._shares, self._budget
        count, games = self._share(shares.design * budget, RANDOM_GAMES)
        self._play({island: island.at_random(count) for island in self._islands}, games)
        share = shares.generations * budget / GENERATIONS_COUNT
        for number in range(GENERATIONS_COUNT):
            count, games = self._share(share, CHOSEN_GAMES)
            chosen = {island: island.promising(count) for island in self._islands}
            self._play(chosen, games)
            if number % 2 == 0:
                self._leave_the_better_half()
        self._play_race()
        island = self._find_best_island()
        assert island is not None
        if not self._undoes or island.best == island.space.base:
            return self._make_outcome(island, island.best)
        return self._undo(island, island.best)

    def best(self) -> SearchOutcome | None:
        """Return the best deck so far, None before any was measured."""
        island = self._find_best_island()
        return None if island is None else self._make_outcome(island, island.best)

    def _make_outcome(self, island: Island, best: Candidate) -> SearchOutcome:
        base = island.space.base
        return SearchOutcome(
            island.space,
            best,
            island.rate(best) / 100,
            None if base is None else island.rate(base) / 100,
            island.games[best],
            self._measure.played,
            sum(len(island.games) for island in self._all),
        )

    def _find_best_island(self) -> Island | None:
        """Return the island with the best deck so far, None before any was measured."""
        measured = [island for island in self._all if island.expected]
        return max(measured, key=lambda island: island.highest, default=None)

    def _share(self, games: float, wanted: int) -> tuple[int, int]:
        """Return the decks of each island to measure, and the games of each."""
        islands = len(self._islands)
        smallest = self._measure.smallest
        games_each = max(
            smallest, min(wanted, int(games / MIN_DECKS_AT_ONCE / islands))
        )
        count = int(games / games_each / islands)
        return max(4, min(MAX_DECKS_AT_ONCE // islands, count)), max(
            games_each, int(games / MAX_DECKS_AT_ONCE)
        )

    def _play(
        self,
        chosen: dict[Island, list[Candidate]],
        games: int,
        *,
        forgets: bool = False,
    ) -> Scores | None:
        """Measure candidates, all in the same games, and learn from that.

        With `forgets`, nothing counts that was learned before.
        """
        pairs = []
        for island, candidates in chosen.items():
            for candidate in candidates:
                pairs.append((island, candidate))
        if not pairs:
            return None
        decks = [island.space.deck(candidate) for island, candidate in pairs]
        scores = self._measure.play(decks, games)
        rates, variances = 100 * scores.rates, 1e4 * scores.variances
        measured = zip(pairs, rates.tolist(), variances.tolist(), strict=True)
        seen = []
        for (island, candidate), rate, variance in measured:
            seen.append((island, Observation(candidate, rate, variance, self._round)))
        self._round += 1
        if forgets:
            for island in self._all:
                island.forget()
        for island in chosen:
            island.learn([s for owner, s in seen if owner is island], scores.games)
        if (best := self.best()) is not None:
            self._measure.note = f"best so far {100 * best.rate:.1f}%"
        return scores

    def _leave_the_better_half(self) -> None:
        """Continue with those islands whose best deck is best."""
        half = (len(self._islands) + 1) // 2
        ranked = sorted(self._islands, key=lambda island: -island.highest)
        self._islands = [island for island in self._islands if island in ranked[:half]]

    def _play_race(self) -> None:
        """Let the best decks play on, half of them in each round, the base always."""
        shares, smallest = self._shares, self._measure.smallest
        share = (shares.race + (0 if self._undoes else shares.undoing)) * self._budget
        racers = JUDGED_RACERS if self._judge else RACE_SIZE
        rounds = [max(4, min(racers, int(share / 5 / smallest)))]
        while rounds[-1] > 3:
            rounds.append(rounds[-1] // 2)
        for size in rounds:
            games = int(share / len(rounds) / size)
            is_judged = self._judge is not None and size == rounds[0]
            if self._judge is not None and is_judged:
                self._measure.seat_players(*self._judge)
            leaders = self._find_leaders(size)
            self._play(leaders, max(smallest, games), forgets=is_judged)

    def _undo(self, island: Island, best: Candidate) -> SearchOutcome:
        """Undo the changes of the best deck that gain too little in further games.

        The games that chose a change flatter it, so these alone decide.
        """
        space, smallest = island.space, self._measure.smallest
        share = self._shares.undoing * self._budget
        decks = list_decks_between(space, best)[: max(4, int(share / smallest))]
        games = max(smallest, int(share / len(decks)))
        scores = self._play({island: decks}, games)
        assert scores is not None
        rate = additive(decks, 100 * scores.rates)
        best = without_idle_changes(
            space,
            best,
            lambda deck: rate(deck) - CHANGE_COST * space.count_changes(deck),
        )
        path = path_to(space, best, rate) if best != space.base else []
        return replace(self._make_outcome(island, best), path=tuple(path))

    def _find_leaders(self, count: int) -> dict[Island, list[Candidate]]:
        """Return the best candidates of all islands together, and every base."""
        pairs = []
        for island in self._all:
            for candidate in island.expected:
                pairs.append((island, candidate))
        pairs.sort(key=lambda pair: -pair[0].expected[pair[1]])
        chosen: dict[Island, list[Candidate]] = {island: [] for island in self._all}
        for island, candidate in pairs[:count]:
            chosen[island].append(candidate)
        for island, candidates in chosen.items():
            base = island.space.base
            if base is not None and base not in candidates:
                candidates.append(base)
        return {island: found for island, found in chosen.items() if found}


def find_best(
    spaces: Sequence[DeckSpace], measure: Measure, budget: int, seed: int
) -> SearchOutcome:
    """Return the best deck that `DeckSearch` finds within about `budget` games."""
    return DeckSearch(spaces, measure, budget, seed).run()
