"""The cards of the dealt hand: each is kept and sent back in the same games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from os import PathLike

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.engine.host.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.playing.host.redraws import Redraws, games_played
from deckcheck.playing.host.table import seat
from deckcheck.playing.host.versions import ROTATION, numbers_of, seat_version
from deckcheck.playing.tally import CHECKSUM_MASK, Head, Ints
from deckcheck.policies.codes import Policy
from deckcheck.policies.host.registry import read_policy
from deckcheck.sim.defaults import IMPACT_GAMES, LARGEST_SEED, MOST_GAMES
from deckcheck.sim.jobs.blocks import Job
from deckcheck.sim.scheduling.scheduler import StoppedEarly
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import Interrupted
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter
from deckcheck.studies.deck_stats.composition import Composition
from deckcheck.studies.deck_stats.hand_odds import opening_of
from deckcheck.studies.duel_study import (
    DuelStudy,
    check_meetings,
    check_policies,
    field_of,
    met_by_weight,
    shares_in,
)
from deckcheck.studies.redraws.hand import read_hand
from deckcheck.studies.redraws.result import (
    NO_REDRAW,
    CardRedraw,
    FreshRedraws,
    RedrawsResult,
)
from deckcheck.studies.redraws.trial import Redraw, redraws_of
from deckcheck.studies.search.proof import check_confirm, confirming, usual_games
from deckcheck.validation import DeckReport

CONFIRMING = 2
"""How many parts come before that of another player; jobs are numbered by parts."""

MOST_SENT = 5
"""How many cards to send back are measured again, the best by the first trial."""


@dataclass(frozen=True, slots=True)
class RedrawsQuestion:
    """What a user asks: `games` of each version of the deck, over the whole field.

    A version keeps a certain card of the dealt hand, or sends it back first; with a
    `hand`, ids of cards, that is the one which is dealt. `confirm` is another player
    who plays the cards to send back again, with `confirm_games` of each version, None
    for as many as are usual. `weights` say how often each opponent comes, in any unit;
    () for all alike.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policies: tuple[str, ...]
    games: int = IMPACT_GAMES
    hand: tuple[str, ...] = ()
    confirm: str | None = None
    confirm_games: int | None = None
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_confirm(self.confirm, self.confirm_games)
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("games", self.games, 1, MOST_GAMES)
        check_policies(self.policies, "deck")


