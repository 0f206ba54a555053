"""The impact of each card of a deck: result, report, play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from itertools import count as counting
from math import ceil
from typing import Annotated, Any, ClassVar, Literal

from deckcheck.cards import CardDatabase
from deckcheck.documents.records import Count, Ordinal
from deckcheck.engine.registry import load_game
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import plural, quote
from deckcheck.playing.kernel import Head
from deckcheck.playing.versions import ROTATION, Versions
from deckcheck.policies.registry import policy_label
from deckcheck.report.outputs import Presentation
from deckcheck.report.tables import (
    COUNT,
    GAIN_COLUMN,
    IN_PERCENT,
    IN_TEXT,
    ON_PAGE,
    POINTS,
    UNKNOWN_CELL,
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
    points,
    shares_fact,
    study_report,
    words,
)
from deckcheck.sim.cross_checking import choosing_player
from deckcheck.sim.entrants import Entrant
from deckcheck.sim.figures import Claim, Figure, Row, join_answer, tidy
from deckcheck.sim.records import HIDDEN_FIELD, Record, Shares, StudyResult
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.standings import combine_checksums
from deckcheck.specs import ImpactSpec
from deckcheck.stats import Verdict, find_verdict
from deckcheck.studies.duels import (
    FieldStudy,
    deck_and_field,
    find_deck_card,
    games_again,
    shares_in,
)
from deckcheck.studies.observed import (
    SEEN_WAYS,
    Observed,
    measure_observed_cards,
    watch_cards,
)
from deckcheck.studies.swaps import (
    Effect,
    EffectBeside,
    Race,
    Swap,
    Trial,
    TriedSwaps,
    choose_average_cards,
    choose_average_swaps,
    list_legal_swaps,
)
from deckcheck.validation import DeckReport

# The result of `impact`: the cards of a deck and their impact


AVERAGE_CARD = "an average card"
FLATTERED_NOTE = "These games also chose the card, so it is probably better than this."


@dataclass(frozen=True, slots=True)
class OpponentEffect(Record):
    """The impact of a card against one opponent."""

    opponent: str
    """The name of the opponent."""
    impact: EffectBeside


@dataclass(frozen=True, slots=True)
class Alternative(Record):
    """The gain of the deck from another card instead of a card."""

    id: str
    """The id of the other card."""
    name: str
    """The name of the other card."""
    gain: EffectBeside


@dataclass(frozen=True, slots=True)
class CardImpact(Record):
    """The impact of one copy of a card in the deck; `expected` in selection games."""

    id: str
    """The id of the card."""
    name: str
    """The name of the card."""
    copies: Ordinal
    """The number of copies in the deck."""
    policy: str
    """The policy that played the games with which the card is weighed."""
    games: Count
    """The number of these games of each version of the deck."""
    impact: Effect
    """The gain of the deck from one copy instead of an average card."""
    most_against: str
    """The opponent against whom the card is worth most, by the first trial."""
    observed: tuple[Observed, ...]
    """Observed figures of the card, which show no cause; empty if games are missing."""
    against: tuple[OpponentEffect, ...]
    """The impact against each opponent."""
    alternatives: tuple[Alternative, ...]
    """The best cards to try in its place, the best first by the first trial; empty for
    a card that was weighed in selection games alone."""
    expected: Annotated[float, HIDDEN_FIELD] = 0.0


@dataclass(frozen=True, slots=True)
class CrossCheckResult(Record):
    """The card that `cut` names, as another policy plays the deck and its field."""

    policy: str
    """The policy that played."""
    games: Count
    """The number of games of each version of the deck."""
    impact: Effect
    """The gain of the deck from one copy instead of an average card."""
    gain: Effect | None
    """The gain from the best card in its place; null if there is none."""


@dataclass(frozen=True, slots=True, repr=False)
class ImpactResult(StudyResult):
    """The output of `deckcheck impact --output-format json`.

    `games` are those of each version, over the field. Which card to `cut`, which to try
    for it, and the ranking were not chosen in the games that the effects are from;
    unless it was `measured`, these are the only ones so far. What is observed of a card
    is not a cause: a card that is played late is played in games that went on.
    """

    KEYS = ("deck", "average", "shares", "cut", "cards", "cross_checked")
    schema_version: ClassVar[Literal[2]] = 2
    """The version of this document; 1 ranked cards by the games that measured them."""
    deck: str = ""
    """The name of the deck."""
    average: tuple[str, ...] = ()
    """The ids of the cards that stand for an average card."""
    cards: tuple[CardImpact, ...] = ()
    """The cards of the deck, the most valuable first by the first trial."""
    cut: str = ""
    """The id of the card that the first trial would cut, or of the only one; see
    `claims`."""
    cross_checked: CrossCheckResult | None = None
    """The card that `cut` names, played by another policy; null if none did."""
    shares: Shares = ()
    """The share of each opponent in the field, by name; empty if all come alike."""
    measured: bool = True

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of the opponents."""
        return tuple(effect.opponent for effect in self.cards[0].against)

    @property
    def claims(self) -> tuple[Claim, ...]:
        """What the answer claims of that card and of the best replacement, by each bot.

        Games that also chose the card claim nothing.
        """
        claims = []
        if self.measured:
            for about, than, figures in self._said:
                for by, figure in figures:
                    claims.append(Claim.of(about, than, figure, by=by))
        return tuple(claims)

    @property
    def _said(self) -> list[tuple[str, str, list[PlayedFigure]]]:
        """Return the impact of the card to cut, or of the only card, by each bot.

        The only card is followed by the gain of its best replacement.
        """
        [card] = [card for card in self.cards if card.id == self.cut]
        second, first = self.cross_checked, self.players[0]
        impacts: list[PlayedFigure] = [(first, card.impact)]
        if second:
            impacts.append((second.policy, second.impact))
        compared = [(card.name, AVERAGE_CARD, impacts)]
        if len(self.cards) == 1 and card.alternatives:
            best = card.alternatives[0]
            gains: list[PlayedFigure] = [(first, best.gain)]
            if second and second.gain:
                gains.append((second.policy, second.gain))
            compared.append((best.name, card.name, gains))
        return compared

    @property
    def answer(self) -> str:
        """The answer in a sentence or two."""
        return join_answer(self.claims, self._write_sentences())

    def _write_sentences(self) -> Iterator[str]:
        """Yield the impact of the only or weakest card, and of the best replacement."""
        (name, than, impacts), *replacements = self._said
        impact = impacts[0][1]
        yield self._describe_impact(quote(name), impact)
        if not self.measured:
            if len(self.cards) > 1:
                yield FLATTERED_NOTE
            return
        if find_verdict(impact.interval) is Verdict.INCONCLUSIVE:
            yield advise_games(impact, self.games)
        pilots = {deck.policy for deck in self.decks}
        if len(pilots) == 1:
            yield describe_pilot(pilots.pop())
        yield from self._cross_check(name, than)
        for other, replaced, gains in replacements:
            yield describe_replacement(replaced, other, gains[0][1])
            yield from self._cross_check(other, replaced)

    def _cross_check(self, about: str, than: str) -> Iterator[str]:
        """Yield the result of the second bot for a card."""
        claims = [c for c in self.claims if (c.about, c.than) == (about, than)]
        yield from cross_check_sentences(claims)

    def _describe_impact(self, card: str, impact: Figure) -> str:
        """Return the impact of the only card, or of the weakest."""
        difference = difference_with_level(impact)
        verdict = find_verdict(impact.interval)
        if not self.measured:
            return f"It is too early to tell what {card} is worth: {difference} so far."
        if len(self.cards) > 1:
            return _describe_weakest(card, verdict, difference)
        if verdict is Verdict.BETTER:
            return f"{card} is worth more than an average card: {difference}."
        if verdict is Verdict.WORSE:
            return f"{card} is worth less than an average card: {difference}."
        return f"No clear difference between {card} and an average card: {difference}."

    def to_rows(self) -> list[Row]:
        """Tidy rows of each card, the most valuable first.

        A `gain` is that of `card` instead of `baseline`.
        """
        return [row for card in self.cards for row in self._list_rows(card)]

    def _list_rows(self, card: CardImpact) -> Iterator[Row]:
        words: dict[str, Any] = {"card": card.name, "baseline": None}
        yield from tidy("copies", card.copies, self.games, self.deck, **words)
        yield from tidy("impact", card.impact, self.games, self.deck, **words)
        for effect in card.against:
            n = self.games // len(card.against)
            yield from tidy(
                "impact", effect.impact, n, self.deck, effect.opponent, **words
            )
        for seen in card.observed:
            for figure in ("win_rate", "difference", "false_discovery_rate"):
                metric, value = f"{seen.way}_{figure}", getattr(seen, figure)
                yield from tidy(metric, value, seen.games, self.deck, **words)
        for better in card.alternatives:
            words = {"card": better.name, "baseline": card.name}
            yield from tidy("gain", better.gain, self.games, self.deck, **words)


