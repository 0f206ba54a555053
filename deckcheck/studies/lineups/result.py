"""The lineup to bring: what was promised, and what fresh matches say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from deckcheck.decks import Deck, Header
from deckcheck.decks.writers import sheet_of, write_decks
from deckcheck.findings.words import choice, plural, quote
from deckcheck.formats import Format
from deckcheck.policies.host.registry import policy_in_words
from deckcheck.report.units import percent, ranged
from deckcheck.sim.results.data import head_data
from deckcheck.sim.results.figures import Row, ends, ends_of, rounded, value_of
from deckcheck.sim.results.played import ResultHeader
from deckcheck.sim.results.tidy import tidy
from deckcheck.sim.study import StudySpec
from deckcheck.stats import Combination, Estimate, mean_of
from deckcheck.stats.equilibrium import UNSETTLED
from deckcheck.stats.multiple import LEVEL, level_of
from deckcheck.studies.lineups.choice import HALF
from deckcheck.studies.lineups.document import (
    LineupDocument,
    LineupsDocument,
    MatchRate,
    MeetingDocument,
    NamedMatchRate,
    OpeningDocument,
)
from deckcheck.studies.lineups.state import LineupsState

if TYPE_CHECKING:
    from deckcheck.studies.lineups.spec import LineupsQuestion

MIX = "(mix)"
"""In the place of a lineup: all of the mix, as often as it says."""

Rates = Mapping[tuple[int, int], Combination]


@dataclass(frozen=True, slots=True)
class LineupRate:
    """A lineup by the names of its decks, with its match win rates.

    `promised` is that of the games by which it was chosen, `fresh` that of fresh
    matches, `confirmed` the same with another player. `share` is how often to bring it,
    None for one that is in no mix.
    """

    decks: tuple[str, ...]
    share: Estimate | None
    promised: float
    fresh: Estimate | None
    confirmed: Estimate | None

    @property
    def name(self) -> str:
        """Its decks in a row."""
        return ", ".join(self.decks)


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """How to choose for game 1 against an opponent, by the names of decks."""

    opponent: str
    first: str
    replies: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class DeckMeeting:
    """A deck of the best lineup, one of an opponent, and how often they met.

    `share` is the part of the games of the best lineup.
    """

    deck: str
    opponent: str
    games: int
    share: float


@dataclass(frozen=True, slots=True, repr=False)
class LineupsResult(ResultHeader):
    """The lineup to bring; `games` are the matches of each two lineups.

    `lineups` has those of the mix, the most frequent first, or where there is a
    `field`, by the names of its lineups, the best one; then the others that did best in
    the first games. `pool` is the number of decks, `legal` that of their lineups, and
    `lonely` are decks that are in none, each with the reason. `opponents`, `openings`
    and `meetings` are about the best lineup and the field. `text` is the first of
    `lineups` as a file.
    """

    lineups: tuple[LineupRate, ...] = ()
    field: tuple[str, ...] = ()
    opponents: tuple[tuple[str, Estimate], ...] = ()
    openings: tuple[OpeningChoice, ...] = ()
    meetings: tuple[DeckMeeting, ...] = ()
    pool: int = 0
    legal: int = 0
    lonely: tuple[tuple[str, str], ...] = ()
    pair_games: int = 0
    confirm: str | None = None
    text: str = ""

    @property
    def mix(self) -> tuple[LineupRate, ...]:
        """The lineups of the mix."""
        return tuple(lineup for lineup in self.lineups if lineup.share is not None)

    @property
    def answer(self) -> str:
        """What to bring and how sure that is, in sentences."""
        if not self.field:
            return f"{self._bring()}. {self._best_response()}"
        best = self.lineups[0]
        bring = f"Bring {choice(best.decks, 'and')}"
        if best.fresh is None:
            return f"{bring}. What they win was not measured in fresh matches"
        if len(self.field) == 1:
            against = f"of matches against {quote(self.field[0])}"
        else:
            against = "of matches against this field"
        return f"{bring}: they win {self._rates(best, against)}"

    def _bring(self) -> str:
        """The mix in words."""
        names = [choice(lineup.decks, "and") for lineup in self.mix]
        shares = [lineup.share for lineup in self.mix if lineup.share]
        if len(names) == 1:
            advice = f"Always bring {names[0]}"
        else:
            pairs = zip(names, shares, strict=True)
            parts = [f"{name} in {100 * share.value:.0f} %" for name, share in pairs]
            advice = f"Bring {'; '.join(parts)} of your matches"
        widest = max(share.interval.high - share.interval.low for share in shares)
        if widest > UNSETTLED:
            return f"{advice}. This is not settled: the shares have wide intervals"
        return advice

    def _best_response(self) -> str:
        """What the best of the other lineups wins against the mix."""
        others = [x for x in self.lineups if x.share is None and x.fresh is not None]
        if not others:
            return "What others win against that was not measured in fresh matches"
        best = max(others, key=lambda lineup: lineup.fresh.value if lineup.fresh else 0)
        number = plural(self.legal - len(self.mix), "other lineup")
        wins = self._rates(best, "of matches against this,")
        return f"Of {number} {choice(best.decks, 'and')} do best: they win {wins}"

    def _rates(self, lineup: LineupRate, of: str) -> str:
        """The match win rate of a lineup by all who played it."""
        assert lineup.fresh is not None
        usual = self.decks[0].policy
        rate = f"{percent(lineup.fresh.value)} ({ranged(lineup.fresh.interval)})"
        text = f"{rate} {of} played by {policy_in_words(usual)}"
        if lineup.confirmed is None or self.confirm is None:
            return text
        again = lineup.confirmed
        rate = f"{percent(again.value)} ({ranged(again.interval)})"
        return f"{text}, {rate} played by {policy_in_words(self.confirm, usual)}"

    def to_dict(self) -> LineupsDocument:
        """The result as `deckcheck schema solve-lineups` describes it."""
        return {
            "schema_version": 1,
            **head_data(self),
            "answer": self.answer,
            "decks_to_choose_from": self.pool,
            "lineups_compared": self.legal,
            "in_no_lineup": [{"name": n, "reason": why} for n, why in self.lonely],
            "pair_games": self.pair_games,
            "confirm": self.confirm,
            "lineups": [_lineup(lineup) for lineup in self.lineups],
            "field": list(self.field),
            "opponents": [_named(name, rate) for name, rate in self.opponents],
            "openings": [_opening(opening) for opening in self.openings],
            "meetings": [_meeting(meeting) for meeting in self.meetings],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows: the lineups against the field or the mix, and against each."""
        rows: list[Row] = []
        for lineup in self.lineups:
            if lineup.share is not None:
                rows += tidy("share", lineup.share, lineup.share.games, lineup.name)
            against = () if self.field else (MIX,)
            rates = {
                "match_win_rate_promised": (lineup.promised, self.pair_games),
                "match_win_rate": (lineup.fresh, _matches(lineup.fresh)),
                "match_win_rate_confirmed": (
                    lineup.confirmed,
                    _matches(lineup.confirmed),
                ),
            }
            for metric, (rate, n) in rates.items():
                rows += tidy(metric, rate, n, lineup.name, *against)
        for name, rate in self.opponents:
            own = self.lineups[0].name
            rows += tidy("match_win_rate", rate, rate.games, own, name)
        return rows