@dataclass(frozen=True)
class RedrawStudy(DuelStudy[RedrawsQuestion, RedrawsResult]):
    """A deck whose dealt hands are to be improved; `run` does it.

    In a first trial every card is kept and sent back. What is best sent back by it is
    played again in other games, by the same player and by the one who confirms.
    """

    KIND = "redraws"
    QUESTION = RedrawsQuestion

    format: Format
    database: CardDatabase
    question: RedrawsQuestion
    deck: Entrant
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[RedrawsQuestion]:
        """What decides what is played."""
        decks = {"deck": (self.deck,), "field": self.field}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[RedrawsQuestion]) -> RedrawStudy:
        """The question that asks this."""
        [deck] = spec.role("deck")
        field = spec.role("field")
        return cls(spec.format, spec.database, spec.question, deck, field)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards that are sent back, by id."""
        return tuple(dict.fromkeys(self.question.hand or self.deck.deck.counts()))

    def answer(self, games: GameSession) -> RedrawsResult:
        """Play all games; an interrupt has what the first trial says so far."""
        question = self.question
        policy = question.policies[0]
        first: tuple[Redraw, ...] = ()
        fresh: list[FreshRedraws] = []
        try:
            games.whole = self._all_games(self.cards, 1)
            first = self._play(games, 0, policy, self.cards, question.games)
            cards = to_send_back(first)
            games.whole = self._all_games(self.cards, len(cards))
            for part, (player, number) in enumerate(self._players, start=1):
                measured = self._play(games, part, player, cards, number)
                fresh.append(FreshRedraws(player, measured))
        except StoppedEarly:
            first = first or self._so_far(games)
            result = self._result(games, first, tuple(fresh)) if first else None
            raise Interrupted(result and replace(result, complete=False)) from None
        return self._result(games, first, tuple(fresh))

    @property
    def _players(self) -> list[tuple[str, int]]:
        """Who plays the cards to send back again, and in how many games."""
        question = self.question
        players = [(question.policies[0], question.games)]
        if question.confirm is not None:
            usual = min(question.games, usual_games(question.confirm, MOST_GAMES))
            players.append((question.confirm, question.confirm_games or usual))
        return players

    def _all_games(self, cards: Sequence[str], again: int) -> int:
        """About how many games there are if `again` cards are played again."""
        parts = [(self.question.policies[0], len(cards), self.question.games)]
        parts += [(player, again, games) for player, games in self._players]
        return sum(
            self._games_of_set(player, tried) * sum(self._sets(games))
            for player, tried, games in parts
        )

    def _games_of_set(self, policy: str, cards: int) -> int:
        """About how many games of a set are played where so many cards are tried."""
        deck = self.deck.deck
        distinct = len(set(self.question.hand or deck.counts()))
        ways = 1 if read_policy(policy).policy == Policy.HEURISTIC else 2
        dealt = distinct if self.question.hand else self._dealt
        return ROTATION * (1 + ways * max(1, round(dealt * cards / distinct)))

    @property
    def _dealt(self) -> int:
        """The cards of a hand."""
        return hand_size(self.format, self.database, self.deck.deck)

    def _sets(self, games: int) -> list[int]:
        """The sets with each opponent in which a card is kept in so many games.

        Not every hand has a card, so there are more of them, by the hand's part of the
        deck.
        """
        deck = self.deck.deck
        dealt = games
        if not self.question.hand:
            cards = sum(deck.counts().values())
            dealt = ceil(games * cards / self._dealt)
        sets = ceil(dealt / ROTATION / len(self.field))
        if not self.question.weights:
            return [sets] * len(self.field)
        part = sets * len(self.field) / sum(self.question.weights)
        return [max(1, round(part * weight)) for weight in self.question.weights]

    def _play(
        self,
        games: GameSession,
        part: int,
        policy: str,
        cards: Sequence[str],
        number: int,
    ) -> tuple[Redraw, ...]:
        """Play a part with each opponent; jobs are numbered by parts."""
        players = [o.policy if part < CONFIRMING else policy for o in self.field]
        first = part * len(self.field)
        work = [
            Job(
                first + i,
                f"redraws of {self.deck.name} against {opponent.name}",
                self._table(opponent, player, policy, cards),
                (player, policy, str(len(cards))),
                sets,
                self._games_of_set(policy, len(cards)),
            )
            for i, (opponent, player, sets) in enumerate(
                zip(self.field, players, self._sets(number), strict=True)
            )
        ]
        tables = [job.table for job in work if isinstance(job.table, Redraws)]
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return redraws_of(cards, tables, tallies, len(cards))

    def _so_far(self, games: GameSession) -> tuple[Redraw, ...]:
        """The first trial as far as it was played, if all opponents were met."""
        tallies = [games.tallies.get(number) for number in range(len(self.field))]
        played: list[Ints] = [t for t in tallies if t is not None and t[0, Head.SETS]]
        if len(played) < len(self.field):
            return ()
        policy = self.question.policies[0]
        tables = [self._table(o, o.policy, policy, self.cards) for o in self.field]
        return redraws_of(self.cards, tables, played, len(self.cards))

    def _table(
        self, opponent: Entrant, player: str, policy: str, cards: Sequence[str]
    ) -> Redraws:
        deck = self.deck.deck
        seats = seat(opponent.deck, player), seat(deck, policy)
        table = seat_version(self.format, self.database, *seats)
        numbers = load_game(self.format.game).card_numbers(self.database)
        place = numbers_of(table, numbers, deck.counts())
        hand = sorted(place[card] for card in self.question.hand)
        return Redraws(table, tuple(place[card] for card in cards), tuple(hand))

    def _result(
        self,
        games: GameSession,
        first: tuple[Redraw, ...],
        fresh: tuple[FreshRedraws, ...],
    ) -> RedrawsResult:
        heads = [int(t[0, Head.CHECKSUM]) for t in games.tallies.values()]
        cards = self.database.cards
        copies = self.deck.deck.counts()
        return RedrawsResult(
            **self.head(games, (self.deck, *self.field), self.question.confirm),
            games=ROTATION
            * sum(
                int(games.tallies[number][0, Head.SETS])
                for number in range(len(self.field))
            ),
            games_played=sum(map(games_played, games.tallies.values())),
            checksum=f"{sum(heads) & CHECKSUM_MASK:012x}",
            deck=self.deck.name,
            hand=tuple(cards[card].name for card in self.question.hand),
            cards=tuple(
                CardRedraw(cards[figures.card].name, copies[figures.card], figures)
                for figures in first
                if figures.card
            ),
            own=first[-1] if first else NO_REDRAW,
            fresh=fresh,
            shares=shares_in(self.field, self.question.weights),
        )


def to_send_back(redraws: Sequence[Redraw]) -> tuple[str, ...]:
    """The cards that are better sent back, the best first; else the best one."""
    cards = sorted(
        (figures for figures in redraws if figures.card),
        key=lambda figures: -figures.gain.value,
    )
    clear = [figures for figures in cards if figures.gain.interval.low > 0]
    return tuple(figures.card for figures in (clear or cards[:1])[:MOST_SENT])


def hand_size(fmt: Format, database: CardDatabase, deck: Deck) -> int:
    """How many cards the deck is dealt; UsageError where no card can be sent back."""
    counts = {database.cards[card]: n for card, n in deck.counts().items()}
    leader = database.leaders[deck.leader] if deck.leader is not None else None
    opening = opening_of(Composition(database, counts), fmt, leader)
    if opening is None or opening.redraws == 0:
        raise UsageError(
            f"There are no redraws in {quote(fmt.id)}: every hand is played as it is "
            "dealt",
            f"Name a format of Gwent or SG Gwint with {option('format')}",
        )
    if opening.size == sum(counts.values()):
        raise UsageError(
            f"{quote(deck.name)} is dealt all of its {plural(opening.size, 'card')}: "
            "there is none to draw for another",
            "Name a deck with more cards",
        )
    return opening.size


def redraws_study(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: RedrawsQuestion,
    *,
    hand: str | PathLike[str] | Sequence[str] | None = None,
) -> RedrawStudy:
    """The question which cards to send back as `fmt` is played, of a `hand` or any.

    Raises UsageError unless there is one deck and a field, for a format in which no two
    decks meet or nobody redraws, and for a hand that the deck cannot be dealt.
    """
    check_meetings(fmt)
    if len(deck) != 1:
        raise UsageError(
            f"Found {plural(len(deck), 'deck')}, expected one",
            "Name the deck whose hands are dealt; the field goes with "
            f"{option('against')}",
        )
    field = field_of(against, question.policies)
    [entrant] = enter(deck, [question.policies[0]])
    size = hand_size(fmt, database, entrant.deck)
    if hand is not None:
        ids = read_hand(hand, entrant.deck, database, size)
        question = replace(question, hand=ids)
    player = confirming(
        question.confirm, question.confirm_games, fmt, question.policies
    )
    question = replace(question, confirm=player)
    field, weights = met_by_weight(field, question.weights)
    question = replace(question, weights=weights)
    return RedrawStudy(fmt, database, question, entrant, field)
