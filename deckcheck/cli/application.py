"""Typer, the help, completion of shells, `--show-settings`."""

from __future__ import annotations

import io
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from inspect import cleandoc, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from deckcheck.cli.commands import (
    COMMAND_GROUPS,
    COMMANDS,
    MANUAL,
    PROGRAM,
    Command,
)
from deckcheck.cli.invocation import (
    DEFAULT,
    ENVIRONMENT,
    FILE,
    TYPED,
    Invocation,
    resolve_values,
)
from deckcheck.cli.output import say
from deckcheck.cli.settings import CliOption, Color, read_settings
from deckcheck.files import unusable
from deckcheck.findings import UsageError
from deckcheck.messages import printable
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.config import ConfigValue


# Help: an example first, then usage, description, arguments and options


MAX_WIDTH = 88
MIN_WIDTH = 50
MAX_COLUMN = 30
MAX_UNTITLED_OPTIONS = 16
"""A command with more options has them in sections."""

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
Rows = Sequence[Row]

HELP: Row = ("-h, --help", "Show this message and exit.")


def command_page(
    program: str,
    example: str,
    doc: str,
    settings: Sequence[CliOption],
    sections: Mapping[str, Rows],
) -> str:
    """Usage, text and arguments of a command, then sections of its options."""
    arguments = [setting for setting in settings if not setting.is_option]
    usage = ["[OPTIONS]", *(_show_argument(argument) for argument in arguments)]
    rows = {"Arguments": [make_row(argument) for argument in arguments], **sections}
    return page(program, example, " ".join(usage), doc, rows)


def _group_options(options: Sequence[CliOption]) -> Iterator[tuple[str, Rows]]:
    """Yield the options by section, with the options of this command alone first."""
    shown: dict[str, list[tuple[str, str]]] = {"Options": []}
    if len(options) > MAX_UNTITLED_OPTIONS:
        shown |= {title: [] for title in SECTION_OPTIONS}
    for option in options:
        title = find_section(option)
        shown[title if title in shown else "Options"].append(make_row(option))
    list(shown.values())[-1].append(HELP)
    yield from shown.items()


def find_section(option: CliOption) -> str:
    """Return the title of an option's section."""
    titles = (title for title, names in SECTION_OPTIONS.items() if option.key in names)
    return next(titles, "Options")


def page(
    program: str, example: str, usage: str, doc: str, sections: Mapping[str, Rows]
) -> str:
    """Return the text of a page of help, without empty sections."""
    width = page_width()
    lines = [f"Example: deckcheck {example}", ""]
    start = f"Usage: {program} "
    lines += textwrap.wrap(
        start + usage, width, subsequent_indent=" " * len(start), break_on_hyphens=False
    )
    for paragraph in cleandoc(doc).split("\n\n"):
        lines += ["", *_wrap(paragraph, width, "  ")]
    for title, rows in sections.items():
        if rows:
            lines += ["", f"{title}:", *table(rows, width)]
    return "\n".join(lines) + "\n"


def page_width() -> int:
    """Return the number of columns of help."""
    return max(min(shutil.get_terminal_size().columns, MAX_WIDTH) - 2, MIN_WIDTH)


def _wrap(text: str, width: int, indent: str = "") -> list[str]:
    words = " ".join(text.split())
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=True,
    )


def table(rows: Rows, width: int) -> Iterator[str]:
    """Yield the lines of two columns. A long first cell has its own line."""
    first = min(max(len(name) for name, _ in rows), MAX_COLUMN) + 2
    for name, text in rows:
        # Two spaces separate the brackets.
        parts = textwrap.wrap(text, max(width - first - 2, 10))
        if len(name) <= first - 2 and parts:
            yield f"  {name:<{first}}{parts.pop(0)}"
        else:
            yield f"  {name}"
        yield from (f"  {'':<{first}}{part}" for part in parts)


