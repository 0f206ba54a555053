"""The result of `tune` and `build`: the deck that a search found, and its answer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from deckcheck.documents.records import (
    Count,
    Difference,
    DifferenceInterval,
    Share,
    ShownAs,
)
from deckcheck.messages import choice, option, plural, quote
from deckcheck.policies.registry import is_weaker, policy_in_words
from deckcheck.report.tables import (
    IN_PERCENT,
    advise_games,
    cross_check_sentences,
    describe_pilot,
    difference_with_level,
    percent,
    ranged,
    rate_text,
)
from deckcheck.sim.bot_errors import BotError, find_gain_error, find_win_rate_error
from deckcheck.sim.figures import ALL, Claim, Figure, Row, join_answer, tidy
from deckcheck.sim.records import HIDDEN_FIELD, Record, Shares, StudyResult
from deckcheck.stats import Interval, Verdict, merge_verdicts
from deckcheck.studies.duels import OpponentEntry
from deckcheck.studies.validation_games import ShownGap, ValidationGames


@dataclass(frozen=True, slots=True)
class CopiesChange(Record):
    """Copies of a card."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: int
    """The number of copies; in a change negative for copies that are taken out."""


@dataclass(frozen=True, slots=True)
class DeckStep(Record):
    """One change on the way from the base to the deck.

    Two changes that are legal only together are one step.
    """

    cards: tuple[CopiesChange, ...]
    """The cards that go and come; empty for a leader."""
    leader: str | None = None
    """The name of the new leader; null if the step changes none."""
    gain: ShownGap | None = None
    """The gain after the steps before it; null if no fresh games were played."""
    so_far: ShownGap | None = None
    """The gain of it and all steps before it; null if no fresh games were played."""
    cross_checked_gain: ShownGap | None = None
    """The same as `gain` with the other policy; null if none played."""
    cross_checked_so_far: ShownGap | None = None
    """The same as `so_far` with the other policy; null if none played."""

    @property
    def description(self) -> str:
        """The change as a command: `Ves for Ballista`, `Clear Weather out`."""
        removed = _list_copies(card for card in self.cards if card.copies < 0)
        added = _list_copies(card for card in self.cards if card.copies > 0)
        parts = []
        if self.leader:
            parts.append(f"{self.leader} as leader")
        if added and removed:
            parts.append(f"{added} for {removed}")
        elif added:
            parts.append(f"{added} in")
        elif removed:
            parts.append(f"{removed} out")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Searched(Record):
    """The search; its games chose the deck, so they flatter it."""

    policy: str
    """The policy that played the search. If it is a faster one, the policy of the
    validation games played the race of the best decks at its end.
    """
    games: Count
    """The number of games of the search."""
    decks: Count
    """The number of decks that were measured."""
    expected_win_rate: Share
    """The win rate that the search expects of the deck, 0 to 1."""
    expected_win_rate_of_base: Share | None
    """The win rate that it expects of the base, 0 to 1; null if there is none."""


@dataclass(frozen=True, slots=True)
class Promise(Record):
    """A gain or a win rate, with an interval for the bot and for others as strong."""

    value: Annotated[float, ShownAs(Difference)]
    """The gain over the base, or the win rate of a deck that was built, -1 to 1."""
    interval: Annotated[Interval, ShownAs(DifferenceInterval)]
    """Its 95% interval, which holds the error of the bot as well."""


