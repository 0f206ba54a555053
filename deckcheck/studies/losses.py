"""How a deck loses: games of a run seen again."""

from __future__ import annotations

import pickle
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from math import ceil
from statistics import quantiles
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias

from typing_extensions import TypedDict

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Ordinal, Share, ShareInterval
from deckcheck.findings import UsageError
from deckcheck.messages import check_range, option, quote
from deckcheck.policies.registry import policy_label
from deckcheck.replays.changes import has_round_ended
from deckcheck.replays.model import Script
from deckcheck.replays.narration import open_script
from deckcheck.replays.replay import ReplayedPairing, list_pairings, write_scripts
from deckcheck.replays.uncompiled import iterate_uncompiled
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    count,
    percent,
    ranged,
    study_report,
    words,
)
from deckcheck.scenarios.contract import LegalMove
from deckcheck.sim.figures import ALL, Claim, Row, ends, round_figure, tidy
from deckcheck.sim.records import HIDDEN_FIELD, SHOWN_EFFECT, Record, Shown, StudyResult
from deckcheck.sim.result import SimulationResult, find_deck_name
from deckcheck.sim.result_header import ResultHeader
from deckcheck.sim.simulation import Simulation
from deckcheck.sim.workers import usable_cores
from deckcheck.stats import Combination, Estimate, Sample, games_needed
from deckcheck.stats.intervals import joint_level


class ShareDocument(TypedDict):
    """A share of games with its interval."""

    share: Share
    """The share, 0 to 1."""
    interval: ShareInterval
    """The lower and the upper end of the share's interval, 0 to 1."""


def share_document(share: Estimate) -> ShareDocument:
    """Return a share of games for documents."""
    return {"share": round_figure(share.value), "interval": ends(share.interval)}


ShownShare = Annotated[Estimate, Shown(share_document, ShareDocument)]
ShareBeside = Annotated[Estimate, Shown(share_document, ShareDocument, beside=True)]
"""A share of games, as a mapping or as keys of its record."""


# What happens to a deck in one game, observed move by move


Facts: TypeAlias = Mapping[str, Any]

NEEDED_FACTS = frozenset({"gems", "hand", "deck_size", "discard", "total"})
"""What a game must have for its losses to be explained."""


@dataclass(frozen=True, slots=True)
class ObservedGame:
    """A game from the side of one deck."""

    won: bool | None
    """Whether it won, None for a draw."""
    lost_rounds: tuple[int, ...]
    """The rounds that cost a gem, from 1."""
    lead: int
    """The strength by which the deck led on the board at the end."""
    destroyed: int
    """The strength that the opponent's moves sent from its side to a discard pile."""
    weather: int
    """The strength that weather took from its side."""
    draws: int
    """How many more cards the opponent drew, by spies and other cards."""
    behind: int
    """How many more cards the opponent held when the last round began."""
    is_out: bool
    """Whether it had no card left at the end, and the opponent had."""
    cards: frozenset[str]
    """The ids of the cards that the opponent played."""


def observe_all(scripts: bytes) -> list[ObservedGame] | None:
    """Observe pickled games, each with the seat of the deck; None if impossible."""
    games = []
    for script, seat in pickle.loads(scripts):
        if (observed := observe(script, seat)) is None:
            return None
        games.append(observed)
    return games


def observe(script: Script, seat: int) -> ObservedGame | None:
    """Observe a game of two from the side of the deck in a seat."""
    position = open_script(script).position
    own, other = position.players[seat], position.players[1 - seat]
    facts = position.brief_facts()
    if not facts[own].keys() >= NEEDED_FACTS:
        return None
    watch = _Watch(own, other)
    for code in script.moves:
        before, player = facts, position.turn
        move = position.in_words(code)
        position.apply(move)
        facts = position.brief_facts()
        watch.note(before, facts, player, move)
    return watch.game(facts)


