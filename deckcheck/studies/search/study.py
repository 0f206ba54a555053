"""`tune` and `build`: the search for a deck, and the games that test it."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import Header, make_sheet
from deckcheck.decks.rewriting import write_decks
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.generating import leaders_allowed
from deckcheck.messages import choice, option, quote
from deckcheck.playing.kernel import CHECKSUM_MASK
from deckcheck.sim.cross_checking import choosing_player, usual_games
from deckcheck.sim.entrants import Entrant, count_errors
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.study import Interrupted
from deckcheck.specs import BuildSpec, DeckSearchSpec, TuneSpec
from deckcheck.studies.duels import (
    DuelStudy,
    check_meetings,
    enter_field,
    find_cross_check_in,
    find_deck_card,
    list_shares,
    played_by,
    read_deck_and_field,
)
from deckcheck.studies.search.result import (
    CopiesChange,
    DeckStep,
    FoundDeck,
    Searched,
)
from deckcheck.studies.search.search import (
    FEWEST_GAMES,
    JUDGED_SHARES,
    DeckSearch,
    Judge,
    SearchOutcome,
)
from deckcheck.studies.search.space import DeckSpace, make_spaces, space_around
from deckcheck.studies.validation_games import (
    Measure,
    ValidationGames,
    play_validation_games,
)
from deckcheck.validation import DeckReport

VALIDATION_SHARE = 0.15
"""The share of validation games in all games, for a single deck."""
VALIDATION_SHARE_OF_CHANGES = 0.2
"""The share of validation games in all games, for several changes."""

EQUAL_MARGIN = 0.005
"""The difference of win rates that does not matter."""


H = TypeVar("H", bound=DeckSearchSpec)


class Hunt(DuelStudy[H, FoundDeck], Generic[H]):
    """A search for the best deck against a field, and the games that test the deck."""

    field: tuple[Entrant, ...]

    @property
    @abstractmethod
    def spaces(self) -> list[DeckSpace]:
        """The decks that may be found."""

    @property
    def base(self) -> Entrant | None:
        """The deck that is to become better, if there is one."""
        return None

    @property
    def policy(self) -> str:
        """The policy that plays the searched deck."""
        return self.question.policies[0]

    @property
    def choosing(self) -> str | None:
        """The policy that plays the games of the search, None for the usual ones."""
        question = self.question
        return choosing_player(question.policies, thorough=question.thorough)

    @property
    def played_again(self) -> int:
        """The games of each deck that another player plays."""
        question = self.question
        if question.cross_check is None:
            return 0
        return question.cross_check_games or usual_games(
            question.cross_check, question.budget
        )

    @property
    def validation_share(self) -> float:
        """The share of validation games in all games."""
        return VALIDATION_SHARE if self.base is None else VALIDATION_SHARE_OF_CHANGES

    @abstractmethod
    def choose_name(self, outcome: SearchOutcome) -> str:
        """Return the name for the best deck."""

    @property
    def least_games(self) -> int:
        """The fewest games that are of use."""
        return FEWEST_GAMES * len(self.field) * len(self.spaces)

    def check_games(self) -> None:
        """Raise UsageError for too few games to search with."""
        if self.question.budget < self.least_games:
            raise UsageError(
                f"{self.question.budget:,} games are too few for this search, "
                f"which needs at least {self.least_games:,}",
                f"Give more with {option('games')}, or name a smaller field",
            )

    def answer(self, games: GameSession) -> FoundDeck:
        """Search, and test the deck that was found.

        An interrupt carries the best deck so far.
        """
        question = self.question
        validations: list[ValidationGames] = []
        # The validation may be about the base, and one more deck for each change.
        validated = 1 + max(space.changes or 0 for space in self.spaces)
        measure = Measure(
            self.format,
            self.database,
            played_by(self.field, self.choosing),
            self.choosing or self.policy,
            games,
            question.weights,
            budget=question.budget + validated * self.played_again,
        )
        budget = int((1 - self.validation_share) * question.budget)
        games.expect(self._count_search(budget) + self._count_validation(validated))
        judge = None if self.choosing is None else Judge(self.policy, self.field)
        search = DeckSearch(
            self.spaces, measure, budget, question.seed, undoes=True, judge=judge
        )
        try:
            outcome = search.run()
            self._validate(outcome, measure, validations)
        except KeyboardInterrupt:
            best = search.best()
            if best is None:
                raise Interrupted(None) from None
            result = self._make_result(best, validations, measure)
            raise Interrupted(replace(result, complete=False)) from None
        return self._make_result(outcome, validations, measure)

    def _count_search(self, budget: int) -> Counter[str]:
        """Return the games of each bot of a search with a `budget`."""
        if self.choosing is None:
            return Counter({self.policy: budget})
        judged = round((JUDGED_SHARES.race + JUDGED_SHARES.undoing) * budget)
        return Counter({self.choosing: budget - judged, self.policy: judged})

    def _count_validation(self, decks: int) -> Counter[str]:
        """Return the games of each bot of validation games of so many decks."""
        games = Counter(
            {self.policy: int(self.validation_share * self.question.budget)}
        )
        if self.question.cross_check is not None:
            games[self.question.cross_check] += decks * self.played_again
        return games

    def _validate(
        self,
        outcome: SearchOutcome,
        measure: Measure,
        validations: list[ValidationGames],
    ) -> None:
        """Add the fresh games of the first bot to `validations`, then of the second.

        `measure` is that of the search: its games and its jobs count on.
        """
        if outcome.is_base:
            return
        decks = [self._get_named_deck(outcome)]
        if self.base is not None:
            steps = map(outcome.space.deck, outcome.path[1:-1])
            decks = [self.base.deck, *steps, *decks]
        games = int(self.validation_share * self.question.budget / len(decks))
        second_games = len(decks) * self.played_again
        measure.budget = measure.played + games * len(decks) + second_games
        measure.games.expect(self._count_validation(len(decks)))
        measure.note = "validation games"
        measure.seat_players(self.policy, self.field)
        validations.append(play_validation_games(measure, decks, games, EQUAL_MARGIN))
        cross_check = self.question.cross_check
        if cross_check is not None:
            measure.note = f"validation games played by {cross_check}"
            measure.seat_players(cross_check, played_by(self.field, cross_check))
            validations.append(
                play_validation_games(measure, decks, self.played_again, EQUAL_MARGIN)
            )

    def _get_named_deck(self, outcome: SearchOutcome) -> Deck:
        """Return the best deck with its name."""
        deck = outcome.deck
        if outcome.is_base:
            return deck
        name = self.choose_name(outcome)
        headers = {**deck.headers, "name": (Header(name, deck.span),)}
        return replace(deck, name=name, headers=headers)

    def _make_result(
        self,
        outcome: SearchOutcome,
        validations: Sequence[ValidationGames],
        measure: Measure,
    ) -> FoundDeck:
        """Return the result for the best deck, with the games so far."""
        deck = self._get_named_deck(outcome)
        base = self.base
        entrants = [Entrant(deck, deck.name, self.policy), *self.field]
        if base is not None and not outcome.is_base:
            entrants.insert(0, base)
        sheet = make_sheet(deck, self.database)
        return FoundDeck(
            **self.head(measure.games, entrants, self.question.cross_check),
            games=validations[0].games if validations else 0,
            games_played=measure.played,
            shares=list_shares(self.field, self.question.weights),
            checksum=f"{measure.checksum & CHECKSUM_MASK:012x}",
            deck=deck.name,
            base=base.name if base else None,
            faction=deck.faction,
            leader=self._name_leader(deck),
            base_leader=self._name_leader(base.deck) if base else None,
            cards=self._name_cards(deck.counts()),
            swaps=self._list_swaps(base.deck, deck) if base else (),
            path=self._list_steps(outcome),
            changes_allowed=outcome.space.changes,
            text=write_decks("text", [sheet], self.database).text,
            search=Searched(
                policy=self.choosing or self.policy,
                games=outcome.played,
                decks=outcome.decks,
                expected_win_rate=outcome.rate,
                expected_win_rate_of_base=outcome.base_rate,
            ),
            validation=validations[0] if validations else None,
            cross_checked=validations[1] if len(validations) > 1 else None,
            budget=self.question.budget,
        )

    def _list_steps(self, outcome: SearchOutcome) -> tuple[DeckStep, ...]:
        """Return the changes in the order in which to make them."""
        steps = []
        decks = [outcome.space.deck(candidate) for candidate in outcome.path]
        for before, after in pairwise(decks):
            is_new_leader = after.leader != before.leader
            leader = self._name_leader(after) if is_new_leader else None
            steps.append(DeckStep(self._list_swaps(before, after), leader))
        return tuple(steps)

    def _name_leader(self, deck: Deck) -> str | None:
        """Return the name of a deck's leader, or None for a deck without a leader."""
        if deck.leader is None:
            return None
        return self.database.leaders[deck.leader].full_name

    def _list_swaps(self, before: Deck, after: Deck) -> tuple[CopiesChange, ...]:
        """Return the cards that go, then the cards that come."""
        old, new = before.counts(), after.counts()
        changes = {card: new[card] - old[card] for card in (*old, *new)}
        removed = {card: n for card, n in changes.items() if n < 0}
        added = {card: n for card, n in changes.items() if n > 0}
        return self._name_cards(removed | added)

    def _name_cards(self, counts: Mapping[str, int]) -> tuple[CopiesChange, ...]:
        """Return the numbers of copies with the names of their cards."""
        cards = self.database.cards
        return tuple(CopiesChange(id, cards[id].name, n) for id, n in counts.items())