def _matches(rate: Estimate | None) -> int:
    return rate.games if rate else 0


def _rate(rate: Estimate) -> MatchRate:
    return {
        "win_rate": rounded(rate.value),
        "interval": ends(rate.interval),
        "matches": rate.games,
    }


def _named(name: str, rate: Estimate) -> NamedMatchRate:
    return {"name": name, **_rate(rate)}


def _lineup(lineup: LineupRate) -> LineupDocument:
    fresh, confirmed = lineup.fresh, lineup.confirmed
    return {
        "decks": list(lineup.decks),
        "share": value_of(lineup.share),
        "share_interval": ends_of(lineup.share),
        "promised": rounded(lineup.promised),
        "fresh": None if fresh is None else _rate(fresh),
        "confirmed": None if confirmed is None else _rate(confirmed),
    }


def _opening(opening: OpeningChoice) -> OpeningDocument:
    return {
        "opponent": opening.opponent,
        "first": opening.first,
        "replies": [{"to": to, "deck": deck} for to, deck in opening.replies],
    }


def _meeting(meeting: DeckMeeting) -> MeetingDocument:
    return {
        "deck": meeting.deck,
        "opponent": meeting.opponent,
        "games": meeting.games,
        "share": rounded(meeting.share),
    }


def result_of(
    spec: StudySpec[LineupsQuestion], state: LineupsState, head: Mapping[str, Any]
) -> LineupsResult:
    """The result of what is known; `head` says how it came about."""
    pool, best = state.pool, state.named[0]
    decks = _lineup_file([pool.decks[i].deck for i in best], spec.format)
    sheets = [sheet_of(deck, spec.database) for deck in decks]
    opponents = [(0, column) for column in range(len(pool.names))]
    level = level_of(len(opponents))
    names = [entrant.name for entrant in pool.decks]
    return LineupsResult(
        **head,
        games=state.matches,
        games_played=state.games_played,
        lineups=lineup_rates(state),
        field=tuple(pool.names),
        opponents=tuple(
            (pool.names[column], state.rates[row, column].estimate(level))
            for row, column in opponents
            if (row, column) in state.rates
        ),
        openings=tuple(
            OpeningChoice(
                name,
                names[opening.first],
                tuple((names[theirs], names[own]) for theirs, own in opening.replies),
            )
            for name, opening in zip(pool.names, state.openings, strict=True)
        ),
        meetings=_meetings(state, names) if pool.names else (),
        pool=len({deck for lineup in pool.own for deck in lineup} | {*pool.lonely}),
        lonely=tuple((names[i], why) for i, why in pool.lonely.items()),
        legal=len(pool.own),
        pair_games=state.pair_games,
        confirm=spec.question.confirm,
        text=write_decks("text", sheets, spec.database).text,
    )


