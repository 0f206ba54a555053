"""A league whose best deck is known, since all of its decks can be measured.

A set of eight made-up cards, two copies of each, leaves 784 decks of ten cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import deckcheck
from deckcheck.decks import Deck
from deckcheck.formats import database_of, load_format
from deckcheck.sim.entrants import enter
from deckcheck.sim.gathering import gather
from deckcheck.sim.scheduler import GameSession
from deckcheck.sim.workers import InProcess
from deckcheck.studies.search.space import Candidate, DeckSpace, make_spaces
from deckcheck.studies.validation_games import Measure

COPIES = 2
FACTION = "northern_realms"
LEADER = "foltest_king_of_temeria"
CARDS = (
    # name, row, strength, abilities
    ("guard", "close", 7, ""),
    ("archer", "ranged", 6, ""),
    ("tower", "siege", 5, ""),
    ("brother", "close", 4, "tight_bond"),
    ("crowd", "ranged", 3, "muster"),
    ("spy", "close", 5, "spy"),
    ("healer", "siege", 1, "medic"),
    ("herald", "close", 2, "morale_boost"),
)
FIELD = ((2, 2, 2, 0, 0, 1, 1, 2), (1, 1, 1, 2, 2, 2, 1, 0))
"""The decks of the field, by how many copies they have of each card."""

NEAR = 0.005
STAGES = ((None, 1_500), (100, 15_000), (20, 100_000))
"""How many decks are measured, and the games of each."""


@dataclass(frozen=True, slots=True)
class Planted:
    """A league of few decks, its field, and where they are."""

    league: Path
    field: tuple[Path, ...]
    policy: str

    @property
    def space(self) -> DeckSpace:
        """All decks of the league."""
        fmt = load_format(str(self.league))
        [space] = make_spaces(fmt, database_of(fmt), [FACTION])
        return space

    def measure(self, games: GameSession) -> Measure:
        """What plays decks against the field."""
        reports, _ = gather(list(map(str, self.field)), str(self.league))
        space = self.space
        entrants = enter(reports, [self.policy])
        return Measure(
            space.format,
            space.database,
            entrants,
            self.policy,
            games,
        )


def write_league(folder: Path, kinds: int = len(CARDS), policy: str = "") -> Planted:
    """Write the set of the first `kinds` of cards, a league and its field.

    A deck has five cards of four.
    """
    size = kinds * 5 // 4
    db = database_of(load_format("gwent/standard"))
    cards = "".join(
        f"  - id: planted_{name}\n    name: Planted {name}\n    faction: {FACTION}\n"
        f"    kind: unit\n    rows: [{row}]\n    strength: {strength}\n"
        f"    abilities: [{ability}]\n    copies: {COPIES}\n"
        for name, row, strength, ability in CARDS[:kinds]
    )
    removed = ", ".join(card.id for card in db.cards.values() if card.deckable)
    (folder / "planted.yaml").write_text(f"cards:\n{cards}remove: [{removed}]\n")
    others = [
        each.id
        for each in db.leaders.values()
        if each.faction == FACTION and each.id != LEADER
    ]
    league = folder / "league.yaml"
    league.write_text(
        "title: Planted\nextends: gwent/standard\nsets: [planted.yaml]\n"
        f"constraints:\n  units:\n    min: {size}\n    max: {size}\n"
        f"  one_leader:\n    rule: banned\n    leaders: [{', '.join(others)}]\n"
        "options:\n  hand_size: 6\n"
    )
    decks = []
    for number, counts in enumerate(FIELD):
        deck = folder / f"field_{number}.deck"
        deck.write_text(_deck(number, counts[:kinds], size))
        decks.append(deck)
    return Planted(league, tuple(decks), policy or "heuristic-1")


def _deck(number: int, counts: Sequence[int], size: int) -> str:
    """A deck of the field; the first cards make up for too many or too few."""
    found = list(counts)
    while sum(found) > size:
        place = next(i for i, n in enumerate(found) if n)
        found[place] -= 1
    while sum(found) < size:
        place = next(i for i, n in enumerate(found) if n < COPIES)
        found[place] += 1
    lines = [f"Name: Field {number}", "Leader: Foltest, King of Temeria"]
    names = [f"{n} Planted {c[0]}" for n, c in zip(found, CARDS, strict=False) if n]
    return "\n".join([*lines, "", *names, ""])


def every_deck(space: DeckSpace) -> list[Candidate]:
    """All decks of a space, by trying all numbers of all cards."""
    ranges = (range(most + 1) for most in space.most)
    each = (
        Candidate(leader, counts)
        for leader in space.leaders
        for counts in product(*ranges)
    )
    return [candidate for candidate in each if space.holds(candidate)]


def best_deck(
    planted: Planted, stages: Sequence[tuple[int | None, int]] = STAGES
) -> tuple[Deck, int]:
    """The best deck of the league by enumeration, and how many decks there are."""
    space = planted.space
    decks = [space.deck(each) for each in every_deck(space)]
    count = len(decks)
    with GameSession(1_000, 1, InProcess(), announces=False) as games:
        measure = planted.measure(games)
        for most, each in stages:
            decks = decks[:most]
            rates = measure.play(decks, each).rates
            ranked = sorted(range(len(decks)), key=lambda i: -rates[i])
            decks = [decks[i] for i in ranked]
    return decks[0], count


def gaps(
    planted: Planted, best: Deck, seeds: Sequence[int], games: int, validation: int
) -> list[float]:
    """By how much what `build` finds is worse than the best deck, for each seed."""
    found = []
    for seed in seeds:
        result = deckcheck.build(
            planted.league,
            against=list(planted.field),
            factions=FACTION,
            games=games,
            seed=seed,
            policies=planted.policy,
            cross_check=None,
        )
        found.append({each.id: each.copies for each in result.cards})
    space = planted.space
    decks = [
        space.deck(Candidate(LEADER, tuple(f.get(card, 0) for card in space.cards)))
        for f in found
    ]
    with GameSession(2_000, 1, InProcess(), announces=False) as fresh:
        rates = planted.measure(fresh).play([best, *decks], validation).rates
    return [float(rates[0] - rate) for rate in rates[1:]]
