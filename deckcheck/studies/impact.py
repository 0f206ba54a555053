"""The worth of each card of a deck: spec, play, result, report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import Annotated, Any, Literal

from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Ordinal, Share, ShownAs
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import plural, quote
from deckcheck.playing.kernel import Head
from deckcheck.playing.versions import ROTATION, Versions
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import Figures, Forest, Page, Section, forest_of, page_with
from deckcheck.report.tables import (
    COUNT,
    GAIN,
    IN_PERCENT,
    POINTS,
    UNKNOWN,
    Cell,
    Column,
    PlayedFigure,
    Report,
    ReportTable,
    by_players,
    count,
    more_games,
    numbers,
    points,
    shares_fact,
    study_report,
    verdict_by_players,
    words,
)
from deckcheck.sim.documents import EffectDocument, RunDocument
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import (
    Claim,
    Row,
    depending,
    document_of,
    effect,
    plain,
    tidy,
)
from deckcheck.sim.jobs import Job, SetPlayer
from deckcheck.sim.provenance import Program
from deckcheck.sim.result import result_document
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.standings import ResultHeader, checksum_of
from deckcheck.sim.study import Interrupted
from deckcheck.specs import ImpactSpec
from deckcheck.stats import Verdict
from deckcheck.studies.duels import (
    DuelStudy,
    card_of,
    deck_and_field,
    games_again,
    shares_in,
)
from deckcheck.studies.swaps import (
    WAYS,
    MeasuredEffect,
    Observed,
    ObservedDocument,
    Swap,
    Trial,
    TriedSwaps,
    average_cards,
    legal_swaps,
    means_of,
    observations,
    watched_table,
)
from deckcheck.validation import DeckReport


class OpponentEffect(EffectDocument):
    """The worth of a card against one opponent."""

    opponent: str
    """The name of the opponent."""


class AlternativeDocument(EffectDocument):
    """The gain of the deck from another card instead of a card."""

    id: str
    """The id of the other card."""
    name: str
    """The name of the other card."""


class CardWorthDocument(TypedDict):
    """The worth of one copy of a card in the deck."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    worth: EffectDocument
    """The gain of the deck from one copy instead of an average card."""
    most_against: str
    """The opponent against whom the card is worth most, by the first trial."""
    observed: list[ObservedDocument]
    """Observed figures of the card, which show no cause; empty if games are missing."""
    against: list[OpponentEffect]
    """The worth against each opponent."""
    alternatives: list[AlternativeDocument]
    """The best cards to try in its place, the best first by the first trial."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The card that `cut` names, as another policy plays the deck and its field."""

    policy: str
    """The policy that played."""
    games: Count
    """The number of games of each version of the deck."""
    worth: Annotated[MeasuredEffect, ShownAs(EffectDocument)]
    """The gain of the deck from one copy instead of an average card."""
    gain: Annotated[MeasuredEffect, ShownAs(EffectDocument)] | None
    """The gain from the best card in its place; null if there is none."""


class ImpactDocument(RunDocument):
    """The output of `deckcheck impact --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 ranked cards by the games that measured them."""
    answer: str
    """The answer in a sentence or two."""
    deck: str
    """The name of the deck."""
    average: list[str]
    """The ids of the cards that stand for an average card."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    cut: str
    """The id of the card that the first trial would cut, or of the only one; see
    `claims`."""
    cards: list[CardWorthDocument]
    """The cards of the deck, the most valuable first by the first trial."""
    confirmed: Confirmation | None
    """The card that `cut` names, played by another policy; null if none did."""


# The result of `impact`: the cards of a deck and their worth


AVERAGE_CARD = "an average card"
FLATTERED = "These games also chose the card, so they speak too much against it"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A card that could take the place of another, and what the deck gains by that."""

    id: str
    name: str
    gain: MeasuredEffect


@dataclass(frozen=True, slots=True)
class CardImpact:
    """The worth of one copy of a card in the deck.

    `worth` is how much better the deck is with it than with an average card, `against`
    the same for each opponent; `most` is the opponent for whom it is there, by the
    first trial, in which it was worth `expected`. `better` are the cards that were best
    in the first trial, the best first; what they gain was measured in the second.
    """

    id: str
    name: str
    copies: int
    worth: MeasuredEffect
    against: tuple[MeasuredEffect, ...]
    most: int
    better: tuple[Alternative, ...]
    expected: float = 0.0


