"""Finding, reading and playing scenario files."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from deckcheck.cards import CardDatabase, Root
from deckcheck.cards.names import closest
from deckcheck.decks.files import missing, shown_path
from deckcheck.documents.model import Location
from deckcheck.documents.readers import Source, SourceError
from deckcheck.documents.records import Wrong, read_record
from deckcheck.files import file_fault, nothing_matches, refuse_deck, relative_path
from deckcheck.findings import Span, UsageError
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.formats.model import is_file_name
from deckcheck.messages import quote, suggestion
from deckcheck.scenarios.contract import (
    CHOOSE_VERB,
    Adapter,
    BadPosition,
    ChanceFault,
    GamePosition,
    LegalMove,
    Question,
    Refused,
    ScenarioError,
    ScenarioFault,
    Unclear,
    Words,
    answer_in_words,
    either,
    load_adapter,
    refusal_reason,
)
from deckcheck.scenarios.models import CardCount, Move, Scenario, ScenarioRecord, expand
from deckcheck.scenarios.result import Failure, OwnAction, Refusal, ScenarioResult

# The files of scenarios: named files, globs, and folders to any depth


SCENARIO_SUFFIXES = (".yaml", ".yml")


class ChosenFile(NamedTuple):
    """A file to play, and the titles of its scenarios to play."""

    file: Path | None
    """The file, or None for standard input."""
    titles: tuple[str, ...] = ()
    """The titles, or none to play all."""


def find_scenarios(
    targets: Sequence[str], notes: list[str] | None = None
) -> list[ChosenFile]:
    """Return the files that `targets` name, each once, and of folders the YAML files.

    `-` is standard input, `FILE#TITLE` a scenario of a file. `notes` gets a sentence
    for each entry of a folder that has the name of a scenario and is not a file, for
    example a pipe. Raises UsageError for a name that does not exist and a target
    without scenarios.
    """
    notes = [] if notes is None else notes
    files: dict[Path | None, ChosenFile] = {}
    for target in targets:
        name, _, title = target.rpartition("#")
        is_title = bool(title) and os.path.isfile(name) and not os.path.exists(target)
        paths = [Path(name)] if is_title else _expand(target, notes)
        for file in paths:
            key = file and file.absolute()
            known = files.get(key)
            titles: tuple[str, ...] = (title,) if is_title else ()
            if known is not None and titles:
                titles = known.titles and (*known.titles, title)
            files[key] = ChosenFile(known.file if known else file, titles)
    return list(files.values())


def _expand(target: str, notes: list[str]) -> Sequence[Path | None]:
    if target == "-":
        return [None]
    path = Path(target)
    if os.path.isdir(path):
        files = _list_scenarios(path, notes)
        if not files:
            help = f"Scenarios end in {' or '.join(SCENARIO_SUFFIXES)}"
            why = f": {notes[-1]}" if notes else ""
            raise UsageError(f"folder {quote(target)} holds no scenario{why}", help)
        return files
    refuse_deck(path, "a scenario")
    if os.path.exists(path):
        return [path]
    if not glob.has_magic(target):
        raise missing(target)
    matches = [Path(name) for name in sorted(glob.glob(target, recursive=True))]
    files = []
    for match in matches:
        files += _list_scenarios(match, notes) if match.is_dir() else [match]
    if not files:
        raise nothing_matches(target)
    return files


def _list_scenarios(folder: Path, notes: list[str]) -> list[Path]:
    files = []
    for file in sorted(folder.rglob("*")):
        parts = file.relative_to(folder).parts
        is_hidden = any(part.startswith(".") for part in parts)
        if file.suffix.lower() not in SCENARIO_SUFFIXES or file.is_dir() or is_hidden:
            continue
        fault = file_fault(file)
        if fault is None:
            files.append(file)
        else:
            notes.append(f"{quote(shown_path(file))} is left out: it {fault}")
    return files


# Reads a scenario: its model, its game and its format


@dataclass(frozen=True, slots=True)
class ScenarioReading:
    """A valid scenario, with everything needed to play it."""

    source: Source
    scenario: Scenario
    adapter: Adapter
    database: CardDatabase
    format: Format


class ScenarioFile:
    """The scenarios of a file, each a YAML document, and the formats they name.

    The file is called `path` in messages. Raises ScenarioError for a file that cannot
    be read, an empty document, and a missing or repeated title.
    """

    def __init__(self, file: Path | None, path: str, card_db: Root = None) -> None:
        self.path = path
        self.card_db = card_db
        self.folder = Path() if file is None else file.parent
        self._formats: dict[str, tuple[Format, CardDatabase]] = {}
        try:
            self.sources = Source.open_stream(file, path)
        except SourceError as error:
            defect = error.defect
            fault = ScenarioFault(defect.path, defect.span, defect.message)
            raise ScenarioError([fault]) from None
        if len(self.sources) > 1 and (faults := list(_check_titles(self.sources))):
            raise ScenarioError(faults)

    def select(self, titles: Sequence[str]) -> list[Source]:
        """Return the scenarios of these titles in file order, by default all.

        Raises UsageError for a title that no scenario has.
        """
        known = {get_title(source): source for source in self.sources}
        for title in titles:
            if title not in known:
                help = suggestion(closest(title, filter(None, known), limit=1))
                message = f"{quote(self.path)} has no scenario {quote(title)}"
                raise UsageError(message, help)
        return [s for s in self.sources if not titles or get_title(s) in titles]

    def read(self, source: Source) -> ScenarioReading:
        """Read a scenario.

        Raises ScenarioError with all of its defects, and other kinds of UsageError for
        defects of the card database.
        """
        try:
            fmt, database = self._load_named_format(source)
            adapter = load_adapter(fmt.game)
        except BadPosition as error:
            raise ScenarioError([fault_at(source, error)]) from None
        scenario = _validate(source, adapter, database)
        fmt = _with_options(source, scenario.options, fmt, database)
        return ScenarioReading(source, scenario, adapter, database, fmt)

    def _load_named_format(self, source: Source) -> tuple[Format, CardDatabase]:
        """Return the format that a scenario names, and its cards, read once."""
        name = _format_name(source)
        if name not in self._formats:
            fmt = _load_format(name, self.folder, self.card_db)
            self._formats[name] = fmt, database_of(fmt, self.card_db)
        return self._formats[name]


def get_title(source: Source) -> str | None:
    """Return the title of a scenario, if any."""
    data = source.document.data
    title = data.get("title") if isinstance(data, Mapping) else None
    return title if isinstance(title, str) else None


def _check_titles(sources: Sequence[Source]) -> Iterator[ScenarioFault]:
    """Yield the faults of the titles of several scenarios in a file."""
    lines: dict[str, int] = {}
    for source in sources:
        document = source.document
        title = get_title(source)
        span = document.span(("title",))
        if document.data is None:
            message = "a document of the file is empty"
            help = "Remove its `---`, or write the scenario"
            yield ScenarioFault(source.path, span, message, help)
        elif isinstance(document.data, Mapping) and "title" not in document.data:
            message = "`title` is missing, which each of several scenarios needs"
            help = "Write `title: the_medic_finds_nobody`, say"
            yield ScenarioFault(source.path, span, message, help)
        elif title in lines:
            message = f"the scenario of line {lines[title]} has the same title"
            yield ScenarioFault(source.path, span, message, "Give each one of its own")
        elif title is not None:
            lines[title] = span.start.line


def fault_at(source: Source, error: BadPosition) -> ScenarioFault:
    """Return the fault of a file for a bad position."""
    span = source.document.span(error.location)
    return ScenarioFault(source.path, span, error.message, error.help)


def _format_name(source: Source) -> str:
    data = source.document.data
    if not isinstance(data, Mapping):
        raise BadPosition((), "a scenario is a mapping with `format` and `players`")
    if "format" not in data:
        raise BadPosition((), "`format` is missing", "Write `format: gwent/standard`")
    name = data["format"]
    if not isinstance(name, str):
        raise BadPosition(("format",), "expected the name of a format")
    return name


def _load_format(name: str, folder: Path, card_db: Root) -> Format:
    """Load the format that a scenario names. A path is relative to `folder`."""
    if is_file_name(name):
        name = relative_path(os.path.normpath(folder / name))
    try:
        fmt = load_format(name, card_db)
    except UsageError as error:
        # Defects of a format, on several lines, are not a fault of the scenario.
        if "\n" in error.message:
            raise
        raise BadPosition(("format",), error.message, error.help) from None
    if fmt.seating.play == "match":
        game = _format_for_games(fmt, card_db)
        message = f"{quote(name)} is played in several games, a scenario is one of them"
        help = f"Write `format: {game}`, the format of its games"
        raise BadPosition(("format",), message, help)
    return fmt


def _format_for_games(match: Format, card_db: Root) -> str:
    """Return the duel format that shares most limits with a format of matches."""
    ours = (load_format(id, card_db) for id in format_ids(card_db))
    games = [f for f in ours if f.game == match.game and f.seating.play == "duel"]
    limits = {(limit.name, str(limit.settings)) for limit in match.constraints}

    def count_shared(fmt: Format) -> int:
        return sum((c.name, str(c.settings)) in limits for c in fmt.constraints)

    return max(games, key=count_shared).id


def _validate(source: Source, adapter: Adapter, database: CardDatabase) -> Scenario:
    data = source.document.data
    context = {"database": database}
    scenario, wrongs = read_record(adapter.SCENARIO, data, context)
    if scenario is None or wrongs:
        faults = [_make_fault(source, wrong) for wrong in wrongs]
        raise ScenarioError(sorted(faults, key=lambda fault: fault.span))
    return scenario


def _make_fault(source: Source, wrong: Wrong) -> ScenarioFault:
    find = source.document.key_span if wrong.is_key else source.document.span
    return ScenarioFault(source.path, find(wrong.location), wrong.message, wrong.help)


def _with_options(
    source: Source,
    options: Mapping[str, str | int],
    fmt: Format,
    database: CardDatabase,
) -> Format:
    """Return the format with the options of the file."""
    option_by_name = {option.name: option for option in database.game.options}
    faults = []
    for name, value in options.items():
        if name not in option_by_name:
            help = suggestion(closest(name, option_by_name, limit=1))
            span = source.document.key_span(("options", name))
            message = f"unknown option {quote(name)}"
            faults.append(ScenarioFault(source.path, span, message, help))
        elif not option_by_name[name].allows(value):
            span = source.document.span(("options", name))
            message = f"{quote(name)} is {option_by_name[name].describe()}"
            faults.append(ScenarioFault(source.path, span, message))
    if faults:
        raise ScenarioError(faults)
    return replace(fmt, options=MappingProxyType({**fmt.options, **options}))


# Making the moves of a scenario: words to legal moves, choices, scripted chance


Next: TypeAlias = tuple[str, str]
"""The verb of the move that follows, and its player."""

NO_MOVE: Next = ("", "")
"""No move follows."""


ANSWERED_TOO_EARLY = "An answer stands with the move after which its question comes"
NOT_PICKED = "Remove it, or write it with the move after which chance decides"


def settle(position: GamePosition, answers: Sequence[str]) -> int:
    """Make all moves that a file without moves leaves out, and count the answers used.

    Raises Unclear or BadPosition as `make_move` does.
    """
    position.script(answers)
    _choose(position, (), (), NO_MOVE, eager=True)
    return _count_answers(position, (), (), answers)


def make_move(
    position: GamePosition,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: Next | None = None,
) -> int:
    """Make a move with its choices, and all moves left out before `following`.

    Without `following` no moves are left out. `at` is the place of the move in the
    file. `answers` may be used for random picks after the answers of the move itself.
    Returns how many of `answers` were used. Raises Refused, Unclear or BadPosition, and
    then leaves the position in between.
    """
    saved = position.save()
    try:
        return _try_move(position, move, at, answers, following, eager=True)
    except BadPosition as error:
        # An answer may have been spent on a choice with a single option.
        if not move.answers():
            raise
        first = error
    position.restore(saved)
    try:
        return _try_move(position, move, at, answers, following, eager=False)
    except BadPosition as second:
        is_clearer = isinstance(second, Refused) and not isinstance(first, Refused)
        raise (second if is_clearer else first) from None


def find_refusal(position: GamePosition, move: Move, at: Location) -> Refused | None:
    """Return the refusal of a move, or None if it is legal, and restore the position.

    Raises BadPosition for a move with a wrong answer to a random pick.
    """
    saved = position.save()
    try:
        make_move(position, move, at, ())
    except Refused as refused:
        return refused
    except Unclear:
        return None
    finally:
        position.restore(saved)
    return None


def _try_move(
    position: GamePosition,
    move: Move,
    at: Location,
    answers: Sequence[str],
    following: Next | None,
    *,
    eager: bool,
) -> int:
    verb, words = move.wish()
    position.script([*move.random, *answers])
    position.settle(verb, move.player)
    position.apply(_find(position, move, verb, words, (*at, move.action)))
    _choose(position, move.answers(), at, following, eager=eager)
    return _count_answers(position, move.random, at, answers)


def _find(
    position: GamePosition, move: Move, verb: str, words: Words, at: Location
) -> LegalMove:
    phrase = position.phrase(verb, words)
    is_to_move = position.turn == move.player and position.open_choice is None
    legal = position.legal_moves() if is_to_move else []
    fitting = [option for option in legal if option.fits(verb, words)]
    if not fitting:
        reason = refusal_reason(position, move.player, verb, words)
        help = _list_moves("Legal moves", legal) if legal else None
        raise Refused(at, f"{move.player} cannot {phrase}", reason, help)
    if len(fitting) > 1:
        message = f"`{phrase}` is not clear: there are {len(fitting)} ways"
        raise Unclear(at, message, _list_moves("Say which", fitting))
    return fitting[0]


def _choose(
    position: GamePosition,
    answers: Sequence[Words],
    at: Location,
    following: Next | None,
    *,
    eager: bool,
) -> None:
    """Answer the questions of a move. A question with a single answer needs none.

    Questions may come after moves that the file leaves out. Stops where chance lacks an
    answer.
    """
    left = list(answers)
    skipped: Refused | None = None
    while _is_asked(position, following):
        legal = position.legal_moves()
        fitting = [move for move in legal if left and move.fits(CHOOSE_VERB, left[0])]
        location = (*at, "choose", len(answers) - len(left)) if left else at
        if len(fitting) == 1 and (eager or len(legal) > 1):
            position.apply(fitting[0])
            del left[0]
            skipped = None
        elif len(legal) == 1:
            if left and not fitting and left[0].keys() <= legal[0].words.keys():
                skipped = skipped or _make_refusal(position, left[0], legal, location)
            position.apply(legal[0])
        elif left and not fitting:
            raise skipped or _make_refusal(position, left[0], legal, location)
        else:
            raise _make_unclear(position, left, fitting or legal, location)
    if left and position.chance_fault is None:
        location = (*at, "choose", len(answers) - len(left))
        raise skipped or _make_refusal(position, left[0], (), location)


def _is_asked(position: GamePosition, following: Next | None) -> bool:
    """Report whether a question is open before the move that follows."""
    if position.open_choice is None and following is not None:
        position.settle(*following)
    return position.open_choice is not None and position.chance_fault is None


def _make_refusal(
    position: GamePosition, answer: Words, legal: Sequence[LegalMove], at: Location
) -> Refused:
    reason = refusal_reason(position, position.turn or "", CHOOSE_VERB, answer)
    help = _list_moves("Possible", legal) if legal else ANSWERED_TOO_EARLY
    name = answer_in_words(position, answer)
    return Refused(at, f"{name} cannot be chosen", reason, help)


def _make_unclear(
    position: GamePosition,
    left: Sequence[Words],
    ways: Sequence[LegalMove],
    at: Location,
) -> Unclear:
    """Return the error for a question without a clear answer."""
    if left:
        name = answer_in_words(position, left[0])
        message = f"the choice of {name} is not clear: there are {len(ways)} ways"
        return Unclear(at, message, _list_moves("Say which", ways))
    message = f"{position.turn} has to choose {position.open_choice}"
    what = "Add `choose` to this move, one of" if at else "One of"
    return Unclear(at, message, _list_moves(what, ways))


def _list_moves(what: str, moves: Sequence[LegalMove]) -> str:
    texts = (move.text.removeprefix(f"{CHOOSE_VERB} ") for move in moves)
    return f"{what}: {'; '.join(texts)}"


def _count_answers(
    position: GamePosition, random: Sequence[str], at: Location, answers: Sequence[str]
) -> int:
    """Count the scenario's used answers, after the answers of the move."""
    used = position.answers_used
    count = len(random)
    script = [*random, *answers]
    if position.chance_fault is ChanceFault.MISSING:
        raise _ask_answer(position.question, at)
    if position.chance_fault is ChanceFault.IMPOSSIBLE:
        location = (*at, "random", used - 1) if used <= count else ("random",)
        message = f"{quote(script[used - 1])} is no possible outcome of the random pick"
        asked = position.question
        help = f"Chance decides {asked.text}: {either(asked.names)}" if asked else None
        raise BadPosition(location, message, help)
    if used < count:
        message = f"random answer {quote(random[used])} was not used"
        raise BadPosition((*at, "random", used), message, NOT_PICKED)
    return used - count


