"""`python -m tools.training.refining FOLDER`: better weights from published ones.

Each round plays games of the player as it is, and notes in addition what some of its
decisions would have come to otherwise, see `branching`. All positions so far, in a new
order, then change the weights a little. The last round gives the weights.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from deckcheck.playing.table import new_states
from deckcheck.policies.players import SURE_CHANCE
from deckcheck.policies.workspace import VALUE_ARRAYS, put_value_weights, weights_file
from tools.training.branching import record_branches
from tools.training.command import Tell, run
from tools.training.courses import Course
from tools.training.fitting import Fit, Positions, fit, scale_of
from tools.training.games import Club, Settings, Where
from tools.training.recording import Noted, Who
from tools.training.rounding import Whole, rounded, save, unrounded

SEED = 41
DECKS, PAIRS = 800, 2000  # random decks, and tables of them
ROUNDS = 2
GAMES = 40_000  # of a round, and as many of which decisions are taken back
SETTINGS = Settings(12, 60, 70)
TAKEN_BACK = 100  # of 1,000 decisions
ROWS = 30  # more positions than a game has on average
MATCHES, MATCH_SEED = 2000, 9  # of four games, in each comparison


def main() -> None:
    """Refine the weights of the package, and write those of each round."""
    run("tools.training.refining", __doc__, refine)


def refine(course: Course, folder: Path, part: int, tell: Tell) -> None:
    """All rounds, with one of `part` games."""
    club = Club(course, SEED, DECKS // part + 1, PAIRS // part + 1)
    with np.load(weights_file(course.game, course.variant)) as weights:
        first: Whole = {name: weights[name] for name in VALUE_ARRAYS}
    whole, last = first, None
    for number in range(ROUNDS):
        put_value_weights(club.works[0], whole)
        seed = 100 * (SEED + number)
        played = club.positions(GAMES // part, seed, True, SETTINGS)
        branches = positions_of_branches(club, GAMES // part, seed + 1)
        tell(f"round {number}: {len(played.worth)} and {len(branches.worth)} positions")
        new = played.after(branches)
        scale = scale_of(played.features)
        positions = shuffled(new.after(last), 1 + number)
        how = Fit(3, 5e-4, 1e-3, 7 + number)
        whole = rounded(
            fit(unrounded(whole, scale), positions, scale, how, tell), scale
        )
        last = new
        path = folder / f"{course.name}-refined-{number}.npz"
        tell(f"{path.name}: fingerprint {save(path, whole)}")
        compare(club, whole, first, part, tell)


def positions_of_branches(club: Club, games: int, seed: int) -> Positions:
    """What moves were worth that were taken back, in games of the player in `club`."""
    plans = club.meetings(games, seed)
    rows = np.zeros((games * ROWS, club.features), np.int16)
    notes = np.zeros((len(rows), len(Noted)), np.int64)
    used = record_branches(
        new_states(club.course.game, club.course.variant, 2),
        *(club.tables.contexts, club.works, seed, plans, rows, notes, TAKEN_BACK),
    )
    worth = (notes[:used, Noted.WORTH] / SURE_CHANCE).astype(np.float32)
    return Positions(rows[:used], worth, notes[:used, Noted.STAGE])


def shuffled(positions: Positions, seed: int) -> Positions:
    """The positions in a new order, so that those held out are of all kinds."""
    order = np.random.default_rng(seed).permutation(len(positions.worth))
    return Positions(
        positions.features[order], positions.worth[order], positions.stage[order]
    )


def compare(club: Club, whole: Whole, first: Whole, part: int, tell: Tell) -> None:
    """Let new weights meet the published ones and the heuristic."""
    put_value_weights(club.works[0], whole)
    put_value_weights(club.works[1], first)
    for samples in (True, False):
        for who in (Who.SECOND, Who.HEURISTIC):
            score = club.compare(who, MATCHES // part, MATCH_SEED, Where(samples))
            tell(f"against {who.name.lower()}, {Where(samples)}: {score}")


if __name__ == "__main__":
    main()
