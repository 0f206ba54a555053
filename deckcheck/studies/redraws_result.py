"""The result of `impact --redraws`: win rates with cards kept and redrawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Share
from deckcheck.messages import choice, quote
from deckcheck.playing.kernel import Ints
from deckcheck.playing.redraws import Redraws
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.policies.registry import is_weaker, policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    GAIN_COLUMN,
    IN_PERCENT,
    POINTS,
    Cell,
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
    size_with_level,
    study_report,
)
from deckcheck.sim.figures import Claim, Row, join_answer, tidy
from deckcheck.sim.records import HIDDEN_FIELD, Rate, Record, Shares, StudyResult
from deckcheck.stats import Estimate, Interval, Verdict, find_verdict, merge_verdicts
from deckcheck.stats.intervals import (
    bounded_interval,
    bounded_mean_interval,
    joint_level,
)
from deckcheck.studies.swaps import Effect, EffectBeside, MeasuredEffect

# Win rates with cards of the dealt hand kept and redrawn, in the same games

WON_HALF_POINTS = 2
"""The half-points of a won game."""

Choice: TypeAlias = tuple[str, ...]
"""The ids of cards that are redrawn, in their order. () is the bot's own choice."""


@dataclass(frozen=True, slots=True)
class Redraw(Record):
    """A card of the dealt hand, or several of a certain one, kept and redrawn."""

    KEYS: ClassVar = tuple("ids names share kept redrawn gain".split())
    ids: Choice
    """The ids of the cards, in the order of their redraws."""
    names: tuple[str, ...]
    """The names of the cards."""
    games: int
    """The number of games that dealt them."""
    by_player: int
    """The number of games in which the bot redraws them unasked."""
    kept: Rate
    """The win rate with the card kept, or with the whole hand kept if one was named."""
    redrawn: Rate
    """The win rate with the card redrawn first, or these of the hand and no others."""
    gain: Effect
    """The second less the first; these intervals are simultaneous."""

    @property
    def share(self) -> Share:
        """How often the bot redraws them unasked, of a certain hand no others."""
        return self.by_player / max(1, self.games)

    @property
    def name(self) -> str:
        """The names of the cards in the order of their redraws: `Roach + Thaler`."""
        return join_names(self.names)


def join_names(names: Sequence[str]) -> str:
    """Return cards in the order of their redraws: `Roach + Thaler`."""
    return " + ".join(names)


@dataclass(frozen=True, slots=True)
class OwnRedraws(Redraw):
    """The redraws of the bot's own choice."""

    KEYS = ("share", "win_rate", "gain")
    gain: Effect
    """The gain from them compared with keeping the whole hand; 0 for any hand."""

    @property
    def share(self) -> Share:
        """How often the bot redraws at all, 0 to 1."""
        return self.by_player / max(1, self.games)

    @property
    def win_rate(self) -> Rate:
        """The win rate with these redraws."""
        return self.redrawn


def measure_redraws(
    choices: Sequence[Choice],
    tables: Sequence[Redraws],
    tallies: Sequence[Ints],
    database: CardDatabase,
) -> tuple[tuple[Redraw, ...], OwnRedraws]:
    """Return the result of each choice that was dealt, and of the bot's own choice.

    The intervals of the gains are simultaneous (Bonferroni).
    """
    moments_by_opponent = []
    for table, tally in zip(tables, tallies, strict=True):
        moments_by_opponent.append(table.moments(tally))
    moments = np.sum(moments_by_opponent, axis=0)
    redraws = []
    for ids, row in zip(choices, moments[:-1], strict=True):
        if row[Moment.N]:
            names = tuple(database.cards[card].name for card in ids)
            redraw = measure_redraw(Redraw, ids, names, row.tolist(), len(choices))
            redraws.append(redraw)
    own = measure_redraw(OwnRedraws, (), (), moments[-1].tolist(), len(choices))
    return tuple(redraws), own


AnyRedraw = TypeVar("AnyRedraw", bound=Redraw)


