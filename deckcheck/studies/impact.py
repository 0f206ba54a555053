"""`impact`: the cards of a deck, swapped for others in the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
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
from deckcheck.sim.cross_checking import choosing_player
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

# The impact of each card of a deck: swapped for others in the same games


AVERAGE_CARD_COUNT = 5
"""How many cards stand together for an average one."""

WATCHED_FACTOR = 10
"""How many times the games of a version the deck as it is plays to be watched."""

RACE_FACTOR = 120
"""How many times the games of a version all versions together play in the race."""

FIRST_ROUND, ROUND_GROWTH = 0.2, 1.5
"""The games of each version in the first round of the race, relative to these, and how
many times as many each further round has."""

CONTENDER_COUNT = 3
"""How many cards are weighed in fresh games after a race: those worth least."""

FIRST_PART, SECOND_PART, WATCHED_PART, CONFIRMED_PART, LATER_PART = range(5)
"""The parts of a run: jobs are numbered by parts, later rounds of the race last."""

BEST_CARD_COUNT = 3
"""How many of the best cards are tried instead of each card."""


@dataclass(frozen=True)
class Impact(FieldStudy[ImpactSpec, ImpactResult]):
    """A deck whose cards are to be weighed; `run` does it.

    First all legal cards are tried instead of one card, and the average cards instead
    of each: that chooses what is tried instead of what. It is a race, played by a
    player who takes little time, unless the question is thorough. Then the cards worth
    least, or all, are weighed in fresh games, and so is what may replace them.
    """

    KIND = "impact"
    QUESTION = ImpactSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def swaps(self) -> list[Swap]:
        """All legal swaps; raises UsageError when there is none."""
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
        """The cards that stand for an average one."""
        return choose_average_cards(
            self.deck.deck, self.swaps, self.database, AVERAGE_CARD_COUNT
        )

    @cached_property
    def weighed(self) -> dict[str, int]:
        """The cards to weigh, with their copies: all of the deck, or the only one."""
        held, only = self.deck.deck.counts(), self.question.card
        return dict(held) if only is None else {only: held[only]}

    def answer(self, games: GameSession) -> ImpactResult:
        """Play all games."""
        sets = self._count_sets(self.question.budget)
        games.expect(self._count_race() + self._count_fresh())
        race = self._play_race(games)
        games.expect(self._count_fresh())
        second = self._play(games, self._choose_second_trial(race), SECOND_PART, sets)
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
        second = self._recall(games, self._choose_second_trial(race), SECOND_PART)
        return replace(
            self._make_result(games, race, second), measured=second is not None
        )

    def _count_race(self) -> Counter[str]:
        """Return the games of the first trial, or the most that a race may take."""
        versions = 1 + len(self._begin().trial.swaps)
        return Counter(
            {self._chooser: self._each * (RACE_FACTOR if self._is_race else versions)}
        )

    def _count_fresh(self) -> Counter[str]:
        """Return the games after the race, a few less if several swaps are the same."""
        question, policy = self.question, self.question.policies[0]
        legal = Counter(swap.out for swap in self.swaps)
        weighed = sorted(legal[card] for card in self.weighed)[-self._contenders :]
        second = 1 + sum(
            AVERAGE_CARD_COUNT + min(BEST_CARD_COUNT, most) for most in weighed
        )
        games = Counter({policy: self._each * (second + WATCHED_FACTOR)})
        if question.cross_check is not None:
            second_games = (
                ROTATION
                * len(self.field)
                * self._count_sets(count_second_games(question))
            )
            games[question.cross_check] += second_games * (2 + AVERAGE_CARD_COUNT)
        return games

    @property
    def _each(self) -> int:
        """The games of one version."""
        return ROTATION * len(self.field) * self._count_sets(self.question.budget)

    @property
    def _chooser(self) -> str:
        """Who plays the race."""
        policies, thorough = self.question.policies, self.question.thorough
        return choosing_player(policies, thorough=thorough) or policies[0]

    def _count_sets(self, games: int) -> int:
        """Return the sets with each opponent in a number of games."""
        return ceil(games / ROTATION / len(self.field))

    @property
    def _is_race(self) -> bool:
        """Whether cards drop out before all games of the first trial are played."""
        return not self.question.thorough and len(self.weighed) > CONTENDER_COUNT

    @property
    def _contenders(self) -> int:
        """How many cards are weighed in fresh games."""
        return len(self.weighed) if self.question.thorough else CONTENDER_COUNT

    def _begin(self) -> Race:
        """Return the race, in which most cards stand in for one and average for all."""
        choices = Counter(swap.out for swap in self.swaps)
        hole = max(choices, key=lambda card: choices[card])
        swaps = [swap for swap in self.swaps if swap.out == hole]
        return Race(Trial.of(self._means, swaps), hole, self._is_race)

    def _play_race(self, games: GameSession, *, plays: bool = True) -> Race:
        """Play the race to its end, or take what was played of it."""
        question = self.question
        thorough = question.thorough
        choosing = choosing_player(question.policies, thorough=thorough)
        study = self if choosing is None else self.played_by(choosing)
        play = study._play if plays else study._recall
        race = self._begin()
        for part in chain([FIRST_PART], counting(LATER_PART)):
            sets = self._count_round_sets(race)
            tried = play(games, race.open, part, sets) if sets else None
            if tried is None:
                break
            race = race.after(tried)
        return race

    def _count_round_sets(self, race: Race) -> int:
        """Return the sets with each opponent in the next round of a race; 0 at its end.

        A round has half as many games of each version more than the one before, and the
        last one as many as are left of those of the whole race.
        """
        budget, played = self.question.budget, race.rounds
        if not race.adaptive:
            return 0 if played else self._count_sets(budget)
        first = self._count_sets(ceil(FIRST_ROUND * budget))
        if not played:
            return first
        if len(race.open.means) <= CONTENDER_COUNT:
            return 0
        left = RACE_FACTOR * budget // ROTATION // len(self.field)
        left -= sum(tried.sets * (1 + len(tried.trial.swaps)) for tried in played)
        games = FIRST_ROUND * ROUND_GROWTH ** len(played) * budget
        most = left // (1 + len(race.open.swaps))
        return min(self._count_sets(ceil(games)), most) if most >= first else 0

    def _cross_check(self, games: GameSession, race: Race) -> CrossCheckResult | None:
        """Measure the card to cut, and the best card for it, by another player."""
        policy = self.question.cross_check
        if policy is None:
            return None
        card = self._to_cut(race)
        sets = self._count_sets(count_second_games(self.question))
        best = self._find_best_swaps(card, race)[:1]
        trial = Trial.of({card: self._means[card]}, best)
        tried = self.played_by(policy)._play(games, trial, CONFIRMED_PART, sets)
        return CrossCheckResult(
            policy,
            ROTATION * len(self.field) * sets,
            tried.impact(card),
            tried.gain(best[0]) if best else None,
        )

    def _to_cut(self, race: Race) -> str:
        """Return the card that is worth least in the race."""
        return self._rank_cards(race)[-1]

    def _rank_cards(self, race: Race) -> list[str]:
        """Return the cards by their impact in the race. Cards still open come last.

        A card that dropped out is clearly worth more than one of the others.
        """
        still_open = race.open.means if race.adaptive else {}
        cards = race.trial.means
        return sorted(cards, key=lambda c: (c in still_open, -race.impact(c).value))

    def _play(
        self, games: GameSession, trial: Trial, part: int, sets: int
    ) -> TriedSwaps:
        """Play a trial against each opponent."""
        tables, versions = self._tables(trial), 1 + len(trial.swaps)
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

    def _recall(
        self, games: GameSession, trial: Trial, part: int, _: int = 0
    ) -> TriedSwaps | None:
        """Return a trial as far as it was played; None unless it met all opponents."""
        numbers = range(part * len(self.field), (part + 1) * len(self.field))
        tallies = [games.tallies.get(number) for number in numbers]
        played = [t for t in tallies if t is not None and t[0, Head.SETS] >= 2]
        if len(played) < len(self.field):
            return None
        return TriedSwaps(trial, self._tables(trial), played, self.question.weights)

    def _watch(self, games: GameSession, sets: int) -> tuple[Observed, ...]:
        """Play the deck as it is in games of their own, and watch its hand."""
        cards, number = list(self.deck.deck.counts()), len(self.field)
        numbers = load_game(self.format.game).card_numbers(self.database)
        tables = []
        for table in self._tables(self._begin().trial):
            tables.append(watch_cards(table.table, numbers, cards))
        weights = self.question.weights or [1.0] * number
        part = number * sets / sum(weights)
        each = [max(1, round(part * weight)) for weight in weights]
        tallies = self.meet(games, self.deck, tables, each, first=WATCHED_PART * number)
        return measure_observed_cards(cards, tables, tallies)

    def _tables(self, trial: Trial) -> list[Versions]:
        return [
            trial.make_table(self.format, self.database, self.deck, opponent)
            for opponent in self.field
        ]

    def _choose_second_trial(self, race: Race) -> Trial:
        """Return the weakest cards, or all, and the best cards of the race instead."""
        ranked = self._rank_cards(race)[-self._contenders :]
        cards = [card for card in self.weighed if card in ranked]
        swaps = [swap for card in cards for swap in self._find_best_swaps(card, race)]
        return Trial.of({card: self._means[card] for card in cards}, swaps)

    def _find_best_swaps(self, card: str, race: Race) -> list[Swap]:
        """Return the best swaps for a card, by the race."""
        legal = set(self.swaps)
        tried = sorted(race.swaps, key=lambda swap: -race.gain(swap).value)
        swaps = [Swap(card, swap.into) for swap in tried]
        return [swap for swap in swaps if swap in legal][:BEST_CARD_COUNT]

    @cached_property
    def _means(self) -> dict[str, tuple[Swap, ...]]:
        """The average cards instead of each, as far as that is legal."""
        return choose_average_swaps(self.weighed, self.average, self.swaps)

    def _make_result(
        self,
        games: GameSession,
        race: Race,
        second: TriedSwaps | None,
        observed: Sequence[Observed] = (),
        cross_checked: CrossCheckResult | None = None,
    ) -> ImpactResult:
        ranked = self._rank_cards(race)
        played = race.rounds[0] if second is None else second
        sets = int(played.tallies[0][0, Head.SETS])
        return ImpactResult(
            **self.head(games, (self.deck, *self.field), self.question.cross_check),
            games=ROTATION * len(self.field) * sets,
            games_played=games.games_played,
            checksum=combine_checksums(games.tallies.values()),
            deck=self.deck.name,
            average=tuple(self.database.cards[card].name for card in self.average),
            cards=tuple(
                self._make_card_impact(card, race, second, observed) for card in ranked
            ),
            cut=self._to_cut(race),
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
        names, cards = [o.name for o in self.field], self.database.cards
        leads = [race.impact_against(card, i).value for i in range(len(names))]
        is_fresh = second is not None and card in second.trial.means
        measured = second if second is not None and is_fresh else race
        choosing = choosing_player(
            self.question.policies, thorough=self.question.thorough
        )
        sets = sum(row.sets for row in measured.add_sets(card))
        best = (
            self._find_best_swaps(card, race) if second is not None and is_fresh else []
        )
        return CardImpact(
            id=card,
            name=cards[card].name,
            copies=self.weighed[card],
            policy=self.deck.policy if is_fresh else choosing or self.deck.policy,
            games=ROTATION * sets,
            impact=measured.impact(card),
            most_against=names[leads.index(max(leads))],
            observed=tuple(each for each in observed if each.card == card),
            against=tuple(
                OpponentEffect(name, measured.impact_against(card, i))
                for i, name in enumerate(names)
            ),
            alternatives=tuple(
                Alternative(swap.into, cards[swap.into].name, second.gain(swap))
                for swap in best
                if second is not None
            ),
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
    use = "Name the deck whose cards are weighed"
    entrant, field, question = read_deck_and_field(fmt, deck, against, question, use)
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
