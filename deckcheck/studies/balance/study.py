"""The plan file of `balance` and the play."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Annotated, TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.cards.models import Name
from deckcheck.decks import shown_path
from deckcheck.documents.readers import Source, SourceDefect
from deckcheck.fields import CLOSED, AtLeast, Either
from deckcheck.findings import UsageError
from deckcheck.formats import Format
from deckcheck.messages import quote, suggestion
from deckcheck.plans import open_plan, plan_error
from deckcheck.policies import AUTO
from deckcheck.sim import (
    BALANCE_CHANGES,
    BALANCE_GAMES,
    BALANCE_STRENGTH,
    MAX_GAMES,
    SEED,
)
from deckcheck.sim.cross_checking import (
    find_bot_name,
    find_cross_check,
    usual_games,
)
from deckcheck.sim.entrants import Entrant, enter
from deckcheck.sim.jobs import Job
from deckcheck.sim.scheduler import GameSession, StoppedEarly
from deckcheck.sim.study import Interrupted
from deckcheck.sim.table_results import combine_checksums
from deckcheck.specs import check_bots
from deckcheck.stats import mean_score
from deckcheck.studies.balance.result import (
    BalanceChange,
    BalanceResult,
    ChoiceDocument,
    judge_targets,
)
from deckcheck.studies.balance.search import (
    BalancedField,
    BalanceSearch,
    CardPlaceDocument,
    CardTrial,
    MeasuredImpacts,
    compute_margins,
    list_measured_steps,
    measure_impacts,
    named_cards,
    offered,
    standing_out,
)
from deckcheck.studies.balance.targets import (
    VALIDATION_FACTOR,
    Aim,
    BalanceSpec,
    CardStep,
    Gauge,
    Scores,
    TargetBounds,
    Targets,
    apply_steps,
    make_gauges,
    sort_steps,
)
from deckcheck.studies.duels import DuelStudy, check_meetings, find_weights
from deckcheck.studies.swaps import Swap, list_legal_swaps
from deckcheck.validation import DeckReport

NAMED_CARDS = 5
"""How many cards above their peers, and as many below, are named."""

MAX_ROUNDS = 8
"""How many sets of changes are played at most."""

MIN_DECKS = 2


@dataclass(frozen=True)
class Balance(DuelStudy[BalanceSpec, BalanceResult]):
    """A field that is to be balanced; `run` does it.

    First the field plays, and every card is replaced by average ones. Of the cards
    that stand out changes are measured one by one; then the smallest set of changes
    that should do is played, its effects are corrected, and the next one is chosen.
    All figures are from other games, after the choice.
    """

    KIND = "balance"
    QUESTION = BalanceSpec

    field: tuple[Entrant, ...]

    @cached_property
    def balanced(self) -> BalancedField:
        """The decks and how they meet."""
        return BalancedField(self.format, self.database, self.field)

    @cached_property
    def swaps(self) -> list[list[Swap]]:
        """The legal swaps of each deck."""
        swaps = []
        for entrant in self.field:
            swaps.append(list_legal_swaps(entrant.deck, self.format, self.database))
        return swaps

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """How common each deck is."""
        return self.question.weights or (1.0,) * len(self.field)

    @cached_property
    def gauges(self) -> list[Gauge]:
        """The decks and factions whose win rates are reported."""
        names_by_id = {
            id: faction.name for id, faction in self.database.factions.items()
        }
        ids = [entrant.deck.faction for entrant in self.field]
        factions = [None if id is None else (id, names_by_id[id]) for id in ids]
        pairs = [(pair.a, pair.b) for pair in self.balanced.pairs]
        names = [entrant.name for entrant in self.field]
        return make_gauges(names, factions, self.weights, pairs)

    @cached_property
    def aims(self) -> list[Aim]:
        """The targets; raises UsageError where they speak of no deck and no faction."""
        ranges = [getattr(self.question.targets, own.kind) for own in self.gauges]
        pairs = zip(self.gauges, ranges, strict=True)
        aims = [Aim(gauge, *ends) for gauge, ends in pairs if ends is not None]
        if not aims:
            raise UsageError(
                "No two decks of this field are of different factions",
                "Set the target `deck`, or add decks of other factions",
            )
        return aims

    def answer(self, games: GameSession) -> BalanceResult:
        """Search, and prove what was found in games of their own."""
        _ = self.aims
        balancing = _Balancing(self, games)
        try:
            return balancing.run()
        except StoppedEarly:
            result = balancing.result_so_far()
            partial = result and replace(result, complete=False)
            raise Interrupted(partial) from None


class _Balancing:
    """One run of a search: its steps in turn, each numbered behind the one before."""

    def __init__(self, balance: Balance, games: GameSession) -> None:
        self._balance = balance
        self._field = balance.balanced
        self._games = games
        self._next = 0
        self._played = 0
        self._found: BalanceSearch | None = None
        self._cards: list[CardPlaceDocument] = []
        self._validation: list[Scores] = []

    def run(self) -> BalanceResult:
        """Play everything."""
        question = self._balance.question
        [scores] = self._meet([()], 0, question.games, "the field")
        impacts = self._measure_impacts()
        search = self._search(scores, impacts)
        best = search.best
        self._cards = self._name(impacts, search)
        both = [(), best] if best else [()]
        stream = self._next
        before, *after = self._meet(
            both, stream, VALIDATION_FACTOR * question.games, "the validation games"
        )
        self._validation = [before, after[0] if after else before]
        if question.cross_check is not None:
            self._validation.append(self._cross_check(best, question.cross_check))
        return self._make_result(search, self._cards, self._validation)

    def result_so_far(self) -> BalanceResult | None:
        """Return what the games so far say; None before the field has met.

        Until the validation games were played, win rates are from the search.
        """
        if self._found is None:
            return None
        scores = self._found.scores
        validation = self._validation or [scores[()], scores[self._found.best]]
        return self._make_result(self._found, self._cards, validation)

    def _cross_check(self, steps: tuple[CardStep, ...], policy: str) -> Scores:
        """Return the scores of all pairs after the changes, with another player."""
        balance = self._balance
        question, others = balance.question, len(balance.field) - 1
        # Without another number no more than in the search.
        most = usual_games(policy, MAX_GAMES)
        games = question.cross_check_games or min(most, question.games * others)
        games = max(2, ceil(games / others))
        first, field = self._next, balance.played_by(policy).balanced
        work = field.jobs(first, first, games, [steps], f"with {policy}")
        self._play(work)
        [scores] = field.scores(work, self._games.tallies)
        return scores

    def _play(self, work: Sequence[Job]) -> None:
        if not work:
            return
        self._games.until = "the end of this step"
        self._games.play(work, (self._field.table.engine,))
        self._next = 1 + max(job.number for job in work)
        self._played += sum(job.games * job.sets for job in work)

    def _meet(
        self,
        versions: Sequence[tuple[CardStep, ...]],
        stream: int,
        games: int,
        label: str,
    ) -> list[Scores]:
        """Return the scores of all pairs with each version of the cards."""
        work = self._field.jobs(self._next, stream, games, versions, label)
        self._play(work)
        return self._field.scores(work, self._games.tallies)

    def _measure_impacts(self) -> MeasuredImpacts:
        """Return the impact of all cards, more exactly at both ends.

        If the plan names the cards to change, no card has to be found at these ends.
        """
        balance = self._balance
        games = balance.question.games
        first = self._weigh(frozenset(), games)
        if balance.question.bounds.cards:
            return first
        ranked = named_cards(first, first, balance.database, balance.weights)
        ends = [*ranked[: 2 * NAMED_CARDS], *ranked[-2 * NAMED_CARDS :]]
        return first | self._weigh(
            frozenset(c.id for c in ends), VALIDATION_FACTOR * games
        )

    def _weigh(self, cards: frozenset[str], games: int) -> MeasuredImpacts:
        """Return the impact of cards, of all cards if none are named."""
        balance = self._balance
        trial = CardTrial(
            balance.format, balance.database, balance.field, balance.swaps, cards
        )
        first = self._next
        self._play(trial.jobs(first, games))
        return measure_impacts(trial.tried(first, self._games.tallies), balance.weights)

    def _name(
        self, impacts: MeasuredImpacts, search: BalanceSearch
    ) -> list[CardPlaceDocument]:
        """Measure the cards farthest from their peers, and those to be changed,
        again.
        """
        balance = self._balance
        ranked = named_cards(impacts, impacts, balance.database, balance.weights)
        ends = [*ranked[:NAMED_CARDS], *ranked[-NAMED_CARDS:]]
        wanted = {end.id for end in ends} | {step.card for step in search.best}
        repeated = self._weigh(
            frozenset(wanted & set(impacts)), VALIDATION_FACTOR * balance.question.games
        )
        order = {card.id: rank for rank, card in enumerate(ranked)}
        named = named_cards(impacts, repeated, balance.database, balance.weights)
        return sorted(named, key=lambda card: order[card.id])

    def _search(self, scores: Scores, impacts: MeasuredImpacts) -> BalanceSearch:
        """Try sets of changes, until no other one looks better."""
        balance = self._balance
        bounds = balance.question.bounds
        margins = compute_margins(balance.aims, scores, VALIDATION_FACTOR)
        search = BalanceSearch(balance.aims, margins, bounds.changes)
        search.add((), _list_rates(scores), scores)
        self._found = search
        if all(
            aim.measure_miss(aim.gauge.value(_list_rates(scores))) == 0
            for aim in balance.aims
        ):
            return search
        places = named_cards(impacts, impacts, balance.database, balance.weights)
        cards = bounds.cards or standing_out(places, impacts, search)
        search.offered = offered(self._field, bounds, cards)
        if not search.offered:
            return search
        measured = list_measured_steps(search.offered)
        work = self._field.effect_jobs(self._next, balance.question.games, measured)
        self._play(work)
        search.effects = self._field.effects(measured, work, self._games.tallies)
        for _ in range(MAX_ROUNDS):
            steps = sort_steps(list(search.next()), list(balance.database.cards))
            if not self._try(search, steps):
                break
        self._improve(search)
        return search

    def _improve(self, search: BalanceSearch) -> None:
        """Try the neighbours of the best changes, as long as that is better."""
        for _ in range(MAX_ROUNDS):
            best = search.best
            for steps in search.beside(best):
                self._try(search, steps)
            if search.best == best:
                break

    def _try(self, search: BalanceSearch, steps: tuple[CardStep, ...]) -> bool:
        """Play changes together; False if they were tried, or leave a deck illegal."""
        if steps in search.tried or self._field.decks(steps) is None:
            return False
        games = self._balance.question.games
        [seen] = self._meet([steps], 0, games, "changes together")
        search.add(steps, _list_rates(seen), seen)
        return True

    def _make_result(
        self,
        search: BalanceSearch,
        cards: Sequence[CardPlaceDocument],
        validation: Sequence[Scores],
    ) -> BalanceResult:
        balance = self._balance
        best = search.best
        is_cross_checked = len(validation) > 2
        cross_check = balance.question.cross_check if is_cross_checked else None
        return BalanceResult(
            **balance.head(self._games, balance.field, cross_check),
            games=2 * sum(validation[0][0]),
            games_played=self._played,
            checksum=combine_checksums(self._games.tallies.values()),
            cards=tuple(cards),
            balanced=_describe_changes(balance.database, best),
            choices=tuple(
                ChoiceDocument(_describe_changes(balance.database, steps), share)
                for steps, share in search.choices(balance.question.seed)
            ),
            outcomes=tuple(judge_targets(balance.gauges, balance.aims, validation)),
            tried=len(search.tried) - 1,
            offered=len({step.card for step in search.offered}),
            bounds=balance.question.bounds.in_words,
            cross_check=cross_check,
        )


def _describe_changes(
    database: CardDatabase, steps: Sequence[CardStep]
) -> tuple[BalanceChange, ...]:
    """Return the cards that steps change."""
    changed = apply_steps(database, steps).cards
    changes = []
    for id in dict.fromkeys(step.card for step in steps):
        changes.append(BalanceChange(database.cards[id], changed[id]))
    return tuple(changes)


def _list_rates(scores: Scores) -> list[float]:
    return [mean_score(counts) for counts in scores]


def make_balance(
    fmt: Format,
    database: CardDatabase,
    decks: Sequence[DeckReport],
    question: BalanceSpec,
) -> Balance:
    """Return the study of how to balance a field of decks as `fmt` is played.

    Raises UsageError for too few decks, for a format in which no two decks meet, and
    for cards that no deck holds.
    """
    check_meetings(fmt)
    if database.game.attributes:
        raise UsageError(
            f"Decks write out the cards of {database.game.name}: none can be changed",
            "Name decks of another game",
        )
    if len(decks) < MIN_DECKS:
        raise UsageError(
            "A field needs at least 2 decks", "Name more files or a folder in `decks`"
        )
    entrants = tuple(enter(decks, [question.policy]))
    balance = Balance(fmt, database, question, entrants)
    for card in question.bounds.cards:
        if card not in balance.balanced.holders:
            name = quote(database.cards[card].name)
            raise UsageError(f"No deck of the field holds {name}", "Leave it out")
    return balance


# The plan of `balance`: a field, what it is to be like, and what may be changed


Positive = Annotated[int, AtLeast(1)]
Natural = Annotated[int, AtLeast(0)]
Percent: TypeAlias = Annotated[
    float | tuple[float, float],
    Either("a percentage that is not exceeded, or two such as `[45, 55]`"),
]


@dataclass(frozen=True, slots=True)
class TargetsTable:
    """Win rates in %: the highest, or the lowest and the highest."""

    __pydantic_config__ = CLOSED

    deck: Percent | None = None
    """The win rate of each deck against the others, in %."""
    faction: Percent | None = None
    """The win rate of each faction's decks against those of all others, in %."""