@dataclass(frozen=True)
class Tuning(Hunt[TuneSpec]):
    """The search for a better version of a deck."""

    KIND = "tune"
    QUESTION = TuneSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """The decks around the base."""
        return [
            space_around(
                self.deck.deck,
                self.format,
                self.database,
                changes=self.question.changes,
                kept=self.question.keep,
                changes_leader=self.question.change_leader,
            )
        ]

    @property
    def base(self) -> Entrant:
        """The deck that is to become better."""
        return self.deck

    def choose_name(self, outcome: SearchOutcome) -> str:
        """Return the name for a better deck."""
        return f"{self.deck.name}, tuned"


def make_tuning(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: TuneSpec,
) -> Tuning:
    """Return the search for a better version of a deck, as `fmt` is played.

    Raises UsageError unless there is one legal deck and a field, for a card to keep
    that it does not hold, for too few games, and for a format in which no two decks
    meet.
    """
    use = "Name the file of the deck to tune, which holds no other"
    entrant, field, question = read_deck_and_field(fmt, deck, opponents, question, use)
    if count_errors(deck[0]):
        raise UsageError(
            f"{quote(deck[0].source.path)} is illegal in {quote(fmt.id)}",
            "Only a legal deck can be tuned; `deckcheck validate` says what is wrong",
        )
    keep = (find_deck_card(c, "keep", entrant.deck, database) for c in question.keep)
    question = replace(question, keep=tuple(dict.fromkeys(keep)))
    tuning = Tuning(fmt, database, question, entrant, field)
    tuning.check_games()
    return tuning


