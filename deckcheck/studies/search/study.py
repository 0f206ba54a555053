"""`tune` and `build` as studies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Generic, TypeVar

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.model import Header, sheet_of
from deckcheck.decks.rewriting import write_decks
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.generating import leaders_allowed
from deckcheck.messages import choice, option, quote
from deckcheck.playing.kernel import CHECKSUM_MASK
from deckcheck.sim.confirming import usual_games
from deckcheck.sim.entrants import Entrant, errors_of
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.study import Interrupted
from deckcheck.specs import BuildSpec, HuntSpec, TuneSpec
from deckcheck.studies.duels import (
    DuelStudy,
    card_of,
    check_meetings,
    confirmed_in,
    deck_and_field,
    field_of,
    shares_in,
)
from deckcheck.studies.proof import Measure, Proof, prove
from deckcheck.studies.search.result import CopiesChange, DeckStep, FoundDeck, Searched
from deckcheck.studies.search.search import FEWEST_GAMES, DeckSearch, SearchOutcome
from deckcheck.studies.search.space import DeckSpace, space_around, spaces_of
from deckcheck.validation import DeckReport

# A search as a study: it finds a deck, proves it on fresh games, and tells of it


PROOF, PROOF_OF_CHANGES = 0.15, 0.2
"""The share of the games that is kept for the proof; changes need a larger one."""

MARGIN = 0.005


H = TypeVar("H", bound=HuntSpec)


class Hunt(DuelStudy[H, FoundDeck], Generic[H]):
    """A search for the best deck against a field; `run` does it."""

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
    def played_again(self) -> int:
        """The games of each deck that another player plays."""
        question = self.question
        if question.confirm is None:
            return 0
        return question.confirm_games or usual_games(question.confirm, question.games)

    @property
    def proof_share(self) -> float:
        """The share of the games that is kept for the proof."""
        return PROOF if self.base is None else PROOF_OF_CHANGES

    @property
    def most_proved(self) -> int:
        """How many decks the proof may be about: the base, and one for each change."""
        return 1 + max(space.changes or 0 for space in self.spaces)

    @abstractmethod
    def name_of(self, deck: SearchOutcome) -> str:
        """What a deck that was found is called."""

    @property
    def least_games(self) -> int:
        """The fewest games that are of use."""
        return FEWEST_GAMES * len(self.field) * len(self.spaces)

    def check_games(self) -> None:
        """Raise UsageError for too few games to search with."""
        if self.question.games < self.least_games:
            raise UsageError(
                f"{self.question.games:,} games are too few for this search, "
                f"which needs at least {self.least_games:,}",
                f"Give more with {option('games')}, or name a smaller field",
            )

    def answer(self, games: GameSession) -> FoundDeck:
        """Search, and prove what was found; an interrupt has the best deck so far."""
        question = self.question
        proofs: list[Proof] = []
        measure = Measure(
            self.format,
            self.database,
            self.field,
            self.policy,
            games,
            question.weights,
            budget=question.games + self.most_proved * self.played_again,
        )
        budget = int((1 - self.proof_share) * question.games)
        search = DeckSearch(self.spaces, measure, budget, question.seed, undoes=True)
        try:
            best_deck = search.run()
            self._prove(best_deck, measure, proofs)
        except KeyboardInterrupt:
            best = search.best()
            if best is None:
                raise Interrupted(None) from None
            result = self._result(best, proofs, measure)
            raise Interrupted(replace(result, complete=False)) from None
        return self._result(best_deck, proofs, measure)

    def _prove(
        self, deck: SearchOutcome, measure: Measure, proofs: list[Proof]
    ) -> None:
        """Play fresh games, by the usual player and by the one who is to confirm."""
        if deck.is_base:
            return
        decks = [self._named(deck)]
        if self.base is not None:
            between = map(deck.space.deck, deck.path[1:-1])
            decks = [self.base.deck, *between, *decks]
        measure.note = "proof on fresh games"
        games = int(self.proof_share * self.question.games / len(decks))
        again = len(decks) * self.played_again
        measure.budget = measure.played + games * len(decks) + again
        proofs.append(prove(measure, decks, games, MARGIN))
        confirm = self.question.confirm
        if confirm is not None:
            # The measure is that of the search: its games and its jobs count on.
            measure.policy = confirm
            measure.opponents = [
                replace(opponent, policy=confirm) for opponent in measure.opponents
            ]
            measure.note = f"proof played by {confirm}"
            proofs.append(prove(measure, decks, self.played_again, MARGIN))

    def _named(self, best_deck: SearchOutcome) -> Deck:
        """The deck that was found under its own name."""
        if best_deck.is_base:
            return best_deck.deck
        name = self.name_of(best_deck)
        deck = best_deck.deck
        headers = {**deck.headers, "name": (Header(name, deck.span),)}
        return replace(deck, name=name, headers=headers)

    def _result(
        self, best_deck: SearchOutcome, proofs: Sequence[Proof], measure: Measure
    ) -> FoundDeck:
        deck, base = self._named(best_deck), self.base
        leaders = self.database.leaders
        own = Entrant(deck, deck.name, self.policy)
        is_new = base is not None and not best_deck.is_base
        entrants = (*([base] if base and is_new else []), own, *self.field)
        return FoundDeck(
            **self.head(measure.games, entrants, self.question.confirm),
            games=proofs[0].games if proofs else 0,
            games_played=measure.played,
            shares=shares_in(self.field, self.question.weights),
            checksum=f"{measure.checksum & CHECKSUM_MASK:012x}",
            deck=deck.name,
            base=base.name if base else None,
            faction=deck.faction,
            leader=leaders[deck.leader].full_name if deck.leader else None,
            base_leader=(
                leaders[base.deck.leader].full_name
                if base and base.deck.leader
                else None
            ),
            cards=self._cards(deck.counts()),
            swaps=self._swaps(self.base.deck, deck) if self.base else (),
            steps=self._steps(best_deck),
            changes_allowed=best_deck.space.changes,
            text=write_decks(
                "text", [sheet_of(deck, self.database)], self.database
            ).text,
            search=Searched(
                best_deck.played, best_deck.decks, best_deck.rate, best_deck.base_rate
            ),
            proof=proofs[0] if proofs else None,
            confirmed=proofs[1] if len(proofs) > 1 else None,
        )

    def _steps(self, best_deck: SearchOutcome) -> tuple[DeckStep, ...]:
        """The changes in the order in which to make them."""
        decks = [best_deck.space.deck(candidate) for candidate in best_deck.path]
        return tuple(
            DeckStep(self._swaps(before, after), self._leader(before, after))
            for before, after in pairwise(decks)
        )

    def _leader(self, before: Deck, after: Deck) -> str | None:
        """The name of the leader that comes, None if it is the same."""
        if after.leader is None or after.leader == before.leader:
            return None
        return self.database.leaders[after.leader].full_name

    def _swaps(self, before: Deck, after: Deck) -> tuple[CopiesChange, ...]:
        """The cards that go, then those that come."""
        old, new = before.counts(), after.counts()
        changed = {card: new[card] - old[card] for card in (*old, *new)}
        ordered = sorted(changed, key=lambda card: changed[card] > 0)
        return self._cards({card: changed[card] for card in ordered if changed[card]})

    def _cards(self, counts: Mapping[str, int]) -> tuple[CopiesChange, ...]:
        cards = self.database.cards
        return tuple(CopiesChange(id, cards[id].name, n) for id, n in counts.items())


# Finds the best deck within a few changes of an existing one


@dataclass(frozen=True)
class Tuning(Hunt[TuneSpec]):
    """A deck that is to become better; `run` tries."""

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

    def name_of(self, deck: SearchOutcome) -> str:
        """What a better deck is called."""
        return f"{self.deck.name}, tuned"


def tuning_of(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: TuneSpec,
) -> Tuning:
    """The search for a better version of a deck as `fmt` is played.

    Raises UsageError unless there is one legal deck and a field, for a card to keep
    that it does not hold, for too few games, and for a format in which no two decks
    meet.
    """
    use = "Name the file of the deck to tune, which holds no other"
    entrant, field, question = deck_and_field(fmt, deck, opponents, question, use)
    if errors_of(deck[0]):
        raise UsageError(
            f"{quote(deck[0].source.path)} is illegal in {quote(fmt.id)}",
            "Only a legal deck can be tuned; `deckcheck validate` says what is wrong",
        )
    keep = (card_of(c, "keep", entrant.deck, database) for c in question.keep)
    question = replace(question, keep=tuple(dict.fromkeys(keep)))
    tuning = Tuning(fmt, database, question, entrant, field)
    tuning.check_games()
    return tuning


# The best deck of a format, made from nothing


@dataclass(frozen=True)
class Building(Hunt[BuildSpec]):
    """A deck that is to be made; `run` makes it."""

    KIND = "build"
    QUESTION = BuildSpec

    field: tuple[Entrant, ...]

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """A space for each faction, with the decks of the field that are of it."""
        spaces = spaces_of(self.format, self.database, self.question.factions)
        decks = [opponent.deck for opponent in self.field]
        return [space.beginning_with(decks) for space in spaces]

    def name_of(self, deck: SearchOutcome) -> str:
        """What the deck is called."""
        faction = deck.space.template.faction
        if faction is None:
            return "Built"
        return f"{self.database.factions[faction].name}, built"


def building_of(
    fmt: Format,
    database: CardDatabase,
    _: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: BuildSpec,
) -> Building:
    """The search for the best deck of `fmt`, which begins with no deck.

    Raises UsageError without a field, for a faction without decks, for too few games,
    and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    question = question.played_in(fmt)
    field = field_of(opponents, question.policies)
    factions = tuple(faction_of(name, fmt, database) for name in question.factions)
    factions = tuple(dict.fromkeys(factions))
    spec = replace(question, confirm=confirmed_in(fmt, question), factions=factions)
    building = Building(fmt, database, spec, field)
    building.check_games()
    return building


def faction_of(name: str, fmt: Format, database: CardDatabase) -> str:
    """The id of a faction that has decks; UsageError for another name."""
    faction_id = database.find_faction(name).id
    factions = dict.fromkeys(
        leader.faction for leader in leaders_allowed(fmt, database)
    )
    if faction_id is not None and faction_id in factions:
        return faction_id
    names = [database.factions[faction].name for faction in factions]
    raise UsageError(
        f"No decks of the faction {quote(name)} in {quote(fmt.id)}",
        f"Factions are {choice(names, 'and')}"
        if names
        else f"Leave {option('faction')} out",
    )
