"""The study of `balance`: the games of the search, then the validation games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import quote
from deckcheck.sim import MAX_GAMES
from deckcheck.sim.cross_checking import usual_games
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.study import Interrupted
from deckcheck.sim.table_results import combine_checksums
from deckcheck.stats import mean_score
from deckcheck.studies.balance.field import BalancedField
from deckcheck.studies.balance.impacts import (
    CardPlaceDocument,
    CardTrial,
    MeasuredImpacts,
    measure_impacts,
    rank_cards,
)
from deckcheck.studies.balance.result import (
    BalanceChange,
    BalanceResult,
    ChoiceDocument,
    judge_targets,
)
from deckcheck.studies.balance.search import (
    BalanceSearch,
    choose_cards,
    compute_margins,
    list_measured_steps,
    list_steps,
)
from deckcheck.studies.balance.steps import Steps, apply_steps, sort_steps
from deckcheck.studies.balance.targets import (
    VALIDATION_FACTOR,
    Aim,
    BalanceSpec,
    Gauge,
    Scores,
    make_gauges,
)
from deckcheck.studies.duels import DuelStudy, check_meetings
from deckcheck.studies.swaps import Swap, list_legal_swaps
from deckcheck.validation import DeckReport

NAMED_CARDS = 5
"""The number of cards above their peers, and as many below, that are named."""
MAX_ROUNDS = 8
"""The most sets of changes that are played."""
MIN_DECKS = 2


@dataclass(frozen=True)
class Balance(DuelStudy[BalanceSpec, BalanceResult]):
    """The study of how to balance a field.

    First the field plays, and every card is replaced by average cards. Changes of the
    cards that stand out are measured one by one. Then the smallest set of changes that
    should do is played, its effects are corrected, and the next set is chosen. All
    figures are from other games, after the choice.
    """

    KIND = "balance"
    QUESTION = BalanceSpec

    field: tuple[Entrant, ...]

    @cached_property
    def balanced(self) -> BalancedField:
        """The decks and how they meet."""
        return BalancedField(self.format, self.database, self.field)

    @cached_property
    def swaps(self) -> list[list[Swap]]:
        """The legal swaps of each deck."""
        swaps = []
        for entrant in self.field:
            swaps.append(list_legal_swaps(entrant.deck, self.format, self.database))
        return swaps

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """How common each deck is."""
        return self.question.weights or (1.0,) * len(self.field)

    @cached_property
    def gauges(self) -> list[Gauge]:
        """The decks and factions whose win rates are reported."""
        factions: list[tuple[str, str] | None] = []
        for entrant in self.field:
            id = entrant.deck.faction
            factions.append(
                None if id is None else (id, self.database.factions[id].name)
            )
        pairs = [(pair.a, pair.b) for pair in self.balanced.pairs]
        names = [entrant.name for entrant in self.field]
        return make_gauges(names, factions, self.weights, pairs)

    @cached_property
    def aims(self) -> list[Aim]:
        """The targets of decks and factions.

        Raises UsageError if there is a target for factions alone, but not two factions.
        """
        targets = {"deck": self.question.targets.deck}
        targets["faction"] = self.question.targets.faction
        aims = []
        for gauge in self.gauges:
            target = targets[gauge.kind]
            if target is not None:
                low, high = target
                aims.append(Aim(gauge, low, high))
        if not aims:
            raise UsageError(
                "No two decks of this field are of different factions",
                "Set the target `deck`, or add decks of other factions",
            )
        return aims

    def answer(self, games: GameSession) -> BalanceResult:
        """Search, and play the validation games of the changes that were found."""
        _ = self.aims  # Raises an error before any game is played.
        balancing = _Balancing(self, games)
        try:
            return balancing.run()
        except StoppedEarly:
            result = balancing.make_result_so_far()
            if result is not None:
                result = replace(result, complete=False)
            raise Interrupted(result) from None


class _Balancing:
    """One run of a study. Jobs are numbered in the order in which they are played."""

    def __init__(self, balance: Balance, games: GameSession) -> None:
        self._balance = balance
        self._field = balance.balanced
        self._games = games
        self._next = 0
        self._played = 0
        self._found: BalanceSearch | None = None
        self._cards: list[CardPlaceDocument] = []
        self._validation: list[Scores] = []

    def run(self) -> BalanceResult:
        """Play everything."""
        question = self._balance.question
        [scores] = self._meet([()], 0, question.games, "the field")
        impacts = self._measure_impacts()
        search = self._search(scores, impacts)
        best = search.best
        self._cards = self._rank_cards_again(impacts, search)
        versions = [(), best] if best else [()]
        validation = self._meet(
            versions,
            self._next,
            VALIDATION_FACTOR * question.games,
            "the validation games",
        )
        # Without changes the scores before them are those after them.
        self._validation = [validation[0], validation[-1]]
        if question.cross_check is not None:
            self._validation.append(self._cross_check(best, question.cross_check))
        return self._make_result(search, self._validation)

    def make_result_so_far(self) -> BalanceResult | None:
        """Return the result of the games so far, or None before the field has met.

        Until the validation games were played, win rates are from the search.
        """
        if self._found is None:
            return None
        scores = self._found.scores
        validation = self._validation or [scores[()], scores[self._found.best]]
        return self._make_result(self._found, validation)

    def _cross_check(self, steps: Steps, policy: str) -> Scores:
        """Return the scores of all pairs after the changes, with another bot."""
        balance = self._balance
        question, opponents = balance.question, len(balance.field) - 1
        games = question.cross_check_games
        if not games:
            # By default no more than in the search.
            games = min(usual_games(policy, MAX_GAMES), question.games * opponents)
        games_each = max(2, ceil(games / opponents))
        first, field = self._next, balance.played_by(policy).balanced
        work = field.jobs(first, first, games_each, [steps], f"with {policy}")
        self._play(work)
        [scores] = field.scores(work, self._games.tallies)
        return scores

    def _play(self, work: Sequence[Job]) -> None:
        """Play jobs, and count on."""
        if not work:
            return
        self._games.until = "the end of this step"
        self._games.play(work, (self._field.table.engine,))
        self._next = 1 + max(job.number for job in work)
        self._played += sum(job.games * job.sets for job in work)

    def _meet(
        self,
        versions: Sequence[Steps],
        stream: int,
        games: int,
        label: str,
    ) -> list[Scores]:
        """Play all pairs with each version of the cards, and return the scores."""
        work = self._field.jobs(self._next, stream, games, versions, label)
        self._play(work)
        return self._field.scores(work, self._games.tallies)

    def _measure_impacts(self) -> MeasuredImpacts:
        """Return the impact of all cards, more exactly at both ends.

        If the plan names the cards to change, no card has to be found at these ends.
        """
        balance = self._balance
        games = balance.question.games
        games = self._balance.question.games
        impacts = self._measure_impacts_of(frozenset(), games)
        if self._balance.question.bounds.cards:
            return impacts
        ranked = self._rank_cards(impacts, impacts)
        ends = [*ranked[: 2 * NAMED_CARDS], *ranked[-2 * NAMED_CARDS :]]
        cards = frozenset(place.id for place in ends)
        return impacts | self._measure_impacts_of(cards, VALIDATION_FACTOR * games)

    def _measure_impacts_of(self, cards: frozenset[str], games: int) -> MeasuredImpacts:
        """Return the impact of cards, of all cards if none are named."""
        balance = self._balance
        trial = CardTrial(
            balance.format, balance.database, balance.field, balance.swaps, cards
        )
        first = self._next
        self._play(trial.jobs(first, games))
        tried = trial.collect(first, self._games.tallies)
        return measure_impacts(tried, balance.weights)

    def _rank_cards(
        self, impacts: MeasuredImpacts, again: MeasuredImpacts
    ) -> list[CardPlaceDocument]:
        """Return the cards of `again` compared with their peers."""
        balance = self._balance
        return rank_cards(impacts, again, balance.database, balance.weights)

    def _rank_cards_again(
        self, impacts: MeasuredImpacts, search: BalanceSearch
    ) -> list[CardPlaceDocument]:
        """Measure the cards farthest from their peers, and the cards to change, again.

        They are returned in the order of the first impacts.
        """
        ranked = self._rank_cards(impacts, impacts)
        ends = [*ranked[:NAMED_CARDS], *ranked[-NAMED_CARDS:]]
        ids = {place.id for place in ends} | {step.card for step in search.best}
        games = VALIDATION_FACTOR * self._balance.question.games
        again = self._measure_impacts_of(frozenset(ids & set(impacts)), games)
        order = [place.id for place in ranked]
        places = self._rank_cards(impacts, again)
        return sorted(places, key=lambda place: order.index(place.id))

    def _search(self, scores: Scores, impacts: MeasuredImpacts) -> BalanceSearch:
        """Try sets of changes, until no other set looks better."""
        balance = self._balance
        bounds = balance.question.bounds
        margins = compute_margins(balance.aims, scores, VALIDATION_FACTOR)
        search = BalanceSearch(balance.aims, margins, bounds.changes)
        rates = _list_rates(scores)
        search.record((), rates, scores)
        self._found = search
        if all(aim.measure_miss(aim.gauge.value(rates)) == 0 for aim in balance.aims):
            return search
        places = self._rank_cards(impacts, impacts)
        cards = bounds.cards or choose_cards(places, impacts, search)
        search.offered = list_steps(self._field, bounds, cards)
        if not search.offered:
            return search
        measured = list_measured_steps(search.offered)
        work = self._field.effect_jobs(self._next, balance.question.games, measured)
        self._play(work)
        search.effects = self._field.effects(measured, work, self._games.tallies)
        for _ in range(MAX_ROUNDS):
            steps = sort_steps(search.choose_steps(), list(balance.database.cards))
            if not self._try(search, steps):
                break
        self._improve(search)
        return search

    def _improve(self, search: BalanceSearch) -> None:
        """Try the neighbours of the best changes, as long as that is better."""
        for _ in range(MAX_ROUNDS):
            best = search.best
            for steps in search.list_neighbours(best):
                self._try(search, steps)
            if search.best == best:
                break

    def _try(self, search: BalanceSearch, steps: Steps) -> bool:
        """Play changes together, and report whether they were played.

        They are not if they were tried before, or leave a deck illegal.
        """
        if steps in search.tried or self._field.apply(steps) is None:
            return False
        games = self._balance.question.games
        [scores] = self._meet([steps], 0, games, "changes together")
        search.record(steps, _list_rates(scores), scores)
        return True

    def _make_result(
        self, search: BalanceSearch, validation: Sequence[Scores]
    ) -> BalanceResult:
        """Return the result of the search by the scores of `judge_targets`."""
        balance = self._balance
        cross_check = None
        if len(validation) > 2:
            cross_check = balance.question.cross_check
        choices = []
        for steps, share in search.resample_choices(balance.question.seed):
            changes = _describe_changes(balance.database, steps)
            choices.append(ChoiceDocument(changes, share))
        return BalanceResult(
            **balance.describe_run(self._games, balance.field, cross_check),
            games=2 * sum(validation[0][0]),
            games_played=self._played,
            checksum=combine_checksums(self._games.tallies.values()),
            cards=tuple(self._cards),
            balanced=_describe_changes(balance.database, search.best),
            choices=tuple(choices),
            outcomes=tuple(judge_targets(balance.gauges, balance.aims, validation)),
            tried=len(search.tried) - 1,
            offered=len({step.card for step in search.offered}),
            bounds=balance.question.bounds.in_words,
            cross_check=cross_check,
        )


def _describe_changes(
    database: CardDatabase, steps: Steps
) -> tuple[BalanceChange, ...]:
    """Return the cards that steps change."""
    changed = apply_steps(database, steps).cards
    changes = []
    for id in dict.fromkeys(step.card for step in steps):
        changes.append(BalanceChange(database.cards[id], changed[id]))
    return tuple(changes)


def _list_rates(scores: Scores) -> list[float]:
    """Return the win rate of the first deck of each pair."""
    return [mean_score(counts) for counts in scores]


def make_balance(
    fmt: Format,
    database: CardDatabase,
    decks: Sequence[DeckReport],
    question: BalanceSpec,
) -> Balance:
    """Return the study of how to balance a field of decks as `fmt` is played.

    Raises UsageError for too few decks, for a format in which no two decks meet, and
    for cards that no deck holds.
    """
    check_meetings(fmt)
    if database.game.attributes:
        raise UsageError(
            f"Decks write out the cards of {database.game.name}: none can be changed",
            "Name decks of another game",
        )
    if len(decks) < MIN_DECKS:
        raise UsageError(
            "A field needs at least 2 decks", "Name more files or a folder in `decks`"
        )
    entrants = tuple(enter(decks, [question.policy]))
    balance = Balance(fmt, database, question, entrants)
    for card in question.bounds.cards:
        if card not in balance.balanced.holders:
            name = quote(database.cards[card].name)
            raise UsageError(f"No deck of the field holds {name}", "Leave it out")
    return balance