def measure_redraw(
    kind: type[AnyRedraw],
    ids: Choice,
    names: tuple[str, ...],
    moments: Sequence[int],
    together: int,
) -> AnyRedraw:
    """Return the result of a redraw by its moments, with linearised variances.

    The intervals of `together` gains are simultaneous.
    """
    m = dict(zip(Moment, moments, strict=True))
    games, sets = m[Moment.N], m[Moment.SETS]
    kept_rate = m[Moment.K] / (WON_HALF_POINTS * games)
    redrawn_rate = m[Moment.R] / (WON_HALF_POINTS * games)
    gain = redrawn_rate - kept_rate
    kept_variance = _compute_variance(m, 1, 0, kept_rate)
    redrawn_variance = _compute_variance(m, 0, 1, redrawn_rate)
    gain_variance = _compute_variance(m, -1, 1, gain)
    level = joint_level(together)
    interval = bounded_interval(gain, gain_variance, sets, sets - 1, level=level)
    return kind(
        ids,
        names,
        games,
        m[Moment.BY_PLAYER],
        _estimate_rate(kept_rate, kept_variance, sets, games),
        _estimate_rate(redrawn_rate, redrawn_variance, sets, games),
        MeasuredEffect(gain, interval),
    )


def _compute_variance(m: dict[Moment, int], k: int, r: int, mean: float) -> float:
    """Return the variance of a set in a mean: `k` times K plus `r` times R.

    A set with N games counts `k K + r R - 2 mean N` half-points. The squares of that
    are summed by the moments, and divided by the squared half-points of a won set.
    """
    n = -WON_HALF_POINTS * mean
    total = (
        k * k * m[Moment.KK]
        + r * r * m[Moment.RR]
        + n * n * m[Moment.NN]
        + 2 * (k * r * m[Moment.KR] + k * n * m[Moment.NK] + r * n * m[Moment.NR])
    )
    sets, games = m[Moment.SETS], m[Moment.N]
    per_set = WON_HALF_POINTS * games / sets
    return max(0.0, total) / per_set**2 / max(1, sets - 1)


def _estimate_rate(value: float, variance: float, sets: int, games: int) -> Estimate:
    """Return a win rate with its interval, by the variance of a set."""
    interval = bounded_mean_interval(value, variance, sets, within=(0.0, 1.0))
    return Estimate(value, interval, games)


# The result

NO_RATE = Estimate(0.0, Interval(0.0, 1.0), 0)
NO_GAIN = MeasuredEffect(0.0, Interval(-1.0, 1.0))
NO_REDRAWS = OwnRedraws((), (), 0, 0, NO_RATE, NO_RATE, NO_GAIN)


@dataclass(frozen=True, slots=True)
class FreshRedraw(Record):
    """The gain from a redraw, in fresh games."""

    ids: Choice
    """The ids of the cards, in the order of their redraws."""
    names: tuple[str, ...]
    """The names of the cards."""
    games: Count
    """The number of games in which they were dealt."""
    gain: EffectBeside


@dataclass(frozen=True, slots=True)
class FreshRedraws(Record):
    """The best redraws, played again in fresh games."""

    policy: str
    """The policy that played."""
    redraws: tuple[FreshRedraw, ...]
    """The redraws, the best of the first trial first, with simultaneous intervals."""

    def gain(self, ids: Choice) -> MeasuredEffect | None:
        """Return the gain of a redraw, or None if no hand had the cards."""
        return next((r.gain for r in self.redraws if r.ids == ids), None)


