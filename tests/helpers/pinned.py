"""Games with checksums of all that is played, dealt anew, seen, weighed and chosen.

As a program it pins them anew, after a change that is meant.
"""

import csv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

from helpers import census
from helpers.boards import (
    COMBINED,
    FORMATS,
    LEADERS,
    combined_table,
    rows_of_pairs,
    values_of,
)
from helpers.learned import KNOWN, MOVES, moves_of, see_moves, valued, versions_of
from helpers.play import choose_move
from helpers.records import lend
from helpers.weighing import weigh

from deckcheck.engine.contract import (
    apply_move,
    determinize,
    heuristic_move,
    is_over,
    legal_moves,
    returns,
    score_margin,
    set_up,
    to_move,
)
from deckcheck.engine.jit import compiled
from deckcheck.engine.primitives import seed_generator
from deckcheck.engine.registry import load_game
from deckcheck.formats import load_format
from deckcheck.playing.kernel import start_game
from deckcheck.policies.registry import Policy
from deckcheck.policies.workspace import extra_players, new_workspace

FILE = Path(__file__).parents[1] / "engine" / "pinned_games.csv"
COLUMNS = ("way", "number", "played", "dealt anew", "seen", "weighed", "chosen")
ANEW, SEEN, CHOSEN, WEIGHED = 5, 3, 50, 6
"""After how many moves hidden cards are dealt anew, `learned` sees and chooses, and
rules of thumb weigh."""
ASKED = (4, 7, 11)
"""How many moves before the end other players are asked for theirs."""
BUDGET = 2
"""Of those who think by playing on."""
OTHERS = (Policy.RANDOM, Policy.SANE_RANDOM, Policy.NO_PASS, Policy.SEARCH)
SHORT = {"solo": 80, "gwen_t": 50, "deckmaster": 30, "duel": 35}
"""How many games of a way are played in which little time goes by."""
SEEING = 8
"""In how many games of each way they do: it is slow."""


@cache
def rows_of(way: str) -> list[dict[str, Any]]:
    """The options of the games of a way to play: all pairs of values occur in them."""
    return rows_of_pairs(values_of(way))


def games() -> list[tuple[str, int]]:
    """A way to play and the number of a game, each way in turn.

    Every row of options is played, and in Gwent every leader leads. Short games are
    played more often.
    """
    least = {way: len(LEADERS) + 1 for way in FORMATS} | SHORT
    counts = {way: max(len(rows_of(way)), least.get(way, 0)) for way in COMBINED}
    each = [(n, way) for way in COMBINED for n in range(counts[way])]
    return [(way, number) for number, way in sorted(each, key=lambda game: game[0])]


@dataclass(frozen=True, slots=True)
class Players:
    """The records that `learned` and other players need in a game.

    `learned` is None in games that it does not know.
    """

    learned: Any
    others: Any


def pins_of(way: str, number: int) -> tuple[str, ...]:
    """Checksums of a game: what is played, dealt anew, seen, weighed, and chosen.

    Every third move is that of the heuristic; the others pass only where nothing else
    is left. `learned` sees nothing in games that it does not know. Compiled code
    answers no questions about what it weighs.
    """
    table = combined_table(way, number, rows_of(way)[number % len(rows_of(way))])
    states, contexts = table.state.copy(), table.context.copy()
    s, x = lend(states)[0], lend(contexts)[0]
    players = _players(way, table.players) if number < SEEING else None
    pinned: dict[str, list[Any]] = {column: [] for column in COLUMNS[2:]}
    played, before = pinned["played"], []
    start_game(s, x, number, 0, 0, 0)
    set_up(s, x)
    while not is_over(s):
        step = len(played)
        move, position = _move(s, x, table.players, step, number)
        played.append(position)
        for column, value in _looked(way, number, step, states, contexts):
            pinned[column].append(value)
        if players is not None:
            before.append(states.copy())
            if players.learned is not None and step % SEEN == number % SEEN:
                pinned["seen"].append(_seen(states, x, players.learned, step))
        apply_move(s, x, move)
    won = [int(returns(s, x, player)) for player in range(table.players)]
    played.append((won, _snapshot_of(way)(s)))
    if players is not None:
        late = [before[-moves] for moves in ASKED if moves <= len(before)]
        pinned["chosen"] = [_chosen(each, contexts, players) for each in late]
    return tuple(map(_checksum, pinned.values()))


