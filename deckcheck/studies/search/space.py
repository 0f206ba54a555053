"""The space of a search: the legal decks of a format within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import cached_property
from random import Random

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck, DeckEntry, DeckSource
from deckcheck.decks.model import Header
from deckcheck.findings import Position, Severity, Span, UsageError
from deckcheck.formats import Format
from deckcheck.formats.model import Constraint, is_file_name
from deckcheck.generating import (
    copies_allowed,
    draw_cards,
    has_leaders,
    leaders_allowed,
)
from deckcheck.messages import quote
from deckcheck.rules import find_breaches

SEARCH_ORIGIN = "<search>"
"""The origin of decks that are in no file."""
NO_SPAN = Span(Position(1, 1), Position(1, 1))
TRIES_PER_STEP = 40
"""The random changes that are tried for each change that a random deck takes."""
SHARE_FULLY_RANDOM = 0.25
"""The share of random decks that do not begin with a strong deck, if there is any."""
MAX_WANDERED_CHANGES = 10
"""The most changes from a strong deck to a random deck near it."""
NO_DECK_HELP = "Its limits may exclude each other, or leave few decks"


class Change(Enum):
    """The kinds of random changes."""

    ADD = auto()
    """A card comes."""
    REMOVE = auto()
    """A card goes."""
    EXCHANGE = auto()
    """A copy of a card comes for a copy of another card."""
    EXCHANGE_COPIES = auto()
    """As many copies of a card as possible come for copies of another card."""
    ADD_COPIES = auto()
    """All copies of a card come for single copies of any other cards.

    Some cards are valuable only together: a first copy would not stay for the sake of a
    second copy.
    """


CHANGES = (
    Change.ADD,
    Change.REMOVE,
    Change.EXCHANGE_COPIES,
    Change.EXCHANGE_COPIES,
    Change.ADD_COPIES,
    Change.EXCHANGE,
    Change.EXCHANGE,
    Change.EXCHANGE,
)
"""The changes to draw from, some of them more often."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A deck of a space."""

    leader: str | None
    counts: tuple[int, ...]
    """The number of copies of each card of the space."""


