"""The help of commands: an example, usage, description, arguments and options."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from inspect import cleandoc

from deckcheck.cli.settings import CliOption

MAX_WIDTH = 88
MIN_WIDTH = 50
MAX_NAME_WIDTH = 30
"""Columns for the names of options. A longer name has a line to itself."""
MAX_UNTITLED_OPTIONS = 16
"""Options that a command may have in a single section."""

SECTION_OPTIONS = {
    "Decks and rules": tuple(
        """
        against start gauntlet mirror opponent random-decks players select matchups
        weights faction format new-format as-of rule game allow-illegal files-from
        exclude force-exclude show-files stdin-filename no-suppress checkout card-db
        baseline write-baseline
        """.split()
    ),
    "Games": tuple(
        """
        games thorough seed policy every-policy plan cross-check cross-check-games
        """.split()
    ),
    "When to stop": tuple(
        "margin until-width sprt alpha beta elo adaptive bound rounds".split()
    ),
    "Work": ("run", "no-keep", "shard", "jobs", "executor", "scheduler"),
    "Output": tuple(
        """
        output-format output full games-table plots html deck decks statistics
        fail-on exit-zero progress color quiet verbose
        """.split()
    ),
    "Configuration": ("config", "isolated", "show-settings"),
}
"""The options that many commands have, by topic."""

Row = tuple[str, str]
"""A way to type an option or argument, and its meaning."""
Rows = Sequence[Row]

DEFAULT_SECTION = "Options"
"""The section of options that few commands have."""

HELP: Row = ("-h, --help", "Show this message and exit.")


def write_command_help(
    program: str, example: str, doc: str, settings: Sequence[CliOption]
) -> str:
    """Return the help of a command, with its options by section."""
    options = [setting for setting in settings if setting.is_option]
    return write_command_page(program, example, doc, settings, _group_options(options))


def write_command_page(
    program: str,
    example: str,
    doc: str,
    settings: Sequence[CliOption],
    sections: Mapping[str, Rows],
) -> str:
    """Return usage, text and arguments of a command, then sections of its options."""
    usage = ["[OPTIONS]"]
    arguments = []
    for setting in settings:
        if not setting.is_option:
            usage.append(_show_argument(setting))
            arguments.append(make_row(setting))
    pages = {"Arguments": arguments, **sections}
    return write_page(program, example, " ".join(usage), doc, pages)


def _group_options(options: Sequence[CliOption]) -> dict[str, list[Row]]:
    """Return the options by section, with the options of this command alone first."""
    sections: dict[str, list[Row]] = {DEFAULT_SECTION: []}
    if len(options) > MAX_UNTITLED_OPTIONS:
        for title in SECTION_OPTIONS:
            sections[title] = []
    for option in options:
        title = find_section(option)
        if title not in sections:
            title = DEFAULT_SECTION
        sections[title].append(make_row(option))
    last_section = list(sections)[-1]
    sections[last_section].append(HELP)
    return sections


def find_section(option: CliOption) -> str:
    """Return the title of an option's section."""
    for title, names in SECTION_OPTIONS.items():
        if option.key in names:
            return title
    return DEFAULT_SECTION


def write_page(
    program: str, example: str, usage: str, doc: str, sections: Mapping[str, Rows]
) -> str:
    """Return a page of help: example, usage, text, and the sections that have rows."""
    width = find_page_width()
    lines = [f"Example: deckcheck {example}", ""]
    start = f"Usage: {program} "
    lines += textwrap.wrap(
        start + usage, width, subsequent_indent=" " * len(start), break_on_hyphens=False
    )
    for paragraph in cleandoc(doc).split("\n\n"):
        words = " ".join(paragraph.split())
        lines.append("")
        lines += textwrap.wrap(
            words, width, initial_indent="  ", subsequent_indent="  "
        )
    for title, rows in sections.items():
        if rows:
            lines += ["", f"{title}:", *format_table(rows, width)]
    return "\n".join(lines) + "\n"


def find_page_width() -> int:
    """Return the number of columns of help."""
    return max(min(shutil.get_terminal_size().columns, MAX_WIDTH) - 2, MIN_WIDTH)


def format_table(rows: Rows, width: int) -> Iterator[str]:
    """Yield the lines of two columns. A long first cell has its own line."""
    first = min(max(len(name) for name, _ in rows), MAX_NAME_WIDTH) + 2
    for name, text in rows:
        # Two spaces separate the brackets.
        parts = textwrap.wrap(text, max(width - first - 2, 10))
        if len(name) <= first - 2 and parts:
            yield f"  {name:<{first}}{parts.pop(0)}"
        else:
            yield f"  {name}"
        yield from (f"  {'':<{first}}{part}" for part in parts)


def _show_argument(argument: CliOption) -> str:
    shown = f"[{argument.metavar}]"
    if argument.is_needed:
        shown = f"{{{argument.metavar}}}"
    if argument.is_many and "..." not in argument.metavar:
        return f"{shown}..."
    return shown


def make_row(setting: CliOption) -> Row:
    """Return the way to type a setting, and its meaning."""
    if not setting.is_option:
        return setting.metavar, _describe(setting)
    names = ", ".join(sorted(setting.opts, key=lambda name: name.startswith("--")))
    return f"{names} {setting.metavar}".rstrip(), _describe(setting)


def _describe(setting: CliOption) -> str:
    """Return the help of a setting, with its default and limits in brackets."""
    extra = [*_describe_default(setting), *_describe_limits(setting)]
    if setting.is_needed:
        extra.append("required")
    help = " ".join((setting.info.help or "").split())
    if not extra:
        return help
    return f"{help}  [{'; '.join(extra)}]"


def _describe_default(setting: CliOption) -> Iterator[str]:
    shown = setting.info.show_default
    default = setting.default
    if isinstance(shown, str) and not setting.is_needed:
        yield f"default: ({shown})"
    elif shown is True and default is not None and not setting.is_flag:
        yield f"default: {default}"


def _describe_limits(setting: CliOption) -> Iterator[str]:
    low, high = setting.info.min, setting.info.max
    if low is not None and high is not None:
        yield f"{low}<=x<={high}"
    elif low is not None:
        yield f"x>={low}"
    elif high is not None:
        yield f"x<={high}"
