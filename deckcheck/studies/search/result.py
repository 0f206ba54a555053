"""The deck that a search found: its document, sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from deckcheck.documents.records import Count, Share
from deckcheck.messages import choice, game_count, plural, quote
from deckcheck.policies.registry import is_weaker, policy_in_words, policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    IN_PERCENT,
    PERCENT,
    POINTS,
    Cell,
    Column,
    Report,
    ReportTable,
    advise_games,
    count,
    cross_check_sentences,
    describe_pilot,
    difference_with_level,
    list_shares_fact,
    numbers,
    percent,
    ranged,
    rate_text,
    rate_with_level,
    study_report,
)
from deckcheck.sim.figures import ALL, Claim, Row, join_answer, tidy
from deckcheck.sim.records import HIDDEN_FIELD, Record, Shares, StudyResult
from deckcheck.stats import Verdict, merge_verdicts
from deckcheck.studies.duels import OpponentEntry
from deckcheck.studies.validation_games import Gain, ShownGap, ValidationGames


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

    def measured(self, first: Gain | None, second: Gain | None) -> DeckStep:
        """Return the step with its gains in the games of one or two bots."""
        if first is None:
            return self
        step = replace(self, gain=first.own, so_far=first.so_far)
        if second is None:
            return step
        return replace(
            step, cross_checked_gain=second.own, cross_checked_so_far=second.so_far
        )

    @property
    def in_words(self) -> str:
        """The change as a command: `Ves for Ballista`, `Clear Weather out`."""
        removed = _list_copies(card for card in self.cards if card.copies < 0)
        added = _list_copies(card for card in self.cards if card.copies > 0)
        parts = [f"{self.leader} as leader"] if self.leader else []
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
    """The policy that played the search. The policy of the validation games played its
    end, the race of the best decks.
    """
    games: Count
    """The number of games of the search."""
    decks: Count
    """The number of decks that were measured."""
    expected_win_rate: Share
    """The win rate that the search expects of the deck, 0 to 1."""
    expected_win_rate_of_base: Share | None
    """The win rate that it expects of the base, 0 to 1; null if there is none."""


@dataclass(frozen=True, slots=True, repr=False)
class FoundDeck(StudyResult):
    """The output of `deckcheck tune` and `build`: the best deck that a search found.

    `deck` and `base` are the same when nothing better was found within
    `changes_allowed`. `games` are those of each deck with each opponent in the
    validation games, `budget` is the number of games of the command.
    """

    KEYS = tuple(
        """
        deck base faction leader base_leader cards swaps steps text shares search
        validation cross_checked
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
    changes_allowed: int | None = None
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

    @property
    def steps(self) -> tuple[DeckStep, ...]:
        """The changes from the base to the deck, in the order in which to make them."""
        steps = []
        for index, step in enumerate(self.path):
            gain = self.validation.gains[index] if self.validation else None
            second = self.cross_checked.gains[index] if self.cross_checked else None
            steps.append(step.measured(gain, second))
        return tuple(steps)

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
        first = self.validations[:1]
        asked = [
            p for p in self.validations if not is_weaker(p.policy, first[0].policy)
        ]
        if not asked:
            return ()
        merged = []
        for index in range(len(self.path)):
            verdicts = [validation.gains[index].own.verdict for validation in asked]
            merged.append(merge_verdicts(*verdicts))
        return tuple(merged)

    @property
    def harmful(self) -> tuple[int, ...]:
        """The indexes of the steps that make the deck worse."""
        numbered = enumerate(self.verdicts)
        return tuple(index for index, v in numbered if v is Verdict.WORSE)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The deck and its base by each bot, and the changes that do harm."""
        claims = []
        for validation in self.validations:
            if self.base is None:
                rate, by = validation.field.win_rates[-1], validation.policy
                claims.append(Claim.of(self.deck, "", rate, even=0.5, by=by))
            elif self.is_new:
                [gain] = validation.field.differences
                claim = Claim(
                    self.deck, self.base, gain, gain.verdict, validation.policy
                )
                claims.append(claim)
            for index in self.harmful:
                loss, change = validation.gains[index].own, self.path[index].in_words
                if loss.verdict is not Verdict.INCONCLUSIVE:
                    claims.append(
                        Claim(change, "", loss, loss.verdict, validation.policy)
                    )
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
        decks, base = plural(self.search.decks, "deck"), self.base
        expected = percent(self.search.expected_win_rate)
        yield (
            f"{quote(self.deck)} is the best of {decks} so far, but no fresh games "
            "have tested it."
        )
        if base is None:
            yield f"The search estimates that it wins {expected} of its games."
        else:
            expected_of_base = percent(self.search.expected_win_rate_of_base)
            yield (
                f"The search estimates that it wins {expected} of its games, and "
                f"{quote(base)} {expected_of_base}."
            )
        yield "The estimate is probably too high, since the same games chose the deck."

    def _describe_rate(self, validation: ValidationGames) -> Iterator[str]:
        """Yield the win rate of a deck that was built, by each bot."""
        rate = validation.field.win_rates[-1]
        opponents = plural(len(validation.opponents), "opponent")
        yield (
            f"{quote(self.deck)} wins {rate_with_level(rate)} of its games against "
            f"{opponents}."
        )
        yield from self._describe_bot()
        if self.cross_checked is not None:
            bot = policy_in_words(self.cross_checked.policy, validation.policy)
            rate = self.cross_checked.field.win_rates[-1]
            yield (f"Piloted by {bot}, {quote(self.deck)} wins {rate_text(rate)}.")

    def _describe_gain(self, validation: ValidationGames, base: str) -> Iterator[str]:
        """Yield whether a tuned deck is better than its base, and by how much."""
        old, rate = quote(base), validation.field.win_rates[-1]
        [gain] = validation.field.differences
        wins = f"{quote(self.deck)} wins {percent(rate.value)} of its games"
        size, interval = IN_PERCENT.number(abs(gain.value)), gain.interval
        if gain.verdict is Verdict.BETTER:
            yield (
                f"{wins}, {size} percentage points more than {old} "
                f"(95% CI {ranged(interval)})."
            )
        elif gain.verdict is Verdict.WORSE:
            yield (
                f"Keep {old}: {wins}, {size} percentage points less "
                f"(95% CI {ranged(gain.opposite().interval)})."
            )
        elif gain.verdict is Verdict.EQUAL:
            yield (
                f"{quote(self.deck)} and {old} are equal within the margin: "
                f"{difference_with_level(gain)}."
            )
        else:
            yield (
                f"No clear gain: in fresh games {quote(self.deck)}, the best deck of "
                f"the search, differs from {old} by {difference_with_level(gain)}."
            )
            yield advise_games(gain, self.budget)
        yield from self._describe_harm()
        yield from self._describe_bot()
        claims = [c for c in self.claims if (c.about, c.than) == (self.deck, base)]
        yield from cross_check_sentences(claims)

    def _describe_harm(self) -> Iterator[str]:
        """Yield the changes to leave out, if there are any."""
        changes = [self.path[index].in_words for index in self.harmful]
        if len(changes) == 1:
            yield f"Leave out {changes[0]}: this change makes the deck worse."
        elif changes:
            listed = choice(changes, "and")
            yield f"Leave out {listed}: each change makes the deck worse by itself."

    def _describe_bot(self) -> Iterator[str]:
        """Yield which bot played, if one bot played all decks."""
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())

    def to_rows(self) -> list[Row]:
        """Tidy rows: the deck and its base in fresh games, over the field, by opponent.

        `policy` played them, `baseline` is the deck that a difference is from.
        """
        words: dict[str, Any] = {"baseline": None, "policy": None}
        rate, games = self.search.expected_win_rate, self.search.games
        rows = [*tidy("win_rate_in_search", rate, games, self.deck, **words)]
        for validation in self.validations:
            for entry in (validation.field, *validation.opponents):
                rows += self._list_rows(validation.policy, entry)
        return rows

    def _list_rows(self, policy: str, entry: OpponentEntry) -> Iterator[Row]:
        """Yield the rows of the games against one opponent, or against all."""
        opponent = entry.name or ALL
        names = [self.deck] if self.base is None else [self.base, self.deck]
        rates = entry.win_rates
        for name, rate in zip(names[-len(rates) :], rates, strict=True):
            words: dict[str, Any] = {"baseline": None, "policy": policy}
            yield from tidy("win_rate", rate, rate.games, name, opponent, **words)
        for gap in entry.differences:
            n, words = rates[-1].games, {"baseline": names[0], "policy": policy}
            yield from tidy("difference", gap, n, names[-1], opponent, **words)


def _list_copies(cards: Iterable[CopiesChange]) -> str:
    """Return the names of cards, with the number of copies where it is above one."""
    names = []
    for card in cards:
        copies = abs(card.copies)
        names.append(f"{copies} {card.name}" if copies > 1 else card.name)
    return ", ".join(names)


# Tables of a deck that a search found


def make_found_report(result: FoundDeck) -> Report:
    """Return the tables of `result`, its answer first."""
    search, cross_checked = result.search, result.cross_checked
    searched = f"{count(search.decks)} decks in {game_count(search.games)}"
    if search.policy:
        searched += f" by {policy_label(search.policy)}"
    facts = [("searched", searched)]
    if cross_checked is not None:
        played = game_count(cross_checked.field.win_rates[-1].games)
        bot = policy_label(cross_checked.policy)
        facts.append(("cross-check", f"by {bot} in {played} of each deck"))
    games = f"{count(result.games_played)} in game pairs"
    if result.validation is not None:
        fresh = count(result.validation.field.win_rates[-1].games)
        games += f", {fresh} fresh ones of each deck in the validation games"
    title = "What is the best deck against this field?"
    if result.base is not None:
        title = f"Can {result.base} be better?"
    return study_report(
        result,
        games,
        _list_tables(result),
        [*facts, *list_shares_fact(result.shares)],
        title=title,
    )


def _list_tables(result: FoundDeck) -> Iterator[ReportTable]:
    """Yield the cards of a deck that was built first, and the changes of a tuned deck.

    Those are the answer.
    """
    if result.base is None:
        yield _list_cards(result)
    if result.steps:
        yield _list_steps(result)
    elif result.base is not None and result.swaps:
        yield _list_changes(result)
    if result.validation is not None:
        yield _list_opponents(result, result.validation)
    if result.base is not None and result.is_new:
        yield _list_cards(result)


def _list_steps(result: FoundDeck) -> ReportTable:
    """Return the changes in their order, and the gain from each."""
    columns = [Column("change")]
    for validation in result.validations:
        bot = f"by {policy_label(validation.policy)}"
        columns.append(Column(bot, POINTS, "95% interval"))
    if result.harmful:
        columns.append(Column("verdict"))
    rows: list[tuple[Cell, ...]] = []
    for index, step in enumerate(result.path):
        gains = [validation.gains[index].own for validation in result.validations]
        verdict = [result.verdicts[index].value] if result.harmful else []
        rows.append((step.in_words, *gains, *verdict))
    note = (
        "points that a change gains after those above it, in fresh games; each bot "
        "has simultaneous 95% intervals"
    )
    title = f"{result.base}: changes that were tried, in this order"
    if result.claims and result.claims[0].verdict is Verdict.BETTER:
        title = f"{result.base}: what to change, in this order"
        note += ". With only some of the cards at hand, begin at the top"
    return ReportTable(
        title,
        tuple(columns),
        tuple(rows),
        ranked=True,
        note=note if result.validations else None,
        whole=True,
        uncut=True,
    )


def _list_changes(result: FoundDeck) -> ReportTable:
    """Return the cards that go and come, where their order is not known yet."""
    return ReportTable(
        f"{result.base}: what to change",
        (Column("card"), Column("copies", COUNT)),
        tuple((card.name, card.copies) for card in result.swaps),
        note="copies that go, with a minus, and that come; the validation games will "
        "order them",
    )


def _list_opponents(result: FoundDeck, validation: ValidationGames) -> ReportTable:
    """Return the fresh games by opponent, or the gains where there is a base."""
    entries = [validation.field]
    if len(validation.opponents) > 1:
        entries += sorted(validation.opponents, key=_sort_key, reverse=True)
    second: dict[str, OpponentEntry] = {}
    columns: list[Column] = [Column("")]
    names = ["win rate" if result.base is None else "points"]
    if result.cross_checked is not None:
        cross_checked = (result.cross_checked.field, *result.cross_checked.opponents)
        second = {entry.name: entry for entry in cross_checked}
        names.append(policy_label(result.cross_checked.policy))
    rows = tuple(_list_figures(entry, second.get(entry.name)) for entry in entries)
    if result.base is None:
        columns += [Column(name, PERCENT, "95% interval") for name in names]
        title = f"{result.deck}: win rate in fresh games"
        return ReportTable(title, tuple(columns), rows)
    columns += numbers(IN_PERCENT, "old", "new")
    columns += [Column(name, POINTS, "95% interval") for name in names]
    note = (
        "old and new: win rates in %; points: what the new deck has more; the "
        "first interval is an individual 95% interval, those against one opponent each "
        "are simultaneous"
    )
    title = f"Old: {result.base}; new: {result.deck}, in fresh games"
    return ReportTable(title, tuple(columns), rows, note=note)


def _sort_key(entry: OpponentEntry) -> float:
    """Return the gain against an opponent, or the win rate without a base."""
    if entry.differences:
        return entry.differences[0].value
    return entry.win_rates[-1].value


def _list_figures(
    entry: OpponentEntry, second: OpponentEntry | None
) -> tuple[Cell, ...]:
    """Return the row of one opponent, with the result of the second bot."""
    name = entry.name or "all opponents"
    entries = [entry] if second is None else [entry, second]
    if not entry.differences:
        return (name, *(played.win_rates[-1] for played in entries))
    old, new = entry.win_rates
    gains = [played.differences[0] for played in entries]
    return (name, old.value, new.value, *gains)


def _list_cards(result: FoundDeck) -> ReportTable:
    """Return the deck, card by card; `deck` among the outputs is the file."""
    title = result.deck
    if result.leader:
        title = f"{result.deck}, {result.leader}"
    columns = (Column("card"), Column("copies", COUNT))
    rows = tuple((card.name, card.copies) for card in result.cards)
    return ReportTable(title, columns, rows)


DECK_SEARCH = Presentation[FoundDeck](
    make_found_report, extra_outputs=(("deck", lambda result: result.text),)
)