def _ask_answer(asked: Question | None, at: Location) -> Unclear:
    if asked is None:
        message = "chance decides here, and no answer is scripted"
        help = "Add `random: [CARD]` with the card that it picks"
        return Unclear(at, message, help)
    message = f"chance decides {asked.text}: {either(asked.names)}"
    return Unclear(at, message, f"Say which: `random: [{asked.cards[0]}]`, for example")


# Comparing the facts of a position with the expected facts


ORDERED_KEYS = ("deck", "board")
"""Keys whose lists are compared in order."""

Way = tuple[str, ...]


def extract_stated(value: Any) -> Any:
    """Return a part of `expect` as plain data, with only the values of the file."""
    if isinstance(value, ScenarioRecord):
        return {
            key: extract_stated(getattr(value, key)) for key in value.model_fields_set
        }
    if isinstance(value, Mapping):
        return {key: extract_stated(part) for key, part in value.items()}
    if isinstance(value, tuple):
        if value and all(isinstance(part, CardCount) for part in value):
            return expand(value)
        return [extract_stated(part) for part in value]
    return value


def find_disagreements(
    expected: Mapping[str, Any], facts: Mapping[str, Any], way: Way = ()
) -> Iterator[tuple[Way, Any, Any]]:
    """Yield each unmet expectation: its path in the file, and both values."""
    for key, wanted in expected.items():
        actual = facts.get(key)
        here = (*way, key)
        if isinstance(wanted, Mapping) and wanted and isinstance(actual, Mapping):
            yield from find_disagreements(wanted, actual, here)
        elif not _matches_facts(wanted, actual, is_ordered=key in ORDERED_KEYS):
            yield here, wanted, actual


