"""The lineups that can be made of some decks, and those of a field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb

from deckcheck.cards import CardDatabase
from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.options import option
from deckcheck.findings.words import plural
from deckcheck.formats import Format
from deckcheck.rules import judge_together
from deckcheck.sim.matches.lineups import Lineup, lineups_of
from deckcheck.sim.matches.selection import SELECTIONS
from deckcheck.sim.tables.entrants import Entrant, by_file, distinct_names

OPTIMAL = SELECTIONS[0]
MOST_COMBINATIONS = 5_000
"""Combinations of decks that are tried; they are compared two by two."""

Members = tuple[int, ...]
"""The decks of a lineup, by their places in the pool."""


@dataclass
class Pool:
    """Decks, each of them once, and lineups of them.

    `own` are all legal lineups of the decks to choose from, `lonely` says why decks are
    in none of them; `against` are those of a field, by their `names`, if there is one.
    """

    decks: list[Entrant] = field(default_factory=list)
    own: list[Members] = field(default_factory=list)
    against: list[Members] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    lonely: dict[int, str] = field(default_factory=dict)

    def lineup(self, members: Members, name: str = "") -> Lineup:
        """A lineup as it plays, called by its decks if it has no name."""
        entrants = tuple(self.decks[i] for i in members)
        called = name or ", ".join(entrant.name for entrant in entrants)
        return Lineup(called, entrants, OPTIMAL)

    @property
    def meetings(self) -> list[tuple[int, int]]:
        """The pairs of decks whose chances have to be known, the first before."""
        own = {deck for lineup in self.own for deck in lineup}
        others = {deck for lineup in self.against or self.own for deck in lineup}
        pairs = {(min(a, b), max(a, b)) for a in own for b in others if a != b}
        return sorted(pairs)


def pool_of(
    fmt: Format,
    database: CardDatabase,
    start: Sequence[Entrant],
    against: Sequence[Entrant],
) -> Pool:
    """Return the legal lineups of the decks `start`, and those of the field `against`.

    Equal decks are one. Raises UsageError for decks of which no lineup can be made, or
    too many, and for a single one that has nobody to play.
    """
    if not start:
        raise UsageError(
            "No decks to choose from",
            f"Name the decks that you could bring with {option('start')}: files or "
            "folders of single decks or of lineups",
        )
    different = {_content(entrant.deck): entrant for entrant in [*against, *start]}
    places = {content: place for place, content in enumerate(different)}
    pool = Pool(distinct_names(list(different.values())))
    own = sorted({places[_content(entrant.deck)] for entrant in start})
    pool.own = _legal(fmt, database, pool.decks, own)
    used = {i for members in pool.own for i in members}
    decks = {i: pool.decks[i].deck for i in own}
    for i in sorted(decks.keys() - used):
        others = [decks[j] for j in own if j != i]
        pool.lonely[i] = _reason(fmt, database, decks[i], others)
    if against:
        lineups = lineups_of(fmt, against, [OPTIMAL] * len(by_file(against)))
        pool.names = [lineup.name for lineup in lineups]
        pool.against = [
            tuple(places[_content(entrant.deck)] for entrant in lineup.entrants)
            for lineup in lineups
        ]
    elif len(pool.own) == 1:
        raise UsageError(
            "These decks make a single legal lineup, which has nobody to play",
            f"Name more decks with {option('start')}, or lineups with "
            f"{option('against')}",
        )
    return pool


def _content(deck: Deck) -> object:
    """What makes decks the same."""
    return deck.faction, deck.leader, tuple(sorted(deck.counts().items()))


def _legal(
    fmt: Format, database: CardDatabase, decks: Sequence[Entrant], own: Sequence[int]
) -> list[Members]:
    """The lineups that the format allows; UsageError for none and for too many."""
    sizes = range(fmt.seating.min_decks, fmt.seating.max_decks + 1)
    number = sum(comb(len(own), size) for size in sizes)
    if number > MOST_COMBINATIONS:
        raise UsageError(
            f"{plural(len(own), 'deck')} can be combined in {number:,} ways, "
            f"at most {MOST_COMBINATIONS:,} are compared",
            f"Name fewer decks with {option('start')}",
        )
    legal = []
    reasons = Counter[str]()
    for members in (m for size in sizes for m in combinations(own, size)):
        lineup = [decks[i].deck for i in members]
        findings = judge_together(lineup, fmt, database)
        if not findings:
            legal.append(members)
        reasons.update(finding.finding.message for finding in findings)
    if not legal:
        why = f"; most often: {reasons.most_common(1)[0][0]}" if reasons else ""
        makes = "makes" if len(own) == 1 else "make"
        change = ", or change cards that they share" if len(own) > 1 else ""
        raise UsageError(
            f"{plural(len(own), 'deck')} {makes} no legal lineup of {fmt.id}{why}",
            f"Name more decks with {option('start')}{change}",
        )
    return legal


def _reason(
    fmt: Format, database: CardDatabase, deck: Deck, others: Sequence[Deck]
) -> str:
    """What most often forbids a deck together with others."""
    reasons = Counter[str]()
    for partners in combinations(others, fmt.seating.min_decks - 1):
        findings = judge_together([*partners, deck], fmt, database)
        # Of decks that clash the last one is blamed.
        blamed = [f.finding.message for f in findings if f.at == len(partners)]
        reasons.update(blamed)
    return reasons.most_common(1)[0][0]
