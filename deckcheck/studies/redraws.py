"""`impact --redraws`: cards of the dealt hand kept and redrawn in the same games."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from math import ceil
from os import PathLike
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.lines import LineDefect, parse_card_line
from deckcheck.engine.registry import load_game
from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote, suggestion
from deckcheck.playing.kernel import Head
from deckcheck.playing.redraws import Redraws, games_played
from deckcheck.playing.table import seat
from deckcheck.playing.versions import ROTATION, find_card_numbers, seat_version
from deckcheck.policies.registry import Policy, read_policy
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.study import Interrupted
from deckcheck.sim.table_results import combine_checksums
from deckcheck.specs import RedrawsSpec
from deckcheck.studies.deck_stats import hand_size
from deckcheck.studies.duels import (
    DuelStudy,
    count_second_games,
    list_shares,
    read_deck_and_field,
)
from deckcheck.studies.redraws_result import (
    Choice,
    FreshRedraw,
    FreshRedraws,
    OwnRedraws,
    Redraw,
    RedrawsResult,
    measure_redraws,
)
from deckcheck.validation import DeckReport

# The hand that the user names


def read_hand(
    hand: str | PathLike[str] | Sequence[str],
    deck: Deck,
    database: CardDatabase,
    size: int,
) -> tuple[str, ...]:
    """Return the ids of the cards of a hand, in the order of the deck.

    A hand is a text such as `2 Catapult, Roach`, the file of such a text, or a list of
    names. Names are separated by commas or lines, and in quotes if they have a comma.
    Raises UsageError for a hand that the deck cannot be dealt: it takes `size` cards.
    """
    if isinstance(hand, PathLike) or (isinstance(hand, str) and _is_path(hand)):
        hand = _read_file(Path(hand))
    if isinstance(hand, str):
        hand = _split_names(hand)
    deck_counts = deck.counts()
    counts: Counter[str] = Counter()
    for name in hand:
        line = parse_card_line(name)
        if isinstance(line, LineDefect):
            raise UsageError(f"{option('hand')}: {line.message}", line.help)
        counts[_find_deck_card(line.name, deck, database)] += line.count
    for card, copies in counts.items():
        if copies > deck_counts[card]:
            raise UsageError(
                f"{option('hand')}: {plural(copies, 'copy')} of "
                f"{quote(database.cards[card].name)}, the deck has "
                f"{deck_counts[card]}",
                "Name cards of the deck",
            )
    if counts.total() != size:
        raise UsageError(
            f"{option('hand')} has {plural(counts.total(), 'card')}, "
            f"{quote(deck.name)} is dealt {size}",
            "Name the whole hand, before redraws",
        )
    cards: list[str] = []
    for card in deck_counts:
        cards += [card] * counts[card]
    return tuple(cards)


def _is_path(text: str) -> bool:
    """Report whether a text names a file, as `hand.txt` does, and not cards."""
    suffix = Path(text).suffix
    return "," not in text and suffix != "" and not suffix[1:2].isspace()


def _read_file(path: Path) -> str:
    """Return the text of a file, or raise UsageError."""
    if not path.is_file():
        raise UsageError(
            f"{option('hand')}: no such file {quote(str(path))}",
            "Name the cards of the hand, with commas, or a file with one on a line",
        )
    with usable("read", path):
        return path.read_text("utf-8-sig", errors="replace")


def _split_names(text: str) -> list[str]:
    """Return the names in a text without its comments.

    >>> _split_names('Roach, "Cirilla, Lady of Space and Time"')
    ['Roach', 'Cirilla, Lady of Space and Time']
    """
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    names = []
    for row in csv.reader(lines, skipinitialspace=True):
        names += [name.strip() for name in row if name.strip()]
    return names


def _find_deck_card(name: str, deck: Deck, database: CardDatabase) -> str:
    """Return the id of the card of a deck that a name means, or raise UsageError."""
    lookup = database.find_card(name)
    fitting = list(lookup.candidates)
    if lookup.id is not None:
        fitting.insert(0, lookup.id)
    counts = deck.counts()
    ids = [id for id in fitting if id in counts]
    if len(ids) == 1:
        return ids[0]
    if ids:
        names = [database.cards[id].name for id in ids]
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
    if fitting:
        names = [database.cards[id].name for id in fitting]
        raise UsageError(
            f"{option('hand')}: {quote(name)} may be {choice(names)}, and "
            f"{quote(deck.name)} has none of them",
            "Name cards of the deck",
        )
    raise UsageError(
        f"{option('hand')}: no card is called {quote(name)}",
        suggestion(lookup.suggestions, "Name cards of the deck"),
    )


# The study: cards are kept and redrawn in the same games

MAX_RETESTED = 5
"""The most redraws of the first trial that are played again."""


class Part(IntEnum):
    """The parts of the study, by which jobs are numbered."""

    FIRST_TRIAL = 0
    """All redraws."""
    FRESH_GAMES = 1
    """The best redraws of the first trial, in other games."""
    CROSS_CHECK = 2
    """The same redraws, played by the second bot."""


@dataclass(frozen=True)
class RedrawsStudy(DuelStudy[RedrawsSpec, RedrawsResult]):
    """The study of the cards of a deck to redraw, see `Part` for its games.

    It tries each card of any hand. If a hand is named, it tries all cards that may be
    redrawn together.
    """

    KIND = "redraws"
    QUESTION = RedrawsSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The redraws to try. A card with several copies in the hand may come twice."""
        hand = self.question.hand
        if not hand:
            return tuple((card,) for card in self.deck.deck.counts())
        most = min(int(self.format.options["redraws"]), len(hand))
        choices: dict[Choice, None] = {}
        for size in range(1, most + 1):
            choices |= dict.fromkeys(combinations(hand, size))
        return tuple(choices)

    def answer(self, games: GameSession) -> RedrawsResult:
        """Play all games. An interrupt carries the result of the first trial so far."""
        policy, budget = self.question.policies[0], self.question.budget
        fresh: list[FreshRedraws] = []
        try:
            first_games = self._estimate_games(policy, len(self.choices), budget)
            games.expect(Counter({policy: first_games}) + self._estimate_retests(1))
            redraws, by_bot = self._play(
                games, Part.FIRST_TRIAL, policy, self.choices, budget
            )
            best = choose_best_redraws(redraws)
            games.expect(self._estimate_retests(len(best)))
            for part, bot, number in self._retests:
                retested, _ = self._play(games, part, bot, best, number)
                fresh.append(make_fresh(bot, retested))
        except StoppedEarly:
            so_far = self._measure_so_far(games)
            if so_far is None:
                raise Interrupted(None) from None
            redraws, by_bot = so_far
            result = self._make_result(games, redraws, by_bot, tuple(fresh))
            raise Interrupted(replace(result, complete=False)) from None
        return self._make_result(games, redraws, by_bot, tuple(fresh))

    @property
    def _retests(self) -> list[tuple[Part, str, int]]:
        """Return the parts that play the best redraws again, their bots and games."""
        question = self.question
        retests = [(Part.FRESH_GAMES, question.policies[0], question.budget)]
        if question.cross_check is not None:
            games = count_second_games(question)
            retests.append((Part.CROSS_CHECK, question.cross_check, games))
        return retests

    def _estimate_retests(self, choices: int) -> Counter[str]:
        """Estimate the games of each bot that plays the best redraws again."""
        counts: Counter[str] = Counter()
        for _, bot, games in self._retests:
            counts[bot] += self._estimate_games(bot, choices, games)
        return counts

    def _estimate_games(self, policy: str, choices: int, games: int) -> int:
        """Return about how many games there are with `games` of each redraw."""
        return self._estimate_set_games(policy, choices) * sum(self._count_sets(games))

    def _estimate_set_games(self, policy: str, choices: int) -> int:
        """Return about how many games a set has, with this number of redraws to try.

        Each game is played as the bot redraws. If a hand is named, it is played again
        with the whole hand kept, and with each redraw. Else it is played again for each
        card that is dealt, with the card kept and redrawn. The heuristic is
        deterministic, so one of these is the game as the bot redraws.
        """
        if self.question.hand:
            return ROTATION * (2 + choices)
        dealt = max(1, round(self._hand_size * choices / len(self.choices)))
        if read_policy(policy).policy == Policy.HEURISTIC:
            return ROTATION * (1 + dealt)
        return ROTATION * (1 + 2 * dealt)

    @property
    def _hand_size(self) -> int:
        """The number of cards that are dealt."""
        return hand_size(self.format, self.database, self.deck.deck)

    def _count_sets(self, games: int) -> list[int]:
        """Return the sets with each opponent for `games` games with each card.

        Not every hand has a card, so that there are more sets by the share of the deck
        that is dealt: for 100 games with each card, 250 hands of 10 cards out of 25.
        """
        hands = games
        if not self.question.hand:
            cards = self.deck.deck.counts().total()
            hands = ceil(games * cards / self._hand_size)
        sets = ceil(hands / ROTATION / len(self.field))
        if not self.question.weights:
            return [sets] * len(self.field)
        unit = sets * len(self.field) / sum(self.question.weights)
        return [max(1, round(unit * weight)) for weight in self.question.weights]

    def _play(
        self,
        games: GameSession,
        part: Part,
        policy: str,
        choices: Sequence[Choice],
        number: int,
    ) -> tuple[tuple[Redraw, ...], OwnRedraws]:
        """Play a part with each opponent, `number` games of each redraw."""
        field = self.field
        if part is Part.CROSS_CHECK:
            field = self.played_by(policy).field
        sets = self._count_sets(number)
        tables, work = [], []
        for index, opponent in enumerate(field):
            table = self._make_table(opponent, policy, choices)
            job = Job(
                part * len(field) + index,
                f"redraws of {self.deck.name} against {opponent.name}",
                table,
                # The time that a set takes depends on the number of choices as well.
                (opponent.policy, policy, str(len(choices))),
                sets[index],
                self._estimate_set_games(policy, len(choices)),
            )
            tables.append(table)
            work.append(job)
        games.play(work, (tables[0].engine,))
        tallies = [games.tallies[job.number] for job in work]
        return measure_redraws(choices, tables, tallies, self.database)

    def _measure_so_far(
        self, games: GameSession
    ) -> tuple[tuple[Redraw, ...], OwnRedraws] | None:
        """Return the first trial so far, or None before all opponents were met."""
        tables, tallies = [], []
        for number, opponent in enumerate(self.field):
            tally = games.tallies.get(number)
            if tally is None or not tally[0, Head.SETS]:
                return None
            tallies.append(tally)
            policy = self.question.policies[0]
            tables.append(self._make_table(opponent, policy, self.choices))
        return measure_redraws(self.choices, tables, tallies, self.database)

    def _make_table(
        self, opponent: Entrant, policy: str, choices: Sequence[Choice]
    ) -> Redraws:
        """Return the table at which the deck tries `choices` against an opponent."""
        deck = self.deck.deck
        table = seat_version(
            self.format,
            self.database,
            seat(opponent.deck, opponent.policy),
            seat(deck, policy),
        )
        numbers = load_game(self.format.game).card_numbers(self.database)
        card_numbers = find_card_numbers(table, numbers, deck.counts())
        hand = sorted(card_numbers[card] for card in self.question.hand)
        tried = []
        for ids in choices:
            tried.append(tuple(card_numbers[card] for card in ids))
        return Redraws(table, tuple(tried), tuple(hand))

    def _make_result(
        self,
        games: GameSession,
        redraws: tuple[Redraw, ...],
        by_bot: OwnRedraws,
        fresh: tuple[FreshRedraws, ...],
    ) -> RedrawsResult:
        """Return the result of the first trial and the fresh games."""
        cards = self.database.cards
        first_jobs = range(len(self.field))
        sets = sum(int(games.tallies[number][0, Head.SETS]) for number in first_jobs)
        return RedrawsResult(
            **self.describe_run(
                games, (self.deck, *self.field), self.question.cross_check
            ),
            games=ROTATION * sets,
            games_played=sum(map(games_played, games.tallies.values())),
            checksum=combine_checksums(games.tallies.values()),
            deck=self.deck.name,
            hand=tuple(cards[card].name for card in self.question.hand),
            redraws=rank_redraws(redraws),
            own=by_bot,
            fresh=fresh,
            shares=list_shares(self.field, self.question.weights),
            budget=self.question.budget,
        )