def _looked(
    way: str, number: int, step: int, states: Any, contexts: Any
) -> Iterator[tuple[str, Any]]:
    """What is dealt anew and weighed in copies of a position, by column."""
    if step % ANEW == 0:
        world, x = lend(states.copy())[0], lend(contexts)[0]
        seed_generator(x.rng, number, step, 0)
        determinize(world, x, int(to_move(lend(states)[0])))
        yield "dealt anew", _snapshot_of(way)(world)
    if not compiled and step % WEIGHED == number % WEIGHED:
        s, x = lend(states.copy())[0], lend(contexts.copy())[0]
        game = load_format(COMBINED[way][0]).game
        yield "weighed", weigh(game, s, x, int(legal_moves(s, x)))


def _move(s: Any, x: Any, players: int, step: int, number: int) -> tuple[int, Any]:
    """The next move, and what can be done: who leads, what the heuristic would do."""
    count = int(legal_moves(s, x))
    moves = x.moves[:count].tolist()
    chosen = int(heuristic_move(s, x, count))
    margins = [int(score_margin(s, x, player)) for player in range(players)]
    # The first move of a turn passes, or keeps the hand.
    other = moves[min(1 + (7 * step + number) % count, count - 1)]
    move = chosen if step % 3 == number % 3 else other
    return move, (int(to_move(s)), moves, chosen, margins)


def _chosen(states: Any, contexts: Any, players: Players) -> list[Any]:
    """The move of each player, by one luck, and what `search` has tried."""
    chosen: list[Any] = []
    if players.learned is not None:
        names = players.learned.dtype.names
        for turn in range(sum(name in MOVES for name in names)):
            x, copied = lend(contexts.copy())[0], lend(states.copy()[:1])
            chosen.append(moves_of(copied, x, players.learned, turn))
    p = players.others
    for policy in OTHERS:
        s, x = lend(states.copy())[0], lend(contexts.copy())[0]
        seed_generator(x.rng, 1, 0, 0)
        x.budget[:] = BUDGET
        count = int(legal_moves(s, x))
        chosen.append(int(choose_move(s, x, policy, count, p)))
        if policy == Policy.SEARCH and count > 1:
            chosen.append(p.search.score[:count].tolist())
    return chosen


def _checksum(value: list[Any]) -> str:
    return f"{crc32(str(value).encode()):08x}"


def _snapshot_of(way: str) -> Callable[[Any], dict[str, Any]]:
    game = load_format(COMBINED[way][0]).game
    snapshot: Callable[[Any], dict[str, Any]] = getattr(census, f"{game}_snapshot")
    return snapshot


def _players(way: str, count: int) -> Players:
    fmt = load_format(COMBINED[way][0])
    variant = load_game(fmt.game).find_variant(fmt, count)
    game = fmt.game, variant
    others = lend(new_workspace(*game, extra_players(OTHERS, *game)))[0]
    if game not in KNOWN:
        return Players(None, others)
    return Players(lend(new_workspace(*game, versions_of(*game)))[0], others)


def _seen(states: Any, x: Any, p: Any, step: int) -> list[Any]:
    """What players see of a position, and of the moves of a turn, and choose there."""
    s, q, player = lend(states)[0], p.learned_1, step // SEEN % len(x.policy)
    seen: list[Any] = [int(valued(s, x, q, player)), q.features.tolist()]
    if "learned" in p.dtype.names:
        seen.append(see_moves(s, x, p.learned))
    if step % CHOSEN in range(SEEN):
        seen.append(moves_of(lend(states[:1]), x, p, step // CHOSEN))
    return seen


def read_pins() -> dict[tuple[str, int], tuple[str, ...]]:
    """The pins of each game, by way to play and number."""
    with FILE.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {
        (row["way"], int(row["number"])): tuple(row[name] for name in COLUMNS[2:])
        for row in rows
    }


if __name__ == "__main__":
    if compiled:
        raise SystemExit("pins are made uncompiled: set NUMBA_DISABLE_JIT=1")
    with FILE.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows((*game, *pins_of(*game)) for game in games())
