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
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.run import Progress

__all__ = ["read", "simulate", "validate"]

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
    opponents: Sequence[str] = (),
    random_decks: bool = False,
    players: int | None = None,
    selections: str | Sequence[str] = (),
    matchups: PathLike[str] | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: Path | None = None,
) -> SimulationResult:
    """Play games as the format says and return what came out.

    Two decks are a duel, more a round robin; with `mirror` each also meets itself.
    Other formats seat them at tables, in teams, against an automa, or as lineups. Decks
    of one file belong together there, also when they were read before.

    `games` is the number for each matchup, table, or match of two lineups, rounded up
    to whole sets: the same shuffles once with each seat beginning. `policies` names a
    player for all decks, or one for each in order. The result depends on decks, format,
    policies, seed and games, and on nothing else.

    Of a solo format, `opponents` are the factions of the automa, all if none is named.
    With `random_decks`, `players` sit down with a new random deck in each game, and no
    deck is given. In a tournament, `selections` says how decks are chosen, once for all
    lineups or once for each: `optimal`, `random` or `fixed`; `matchups` is the JSON of
    a finished run to choose by, without it `optimal` measures the decks first.

    Up to `jobs` worker processes are started when the work is worth it; a script must
    then be guarded by `if __name__ == "__main__":`. An `executor`, any object with
    `submit` as in `concurrent.futures`, plays all games instead, `2 * jobs` blocks of
    them at a time. `progress` is called about four times a second.

    Raises IllegalDeckError for an illegal deck unless `allow_illegal`, UsageError for
    misuse, SimulationError when the run cannot go on.
    """
    from deckcheck.formats import database_of, load_format
    from deckcheck.sim.reports import common_format
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import simulation_of

    request = Request(
        games=games,
        seed=seed,
        policies=_known(policies),
        mirror=mirror,
        opponents=tuple(opponents),
        random_decks=random_decks,
        players=players,
        selections=_several(selections),
        matchups=None if matchups is None else Path(matchups),
    )
    reports = _legal_reports(decks, format, card_db, allow_illegal)
    if not reports and format is not None:
        fmt = load_format(format, card_db)
    else:
        fmt = common_format(reports)
    simulation = simulation_of(fmt, database_of(fmt, card_db), reports, request)
    return simulation.run(jobs=jobs, executor=executor, watch=progress)


def _known(policies: str | Sequence[str]) -> tuple[str, ...]:
    """The names of players; raises UsageError for an unknown one."""
    from deckcheck.policies.host.registry import policy_number

    players = _several(policies)
    for player in players:
        policy_number(player)
    return players


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


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
    from deckcheck.sim.reports import judge_again

    reports: list[DeckReport] = []
    named: dict[str, str] = {}
    for deck in decks:
        if isinstance(deck, Deck):
            # In a file of several decks only the first has to name the format.
            own = deck.format or named.get(deck.source.path)
            if own is not None:
                named[deck.source.path] = own
            wanted = format if format is not None or deck.format else own
            reports.append(judge_again(deck, wanted, card_db))
        else:
            found = validate(deck, format=format, card_db=card_db)
            reports.extend(found.reports)
    return reports
