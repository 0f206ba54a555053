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
"""The ids of cards that are redrawn, in their order; () for the player's own choice."""


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
    pairs = zip(tables, tallies, strict=True)
    moments = np.sum([table.moments(tally) for table, tally in pairs], axis=0)
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
    redrawn = m[Moment.R] / (WON_HALF_POINTS * games)
    # A set weighs k or r, less the mean times its games.
    of_kept = _compute_variance(m, 1, 0, kept_rate)
    of_redrawn = _compute_variance(m, 0, 1, redrawn)
    of_gain = _compute_variance(m, -1, 1, redrawn - kept_rate)
    level = joint_level(together)
    ends = bounded_interval(redrawn - kept_rate, of_gain, sets, sets - 1, level=level)
    return kind(
        ids,
        names,
        games,
        m[Moment.BY_PLAYER],
        _rate(kept_rate, of_kept, sets, games),
        _rate(redrawn, of_redrawn, sets, games),
        MeasuredEffect(redrawn - kept_rate, ends),
    )


def _compute_variance(m: dict[Moment, int], k: int, r: int, mean: float) -> float:
    """Return the variance of a set in a mean: `k` times K plus `r` times R."""
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


def _rate(value: float, variance: float, sets: int, games: int) -> Estimate:
    ends = bounded_mean_interval(value, variance, sets, within=(0.0, 1.0))
    return Estimate(value, ends, games)


# The result of `impact --redraws`: the cards of the dealt hand to redraw


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

    `games` are the hands dealt. Each of `redraws` is a card. For a certain `hand` it
    has all cards that are redrawn of it. The intervals of their gains are simultaneous.
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

        Of a certain hand that is the best one: all cards that should be redrawn of it.
        """
        better = [
            r for r in self._measured_again if self._judge_redraw(r) is Verdict.BETTER
        ]
        return tuple(better[: 1 if self.hand else None])

    def _judge_redraw(self, redraw: Redraw) -> Verdict:
        """Return the verdict of the first bot on a redraw, in fresh games.

        It is not clear where another bot disagrees that is not weaker.
        """
        gains = self._gains(redraw)
        asked = [gain for by, gain in gains if not is_weaker(by, gains[0][0])]
        return merge_verdicts(*(find_verdict(gain.interval) for gain in asked))

    def _gains(self, redraw: Redraw) -> list[PlayedFigure]:
        """Return the gain of a redraw in fresh games, by each bot.

        Where a hand is better kept than with any redraw, those games show it that chose
        the best one.
        """
        if self.hand and all(r.gain.interval.high < 0 for r in self.redraws):
            return [(self.players[0], redraw.gain)]
        gains = [(part.policy, part.gain(redraw.ids)) for part in self.fresh]
        return [(policy, gain) for policy, gain in gains if gain is not None]

    @property
    def to_keep(self) -> tuple[Redraw, ...]:
        """What is better kept, the most valuable first."""
        losing = [r for r in self.redraws[::-1] if r.gain.interval.high < 0]
        return tuple(redraw for redraw in losing if redraw not in self.to_redraw)

    @property
    def _measured_again(self) -> tuple[Redraw, ...]:
        retested = [r.ids for part in self.fresh[:1] for r in part.redraws]
        return tuple(r for ids in retested for r in self.redraws if r.ids == ids)

    @property
    def _said(self) -> tuple[Redraw, ...]:
        """The redraws that are advised, or else the best of them."""
        return self.to_redraw or self._measured_again[:1]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The redraws that are named, by each player in fresh games; what to keep."""
        claimed = [(r, by, gain) for r in self._said for by, gain in self._gains(r)]
        keeps = [] if self.hand else self.to_keep[:1]
        claimed += [(redraw, self.players[0], redraw.gain) for redraw in keeps]
        return tuple(Claim.of(r.name, "", gain, by=by) for r, by, gain in claimed)

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
        elif not self._said:
            yield "No dealt hand had these cards, so no redraw was tested."
        pilots = {deck.policy for deck in self.decks}
        for redraw in self._said:
            yield from self._describe_redraw(redraw)
            if len(pilots) == 1:
                yield describe_pilot(pilots.pop())
            name = redraw.name
            claims = [Claim.of(name, "", g, by=by) for by, g in self._gains(redraw)]
            yield from cross_check_sentences(claims)
        if self.to_keep and not self.hand:
            yield self._describe_keeping()

    def _describe_redraw(self, redraw: Redraw) -> Iterator[str]:
        """Yield whether to redraw a card, or these cards of a hand and no others."""
        gain, verdict = self._gains(redraw)[0][1], self._judge_redraw(redraw)
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
        return [row for redraw in self.redraws for row in self._list_rows(redraw)]

    def _list_rows(self, redraw: Redraw) -> Iterator[Row]:
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
            for retested in (r for r in part.redraws if r.ids == redraw.ids):
                yield from tidy(
                    metric, retested.gain, retested.games, self.deck, card=card
                )


# Tables of the cards of the dealt hand to redraw


def redraws_report(result: RedrawsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = (
        f"{count(result.games_played)}, with {count(result.games)} hands dealt in "
        "game pairs in the first trial"
    )
    hand = [("hand", ", ".join(result.hand))] if result.hand else []
    facts = [*list_shares_fact(result.shares), *hand]
    title = f"{result.deck}: which cards to redraw"
    tables = [_tabulate_fresh_gains(result), _gains(result)]
    return study_report(result, games, tables, facts, title=title)


def _gains(result: RedrawsResult) -> ReportTable:
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
    rows = tuple(
        (name, redraw.gain, redraw.kept, redraw.redrawn, redraw.share, redraw.games)
        for name, redraw in redraws
    )
    return ReportTable(title, columns, rows, note=note, even=0.0)


def _tabulate_fresh_gains(result: RedrawsResult) -> ReportTable:
    """Return the gain of the best redraws in games that did not choose them."""
    players = [f"by {policy_label(part.policy)}" for part in result.fresh]
    retested = [r for part in result.fresh[:1] for r in part.redraws]
    rows: list[tuple[Cell, ...]] = []
    for r in retested:
        rows.append((join_names(r.names), *(part.gain(r.ids) for part in result.fresh)))
    columns = (
        Column("cards" if result.hand else "card"),
        *(Column(player, POINTS, "95% interval") for player in players),
    )
    title = f"{result.deck}: points gained by the best redraws, in fresh games"
    note = (
        "the best redraws of the first trial, in its order and in games that did not "
        "choose them: the first that clearly gains is the advice; each bot has "
        "simultaneous 95% intervals"
    )
    return ReportTable(title, columns, tuple(rows), note=note, even=0.0)


REDRAWS = Presentation[RedrawsResult](redraws_report)