@dataclass
class _Watch:
    """Sums over the moves of a game."""

    own: str
    other: str
    lost_rounds: list[int] = field(default_factory=list)
    destroyed: int = 0
    weather: int = 0
    draws: int = 0
    behind: int = 0
    cards: set[str] = field(default_factory=set)

    def note(
        self, before: Facts, after: Facts, player: str | None, move: LegalMove
    ) -> None:
        """Take in a move."""
        own, other = self.own, self.other
        if player == other and move.verb == "play":
            self.cards.add(move.words["card"])
        if has_round_ended(before, after):
            if after[own]["gems"] < before[own]["gems"]:
                self.lost_rounds.append(before["round"])
            if not after["over"]:
                self.behind = len(after[other]["hand"]) - len(after[own]["hand"])
            return
        if move.verb != "redraw":
            self.draws += _count_drawn(before, after, other) - _count_drawn(
                before, after, own
            )
        taken = before[own]["total"] - after[own]["total"]
        if player == other and taken > 0:
            if len(after[own]["discard"]) > len(before[own]["discard"]):
                self.destroyed += taken
            elif after["weather"] != before["weather"]:
                self.weather += taken

    def game(self, last: Facts) -> ObservedGame:
        """Return the observations, with the position at the end."""
        own, other = last[self.own], last[self.other]
        winner = last["winner"]
        return ObservedGame(
            won=None if winner == "draw" else winner == self.own,
            lost_rounds=tuple(self.lost_rounds),
            lead=own["total"] - other["total"],
            destroyed=self.destroyed,
            weather=self.weather,
            draws=self.draws,
            behind=self.behind,
            is_out=not own["hand"] and bool(other["hand"]),
            cards=frozenset(self.cards),
        )


def _count_drawn(before: Facts, after: Facts, player: str) -> int:
    """Count the cards that came from the deck to the hand."""
    gained = Counter(after[player]["hand"]) - Counter(before[player]["hand"])
    left: int = before[player]["deck_size"] - after[player]["deck_size"]
    return min(gained.total(), left)


# The result: what happened in losses and in wins, with intervals


MIN_CARD_GAMES = 10
"""The fewest losses, and wins, against decks with a card for it to be listed."""

MAX_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Numbered:
    """An observed game: whom it was against, and its number for `replay`."""

    opponent: str
    number: int
    game: ObservedGame


@dataclass(frozen=True, slots=True)
class Contrast(Record):
    """An event, or a card, in losses and in wins."""

    id: str
    """The id of a card, or a word for what happened."""
    name: str
    """The name of the card, or what happened."""
    losses: ShownShare
    """The share of losses in which it happened."""
    wins: ShownShare | None
    """The share of wins in which it happened; null without a win."""
    difference: Annotated[Estimate, SHOWN_EFFECT] | None
    """The share in losses less that in wins; null without a win."""

    @property
    def size(self) -> float:
        """By how much more often it happens in losses, or how often if nobody won."""
        return self.difference.value if self.difference else self.losses.value


@dataclass(frozen=True, slots=True)
class LossKind(Record):
    """Losses of one kind, and their share of all losses."""

    rounds: tuple[Ordinal, ...]
    """The rounds that cost the deck a gem, from 1."""
    share: ShareBeside

    @property
    def in_words(self) -> str:
        """The rounds: `rounds 1 and 3`."""
        *others, last = map(str, self.rounds)
        return f"rounds {', '.join(others)} and {last}" if others else f"round {last}"


@dataclass(frozen=True, slots=True)
class Example(Record):
    """A loss that shows something well."""

    opponent: str
    """The name of the opponent's deck."""
    game: Ordinal
    """The number of the game among those of both decks, for `replay --game`."""
    text: str
    """What it shows."""