@dataclass(frozen=True)
class Building(Hunt[BuildSpec]):
    """The search for the best deck, which begins with no deck."""

    KIND = "build"
    QUESTION = BuildSpec

    field: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """A space for each faction, which begins with its decks in the field."""
        spaces = make_spaces(self.format, self.database, self.question.factions)
        decks = [opponent.deck for opponent in self.field]
        return [space.beginning_with(decks) for space in spaces]

    def choose_name(self, outcome: SearchOutcome) -> str:
        """Return the faction of the deck as its name."""
        faction = outcome.space.template.faction
        if faction is None:
            return "Built"
        return f"{self.database.factions[faction].name}, built"


def make_building(
    fmt: Format,
    database: CardDatabase,
    _: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: BuildSpec,
) -> Building:
    """Return the search for the best deck of `fmt`, which begins with no deck.

    Raises UsageError without a field, for a faction without decks, for too few games,
    and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    question = question.played_in(fmt)
    field = enter_field(opponents, question.policies)
    factions = find_factions(question.factions, fmt, database)
    spec = replace(
        question, cross_check=find_cross_check_in(fmt, question), factions=factions
    )
    building = Building(fmt, database, spec, field)
    building.check_games()
    return building


def find_factions(
    names: Sequence[str], fmt: Format, database: CardDatabase
) -> tuple[str, ...]:
    """Return the ids of factions that have decks, each once.

    Raises UsageError for another name.
    """
    leaders = leaders_allowed(fmt, database)
    factions = dict.fromkeys(leader.faction for leader in leaders)
    ids = [database.find_faction(name).id for name in names]
    for id, name in zip(ids, names, strict=True):
        if id is None or id not in factions:
            known = [database.factions[faction].name for faction in factions]
            help = f"Leave {option('faction')} out"
            if known:
                help = f"Factions are {choice(known, 'and')}"
            raise UsageError(
                f"No decks of the faction {quote(name)} in {quote(fmt.id)}",
                help,
            )
    return tuple(id for id in dict.fromkeys(ids) if id is not None)