@dataclass(frozen=True, slots=True, repr=False)
class RedrawsResult(StudyResult):
    """The output of `deckcheck impact --redraws --output-format json`.

    `games` counts the hands dealt. Each of `redraws` is a card, or if a hand is named
    all cards that are redrawn together. The intervals of their gains are simultaneous.
    """

    KEYS = ("deck", "hand", "shares", "own", "redraws", "fresh")
    schema_version: ClassVar[Literal[1]] = 1
    """The version of this document."""
    deck: str = ""
    """The name of the deck."""
    hand: tuple[str, ...] = ()
    """The names of the cards of the hand that was dealt; empty for any hand."""
    redraws: tuple[Redraw, ...] = ()
    """The redraws by what they gain, the largest gain first."""
    own: OwnRedraws = NO_REDRAWS
    """The redraws of the bot's own choice."""
    fresh: tuple[FreshRedraws, ...] = ()
    """The best of them in fresh games: by the same bot, then by another bot."""
    shares: Shares = ()
    """The share of each opponent in the field, by name; empty if all come alike."""
    budget: Annotated[int, HIDDEN_FIELD] = 0
    """The number of games to play."""

    @property
    def to_redraw(self) -> tuple[Redraw, ...]:
        """The redraws that gain, in games that did not choose them.

        If a hand is named it is only the best redraw, of all cards together.
        """
        better = []
        for redraw in self._retested:
            if self._judge_redraw(redraw) is Verdict.BETTER:
                better.append(redraw)
        if self.hand:
            better = better[:1]
        return tuple(better)

    def _judge_redraw(self, redraw: Redraw) -> Verdict:
        """Return the verdict of the first bot on a redraw, in fresh games.

        It is not clear if a second bot disagrees, unless that bot is weaker.
        """
        gains = self._list_gains(redraw)
        first_policy, _ = gains[0]
        verdicts = []
        for policy, gain in gains:
            if not is_weaker(policy, first_policy):
                verdicts.append(find_verdict(gain.interval))
        return merge_verdicts(*verdicts)

    def _list_gains(self, redraw: Redraw) -> list[PlayedFigure]:
        """Return the gain of a redraw in fresh games, by each bot.

        If a hand is better kept than with any redraw, the games that chose the best
        redraw show it already.
        """
        if self.hand and all(r.gain.interval.high < 0 for r in self.redraws):
            return [(self.players[0], redraw.gain)]
        gains: list[PlayedFigure] = []
        for part in self.fresh:
            gain = part.gain(redraw.ids)
            if gain is not None:
                gains.append((part.policy, gain))
        return gains

    @property
    def to_keep(self) -> tuple[Redraw, ...]:
        """The cards that are better kept, the most valuable first."""
        losing = [r for r in self.redraws[::-1] if r.gain.interval.high < 0]
        return tuple(redraw for redraw in losing if redraw not in self.to_redraw)

    @property
    def _retested(self) -> tuple[Redraw, ...]:
        """The redraws that were played again, in their order, by the first trial."""
        if not self.fresh:
            return ()
        redraws = {redraw.ids: redraw for redraw in self.redraws}
        ids = [retested.ids for retested in self.fresh[0].redraws]
        return tuple(redraws[id] for id in ids if id in redraws)

    @property
    def _advised(self) -> tuple[Redraw, ...]:
        """The redraws that the answer names: all that gain, or else the best."""
        return self.to_redraw or self._retested[:1]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The gains of the redraws that the answer names, and the loss of the worst."""
        claims = []
        for redraw in self._advised:
            claims += self._list_claims(redraw)
        if not self.hand:
            for redraw in self.to_keep[:1]:
                bot = self.players[0]
                claims.append(Claim.of(redraw.name, "", redraw.gain, by=bot))
        return tuple(claims)

    def _list_claims(self, redraw: Redraw) -> list[Claim]:
        """Return the gain of a redraw by each bot as claims."""
        gains = self._list_gains(redraw)
        return [Claim.of(redraw.name, "", gain, by=bot) for bot, gain in gains]

    @property
    def answer(self) -> str:
        """The cards to redraw and to keep, in a few sentences."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield each redraw that gains, or the best redraw, then the cards to keep."""
        if not self.fresh:
            yield (
                "It is too early to recommend a redraw: no fresh games have tested the "
                "redraws."
            )
        elif not self._advised:
            yield "No dealt hand had these cards, so no redraw was tested."
        pilots = {deck.policy for deck in self.decks}
        for redraw in self._advised:
            yield from self._describe_redraw(redraw)
            if len(pilots) == 1:
                yield describe_pilot(pilots.pop())
            yield from cross_check_sentences(self._list_claims(redraw))
        if self.to_keep and not self.hand:
            yield self._describe_keeping()

    def _describe_redraw(self, redraw: Redraw) -> Iterator[str]:
        """Yield whether to redraw a card, or these cards of a hand and no others."""
        _, gain = self._list_gains(redraw)[0]
        verdict = self._judge_redraw(redraw)
        cards = choice(redraw.names, "and")
        difference = difference_with_level(gain)
        more = size_with_level(gain)
        if self.hand and len(redraw.ids) == 1:
            cards += " and no other card"
        if verdict is Verdict.BETTER and self.hand:
            yield (
                f"Redraw {cards}: the deck then wins {more} more than with the whole "
                "hand kept."
            )
        elif verdict is Verdict.BETTER:
            yield f"Redraw {cards}: the deck then wins {more} more."
        elif verdict is Verdict.WORSE and self.hand:
            yield (
                f"Keep this hand: even the best redraw, {cards}, makes it worse: "
                f"{difference}."
            )
        elif verdict is Verdict.WORSE:
            yield (
                f"Redraw nothing: even the best redraw, {cards}, makes it worse: "
                f"{difference}."
            )
        elif find_verdict(gain.interval).is_sure:
            yield f"Whether to redraw {cards} depends on the bot: {difference}."
        else:
            yield f"No clear gain from redrawing {cards}: {difference}."
            if redraw.gain.interval.low > 0:
                first = difference_with_level(redraw.gain)
                yield f"The gain was clear only in the games that chose it: {first}."
            else:
                yield advise_games(gain, self.budget)

    def _describe_keeping(self) -> str:
        """Return the cards that a redraw makes worse."""
        most, *others = self.to_keep
        name, difference = quote(most.name), difference_with_level(most.gain)
        if others:
            number = len(others) + 1
            return (
                f"Keep {number} cards, above all {name}: {difference} if it is redrawn."
            )
        return f"Keep {name}: {difference} if it is redrawn."

    def to_rows(self) -> list[Row]:
        """Tidy rows of each redraw, the best first; its cards as `Roach + Thaler`."""
        rows: list[Row] = []
        for redraw in self.redraws:
            rows += self._list_rows(redraw)
        return rows

    def _list_rows(self, redraw: Redraw) -> Iterator[Row]:
        """Yield the rows of a redraw: in the first trial, then in fresh games."""
        card = redraw.name
        for metric, figure in (
            ("redrawn", redraw.share),
            ("win_rate_kept", redraw.kept),
            ("win_rate_redrawn", redraw.redrawn),
            ("gain_redrawn", redraw.gain),
        ):
            yield from tidy(metric, figure, redraw.games, self.deck, card=card)
        metrics = ("gain_redrawn_fresh", "gain_redrawn_cross_checked")
        for metric, part in zip(metrics, self.fresh, strict=False):
            for fresh in part.redraws:
                if fresh.ids == redraw.ids:
                    games = fresh.games
                    yield from tidy(metric, fresh.gain, games, self.deck, card=card)