@dataclass(frozen=True, slots=True)
class BoundsTable:
    """The changes that are allowed."""

    __pydantic_config__ = CLOSED

    strength: Natural = BALANCE_STRENGTH
    """By how much the strength of a card may be changed."""
    limits: bool = False
    """Whether the number of copies may be changed, too."""
    cards: tuple[Name, ...] = ()
    """The cards that may change; any if there are none."""
    changes: Positive = BALANCE_CHANGES
    """The largest number of changes."""


@dataclass(frozen=True, slots=True)
class BalanceFile:
    """The content of a plan. Paths start at the folder of the plan."""

    __pydantic_config__ = CLOSED

    decks: tuple[Name, ...]
    """The field: files, folders and globs."""
    format: Name | None = None
    """The format of all decks; by default each deck's own."""
    as_of: Name | None = None
    """The date whose formats are used."""
    weights: Name | None = None
    """A CSV of how common each deck is; all are equally so without it."""
    policy: Name | None = None
    """The policy that plays all decks."""
    games: Annotated[int, AtLeast(2)] = BALANCE_GAMES
    """The number of games of each pair of decks in the search."""
    seed: Natural = SEED
    """The seed that all shuffles follow from."""
    targets: TargetsTable = field(default_factory=TargetsTable)
    """The win rates that decks and factions are to have."""
    bounds: BoundsTable = field(default_factory=BoundsTable)
    """The changes that are allowed."""