@dataclass(frozen=True, slots=True, repr=False)
class ImpactResult(ResultHeader):
    """The cards of a deck weighed, see `ImpactDocument`.

    `games` are those of each version, over the field. Which card to `cut`, which to try
    for it, and the ranking were not chosen in the games that the effects are
    from; unless it was `measured`, these are the only ones so far. `observed` has every
    card in every way in which it was seen, which is no cause: a card that is played
    late is played in games that went on. It is empty in a result that is not complete.
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
    def _weighed(self) -> CardImpact:
        """The only card, or that which the first trial would cut."""
        [card] = [card for card in self.cards if card.id == self.cut]
        return card

    @property
    def _figures(self) -> tuple[list[PlayedFigure], list[PlayedFigure]]:
        """Its worth, and the gain from the best card in its place, by player."""
        card, again = self._weighed, self.confirmed
        first = self.players[0]
        worths: list[PlayedFigure] = [(first, card.worth)]
        gains: list[PlayedFigure] = [(first, other.gain) for other in self._instead]
        if again is not None:
            worths.append((again.policy, again.worth))
            gains += [(again.policy, again.gain)] if gains and again.gain else []
        return worths, gains

    @property
    def _instead(self) -> tuple[Alternative, ...]:
        """What did best instead of the only card; `tune` finds it for all cards."""
        return self._weighed.better[:1] if len(self.cards) == 1 else ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What is said of that card, and of the best in its place, by each player.

        Games that also chose the card claim nothing.
        """
        if not self.measured:
            return ()
        card, (worths, gains) = self._weighed, self._figures
        said = [(card.name, AVERAGE_CARD, worths)]
        said += [(other.name, card.name, gains) for other in self._instead]
        return tuple(
            Claim.of(about, than, figure, by=by)
            for about, than, figures in said
            for by, figure in figures
        )

    @property
    def answer(self) -> str:
        """What is said of the card, after a warning where two players dispute it."""
        return depending(self.claims, self._answer)

    @property
    def _answer(self) -> str:
        """What the only card is worth, or the one that did least; is it clear?"""
        card, (worths, gains) = self._weighed, self._figures
        least = "" if len(self.cards) == 1 else ", the least in first games,"
        worth = f"{by_players(worths)} compared with {AVERAGE_CARD}"
        said = f"{quote(card.name)}{least} is worth {worth}"
        if not self.measured:
            return f"{said}, which is not clear" + (f". {FLATTERED}" if least else "")
        if verdict_by_players(worths) is Verdict.NOT_CLEAR:
            said += f", which is not clear{more_games(card.worth, self.games)}"
        for other in self._instead:
            said += f". {quote(other.name)} in its place gains {by_players(gains)}"
            if verdict_by_players(gains) is Verdict.NOT_CLEAR:
                said += ", which is not clear"
        return said

    def seen(self, card: str) -> tuple[Observed, ...]:
        """What was observed of a card, in the order of WAYS."""
        return tuple(figure for figure in self.observed if figure.card == card)

    def to_dict(self) -> ImpactDocument:
        """The result as `deckcheck schema impact` describes it."""
        return result_document(
            ImpactDocument,
            self,
            shares=plain(dict(self.shares)),
            cards=[self._card(card) for card in self.ranked],
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the most valuable first.

        A `gain` is that of `card` instead of `baseline`.
        """
        return [row for card in self.ranked for row in self._rows(card)]

    def _card(self, card: CardImpact) -> CardWorthDocument:
        return document_of(
            CardWorthDocument,
            card,
            most_against=self.opponents[card.most],
            against=[
                {"opponent": name, **effect(worth)}
                for name, worth in zip(self.opponents, card.against, strict=True)
            ],
            observed=[figure.to_dict() for figure in self.seen(card.id)],
            alternatives=[
                {"id": other.id, "name": other.name, **effect(other.gain)}
                for other in card.better
            ],
        )

    def _rows(self, card: CardImpact) -> Iterator[Row]:
        words: dict[str, Any] = {"card": card.name, "baseline": None}
        yield from tidy("copies", card.copies, self.games, self.deck, **words)
        yield from tidy("worth", card.worth, self.games, self.deck, **words)
        for name, worth in zip(self.opponents, card.against, strict=True):
            n = self.games // len(self.opponents)
            yield from tidy("worth", worth, n, self.deck, name, **words)
        for seen in self.seen(card.id):
            for figure in ("win_rate", "difference", "false_discovery_rate"):
                metric, value = f"{seen.way}_{figure}", getattr(seen, figure)
                yield from tidy(metric, value, seen.games, self.deck, **words)
        for better in card.better:
            words = {"card": better.name, "baseline": card.name}
            yield from tidy("gain", better.gain, self.games, self.deck, **words)


# Tables of the cards of a deck and their worth


def impact_report(result: ImpactResult) -> Report:
    """Return the tables of `result`, its answer first."""
    shown_games = f"{count(result.games)} of each version in the second trial"
    games = f"{count(result.games_played)} in mirrored pairs, {shown_games}"
    facts = [("average", ", ".join(result.average)), *shares_fact(result.shares)]
    one = "`deckcheck impact --card` explains one card"
    advice = [("advice", f"`deckcheck tune` finds what to change, {one}")]
    tables = [_worths(result), opponents_table(result), _alternatives(result)]
    if result.observed:
        tables += [_opening(result), _beside(result)]
    last = advice if len(result.cards) > 1 else ()
    return study_report(result, games, tables, facts, last=last)


def _worths(result: ImpactResult) -> ReportTable:
    rows = tuple((card.name, card.worth) for card in result.ranked)
    title = f"{result.deck}: what one copy of each card is worth (caused)"
    note = (
        "points: how much better the deck is with the card than with an average one, "
        "in the same games. The order is that of the first trial, the figures are from "
        "other games"
    )
    return ReportTable(title, (Column("card"), GAIN), rows, ranked=True, note=note)


def opponents_table(result: ImpactResult) -> ReportTable:
    """For which opponent each card is there; one opponent needs no table."""
    rows = tuple(
        (card.name, result.opponents[card.most], card.against[card.most])
        for card in result.ranked
        if len(result.opponents) > 1
    )
    title = "For whom each card is there, by the first trial, and its worth there"
    return ReportTable(title, (*words("card", "opponent"), GAIN), rows)


def _opening(result: ImpactResult) -> ReportTable:
    """How games went that began with a card in hand."""
    rows = []
    for card in result.ranked:
        seen = result.seen(card.id)[0]
        sure = "yes" if seen.is_sure else "no"
        rows.append((card.name, seen.games, seen.win_rate, seen.difference, sure))
    columns = (
        Column("card"),
        Column("games", COUNT),
        Column("win rate", IN_PERCENT),
        GAIN,
        Column("sure"),
    )
    title = "Observed: games with the card in the opening hand, after redraws"
    note = (
        "points: the difference to games without it; sure: of all cards and ways that "
        "are, at most 5 % are expected to be chance (Benjamini-Hochberg). Observed "
        "figures are no causes: a player keeps some hands and redraws others"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def _beside(result: ImpactResult) -> ReportTable:
    """The caused worth next to what was observed."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (card.name, card.worth.value, *map(observed_words, result.seen(card.id)))
        for card in result.ranked
    )
    note = (
        "points, observed ones as differences to all other games where they are sure; "
        "drawn: later than the opening hand. A player who plays a card late, or still "
        "holds it, had other reasons to win or lose: only `caused` tells what to cut"
    )
    title = "Caused and observed side by side"
    columns = (Column("card"), *numbers(POINTS, "caused", *WAYS))
    return ReportTable(title, columns, rows, note=note)


