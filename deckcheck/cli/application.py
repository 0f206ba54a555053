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
    module_of,
)
from deckcheck.cli.output import say
from deckcheck.cli.settings import (
    DEFAULT,
    ENVIRONMENT,
    FILE,
    TYPED,
    CliOption,
    Color,
    Invocation,
    invoke,
    settings_of,
)
from deckcheck.files import unusable
from deckcheck.findings import UsageError
from deckcheck.messages import printable
from deckcheck.version import __version__

if TYPE_CHECKING:
    from deckcheck.config import ConfigValue


# Help: an example first, then usage, description, arguments and options


WIDEST, NARROWEST = 88, 50
COLUMN = 30
MOST_TOGETHER = 16
"""A command with more options has them in sections."""

SECTIONS = {
    "Decks and rules": (
        *("against", "start", "gauntlet", "mirror", "opponent", "random-decks"),
        *("players", "select", "matchups", "weights", "faction", "format"),
        *("new-format", "as-of", "rule", "game"),
        *("allow-illegal", "files-from", "exclude", "force-exclude", "show-files"),
        *("stdin-filename", "no-suppress", "checkout", "card-db"),
        *("baseline", "write-baseline"),
    ),
    "Games": (
        *("games", "seed", "policy", "every-policy", "plan", "confirm"),
        "confirm-games",
    ),
    "When to stop": (
        *("margin", "until-width", "sprt", "alpha", "beta", "elo", "adaptive"),
        *("bound", "rounds"),
    ),
    "Work": ("run", "no-keep", "shard", "jobs", "executor", "scheduler"),
    "Output": (
        *("output-format", "output", "full", "games-table", "plots", "html"),
        *("deck", "decks", "statistics", "fail-on", "exit-zero", "progress"),
        *("color", "quiet", "verbose"),
    ),
    "Configuration": ("config", "isolated", "show-settings"),
}
"""The options that many commands have, by what they are about."""

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
    usage = ["[OPTIONS]", *(_usage(argument) for argument in arguments)]
    rows = {"Arguments": [row_of(argument) for argument in arguments], **sections}
    return page(program, example, " ".join(usage), doc, rows)


def _sections(options: Sequence[CliOption]) -> Iterator[tuple[str, Rows]]:
    """The options by section, those of this command alone first."""
    shown: dict[str, list[tuple[str, str]]] = {"Options": []}
    if len(options) > MOST_TOGETHER:
        shown |= {title: [] for title in SECTIONS}
    for option in options:
        title = section_of(option)
        shown[title if title in shown else "Options"].append(row_of(option))
    list(shown.values())[-1].append(HELP)
    yield from shown.items()


def section_of(option: CliOption) -> str:
    """The title of what an option is about."""
    titles = (title for title, names in SECTIONS.items() if option.key in names)
    return next(titles, "Options")


def page(
    program: str, example: str, usage: str, doc: str, sections: Mapping[str, Rows]
) -> str:
    """The text of a page of help; a section without rows is left out."""
    width = page_width()
    lines = [f"Example: deckcheck {example}", ""]
    start = f"Usage: {program} "
    lines += textwrap.wrap(
        start + usage, width, subsequent_indent=" " * len(start), break_on_hyphens=False
    )
    for paragraph in cleandoc(doc).split("\n\n"):
        lines += ["", *_wrapped(paragraph, width, "  ")]
    for title, rows in sections.items():
        if rows:
            lines += ["", f"{title}:", *table(rows, width)]
    return "\n".join(lines) + "\n"


def page_width() -> int:
    """The number of columns that help is written in."""
    return max(min(shutil.get_terminal_size().columns, WIDEST) - 2, NARROWEST)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    words = " ".join(text.split())
    return textwrap.wrap(
        words,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=True,
    )


def table(rows: Rows, width: int) -> Iterator[str]:
    """Two columns; what is too long for the first has a line of its own."""
    first = min(max(len(name) for name, _ in rows), COLUMN) + 2
    for name, text in rows:
        # Two spaces stand before what brackets add.
        parts = textwrap.wrap(text, max(width - first - 2, 10))
        if len(name) <= first - 2 and parts:
            yield f"  {name:<{first}}{parts.pop(0)}"
        else:
            yield f"  {name}"
        yield from (f"  {'':<{first}}{part}" for part in parts)


def _usage(argument: CliOption) -> str:
    shown = f"{{{argument.metavar}}}" if argument.is_needed else f"[{argument.metavar}]"
    is_open = argument.is_many and "..." not in argument.metavar
    return f"{shown}..." if is_open else shown


