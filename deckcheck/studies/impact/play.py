"""The worth of each card of a deck: swapped for others in the same games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil

from deckcheck.cards import CardDatabase
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.playing.host.contrasts import Contrasts, with_swapped_decks
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, seat_version
from deckcheck.playing.tally import CHECKSUM_MASK, Head
from deckcheck.sim.defaults import IMPACT_GAMES, LARGEST_SEED, MOST_GAMES
from deckcheck.sim.jobs.blocks import Job, SetPlayer
from deckcheck.sim.scheduling.scheduler import StoppedEarly
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import (
    Interrupted,
)
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter
from deckcheck.studies.duel_study import (
    DuelStudy,
    check_meetings,
    check_policies,
    field_of,
    met_by_weight,
    shares_in,
)
from deckcheck.studies.impact.observed import Observed, observations, watched_table
from deckcheck.studies.impact.result import (
    Alternative,
    CardImpact,
    Confirmation,
    ImpactResult,
)
from deckcheck.studies.impact.swaps import Swap, average_cards, legal_swaps
from deckcheck.studies.impact.trial import Trial, Tried
from deckcheck.studies.search.proof import check_confirm, confirming, usual_games
from deckcheck.validation import DeckReport

AVERAGE = 5
"""How many cards stand together for an average one."""

WATCHED = 10
"""How many times the games of a version the deck as it is plays to be watched."""

CONFIRMING = 3
"""How many parts come before that of another player; jobs are numbered by parts."""

BEST = 3
"""How many of the best cards are tried in the place of each card."""

TWO = 2


@dataclass(frozen=True, slots=True)
class ImpactQuestion:
    """What a user asks: `games` of each version of the deck, over the whole field.

    `confirm` is another player who weighs the card to cut again, with `confirm_games`
    of each version, None for as many as are usual. `weights` say how often each
    opponent comes, in any unit; () for all alike.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policies: tuple[str, ...]
    games: int = IMPACT_GAMES
    confirm: str | None = None
    confirm_games: int | None = None
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_confirm(self.confirm, self.confirm_games)
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("games", self.games, 1, MOST_GAMES)
        check_policies(self.policies, "deck")


