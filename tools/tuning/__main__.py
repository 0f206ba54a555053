"""`python -m tools.tuning`: tune the figures of Gwent's heuristic by play.

Candidates play a pool: `sane_random`, `heuristic-1`, and the figures from which the run
began, with the sample decks and with random legal decks. What a generation found is
printed as it comes, in the end the figures as `weights.py` has them. With
`--measure` the present figures meet the pool in games that no tuning has seen.

`version-2.log` is the run, with seed 1, that found the figures of version 2.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from deckcheck.engine.gwent.weights import FIRST, Figures, figures_of
from deckcheck.engine.registry import LATEST
from tools.tuning.arena import Arena, Side, random_decks, sample_decks
from tools.tuning.evolving import Evolution

SCALES = {
    "gain_weight": 4,
    "worth_weight": 6,
    "waste_weight": 4,
    "agile_horn": 2,
    "agile_ranged": 1,
    "card": 1,
    "hero": 1.5,
    "medic": 2,
    "horn_unit": 2.5,
    "scorch_unit": 2,
    "morale": 1.5,
    "berserker": 2,
    "muster": 12,
    "bond": 15,
    "horn": 2.5,
    "horn_hand": 15,
    "weather_hand": 15,
    "scorch": 2,
    "decoy": 2,
    "mardroeme": 2,
    "clear": 2,
    "weather": 2,
    "leader": 2,
    "second_revival": 2,
    "bond_copy": 3,
    "reach": 3,
    "reach_share": 25,
    "reach_leader": 3,
    "rest": 4,
    "rest_own": 2,
    "rest_enemy": 2,
    "rest_hand": 10,
    "rest_held": 15,
    "give_up": 5,
    "give_up_own": 1.5,
    "give_up_enemy": 1.5,
    "give_up_reserve": 20,
    "give_up_hand": 10,
    "useful": 1,
    "fair_price": 3,
    "fair_edge": 1.5,
    "chase": 4,
    "redraw_margin": 1,
    "keep_spy": 3,
    "keep_bond": 15,
}
"""The first steps; figures that are not here stay."""

PASSING = ("rest", "give_up")
NEVER = 1000
"""A lead or an arrears of which the rules say never: it stays, with what adds to it."""

START: Figures = {
    **FIRST,
    "gain_weight": (20, 20, 20, 20),
    "worth_weight": (50, 50, 50, 50),
    "spy_bonus": 5000,
    "rest": (23, 13, 30, 1000),
    "rest_enemy": (-11, 0, 11, 0),
    "finish": 1,
    "keep_spy": 6,
    "clockwise": 1,
}
"""Version 1 with finer weights and the rules that it lacked: where version 2 began."""

MEASURED_SEED = 2
MEASURED_SETS = 60
TOLD_EVERY = 10
"""Generations after which the figures are printed, so that a run may be cut short."""


@dataclass(frozen=True)
class Opponent:
    """One of the pool: a field of decks, sets a generation, and how much it counts."""

    field: str
    side: Side
    sets: int
    weight: float


def places(start: Figures) -> list[tuple[str, int]]:
    """The figures to tune: name and index, 0 for those that are one number."""
    found = []
    for name in SCALES:
        value = start[name]
        for i in range(len(value) if isinstance(value, tuple) else 1):
            base = next((rule for rule in PASSING if name.startswith(rule)), name)
            if abs(number(start, base, i)) < NEVER:
                found.append((name, i))
    return found


def number(figures: Figures, name: str, index: int) -> int:
    """One number of a set of figures."""
    value = figures[name]
    return value[index] if isinstance(value, tuple) else value


def with_values(
    start: Figures, where: list[tuple[str, int]], values: object
) -> Figures:
    """The figures with other numbers at these places."""
    changed: dict[str, int | list[int]] = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in start.items()
    }
    for (name, index), value in zip(where, np.asarray(values).tolist(), strict=True):
        row = changed[name]
        if isinstance(row, list):
            row[index] = value
        else:
            changed[name] = value
    return {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in changed.items()
    }


def pool(start: Figures) -> list[Opponent]:
    """Whom candidates play in each generation."""
    first, sane = Side("heuristic", FIRST), Side("sane_random")
    return [
        Opponent("samples", first, 4, 0.30),
        Opponent("samples", sane, 2, 0.25),
        Opponent("samples", Side("heuristic", start), 2, 0.10),
        Opponent("random", first, 2, 0.15),
        Opponent("random", sane, 2, 0.20),
    ]


def worth(
    arenas: dict[str, Arena], opponents: list[Opponent], figures: Figures, at: int
) -> float:
    """The weighted share of points against the pool; `at` says in which games."""
    side = Side("heuristic", figures)
    total = 0.0
    for each in opponents:
        score = arenas[each.field].match(side, each.side, 1, each.sets, at * each.sets)
        total += each.weight * score.share
    return total


def tune(
    start: Figures, generations: int, seed: int, arenas: dict[str, Arena]
) -> Figures:
    """Evolve figures from `start`; returns those of the mean in the end."""
    where = places(start)
    evolution = Evolution(
        np.array([number(start, *at) for at in where], float),
        np.array([SCALES[name] for name, _ in where], float),
        seed,
    )
    opponents = pool(start)
    figures = start
    for at in range(generations):
        found = evolution.advance(
            lambda values, at=at: worth(
                arenas, opponents, with_values(start, where, values), at
            )
        )
        figures = with_values(start, where, evolution.values(evolution.mean))
        mean = worth(arenas, opponents, figures, at + 1)
        print(
            f"{at + 1:4} best {found[0]:.4f} median {found[len(found) // 2]:.4f} "
            f"mean, in other games {mean:.4f} step {evolution.step:.3f}",
            flush=True,
        )
        if (at + 1) % TOLD_EVERY == 0:
            tell(figures)
    return figures


def tell(figures: Figures) -> None:
    """Print figures as `weights.py` has them."""
    for name, value in figures.items():
        print(f'    "{name}": {value},', flush=True)


def measure() -> None:
    """Print how strong `heuristic` is, in other games and with other random decks."""
    others = random_decks(60, seed=MEASURED_SEED)
    for field, arena in (
        ("sample decks", Arena(sample_decks())),
        ("random legal decks", Arena(others, 225)),
    ):
        for other in ("heuristic-1", "sane_random"):
            begun = perf_counter()
            score = arena.match(
                Side("heuristic"), Side(other), MEASURED_SEED, MEASURED_SETS
            )
            rate = score.games / (perf_counter() - begun)
            print(f"{field}, against {other}: {score}, {rate:,.0f} games/s")


def main() -> None:
    """Tune, and print the result."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=50)
    parser.add_argument("--onward", action="store_true", help="from today's figures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", action="store_true", help="tune nothing")
    options = parser.parse_args()
    if options.measure:
        measure()
        return
    arenas = {
        "samples": Arena(sample_decks()),
        "random": Arena(random_decks(60), 200),
    }
    start = figures_of(LATEST) if options.onward else START
    figures = tune(start, options.generations, options.seed, arenas)
    tell(figures)


if __name__ == "__main__":
    main()
