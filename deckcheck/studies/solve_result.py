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

RESAMPLE_COUNT = 200
"""The number of resamples of all games, for the intervals of shares."""
MIX_NAME = "(mix)"
"""The name of the mix in rows and claims, in place of the name of a deck."""


class GainDocument(EffectDocument):
    """The gain of a deck against the mix: its win rate less a half."""

    games: Count
    """The number of games behind the gain."""


def describe_gain(gain: Estimate) -> GainDocument:
    """Return a gain for documents."""
    return {**effect(gain), "games": gain.games}


Gain = Annotated[Estimate, Shown(describe_gain, GainDocument)]


@dataclass(frozen=True, slots=True)
class Response(Record):
    """A deck that might gain against the mix. All figures are win rates less a half."""

    KEYS = ("name", "in_selection", "gain", "cross_checked")
    entrant: Entrant
    """The deck, and the policy that plays it."""
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
    def from_meetings(
        cls, meetings: Meetings, deck: int, shares: Sequence[float]
    ) -> Response:
        """Return a deck that has met all decks of the mix, with its gain so far.

        `deck` is its index, `shares` has the share of each deck in the mix.
        """
        gain = meetings.gain(deck, shares).estimate()
        return cls(meetings.entrants[deck], gain.value, gain)


@dataclass(frozen=True, slots=True)
class Round(Record):
    """One search for a deck that gains against the mix of that time."""

    KEYS = ("decks", "mixed", "joined", "answer")
    decks: Count
    """The number of decks that had met before the search."""
    mixed: Count
    """The number of decks in the mix."""
    answer: Annotated[Response, Shown(Response.to_dict, Response, beside=True)]
    """The deck that was found."""
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

    `games` counts the games of each pair of decks.
    """

    KEYS = tuple(
        """
        solved bound gain most_gained searches search_games search_policy decks_searched
        factions cross_check field answers rounds against opponents
        """.split()
    )
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 had the answers of the last searches alone."""
    field: tuple[FieldDeck, ...] = ()
    """The decks of the mix, the most frequent first."""
    rounds: tuple[Round, ...] = ()
    """The searches that led to the mix, in their order."""
    # The intervals of all answers are simultaneous.
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
    search_policy: str = ""
    """The policy that played the searches."""
    factions: tuple[str, ...] = ()
    """The ids of the factions that decks were searched in; empty for all."""
    cross_check: str | None = None
    """The policy that played the answers again; null if none was asked for."""
    against: Annotated[Estimate, Shown(mean_rate, MeanRate)] | None = None
    """The win rate of the mix against the decks of `--against`; null without them."""
    opponents: tuple[NamedMean, ...] = ()
    """The same against each of these decks."""
    text: str = ""
    """The decks of the mix as the text of a deck file."""

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
        if not self.answers:
            return None
        highest = max(answer.gain.interval.high for answer in self.answers)
        # Against itself a mix gains nothing, so the bound is at least 0.
        return max(0.0, highest)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The gain of the best answer against the mix, by each bot."""
        best = self.best
        if best is None:
            return ()
        first = Claim.of(best.name, MIX_NAME, best.gain, by=self.players[0])
        if self.cross_check is None or best.cross_checked is None:
            return (first,)
        gain, bot = best.cross_checked, self.cross_check
        return (first, Claim.of(best.name, MIX_NAME, gain, by=bot))

    @property
    def answer(self) -> str:
        """The mix to bring, unless a deck that was found is known to beat it."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the mix, and how the best counter-deck does against it."""
        best = self.best
        if best is None:
            mix = self._describe_mix()
            yield f"Best guess so far: {mix}. No counter-deck was tested."
            return
        if self.solved:
            yield from self._describe_stable_mix(best)
        elif best.gain.interval.low > 0:
            yield self._describe_beaten_mix(best)
        else:
            yield from self._describe_best_guess(best)
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        yield from self._describe_cross_check(best)

    def _describe_stable_mix(self, best: Response) -> Iterator[str]:
        """Yield the mix to bring, and how little counter-decks gain against it."""
        most = percent(HALF + (self.most_gained or 0.0))
        yield f"Bring {self._describe_mix()}."
        yield (
            f"No counter-deck that was found wins more than {most} of its games "
            f"against {self._name_mix()}: {quote(best.name)}, the best, wins "
            f"{_describe_score(best.gain)}."
        )

    def _describe_beaten_mix(self, best: Response) -> str:
        """Return the sentence for a deck that beats the best mix so far."""
        return (
            f"No stable mix yet: {quote(best.name)} wins {_describe_score(best.gain)} "
            f"of its games against the best mix so far, {self._describe_mix()}."
        )

    def _describe_best_guess(self, best: Response) -> Iterator[str]:
        """Yield the mix to bring if it is not clear whether a deck beats it."""
        yield (
            f"The best guess is to bring {self._describe_mix()}. Whether a "
            "counter-deck beats it is not clear: the best that was found, "
            f"{quote(best.name)}, wins {_describe_score(best.gain)} of its games "
            f"against {self._name_mix()}."
        )
        yield advise_games(best.gain, self.search_games, self.bound)

    def _describe_cross_check(self, best: Response) -> Iterator[str]:
        """Yield the win rate of the best answer by the second bot, if one played."""
        if best.cross_checked is None or self.cross_check is None:
            return
        bot = policy_in_words(self.cross_check, self.players[0])
        name, score = quote(best.name), _describe_score(best.cross_checked)
        if find_verdict(best.cross_checked.interval).is_sure:
            yield f"Piloted by {bot}, {name} wins {score}."
        else:
            yield f"With {bot}, it is not clear: {name} wins {score}."

    def _describe_mix(self) -> str:
        """Return the only deck of the mix, or each deck with its share of games."""
        if len(self.field) == 1:
            return quote(self.field[0].name)
        shares = [f"{quote(d.name)} in {100 * d.share.value:.0f}%" for d in self.field]
        return f"{', '.join(shares[:-1])} and {shares[-1]} of your games"

    def _name_mix(self) -> str:
        """Return the only deck of the mix, or else `this mix`."""
        return quote(self.field[0].name) if len(self.field) == 1 else "this mix"

    def to_rows(self) -> list[Row]:
        """Tidy rows: the mix, its answers, and how it does against other decks."""
        rows: list[Row] = []
        for deck in self.field:
            rows += tidy("share", deck.share, deck.share.games, deck.name)
            rows += tidy("payoff", deck.payoff, deck.share.games, deck.name, MIX_NAME)
        for answer in self.answers:
            gain, cross_checked = answer.gain, answer.cross_checked
            rows += tidy("gain", gain, gain.games, answer.name, MIX_NAME)
            if cross_checked is not None:
                games = cross_checked.games
                metric = "gain_cross_checked"
                rows += tidy(metric, cross_checked, games, answer.name, MIX_NAME)
        if self.against is not None:
            rows += tidy("win_rate", self.against, self.against.games, MIX_NAME)
        for opponent in self.opponents:
            rows += tidy(
                "win_rate", opponent.rate, opponent.rate.games, MIX_NAME, opponent.name
            )
        return rows


