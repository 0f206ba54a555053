"""A search as a study: it finds a deck, proves it on fresh games, and tells of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Generic, Self, TypeVar

from deckcheck.decks import Deck
from deckcheck.decks.model import Header
from deckcheck.decks.writers import sheet_of, write_decks
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.formats import Format
from deckcheck.playing.tally import CHECKSUM_MASK
from deckcheck.sim.defaults import LARGEST_SEED, MOST_GAMES
from deckcheck.sim.scheduling.session import GameSession
from deckcheck.sim.simulation import Interrupted
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.studies.duel_study import DuelStudy, check_policies, shares_in
from deckcheck.studies.search.measuring import Measure
from deckcheck.studies.search.proof import (
    Proof,
    check_confirm,
    confirming,
    prove,
    usual_games,
)
from deckcheck.studies.search.result import CardChange, FoundDeck, Searched, Step
from deckcheck.studies.search.search import FEWEST_GAMES, Search, SearchOutcome
from deckcheck.studies.search.space import DeckSpace

PROOF, PROOF_OF_CHANGES = 0.15, 0.2
"""The share of the games that is kept for the proof; changes need a larger one."""

MARGIN = 0.005


@dataclass(frozen=True, slots=True)
class HuntQuestion:
    """What a user asks of a search: `games` are all that it plays, its proof included.

    `policies` are who plays all decks, or the deck that is searched and the field.
    `confirm` is another player who plays the proof again, with `confirm_games` of each
    deck, None for as many as are usual. `weights` say how often each opponent comes,
    in any unit; () for all alike.
    """

    __pydantic_config__ = CLOSED

    seed: int
    policies: tuple[str, ...]
    games: int
    confirm: str | None = None
    confirm_games: int | None = None
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        check_range("seed", self.seed, 0, LARGEST_SEED)
        check_range("games", self.games, 1, MOST_GAMES)
        check_confirm(self.confirm, self.confirm_games)
        check_policies(self.policies, "deck")

    def confirmed_in(self, fmt: Format) -> Self:
        """The same with the player who confirms it in a format, see `confirming`."""
        player = confirming(self.confirm, self.confirm_games, fmt, self.policies)
        return replace(self, confirm=player)

    @property
    def played_again(self) -> int:
        """The games of each deck that another player plays."""
        if self.confirm is None:
            return 0
        return self.confirm_games or usual_games(self.confirm, self.games)


H = TypeVar("H", bound=HuntQuestion)


class Hunt(DuelStudy[H, FoundDeck], Generic[H]):
    """A search for the best deck against a field; `run` does it."""

    question: H
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
            budget=question.games + self.most_proved * question.played_again,
        )
        budget = int((1 - self.proof_share) * question.games)
        search = Search(self.spaces, measure, budget, question.seed, undoes=True)
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
        again = len(decks) * self.question.played_again
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
            proofs.append(prove(measure, decks, self.question.played_again, MARGIN))

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
            searched=Searched(
                best_deck.played, best_deck.decks, best_deck.rate, best_deck.base_rate
            ),
            proof=proofs[0] if proofs else None,
            confirmed=proofs[1] if len(proofs) > 1 else None,
        )

    def _steps(self, best_deck: SearchOutcome) -> tuple[Step, ...]:
        """The changes in the order in which to make them."""
        decks = [best_deck.space.deck(candidate) for candidate in best_deck.path]
        return tuple(
            Step(self._swaps(before, after), self._leader(before, after))
            for before, after in pairwise(decks)
        )

    def _leader(self, before: Deck, after: Deck) -> str | None:
        """The name of the leader that comes, None if it is the same."""
        if after.leader is None or after.leader == before.leader:
            return None
        return self.database.leaders[after.leader].full_name

    def _swaps(self, before: Deck, after: Deck) -> tuple[CardChange, ...]:
        """The cards that go, then those that come."""
        old, new = before.counts(), after.counts()
        changed = {card: new[card] - old[card] for card in (*old, *new)}
        ordered = sorted(changed, key=lambda card: changed[card] > 0)
        return self._cards({card: changed[card] for card in ordered if changed[card]})

    def _cards(self, counts: Mapping[str, int]) -> tuple[CardChange, ...]:
        cards = self.database.cards
        return tuple(CardChange(id, cards[id].name, n) for id, n in counts.items())
