"""How a field was balanced: cards and their peers, changes, and their results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from deckcheck.cards import Card
from deckcheck.findings.words import plural, quote
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, effect, mean_rate, rounded
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import ALL, tidy
from deckcheck.stats import Estimate
from deckcheck.stats.multiple import level_of
from deckcheck.studies.balance.cards import CardPlace
from deckcheck.studies.balance.document import (
    BalanceDocument,
    CardPlaceDocument,
    TargetDocument,
    ValuesDocument,
)
from deckcheck.studies.balance.targets import (
    Aim,
    Gauge,
    Kind,
    Scores,
    Verdict,
    verdict_on,
)

SET_HEADING = "# changes of cards by deckcheck balance"


@dataclass(frozen=True, slots=True)
class CardChange:
    """A card as it is, and as it is to be."""

    was: Card
    now: Card

    @property
    def fields(self) -> dict[str, int]:
        """What differs, by the names that a set has for it."""
        fields = {}
        if self.now.strength is not None and self.now.strength != self.was.strength:
            fields["strength"] = self.now.strength
        if self.now.copies != self.was.copies:
            fields["copies"] = self.now.copies
        return fields

    @property
    def in_words(self) -> str:
        """What differs: `strength 6 (from 8)`."""
        return " and ".join(
            f"{key} {new} (from {getattr(self.was, key)})"
            for key, new in self.fields.items()
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """Changes, and in which part of the resamples they would have been chosen."""

    changes: tuple[CardChange, ...]
    share: float

    @property
    def in_words(self) -> str:
        """What is changed: `War Longship to strength 6 (from 10)`."""
        changes = [f"{change.was.name} to {change.in_words}" for change in self.changes]
        return ", ".join(changes) or "nothing"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The win rate after the changes with another player, and what it says."""

    after: Estimate
    verdict: Verdict | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The win rate of a deck or a faction before and after the changes.

    `target` are the ends of the range it is to lie in, None if nothing is asked of it.
    `confirmed` is what it is after the changes where another player plays.
    """

    kind: Kind
    name: str
    before: Estimate
    after: Estimate
    target: tuple[float, float] | None
    verdict: Verdict | None
    confirmed: Confirmed | None = None


@dataclass(frozen=True, slots=True, repr=False)
class BalanceResult(ResultHeader):
    """A field balanced, as far as that was possible; `games` are those of each pair.

    `cards` are compared with their peers, the farthest above first. `balanced` are the
    changes, none if nothing had to be changed or nothing helped, and `choices` what
    would be chosen if the games were drawn again. `outcomes` are from
    games that no change was chosen by. So many sets of changes were `tried` of so many
    cards `offered`, within `bounds`. `confirm` is who played the proof again.
    """

    cards: tuple[CardPlace, ...] = ()
    balanced: tuple[CardChange, ...] = ()
    outcomes: tuple[Outcome, ...] = ()
    tried: int = 0
    offered: int = 0
    bounds: str = ""
    confirm: str | None = None
    choices: tuple[Choice, ...] = ()

    def chosen(self, card: str) -> float:
        """In which part of the resamples a card is changed."""
        shares = (
            c.share for c in self.choices if card in {x.was.id for x in c.changes}
        )
        return sum(shares)

    @property
    def verdict(self) -> Verdict:
        """What came of all targets together: the worst of them."""
        verdicts = {outcome.verdict for outcome in self.outcomes}
        order = (Verdict.MISSED, Verdict.NOT_SHOWN)
        return next((verdict for verdict in order if verdict in verdicts), Verdict.MET)

    @property
    def answer(self) -> str:
        """What to change, and what comes of it, in a sentence or two."""
        answer = f"{self._deeds()}: {_counted([o.verdict for o in self.outcomes])}"
        if self.tried and self.verdict is Verdict.MISSED:
            answer += ". No changes within the bounds were found that meet all"
        if self.confirm is not None:
            seen = [o.confirmed.verdict for o in self.outcomes if o.confirmed]
            player = policy_in_words(self.confirm, self.players[0])
            answer += f". Played by {player}: {_counted(seen)}"
        return answer

    def to_dict(self) -> BalanceDocument:
        """The result as `deckcheck schema balance` describes it."""
        return {
            "schema_version": 2,
            **head_data(self),
            "answer": self.answer,
            "verdict": self.verdict.value,
            "bounds": self.bounds,
            "confirm": self.confirm,
            "cards_tried": self.offered,
            "sets_tried": self.tried,
            "balanced": [
                {
                    "id": change.was.id,
                    "name": change.was.name,
                    **_was_and_now(change),
                    "chosen": rounded(self.chosen(change.was.id)),
                }
                for change in self.balanced
            ],
            "choices": [
                {
                    "changes": [
                        {
                            "id": change.was.id,
                            "name": change.was.name,
                            **_was_and_now(change),
                        }
                        for change in choice.changes
                    ],
                    "share": rounded(choice.share),
                }
                for choice in self.choices
            ],
            "targets": [_outcome(outcome) for outcome in self.outcomes],
            "cards": [_card(card) for card in self.cards],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: each deck and faction before and after, then each card."""
        rows = [row for outcome in self.outcomes for row in _rows(outcome)]
        for card in self.cards:
            for metric, figure in (
                ("worth", card.worth),
                ("above_peers", card.above),
                ("use", card.use),
            ):
                words = {"card": card.name, "kind": "card"}
                rows += tidy(metric, figure, self.games, ALL, **words)
        return rows

    def set_text(self) -> str:
        """The changes as the file of a set, which changes nothing if there are none."""
        lines = [SET_HEADING, "change:" if self.balanced else "change: {}"]
        for change in self.balanced:
            values = ", ".join(f"{key}: {new}" for key, new in change.fields.items())
            lines.append(f"  {change.was.id}: {{{values}}}")
        return "\n".join(lines) + "\n"

    def _deeds(self) -> str:
        changes = [f"{quote(c.was.name)} to {c.in_words}" for c in self.balanced]
        if changes:
            rest = f" and {changes[-1]}" if changes[1:] else changes[-1]
            return f"Change {', '.join(changes[:-1])}{rest}"
        return "Change nothing"


