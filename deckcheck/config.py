"""The configuration of a project: read, checked, as a schema."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    TypeAdapter,
    WithJsonSchema,
    create_model,
)

from deckcheck.decks.files import shown_path
from deckcheck.documents.model import Document, DocumentError, PlacedText
from deckcheck.documents.readers import read_toml
from deckcheck.documents.records import Wrong, read_record, refusal
from deckcheck.fields import Filled
from deckcheck.files import (
    PathPatterns,
    anchor_pattern,
    file_fault,
    open_file,
    path_fault,
    usable,
)
from deckcheck.findings import Position, Severity, UsageError, in_order
from deckcheck.messages import (
    choice,
    join_helps,
    nearest,
    plural,
    printable,
    quote,
    sentence,
    suggestion,
)
from deckcheck.rules import DECK_RULES
from deckcheck.validation import DeckReport

# The words of a configuration: options, levels, findings


SEVERITY_OFF = "off"
Level = Literal["error", "warning", "note", "off"]
"""How much a finding weighs, or that it is not shown."""

_FINDING_NAMES = {rule.code: rule.name for rule in DECK_RULES}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the command line that a file may set."""

    key: str
    kind: type
    """The type of its value: bool, int, str or Path."""
    is_many: bool
    is_pattern: bool = False
    """Whether its values are patterns of paths, from the folder of the file."""
    words: tuple[Callable[[], Sequence[str]], ...] = ()
    """The only allowed words, if any. The words of outputs take time to import."""
    has_files: bool = False
    """Whether a word may have a file after a colon."""
    names: tuple[str, ...] = ()
    """The words that are not paths below the folder of the file."""
    help: str = ""
    least: int | None = None
    """The least number, if there is a limit."""
    most: int | None = None
    """The largest number, if there is a limit."""
    check: Callable[[str], None] | None = None
    """Raises UsageError for a text that is wrong in another way."""

    def allows(self, word: str) -> bool:
        """Report whether the option of any command takes a word."""
        return any(word in words() for words in self.words)

    def all_words(self) -> tuple[str, ...]:
        """Return every word that the option of any command takes."""
        return tuple(dict.fromkeys(word for words in self.words for word in words()))


def finding_name(key: str) -> str:
    """Return the name of a finding for a name or a code."""
    return _FINDING_NAMES.get(key.upper(), key)


# The keys of a configuration file: for checking it, and as its JSON Schema


Text = Annotated[str, Filled(1000)]


def _check_text(check: Callable[[str], object], text: str) -> str:
    try:
        check(text)
    except UsageError as error:
        raise refusal(error.message, error.help) from None
    return text


def _check_finding(key: str) -> str:
    names = [rule.name for rule in DECK_RULES]
    if finding_name(key) not in names:
        help = suggestion(nearest(key, names), "`deckcheck rule` lists them")
        raise refusal(f"no finding is called {quote(key)}", help)
    return key


def _as_list(value: object) -> object:
    """Return the type of a word or a list of words."""
    return [value] if isinstance(value, str) else value


Pattern = Annotated[
    str, AfterValidator(partial(_check_text, lambda text: PathPatterns([text])))
]


class _FileKeys(BaseModel):
    """The keys of a file that are not options of the command line."""

    model_config = ConfigDict(extra="forbid")

    extend: Text = Field("", description="Another file to build on.")
    default_format: Text = Field(
        "",
        alias="default-format",
        description="The format of decks that name none.",
    )
    formats: dict[Pattern, Text] = Field(
        {}, description="Formats by pattern of paths; the first that matches."
    )
    severity: dict[Annotated[str, AfterValidator(_check_finding)], Level] = Field(
        {}, description="How much findings weigh, by name or code."
    )


def make_shape(options: Sequence[Option]) -> type[BaseModel]:
    """Return the model of a file that may set `options`."""
    fields: dict[str, Any] = {}
    for option in options:
        key = Field(None, alias=option.key, description=option.help)
        fields[option.key.replace("-", "_")] = (_make_option_type(option), key)
    return create_model(
        "deckcheck.toml",
        __base__=_FileKeys,
        __doc__="How the decks of a repository are checked.",
        **fields,
    )


def _make_option_type(option: Option) -> Any:
    if option.kind is bool:
        return bool
    if option.kind is int:
        return Annotated[int, Field(ge=option.least, le=option.most)]
    word: Any = str
    if option.has_files:
        word = _make_output_type(option)
    elif option.words:
        word = Literal[option.all_words()]
    if option.check is not None:
        word = Annotated[word, AfterValidator(partial(_check_text, option.check))]
    return _make_list_type(word) if option.is_many else word


def _make_list_type(word: Any) -> Any:
    """Return the type of a word or a list of such words."""
    schema = TypeAdapter(word).json_schema()
    either = {"anyOf": [schema, {"type": "array", "items": schema}]}
    return Annotated[list[word], BeforeValidator(_as_list), WithJsonSchema(either)]


