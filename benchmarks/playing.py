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
from deckcheck.formats import load_format
from deckcheck.playing.kernel import Head
from deckcheck.playing.table import DUEL_STREAMS, Table, seat, set_table
from deckcheck.policies.registry import policy_names, read_policy
from deckcheck.sim.jobs import Block, Job, play_block
from deckcheck.sim.seating import pair_up
from deckcheck.sim.workers import WorkerProcesses

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
    """Return all pairs of built-in policies, those apart who think for long."""
    quick = [name for name in policy_names() if not read_policy(name).budget]
    return list(combinations_with_replacement(reversed(quick), 2))


def measure_play(
    decks: Path, policies: tuple[str, str], seconds: float, rounds: int
) -> Iterator[Measurement]:
    """Yield games and turns per second of two policies against each other.

    Each round plays a round robin of five sample decks, one of each faction, that
    takes about `seconds`.
    """
    duels = _duels(decks, policies)
    rate, turns = _play_all(duels, PROBE_PAIRS)
    pairs = ceil(rate * seconds / 2 / len(duels))
    games = measure(
        f"{policies[0]} against {policies[1]}",
        "games/s",
        lambda: _play_all(duels, pairs)[0],
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
    seats = [seat(deck, "random") for deck in sample]
    table = set_table(fmt, load_database(fmt.game), seats)
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
    table.play(SEED, 0, 0, 1)
    start = perf_counter()
    head = table.play(SEED, 0, 0, sets)[0]
    games = int(head[Head.GAMES])
    return games / (perf_counter() - start), int(head[Head.TURNS]) / games


def measure_scaling(decks: Path, seconds: float, rounds: int) -> Measurement:
    """Return how many times faster two workers play than one.

    The reference is the same for the bare compiled loop: what the machine allows.
    """
    duel = _duels(decks, ("heuristic", "heuristic"))[0]
    rate, _ = _play_all([duel], PROBE_PAIRS)
    block = Block(duel, 0, ceil(rate * seconds / 2 / BLOCKS))
    one, two = WorkerProcesses(1), WorkerProcesses(2)
    try:
        for workers in (one, two):
            _seconds(workers, play_block, SEED, block)
            _seconds(workers, compiled_rate)
        return measure(
            "heuristic against heuristic, two workers",
            "times one",
            lambda: (
                _seconds(one, play_block, SEED, block)
                / _seconds(two, play_block, SEED, block)
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


def _duels(decks: Path, policies: tuple[str, str]) -> list[Job]:
    fmt = load_format(FORMAT)
    database = load_database(fmt.game)
    sample = deckcheck.read(*(decks / name for name in DECKS))
    jobs = []
    for pairing in pair_up(len(sample)):
        met = (sample[pairing.a], sample[pairing.b])
        seats = [seat(deck, name) for deck, name in zip(met, policies, strict=True)]
        table = set_table(fmt, database, seats, streams=DUEL_STREAMS)
        label = f"{pairing.a} against {pairing.b}"
        jobs.append(Job(pairing.number, label, table, policies, PROBE_PAIRS))
    return jobs


def _play_all(duels: Sequence[Job], pairs: int) -> tuple[float, float]:
    """Play `pairs` of each duel; return games per second and turns per game."""
    duels[0].table.play(SEED, 0, 0, 1)
    games = 2 * pairs * len(duels)
    start = perf_counter()
    tallies = [duel.table.play(SEED, duel.number, 0, pairs) for duel in duels]
    seconds = perf_counter() - start
    turns = sum(int(tally[0, Head.TURNS]) for tally in tallies)
    return games / seconds, turns / games


def _seconds(
    workers: WorkerProcesses, call: Callable[..., object], *args: object
) -> float:
    """Return how long the workers take for the same call several times."""
    start = perf_counter()
    wait([workers.submit(call, *args) for _ in range(BLOCKS)])
    return perf_counter() - start
