"""Find the files of scenarios, and read them: their models, games and formats."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from deckcheck.cards import CardDatabase, Root
from deckcheck.cards.names import closest
from deckcheck.decks.files import missing, shown_path
from deckcheck.documents.readers import Source, SourceError
from deckcheck.documents.records import Wrong, read_record
from deckcheck.files import file_fault, nothing_matches, refuse_deck, relative_path
from deckcheck.findings import UsageError
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.formats.model import is_file_name
from deckcheck.messages import quote, suggestion
from deckcheck.scenarios.contract import (
    Adapter,
    BadPosition,
    ScenarioError,
    ScenarioFault,
    load_adapter,
)
from deckcheck.scenarios.models import Scenario

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
    if notes is None:
        notes = []
    files: dict[Path | None, ChosenFile] = {}
    for target in targets:
        for chosen in _choose_files(target, notes):
            key = chosen.file
            if key is not None:
                key = key.absolute()
            known = files.setdefault(key, chosen)
            if known.titles and chosen.titles and known is not chosen:
                titles = (*known.titles, *chosen.titles)
                files[key] = ChosenFile(known.file, titles)
            elif known is not chosen:
                # The whole file was named before, or is named now.
                files[key] = ChosenFile(known.file)
    return list(files.values())


def _choose_files(target: str, notes: list[str]) -> list[ChosenFile]:
    """Return the files that a target names, or a scenario of a file."""
    name, _, title = target.rpartition("#")
    if title and os.path.isfile(name) and not os.path.exists(target):
        return [ChosenFile(Path(name), (title,))]
    return [ChosenFile(file) for file in _list_files(target, notes)]


def _list_files(target: str, notes: list[str]) -> Sequence[Path | None]:
    """Return the files of a target without a title, None for standard input."""
    if target == "-":
        return [None]
    path = Path(target)
    if os.path.isdir(path):
        files = _search_folder(path, notes)
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
        files += _search_folder(match, notes) if match.is_dir() else [match]
    if not files:
        raise nothing_matches(target)
    return files


def _search_folder(folder: Path, notes: list[str]) -> list[Path]:
    """Return the files with the suffix of scenarios in a folder, to any depth."""
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
        if len(self.sources) > 1:
            faults = list(_check_titles(self.sources))
            if faults:
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
        name = _read_format_name(source)
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


def _read_format_name(source: Source) -> str:
    """Return the name under `format`. Raises BadPosition if it is not a text."""
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
        game = _find_game_format(fmt, card_db)
        message = f"{quote(name)} is played in several games, a scenario is one of them"
        help = f"Write `format: {game}`, the format of its games"
        raise BadPosition(("format",), message, help)
    return fmt


def _find_game_format(match: Format, card_db: Root) -> str:
    """Return the duel format that shares most limits with a format of matches."""
    duel_formats = []
    for id in format_ids(card_db):
        fmt = load_format(id, card_db)
        if fmt.game == match.game and fmt.seating.play == "duel":
            duel_formats.append(fmt)
    limits = {(limit.name, str(limit.settings)) for limit in match.constraints}

    def count_shared(fmt: Format) -> int:
        return sum((c.name, str(c.settings)) in limits for c in fmt.constraints)

    return max(duel_formats, key=count_shared).id


def _validate(source: Source, adapter: Adapter, database: CardDatabase) -> Scenario:
    data = source.document.data
    context = {"database": database}
    scenario, wrongs = read_record(adapter.SCENARIO, data, context)
    if scenario is None or wrongs:
        faults = [_make_fault(source, wrong) for wrong in wrongs]
        raise ScenarioError(sorted(faults, key=lambda fault: fault.span))
    return scenario


def _make_fault(source: Source, wrong: Wrong) -> ScenarioFault:
    span = source.document.span(wrong.location)
    if wrong.is_key:
        span = source.document.key_span(wrong.location)
    return ScenarioFault(source.path, span, wrong.message, wrong.help)


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