def _describe_weakest(card: str, verdict: Verdict, difference: str) -> str:
    """Return whether the card that looked weakest is weak in fresh games as well."""
    if verdict is Verdict.BETTER:
        return (
            f"No weak card was found: even {card}, which looked weakest in the first "
            f"trial, is worth more than an average card in fresh games: {difference}."
        )
    if verdict is Verdict.WORSE:
        return f"Cut {card}: it is worth less than an average card: {difference}."
    return (
        f"No card is clearly weak: {card} looked weakest in the first trial, but in "
        f"fresh games it differs from an average card by {difference}, which may be "
        "chance."
    )


def describe_replacement(replaced: str, card: str, gain: Figure) -> str:
    """Return the sentence about the gain from another card instead of a card."""
    swap = f"Replacing {quote(replaced)} by {quote(card)}"
    difference, verdict = difference_with_level(gain), find_verdict(gain.interval)
    if verdict is Verdict.BETTER:
        return f"{swap} makes the deck better: {difference}."
    if verdict is Verdict.WORSE:
        return f"{swap}, the best replacement, makes the deck worse: {difference}."
    return f"{swap} makes no clear difference: {difference}."


# Tables of the cards of a deck and their impact


IMPACT_LIMITS = (
    "What is observed of a card is no cause: who plays it late, or still holds it, had "
    "other reasons to win or lose. Only what is caused tells what to cut.",
    "Cards were tried one at a time: two changes may be worth more or less together.",
)


