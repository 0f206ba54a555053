"""Which cards of the dealt hand to send back: spec, play, result, report."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from os import PathLike, fspath
from pathlib import Path
from typing import Literal

import numpy as np
from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.lines import LineDefect, parse_card_line
from deckcheck.documents.records import Count, Ordinal, Share
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote
from deckcheck.playing.kernel import CHECKSUM_MASK, Head, Ints
from deckcheck.playing.redraws import Redraws, games_played
from deckcheck.playing.redraws import RedrawSum as Moment
from deckcheck.playing.table import seat
from deckcheck.playing.versions import ROTATION, numbers_of, seat_version
from deckcheck.policies.registry import Policy, policy_label, read_policy
from deckcheck.report.outputs import Presentation
from deckcheck.report.page import page_of_tables
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
    policies_of,
    run_facts,
    shares_fact,
    told,
    verdict_by_players,
    warnings_of,
)
from deckcheck.sim import MOST_GAMES
from deckcheck.sim.documents import EffectDocument, RunDocument, WinRate
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.figures import (
    Claim,
    Row,
    document_of,
    effect,
    plain,
    rounded,
    tidy,
    win_rate,
)
from deckcheck.sim.jobs import Job
from deckcheck.sim.result import result_document
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.standings import ResultHeader
from deckcheck.sim.study import Interrupted, StudySpec
from deckcheck.specs import RedrawsSpec
from deckcheck.stats import Estimate, Interval, Verdict
from deckcheck.stats.intervals import bounded_interval, bounded_mean_interval, level_of
from deckcheck.studies.deck_stats import hand_size
from deckcheck.studies.duels import (
    DuelStudy,
    check_meetings,
    field_of,
    met_by_weight,
    shares_in,
)
from deckcheck.studies.proof import confirming, usual_games
from deckcheck.studies.swaps import MeasuredEffect
from deckcheck.validation import DeckReport

# The JSON document of the cards to send back


class OwnDocument(TypedDict):
    """The redraws of the player's own choice."""

    share: Share
    """How often the player redraws at all, 0 to 1."""
    win_rate: WinRate
    """The win rate with these redraws."""
    gain: EffectDocument
    """The gain from them compared with keeping the whole hand; 0 for any hand."""


class CardRedrawDocument(TypedDict):
    """A card of the dealt hand, kept and sent back in the same games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    share: Share
    """How often the player sends it back unasked, 0 to 1."""
    kept: WinRate
    """The win rate with the card kept, or with the whole hand kept if one was named."""
    sent: WinRate
    """The win rate with the card sent back first."""
    gain: EffectDocument
    """The second less the first; these intervals hold together for all cards."""


class FreshCardDocument(EffectDocument):
    """The gain from sending a card back, in fresh games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    games: Count
    """The number of games in which it was dealt."""


class FreshDocument(TypedDict):
    """The cards to send back, played again in fresh games."""

    policy: str
    """The policy that played."""
    cards: list[FreshCardDocument]
    """The cards, the best first by the first trial; these intervals hold together."""


class RedrawsDocument(RunDocument):
    """The output of `deckcheck impact --redraws --output-format json`."""

    schema_version: Literal[1]
    """The version of this document."""
    answer: str
    """The answer in a few sentences."""
    deck: str
    """The name of the deck."""
    hand: list[str]
    """The names of the cards of the hand that was dealt; empty for any hand."""
    shares: dict[str, Share]
    """The share of each opponent in the field, by name; empty if all come alike."""
    own: OwnDocument
    """The redraws of the player's own choice."""
    cards: list[CardRedrawDocument]
    """The cards by the gain from sending them back, the largest first."""
    fresh: list[FreshDocument]
    """The best of them in fresh games: by the same player, then by another one."""


# A hand as it is typed: the names of its cards, or a file that has them