def _matches_facts(wanted: Any, came: Any, *, is_ordered: bool) -> bool:
    if isinstance(wanted, Mapping) and isinstance(came, Mapping):
        if not wanted:
            # An empty mapping means that all of its values are empty.
            return not any(came.values())
        return all(key in came and came[key] == part for key, part in wanted.items())
    if isinstance(wanted, Sequence) and not isinstance(wanted, str):
        return _match_items(wanted, came, is_ordered=is_ordered)
    return type(wanted) is type(came) and bool(wanted == came)


def _match_items(wanted: Sequence[Any], came: Any, *, is_ordered: bool) -> bool:
    if not isinstance(came, Sequence) or len(wanted) != len(came):
        return False
    if is_ordered:
        return list(wanted) == list(came)
    left = list(came)
    for item in wanted:
        for index, other in enumerate(left):
            if _matches_facts(item, other, is_ordered=False):
                del left[index]
                break
        else:
            return False
    return True


# Playing the scenarios of a file


def run_scenarios(
    chosen: ChosenFile, path: str, card_db: Root = None
) -> list[ScenarioResult]:
    """Play the scenarios of a file, called `path` in messages.

    A wrong scenario or an unreadable file gives a result with faults. The engine of the
    process stays uncompiled from then on. Raises UsageError for an unknown title, for
    defects of the card database, and if the engine is compiled already.
    """
    try:
        file = ScenarioFile(chosen.file, path, card_db)
    except ScenarioError as error:
        return [ScenarioResult(path, faults=error.faults)]
    return [run_scenario(file, source) for source in file.select(chosen.titles)]