def observed_words(seen: Observed) -> str:
    """An observed difference in points, where it is sure."""
    if seen.difference is None:
        return UNKNOWN
    return points(seen.difference.value) if seen.is_sure else Verdict.NOT_CLEAR.value


def _alternatives(result: ImpactResult) -> ReportTable:
    rows = tuple(
        (card.name, card.better[0].name, card.better[0].gain)
        for card in reversed(result.ranked)
        if card.better
    )
    title = (
        "The best card for each, by the first trial, and what it gains in the second"
    )
    return ReportTable(title, (*words("out", "in"), GAIN), rows)


# The page of the cards of a deck and what they are worth


LIMITS = (
    "What is observed of a card is no cause: who plays it late, or still holds it, had "
    "other reasons to win or lose. Only what is caused tells what to cut.",
    "Cards were tried one at a time: two changes may be worth more or less together.",
)


def impact_sections(result: ImpactResult) -> Iterator[Section]:
    """What each card is worth, what could take its place, and what was observed."""
    yield Section("cards", "The cards", (_worths_forest(result),))
    if any(card.better for card in result.cards):
        yield Section("instead", "What to play instead", (_instead(result),))
    if len(result.opponents) > 1:
        opponents = Figures(opponents_table(result))
        yield Section("opponents", "For whom", (opponents,))


