"""`impact --redraws`: cards of the dealt hand kept and redrawn in the same games."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import ceil
from os import PathLike, fspath
from pathlib import Path

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.decks.lines import LineDefect, parse_card_line
from deckcheck.engine.registry import load_game
from deckcheck.files import usable
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import choice, option, plural, quote, suggestion
from deckcheck.playing.kernel import Head, Ints
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
    if isinstance(hand, PathLike):
        names: Sequence[str] = _split_names(_read_hand(Path(fspath(hand))))
    elif isinstance(hand, str):
        names = _split_names(_read_hand(Path(hand)) if _is_path(hand) else hand)
    else:
        names = hand
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


def _is_path(text: str) -> bool:
    """Report whether a text names a file, as `hand.txt` does, and not cards."""
    suffix = Path(text).suffix
    return "," not in text and suffix != "" and not suffix[1:2].isspace()


def _read_hand(path: Path) -> str:
    if not path.is_file():
        raise UsageError(
            f"{option('hand')}: no such file {quote(str(path))}",
            "Name the cards of the hand, with commas, or a file with one on a line",
        )
    with usable("read", path):
        return path.read_text("utf-8-sig", errors="replace")


def _split_names(text: str) -> list[str]:
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
    if lookup.candidates:
        names = [database.cards[id].name for id in lookup.candidates]
        raise UsageError(
            f"{option('hand')}: {quote(name)} may be {choice(names)}, and "
            f"{quote(deck.name)} has none of them",
            "Name cards of the deck",
        )
    raise UsageError(
        f"{option('hand')}: no card is called {quote(name)}",
        suggestion(lookup.suggestions, "Name cards of the deck"),
    )


# The cards of the dealt hand: they are kept and redrawn in the same games


CROSS_CHECK_PART = 2
"""The part that a second bot plays, after the first trial and the fresh games. Jobs are
numbered by parts."""

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
            players.append((question.cross_check, count_second_games(question)))
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
        field = self.field if part < CROSS_CHECK_PART else self.played_by(policy).field
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
            shares=list_shares(self.field, self.question.weights),
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
    entrant, field, question = read_deck_and_field(fmt, deck, against, question, use)
    size = hand_size(fmt, database, entrant.deck)
    if hand is not None:
        ids = read_hand(hand, entrant.deck, database, size)
        question = replace(question, hand=ids)
    return RedrawsStudy(fmt, database, question, entrant, field)
