"""The solution of a format: a mix of decks, the gains of answers, and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from deckcheck.documents.records import Count, Ordinal, Share
from deckcheck.documents.records import Interval as IntervalDocument
from deckcheck.messages import game_count, quote
from deckcheck.policies.registry import policy_in_words, policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    POINTS,
    Cell,
    Column,
    PlayedFigure,
    Report,
    ReportTable,
    advise_games,
    count,
    describe_pilot,
    numbers,
    percent,
    rate_with_level,
    study_report,
    words,
)
from deckcheck.sim.documents import EffectDocument, MeanRate
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import (
    Claim,
    Figure,
    Row,
    effect,
    ends,
    join_answer,
    mean_rate,
    tidy,
)
from deckcheck.sim.records import NamedMean, RateAlone, Record, Shown, StudyResult
from deckcheck.stats import Estimate, Interval, find_verdict
from deckcheck.studies.payoff import (
    HALF,
    RANGE_HEAD,
    RESAMPLED_NOTE,
    Meetings,
)

# The solution of a format: a mix of decks, and the gains of answers to it


class GainDocument(EffectDocument):
    """The gain of a deck against the mix: its win rate less a half."""

    games: Count
    """The number of games behind the gain."""


def _gain(estimate: Estimate) -> GainDocument:
    return {**effect(estimate), "games": estimate.games}


Gain = Annotated[Estimate, Shown(_gain, GainDocument)]


RESAMPLE_COUNT = 200
MIX_NAME = "(mix)"
"""Instead of a deck: all decks of the mix, as often as it says."""


@dataclass(frozen=True, slots=True)
class Response(Record):
    """A deck that might gain against the mix: an answer, or one that has met its decks.

    All figures are win rates less a half.
    """

    KEYS = ("name", "in_selection", "gain", "cross_checked")
    entrant: Entrant
    in_selection: float
    """The gain in the games by which the deck was chosen, -0.5 to 0.5."""
    gain: Gain
    """The gain in fresh games."""
    cross_checked: Gain | None = None
    """The gain in fresh games of another policy; null if none was asked for."""

    @property
    def name(self) -> str:
        """The name of the deck."""
        return self.entrant.name

    @classmethod
    def hoping(cls, met: Meetings, deck: int, shares: Sequence[float]) -> Response:
        """Return a deck that has met the mix, with its gain there."""
        gain = met.gain(deck, shares).estimate()
        return cls(met.entrants[deck], gain.value, gain)


@dataclass(frozen=True, slots=True)
class Round(Record):
    """One search for a deck that gains against the mix of that time."""

    KEYS = ("decks", "mixed", "joined", "answer")
    decks: Count
    """The number of decks that had met before the search."""
    mixed: Count
    """The number of decks in the mix."""
    answer: Annotated[Response, Shown(Response.to_dict, Response, beside=True)]
    joined: bool
    """Whether the deck that was found gained enough to join."""


@dataclass(frozen=True, slots=True)
class FieldDeck(Record):
    """A deck of the mix."""

    KEYS = ("name", "faction", "leader", "share", "share_interval", "payoff", "cards")
    name: str
    """The name of the deck."""
    faction: str | None
    """The name of the deck's faction; null if it has none."""
    leader: str | None
    """The name of the deck's leader; null if it has none."""
    share: RateAlone
    """The share of games to bring the deck to, 0 to 1."""
    payoff: Share
    """The win rate of the deck against the mix, 0 to 1."""
    cards: Annotated[tuple[tuple[str, int], ...], Shown(dict, dict[str, Ordinal])]
    """The number of copies of each card, by the name of the card."""

    @property
    def share_interval(self) -> Annotated[Interval, Shown(ends, IntervalDocument)]:
        """The middle 95% of the shares when all games are drawn again, 0 to 1."""
        return self.share.interval