def _show_argument(argument: CliOption) -> str:
    shown = f"{{{argument.metavar}}}" if argument.is_needed else f"[{argument.metavar}]"
    is_open = argument.is_many and "..." not in argument.metavar
    return f"{shown}..." if is_open else shown


def make_row(setting: CliOption) -> Row:
    """Return the way to type a setting, and its meaning."""
    if not setting.is_option:
        return setting.metavar, _describe(setting)
    names = ", ".join(sorted(setting.opts, key=lambda name: name.startswith("--")))
    typed = f"{names} {setting.metavar}" if setting.metavar else names
    return typed, _describe(setting)


def _describe(setting: CliOption) -> str:
    """Return the help of a setting, with its default and limits in brackets."""
    extra = [*_describe_default(setting), *_describe_limits(setting)]
    if setting.is_needed:
        extra.append("required")
    help = " ".join((setting.info.help or "").split())
    return f"{help}  [{'; '.join(extra)}]" if extra else help


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


# The typer application of the command that runs, and the loading of commands


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCommand:
    """An imported command with its function and its settings.

    It is equal to itself alone, so that its application is cached for it.
    """

    command: Command
    function: Callable[..., object]
    settings: tuple[CliOption, ...]
    added: frozenset[str] = field(default_factory=frozenset)

    @property
    def help(self) -> str:
        """The text of `--help`."""
        name = f"{PROGRAM} {self.command.name}"
        doc = self.function.__doc__ or ""
        sections = dict(_group_options([s for s in self.settings if s.is_option]))
        text = command_page(name, self.command.example, doc, self.settings, sections)
        return f"{text}\nMore: {MANUAL}/{self.command.page}\n"

    def run(self, ctx: typer.Context) -> object:
        """Run the command with the values of its invocation. Return its exit code."""
        invocation: Invocation = ctx.obj
        if invocation.values["show_settings"]:
            show_settings(invocation)
            return 0
        values = {n: v for n, v in invocation.values.items() if n not in self.added}
        if "ctx" in signature(self.function).parameters:
            values["ctx"] = ctx
        if not self.command.plays:
            return self.function(**values)
        from deckcheck.cli.playing import engine_loaded

        with engine_loaded(ctx):
            return self.function(**values)


def _declare_configuration(
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Configuration file to use. Default: the nearest deckcheck.toml "
            "or pyproject.toml, in this folder or above it.",
        ),
    ] = None,
    isolated: Annotated[bool, typer.Option(help="Read no configuration file.")] = False,
    show_settings: Annotated[
        bool, typer.Option(help="Show every setting and where it comes from, and exit.")
    ] = False,
) -> None:
    """Declare the options that every command has."""


def _declare_color(*, color: Color = "auto") -> None:
    """Declare `--color` for commands without colours, so that any can take it."""


def load_command(name: str) -> LoadedCommand:
    """Import a command."""
    command = next(command for command in COMMANDS if command.name == name)
    module = import_module(f"deckcheck.cli.{command.module or name}")
    return _load(command, getattr(module, name))


@cache
def _load(command: Command, function: Callable[..., object]) -> LoadedCommand:
    settings = read_settings(function)
    added = read_settings(_declare_configuration)
    if not any(setting.name == "color" for setting in settings):
        added = (*read_settings(_declare_color), *added)
    names = frozenset(setting.name for setting in added)
    return LoadedCommand(command, function, (*settings, *added), names)


def all_options() -> list[CliOption]:
    """Return the options of all commands, several of the same name if they differ."""
    options: list[CliOption] = []
    for command in COMMANDS:
        settings = load_command(command.name).settings
        options += (setting for setting in settings if setting.is_option)
    return options


Ready = Callable[[], object]
"""A command with its values, to be run once typer has parsed the command line."""


