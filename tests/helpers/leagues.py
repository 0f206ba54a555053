"""A league whose best deck is known, since all of its decks can be measured.

A set of five made-up cards, two copies of each, leaves 45 decks of six cards.
"""

from __future__ import annotations

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

COPIES, SIZE = 2, 6
FACTION = "northern_realms"
LEADER = "foltest_king_of_temeria"
CARDS = (
    # name, row, strength, abilities
    ("guard", "close", 7, ""),
    ("archer", "ranged", 6, ""),
    ("tower", "siege", 5, ""),
    ("brother", "close", 4, "tight_bond"),
    ("crowd", "ranged", 3, "muster"),
)
FIELD = ((2, 2, 2, 0, 0), (0, 1, 1, 2, 2))
"""The decks of the field, by how many copies they have of each card."""

NEAR = 0.005
POLICY = "heuristic-1"


@dataclass(frozen=True, slots=True)
class Planted:
    """A league of few decks, and its field."""

    league: Path
    field: tuple[Path, ...]

    @property
    def space(self) -> DeckSpace:
        """All decks of the league."""
        fmt = load_format(str(self.league))
        [space] = make_spaces(fmt, database_of(fmt), [FACTION])
        return space

    def measure(self, games: GameSession) -> Measure:
        """Return what plays decks against the field."""
        reports, _ = gather(list(map(str, self.field)), str(self.league))
        space, entrants = self.space, enter(reports, [POLICY])
        return Measure(space.format, space.database, entrants, POLICY, games)


def write_league(folder: Path) -> Planted:
    """Write the set of the cards, a league and its field."""
    db = database_of(load_format("gwent/standard"))
    cards = "".join(
        f"  - id: planted_{name}\n    name: Planted {name}\n    faction: {FACTION}\n"
        f"    kind: unit\n    rows: [{row}]\n    strength: {strength}\n"
        f"    abilities: [{ability}]\n    copies: {COPIES}\n"
        for name, row, strength, ability in CARDS
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
        f"constraints:\n  units:\n    min: {SIZE}\n    max: {SIZE}\n"
        f"  one_leader:\n    rule: banned\n    leaders: [{', '.join(others)}]\n"
        "options:\n  hand_size: 6\n"
    )
    decks = []
    for number, counts in enumerate(FIELD):
        lines = [f"Name: Field {number}", "Leader: Foltest, King of Temeria", ""]
        pairs = zip(counts, CARDS, strict=True)
        lines += [f"{count} Planted {card[0]}" for count, card in pairs if count]
        deck = folder / f"field_{number}.deck"
        deck.write_text("\n".join([*lines, ""]))
        decks.append(deck)
    return Planted(league, tuple(decks))


def every_deck(space: DeckSpace) -> list[Candidate]:
    """Return all decks of a space, by trying all numbers of all cards."""
    ranges = (range(most + 1) for most in space.most)
    each = (
        Candidate(leader, counts)
        for leader in space.leaders
        for counts in product(*ranges)
    )
    return [candidate for candidate in each if space.holds(candidate)]


def find_best_deck(planted: Planted) -> tuple[Deck, int]:
    """Return the best deck of the league by enumeration, and the number of decks."""
    space = planted.space
    decks = [space.deck(each) for each in every_deck(space)]
    count = len(decks)
    games = GameSession(1_000, 1, InProcess(), announces=False)
    measure = planted.measure(games)
    for most, each in ((None, 400), (10, 4_000)):
        decks = decks[:most]
        rates = measure.play(decks, each).rates
        decks = [decks[i] for i in sorted(range(len(decks)), key=lambda i: -rates[i])]
    return decks[0], count


def measure_gap(planted: Planted, best: Deck, games: int, validation: int) -> float:
    """Return by how much the deck that `build` finds is worse than the best deck."""
    result = deckcheck.build(
        planted.league,
        against=list(planted.field),
        factions=FACTION,
        games=games,
        seed=1,
        policies=POLICY,
        cross_check=None,
    )
    copies = {each.id: each.copies for each in result.cards}
    space = planted.space
    counts = tuple(copies.get(card, 0) for card in space.cards)
    found = space.deck(Candidate(LEADER, counts))
    fresh = GameSession(2_000, 1, InProcess(), announces=False)
    rates = planted.measure(fresh).play([best, found], validation).rates
    return float(rates[0] - rates[1])
