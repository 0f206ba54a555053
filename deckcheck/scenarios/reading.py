"""Reads a scenario file: its model, its game and its format."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from deckcheck.cards import CardDatabase, Root
from deckcheck.cards.names import closest
from deckcheck.findings.documents import Source, SourceError
from deckcheck.findings.documents.validating import Wrong, validated
from deckcheck.findings.errors import UsageError
from deckcheck.findings.files import relative_path
from deckcheck.findings.words import choice, quote
from deckcheck.formats import Format, database_of, format_ids, load_format
from deckcheck.formats.ids import is_file_name
from deckcheck.scenarios.contract import Adapter
from deckcheck.scenarios.errors import BadPosition, Fault, ScenarioError
from deckcheck.scenarios.models import Scenario
from deckcheck.scenarios.registry import load_adapter


@dataclass(frozen=True, slots=True)
class Reading:
    """A scenario file that reads well, with all that is needed to play it."""

    source: Source
    scenario: Scenario
    adapter: Adapter
    database: CardDatabase
    format: Format


def read_scenario(file: Path | None, path: str, card_db: Root = None) -> Reading:
    """Read one file, called `path` in messages; None is standard input.

    Raises ScenarioError with everything that is wrong with it, and other kinds of
    UsageError for defects of the card database.
    """
    try:
        source = Source.open(file, path)
    except SourceError as error:
        defect = error.defect
        fault = Fault(defect.path, defect.span, defect.message)
        raise ScenarioError([fault]) from None
    try:
        fmt = _load_format(source, Path() if file is None else file.parent, card_db)
        adapter = load_adapter(fmt.game)
    except BadPosition as error:
        raise ScenarioError([fault_at(source, error)]) from None
    database = database_of(fmt, card_db)
    scenario = _validate(source, adapter, database)
    fmt = _with_options(source, scenario.options, fmt, database)
    return Reading(source, scenario, adapter, database, fmt)


def fault_at(source: Source, error: BadPosition) -> Fault:
    """The fault of a file that a bad position is."""
    span = source.document.span(error.location)
    return Fault(source.path, span, error.message, error.help)


def _load_format(source: Source, folder: Path, card_db: Root) -> Format:
    """The format that a scenario names; the path of one starts at `folder`."""
    data = source.document.data
    if not isinstance(data, Mapping):
        raise BadPosition((), "a scenario is a mapping with `format` and `players`")
    if "format" not in data:
        raise BadPosition((), "`format` is missing", "Write `format: gwent/standard`")
    name = data["format"]
    if not isinstance(name, str):
        raise BadPosition(("format",), "expected the name of a format")
    if is_file_name(name):
        name = relative_path(os.path.normpath(folder / name))
    try:
        fmt = load_format(name, card_db)
    except UsageError as error:
        # A format with defects is no fault of the scenario; its message has lines.
        if "\n" in error.message:
            raise
        raise BadPosition(("format",), error.message, error.help) from None
    if fmt.seating.play == "match":
        game = _format_of_games(fmt, card_db)
        message = f"{quote(name)} is played in several games, a scenario is one of them"
        help = f"Write `format: {game}`, the format of its games"
        raise BadPosition(("format",), message, help)
    return fmt


def _format_of_games(match: Format, card_db: Root) -> str:
    """The format of two players whose limits a match of several games shares most."""
    ours = (load_format(id, card_db) for id in format_ids(card_db))
    games = [f for f in ours if f.game == match.game and f.seating.play == "duel"]
    limits = {(limit.name, str(limit.settings)) for limit in match.constraints}

    def shared(fmt: Format) -> int:
        return sum((c.name, str(c.settings)) in limits for c in fmt.constraints)

    return max(games, key=shared).id


def _validate(source: Source, adapter: Adapter, database: CardDatabase) -> Scenario:
    data, context = source.document.data, {"database": database}
    scenario, wrongs = validated(adapter.SCENARIO, data, context)
    if scenario is None or wrongs:
        faults = [_fault(source, wrong) for wrong in wrongs]
        raise ScenarioError(sorted(faults, key=lambda fault: fault.span))
    return scenario


def _fault(source: Source, wrong: Wrong) -> Fault:
    find = source.document.key_span if wrong.is_key else source.document.span
    return Fault(source.path, find(wrong.at), wrong.message, wrong.help)


def _with_options(
    source: Source,
    options: Mapping[str, str | int],
    fmt: Format,
    database: CardDatabase,
) -> Format:
    """The format with the options of the file in place of its own."""
    option_by_name = {option.name: option for option in database.game.options}
    faults = []
    for name, value in options.items():
        if name not in option_by_name:
            near = closest(name, option_by_name, limit=1)
            help = f"Did you mean {choice(near)}?" if near else None
            span = source.document.key_span(("options", name))
            message = f"unknown option {quote(name)}"
            faults.append(Fault(source.path, span, message, help))
        elif not option_by_name[name].allows(value):
            span = source.document.span(("options", name))
            message = f"{quote(name)} is {option_by_name[name].describe()}"
            faults.append(Fault(source.path, span, message))
    if faults:
        raise ScenarioError(faults)
    return replace(fmt, options=MappingProxyType({**fmt.options, **options}))
