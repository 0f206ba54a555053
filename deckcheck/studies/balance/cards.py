"""Cards of a field above or below their peers: use, and caused impact."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, hypot
from statistics import fmean

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.formats import Format
from deckcheck.playing.host.contrasts import Contrasts, with_swapped_decks
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, seat_version
from deckcheck.playing.tally import Ints
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.stats import Interval
from deckcheck.studies.impact.swaps import Swap, average_cards, legal_swaps
from deckcheck.studies.impact.trial import Effect, Trial, Tried

AVERAGE = 3
"""How many cards stand together for an average one."""

FEWEST_PEERS = 3


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A card compared with its peers: the other cards of its kind in the field.

    `use` is the part of the field that holds it, 0 to 1. `worth` is what one copy is
    worth in these decks, compared with an average card, `peers` what its peers are
    worth in the mean, known within `peers_reach`, `above` the difference.
    """

    id: str
    name: str
    kind: str
    decks: int
    use: float
    worth: Effect
    peers: float
    peers_reach: float = 0.0

    @property
    def above(self) -> Effect:
        """By how much it is worth more than its peers, who are known less well too."""
        low, high = self.worth.interval
        value = self.worth.value - self.peers
        below = hypot(self.worth.value - low, self.peers_reach)
        above = hypot(high - self.worth.value, self.peers_reach)
        return Effect(value, Interval(value - below, value + above))


@dataclass(frozen=True)
class CardTrial:
    """Cards of each deck of a field, each replaced by average cards.

    `cards` are those that are tried, by id, all of them if there are none.
    """

    format: Format
    database: CardDatabase
    entrants: tuple[Entrant, ...]
    cards: frozenset[str] = frozenset()

    def jobs(self, first: int, games: int) -> list[Job]:
        """A job for each deck and opponent, numbered from `first` on.

        Each version of a deck plays at least `games`, over all its opponents.
        """
        sets = ceil(games / ROTATION / (len(self.entrants) - 1))
        return [
            Job(
                first + i * len(self.entrants) + o,
                f"cards of {self.entrants[i].name} against {self.entrants[o].name}",
                table,
                (self.entrants[o].policy, self.entrants[i].policy, "cards"),
                sets,
                ROTATION * (1 + len(table.decks)),
                names=(self.entrants[i].name, self.entrants[o].name),
            )
            for i, tables in self.tables.items()
            for o, table in tables.items()
        ]

    @cached_property
    def trials(self) -> Mapping[int, Trial]:
        """What is tried of each deck, by its place; not of those without such cards."""
        trials = {}
        for i, entrant in enumerate(self.entrants):
            trial = self._trial(entrant)
            if trial.swaps:
                trials[i] = trial
        return trials

    @cached_property
    def tables(self) -> Mapping[int, Mapping[int, Contrasts]]:
        """The tables of each of these decks, by the place of the opponent."""
        others = range(len(self.entrants))
        return {
            i: {o: self._table(i, o, trial) for o in others if o != i}
            for i, trial in self.trials.items()
        }

    def tried(self, first: int, tallies: Mapping[int, Ints]) -> dict[int, Tried]:
        """What came of the jobs from `first` on, for each deck."""
        return {
            i: Tried(
                self.trials[i],
                list(tables.values()),
                [tallies[first + i * len(self.entrants) + o] for o in tables],
            )
            for i, tables in self.tables.items()
        }

    def _trial(self, entrant: Entrant) -> Trial:
        deck = entrant.deck
        swaps = legal_swaps(deck, self.format, self.database)
        legal = set(swaps)
        average = average_cards(deck, swaps, self.database, AVERAGE)
        means = {}
        for card in deck.counts():
            if not self.cards or card in self.cards:
                candidates = (Swap(card, into) for into in average)
                trial = tuple(swap for swap in candidates if swap in legal)
                if trial:
                    means[card] = trial
        every = (swap for mean in means.values() for swap in mean)
        return Trial(tuple(dict.fromkeys(every)), means)

    def _table(self, own: int, other: int, trial: Trial) -> Contrasts:
        deck, opponent = self.entrants[own].deck, self.entrants[other]
        table = seat_version(
            self.format,
            self.database,
            seat(opponent.deck, opponent.policy),
            seat(deck, self.entrants[own].policy),
        )
        numbers = load_game(self.format.game).card_numbers(self.database)
        decks = [deck, *(swap.of(deck) for swap in trial.swaps)]
        counts = [dict(deck.counts()) for deck in decks]
        return with_swapped_decks(table, numbers, counts, trial.contrasts)