def _describe_score(gain: Estimate) -> str:
    """Return the win rate of a gain over one half: `65.6% (95% CI 46.6 to 80.6)`."""
    low, high = gain.interval
    rate = Estimate(HALF + gain.value, Interval(HALF + low, HALF + high), 0)
    return rate_with_level(rate)


# Tables


def make_solution_report(result: SolveResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)} in game pairs, at least "
        f"{count(result.games)} of each pair of decks"
    )
    tables = (
        _tabulate_mix(result),
        _tabulate_answers(result),
        _tabulate_rounds(result),
        _tabulate_opponents(result),
        _tabulate_cards(result),
    )
    return study_report(
        result,
        games,
        tables,
        [("searched", _describe_searches(result))],
        title=f"What would a strong team bring in {result.format}?",
    )


def _describe_searches(result: SolveResult) -> str:
    """Return how many decks were searched, in how many games, and by which bot."""
    factions = ", ".join(result.factions) or "all factions"
    games = game_count(result.search_games)
    searches = "1 search" if result.searches == 1 else f"{result.searches} searches"
    bot = policy_label(result.search_policy)
    return (
        f"{count(result.decks_searched)} decks of {factions}, in {searches} by {bot} "
        f"with at most {games} each"
    )


def _tabulate_mix(result: SolveResult) -> ReportTable:
    """Return the decks to bring, with their shares and win rates."""
    columns = (
        *words("deck", "leader"),
        Column("bring", IN_PERCENT, RANGE_HEAD),
        Column("wins", IN_PERCENT),
    )
    rows = []
    for deck in result.field:
        rows.append((deck.name, deck.leader or deck.faction, deck.share, deck.payoff))
    note = (
        f"bring: how often, in %; {RESAMPLED_NOTE}; "
        "wins: the win rate in % against the mix, in the games it was found by"
    )
    return ReportTable("What to bring", columns, tuple(rows), note=note, even=None)


