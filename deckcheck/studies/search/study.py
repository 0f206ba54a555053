"""The studies of `tune` and `build`: the search for a deck, and validation games."""

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

Q = TypeVar("Q", bound=DeckSearchSpec)


class DeckStudy(DuelStudy[Q, FoundDeck], Generic[Q]):
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
    def search_policy(self) -> str | None:
        """The faster policy that plays the search except for its race, if there is one.

        Without it, `policy` plays the whole search.
        """
        return None

    @property
    def cross_check_games(self) -> int:
        """The games of each deck that the second bot plays."""
        question = self.question
        if question.cross_check is None:
            return 0
        if question.cross_check_games:
            return question.cross_check_games
        return usual_games(question.cross_check, question.budget)

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
            played_by(self.field, self.search_policy),
            self.search_policy or self.policy,
            games,
            question.weights,
            budget=question.budget + validated * self.cross_check_games,
        )
        budget = int((1 - self.validation_share) * question.budget)
        games.expect(self._count_search(budget) + self._count_validation(validated))
        judge = None
        if self.search_policy is not None:
            judge = Judge(self.policy, self.field)
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
        if self.search_policy is None:
            return Counter({self.policy: budget})
        judged = round((JUDGED_SHARES.race + JUDGED_SHARES.undoing) * budget)
        return Counter({self.search_policy: budget - judged, self.policy: judged})

    def _count_validation(self, decks: int) -> Counter[str]:
        """Return the games of each bot of validation games of so many decks."""
        games = Counter(
            {self.policy: int(self.validation_share * self.question.budget)}
        )
        if self.question.cross_check is not None:
            games[self.question.cross_check] += decks * self.cross_check_games
        return games

    def _validate(
        self,
        outcome: SearchOutcome,
        measure: Measure,
        validations: list[ValidationGames],
    ) -> None:
        """Add the fresh games of the first bot to `validations`, then of the second.

        `measure` has played the search, and counts on its games and its jobs.
        """
        if outcome.is_base:
            return
        decks = [self._get_named_deck(outcome)]
        if self.base is not None:
            steps = [outcome.space.deck(step) for step in outcome.path[1:-1]]
            decks = [self.base.deck, *steps, *decks]
        games = int(self.validation_share * self.question.budget / len(decks))
        second_games = len(decks) * self.cross_check_games
        measure.budget = measure.played + games * len(decks) + second_games
        measure.games.expect(self._count_validation(len(decks)))
        measure.note = "validation games"
        measure.seat_players(self.policy, self.field)
        validations.append(play_validation_games(measure, decks, games, EQUAL_MARGIN))
        cross_check = self.question.cross_check
        if cross_check is not None:
            games = self.cross_check_games
            measure.note = f"validation games played by {cross_check}"
            measure.seat_players(cross_check, played_by(self.field, cross_check))
            second = play_validation_games(measure, decks, games, EQUAL_MARGIN)
            validations.append(second)

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
        entrants = [Entrant(deck, deck.name, self.policy), *self.field]
        if self.base is not None and not outcome.is_base:
            entrants.insert(0, self.base)
        sheet = make_sheet(deck, self.database)
        search = Searched(
            policy=self.search_policy or self.policy,
            games=outcome.played,
            decks=outcome.decks,
            expected_win_rate=outcome.rate,
            expected_win_rate_of_base=outcome.base_rate,
        )
        result = FoundDeck(
            **self.describe_run(measure.games, entrants, self.question.cross_check),
            games=0,
            games_played=measure.played,
            shares=list_shares(self.field, self.question.weights),
            checksum=f"{measure.checksum & CHECKSUM_MASK:012x}",
            deck=deck.name,
            faction=deck.faction,
            leader=self._name_leader(deck),
            cards=self._name_cards(deck.counts()),
            path=self._list_steps(outcome),
            changes_allowed=outcome.space.changes,
            text=write_decks("text", [sheet], self.database).text,
            search=search,
            budget=self.question.budget,
        )
        if self.base is not None:
            base = self.base.deck
            result = replace(
                result,
                base=self.base.name,
                base_leader=self._name_leader(base),
                swaps=self._list_swaps(base, deck),
            )
        if validations:
            first = validations[0]
            result = replace(result, games=first.games, validation=first)
        if len(validations) > 1:
            result = replace(result, cross_checked=validations[1])
        return result

    def _list_steps(self, outcome: SearchOutcome) -> tuple[DeckStep, ...]:
        """Return the changes in the order in which to make them."""
        steps = []
        decks = [outcome.space.deck(candidate) for candidate in outcome.path]
        for before, after in pairwise(decks):
            step = DeckStep(self._list_swaps(before, after))
            if after.leader != before.leader:
                step = replace(step, leader=self._name_leader(after))
            steps.append(step)
        return tuple(steps)

    def _name_leader(self, deck: Deck) -> str | None:
        """Return the name of a deck's leader, or None for a deck without a leader."""
        if deck.leader is None:
            return None
        return self.database.leaders[deck.leader].full_name

    def _list_swaps(self, before: Deck, after: Deck) -> tuple[CopiesChange, ...]:
        """Return the cards that go, then the cards that come."""
        old, new = before.counts(), after.counts()
        removed, added = {}, {}
        for card in (*old, *new):
            change = new[card] - old[card]
            if change < 0:
                removed[card] = change
            elif change > 0:
                added[card] = change
        return self._name_cards(removed | added)

    def _name_cards(self, counts: Mapping[str, int]) -> tuple[CopiesChange, ...]:
        """Return the numbers of copies with the names of their cards."""
        cards = self.database.cards
        return tuple(CopiesChange(id, cards[id].name, n) for id, n in counts.items())


@dataclass(frozen=True)
class Tuning(DeckStudy[TuneSpec]):
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
    help = "Name the file of the deck to tune, which holds no other"
    entrant, field, question = read_deck_and_field(fmt, deck, opponents, question, help)
    if count_errors(deck[0]):
        raise UsageError(
            f"{quote(deck[0].source.path)} is illegal in {quote(fmt.id)}",
            "Only a legal deck can be tuned; `deckcheck validate` says what is wrong",
        )
    keep: dict[str, None] = {}
    for card in question.keep:
        keep[find_deck_card(card, "keep", entrant.deck, database)] = None
    question = replace(question, keep=tuple(keep))
    tuning = Tuning(fmt, database, question, entrant, field)
    tuning.check_games()
    return tuning


@dataclass(frozen=True)
class Building(DeckStudy[BuildSpec]):
    """The search for the best deck of a format."""

    KIND = "build"
    QUESTION = BuildSpec

    field: tuple[Entrant, ...]

    @property
    def search_policy(self) -> str | None:
        """The faster policy, unless the question is thorough.

        Most of the very many decks are bad in the hands of any bot.
        """
        question = self.question
        return choosing_player(question.policies, thorough=question.thorough)

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
    """Return the search for the best deck of `fmt`.

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
    ids: dict[str, None] = {}
    for name in names:
        id = database.find_faction(name).id
        if id is None or id not in factions:
            known = [database.factions[faction].name for faction in factions]
            help = f"Leave {option('faction')} out"
            if known:
                help = f"Factions are {choice(known, 'and')}"
            raise UsageError(
                f"No decks of the faction {quote(name)} in {quote(fmt.id)}",
                help,
            )
        ids[id] = None
    return tuple(ids)