def run_scenario(file: ScenarioFile, source: Source) -> ScenarioResult:
    """Play a scenario of a read file, otherwise as `run_scenarios`."""
    title = get_title(source)
    try:
        reading = file.read(source)
    except ScenarioError as error:
        return ScenarioResult(source.path, title, faults=error.faults)
    try:
        return _play(reading)
    except BadPosition as error:
        rule = reading.scenario.rule
        fault = fault_at(source, error)
        return ScenarioResult(source.path, title, rule, faults=(fault,))


def _play(reading: ScenarioReading) -> ScenarioResult:
    position = reading.adapter.set_up(
        reading.scenario, reading.database, reading.format
    )
    course = _Course(reading, position)
    course.make_moves()
    course.failures += _compare(reading, position)
    return ScenarioResult(
        reading.source.path,
        reading.scenario.title,
        reading.scenario.rule,
        tuple(course.failures),
        (),
        tuple(course.refusals),
        tuple(course.own_actions),
        position,
    )


class _Course:
    """The moves of a scenario, and the results of making them."""

    def __init__(self, reading: ScenarioReading, position: GamePosition) -> None:
        self.reading = reading
        self.position = position
        self.failures: list[Failure] = []
        self.refusals: list[Refusal] = []
        self.own_actions: list[OwnAction] = []
        self.answers = list(reading.scenario.random)

    def make_moves(self) -> None:
        """Make all moves. A legal forbidden move is a failure."""
        scenario = self.reading.scenario
        for index, move in enumerate(scenario.moves):
            location = ("moves", index)
            if move.forbidden:
                self._try(move, index, location)
            else:
                following = self._next_move(index + 1)
                used = make_move(self.position, move, location, self.answers, following)
                self._spend_answers(used, location)
        if all(move.forbidden for move in scenario.moves):
            self._spend_answers(settle(self.position, self.answers), ())
        if self.answers:
            random_location = ("random", len(scenario.random) - len(self.answers))
            message = f"random answer {quote(self.answers[0])} was not used"
            raise BadPosition(random_location, message, "Remove it")

    def _next_move(self, index: int) -> Next:
        """Return the next permitted move from `index` on."""
        rest = self.reading.scenario.moves[index:]
        made = (move for move in rest if not move.forbidden)
        return next(((move.wish()[0], move.player) for move in made), NO_MOVE)

    def _spend_answers(self, used: int, at: Location) -> None:
        """Remove the answers that a move used, and note the game's own actions."""
        del self.answers[:used]
        span = self._span_at(at)
        self.own_actions += [
            OwnAction(span, action) for action in self.position.actions()
        ]

    def _try(self, move: Move, index: int, at: Location) -> None:
        """Note that a move is refused, or a failure if it is not, or differently."""
        refused = find_refusal(self.position, move, at)
        span = self._span_at((*at, "forbidden"))
        wanted = move.forbidden
        what = f"move {index + 1}"
        if refused is None:
            self.failures.append(Failure(span, what, "forbidden", "allowed"))
            return
        reason = refused.reason
        self.refusals.append(Refusal(span, refused.message, reason))
        if isinstance(wanted, str) and wanted != reason:
            self.failures.append(Failure(span, f"{what}, forbidden", wanted, reason))

    def _span_at(self, at: Location) -> Span:
        return self.reading.source.document.span(at)


def _compare(reading: ScenarioReading, position: GamePosition) -> list[Failure]:
    if reading.scenario.expect is None:
        return []
    expected = extract_stated(reading.scenario.expect)
    document = reading.source.document
    failures = [
        Failure(document.span(("expect", *way)), ".".join(way), wanted, actual)
        for way, wanted, actual in find_disagreements(expected, position.facts())
    ]
    return sorted(failures, key=lambda failure: failure.span)