SELECTED_NOTE = (
    "The first trial decides the order, and the results are from other games"
)
RACED_NOTE = (
    "Selection games decide the order. The cards that may be the weakest are then "
    "weighed in fresh games. The intervals of the others are from selection games, "
    "simultaneous, and valid at every checkpoint"
)


def _explain_order(result: ImpactResult) -> str:
    """Return where the order of the cards comes from, and where their figures do."""
    return (
        SELECTED_NOTE if len({card.games for card in result.cards}) == 1 else RACED_NOTE
    )


def impact_report(result: ImpactResult) -> Report:
    """Return the tables of `result`, its answer first."""
    games = f"{count(result.games_played)} in game pairs, {count(result.games)}"
    commands = (
        "`deckcheck tune` finds what to change, "
        "`deckcheck impact --card` explains one card"
    )
    advice = [("advice", commands)]
    return study_report(
        result,
        f"{games} of each version in the second trial",
        _tables(result),
        [("average", ", ".join(result.average)), *shares_fact(result.shares)],
        last=advice if len(result.cards) > 1 else (),
        title=f"The cards of {result.deck}",
        limits=IMPACT_LIMITS,
    )


def _tables(result: ImpactResult) -> Iterator[ReportTable]:
    cards = result.cards
    yield ReportTable(
        f"{result.deck}: the impact of one copy of each card, the weakest card first",
        (Column("card"), GAIN_COLUMN, Column("bot")),
        tuple(
            (card.name, card.impact, policy_label(card.policy))
            for card in reversed(cards)
        ),
        ranked=True,
        both_ends=True,
        note="points: how much better the deck is with the card than with an average "
        f"one, in the same games. {_explain_order(result)}",
        only=IN_TEXT,
    )
    yield ReportTable(
        f"{result.deck}: the impact of one copy in points, causal and observed",
        (
            Column("card"),
            Column("causal", POINTS, "95%"),
            Column("copies", COUNT),
            *numbers(POINTS, *SEEN_WAYS),
        ),
        tuple(
            (card.name, card.impact, card.copies, *map(observed_words, card.observed))
            for card in cards
        ),
        note="causal: how much better the deck is with the card than with an average "
        "one, in the same games. Observed: how much more often the deck won when the "
        "card was in the opening hand, drawn later, played, or held at the end, where "
        "that is sure (Benjamini-Hochberg, at most 5% of them are expected to be "
        f"chance). {_explain_order(result)}",
        only=ON_PAGE,
        section=("cards", "The cards"),
    )
    yield ReportTable(
        "For whom each card is there, by the first trial, and its impact there",
        (*words("card", "opponent"), GAIN_COLUMN),
        tuple(
            (card.name, effect.opponent, effect.impact)
            for card in cards
            for effect in card.against
            if effect.opponent == card.most_against and len(card.against) > 1
        ),
        section=("opponents", "For whom"),
    )
    yield ReportTable(
        "The best card for each, by the first trial, and what it gains in the second",
        (*words("out", "in"), GAIN_COLUMN),
        tuple(
            (card.name, other.name, other.gain)
            for card in reversed(cards)
            for other in card.alternatives[:1]
        ),
        section=("instead", "What to play instead"),
        caption="Points gained by the best other card, the first to cut on top",
    )
    if any(card.observed for card in cards):
        yield from _list_observed(result)


