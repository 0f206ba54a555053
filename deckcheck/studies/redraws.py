"""Which cards of the dealt hand to redraw: spec, play, result, report."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import ceil
from os import PathLike, fspath
from pathlib import Path
from typing import Annotated, ClassVar, Literal, TypeAlias, TypeVar

import numpy as np

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.lines import LineDefect, parse_card_line
from deckcheck.documents.records import Count, Share
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote, suggestion
from deckcheck.playing.kernel import Head, Ints
from deckcheck.playing.redraws import Redraws, games_played
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.playing.table import seat
from deckcheck.playing.versions import ROTATION, find_card_numbers, seat_version
from deckcheck.policies.registry import Policy, is_weaker, policy_label, read_policy
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
    numbers,
    shares_fact,
    size_with_level,
    study_report,
)
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import Claim, Row, join_answer, tidy
from deckcheck.sim.jobs import Job
from deckcheck.sim.records import HIDDEN_FIELD, Rate, Record, Shares, StudyResult
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.standings import combine_checksums
from deckcheck.sim.study import Interrupted
from deckcheck.specs import RedrawsSpec
from deckcheck.stats import Estimate, Interval, Verdict, find_verdict, merge_verdicts
from deckcheck.stats.intervals import (
    bounded_interval,
    bounded_mean_interval,
    joint_level,
)
from deckcheck.studies.deck_stats import hand_size
from deckcheck.studies.duels import (
    DuelStudy,
    deck_and_field,
    games_again,
    shares_in,
)
from deckcheck.studies.swaps import Effect, EffectBeside, MeasuredEffect
from deckcheck.validation import DeckReport

# A hand as it is typed: the names of its cards, or a file that has them


def read_hand(
    hand: str | PathLike[str] | Sequence[str],
    deck: Deck,
    database: CardDatabase,
    size: int,
) -> tuple[str, ...]:
    """Return the ids of the cards of a hand, in the order of the deck.

    Names are separated by commas or lines, and in quotes where they have a comma; a
    count may stand with each. A file has the same. Raises UsageError for a hand that
    the deck cannot be dealt: it takes `size` cards.
    """
    names = _read_names(fspath(hand)) if isinstance(hand, str | PathLike) else hand
    counts: Counter[str] = Counter()
    for name in names:
        line = parse_card_line(name)
        if isinstance(line, LineDefect):
            raise UsageError(f"{option('hand')}: {line.message}", line.help)
        counts[_find_named_card(line.name, deck, database)] += line.count
    for card, copies in counts.items():
        if copies > deck.counts()[card]:
            raise UsageError(
                f"{option('hand')}: {plural(copies, 'copy')} of "
                f"{quote(database.cards[card].name)}, the deck has "
                f"{deck.counts()[card]}",
                "Name cards of the deck",
            )
    if counts.total() != size:
        raise UsageError(
            f"{option('hand')} has {plural(counts.total(), 'card')}, "
            f"{quote(deck.name)} is dealt {size}",
            "Name the whole hand, before redraws",
        )
    return tuple(card for card in deck.counts() for _ in range(counts[card]))


def _read_names(text: str) -> list[str]:
    path = Path(text)
    if "," not in text and path.suffix and not path.suffix[1:2].isspace():
        if not path.is_file():
            raise UsageError(
                f"{option('hand')}: no such file {quote(text)}",
                "Name the cards of the hand, with commas, or a file with one on a line",
            )
        text = path.read_text("utf-8-sig", errors="replace")
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    rows = csv.reader(lines, skipinitialspace=True)
    return [name.strip() for row in rows for name in row if name.strip()]


def _find_named_card(name: str, deck: Deck, database: CardDatabase) -> str:
    lookup = database.find_card(name)
    counts = deck.counts()
    ids = [id for id in (lookup.id, *lookup.candidates) if id in counts]
    if len(ids) == 1:
        return str(ids[0])
    if ids:
        names = [database.cards[id].name for id in ids if id]
        raise UsageError(
            f"{option('hand')}: {quote(name)} may be {choice(names)}",
            "Write the whole name",
        )
    if lookup.id is not None:
        raise UsageError(
            f"{option('hand')}: {quote(deck.name)} does not have "
            f"{quote(database.cards[lookup.id].name)}",
            "Name cards of the deck",
        )
    raise UsageError(
        f"{option('hand')}: no card is called {quote(name)}",
        suggestion(lookup.suggestions, "Name cards of the deck"),
    )


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
    facts = [*shares_fact(result.shares), *hand]
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


# The cards of the dealt hand: they are kept and redrawn in the same games


CONFIRMED_PART = 2
"""How many parts come before that of another player; jobs are numbered by parts."""

MOST_AGAIN = 5
"""How many redraws are measured again, the best by the first trial."""


@dataclass(frozen=True)
class RedrawsStudy(DuelStudy[RedrawsSpec, RedrawsResult]):
    """A deck whose dealt hands are to be improved; `run` does it.

    In a first trial every card is kept and redrawn, or of a certain hand all that may
    be redrawn together. What is best by it is played again in other games, by the same
    player and by the second bot.
    """

    KIND = "redraws"
    QUESTION = RedrawsSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """What is redrawn, by the ids of cards; in that of a hand one for each copy."""
        hand, cards = self.question.hand, self.deck.deck.counts()
        if not hand:
            return tuple((card,) for card in cards)
        most = min(int(self.format.options["redraws"]), len(hand))
        sizes = range(1, most + 1)
        every = (choice for size in sizes for choice in combinations(hand, size))
        return tuple(dict.fromkeys(every))

    def answer(self, games: GameSession) -> RedrawsResult:
        """Play all games; an interrupt has what the first trial says so far."""
        question = self.question
        policy = question.policies[0]
        fresh: list[FreshRedraws] = []
        try:
            games.expect(self._count_games(1))
            first = self._play(games, 0, policy, self.choices, question.budget)
            best = choose_best_redraws(first[0])
            games.expect(self._count_again(len(best)))
            for part, (player, number) in enumerate(self._players, start=1):
                redraws, _ = self._play(games, part, player, best, number)
                fresh.append(make_fresh(player, redraws))
        except StoppedEarly:
            so_far = self._measure_so_far(games)
            if so_far is None:
                raise Interrupted(None) from None
            result = self._make_result(games, *so_far, tuple(fresh))
            raise Interrupted(replace(result, complete=False)) from None
        return self._make_result(games, *first, tuple(fresh))

    @property
    def _players(self) -> list[tuple[str, int]]:
        """Who plays the best redraws again, and in how many games."""
        question = self.question
        players = [(question.policies[0], question.budget)]
        if question.cross_check is not None:
            players.append((question.cross_check, games_again(question)))
        return players

    def _count_games(self, again: int) -> Counter[str]:
        """Return about how many games there are if `again` choices are played again."""
        policy, budget = self.question.policies[0], self.question.budget
        first = self._estimate_set_games(policy, len(self.choices)) * sum(
            self._count_sets(budget)
        )
        return Counter({policy: first}) + self._count_again(again)

    def _count_again(self, choices: int) -> Counter[str]:
        """Return about how many games play so many choices again."""
        counts: Counter[str] = Counter()
        for player, games in self._players:
            of_set = self._estimate_set_games(player, choices)
            counts[player] += of_set * sum(self._count_sets(games))
        return counts

    def _estimate_set_games(self, policy: str, choices: int) -> int:
        """Return about how many games a set has, with this number of choices to try."""
        if self.question.hand:
            return ROTATION * (2 + choices)
        distinct = len(self.choices)
        ways = 1 if read_policy(policy).policy == Policy.HEURISTIC else 2
        return ROTATION * (1 + ways * max(1, round(self._dealt * choices / distinct)))

    @property
    def _dealt(self) -> int:
        return hand_size(self.format, self.database, self.deck.deck)

    def _count_sets(self, games: int) -> list[int]:
        """Return the sets with each opponent in which a card is kept in `games` games.

        Not every hand has a card, so there are more of them, by the hand's part of the
        deck.
        """
        dealt = games
        if not self.question.hand:
            cards = self.deck.deck.counts().total()
            dealt = ceil(games * cards / self._dealt)
        sets = ceil(dealt / ROTATION / len(self.field))
        if not self.question.weights:
            return [sets] * len(self.field)
        part = sets * len(self.field) / sum(self.question.weights)
        return [max(1, round(part * weight)) for weight in self.question.weights]

    def _play(
        self,
        games: GameSession,
        part: int,
        policy: str,
        choices: Sequence[Choice],
        number: int,
    ) -> tuple[tuple[Redraw, ...], OwnRedraws]:
        """Play a part with each opponent; jobs are numbered by parts."""
        field = self.field if part < CONFIRMED_PART else self.played_by(policy).field
        tables = [self._make_table(opponent, policy, choices) for opponent in field]
        sets = self._count_sets(number)
        work = [
            Job(
                part * len(field) + i,
                f"redraws of {self.deck.name} against {opponent.name}",
                tables[i],
                (opponent.policy, policy, str(len(choices))),
                sets[i],
                self._estimate_set_games(policy, len(choices)),
            )
            for i, opponent in enumerate(field)
        ]
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return measure_redraws(choices, tables, tallies, self.database)

    def _measure_so_far(
        self, games: GameSession
    ) -> tuple[tuple[Redraw, ...], OwnRedraws] | None:
        """Return the first trial so far, or None before all opponents were met."""
        tallies = [games.tallies.get(number) for number in range(len(self.field))]
        played: list[Ints] = [t for t in tallies if t is not None and t[0, Head.SETS]]
        if len(played) < len(self.field):
            return None
        policy = self.question.policies[0]
        choices = self.choices
        tables = [
            self._make_table(opponent, policy, choices) for opponent in self.field
        ]
        return measure_redraws(choices, tables, played, self.database)

    def _make_table(
        self, opponent: Entrant, policy: str, choices: Sequence[Choice]
    ) -> Redraws:
        deck = self.deck.deck
        seats = seat(opponent.deck, opponent.policy), seat(deck, policy)
        table = seat_version(self.format, self.database, *seats)
        numbers = load_game(self.format.game).card_numbers(self.database)
        card_numbers = find_card_numbers(table, numbers, deck.counts())
        hand = sorted(card_numbers[card] for card in self.question.hand)
        tried = tuple(
            tuple(card_numbers[card] for card in choice) for choice in choices
        )
        return Redraws(table, tried, tuple(hand))

    def _make_result(
        self,
        games: GameSession,
        redraws: tuple[Redraw, ...],
        own: OwnRedraws,
        fresh: tuple[FreshRedraws, ...],
    ) -> RedrawsResult:
        cards = self.database.cards
        dealt = [games.tallies[number] for number in range(len(self.field))]
        sets = sum(int(tally[0, Head.SETS]) for tally in dealt)
        return RedrawsResult(
            **self.head(games, (self.deck, *self.field), self.question.cross_check),
            games=ROTATION * sets,
            games_played=sum(map(games_played, games.tallies.values())),
            checksum=combine_checksums(games.tallies.values()),
            deck=self.deck.name,
            hand=tuple(cards[card].name for card in self.question.hand),
            redraws=rank_redraws(redraws),
            own=own,
            fresh=fresh,
            shares=shares_in(self.field, self.question.weights),
            budget=self.question.budget,
        )


def rank_redraws(redraws: Sequence[Redraw]) -> tuple[Redraw, ...]:
    """Return the redraws by what they gain, the largest gain first."""
    return tuple(sorted(redraws, key=lambda redraw: -redraw.gain.value))


def choose_best_redraws(redraws: Sequence[Redraw]) -> tuple[Choice, ...]:
    """Return the redraws that gain, the best first, or else the best redraw."""
    ranked = rank_redraws(redraws)
    clear = [redraw for redraw in ranked if redraw.gain.interval.low > 0]
    return tuple(redraw.ids for redraw in (clear or ranked[:1])[:MOST_AGAIN])


def make_fresh(policy: str, redraws: Sequence[Redraw]) -> FreshRedraws:
    """Return redraws that were played again, in their order."""
    fresh = [FreshRedraw(r.ids, r.names, r.games, r.gain) for r in redraws]
    return FreshRedraws(policy, tuple(fresh))


def redraws_study(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: RedrawsSpec,
    *,
    hand: str | PathLike[str] | Sequence[str] | None = None,
) -> RedrawsStudy:
    """Return the study of the redraws of a `hand` or of any, as `fmt` is played.

    Raises UsageError unless there is one deck and a field, for a format in which no two
    decks meet or nobody redraws, and for a hand that the deck cannot be dealt.
    """
    use = "Name the deck whose hands are dealt"
    entrant, field, question = deck_and_field(fmt, deck, against, question, use)
    size = hand_size(fmt, database, entrant.deck)
    if hand is not None:
        ids = read_hand(hand, entrant.deck, database, size)
        question = replace(question, hand=ids)
    return RedrawsStudy(fmt, database, question, entrant, field)
