"""Let decks play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from deckcheck.api.entering import known_players, validator
from deckcheck.api.playing import Playing, decks_of, entered
from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    flag,
    folder,
    in_python,
    names,
    number,
    optional_number,
    text_of,
    whole_number,
)
from deckcheck.decks import Deck
from deckcheck.sim.defaults import ALPHA, BETA, SEED, SIMULATE_GAMES

if TYPE_CHECKING:
    from deckcheck.sim.jobs.games_table import GamesTable
    from deckcheck.sim.results.result import SimulationResult
    from deckcheck.sim.scheduling.executors import Executor
    from deckcheck.sim.scheduling.scheduler import Progress
    from deckcheck.sim.simulation import Simulation
    from deckcheck.sim.tables.seating import Request

__all__ = ["enter", "simulate"]


@in_python
def simulate(
    *decks: Deck | Target | Sequence[Deck | Target],
    games: int = SIMULATE_GAMES,
    seed: int = SEED,
    policies: Names = "heuristic",
    every_policy: bool = False,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    against: Target | Deck | Sequence[Target | Deck] = (),
    gauntlet: bool = False,
    mirror: bool = False,
    opponents: Names = (),
    random_decks: bool = False,
    players: int | None = None,
    selections: Names = (),
    matchups: Target | None = None,
    allow_illegal: bool = False,
    until_width: float | str | None = None,
    sprt: tuple[float, float] | str | None = None,
    alpha: float = ALPHA,
    beta: float = BETA,
    elo: str = "logistic",
    adaptive: bool = False,
    games_table: Target | None = None,
    run: Target | None = None,
    shard: str | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> SimulationResult:
    """Play games as the format says and return what came out.

    Two decks are a duel, more a round robin; with `mirror` each also meets itself. With
    `against`, a field of decks, they meet these and not each other; with `gauntlet` the
    first file, or deck, meets the others.
    Other formats seat them at tables, in teams, against an automa, or as lineups. Decks
    of one file belong together there, also when they were read before.

    `games` is the number for each matchup, table, or match of two lineups, rounded up
    to whole sets: the same shuffles once with each seat beginning. `policies` names a
    player for all decks, or one for each in order; with `every_policy` each of them
    plays each deck. The result depends on decks, format,
    policies, seed and games, and on nothing else. `format`, `rule`, `as_of` and
    `card_db` are as on the command line.

    Of a solo format, `opponents` are the factions of the automa, all if none is named.
    With `random_decks`, `players` sit down with a new random deck in each game, and no
    deck is given. In a tournament, `selections` says how decks are chosen, once for all
    lineups or once for each: `optimal`, `random` or `fixed`; `matchups` is the JSON of
    a finished run to choose by, without it `optimal` measures the decks first.

    Up to `jobs` worker processes are started when the work is worth it; a script must
    then be guarded by `if __name__ == "__main__":`. An `executor`, any object with
    `submit` as in `concurrent.futures`, plays all games instead, `2 * jobs` blocks of
    them at a time. `progress` is called about four times a second.

    Matchups stop before all `games` are played once every interval is at most
    `until_width` wide, 0.01 or "1%"; once one of the two leads in Elo of `sprt` is
    accepted, see `deckcheck.stats.Sprt`; or with `adaptive` once the places of both
    decks are settled, and others get their games. All intervals then hold at every
    look, and `stopped` has the decisions. `games_table` is a file, `.csv` or
    `.parquet`, that gets a row for each game.

    With `run`, a folder, every finished block is kept there, nothing that it holds is
    played again, and `shard`, such as `3/8`, plays one part of all games.

    Raises IllegalDeckError for an illegal deck unless `allow_illegal`, UsageError for
    misuse, SimulationError when the run cannot go on, and a KeyboardInterrupt whose
    `result` is what was played until then.
    """
    from deckcheck.sim.matches.chances import read_chances
    from deckcheck.sim.stopping.rules import parse_stopping
    from deckcheck.sim.tables.seating import Request

    chances_file = folder("matchups", matchups)
    request = Request(
        games=whole_number("games", games),
        seed=whole_number("seed", seed),
        policies=known_players(policies),
        every_policy=flag("every_policy", every_policy),
        mirror=flag("mirror", mirror),
        opponents=names("opponents", opponents),
        random_decks=flag("random_decks", random_decks),
        players=optional_number("players", players),
        selections=names("selections", selections),
        matchups=None if chances_file is None else read_chances(chances_file),
        stopping=parse_stopping(
            until_width,
            sprt,
            number("alpha", alpha),
            number("beta", beta),
            elo=text_of("elo", elo),
            adaptive=flag("adaptive", adaptive),
        ),
    )
    table = _games_table(games_table)
    judging = Judging.of(format, card_db, rule, as_of)
    playing = Playing.of(jobs, executor, progress, run, shard)
    simulation = enter(
        decks,
        request,
        judging,
        against=against,
        gauntlet=flag("gauntlet", gauntlet),
        allow_illegal=flag("allow_illegal", allow_illegal),
    )
    result: SimulationResult = playing.play(simulation, judging, games_table=table)
    return result


def enter(
    decks: Sequence[Deck | Target | Sequence[Deck | Target]],
    request: Request,
    judging: Judging,
    *,
    against: Target | Deck | Sequence[Target | Deck] = (),
    gauntlet: bool = False,
    allow_illegal: bool = False,
) -> Simulation:
    """The simulation of decks that are read and judged, or of random ones.

    Raises IllegalDeckError and UsageError, as `simulate`.
    """
    from deckcheck.sim.build import build_simulation

    field = None
    if against:
        _, _, (named, field) = entered(
            "simulate", judging, decks, field=(against,), allow_illegal=allow_illegal
        )
    elif request.random_decks and not decks:
        named = []
    else:
        named = decks_of(decks, "simulate", judging)
    return build_simulation(
        named,
        field,
        request,
        validator(judging),
        gauntlet=gauntlet,
        allow_illegal=allow_illegal,
    )


def _games_table(file: Target | None) -> GamesTable | None:
    from deckcheck.sim.jobs.games_table import GamesTable, check_games_table

    place = folder("games_table", file)
    if place is None:
        return None
    check_games_table(place)
    return GamesTable(place)
