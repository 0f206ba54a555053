"""The result of `balance`: the changes, the targets with them, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.cards import Card
from deckcheck.documents.records import Count, Interval, Share, ShownAs, one_of
from deckcheck.messages import plural, quote
from deckcheck.policies.registry import policy_in_words
from deckcheck.report.tables import describe_pilot, percent
from deckcheck.sim.documents import MeanRate, RunDocument
from deckcheck.sim.figures import (
    ALL,
    Claim,
    Figure,
    Row,
    mean_rate,
    plain,
    round_figure,
    tidy,
)
from deckcheck.sim.result_document import make_result_document
from deckcheck.sim.result_header import ResultHeader
from deckcheck.stats import Estimate, Verdict
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.balance.impacts import CardPlaceDocument
from deckcheck.studies.balance.targets import (
    Aim,
    Gauge,
    Kind,
    Scores,
    TargetVerdict,
    judge_target,
)

VerdictWord = Annotated[str, one_of(TargetVerdict)]
ShownRate = Annotated[Estimate, ShownAs(MeanRate)]


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


class BalanceDocument(RunDocument):
    """The output of `deckcheck balance --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 took the impact of peers as certain."""
    answer: str
    """The answer in a sentence or two."""
    verdict: VerdictWord
    """Whether all targets are met: the worst of their verdicts."""
    bounds: str
    """The changes that are allowed, in words."""
    cross_check: str | None
    """The policy that played the validation games again; null if none was asked for."""
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


# The result of a balance: changes, targets, and the cards of the field

SETTLED_SHARE = 0.5
"""The least share of resamples with the same changes, for a clear recommendation."""

SET_HEADING = "# changes of cards by deckcheck balance"
"""The first line of the file of a set."""


@dataclass(frozen=True, slots=True)
class BalanceChange:
    """A card before and after a change."""

    was: Card
    now: Card

    @property
    def fields(self) -> dict[str, int]:
        """The new values of the fields that differ, named as in a set."""
        fields = {}
        if self.now.strength is not None and self.now.strength != self.was.strength:
            fields["strength"] = self.now.strength
        if self.now.copies != self.was.copies:
            fields["copies"] = self.now.copies
        return fields

    @property
    def in_words(self) -> str:
        """The change in words: `the strength of War Longship from 10 to 6`."""
        texts = []
        for key, new in self.fields.items():
            old = getattr(self.was, key)
            texts.append(f"the {key} of {quote(self.was.name)} from {old} to {new}")
        return " and ".join(texts)

    def as_data(self) -> CardChangeDocument:
        """Return the change for documents."""
        return {
            "id": self.was.id,
            "name": self.was.name,
            "was": {key: getattr(self.was, key) for key in self.fields},
            "now": self.fields,
        }


@dataclass(frozen=True, slots=True)
class ChoiceDocument:
    """Changes that might have been chosen by other games."""

    changes: tuple[Annotated[BalanceChange, ShownAs(CardChangeDocument)], ...]
    """The changes; none if nothing would be changed."""
    share: Share
    """The share of resamples in which these would be chosen, 0 to 1."""

    @property
    def in_words(self) -> str:
        """The changes in words: `War Longship: strength from 10 to 6`."""
        texts = []
        for change in self.changes:
            for key, new in change.fields.items():
                old = getattr(change.was, key)
                texts.append(f"{change.was.name}: {key} from {old} to {new}")
        return ", ".join(texts) or "nothing"


@dataclass(frozen=True, slots=True)
class TargetDocument:
    """The win rate of a deck or a faction before and after the changes."""

    kind: Kind
    """Whether it is a deck or a faction."""
    name: str
    """The name of the deck or faction."""
    target: Annotated[tuple[float, float], ShownAs(Interval)] | None
    """The range that the win rate is to lie in, 0 to 1; null if nothing is asked."""
    verdict: Annotated[TargetVerdict, ShownAs(VerdictWord)] | None
    """Whether the target is met after the changes; null without a target."""
    before: ShownRate = field(metadata={"shown": mean_rate})
    """The win rate before the changes."""
    after: ShownRate = field(metadata={"shown": mean_rate})
    """The win rate after the changes."""
    cross_checked: ShownRate | None = field(metadata={"shown": mean_rate})
    """The win rate after them with another policy; null if none was asked for."""
    cross_checked_verdict: Annotated[TargetVerdict, ShownAs(VerdictWord)] | None
    """Whether the target is met with that policy; null without policy or target."""

    def list_claims(self, first_bot: str, second_bot: str) -> Iterator[Claim]:
        """Yield the position of the rate after the changes by each bot.

        It is in the range of the target, above or below. Without a target there is no
        claim.
        """
        rates = [(first_bot, self.after, self.verdict)]
        if self.cross_checked is not None:
            rates.append((second_bot, self.cross_checked, self.cross_checked_verdict))
        for bot, rate, verdict in rates:
            if verdict is None or self.target is None:
                continue
            _, highest = self.target
            if verdict is TargetVerdict.INCONCLUSIVE:
                position = Verdict.INCONCLUSIVE
            elif verdict is TargetVerdict.MET:
                position = Verdict.EQUAL
            elif rate.value > highest:
                position = Verdict.BETTER
            else:
                position = Verdict.WORSE
            yield Claim(self.name, "", rate, position, bot)


@dataclass(frozen=True, slots=True, repr=False)
class BalanceResult(ResultHeader):
    """The changes that balance a field, and its targets, see `BalanceDocument`.

    `games` is the number for each pair of decks.
    """

    cards: tuple[CardPlaceDocument, ...] = ()
    """The cards of the field, the farthest above their peers first."""
    balanced: tuple[BalanceChange, ...] = ()
    """The recommended changes."""
    outcomes: tuple[TargetDocument, ...] = ()
    """Every deck and faction, by games that chose no change."""
    tried: int = 0
    """The number of sets of changes that were played."""
    offered: int = 0
    """The number of cards whose change was tried."""
    bounds: str = ""
    """The changes that are allowed, in words."""
    cross_check: str | None = None
    """The second bot, None if none played."""
    choices: tuple[ChoiceDocument, ...] = ()
    """The choices if all games were drawn again, the most frequent first."""

    def measure_choice(self, card: str) -> float:
        """Return the share of resamples in which a card is changed."""
        shares = []
        for choice in self.choices:
            if card in {change.was.id for change in choice.changes}:
                shares.append(choice.share)
        return sum(shares)

    @property
    def agreement(self) -> float:
        """The share of resamples in which exactly the same changes are chosen."""
        recommended = {change.was.id: change.fields for change in self.balanced}
        shares = []
        for choice in self.choices:
            if recommended == {c.was.id: c.fields for c in choice.changes}:
                shares.append(choice.share)
        return sum(shares)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The position of each rate that has a target: in its range, above or below."""
        claims: list[Claim] = []
        for outcome in self.outcomes:
            claims += outcome.list_claims(self.players[0], self.cross_check or "")
        return tuple(claims)

    @property
    def verdict(self) -> TargetVerdict:
        """The verdict on all targets together: the worst of them."""
        verdicts = {outcome.verdict for outcome in self.outcomes}
        for verdict in (TargetVerdict.MISSED, TargetVerdict.INCONCLUSIVE):
            if verdict in verdicts:
                return verdict
        return TargetVerdict.MET

    @property
    def answer(self) -> str:
        """The recommended changes, and how many targets are met with them."""
        return " ".join(self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the changes, and how many targets are met with them, by each bot."""
        yield self._describe_changes()
        targets = describe_targets([outcome.verdict for outcome in self.outcomes])
        if self.balanced:
            yield f"With these changes {targets}."
        else:
            yield f"{targets[0].upper()}{targets[1:]}."
        if self.tried and self.verdict is TargetVerdict.MISSED:
            yield "No changes within the bounds were found that meet all targets."
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        if self.cross_check is not None:
            verdicts = [outcome.cross_checked_verdict for outcome in self.outcomes]
            bot = policy_in_words(self.cross_check, self.players[0])
            yield f"Piloted by {bot}, {describe_targets(verdicts)}."

    def _describe_changes(self) -> str:
        """Return the recommended changes, if most resamples would choose the same."""
        changes = [change.in_words for change in self.balanced]
        if not changes:
            return "Change nothing."
        listed = changes[0]
        if len(changes) > 1:
            listed = f"{', '.join(changes[:-1])} and {changes[-1]}"
        if self.agreement >= SETTLED_SHARE:
            return f"Change {listed}."
        return (
            f"No clear recommendation: changing {listed} looks best, but a search "
            "repeated with other games would choose exactly these changes only "
            f"{percent(self.agreement)} of the time."
        )

    def to_dict(self) -> BalanceDocument:
        """Return the result as `deckcheck schema balance` describes it."""
        balanced = []
        for change in self.balanced:
            chosen = round_figure(self.measure_choice(change.was.id))
            balanced.append({**change.as_data(), "chosen": chosen})
        return make_result_document(
            BalanceDocument,
            self,
            cards_tried=self.offered,
            sets_tried=self.tried,
            balanced=balanced,
            targets=plain(self.outcomes),
        )

    def to_rows(self) -> list[Row]:
        """Return tidy rows: each deck and faction before and after, then each card."""
        rows: list[Row] = []
        for outcome in self.outcomes:
            rates = {
                "win_rate_before": outcome.before,
                "win_rate_after": outcome.after,
                "win_rate_cross_checked": outcome.cross_checked,
            }
            for metric, rate in rates.items():
                games = rate.games if rate else 0
                rows += tidy(
                    metric, rate, games, outcome.name, card=ALL, kind=outcome.kind
                )
        for place in self.cards:
            figures: dict[str, Figure | float] = {
                "impact": place.impact,
                "above_peers": place.above,
                "use": place.use,
            }
            for metric, figure in figures.items():
                rows += tidy(
                    metric, figure, self.games, ALL, card=place.name, kind="card"
                )
        return rows

    def set_text(self) -> str:
        """Return the changes as the file of a set, which may change nothing."""
        lines = [SET_HEADING, "change:" if self.balanced else "change: {}"]
        for change in self.balanced:
            values = ", ".join(f"{key}: {new}" for key, new in change.fields.items())
            lines.append(f"  {change.was.id}: {{{values}}}")
        return "\n".join(lines) + "\n"


def judge_targets(
    gauges: Sequence[Gauge], aims: Sequence[Aim], validation: Sequence[Scores]
) -> Iterator[TargetDocument]:
    """Yield the results of decks and factions, with simultaneous intervals of targets.

    `validation` are the scores before the changes and after them, then after them by
    the second bot if there is one.
    """
    level = joint_level(len(aims))
    aim_by_gauge = {aim.gauge: aim for aim in aims}
    for gauge in gauges:
        rates = [gauge.estimate(scores, level) for scores in validation]
        cross_checked = rates[2] if len(rates) > 2 else None
        aim = aim_by_gauge.get(gauge)
        target = verdict = cross_checked_verdict = None
        if aim is not None:
            target = (aim.low, aim.high)
            verdict = judge_target(aim, rates[1])
            if cross_checked is not None:
                cross_checked_verdict = judge_target(aim, cross_checked)
        yield TargetDocument(
            kind=gauge.kind,
            name=gauge.name,
            target=target,
            verdict=verdict,
            before=rates[0],
            after=rates[1],
            cross_checked=cross_checked,
            cross_checked_verdict=cross_checked_verdict,
        )


def describe_targets(verdicts: Sequence[TargetVerdict | None]) -> str:
    """Return how many targets are met, missed and inconclusive, without a full stop.

    >>> describe_targets([TargetVerdict.MET, TargetVerdict.MISSED])
    '1 of 2 targets is met, and 1 is missed'
    """
    targets = [verdict for verdict in verdicts if verdict is not None]
    met_count = targets.count(TargetVerdict.MET)
    missed = targets.count(TargetVerdict.MISSED)
    unclear = len(targets) - met_count - missed
    if met_count == len(targets):
        if met_count == 1:
            return "the target is met"
        return f"all {met_count} targets are met"
    counted = f"{met_count} of {plural(len(targets), 'target')} {_be(met_count)} met"
    if not missed:
        return f"{counted}, and {unclear} {_be(unclear)} inconclusive"
    if not unclear:
        return f"{counted}, and {missed} {_be(missed)} missed"
    return (
        f"{counted}, {missed} {_be(missed)} missed, and {unclear} {_be(unclear)} "
        "inconclusive"
    )


def _be(number: int) -> str:
    """Return `is` or `are`, as a number needs it."""
    return "is" if number == 1 else "are"