@cache
def application(loaded: LoadedCommand | None) -> Any:
    """Return the typer application, with the options of the command that runs, if any.

    The other commands are known by name, and imported only to run. typer returns a
    `Ready` for a command line, or an exit code.
    """
    app = typer.Typer(
        name=PROGRAM,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": []},
    )
    app.callback(invoke_without_command=True)(_program)
    for command in COMMANDS:
        runs = loaded is not None and loaded.command.name == command.name
        function = _make_parser(loaded) if loaded and runs else _do_nothing
        app.command(
            command.name,
            short_help=command.summary,
            context_settings={"help_option_names": []},
        )(function)
    group = typer.main.get_command(app)
    for typer_app in (group, *vars(group)["commands"].values()):
        for param in typer_app.params:
            _keep_text(param)
    return group


def _program(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option(help="Print the version and exit.")] = False,
    help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> None:
    """Validate decklists, and measure them by fast, reproducible play."""
    if version:
        typer.echo(f"{PROGRAM} {__version__}")
    elif help or ctx.invoked_subcommand is None:
        typer.echo(program_help(), nl=False)
    else:
        return
    raise typer.Exit(0)


def program_help() -> str:
    """Return the text of `deckcheck --help`: the commands in groups."""
    longest = max(len(command.name) for command in COMMANDS)
    groups: dict[str, Rows] = {}
    for title, commands in COMMAND_GROUPS.items():
        groups[title] = [(f"{c.name:<{longest}}", c.summary) for c in commands]
    text = page(
        PROGRAM,
        COMMANDS[0].example,
        "[OPTIONS] COMMAND [ARGS]...",
        _program.__doc__ or "",
        {"Options": _PROGRAM_OPTIONS, **groups},
    )
    return f"{text}\nMore: {MANUAL}/index.md\n"


_PROGRAM_OPTIONS = (
    ("--version", "Print the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    (
        "--show-completion",
        "Show completion for the current shell, to copy it or customize the "
        "installation.",
    ),
    HELP,
)


def _do_nothing() -> None:
    """Do nothing, in place of a command that does not run."""


def _make_parser(loaded: LoadedCommand) -> Callable[..., Ready]:
    """Return the function that typer calls for a command, with texts for its values."""

    def parse(ctx: typer.Context, **raw: Any) -> Ready:
        if raw.pop("help"):
            typer.echo(loaded.help, nl=False)
            raise typer.Exit(0)
        ctx.obj = resolve_values(loaded.command.name, loaded.settings, raw, all_options)
        return lambda: loaded.run(ctx)

    asks_for_help = read_settings(_declare_help)[0]
    declared = signature(parse, eval_str=True)
    parameters = [
        setting.make_parameter() for setting in (*loaded.settings, asks_for_help)
    ]
    vars(parse)["__signature__"] = declared.replace(
        parameters=[declared.parameters["ctx"], *parameters]
    )
    return parse


def _declare_help(
    *, help: Annotated[bool, typer.Option("--help", "-h")] = False
) -> None:
    """Declare the option for help, which is printed here and not by typer."""


class _AsTyped:
    """A type that takes every value as it was typed, see `_keep_text`."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        """Return the value itself."""
        return value


def _keep_text(param: Any) -> None:
    """Keep typer from importing pydantic to convert text to text.

    Only this function depends on the inside of typer, from 0.29. If typer does not have
    this method, or does not call it, everything works as well but starts later.
    """
    if hasattr(param, "get_runtime_param"):
        param.get_runtime_param = _AsTyped


# Completion in shells: its requests and its set-up


COMPLETION_VARIABLE = "_DECKCHECK_COMPLETE"
"""The variable in which the script of a shell names itself and asks for completions."""


def complete() -> int:
    """Print the completions of the shell's command line, and return the exit code.

    Any failure, such as a broken card database, means that nothing is offered, since
    nobody wants an error message in the middle of a line.
    """
    try:
        _join_assignments()
        with _without_rich():
            name = _find_command()
            loaded = None if name is None else load_command(name)
            application(loaded).main(
                [], prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE
            )
    except SystemExit as end:
        # The answer to fish, too, which asks whether there is anything to complete.
        return end.code if isinstance(end.code, int) else 1
    except Exception:
        return 1
    return 0


def _find_command() -> str | None:
    """Return the command on the completed line, if it is written out."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    names = {command.name for command in COMMANDS}
    words = line.split()[1:]
    if "COMP_CWORD" in os.environ:
        words = words[: int(os.environ["COMP_CWORD"]) - 1]
    elif not line.endswith((" ", "\n")):
        words = words[:-1]
    return next((word for word in words if word in names), None)


