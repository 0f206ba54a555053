"""The best deck of a format, made from nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from deckcheck.cards import CardDatabase
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import option
from deckcheck.findings.words import choice, quote
from deckcheck.formats import Format
from deckcheck.generating.limits import leaders_allowed
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.studies.duel_study import check_meetings, field_of
from deckcheck.studies.search.search import SearchOutcome
from deckcheck.studies.search.space import DeckSpace, spaces_of
from deckcheck.studies.search.study import Hunt, HuntQuestion
from deckcheck.validation import DeckReport


@dataclass(frozen=True, slots=True)
class BuildQuestion(HuntQuestion):
    """Of which `factions` the deck may be, by name or id; all if there are none."""

    __pydantic_config__ = CLOSED

    factions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Building(Hunt[BuildQuestion]):
    """A deck that is to be made; `run` makes it."""

    KIND = "build"
    QUESTION = BuildQuestion

    format: Format
    database: CardDatabase
    question: BuildQuestion
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[BuildQuestion]:
        """What decides what is played."""
        return StudySpec(
            self.format, self.database, self.question, {"field": self.field}
        )

    @classmethod
    def from_spec(cls, spec: StudySpec[BuildQuestion]) -> Building:
        """The search that asks this."""
        return cls(spec.format, spec.database, spec.question, spec.role("field"))

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """A space for each faction, with the decks of the field that are of it."""
        spaces = spaces_of(self.format, self.database, self.question.factions)
        decks = [opponent.deck for opponent in self.field]
        return [space.beginning_with(decks) for space in spaces]

    def name_of(self, deck: SearchOutcome) -> str:
        """What the deck is called."""
        faction = deck.space.template.faction
        if faction is None:
            return "Built"
        return f"{self.database.factions[faction].name}, built"


def building_of(
    fmt: Format,
    database: CardDatabase,
    opponents: Sequence[DeckReport],
    question: BuildQuestion,
) -> Building:
    """The search for the best deck of `fmt`.

    Raises UsageError without a field, for a faction without decks, for too few games,
    and for a format in which no two decks meet.
    """
    check_meetings(fmt)
    field = field_of(opponents, question.policies)
    factions = tuple(faction_of(name, fmt, database) for name in question.factions)
    factions = tuple(dict.fromkeys(factions))
    spec = replace(question.confirmed_in(fmt), factions=factions)
    building = Building(fmt, database, spec, field)
    building.check_games()
    return building


def faction_of(name: str, fmt: Format, database: CardDatabase) -> str:
    """The id of a faction that has decks; UsageError for another name."""
    faction_id = database.find_faction(name).id
    factions = dict.fromkeys(
        leader.faction for leader in leaders_allowed(fmt, database)
    )
    if faction_id is not None and faction_id in factions:
        return faction_id
    names = [database.factions[faction].name for faction in factions]
    raise UsageError(
        f"No decks of the faction {quote(name)} in {quote(fmt.id)}",
        f"Factions are {choice(names, 'and')}"
        if names
        else f"Leave {option('faction')} out",
    )
