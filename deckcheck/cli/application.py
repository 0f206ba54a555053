"""The typer application of the command that runs, and completion in shells."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from deckcheck.cli.commands import COMMAND_GROUPS, COMMANDS, MANUAL, PROGRAM, Command
from deckcheck.cli.help import HELP, Rows, write_command_help, write_page
from deckcheck.cli.invocation import Invocation, resolve_values, show_settings
from deckcheck.cli.settings import CliOption, Color, read_settings
from deckcheck.files import unusable
from deckcheck.findings import UsageError
from deckcheck.version import __version__


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCommand:
    """An imported command with its function and its settings.

    It is equal to itself alone, so that its application is cached for it.
    """

    command: Command
    function: Callable[..., object]
    settings: tuple[CliOption, ...]
    added: frozenset[str]
    """The names of the settings that every command has, which `function` lacks."""

    @property
    def help(self) -> str:
        """The text of `--help`."""
        name = f"{PROGRAM} {self.command.name}"
        doc = self.function.__doc__ or ""
        text = write_command_help(name, self.command.example, doc, self.settings)
        return f"{text}\nMore: {MANUAL}/{self.command.page}\n"

    def run(self, ctx: typer.Context) -> object:
        """Run the command with the values of its invocation. Return its exit code."""
        invocation: Invocation = ctx.obj
        if invocation.values["show_settings"]:
            show_settings(invocation)
            return 0
        values = dict(invocation.values)
        for name in self.added:
            del values[name]
        if "ctx" in signature(self.function).parameters:
            values["ctx"] = ctx
        if not self.command.plays:
            return self.function(**values)
        from deckcheck.cli.loading import engine_loaded

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
def make_application(loaded: LoadedCommand | None) -> Any:
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
        function: Callable[..., object] = _do_nothing
        if loaded is not None and loaded.command.name == command.name:
            function = _make_parser(loaded)
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
        typer.echo(write_program_help(), nl=False)
    else:
        return
    raise typer.Exit(0)


def write_program_help() -> str:
    """Return the text of `deckcheck --help`: the commands in groups."""
    longest = max(len(command.name) for command in COMMANDS)
    groups: dict[str, Rows] = {}
    for title, commands in COMMAND_GROUPS.items():
        groups[title] = [(f"{c.name:<{longest}}", c.summary) for c in commands]
    text = write_page(
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

    declared = signature(parse, eval_str=True)
    parameters = [declared.parameters["ctx"]]
    for setting in (*loaded.settings, *read_settings(_declare_help)):
        parameters.append(setting.make_parameter())
    # typer reads the options of a command from its signature.
    vars(parse)["__signature__"] = declared.replace(parameters=parameters)
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


# Completion in shells: answers to their requests, and its set-up

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
            loaded = None
            name = _find_command()
            if name is not None:
                loaded = load_command(name)
            make_application(loaded).main(
                [], prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE
            )
    except SystemExit as end:
        # fish asks by a call of its own whether there is anything to complete.
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
            main = make_application(None).main
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
