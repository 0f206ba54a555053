"""The mix of a strong team: result, document, tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from typing_extensions import TypedDict

from deckcheck.decks.model import sheet_of
from deckcheck.decks.rewriting import write_decks
from deckcheck.documents.records import Count, Ordinal, Share
from deckcheck.documents.records import Interval as IntervalDocument
from deckcheck.messages import game_count, quote
from deckcheck.policies.registry import policy_label
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
    by_players,
    count,
    more_games,
    numbers,
    study_report,
    words,
)
from deckcheck.sim.documents import EffectDocument, MeanRate, RunDocument
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import (
    Claim,
    Row,
    document_of,
    effect,
    mean_rate,
    rounded,
    tidy,
)
from deckcheck.sim.result import result_document
from deckcheck.sim.standings import ResultHeader
from deckcheck.sim.study import StudySpec
from deckcheck.specs import SolveSpec
from deckcheck.stats import Combination, Estimate, Interval
from deckcheck.stats.optimising import resampled_rates
from deckcheck.studies.payoff import (
    RESAMPLED,
    RESAMPLED_NOTE,
    Meetings,
    field_against,
    mixture_of,
)

# The JSON document of a mix of decks to bring


class GainDocument(EffectDocument):
    """The gain of a deck against the mix: its win rate less a half."""

    games: Count
    """The number of games behind the gain."""


class SolveAnswerDocument(TypedDict):
    """A deck that might gain against the mix."""

    name: str
    """The name of the deck."""
    hoped: float
    """The gain in the games by which the deck was chosen, -0.5 to 0.5."""
    gain: GainDocument
    """The gain in fresh games."""
    confirmed: GainDocument | None
    """The gain in fresh games of another policy; null if none was asked for."""


class RoundDocument(SolveAnswerDocument):
    """One search for a deck that gains against the mix of that time."""

    decks: Count
    """The number of decks that had met before the search."""
    mixed: Count
    """The number of decks in the mix."""
    joined: bool
    """Whether the deck that was found gained enough to join."""


class FieldDeckDocument(TypedDict):
    """A deck of the mix."""

    name: str
    """The name of the deck."""
    faction: str | None
    """The name of the deck's faction; null if it has none."""
    leader: str | None
    """The name of the deck's leader; null if it has none."""
    share: Share
    """The share of games to bring the deck to, 0 to 1."""
    share_interval: IntervalDocument
    """The middle 95 % of the shares when all games are drawn again, 0 to 1."""
    payoff: Share
    """The win rate of the deck against the mix, 0 to 1."""
    cards: dict[str, Ordinal]
    """The number of copies of each card, by the name of the card."""


class OpponentRate(MeanRate):
    """The win rate of the mix against one deck."""

    name: str
    """The name of the deck."""


class SolveDocument(RunDocument):
    """The output of `deckcheck solve --output-format json`."""

    schema_version: Literal[2]
    """The version of this document; 1 had the answers of the last searches alone."""
    answer: str
    """The answer in a sentence or two."""
    solved: bool
    """Whether no deck that was found gains more than the bound."""
    bound: Share
    """The gain above which a deck counts as an answer, 0 to 1."""
    gain: GainDocument | None
    """The gain of the best answer in fresh games; null if none was measured."""
    most_gained: Share | None
    """The gain that no deck that was found exceeds, 0 to 1; null if not measured."""
    searches: Count
    """The number of searches."""
    search_games: Ordinal
    """The number of games of each search."""
    decks_searched: Count
    """The number of decks that all searches measured."""
    factions: list[str]
    """The ids of the factions that decks were searched in; empty for all."""
    confirm: str | None
    """The policy that played the answers again; null if none was asked for."""
    field: list[FieldDeckDocument]
    """The decks of the mix, the most frequent first."""
    answers: list[SolveAnswerDocument]
    """The decks that might gain against the mix, the best first."""
    rounds: list[RoundDocument]
    """The searches that led to the mix, in their order."""
    against: MeanRate | None
    """The win rate of the mix against the decks of `--against`; null without them."""
    opponents: list[OpponentRate]
    """The same against each of these decks."""


# The solution of a format: a mix of decks, and the gains of answers to it


RESAMPLES = 200
MIX = "(mix)"
"""In the place of a deck: all decks of the mix, as often as it says."""