def _worths_forest(result: ImpactResult) -> Forest:
    """The caused worth, drawn, next to what was observed."""
    columns = (
        Column("card"),
        Column("caused", POINTS, "95 %"),
        Column("copies", COUNT),
        *numbers(POINTS, *WAYS),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (card.name, card.worth, card.copies, *map(observed_words, result.seen(card.id)))
        for card in result.ranked
    )
    title = (
        f"{result.deck}: points that one copy is worth (caused), and the same as it "
        "was observed"
    )
    note = (
        "caused: how much better the deck is with the card than with an average one, "
        "in the same games. Observed: how much more often the deck won when the card "
        "was in the opening hand, drawn later, played, or held at the end, where that "
        "is sure (Benjamini-Hochberg, at most 5 % of them are expected to be chance). "
        "The order is that of the first trial, the figures are from others"
    )
    return forest_of(ReportTable(title, columns, rows, note=note))


def _instead(result: ImpactResult) -> Forest:
    columns = (Column("change"), Column("gain", POINTS, "95 %"))
    rows = tuple(
        (f"{card.better[0].name} for {card.name}", card.better[0].gain)
        for card in reversed(result.ranked)
        if card.better
    )
    title = "Points gained by the best other card, the first to cut on top"
    note = "what the best card gains is from fresh games, not from those that chose it"
    return forest_of(ReportTable(title, columns, rows, note=note))


def impact_page(result: ImpactResult, tool: Program) -> Page:
    """Return the page of the cards of a deck; `tool` is the program that played."""
    report = impact_report(result)
    title, sections = f"The cards of {result.deck}", impact_sections(result)
    return page_with(title, result, report, tool, sections, limits=LIMITS)


IMPACT = Presentation[ImpactResult](impact_report, impact_page)


# The worth of each card of a deck: swapped for others in the same games


AVERAGE = 5
"""How many cards stand together for an average one."""

WATCHED = 10
"""How many times the games of a version the deck as it is plays to be watched."""

CONFIRMING = 3
"""How many parts come before that of another player; jobs are numbered by parts."""

BEST = 3
"""How many of the best cards are tried instead of each card."""


