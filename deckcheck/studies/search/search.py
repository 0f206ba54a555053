"""The search for the best deck: random decks, a model of them, then a race."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from random import Random
from typing import NamedTuple, TypeAlias

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

# Single changes that improve a deck by the values of a landscape

MAX_STEPS = 200
"""The most changes of a climb."""
MIN_GAIN = 1e-4
"""The gain, in points, up to which a change is no gain."""
MAX_CHANGES_TRIED = 400
"""The most changes that are tried for a legal change before a climb ends."""


def climb(
    space: DeckSpace, encoding: Encoding, landscape: Landscape, start: Candidate
) -> Candidate:
    """Return the deck that is reached by always making the change that gains most."""
    top = start
    for _ in range(MAX_STEPS):
        changes = rank_changes(space, encoding, landscape, top, MIN_GAIN)
        for changed in islice(changes, MAX_CHANGES_TRIED):
            # The change keeps to the bounds of the space. Only the format may refuse.
            if space.is_legal(changed):
                top = changed
                break
        else:
            return top
    return top


def rank_changes(
    space: DeckSpace,
    encoding: Encoding,
    landscape: Landscape,
    deck: Candidate,
    above: float = -np.inf,
) -> Iterator[Candidate]:
    """Yield all single changes of a candidate that gain more than `above`, best first.

    A card is exchanged, added or removed, or the leader replaced. The decks are legal
    or not, but within the distance from the base that the space allows.
    """
    counts = np.array(deck.counts)
    starts = np.array(encoding.starts)
    removable = np.flatnonzero(counts > np.array(space.least))
    addable = np.flatnonzero(counts < np.array(space.most))
    # An additional last place, which is worth nothing, is for no card at all. So a
    # change without a removed or an added card is in the last row or column of `gains`.
    no_card = encoding.width
    slope = np.append(landscape.slope(encoding.row(deck)), 0.0)
    pairs = np.zeros((no_card + 1, no_card + 1))
    pairs[:no_card, :no_card] = landscape.pairs
    removed = np.append(starts[removable] + counts[removable] - 1, no_card)
    added = np.append(starts[addable] + counts[addable], no_card)
    gains = _compute_gains(slope, pairs, removed, added)
    gains[_mark_distant(space, counts, removable, addable)] = -np.inf
    first_leader = encoding.width - len(encoding.leaders)
    leader = encoding.leader(deck.leader)
    leaders = np.arange(first_leader, encoding.width)
    others = leaders[leaders != leader]
    leader_gains = _compute_gains(slope, pairs, np.array([leader]), others)
    all_gains = np.concatenate([gains.ravel(), leader_gains.ravel()])
    gaining = np.flatnonzero(all_gains > above)
    order = np.argsort(-all_gains[gaining], kind="stable")
    for index in gaining[order].tolist():
        leader_index = index - gains.size
        if leader_index >= 0:
            place = int(others[leader_index])
            name = encoding.leaders[place - first_leader]
            yield Candidate(name, deck.counts)
            continue
        row, column = divmod(index, len(added))
        changed = counts.copy()
        if row < len(removable):
            changed[removable[row]] -= 1
        if column < len(addable):
            changed[addable[column]] += 1
        is_exchange = row < len(removable) and column < len(addable)
        if not (is_exchange and removable[row] == addable[column]):
            yield Candidate(deck.leader, tuple(changed.tolist()))


def _mark_distant(
    space: DeckSpace, counts: Places, removable: Places, addable: Places
) -> npt.NDArray[np.bool_]:
    """Return whether each exchange leads farther from the base than is allowed.

    The array has a row for each card to remove, a column for each card to add, and a
    last row and column for no card.
    """
    if space.base is None or space.changes is None:
        return np.zeros((len(removable) + 1, len(addable) + 1), np.bool_)
    surplus = counts - np.array(space.base.counts)
    added = np.maximum(surplus, 0).sum()
    removed = np.maximum(-surplus, 0).sum()
    is_card_removed = np.append(np.ones(len(removable), np.int64), 0)
    is_card_added = np.append(np.ones(len(addable), np.int64), 0)
    surplus_removed = np.append(surplus[removable], 0)
    surplus_added = np.append(surplus[addable], 0)
    # A card that is removed was added before, or is a further card that is removed.
    added_then = added - is_card_removed * (surplus_removed > 0)
    removed_then = removed + is_card_removed * (surplus_removed <= 0)
    more_added = is_card_added * (surplus_added >= 0)
    less_removed = -is_card_added * (surplus_added < 0)
    distance = np.maximum(
        added_then[:, None] + more_added, removed_then[:, None] + less_removed
    )
    return np.asarray(distance > space.changes)


def _compute_gains(
    slope: Floats, pairs: Floats, removed: Places, added: Places
) -> Floats:
    """Return the gain of each exchange of one place for another."""
    diagonal = np.diag(pairs)
    losses = diagonal[removed] - slope[removed]
    gains = diagonal[added] + slope[added]
    both = 2 * pairs[np.ix_(removed, added)]
    return np.asarray(losses[:, None] + gains[None, :] - both)


# The changes that lead from a deck to a better deck, and the decks between

MAX_BETWEEN = 80
"""The most decks between a base and a better deck that are measured."""

Rate: TypeAlias = Callable[[Candidate], float]
"""The expected win rate of a deck, in points."""


def path_to(space: DeckSpace, to: Candidate, rate: Rate) -> list[Candidate]:
    """Return the decks from the base to `to`, a change apart, the largest gain first.

    All decks are legal: changes that are legal only together are made at once.
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

    There are `MAX_BETWEEN` at most.
    """
    assert space.base is not None
    decks: dict[Candidate, None] = {}
    reached = [to]
    while reached and reached != [space.base]:
        decks |= dict.fromkeys(deck for deck in reached if space.holds(deck))
        if len(decks) >= MAX_BETWEEN:
            break
        reached = _list_nearer(reached, space.base)
    return [space.base, *list(decks)[: MAX_BETWEEN - 1]]


def undo_idle_changes(space: DeckSpace, to: Candidate, value: Rate) -> Candidate:
    """Return a deck without the changes from the base that lower its `value`."""
    assert space.base is not None
    best = to
    while best != space.base:
        fewer = [deck for deck in _list_nearer([best], space.base) if space.holds(deck)]
        next_best = max(fewer, key=value, default=best)
        if value(next_best) <= value(best):
            break
        best = next_best
    return best


def fit_sum(decks: Sequence[Candidate], rates: Floats) -> Rate:
    """Return the win rate of decks as a sum over cards, by least squares.

    The worth that cards have only together is shared among them.
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
    nearer: dict[Candidate, None] = {}
    for deck in decks:
        nearer |= dict.fromkeys(_exchange_cards(deck, to))
    return list(nearer)