def read_hand(
    hand: str | PathLike[str] | Sequence[str],
    deck: Deck,
    database: CardDatabase,
    size: int,
) -> tuple[str, ...]:
    """The ids of the cards of a hand, in the order of the deck.

    Names are separated by commas or lines, and in quotes where they have a comma; a
    count may stand with each. A file has the same. Raises UsageError for a hand that
    the deck cannot be dealt: it takes `size` cards.
    """
    names = _names(fspath(hand)) if isinstance(hand, str | PathLike) else hand
    counts: Counter[str] = Counter()
    for name in names:
        line = parse_card_line(name)
        if isinstance(line, LineDefect):
            raise UsageError(f"{option('hand')}: {line.message}", line.help)
        counts[_card_named(line.name, deck, database)] += line.count
    _check(counts, deck, database, size)
    return tuple(card for card in deck.counts() for _ in range(counts[card]))


def _names(text: str) -> list[str]:
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


def _card_named(name: str, deck: Deck, database: CardDatabase) -> str:
    lookup = database.find_card(name)
    own = deck.counts()
    ids = [id for id in (lookup.id, *lookup.candidates) if id in own]
    if len(ids) == 1:
        return str(ids[0])
    if len(ids) > 1:
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
    meant = lookup.suggestions
    raise UsageError(
        f"{option('hand')}: no card is called {quote(name)}",
        f"Did you mean {choice(meant)}?" if meant else "Name cards of the deck",
    )


def _check(
    counts: Mapping[str, int], deck: Deck, database: CardDatabase, size: int
) -> None:
    own = deck.counts()
    for card, copies in counts.items():
        if copies > own[card]:
            raise UsageError(
                f"{option('hand')}: {plural(copies, 'copy')} of "
                f"{quote(database.cards[card].name)}, the deck has {own[card]}",
                "Name cards of the deck",
            )
    if sum(counts.values()) != size:
        raise UsageError(
            f"{option('hand')} has {plural(sum(counts.values()), 'card')}, "
            f"{quote(deck.name)} is dealt {size}",
            "Name the whole hand, before redraws",
        )


# Win rates with a card of the dealt hand kept and sent back, in the same games


WHOLE = 2
"""The half-points of a won game."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """A card by its id, over the `games` that dealt it; "" for the player's own choice.

    In `by_player` of them the player sends it back unasked. `kept` and `sent` are win
    rates, and `gain` is what sending it back gains.
    """

    card: str
    games: int
    by_player: int
    kept: Estimate
    sent: Estimate
    gain: MeasuredEffect

    @property
    def share(self) -> float:
        """How often the player sends it back unasked."""
        return self.by_player / max(1, self.games)


def redraws_of(
    cards: Sequence[str],
    tables: Sequence[Redraws],
    tallies: Sequence[Ints],
    together: int,
) -> tuple[Redraw, ...]:
    """Each of `cards` that was dealt, over all opponents, and last the player's choice.

    The intervals of `together` gains hold together (Bonferroni).
    """
    pairs = zip(tables, tallies, strict=True)
    moments = np.sum([table.moments(tally) for table, tally in pairs], axis=0)
    return tuple(
        redraw_of(card, row.tolist(), together)
        for card, row in zip((*cards, ""), moments, strict=True)
        if row[Moment.N]
    )


def redraw_of(card: str, moments: Sequence[int], together: int) -> Redraw:
    """The figures of a card by its moments; variances by linearisation over sets."""
    m = dict(zip(Moment, moments, strict=True))
    games, sets = m[Moment.N], m[Moment.SETS]
    kept = m[Moment.K] / (WHOLE * games)
    sent = m[Moment.R] / (WHOLE * games)
    # A set weighs k or r, less the mean times its games.
    of_kept = _variance(m, 1, 0, kept)
    of_sent = _variance(m, 0, 1, sent)
    of_gain = _variance(m, -1, 1, sent - kept)
    level = level_of(together)
    ends = bounded_interval(sent - kept, of_gain, sets, sets - 1, level=level)
    return Redraw(
        card,
        games,
        m[Moment.BY_PLAYER],
        _rate(kept, of_kept, sets, games),
        _rate(sent, of_sent, sets, games),
        MeasuredEffect(sent - kept, ends),
    )


def _variance(m: dict[Moment, int], k: int, r: int, mean: float) -> float:
    """The variance of one set's part in the mean of `k` times K plus `r` times R."""
    n = -WHOLE * mean
    total = (
        k * k * m[Moment.KK]
        + r * r * m[Moment.RR]
        + n * n * m[Moment.NN]
        + 2 * (k * r * m[Moment.KR] + k * n * m[Moment.NK] + r * n * m[Moment.NR])
    )
    sets, games = m[Moment.SETS], m[Moment.N]
    per_set = WHOLE * games / sets
    return max(0.0, total) / per_set**2 / max(1, sets - 1)


