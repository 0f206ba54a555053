"""The solution of a format: a mix of decks, and the gains of answers to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from deckcheck.decks.writers import sheet_of, write_decks
from deckcheck.findings.words import quote
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.report.units import IN_PERCENT, points, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, effect, ends, mean_rate, rounded
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import tidy
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.stats import Combination, Estimate, Interval
from deckcheck.stats.equilibrium import resampled_rates
from deckcheck.studies.solve.document import (
    AnswerDocument,
    FieldDeckDocument,
    GainDocument,
    RoundDocument,
    SolveDocument,
)
from deckcheck.studies.solve.payoff_matrix import Meetings, field_against, mixture_of

if TYPE_CHECKING:
    from deckcheck.studies.solve.spec import SolveQuestion


RESAMPLES = 200
TWO = 2
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
    def answer(self) -> str:
        """What to bring and how sure that is, in sentences."""
        named = [f"{quote(d.name)} in {100 * d.share.value:.0f} %" for d in self.field]
        several = f"Bring {', '.join(named[:-1])} and {named[-1]} of your games"
        bring = several if named[1:] else f"Always bring {quote(self.field[0].name)}"
        best = self.gain
        if best is None or self.most_gained is None:
            return f"{bring}. What gains against that was not measured"
        gains = f"{points(best.gain.value)} ({ranged(best.gain.interval)})"
        name = quote(best.entrant.name)
        if not self.is_solved:
            open_yet = "The search did not show that no deck gains more than"
            bound = f"{100 * self.bound:g} points against that"
            sentence = f"{open_yet} {bound}: {name} gained {gains}"
            return f"{bring}. {sentence}{_by_another(self)}"
        most = f"{IN_PERCENT.number(self.most_gained)} points against that"
        sentence = f"No deck that was found gains more than {most}"
        sentence += f"; the best of them, {name}, gained {gains}"
        return f"{bring}. {sentence}{_by_another(self)}"

    def to_dict(self) -> SolveDocument:
        """The result as `deckcheck schema solve` describes it."""
        best = self.gain
        return {
            "schema_version": 2,
            **head_data(self),
            "answer": self.answer,
            "solved": self.is_solved,
            "bound": rounded(self.bound),
            "gain": None if best is None else _gain(best.gain),
            "most_gained": rounded(self.most_gained),
            "searches": self.searches,
            "search_games": self.search_games,
            "decks_searched": self.decks_searched,
            "factions": list(self.factions),
            "confirm": self.confirm,
            "field": [_field_deck(share) for share in self.field],
            "answers": [_answer(answer) for answer in self.answers],
            "rounds": [_round(round_played) for round_played in self.rounds],
            "against": None if self.against is None else mean_rate(self.against),
            "opponents": [{"name": name, **mean_rate(r)} for name, r in self.opponents],
        }

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


def _by_another(result: SolveResult) -> str:
    """What gained most with another player, where one played the answers again."""
    seen = [(a.confirmed, a.entrant.name) for a in result.answers if a.confirmed]
    if result.confirm is None or not seen:
        return ""
    gain, name = max(seen, key=lambda response: response[0].value)
    size = f"{points(gain.value)} ({ranged(gain.interval)})"
    player = policy_in_words(result.confirm, result.players[0])
    return f". Played by {player}, most was gained by {quote(name)}: {size}"


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
    spec: StudySpec[SolveQuestion], state: SolveState, head: Mapping[str, Any]
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


def _field(spec: StudySpec[SolveQuestion], state: SolveState) -> tuple[FieldDeck, ...]:
    """The decks of the mix, with how sure their shares are."""
    met, shares = state.met, state.shares
    intervals = _intervals(met, shares, spec.question.seed)
    payoffs = met.rates() @ np.array(shares)
    games = sum(TWO * sum(counts) for counts in met.counts.values())
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
    return {
        "name": deck.name,
        "faction": deck.faction,
        "leader": deck.leader,
        "share": rounded(deck.share.value),
        "share_interval": ends(deck.share.interval),
        "payoff": rounded(deck.payoff),
        "cards": dict(deck.cards),
    }


def _answer(answer: Response) -> AnswerDocument:
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