def rank_redraws(redraws: Sequence[Redraw]) -> tuple[Redraw, ...]:
    """Return the redraws by what they gain, the largest gain first."""
    return tuple(sorted(redraws, key=lambda redraw: -redraw.gain.value))


def choose_best_redraws(redraws: Sequence[Redraw]) -> tuple[Choice, ...]:
    """Return the redraws that gain, the best first, or else the best redraw."""
    ranked = rank_redraws(redraws)
    best = [redraw.ids for redraw in ranked if redraw.gain.interval.low > 0]
    if not best:
        best = [redraw.ids for redraw in ranked[:1]]
    return tuple(best[:MAX_RETESTED])


def make_fresh(policy: str, redraws: Sequence[Redraw]) -> FreshRedraws:
    """Return redraws that a bot played again, in their order."""
    fresh = []
    for redraw in redraws:
        gain = redraw.gain
        fresh.append(FreshRedraw(redraw.ids, redraw.names, redraw.games, gain))
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
    entrant, field, question = read_deck_and_field(fmt, deck, against, question, use)
    size = hand_size(fmt, database, entrant.deck)
    if hand is not None:
        ids = read_hand(hand, entrant.deck, database, size)
        question = replace(question, hand=ids)
    return RedrawsStudy(fmt, database, question, entrant, field)
