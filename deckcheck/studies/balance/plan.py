"""The plan file of `balance`: a field, its targets, and the changes allowed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
from deckcheck.sim import BALANCE_CHANGES, BALANCE_GAMES, BALANCE_STRENGTH, SEED
from deckcheck.sim.cross_checking import find_bot_name, find_cross_check
from deckcheck.specs import check_bots
from deckcheck.studies.balance.study import Balance, make_balance
from deckcheck.studies.balance.targets import BalanceSpec, TargetBounds, Targets
from deckcheck.studies.duels import find_weights
from deckcheck.validation import DeckReport

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
    """A plan that was read. Its paths start at the current folder."""

    file: BalanceFile
    decks: tuple[str, ...]
    format: str | None
    """The format: its id, or the path of its file."""
    weights: Path | None
    source: Source
    """The text of the plan, for messages about its lines."""

    def balance(
        self,
        fmt: Format,
        database: CardDatabase,
        reports: Sequence[DeckReport],
        cross_check: str | None = None,
        cross_check_games: int | None = None,
    ) -> Balance:
        """Return the study of the plan, with a second bot as in `BalanceSpec`.

        Raises UsageError if the parts of the plan do not fit together.
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
        """Return the question of the plan about the cards of a database."""
        bounds, targets = self.file.bounds, self.file.targets
        cards = []
        for index, name in enumerate(bounds.cards):
            cards.append(self._find_card(database, index, name))
        return BalanceSpec(
            Targets(_read_range(targets.deck), _read_range(targets.faction)),
            TargetBounds(bounds.strength, bounds.limits, tuple(cards), bounds.changes),
            policy,
            self.file.games,
            self.file.seed,
            weights,
        )

    def _find_card(self, database: CardDatabase, index: int, name: str) -> str:
        """Return the id of a card of the bounds, or raise UsageError."""
        lookup = database.find_card(name)
        if lookup.id is not None:
            return lookup.id
        help = suggestion(lookup.candidates or lookup.suggestions)
        message = f"unknown card {quote(name)}"
        defect = self.source.defect(("bounds", "cards", index), message)
        raise UsageError(str(defect), help)


def read_balance_plan(path: Path) -> BalancePlan:
    """Read a plan. Raises UsageError with all of its defects, each with its line."""
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
    if isinstance(percent, tuple):
        low, high = percent
        return low / 100, high / 100
    return 0.0, percent / 100