@dataclass(frozen=True, slots=True)
class BalancePlan:
    """A plan that was read; `decks`, `format` and `weights` are seen from where we are.

    The other settings are those of `file`.
    """

    file: BalanceFile
    decks: tuple[str, ...]
    format: str | None
    weights: Path | None
    source: Source

    def balance(
        self,
        fmt: Format,
        database: CardDatabase,
        reports: Sequence[DeckReport],
        cross_check: str | None = None,
        cross_check_games: int | None = None,
    ) -> Balance:
        """Return the study of the plan. Raises UsageError if its parts do not fit
        together.

        `cross_check` is another player who plays the validation games again, see
        `BalanceSpec`.
        """
        policy = self.file.policy or AUTO
        check_bots([policy])
        weights = find_weights(self.weights, reports)
        question = self._read_question(database, find_bot_name(policy, fmt), weights)
        cross_check = find_cross_check(
            cross_check, cross_check_games, fmt, [question.policy]
        )
        question = replace(
            question, cross_check=cross_check, cross_check_games=cross_check_games
        )
        return make_balance(fmt, database, reports, question)

    def _read_question(
        self, database: CardDatabase, policy: str, weights: tuple[float, ...]
    ) -> BalanceSpec:
        given, targets = self.file.bounds, self.file.targets
        cards = []
        for index, name in enumerate(given.cards):
            cards.append(self._find_card(database, index, name))
        return BalanceSpec(
            Targets(_read_range(targets.deck), _read_range(targets.faction)),
            TargetBounds(given.strength, given.limits, tuple(cards), given.changes),
            policy,
            self.file.games,
            self.file.seed,
            weights,
        )

    def _find_card(self, database: CardDatabase, place: int, name: str) -> str:
        card = database.find_card(name)
        if card.id is not None:
            return card.id
        help = suggestion(card.candidates or card.suggestions)
        message = f"unknown card {quote(name)}"
        defect = self.source.defect(("bounds", "cards", place), message)
        raise UsageError(str(defect), help)


def read_balance_plan(path: Path) -> BalancePlan:
    """Read a plan; raises UsageError with all of its defects, each at its place."""
    shown, source = shown_path(path), open_plan(path)
    defects: list[SourceDefect] = []
    file = source.read_record(BalanceFile, source.document.data, (), defects)
    if file is not None and not file.decks:
        defects.append(source.defect(("decks",), "no deck is named"))
    if file is None or defects:
        raise plan_error(shown, defects)
    folder = path.parent
    fmt = file.format
    if fmt is not None and fmt.endswith((".yaml", ".yml")):
        fmt = os.path.join(folder, fmt)
    return BalancePlan(
        file,
        tuple(os.path.join(folder, deck) for deck in file.decks),
        fmt,
        None if file.weights is None else folder / file.weights,
        source,
    )


def _read_range(
    percent: float | tuple[float, float] | None,
) -> tuple[float, float] | None:
    """Return the ends of a range, from 0 to 1."""
    if percent is None:
        return None
    low, high = percent if isinstance(percent, tuple) else (0.0, percent)
    return low / 100, high / 100