@dataclass(frozen=True, slots=True, repr=False)
class SolveResult(StudyResult):
    """The output of `deckcheck solve --output-format json`.

    `games` are those of each pair of decks. The intervals of all `answers` are
    simultaneous, its own decks among them. `text` are the decks of the mix as a file.
    """

    KEYS = tuple(
        """
        solved bound gain most_gained searches search_games decks_searched factions
        cross_check field answers rounds against opponents
        """.split()
    )
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 had the answers of the last searches alone."""
    field: tuple[FieldDeck, ...] = ()
    """The decks of the mix, the most frequent first."""
    rounds: tuple[Round, ...] = ()
    """The searches that led to the mix, in their order."""
    answers: tuple[Response, ...] = ()
    """The decks that might gain against the mix, the best first."""
    bound: Share = 0.0
    """The gain above which a deck counts as an answer, 0 to 1."""
    solved: bool = False
    """Whether no deck that was found gains more than the bound."""
    searches: Count = 0
    """The number of searches."""
    decks_searched: Count = 0
    """The number of decks that all searches measured."""
    search_games: Ordinal = 0
    """The number of games of each search."""
    factions: tuple[str, ...] = ()
    """The ids of the factions that decks were searched in; empty for all."""
    cross_check: str | None = None
    """The policy that played the answers again; null if none was asked for."""
    against: Annotated[Estimate, Shown(mean_rate, MeanRate)] | None = None
    """The win rate of the mix against the decks of `--against`; null without them."""
    opponents: tuple[NamedMean, ...] = ()
    """The same against each of these decks."""
    text: str = ""

    @property
    def best(self) -> Response | None:
        """The best of the answers, by fresh games."""
        return max(self.answers, key=lambda answer: answer.gain.value, default=None)

    @property
    def gain(self) -> Gain | None:
        """The gain of the best answer in fresh games; null if none was measured."""
        return None if self.best is None else self.best.gain

    @property
    def most_gained(self) -> Share | None:
        """The gain that no deck that was found exceeds, 0 to 1; null if not
        measured."""
        # It is 0 at least: against itself a mix gains nothing.
        highest = (answer.gain.interval.high for answer in self.answers)
        return max(0.0, *highest) if self.answers else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the best of the answers gains against the mix, by each player."""
        figures = self._gains
        if self.best is None:
            return ()
        name = self.best.name
        return tuple(Claim.of(name, MIX_NAME, figure, by=by) for by, figure in figures)

    @property
    def _gains(self) -> list[PlayedFigure]:
        best = self.best
        if best is None:
            return []
        seen = [(self.players[0], best.gain), (self.cross_check, best.cross_checked)]
        return [(by, figure) for by, figure in seen if by and figure]

    @property
    def answer(self) -> str:
        """The mix to bring, unless a deck that was found is known to beat it."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the mix, and how the best counter-deck does against it."""
        mix, best = self._describe_mix(), self.best
        if best is None or self.most_gained is None:
            yield f"Best guess so far: {mix}. No counter-deck was tested."
            return
        name = quote(best.name)
        against = mix if len(self.field) == 1 else "this mix"
        score = _describe_score(best.gain)
        if self.solved:
            most = percent(HALF + self.most_gained)
            yield f"Bring {mix}."
            yield (
                f"No counter-deck that was found wins more than {most} of its games "
                f"against {against}: {name}, the best, wins {score}."
            )
        elif best.gain.interval.low > 0:
            yield (
                f"No stable mix yet: {name} wins {score} of its games against the best "
                f"mix so far, {mix}."
            )
        else:
            yield (
                f"The best guess is to bring {mix}. Whether a counter-deck beats it is "
                f"not clear: the best that was found, {name}, wins {score} of its "
                f"games against {against}."
            )
            yield advise_games(best.gain, self.search_games, self.bound)
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        if best.cross_checked is not None and self.cross_check is not None:
            bot = policy_in_words(self.cross_check, self.players[0])
            second, score = best.cross_checked, _describe_score(best.cross_checked)
            if find_verdict(second.interval).is_sure:
                yield f"Piloted by {bot}, {name} wins {score}."
            else:
                yield f"With {bot}, it is not clear: {name} wins {score}."

    def _describe_mix(self) -> str:
        """Return the only deck of the mix, or each deck with its share of games."""
        if len(self.field) == 1:
            return quote(self.field[0].name)
        shares = [f"{quote(d.name)} in {100 * d.share.value:.0f}%" for d in self.field]
        return f"{', '.join(shares[:-1])} and {shares[-1]} of your games"

    def to_rows(self) -> list[Row]:
        """Tidy rows: the mix, its answers, and how it does against other decks."""
        rows: list[Row] = []
        for deck in self.field:
            rows += tidy("share", deck.share, deck.share.games, deck.name)
            rows += tidy("payoff", deck.payoff, deck.share.games, deck.name, MIX_NAME)
        for answer in self.answers:
            gains = {"gain": answer.gain, "gain_cross_checked": answer.cross_checked}
            for metric, gain in gains.items():
                n = gain.games if gain else 0
                rows += tidy(metric, gain, n, answer.name, MIX_NAME)
        if self.against is not None:
            rows += tidy("win_rate", self.against, self.against.games, MIX_NAME)
        for opponent in self.opponents:
            rows += tidy(
                "win_rate", opponent.rate, opponent.rate.games, MIX_NAME, opponent.name
            )
        return rows