@dataclass(frozen=True, slots=True)
class Response:
    """A deck that may gain against a mix: an answer, or one that has met its decks.

    `hoped` is what it gained in the games by which it was chosen, `gain` what it gained
    in fresh games, `confirmed` the same with another player. All are win rates less a
    half.
    """

    entrant: Entrant
    hoped: float
    gain: Estimate
    confirmed: Estimate | None = None

    @classmethod
    def hoping(cls, met: Meetings, deck: int, shares: Sequence[float]) -> Response:
        """A deck that has met those of the mix, with what it gained there."""
        gain = met.gain(deck, shares).estimate()
        return cls(met.entrants[deck], gain.value, gain)


@dataclass(frozen=True, slots=True)
class Round:
    """One search: among so many `decks`, so many of them in the mix, what it found.

    `joined` says whether that gained enough to join.
    """

    decks: int
    mixed: int
    answer: Response
    joined: bool


@dataclass(frozen=True, slots=True)
class FieldDeck:
    """A deck of the mix: how often to bring it, and its win rate against the mix."""

    name: str
    faction: str | None
    leader: str | None
    share: Estimate
    payoff: float
    cards: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, repr=False)
class SolveResult(ResultHeader):
    """A mix of decks to bring; `games` are those of every two decks.

    `field` are the decks of the mix, the most frequent first, `rounds` the searches
    that led to it. `answers` are all decks that might gain against it, its own among
    them, the best first, in fresh games; their intervals hold together, and `is_solved`
    says that none reaches beyond `bound`, 0 to 1. `against` is the win rate of the mix
    against other decks, `opponents` by the name of each. `text` are the decks of the
    mix as a file.
    """

    field: tuple[FieldDeck, ...] = ()
    rounds: tuple[Round, ...] = ()
    answers: tuple[Response, ...] = ()
    bound: float = 0.0
    is_solved: bool = False
    searches: int = 0
    decks_searched: int = 0
    search_games: int = 0
    factions: tuple[str, ...] = ()
    confirm: str | None = None
    against: Estimate | None = None
    opponents: tuple[tuple[str, Estimate], ...] = ()
    text: str = ""

    @property
    def gain(self) -> Response | None:
        """The best of the answers, by fresh games."""
        return max(self.answers, key=lambda answer: answer.gain.value, default=None)

    @property
    def most_gained(self) -> float | None:
        """What no deck that was found gains more than, with a confidence of 95 %.

        It is 0 at least, since against itself a mix gains nothing.
        """
        highest = (answer.gain.interval.high for answer in self.answers)
        return max(0.0, *highest) if self.answers else None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the best of the answers gains against the mix, by each player."""
        figures = self._gains
        return tuple(
            Claim.of(self.gain.entrant.name, MIX, figure, by=by)
            for by, figure in figures
            if self.gain is not None
        )

    @property
    def _gains(self) -> list[PlayedFigure]:
        best = self.gain
        if best is None:
            return []
        seen = [(self.players[0], best.gain), (self.confirm, best.confirmed)]
        return [(by, figure) for by, figure in seen if by and figure]

    @property
    def answer(self) -> str:
        """What to bring, unless a deck that was found is known to beat it."""
        named = [f"{quote(d.name)} in {100 * d.share.value:.0f} %" for d in self.field]
        several = f"{', '.join(named[:-1])} and {named[-1]} of your games"
        mix = several if named[1:] else f"{quote(self.field[0].name)} always"
        best = self.gain
        if best is None or self.most_gained is None:
            return (
                f"The best mix so far is {mix}; what gains against it was not measured"
            )
        name, gains = quote(best.entrant.name), by_players(self._gains)
        if self.is_solved:
            most = f"{IN_PERCENT.number(self.most_gained)} points against that"
            bring = f"Bring {mix}. No deck that was found gains more than {most}"
            return f"{bring}; the best of them, {name}, {gains}"
        if best.gain.interval.low > 0:
            beaten = f"The best mix so far is beaten: {name} gains {gains} against"
            return f"{beaten} {mix}"
        more = more_games(best.gain, best.gain.games, self.bound)
        return f"It is not clear whether a deck beats {mix}: {name} gains {gains}{more}"

    def to_dict(self) -> SolveDocument:
        """The result as `deckcheck schema solve` describes it."""
        best = self.gain
        return result_document(
            SolveDocument,
            self,
            solved=self.is_solved,
            gain=None if best is None else _gain(best.gain),
            field=[_field_deck(share) for share in self.field],
            answers=[_answer(answer) for answer in self.answers],
            rounds=[_round(round_played) for round_played in self.rounds],
            against=None if self.against is None else mean_rate(self.against),
            opponents=[{"name": name, **mean_rate(r)} for name, r in self.opponents],
        )

    def to_rows(self) -> list[Row]:
        """Tidy rows: the mix, its answers, and how it does against other decks."""
        rows: list[Row] = []
        for deck in self.field:
            rows += tidy("share", deck.share, deck.share.games, deck.name)
            rows += tidy("payoff", deck.payoff, deck.share.games, deck.name, MIX)
        for answer in self.answers:
            gains = {"gain": answer.gain, "gain_confirmed": answer.confirmed}
            for metric, gain in gains.items():
                n = gain.games if gain else 0
                rows += tidy(metric, gain, n, answer.entrant.name, MIX)
        if self.against is not None:
            rows += tidy("win_rate", self.against, self.against.games, MIX)
        for name, rate in self.opponents:
            rows += tidy("win_rate", rate, rate.games, MIX, name)
        return rows


@dataclass
class SolveState:
    """What a run knows so far.

    The decks that have met with their `shares` in the mix, the `rounds` and the last
    `answers`, win rates `against` other decks by the places of both, and how much was
    played and searched.
    """

    met: Meetings
    shares: tuple[float, ...] = ()
    rounds: list[Round] = field(default_factory=list)
    answers: list[Response] = field(default_factory=list)
    against: dict[tuple[int, int], Combination] = field(default_factory=dict)
    games_played: int = 0
    searches: int = 0
    decks_searched: int = 0
    is_solved: bool = False

    @property
    def mixed(self) -> list[int]:
        """The places of the decks in the mix, the most frequent first."""
        mixed = [i for i, share in enumerate(self.shares) if share > 0]
        return sorted(mixed, key=lambda i: -self.shares[i])


def solved(
    spec: StudySpec[SolveSpec], state: SolveState, head: Mapping[str, Any]
) -> SolveResult:
    """The result of what is known; `head` says how it came about."""
    question = spec.question
    met, shares, against = state.met, state.shares, state.against
    entrants = [met.entrants[i] for i in state.mixed]
    others = spec.role("against")
    sheets = [sheet_of(entrant.deck, spec.database) for entrant in entrants]
    return SolveResult(
        **head,
        games=met.games,
        games_played=state.games_played,
        field=_field(spec, state),
        rounds=tuple(state.rounds),
        answers=tuple(state.answers),
        bound=question.bound / 100,
        is_solved=state.is_solved,
        searches=state.searches,
        decks_searched=state.decks_searched,
        search_games=question.games,
        factions=question.factions,
        confirm=question.confirm,
        against=field_against(against, shares) if against else None,
        opponents=tuple(
            (others[place].name, field_against(rates, shares))
            for place, rates in _by_opponent(against).items()
        ),
        text=write_decks("text", sheets, spec.database).text,
    )


def _by_opponent(
    against: Mapping[tuple[int, int], Combination],
) -> dict[int, dict[tuple[int, int], Combination]]:
    """The win rates of the mix against each of the others."""
    payoffs: dict[int, dict[tuple[int, int], Combination]] = {}
    for (own, other), rate in against.items():
        payoffs.setdefault(other, {})[own, other] = rate
    return payoffs


def _field(spec: StudySpec[SolveSpec], state: SolveState) -> tuple[FieldDeck, ...]:
    """The decks of the mix, with how sure their shares are."""
    met, shares = state.met, state.shares
    intervals = _intervals(met, shares, spec.question.seed)
    payoffs = met.rates() @ np.array(shares)
    games = sum(2 * sum(counts) for counts in met.counts.values())
    leaders, factions = spec.database.leaders, spec.database.factions
    decks = []
    for i in state.mixed:
        deck = met.entrants[i].deck
        share = Estimate(shares[i], intervals[i], games)
        decks.append(
            FieldDeck(
                met.entrants[i].name,
                factions[deck.faction].name if deck.faction else None,
                leaders[deck.leader].full_name if deck.leader else None,
                share,
                float(payoffs[i]),
                tuple(
                    (spec.database.cards[card].name, count)
                    for card, count in deck.counts().items()
                ),
            )
        )
    return tuple(decks)


def _intervals(met: Meetings, shares: Sequence[float], seed: int) -> list[Interval]:
    """How shares vary if all games are drawn again: 95 % of the resamples."""
    chance = np.random.default_rng(seed)
    pairs = list(met.counts)
    scores = list(met.counts.values())
    if not scores:
        return [Interval(share, share) for share in shares]
    drawn = []
    for _ in range(RESAMPLES):
        rates = met.rates()
        for (a, b), rate in zip(pairs, resampled_rates(scores, chance), strict=True):
            rates[a, b], rates[b, a] = rate, 1 - rate
        drawn.append(mixture_of(rates))
    lows, highs = np.percentile(np.array(drawn), [2.5, 97.5], axis=0)
    # The best guess belongs to its interval, though percentiles alone may miss it.
    return [
        Interval(min(share, float(low)), max(share, float(high)))
        for share, low, high in zip(shares, lows, highs, strict=True)
    ]


def _gain(estimate: Estimate) -> GainDocument:
    return {**effect(estimate), "games": estimate.games}


def _field_deck(deck: FieldDeck) -> FieldDeckDocument:
    return document_of(FieldDeckDocument, deck, cards=dict(deck.cards))


def _answer(answer: Response) -> SolveAnswerDocument:
    confirmed = answer.confirmed
    return {
        "name": answer.entrant.name,
        "hoped": rounded(answer.hoped),
        "gain": _gain(answer.gain),
        "confirmed": None if confirmed is None else _gain(confirmed),
    }


def _round(round_played: Round) -> RoundDocument:
    return {
        "decks": round_played.decks,
        "mixed": round_played.mixed,
        "joined": round_played.joined,
        **_answer(round_played.answer),
    }


# Tables of a mix of decks to bring


def solution_report(result: SolveResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = f"{count(result.games_played)} in mirrored pairs, at least "
    games += f"{count(result.games)} of every two decks"
    tables = (_mix, _answers, _rounds, _opponents, _cards)
    return study_report(
        result,
        games,
        [table(result) for table in tables],
        [("searched", _searched(result))],
        title=f"What would a strong team bring in {result.format}?",
    )


def _searched(result: SolveResult) -> str:
    of = ", ".join(result.factions) if result.factions else "all factions"
    games_each = f"at most {game_count(result.search_games)} each"
    decks = f"{count(result.decks_searched)} decks"
    return f"{decks} of {of}, in {result.searches} searches with {games_each}"


def _mix(result: SolveResult) -> ReportTable:
    columns = (
        *words("deck", "leader"),
        Column("bring", IN_PERCENT, RESAMPLED),
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


def _answers(result: SolveResult) -> ReportTable:
    """What might gain against the mix, and what it gained in fresh games."""
    columns = [
        Column("deck"),
        Column("hoped", POINTS),
        Column("gain", POINTS, "95 % interval"),
    ]
    rows: list[tuple[Cell, ...]] = [
        (answer.entrant.name, answer.hoped, answer.gain) for answer in result.answers
    ]
    if result.confirm is not None:
        label = policy_label(str(result.confirm))
        columns.append(Column(label, POINTS, "95 % interval"))
        confirmed = [answer.confirmed for answer in result.answers]
        rows = [(*row, gain) for row, gain in zip(rows, confirmed, strict=True)]
    note = (
        "points more than half against the mix: hoped for in the games by which the "
        "deck was chosen, and gained in fresh ones, whose intervals hold together with "
        "95 % confidence. A search finds no proof: decks that it did not try may gain "
        "more"
    )
    title = "What decks that were found gain against the mix, its own among them"
    return ReportTable(title, tuple(columns), tuple(rows), note=note)


def _rounds(result: SolveResult) -> ReportTable:
    columns = (
        Column("answer"),
        *numbers(COUNT, "decks", "in the mix"),
        Column("gain", POINTS, "95 % interval"),
        Column("joined"),
    )
    rows = tuple(
        (
            *(played.answer.entrant.name, played.decks, played.mixed),
            *(played.answer.gain, "yes" if played.joined else "no"),
        )
        for played in result.rounds
    )
    title = "How it came to this: the answers of all searches, and what they gained"
    note = "gain: in the first games, against the mix of that time; each by itself"
    return ReportTable(title, columns, rows, note=note)


def _opponents(result: SolveResult) -> ReportTable:
    columns = (Column("deck"), Column("win rate", IN_PERCENT, "95 % interval"))
    rows = [*result.opponents]
    if result.against is not None:
        rows.append(("all alike", result.against))
    return ReportTable("Win rate in % of the mix against others", columns, tuple(rows))


def _cards(result: SolveResult) -> ReportTable:
    """How many copies of each card the decks of the mix hold."""
    held = [dict(deck.cards) for deck in result.field]
    every = dict.fromkeys(card for cards in held for card in cards)
    rows = tuple((card, *(cards.get(card) for cards in held)) for card in every)
    columns = (Column("card"), *numbers(COUNT, *(deck.name for deck in result.field)))
    return ReportTable("The decks of the mix", columns, rows, matrix=True)


SOLUTION = Presentation[SolveResult](
    solution_report, own=(("decks", lambda result: result.text),)
)
