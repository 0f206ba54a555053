"""Changes of cards that a search may try, and its margin inside of targets."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from deckcheck.stats.multiple import level_of
from deckcheck.studies.balance.cards import CardPlace, Worths
from deckcheck.studies.balance.field import BalancedField
from deckcheck.studies.balance.search import Search
from deckcheck.studies.balance.spec import Bounds
from deckcheck.studies.balance.steps import Step, measured, steps_of
from deckcheck.studies.balance.targets import Aim, Scores

CANDIDATES = 12
"""How many cards are tried, unless a plan names them."""

ONE_SIGMA = 0.6827
"""The level of an interval that reaches one standard error."""


def margins_of(aims: Sequence[Aim], scores: Scores, proof: int) -> list[float]:
    """How far inside of its range each aim has to lie so that it can be proved.

    That is the reach of the interval of the proof, which has `proof` times the games
    of `scores`, and the standard error of these.
    """
    level = level_of(len(aims))
    return [
        _reach(aim, scores, level) / sqrt(proof) + _reach(aim, scores, ONE_SIGMA)
        for aim in aims
    ]


def standing_out(
    places: Sequence[CardPlace], worths: Worths, search: Search
) -> list[str]:
    """The cards farthest above their peers in what is too strong, or below."""
    rates = search.tried[()]
    leaning: dict[int, int] = {}
    for aim, margin in zip(search.aims, search.margins, strict=True):
        low, high = aim.within(margin)
        value = aim.gauge.value(rates)
        for i in aim.gauge.members if not low <= value <= high else ():
            leaning[i] = leaning.get(i, 0) + (1 if value > high else -1)
    leanings = {}
    for place in places:
        sign = sum(leaning.get(i, 0) for i in worths[place.id].decks)
        if sign:
            leanings[place.id] = place.above.value * (1 if sign > 0 else -1)
    ranked = sorted(leanings, key=lambda card: -round(leanings[card], 9))
    return ranked[:CANDIDATES]


def offered(field: BalancedField, bounds: Bounds, cards: Sequence[str]) -> list[Step]:
    """All steps of these cards within the bounds."""
    largest = field.database.game.sizes.strength
    cards_of_field = (field.database.cards[card] for card in cards)
    return [
        step
        for card in cards_of_field
        for step in steps_of(card, bounds.strength, largest, bounds.limits)
        if _matters(field, step)
    ]


def measured_of_all(steps: Sequence[Step]) -> list[Step]:
    """The steps that are played, in their order."""
    cards = dict.fromkeys(step.card for step in steps)
    played = {
        step
        for card in cards
        for step in measured([step for step in steps if step.card == card])
    }
    return [step for step in steps if step in played]


def _matters(field: BalancedField, step: Step) -> bool:
    """Whether a step changes a card's strength or a deck, and leaves all legal."""
    if step.what == "strength":
        return True
    limit = field.database.cards[step.card].copies + step.by
    decks = [field.entrants[i].deck for i in field.holders[step.card]]
    holds_more = any(deck.counts()[step.card] > limit for deck in decks)
    return holds_more and field.decks((step,)) is not None


def _reach(aim: Aim, scores: Scores, level: float) -> float:
    low, high = aim.gauge.estimate(scores, level).interval
    return (high - low) / 2