def _rate(value: float, variance: float, sets: int, games: int) -> Estimate:
    ends = bounded_mean_interval(value, variance, sets, within=(0.0, 1.0))
    return Estimate(value, ends, games)


# The result of `impact --redraws`: the cards of the dealt hand to send back


NOTHING = Estimate(0.0, Interval(0.0, 1.0), 0)
NO_REDRAW = Redraw("", 0, 0, NOTHING, NOTHING, MeasuredEffect(0.0, Interval(-1.0, 1.0)))


@dataclass(frozen=True, slots=True)
class CardRedraw:
    """A card of the deck by its name and copies, with its figures."""

    name: str
    copies: int
    figures: Redraw


@dataclass(frozen=True, slots=True)
class FreshRedraws:
    """Cards to send back as `policy` plays them in games that did not choose them.

    Last comes the player's own choice.
    """

    policy: str
    redraws: tuple[Redraw, ...]

    def gain(self, card: str) -> MeasuredEffect | None:
        """What sending a card back gains; None if no hand had it."""
        gains = (redraw.gain for redraw in self.redraws if redraw.card == card)
        return next(gains, None)


@dataclass(frozen=True, slots=True, repr=False)
class RedrawsResult(ResultHeader):
    """The cards of dealt hands, kept and sent back: `games` are the hands dealt.

    `hand` names the cards of a certain hand, () for any; then a card is compared with
    the whole hand kept. The intervals of the gains of `cards` hold together. `own` are
    the redraws of the player's own choice. The best cards to send back were played
    again: `fresh` has these, by the same player and by the one who confirms. `shares`
    are those of the opponents in the field, () for all alike.
    """

    deck: str = ""
    hand: tuple[str, ...] = ()
    cards: tuple[CardRedraw, ...] = ()
    own: Redraw = NO_REDRAW
    fresh: tuple[FreshRedraws, ...] = ()
    shares: tuple[tuple[str, float], ...] = ()

    @property
    def ranked(self) -> tuple[CardRedraw, ...]:
        """The cards by the gain from sending them back, the largest first."""
        return tuple(sorted(self.cards, key=lambda card: -card.figures.gain.value))

    @property
    def to_send_back(self) -> tuple[CardRedraw, ...]:
        """The cards that are better sent back, in games that did not choose them."""
        return tuple(
            card
            for card in self._measured_again
            if self._verdict(card) is Verdict.BETTER
        )

    def _verdict(self, card: CardRedraw) -> Verdict:
        """What the players make of sending a card back, in fresh games."""
        return verdict_by_players(self._gains(card))

    def _gains(self, card: CardRedraw) -> list[PlayedFigure]:
        """What that gains in fresh games, by the same player and by another one.

        Where all cards of a hand are better kept, those games show it that chose it.
        """
        if self.hand and all(c.figures.gain.interval.high < 0 for c in self.cards):
            return [(self.players[0], card.figures.gain)]
        gains = [(part.policy, part.gain(card.figures.card)) for part in self.fresh]
        return [(policy, gain) for policy, gain in gains if gain is not None]

    @property
    def to_keep(self) -> tuple[CardRedraw, ...]:
        """The cards that are better kept, the most valuable first."""
        cards = [card for card in self.ranked[::-1] if card not in self.to_send_back]
        return tuple(card for card in cards if card.figures.gain.interval.high < 0)

    @property
    def _measured_again(self) -> tuple[CardRedraw, ...]:
        if not self.fresh:
            return ()
        cards = {card.figures.card: card for card in self.cards}
        ids = [figures.card for figures in self.fresh[0].redraws if figures.card]
        return tuple(cards[id] for id in ids if id in cards)

    @property
    def _said(self) -> tuple[CardRedraw, ...]:
        """The cards that are said to be sent back, or else the best of them."""
        return self.to_send_back[: 1 if self.hand else None] or self._measured_again[:1]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The cards that are named, by each player in fresh games; the one to keep."""
        claims = [
            Claim.of(card.name, "", gain, by=policy)
            for card in self._said
            for policy, gain in self._gains(card)
        ]
        keeps = [] if self.hand else self.to_keep[:1]
        by = self.players[0]
        return (
            *claims,
            *(Claim.of(card.name, "", card.figures.gain, by=by) for card in keeps),
        )

    @property
    def answer(self) -> str:
        """Which cards to send back and which to keep, in a few sentences."""
        if not self.fresh:
            answers = ["The games that test the cards to send back were not played"]
        elif not self._said:
            answers = ["Nobody was dealt these cards before a redraw"]
        else:
            answers = [self._say(card) for card in self._said]
        keeps = self.to_keep
        if keeps and not self.hand:
            most = keeps[0]
            above = ", above all" if len(keeps) > 1 else ","
            answers.append(
                f"{plural(len(keeps), 'card')} should be kept{above} "
                f"{quote(most.name)}: {told(most.figures.gain)} if it is sent back"
            )
        return ". ".join(answers)

    def _say(self, card: CardRedraw) -> str:
        """Whether to send a card back, of a certain hand as the first of it."""
        name, gains, verdict = quote(card.name), self._gains(card), self._verdict(card)
        first = " first" if self.hand else ""
        gained = by_players(gains)
        if self.hand:
            gained += ", compared with keeping the whole hand"
        if verdict is Verdict.BETTER:
            return f"Send back {name}{first}: {gained}"
        if verdict is Verdict.WORSE:
            keep = "Keep this hand" if self.hand else "Send nothing back"
            return f"{keep}: even the best, {name}{first}, loses: {gained}"
        own = card.figures
        games = next(r.games for r in self.fresh[0].redraws if r.card == own.card)
        more = more_games(gains[0][1], games)
        if own.gain.interval.low > 0:
            more = f"; in the games that chose it {told(own.gain)}"
        return f"It is not clear whether to send back {name}{first}: {gained}{more}"

    def to_dict(self) -> RedrawsDocument:
        """The result as `deckcheck schema redraws` describes it."""
        own = self.own
        return result_document(
            RedrawsDocument,
            self,
            shares=plain(dict(self.shares)),
            own={
                "share": rounded(own.share),
                "win_rate": win_rate(own.sent),
                "gain": effect(own.gain),
            },
            cards=[_card(card) for card in self.ranked],
            fresh=[self._fresh(part) for part in self.fresh],
        )

    def _fresh(self, part: FreshRedraws) -> FreshDocument:
        names = {card.figures.card: card.name for card in self.cards}
        return {
            "policy": part.policy,
            "cards": [
                {
                    "id": redraw.card,
                    "name": names[redraw.card],
                    "games": redraw.games,
                    **effect(redraw.gain),
                }
                for redraw in part.redraws
                if redraw.card in names
            ],
        }

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the best to send back first."""
        return [row for card in self.ranked for row in self._rows(card)]

    def _rows(self, card: CardRedraw) -> Iterator[Row]:
        figures = card.figures
        for metric, figure in (
            ("sent_back", figures.share),
            ("win_rate_kept", figures.kept),
            ("win_rate_sent", figures.sent),
            ("gain_sent", figures.gain),
        ):
            yield from tidy(metric, figure, figures.games, self.deck, card=card.name)
        metrics = ("gain_sent_fresh", "gain_sent_confirmed")
        for metric, part in zip(metrics, self.fresh, strict=False):
            for redraw in part.redraws:
                if redraw.card == figures.card:
                    n, gain = redraw.games, redraw.gain
                    yield from tidy(metric, gain, n, self.deck, card=card.name)


