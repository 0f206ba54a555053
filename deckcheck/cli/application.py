"""The typer application of the command that runs, and the loading of commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import typer

from deckcheck.cli.commands import COMMAND_GROUPS, COMMANDS, PROGRAM, Command
from deckcheck.cli.declared import Setting, settings_of
from deckcheck.cli.help import Rows, command_help, page
from deckcheck.cli.invocation import Invocation, invoke
from deckcheck.cli.options.shared import Color


@dataclass(frozen=True, slots=True)
class LoadedCommand:
    """A command that was imported: its function, and what can be given to it."""

    command: Command
    function: Callable[..., object]
    settings: tuple[Setting, ...]
    added: frozenset[str] = field(default_factory=frozenset)

    @property
    def help(self) -> str:
        """What `--help` prints."""
        name = f"{PROGRAM} {self.command.name}"
        doc = self.function.__doc__ or ""
        more = f"docs/{self.command.page}"
        return command_help(name, self.command.example, doc, self.settings, more)

    def run(self, ctx: typer.Context) -> object:
        """Run the command with the values of its invocation; its exit code, or None."""
        invocation: Invocation = ctx.obj
        if invocation.values["show_settings"]:
            from deckcheck.cli.shown_settings import show_settings

            show_settings(invocation)
            return 0
        own = {n: v for n, v in invocation.values.items() if n not in self.added}
        if "ctx" in signature(self.function).parameters:
            own["ctx"] = ctx
        if not self.command.plays:
            return self.function(**own)
        from deckcheck.cli.loading import engine_loaded

        with engine_loaded(ctx):
            return self.function(**own)


def _about_configuration(
    *,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE",
            help="Configuration file to use; by default the nearest deckcheck.toml "
            "or pyproject.toml, in this folder or above it.",
        ),
    ] = None,
    isolated: Annotated[
        bool, typer.Option("--isolated", help="Read no configuration file.")
    ] = False,
    show_settings: Annotated[
        bool,
        typer.Option(
            "--show-settings",
            help="Show every setting and where it comes from, and exit.",
        ),
    ] = False,
) -> None:
    """The options that every command has."""


def _painted(*, color: Color = "auto") -> None:
    """What a command that paints nothing has as well, so that any can be given it."""


def load_command(name: str) -> LoadedCommand:
    """Import a command."""
    function = getattr(import_module(f"deckcheck.cli.{name}"), name)
    command = next(entry for entry in COMMANDS if entry.name == name)
    own = settings_of(function)
    painted = (
        () if any(setting.name == "color" for setting in own) else settings_of(_painted)
    )
    added = (*painted, *settings_of(_about_configuration))
    names = frozenset(setting.name for setting in added)
    return LoadedCommand(command, function, (*own, *added), names)


def all_options() -> list[Setting]:
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
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and exit.")
    ] = False,
    help: Annotated[bool, typer.Option("--help", "-h")] = False,
) -> None:
    """Validate decklists, and measure them by fast, reproducible play."""
    if version:
        from deckcheck.version import __version__

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
    return page(
        PROGRAM,
        COMMANDS[0].example,
        "[OPTIONS] COMMAND [ARGS]...",
        _program.__doc__ or "",
        {"Options": _PROGRAM_OPTIONS, **groups},
    )


_PROGRAM_OPTIONS = (
    ("--version", "Print the version and exit."),
    ("--install-completion", "Install completion for the current shell."),
    (
        "--show-completion",
        "Show completion for the current shell, to copy it or customize the "
        "installation.",
    ),
    ("-h, --help", "Show this message and exit."),
)


def _nothing() -> None:
    """A command that does not run."""


def _parsing(loaded: LoadedCommand) -> Callable[..., Ready]:
    """What typer calls for a command: with texts, and its values come of them."""

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

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value itself."""
        return value


def _keep_text(param: Any) -> None:
    """Keep typer from importing pydantic to convert text to text.

    This is the one place that knows the inside of typer, from 0.29. Where typer has no
    such method, or asks it no more, everything works as well, and starts later.
    """
    if hasattr(param, "get_runtime_param"):
        param.get_runtime_param = _AsTyped
