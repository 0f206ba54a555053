"""The result of `impact`: the cards of a deck, their impact, and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from deckcheck.documents.records import Count, Ordinal
from deckcheck.messages import quote
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    GAIN_COLUMN,
    IN_PERCENT,
    IN_TEXT,
    ON_PAGE,
    POINTS,
    UNKNOWN_CELL,
    Column,
    PlayedFigure,
    Report,
    ReportTable,
    advise_games,
    count,
    cross_check_sentences,
    describe_pilot,
    difference_with_level,
    list_shares_fact,
    numbers,
    points,
    study_report,
    words,
)
from deckcheck.sim.figures import Claim, Figure, Row, join_answer, tidy
from deckcheck.sim.records import HIDDEN_FIELD, Record, Shares, StudyResult
from deckcheck.stats import Verdict, find_verdict
from deckcheck.studies.observed import (
    SEEN_WAYS,
    Observed,
)
from deckcheck.studies.swaps import (
    Effect,
    EffectBeside,
)

# The result of `impact`: the cards of a deck and their impact


AVERAGE_CARD = "an average card"
FLATTERED_NOTE = "These games also chose the card, so it is probably better than this."


@dataclass(frozen=True, slots=True)
class OpponentEffect(Record):
    """The impact of a card against one opponent."""

    opponent: str
    """The name of the opponent."""
    impact: EffectBeside


@dataclass(frozen=True, slots=True)
class Alternative(Record):
    """The gain of the deck from another card instead of a card."""

    id: str
    """The id of the other card."""
    name: str
    """The name of the other card."""
    gain: EffectBeside


@dataclass(frozen=True, slots=True)
class CardImpact(Record):
    """The impact of one copy of a card in the deck; `expected` in selection games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    games: Count
    """The number of games of each version of the deck by which the card is weighed."""
    impact: Effect
    """The gain of the deck from one copy instead of an average card."""
    most_against: str
    """The opponent against whom the card is worth most, by the first trial."""
    observed: tuple[Observed, ...]
    """Observed figures of the card, which show no cause; empty if games are missing."""
    against: tuple[OpponentEffect, ...]
    """The impact against each opponent."""
    alternatives: tuple[Alternative, ...]
    """The best cards to try in its place, the best first by the first trial; empty for
    a card that was weighed in selection games alone."""
    expected: Annotated[float, HIDDEN_FIELD] = 0.0


@dataclass(frozen=True, slots=True)
class CrossCheckResult(Record):
    """The card that `cut` names, as another policy plays the deck and its field."""

    policy: str
    """The policy that played."""
    games: Count
    """The number of games of each version of the deck."""
    impact: Effect
    """The gain of the deck from one copy instead of an average card."""
    gain: Effect | None
    """The gain from the best card in its place; null if there is none."""


