"""The space of a search: the legal decks of a format within limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck, DeckEntry, DeckSource
from deckcheck.decks.model import Header
from deckcheck.findings import Position, Severity, Span, UsageError
from deckcheck.formats import Format
from deckcheck.formats.model import is_file_name
from deckcheck.generating import (
    copies_allowed,
    draw_cards,
    has_leaders,
    leaders_allowed,
)
from deckcheck.messages import quote
from deckcheck.rules import find_faults

SEARCH_ORIGIN = "<search>"
"""Where a deck comes from that no file holds."""

NO_SPAN = Span(Position(1, 1), Position(1, 1))
TRIES_PER_STEP = 40
"""Random steps that are tried for each one that a random deck takes."""

SHARE_FULLY_RANDOM = 0.25
"""The share of random decks that owe nothing to a strong one, where there is any."""

MAX_WANDERED_CHANGES = 10
"""How many changes lead from a strong deck to a random one near it, at most."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A deck of a space: its leader, and how many copies of each card of the space."""

    leader: str | None
    counts: tuple[int, ...]


@dataclass(frozen=True)
class DeckSpace:
    """The legal decks of one faction, or those that lie near one deck."""

    format: Format
    database: CardDatabase
    template: Deck
    """Everything of a deck but its leader and its cards."""
    leaders: tuple[str | None, ...]
    cards: tuple[str, ...]
    """The ids of the cards."""
    least: tuple[int, ...]
    """The fewest copies of each card."""
    most: tuple[int, ...]
    """The most copies of each card."""
    base: Candidate | None = None
    """The deck near which the others lie, if there is one."""
    changes: int | None = None
    """How many cards at most are exchanged, added or taken out."""
    strong: tuple[Candidate, ...] = ()
    """Decks that are worth beginning with."""
    _verdicts: dict[Candidate, bool] = field(
        default_factory=dict, repr=False, compare=False
    )

    def deck(self, candidate: Candidate) -> Deck:
        """Return the candidate as a deck."""
        entries = []
        for card, count in zip(self.cards, candidate.counts, strict=True):
            if count:
                entries.append(DeckEntry(card, count, self.template.span))
        headers = dict(self.template.headers)
        if candidate.leader is not None and candidate.leader != self.template.leader:
            name = self.database.leaders[candidate.leader].full_name
            headers["leader"] = (Header(name, self.template.span),)
        return replace(
            self.template,
            leader=candidate.leader,
            entries=tuple(entries),
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
        """Return how many changes make this candidate of the base, 0 without a base."""
        if self.base is None:
            return 0
        pairs = list(zip(candidate.counts, self.base.counts, strict=True))
        added = sum(max(0, new - old) for new, old in pairs)
        return max(added, sum(max(0, old - new) for new, old in pairs))

    def count_changes(self, candidate: Candidate) -> int:
        """Return the distance, where another leader counts as a change, too."""
        other_leader = self.base is not None and candidate.leader != self.base.leader
        return self.distance(candidate) + other_leader

    def is_legal(self, candidate: Candidate) -> bool:
        """Report whether the deck is legal. The verdict is cached."""
        if candidate not in self._verdicts:
            faults = find_faults(self.deck(candidate), self.format, self.database)
            is_illegal = any(fault.severity is Severity.ERROR for fault in faults)
            self._verdicts[candidate] = not is_illegal
        return self._verdicts[candidate]

    def random(self, chance: Random) -> Candidate | None:
        """Return a random deck of the space, or None if none was found.

        Near a base it has random changes, at least half of those allowed. Else it is
        near a strong deck, or has cards drawn at random.
        """
        if self.base is None:
            if self.strong and chance.random() >= SHARE_FULLY_RANDOM:
                start = chance.choice(self.strong)
                return self.wander(
                    start, chance.randint(1, MAX_WANDERED_CHANGES), chance
                )
            return self._draw_copies(chance)
        start = replace(self.base, leader=chance.choice(self.leaders))
        most = self.changes or 0
        steps = chance.randint((most + 1) // 2, most)
        return self.wander(start, steps, chance) if self.is_legal(start) else None

    def wander(self, start: Candidate, steps: int, chance: Random) -> Candidate:
        """Make `steps` random changes, or fewer where a change is not possible."""
        candidate = start
        for _ in range(steps):
            tries = (self._make_step(candidate, chance) for _ in range(TRIES_PER_STEP))
            candidate = next(filter(self.holds, tries), candidate)
        return candidate

    def _make_step(self, start: Candidate, chance: Random) -> Candidate:
        """Exchange a card, or all of its copies, or only add or remove a card.

        Some cards are valuable only together, so that a first copy would not stay for
        the sake of a second: all copies of a card may come at once for other cards.
        """
        counts = list(start.counts)
        places = range(len(counts))
        out = [i for i in places for _ in range(counts[i] - self.least[i])]
        into = [i for i in places if counts[i] < self.most[i]]
        kind = chance.randrange(8)
        removed = chance.choice(out) if out and kind != 0 else None
        come = chance.choice(into) if into and kind != 1 else None
        if come is not None and kind == 4:
            return self._bring_all(start, come, out, chance)
        copies = 1
        if removed is not None and come is not None and kind in (2, 3):
            free = self.most[come] - counts[come]
            copies = min(counts[removed] - self.least[removed], free)
        if removed is not None:
            counts[removed] -= copies
        if come is not None:
            counts[come] += copies
        return Candidate(start.leader, tuple(counts))

    def _bring_all(
        self, start: Candidate, card: int, out: Sequence[int], chance: Random
    ) -> Candidate:
        """Add all copies of a card that are allowed, for as many cards of `out`."""
        counts = list(start.counts)
        others = [i for i in out if i != card]
        copies = min(self.most[card] - counts[card], len(others))
        for i in chance.sample(others, copies):
            counts[i] -= 1
        counts[card] += copies
        return Candidate(start.leader, tuple(counts))

    def beginning_with(self, decks: Sequence[Deck]) -> DeckSpace:
        """Return the space with the decks that it holds among these as beginnings."""
        strong = []
        for deck in decks:
            counts = deck.counts()
            if counts.keys() <= set(self.cards):
                copies = tuple(counts[card] for card in self.cards)
                strong.append(Candidate(deck.leader, copies))
        strong = [candidate for candidate in strong if self.holds(candidate)]
        return replace(self, strong=tuple(dict.fromkeys(strong)))

    def _draw_copies(self, chance: Random) -> Candidate | None:
        allowed = dict(zip(self.cards, self.most, strict=True))
        for _ in range(TRIES_PER_STEP):
            cards = draw_cards(self.format, self.database, allowed, chance)
            if cards is None:
                continue
            counts = tuple(cards[card] for card in self.cards)
            candidate = Candidate(chance.choice(self.leaders), counts)
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
    cards = (
        *counts,
        *(id for id in database.cards if id in allowed and id not in counts),
    )
    leaders: tuple[str | None, ...] = (deck.leader,)
    if changes_leader:
        leaders += tuple(
            leader.id
            for leader in leaders_allowed(fmt, database)
            if leader.faction == deck.faction and leader.id != deck.leader
        )
    return DeckSpace(
        fmt,
        database,
        deck,
        leaders,
        cards,
        tuple(counts[id] if id in kept else 0 for id in cards),
        tuple(max(counts[id], allowed.get(id, 0)) for id in cards),
        Candidate(deck.leader, tuple(counts[id] for id in cards)),
        changes,
    )


def make_space(fmt: Format, database: CardDatabase, faction: str | None) -> DeckSpace:
    """Return all legal decks of a faction, or of a game without factions."""
    leaders: tuple[str | None, ...] = (None,)
    if has_leaders(fmt):
        own = leaders_allowed(fmt, database)
        leaders = tuple(leader.id for leader in own if leader.faction == faction)
    allowed = _list_allowed_copies(fmt, database, faction)
    headers = {}
    if not is_file_name(fmt.id):
        # A format of the user's own is passed by `--format`.
        headers["format"] = (Header(fmt.id, NO_SPAN),)
    if faction is not None:
        headers["faction"] = (Header(database.factions[faction].name, NO_SPAN),)
    source = DeckSource(SEARCH_ORIGIN)
    template = Deck(source, "", fmt.id, faction, None, (), NO_SPAN, headers)
    least, most = (0,) * len(allowed), tuple(allowed.values())
    return DeckSpace(fmt, database, template, leaders, tuple(allowed), least, most)


def make_spaces(
    fmt: Format, database: CardDatabase, factions: Sequence[str] = ()
) -> list[DeckSpace]:
    """Return the spaces of these factions, by id, or of all that have a legal deck.

    Raises UsageError for a named faction without a legal deck, or if there is none.
    """
    leaders = leaders_allowed(fmt, database)
    names: list[str | None] = [
        *(factions or dict.fromkeys(leader.faction for leader in leaders))
    ]
    spaces = []
    for name in names or [None]:
        space = make_space(fmt, database, name)
        if space.leaders and space.random(Random(0)) is not None:
            spaces.append(space)
        elif factions:
            raise _make_no_deck_error(fmt, name)
    if not spaces:
        raise _make_no_deck_error(fmt, None)
    return spaces


def _make_no_deck_error(fmt: Format, faction: str | None) -> UsageError:
    of = f" of {quote(faction)}" if faction else ""
    return UsageError(
        f"No legal deck{of} was found in {quote(fmt.id)}",
        "Its limits may exclude each other, or leave few decks",
    )


def _list_allowed_copies(
    fmt: Format, database: CardDatabase, faction: str | None
) -> dict[str, int]:
    """Return the allowed copies of the cards that fit a faction, or of all cards for
    None.
    """
    cards = list(database.cards.values())
    if faction is not None:
        fitting = (faction, database.game.neutral, None)
        cards = [card for card in cards if card.faction in fitting]
    return copies_allowed(fmt, cards)