def _list_observed(result: ImpactResult) -> Iterator[ReportTable]:
    """Yield the tables of observed games for terminals."""
    opening = [(card.name, card.observed[0]) for card in result.cards]
    sure = {True: "yes", False: "no"}
    yield ReportTable(
        "Observed: games with the card in the opening hand, after redraws",
        (
            Column("card"),
            Column("games", COUNT),
            Column("win rate", IN_PERCENT),
            GAIN_COLUMN,
            Column("sure"),
        ),
        tuple(
            (
                name,
                observed.games,
                observed.win_rate,
                observed.difference,
                sure[observed.is_sure],
            )
            for name, observed in opening
        ),
        note="points: the difference to games without it; sure: of all cards and ways "
        "that are, at most 5% are expected to be chance (Benjamini-Hochberg). "
        "Observed numbers are not causes: a bot keeps some hands and redraws others",
        only=IN_TEXT,
    )
    yield ReportTable(
        "Causal and observed impact side by side",
        (Column("card"), *numbers(POINTS, "causal", *SEEN_WAYS)),
        tuple(
            (card.name, card.impact.value, *map(observed_words, card.observed))
            for card in result.cards
        ),
        note="points, observed ones as differences to all other games where they are "
        "sure; drawn: later than the opening hand. A bot that plays a card late, or "
        "still holds it, had other reasons to win or lose: only `causal` shows what to "
        "cut",
        only=IN_TEXT,
    )


def observed_words(seen: Observed) -> str:
    """Return an observed difference in points, if it is sure."""
    if seen.difference is None:
        return UNKNOWN_CELL
    return points(seen.difference.value) if seen.is_sure else Verdict.INCONCLUSIVE.value


IMPACT = Presentation[ImpactResult](impact_report)


# The impact of each card of a deck: swapped for others in the same games


AVERAGE_CARD_COUNT = 5
"""How many cards stand together for an average one."""

WATCHED_FACTOR = 10
"""How many times the games of a version the deck as it is plays to be watched."""

RACE_FACTOR = 120
"""How many times the games of a version all versions together play in the race."""

FIRST_ROUND, ROUND_GROWTH = 0.2, 1.5
"""The games of each version in the first round of the race, relative to these, and how
many times as many each further round has."""

CONTENDER_COUNT = 3
"""How many cards are weighed in fresh games after a race: those worth least."""

FIRST_PART, SECOND_PART, WATCHED_PART, CONFIRMED_PART, LATER_PART = range(5)
"""The parts of a run: jobs are numbered by parts, later rounds of the race last."""

BEST_CARD_COUNT = 3
"""How many of the best cards are tried instead of each card."""