def _meetings(state: LineupsState, names: Sequence[str]) -> tuple[DeckMeeting, ...]:
    """Which decks met, the most frequent first."""
    games = sum(state.deck_games.values())
    ordered = sorted(state.deck_games.items(), key=lambda met: -met[1])
    return tuple(
        DeckMeeting(names[own], names[other], number, number / games)
        for (own, other), number in ordered
        if number
    )


def _lineup_file(decks: Sequence[Deck], fmt: Format) -> list[Deck]:
    """The decks of a lineup as one file has them: the first one names the format."""
    named = []
    for place, deck in enumerate(decks):
        headers = {key: deck.headers[key] for key in deck.headers if key != "format"}
        if place == 0:
            headers["format"] = (Header(fmt.id, deck.span),)
        named.append(replace(deck, headers=headers))
    return named


def lineup_rates(state: LineupsState) -> tuple[LineupRate, ...]:
    """The lineups that were measured, in their order."""
    shares = state.choice.shares
    names = [entrant.name for entrant in state.pool.decks]
    games = state.pair_games
    lineups = []
    for row, (place, promised) in enumerate(state.choice.promised.items()):
        share = None
        if place in shares:
            share = Estimate(shares[place], state.share_intervals[place], games)
        level = _level(state, row)
        fresh, confirmed = (
            estimate_of(rates, row, list(shares.values()), len(state.opponents), level)
            for rates in (state.rates, state.confirmed)
        )
        decks = tuple(names[i] for i in state.pool.own[place])
        lineups.append(LineupRate(decks, share, promised, fresh, confirmed))
    return tuple(lineups)


def _level(state: LineupsState, row: int) -> float:
    """The level of an interval: that of the chosen lineup stands alone.

    The first games chose it, and no fresh one. Others hold together, as do all those
    against a mix, of which the best is named.
    """
    if state.choice.shares:
        return level_of(len(state.named))
    return LEVEL if row == 0 else level_of(len(state.named) - 1)


def estimate_of(
    rates: Rates, row: int, shares: Sequence[float], opponents: int, level: float
) -> Estimate | None:
    """The match win rate of a lineup against all opponents; None if one is missing.

    With `shares` these are a mix, whose lineups come first among all; a lineup wins
    half of the matches against itself.
    """
    parts = []
    for column in range(opponents):
        if shares and column == row:
            parts.append(Combination(constant=HALF))
        elif (row, column) in rates:
            parts.append(rates[row, column])
        elif shares and (column, row) in rates:
            parts.append(rates[column, row].opposite())
        else:
            return None
    mean = mean_of(parts, shares or None)
    return mean.estimate(level) if mean.weights else None