def outcomes_of(
    gauges: Sequence[Gauge], aims: Sequence[Aim], proof: Sequence[Scores]
) -> Iterator[Outcome]:
    """What decks and factions came to; the intervals of targets hold together.

    `proof` are scores before and after the changes, and those of another player if one
    played it again.
    """
    level = level_of(len(aims))
    of = {aim.gauge: aim for aim in aims}
    for gauge in gauges:
        aim = of.get(gauge)
        ends = None if aim is None else (aim.low, aim.high)
        was, now, *others = (gauge.estimate(scores, level) for scores in proof)
        seen = [Confirmed(other, _verdict(aim, other)) for other in others]
        verdict, confirmed = _verdict(aim, now), seen[0] if seen else None
        yield Outcome(gauge.kind, gauge.name, was, now, ends, verdict, confirmed)


def _verdict(aim: Aim | None, estimate: Estimate) -> Verdict | None:
    return None if aim is None else verdict_on(aim, estimate)


def _counted(verdicts: Sequence[Verdict | None]) -> str:
    """How many targets are met, not shown and missed."""
    asked = [verdict for verdict in verdicts if verdict is not None]
    parts = [f"{asked.count(Verdict.MET)} of {plural(len(asked), 'target')} met"]
    if Verdict.NOT_SHOWN in asked:
        parts.append(f"{asked.count(Verdict.NOT_SHOWN)} not shown")
    if Verdict.MISSED in asked:
        parts.append(f"{asked.count(Verdict.MISSED)} missed")
    return ", ".join(parts)


def _was_and_now(change: CardChange) -> ValuesDocument:
    return {
        "was": {key: getattr(change.was, key) for key in change.fields},
        "now": dict(change.fields),
    }


def _outcome(outcome: Outcome) -> TargetDocument:
    confirmed = outcome.confirmed
    return {
        "kind": outcome.kind,
        "name": outcome.name,
        "target": None if outcome.target is None else list(outcome.target),
        "verdict": _word(outcome.verdict),
        "before": mean_rate(outcome.before),
        "after": mean_rate(outcome.after),
        "confirmed": None if confirmed is None else mean_rate(confirmed.after),
        "confirmed_verdict": _word(confirmed.verdict if confirmed else None),
    }


def _word(verdict: Verdict | None) -> str | None:
    return None if verdict is None else verdict.value


def _card(card: CardPlace) -> CardPlaceDocument:
    return {
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "decks": card.decks,
        "use": rounded(card.use),
        "worth": effect(card.worth),
        "peers": rounded(card.peers),
        "above": effect(card.above),
    }


def _rows(outcome: Outcome) -> Iterator[Row]:
    confirmed = outcome.confirmed.after if outcome.confirmed else None
    for metric, rate in (
        ("win_rate_before", outcome.before),
        ("win_rate_after", outcome.after),
        ("win_rate_confirmed", confirmed),
    ):
        words = {"card": ALL, "kind": outcome.kind}
        yield from tidy(metric, rate, rate.games if rate else 0, outcome.name, **words)
