"""The weights by which `learned` values positions.

The first positions come from games of the heuristic, and those of later rounds from
games by the latest weights. After each round these meet the heuristic, a random player
and the weights of the round before. The round that does best gives the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from deckcheck.engine.registry import load_game
from deckcheck.policies.workspace import put_value_weights
from tools.training.courses import Course
from tools.training.fitting import Fit, Tell, fit, new_weights, scale_of
from tools.training.games import Club, Settings, Where
from tools.training.recording import Who
from tools.training.rounding import Whole, rounded, save

SEED = 1
DECKS, PAIRS = 800, 2000  # random decks, and tables of them
MATCHES = 500  # of four games, in each comparison


@dataclass(frozen=True)
class Round:
    """Games to be played, and how to learn from them."""

    games: int
    settings: Settings
    fit: Fit


ROUNDS = (
    Round(90_000, Settings(15, 45, 100), Fit(3, 1.5e-3, 1e-3, 0)),
    Round(80_000, Settings(12, 60, 70), Fit(3, 1e-3, 1e-3, 1)),
    Round(90_000, Settings(12, 60, 70), Fit(3, 1e-3, 1e-3, 2)),
    Round(90_000, Settings(12, 60, 70), Fit(3, 8e-4, 1e-3, 3)),
    Round(100_000, Settings(12, 60, 70), Fit(4, 6e-4, 1e-3, 4)),
)


def train_values(course: Course, folder: Path, part: int, tell: Tell) -> None:
    """Learn in rounds, with one of `part` games, and write the weights of the best."""
    club = Club(course, SEED, DECKS // part + 1, PAIRS // part + 1)
    _, stages = load_game(course.game).LEARNED_VARIANTS[course.variant]
    weights = new_weights(club.features, stages, SEED)
    scale, last, best, best_share = None, None, None, 0.0
    for number, each in enumerate(ROUNDS):
        seed = 100 * SEED + number
        new = club.positions(each.games // part, seed, number > 0, each.settings)
        tell(f"round {number}: {len(new.worth)} positions")
        scale = scale_of(new.features) if scale is None else scale
        weights = fit(weights, new.after(last), scale, each.fit, tell)
        # What heuristics did is nothing to learn from for later rounds.
        last = new if number > 0 else None
        whole = rounded(weights, scale)
        share = compare(club, whole, number > 0, MATCHES // part + 1, tell)
        path = folder / f"{course.name}-{number}.npz"
        tell(f"{path.name}: fingerprint {save(path, whole)}")
        if share > best_share:
            best, best_share = whole, share
    path = folder / f"{course.name}.npz"
    tell(f"{path.name}: fingerprint {save(path, best)}, {100 * best_share:.1f}%")


def compare(club: Club, whole: Whole, again: bool, matches: int, tell: Tell) -> float:
    """Seat new weights in place of the last; returns the mean score in the pool."""
    club.works[1] = club.works[0]
    put_value_weights(club.works[0], whole)
    shares = []
    for samples in (True, False):
        for who in (Who.HEURISTIC, Who.SANE_RANDOM, *[Who.SECOND] * again):
            score = club.compare(who, matches, SEED, Where(samples))
            tell(f"against {who.name.lower()}, {Where(samples)}: {score}")
            if who != Who.SECOND:
                shares.append(score.share)
    return sum(shares) / len(shares)