def _card(card: CardRedraw) -> CardRedrawDocument:
    return document_of(
        CardRedrawDocument,
        card.figures,
        id=card.figures.card,
        name=card.name,
        copies=card.copies,
    )


# Tables of the cards of the dealt hand to send back


GAIN = Column("points", POINTS, "95 % interval")


def redraws_report(result: RedrawsResult) -> Report:
    """Return the tables of `result`, its answer first."""
    policies = policies_of([deck.policy for deck in result.decks])
    games = (
        f"{count(result.games_played)}, with {count(result.games)} hands dealt in "
        "mirrored pairs in the first trial"
    )
    facts = [*run_facts(result, policies, games)]
    facts[3:3] = [("hand", ", ".join(result.hand))] if result.hand else []
    facts[3:3] = shares_fact(result.shares)
    tables = (_gains(result), _fresh(result))
    return Report(
        tuple(table for table in tables if table.rows),
        warnings_of(result),
        tuple(facts),
        (f"{result.answer}.",),
        f"{result.deck}: which cards to send back",
    )


def _gains(result: RedrawsResult) -> ReportTable:
    """What sending back each card gains, in the games of the first trial."""
    columns = (
        Column("card"),
        GAIN,
        *numbers(IN_PERCENT, "kept", "sent back", "by player"),
        Column("games", COUNT),
    )
    rows = [_row(card.name, card.figures) for card in result.ranked]
    if result.hand:
        rows.append(_row("as the player likes", result.own))
        title = f"{result.deck}: this hand, with a card sent back first"
        against = "the whole hand is kept"
    else:
        title = f"{result.deck}: each card of the dealt hand, kept or sent back first"
        against = "the card is kept and others may be redrawn"
    note = (
        f"points: how much more often the deck wins than if {against}, in the same "
        "games; the intervals hold together. Further redraws are the player's own "
        "choice. kept, sent back: win rates in %; by player: how often in % the player "
        "sends it back unasked; games: those that dealt it"
    )
    return ReportTable(title, columns, tuple(rows), note=note, even=0.0)


