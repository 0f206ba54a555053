"""What a configuration says, checked, with the place of every value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from deckcheck.config.file import ConfigFile, open_config
from deckcheck.decks.patterns import PathPatterns, anchored
from deckcheck.findings import Severity, UsageError, in_order
from deckcheck.findings.words import choice, plural, quote
from deckcheck.rules import ALL_RULES
from deckcheck.validation import DeckReport, Validation

__all__ = ["LEVELS", "Entry", "Option", "Settings", "load_settings"]

OFF = "off"
LEVELS = (*(severity.value for severity in Severity), OFF)
_OWN_KEYS = ("extend", "default-format", "formats", "severity")
_NAMES = {rule.code: rule.name for rule in ALL_RULES}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line that a file may set.

    `kind` is bool, int, str or Path; `convert` checks one value and raises ValueError.
    `is_pattern` marks patterns of paths, which start from the folder of the file.
    `choices` are the only words allowed, if any.
    """

    key: str
    kind: type
    is_many: bool
    convert: Callable[[str], object]
    is_pattern: bool = False
    choices: tuple[str, ...] = ()
    help: str = ""


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
            found = patterns.match(path)
            entry = self.default_format if found is None else entries[found]
            return None if entry is None else (str(entry.value), entry.place)

        return choose

    def weigh(self, run: Validation) -> Validation:
        """Give findings their severities; those that are off are left out.

        A deck that was not judged keeps its findings: nothing makes it legal.
        """
        if not self.severity:
            return run
        return Validation(tuple(self._weigh(report) for report in run.reports))

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


def _load(file: Path, options: Sequence[Option], seen: tuple[Path, ...]) -> Settings:
    config = open_config(file)
    above = Settings()
    seen = (*seen, file.resolve())
    if "extend" in config.table:
        name = _text(config, "extend")
        other = file.parent / name
        if other.resolve() in seen:
            message = f"{quote(name)} extends this file in turn"
            raise config.error(message, None, "extend")
        if not other.is_file():
            message = f"{quote(name)} does not exist"
            raise config.error(message, "Paths start from this file", "extend")
        above = _load(other, options, seen)
    own = _read(config, options)
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


def _read(config: ConfigFile, options: Sequence[Option]) -> Settings:
    """What one file says itself."""
    by_key = {option.key: option for option in options}
    found: dict[str, Entry] = {}
    for key in config.table:
        if key in by_key:
            found[key] = _option(config, by_key[key])
        elif key not in _OWN_KEYS:
            raise _unknown(config, key, [*by_key, *_OWN_KEYS])
    default = None
    if "default-format" in config.table:
        name = _text(config, "default-format")
        place = config.place("default-format")
        default = Entry(_format(config, name), name, place)
    return Settings(
        options=found,
        default_format=default,
        formats=_formats(config),
        severity=_severity(config),
    )


def _unknown(config: ConfigFile, key: str, known: Sequence[str]) -> UsageError:
    from difflib import get_close_matches

    near = get_close_matches(key.replace("_", "-"), known, n=1)
    if key == "format":
        near = ["default-format", "formats"]
    help = f"Did you mean {choice(near)}?" if near else f"Keys are {choice(known)}"
    return config.error(f"unknown key {quote(key)}", help, key)


def _option(config: ConfigFile, option: Option) -> Entry:
    """The value of an option, checked as on the command line."""
    written = config.table[option.key]
    if option.is_many:
        items = [written] if isinstance(written, str) else written
        if not isinstance(items, list):
            raise _misshapen(config, option.key, "a list of texts")
        value: object = [_single(config, option, item) for item in items]
    else:
        value = _single(config, option, written)
    return Entry(value, written, config.place(option.key))


_KINDS = {bool: "`true` or `false`", int: "a whole number"}


def _single(config: ConfigFile, option: Option, value: object) -> object:
    kind = option.kind if option.kind in _KINDS else str
    # True is a whole number to Python, but not to whoever writes the file.
    if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
        raise _misshapen(config, option.key, _KINDS.get(kind, "a text"))
    if option.is_pattern:
        return anchored(str(value), str(config.folder.absolute()))
    if option.kind is Path:
        return str(config.folder / str(value))
    if kind is not str:
        return value
    try:
        return option.convert(str(value))
    except ValueError as error:
        raise config.error(f"`{option.key}` is {error}", None, option.key) from None


def _text(config: ConfigFile, *keys: str) -> str:
    value: object = config.table
    for key in keys:
        value = value[key] if isinstance(value, dict) else None
    if isinstance(value, str) and value.strip():
        return value
    raise _misshapen(config, *keys, "a text")


def _misshapen(config: ConfigFile, *words: str) -> UsageError:
    *keys, shape = words
    return config.error(f"{quote(keys[-1])} must be {shape}", None, *keys)


def _entries(config: ConfigFile, key: str, shape: str) -> dict[str, object]:
    table = config.table.get(key, {})
    if not isinstance(table, dict):
        raise _misshapen(config, key, shape)
    return table


def _formats(config: ConfigFile) -> dict[str, Entry]:
    found = {}
    folder = str(config.folder.absolute())
    for pattern in _entries(config, "formats", "a table of patterns and formats"):
        name = _text(config, "formats", pattern)
        entry = Entry(_format(config, name), name, config.place("formats", pattern))
        try:
            PathPatterns([pattern])
        except UsageError as error:
            raise config.error(error.message, None, "formats", pattern) from None
        found[anchored(pattern, folder)] = entry
    return found


def _format(config: ConfigFile, name: str) -> str:
    """The id of a format, or the path of a file that defines one."""
    if name.lower().endswith((".yaml", ".yml")):
        return str(config.folder / name)
    return name.strip().lower()


def _severity(config: ConfigFile) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for key in _entries(config, "severity", "a table of findings and levels"):
        level = _text(config, "severity", key)
        name = _NAMES.get(key.upper(), key)
        if name not in _NAMES.values():
            raise _unknown_finding(config, key)
        if level not in LEVELS:
            message = f"{quote(level)} is no severity"
            raise config.error(message, f"Write {choice(LEVELS)}", "severity", key)
        if name in found:
            message = f"{quote(name)} has {plural(2, 'severity')}"
            raise config.error(message, "Keep one of them", "severity", key)
        found[name] = Entry(level, level, config.place("severity", key))
    return found


def _unknown_finding(config: ConfigFile, key: str) -> UsageError:
    from difflib import get_close_matches

    near = get_close_matches(key.lower(), _NAMES.values(), n=1)
    help = f"Did you mean {choice(near)}?" if near else "`deckcheck rule` lists them"
    return config.error(f"no finding is called {quote(key)}", help, "severity", key)
