"""Runs, tallies and results to look at."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import deckcheck
from deckcheck.engine.registry import load_game
from deckcheck.formats import database_of, load_format
from deckcheck.playing.kernel import (
    Head,
    Ints,
    SeatColumns,
    Way,
    count_shares,
    new_tally,
)
from deckcheck.playing.redraws import PlayedHands, Redraws, play_way
from deckcheck.playing.table import seat
from deckcheck.playing.versions import find_card_numbers, seat_version
from deckcheck.sim.gathering import find_common_format, gather
from deckcheck.sim.result import SimulationResult
from deckcheck.sim.result_header import SimulatedDeck
from deckcheck.sim.run_files import read_document, write_document
from deckcheck.sim.seating import Request, pair_up
from deckcheck.sim.simulation import Simulation, simulation_from_reports
from deckcheck.sim.table_results import make_table_result

# Games whose redraws are an experiment, as several tests need them.

DECKS = Path(__file__).parents[2] / "decks"
STANDARD = DECKS / "gwent" / "standard"
SIEGE, SWARM, SHIPS = (
    STANDARD / f"{name}.deck"
    for name in ("nr_siege_masters", "mo_swarm", "sk_longships")
)
SETS = 60


def a_table(format: str = "gwent/standard", policy: str = "heuristic") -> Redraws:
    """A table at which every card of the second deck is tried."""
    fmt = load_format(format)
    database = database_of(fmt)
    files = sorted((DECKS / format).glob("*.deck"))
    if format == "gwent/standard":
        files = [SWARM, SIEGE]
    opponent, own = deckcheck.read(*files[:2])
    table = seat_version(fmt, database, seat(opponent, policy), seat(own, policy))
    numbers = load_game(fmt.game).card_numbers(database)
    place = find_card_numbers(table, numbers, own.counts())
    return Redraws(table, tuple((card,) for card in place.values()))


def played(table: Redraws, way: Way, *cards: int, sets: int = SETS) -> PlayedHands:
    """Some games in a way."""
    games = table.table.list_games(0, np.arange(sets))
    return play_way(table, 1, games, way, cards)


def tried(table: Redraws) -> list[list[int]]:
    """What each way makes of a dealt card in a pair of games, as numbers to compare."""
    lines = []
    dealt = played(table, Way.OWN, sets=1).dealt
    [card] = table.choices[int(dealt[0].argmax())]
    for way in Way:
        made = played(table, way, card, sets=1)
        parts = made.outcomes, made.dealt, made.redrawn
        lines += [[int(way), *map(int, part.ravel())] for part in parts]
    return lines


# Files of runs that say something else than they did, with a CRC that is right.


def change_document(file: Path, **change: Any) -> None:
    """Give keys of a document other values."""
    write_document(file, {**read_document(file), **change})


# Tallies of tables, counted by hand: the outcome of each game, set by set.

Outcome = tuple[Sequence[int], Sequence[int], int]
"""Places and points by entrant, and who began."""


def tally_of(sets: Sequence[Sequence[Outcome]]) -> Ints:
    """The tally of sets of games, seats in the order of the entrants.

    Each game has 3 rounds and 20 turns, and leaves entrant `i` with `i + 1` cards.
    """
    entrants, rotation = len(sets[0][0][0]), len(sets[0])
    tally = new_tally(entrants, rotation)
    for games in sets:
        sums = new_tally(entrants, rotation)
        for places, points, began in games:
            for i in range(entrants):
                share = count_shares(entrants) // list(places).count(1)
                won = share if places[i] == 1 else 0
                seat = (i - began) % entrants
                cell = 1 + 2 * entrants + i * entrants + seat
                for row in (1 + i, 1 + entrants + seat, cell):
                    _count(
                        tally[row], won, count_shares(entrants), places[i], points[i]
                    )
                    tally[row, SeatColumns.CARDS_LEFT] += i + 1
                    _count(sums[row], won, count_shares(entrants), places[i], points[i])
                    sums[row, SeatColumns.SHARES] += won
                tally[cell, SeatColumns.PLACES_SQUARED] += places[i] ** 2
                tally[cell, SeatColumns.POINTS_SQUARED] += points[i] ** 2
                tally[cell, SeatColumns.SHARES + won] += 1
            tally[0, Head.GAMES] += 1
            tally[0, Head.ROUNDS] += 3
            tally[0, Head.TURNS] += 20
            tally[0, Head.DRAWS] += list(places).count(1) == entrants
        tally[1:, SeatColumns.GAMES_SQUARED] += sums[1:, SeatColumns.GAMES] ** 2
        for row in range(1, 1 + 2 * entrants):
            tally[row, SeatColumns.PLACES_SQUARED] += sums[row, SeatColumns.PLACES] ** 2
            tally[row, SeatColumns.POINTS_SQUARED] += sums[row, SeatColumns.POINTS] ** 2
            tally[row, SeatColumns.SHARES + sums[row, SeatColumns.SHARES]] += 1
        tally[0, Head.SETS] += 1
    return tally


def _count(row: Ints, won: int, full: int, place: int, points: int) -> None:
    row[SeatColumns.GAMES] += 1
    row[SeatColumns.WINS] += won == full
    row[SeatColumns.SHARED] += 0 < won < full
    row[SeatColumns.PLACES] += place
    row[SeatColumns.POINTS] += points


def duel_tally(pairs: Sequence[tuple[int, str]]) -> Ints:
    """The tally of pairs: how many there are, and their games as `A- B+`.

    A capital is the deck that begins, the sign says how deck a fared: `+`, `-` or `=`.
    """
    places = {"+": (1, 2), "-": (2, 1), "=": (1, 1)}
    return tally_of(
        [
            [(places[g[1]], (0, 0), "AB".index(g[0])) for g in games.split()]
            for count, games in pairs
            for _ in range(count)
        ]
    )


# Finished simulations to lay out, made from tallies that are written down.


@cache
def tally() -> Ints:
    """5,000 pairs in which the deck that begins does better."""
    counted = 50 * duel_tally(
        [
            *((28, "A- B-"), (1, "A= B-"), (6, "A- B+"), (23, "A+ B-")),
            *((1, "A+ B="), (1, "A= B+"), (40, "A+ B+")),
        ]
    )
    counted[0, Head.ROUNDS] = 25_000
    counted[0, Head.TURNS] = 240_000
    counted[1:3, SeatColumns.CARDS_LEFT] = 10_000, 5_000
    counted.flags.writeable = False
    return counted


def deck(name: str, policy: str = "heuristic", findings: int = 0) -> SimulatedDeck:
    """A deck of the Northern Realms."""
    leader = "foltest_the_siegemaster"
    path = f"decks/{name.lower().replace(' ', '_')}.deck"
    return SimulatedDeck(name, path, 0, "northern_realms", leader, policy, findings)


HEAD: dict[str, Any] = {
    "format": "gwent/standard",
    "snapshot": "2025-10",
    "month": "2025-10",
    "play": "duel",
    "decks": (SimulatedDeck("Own", "own.deck", 0, None, None, "heuristic", 0),),
    "players": ("heuristic", "learned"),
    "stand_ins": (),
    "games": 400,
    "games_played": 4_000,
    "seed": 1,
    "checksum": "0" * 12,
    "fingerprint": "1" * 12,
    "changes": (),
    "seconds": 8.0,
    "jobs": 2,
}
"""What every result has: a made-up one of two players."""


def result_of(*decks: SimulatedDeck) -> SimulationResult:
    """A round robin in which every matchup went the same way."""
    tables = tuple(
        make_table_result((decks[p.a].name, decks[p.b].name), tally())
        for p in pair_up(len(decks), mirror=len(decks) == 1)
    )
    played: dict[str, Any] = {
        "decks": decks,
        "players": tuple(dict.fromkeys(deck.policy for deck in decks)),
        "games": 10_000,
        "games_played": 10_000 * len(tables),
        "checksum": "000000000abc",
        "fingerprint": "0123456789ab",
        "seconds": 2.5,
        "jobs": 1,
    }
    return SimulationResult(**{**HEAD, **played}, tables=tables)


# Simulations to try replays on: one of every game and mode, with few games.

SEED = 7

MODES = {
    "duel": "gwent/standard",
    "match": "gwent/tournament",
    "table": "gwent/free_for_all",
    "teams": "gwent/two_vs_two",
    "solo": "gwent/solo",
    "solo with leaders": "gwent/solo_leader",
    "sg gwint": "sg_gwint/approximation",
    "gwen't": "gwen_t/pool",
    "deckmaster": "deckmaster/standard",
}
RANDOM = {"random gwen't": "gwen_t/pool", "random deckmaster": "deckmaster/standard"}


def simulated(mode: str, games: int, policy: str = "heuristic") -> Simulation:
    """The simulation of a mode with its sample decks, or with random ones."""
    settings = {"games": games, "seed": SEED, "policies": (policy,)}
    if mode in RANDOM:
        fmt = load_format(RANDOM[mode])
        request = Request(**settings, random_decks=True)
        return simulation_from_reports(fmt, database_of(fmt), [], request)
    return make_simulation(DECKS / MODES[mode], **settings)


def make_simulation(
    *decks: str | Path, format: str | None = None, **settings: Any
) -> Simulation:
    """The simulation of the decks of files; `settings` are those of the request."""
    reports, _ = gather(list(map(str, decks)), format)
    fmt = find_common_format(reports)
    usual = {"games": 2, "seed": 1, "policies": ("random",)}
    request = Request(**{**usual, **settings})
    return simulation_from_reports(fmt, database_of(fmt), reports, request)