@dataclass(frozen=True, slots=True, repr=False)
class Losses(StudyResult):
    """The output of `deckcheck report --losses DECK --output-format json`."""

    KEYS = tuple(
        "deck sample wins losses draws margins kinds signs cards examples".split()
    )
    schema_version: ClassVar[Literal[1]] = 1
    """The version of this document; it rises when a key changes its meaning."""
    deck: str = ""
    """The name of the deck."""
    wins: Count = 0
    """The number of observed games that the deck won."""
    losses: Count = 0
    """The number of observed games that the deck lost."""
    draws: Count = 0
    """The number of observed games that nobody won."""
    margins: tuple[int, int, int] | None = None
    """The quartiles of the strength that was missing on the board at the end of
    losses; null without a loss."""
    kinds: tuple[LossKind, ...] = ()
    """The losses by the rounds that were lost, the most frequent first."""
    signs: tuple[Contrast, ...] = ()
    """The events in losses and in wins; all intervals are simultaneous."""
    cards: tuple[Contrast, ...] = ()
    """The cards that the opponent played, in games against decks that hold them; all
    intervals are simultaneous."""
    examples: tuple[Example, ...] = ()
    """Losses that show best what happened, three at most."""
    largest_sample: Annotated[int, HIDDEN_FIELD] = 0
    """The number of games that could be observed."""

    @property
    def sample(self) -> Count:
        """The number of games that were observed."""
        return self.wins + self.losses + self.draws

    @property
    def answer(self) -> str:
        """The answer in a few sentences."""
        return " ".join(self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield how often the deck lost, how, and the difference from its wins."""
        deck, losses, sample = quote(self.deck), count(self.losses), count(self.sample)
        if not self.losses:
            yield f"{deck} lost none of {sample} games."
            return
        if not self.kinds:
            yield f"{deck} lost {losses} of {sample} games."
        elif self.losses == 1:
            rounds = self.kinds[0].in_words
            yield f"{deck} lost 1 of {sample} games, by losing {rounds}."
        else:
            kind = self.kinds[0]
            yield (
                f"{deck} lost {losses} of {sample} games, {percent(kind.share.value)} "
                f"of them ({ranged(kind.share.interval)}) by losing {kind.in_words}."
            )
        yield self._describe_sign()
        bots = {deck.policy for deck in self.decks}
        if len(bots) == 1:
            yield f"All decks were piloted by {quote(policy_label(bots.pop()))}."

    def _describe_sign(self) -> str:
        """Say which event is clearly more frequent in losses than in wins."""
        sign = self._clearest_sign
        if not self.wins:
            return "It won none, so there is nothing to compare its losses with."
        if sign is None or sign.wins is None:
            sentence = "Too few games to tell how its losses differ from its wins"
            if self._sample_needed is not None:
                sentence += f"; try {option('sample', self._sample_needed)}"
            return f"{sentence}."
        event = LOSS_SIGNS[sign.id].sentence
        losses, wins = percent(sign.losses.value), percent(sign.wins.value)
        return (
            f"The clearest difference: in {losses} of its losses and {wins} of its "
            f"wins, {event}."
        )

    @property
    def _sample_needed(self) -> int | None:
        """The games that would make the largest difference clear, if there are any."""
        if not self.signs or self.signs[0].difference is None:
            return None
        figure = self.signs[0].difference
        needed = games_needed(figure.value, figure.interval, self.sample)
        if figure.value <= 0 or needed is None or needed > self.largest_sample:
            return None
        return needed

    @property
    def _clearest_sign(self) -> Contrast | None:
        """The sign that is clearly more frequent in losses, the first of them."""
        for sign in self.signs:
            if sign.difference and sign.difference.interval.low > 0:
                return sign
        return None

    @property
    def claims(self) -> tuple[Claim, ...]:
        """By how much more often losses have the sign that is named."""
        sign = self._clearest_sign
        if sign is None or sign.difference is None:
            return ()
        return (Claim.of(sign.name, "", sign.difference),)

    def to_rows(self) -> list[Row]:
        """Return tidy rows: `sign` is an event, `card` what the opponent played."""
        rows: list[Row] = []
        for kind in self.kinds:
            labels = {"card": ALL, "sign": f"lost {kind.in_words}"}
            rows += self._list_tidy_rows("share_of_losses", kind.share, labels)
        for sign in self.signs:
            rows += self._list_contrast_rows(sign, {"card": ALL, "sign": sign.name})
        for card in self.cards:
            rows += self._list_contrast_rows(card, {"card": card.name, "sign": None})
        return rows

    def _list_contrast_rows(
        self, contrast: Contrast, labels: Mapping[str, Any]
    ) -> Iterator[Row]:
        yield from self._list_tidy_rows("share_of_losses", contrast.losses, labels)
        yield from self._list_tidy_rows("share_of_wins", contrast.wins, labels)
        yield from self._list_tidy_rows("share_difference", contrast.difference, labels)

    def _list_tidy_rows(
        self, metric: str, figure: Estimate | None, labels: Mapping[str, Any]
    ) -> Iterator[Row]:
        n = figure.games if figure else 0
        yield from tidy(metric, figure, n, self.deck, **labels)


class LossSign(NamedTuple):
    """An event that may be more frequent in losses than in wins."""

    name: str
    sentence: str
    """The event in a sentence about the deck."""
    measure: Callable[[ObservedGame], int]
    """Returns how much of it a game saw."""
    example: str = ""
    """The text of an example, with the measure in place of `{}`."""


LOSS_SIGNS = {
    "destroyed": LossSign(
        "opponent destroyed cards",
        "the opponent destroyed cards",
        lambda game: game.destroyed,
        "{} of strength destroyed",
    ),
    "weather": LossSign(
        "opponent's weather cost strength",
        "the opponent's weather cost it strength",
        lambda game: game.weather,
        "{} of strength lost to weather",
    ),
    "draws": LossSign(
        "opponent drew more cards",
        "the opponent drew more cards",
        lambda game: game.draws,
        "opponent drew {} more cards",
    ),
    "behind": LossSign(
        "fewer cards as the last round began",
        "it held fewer cards as the last round began",
        lambda game: game.behind,
        "{} cards behind in the last round",
    ),
    "out": LossSign(
        "out of cards, the opponent not",
        "it ran out of cards while the opponent still had some",
        lambda game: int(game.is_out),
    ),
}


def contrast_signs(games: Sequence[ObservedGame]) -> tuple[Contrast, ...]:
    """Return how often each sign was seen, the most telling for losses first."""
    level = joint_level(len(LOSS_SIGNS))
    signs = []
    for id, sign in LOSS_SIGNS.items():
        seen = [(game.won, sign.measure(game) > 0) for game in games]
        signs.append(contrast(id, sign.name, seen, level))
    return tuple(sorted(signs, key=lambda sign: sign.size, reverse=True))


def contrast(
    id: str, name: str, seen: Sequence[tuple[bool | None, bool]], level: float
) -> Contrast:
    """Return how often something was seen in losses and in wins.

    Some games have to be losses. The intervals have this `level`. Draws count on
    neither side.
    """
    lost = estimate_share([is_seen for won, is_seen in seen if won is False])
    won = estimate_share([is_seen for won, is_seen in seen if won is True])
    assert lost is not None
    if won is None:
        return Contrast(id, name, lost.estimate(level), None, None)
    by = (lost - won).estimate(level)
    return Contrast(id, name, lost.estimate(level), won.estimate(level), by)


def estimate_share(seen: Sequence[bool]) -> Combination | None:
    """Return the share of games in which something was seen, or None without a game."""
    if not seen:
        return None
    yes = sum(seen)
    return Combination.of(Sample((len(seen) - yes, yes), len(seen)))


def count_lost_rounds(lost: Sequence[ObservedGame]) -> tuple[LossKind, ...]:
    """Return the losses by the rounds that were lost, the most frequent first."""
    rounds = [game.lost_rounds for game in lost]
    kinds = []
    for kind in sorted(set(rounds), key=lambda kind: (-rounds.count(kind), kind)):
        share = estimate_share([other == kind for other in rounds])
        assert share is not None
        kinds.append(LossKind(kind, share.estimate(joint_level(len(set(rounds))))))
    return tuple(kinds)


def find_examples(
    lost: Sequence[Numbered], signs: Sequence[Contrast]
) -> tuple[Example, ...]:
    """Return the losses that show the first of these signs best, a game for each."""
    examples: list[Example] = []
    left = list(lost)
    for sign in signs:
        _, _, measure, example = LOSS_SIGNS[sign.id]
        best = max(left, key=lambda each: measure(each.game), default=None)
        if example and best is not None and measure(best.game) > 0:
            left.remove(best)
            text = example.format(measure(best.game))
            examples.append(Example(best.opponent, best.number, text))
    return tuple(examples[:MAX_EXAMPLES])


# Tables of how a deck loses


MAX_LISTED_CARDS = 15
CONTRAST_COLUMNS = (
    Column("in losses", PERCENT),
    Column("in wins", PERCENT),
    Column("points", POINTS, "interval"),
)


def losses_report(result: Losses, whole: bool = False) -> Report:
    """Return the tables of `result`, its answer first; all cards if it is `whole`."""
    tables = [
        _tabulate_kinds(result),
        _tabulate_signs(result),
        _tabulate_cards(result, whole),
    ]
    if result.examples:
        tables.append(_tabulate_examples(result))
    games = f"{count(result.sample)} of {count(result.games_played)} replayed"
    title = f"How does {result.deck} lose?"
    report = study_report(result, games, tables, title=title)
    if result.margins is None:
        return report
    low, middle, high = result.margins
    margins = f"Half of the losses were by {low} to {high} strength (median {middle})."
    return replace(report, answers=(*report.answers, margins))


def _tabulate_kinds(result: Losses) -> ReportTable:
    rows = tuple((kind.in_words, kind.share) for kind in result.kinds)
    columns = (Column("lost"), Column("of all losses", PERCENT, "interval"))
    return ReportTable(
        f"{result.deck}: the rounds that were lost", columns, rows, even=None
    )


def _tabulate_signs(result: Losses) -> ReportTable:
    note = (
        "observed in replayed games, which does not prove a cause; points: the share "
        "of losses minus that of wins; simultaneous 95% intervals (Bonferroni)"
    )
    title = f"{result.deck}: what happened in losses and in wins"
    rows = _make_contrast_rows(result.signs)
    return ReportTable(
        title, (Column(""), *CONTRAST_COLUMNS), rows, note=note, whole=True, even=0.0
    )


def _tabulate_cards(result: Losses, whole: bool) -> ReportTable:
    shown = result.cards if whole else result.cards[:MAX_LISTED_CARDS]
    left = len(result.cards) - len(shown)
    note = (
        "how often the card was played, in games against decks that hold it; observed, "
        "not caused: a deck that wins anyway plays its cards, too"
    )
    if left:
        note += f"; {left} more with --full"
    title = "Cards that opponents played, those of losses first"
    columns = (Column("card"), *CONTRAST_COLUMNS)
    rows = _make_contrast_rows(shown)
    return ReportTable(title, columns, rows, ranked=True, note=note, even=0.0)


def _make_contrast_rows(contrasts: Sequence[Contrast]) -> tuple[tuple[Cell, ...], ...]:
    return tuple(
        (each.name, each.losses.value, each.wins and each.wins.value, each.difference)
        for each in contrasts
    )


def _tabulate_examples(result: Losses) -> ReportTable:
    rows = tuple(
        (f"{each.opponent}: {each.text}", each.game) for each in result.examples
    )
    [first, *_] = result.examples
    pairing = shlex.quote(f"{result.deck},{first.opponent}")
    note = (
        f"`deckcheck replay FOLDER --pairing {pairing} --game {first.game}` replays "
        "the first"
    )
    columns = (*words("against"), Column("game", COUNT))
    return ReportTable(
        "Losses to look at", columns, rows, note=note, whole=True, even=None
    )


LOSSES = Presentation[Losses](losses_report, full=partial(losses_report, whole=True))
"""How losses are shown."""


# From a run to its losses: a sample of games is played again and observed


MAX_SAMPLE = 100_000

GAMES_OF_PART = 10
"""How many games a process observes before it says so."""

Watch = Callable[[int, int], None]
"""Hears how many games were observed, and how many there are."""


def observe_losses(
    simulation: Simulation,
    result: SimulationResult,
    deck: str,
    sample: int,
    watch: Watch | None = None,
) -> Losses:
    """Play about `sample` games of a deck again, as many with each opponent.

    They are the first ones of the run, one of each pair: so all are independent, and
    each deck begins half of them. `watch` hears of each part. Raises UsageError
    for a deck without a game against another deck in the run, and for games that are no
    duels of several rounds.
    """
    check_range("sample", sample, 1, MAX_SAMPLE)
    if simulation.tournament is not None or result.play != "duel":
        raise _refuse_format(result.format)
    name = find_deck_name(result.decks, deck)
    sets = {table.entrants: table.sets for table in result.tables}
    pairings = []
    for pairing in list_pairings(simulation):
        is_of_two = name in pairing.entrants and len(set(pairing.entrants)) == 2
        if is_of_two and sets.get(pairing.entrants):
            pairings.append(pairing)
    if not pairings:
        raise UsageError(
            f"This run has no game of {quote(name)} against another deck",
            "Look at single games with `deckcheck replay`",
        )
    chosen = []
    for pairing in pairings:
        wanted = min(ceil(sample / len(pairings)), sets[pairing.entrants])
        chosen.append((pairing, _choose_games(pairing, wanted)))
    whole = sum(len(numbers) for _, numbers in chosen)
    if watch is not None:
        watch(0, whole)
    games: list[tuple[str, int]] = []
    seated: list[tuple[Script, int]] = []
    for pairing, numbers in chosen:
        [opponent] = (other for other in pairing.entrants if other != name)
        games += [(opponent, number) for number in numbers]
        for script in write_scripts(simulation.setting, pairing, numbers):
            seats = [seat.name for seat in script.seats]
            seated.append((script, seats.index(name)))
    starts = range(0, len(seated), GAMES_OF_PART)
    parts = [seated[start : start + GAMES_OF_PART] for start in starts]
    observed: list[ObservedGame] = []
    for part in iterate_uncompiled(observe_all, parts, min(usable_cores(), len(parts))):
        if part is None:
            raise _refuse_format(result.format)
        observed += part
        if watch is not None:
            watch(len(observed), whole)
    numbered = []
    for (opponent, number), game in zip(games, observed, strict=True):
        numbered.append(Numbered(opponent, number, game))
    losses = _count_losses(result, name, numbered, simulation.setting.database)
    largest = sum(sets[pairing.entrants] for pairing in pairings)
    return replace(losses, largest_sample=largest)


def _count_losses(
    result: SimulationResult,
    deck: str,
    games: Sequence[Numbered],
    database: CardDatabase,
) -> Losses:
    lost = [each for each in games if each.game.won is False]
    signs = contrast_signs([each.game for each in games]) if lost else ()
    missing = [-each.game.lead for each in lost]
    low, middle, high = quantiles(missing, method="inclusive") if lost[1:] else (0,) * 3
    return Losses(
        **{head.name: getattr(result, head.name) for head in fields(ResultHeader)},
        deck=deck,
        wins=sum(each.game.won is True for each in games),
        losses=len(lost),
        draws=sum(each.game.won is None for each in games),
        margins=(round(low), round(middle), round(high)) if lost[1:] else None,
        kinds=count_lost_rounds([each.game for each in lost]),
        signs=signs,
        cards=_name_cards(games, database) if lost else (),
        examples=find_examples(lost, signs),
    )


def _name_cards(
    games: Sequence[Numbered], database: CardDatabase
) -> tuple[Contrast, ...]:
    """Return the cards that opponents played in losses and wins, against decks with
    them.

    A card that any opponent played was in the deck of those who played it.
    """
    owners: dict[str, set[str]] = {}
    for each in games:
        for card in each.game.cards:
            owners.setdefault(card, set()).add(each.opponent)
    enough: dict[str, list[tuple[bool | None, bool]]] = {}
    for card, opponents in sorted(owners.items()):
        against = [each.game for each in games if each.opponent in opponents]
        wins = sum(game.won is True for game in against)
        losses = sum(game.won is False for game in against)
        if min(wins, losses) >= MIN_CARD_GAMES:
            enough[card] = [(game.won, card in game.cards) for game in against]
    level = joint_level(len(enough))
    cards = [
        contrast(card, database.cards[card].name, pairs, level)
        for card, pairs in enough.items()
    ]
    return tuple(sorted(cards, key=lambda card: card.size, reverse=True))


def _choose_games(pairing: ReplayedPairing, sets: int) -> list[int]:
    """Return the numbers of a pairing's games in the sample: one of each first set."""
    rotation = pairing.table.games_of_set
    return [i * rotation + i % rotation + 1 for i in range(sets)]


def _refuse_format(format: str) -> UsageError:
    return UsageError(
        f"Losses in {quote(format)} cannot be analysed: {option('losses')} only knows "
        "duels of several rounds for gems",
        "Look at single games with `deckcheck replay`",
    )
