"""The register of commands, and the group that imports only the one that runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer._click.shell_completion import CompletionItem as Completion
from typer.core import TyperCommand, TyperGroup

from deckcheck.cli.completing import with_clear_errors
from deckcheck.cli.configuring import configured
from deckcheck.cli.settable import take_from_environment
from deckcheck.cli.values import convert_plainly, plainly, wrong_values
from deckcheck.findings.errors import UsageError
from deckcheck.findings.words import choice, quote

if TYPE_CHECKING:
    from typer._click import Command as AnyCommand
    from typer._click import HelpFormatter, Parameter


PROGRAM = "deckcheck"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: the function of its own name in `deckcheck.cli.<name>`.

    `example` is shown first in its help, without the name of the program. One that
    `plays`, or shows games that were played, needs the compiled engine.
    """

    name: str
    summary: str
    example: str
    plays: bool = False


COMMAND_GROUPS: Mapping[str, tuple[Command, ...]] = {
    "Check lists": (
        Command(
            "validate",
            "Check decks against the rules of a format",
            "validate decks/gwent/standard",
        ),
        Command("event", "Check the lists of a whole tournament", "event event.toml"),
        Command(
            "collect",
            "Turn mails and exports of forms into the lists of a tournament",
            "collect inbox event.toml",
        ),
        Command("fmt", "Write text decks in canonical form", "fmt decks/"),
        Command(
            "convert",
            "Write a deck as text, YAML, JSON, CSV or a share code",
            "convert siege.deck --to code",
        ),
    ),
    "Measure decks": (
        Command(
            "simulate",
            "Play decks against each other and report win rates",
            "simulate siege.deck swarm.deck --games 10000",
            plays=True,
        ),
        Command(
            "compare",
            "Find out which version of a deck is better",
            "compare old.deck new.deck --against decks/",
            plays=True,
        ),
        Command(
            "impact",
            "Find out what each card of a deck is worth",
            "impact siege.deck --against decks/",
            plays=True,
        ),
        Command(
            "meta",
            "Recommend what to bring, from the games of a run",
            "meta runs/field1 --weights saturday.csv",
            plays=True,
        ),
        Command(
            "stats",
            "Show a deck in figures, without playing",
            "stats siege.deck --group medic",
        ),
        Command(
            "check",
            "Check the win rates that a plan expects",
            "check balance.toml --output-format junit:balance.xml",
            plays=True,
        ),
    ),
    "Improve decks and formats": (
        Command(
            "tune",
            "Find a better version of a deck",
            "tune siege.deck --against decks/ --changes 4 --keep 'Geralt of Rivia'",
            plays=True,
        ),
        Command(
            "build",
            "Build the best deck of a format, from nothing",
            "build gwent/standard --faction Skellige --against decks/",
            plays=True,
        ),
        Command(
            "solve",
            "Find the mix of decks that a strong team would bring",
            "solve gwent/standard --against decks/ --decks field.txt",
            plays=True,
        ),
        Command(
            "balance",
            "Find the smallest changes of cards that balance a field",
            "balance plan.toml --output-format set:changes.yaml",
            plays=True,
        ),
    ),
    "Look things up": (
        Command(
            "cards",
            "List, find and show cards",
            "cards list --faction nilfgaard --ability spy",
        ),
        Command(
            "formats",
            "List and compare formats, or see where a deck is legal",
            "formats diff gwent/standard gwent/advanced",
        ),
        Command(
            "rule",
            "Explain a legality rule, with a bad and a good deck",
            "rule too-many-copies",
        ),
        Command(
            "scenario",
            "Play out a position and check the outcome",
            "scenario position.yaml",
        ),
    ),
    "Runs": (
        Command(
            "resume",
            "Continue a run, or print its result again",
            "resume runs/field1 --output-format json",
            plays=True,
        ),
        Command(
            "merge",
            "Combine shards into one run",
            "merge shards/* --run runs/field1",
            plays=True,
        ),
        Command(
            "report",
            "Show a run as a page, as tables or as data",
            "report runs/field1 --html report.html",
            plays=True,
        ),
        Command(
            "replay",
            "Retell any game of a simulation, move by move",
            "replay siege.deck swarm.deck --game 1234",
            plays=True,
        ),
    ),
    "Tools": (
        Command(
            "generate",
            "Write random legal decks of a format",
            "generate gwent/standard --seed 7 --count 100 --output decks/",
        ),
        Command("schema", "Print a JSON Schema of data or output", "schema cards"),
        Command("warmup", "Compile the engine ahead of time", "warmup", plays=True),
    ),
}
"""Every command, in the groups and the order of `deckcheck --help`."""

