"""The result of `impact`: the cards of a deck and their worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from deckcheck.findings.words import quote
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.report.units import points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, effect, ends_of, rounded, value_of
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import NONE, tidy
from deckcheck.studies.impact.document import (
    CardDocument,
    ConfirmationDocument,
    ImpactDocument,
    ObservedDocument,
)
from deckcheck.studies.impact.observed import Observed
from deckcheck.studies.impact.trial import Effect

CUT = "is the card to cut"
FLATTERED = "These games also chose the card, so they speak too much against it"
MAYBE = "may be the card to cut, but that is not clear"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A card that could take the place of another, and what the deck gains by that."""

    id: str
    name: str
    gain: Effect


@dataclass(frozen=True, slots=True)
class CardImpact:
    """What one copy of a card is worth in the deck.

    `worth` is how much better the deck is with it than with an average card, `against`
    the same for each opponent; `most` is the opponent for whom it is there, by the
    first trial, in which it was worth `expected`. `better` are the cards that were best
    in the first trial, the best first; what they gain was measured in the second.
    """

    id: str
    name: str
    copies: int
    worth: Effect
    against: tuple[Effect, ...]
    most: int
    better: tuple[Alternative, ...]
    expected: float = 0.0


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The card to cut as another player plays it, `games` of each version.

    `gain` is that of the best card in its place, None if there is none.
    """

    policy: str
    games: int
    worth: Effect
    gain: Effect | None


@dataclass(frozen=True, slots=True, repr=False)
class ImpactResult(ResultHeader):
    """The cards of a deck weighed: `games` are those of each version, over the field.

    Which card to `cut` (its id), which to try for it, and the ranking were chosen in
    other games than those that the effects are from. `average` are the cards that stood
    for an average one. `observed` has every card in every way in which it was seen,
    which is no cause: a card that is played late is played in games that went on. It is
    empty in a result that is not complete. `confirmed` is what another player makes of
    the card to cut, None if nobody played again. `shares` are those of the opponents in
    the field, () for all alike. Unless it was `measured`, the games that chose are the
    only ones so far.
    """

    deck: str = ""
    opponents: tuple[str, ...] = ()
    average: tuple[str, ...] = ()
    cards: tuple[CardImpact, ...] = ()
    observed: tuple[Observed, ...] = ()
    cut: str = ""
    confirmed: Confirmation | None = None
    shares: tuple[tuple[str, float], ...] = ()
    measured: bool = True

    @property
    def ranked(self) -> tuple[CardImpact, ...]:
        """The cards, the most valuable first by the first trial.

        Their worth is from other games, so that the first is not the luckiest.
        """
        return tuple(sorted(self.cards, key=lambda card: -card.expected))

    @property
    def answer(self) -> str:
        """Which card to cut and whether that is clear, in a sentence or two.

        It is when the deck is better without the card than with it, or with another.
        """
        [card] = [card for card in self.cards if card.id == self.cut]
        best = card.better[:1]
        is_clear = card.worth.interval.high < 0 or any(
            card.gain.interval.low > 0 for card in best
        )
        verdict = CUT if is_clear and self.measured else MAYBE
        again = self.confirmed
        worth = self._by_both(
            f"{_told(card.worth)} compared with an average card",
            again.worth if again else None,
        )
        claim = f"{quote(card.name)} {verdict}: it is worth {worth}"
        gains = [
            f"{quote(card.name)} in its place gains "
            f"{self._by_both(_told(card.gain), again.gain if again else None)}"
            for card in best
        ]
        flattered = [] if self.measured else [FLATTERED]
        return ". ".join([claim, *gains, *flattered])

    def _by_both(self, told: str, again: Effect | None) -> str:
        """What was told of an effect, and the effect with the player who confirms."""
        if again is None or self.confirmed is None:
            return told
        first = self.players[0]
        by = policy_in_words(self.confirmed.policy, first)
        return f"{told} played by {policy_in_words(first)}, {_told(again)} by {by}"

    def seen(self, card: str) -> tuple[Observed, ...]:
        """What was observed of a card, in the order of WAYS."""
        return tuple(figure for figure in self.observed if figure.card == card)

    def to_dict(self) -> ImpactDocument:
        """The result as `deckcheck schema impact` describes it."""
        return {
            "schema_version": 2,
            **head_data(self),
            "answer": self.answer,
            "deck": self.deck,
            "average": list(self.average),
            "shares": {name: rounded(share) for name, share in self.shares},
            "cut": self.cut,
            "cards": [self._card(card) for card in self.ranked],
            "confirmed": self._confirmation(),
        }

    def _confirmation(self) -> ConfirmationDocument | None:
        again = self.confirmed
        if again is None:
            return None
        return {
            "policy": again.policy,
            "games": again.games,
            "worth": effect(again.worth),
            "gain": effect(again.gain) if again.gain else None,
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the most valuable first.

        A `gain` is that of `card` in the place of `baseline`.
        """
        return [row for card in self.ranked for row in self._rows(card)]

    def _card(self, card: CardImpact) -> CardDocument:
        return {
            "id": card.id,
            "name": card.name,
            "copies": card.copies,
            "worth": effect(card.worth),
            "most_against": self.opponents[card.most],
            "against": [
                {"opponent": name, **effect(worth)}
                for name, worth in zip(self.opponents, card.against, strict=True)
            ],
            "observed": [_observed(figure) for figure in self.seen(card.id)],
            "alternatives": [
                {
                    "id": alternative.id,
                    "name": alternative.name,
                    **effect(alternative.gain),
                }
                for alternative in card.better
            ],
        }

    def _rows(self, card: CardImpact) -> Iterator[Row]:
        words = {"card": card.name, "baseline": NONE}
        yield from tidy("copies", card.copies, self.games, self.deck, **words)
        yield from tidy("worth", card.worth, self.games, self.deck, **words)
        for name, worth in zip(self.opponents, card.against, strict=True):
            n = self.games // len(self.opponents)
            yield from tidy("worth", worth, n, self.deck, name, **words)
        for seen in self.seen(card.id):
            for figure, value in (
                ("win_rate", seen.win_rate),
                ("difference", seen.difference),
                ("false_discovery_rate", seen.rate),
            ):
                metric = f"{seen.way}_{figure}"
                yield from tidy(metric, value, seen.games, self.deck, **words)
        for better in card.better:
            words = {"card": better.name, "baseline": card.name}
            yield from tidy("gain", better.gain, self.games, self.deck, **words)


def _told(gain: Effect) -> str:
    return f"{points(gain.value)} points ({ranged(gain.interval)})"


def _observed(observed: Observed) -> ObservedDocument:
    difference = observed.difference
    return {
        "way": observed.way,
        "games": observed.games,
        "win_rate": rounded(observed.win_rate),
        "difference": value_of(difference),
        "interval": ends_of(difference),
        "false_discovery_rate": rounded(observed.rate),
    }