@dataclass(frozen=True)
class DeckSpace:
    """The legal decks of a faction, or those within some changes of a deck."""

    format: Format
    database: CardDatabase
    template: Deck
    """Everything of a deck but its leader and its cards."""
    leaders: tuple[str | None, ...]
    """The ids of the leaders, None in a game without leaders."""
    cards: tuple[str, ...]
    """The ids of the cards."""
    least: tuple[int, ...]
    """The fewest copies of each card."""
    most: tuple[int, ...]
    """The most copies of each card."""
    base: Candidate | None = None
    """The deck that is changed, if there is one."""
    changes: int | None = None
    """The most cards that are exchanged, added or taken out."""
    strong: tuple[Candidate, ...] = ()
    """The decks to begin with."""
    _verdicts: dict[Candidate, bool] = field(
        default_factory=dict, repr=False, compare=False
    )
    """Whether each deck that was checked is legal."""

    @cached_property
    def _constraints(self) -> list[Constraint]:
        """The constraints of the format, those that refused the latest decks first."""
        return list(self.format.constraints)

    @cached_property
    def _entries(self) -> list[list[DeckEntry]]:
        """The line of a deck for each card, and for each number of copies from 0 on."""
        return [
            [DeckEntry(card, count, self.template.span) for count in range(most + 1)]
            for card, most in zip(self.cards, self.most, strict=True)
        ]

    def deck(self, candidate: Candidate) -> Deck:
        """Return the candidate as a deck."""
        lines = zip(self._entries, candidate.counts, strict=True)
        entries = tuple(by_count[count] for by_count, count in lines if count)
        headers = dict(self.template.headers)
        if candidate.leader is not None and candidate.leader != self.template.leader:
            name = self.database.leaders[candidate.leader].full_name
            headers["leader"] = (Header(name, self.template.span),)
        return replace(
            self.template,
            leader=candidate.leader,
            entries=entries,
            headers=headers,
        )

    def holds(self, candidate: Candidate) -> bool:
        """Report whether a candidate is in the space."""
        bounds = zip(self.least, candidate.counts, self.most, strict=True)
        return (
            candidate.leader in self.leaders
            and all(low <= count <= high for low, count, high in bounds)
            and (self.changes is None or self.distance(candidate) <= self.changes)
            and self.is_legal(candidate)
        )

    def distance(self, candidate: Candidate) -> int:
        """Return how many changes lead from the base to a candidate, 0 without a base.

        A card that replaces another card is one change. Leaders do not count.
        """
        if self.base is None:
            return 0
        added = removed = 0
        for new, old in zip(candidate.counts, self.base.counts, strict=True):
            added += max(0, new - old)
            removed += max(0, old - new)
        return max(added, removed)

    def count_changes(self, candidate: Candidate) -> int:
        """Return the distance, where another leader counts as a change, too."""
        is_new_leader = self.base is not None and candidate.leader != self.base.leader
        return self.distance(candidate) + int(is_new_leader)

    def is_legal(self, candidate: Candidate) -> bool:
        """Report whether the deck is legal. The verdict is cached."""
        if candidate not in self._verdicts:
            self._verdicts[candidate] = not self._breaks_constraint(candidate)
        return self._verdicts[candidate]

    def _breaks_constraint(self, candidate: Candidate) -> bool:
        """Report whether a constraint of the format refuses the deck.

        Decks that are tried one after the other are alike and mostly break the same
        constraint, so it comes first the next time.
        """
        deck = self.deck(candidate)
        for index, constraint in enumerate(self._constraints):
            faults = find_breaches(constraint, deck, self.format, self.database)
            if any(fault.severity is Severity.ERROR for fault in faults):
                self._constraints.insert(0, self._constraints.pop(index))
                return True
        return False

    def draw_deck(self, generator: Random) -> Candidate | None:
        """Return a random deck of the space, or None if none was found.

        With a base it is the base after at least half of the changes allowed. Else it
        is a strong deck after some changes, or has cards drawn at random.
        """
        if self.base is not None:
            start = replace(self.base, leader=generator.choice(self.leaders))
            most = self.changes or 0
            steps = generator.randint((most + 1) // 2, most)
            if not self.is_legal(start):
                return None
            return self.wander(start, steps, generator)
        if self.strong and generator.random() >= SHARE_FULLY_RANDOM:
            start = generator.choice(self.strong)
            steps = generator.randint(1, MAX_WANDERED_CHANGES)
            return self.wander(start, steps, generator)
        return self._draw_cards(generator)

    def wander(self, start: Candidate, steps: int, generator: Random) -> Candidate:
        """Make `steps` random changes, or fewer where a change is not possible."""
        candidate = start
        for _ in range(steps):
            for _ in range(TRIES_PER_STEP):
                changed = self._make_change(candidate, generator)
                if self.holds(changed):
                    candidate = changed
                    break
        return candidate

    def _make_change(self, start: Candidate, generator: Random) -> Candidate:
        """Make a random change of a random kind, which may leave the space.

        An exchange only adds a card if none can be removed, and the reverse.
        """
        counts = list(start.counts)
        removable: list[int] = []
        addable = []
        for card, count in enumerate(counts):
            removable += [card] * (count - self.least[card])
            if count < self.most[card]:
                addable.append(card)
        change = generator.choice(CHANGES)
        removed = added = None
        if removable and change is not Change.ADD:
            removed = generator.choice(removable)
        if addable and change is not Change.REMOVE:
            added = generator.choice(addable)
        if added is not None and change is Change.ADD_COPIES:
            return self._add_copies(start, added, removable, generator)
        copies = 1
        if (
            change is Change.EXCHANGE_COPIES
            and removed is not None
            and added is not None
        ):
            copies = min(removable.count(removed), self.most[added] - counts[added])
        if removed is not None:
            counts[removed] -= copies
        if added is not None:
            counts[added] += copies
        return Candidate(start.leader, tuple(counts))

    def _add_copies(
        self, start: Candidate, card: int, removable: list[int], generator: Random
    ) -> Candidate:
        """Add all copies of a card that are allowed, for as many copies of others."""
        counts = list(start.counts)
        others = [other for other in removable if other != card]
        copies = min(self.most[card] - counts[card], len(others))
        for other in generator.sample(others, copies):
            counts[other] -= 1
        counts[card] += copies
        return Candidate(start.leader, tuple(counts))

    def beginning_with(self, decks: Sequence[Deck]) -> DeckSpace:
        """Return the space that begins with those of these decks that it holds."""
        strong: dict[Candidate, None] = {}
        for deck in decks:
            counts = deck.counts()
            if counts.keys() <= set(self.cards):
                copies = tuple(counts[card] for card in self.cards)
                candidate = Candidate(deck.leader, copies)
                if self.holds(candidate):
                    strong[candidate] = None
        return replace(self, strong=tuple(strong))

    def _draw_cards(self, generator: Random) -> Candidate | None:
        """Return a deck with cards drawn at random, or None if none was legal."""
        allowed = dict(zip(self.cards, self.most, strict=True))
        for _ in range(TRIES_PER_STEP):
            cards = draw_cards(self.format, self.database, allowed, generator)
            if cards is None:
                continue
            counts = tuple(cards[card] for card in self.cards)
            candidate = Candidate(generator.choice(self.leaders), counts)
            if self.holds(candidate):
                return candidate
        return None


def space_around(
    deck: Deck,
    fmt: Format,
    database: CardDatabase,
    *,
    changes: int,
    kept: Sequence[str] = (),
    changes_leader: bool = False,
) -> DeckSpace:
    """Return the decks that differ from a legal deck by at most `changes`.

    All copies of the cards in `kept`, by id, stay in the deck. The leader stays unless
    `changes_leader`.
    """
    counts = deck.counts()
    allowed = _list_allowed_copies(fmt, database, deck.faction)
    others = [id for id in database.cards if id in allowed and id not in counts]
    cards = (*counts, *others)
    least, most = [], []
    for id in cards:
        least.append(counts[id] if id in kept else 0)
        most.append(max(counts[id], allowed.get(id, 0)))
    leaders = [deck.leader]
    if changes_leader:
        for leader in leaders_allowed(fmt, database):
            if leader.faction == deck.faction and leader.id != deck.leader:
                leaders.append(leader.id)
    return DeckSpace(
        fmt,
        database,
        template=deck,
        leaders=tuple(leaders),
        cards=cards,
        least=tuple(least),
        most=tuple(most),
        base=Candidate(deck.leader, tuple(counts[id] for id in cards)),
        changes=changes,
    )


def make_space(fmt: Format, database: CardDatabase, faction: str | None) -> DeckSpace:
    """Return all legal decks of a faction, or of a game without factions."""
    leaders: tuple[str | None, ...] = (None,)
    if has_leaders(fmt):
        allowed_leaders = leaders_allowed(fmt, database)
        leaders = tuple(x.id for x in allowed_leaders if x.faction == faction)
    allowed = _list_allowed_copies(fmt, database, faction)
    headers = {}
    if not is_file_name(fmt.id):
        # A format of the user's own is passed by `--format`.
        headers["format"] = (Header(fmt.id, NO_SPAN),)
    if faction is not None:
        headers["faction"] = (Header(database.factions[faction].name, NO_SPAN),)
    source = DeckSource(SEARCH_ORIGIN)
    template = Deck(source, "", fmt.id, faction, None, (), NO_SPAN, headers)
    return DeckSpace(
        fmt,
        database,
        template,
        leaders,
        cards=tuple(allowed),
        least=(0,) * len(allowed),
        most=tuple(allowed.values()),
    )


def make_spaces(
    fmt: Format, database: CardDatabase, factions: Sequence[str] = ()
) -> list[DeckSpace]:
    """Return the spaces of these factions, by id, or of all that have a legal deck.

    Raises UsageError for a named faction without a legal deck, or if there is none.
    """
    ids: list[str | None] = list(factions)
    if not ids:
        leaders = leaders_allowed(fmt, database)
        ids += dict.fromkeys(leader.faction for leader in leaders)
    spaces = []
    for id in ids or [None]:
        space = make_space(fmt, database, id)
        if space.leaders and space.draw_deck(Random(0)) is not None:
            spaces.append(space)
        elif id is not None and id in factions:
            raise UsageError(
                f"No legal deck of {quote(id)} was found in {quote(fmt.id)}",
                NO_DECK_HELP,
            )
    if not spaces:
        raise UsageError(f"No legal deck was found in {quote(fmt.id)}", NO_DECK_HELP)
    return spaces


def _list_allowed_copies(
    fmt: Format, database: CardDatabase, faction: str | None
) -> dict[str, int]:
    """Return the allowed copies of the cards that fit a faction, or of all cards.

    All cards fit if `faction` is None.
    """
    cards = list(database.cards.values())
    if faction is not None:
        fitting = (faction, database.game.neutral, None)
        cards = [card for card in cards if card.faction in fitting]
    return copies_allowed(fmt, cards)
