"""How a field was balanced: result, document, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from typing_extensions import TypedDict

from deckcheck.cards import Card
from deckcheck.documents.records import Count, Interval, Share, ShownAs, one_of
from deckcheck.messages import plural, quote
from deckcheck.policies.registry import policy_in_words
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    UNKNOWN_CELL,
    Column,
    Report,
    ReportTable,
    count,
    describe_pilot,
    numbers,
    percent,
    study_report,
    words,
)
from deckcheck.sim.documents import MeanRate, RunDocument
from deckcheck.sim.figures import ALL, Claim, Row, mean_rate, plain, round_figure, tidy
from deckcheck.sim.result import result_document
from deckcheck.sim.standings import ResultHeader
from deckcheck.stats import Estimate, Verdict
from deckcheck.stats.intervals import joint_level
from deckcheck.studies.balance.search import CardPlaceDocument
from deckcheck.studies.balance.targets import (
    Aim,
    Gauge,
    Kind,
    Scores,
    TargetVerdict,
    verdict_on,
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


# How a field was balanced: cards and their peers, changes, and their results


SETTLED_SHARE = 0.5
"""The share of the resamples that has to choose the same changes to advise them."""

SET_HEADING = "# changes of cards by deckcheck balance"


@dataclass(frozen=True, slots=True)
class BalanceChange:
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
        """What differs: `the strength of War Longship from 10 to 6`."""
        name = quote(self.was.name)
        return " and ".join(
            f"the {key} of {name} from {getattr(self.was, key)} to {new}"
            for key, new in self.fields.items()
        )

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
        """What is changed: `War Longship: strength from 10 to 6`."""
        changes = [
            f"{change.was.name}: {key} from {getattr(change.was, key)} to {new}"
            for change in self.changes
            for key, new in change.fields.items()
        ]
        return ", ".join(changes) or "nothing"


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

    def words(self, first: str, other: str) -> Iterator[tuple[str, Estimate, Verdict]]:
        """Yield the rate after the changes by each player, and its verdict."""
        seen = [(first, self.after, self.verdict)]
        if self.cross_checked is not None:
            seen.append((other, self.cross_checked, self.cross_checked_verdict))
        for player, rate, verdict in seen:
            if verdict is TargetVerdict.MET:
                yield player, rate, Verdict.EQUAL
            elif verdict is TargetVerdict.MISSED and self.target is not None:
                is_above = rate.value > self.target[1]
                yield player, rate, Verdict.BETTER if is_above else Verdict.WORSE
            elif verdict is not None:
                yield player, rate, Verdict.INCONCLUSIVE


@dataclass(frozen=True, slots=True, repr=False)
class BalanceResult(ResultHeader):
    """A field balanced, as far as that was possible, see `BalanceDocument`.

    `games` are those of each pair. `outcomes` are its targets, from games in which no
    change was chosen. `offered` is the number of cards that could change, `tried` that
    of sets of changes that were played.
    """

    cards: tuple[CardPlaceDocument, ...] = ()
    balanced: tuple[BalanceChange, ...] = ()
    outcomes: tuple[TargetDocument, ...] = ()
    tried: int = 0
    offered: int = 0
    bounds: str = ""
    cross_check: str | None = None
    choices: tuple[ChoiceDocument, ...] = ()

    def chosen(self, card: str) -> float:
        """Return the share of resamples in which a card is changed."""
        return sum(
            choice.share
            for choice in self.choices
            if card in {change.was.id for change in choice.changes}
        )

    @property
    def agreement(self) -> float:
        """In which part of the resamples the same set of changes is chosen."""
        fields_by_card = {change.was.id: change.fields for change in self.balanced}
        return sum(
            choice.share
            for choice in self.choices
            if {change.was.id: change.fields for change in choice.changes}
            == fields_by_card
        )

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Where each rate that is counted lies: in its range, above or below."""
        return tuple(
            Claim(outcome.name, "", rate, word, by)
            for outcome in self.outcomes
            for by, rate, word in outcome.words(self.players[0], self.cross_check or "")
        )

    @property
    def verdict(self) -> TargetVerdict:
        """The verdict on all targets together: the worst of them."""
        verdicts = {outcome.verdict for outcome in self.outcomes}
        order = (TargetVerdict.MISSED, TargetVerdict.INCONCLUSIVE)
        return next((v for v in order if v in verdicts), TargetVerdict.MET)

    @property
    def answer(self) -> str:
        """What to change, and the effect, in a sentence or two."""
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
            verdicts = [
                o.cross_checked_verdict for o in self.outcomes if o.cross_checked
            ]
            bot = policy_in_words(self.cross_check, self.players[0])
            yield f"Piloted by {bot}, {describe_targets(verdicts)}."

    def to_dict(self) -> BalanceDocument:
        """Return the result as `deckcheck schema balance` describes it."""
        return result_document(
            BalanceDocument,
            self,
            cards_tried=self.offered,
            sets_tried=self.tried,
            balanced=[
                {**change.as_data(), "chosen": round_figure(self.chosen(change.was.id))}
                for change in self.balanced
            ],
            targets=plain(self.outcomes),
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows: each deck and faction before and after, then each card."""
        rows: list[Row] = []
        for outcome in self.outcomes:
            words = {"card": ALL, "kind": outcome.kind}
            for metric, rate in (
                ("win_rate_before", outcome.before),
                ("win_rate_after", outcome.after),
                ("win_rate_cross_checked", outcome.cross_checked),
            ):
                n = rate.games if rate else 0
                rows += tidy(metric, rate, n, outcome.name, **words)
        for card in self.cards:
            words = {"card": card.name, "kind": "card"}
            for metric, figure in (
                ("impact", card.impact),
                ("above_peers", card.above),
                ("use", card.use),
            ):
                rows += tidy(metric, figure, self.games, ALL, **words)
        return rows

    def set_text(self) -> str:
        """Return the changes as the file of a set, which may change nothing."""
        lines = [SET_HEADING, "change:" if self.balanced else "change: {}"]
        for change in self.balanced:
            values = ", ".join(f"{key}: {new}" for key, new in change.fields.items())
            lines.append(f"  {change.was.id}: {{{values}}}")
        return "\n".join(lines) + "\n"

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


def judge_targets(
    gauges: Sequence[Gauge], aims: Sequence[Aim], validation: Sequence[Scores]
) -> Iterator[TargetDocument]:
    """Yield the results of decks and factions, with simultaneous intervals of targets.

    `validation` are scores before and after the changes, and those of another player if
    there is one.
    """
    level = joint_level(len(aims))
    of = {aim.gauge: aim for aim in aims}
    for gauge in gauges:
        aim = of.get(gauge)
        ends = None if aim is None else (aim.low, aim.high)
        was, now, *others = (gauge.estimate(scores, level) for scores in validation)
        second_rate = others[0] if others else None
        verdict, cross_checked = (
            verdict_on(aim, rate) if aim and rate else None
            for rate in (now, second_rate)
        )
        yield TargetDocument(
            gauge.kind, gauge.name, ends, verdict, was, now, second_rate, cross_checked
        )


def describe_targets(verdicts: Sequence[TargetVerdict | None]) -> str:
    """Return how many targets are met, missed and inconclusive, without a full stop.

    >>> describe_targets([TargetVerdict.MET, TargetVerdict.MISSED])
    '1 of 2 targets is met, and 1 is missed'
    """
    asked = [verdict for verdict in verdicts if verdict is not None]
    met_count = asked.count(TargetVerdict.MET)
    missed = asked.count(TargetVerdict.MISSED)
    unclear = len(asked) - met_count - missed
    if met_count == len(asked):
        return (
            "the target is met"
            if met_count == 1
            else f"all {met_count} targets are met"
        )
    counted = f"{met_count} of {plural(len(asked), 'target')} {_be(met_count)} met"
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


# Tables of a balanced field


SHOWN_CHOICES = 4
"""How many sets of changes are shown."""


def balance_report(result: BalanceResult) -> Report:
    """Return the tables of `result`, its answer first."""
    shown_games = f"{count(result.games)} of each pair of decks for the win rates"
    games = f"{count(result.games_played)} in game pairs, {shown_games}"
    tried = f"{plural(result.tried, 'set')} of changes, of {result.offered} cards"
    tables = (
        _tabulate_changes(result),
        _tabulate_choices(result),
        _tabulate_outcomes(result, "deck"),
        _tabulate_outcomes(result, "faction"),
        _cross_checked(result),
        _tabulate_cards(result),
    )
    facts = [("bounds", result.bounds), ("tried", tried)]
    title = f"Which cards of {result.format} should change?"
    return study_report(result, games, tables, facts, title=title)


def _tabulate_changes(result: BalanceResult) -> ReportTable:
    rows = tuple(
        (
            change.was.name,
            key,
            str(getattr(change.was, key)),
            str(new),
            result.chosen(change.was.id),
        )
        for change in result.balanced
        for key, new in change.fields.items()
    )
    note = (
        "chosen: in how many of 100 cases the card is changed if the games of the "
        "search are drawn again"
    )
    columns = (
        *words("card", "what"),
        *numbers(COUNT, "now", "new"),
        Column("chosen", PERCENT),
    )
    return ReportTable("What to change", columns, rows, note=note)


def _tabulate_choices(result: BalanceResult) -> ReportTable:
    """Return the sets of changes that would be chosen most often."""
    rows = tuple(
        (choice.in_words, choice.share) for choice in result.choices[:SHOWN_CHOICES]
    )
    title = "What would be changed if the games of the search are drawn again"
    shown = rows if len(result.choices) > 1 else ()
    return ReportTable(title, (Column("changes"), Column("chosen", PERCENT)), shown)


def _tabulate_outcomes(result: BalanceResult, kind: str) -> ReportTable:
    rows = tuple(
        (
            outcome.name,
            outcome.before.value,
            outcome.after,
            _format_target(outcome),
            _format_verdict(outcome.verdict),
        )
        for outcome in result.outcomes
        if outcome.kind == kind
    )
    title = f"Win rate in % of each {kind}, before the changes and after"
    of_faction = "faction's decks meet those of all others"
    meets = "deck meets all others" if kind == "deck" else of_faction
    source = "on games of their own"
    if not result.complete:
        source = "on the games so far, among them those that chose the changes"
    note = f"{source}; simultaneous 95% intervals. A {meets}"
    columns = (
        Column(kind),
        Column("before", IN_PERCENT),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return ReportTable(title, columns, rows, note=note, before="before")


def _cross_checked(result: BalanceResult) -> ReportTable:
    """Return another player's results after the changes."""
    rows = tuple(
        (
            outcome.name,
            outcome.cross_checked,
            _format_target(outcome),
            _format_verdict(outcome.cross_checked_verdict),
        )
        for outcome in result.outcomes
        if outcome.cross_checked is not None
    )
    title = (
        f"Win rate in % after the changes, played by {quote(str(result.cross_check))}"
    )
    columns = (
        Column("deck or faction"),
        Column("after", IN_PERCENT, "interval"),
        Column("target", IN_PERCENT),
        Column("verdict"),
    )
    return ReportTable(title, columns, rows)


def _format_verdict(verdict: TargetVerdict | None) -> str:
    return UNKNOWN_CELL if verdict is None else verdict.value


def _format_target(outcome: TargetDocument) -> str:
    if outcome.target is None:
        return UNKNOWN_CELL
    low, high = (f"{100 * end:g}" for end in outcome.target)
    return f"{low} to {high}" if outcome.target[0] else f"up to {high}"


def _tabulate_cards(result: BalanceResult) -> ReportTable:
    rows = tuple(
        (card.name, card.kind, card.use, card.impact.value, card.above)
        for card in result.cards
    )
    columns = (
        *words("card", "kind"),
        Column("use", PERCENT),
        Column("impact", POINTS),
        Column("above peers", POINTS, "95% interval"),
    )
    note = (
        "use: the share of the field that holds it; impact: points by which a deck is "
        "better with one copy than with an average card (causal); above peers: than "
        "the other cards of its kind in the field. The order is that of first trials, "
        "the results are from other games"
    )
    title = "Cards farthest above and below their peers, with the cards as they are"
    return ReportTable(title, columns, rows, ranked=True, note=note)


BALANCE = Presentation[BalanceResult](
    balance_report, extra_outputs=(("set", lambda result: result.set_text()),)
)