@dataclass(frozen=True)
class Impact(DuelStudy[ImpactSpec, ImpactResult]):
    """A deck whose cards are to be weighed; `run` does it.

    First all legal cards are tried instead of one card, and the average cards instead
    of each: that chooses what is tried instead of what. Then the choices are
    played again in other games, and only these are reported.
    """

    KIND = "impact"
    QUESTION = ImpactSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def swaps(self) -> list[Swap]:
        """All legal swaps; raises UsageError when there is none."""
        swaps = legal_swaps(self.deck.deck, self.format, self.database)
        if not swaps:
            raise UsageError(
                f"No card of {quote(self.deck.name)} can be replaced in "
                f"{quote(self.format.id)}",
                "The format leaves no choice",
            )
        return swaps

    @cached_property
    def average(self) -> list[str]:
        """The cards that stand for an average one."""
        return average_cards(self.deck.deck, self.swaps, self.database, AVERAGE)

    @cached_property
    def weighed(self) -> dict[str, int]:
        """The cards to weigh, with their copies: all of the deck, or the only one."""
        held, only = self.deck.deck.counts(), self.question.card
        return dict(held) if only is None else {only: held[only]}

    def answer(self, games: GameSession) -> ImpactResult:
        """Play all games; an interrupt has what the second trial says so far."""
        sets = self._sets(self.question.games)
        first: TriedSwaps | None = None
        try:
            games.whole = self.most_games
            first = self._play(games, self._first(), 0, sets)
            second = self._play(games, self._second(first), len(self.field), sets)
            observed = self._watch(games, first, sets * WATCHED)
            confirmed = self._confirm(games, first)
        except StoppedEarly:
            raise Interrupted(self._so_far(games, first)) from None
        return self._result(games, (first, second), observed, confirmed)

    @property
    def most_games(self) -> int:
        """All games, a few less if swaps for several cards are the same."""
        question, cards = self.question, self.weighed
        legal = Counter(swap.out for swap in self.swaps)
        first = 1 + len(self._first().swaps)
        averages = sum(map(len, self._means.values()))
        second = 1 + averages + sum(min(BEST, legal[card]) for card in cards)
        of_all = ROTATION * len(self.field) * self._sets(question.games)
        again = ROTATION * len(self.field) * self._sets(games_again(question))
        return of_all * (first + second + WATCHED) + again * (2 + AVERAGE)

    def _sets(self, games: int) -> int:
        """The sets with each opponent of so many games."""
        return ceil(games / ROTATION / len(self.field))

    def _confirm(self, games: GameSession, first: TriedSwaps) -> Confirmation | None:
        """What another player makes of the card to cut, and of the best one for it."""
        policy = self.question.confirm
        if policy is None:
            return None
        card, sets = self._to_cut(first), self._sets(games_again(self.question))
        best = self._best(card, first)[:1]
        trial = self._trial(best, [card])
        number = CONFIRMING * len(self.field)
        tried = self.played_by(policy)._play(games, trial, number, sets)
        return Confirmation(
            policy,
            ROTATION * len(self.field) * sets,
            tried.worth(card),
            tried.gain(best[0]) if best else None,
        )

    def _to_cut(self, first: TriedSwaps) -> str:
        """The card that is worth least in the first trial."""
        cards = (card for card in self.weighed if card in first.trial.means)
        return min(cards, key=lambda card: first.worth(card).value)

    def _so_far(
        self, games: GameSession, first: TriedSwaps | None
    ) -> ImpactResult | None:
        """What is known before the end of all; None unless all opponents were met.

        Before the second trial that is what the first one says, which also chooses.
        """
        known = self._partly(games, self._first(), 0) if first is None else first
        if known is None:
            return None
        second = self._partly(games, self._second(known), len(self.field))
        result = self._result(games, (known, second or known), (), None)
        return replace(result, complete=False, measured=second is not None)

    def _partly(
        self, games: GameSession, trial: Trial, number: int
    ) -> TriedSwaps | None:
        """A trial as far as it was played, None unless all opponents were met."""
        numbers = range(number, number + len(self.field))
        tallies = [games.tallies.get(number) for number in numbers]
        played = [t for t in tallies if t is not None and t[0, Head.SETS] >= 2]
        if len(played) < len(self.field):
            return None
        return TriedSwaps(trial, self._tables(trial), played, self.question.weights)

    def _watch(
        self, games: GameSession, first: TriedSwaps, sets: int
    ) -> tuple[Observed, ...]:
        """Play the deck as it is in games of their own, and watch its hand."""
        cards = list(self.deck.deck.counts())
        numbers = load_game(self.format.game).card_numbers(self.database)
        tables = [watched_table(t.table, numbers, cards) for t in first.tables]
        weights = self.question.weights or [1.0] * len(tables)
        part = len(tables) * sets / sum(weights)
        jobs = self._jobs(tables, 2 * len(self.field), sets, self.deck.name, 1)
        work = [
            replace(job, sets=max(1, round(part * weight)))
            for job, weight in zip(jobs, weights, strict=True)
        ]
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        seen = observations(cards, tables, tallies)
        return tuple(each for each in seen if each.card in self.weighed)

    def _play(
        self, games: GameSession, trial: Trial, number: int, sets: int
    ) -> TriedSwaps:
        """Play a trial against each opponent; jobs are numbered from `number` on."""
        tables = self._tables(trial)
        count = 1 + len(trial.swaps)
        versions = f"{plural(count, 'version')} of {self.deck.name}"
        work = self._jobs(tables, number, sets, versions, count)
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return TriedSwaps(trial, tables, tallies, self.question.weights)

    def _jobs(
        self,
        tables: Sequence[SetPlayer],
        number: int,
        sets: int,
        label: str,
        versions: int,
    ) -> list[Job]:
        """A job for each opponent, numbered from `number` on."""
        return [
            Job(
                number + i,
                f"{label} against {opponent.name}",
                tables[i],
                (opponent.policy, self.deck.policy, str(number)),
                sets,
                ROTATION * versions,
            )
            for i, opponent in enumerate(self.field)
        ]

    def _tables(self, trial: Trial) -> list[Versions]:
        return [
            trial.table(self.format, self.database, self.deck, opponent)
            for opponent in self.field
        ]

    def _first(self) -> Trial:
        """Every card instead of that one for which most may stand in."""
        choices = Counter(swap.out for swap in self.swaps)
        hole = max(choices, key=lambda card: choices[card])
        return self._trial([swap for swap in self.swaps if swap.out == hole])

    def _second(self, first: TriedSwaps) -> Trial:
        """The best cards of the first trial instead of each."""
        cards = self.weighed
        return self._trial([swap for card in cards for swap in self._best(card, first)])

    def _ranked(self, first: TriedSwaps) -> list[str]:
        """The cards tried instead of one, the best first."""
        hole = first.trial.swaps[0].out
        swaps = [swap for swap in first.trial.swaps if swap.out == hole]
        swaps.sort(key=lambda swap: -first.gain(swap).value)
        return [swap.into for swap in swaps]

    def _trial(self, swaps: Sequence[Swap], cards: Sequence[str] = ()) -> Trial:
        """These swaps, and those that tell what each of `cards` is worth, or of all."""
        return Trial.of({c: self._means[c] for c in cards or self._means}, swaps)

    @cached_property
    def _means(self) -> dict[str, tuple[Swap, ...]]:
        """The average cards instead of each, as far as that is legal."""
        return means_of(self.weighed, self.average, self.swaps)

    def _result(
        self,
        games: GameSession,
        trials: tuple[TriedSwaps, TriedSwaps],
        observed: tuple[Observed, ...],
        confirmed: Confirmation | None,
    ) -> ImpactResult:
        first, second = trials
        sets = int(first.tallies[0][0, Head.SETS])
        return ImpactResult(
            **self.head(games, (self.deck, *self.field), self.question.confirm),
            games=ROTATION * len(self.field) * sets,
            games_played=games.games_played,
            checksum=checksum_of(games.tallies.values()),
            deck=self.deck.name,
            opponents=tuple(opponent.name for opponent in self.field),
            average=tuple(self.database.cards[card].name for card in self.average),
            cards=tuple(
                self._card(card, first, second)
                for card in self.weighed
                if card in first.trial.means
            ),
            observed=observed,
            cut=self._to_cut(first),
            confirmed=confirmed,
            shares=shares_in(self.field, self.question.weights),
        )

    def _card(self, card: str, first: TriedSwaps, second: TriedSwaps) -> CardImpact:
        """The result for a card: chosen by the first trial, measured in the second."""
        field, cards = range(len(self.field)), self.database.cards
        best = [swap for swap in self._best(card, first) if swap in second.trial.swaps]
        return CardImpact(
            id=card,
            name=cards[card].name,
            copies=self.weighed[card],
            worth=second.worth(card),
            against=tuple(second.worth_against(card, i) for i in field),
            most=max(field, key=lambda i: first.worth_against(card, i).value),
            better=tuple(
                Alternative(swap.into, cards[swap.into].name, second.gain(swap))
                for swap in best
            ),
            expected=first.worth(card).value,
        )

    def _best(self, card: str, first: TriedSwaps) -> list[Swap]:
        legal = set(self.swaps)
        swaps = (Swap(card, into) for into in self._ranked(first))
        return [swap for swap in swaps if swap in legal][:BEST]


def impact_of(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: ImpactSpec,
) -> Impact:
    """The question what the cards of a deck are worth as `fmt` is played.

    Raises UsageError unless there is one deck and a field, and for a format in which no
    two decks meet.
    """
    use = "Name the deck whose cards are weighed"
    entrant, field, question = deck_and_field(fmt, deck, against, question, use)
    card = question.card and card_of(question.card, "card", entrant.deck, database)
    question = replace(question, card=card)
    impact = Impact(fmt, database, question, entrant, field)
    if card is not None and not any(swap.out == card for swap in impact.swaps):
        raise UsageError(
            f"No card may stand in for {quote(database.cards[card].name)} in "
            f"{quote(fmt.id)}",
            "Ask about another card",
        )
    return impact
