"""The plan of `balance`: a field, what it is to be like, and what may be changed."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from deckcheck.cards import CardDatabase
from deckcheck.cards.words import Name
from deckcheck.decks import shown_path
from deckcheck.findings import UsageError
from deckcheck.findings.documents import Defect, Source, SourceError
from deckcheck.findings.documents.toml_reader import read_toml
from deckcheck.findings.fields import CLOSED, AtLeast, Either
from deckcheck.findings.files import refuse_deck
from deckcheck.findings.words import choice, quote
from deckcheck.formats import Format
from deckcheck.plans.file import plan_error

if TYPE_CHECKING:
    from deckcheck.studies.balance.play import Balance
    from deckcheck.studies.balance.spec import BalanceQuestion
    from deckcheck.validation import DeckReport
from deckcheck.sim.defaults import (
    BALANCE_CHANGES,
    BALANCE_GAMES,
    BALANCE_STRENGTH,
    SEED,
)

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
    """What may be changed."""

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
    """What a plan says. Paths start at the folder of the plan."""

    __pydantic_config__ = CLOSED

    decks: tuple[Name, ...]
    """The field: files, folders and globs."""
    format: Name | None = None
    """The format of all decks; by default each deck's own."""
    as_of: Name | None = None
    """The date whose formats are used."""
    weights: Name | None = None
    """A CSV of how often each deck comes; all come alike without it."""
    policy: Name | None = None
    """The policy that plays all decks."""
    games: Annotated[int, AtLeast(2)] = BALANCE_GAMES
    """The number of games of every two decks in the search."""
    seed: Natural = SEED
    """The seed that all shuffles follow from."""
    targets: TargetsTable = field(default_factory=TargetsTable)
    """The win rates that decks and factions are to have."""
    bounds: BoundsTable = field(default_factory=BoundsTable)
    """What may be changed."""


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
        confirm: str | None = None,
        confirm_games: int | None = None,
    ) -> Balance:
        """What is to be balanced; raises UsageError for what does not fit together.

        `confirm` is another player who plays the proof again, see `BalanceQuestion`.
        """
        from deckcheck.sim.tables.inputs import enter
        from deckcheck.studies.balance.play import balance_of
        from deckcheck.studies.meta.weights import read_weights
        from deckcheck.studies.search.proof import confirming

        weights: tuple[float, ...] = ()
        if self.weights is not None:
            entrants = enter(reports, [self._policy])
            weights = read_weights(self.weights, [e.name for e in entrants], "deck")
        question = self._question(database, weights)
        confirm = confirming(confirm, confirm_games, fmt, [question.policy])
        question = replace(question, confirm=confirm, confirm_games=confirm_games)
        return balance_of(fmt, database, reports, question)

    @property
    def _policy(self) -> str:
        from deckcheck.policies.host.registry import DEFAULT_POLICY, read_policy

        policy = self.file.policy or DEFAULT_POLICY
        read_policy(policy)
        return policy

    def _question(
        self, database: CardDatabase, weights: tuple[float, ...]
    ) -> BalanceQuestion:
        from deckcheck.studies.balance.spec import BalanceQuestion, Bounds
        from deckcheck.studies.balance.targets import Targets

        given, targets = self.file.bounds, self.file.targets
        cards = tuple(
            self._card(database, place, name) for place, name in enumerate(given.cards)
        )
        return BalanceQuestion(
            Targets(_range(targets.deck), _range(targets.faction)),
            Bounds(given.strength, given.limits, cards, given.changes),
            self._policy,
            self.file.games,
            self.file.seed,
            weights,
        )

    def _card(self, database: CardDatabase, place: int, name: str) -> str:
        card = database.find_card(name)
        if card.id is not None:
            return card.id
        near = card.candidates or card.suggestions
        help = f"Did you mean {choice(near)}?" if near else None
        message = f"unknown card {quote(name)}"
        defect = self.source.defect(("bounds", "cards", place), message)
        raise UsageError(str(defect), help)


def read_balance_plan(path: Path) -> BalancePlan:
    """Read a plan; raises UsageError with all of its defects, each at its place."""
    shown = shown_path(path)
    refuse_deck(path, "a plan")
    defects: list[Defect] = []
    try:
        source = Source.open(path, shown, read_toml)
    except SourceError as error:
        raise plan_error(shown, [error.defect]) from None
    file = source.read(BalanceFile, source.document.data, (), defects)
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


def _range(percent: float | tuple[float, float] | None) -> tuple[float, float] | None:
    """The ends of a range, from 0 to 1."""
    if percent is None:
        return None
    low, high = percent if isinstance(percent, tuple) else (0.0, percent)
    return low / 100, high / 100
