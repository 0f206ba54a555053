"""Parse, read, validate, simulate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from deckcheck.api.arguments import (
    Decks,
    JudgingArguments,
    Playing,
    Target,
    check_text,
    enter_decks,
    flag,
    flatten_targets,
    folder,
    get_deck,
    judge_decks,
    list_files,
    read_decks,
    takes,
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


TEXT_PATH = "<text>"
"""The path of a text in messages."""


@takes(judging=JudgingArguments.of)
def parse(
    text: str,
    *,
    judging: JudgingArguments,
) -> Deck:
    """Return the deck of a text in any syntax of deck files, with names resolved.

    >>> deck = parse("Siege deck\\n2 Catapult\\n1 Ves", format="gwent/standard")
    >>> deck.counts()["catapult"]
    2

    Everything else is as in `read`. Raises UsageError also for a text with several
    decks.
    """
    source = DeckText(TEXT_PATH, check_text("text", text))
    reports = validator(judging).check_file(source)
    if len(reports) > 1:
        message = f"The text holds {len(reports)} decks, expected one"
        raise UsageError(message, "Save it as a file, and `read` returns them all")
    return get_deck(reports[0], judging)


@takes(judging=JudgingArguments.of)
def read(
    *targets: Target | Sequence[Target],
    judging: JudgingArguments,
) -> list[Deck]:
    """Return every deck of files, folders and globs, in that order, names resolved.

    >>> [deck.name for deck in read("decks/gwent/standard/mo_*.deck")]
    ['Night of the vampires', 'The swarm', 'The Wild Hunt']

    A deck with findings is returned all the same: use `validate` for the findings.
    `format` is an id such as `gwent/standard`, or a file. Without it each deck names
    its own format. The deck keeps the format for `validate` and `simulate`. `rule`,
    `as_of` and `card_db` are as on the command line. Raises UsageError for a missing
    file, an unknown format, and a file without a readable deck.
    """
    reports = validator(judging).check_files(
        find_deck_files(list_files(targets, "read"))
    )
    return [get_deck(report, judging) for report in reports.reports]


@takes(judging=JudgingArguments.of)
def validate(
    *targets: Decks,
    text: str | None = None,
    suppressions: bool = True,
    judging: JudgingArguments,
) -> Validation:
    """Check every deck of files, folders and globs, or of a text, by a format.

    >>> validate("decks/gwent/standard").legal
    True
    >>> validation = validate(text="Format: gwent/standard\\n4 Catapult")
    >>> [finding.name for finding in validation.reports[0].findings]
    ['missing-leader', 'too-few-cards', 'too-many-copies']

    `validation.legal` is true if all decks are legal, `validation.reports` has a report
    with findings for each deck, `validation.left_out` the files that are not decks,
    and `validation.notes` remarks on the snapshots of formats. `format`, `rule`,
    `as_of` and `card_db` are as on the command line. Without `suppressions` comments in
    decks change nothing, which is right for decks that others hand in. Decks already
    read may be given, too. Only the number of their unreadable lines is known.
    Raises UsageError for a missing file, an unknown format, and a deck without a
    format when `format` is None.
    """
    judge = validator(judging, suppressions=flag("suppressions", suppressions))
    if text is None:
        given = tuple(flatten_targets(targets, "validate"))
        files = [target for target in given if isinstance(target, str)]
        if len(files) == len(given):
            left_out = LeftOut()
            deck_files = find_deck_files(files, left_out=left_out)
            return judge.check_files(deck_files, left_out)
        return judge.make_validation(judge_decks(given, judging, judge))
    if targets:
        raise UsageError("`validate` got files and a text", "Give it one of them")
    source = DeckText(TEXT_PATH, check_text("text", text))
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
    """Play games in the way of the format, and return the result.

    >>> decks = read("decks/gwent/standard/mo_*.deck")
    >>> result = simulate(decks, games=20, policies="heuristic", cross_check="none")
    >>> result.games_played
    60

    Two decks play a duel, more a round robin. With `against`, a field of decks, they
    meet these and not each other. With `gauntlet` the first file, or deck, meets the
    others. Other formats seat them at tables, in teams, against an automa, or as
    lineups, where decks of a file belong together, also if they were read before. The
    number of games is rounded up to whole sets: the same shuffles once with each seat
    beginning. The result depends on decks, format, policies, seed and games only.

    Up to `jobs` threads play at the same time. An `executor`, any object with `submit`
    as in `concurrent.futures`, plays all games instead, `2 * jobs` blocks at a time.
    `progress` is called about four times a second. `games_table` is a file, `.csv` or
    `.parquet`, that gets a row for each game. With `run`, a folder, every finished
    block is kept there and never played again, and `shard`, such as `3/8`, plays a part
    of all games. If a rule stops matchups early, all intervals hold at every
    checkpoint, and `stopped` of the result has the decisions.

    Raises IllegalDeckError for an illegal deck unless `allow_illegal`, UsageError for
    wrong arguments, SimulationError when the run cannot continue, and a
    KeyboardInterrupt whose `result` has the games played until then.
    """
    table = _open_games_table(games_table)
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
    """Return the simulation of given decks, or of random decks.

    Raises IllegalDeckError and UsageError, as `simulate`.
    """
    from deckcheck.sim.simulation import build_simulation

    field = None
    if against:
        _, _, (named, field) = enter_decks(
            "simulate", judging, decks, field=(against,), allow_illegal=allow_illegal
        )
    elif request.random_decks and not decks:
        named = []
    else:
        named = read_decks(decks, "simulate", judging)
    return build_simulation(
        named,
        field,
        request,
        validator(judging),
        gauntlet=gauntlet,
        allow_illegal=allow_illegal,
    )


def _open_games_table(file: Target | None) -> GamesTable | None:
    from deckcheck.sim.games_table import GamesTable, check_games_table

    path = folder("games_table", file)
    if path is None:
        return None
    check_games_table(path)
    return GamesTable(path)
