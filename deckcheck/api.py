"""The Python API: read decks, validate them, simulate them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from deckcheck.decks import Deck
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.validation import DeckReport, Validation, validate_files

if TYPE_CHECKING:
    from deckcheck.sim.executors import Executor
    from deckcheck.sim.lineup_result import LineupResult
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.run import Progress
    from deckcheck.sim.table_result import TableResult

__all__ = ["read", "simulate", "simulate_matches", "simulate_tables", "validate"]

Target: TypeAlias = str | PathLike[str]
"""A file, a folder or a glob."""

DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1


def read(
    *targets: Target, format: str | None = None, card_db: Path | None = None
) -> list[Deck]:
    """Return every deck of files, folders and globs, in that order, names resolved.

    A deck with findings is returned all the same: `validate` tells them. `format` is an
    id such as `gwent/standard`; without it each deck names its own. Raises UsageError
    for a missing file, an unknown format, and a file that holds no readable deck.
    """
    decks = []
    for report in validate(*targets, format=format, card_db=card_db).reports:
        if report.deck is None:
            reason = report.findings[0].message if report.findings else "no deck"
            raise UsageError(f"{quote(report.source.path)} cannot be read: {reason}")
        decks.append(report.deck)
    return decks


def validate(
    *targets: Target, format: str | None = None, card_db: Path | None = None
) -> Validation:
    """Check every deck of files, folders and globs by the rules of a format.

    `validation.legal` says whether all are legal, `validation.reports` has one report
    for each deck, with its findings. Raises UsageError for a missing file, an unknown
    format, and a deck that names no format when `format` is None.
    """
    return validate_files([str(target) for target in targets], format, card_db)


def simulate(
    *decks: Deck | Target,
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: str | Sequence[str] = "heuristic",
    format: str | None = None,
    mirror: bool = False,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: Path | None = None,
) -> SimulationResult:
    """Play decks against each other and return what came out.

    Two decks are a match, more a round robin; with `mirror` each also meets itself.
    `games` is the number for each matchup, an odd one is rounded up to mirrored pairs.
    `policies` names a player for all decks, or one for each in order. The result
    depends on decks, format, policies, seed and games, and on nothing else.

    Up to `jobs` worker processes are started when the work is worth it; a script must
    then be guarded by `if __name__ == "__main__":`. An `executor`, any object with
    `submit` as in `concurrent.futures`, plays all games instead, `2 * jobs` blocks of
    them at a time. `progress` is called about four times a second.

    Raises IllegalDeckError for an illegal deck unless `allow_illegal`, UsageError for
    misuse, SimulationError when the run cannot go on.
    """
    from deckcheck.formats import database_of
    from deckcheck.sim.gather import common_format, enter
    from deckcheck.sim.simulation import Simulation

    players = _known(policies)
    reports = _legal_reports(decks, format, card_db, allow_illegal)
    fmt = common_format(reports)
    database = database_of(fmt, card_db)
    entrants = tuple(enter(reports, players))
    simulation = Simulation(fmt, database, entrants, games, seed, mirror)
    return simulation.run(jobs=jobs, executor=executor, watch=progress)


def simulate_tables(
    *decks: Deck | Target,
    format: str | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: str | Sequence[str] = "heuristic",
    opponents: Sequence[str] = (),
    random_decks: bool = False,
    players: int | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: Path | None = None,
) -> TableResult:
    """Play games that are no duels: at tables, in teams, alone against an automa.

    `format` says which: see `seating` in docs/formats.md. `games` is the number for
    each table, rounded up to whole sets. `opponents` are the factions of the automa,
    all if none is named. With `random_decks`, `players` sit down with a new random
    deck in each game, and no deck is given. Everything else is as for `simulate`.
    """
    from deckcheck.formats import database_of, load_format
    from deckcheck.sim.gather import common_format
    from deckcheck.sim.modes import Wishes, plan
    from deckcheck.sim.table_simulation import TableSimulation

    known = _known(policies)
    reports = _legal_reports(decks, format, card_db, allow_illegal)
    if reports or format is None:
        fmt = common_format(reports)
    else:
        fmt = load_format(format, card_db)
    wishes = Wishes(
        games,
        seed,
        known,
        opponents=tuple(opponents),
        random_decks=random_decks,
        players=players,
    )
    simulation = plan(fmt, database_of(fmt, card_db), reports, wishes)
    if not isinstance(simulation, TableSimulation):
        raise UsageError(f"Games of `{fmt.id}` are played by `simulate`")
    return simulation.run(jobs=jobs, executor=executor, watch=progress)


def simulate_matches(
    *lineups: Target,
    format: str | None = None,
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: str | Sequence[str] = "heuristic",
    selections: str | Sequence[str] = "optimal",
    matchups: PathLike[str] | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: Path | None = None,
) -> LineupResult:
    """Play tournament matches of lineups, each of which is a file.

    `games` is the number of matches for each pair of lineups, rounded up to mirrored
    pairs. `selections` says how decks are chosen, once for all lineups or once for
    each: `optimal`, `random` or `fixed`. `matchups` is the JSON of a finished run to
    choose by; without it, `optimal` measures the decks first. Everything else is as
    for `simulate`.
    """
    from deckcheck.formats import database_of
    from deckcheck.sim.gather import common_format
    from deckcheck.sim.lineup_simulation import LineupSimulation
    from deckcheck.sim.modes import Wishes, plan

    known = _known(policies)
    reports = _legal_reports(lineups, format, card_db, allow_illegal)
    fmt = common_format(reports)
    ways = (selections,) if isinstance(selections, str) else tuple(selections)
    file = None if matchups is None else Path(matchups)
    wishes = Wishes(games, seed, known, selections=ways, matchups=file)
    simulation = plan(fmt, database_of(fmt, card_db), reports, wishes)
    if not isinstance(simulation, LineupSimulation):
        raise UsageError(f"Games of `{fmt.id}` are no tournament matches")
    return simulation.run(jobs=jobs, executor=executor, watch=progress)


def _known(policies: str | Sequence[str]) -> tuple[str, ...]:
    """The names of players; raises UsageError for an unknown one."""
    from deckcheck.policies.host.registry import policy_number

    players = (policies,) if isinstance(policies, str) else tuple(policies)
    for player in players:
        policy_number(player)
    return players


def _legal_reports(
    decks: Sequence[Deck | Target],
    format: str | None,
    card_db: Path | None,
    allow_illegal: bool,
) -> list[DeckReport]:
    from deckcheck.sim.errors import IllegalDeckError

    reports = _reports(decks, format, card_db)
    illegal = [report for report in reports if not report.legal]
    if illegal and not allow_illegal:
        raise IllegalDeckError.of(illegal)
    return reports


def _reports(
    decks: Sequence[Deck | Target], format: str | None, card_db: Path | None
) -> list[DeckReport]:
    """Judge decks that were read before, and read the others."""
    from deckcheck.sim.gather import judge_again

    reports: list[DeckReport] = []
    for deck in decks:
        if isinstance(deck, Deck):
            reports.append(judge_again(deck, format, card_db))
        else:
            found = validate(deck, format=format, card_db=card_db)
            reports.extend(found.reports)
    return reports