def set_up_completion(arguments: list[str]) -> int:
    """Carry out `--install-completion` or `--show-completion`, with an exit code."""
    message = io.StringIO()
    try:
        with redirect_stdout(message):
            main = application(None).main
            code = main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except OSError as error:
        raise unusable("write", str(error.filename), error) from error
    if code or not message.getvalue():
        raise UsageError(
            "Unknown shell for completion",
            "Run this in bash, zsh, fish or PowerShell",
        )
    typer.echo(message.getvalue(), nl=False)
    return 0


def _join_assignments() -> None:
    """Read `--format=gwent` as `--format gwent`, since bash splits it at the sign."""
    if "COMP_WORDS" in os.environ:
        parts = os.environ["COMP_WORDS"].split("\n=\n")
        index = int(os.environ["COMP_CWORD"]) - len(parts) + 1
        os.environ.update(COMP_WORDS="\n".join(parts), COMP_CWORD=str(index))


@contextmanager
def _without_rich() -> Iterator[None]:
    """Let typer find no rich, which takes longer to import than all else here.

    It would also wrap our plain help texts, and take brackets in them for markup.
    """
    missing: Any = None
    if "rich" in sys.modules:
        yield
        return
    sys.modules["rich"] = missing
    try:
        yield
    finally:
        del sys.modules["rich"]


# `--show-settings`: every setting of a command, and where it comes from


_NOT_SHOWN = frozenset({"config", "isolated", "show-settings"})


def show_settings(invocation: Invocation) -> None:
    """Print every setting as a file would write it, and where it comes from."""
    from deckcheck.decks.files import shown_path

    settings = invocation.config
    files = settings.files if settings else ()
    for file in files:
        say(f"# configuration {printable(shown_path(file))}")
    if not files:
        say("# no configuration")
    entries = settings.options if settings else {}
    for setting in invocation.settings:
        if setting.is_option and setting.key not in _NOT_SHOWN:
            say(_setting_line(invocation, setting, entries.get(setting.key)))
    if settings is None:
        return
    if settings.default_format:
        say(_toml_entry("default-format", settings.default_format))
    for title, table in (
        ("formats", settings.formats),
        ("severity", settings.severity),
    ):
        if table:
            say("")
            say(f"[{title}]")
        for key, entry in table.items():
            shown = shown_path(key) if title == "formats" else key
            say(_toml_entry(_toml_value(shown) if title == "formats" else shown, entry))


def _setting_line(
    invocation: Invocation, setting: CliOption, entry: ConfigValue | None
) -> str:
    key = setting.key
    value = invocation.values[setting.name]
    origin = invocation.origins.get(setting.name, DEFAULT)
    if origin == FILE and entry is not None:
        return _toml_entry(key, entry)
    if value is None and setting.is_many:
        value = []
    if value is None:
        return f"# {key} is not set"
    names = {TYPED: f"option --{key}", ENVIRONMENT: f"variable {setting.variable}"}
    return f"{key} = {_toml_value(value)}  # {names.get(origin, origin)}"


def _toml_entry(key: str, entry: ConfigValue) -> str:
    return f"{key} = {_toml_value(entry.written)}  # {entry.place}"


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml_value(item) for item in value)}]"
    import json

    return json.dumps(str(value), ensure_ascii=False)
