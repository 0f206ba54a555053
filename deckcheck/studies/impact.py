"""The study of `impact`: the cards of a deck, swapped for others in the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import chain
from itertools import count as counting
from math import ceil

from deckcheck.cards import CardDatabase
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import plural, quote
from deckcheck.playing.kernel import Head
from deckcheck.playing.versions import ROTATION, Versions
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.table_results import combine_checksums
from deckcheck.specs import ImpactSpec
from deckcheck.studies.duels import (
    FieldStudy,
    count_second_games,
    find_deck_card,
    list_shares,
    read_deck_and_field,
)
from deckcheck.studies.impact_result import (
    Alternative,
    CardImpact,
    CrossCheckResult,
    ImpactResult,
    OpponentEffect,
)
from deckcheck.studies.observed import (
    Observed,
    measure_observed_cards,
    watch_cards,
)
from deckcheck.studies.swaps import (
    Race,
    Swap,
    Trial,
    TriedSwaps,
    choose_average_cards,
    choose_average_swaps,
    list_legal_swaps,
)
from deckcheck.validation import DeckReport

AVERAGE_CARD_COUNT = 5
"""The number of cards that together are an average card."""
WATCHED_FACTOR = 5
"""Watched games of the deck as it is, as a multiple of the games of a version."""
RACE_FACTOR = 75
"""Games of all versions in the race, as a multiple of the games of a version."""
FIRST_ROUND = 0.2
"""Games in the first round of the race, as a multiple of the games of a version."""
ROUND_GROWTH = 1.5
"""Games in each further round, as a multiple of those of the round before."""
CONTENDER_COUNT = 3
"""The number of the weakest cards that are weighed in fresh games after a race."""
BEST_CARD_COUNT = 3
"""The number of the best cards that are tried instead of each card."""


class Part(IntEnum):
    """The parts of the study, by which jobs are numbered."""

    FIRST_ROUND = 0
    """The first round of the race."""
    SECOND_TRIAL = 1
    """The weakest cards, or all, in fresh games."""
    WATCHED_GAMES = 2
    """The deck as it is, with its hand watched."""
    CROSS_CHECK = 3
    """The weakest card, played by the second bot."""
    LATER_ROUNDS = 4
    """The second round of the race. Further rounds are numbered from here on."""


def rank_cards(race: Race) -> list[str]:
    """Return the cards by their impact, the weakest last.

    A card that dropped out of the race is clearly worth more than another card. So the
    cards that are still open come after it.
    """
    still_open = race.open.means if race.adaptive else {}
    cards = race.trial.means
    return sorted(cards, key=lambda c: (c in still_open, -race.impact(c).value))


@dataclass(frozen=True)
class Impact(FieldStudy[ImpactSpec, ImpactResult]):
    """The study of the worth of the cards of a deck.

    First all legal cards are tried instead of one card, and the average cards instead
    of each card. That chooses the best cards to try. It is a race, unless the question
    is thorough. Then the cards worth least, or all, are weighed in fresh games, and so
    are the best cards that may replace them.
    """

    KIND = "impact"
    QUESTION = ImpactSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def swaps(self) -> list[Swap]:
        """All legal swaps. Raises UsageError if there is none."""
        swaps = list_legal_swaps(self.deck.deck, self.format, self.database)
        if not swaps:
            raise UsageError(
                f"No card of {quote(self.deck.name)} can be replaced in "
                f"{quote(self.format.id)}",
                "The format leaves no choice",
            )
        return swaps

    @cached_property
    def average(self) -> list[str]:
        """The cards that together are an average card."""
        return choose_average_cards(
            self.deck.deck, self.swaps, self.database, AVERAGE_CARD_COUNT
        )

    @cached_property
    def weighed(self) -> dict[str, int]:
        """The cards to weigh with their copies: all of the deck, or the named card."""
        counts, named = self.deck.deck.counts(), self.question.card
        return dict(counts) if named is None else {named: counts[named]}

    def answer(self, games: GameSession) -> ImpactResult:
        """Play all games."""
        sets = self._count_sets(self.question.budget)
        games.expect(self._count_race() + self._count_fresh())
        race = self._play_race(games)
        games.expect(self._count_fresh())
        trial = self._choose_second_trial(race)
        second = self._play(games, trial, Part.SECOND_TRIAL, sets)
        observed = self._watch(games, sets * WATCHED_FACTOR)
        cross_checked = self._cross_check(games, race)
        return self._make_result(games, race, second, observed, cross_checked)

    def so_far(self, games: GameSession) -> ImpactResult | None:
        """Return the second trial so far, or None before all opponents were met.

        Before the second trial these are the results of the race, which also chooses.
        """
        race = self._play_race(games, plays=False)
        if not race.rounds:
            return None
        trial = self._choose_second_trial(race)
        second = self._recall(games, trial, Part.SECOND_TRIAL)
        result = self._make_result(games, race, second)
        return replace(result, measured=second is not None)

    def _count_race(self) -> Counter[str]:
        """Return the games of the first trial, or the most that a race may take."""
        versions = 1 + len(self._begin().trial.swaps)
        if self._is_race:
            versions = RACE_FACTOR
        return Counter({self.question.policies[0]: self._games_each * versions})

    def _count_fresh(self) -> Counter[str]:
        """Return the games after the race, a few less if several swaps are the same."""
        question, policy = self.question, self.question.policies[0]
        choices = Counter(swap.out for swap in self.swaps)
        most = sorted(choices[card] for card in self.weighed)[-self._contender_count :]
        versions = 1
        for count in most:
            versions += AVERAGE_CARD_COUNT + min(BEST_CARD_COUNT, count)
        games = Counter({policy: self._games_each * (versions + WATCHED_FACTOR)})
        if question.cross_check is not None:
            sets = self._count_sets(count_second_games(question))
            games_each = ROTATION * len(self.field) * sets
            games[question.cross_check] += games_each * (2 + AVERAGE_CARD_COUNT)
        return games

    @property
    def _games_each(self) -> int:
        """The games of one version."""
        return ROTATION * len(self.field) * self._count_sets(self.question.budget)

    def _count_sets(self, games: int) -> int:
        """Return the sets with each opponent in a number of games."""
        return ceil(games / ROTATION / len(self.field))

    @property
    def _is_race(self) -> bool:
        """Whether cards drop out before all games of the first trial are played."""
        return not self.question.thorough and len(self.weighed) > CONTENDER_COUNT

    @property
    def _contender_count(self) -> int:
        """The number of cards that are weighed in fresh games."""
        return len(self.weighed) if self.question.thorough else CONTENDER_COUNT

    def _begin(self) -> Race:
        """Return the race: most cards replace one card, average cards replace each."""
        choices = Counter(swap.out for swap in self.swaps)
        hole = max(choices, key=choices.__getitem__)
        swaps = [swap for swap in self.swaps if swap.out == hole]
        return Race(Trial.of(self._means, swaps), hole, self._is_race)

    def _play_race(self, games: GameSession, *, plays: bool = True) -> Race:
        """Play the race to its end, or without `plays` recall its games so far."""
        race = self._begin()
        for part in chain([Part.FIRST_ROUND], counting(Part.LATER_ROUNDS)):
            sets = self._count_round_sets(race)
            if not sets:
                break
            if plays:
                race = race.after(self._play(games, race.open, part, sets))
                continue
            recalled = self._recall(games, race.open, part)
            if recalled is None:
                break
            race = race.after(recalled)
        return race

    def _count_round_sets(self, race: Race) -> int:
        """Return the sets with each opponent in the next round of a race, 0 at its end.

        Each round has half as many games of each version again as the round before. The
        last round has as many as are left of the games of the race.
        """
        budget, played = self.question.budget, race.rounds
        if not race.adaptive:
            return 0 if played else self._count_sets(budget)
        first = self._count_sets(ceil(FIRST_ROUND * budget))
        if not played:
            return first
        left = RACE_FACTOR * budget // ROTATION // len(self.field)
        for tried in played:
            left -= tried.sets * (1 + len(tried.trial.swaps))
        most = left // (1 + len(race.open.swaps))
        if len(race.open.means) <= CONTENDER_COUNT or most < first:
            return 0
        games = FIRST_ROUND * ROUND_GROWTH ** len(played) * budget
        return min(self._count_sets(ceil(games)), most)

    def _cross_check(self, games: GameSession, race: Race) -> CrossCheckResult | None:
        """Return the weakest card, and the best card for it, by the second bot."""
        policy = self.question.cross_check
        if policy is None:
            return None
        card = rank_cards(race)[-1]
        sets = self._count_sets(count_second_games(self.question))
        best = self._find_best_swaps(card, race)[:1]
        trial = Trial.of({card: self._means[card]}, best)
        tried = self.played_by(policy)._play(games, trial, Part.CROSS_CHECK, sets)
        return CrossCheckResult(
            policy,
            ROTATION * len(self.field) * sets,
            tried.impact(card),
            tried.gain(best[0]) if best else None,
        )

    def _play(
        self, games: GameSession, trial: Trial, part: int, sets: int
    ) -> TriedSwaps:
        """Play a trial against each opponent."""
        tables, versions = self._make_tables(trial), 1 + len(trial.swaps)
        tallies = self.meet(
            games,
            self.deck,
            tables,
            [sets] * len(self.field),
            first=part * len(self.field),
            versions=versions,
            label=f"{plural(versions, 'version')} of {self.deck.name}",
        )
        return TriedSwaps(trial, tables, tallies, self.question.weights)

    def _recall(self, games: GameSession, trial: Trial, part: int) -> TriedSwaps | None:
        """Return a trial as far as it was played, None unless it met all opponents."""
        tallies = []
        for index in range(len(self.field)):
            tally = games.tallies.get(part * len(self.field) + index)
            # Variances need two sets.
            if tally is None or tally[0, Head.SETS] < 2:
                return None
            tallies.append(tally)
        tables = self._make_tables(trial)
        return TriedSwaps(trial, tables, tallies, self.question.weights)

    def _watch(self, games: GameSession, sets: int) -> tuple[Observed, ...]:
        """Play the deck as it is in games of their own, and watch its hand."""
        cards, opponents = list(self.deck.deck.counts()), len(self.field)
        numbers = load_game(self.format.game).card_numbers(self.database)
        tables = []
        for table in self._make_tables(self._begin().trial):
            tables.append(watch_cards(table.table, numbers, cards))
        weights = self.question.weights or [1.0] * opponents
        unit = opponents * sets / sum(weights)
        sets_each = [max(1, round(unit * weight)) for weight in weights]
        first = Part.WATCHED_GAMES * opponents
        tallies = self.meet(games, self.deck, tables, sets_each, first=first)
        return measure_observed_cards(cards, tables, tallies)

    def _make_tables(self, trial: Trial) -> list[Versions]:
        """Return the table of a trial against each opponent."""
        tables = []
        for opponent in self.field:
            table = trial.make_table(self.format, self.database, self.deck, opponent)
            tables.append(table)
        return tables

    def _choose_second_trial(self, race: Race) -> Trial:
        """Return the trial of the weakest cards, or all, and the best replacements."""
        ranked = rank_cards(race)[-self._contender_count :]
        means, swaps = {}, []
        for card in self.weighed:
            if card in ranked:
                means[card] = self._means[card]
                swaps += self._find_best_swaps(card, race)
        return Trial.of(means, swaps)

    def _find_best_swaps(self, card: str, race: Race) -> list[Swap]:
        """Return the best swaps for a card, by the race."""
        legal = set(self.swaps)
        tried = sorted(race.swaps, key=lambda swap: -race.gain(swap).value)
        swaps = [Swap(card, swap.into) for swap in tried]
        return [swap for swap in swaps if swap in legal][:BEST_CARD_COUNT]

    @cached_property
    def _means(self) -> dict[str, tuple[Swap, ...]]:
        """The legal swaps of each card for the average cards."""
        return choose_average_swaps(self.weighed, self.average, self.swaps)

    def _make_result(
        self,
        games: GameSession,
        race: Race,
        second: TriedSwaps | None,
        observed: Sequence[Observed] = (),
        cross_checked: CrossCheckResult | None = None,
    ) -> ImpactResult:
        """Return the result of the race, and of the second trial if it was played."""
        ranked = rank_cards(race)
        cards = [
            self._make_card_impact(card, race, second, observed) for card in ranked
        ]
        tried = race.rounds[0] if second is None else second
        return ImpactResult(
            **self.describe_run(
                games, (self.deck, *self.field), self.question.cross_check
            ),
            games=ROTATION * len(self.field) * tried.sets,
            games_played=games.games_played,
            checksum=combine_checksums(games.tallies.values()),
            deck=self.deck.name,
            average=tuple(self.database.cards[card].name for card in self.average),
            cards=tuple(cards),
            cut=ranked[-1],
            cross_checked=cross_checked,
            shares=list_shares(self.field, self.question.weights),
        )

    def _make_card_impact(
        self,
        card: str,
        race: Race,
        second: TriedSwaps | None,
        observed: Sequence[Observed],
    ) -> CardImpact:
        """Return the result of a card, measured in fresh games if there are any."""
        cards = self.database.cards
        measured: Race | TriedSwaps = race
        alternatives = []
        if second is not None and card in second.trial.means:
            measured = second
            for swap in self._find_best_swaps(card, race):
                name, gain = cards[swap.into].name, second.gain(swap)
                alternatives.append(Alternative(swap.into, name, gain))
        effects, leads = [], []
        for index, opponent in enumerate(self.field):
            effect = measured.impact_against(card, index)
            effects.append(OpponentEffect(opponent.name, effect))
            leads.append(race.impact_against(card, index).value)
        sets = sum(row.sets for row in measured.add_sets(card))
        return CardImpact(
            id=card,
            name=cards[card].name,
            copies=self.weighed[card],
            games=ROTATION * sets,
            impact=measured.impact(card),
            most_against=self.field[leads.index(max(leads))].name,
            observed=tuple(each for each in observed if each.card == card),
            against=tuple(effects),
            alternatives=tuple(alternatives),
            expected=race.impact(card).value,
        )


def make_impact(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: ImpactSpec,
) -> Impact:
    """Return the study of the cards of a deck, as `fmt` is played.

    Raises UsageError unless there is one deck and a field, and for a format in which no
    two decks meet.
    """
    help = "Name the deck whose cards are weighed"
    entrant, field, question = read_deck_and_field(fmt, deck, against, question, help)
    card = None
    if question.card is not None:
        card = find_deck_card(question.card, "card", entrant.deck, database)
    question = replace(question, card=card)
    impact = Impact(fmt, database, question, entrant, field)
    if card is not None and not any(swap.out == card for swap in impact.swaps):
        raise UsageError(
            f"No card may stand in for {quote(database.cards[card].name)} in "
            f"{quote(fmt.id)}",
            "Ask about another card",
        )
    return impact