def _row(name: str, figures: Redraw) -> tuple[Cell, ...]:
    rates = figures.kept.value, figures.sent.value, figures.share
    return (name, figures.gain, *rates, figures.games)


def _fresh(result: RedrawsResult) -> ReportTable:
    """The best cards to send back in games that did not choose them."""
    players = [f"by {policy_label(part.policy)}" for part in result.fresh]
    names = {card.figures.card: card.name for card in result.cards}
    ids = [r.card for part in result.fresh[:1] for r in part.redraws if r.card in names]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (names[id], *(part.gain(id) for part in result.fresh)) for id in ids
    )
    columns = (
        Column("card"),
        *(Column(player, POINTS, "95 % interval") for player in players),
    )
    title = "Points gained by sending them back, in fresh games"
    note = (
        "the cards were chosen in the first trial, so that these figures are not those "
        "of the luckiest; the intervals of a player hold together"
    )
    return ReportTable(title, columns, rows, note=note, even=0.0)


REDRAWS = Presentation[RedrawsResult](
    lambda result, _full: redraws_report(result),
    lambda result, tool: page_of_tables(result, redraws_report(result), tool),
)


# The cards of the dealt hand: each is kept and sent back in the same games


CONFIRMING = 2
"""How many parts come before that of another player; jobs are numbered by parts."""

MOST_SENT = 5
"""How many cards to send back are measured again, the best by the first trial."""