def _tabulate_answers(result: SolveResult) -> ReportTable:
    """Return the decks that might gain against the mix, with their fresh games."""
    columns = [
        Column("deck"),
        Column("in selection games", POINTS),
        Column("gain", POINTS, "95% interval"),
    ]
    if result.cross_check is not None:
        label = policy_label(result.cross_check)
        columns.append(Column(label, POINTS, "95% interval"))
    rows = []
    for answer in result.answers:
        row: list[Cell] = [answer.name, answer.in_selection, answer.gain]
        if result.cross_check is not None:
            row.append(answer.cross_checked)
        rows.append(tuple(row))
    note = (
        "points more than half against the mix: in the selection games, by which the "
        "deck was chosen, and in fresh games, with simultaneous 95% intervals."
        " A search cannot rule out a better deck: decks that it "
        "did not try may gain more"
    )
    title = "What decks that were found gain against the mix, its own among them"
    return ReportTable(title, tuple(columns), tuple(rows), note=note)


def _tabulate_rounds(result: SolveResult) -> ReportTable:
    """Return the deck that each search found, and whether it joined the mix."""
    columns = (
        Column("answer"),
        *numbers(COUNT, "decks", "in the mix"),
        Column("gain", POINTS, "95% interval"),
        Column("joined"),
    )
    rows = []
    for played in result.rounds:
        answer = played.answer
        joined = "yes" if played.joined else "no"
        rows.append((answer.name, played.decks, played.mixed, answer.gain, joined))
    title = "Search history: every counter found, and its gain"
    note = (
        "gain: in the first games, against the mix of that time; individual 95% "
        "intervals"
    )
    return ReportTable(title, columns, tuple(rows), note=note)


def _tabulate_opponents(result: SolveResult) -> ReportTable:
    """Return the win rate of the mix against each deck of `--against`."""
    columns = (Column("deck"), Column("win rate", IN_PERCENT, "95% interval"))
    rows = [(opponent.name, opponent.rate) for opponent in result.opponents]
    if result.against is not None:
        rows.append(("all alike", result.against))
    return ReportTable("Win rate in % of the mix against others", columns, tuple(rows))


def _tabulate_cards(result: SolveResult) -> ReportTable:
    """Return the copies of each card in the decks of the mix."""
    rows: dict[str, list[Cell]] = {}
    for index, deck in enumerate(result.field, start=1):
        for card, copies in deck.cards:
            if card not in rows:
                rows[card] = [card] + [None] * len(result.field)
            rows[card][index] = copies
    columns = (Column("card"), *numbers(COUNT, *(deck.name for deck in result.field)))
    cells = tuple(tuple(row) for row in rows.values())
    return ReportTable("The decks of the mix", columns, cells, matrix=True)


SOLUTION = Presentation[SolveResult](
    make_solution_report, extra_outputs=(("decks", lambda result: result.text),)
)
