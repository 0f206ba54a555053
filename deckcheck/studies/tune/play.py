"""Finds the best deck within a few changes of an existing one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from deckcheck.cards import CardDatabase
from deckcheck.cards.query import unknown_name
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.fields import CLOSED
from deckcheck.findings.options import check_range, option
from deckcheck.findings.words import plural, quote
from deckcheck.formats import Format
from deckcheck.sim.defaults import TUNE_CHANGES
from deckcheck.sim.study import StudySpec
from deckcheck.sim.tables.entrants import Entrant
from deckcheck.sim.tables.inputs import enter, errors_of
from deckcheck.studies.duel_study import check_meetings, field_of
from deckcheck.studies.search.search import SearchOutcome
from deckcheck.studies.search.space import DeckSpace, space_around
from deckcheck.studies.search.study import Hunt, HuntQuestion
from deckcheck.validation import DeckReport

MOST_CHANGES = 100


@dataclass(frozen=True, slots=True)
class TuneQuestion(HuntQuestion):
    """Which cards stay (`keep`, by name or id), and how much may change."""

    __pydantic_config__ = CLOSED

    changes: int = TUNE_CHANGES
    keep: tuple[str, ...] = ()
    change_leader: bool = False

    def __post_init__(self) -> None:
        HuntQuestion.__post_init__(self)
        check_range("changes", self.changes, 1, MOST_CHANGES)


@dataclass(frozen=True)
class Tuning(Hunt[TuneQuestion]):
    """A deck that is to become better; `run` tries."""

    KIND = "tune"
    QUESTION = TuneQuestion

    format: Format
    database: CardDatabase
    question: TuneQuestion
    deck: Entrant
    field: tuple[Entrant, ...]

    @property
    def spec(self) -> StudySpec[TuneQuestion]:
        """What decides what is played."""
        decks = {"deck": (self.deck,), "field": self.field}
        return StudySpec(self.format, self.database, self.question, decks)

    @classmethod
    def from_spec(cls, spec: StudySpec[TuneQuestion]) -> Tuning:
        """The search that asks this."""
        [deck], field = spec.role("deck"), spec.role("field")
        return cls(spec.format, spec.database, spec.question, deck, field)

    @cached_property
    def spaces(self) -> list[DeckSpace]:
        """The decks around the base."""
        return [
            space_around(
                self.deck.deck,
                self.format,
                self.database,
                changes=self.question.changes,
                kept=self.question.keep,
                changes_leader=self.question.change_leader,
            )
        ]

    @property
    def base(self) -> Entrant:
        """The deck that is to become better."""
        return self.deck

    def name_of(self, deck: SearchOutcome) -> str:
        """What a better deck is called."""
        return f"{self.deck.name}, tuned"


def tuning_of(
    fmt: Format,
    database: CardDatabase,
    deck: Sequence[DeckReport],
    opponents: Sequence[DeckReport],
    question: TuneQuestion,
) -> Tuning:
    """The search for a better version of a deck as `fmt` is played.

    Raises UsageError unless there is one legal deck and a field, for a card to keep
    that it does not hold, for too few games, and for a format in which no two decks
    meet.
    """
    check_meetings(fmt)
    if len(deck) != 1:
        raise UsageError(
            f"Found {plural(len(deck), 'deck')}, expected one",
            "Name the file of the deck to tune, which holds no other; the field goes "
            f"with {option('against')}",
        )
    if errors_of(deck[0]):
        raise UsageError(
            f"{quote(deck[0].source.path)} is illegal in {quote(fmt.id)}",
            "Only a legal deck can be tuned; `deckcheck validate` says what is wrong",
        )
    field = field_of(opponents, question.policies)
    [entrant] = enter(deck, [question.policies[0]])
    keep = tuple(_kept(name, entrant.deck, database) for name in question.keep)
    spec = replace(question.confirmed_in(fmt), keep=tuple(dict.fromkeys(keep)))
    tuning = Tuning(fmt, database, spec, entrant, field)
    tuning.check_games()
    return tuning


def _kept(name: str, deck: Deck, database: CardDatabase) -> str:
    """The id of a card of the deck."""
    lookup = database.find_card(name)
    among = lookup.among(deck.counts())
    if among.id is not None:
        return among.id
    if lookup.id is None and not lookup.candidates:
        raise unknown_name(database, name)
    raise UsageError(
        f"{quote(name)} is not in {quote(deck.name)}",
        f"Name cards of the deck with {option('keep')}",
    )
