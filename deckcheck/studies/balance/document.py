"""The JSON document of a field that was balanced."""

from __future__ import annotations

from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.findings.json_schema import Count, Interval, Ordinal, Share, one_of
from deckcheck.sim.results.run_document import Effect, MeanRate, RunDocument
from deckcheck.studies.balance.targets import Kind, Verdict

VerdictWord = Annotated[str, one_of(Verdict)]


class ValuesDocument(TypedDict):
    """The values of a card before and after a change."""

    was: dict[str, Count]
    """The strength or number of copies before, by the name of the field."""
    now: dict[str, Count]
    """The strength or number of copies after the change."""


class CardChangeDocument(ValuesDocument):
    """A change of a card."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""


class ChosenDocument(CardChangeDocument):
    """A change that is recommended."""

    chosen: Share
    """The share of resamples in which the card would be changed, 0 to 1."""


class ChoiceDocument(TypedDict):
    """Changes that might have been chosen by other games."""

    changes: list[CardChangeDocument]
    """The changes; none if nothing would be changed."""
    share: Share
    """The share of resamples in which these would be chosen, 0 to 1."""


class TargetDocument(TypedDict):
    """The win rate of a deck or a faction before and after the changes."""

    kind: Kind
    """Whether it is a deck or a faction."""
    name: str
    """The name of the deck or faction."""
    target: Interval | None
    """The range that the win rate is to lie in, 0 to 1; null if nothing is asked."""
    verdict: VerdictWord | None
    """Whether the target is met after the changes; null without a target."""
    before: MeanRate
    """The win rate before the changes."""
    after: MeanRate
    """The win rate after the changes."""
    confirmed: MeanRate | None
    """The win rate after them with another policy; null if none was asked for."""
    confirmed_verdict: VerdictWord | None
    """Whether the target is met with that policy; null without policy or target."""


class CardPlaceDocument(TypedDict):
    """A card compared with its peers, the other cards of its kind in the field."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    kind: str
    """The kind of the card."""
    decks: Ordinal
    """The number of decks that hold it."""
    use: Share
    """The share of the field that holds it, 0 to 1."""
    worth: Effect
    """The gain of decks from one copy in the place of an average card."""
    peers: float
    """The mean worth of its peers, -1 to 1."""
    above: Effect
    """The worth of the card less that of its peers."""


class BalanceDocument(RunDocument):
    """The output of `deckcheck balance --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 took the worth of peers as certain."""
    answer: str
    """The answer in a sentence or two."""
    verdict: VerdictWord
    """Whether all targets are met: the worst of their verdicts."""
    bounds: str
    """The changes that are allowed, in words."""
    confirm: str | None
    """The policy that played the proof again; null if none was asked for."""
    cards_tried: Count
    """The number of cards whose change was tried."""
    sets_tried: Count
    """The number of sets of changes that were tried."""
    balanced: list[ChosenDocument]
    """The changes that are recommended; none if nothing helped or had to change."""
    choices: list[ChoiceDocument]
    """The choices if all games were drawn again, the most frequent first."""
    targets: list[TargetDocument]
    """Every deck and faction with its win rates, on games that chose nothing."""
    cards: list[CardPlaceDocument]
    """The cards of the field, the farthest above their peers first."""