def _exchange_cards(deck: Candidate, to: Candidate) -> Iterator[Candidate]:
    """Yield the decks a change nearer: cards are exchanged if there are any of both.

    Cards that are left are added or removed alone. Another leader is a change by
    itself.
    """
    if deck.leader != to.leader:
        yield replace(deck, leader=to.leader)
    missing = [new - old for old, new in zip(deck.counts, to.counts, strict=True)]
    # None is for no card.
    removable: list[int | None] = []
    addable: list[int | None] = []
    for card, number in enumerate(missing):
        if number < 0:
            removable.append(card)
        elif number > 0:
            addable.append(card)
    growth = sum(missing)
    if growth > 0 or not removable:
        removable.append(None)
    if growth < 0 or not addable:
        addable.append(None)
    for removed, added in product(removable, addable):
        if removed is None and added is None:
            continue
        counts = list(deck.counts)
        if removed is not None:
            counts[removed] -= 1
        if added is not None:
            counts[added] += 1
        yield Candidate(deck.leader, tuple(counts))


# The search: random decks, a model of them, then a race


class PhaseShares(NamedTuple):
    """The shares of the games that each phase of a search plays."""

    design: float
    """The share of random decks."""
    generations: float
    """The share of decks that the model proposes."""
    race: float
    """The share of the race of the best decks."""
    undoing: float
    """The share of decks with some changes undone. Without them it goes to the race."""


