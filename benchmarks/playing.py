"""Speed of play: games and turns per second on one core, and what two workers add."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import wait
from dataclasses import replace
from itertools import combinations_with_replacement
from math import ceil
from pathlib import Path
from time import perf_counter

import deckcheck
from benchmarks.measuring import COMPILED, Measurement, Reference, measure
from benchmarks.reference import compiled_rate
from deckcheck.cards import load_database
from deckcheck.engine.match import (
    Table,
    play_block,
    play_set_block,
    prepare,
    prepare_seats,
    seat,
)
from deckcheck.engine.set_tally import Head
from deckcheck.engine.tally import Field
from deckcheck.formats import load_format
from deckcheck.policies.host.registry import policy_names
from deckcheck.sim.blocks import Block, Match
from deckcheck.sim.executors import WorkerProcesses
from deckcheck.sim.pairings import pair_up
from deckcheck.sim.work import play

__all__ = [
    "measure_play",
    "measure_scaling",
    "measure_table",
    "pairs_of_policies",
]

FORMAT = "gwent/standard"
TABLE_FORMAT = "gwent/free_for_all"
DECKS = (
    "mo_swarm.deck",
    "ng_spies_and_medics.deck",
    "nr_siege_masters.deck",
    "sk_longships.deck",
    "st_beautiful_archers.deck",
)
SEED = 1
PROBE_PAIRS = 50
BLOCKS = 8


def pairs_of_policies() -> list[tuple[str, str]]:
    """Return all pairs of built-in policies, the strongest first."""
    return list(combinations_with_replacement(reversed(policy_names()), 2))


def measure_play(
    decks: Path, policies: tuple[str, str], seconds: float, rounds: int
) -> Iterator[Measurement]:
    """Yield games and turns per second of two policies against each other.

    Each round plays a round robin of five sample decks, one of each faction, that
    takes about `seconds`.
    """
    matches = _matches(decks, policies)
    rate, turns = _play_all(matches, PROBE_PAIRS)
    pairs = ceil(rate * seconds / 2 / len(matches))
    games = measure(
        f"{policies[0]} against {policies[1]}",
        "games/s",
        lambda: _play_all(matches, pairs)[0],
        COMPILED,
        rounds,
    )
    yield games
    yield replace(
        games, unit="turns/s", value=games.value * turns, ratio=games.ratio * turns
    )


def measure_table(decks: Path, seconds: float, rounds: int) -> Iterator[Measurement]:
    """Yield games and turns per second of a free-for-all of five `random` players."""
    fmt = load_format(TABLE_FORMAT)
    sample = deckcheck.read(*(decks / name for name in DECKS))
    order = tuple(range(len(sample)))
    table = prepare_seats(
        fmt,
        load_database(fmt.game),
        [seat(deck, "random") for deck in sample],
        [order],
        [order],
        len(sample),
    )
    rate, turns = _play_sets(table, PROBE_PAIRS)
    sets = ceil(rate * seconds / len(sample))
    games = measure(
        "five random at a table",
        "games/s",
        lambda: _play_sets(table, sets)[0],
        COMPILED,
        rounds,
    )
    yield games
    yield replace(
        games, unit="turns/s", value=games.value * turns, ratio=games.ratio * turns
    )


def _play_sets(table: Table, sets: int) -> tuple[float, float]:
    """Play sets at a table; returns games per second and turns per game."""
    play_set_block(table, SEED, 0, 0, 1)
    start = perf_counter()
    head = play_set_block(table, SEED, 0, 0, sets)[0]
    games = int(head[Head.GAMES])
    return games / (perf_counter() - start), int(head[Head.TURNS]) / games


def measure_scaling(decks: Path, seconds: float, rounds: int) -> Measurement:
    """Return how many times faster two workers play than one.

    The reference is the same for the bare compiled loop: what the machine allows.
    """
    match = _matches(decks, ("heuristic", "heuristic"))[0]
    rate, _ = _play_all([match], PROBE_PAIRS)
    block = Block(match, 0, ceil(rate * seconds / 2 / BLOCKS))
    one, two = WorkerProcesses(1), WorkerProcesses(2)
    try:
        for workers in (one, two):
            _seconds(workers, play, play_block, SEED, block)
            _seconds(workers, compiled_rate)
        return measure(
            "heuristic against heuristic, two workers",
            "times one",
            lambda: (
                _seconds(one, play, play_block, SEED, block)
                / _seconds(two, play, play_block, SEED, block)
            ),
            Reference(
                "two compiled loops",
                lambda: _seconds(one, compiled_rate) / _seconds(two, compiled_rate),
            ),
            rounds,
        )
    finally:
        one.stop()
        two.stop()


def _matches(decks: Path, policies: tuple[str, str]) -> list[Match]:
    fmt = load_format(FORMAT)
    database = load_database(fmt.game)
    sample = deckcheck.read(*(decks / name for name in DECKS))
    return [
        Match(
            pairing.number,
            f"{pairing.a} against {pairing.b}",
            prepare(fmt, database, [sample[pairing.a], sample[pairing.b]], policies),
            policies,
            PROBE_PAIRS,
        )
        for pairing in pair_up(len(sample))
    ]


def _play_all(matches: Sequence[Match], pairs: int) -> tuple[float, float]:
    """Play `pairs` of each match; return games per second and turns per game."""
    play_block(matches[0].table, SEED, 0, 0, 1)
    games = 2 * pairs * len(matches)
    start = perf_counter()
    tallies = [
        play_block(match.table, SEED, match.number, 0, pairs) for match in matches
    ]
    seconds = perf_counter() - start
    turns = sum(int(tally[Field.TURNS]) for tally in tallies)
    return games / seconds, turns / games


def _seconds(
    workers: WorkerProcesses, call: Callable[..., object], *args: object
) -> float:
    """Return how long the workers take for the same call several times."""
    start = perf_counter()
    wait([workers.submit(call, *args) for _ in range(BLOCKS)])
    return perf_counter() - start