# Tables


def make_redraws_report(result: RedrawsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)}, with {count(result.games)} hands dealt in "
        "game pairs in the first trial"
    )
    facts = list(list_shares_fact(result.shares))
    if result.hand:
        facts.append(("hand", ", ".join(result.hand)))
    title = f"{result.deck}: which cards to redraw"
    tables = [_tabulate_fresh_gains(result), _tabulate_gains(result)]
    return study_report(result, games, tables, facts, title=title)


def _tabulate_gains(result: RedrawsResult) -> ReportTable:
    """Return the gain of each redraw in the first trial."""
    columns = (
        Column("cards" if result.hand else "card"),
        GAIN_COLUMN,
        *numbers(IN_PERCENT, "kept", "redrawn", "bot's choice"),
        Column("games", COUNT),
    )
    redraws = [(redraw.name, redraw) for redraw in result.redraws]
    if result.hand:
        redraws.append(("as the bot likes", result.own))
        title = "First trial: this hand, with these cards redrawn and no others"
        against = "the whole hand is kept"
        others = "Cards are redrawn in the order of their names"
    else:
        title = "First trial: each card of the dealt hand, kept or redrawn"
        against = "the card is kept and others may be redrawn"
        others = "Further redraws are the bot's own choice"
    note = (
        f"points: how much more often the deck wins than if {against}, in the same "
        f"games; simultaneous 95% intervals. {others}. kept, redrawn: win rates in %; "
        "bot's choice: how often in % the bot makes it unasked; games: those "
        "that dealt it"
    )
    rows = []
    for name, redraw in redraws:
        rates = (redraw.kept, redraw.redrawn, redraw.share)
        rows.append((name, redraw.gain, *rates, redraw.games))
    return ReportTable(title, columns, tuple(rows), note=note, even=0.0)


def _tabulate_fresh_gains(result: RedrawsResult) -> ReportTable:
    """Return the gain of the best redraws in games that did not choose them."""
    columns = [Column("cards" if result.hand else "card")]
    for part in result.fresh:
        columns.append(
            Column(f"by {policy_label(part.policy)}", POINTS, "95% interval")
        )
    rows = []
    if result.fresh:
        for fresh in result.fresh[0].redraws:
            row: list[Cell] = [join_names(fresh.names)]
            row += [part.gain(fresh.ids) for part in result.fresh]
            rows.append(tuple(row))
    title = f"{result.deck}: points gained by the best redraws, in fresh games"
    note = (
        "the best redraws of the first trial, in its order and in games that did not "
        "choose them: the first that clearly gains is the advice; each bot has "
        "simultaneous 95% intervals"
    )
    return ReportTable(title, tuple(columns), tuple(rows), note=note, even=0.0)


REDRAWS = Presentation[RedrawsResult](make_redraws_report)
