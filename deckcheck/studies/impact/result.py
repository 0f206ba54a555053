"""The result of `impact`: the cards of a deck and their worth."""

from __future__ import annotations

from dataclasses import dataclass

from deckcheck.findings.words import quote
from deckcheck.report.units import points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import (
    Row,
    cells,
    effect,
    ends_of,
    low_high,
    rounded,
    value_of,
)
from deckcheck.sim.results.played import ResultHeader
from deckcheck.studies.impact.document import (
    CardDocument,
    ImpactDocument,
    ObservedDocument,
)
from deckcheck.studies.impact.observed import WAYS, Observed
from deckcheck.studies.impact.trial import Effect

CUT = "is the card to cut"
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


@dataclass(frozen=True, slots=True, repr=False)
class ImpactResult(ResultHeader):
    """The cards of a deck weighed: `games` are those of each version, over the field.

    Which card to `cut` (its id), which to try for it, and the ranking were chosen in
    other games than those that the effects are from. `average` are the cards that stood
    for an average one. `observed` has every card in every way in which it was seen,
    which is no cause: a card that is played late is played in games that went on. It is
    empty in a result that is not complete.
    """

    deck: str = ""
    opponents: tuple[str, ...] = ()
    average: tuple[str, ...] = ()
    cards: tuple[CardImpact, ...] = ()
    observed: tuple[Observed, ...] = ()
    cut: str = ""

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
        verdict = CUT if is_clear else MAYBE
        than = f"{_told(card.worth)} compared with an average card"
        gains = (
            f"{quote(card.name)} in its place gains {_told(card.gain)}" for card in best
        )
        return ". ".join([f"{quote(card.name)} {verdict}: it is worth {than}", *gains])

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
            "cut": self.cut,
            "cards": [self._card(card) for card in self.ranked],
        }

    def to_rows(self) -> list[Row]:
        """A flat row for each card, the most valuable first."""
        return [self._row(card) for card in self.ranked]

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

    def _row(self, card: CardImpact) -> Row:
        row: Row = {
            "card": card.name,
            "copies": card.copies,
            "worth": rounded(card.worth.value),
            **low_high(card.worth.interval),
            "most_against": self.opponents[card.most],
        }
        for way, figure in zip(WAYS, self.seen(card.id), strict=self.complete):
            difference = figure.difference
            row[f"{way}_games"] = figure.games
            row[f"{way}_win_rate"] = rounded(figure.win_rate)
            row[f"{way}_difference"] = value_of(difference)
            row |= low_high(difference.interval if difference else None, f"{way}_")
            row[f"{way}_rate"] = rounded(figure.rate)
        best = card.better[0] if card.better else None
        row["alternative"] = best.name if best else None
        return row | cells("gain", best.gain if best else None)


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