@dataclass(frozen=True, slots=True, repr=False)
class FoundDeck(StudyResult):
    """The output of `deckcheck tune` and `build`: the best deck that a search found.

    `deck` and `base` are the same when nothing better was found. `games` counts the
    games of each deck with each opponent in the validation games.
    """

    KEYS = tuple(
        """
        deck base faction leader base_leader cards swaps steps text shares search
        validation cross_checked promise
        """.split()
    )
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 had intervals that held one at a time."""
    deck: str = ""
    """The name of the deck; that of the base if nothing better was found."""
    base: str | None = None
    """The name of the deck it was made of; null if there is none."""
    faction: str | None = None
    """The id of the deck's faction; null if it has none."""
    leader: str | None = None
    """The name of the deck's leader; null if it has none."""
    base_leader: str | None = None
    """The name of the base's leader; null if it has none."""
    cards: tuple[CopiesChange, ...] = ()
    """The cards of the deck."""
    swaps: tuple[CopiesChange, ...] = ()
    """The differences of the deck from its base."""
    path: Annotated[tuple[DeckStep, ...], HIDDEN_FIELD] = ()
    """The changes from the base to the deck, without their gains."""
    changes_allowed: int | None = None
    """The most changes that the search could make, None without a base."""
    text: str = ""
    """The deck as the text of a deck file."""
    shares: Shares = ()
    """The share of each opponent in the field, by name; empty if all come alike."""
    search: Searched = Searched("", 0, 0, 0.0, None)
    """The search: its games and decks."""
    validation: ValidationGames | None = None
    """Fresh games of the deck and its base; null if none were played."""
    cross_checked: ValidationGames | None = None
    """Fresh games played by another policy; null if none was asked for."""
    budget: int = 0
    """The number of games that the command may play in all."""

    @property
    def steps(self) -> tuple[DeckStep, ...]:
        """The changes from the base to the deck, in the order in which to make them."""
        steps = list(self.path)
        if self.validation is not None:
            for index, gain in enumerate(self.validation.gains):
                steps[index] = replace(steps[index], gain=gain.step, so_far=gain.so_far)
        if self.cross_checked is not None:
            for index, gain in enumerate(self.cross_checked.gains):
                steps[index] = replace(
                    steps[index],
                    cross_checked_gain=gain.step,
                    cross_checked_so_far=gain.so_far,
                )
        return tuple(steps)

    @property
    def bot_error(self) -> BotError | None:
        """The error of the bot in the promise, or in a matchup without a promise."""
        return self._find_promise_error() or self.find_matchup_error()

    @property
    def promise(self) -> Promise | None:
        """The gain or the win rate, with an interval that holds the error of the bot;
        null without fresh games, a clear gain or a measured error.
        """
        fresh, error = self._clear_figure, self._find_promise_error()
        if fresh is None or error is None:
            return None
        return Promise(fresh.value, error.widen(fresh.value, fresh.interval))

    def _find_promise_error(self) -> BotError | None:
        """Return the error of the gain or of the win rate, None if it is not known."""
        fresh, bot = self._clear_figure, self.only_bot
        if fresh is None or bot is None:
            return None
        if self.base is not None:
            return find_gain_error(*bot, fresh.value)
        return find_win_rate_error(*bot, self._compute_faction_shares().values())

    @property
    def _clear_figure(self) -> Figure | None:
        """The gain in fresh games if it is clear, or the win rate without a base."""
        if self.validation is None:
            return None
        if self.base is None:
            return self.validation.field.win_rates[-1]
        [gain] = self.validation.field.differences
        return gain if gain.verdict is Verdict.BETTER else None

    def _compute_faction_shares(self) -> dict[str | None, float]:
        """Return the share of each faction in the field, 0 to 1."""
        opponents = [d for d in self.decks if d.name not in (self.deck, self.base)]
        shares = dict(self.shares)
        faction_shares: dict[str | None, float] = defaultdict(float)
        for opponent in opponents:
            share = shares.get(opponent.name, 1 / len(opponents))
            faction_shares[opponent.faction] += share
        return faction_shares

    @property
    def validations(self) -> tuple[ValidationGames, ...]:
        """The fresh games by each bot that played them."""
        return tuple(filter(None, (self.validation, self.cross_checked)))

    @property
    def is_new(self) -> bool:
        """Whether the deck differs from the base."""
        return self.base is None or self.deck != self.base

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict on each step by all bots that are not weaker than the first."""
        first = self.validation
        if first is None:
            return ()
        verdicts = []
        for index in range(len(self.path)):
            by_bot = [first.gains[index].step.verdict]
            second = self.cross_checked
            if second is not None and not is_weaker(second.policy, first.policy):
                by_bot.append(second.gains[index].step.verdict)
            verdicts.append(merge_verdicts(*by_bot))
        return tuple(verdicts)

    @property
    def harmful_steps(self) -> tuple[int, ...]:
        """The indexes of the steps that make the deck worse."""
        indexes = range(len(self.path))
        verdicts = self.verdicts
        return tuple(index for index in indexes if verdicts[index] is Verdict.WORSE)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The deck and its base by each bot, and the changes that do harm."""
        claims = []
        for validation in self.validations:
            policy = validation.policy
            if self.base is None:
                rate = validation.field.win_rates[-1]
                claims.append(Claim.of(self.deck, "", rate, even=0.5, by=policy))
            elif self.is_new:
                [gain] = validation.field.differences
                claims.append(Claim(self.deck, self.base, gain, gain.verdict, policy))
            for index in self.harmful_steps:
                loss = validation.gains[index].step
                if loss.verdict is not Verdict.INCONCLUSIVE:
                    change = self.path[index].description
                    claims.append(Claim(change, "", loss, loss.verdict, policy))
        return tuple(claims)

    @property
    def answer(self) -> str:
        """The deck that was found, or that none was, in a few sentences."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the sentences of the answer."""
        if not self.is_new:
            yield self._describe_failure()
        elif self.validation is None:
            yield from self._describe_search()
        elif self.base is None:
            yield from self._describe_rate(self.validation)
        else:
            yield from self._describe_gain(self.validation, self.base)

    def _describe_failure(self) -> str:
        """Return the sentence for a search that found no better deck."""
        changes = plural(self.changes_allowed or 0, "change")
        if self.complete:
            return f"No deck within {changes} of {quote(self.deck)} is better."
        return f"No deck within {changes} of {quote(self.deck)} is better so far."

    def _describe_search(self) -> Iterator[str]:
        """Yield the best deck so far, where no fresh games were played."""
        decks = plural(self.search.decks, "deck")
        yield (
            f"{quote(self.deck)} is the best of {decks} so far, but no fresh games "
            "have tested it."
        )
        expected = percent(self.search.expected_win_rate)
        if self.base is None:
            yield f"The search estimates that it wins {expected} of its games."
        else:
            expected_of_base = percent(self.search.expected_win_rate_of_base)
            yield (
                f"The search estimates that it wins {expected} of its games, and "
                f"{quote(self.base)} {expected_of_base}."
            )
        yield "The estimate is probably too high, since the same games chose the deck."

    def _describe_rate(self, validation: ValidationGames) -> Iterator[str]:
        """Yield the win rate of a deck that was built, by each bot."""
        rate = validation.field.win_rates[-1]
        opponents = plural(len(validation.opponents), "opponent")
        yield (
            f"{quote(self.deck)} wins {percent(rate.value)} of its games against "
            f"{opponents} ({self._write_interval(rate)})."
        )
        yield from self._describe_bot(rate)
        if self.cross_checked is not None:
            bot = policy_in_words(self.cross_checked.policy, validation.policy)
            rate = self.cross_checked.field.win_rates[-1]
            yield f"Piloted by {bot}, {quote(self.deck)} wins {rate_text(rate)}."

    def _describe_gain(self, validation: ValidationGames, base: str) -> Iterator[str]:
        """Yield how a tuned deck compares with its base, and the changes that harm."""
        rate = validation.field.win_rates[-1]
        wins = f"{quote(self.deck)} wins {percent(rate.value)} of its games"
        [gain] = validation.field.differences
        size = IN_PERCENT.number(abs(gain.value))
        if gain.verdict is Verdict.BETTER:
            yield (
                f"{wins}, {size} percentage points more than {quote(base)} "
                f"({self._write_interval(gain)})."
            )
        elif gain.verdict is Verdict.WORSE:
            yield (
                f"Keep {quote(base)}: {wins}, {size} percentage points less "
                f"(95% CI {ranged(gain.opposite().interval)})."
            )
        elif gain.verdict is Verdict.EQUAL:
            yield (
                f"{quote(self.deck)} and {quote(base)} are equal within the margin: "
                f"{difference_with_level(gain)}."
            )
        else:
            yield (
                f"No clear gain: in fresh games {quote(self.deck)}, the best deck of "
                f"the search, differs from {quote(base)} by "
                f"{difference_with_level(gain)}."
            )
            yield advise_games(gain, self.budget)
        yield from self._describe_harm()
        yield from self._describe_bot(gain)
        yield from cross_check_sentences([c for c in self.claims if c.than == base])

    def _write_interval(self, fresh: Figure) -> str:
        """Return the interval of the first sentence, with the bot error if known."""
        if self.promise is None:
            return f"95% CI {ranged(fresh.interval)}"
        return f"95% CI {ranged(self.promise.interval)}, bot error included"

    def _describe_harm(self) -> Iterator[str]:
        """Yield the changes to leave out, if there are any."""
        changes = [self.path[index].description for index in self.harmful_steps]
        if len(changes) == 1:
            yield f"Leave out {changes[0]}: this change makes the deck worse."
        elif changes:
            listed = choice(changes, "and")
            yield f"Leave out {listed}: each change makes the deck worse by itself."

    def _describe_bot(self, fresh: Figure) -> Iterator[str]:
        """Yield the bot, if one bot played all decks, and the interval for it alone."""
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        if self.promise is None:
            return
        yield f"For this bot alone the 95% CI is {ranged(fresh.interval)}."
        is_doubtful = self.base is not None and self.promise.interval.low <= 0
        bots = [validation.policy for validation in self.validations]
        if is_doubtful and all(is_weaker(bot, bots[0]) for bot in bots[1:]):
            yield (
                "Other bots as strong may find no gain; try "
                f"{option('cross-check', 'search')}."
            )

    def to_rows(self) -> list[Row]:
        """Tidy rows: the deck and its base in fresh games, over the field, by opponent.

        `policy` played them, `baseline` is the deck that a difference is from.
        """
        rate, games = self.search.expected_win_rate, self.search.games
        rows = [
            *tidy(
                "win_rate_in_search", rate, games, self.deck, baseline=None, policy=None
            )
        ]
        for validation in self.validations:
            for entry in (validation.field, *validation.opponents):
                rows += self._list_rows(validation.policy, entry)
        return rows

    def _list_rows(self, policy: str, entry: OpponentEntry) -> Iterator[Row]:
        """Yield the rows of the games against one opponent, or against all."""
        opponent = entry.name or ALL
        rate = entry.win_rates[-1]
        words: dict[str, Any] = {"baseline": None, "policy": policy}
        if self.base is not None:
            old, base = entry.win_rates[0], self.base
            yield from tidy("win_rate", old, old.games, base, opponent, **words)
        yield from tidy("win_rate", rate, rate.games, self.deck, opponent, **words)
        words = {"baseline": self.base, "policy": policy}
        for gap in entry.differences:
            yield from tidy("difference", gap, rate.games, self.deck, opponent, **words)


def _list_copies(cards: Iterable[CopiesChange]) -> str:
    """Return the names of cards, with the number of copies where it is above one."""
    names = []
    for card in cards:
        copies = abs(card.copies)
        names.append(card.name if copies == 1 else f"{copies} {card.name}")
    return ", ".join(names)