@dataclass(frozen=True, slots=True, repr=False)
class ImpactResult(StudyResult):
    """The output of `deckcheck impact --output-format json`.

    `games` counts the games of each version, over the field. The first trial chooses
    the card to `cut`, its replacements and the order, and the effects come from other
    games. While `measured` is false, only the first trial has been played, so the
    effects are from the games that also chose. What is observed of a card is not a
    cause: a card that is played late is played in games that went on.
    """

    KEYS = ("deck", "average", "shares", "cut", "cards", "cross_checked")
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 ranked cards by the games that measured them."""
    deck: str = ""
    """The name of the deck."""
    average: tuple[str, ...] = ()
    """The ids of the cards that stand for an average card."""
    cards: tuple[CardImpact, ...] = ()
    """The cards of the deck, the most valuable first by the first trial."""
    cut: str = ""
    """The id of the card that the first trial would cut, or of the only one; see
    `claims`."""
    cross_checked: CrossCheckResult | None = None
    """The card that `cut` names, played by another policy; null if none did."""
    shares: Shares = ()
    """The share of each opponent in the field, by name; empty if all come alike."""
    measured: bool = True

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of the opponents."""
        return tuple(effect.opponent for effect in self.cards[0].against)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the answer claims of that card and of the best replacement, by each bot.

        Games that also chose the card claim nothing.
        """
        claims = []
        if self.measured:
            for about, than, figures in self._compared_figures:
                for by, figure in figures:
                    claims.append(Claim.of(about, than, figure, by=by))
        return tuple(claims)

    @property
    def _compared_figures(self) -> list[tuple[str, str, list[PlayedFigure]]]:
        """Return the impact of the card to cut, or of the only card, by each bot.

        The only card is followed by the gain of its best replacement.
        """
        [card] = [card for card in self.cards if card.id == self.cut]
        second, first = self.cross_checked, self.players[0]
        impacts: list[PlayedFigure] = [(first, card.impact)]
        if second:
            impacts.append((second.policy, second.impact))
        compared = [(card.name, AVERAGE_CARD, impacts)]
        if len(self.cards) == 1 and card.alternatives:
            best = card.alternatives[0]
            gains: list[PlayedFigure] = [(first, best.gain)]
            if second and second.gain:
                gains.append((second.policy, second.gain))
            compared.append((best.name, card.name, gains))
        return compared

    @property
    def answer(self) -> str:
        """The answer in a sentence or two."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the impact of the only or weakest card, and of the best replacement."""
        (name, than, impacts), *replacements = self._compared_figures
        impact = impacts[0][1]
        yield self._describe_impact(quote(name), impact)
        if not self.measured:
            if len(self.cards) > 1:
                yield FLATTERED_NOTE
            return
        if find_verdict(impact.interval) is Verdict.INCONCLUSIVE:
            yield advise_games(impact, self.games)
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        yield from self._cross_check(name, than)
        for other, replaced, gains in replacements:
            yield describe_replacement(replaced, other, gains[0][1])
            yield from self._cross_check(other, replaced)

    def _cross_check(self, about: str, than: str) -> Iterator[str]:
        """Yield the result of the second bot for a card."""
        claims = [c for c in self.claims if (c.about, c.than) == (about, than)]
        yield from cross_check_sentences(claims)

    def _describe_impact(self, card: str, impact: Figure) -> str:
        """Return the impact of the only card, or of the weakest."""
        difference = difference_with_level(impact)
        verdict = find_verdict(impact.interval)
        if not self.measured:
            return f"It is too early to tell what {card} is worth: {difference} so far."
        if len(self.cards) > 1:
            return _describe_weakest(card, verdict, difference)
        if verdict is Verdict.BETTER:
            return f"{card} is worth more than an average card: {difference}."
        if verdict is Verdict.WORSE:
            return f"{card} is worth less than an average card: {difference}."
        return f"No clear difference between {card} and an average card: {difference}."

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the most valuable first.

        A `gain` is that of `card` instead of `baseline`.
        """
        return [row for card in self.cards for row in self._list_rows(card)]

    def _list_rows(self, card: CardImpact) -> Iterator[Row]:
        words: dict[str, Any] = {"card": card.name, "baseline": None}
        yield from tidy("copies", card.copies, self.games, self.deck, **words)
        yield from tidy("impact", card.impact, self.games, self.deck, **words)
        for effect in card.against:
            n = self.games // len(card.against)
            yield from tidy(
                "impact", effect.impact, n, self.deck, effect.opponent, **words
            )
        for seen in card.observed:
            for figure in ("win_rate", "difference", "false_discovery_rate"):
                metric, value = f"{seen.way}_{figure}", getattr(seen, figure)
                yield from tidy(metric, value, seen.games, self.deck, **words)
        for better in card.alternatives:
            words = {"card": better.name, "baseline": card.name}
            yield from tidy("gain", better.gain, self.games, self.deck, **words)


def _describe_weakest(card: str, verdict: Verdict, difference: str) -> str:
    """Return whether the card that looked weakest is weak in fresh games as well."""
    if verdict is Verdict.BETTER:
        return (
            f"No weak card was found: even {card}, which looked weakest in the first "
            f"trial, is worth more than an average card in fresh games: {difference}."
        )
    if verdict is Verdict.WORSE:
        return f"Cut {card}: it is worth less than an average card: {difference}."
    return (
        f"No card is clearly weak: {card} looked weakest in the first trial, but in "
        f"fresh games it differs from an average card by {difference}, which may be "
        "chance."
    )


def describe_replacement(replaced: str, card: str, gain: Figure) -> str:
    """Return the sentence about the gain from another card instead of a card."""
    swap = f"Replacing {quote(replaced)} by {quote(card)}"
    difference, verdict = difference_with_level(gain), find_verdict(gain.interval)
    if verdict is Verdict.BETTER:
        return f"{swap} makes the deck better: {difference}."
    if verdict is Verdict.WORSE:
        return f"{swap}, the best replacement, makes the deck worse: {difference}."
    return f"{swap} makes no clear difference: {difference}."


# Tables of the cards of a deck and their impact


IMPACT_LIMITS = (
    "Observed results of a card are not causal: a player who plays it late, or still "
    "holds it, had other reasons to win or lose. Only the causal results show what to "
    "cut.",
    "Cards were tried one at a time: two changes may be worth more or less together.",
)


SELECTED_NOTE = (
    "The first trial decides the order, and the results are from other games"
)
RACED_NOTE = (
    "Selection games decide the order. The cards that may be the weakest are then "
    "weighed in fresh games. The intervals of the others are from selection games, "
    "simultaneous, and valid at every checkpoint"
)


def _explain_order(result: ImpactResult) -> str:
    """Return where the order of the cards comes from, and where their figures do."""
    return (
        SELECTED_NOTE if len({card.games for card in result.cards}) == 1 else RACED_NOTE
    )


def impact_report(result: ImpactResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = f"{count(result.games_played)} in game pairs, {count(result.games)}"
    commands = (
        "`deckcheck tune` finds what to change, "
        "`deckcheck impact --card` explains one card"
    )
    advice = [("advice", commands)]
    return study_report(
        result,
        f"{games} of each version in the second trial",
        _list_tables(result),
        [("average", ", ".join(result.average)), *list_shares_fact(result.shares)],
        last=advice if len(result.cards) > 1 else (),
        title=f"The cards of {result.deck}",
        limits=IMPACT_LIMITS,
    )


def _list_tables(result: ImpactResult) -> Iterator[ReportTable]:
    """Yield the tables of the answer, those of observed games last."""
    yield _tabulate_impact(result)
    yield _tabulate_causal_and_observed(result)
    yield _tabulate_opponents(result)
    yield _tabulate_replacements(result)
    if any(card.observed for card in result.cards):
        yield from _list_observed(result)


def _tabulate_impact(result: ImpactResult) -> ReportTable:
    cards = reversed(result.cards)
    return ReportTable(
        f"{result.deck}: the impact of one copy of each card, the weakest card first",
        (Column("card"), GAIN_COLUMN),
        tuple((card.name, card.impact) for card in cards),
        ranked=True,
        both_ends=True,
        note="points: how much better the deck is with the card than with an average "
        f"one, in the same games. {_explain_order(result)}",
        only=IN_TEXT,
    )


def _tabulate_causal_and_observed(result: ImpactResult) -> ReportTable:
    return ReportTable(
        f"{result.deck}: the impact of one copy in points, causal and observed",
        (
            Column("card"),
            Column("causal", POINTS, "95%"),
            Column("copies", COUNT),
            *numbers(POINTS, *SEEN_WAYS),
        ),
        tuple(
            (card.name, card.impact, card.copies, *map(observed_words, card.observed))
            for card in result.cards
        ),
        note="causal: how much better the deck is with the card than with an average "
        "one, in the same games. Observed: how much more often the deck won when the "
        "card was in the opening hand, drawn later, played, or held at the end, where "
        "that is sure (Benjamini-Hochberg, at most 5% of them are expected to be "
        f"chance). {_explain_order(result)}",
        only=ON_PAGE,
        section=("cards", "The cards"),
    )


def _tabulate_opponents(result: ImpactResult) -> ReportTable:
    return ReportTable(
        "The opponent against which each card helps most, by the first trial, and its "
        "impact there",
        (*words("card", "opponent"), GAIN_COLUMN),
        tuple(
            (card.name, effect.opponent, effect.impact)
            for card in result.cards
            for effect in card.against
            if effect.opponent == card.most_against and len(card.against) > 1
        ),
        section=("opponents", "For whom"),
    )


def _tabulate_replacements(result: ImpactResult) -> ReportTable:
    return ReportTable(
        "The best card for each, by the first trial, and what it gains in the second",
        (*words("out", "in"), GAIN_COLUMN),
        tuple(
            (card.name, other.name, other.gain)
            for card in reversed(result.cards)
            for other in card.alternatives[:1]
        ),
        section=("instead", "What to play instead"),
        caption="Points gained by the best other card, the first to cut on top",
    )


def _list_observed(result: ImpactResult) -> Iterator[ReportTable]:
    """Yield the tables of observed games for terminals."""
    opening = [(card.name, card.observed[0]) for card in result.cards]
    sure = {True: "yes", False: "no"}
    yield ReportTable(
        "Observed: games with the card in the opening hand, after redraws",
        (
            Column("card"),
            Column("games", COUNT),
            Column("win rate", IN_PERCENT),
            GAIN_COLUMN,
            Column("sure"),
        ),
        tuple(
            (
                name,
                observed.games,
                observed.win_rate,
                observed.difference,
                sure[observed.is_sure],
            )
            for name, observed in opening
        ),
        note="points: the difference to games without it; sure: of all cards and ways "
        "that are, at most 5% are expected to be chance (Benjamini-Hochberg). "
        "Observed numbers are not causes: a bot keeps some hands and redraws others",
        only=IN_TEXT,
    )
    yield ReportTable(
        "Causal and observed impact side by side",
        (Column("card"), *numbers(POINTS, "causal", *SEEN_WAYS)),
        tuple(
            (card.name, card.impact.value, *map(observed_words, card.observed))
            for card in result.cards
        ),
        note="points, observed ones as differences to all other games where they are "
        "sure; drawn: later than the opening hand. A bot that plays a card late, or "
        "still holds it, had other reasons to win or lose: only `causal` shows what to "
        "cut",
        only=IN_TEXT,
    )


def observed_words(seen: Observed) -> str:
    """Return an observed difference in points, if it is sure."""
    if seen.difference is None:
        return UNKNOWN_CELL
    return points(seen.difference.value) if seen.is_sure else Verdict.INCONCLUSIVE.value


IMPACT = Presentation[ImpactResult](impact_report)
