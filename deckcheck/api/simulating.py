"""Parse, read, validate, simulate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckcheck.api.arguments import (
    Decks,
    JudgingArguments,
    Playing,
    Target,
    deck_of,
    decks_of,
    entered,
    files_of,
    flag,
    folder,
    reports_of,
    takes,
    targets_of,
    text_of,
    validator,
)
from deckcheck.decks import Deck, DeckText, LeftOut, find_deck_files
from deckcheck.findings import UsageError
from deckcheck.specs import SimulateSpec
from deckcheck.validation import Validation

if TYPE_CHECKING:
    from deckcheck.sim.games_table import GamesTable
    from deckcheck.sim.result import SimulationResult
    from deckcheck.sim.seating import Request
    from deckcheck.sim.simulation import Simulation


# Read and judge decks


TEXT = "<text>"
"""What stands for the path of a text."""


@takes(judging=JudgingArguments.of)
def parse(
    text: str,
    *,
    judging: JudgingArguments,
) -> Deck:
    """Return the deck of a text in any syntax that files may have, names resolved.

    Everything else is as in `read`. Raises UsageError also for a text that holds
    several decks.
    """
    source = DeckText(TEXT, text_of("text", text))
    reports = validator(judging).check_file(source)
    if len(reports) > 1:
        message = f"The text holds {len(reports)} decks, expected one"
        raise UsageError(message, "Save it as a file, and `read` returns them all")
    return deck_of(reports[0], judging)


@takes(judging=JudgingArguments.of)
def read(
    *targets: Target | Sequence[Target],
    judging: JudgingArguments,
) -> list[Deck]:
    """Return every deck of files, folders and globs, in that order, names resolved.

    A deck with findings is returned all the same: `validate` tells them. `format` is an
    id such as `gwent/standard`, or a file; without it each deck names its own. The deck
    keeps it, so that `validate` and `simulate` need not get it again. `rule`, `as_of`
    and `card_db` are as on the command line. Raises UsageError for a missing file, an
    unknown format, and a file that holds no readable deck.
    """
    reports = validator(judging).check_files(find_deck_files(files_of(targets, "read")))
    return [deck_of(report, judging) for report in reports.reports]


@takes(judging=JudgingArguments.of)
def validate(
    *targets: Decks,
    text: str | None = None,
    suppressions: bool = True,
    judging: JudgingArguments,
) -> Validation:
    """Check every deck of files, folders and globs, or of a text, by a format.

    `validation.legal` says whether all are legal, `validation.reports` has one report
    for each deck, with its findings, `validation.left_out` the files that are not
    decks, `validation.notes` what to know of the snapshots of formats that judged.
    `format`, `rule`, `as_of` and `card_db` are as on the command line. Without
    `suppressions` no comment of a deck changes anything: so judge what others hand in.
    A deck that was read or made before may be given too: of what could not be read then
    only the number is known. Raises UsageError for a missing file, an unknown format,
    and a deck that names no format when `format` is None.
    """
    judge = validator(judging, suppressions=flag("suppressions", suppressions))
    if text is None:
        given = tuple(targets_of(targets, "validate"))
        files = [target for target in given if isinstance(target, str)]
        if len(files) == len(given):
            left_out = LeftOut()
            deck_files = find_deck_files(files, left_out=left_out)
            return judge.check_files(deck_files, left_out)
        return judge.make_validation(reports_of(given, judging, judge))
    if targets:
        raise UsageError("`validate` got files and a text", "Give it one of them")
    source = DeckText(TEXT, text_of("text", text))
    return judge.check_all([source])


# Let decks play


@takes(question=SimulateSpec, judging=JudgingArguments.of, playing=Playing.of)
def simulate(
    *decks: Decks,
    against: Decks = (),
    gauntlet: bool = False,
    allow_illegal: bool = False,
    games_table: Target | None = None,
    shard: str | None = None,
    question: SimulateSpec,
    judging: JudgingArguments,
    playing: Playing,
) -> SimulationResult:
    """Play games as the format says, and return the result.

    Two decks play a duel, more a round robin. With `against`, a field of decks, they
    meet these and not each other; with `gauntlet` the first file, or deck, meets the
    others. Other formats seat them at tables, in teams, against an automa, or as
    lineups; decks of one file belong together there, also when they were read before.
    The number of games is rounded up to whole sets: the same shuffles once with each
    seat beginning. The result depends on decks, format, policies, seed and games only.

    Up to `jobs` worker processes are started when the work is worth it; a script must
    then be guarded by `if __name__ == "__main__":`. An `executor`, any object with
    `submit` as in `concurrent.futures`, plays all games instead, `2 * jobs` blocks of
    them at a time. `progress` is called about four times a second. `games_table` is a
    file, `.csv` or `.parquet`, that gets a row for each game. With `run`, a folder,
    every finished block is kept there and never played again, and `shard`, such as
    `3/8`, plays one part of all games. Where a rule stops matchups early, all intervals
    hold at every look, and `stopped` of the result has the decisions.

    Raises IllegalDeckError for an illegal deck unless `allow_illegal`, UsageError for
    wrong arguments, SimulationError when the run cannot continue, and a
    KeyboardInterrupt whose `result` is what was played until then.
    """
    table = _games_table(games_table)
    playing = playing.of_shard(shard)
    simulation = enter(
        decks,
        question.request(),
        judging,
        against=against,
        gauntlet=flag("gauntlet", gauntlet),
        allow_illegal=flag("allow_illegal", allow_illegal),
    )
    result: SimulationResult = playing.play(simulation, judging, games_table=table)
    return result


def enter(
    decks: Sequence[Decks],
    request: Request,
    judging: JudgingArguments,
    *,
    against: Decks = (),
    gauntlet: bool = False,
    allow_illegal: bool = False,
) -> Simulation:
    """The simulation of decks that are read and judged, or of random ones.

    Raises IllegalDeckError and UsageError, as `simulate`.
    """
    from deckcheck.sim.simulation import build_simulation

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
    from deckcheck.sim.games_table import GamesTable, check_games_table

    place = folder("games_table", file)
    if place is None:
        return None
    check_games_table(place)
    return GamesTable(place)