def _describe_score(gain: Figure) -> str:
    """Return the win rate of a gain over one half: `65.6% (95% CI 46.6 to 80.6)`."""
    low, high = gain.interval
    rate = Estimate(HALF + gain.value, Interval(HALF + low, HALF + high), 0)
    return rate_with_level(rate)


# Tables of a mix of decks to bring


def solution_report(result: SolveResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = f"{count(result.games_played)} in game pairs, at least "
    games += f"{count(result.games)} of each pair of decks"
    tables = (
        _mix,
        _tabulate_answers,
        _tabulate_rounds,
        _tabulate_opponents,
        _tabulate_cards,
    )
    return study_report(
        result,
        games,
        [table(result) for table in tables],
        [("searched", _describe_searches(result))],
        title=f"What would a strong team bring in {result.format}?",
    )


def _describe_searches(result: SolveResult) -> str:
    of = ", ".join(result.factions) if result.factions else "all factions"
    games_each = f"at most {game_count(result.search_games)} each"
    decks = f"{count(result.decks_searched)} decks"
    searches = "1 search" if result.searches == 1 else f"{result.searches} searches"
    return f"{decks} of {of}, in {searches} with {games_each}"


def _mix(result: SolveResult) -> ReportTable:
    columns = (
        *words("deck", "leader"),
        Column("bring", IN_PERCENT, RANGE_HEAD),
        Column("wins", IN_PERCENT),
    )
    rows = tuple(
        (deck.name, deck.leader or deck.faction or None, deck.share, deck.payoff)
        for deck in result.field
    )
    note = (
        f"bring: how often, in %; {RESAMPLED_NOTE}; "
        "wins: the win rate in % against the mix, in the games it was found by"
    )
    return ReportTable("What to bring", columns, rows, note=note, even=None)


def _tabulate_answers(result: SolveResult) -> ReportTable:
    """Return the decks that might gain against the mix, with their fresh games."""
    columns = [
        Column("deck"),
        Column("in selection games", POINTS),
        Column("gain", POINTS, "95% interval"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (answer.name, answer.in_selection, answer.gain) for answer in result.answers
    ]
    if result.cross_check is not None:
        label = policy_label(str(result.cross_check))
        columns.append(Column(label, POINTS, "95% interval"))
        cross_checked = [answer.cross_checked for answer in result.answers]
        rows = [(*row, gain) for row, gain in zip(rows, cross_checked, strict=True)]
    note = (
        "points more than half against the mix: in the selection games, by which the "
        "deck was chosen, and in fresh games, with simultaneous 95% intervals."
        " A search cannot rule out a better deck: decks that it "
        "did not try may gain more"
    )
    title = "What decks that were found gain against the mix, its own among them"
    return ReportTable(title, tuple(columns), tuple(rows), note=note)


def _tabulate_rounds(result: SolveResult) -> ReportTable:
    columns = (
        Column("answer"),
        *numbers(COUNT, "decks", "in the mix"),
        Column("gain", POINTS, "95% interval"),
        Column("joined"),
    )
    rows = tuple(
        (
            played.answer.name,
            played.decks,
            played.mixed,
            played.answer.gain,
            "yes" if played.joined else "no",
        )
        for played in result.rounds
    )
    title = "Search history: every counter found, and its gain"
    note = (
        "gain: in the first games, against the mix of that time; individual 95% "
        "intervals"
    )
    return ReportTable(title, columns, rows, note=note)


def _tabulate_opponents(result: SolveResult) -> ReportTable:
    columns = (Column("deck"), Column("win rate", IN_PERCENT, "95% interval"))
    rows = [(opponent.name, opponent.rate) for opponent in result.opponents]
    if result.against is not None:
        rows.append(("all alike", result.against))
    return ReportTable("Win rate in % of the mix against others", columns, tuple(rows))


def _tabulate_cards(result: SolveResult) -> ReportTable:
    """Return the copies of each card in the decks of the mix."""
    held = [dict(deck.cards) for deck in result.field]
    every = dict.fromkeys(card for cards in held for card in cards)
    rows = tuple((card, *(cards.get(card) for cards in held)) for card in every)
    columns = (Column("card"), *numbers(COUNT, *(deck.name for deck in result.field)))
    return ReportTable("The decks of the mix", columns, rows, matrix=True)


SOLUTION = Presentation[SolveResult](
    solution_report, extra_outputs=(("decks", lambda result: result.text),)
)