USUAL_SHARES = PhaseShares(0.15, 0.45, 0.25, 0.15)
JUDGED_SHARES = PhaseShares(0.2, 0.55, 0.15, 0.1)
"""The shares if a second bot, which takes longer, plays from the race on."""
FEWEST_GAMES = 400
"""The fewest games that are of use, for each opponent and each space."""
GENERATION_COUNT = 6
GAMES_EACH = 100
"""The games of each deck before the race, if there is room.

Many decks with few games each tell more about cards than few decks with many.
"""
MAX_DECKS_AT_ONCE = 400
MIN_DECKS_AT_ONCE = 24
MIN_DECKS = 4
"""The fewest decks of an island, of a race, and of undone changes."""
POINTS_PER_RATE = 100
RACE_SIZE = 64
"""The number of decks that begin the race."""
JUDGED_RACE_SIZE = 16
"""The number of decks that begin the race if a second bot plays it."""
ELITE_SIZE = 12
"""The number of best decks from which new decks are made."""
BOLDNESS_LEVELS = (0.25, 0.5, 1.0)
"""The parts of the likely error of the model by which new decks are made, in turn."""
CHANGE_COST = 0.5
"""The points that each change of a base must gain. Less does not matter to a player."""
MAX_MUTATIONS = 3
MAX_MUTATION_TRIES = 20
"""The most mutations that are tried for each new deck."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """The best deck of a search."""

    space: DeckSpace
    """The space of the deck."""
    candidate: Candidate
    rate: float
    """Its expected win rate from 0 to 1, rather too high: these games chose it."""
    base_rate: float | None
    """The expected win rate of the base of its space, if there is one."""
    games: int
    """The number of games that the deck played."""
    played: int
    """The number of games of all decks."""
    decks: int
    """The number of decks that were measured."""
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
    """A space with the results of its decks: `games` and `expected` win rates."""

    def __init__(self, space: DeckSpace, generator: Random) -> None:
        self.space = space
        self.seen: list[Observation] = []
        self.games: Counter[Candidate] = Counter()
        self.expected: dict[Candidate, float] = {}
        self._generator = generator
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
        """Forget the results, since another bot plays from now on."""
        self.seen.clear()
        self.expected.clear()
        self._model = None

    def ranked(self) -> list[Candidate]:
        """Return the measured candidates, the best first."""
        return sorted(self.expected, key=lambda candidate: -self.expected[candidate])

    @property
    def highest(self) -> float:
        """The expected win rate of the best deck, in points."""
        return max(self.expected.values())

    @property
    def best(self) -> Candidate:
        """The best deck: the base, if there is one, unless another deck is better."""
        best, base = self.ranked()[0], self.space.base
        if base is None or self.expected[best] > self.expected[base]:
            return best
        return base

    def rate(self, candidate: Candidate) -> float:
        """Return the expected win rate of a candidate, measured or not."""
        assert self._model is not None
        return self._model.rate(candidate)

    def draw_decks(self, count: int) -> list[Candidate]:
        """Return `count` random decks, fewer if the space is smaller.

        The base comes first, or the strong decks of the space.
        """
        base = self.space.base
        first = self.space.strong[:count] if base is None else (base,)
        candidates: dict[Candidate, None] = dict.fromkeys(first)
        for _ in range(MAX_MUTATION_TRIES * count):
            if len(candidates) >= count:
                break
            drawn = self.space.draw_deck(self._generator)
            if drawn is not None:
                candidates[drawn] = None
        return list(candidates)

    def choose_promising(self, count: int) -> list[Candidate]:
        """Return `count` decks that were not measured yet, the most promising first."""
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
        """Yield the tops of the likely landscape and of others, neighbours, mutations.

        In turn a landscape is climbed from each deck of the elite, every fourth time
        from a random deck. Then a neighbour, or a mutation, of the elite follows.
        """
        assert self._model is not None
        generator = self._generator
        likely, *others = self._model.draws(count, generator.getrandbits(32))
        for start in elite[: max(1, count // 8)]:
            yield self._climb_from(likely, start)
        for number, other in enumerate(others):
            boldness = BOLDNESS_LEVELS[number % len(BOLDNESS_LEVELS)]
            landscape = likely.towards(other, boldness)
            elite_deck = elite[number % len(elite)]
            start = elite_deck
            if number % 4 == 3:
                start = self.space.draw_deck(generator) or elite_deck
            yield self._climb_from(landscape, start)
            if number % 2:
                yield from self._find_neighbour(landscape, elite_deck)
            else:
                yield self._mutate(elite_deck)
        for _ in range(MAX_MUTATION_TRIES * count):
            yield self._mutate(generator.choice(elite))

    def _climb_from(self, landscape: Landscape, start: Candidate) -> Candidate:
        """Return the top of a landscape that is reached from a deck."""
        assert self._model is not None
        return climb(self.space, self._model.encoding, landscape, start)

    def _find_neighbour(
        self, landscape: Landscape, deck: Candidate
    ) -> Iterator[Candidate]:
        """Yield the best deck one change away that was not measured, if any."""
        assert self._model is not None
        encoding = self._model.encoding
        for changed in rank_changes(self.space, encoding, landscape, deck):
            if changed not in self.expected and self.space.is_legal(changed):
                yield changed
                return

    def _mutate(self, deck: Candidate) -> Candidate:
        """Return a deck a few random changes away."""
        steps = self._generator.randint(1, MAX_MUTATIONS)
        return self.space.wander(deck, steps, self._generator)


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
        """Begin a search in which `measure` may play `budget` games.

        With `undoes`, changes of a base that gain too little are undone. With a
        `judge`, that bot and its opponents play from the race on, and results by other
        bots no longer count. The same spaces, measure, budget, seed and judge find the
        same deck.
        """
        self._all: list[Island] = []
        for number, space in enumerate(spaces):
            self._all.append(Island(space, Random(f"{seed} {number}")))
        self._islands = list(self._all)
        self._measure = measure
        self._undoes = undoes and any(space.base is not None for space in spaces)
        self._budget = budget
        self._judge = judge
        self._shares = JUDGED_SHARES if judge else USUAL_SHARES
        self._round = 0

    def run(self) -> SearchOutcome:
        """Search until the games are used up. Raises as `Measure.play_jobs`."""
        shares, budget = self._shares, self._budget
        count, games = self._share_games(shares.design * budget)
        drawn = {island: island.draw_decks(count) for island in self._islands}
        self._play(drawn, games)
        games_of_generation = shares.generations * budget / GENERATION_COUNT
        for number in range(GENERATION_COUNT):
            count, games = self._share_games(games_of_generation)
            chosen = {
                island: island.choose_promising(count) for island in self._islands
            }
            self._play(chosen, games)
            if number % 2 == 0:
                self._keep_better_half()
        self._play_race()
        island = self._find_best_island()
        assert island is not None
        if not self._undoes or island.best == island.space.base:
            return self._make_outcome(island, island.best)
        return self._undo(island, island.best)

    def best(self) -> SearchOutcome | None:
        """Return the best deck so far, None before any was measured."""
        island = self._find_best_island()
        if island is None:
            return None
        return self._make_outcome(island, island.best)

    def _make_outcome(self, island: Island, best: Candidate) -> SearchOutcome:
        """Return the outcome with the best deck, which is in an island."""
        base, base_rate = island.space.base, None
        if base is not None:
            base_rate = island.rate(base) / POINTS_PER_RATE
        return SearchOutcome(
            island.space,
            best,
            rate=island.rate(best) / POINTS_PER_RATE,
            base_rate=base_rate,
            games=island.games[best],
            played=self._measure.played,
            decks=sum(len(island.games) for island in self._all),
        )

    def _find_best_island(self) -> Island | None:
        """Return the island with the best deck so far, None before any was measured."""
        measured = [island for island in self._all if island.expected]
        return max(measured, key=lambda island: island.highest, default=None)

    def _share_games(self, games: float) -> tuple[int, int]:
        """Return the decks of each island to measure, and the games of each deck.

        A deck plays `GAMES_EACH`, fewer if they would be too many for the fewest
        decks at once, and more if they would be too few for the most decks.
        """
        islands = len(self._islands)
        most_each = int(games / MIN_DECKS_AT_ONCE / islands)
        games_each = max(self._measure.smallest, min(GAMES_EACH, most_each))
        count = int(games / games_each / islands)
        count = max(MIN_DECKS, min(MAX_DECKS_AT_ONCE // islands, count))
        return count, max(games_each, int(games / MAX_DECKS_AT_ONCE))

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
        rates = (POINTS_PER_RATE * scores.rates).tolist()
        variances = (POINTS_PER_RATE**2 * scores.variances).tolist()
        seen: dict[Island, list[Observation]] = {island: [] for island in chosen}
        for (island, candidate), rate, variance in zip(
            pairs, rates, variances, strict=True
        ):
            seen[island].append(Observation(candidate, rate, variance, self._round))
        self._round += 1
        if forgets:
            for island in self._all:
                island.forget()
        for island, observations in seen.items():
            island.learn(observations, scores.games)
        best = self.best()
        if best is not None:
            self._measure.note = f"best so far {100 * best.rate:.1f}%"
        return scores

    def _keep_better_half(self) -> None:
        """Continue with the half of the islands with the best decks."""
        half = (len(self._islands) + 1) // 2
        ranked = sorted(self._islands, key=lambda island: -island.highest)
        self._islands = [island for island in self._islands if island in ranked[:half]]

    def _play_race(self) -> None:
        """Let the best decks play on, half of them in each round, the base always."""
        share, racers = self._shares.race, RACE_SIZE
        if not self._undoes:
            share += self._shares.undoing
        if self._judge is not None:
            racers = JUDGED_RACE_SIZE
        games, smallest = share * self._budget, self._measure.smallest
        # Each deck plays at least a set with each opponent in each of about 5 rounds.
        sizes = [max(MIN_DECKS, min(racers, int(games / 5 / smallest)))]
        while sizes[-1] >= MIN_DECKS:
            sizes.append(sizes[-1] // 2)
        for number, size in enumerate(sizes):
            judge = self._judge if number == 0 else None
            if judge is not None:
                self._measure.seat_players(judge.policy, judge.opponents)
            games_each = max(smallest, int(games / len(sizes) / size))
            leaders = self._find_leaders(size)
            self._play(leaders, games_each, forgets=judge is not None)

    def _undo(self, island: Island, best: Candidate) -> SearchOutcome:
        """Undo the changes of the best deck that gain too little in further games.

        The games that chose a change flatter it, so only these further games decide.
        """
        space, smallest = island.space, self._measure.smallest
        games = self._shares.undoing * self._budget
        most = max(MIN_DECKS, int(games / smallest))
        decks = list_decks_between(space, best)[:most]
        games_each = max(smallest, int(games / len(decks)))
        scores = self._play({island: decks}, games_each)
        assert scores is not None
        rate = fit_sum(decks, POINTS_PER_RATE * scores.rates)

        def value(deck: Candidate) -> float:
            return rate(deck) - CHANGE_COST * space.count_changes(deck)

        best = undo_idle_changes(space, best, value)
        outcome = self._make_outcome(island, best)
        if best == space.base:
            return outcome
        return replace(outcome, path=tuple(path_to(space, best, rate)))

    def _find_leaders(self, count: int) -> dict[Island, list[Candidate]]:
        """Return the best candidates of all islands together, and every base."""
        pairs = []
        for island in self._all:
            for candidate in island.expected:
                pairs.append((island, candidate))
        pairs.sort(key=lambda pair: pair[0].expected[pair[1]], reverse=True)
        chosen: dict[Island, list[Candidate]] = {island: [] for island in self._all}
        for island, candidate in pairs[:count]:
            chosen[island].append(candidate)
        for island, candidates in chosen.items():
            base = island.space.base
            if base is not None and base not in candidates:
                candidates.append(base)
        return {island: decks for island, decks in chosen.items() if decks}


def find_best(
    spaces: Sequence[DeckSpace], measure: Measure, budget: int, seed: int
) -> SearchOutcome:
    """Return the best deck that `DeckSearch` finds within about `budget` games."""
    return DeckSearch(spaces, measure, budget, seed).run()