@dataclass(frozen=True)
class RedrawStudy(DuelStudy[RedrawsSpec, RedrawsResult]):
    """A deck whose dealt hands are to be improved; `run` does it.

    In a first trial every card is kept and sent back. What is best sent back by it is
    played again in other games, by the same player and by the one who confirms.
    """

    KIND = "redraws"
    QUESTION = RedrawsSpec

    format: Format
    database: CardDatabase
    question: RedrawsSpec
    deck: Entrant
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[RedrawsSpec]:
        """What decides what is played."""
        decks = {"deck": (self.deck,), "field": self.field}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[RedrawsSpec]) -> RedrawStudy:
        """The question that asks this."""
        [deck] = spec.role("deck")
        field = spec.role("field")
        return cls(spec.format, spec.database, spec.question, deck, field)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The cards that are sent back, by id."""
        return tuple(dict.fromkeys(self.question.hand or self.deck.deck.counts()))

    def answer(self, games: GameSession) -> RedrawsResult:
        """Play all games; an interrupt has what the first trial says so far."""
        question = self.question
        policy = question.policies[0]
        first: tuple[Redraw, ...] = ()
        fresh: list[FreshRedraws] = []
        try:
            games.whole = self._all_games(self.cards, 1)
            first = self._play(games, 0, policy, self.cards, question.games)
            cards = to_send_back(first)
            games.whole = self._all_games(self.cards, len(cards))
            for part, (player, number) in enumerate(self._players, start=1):
                measured = self._play(games, part, player, cards, number)
                fresh.append(FreshRedraws(player, measured))
        except StoppedEarly:
            first = first or self._so_far(games)
            result = self._result(games, first, tuple(fresh)) if first else None
            raise Interrupted(result and replace(result, complete=False)) from None
        return self._result(games, first, tuple(fresh))

    @property
    def _players(self) -> list[tuple[str, int]]:
        """Who plays the cards to send back again, and in how many games."""
        question = self.question
        players = [(question.policies[0], question.games)]
        if question.confirm is not None:
            usual = min(question.games, usual_games(question.confirm, MOST_GAMES))
            players.append((question.confirm, question.confirm_games or usual))
        return players

    def _all_games(self, cards: Sequence[str], again: int) -> int:
        """About how many games there are if `again` cards are played again."""
        parts = [(self.question.policies[0], len(cards), self.question.games)]
        parts += [(player, again, games) for player, games in self._players]
        return sum(
            self._games_of_set(player, tried) * sum(self._sets(games))
            for player, tried, games in parts
        )

    def _games_of_set(self, policy: str, cards: int) -> int:
        """About how many games of a set are played where so many cards are tried."""
        deck = self.deck.deck
        distinct = len(set(self.question.hand or deck.counts()))
        ways = 1 if read_policy(policy).policy == Policy.HEURISTIC else 2
        dealt = distinct if self.question.hand else self._dealt
        return ROTATION * (1 + ways * max(1, round(dealt * cards / distinct)))

    @property
    def _dealt(self) -> int:
        """The cards of a hand."""
        return hand_size(self.format, self.database, self.deck.deck)

    def _sets(self, games: int) -> list[int]:
        """The sets with each opponent in which a card is kept in so many games.

        Not every hand has a card, so there are more of them, by the hand's part of the
        deck.
        """
        deck = self.deck.deck
        dealt = games
        if not self.question.hand:
            cards = sum(deck.counts().values())
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
        cards: Sequence[str],
        number: int,
    ) -> tuple[Redraw, ...]:
        """Play a part with each opponent; jobs are numbered by parts."""
        players = [o.policy if part < CONFIRMING else policy for o in self.field]
        first = part * len(self.field)
        work = [
            Job(
                first + i,
                f"redraws of {self.deck.name} against {opponent.name}",
                self._table(opponent, player, policy, cards),
                (player, policy, str(len(cards))),
                sets,
                self._games_of_set(policy, len(cards)),
            )
            for i, (opponent, player, sets) in enumerate(
                zip(self.field, players, self._sets(number), strict=True)
            )
        ]
        tables = [job.table for job in work if isinstance(job.table, Redraws)]
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return redraws_of(cards, tables, tallies, len(cards))

    def _so_far(self, games: GameSession) -> tuple[Redraw, ...]:
        """The first trial as far as it was played, if all opponents were met."""
        tallies = [games.tallies.get(number) for number in range(len(self.field))]
        played: list[Ints] = [t for t in tallies if t is not None and t[0, Head.SETS]]
        if len(played) < len(self.field):
            return ()
        policy = self.question.policies[0]
        tables = [self._table(o, o.policy, policy, self.cards) for o in self.field]
        return redraws_of(self.cards, tables, played, len(self.cards))

    def _table(
        self, opponent: Entrant, player: str, policy: str, cards: Sequence[str]
    ) -> Redraws:
        deck = self.deck.deck
        seats = seat(opponent.deck, player), seat(deck, policy)
        table = seat_version(self.format, self.database, *seats)
        numbers = load_game(self.format.game).card_numbers(self.database)
        place = numbers_of(table, numbers, deck.counts())
        hand = sorted(place[card] for card in self.question.hand)
        return Redraws(table, tuple(place[card] for card in cards), tuple(hand))

    def _result(
        self,
        games: GameSession,
        first: tuple[Redraw, ...],
        fresh: tuple[FreshRedraws, ...],
    ) -> RedrawsResult:
        heads = [int(t[0, Head.CHECKSUM]) for t in games.tallies.values()]
        cards = self.database.cards
        copies = self.deck.deck.counts()
        return RedrawsResult(
            **self.head(games, (self.deck, *self.field), self.question.confirm),
            games=ROTATION
            * sum(
                int(games.tallies[number][0, Head.SETS])
                for number in range(len(self.field))
            ),
            games_played=sum(map(games_played, games.tallies.values())),
            checksum=f"{sum(heads) & CHECKSUM_MASK:012x}",
            deck=self.deck.name,
            hand=tuple(cards[card].name for card in self.question.hand),
            cards=tuple(
                CardRedraw(cards[figures.card].name, copies[figures.card], figures)
                for figures in first
                if figures.card
            ),
            own=first[-1] if first else NO_REDRAW,
            fresh=fresh,
            shares=shares_in(self.field, self.question.weights),
        )


def to_send_back(redraws: Sequence[Redraw]) -> tuple[str, ...]:
    """The cards that are better sent back, the best first; else the best one."""
    cards = sorted(
        (figures for figures in redraws if figures.card),
        key=lambda figures: -figures.gain.value,
    )
    clear = [figures for figures in cards if figures.gain.interval.low > 0]
    return tuple(figures.card for figures in (clear or cards[:1])[:MOST_SENT])


def redraws_study(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: RedrawsSpec,
    *,
    hand: str | PathLike[str] | Sequence[str] | None = None,
) -> RedrawStudy:
    """The question which cards to send back as `fmt` is played, of a `hand` or any.

    Raises UsageError unless there is one deck and a field, for a format in which no two
    decks meet or nobody redraws, and for a hand that the deck cannot be dealt.
    """
    check_meetings(fmt)
    if len(deck) != 1:
        raise UsageError(
            f"Found {plural(len(deck), 'deck')}, expected one",
            "Name the deck whose hands are dealt; the field goes with "
            f"{option('against')}",
        )
    field = field_of(against, question.policies)
    [entrant] = enter(deck, [question.policies[0]])
    size = hand_size(fmt, database, entrant.deck)
    if hand is not None:
        ids = read_hand(hand, entrant.deck, database, size)
        question = replace(question, hand=ids)
    player = confirming(
        question.confirm, question.confirm_games, fmt, question.policies
    )
    question = replace(question, confirm=player)
    field, weights = met_by_weight(field, question.weights)
    question = replace(question, weights=weights)
    return RedrawStudy(fmt, database, question, entrant, field)