@dataclass(frozen=True)
class Impact(DuelStudy[ImpactQuestion, ImpactResult]):
    """A deck whose cards are to be weighed; `run` does it.

    First all legal cards are tried in the place of one card, and the average cards in
    the place of each: that chooses what is tried instead of what. Then the choices are
    played again in other games, and only these are reported.
    """

    KIND = "impact"
    QUESTION = ImpactQuestion

    format: Format
    database: CardDatabase
    question: ImpactQuestion
    deck: Entrant
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[ImpactQuestion]:
        """What decides what is played."""
        decks = {"deck": (self.deck,), "field": self.field}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[ImpactQuestion]) -> Impact:
        """The question that asks this."""
        [deck] = spec.role("deck")
        field = spec.role("field")
        return cls(spec.format, spec.database, spec.question, deck, field)

    @cached_property
    def swaps(self) -> list[Swap]:
        """All legal swaps; raises UsageError when there is none."""
        swaps = legal_swaps(self.deck.deck, self.format, self.database)
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
        return average_cards(self.deck.deck, self.swaps, self.database, AVERAGE)

    def answer(self, games: GameSession) -> ImpactResult:
        """Play all games; an interrupt has what the second trial says so far."""
        sets = self._sets(self.question.games)
        first: Tried | None = None
        try:
            games.whole = self.most_games
            first = self._play(games, self._first(), 0, sets)
            second = self._play(games, self._second(first), len(self.field), sets)
            observed = self._watch(games, first, sets * WATCHED)
            confirmed = self._confirm(games, first)
        except StoppedEarly:
            raise Interrupted(self._so_far(games, first)) from None
        return self._result(games, (first, second), observed, confirmed)

    @property
    def most_games(self) -> int:
        """All games, a few less if swaps for several cards are the same."""
        question, cards = self.question, self.deck.deck.counts()
        legal = Counter(swap.out for swap in self.swaps)
        first = 1 + len(self._first().swaps)
        averages = sum(map(len, self._means().values()))
        second = 1 + averages + sum(min(BEST, legal[card]) for card in cards)
        of_all = ROTATION * len(self.field) * self._sets(question.games)
        again = 0
        if question.confirm is not None:
            again = ROTATION * len(self.field) * self._sets(self._again)
        return of_all * (first + second + WATCHED) + again * (2 + AVERAGE)

    def _sets(self, games: int) -> int:
        """The sets with each opponent of so many games."""
        return ceil(games / ROTATION / len(self.field))

    @property
    def _again(self) -> int:
        """The games of each version that another player plays."""
        question = self.question
        assert question.confirm is not None
        usual = min(question.games, usual_games(question.confirm, MOST_GAMES))
        return question.confirm_games or usual

    def _confirm(self, games: GameSession, first: Tried) -> Confirmation | None:
        """What another player makes of the card to cut, and of the best one for it."""
        policy = self.question.confirm
        if policy is None:
            return None
        other = replace(
            self,
            deck=replace(self.deck, policy=policy),
            field=tuple(replace(o, policy=policy) for o in self.field),
        )
        card, sets = self._to_cut(first), self._sets(self._again)
        [*best] = self._best(card, first)[:1]
        trial = self._trial(best, [card])
        number = CONFIRMING * len(self.field)
        tried = other._play(games, trial, number, sets)
        return Confirmation(
            policy,
            ROTATION * len(self.field) * sets,
            tried.worth(card),
            tried.gain(best[0]) if best else None,
        )

    def _to_cut(self, first: Tried) -> str:
        """The card that is worth least in the first trial."""
        cards = (card for card in self.deck.deck.counts() if card in first.trial.means)
        return min(cards, key=lambda card: first.worth(card).value)

    def _so_far(self, games: GameSession, first: Tried | None) -> ImpactResult | None:
        """What is known before the end of all; None unless all opponents were met.

        Before the second trial that is what the first one says, which also chooses.
        """
        known = self._partly(games, self._first(), 0) if first is None else first
        if known is None:
            return None
        second = self._partly(games, self._second(known), len(self.field))
        result = self._result(games, (known, second or known), (), None)
        return replace(result, complete=False, measured=second is not None)

    def _partly(self, games: GameSession, trial: Trial, number: int) -> Tried | None:
        """A trial as far as it was played, None unless all opponents were met."""
        numbers = range(number, number + len(self.field))
        tallies = [games.tallies.get(number) for number in numbers]
        played = [t for t in tallies if t is not None and t[0, Head.SETS] >= TWO]
        if len(played) < len(self.field):
            return None
        tables = [self._table(trial, opponent) for opponent in self.field]
        return Tried(trial, tables, played, self.question.weights)

    def _watch(
        self, games: GameSession, first: Tried, sets: int
    ) -> tuple[Observed, ...]:
        """Play the deck as it is in games of their own, and watch its hand."""
        cards = list(self.deck.deck.counts())
        numbers = load_game(self.format.game).card_numbers(self.database)
        tables = [watched_table(t.table, numbers, cards) for t in first.tables]
        weights = self.question.weights or [1.0] * len(tables)
        part = len(tables) * sets / sum(weights)
        work = [
            replace(job, sets=max(1, round(part * weight)))
            for job, weight in zip(
                self._jobs(tables, 2 * len(self.field), sets, self.deck.name, 1),
                weights,
                strict=True,
            )
        ]
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return observations(cards, tables, tallies)

    def _play(self, games: GameSession, trial: Trial, number: int, sets: int) -> Tried:
        """Play a trial against each opponent; jobs are numbered from `number` on."""
        tables = [self._table(trial, opponent) for opponent in self.field]
        count = 1 + len(trial.swaps)
        versions = f"{plural(count, 'version')} of {self.deck.name}"
        work = self._jobs(tables, number, sets, versions, count)
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return Tried(trial, tables, tallies, self.question.weights)

    def _jobs(
        self,
        tables: Sequence[SetPlayer],
        number: int,
        sets: int,
        label: str,
        versions: int,
    ) -> list[Job]:
        """A job for each opponent, numbered from `number` on."""
        return [
            Job(
                number + i,
                f"{label} against {opponent.name}",
                table,
                (opponent.policy, self.deck.policy, str(number)),
                sets,
                ROTATION * versions,
            )
            for i, (opponent, table) in enumerate(zip(self.field, tables, strict=True))
        ]

    def _table(self, trial: Trial, opponent: Entrant) -> Contrasts:
        deck = self.deck.deck
        table = seat_version(
            self.format,
            self.database,
            seat(opponent.deck, opponent.policy),
            seat(deck, self.deck.policy),
        )
        decks = [deck, *(swap.of(deck) for swap in trial.swaps)]
        numbers = load_game(self.format.game).card_numbers(self.database)
        counts = [dict(deck.counts()) for deck in decks]
        return with_swapped_decks(table, numbers, counts, trial.contrasts)

    def _first(self) -> Trial:
        """Every card in the place of that one for which most may stand in."""
        choices = Counter(swap.out for swap in self.swaps)
        hole = max(choices, key=lambda card: choices[card])
        return self._trial([swap for swap in self.swaps if swap.out == hole])

    def _second(self, first: Tried) -> Trial:
        """The best cards of the first trial in the place of each."""
        cards = self.deck.deck.counts()
        return self._trial([swap for card in cards for swap in self._best(card, first)])

    def _ranked(self, first: Tried) -> list[str]:
        """The cards that were tried in the place of one, the best first."""
        hole = first.trial.swaps[0].out
        swaps = [swap for swap in first.trial.swaps if swap.out == hole]
        swaps.sort(key=lambda swap: -first.gain(swap).value)
        return [swap.into for swap in swaps]

    def _trial(self, swaps: Sequence[Swap], cards: Sequence[str] = ()) -> Trial:
        """These swaps, and those that tell what each of `cards` is worth, or of all."""
        means = self._means()
        means = {card: means[card] for card in cards or means}
        all_swaps = [*swaps, *(swap for mean in means.values() for swap in mean)]
        return Trial(tuple(dict.fromkeys(all_swaps)), means)

    def _means(self) -> dict[str, tuple[Swap, ...]]:
        """The average cards in the place of each, as far as that is legal."""
        legal = set(self.swaps)
        means = {}
        for card in self.deck.deck.counts():
            wanted = (Swap(card, into) for into in self.average)
            swaps_tried = tuple(swap for swap in wanted if swap in legal)
            if swaps_tried:
                means[card] = swaps_tried
        return means

    def _result(
        self,
        games: GameSession,
        trials: tuple[Tried, Tried],
        observed: tuple[Observed, ...],
        confirmed: Confirmation | None,
    ) -> ImpactResult:
        first, second = trials
        cards = tuple(
            self._card(card, first, second)
            for card in self.deck.deck.counts()
            if card in first.trial.means
        )
        heads = [int(t[0, Head.CHECKSUM]) for t in games.tallies.values()]
        sets = int(first.tallies[0][0, Head.SETS])
        return ImpactResult(
            **self.head(games, (self.deck, *self.field), self.question.confirm),
            games=ROTATION * len(self.field) * sets,
            games_played=games.games_played,
            checksum=f"{sum(heads) & CHECKSUM_MASK:012x}",
            deck=self.deck.name,
            opponents=tuple(opponent.name for opponent in self.field),
            average=tuple(self.database.cards[card].name for card in self.average),
            cards=cards,
            observed=observed,
            cut=self._to_cut(first),
            confirmed=confirmed,
            shares=shares_in(self.field, self.question.weights),
        )

    def _card(self, card: str, first: Tried, second: Tried) -> CardImpact:
        """The result for a card: chosen by the first trial, measured in the second."""
        field = range(len(self.field))
        best = [swap for swap in self._best(card, first) if swap in second.trial.swaps]
        return CardImpact(
            id=card,
            name=self.database.cards[card].name,
            copies=self.deck.deck.counts()[card],
            worth=second.worth(card),
            against=tuple(second.worth_against(card, i) for i in field),
            most=max(field, key=lambda i: first.worth_against(card, i).value),
            better=tuple(
                Alternative(
                    swap.into, self.database.cards[swap.into].name, second.gain(swap)
                )
                for swap in best
            ),
            expected=first.worth(card).value,
        )

    def _best(self, card: str, first: Tried) -> list[Swap]:
        legal = set(self.swaps)
        swaps = (Swap(card, into) for into in self._ranked(first))
        return [swap for swap in swaps if swap in legal][:BEST]


def impact_of(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: ImpactQuestion,
) -> Impact:
    """The question what the cards of a deck are worth as `fmt` is played.

    Raises UsageError unless there is one deck and a field, and for a format in which no
    two decks meet.
    """
    check_meetings(fmt)
    if len(deck) != 1:
        raise UsageError(
            f"Found {plural(len(deck), 'deck')}, expected one",
            "Name the deck whose cards are weighed; the field goes with "
            f"{option('against')}",
        )
    field = field_of(against, question.policies)
    [entrant] = enter(deck, [question.policies[0]])
    player = confirming(
        question.confirm, question.confirm_games, fmt, question.policies
    )
    question = replace(question, confirm=player)
    field, weights = met_by_weight(field, question.weights)
    question = replace(question, weights=weights)
    return Impact(fmt, database, question, entrant, field)