def row_of(setting: CliOption) -> Row:
    """How a setting is typed, and what it means."""
    if not setting.is_option:
        return setting.metavar, _described(setting)
    names = ", ".join(sorted(setting.opts, key=lambda name: name.startswith("--")))
    typed = f"{names} {setting.metavar}" if setting.metavar else names
    return typed, _described(setting)


def _described(setting: CliOption) -> str:
    """Its help, and in brackets its default and limits."""
    extra = [*_default(setting), *_limits(setting)]
    if setting.is_needed:
        extra.append("required")
    help = " ".join((setting.info.help or "").split())
    return f"{help}  [{'; '.join(extra)}]" if extra else help


def _default(setting: CliOption) -> Iterator[str]:
    shown, default = setting.info.show_default, setting.default
    if isinstance(shown, str) and not setting.is_needed:
        yield f"default: ({shown})"
    elif shown is True and default is not None and not setting.is_flag:
        yield f"default: {default}"


def _limits(setting: CliOption) -> Iterator[str]:
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
    """A command that was imported: its function, and what can be given to it.

    It is equal to itself alone, so that its application is kept for it.
    """

    command: Command
    function: Callable[..., object]
    settings: tuple[CliOption, ...]
    added: frozenset[str] = field(default_factory=frozenset)

    @property
    def help(self) -> str:
        """What `--help` prints."""
        name = f"{PROGRAM} {self.command.name}"
        doc = self.function.__doc__ or ""
        sections = dict(_sections([s for s in self.settings if s.is_option]))
        text = command_page(name, self.command.example, doc, self.settings, sections)
        return f"{text}\nMore: {MANUAL}/{self.command.page}\n"

    def run(self, ctx: typer.Context) -> object:
        """Run the command with the values of its invocation; its exit code, or None."""
        invocation: Invocation = ctx.obj
        if invocation.values["show_settings"]:
            show_settings(invocation)
            return 0
        own = {n: v for n, v in invocation.values.items() if n not in self.added}
        if "ctx" in signature(self.function).parameters:
            own["ctx"] = ctx
        if not self.command.plays:
            return self.function(**own)
        from deckcheck.cli.playing import engine_loaded

        with engine_loaded(ctx):
            return self.function(**own)


def _about_configuration(
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Configuration file to use; by default the nearest deckcheck.toml "
            "or pyproject.toml, in this folder or above it.",
        ),
    ] = None,
    isolated: Annotated[bool, typer.Option(help="Read no configuration file.")] = False,
    show_settings: Annotated[
        bool, typer.Option(help="Show every setting and where it comes from, and exit.")
    ] = False,
) -> None:
    """The options that every command has."""


def _painted(*, color: Color = "auto") -> None:
    """What a command that paints nothing has as well, so that any can be given it."""


def load_command(name: str) -> LoadedCommand:
    """Import a command."""
    module = import_module(module_of(name))
    return _loaded(name, getattr(module, name, None) or module.command_of(name))


@cache
def _loaded(name: str, function: Callable[..., object]) -> LoadedCommand:
    command = next(entry for entry in COMMANDS if entry.name == name)
    own = settings_of(function)
    painted = (
        () if any(setting.name == "color" for setting in own) else settings_of(_painted)
    )
    added = (*painted, *settings_of(_about_configuration))
    names = frozenset(setting.name for setting in added)
    return LoadedCommand(command, function, (*own, *added), names)


def all_options() -> list[CliOption]:
    """The options of all commands, those of one name several times."""
    loaded = [load_command(command.name) for command in COMMANDS]
    return [
        setting
        for command in loaded
        for setting in command.settings
        if setting.is_option
    ]


Ready = Callable[[], object]
"""A command with its values, to be run once typer has parsed the command line."""


