"""The Python API: read decks, validate them, simulate them, take runs up again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from deckcheck.arguments import (
    CardDb,
    Judging,
    Names,
    Target,
    callable_or_none,
    files_of,
    folder,
    in_python,
    names,
    number,
    optional_number,
    targets_of,
    text_of,
    whole_number,
)
from deckcheck.decks import Deck, DeckText, find_deck_files
from deckcheck.findings import UsageError
from deckcheck.findings.words import quote
from deckcheck.validation import DeckReport, Validation, Validator

if TYPE_CHECKING:
    from deckcheck.analysis.comparison import ComparisonResult
    from deckcheck.analysis.impact_result import ImpactResult
    from deckcheck.replays.model import Replay
    from deckcheck.sim.executors import Executor
    from deckcheck.sim.games_table import GamesTable
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.run import Progress

__all__ = [
    "compare",
    "impact",
    "merge",
    "parse",
    "read",
    "replay",
    "resume",
    "simulate",
    "validate",
]

TEXT = "<text>"
"""What stands for the path of a text."""

DEFAULT_GAMES = 10_000
DEFAULT_SEED = 1
DEFAULT_MARGIN = 0.5
DEFAULT_IMPACT_GAMES = 4_000


@in_python
def parse(
    text: str,
    *,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> Deck:
    """Return the deck of a text in any syntax that files may have, names resolved.

    Otherwise as `read`. Raises UsageError also for a text that holds several decks.
    """
    source = DeckText(TEXT, text_of("text", text))
    judging = Judging.of(format, card_db, rule, as_of)
    reports = _validator(judging).check_file(source)
    if len(reports) > 1:
        message = f"The text holds {len(reports)} decks, expected one"
        raise UsageError(message, "Save it as a file, and `read` returns them all")
    return _deck_of(reports[0])


@in_python
def read(
    *targets: Target | Sequence[Target],
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> list[Deck]:
    """Return every deck of files, folders and globs, in that order, names resolved.

    A deck with findings is returned all the same: `validate` tells them. `format` is an
    id such as `gwent/standard`, or a file; without it each deck names its own. `rule`,
    `as_of` and `card_db` are as on the command line. Raises UsageError for a missing
    file, an unknown format, and a file that holds no readable deck.
    """
    judging = Judging.of(format, card_db, rule, as_of)
    reports = _validator(judging).check_files(
        find_deck_files(files_of(targets, "read"))
    )
    return [_deck_of(report) for report in reports.reports]


@in_python
def validate(
    *targets: Deck | Target | Sequence[Deck | Target],
    text: str | None = None,
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    card_db: CardDb = None,
) -> Validation:
    """Check every deck of files, folders and globs, or of a text, by a format.

    `validation.legal` says whether all are legal, `validation.reports` has one report
    for each deck, with its findings. `format`, `rule`, `as_of` and `card_db` are as on
    the command line. A deck that was read or made before may be given too: of what
    could not be read then only the number is known. Raises UsageError for a missing
    file, an unknown format, and a deck that names no format when `format` is None.
    """
    judging = Judging.of(format, card_db, rule, as_of)
    if text is None:
        given = tuple(targets_of(targets, "validate"))
        files = [each for each in given if isinstance(each, str)]
        if len(files) == len(given):
            return _validator(judging).check_files(find_deck_files(files))
        return Validation(tuple(_reports(given, judging)))
    if targets:
        raise UsageError("`validate` got files and a text", "Give it one of them")
    source = DeckText(TEXT, text_of("text", text))
    return _validator(judging).check_all([source])


@in_python
def simulate(
    *decks: Deck | Target | Sequence[Deck | Target],
    games: int = DEFAULT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: Names = "heuristic",
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
    until_width: float | None = None,
    sprt: tuple[float, float] | None = None,
    alpha: float = 0.05,
    beta: float = 0.05,
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
    player for all decks, or one for each in order. The result depends on decks, format,
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
    `until_width` wide, from 0 to 1; once one of the two leads in Elo of `sprt` is
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
    from deckcheck.formats import database_of
    from deckcheck.sim.making import simulation_of
    from deckcheck.sim.matches.chances import read_chances
    from deckcheck.sim.reports import common_format, facing, first_file
    from deckcheck.sim.seating import Request
    from deckcheck.sim.stopping import Stopping

    known = folder("matchups", matchups)
    request = Request(
        games=whole_number("games", games),
        seed=whole_number("seed", seed),
        policies=_known(policies),
        mirror=bool(mirror),
        opponents=names("opponents", opponents),
        random_decks=bool(random_decks),
        players=optional_number("players", players),
        selections=names("selections", selections),
        matchups=None if known is None else read_chances(known),
        stopping=Stopping(until_width, sprt, alpha, beta, elo, bool(adaptive)),
    )
    table = _games_table(games_table)
    judging = Judging.of(format, card_db, rule, as_of)
    workers = whole_number("jobs", jobs)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    reports: list[DeckReport] = []
    if decks or not random_decks:
        given = tuple(targets_of(decks, "simulate"))
        reports = _legal(_reports(given, judging), allow_illegal)
        field = tuple(targets_of((against,), "simulate")) if against else ()
        if field:
            opposing = _legal(_reports(field, judging), allow_illegal)
            reports, challengers = facing(reports, opposing)
            request = replace(request, challengers=challengers)
        elif gauntlet:
            request = replace(request, challengers=first_file(reports))
    fmt = _validator(judging).format if not reports else None
    fmt = fmt or common_format(reports)
    simulation = simulation_of(fmt, database_of(fmt, judging.root), reports, request)
    place = folder("run", run)
    if place is None:
        if shard is not None:
            raise UsageError("`shard` goes with `run` only", "Name a folder as `run`")
        return simulation.run(
            jobs=workers, executor=executor, watch=progress, games_table=table
        )
    from deckcheck.sim.runs.directory import new_run

    kept = new_run(place, simulation, shard=shard, card_db=judging.root)
    return kept.run(jobs=workers, executor=executor, watch=progress, games_table=table)


@in_python
def compare(
    *versions: Deck | Target | Sequence[Deck | Target],
    against: Deck | Target | Sequence[Deck | Target],
    games: int | None = None,
    margin: float = DEFAULT_MARGIN,
    seed: int = DEFAULT_SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> ComparisonResult:
    """Find out which version of a deck is better against a field of decks.

    All `versions` play the same games against all decks of `against`, until it is clear
    which is better and about by how much, or that they differ by less than `margin`
    points. With `games`, so many are played of each version with each opponent instead.
    `policies` names a player for all decks, or one for the versions and one for the
    field. Everything else is as in `simulate`.
    """
    from deckcheck.analysis.comparing import Question, comparison_of
    from deckcheck.formats import database_of
    from deckcheck.sim.reports import common_format

    question = Question(
        seed=whole_number("seed", seed),
        policies=_known(policies),
        games=optional_number("games", games),
        margin=number("margin", margin),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    workers = whole_number("jobs", jobs)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    old_and_new = tuple(targets_of(versions, "compare"))
    opponents = tuple(targets_of((against,), "compare"))
    decks = _legal(_reports(old_and_new, judging), allow_illegal)
    field = _legal(_reports(opponents, judging), allow_illegal)
    fmt = common_format([*decks, *field])
    database = database_of(fmt, judging.root)
    comparison = comparison_of(fmt, database, decks, field, question)
    return comparison.run(jobs=workers, executor=executor, watch=progress)


@in_python
def impact(
    deck: Deck | Target,
    *,
    against: Deck | Target | Sequence[Deck | Target],
    games: int = DEFAULT_IMPACT_GAMES,
    seed: int = DEFAULT_SEED,
    policies: Names = "heuristic",
    format: Target | None = None,
    rule: Names = (),
    as_of: str | None = None,
    allow_illegal: bool = False,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> ImpactResult:
    """Find out what each card of a deck is worth against a field of decks.

    Each card is replaced by average cards and by the best legal ones, and all versions
    play the same games, `games` of each over the whole field. What is tried is chosen
    in a first trial; the figures are from other games. `policies` names a player for
    all decks, or one for the deck and one for the field. Everything else is as in
    `simulate`.
    """
    from deckcheck.analysis.impact import ImpactQuestion, impact_of
    from deckcheck.formats import database_of
    from deckcheck.sim.reports import common_format

    question = ImpactQuestion(
        seed=whole_number("seed", seed),
        policies=_known(policies),
        games=whole_number("games", games),
    )
    judging = Judging.of(format, card_db, rule, as_of)
    workers = whole_number("jobs", jobs)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    opponents = tuple(targets_of((against,), "impact"))
    own = _legal(_reports(tuple(targets_of((deck,), "impact")), judging), allow_illegal)
    field = _legal(_reports(opponents, judging), allow_illegal)
    fmt = common_format([*own, *field])
    weighed = impact_of(fmt, database_of(fmt, judging.root), own, field, question)
    return weighed.run(jobs=workers, executor=executor, watch=progress)


def resume(
    run: Target,
    *,
    games: int | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[Progress], None] | None = None,
    card_db: CardDb = None,
) -> SimulationResult:
    """Play what is missing of the run in a folder, and return its result.

    All settings are those that the run began with; only `games` may be more. `card_db`
    is the folder of card databases if that has moved. Raises UsageError for a folder
    that holds no run, or one of another version or with other cards; otherwise as
    `simulate`.
    """
    from deckcheck.sim.runs.directory import open_run

    root = Judging.of(None, card_db, (), None).root
    found = open_run(_place("run", run), root)
    wanted = optional_number("games", games)
    if wanted is not None:
        found = found.extended(wanted)
    callable_or_none("executor", executor, "submit")
    callable_or_none("progress", progress)
    workers = whole_number("jobs", jobs)
    return found.run(jobs=workers, executor=executor, watch=progress)


def replay(
    run: Target,
    pairing: str | None = None,
    game: int = 1,
    *,
    card_db: CardDb = None,
) -> Replay:
    """Return a game of the run in a folder again, told move by move.

    `pairing` are the names of those who met, with commas, or the number of their table;
    `game` counts their games from 1, in a tournament their matches. The engine that
    tells runs in a process of its own, so that a script must be guarded by
    `if __name__ == "__main__":`. Raises UsageError for what is not there.
    """
    from deckcheck.replays.replay import replay as play_again
    from deckcheck.sim.runs.directory import open_run

    found = open_run(_place("run", run), Judging.of(None, card_db, (), None).root)
    number = whole_number("game", game)
    return play_again(found.simulation, pairing, number, records=found.part)


def _games_table(file: Target | None) -> GamesTable | None:
    from deckcheck.sim.games_table import GamesTable, check_games_table

    place = folder("games_table", file)
    if place is None:
        return None
    check_games_table(place)
    return GamesTable(place)


def merge(*runs: Target | Sequence[Target], into: Target) -> None:
    """Write the blocks of several run directories into a new one, `into`.

    They are shards of one run, or parts of it that were played apart, in any order.
    `resume` returns the result. Raises UsageError for runs that differ, saying in what,
    and for games that two of them have.
    """
    from deckcheck.sim.runs.merging import merge_runs

    folders = [Path(each) for each in files_of(runs, "merge")]
    merge_runs(folders, _place("into", into))


def _place(name: str, value: Target) -> Path:
    found = folder(name, value)
    if found is None:
        raise UsageError(f"`{name}` is None", "Name a folder")
    return found


def _known(policies: Names) -> tuple[str, ...]:
    """The names of players; raises UsageError for an unknown one."""
    from deckcheck.policies.host.registry import read_policy

    players = names("policies", policies)
    for player in players:
        read_policy(player)
    return players


def _validator(judging: Judging) -> Validator:
    return Validator(
        judging.format, judging.root, rules=judging.rules, as_of=judging.as_of
    )


def _deck_of(report: DeckReport) -> Deck:
    if report.deck is None:
        reason = report.findings[0].message if report.findings else "no deck"
        raise UsageError(f"{quote(report.source.path)} cannot be read: {reason}")
    return report.deck


def _legal(reports: list[DeckReport], allow_illegal: bool) -> list[DeckReport]:
    from deckcheck.sim.errors import IllegalDeckError

    illegal = [report for report in reports if not report.legal]
    if illegal and not allow_illegal:
        raise IllegalDeckError.of(illegal)
    return reports


def _reports(decks: Sequence[Deck | str], judging: Judging) -> list[DeckReport]:
    """Judge decks that were read before, and read the others."""
    from deckcheck.sim.reports import judge_again

    validator = _validator(judging)
    reports: list[DeckReport] = []
    known: str | None = None
    for deck in decks:
        if isinstance(deck, Deck):
            # In a file of several decks only the first has to name the format.
            known = deck.format or (known if deck.source.index else None)
            reports.append(judge_again(deck, validator, known))
        else:
            reports += validator.check_files(find_deck_files([deck])).reports
    return reports