def _make_output_type(option: Option) -> Any:
    """Return the type of an output, perhaps with a file after a colon."""

    def checked(text: str) -> str:
        if not option.allows(text.partition(":")[0]):
            expected = choice(option.all_words())
            raise refusal(f"expected {expected}, found {quote(text)}", None)
        return text

    return Annotated[str, AfterValidator(checked)]


# A configuration file: its table, and its errors with their lines


MAX_BYTES = 2**20
PYPROJECT_FILE = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file as it was read."""

    file: Path
    document: Document
    table: dict[str, object]
    """The table for deckcheck."""
    base: tuple[str, ...]
    """The keys above that table."""

    @property
    def folder(self) -> Path:
        """The folder that its paths and patterns start from."""
        return self.file.parent

    def place(self, *keys: str) -> str:
        """Return the line of a key: `deckcheck.toml:3`."""
        line = self.document.key_span((*self.base, *keys)).start.line
        return f"{_show_path(self.file)}:{line}"

    def start(self, *keys: str | int) -> str:
        """`deckcheck.toml:3:9`: where a value begins."""
        start = self.document.span((*self.base, *keys)).start
        return f"{_show_path(self.file)}:{start.line}:{start.column}"

    def error(self, message: str, help: str | None, *keys: str) -> UsageError:
        """Return a usage error at the place of a key."""
        return self.errors([Wrong(keys, message, True, help)])

    def errors(self, wrongs: Sequence[Wrong]) -> UsageError:
        """Return usage errors at several places, on a line each."""
        places = sorted((self._start(wrong), wrong.message) for wrong in wrongs)
        lines = []
        for position, message in places:
            lines.append(_show_place(self.file, position, message))
        return UsageError("\n".join(lines), join_helps(wrong.help for wrong in wrongs))

    def _start(self, wrong: Wrong) -> Position:
        find = self.document.key_span if wrong.is_key else self.document.span
        return find((*self.base, *wrong.location)).start


def open_config(file: Path) -> ConfigFile:
    """Read a configuration file. Raises UsageError if it is not readable TOML."""
    with usable("read", shown_path(file)), open_file(file) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        message = f"{quote(shown_path(file))} is too large to be a configuration"
        raise UsageError(message)
    try:
        document = read_toml(data)
    except DocumentError as error:
        raise _config_error(file, error.span.start, error.message, error.help) from None
    base = ("tool", "deckcheck") if file.name == PYPROJECT_FILE else ()
    return ConfigFile(file, document, _read_table(file, document, base), base)


def _read_table(
    file: Path, document: Document, base: tuple[str, ...]
) -> dict[str, object]:
    table = document.data
    for key in base:
        if isinstance(table, dict):
            table = table.get(key)
    if isinstance(table, dict):
        return table
    message = "there is no table `[tool.deckcheck]`"
    raise _config_error(file, document.key_span(base).start, message, None)


def _config_error(
    file: Path, place: Position, message: str, help: str | None
) -> UsageError:
    return UsageError(
        _show_place(file, place, message), sentence(help) if help else None
    )


def _show_place(file: Path, place: Position, message: str) -> str:
    return f"{_show_path(file)}:{place.line}:{place.column}: {message}"


def _show_path(file: Path) -> str:
    return printable(shown_path(file))


# The settings of a configuration, checked, with the place of every value


_FORMATS_TABLE = ("default-format", "formats")


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """A value for use, the same as it is written, and its place: `deckcheck.toml:3`."""

    value: object
    written: object
    place: str


@dataclass(frozen=True, slots=True)
class Configuration:
    """A checked configuration, empty without a file."""

    files: tuple[Path, ...] = ()
    """The file and the files that it extends."""
    options: Mapping[str, ConfigValue] = field(default_factory=dict)
    """The values of options by key."""
    default_format: ConfigValue | None = None
    formats: Mapping[str, ConfigValue] = field(default_factory=dict)
    """The ids of formats by absolute pattern. The first match counts."""
    severity: Mapping[str, ConfigValue] = field(default_factory=dict)
    """A level or `off` by the name of a finding."""

    def formats_by_path(self) -> Callable[[str], tuple[str, str] | None]:
        """Return a function that finds the format of a deck by its path."""
        entries = list(self.formats.values())
        patterns = PathPatterns(self.formats)

        def choose(path: str) -> tuple[str, str] | None:
            format_id = patterns.match(path)
            entry = self.default_format
            if format_id is not None:
                entry = entries[format_id]
            if entry is None:
                return None
            return str(entry.value), entry.place

        return choose

    def weigh(self, reports: Iterable[DeckReport]) -> list[DeckReport]:
        """Give findings their severities, and leave out those that are off.

        A deck that was not judged keeps its findings: nothing makes it legal.
        """
        if not self.severity:
            return list(reports)
        return [self._weigh(report) for report in reports]

    def _weigh(self, report: DeckReport) -> DeckReport:
        if report.format is None:
            return report
        findings = []
        for finding in report.findings:
            entry = self.severity.get(finding.name)
            if entry is None:
                findings.append(finding)
            elif entry.value != SEVERITY_OFF:
                findings.append(replace(finding, severity=Severity(str(entry.value))))
        return replace(report, findings=in_order(findings))


def load_settings(file: Path, options: Sequence[Option]) -> Configuration:
    """Read a configuration and the files that it extends.

    A key in a file replaces the key in the file that it extends. The tables `[formats]`
    and `[severity]` are joined, its own entries first. Raises UsageError with file,
    line and column for anything unknown or of the wrong shape.
    """
    return _load(file, options, ())


def _load(
    file: Path, options: Sequence[Option], seen: tuple[str, ...]
) -> Configuration:
    config = open_config(file)
    values = _validate(config, options)
    above = Configuration()
    seen = (*seen, os.path.realpath(file))
    if "extend" in values:
        name = str(values["extend"])
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
    extended = _read_values(config, values, options)
    return Configuration(
        files=(file, *above.files),
        options={**above.options, **extended.options},
        default_format=extended.default_format or above.default_format,
        # Its own entries come first, since the first match counts.
        formats={**extended.formats, **above.formats, **extended.formats},
        severity={**above.severity, **extended.severity},
    )


def _validate(config: ConfigFile, options: Sequence[Option]) -> dict[str, Any]:
    """Return the values of a file by key. Raises UsageError with all of its errors."""
    shape = make_shape(options)
    values, wrongs = read_record(shape, config.table)
    wrongs += _find_repeated(config.table.get("severity"))
    if values is None or wrongs:
        keys = [field.alias or name for name, field in shape.model_fields.items()]
        raise config.errors([_explain(wrong, keys) for wrong in wrongs])
    return values.model_dump(by_alias=True, exclude_unset=True)


def _explain(wrong: Wrong, keys: Sequence[str]) -> Wrong:
    """Return an error with the key of its value, or a remedy for an unknown key."""
    if wrong.location == ("format",):
        message = "unknown key `format`"
        return wrong._replace(message=message, help=suggestion(_FORMATS_TABLE))
    if wrong.is_key and len(wrong.location) == 1 and not wrong.message.endswith("?"):
        return wrong._replace(help=f"Keys are {choice(keys, 'and')}")
    if wrong.is_key:
        return wrong
    key = next(part for part in reversed(wrong.location) if isinstance(part, str))
    message = wrong.message.replace("a mapping", "a table")
    return wrong._replace(message=f"{quote(key)}: {message}")


def _find_repeated(table: object) -> Iterator[Wrong]:
    """Yield an error for each finding that is given by its name and by its code."""
    if not isinstance(table, dict):
        return
    seen = set()
    for key in table:
        name = finding_name(key)
        if name in seen:
            message = f"{quote(name)} has {plural(2, 'severity')}"
            yield Wrong(("severity", key), message, True, "Keep one of them")
        seen.add(name)


def _read_values(
    config: ConfigFile, values: dict[str, Any], options: Sequence[Option]
) -> Configuration:
    """Return the configuration of a file alone."""
    folder = str(config.folder.absolute())

    def entry(value: object, written: object, *keys: str) -> ConfigValue:
        return ConfigValue(value, written, config.place(*keys))

    by_key = {option.key: option for option in options}
    default = values.get("default-format")
    resolved: dict[str, ConfigValue] = {}
    for key, value in values.items():
        if key in by_key:
            option_value = _resolve_value(config, by_key[key], value, key)
            resolved[key] = entry(option_value, config.table[key], key)
    default_format = None
    if default is not None:
        default_format = entry(_format(config, default), default, "default-format")
    formats = {}
    for pattern, name in values.get("formats", {}).items():
        format = entry(_format(config, name), name, "formats", pattern)
        formats[anchor_pattern(pattern, folder)] = format
    severity = {}
    for key, level in values.get("severity", {}).items():
        severity[finding_name(key)] = entry(level, level, "severity", key)
    return Configuration(
        options=resolved,
        default_format=default_format,
        formats=formats,
        severity=severity,
    )


def _resolve_value(
    config: ConfigFile, option: Option, value: Any, *keys: str | int
) -> object:
    """Return the value of an option, with its paths as seen from anywhere."""
    if isinstance(value, list):
        is_list = isinstance(config.table[option.key], list)
        resolved = []
        for index, item in enumerate(value):
            location = (*keys, index) if is_list else keys
            resolved.append(_resolve_value(config, option, item, *location))
        return resolved
    if isinstance(value, str) and (option.kind is Path or "\0" in value):
        fault = path_fault(value)
        if fault is not None:
            raise config.error(fault, None, option.key)
    if option.is_pattern:
        return anchor_pattern(value, str(config.folder.absolute()))
    if option.kind is Path and value not in option.names:
        return str(config.folder / value)
    if isinstance(value, str):
        return PlacedText(value, config.start(*keys))
    return value


def _format(config: ConfigFile, name: str) -> str:
    """Return the id of a format, or the path of a file that defines one."""
    if name.lower().endswith((".yaml", ".yml")):
        return str(config.folder / name)
    return name.strip().lower()