@dataclass(frozen=True, slots=True)
class Worth:
    """What a card is worth over the decks that hold it, by their places.

    `reaches` are the parts that each of them has in the reach of the interval.
    """

    effect: Effect
    reaches: Mapping[int, float]

    @property
    def decks(self) -> list[int]:
        """The decks that hold it."""
        return list(self.reaches)


Worths = dict[str, Worth]
"""What cards are worth, by id."""


def worths_of(tried: Mapping[int, Tried], weights: Sequence[float]) -> Worths:
    """What each card is worth; decks count by their `weights`, alike if all are 0."""
    holders: dict[str, list[int]] = {}
    for i, trial in tried.items():
        for card in trial.trial.means:
            holders.setdefault(card, []).append(i)
    worths: Worths = {}
    for card, decks in holders.items():
        parts = [weights[i] for i in decks]
        if not any(parts):
            parts = [1.0] * len(decks)
        effects = [tried[i].worth(card) for i in decks]
        total = sum(parts)
        pairs = list(zip(parts, effects, strict=True))
        value = sum(part * e.value for part, e in pairs) / total
        below = hypot(*(part * (e.value - e.interval.low) for part, e in pairs)) / total
        above = hypot(*(part * (e.interval.high - e.value) for part, e in pairs))
        effect = Effect(value, Interval(value - below, value + above / total))
        reaches = {
            deck: part * (e.interval.high - e.interval.low) / 2 / total
            for deck, (part, e) in zip(decks, pairs, strict=True)
        }
        worths[card] = Worth(effect, reaches)
    return worths


def named_cards(
    worths: Worths, again: Worths, database: CardDatabase, weights: Sequence[float]
) -> list[CardPlace]:
    """The cards of `again` compared with their peers, in the order of `worths`.

    First comes the card that is above its peers most surely: by the lower end of the
    interval, the last by the upper end.
    """
    places = {card: _place(card, worths, worths, database, weights) for card in again}
    above = [c for c in again if places[c].above.value >= 0]
    below = [c for c in again if places[c].above.value < 0]
    above.sort(key=lambda c: -round(places[c].above.interval.low, 9))
    below.sort(key=lambda c: -round(places[c].above.interval.high, 9))
    return [_place(card, worths, again, database, weights) for card in (*above, *below)]


def _place(
    card: str,
    worths: Worths,
    measured: Worths,
    database: CardDatabase,
    weights: Sequence[float],
) -> CardPlace:
    worth, decks = measured[card].effect, measured[card].decks
    kind = database.cards[card].kind
    others = [id for id in worths if id != card]
    peers = [id for id in others if database.cards[id].kind == kind]
    if len(peers) < FEWEST_PEERS:
        peers = others
    return CardPlace(
        card,
        database.cards[card].name,
        kind,
        len(decks),
        sum(weights[i] for i in decks) / sum(weights),
        worth,
        fmean(worths[id].effect.value for id in peers) if peers else 0.0,
        _reach_of_mean([worths[id] for id in peers]),
    )


def _reach_of_mean(worths: Sequence[Worth]) -> float:
    """How well the mean worth of several cards is known.

    Cards of one deck were tried in the same games: at worst they err all together.
    Those of different decks played other games.
    """
    by_deck: dict[int, float] = {}
    for worth in worths:
        for deck, reach in worth.reaches.items():
            by_deck[deck] = by_deck.get(deck, 0.0) + reach / len(worths)
    return hypot(*by_deck.values())