@dataclass(frozen=True)
class Impact(FieldStudy[ImpactSpec, ImpactResult]):
    """A deck whose cards are to be weighed; `run` does it.

    First all legal cards are tried instead of one card, and the average cards instead
    of each: that chooses what is tried instead of what. It is a race, played by a
    player who takes little time, unless the question is thorough. Then the cards worth
    least, or all, are weighed in fresh games, and so is what may replace them.
    """

    KIND = "impact"
    QUESTION = ImpactSpec

    deck: Entrant
    field: tuple[Entrant, ...]

    @cached_property
    def swaps(self) -> list[Swap]:
        """All legal swaps; raises UsageError when there is none."""
        swaps = list_legal_swaps(self.deck.deck, self.format, self.database)
        if not swaps:
            raise UsageError(
                f"No card of {quote(self.deck.name)} can be replaced in "
                f"{quote(self.format.id)}",
                "The format leaves no choice",
            )
        return swaps

    @cached_property
    def average(self) -> list[str]:
        """The cards that stand for an average one."""
        return choose_average_cards(
            self.deck.deck, self.swaps, self.database, AVERAGE_CARD_COUNT
        )

    @cached_property
    def weighed(self) -> dict[str, int]:
        """The cards to weigh, with their copies: all of the deck, or the only one."""
        held, only = self.deck.deck.counts(), self.question.card
        return dict(held) if only is None else {only: held[only]}

    def answer(self, games: GameSession) -> ImpactResult:
        """Play all games."""
        sets = self._count_sets(self.question.budget)
        games.expect(self._count_race() + self._count_fresh())
        race = self._play_race(games)
        games.expect(self._count_fresh())
        second = self._play(games, self._choose_second_trial(race), SECOND_PART, sets)
        observed = self._watch(games, sets * WATCHED_FACTOR)
        cross_checked = self._cross_check(games, race)
        return self._make_result(games, race, second, observed, cross_checked)

    def so_far(self, games: GameSession) -> ImpactResult | None:
        """Return the second trial so far, or None before all opponents were met.

        Before the second trial these are the results of the race, which also chooses.
        """
        race = self._play_race(games, plays=False)
        if not race.rounds:
            return None
        second = self._recall(games, self._choose_second_trial(race), SECOND_PART)
        return replace(
            self._make_result(games, race, second), measured=second is not None
        )

    def _count_race(self) -> Counter[str]:
        """Return the games of the first trial, or the most that a race may take."""
        versions = 1 + len(self._begin().trial.swaps)
        return Counter(
            {self._chooser: self._each * (RACE_FACTOR if self._is_race else versions)}
        )

    def _count_fresh(self) -> Counter[str]:
        """Return the games after the race, a few less if several swaps are the same."""
        question, policy = self.question, self.question.policies[0]
        legal = Counter(swap.out for swap in self.swaps)
        weighed = sorted(legal[card] for card in self.weighed)[-self._contenders :]
        second = 1 + sum(
            AVERAGE_CARD_COUNT + min(BEST_CARD_COUNT, most) for most in weighed
        )
        games = Counter({policy: self._each * (second + WATCHED_FACTOR)})
        if question.cross_check is not None:
            second_games = (
                ROTATION * len(self.field) * self._count_sets(games_again(question))
            )
            games[question.cross_check] += second_games * (2 + AVERAGE_CARD_COUNT)
        return games

    @property
    def _each(self) -> int:
        """The games of one version."""
        return ROTATION * len(self.field) * self._count_sets(self.question.budget)

    @property
    def _chooser(self) -> str:
        """Who plays the race."""
        policies, thorough = self.question.policies, self.question.thorough
        return choosing_player(policies, thorough=thorough) or policies[0]

    def _count_sets(self, games: int) -> int:
        """Return the sets with each opponent in a number of games."""
        return ceil(games / ROTATION / len(self.field))

    @property
    def _is_race(self) -> bool:
        """Whether cards drop out before all games of the first trial are played."""
        return not self.question.thorough and len(self.weighed) > CONTENDER_COUNT

    @property
    def _contenders(self) -> int:
        """How many cards are weighed in fresh games."""
        return len(self.weighed) if self.question.thorough else CONTENDER_COUNT

    def _begin(self) -> Race:
        """Return the race, in which most cards stand in for one and average for all."""
        choices = Counter(swap.out for swap in self.swaps)
        hole = max(choices, key=lambda card: choices[card])
        swaps = [swap for swap in self.swaps if swap.out == hole]
        return Race(Trial.of(self._means, swaps), hole, self._is_race)

    def _play_race(self, games: GameSession, *, plays: bool = True) -> Race:
        """Play the race to its end, or take what was played of it."""
        question = self.question
        thorough = question.thorough
        choosing = choosing_player(question.policies, thorough=thorough)
        study = self if choosing is None else self.played_by(choosing)
        play = study._play if plays else study._recall
        race = self._begin()
        for part in chain([FIRST_PART], counting(LATER_PART)):
            sets = self._count_round_sets(race)
            tried = play(games, race.open, part, sets) if sets else None
            if tried is None:
                break
            race = race.after(tried)
        return race

    def _count_round_sets(self, race: Race) -> int:
        """Return the sets with each opponent in the next round of a race; 0 at its end.

        A round has half as many games of each version more than the one before, and the
        last one as many as are left of those of the whole race.
        """
        budget, played = self.question.budget, race.rounds
        if not race.adaptive:
            return 0 if played else self._count_sets(budget)
        first = self._count_sets(ceil(FIRST_ROUND * budget))
        if not played:
            return first
        if len(race.open.means) <= CONTENDER_COUNT:
            return 0
        left = RACE_FACTOR * budget // ROTATION // len(self.field)
        left -= sum(tried.sets * (1 + len(tried.trial.swaps)) for tried in played)
        games = FIRST_ROUND * ROUND_GROWTH ** len(played) * budget
        most = left // (1 + len(race.open.swaps))
        return min(self._count_sets(ceil(games)), most) if most >= first else 0

    def _cross_check(self, games: GameSession, race: Race) -> CrossCheckResult | None:
        """What another player makes of the card to cut, and of the best one for it."""
        policy = self.question.cross_check
        if policy is None:
            return None
        card, sets = self._to_cut(race), self._count_sets(games_again(self.question))
        best = self._find_best_swaps(card, race)[:1]
        trial = Trial.of({card: self._means[card]}, best)
        tried = self.played_by(policy)._play(games, trial, CONFIRMED_PART, sets)
        return CrossCheckResult(
            policy,
            ROTATION * len(self.field) * sets,
            tried.impact(card),
            tried.gain(best[0]) if best else None,
        )

    def _to_cut(self, race: Race) -> str:
        """Return the card that is worth least in the race."""
        return self._rank_cards(race)[-1]

    def _rank_cards(self, race: Race) -> list[str]:
        """Return the cards by their impact in the race. Cards still open come last.

        A card that dropped out is clearly worth more than one of the others.
        """
        still_open = race.open.means if race.adaptive else {}
        cards = race.trial.means
        return sorted(cards, key=lambda c: (c in still_open, -race.impact(c).value))

    def _play(
        self, games: GameSession, trial: Trial, part: int, sets: int
    ) -> TriedSwaps:
        """Play a trial against each opponent."""
        tables, versions = self._tables(trial), 1 + len(trial.swaps)
        tallies = self.meet(
            games,
            self.deck,
            tables,
            [sets] * len(self.field),
            first=part * len(self.field),
            versions=versions,
            label=f"{plural(versions, 'version')} of {self.deck.name}",
        )
        return TriedSwaps(trial, tables, tallies, self.question.weights)

    def _recall(
        self, games: GameSession, trial: Trial, part: int, _: int = 0
    ) -> TriedSwaps | None:
        """Return a trial as far as it was played; None unless it met all opponents."""
        numbers = range(part * len(self.field), (part + 1) * len(self.field))
        tallies = [games.tallies.get(number) for number in numbers]
        played = [t for t in tallies if t is not None and t[0, Head.SETS] >= 2]
        if len(played) < len(self.field):
            return None
        return TriedSwaps(trial, self._tables(trial), played, self.question.weights)

    def _watch(self, games: GameSession, sets: int) -> tuple[Observed, ...]:
        """Play the deck as it is in games of their own, and watch its hand."""
        cards, number = list(self.deck.deck.counts()), len(self.field)
        numbers = load_game(self.format.game).card_numbers(self.database)
        tables = []
        for table in self._tables(self._begin().trial):
            tables.append(watch_cards(table.table, numbers, cards))
        weights = self.question.weights or [1.0] * number
        part = number * sets / sum(weights)
        each = [max(1, round(part * weight)) for weight in weights]
        tallies = self.meet(games, self.deck, tables, each, first=WATCHED_PART * number)
        return measure_observed_cards(cards, tables, tallies)

    def _tables(self, trial: Trial) -> list[Versions]:
        return [
            trial.make_table(self.format, self.database, self.deck, opponent)
            for opponent in self.field
        ]

    def _choose_second_trial(self, race: Race) -> Trial:
        """Return the weakest cards, or all, and the best cards of the race instead."""
        ranked = self._rank_cards(race)[-self._contenders :]
        cards = [card for card in self.weighed if card in ranked]
        swaps = [swap for card in cards for swap in self._find_best_swaps(card, race)]
        return Trial.of({card: self._means[card] for card in cards}, swaps)

    def _find_best_swaps(self, card: str, race: Race) -> list[Swap]:
        """Return the best swaps for a card, by the race."""
        legal = set(self.swaps)
        tried = sorted(race.swaps, key=lambda swap: -race.gain(swap).value)
        swaps = [Swap(card, swap.into) for swap in tried]
        return [swap for swap in swaps if swap in legal][:BEST_CARD_COUNT]

    @cached_property
    def _means(self) -> dict[str, tuple[Swap, ...]]:
        """The average cards instead of each, as far as that is legal."""
        return choose_average_swaps(self.weighed, self.average, self.swaps)

    def _make_result(
        self,
        games: GameSession,
        race: Race,
        second: TriedSwaps | None,
        observed: Sequence[Observed] = (),
        cross_checked: CrossCheckResult | None = None,
    ) -> ImpactResult:
        ranked = self._rank_cards(race)
        played = race.rounds[0] if second is None else second
        sets = int(played.tallies[0][0, Head.SETS])
        return ImpactResult(
            **self.head(games, (self.deck, *self.field), self.question.cross_check),
            games=ROTATION * len(self.field) * sets,
            games_played=games.games_played,
            checksum=combine_checksums(games.tallies.values()),
            deck=self.deck.name,
            average=tuple(self.database.cards[card].name for card in self.average),
            cards=tuple(
                self._make_card_impact(card, race, second, observed) for card in ranked
            ),
            cut=self._to_cut(race),
            cross_checked=cross_checked,
            shares=shares_in(self.field, self.question.weights),
        )

    def _make_card_impact(
        self,
        card: str,
        race: Race,
        second: TriedSwaps | None,
        observed: Sequence[Observed],
    ) -> CardImpact:
        """Return the result of a card, measured in fresh games if there are any."""
        names, cards = [o.name for o in self.field], self.database.cards
        leads = [race.impact_against(card, i).value for i in range(len(names))]
        is_fresh = second is not None and card in second.trial.means
        measured = second if second is not None and is_fresh else race
        choosing = choosing_player(
            self.question.policies, thorough=self.question.thorough
        )
        sets = sum(row.sets for row in measured.add_sets(card))
        best = (
            self._find_best_swaps(card, race) if second is not None and is_fresh else []
        )
        return CardImpact(
            id=card,
            name=cards[card].name,
            copies=self.weighed[card],
            policy=self.deck.policy if is_fresh else choosing or self.deck.policy,
            games=ROTATION * sets,
            impact=measured.impact(card),
            most_against=names[leads.index(max(leads))],
            observed=tuple(each for each in observed if each.card == card),
            against=tuple(
                OpponentEffect(name, measured.impact_against(card, i))
                for i, name in enumerate(names)
            ),
            alternatives=tuple(
                Alternative(swap.into, cards[swap.into].name, second.gain(swap))
                for swap in best
                if second is not None
            ),
            expected=race.impact(card).value,
        )


def make_impact(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    against: Sequence[DeckReport],
    question: ImpactSpec,
) -> Impact:
    """Return the study of the cards of a deck, as `fmt` is played.

    Raises UsageError unless there is one deck and a field, and for a format in which no
    two decks meet.
    """
    use = "Name the deck whose cards are weighed"
    entrant, field, question = deck_and_field(fmt, deck, against, question, use)
    card = None
    if question.card is not None:
        card = find_deck_card(question.card, "card", entrant.deck, database)
    question = replace(question, card=card)
    impact = Impact(fmt, database, question, entrant, field)
    if card is not None and not any(swap.out == card for swap in impact.swaps):
        raise UsageError(
            f"No card may stand in for {quote(database.cards[card].name)} in "
            f"{quote(fmt.id)}",
            "Ask about another card",
        )
    return impact
