"""The settings of a configuration, checked, with the place of every value."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from deckcheck.config.file import ConfigFile, open_config
from deckcheck.config.option import OFF, Option, finding_name
from deckcheck.config.shape import shape_of
from deckcheck.decks.patterns import PathPatterns, anchored
from deckcheck.findings import Severity, in_order
from deckcheck.findings.documents.validating import Wrong, validated
from deckcheck.findings.files import file_fault, path_fault
from deckcheck.findings.placed import Placed
from deckcheck.findings.words import choice, plural, quote
from deckcheck.validation import DeckReport

_FORMATS = ("default-format", "formats")


@dataclass(frozen=True, slots=True)
class Entry:
    """A value for use, the same as it is written, and its place: `deckcheck.toml:3`."""

    value: object
    written: object
    place: str


@dataclass(frozen=True, slots=True)
class Settings:
    """A checked configuration; empty where there is no file.

    `files` are the file and those it extends. `options` are by key. `formats` are
    format ids by absolute pattern, the first that matches counts. `severity` is by the
    name of a finding, its value a level or `off`.
    """

    files: tuple[Path, ...] = ()
    options: Mapping[str, Entry] = field(default_factory=dict)
    default_format: Entry | None = None
    formats: Mapping[str, Entry] = field(default_factory=dict)
    severity: Mapping[str, Entry] = field(default_factory=dict)

    def formats_by_path(self) -> Callable[[str], tuple[str, str] | None]:
        """Return the function that tells format and place for the path of a deck."""
        entries = list(self.formats.values())
        patterns = PathPatterns(self.formats)

        def choose(path: str) -> tuple[str, str] | None:
            format_id = patterns.match(path)
            entry = self.default_format if format_id is None else entries[format_id]
            return None if entry is None else (str(entry.value), entry.place)

        return choose

    def weigh(self, reports: Iterable[DeckReport]) -> list[DeckReport]:
        """Give findings their severities; those that are off are left out.

        A deck that was not judged keeps its findings: nothing makes it legal.
        """
        if not self.severity:
            return list(reports)
        return [self._weigh(report) for report in reports]

    def _weigh(self, report: DeckReport) -> DeckReport:
        if report.format is None:
            return report
        kept = []
        for finding in report.findings:
            entry = self.severity.get(finding.name)
            if entry is None:
                kept.append(finding)
            elif entry.value != OFF:
                kept.append(replace(finding, severity=Severity(str(entry.value))))
        return replace(report, findings=in_order(kept))


def load_settings(file: Path, options: Sequence[Option]) -> Settings:
    """Read a configuration and what it extends.

    A key that a file states replaces that of the file it extends; the tables
    `[formats]` and `[severity]` are joined, its own entries first. Raises UsageError
    with file, line and column for anything that is unknown or of the wrong shape.
    """
    return _load(file, options, ())


def _load(file: Path, options: Sequence[Option], seen: tuple[str, ...]) -> Settings:
    config = open_config(file)
    said = _validated(config, options)
    above = Settings()
    seen = (*seen, os.path.realpath(file))
    if "extend" in said:
        name = str(said["extend"])
        fault = path_fault(name)
        if fault is not None:
            raise config.error(fault, None, "extend")
        other = file.parent / name
        if os.path.realpath(other) in seen:
            message = f"{quote(name)} extends this file in turn"
            raise config.error(message, None, "extend")
        fault = file_fault(other)
        if fault is not None:
            message = f"{quote(name)} {fault}"
            raise config.error(message, "Paths start from this file", "extend")
        above = _load(other, options, seen)
    own = _read(config, said, options)
    return Settings(
        files=(file, *above.files),
        options={**above.options, **own.options},
        default_format=own.default_format or above.default_format,
        formats={**own.formats, **_without(above.formats, own.formats)},
        severity={**above.severity, **own.severity},
    )


def _without(entries: Mapping[str, Entry], keys: Iterable[str]) -> dict[str, Entry]:
    left = set(keys)
    return {key: entry for key, entry in entries.items() if key not in left}


def _validated(config: ConfigFile, options: Sequence[Option]) -> dict[str, Any]:
    """What a file says, by key; raises UsageError with everything wrong with it."""
    shape = shape_of(options)
    said, wrongs = validated(shape, config.table)
    wrongs += _repeated(config.table.get("severity"))
    if said is None or wrongs:
        keys = [field.alias or name for name, field in shape.model_fields.items()]
        raise config.errors([_explained(wrong, keys) for wrong in wrongs])
    return said.model_dump(by_alias=True, exclude_unset=True)


def _explained(wrong: Wrong, keys: Sequence[str]) -> Wrong:
    """The same with the key whose value is wrong, or a remedy for an unknown one."""
    if wrong.at == ("format",):
        message = "unknown key `format`"
        return wrong._replace(message=message, help=f"Did you mean {choice(_FORMATS)}?")
    if wrong.is_key and len(wrong.at) == 1 and not wrong.message.endswith("?"):
        return wrong._replace(help=f"Keys are {choice(keys, 'and')}")
    if wrong.is_key:
        return wrong
    key = next(part for part in reversed(wrong.at) if isinstance(part, str))
    message = wrong.message.replace("a mapping", "a table")
    return wrong._replace(message=f"{quote(key)}: {message}")


def _repeated(table: object) -> Iterator[Wrong]:
    """Findings that are given by their name and by their code."""
    seen = set()
    for key in table if isinstance(table, dict) else ():
        name = finding_name(key)
        if name in seen:
            message = f"{quote(name)} has {plural(2, 'severity')}"
            yield Wrong(("severity", key), message, True, "Keep one of them")
        seen.add(name)


def _read(
    config: ConfigFile, said: dict[str, Any], options: Sequence[Option]
) -> Settings:
    """What one file says itself."""
    folder = str(config.folder.absolute())

    def entry(value: object, written: object, *keys: str) -> Entry:
        return Entry(value, written, config.place(*keys))

    by_key = {option.key: option for option in options}
    default = said.get("default-format")
    return Settings(
        options={
            key: entry(_used(config, by_key[key], value, key), config.table[key], key)
            for key, value in said.items()
            if key in by_key
        },
        default_format=None
        if default is None
        else entry(_format(config, default), default, "default-format"),
        formats={
            anchored(pattern, folder): entry(
                _format(config, name), name, "formats", pattern
            )
            for pattern, name in said.get("formats", {}).items()
        },
        severity={
            finding_name(key): entry(level, level, "severity", key)
            for key, level in said.get("severity", {}).items()
        },
    )


def _used(config: ConfigFile, option: Option, value: Any, *keys: str | int) -> object:
    """The value of an option, its paths as seen from anywhere."""
    if isinstance(value, list):
        is_list = isinstance(config.table[option.key], list)
        items = enumerate(value)
        return [_used(config, option, v, *keys, *[i][:is_list]) for i, v in items]
    if isinstance(value, str) and (option.kind is Path or "\0" in value):
        fault = path_fault(value)
        if fault is not None:
            raise config.error(fault, None, option.key)
    if option.is_pattern:
        return anchored(value, str(config.folder.absolute()))
    if option.kind is Path and value not in option.names:
        return str(config.folder / value)
    return Placed(value, config.start(*keys)) if isinstance(value, str) else value


def _format(config: ConfigFile, name: str) -> str:
    """The id of a format, or the path of a file that defines one."""
    if name.lower().endswith((".yaml", ".yml")):
        return str(config.folder / name)
    return name.strip().lower()