@cache
def application(loaded: LoadedCommand | None) -> Any:
    """The typer application, with the options of the command that runs, if one does.

    Others are known by their names: one is imported only when it runs. What typer
    returns for a command line is a `Ready`, or an exit code.
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
        function = _parsing(loaded) if loaded and runs else _nothing
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
    """What `deckcheck --help` prints: the commands in groups."""
    longest = max(len(command.name) for command in COMMANDS)
    groups: dict[str, Rows] = {
        title: [(f"{c.name:<{longest}}", c.summary) for c in commands]
        for title, commands in COMMAND_GROUPS.items()
    }
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


def _nothing() -> None:
    """A command that does not run."""


def _parsing(loaded: LoadedCommand) -> Callable[..., Ready]:
    """What typer calls for a command: with texts, which become its values."""

    def parsed(ctx: typer.Context, **raw: Any) -> Ready:
        if raw.pop("help"):
            typer.echo(loaded.help, nl=False)
            raise typer.Exit(0)
        ctx.obj = invoke(loaded.command.name, loaded.settings, raw, all_options)
        return lambda: loaded.run(ctx)

    asks_for_help = settings_of(_helping)[0]
    own = signature(parsed, eval_str=True)
    parameters = [setting.parameter() for setting in (*loaded.settings, asks_for_help)]
    vars(parsed)["__signature__"] = own.replace(
        parameters=[own.parameters["ctx"], *parameters]
    )
    return parsed


def _helping(*, help: Annotated[bool, typer.Option("--help", "-h")] = False) -> None:
    """The option that prints help; what it prints is ours."""


class _AsTyped:
    """Takes every value as it was typed; see `_keep_text`."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        """The value itself."""
        return value


def _keep_text(param: Any) -> None:
    """Keep typer from importing pydantic to convert text to text.

    This is the one place that knows the inside of typer, from 0.29. Where typer has no
    such method, or asks it no more, everything works as well, and starts later.
    """
    if hasattr(param, "get_runtime_param"):
        param.get_runtime_param = _AsTyped


# Completion in shells: what a shell asks for, and how it is set up


VARIABLE = "_DECKCHECK_COMPLETE"
"""Where the script of a shell says that it wants completions, and for which one."""


def complete() -> int:
    """Print what completes the command line that the shell describes; the exit code.

    Whatever goes wrong, such as a broken card database, means that nothing is offered:
    nobody wants an error message in the middle of a line.
    """
    try:
        _join_assignments()
        with _without_rich():
            name = _begun()
            loaded = None if name is None else load_command(name)
            application(loaded).main([], prog_name=PROGRAM, complete_var=VARIABLE)
    except SystemExit as end:
        # The answer to fish, too, which asks whether there is anything to complete.
        return end.code if isinstance(end.code, int) else 1
    except Exception:
        return 1
    return 0


def _begun() -> str | None:
    """The command on the line that is completed, if it is written out."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    names = {command.name for command in COMMANDS}
    words = line.split()[1:]
    if "COMP_CWORD" in os.environ:
        words = words[: int(os.environ["COMP_CWORD"]) - 1]
    elif not line.endswith((" ", "\n")):
        words = words[:-1]
    return next((word for word in words if word in names), None)


def set_up_completion(arguments: list[str]) -> int:
    """Do what `--install-completion` or `--show-completion` asks; the exit code."""
    said = io.StringIO()
    try:
        with redirect_stdout(said):
            main = application(None).main
            code = main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except OSError as error:
        raise unusable("write", str(error.filename), error) from error
    if code or not said.getvalue():
        raise UsageError(
            "Cannot tell which shell to complete in",
            "Run this in bash, zsh, fish or PowerShell",
        )
    typer.echo(said.getvalue(), nl=False)
    return 0


def _join_assignments() -> None:
    """Let `--format=gwent` be read as `--format gwent`; bash splits it at the sign."""
    if "COMP_WORDS" in os.environ:
        parts = os.environ["COMP_WORDS"].split("\n=\n")
        place = int(os.environ["COMP_CWORD"]) - len(parts) + 1
        os.environ.update(COMP_WORDS="\n".join(parts), COMP_CWORD=str(place))


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
            say(_line(invocation, setting, entries.get(setting.key)))
    if settings is None:
        return
    if settings.default_format:
        say(_entry("default-format", settings.default_format))
    for title, table in (
        ("formats", settings.formats),
        ("severity", settings.severity),
    ):
        if table:
            say("")
            say(f"[{title}]")
        for key, entry in table.items():
            shown = shown_path(key) if title == "formats" else key
            say(_entry(_toml(shown) if title == "formats" else shown, entry))


def _line(invocation: Invocation, setting: CliOption, entry: ConfigValue | None) -> str:
    key, value = setting.key, invocation.values[setting.name]
    origin = invocation.origins.get(setting.name, DEFAULT)
    if origin == FILE and entry is not None:
        return _entry(key, entry)
    if value is None and setting.is_many:
        value = []
    if value is None:
        return f"# {key} is not set"
    said = {TYPED: f"option --{key}", ENVIRONMENT: f"variable {setting.variable}"}
    return f"{key} = {_toml(value)}  # {said.get(origin, origin)}"


def _entry(key: str, entry: ConfigValue) -> str:
    return f"{key} = {_toml(entry.written)}  # {entry.place}"


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(item) for item in value)}]"
    import json

    return json.dumps(str(value), ensure_ascii=False)