COMMANDS = tuple(command for group in COMMAND_GROUPS.values() for command in group)

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 88}


class _ExampleFirst(TyperCommand):
    """A command whose help starts with its example, and that starts fast."""

    def get_params(self, ctx: typer.Context) -> list[Parameter]:  # type: ignore[override]
        """The parameters, none of which needs pydantic."""
        return convert_plainly(super().get_params(ctx))

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Convert the words; raises UsageError with every one that is wrong."""
        try:
            left = super().parse_args(ctx, args)
        except typer.TyperException as error:
            if getattr(error, "ctx", None) is None:
                # An option without its argument does not say of which command.
                vars(error)["ctx"] = ctx
            raise
        wrong = [plainly(error) for error in wrong_values(ctx)]
        if wrong:
            raise UsageError("\n".join(wrong), f"See `{ctx.command_path} --help`")
        return left

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Run the command, once all is loaded that it plays with."""
        if self._command.plays:
            from deckcheck.cli.loading import engine_loaded

            with engine_loaded(ctx):
                return super().invoke(ctx)
        return super().invoke(ctx)

    def format_help(self, ctx: typer.Context, formatter: HelpFormatter) -> None:  # type: ignore[override]
        formatter.write(f"Example: {PROGRAM} {self._command.example}\n\n")
        super().format_help(ctx, formatter)

    @property
    def _command(self) -> Command:
        return next(command for command in COMMANDS if command.name == self.name)


class CommandGroup(TyperGroup):
    """The commands of COMMANDS; a module is imported when its command is asked for."""

    def get_params(self, ctx: typer.Context) -> list[Parameter]:  # type: ignore[override]
        """The parameters, none of which needs pydantic."""
        params = convert_plainly(super().get_params(ctx))
        for param in params:
            if param.name in ("install_completion", "show_completion"):
                with_clear_errors(param)
        return params

    def get_command(self, ctx: typer.Context, cmd_name: str) -> AnyCommand | None:  # type: ignore[override]
        """Import one command."""
        if cmd_name not in {command.name for command in COMMANDS}:
            return None
        return load_command(cmd_name)

    def shell_complete(self, ctx: typer.Context, incomplete: str) -> list[Completion]:  # type: ignore[override]
        """Commands from the register, importing none of them; else options."""
        named = [c for c in COMMANDS if c.name.startswith(incomplete)]
        if not incomplete or named:
            return [Completion(c.name, help=c.summary) for c in named]
        return super().shell_complete(ctx, incomplete)

    def list_commands(self, ctx: typer.Context) -> list[str]:  # type: ignore[override]
        """The names in the order of the register."""
        return [command.name for command in COMMANDS]

    def resolve_command(
        self,
        ctx: typer.Context,  # type: ignore[override]
        args: list[str],
    ) -> tuple[str | None, AnyCommand | None, list[str]]:
        """Find the command; a misspelt one is misuse, with a suggestion."""
        name = args[0]
        is_known = name.startswith("-") or name in self.list_commands(ctx)
        if is_known or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        from deckcheck.cli.suggesting import commands_like

        near = commands_like(name, self.list_commands(ctx))
        known = choice(self.list_commands(ctx), "and")
        help = f"Did you mean {choice(near)}?" if near else f"Commands are {known}"
        raise UsageError(f"No such command {quote(name)}", help)

    def format_help(self, ctx: typer.Context, formatter: HelpFormatter) -> None:  # type: ignore[override]
        """Start with an example."""
        formatter.write(f"Example: {PROGRAM} {COMMANDS[0].example}\n\n")
        super().format_help(ctx, formatter)

    def format_commands(self, ctx: typer.Context, formatter: HelpFormatter) -> None:  # type: ignore[override]
        """List the commands from the register, importing none of them."""
        longest = max(len(command.name) for command in COMMANDS)
        for group, commands in COMMAND_GROUPS.items():
            with formatter.section(group):
                formatter.write_dl(
                    [(f"{c.name:<{longest}}", c.summary) for c in commands]
                )


def new_app(**settings: Any) -> typer.Typer:
    """A typer application as all of ours are: plain text, plain errors."""
    return typer.Typer(
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings=_SETTINGS,
        **settings,
    )


def load_command(name: str) -> AnyCommand:
    """Import a command, whose options come from variables and files too."""
    function = getattr(import_module(f"deckcheck.cli.{name}"), name)
    app = new_app(add_completion=False)
    app.command(name, cls=_ExampleFirst, context_settings=_SETTINGS)(
        configured(function)
    )
    command = typer.main.get_command(app)
    take_from_environment(command.params)
    return command
